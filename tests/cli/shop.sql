CREATE TABLE users (id bigint PRIMARY KEY, name text);
CREATE TABLE orders (id bigint PRIMARY KEY, user_id bigint REFERENCES users);
CREATE TABLE lines (order_id bigint REFERENCES orders, total int, note text);
CREATE VIEW order_list AS
    SELECT o.id, o.user_id AS buyer, u.name, count(l) AS lines
    FROM orders o JOIN users u ON u.id = o.user_id LEFT JOIN lines l ON l.order_id = o.id
    GROUP BY o.id, u.id;
