SELECT count(*) FROM users GROUP BY GROUPING SETS (rollup(id, name), id)
-- same | columns count

