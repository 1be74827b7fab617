CREATE TABLE users (id bigint PRIMARY KEY, name text);
CREATE TABLE audit (id bigint PRIMARY KEY, user_id bigint, last_order_id integer);
CREATE TABLE files (code uuid UNIQUE, owner integer, seen timestamptz);
CREATE TABLE notes (code text UNIQUE, readers uuid[]);
CREATE TABLE steps (code smallint UNIQUE);
CREATE TABLE walks (step integer REFERENCES steps (code));
CREATE TABLE roads (code bigint UNIQUE);
CREATE TABLE signs (road integer REFERENCES roads (code));
