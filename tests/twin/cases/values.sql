Ids that the client makes up, spells in another way or replaces by something else.

-- case: upper case, braces and 32 digits are ids too
-- with: :users.ann/upper
select id, name from users where id = $1;
-- with: :users.ann/braced
select id, name from users where id = $1;
-- with: :users.ann/hex
select id, name from users where id = $1;

-- case: other spellings in literals
select id, name from users where id = ':users.ann/upper';
select id, name from users where id in (':users.ann/braced', ':users.bob/hex'::uuid) order by id;

-- case: other spellings in an array
-- with: {:users.ann/upper,:users.bob/hex}
select id, name from users where id = any($1) order by id;

-- case: an unknown id finds nothing
-- with: :fixed.unknown
select id from users where id = $1;
-- with: :fixed.unknown8
select id from users where id = $1;
select id from users where id = ':fixed.unknown'::uuid;
select id from users where id in (':fixed.unknown', ':users.ann');

-- case: an id with one digit changed finds nothing
-- with: :users.ann/forged
select id from users where id = $1;
select id from users where id = ':users.bob/forged';

-- case: an id of another domain finds nothing
-- with: :orders.one
select id from users where id = $1;
select id from users where id = ':orders.one';
-- with: {:orders.one,:users.ann}
select id from users where id = any($1);

-- case: an unknown id differs from every id
-- with: :fixed.unknown
select id from users where id <> $1 order by id;
-- with: :fixed.unknown
select id from users where id is distinct from $1 order by id;
select id from users where id not in (':fixed.unknown8', ':users.ann') order by id;
-- with: {:fixed.unknown,:fixed.unknown8}
select id from users where id <> all($1) order by id;

-- case: keyset pages begin at the nil uuid
-- with: :fixed.nil, 2
select id, name from users where id > $1 order by id limit $2;
select id, name from users where id > ':fixed.nil' order by id limit 3;
-- with: :fixed.nil
select id, name from users where id <= $1;

-- case: ranges end at the max uuid
-- with: :users.bob, :fixed.max
select id, name from users where id between $1 and $2 order by id;
select id, name from users where id < ':fixed.max' order by id;
select id, name from users where id >= ':fixed.max' order by id;

-- case: the nil uuid is no id of a row
-- with: :fixed.nil
select count(*) from users where id = $1;
-- with: :fixed.nil
select count(*) from teams where owner_id = $1;

-- case: unknown ids update and delete nothing
-- with: :fixed.unknown
update users set name = 'Nobody' where id = $1;
-- with: :fixed.unknown8
delete from orders where id = $1 returning id;

-- case: malformed text in the place of an id
-- with: 'no-uuid'
-- fails: 22P02
select id from users where id = $1;
-- fails: 22P02
select id from users where id = 'no-uuid';
-- fails: 22P02
select id from users where id = ''::uuid;
-- fails: 22P02
select id from users where id in (':users.ann', 'c0ffee');

-- case: malformed text within an array
-- with: {:users.ann,zzz}
-- fails: 22P02
select id from users where id = any($1);
-- fails: 22P02
select id from users where id = any('{:users.ann,12');
-- fails: 22P02
select id from users where id = any('{12}'::uuid[]);

-- case: a uuid that is too long, too short or spaced is malformed
-- fails: 22P02
select id from users where id = '0:users.ann';
-- fails: 22P02
select id from users where id = ' :users.ann';
-- fails: 22P02
select id from users where id = ':users.ann}';
-- with: '7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b'
-- fails: 22P02
select id from users where id = $1;

-- case: an odd grouping with hyphens is an id as it is for uuid
select name from users where id = '7d3f-0b52-9a41-4c68-b1de-5e2f-8c90-a7b4';
-- fails: 22P02
select name from users where id = '7d3-f0b52-9a41-4c68-b1de-5e2f-8c90-a7b4';

-- case: an integer in the place of an id
-- modes: simple text
-- fails: 42883
select id from users where id = 42;
-- fails: 42883
select id from users where id in (1, 2);
-- fails: 42883
select id from users where id > 0 order by id;

-- case: an integer parameter in the place of an id
-- types: int8
-- with: 42
-- fails: 42883
select id from users where id = $1;

-- case: a small integer parameter in the place of an id
-- types: int2
-- with: 42
-- fails: 42883
select id from users where id = $1;

-- case: an integer as text in the place of an id
-- with: '42'
-- fails: 22P02
select id from users where id = $1;
-- fails: 22P02
select id from users where id = '42';
-- fails: 22P02
update users set name = 'x' where id = '1';

-- case: a parameter declared as text in the place of an id
-- modes: text binary prepared
-- types: text
-- with: :users.ann
-- fails: 42883
select id from users where id = $1;

-- case: a parameter declared as varchar in the place of an id
-- modes: text declared prepared
-- types: varchar
-- with: :users.ann
-- fails: 42883
select id from users where id = $1;

-- case: a parameter declared as text with a cast is an id
-- types: text
-- with: :users.ann
select id from users where id = $1::uuid;

-- case: a parameter declared as varchar with a cast is an id
-- types: varchar
-- with: :users.bob
select id from users where id = cast($1 as uuid);

-- case: a parameter declared as uuid
-- types: uuid
-- with: :users.bob
select id from users where id = $1;

-- case: a parameter declared as an array of uuid
-- types: uuid[]
-- with: {:users.bob,:users.ann}
select id from users where id = any($1) order by id;

-- case: an array parameter declared as integers
-- modes: text declared binary prepared
-- types: int8[]
-- with: {1,2}
-- fails: 42883
select id from users where id = any($1) order by id;

-- case: a real uuid column is left alone
-- with: :fixed.subject_ann
select id, auth_subject from users where auth_subject = $1;
select name from users where auth_subject = ':fixed.subject_bob'::uuid;
-- with: :fixed.unknown, :users.cai
update users set auth_subject = $1 where id = $2 returning id, auth_subject;
-- with: {:fixed.subject_ann,:fixed.subject_eli}
select name, auth_subject from users where auth_subject = any($1) order by name;

-- case: one parameter is an id here and a real uuid there
-- with: :users.ann
select id from users where id = $1 or auth_subject = $1;

-- case: one parameter is an id here and text there
-- modes: text binary prepared
-- types: uuid
-- with: :users.ann
select id, $1::text as given from users where id = $1;

-- case: one parameter in two domains
-- with: :users.ann
select u.id, o.id from users u left join orders o on o.id = $1 where u.id = $1;

-- case: a parameter that is no id beside one that is
-- with: 7, :users.ann, 'Ann', true
select id, login_count from users where login_count = $1 and id = $2 and name = $3 and is_active = $4;

-- case: parameters used out of order and repeatedly
-- with: :users.ann, 'new', :users.bob
select id, user_id, status from orders where status = $2 and user_id in ($3, $1, $3) order by id;

-- case: a uuid that belongs to no id is only a value
-- with: :fixed.unknown
select $1::uuid as given, ':fixed.subject_ann'::uuid as fixed;
