SELECT count(*) FROM users GROUP BY GROUPING SETS (rollup(id, name), id)
-- refused unknown-name 42883: function rollup(uuid, character varying) does not exist [rollup(id, name]

