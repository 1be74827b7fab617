SELECT * FROM notes WHERE id = 'usr_1'
-- edited SELECT * FROM notes WHERE id = <note(text as text)> | columns id:note(text as text), title, author, tags

SELECT * FROM invoices WHERE id = 'inv_1'
-- edited SELECT * FROM invoices WHERE id = <invoice(int8 as text)>::pg_catalog.int8 | columns id:invoice(int8 as text), number, related:invoice(int8 as text)[]

SELECT * FROM invoices WHERE id = 'inv_1'::text AND number = 'n'::text
-- edited SELECT * FROM invoices WHERE id = <invoice(int8 as text)>::pg_catalog.int8 AND number = 'n'::text | columns id:invoice(int8 as text), number, related:invoice(int8 as text)[]

SELECT * FROM notes WHERE id = 'a'::text AND title = 'b'::text AND author = 'c'::varchar
-- edited SELECT * FROM notes WHERE id = <note(text as text)>::text AND title = 'b'::text AND author = 'c'::varchar | columns id:note(text as text), title, author, tags

SELECT id FROM invoices WHERE id IN ('a', $1, $2::text, text 'b', CAST('c' AS varchar(255)))
-- edited SELECT id FROM invoices WHERE id IN (<invoice(int8 as text)>::pg_catalog.int8, $1, $2::pg_catalog.int8, pg_catalog.int8 <invoice(int8 as text)>, CAST(<invoice(int8 as varchar)> AS pg_catalog.int8)) | parameters $1:invoice(int8 as text):20 shown 25, $2:invoice(int8 as text):20 shown 25 | columns id:invoice(int8 as text)

SELECT id FROM notes WHERE id = $1 OR title = $1 OR title = $2
-- edited SELECT id FROM notes WHERE id = $1 OR title = $3 OR title = $2 | parameters $1:note(text as text):25 shown 25, $2:-:0, $1:-:25 | columns id:note(text as text)

/* 25, 1043 */ SELECT id FROM notes WHERE id = $1 OR id = $2
-- same | parameters $1:note(text as text):25 shown 25, $2:note(text as varchar):25 shown 1043 | columns id:note(text as text)

/* 25, 1043 */ SELECT id FROM invoices WHERE id = $1 OR id = $2
-- same | parameters $1:invoice(int8 as text):20 shown 25, $2:invoice(int8 as varchar):20 shown 1043 | columns id:invoice(int8 as text)

/* 2950 */ SELECT id FROM notes WHERE id = $1
-- refused uuid-type 42883: operator does not exist: text = uuid [=]

/* 20 */ SELECT id FROM invoices WHERE id = $1
-- refused uuid-type 42883: operator does not exist: text = bigint [=]

/* 1009 */ SELECT id FROM invoices WHERE id = ANY($1) OR id = ANY($2::text[]) OR id = ANY('{a,b}'::text[])
-- edited SELECT id FROM invoices WHERE id = ANY($1) OR id = ANY($2::pg_catalog.int8[]) OR id = ANY(<invoice(int8 as text)[]>::pg_catalog.int8[]) | parameters $1:invoice(int8 as text)[]:1016 shown 1009, $2:invoice(int8 as text)[]:1016 shown 1009 | columns id:invoice(int8 as text)

SELECT id FROM invoices WHERE id = ANY('{a,b}') OR id = ANY(ARRAY['a', 'b']) OR id = ANY(ARRAY['a'::text, $1])
-- edited SELECT id FROM invoices WHERE id = ANY(<invoice(int8 as text)[]>::pg_catalog.int8[]) OR id = ANY(ARRAY[<invoice(int8 as text)>::pg_catalog.int8, <invoice(int8 as text)>::pg_catalog.int8]) OR id = ANY(ARRAY[<invoice(int8 as text)>::pg_catalog.int8, $1]) | parameters $1:invoice(int8 as text):20 shown 25 | columns id:invoice(int8 as text)

SELECT id FROM invoices WHERE related @> ARRAY['a'] OR related @> ARRAY['a']::text[] OR 'b' = ANY(related)
-- edited SELECT id FROM invoices WHERE related @> ARRAY[<invoice(int8 as text)>::pg_catalog.int8] OR related @> ARRAY[<invoice(int8 as text)>::pg_catalog.int8]::pg_catalog.int8[] OR <invoice(int8 as text)>::pg_catalog.int8 = ANY(related) | columns id:invoice(int8 as text)

SELECT id::text, CAST(id AS varchar), id::varchar(255), id::character varying FROM invoices
-- edited SELECT id::pg_catalog.int8, CAST(id AS pg_catalog.int8), id::pg_catalog.int8, id::pg_catalog.int8 FROM invoices | columns id:invoice(int8 as text), id:invoice(int8 as varchar), id:invoice(int8 as varchar), id:invoice(int8 as varchar)

SELECT id::text, CAST(id AS varchar), id::varchar(255), id::text::varchar FROM notes
-- edited SELECT id::text, CAST(id AS varchar), id::pg_catalog.varchar, id::text::varchar FROM notes | columns id:note(text as text), id:note(varchar as varchar), id:note(varchar as varchar), id:note(varchar as varchar)

SELECT id::varchar(5) FROM notes
-- refused expression 0A000: pgveil can't encrypt an id that is cast to character varying [::]

SELECT id::char FROM notes
-- refused expression 0A000: pgveil can't encrypt an id that is cast to character [::]

SELECT id::int, id::uuid FROM notes
-- refused expression 0A000: pgveil can't encrypt an id that is cast to integer [::]

SELECT related::text[] FROM invoices
-- edited SELECT related::pg_catalog.int8[] FROM invoices | columns related:invoice(int8 as text)[]

SELECT id FROM invoices WHERE id::text = $1 OR id::text = ANY($2)
-- edited SELECT id FROM invoices WHERE id::pg_catalog.int8 = $1 OR id::pg_catalog.int8 = ANY($2) | parameters $1:invoice(int8 as text):20 shown 25, $2:invoice(int8 as text)[]:1016 shown 1009 | columns id:invoice(int8 as text)

SELECT id FROM invoices WHERE id = $1::varchar(40) OR id = $2::character varying(40) OR id = CAST($3 AS character varying)
-- edited SELECT id FROM invoices WHERE id = $1::pg_catalog.int8 OR id = $2::pg_catalog.int8 OR id = CAST($3 AS pg_catalog.int8) | parameters $1:invoice(int8 as varchar):20 shown 1043, $2:invoice(int8 as varchar):20 shown 1043, $3:invoice(int8 as varchar):20 shown 1043 | columns id:invoice(int8 as text)

SELECT id || 'x' FROM notes
-- edited SELECT <tag note(text as text): id> || 'x' FROM notes | columns ?column?:tagged

SELECT 'x' || id FROM invoices
-- edited SELECT 'x' || <tag invoice(int8 as text): id> FROM invoices | columns ?column?:tagged

SELECT id FROM notes WHERE id LIKE 'usr_%'
-- refused expression 0A000: pgveil can't apply LIKE to an id: the database knows only its key [LIKE]

SELECT id FROM invoices WHERE id ILIKE $1
-- refused expression 0A000: pgveil can't apply ILIKE to an id: the database knows only its key [ILIKE]

SELECT id FROM invoices WHERE id ~ '^a'
-- refused expression 0A000: pgveil can't apply ~ to an id: the database knows only its key [~]

SELECT lower(id) FROM notes
-- refused expression 0A000: pgveil can't apply lower to an id: the database knows only its key [lower(id]

SELECT length(id), number FROM invoices
-- refused expression 0A000: pgveil can't apply length to an id: the database knows only its key [length(id]

SELECT md5(id) FROM invoices
-- refused expression 0A000: pgveil can't apply md5 to an id: the database knows only its key [md5(id]

SELECT id + 1 FROM invoices
-- refused uuid-type 42883: operator does not exist: text + integer [+]

SELECT -id FROM invoices
-- refused uuid-type 42883: operator does not exist: - text [-]

SELECT id FROM invoices WHERE id = 42
-- refused uuid-type 42883: operator does not exist: text = integer [=]

SELECT id FROM notes WHERE id = title
-- refused mixed-domains 0A000: an id of "note" can't be used together with a value that is no id [=]

SELECT id FROM notes WHERE id = lower('ABC')
-- refused mixed-domains 0A000: an id of "note" can't be used together with a value that is no id [=]

SELECT id FROM notes WHERE id = 'usr_' || $1
-- refused mixed-domains 0A000: an id of "note" can't be used together with a value that is no id [=]

SELECT COALESCE(id, 'none') FROM invoices
-- edited SELECT COALESCE(<tag invoice(int8 as text): id>, 'none') FROM invoices | columns coalesce:tagged

SELECT COALESCE(id, 'none'::text) FROM notes
-- edited SELECT COALESCE(id, <note(text as text)>::text) FROM notes | columns coalesce:note(text as text)

SELECT COALESCE(title, id) FROM notes
-- edited SELECT COALESCE(title, <tag note(text as text): id>) FROM notes | columns coalesce:tagged

SELECT CASE WHEN n.title = 'x' THEN 'a' ELSE 'b' END = i.id FROM notes n, invoices i
-- edited SELECT CASE WHEN n.title = 'x' THEN <invoice(int8 as text)>::pg_catalog.int8 ELSE <invoice(int8 as text)>::pg_catalog.int8 END = i.id FROM notes n, invoices i | columns ?column?

SELECT 'inv_1' UNION SELECT id FROM invoices
-- edited SELECT <invoice(int8 as text)>::pg_catalog.int8 AS "?column?" UNION SELECT id FROM invoices | columns ?column?:invoice(int8 as text)

SELECT 'a', 'b' AS b, 'c'::text, $1::text UNION ALL SELECT id, id, id, id FROM invoices
-- edited SELECT <invoice(int8 as text)>::pg_catalog.int8 AS "?column?", <invoice(int8 as text)>::pg_catalog.int8 AS b, <invoice(int8 as text)>::pg_catalog.int8 AS text, $1::pg_catalog.int8 AS text UNION ALL SELECT id, id, id, id FROM invoices | parameters $1:invoice(int8 as text):20 shown 25 | columns ?column?:invoice(int8 as text), b:invoice(int8 as text), text:invoice(int8 as text), text:invoice(int8 as text)

SELECT s.text FROM (SELECT 'inv_1'::text UNION SELECT id FROM invoices) s
-- edited SELECT s.text FROM (SELECT <invoice(int8 as text)>::pg_catalog.int8 AS text UNION SELECT id FROM invoices) s | columns text:invoice(int8 as text)

SELECT v.id FROM (VALUES ('a'), ('b')) v(id) JOIN invoices i ON i.id = v.id
-- edited SELECT v.id FROM (VALUES (<invoice(int8 as text)>::pg_catalog.int8), (<invoice(int8 as text)>::pg_catalog.int8)) v(id) JOIN invoices i ON i.id = v.id | columns id:invoice(int8 as text)

SELECT max(id), min(id), count(DISTINCT id), array_agg(id) FROM notes
-- same | columns max:note(text as text), min:note(text as text), count, array_agg:note(text as text)[]

SELECT max(note_id), array_agg(note_id) FROM note_links
-- same | columns max:note(text as text), array_agg:note(varchar as text)[]

SELECT n.id, l.note_id, l.target FROM notes n LEFT JOIN note_links l ON l.note_id = n.id ORDER BY n.id
-- same | columns id:note(text as text), note_id:note(varchar as text), target

SELECT id FROM notes UNION SELECT note_id FROM note_links
-- same | columns id:note(text as text)

SELECT invoice_id FROM invoice_lines UNION SELECT id FROM invoices
-- same | columns invoice_id:invoice(int8 as text)

SELECT i.id FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id WHERE l.invoice_id = 'a' AND l.invoice_id = $1
-- edited SELECT i.id FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id WHERE l.invoice_id = <invoice(int4 as text)>::pg_catalog.int4 AND l.invoice_id = $1 | parameters $1:invoice(int4 as text):23 shown 25 | columns id:invoice(int8 as text)

SELECT id FROM notes UNION SELECT title FROM notes
-- refused mixed-domains 0A000: an id of "note" can't be used together with a value that is no id [SELECT title FROM notes]

SELECT id FROM notes ORDER BY id COLLATE "C"
-- same | columns id:note(text as text)

SELECT id FROM invoices WHERE id = 'a' COLLATE "C"
-- edited SELECT id FROM invoices WHERE id = <invoice(int8 as text)>::pg_catalog.int8  | columns id:invoice(int8 as text)

SELECT title FROM notes WHERE title = 'a' COLLATE "C"
-- same | columns title

SELECT * FROM sessions WHERE id = $1 AND data = $2
-- same | parameters $1:session(bpchar as text):1042 shown 25, $2:-:0 | columns id:session(bpchar as text), data

SELECT id FROM sessions WHERE id = 'x'::char(40) OR id = $1::bpchar OR id = $2::text
-- edited SELECT id FROM sessions WHERE id = <session(bpchar as bpchar)>::pg_catalog.bpchar OR id = $1::bpchar OR id = $2::text | parameters $1:session(bpchar as bpchar):1042 shown 1042, $2:session(bpchar as text):1042 shown 25 | columns id:session(bpchar as text)

INSERT INTO sessions (id, data) VALUES ($1, $2) RETURNING id
-- same | parameters $1:session(bpchar as text) stored:1042 shown 25, $2:-:0 | columns id:session(bpchar as text)

INSERT INTO invoices (id, number) VALUES ('a', 'b') RETURNING id
-- edited INSERT INTO invoices (id, number) VALUES (<invoice(int8 as text) stored>::pg_catalog.int8, 'b') RETURNING id | columns id:invoice(int8 as text)

INSERT INTO invoice_lines (invoice_id, sku) VALUES ($1, $2), ('a', 'b'), ('a'::text, 'b'::text)
-- edited INSERT INTO invoice_lines (invoice_id, sku) VALUES ($1, $2), (<invoice(int4 as text) stored>::pg_catalog.int4, 'b'), (<invoice(int4 as text) stored>::pg_catalog.int4, 'b'::text) | parameters $1:invoice(int4 as text) stored:23 shown 25, $2:-:0 | columns none

INSERT INTO invoice_lines (invoice_id, sku) VALUES (5, 'b')
-- refused mixed-domains 0A000: an id of "invoice" can't be used together with a value that is no id [5]

INSERT INTO note_links (note_id, target) SELECT id, title FROM notes WHERE id = $1
-- same | parameters $1:note(text as text):25 shown 25 | columns none

INSERT INTO note_links (note_id, target) SELECT id, id FROM notes
-- refused expression 0A000: pgveil can't store an id as text in column "target" []

UPDATE note_links SET target = note_id
-- refused expression 0A000: pgveil can't store an id as text in column "target" [note_id]

UPDATE note_links SET note_id = target
-- refused mixed-domains 0A000: an id of "note" can't be used together with a value that is no id [target]

UPDATE note_links SET note_id = COALESCE($1, note_id), target = 'x'::text, position = position + 1 WHERE note_id = $2
-- same | parameters $1:note(varchar as text) stored:1043 shown 25, $2:note(varchar as text):1043 shown 25 | columns none

UPDATE invoices SET number = id
-- refused expression 0A000: pgveil can't store an id as text in column "number" [id]

SELECT * FROM note_targets WHERE note_id = $1
-- same | parameters $1:note(varchar as text):1043 shown 25 | columns note_id:note(varchar as text), title

SELECT * FROM invoice_keys WHERE invoice_id = 'a'
-- edited SELECT * FROM invoice_keys WHERE invoice_id = <invoice(int8 as text)>::pg_catalog.int8 | columns invoice_id:invoice(int8 as text)

SELECT $1::text IS NULL OR id = $1 FROM invoices
-- edited SELECT $1::text IS NULL OR id = $2 FROM invoices | parameters $1:-:25, $1:invoice(int8 as text):20 shown 25 | columns ?column?

SELECT (CASE WHEN title = $1 THEN $2 END)::text = id FROM notes
-- same | parameters $1:-:0, $2:note(text as text):25 shown 25 | columns ?column?

SELECT (CASE WHEN number = $1 THEN $2 END)::text = id FROM invoices
-- edited SELECT (CASE WHEN number = $1 THEN $2 END)::pg_catalog.int8 = id FROM invoices | parameters $1:-:0, $2:invoice(int8 as text):20 shown 25 | columns ?column?

SELECT id FROM notes WHERE (title, id) > ($1, $2) ORDER BY title, id LIMIT 10
-- same | parameters $1:-:0, $2:note(text as text) bound:25 shown 25 | columns id:note(text as text)

SELECT n.id FROM notes n JOIN invoices i ON i.id = n.id
-- refused mixed-domains 0A000: ids of "invoice" and of "note" can't be used in one place [=]

SELECT title || 'x', length(title), left(title, 3), author LIKE 'a%' FROM notes WHERE title IN ('a', 'b'::text) ORDER BY 1
-- same | columns ?column?, length, left, ?column?

SELECT v.x || 'a', (SELECT count(*) FROM invoices i WHERE i.id = v.x) FROM (VALUES ('a')) v(x)
-- refused mixed-domains 0A000: an id of "invoice" can't be used together with a value that is no id [=]

SELECT json_build_object('id', id) FROM notes
-- edited SELECT json_build_object('id', <tag note(text as text): id>) FROM notes | columns json_build_object:tagged

SELECT string_agg(id, ',') FROM notes
-- edited SELECT string_agg(<tag note(text as text): id>, ',') FROM notes | columns string_agg:tagged

SELECT tags || ARRAY['y'::text] FROM notes
-- same | columns ?column?

SELECT nullif(id, 'a'), greatest(id, 'b'), lag(id, 1, 'c') OVER (ORDER BY number) FROM invoices
-- edited SELECT nullif(id, <invoice(int8 as text)>::pg_catalog.int8), greatest(id, <invoice(int8 as text) first>::pg_catalog.int8), lag(id, 1, <invoice(int8 as text)>::pg_catalog.int8) OVER (ORDER BY number) FROM invoices | columns nullif:invoice(int8 as text), greatest:invoice(int8 as text), lag:invoice(int8 as text)

/* 25 */ SELECT id FROM invoices WHERE id = $1::text OR number = $1::text
-- edited SELECT id FROM invoices WHERE id = $1::pg_catalog.int8 OR number = $2::text | parameters $1:invoice(int8 as text):20 shown 25, $1:-:25 | columns id:invoice(int8 as text)

/* 25 */ SELECT id FROM notes WHERE id = CAST($1 AS varchar) AND title = $1
-- edited SELECT id FROM notes WHERE id = CAST($1 AS varchar) AND title = $2 | parameters $1:note(text as text):25 shown 25, $1:-:25 | columns id:note(text as text)

/* 705 */ SELECT id FROM invoices WHERE id = $1
-- same | parameters $1:invoice(int8 as text):20 shown 25 | columns id:invoice(int8 as text)

/* 20 */ SELECT id FROM invoices WHERE id = $1::text
-- refused mixed-domains 0A000: an id of "invoice" can't be used together with a value that is no id [=]

INSERT INTO note_links (note_id) SELECT max(COALESCE($1, note_id)) FROM note_links
-- same | parameters $1:note(varchar as text) stored:1043 shown 25 | columns none

SELECT id::character varying(200)::character varying::text FROM invoices
-- edited SELECT id::pg_catalog.int8::pg_catalog.int8::pg_catalog.int8 FROM invoices | columns id:invoice(int8 as text)

SELECT 'inv_1'::char(40) UNION SELECT id FROM invoices
-- edited SELECT <invoice(int8 as bpchar)>::pg_catalog.int8 AS bpchar UNION SELECT id FROM invoices | columns bpchar:invoice(int8 as text)

SELECT related[1]::varchar, related FROM invoices
-- edited SELECT related[1]::pg_catalog.int8, related FROM invoices | columns related:invoice(int8 as varchar), related:invoice(int8 as text)[]

UPDATE invoices SET related = array_append(related, $1) || related[1] WHERE 'a' = ANY(related)
-- edited UPDATE invoices SET related = array_append(related, $1) || related[1] WHERE <invoice(int8 as text)>::pg_catalog.int8 = ANY(related) | parameters $1:invoice(int8 as text) stored:20 shown 25 | columns none

SELECT id FROM invoices ORDER BY id COLLATE "C"
-- edited SELECT id FROM invoices ORDER BY id  | columns id:invoice(int8 as text)

SELECT id FROM invoices WHERE id = 'a'::unknown
-- edited SELECT id FROM invoices WHERE id = <invoice(int8 as text)>::unknown | columns id:invoice(int8 as text)

SELECT id FROM invoices WHERE id = nullif($1, '')
-- edited SELECT id FROM invoices WHERE id = nullif($1, NULL::pg_catalog.int8) | parameters $1:invoice(int8 as text):20 shown 25 | columns id:invoice(int8 as text)

WITH p AS (SELECT $1 AS u) SELECT id FROM invoices, p WHERE p.u = '' OR id = nullif(p.u, '')
-- edited WITH p AS (SELECT $1 AS u) SELECT id FROM invoices, p WHERE p.u = <invoice(int8 as text)>::pg_catalog.int8 OR id = nullif(p.u, <invoice(int8 as text)>::pg_catalog.int8) | parameters $1:invoice(int8 as text):20 shown 25 | columns id:invoice(int8 as text)

SELECT id FROM invoices WHERE id = nullif(coalesce($1, $2), '')
-- edited SELECT id FROM invoices WHERE id = nullif(coalesce($1, $2), <invoice(int8 as text)>::pg_catalog.int8) | parameters $1:invoice(int8 as text):20 shown 25, $2:invoice(int8 as text):20 shown 25 | columns id:invoice(int8 as text)

