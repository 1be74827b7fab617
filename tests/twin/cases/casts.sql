Casts of ids and of text that stands for ids, and what types the results are of.

-- case: casts: to text and back
select id::text::uuid, cast(cast(id as text) as uuid), id::varchar::uuid, id::varchar(36)::uuid, id::text::varchar(36) from users order by users.id;
select participant_ids::text[]::uuid[] from events order by id;
select o.id from orders o join users u on o.user_id::text::uuid = u.id where u.name = 'Ann' order by 1;
select id from users where id::text::uuid = ':users.ann';
-- with: :users.ann
select id from users where id::text::uuid = $1;
-- with: :users.ann
-- types: text
select id from users where id::text = $1::text and id = $1::uuid;
select s.t::uuid from (select id::text as t from users) s order by 1;
with t as (select user_id::text as who from orders) select u.name from t join users u on u.id = t.who::uuid order by u.id;

-- case: casts: to text with room
select id::varchar(36), id::varchar(64), id::character varying(255), id::char(36), id::character(36), id::bpchar from users order by users.id;
select id::varchar(64) as key, cast(user_id as varchar(40)) from orders order by 1;
select participant_ids::varchar(40)[], array_agg(id::char(36)) from events group by participant_ids order by 1;
select s.key, nullif(s.key, ':users.ann') from (select id::varchar(64) as key from users) s order by 1;
select (select id::varchar(50) from users order by id limit 1), coalesce(id::varchar(40), 'x') from users order by id;
select id::varchar(40) from users union select user_id::varchar(40) from orders order by 1;
select id::varchar(40) from users union all select user_id::varchar(50) from orders order by 1;
select max(id::varchar(40)) is null, min(id)::varchar(40) from teams;
with w as (select id::char(36) as c from users) select c from w order by 1;
select name from users where id::varchar(36) = ':users.ann' or id::char(36) = ':users.bob' order by id;
select id::char(36) || '!', length(name::varchar(2)) from users order by id;

-- case: casts: to text that is too short
-- refused: 0A000
select id::varchar(10) from users;
-- refused: 0A000
select (jsonb_build_object('a', id, 'b', user_id) ->> 'a')::uuid from orders;
-- refused: 0A000
select (string_agg(id::text, ''))::uuid from users where id = ':users.ann';
-- refused: 0A000
select concat(id, '')::uuid from users order by id;
-- refused: 0A000
select array_to_string(array_agg(o.id order by o.id), o.status) as ids from orders o group by o.status, o.user_id order by ids;
-- refused: 0A000
select v.id, u.name from (values (':users.ann')) as v(id) left join users u on u.id = v.id::uuid;
-- refused: 0A000
select v, u.name from (values (':users.ann')) as v(id) left join users u on u.id = v.id::uuid;
-- refused: 0A000
select length(v.id), u.name from (values (':users.ann')) as v(id) left join users u on u.id = v.id::uuid;
-- refused: 0A000
select u.name from (values (':users.ann')) as v(id) left join users u on u.id = v.id::uuid order by v.id;
-- refused: 0A000
select row_to_json(v)->>'id' from (values (':users.ann')) as v(id) join users u on u.id = v.id::uuid;
-- refused: 0A000
with v(id) as (values (':users.ann')) select * from v join users u on u.id = v.id::uuid;

-- case: casts: to text that is padded
-- refused: 0A000
select id::char(40) from users;

-- case: casts: of a constant in capitals
select name from users where id = lower(':users.ann')::uuid;
select name from users where id = upper(':users.ann')::uuid or id = cast(lower(':users.bob') as uuid) order by id;
-- with: :users.ann
select name from users where id = lower($1)::uuid;
-- with: :users.ann
-- types: text
select name from users where id = upper($1)::uuid;
-- with: :users.ann, :users.bob
select name from users where id in (lower($1)::uuid, upper(lower($2))::uuid) order by id;
-- with: :users.ann
select name from users where id = upper(coalesce($1, ':users.bob'))::uuid;
-- with: null
select name from users where id = lower($1)::uuid;
select name from users where name = lower('ANN') or lower(name) = lower('BOB');

-- case: casts: of a constant in capitals that is no id
-- fails: 22P02
-- early
-- except: message position
select name from users where id = lower('NOBODY')::uuid;

-- case: casts: of optional filters
-- with: :users.ann
select name from users where id = nullif($1, '')::uuid;
-- with: ''
select name from users where id = nullif($1, '')::uuid;
-- with: ''
select count(*) from users where $1 = '' or id = nullif($1, '')::uuid;
-- with: :users.bob
select name from users where $1 = '' or id = nullif($1, '')::uuid;
-- with: :users.bob
-- types: text
select name from users where (nullif($1, '')::uuid is null or id = nullif($1, '')::uuid);
-- with: ''
select name from users where id = coalesce(nullif($1, '')::uuid, id) order by id;
-- with: '', :users.ann
select name from users where id = coalesce(nullif($1, ''), nullif($2, 'none'))::uuid;
-- with: null
select name from users where id = nullif($1, '')::uuid;
-- with: :users.ann
select name from users where id = (case when $1 = '' then null else $1 end)::uuid;
-- with: ''
select name from users where id = (case when $1 = '' then null else $1 end)::uuid;
-- with: 'all'
select count(*) from users where (case when $1 in ('', 'all') then null else $1 end)::uuid is null;
-- with: 'all'
select name from users where id = (case when $1 = '' or $1 = 'all' then null else $1 end)::uuid;
-- with: :users.ann
select name from users where id = (case $1 when 'all' then null when '' then null else $1 end)::uuid;
-- with: '  '
select name from users where id = (case when not ($1 is distinct from '  ') then null else $1 end)::uuid;
-- with: :users.ann, :users.bob
select name from users where id = nullif($1, $2)::uuid;
select name from users where id = nullif(':users.ann', '')::uuid;
select name from users where id = nullif('', '')::uuid;
select name from users where id = nullif('none', 'none')::uuid;
select name from users where id = nullif(':users.ann', 'none')::uuid;
select count(*) from orders where user_id = coalesce(nullif('', '')::uuid, user_id);
-- with: :users.ann
update orders set note = 'x' where user_id = nullif($1, '')::uuid;
-- with: :users.ann, ''
insert into comments(author_id, order_id, body) values (nullif($1, '')::uuid, nullif($2, '')::uuid, 'x') returning author_id, order_id;

-- case: casts: of optional filters by a parameter that is compared first
-- modes: binary declared prepared text
-- with: :users.ann
select name from users where $1 = '' or id = $1::uuid order by id;
-- with: ''
select name from users where $1 = '' or id = $1::uuid order by id;
-- with: :users.ann
select name from users where $1 = 'all' or $1 = '' or id = $1::uuid order by id;
-- with: ''
select name from users where $1 = 'all' or $1 = '' or id = $1::uuid order by id;
-- with: :users.ann
select name from users where ($1 <> '') is not true or id = $1::uuid order by id;
-- with: ''
select name from users where ($1 <> '') is not true or id = $1::uuid order by id;
-- with: :users.ann
select name from users where not ($1 <> '') or id = $1::uuid order by id;
-- with: ''
select name from users where not ($1 <> '') or id = $1::uuid order by id;
-- with: :users.ann
select name from users where $1 in ('', 'all') or id = $1::uuid order by id;
-- with: ''
select name from users where $1 in ('', 'all') or id = $1::uuid order by id;
-- with: :users.ann
select name from users where $1 is not distinct from '' or id = $1::uuid order by id;
-- with: ''
select name from users where $1 is not distinct from '' or id = $1::uuid order by id;
-- with: :users.ann
select name from users where '' = $1 or id = cast($1 as uuid) order by id;
-- with: ''
select name from users where '' = $1 or id = cast($1 as uuid) order by id;
-- with: :users.ann
select name from users where coalesce($1, '') = '' or id = $1::uuid order by id;
-- with: ''
select name from users where coalesce($1, '') = '' or id = $1::uuid order by id;
-- with: :users.ann
select name from users where nullif($1, '') = 'x' or $1 = '' or id = $1::uuid order by id;
-- with: ''
select name from users where nullif($1, '') = 'x' or $1 = '' or id = $1::uuid order by id;
-- with: :users.ann
select name from users where case when $1 <> '' then id = $1::uuid else true end order by id;
-- with: ''
select name from users where case when $1 <> '' then id = $1::uuid else true end order by id;
-- with: :users.ann
select name from users where case $1 when '' then true else id = $1::uuid end order by id;
-- with: ''
select name from users where case $1 when '' then true else id = $1::uuid end order by id;
-- with: :users.ann
select name from users where id = case when $1 <> '' then $1::uuid end order by id;
-- with: ''
select name from users where id = case when $1 <> '' then $1::uuid end order by id;
-- with: :users.ann
select count(*) from orders where ($1 = '' or user_id = $1::uuid) and ($1 = '' or user_id = $1::uuid);
-- with: ''
select count(*) from orders where ($1 = '' or user_id = $1::uuid) and ($1 = '' or user_id = $1::uuid);
-- with: :users.ann
select name from users where $1::text = '' or id = $1::text::uuid order by id;
-- with: ''
select name from users where $1::text = '' or id = $1::text::uuid order by id;
-- with: :users.ann
select name from users where $1::text = '' or id = $1::uuid order by id;
-- with: ''
select name from users where $1::text = '' or id = $1::uuid order by id;
-- with: :users.ann
update orders set note = 'f' where $1 <> '' and user_id = $1::uuid;
-- with: ''
update orders set note = 'f' where $1 <> '' and user_id = $1::uuid;
-- with: 'all'
select name from users where $1 = 'all' or id = $1::uuid order by id;
-- with: :users.ann, ''
select name from users where ($1 = '' or id = $1::uuid) and ($2 = '' or id = $2::uuid) order by id;
-- with: :users.ann
-- types: text
select name from users where $1 = '' or id = $1::uuid order by id;
-- with: ''
-- types: varchar
select name from users where $1 = '' or id = $1::uuid order by id;
-- with: :users.ann, ''
update orders set user_id = case when $2 = '' then user_id else $2::uuid end where user_id = $1;
-- with: :users.ann, :users.bob
select name from users where $1 <> $2 and id = $1::uuid order by id;

-- case: casts: of text that is trimmed or folded first
-- with: '  :users.ann '
select name from users where id = nullif(trim($1), '')::uuid;
-- with: '  '
select name from users where id = nullif(trim($1), '')::uuid;
-- with: ''
select count(*) from users where coalesce(nullif(btrim($1), '')::uuid, id) = id;
-- with: ' :users.ann'
select name from users where id = trim($1)::uuid or id = trim(both from $1)::uuid;
select name from users where id = trim(' :users.ann ')::uuid or id = nullif(trim('  '), '')::uuid;
select name from users where id = btrim(':users.ann')::uuid;
select name from users where id = btrim('   :users.ann  ')::uuid;
-- with: ':users.ann  '
select name from users where id = lower(trim($1))::uuid;
-- with: 'ALL'
select name from users where id = nullif(lower($1), 'all')::uuid;
-- with: :users.bob
select name from users where id = nullif(lower($1), 'all')::uuid;
-- with: :users.bob
select name from users where id = coalesce($1, '')::uuid;
-- with: :users.bob
select name from users where id = (case when $1 = '' then null else trim($1) end)::uuid;
-- with: :users.bob
select name from users where id = (select nullif($1, ''))::uuid;
-- with: ''
select name from users where id = (select nullif(trim($1), '') as v)::uuid;

-- case: casts: of text in arrays
-- with: :users.ann, ''
select name from users where id = any(array[nullif($1, ''), nullif($2, '')]::uuid[]);
-- with: :users.ann, :users.bob
select name from users where id = any(array[nullif($1, ''), $2]::uuid[]) order by id;
select name from users where id = any(array[nullif('', ''), ':users.bob', trim(' :users.ann')]::uuid[]) order by id;
-- with: '{:users.ann,:users.bob}'
-- types: text[]
select name from users where id in (select unnest($1::text[])::uuid) order by id;
-- with: '{:users.ann,:users.bob}'
-- types: text[]
select u.name from users u join (select unnest($1::text[])::uuid as id) x on x.id = u.id order by u.id;
select unnest('{:users.ann,:users.bob}'::text[])::uuid;
-- with: ':users.ann,:users.bob'
select name from users where id in (select regexp_split_to_table($1, ',')::uuid) order by id;
-- with: ':users.ann,:users.bob'
select name from users where id in (select string_to_table($1, ',')::uuid) order by id;
-- with: ':users.ann;:users.bob'
select name from users where id = any(regexp_split_to_array($1, ';')::uuid[]) order by id;
select name from users where id in (select regexp_split_to_table(':users.ann,:users.bob', ',')::uuid) order by id;

-- case: casts: with a collation on either side
select name from users where id::text = ':users.ann' collate "C";
select name from users where id::text collate "C" = (':users.ann') collate "C";
-- with: :users.ann
select name from users where id::text = $1 collate "C" or id::text = ($1) collate pg_catalog."default";
select name from users where id = ':users.ann' collate "C" or id = ':users.bob'::unknown order by id;
select name from users where id::text collate "C" in (':users.ann' collate "C", ':users.bob') order by id;

-- case: casts: of an empty text that is taken apart
-- with: ''
select name from users where id in (select string_to_table($1, ',')::uuid);
select name from users where id = any(string_to_array('', ',')::uuid[]);
-- with: ''
-- fails: 22P02
-- early
-- except: message position
select name from users where id = any(regexp_split_to_array($1, ',')::uuid[]);

-- case: casts: of optional filters that are no ids
-- with: '42'
-- fails: 22P02
-- early
-- except: message position
select name from users where id = nullif($1, '')::uuid;
-- with: '42'
-- fails: 22P02
-- early
-- except: message position
select name from users where id = nullif($1, '42x')::uuid;
-- fails: 22P02
-- early
-- except: message position
select name from users where id = nullif('2', 'none')::uuid;

-- case: casts: of arrays of text
-- with: '{:users.ann,:users.bob}'
select name from users where id = any($1::text[]::uuid[]) order by id;
-- with: '{:users.ann,:users.bob,null}'
select name from users where id = any($1::varchar[]::uuid[]) order by id;
-- with: '{:users.ann}'
-- types: text[]
select name from users where id = any($1::uuid[]) order by id;
-- with: '{:users.ann}'
-- types: varchar[]
select name from users where id = any($1::uuid[]) order by id;
-- with: '{}'
-- types: text[]
select name from users where id = any($1::uuid[]) order by id;
select name from users where id = any('{:users.ann}'::text[]::uuid[]);
-- with: '{:users.ann,:users.ann}'
-- types: text[]
select u.name from unnest($1::uuid[]) x join users u on u.id = x;

-- case: casts: of nothing
select null::uuid, nullif(id, id), nullif(id, null), coalesce(null, id), coalesce(id, null::uuid) from users order by id;

-- case: casts: the type of a value
select pg_typeof(id), pg_typeof(participant_ids), pg_typeof(actor_id::text), pg_typeof(participant_ids::text[]) from events;
select pg_typeof((id, name)), pg_typeof(array[(id, name)]), pg_typeof('user-' || id), pg_typeof(to_jsonb(u)) from users u;
select pg_typeof(min(id::text)), pg_typeof(array_agg(id)), pg_typeof(count(id)), pg_typeof(null::uuid), pg_typeof(name), pg_typeof(login_count) from users group by name, login_count order by 1, login_count;
select pg_typeof(coalesce(owner_id, ':users.ann')), pg_typeof(participant_ids[1]), pg_typeof((select id from users limit 1)) from teams, events limit 1;
select pg_typeof(id)::text, pg_typeof(id) = 'uuid'::regtype, pg_typeof(id::varchar(40)), pg_catalog.pg_typeof(user_id) from orders;
select pg_typeof(x) from unnest(array[':users.ann']::uuid[]) x;

-- case: casts: text stored again
-- with: :users.bob
insert into orders (user_id, note) select coalesce($1, id::text)::uuid, 'n' from users where name = 'Ann' returning user_id;
update orders set user_id = user_id::text::uuid where status = 'paid' returning id, user_id;
update events set participant_ids = participant_ids::text[]::uuid[] returning id, participant_ids;
update events set participant_ids[1] = actor_id::text::uuid returning id, participant_ids;

-- case: casts: text of an id that nobody has is not stored
-- with: :fixed.unknown
-- fails: 23503
-- early
insert into orders (user_id, note) select coalesce($1, id::text)::uuid, 'n' from users where name = 'Ann' returning user_id;

-- case: casts: a negative scale
select id, 1550::numeric(2, -2), cast(1550 as decimal(2,-2)), numeric(2,-2) '1550' from users order by id;

-- case: casts: of columns of VALUES that are text
-- with: :users.ann, Ann
select u.name from users u join (values ($1, $2)) as v(id, name) on u.id = v.id::uuid and u.name = v.name;
-- with: :users.ann, :users.bob
-- types: text text
select u.name from users u join (values ($1), ($2)) as v(id) on u.id = v.id::uuid order by 1;
-- with: :users.ann, :users.bob
-- types: varchar varchar
select u.name from users u where u.id in (select v.id::uuid from (values ($1), ($2)) as v(id)) order by 1;
select u.name from users u join (values (':users.ann'), (':users.bob')) as v(id) on u.id = v.id::uuid order by 1;
-- with: :users.ann, Anna
update users u set name = v.name from (values ($1, $2)) as v(id, name) where u.id = v.id::uuid returning u.id, u.name;
-- with: :users.ann
with v as (select $1::text as id) select u.name from users u, v where u.id = v.id::uuid;
-- with: :users.ann
with v(id) as (values ($1)) select u.name from users u, v where u.id = v.id::uuid;
-- with: :users.ann, ''
select u.name from users u where u.id in (select nullif(v.id, '')::uuid from (values ($1), ($2)) as v(id)) order by 1;
select u.name from users u where u.id in (select nullif(v.id, '')::uuid from (values (':users.ann'), ('')) as v(id)) order by 1;
-- with: :users.ann, ''
insert into comments (author_id, order_id, body) select x::uuid, nullif(y, '')::uuid, 'v' from (values ($1, $2)) as v(x, y) returning author_id, order_id;
-- with: :users.ann
select u.name from users u where u.id = any(array_remove(array[$1, ''], '')::uuid[]);
-- with: :users.ann
select v.id::uuid, u.name from (values ($1)) as v(id) left join users u on u.id = v.id::uuid;
select x::uuid from (select x from (values (':users.ann')) v(x)) t join users on id = x::uuid;
-- with: :users.ann, ''
select u.name from (values ($1), ($2)) as v(id) join users u on u.id = v.id::uuid where v.id <> '';
-- with: '', :users.ann
select u.name from (values ($1), ($2)) as v(id) join users u on u.id = case when v.id = '' then null else v.id end::uuid where v.id is not null;
-- with: :users.ann, :users.bob, ''
select count(*) from users u where u.id = any(array_remove(array[$1, $2, $3], '')::uuid[]);
select count(*) from users u where u.id = any(array_remove(array[':users.ann', ''], '')::uuid[]);
-- with: :users.ann, open
insert into orders (user_id, status) select v.id::uuid, v.status from (values ($1, $2)) as v(id, status) returning user_id, status;
-- with: :users.ann
delete from comments c using (values ($1)) as v(id) where c.author_id = v.id::uuid returning c.author_id;
-- with: :users.ann, x, :users.bob, y
update users u set name = v.name from (select $1 as id, $2 as name union all select $3, $4) v where u.id = v.id::uuid and v.id is not null returning u.id, u.name;
-- with: :users.ann, :users.bob
with v as (select * from (values ($1, 'x'), ($2, 'y')) as t(id, mark)), w as (select id from v) select u.name from users u where u.id in (select w.id::uuid from w) order by 1;

-- case: casts: of parameters that are text because of what they meet first
-- with: :users.ann
select name from users where name = $1 or id = $1::uuid;
-- with: :users.ann
select name from users where email = $1 or id = $1::uuid;
-- with: :users.ann
select name from users where (lower($1) = 'all' or id = $1::uuid);
-- with: :users.ann
select name from users where (length($1) = 0 or id = $1::uuid);
-- with: :users.ann
select name from users where (char_length($1) < 36 or id = $1::uuid);
-- with: :users.ann
select name from users where ($1 like 'x%' or id = $1::uuid);
-- with: :users.ann
select name from users where ($1::text is null or id = $1::uuid);
-- with: :users.ann
select name from users where id = case when $1 ~ '^[0-9a-f-]+$' then $1::uuid end;
-- with: all
select name from users where lower($1) = 'all' or id = nullif(nullif($1, 'all'), '')::uuid order by 1;
-- with: :users.ann
-- types: text
select name from users where (lower($1) = 'all' or id = $1::uuid);
-- with: :users.ann
select name from users where id = $1::uuid or name = $1::text;

-- case: casts: of text that a guard keeps from them
-- modes: text declared binary prepared
-- with: ann@x.io
select name from users where case when $1 ~ '^[0-9a-f-]{36}$' then id = $1::uuid else name = $1 end;
-- with: :users.ann
select name from users where case when $1 ~ '^[0-9a-f-]{36}$' then id = $1::uuid else name = $1 end;
-- with: ann
select name from users where case when $1 like '%-%' then id = $1::uuid else name = $1 end;
-- with: ann
select name from users where case when position('-' in $1) > 0 then id = $1::uuid else name = $1 end;
-- with: :users.ann
select name from users where case when position('-' in $1) > 0 then id = $1::uuid else name = $1 end;
-- with: ann
select name from users where case when strpos($1, '-') > 0 then id = $1::uuid else name = $1 end;
-- with: :users.ann
select name from users where case when octet_length($1) = 36 then id = $1::uuid else name = $1 end;
-- with: all
select name from users where case when octet_length($1) = 36 then id = $1::uuid else name is not null end order by 1;
-- with: all
select name from users where id = case when length($1) = 36 then $1::uuid end;
-- with: all
select name from users where case when lower($1) = 'all' then true else id = $1::uuid end order by 1;
-- with: all
select name from users where case when char_length($1) < 36 then true else id = $1::uuid end order by 1;
-- with: all
select name from users where case when $1 !~ '-' then true else id = $1::uuid end order by 1;
-- with: all
select name from users where case when nullif($1, 'all') is null then true else id = $1::uuid end order by 1;
-- with: :users.ann
select name from users where case when nullif($1, 'all') is null then true else id = $1::uuid end order by 1;
-- with: all
select name from users where case when $1 = any(array['', 'all']) then true else id = $1::uuid end order by 1;
-- with: :users.ann
select name from users where case when $1 = any(array['', 'all']) then true else id = $1::uuid end order by 1;
-- with: :users.ann
select name from users where case when $1 <> all(array['', 'all']) then id = $1::uuid else true end order by 1;
-- with: all
select name from users where case when $1 = any('{"",all}') then true else id = $1::uuid end order by 1;
-- with: :users.ann
select name from users where case when $1 in (values (''), ('all')) then true else id = $1::uuid end order by 1;
-- with: :users.ann
select name from users where case when $1 in (select 'all') then true else id = $1::uuid end order by 1;
-- with: :users.ann
select name from users where case when exists (select 1 from (values ('all')) v(x) where v.x = $1) then true else id = $1::uuid end order by 1;
-- with: all
select name from users where case when $1 between 'aaa' and 'alz' then true else id = $1::uuid end order by 1;
-- with: :users.ann
select name from users where case when greatest($1, '') = 'all' then true else id = $1::uuid end order by 1;
-- with: all
select name from users where case when array[$1] = array['all'] then true else id = $1::uuid end order by 1;
-- with: all
select name from users where case when ($1, 'x') = ('all', 'x') then true else id = $1::uuid end order by 1;
-- with: :users.ann
select name from users where case when $1 = current_user then true else id = $1::uuid end order by 1;
-- with: '{all}'
select name from users where case when 'all' = any($1::text[]) then true else id = any($1::uuid[]) end order by 1;
-- with: '{:users.ann}'
select name from users where case when 'all' = any($1::text[]) then true else id = any($1::uuid[]) end order by 1;
-- with: '{}'
select name from users where case when $1::text[] = '{}' then true else id = any($1::uuid[]) end order by 1;
-- with: 'ann,bob'
select name from users where case when strpos($1, '-') > 0 then id = any(string_to_array($1, ',')::uuid[]) else name = any(string_to_array($1, ',')) end order by 1;
-- with: ':users.ann,:users.bob'
select name from users where case when strpos($1, '-') > 0 then id = any(string_to_array($1, ',')::uuid[]) else name = any(string_to_array($1, ',')) end order by 1;
-- with: 12
-- fails: 22P02
select name from users where case when $1 ~ '^x' then true else id = $1::uuid end;
-- with: '{:users.ann,12}'
-- fails: 22P02
select name from users where case when 'all' = any($1::text[]) then true else id = any($1::uuid[]) end;
-- with: 12, :users.ann
-- fails: 22P02
select name from users where case when $1 ~ '^x' then true else id = $1::uuid or id = $2 end;

-- case: casts: of what functions in FROM take apart
-- with: '{:users.ann,:users.bob}'
select u.name from users u where u.id in (select x::uuid from unnest($1::text[]) x) order by 1;
select u.name from users u where u.id in (select x::uuid from unnest('{:users.ann}'::text[]) x) order by 1;
-- with: '{:users.ann,:users.bob}'
select u.name from unnest($1::text[]) with ordinality as t(x, n) join users u on u.id = t.x::uuid order by t.n desc;
-- with: ':users.bob,:users.ann'
select u.name, t.n from unnest(string_to_array($1, ',')) with ordinality as t(x, n) join users u on u.id = t.x::uuid order by t.n;
select u.name from unnest(string_to_array(':users.ann', ',')) x join users u on u.id = x::uuid;
-- with: ':users.ann,:users.bob'
select x::uuid from regexp_split_to_table($1, ',') x order by 1 desc;
-- with: ':users.ann,:users.bob'
select u.name from users u where u.id in (select x::uuid from regexp_split_to_table($1, ',') as t(x)) order by 1;
-- with: ':users.ann,:users.bob'
select u.name from users u where u.id in (select x::uuid from string_to_table($1, ',') x) order by 1;
-- with: '{:users.ann,:users.bob}', '{x,y}'
update users u set name = v.name from unnest($1::text[], $2::text[]) as v(id, name) where u.id = v.id::uuid returning u.id, u.name;
-- with: {:users.ann}, {x}
insert into comments (author_id, body) select a::uuid, b from unnest($1::text[], $2::text[]) as v(a, b) returning author_id, body;
-- with: {:users.ann}
select x::uuid, u.name from unnest($1::text[]) x left join users u on u.id = x::uuid and u.id <> x::uuid;
-- with: '{:users.ann,null}'
select x::uuid from (select x from unnest($1::text[]) x) s order by 1;
-- with: {:users.ann}
with v as (select x from unnest($1::text[]) x) select u.name from users u, v where u.id = v.x::uuid;
-- early
-- except: position
-- fails: 22P02
-- with: {nonsense}
select u.name from users u where u.id in (select x::uuid from unnest($1::text[]) x);
-- with: '{a,b}'
select x from unnest($1::text[]) x order by 1;
-- with: {:users.ann}
select x, length(x) from unnest($1::text[]) x order by 1;
-- with: '{:orders.one,:orders.two}', '{5,6}'
update orders o set total_cents = v.t::int from (select unnest($1::text[]) as id, unnest($2::text[]) as t) v where o.id = v.id::uuid returning o.id, o.total_cents;
-- with: ':users.ann,:users.bob'
with v as (select unnest(string_to_array($1, ',')) as id) select u.name from users u join v on u.id = v.id::uuid order by 1;
-- with: ':users.ann,:users.bob'
select u.name from users u, (select regexp_split_to_table($1, ',') as id) v where u.id = v.id::uuid order by 1;
-- with: '{:users.ann,:users.ann}'
select count(*) from (select unnest($1::text[]) as id) v join users u on u.id = v.id::uuid;
-- with: '{:users.ann,null}'
select u.name from users u where u.id in (select a.x::uuid from (select unnest($1::text[]) as x) a where a.x is not null);
