CREATE TABLE users (id bigint PRIMARY KEY, name text);
CREATE TABLE audit (id bigint PRIMARY KEY, user_id bigint, last_order_id integer);
