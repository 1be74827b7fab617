-- Keys in text and documents that nobody has annotated, and numbers that only look like keys.
CREATE TABLE users (id bigint PRIMARY KEY, name text);
INSERT INTO users SELECT g FROM generate_series(1, 40000) g;
CREATE TABLE tags (id integer PRIMARY KEY);
INSERT INTO tags SELECT g FROM generate_series(1, 10) g;
CREATE TABLE orders (id bigint PRIMARY KEY);
INSERT INTO orders SELECT 7000000000 + g * 7919 FROM generate_series(1, 3000) g;
CREATE TABLE devices (id uuid PRIMARY KEY);
INSERT INTO devices SELECT ('019a5b2c-7d10-7' || substr(m, 1, 3) || '-8' || substr(m, 4, 3) || '-' || substr(m, 7, 12))::uuid
    FROM (SELECT md5(g::text) AS m FROM generate_series(1, 500) g) s;
CREATE TABLE sessions (id text PRIMARY KEY);
INSERT INTO sessions SELECT '0' || upper(substr(md5(g::text), 1, 25)) FROM generate_series(1, 300) g;

-- Old audit records: an actor in a varchar, the row in text that is a document.
CREATE TABLE old_audit (actor varchar(40), row text, remark text);
INSERT INTO old_audit SELECT g * 397, '{"order": {"id": ' || 7000000000 + g * 7919 || '}, "lines": [1, 2]}', 'changed ' || g FROM generate_series(1, 100) g;
INSERT INTO old_audit VALUES ('system', '{"order": broken', ''), ('-17', 'null', NULL), ('00005012', '[]', '{}'), (NULL, NULL, NULL);
-- Revisions: both states, and a map whose members are named after people.
CREATE TABLE revisions (changes jsonb, people jsonb);
INSERT INTO revisions SELECT jsonb_build_object('user_id', jsonb_build_array(g * 397, 40001 - g * 391), 'n', g % 10 + 1, 'shown', g * 397),
    jsonb_build_object('jo' || g || '@example.org', jsonb_build_object('owner', (g * 397)::text)) FROM generate_series(1, 100) g;
-- What a provider knows of devices, without hyphens too, and sessions in a document.
CREATE TABLE providers (external varchar, token json);
INSERT INTO providers SELECT CASE WHEN d.at % 2 = 0 THEN d.id::text ELSE upper(replace(d.id::text, '-', '')) END,
    json_build_object('session', s.id, 'of', 'gateway-of-payments')
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS at FROM devices) d
    JOIN (SELECT id, row_number() OVER (ORDER BY id) AS at FROM sessions) s ON s.at = d.at WHERE d.at <= 40;
CREATE TABLE parted (at int, body jsonb) PARTITION BY LIST (at);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
INSERT INTO parted SELECT 1, jsonb_build_object('u', g * 397) FROM generate_series(1, 100) g;

-- Numbers that are none: small ones, prices below the last key and beyond it, years, other uuids.
CREATE TABLE numbers (small jsonb, cents jsonb, price text, year varchar, other text, part text);
INSERT INTO numbers SELECT jsonb_build_object('tag', g % 10 + 1, 'day', g % 31 + 1, 'percent', g % 101),
    jsonb_build_object('low', 2500 + g * 7, 'high', 2500 + g * 311), (g * 1999)::text, (1950 + g % 80)::text, md5('other ' || g)::uuid::text,
    (g * 397)::text || '.50' FROM generate_series(1, 900) g;
-- Decided: one stays as it is, of one the path is annotated.
CREATE TABLE decided (stays text, named jsonb);
INSERT INTO decided SELECT g * 397, jsonb_build_object('user', g * 397) FROM generate_series(1, 100) g;
-- What can't be read, or not in time, and large documents.
CREATE TABLE secrets (actor text);
INSERT INTO secrets SELECT g * 397 FROM generate_series(1, 100) g;
CREATE TABLE slow (actor text);
INSERT INTO slow VALUES ('5001');
ALTER TABLE slow ENABLE ROW LEVEL SECURITY;
CREATE POLICY slow ON slow USING (pg_sleep(20)::text = '');
CREATE TABLE large (body jsonb);
INSERT INTO large SELECT to_jsonb(string_agg(md5(g::text), ' ')) FROM generate_series(1, 2000) g;
CREATE ROLE reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
REVOKE SELECT ON secrets FROM reader;
