-- Ids that are searched for as text, as admin pages and search boxes do.

-- case: searched: a whole id by a pattern
select name from users where upper(users.id::text) like upper('%:users.ann%') order by name;
select name from users where "users"."id"::text like ':users.bob';
select name from users where id::text like '%:users.bob' and true;
select name from users u where lower(u.id::text) like lower('%:users.ann') or name like '%ai%' order by name;
select name from users where id::text ilike upper(':users.ann%');
select name from users where cast(id as text) ilike '%:users.ann%';
select name from users where (id)::varchar ~~ ':users.ann%' or lower((id::text)) ~~* ('%:users.cai');
select count(*) from users where id::text not like '%:users.ann%';
select count(*) from users where upper(id::text) !~~ upper(':users.ann');
select id, id::text like ':users.ann' as is_ann, (id::text ilike ':users.ann') = true from users order by id;

-- case: searched: a whole id by a parameter
-- with: '%:users.ann%'
select name from users where upper(users.id::text) like upper($1) order by name;
-- with: ':users.bob'
select id, name from users where id::text like $1 order by name;
-- types: text
-- with: '%:users.cai'
select name from users where id::text ilike $1;
-- types: varchar
-- with: '%:users.cai'
select name from users where id::text ilike $1;
-- with: '%:users.cai%'
select name from users where lower(id::text) like lower($1::text) or name = 'Bob' order by name;
-- with: '%:users.cai%', '%:users.cai%'
select name from users where upper(id::text) like upper($1) or upper(email) like upper($2) order by name;
-- with: null
select count(*) from users where id::text like $1;
-- with: '%:users.ann%'
select count(*) from users where id::text not ilike $1;
-- with: ':users.ann'
update users set name = 'Found' where id::text like $1 returning id, name;

-- case: searched: an id whatever the case of its text
select name from users where upper("users"."id"::text) = upper(':users.ann');
select name from users where lower(id::text) = lower(':users.bob') or lower(name) = lower('CAI') order by name;
select name from users where lower(id::text) = ':users.bob' and is_active is not null;
select name from users where upper(id::text) = ':users.bob';
select name from users where id::text = lower(':users.ann');
select name from users where lower(':users.ann') = lower(id::text);
select name from users where lower(':users.ann') = id::varchar;
select count(*) from users where upper(id::text) <> upper(':users.ann');
select count(*) from users where lower(id::text) != lower(':users.ann') and not lower((id)::text) = (lower('nobody'));
select id, lower(id::text) = lower(':users.ann') as is_ann from users order by id;
select name from users where lower(id::text) in (lower(':users.ann'), lower(':users.bob')) order by name;
select name from users where lower(id::text) not in (lower(':users.ann'), ':users.bob') order by name;
select name from users where lower(id::text) = lower('%:users.ann');
-- with: ':users.ann'
select name from users where upper(users.id::text) = upper($1);
-- types: text
-- with: ':users.cai'
select id, name from users where lower(id::text) = lower($1);
-- with: ':users.cai'
select name from users where lower(id::text) = lower($1::text) or name = 'Bob' order by name;
-- with: null
select count(*) from users where lower(id::text) = lower($1);
-- with: 'nobody'
select count(*) from users where lower(id::text) <> lower($1);
-- with: '%'
select count(*) from users where lower(id::text) = lower($1);

-- case: searched: an id as text with a collation
select name from users where id::text collate "C" = ':users.ann';
select name from users where cast(id as text) collate pg_catalog."C" = ':users.ann' or id::varchar collate "POSIX" = ':users.bob' order by name;
select id::text collate "C" as text, name from users order by id;
select name from users where id::text collate "C" in (':users.ann', ':users.bob') order by name collate "C";
-- with: ':users.cai'
select name from users where id::text collate "C" = $1;

-- case: searched: by one parameter for ids and for text
-- with: '%:users.ann%'
select name from users where upper(id::text) like upper($1) or upper(name) like upper($1) order by name;
-- with: '%ann%'
select name from users where upper(id::text) like upper($1) or upper(name) like upper($1) or upper(email) like upper($1) order by name;

-- case: searched: what no id matches
select name from users where upper(id::text) like upper('%ann%') or upper(name) like upper('%ann%') order by name;
select count(*) from users where id::text like '';
select count(*) from users where id::text not like '%z%';
-- with: '%Ann%'
select name from users where id::text ilike $1 or name ilike $1 order by name;
-- with: ':orders.one'
select name from users where id::text like $1;
-- with: ':fixed.unknown'
select name from users where id::text like $1;
-- with: '100\%'
select name from users where id::text like $1 or name like $1;

-- case: searched: in joins and subqueries
-- with: '%:users.ann%'
select o.id, o.status from orders o join users u on u.id = o.user_id where u.id::text ilike $1 or o.status ilike $1 order by o.id;
-- with: '%:orders.one%'
select name from users where id in (select user_id from orders o where upper(o.id::text) like upper($1));
-- with: '%:users.ann%'
select count(*) filter (where user_id::text like $1) from orders;
select name from users u where exists (select from orders o where o.user_id::text like '%:users.ann%' and o.user_id = u.id);
select name from users, lateral (select users.id::text like ':users.ann' as hit) h where hit;

-- case: searched: in a pattern that the statement puts together
-- with: ':users.ann'
select name from users where id::text like '%' || $1 || '%';
-- types: text
-- with: ':users.bob'
select name from users where upper(id::text) like upper('%' || $1 || '%') or name = 'Cai' order by name;
-- with: ':users.bob'
select name from users where (id::text ilike (('%' || ($1::text)) || '%')) = true or name ilike '%' || $1 || '%' order by name;
-- with: 'Ann'
select name from users where id::text ilike '%' || $1 || '%' or name ilike '%' || $1 || '%' order by name;
-- with: null
select count(*) from users where id::text ilike '%' || $1::text || '%';

-- case: searched: with another escape
-- with: '%:users.ann%'
select name from users where id::text like $1 escape '' and name <> 'x';
-- with: '!:users.ann%'
select name from users where cast(id as text) like $1 escape '!';
select name from users where lower(id::text) like lower('%:users.ann') escape '\' or name like 'B!%%' escape '!';
-- types: varchar
-- with: ':users.cai'
select name from users u1_0 where u1_0.id::text like ('%' || $1 || '%') escape '';

-- case: searched: prepared by name
-- modes: simple
prepare found as select name from users where id::text like '%:users.ann%';
execute found;
deallocate found;
