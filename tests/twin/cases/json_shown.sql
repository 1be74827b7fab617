JSON that the client sends and that is shown again.

-- case: json on the way in: another part of it is shown
-- with: '{"user_id": ":users.ann", "n": 1}'
select name, ($1::jsonb ->> 'n')::int from users where id = ($1::jsonb ->> 'user_id')::uuid;
-- with: '{"user_id": ":users.ann", "n": 1}'
select u.name, d.doc -> 'n' from (select $1::jsonb as doc) d join users u on u.id = (d.doc ->> 'user_id')::uuid;
-- with: '[{"user": ":users.ann", "n": 1}, {"user": ":users.bob", "n": 2}]'
select u.name, e -> 'n' from jsonb_array_elements($1) e join users u on u.id = (e ->> 'user')::uuid order by 2;
