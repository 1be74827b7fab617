-- A shop with a role for its application, which may read and write and no more.
CREATE ROLE app LOGIN;

CREATE TABLE users (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);

CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint REFERENCES users,
    total int
);

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO app;

REVOKE TEMPORARY ON DATABASE shop FROM PUBLIC;

INSERT INTO users (name) VALUES ('ann'), ('bob');

INSERT INTO orders (user_id, total) VALUES (1, 12), (2, 30), (1, 7);
