SELECT * FROM tokens WHERE id = '\x00ff'
-- edited SELECT * FROM tokens WHERE id = <token(bytea as bytea)> | columns id:token(bytea as bytea), payload, label

SELECT id FROM tokens WHERE id = '\x00ff'::bytea AND payload = '\x01'::bytea
-- edited SELECT id FROM tokens WHERE id = <token(bytea as bytea)>::bytea AND payload = '\x01'::bytea | columns id:token(bytea as bytea)

SELECT id FROM tokens WHERE id = $1 OR id = $2::bytea OR id = ANY($3) OR id = ANY($4::bytea[])
-- same | parameters $1:token(bytea as bytea):17 shown 17, $2:token(bytea as bytea):17 shown 17, $3:token(bytea as bytea)[]:1001 shown 1001, $4:token(bytea as bytea)[]:1001 shown 1001 | columns id:token(bytea as bytea)

/* 17, 1001 */ SELECT id FROM tokens WHERE id = $1 OR id = ANY($2) OR payload = $1
-- edited SELECT id FROM tokens WHERE id = $1 OR id = ANY($2) OR payload = $3 | parameters $1:token(bytea as bytea):17 shown 17, $2:token(bytea as bytea)[]:1001 shown 1001, $1:-:17 | columns id:token(bytea as bytea)

/* 25 */ SELECT id FROM tokens WHERE id = $1
-- refused uuid-type 42883: operator does not exist: bytea = text [=]

SELECT id FROM tokens WHERE id = decode('00', 'hex')
-- refused mixed-domains 0A000: an id of "token" can't be used together with a value that is no id [=]

SELECT id FROM tokens WHERE id = payload
-- refused mixed-domains 0A000: an id of "token" can't be used together with a value that is no id [=]

SELECT id FROM tokens WHERE id = E'\\x00ff'
-- edited SELECT id FROM tokens WHERE id = <token(bytea as bytea)> | columns id:token(bytea as bytea)

SELECT id || payload FROM tokens
-- refused expression 0A000: pgveil can't apply || to an id: the database knows only its key [||]

SELECT encode(id, 'hex') FROM tokens
-- refused expression 0A000: pgveil can't apply encode to an id: the database knows only its key [encode(id, 'hex']

SELECT length(id) FROM tokens
-- refused expression 0A000: pgveil can't apply length to an id: the database knows only its key [length(id]

SELECT id FROM tokens WHERE id LIKE '\x00%'
-- refused expression 0A000: pgveil can't apply LIKE to an id: the database knows only its key [LIKE]

SELECT id::text FROM tokens
-- edited SELECT id::pg_catalog.bytea FROM tokens | columns id:token(bytea as text)

SELECT id::bytea FROM tokens
-- same | columns id:token(bytea as bytea)

SELECT id::uuid FROM tokens
-- refused uuid-type 42846: cannot cast type bytea to uuid [::]

SELECT substring(id from 1 for 4) FROM tokens
-- refused expression 0A000: pgveil can't encrypt the result of this expression over an id [id]

SELECT min(id) FROM tokens
-- same | columns min:token(bytea as bytea)

SELECT COALESCE(id, '\x00'), COALESCE(id, $1) FROM tokens UNION ALL SELECT '\x01', '\x02'::bytea
-- edited SELECT COALESCE(id, <token(bytea as bytea)>), COALESCE(id, $1) FROM tokens UNION ALL SELECT <token(bytea as bytea)>, <token(bytea as bytea)>::bytea | parameters $1:token(bytea as bytea):17 shown 17 | columns coalesce:token(bytea as bytea), coalesce:token(bytea as bytea)

INSERT INTO token_uses (token_id) VALUES ($1), ('\x00'), ('\x01'::bytea) RETURNING token_id
-- edited INSERT INTO token_uses (token_id) VALUES ($1), (<token(bytea as bytea) stored>), (<token(bytea as bytea) stored>::bytea) RETURNING token_id | parameters $1:token(bytea as bytea) stored:17 shown 17 | columns token_id:token(bytea as bytea)

INSERT INTO tokens (payload) SELECT id FROM tokens
-- refused mixed-domains 0A000: an id of "token" can't be used together with a value that is no id []

SELECT t.id, u.used_at FROM tokens t JOIN token_uses u ON u.token_id = t.id
-- same | columns id:token(bytea as bytea), used_at

SELECT id FROM tokens WHERE id = 5
-- refused uuid-type 42883: operator does not exist: bytea = integer [=]

/* 25 */ SELECT id FROM tokens WHERE id = $1::bytea
-- same | parameters $1:token(bytea as bytea):25 textual | columns id:token(bytea as bytea)

