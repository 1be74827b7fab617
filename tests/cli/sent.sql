SELECT u.id, u.name FROM users u WHERE u.id = 'e59bcce6-0853-8657-8814-127b2d43bf23';
SELECT u.id, u.name FROM users u WHERE u.id = '2b7a3c6e-91d4-8a0f-b1c2-5d6e7f809a1b'; -- another one
INSERT INTO orders (user_id) VALUES ('e59bcce6-0853-8657-8814-127b2d43bf23') RETURNING id;
SELECT md5(id::text) FROM users WHERE name = 'ann';
SELECT md5(id::text) FROM users WHERE name = 'bob';
SELECT md5(o.user_id::text || 'salt') FROM orders o;
SELECT id + 1 FROM orders;
SELECT count(*) FROM lines WHERE total > 12.5;
