CREATE TABLE users (id bigint PRIMARY KEY, name text);
CREATE TABLE orders (id bigint PRIMARY KEY, user_id bigint REFERENCES users);
