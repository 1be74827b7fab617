SELECT count(*) FROM users GROUP BY GROUPING SETS (rollup(id, name), id)
-- same | columns count

SELECT 1 FROM (users a JOIN users b JOIN users c ON true ON true) JOIN users d ON true
-- same | columns ?column?

