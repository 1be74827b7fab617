Ids of several kinds in one column, by the column beside it: what Rails, Laravel, Django and
PaperTrail send for polymorphic associations.

-- case: polymorphic: a row
SELECT "taggings".* FROM "taggings" ORDER BY "taggings"."id";
select * from taggings order by id;
select id, taggable_id, taggable_type from taggings order by id;
select t.id, t.taggable_id as what from taggings t order by t.id;
select t.id, (t.taggable_id) from taggings t order by t.id;

-- case: polymorphic: Rails finds a row
-- with: :taggings.two, 1
SELECT "taggings".* FROM "taggings" WHERE "taggings"."id" = $1 LIMIT $2;

-- case: polymorphic: Rails loads what belongs to one
-- with: :orders.one, 'Order'
SELECT "taggings".* FROM "taggings" WHERE "taggings"."taggable_id" = $1 AND "taggings"."taggable_type" = $2 ORDER BY "taggings"."id";
-- with: :users.ann, 'Order'
SELECT "taggings".* FROM "taggings" WHERE "taggings"."taggable_id" = $1 AND "taggings"."taggable_type" = $2 ORDER BY "taggings"."id";
-- with: :users.cai, 'Admin'
SELECT "taggings".* FROM "taggings" WHERE "taggings"."taggable_id" = $1 AND "taggings"."taggable_type" = $2 ORDER BY "taggings"."id";
-- with: null, 'Admin'
SELECT "taggings".* FROM "taggings" WHERE "taggings"."taggable_id" = $1 AND "taggings"."taggable_type" = $2 ORDER BY "taggings"."id";

-- case: polymorphic: Rails preloads
-- with: 'Order', :orders.one, :orders.two
SELECT "taggings".* FROM "taggings" WHERE "taggings"."taggable_type" = $1 AND "taggings"."taggable_id" IN ($2, $3) ORDER BY "taggings"."id";
-- with: 'User', :users.ann, :orders.two
SELECT "taggings".* FROM "taggings" WHERE "taggings"."taggable_type" = $1 AND "taggings"."taggable_id" IN ($2, $3) ORDER BY "taggings"."id";

-- case: polymorphic: Rails preloads by constants
SELECT "taggings".* FROM "taggings" WHERE "taggings"."taggable_type" = 'Order' AND "taggings"."taggable_id" IN (':orders.one', ':orders.two') ORDER BY "taggings"."id";
SELECT "taggings".* FROM "taggings" WHERE "taggings"."taggable_type" = 'User' AND "taggings"."taggable_id" = ':users.ann' ORDER BY "taggings"."id";
SELECT "taggings".* FROM "taggings" WHERE "taggings"."taggable_type" = 'User' AND "taggings"."taggable_id" = ':orders.one' ORDER BY "taggings"."id";
SELECT "taggings".* FROM "taggings" WHERE "taggings"."taggable_type" IN ('User', 'Admin') ORDER BY "taggings"."id";

-- case: polymorphic: Rails has many through
-- with: :orders.one, 'Order'
SELECT "tags".* FROM "tags" INNER JOIN "taggings" ON "tags"."id" = "taggings"."tag_id" WHERE "taggings"."taggable_id" = $1 AND "taggings"."taggable_type" = $2 ORDER BY "tags"."id";
-- with: :tags.rush, 'Order'
SELECT "orders".* FROM "orders" INNER JOIN "taggings" ON "orders"."id" = "taggings"."taggable_id" WHERE "taggings"."tag_id" = $1 AND "taggings"."taggable_type" = $2 ORDER BY "orders"."id";
-- with: :tags.gift, 'User'
SELECT "users"."id" FROM "users" INNER JOIN "taggings" ON "users"."id" = "taggings"."taggable_id" WHERE "taggings"."tag_id" = $1 AND "taggings"."taggable_type" = $2 ORDER BY "users"."id";

-- case: polymorphic: Rails loads eagerly
-- with: 'Order'
SELECT "orders"."id" AS t0_r0, "taggings"."id" AS t1_r0, "taggings"."taggable_type" AS t1_r1, "taggings"."taggable_id" AS t1_r2 FROM "orders" LEFT OUTER JOIN "taggings" ON "taggings"."taggable_type" = $1 AND "taggings"."taggable_id" = "orders"."id" ORDER BY "orders"."id", "taggings"."id";
SELECT "orders"."id" AS t0_r0, "taggings"."id" AS t1_r0, "taggings"."taggable_id" AS t1_r2 FROM "orders" LEFT OUTER JOIN "taggings" ON "taggings"."taggable_id" = "orders"."id" AND "taggings"."taggable_type" = 'Order' ORDER BY "orders"."id", "taggings"."id";
select u.id, o.id, t.* from taggings t left join users u on u.id = t.taggable_id and t.taggable_type in ('User', 'Admin') left join orders o on o.id = t.taggable_id and t.taggable_type = 'Order' order by t.id;

-- case: polymorphic: what is of no row
select u.id from users u where not exists (select 1 from taggings t where t.taggable_type = 'User' and t.taggable_id = u.id) order by u.id;
select u.id from users u where u.id not in (select t.taggable_id from taggings t where t.taggable_type = 'User') order by u.id;
select t.id from taggings t where t.taggable_id is null;
select t.id from taggings t where t.taggable_id is not null order by t.id;
-- with: :users.ann
select t.id from taggings t where t.taggable_id <> $1 order by t.id;
-- with: :users.ann, :orders.one
select t.id from taggings t where t.taggable_id not in ($1, $2) order by t.id;

-- case: polymorphic: in a subquery
select id from orders where id in (select taggable_id from taggings where taggable_type = 'Order') order by id;
select id from taggings where taggable_type = 'Order' and taggable_id in (select id from orders where status = 'paid') order by id;
-- with: 'Order', 'paid'
select t.id from taggings t where t.taggable_type = $1 and t.taggable_id in (select id from orders where status = $2) order by t.id;

-- case: polymorphic: an array of ids
-- types: varchar uuid[]
-- with: 'Order', '{:orders.one,:orders.two}'
select t.id from taggings t where t.taggable_type = $1 and t.taggable_id = any ($2) order by t.id;
-- types: uuid[]
-- with: '{:users.ann,:orders.two}'
select t.id from taggings t where t.taggable_id = any ($1) order by t.id;
select t.id from taggings t where t.taggable_id = any ('{:users.ann,:orders.two}') order by t.id;
-- types: uuid[]
-- with: '{:users.ann,:orders.two}'
select t.id from taggings t where t.taggable_id <> all ($1) order by t.id;

-- case: polymorphic: ids of one kind alone are ids like others
select taggable_id from taggings where taggable_type = 'Order' order by taggable_id desc;
select t.taggable_id, count(*) from taggings t where t.taggable_type = 'Order' group by t.taggable_id order by 1;
select max(t.taggable_id::text) is not null from taggings t where t.taggable_type = 'Order' and t.id is null;
select coalesce(t.taggable_id, ':orders.five') from taggings t where t.taggable_type = 'Order' order by t.id;
select o.status, t.taggable_id from (select * from taggings where taggable_type = 'Order') t join orders o on o.id = t.taggable_id order by o.id;

-- case: polymorphic: grouped, sorted and computed where one kind is meant
select taggable_id, count(*) from taggings where taggable_type = 'Order' group by taggable_id having taggable_id = ':orders.one';
select taggable_type, taggable_id, count(*) from taggings where taggable_type = 'User' group by taggable_type, taggable_id order by taggable_id;
select taggable_type, count(*), taggable_id from taggings group by taggable_type, taggable_id having count(*) > 0;
select distinct taggable_id from taggings where taggable_type = 'Order' order by taggable_id;
select t.taggable_id, row_number() over (order by t.taggable_id) from taggings t where t.taggable_type = 'Order' order by 2;
select array_agg(taggable_id order by id), json_agg(taggable_id order by id), string_agg(taggable_id::text, ',' order by id) from taggings where taggable_type = 'Order';
select x.taggable_id, x.n from (select *, 1 as n from taggings where taggable_type = 'Order') x where x.taggable_id in (':orders.one', ':orders.two') order by x.id;
with x as (select t.* from taggings t where t.taggable_type = 'User') select x.*, u.name from x join users u on u.id = x.taggable_id order by x.id;
select taggable_id as n, coalesce(taggable_id, ':orders.five') from taggings where taggable_type = 'Order' and (taggable_id <> ':orders.one' or id is null) order by id;
select t.id from taggings t join orders o on t.taggable_id = o.id where t.taggable_type = 'Order' and o.status <> 'x' order by t.taggable_id;
select t.id from taggings t join users o on t.taggable_id = o.id where t.taggable_type = 'Order';
select t.id, u.id from taggings t, taggings u where t.taggable_type = 'Order' and u.taggable_type = 'Order' and t.taggable_id = u.taggable_id order by t.id, u.id;
select t.id, taggable_id from taggings t join content_types c on c.model = 'user' where t.taggable_type = 'User' order by taggable_id;
select max(v.item_id::text) is null, count(v.item_id) from versions v where v.item_type = 'Order';

-- case: polymorphic: comparisons in rows that have no id of a kind
select id, taggable_id = ':orders.one', taggable_id <> ':orders.one', taggable_id in (':orders.one', ':users.ann'), taggable_id = any ('{:orders.one}') from taggings order by id;
select t.id from taggings t where not (t.taggable_id = ':orders.one') order by t.id;
select t.id, o.id, t.taggable_id = o.id from taggings t, orders o order by t.id, o.id;
select t.id from taggings t where (t.taggable_id in (select id from orders)) is null order by t.id;

-- case: polymorphic: a value that was never issued
-- with: :fixed.unknown, 'Order'
select t.id from taggings t where t.taggable_id = $1 and t.taggable_type = $2;
select t.id from taggings t where t.taggable_id = ':fixed.unknown';
-- fails: 22P02
-- except: hint
select t.id from taggings t where t.taggable_id = 'x' and t.taggable_type = 'Order';

-- case: polymorphic: together with others
select distinct taggable_type, taggable_id from taggings;
select t.taggable_id from taggings t union select null;
select taggable_id, count(*) from (select taggable_id from taggings) t group by taggable_id;
with x as (select * from taggings) select x.id, x.taggable_id from x order by x.id;

-- case: polymorphic: Rails inserts
-- with: :tags.rush, 'Order', :orders.five
INSERT INTO "taggings" ("tag_id", "taggable_type", "taggable_id") VALUES ($1, $2, $3) RETURNING "tag_id", "taggable_type", "taggable_id";
-- with: :tags.rush, :users.eli, 'Admin'
INSERT INTO "taggings" ("tag_id", "taggable_id", "taggable_type") VALUES ($1, $2, $3) RETURNING "taggable_id";
-- with: :tags.gift, null, null
INSERT INTO "taggings" ("tag_id", "taggable_type", "taggable_id") VALUES ($1, $2, $3) RETURNING "taggable_id";
select taggable_type, taggable_id from taggings where taggable_id in (':orders.five', ':users.eli') order by 1;

-- case: polymorphic: constants are inserted
INSERT INTO "taggings" ("tag_id", "taggable_type", "taggable_id") VALUES (':tags.rush', 'Order', ':orders.five'), (':tags.rush', 'User', ':users.eli'), (':tags.rush', null, null) RETURNING "taggable_type", "taggable_id";
insert into taggings (tag_id, taggable_type, taggable_id) select ':tags.rush', 'Order', o.id from orders o where o.status = 'void' returning taggable_id;
-- with: :tags.gift, :orders.four
insert into taggings (tag_id, taggable_type, taggable_id) values ($1, 'Order', $2) returning taggable_id, taggable_type;

-- case: polymorphic: upserts
insert into taggings (id, tag_id, taggable_type, taggable_id) values (':taggings.one', ':tags.rush', 'User', ':users.dee') on conflict (id) do update set taggable_type = excluded.taggable_type, taggable_id = excluded.taggable_id returning *;
insert into taggings (id, tag_id, taggable_type, taggable_id) values (':taggings.one', ':tags.gift', 'Order', ':orders.two') on conflict (id) do update set context = 'again' returning *;

-- case: polymorphic: updates
-- with: 'User', :users.dee, :taggings.one
UPDATE "taggings" SET "taggable_type" = $1, "taggable_id" = $2 WHERE "taggings"."id" = $3 RETURNING *;
UPDATE taggings SET taggable_type = 'Order', taggable_id = ':orders.four' WHERE id = ':taggings.two' RETURNING taggable_id, taggable_type;
UPDATE taggings SET taggable_id = ':orders.three' WHERE id = ':taggings.three' AND taggable_type = 'Order' RETURNING *;
UPDATE taggings SET taggable_type = 'Admin' WHERE id = ':taggings.four' AND taggable_type = 'User' RETURNING *;
UPDATE taggings SET taggable_type = null, taggable_id = null WHERE id = ':taggings.five' RETURNING *;
UPDATE taggings SET context = 'x' WHERE taggable_type = 'User' RETURNING taggable_id;
-- with: 'Order', :orders.four
UPDATE "taggings" SET "context" = 'y' WHERE "taggings"."taggable_type" = $1 AND "taggings"."taggable_id" = $2 RETURNING *;
select * from taggings order by id;

-- case: polymorphic: Rails updates the id alone
-- with: :orders.four, :taggings.one
UPDATE "taggings" SET "taggable_id" = $1 WHERE "taggings"."id" = $2;
-- with: :users.dee, :taggings.two
UPDATE "taggings" SET "taggable_id" = $1 WHERE "taggings"."id" = $2;
-- with: :users.eli, :taggings.five
UPDATE "taggings" SET "taggable_id" = $1, "context" = 'x' WHERE "taggings"."id" = $2 RETURNING *;
-- with: null, :taggings.three
UPDATE "taggings" SET "taggable_id" = $1 WHERE "taggings"."id" = $2;
-- types: uuid uuid
-- with: :orders.two, :taggings.one
UPDATE "taggings" SET "taggable_id" = $1 WHERE "taggings"."id" = $2;
-- with: :orders.two, 'Order'
update taggings t set taggable_id = $1 where t.taggable_type = $2 returning t.taggable_id, t.*;
select * from taggings order by id;

-- case: polymorphic: the id alone is updated by constants
update taggings set taggable_id = ':orders.four' where id = ':taggings.one';
update taggings as t set context = 'y', taggable_id = ':users.dee'::uuid where t.id = ':taggings.two' returning *;
update taggings set taggable_id = ':users.eli' from tags where tags.id = taggings.tag_id and taggings.id = ':taggings.five' returning taggings.*;
update taggings set taggable_id = (null) where id = ':taggings.three';
insert into taggings (id, tag_id, taggable_type, taggable_id) values (':taggings.one', ':tags.rush', 'Order', ':orders.one') on conflict (id) do update set taggable_id = ':orders.five' returning *;
merge into taggings t using tags g on g.id = t.tag_id and t.id = ':taggings.two' when matched then update set taggable_id = ':users.bob';
update taggings set taggable_id = ':orders.five' where id = ':fixed.unknown';
select * from taggings order by id;

-- case: polymorphic: the id alone is updated where it is text
-- with: :orders.three, :versions.one
update versions set item_id = $1 where id = $2 returning *;
update versions set item_id = ':users.bob' where id = ':versions.two' returning *;
update bookmarks set object_id = ':orders.two' where id = ':bookmarks.one' returning *;
-- with: :users.bob, :bookmarks.two
update bookmarks set object_id = $1 where id = $2 returning *;
select * from versions order by id;

-- case: polymorphic: an id of another kind than the row tells
-- note: the twin can't know
-- refused: 22P02
update taggings set taggable_id = ':users.ann' where id = ':taggings.one';
-- refused: 22P02
-- with: :orders.one, :taggings.two
update taggings set taggable_id = $1 where id = $2;
-- refused: 22P02
update taggings set taggable_id = ':orders.two';
-- refused: 22P02
update taggings set taggable_id = ':orders.two' where id = ':taggings.none';
-- refused: 22P02
update versions set item_id = ':users.ann' where id = ':versions.one';
-- refused: 22P02
insert into taggings (id, tag_id, taggable_type, taggable_id) values (':taggings.one', ':tags.rush', 'User', ':users.ann') on conflict (id) do update set taggable_id = ':users.ann' returning *;
-- refused: 22023
update taggings set taggable_id = ':tags.rush' where id = ':taggings.one';
-- refused: 22023
-- with: :fixed.unknown, :taggings.two
update taggings set taggable_id = $1 where id = $2;
select * from taggings order by id;

-- case: polymorphic: deletes
-- with: :orders.one, 'Order'
DELETE FROM "taggings" WHERE "taggings"."taggable_id" = $1 AND "taggings"."taggable_type" = $2 RETURNING taggable_id;
delete from taggings where taggable_type = 'User' returning taggable_id, id;
delete from taggings t using orders o where o.id = t.taggable_id and o.id = ':orders.two' returning t.*;

-- case: polymorphic: Django reads
SELECT "bookmarks"."id", "bookmarks"."content_type_id", "bookmarks"."object_id", "bookmarks"."note" FROM "bookmarks" ORDER BY "bookmarks"."id" ASC;
SELECT "bookmarks"."id", "bookmarks"."object_id" FROM "bookmarks" WHERE ("bookmarks"."content_type_id" = 7 AND "bookmarks"."object_id" = ':orders.one') ORDER BY "bookmarks"."id" ASC;
SELECT "bookmarks"."id", "bookmarks"."object_id" FROM "bookmarks" WHERE ("bookmarks"."content_type_id" = 8 AND "bookmarks"."object_id" IN (':orders.one', ':users.ann')) ORDER BY "bookmarks"."id" ASC;
-- with: 7, :orders.three
SELECT "bookmarks"."id", "bookmarks"."object_id" FROM "bookmarks" WHERE ("bookmarks"."content_type_id" = $1 AND "bookmarks"."object_id" = $2) ORDER BY "bookmarks"."id" ASC;

-- case: polymorphic: Django joins a generic relation
SELECT DISTINCT "orders"."id" FROM "orders" INNER JOIN "bookmarks" ON ("orders"."id" = "bookmarks"."object_id" AND ("bookmarks"."content_type_id" = 7)) WHERE "bookmarks"."note" = 'a' ORDER BY "orders"."id";
SELECT "orders"."id", COUNT("bookmarks"."id") AS "n" FROM "orders" LEFT OUTER JOIN "bookmarks" ON ("orders"."id" = "bookmarks"."object_id" AND ("bookmarks"."content_type_id" = 7)) GROUP BY "orders"."id" ORDER BY "orders"."id";
SELECT "orders"."id" FROM "orders" WHERE NOT (EXISTS(SELECT 1 AS "a" FROM "bookmarks" U1 WHERE (U1."object_id" = ("orders"."id") AND U1."content_type_id" = 7) LIMIT 1)) ORDER BY "orders"."id";

-- case: polymorphic: Django writes
INSERT INTO "bookmarks" ("content_type_id", "object_id", "note") VALUES (8, ':users.dee', 'c') RETURNING "bookmarks"."object_id";
-- with: 7, :orders.five, 'd'
INSERT INTO "bookmarks" ("content_type_id", "object_id", "note") VALUES ($1, $2, $3) RETURNING "bookmarks"."object_id";
UPDATE "bookmarks" SET "content_type_id" = 7, "object_id" = ':orders.two', "note" = NULL WHERE "bookmarks"."id" = ':bookmarks.two' RETURNING *;
DELETE FROM "bookmarks" WHERE ("bookmarks"."content_type_id" = 7 AND "bookmarks"."object_id" IN (':orders.one', ':orders.five'));
select * from bookmarks order by id;

-- case: polymorphic: ids as text
SELECT "versions".* FROM "versions" ORDER BY "versions"."id";
SELECT "versions".* FROM "versions" WHERE "versions"."item_id" = ':orders.one' AND "versions"."item_type" = 'Order' ORDER BY "versions"."id";
-- with: :orders.two, 'Order'
SELECT "versions"."id", "versions"."item_id" FROM "versions" WHERE "versions"."item_id" = $1 AND "versions"."item_type" = $2 ORDER BY "versions"."id";
-- with: :users.ann, 'Order'
SELECT "versions"."id", "versions"."item_id" FROM "versions" WHERE "versions"."item_id" = $1 AND "versions"."item_type" = $2 ORDER BY "versions"."id";
select o.id, v.item_id from orders o join versions v on v.item_id = o.id::text and v.item_type = 'Order' order by o.id, v.id;
select o.id from orders o join versions v on v.item_id = o.id::text order by o.id;
select v.item_id from versions v where v.item_type = 'Order' and v.item_id in (':orders.one', ':users.ann');

-- case: polymorphic: ids as text are written
INSERT INTO "versions" ("item_type", "item_id", "event") VALUES ('User', ':users.dee', 'create') RETURNING "item_id";
-- with: 'Order', :orders.five, 'create'
INSERT INTO "versions" ("item_type", "item_id", "event") VALUES ($1, $2, $3) RETURNING "item_id";
insert into versions (item_type, item_id, event) select 'Order', o.id::text, 'x' from orders o where o.id = ':orders.four' returning item_id;
UPDATE versions SET item_id = ':orders.three' WHERE item_type = 'Order' AND id = ':versions.one' RETURNING item_id;
select item_type, item_id from versions order by id;

-- case: polymorphic: constants with their types
select taggable_id from taggings where taggable_type::text = 'Order' order by taggable_id;
select taggable_id from taggings where taggable_type = 'Order'::text order by taggable_id;
select taggable_id from taggings where (taggable_type)::text = 'Order'::text order by taggable_id;

-- case: polymorphic: views
select * from order_taggings order by id;
select o.id from order_taggings t join orders o on o.id = t.taggable_id order by o.id;
select id, taggable_type from all_taggings order by id;

-- case: polymorphic: what can't be told apart
-- note: in the names of tables, in what is changed, and in what is computed
-- refused: 0A000
select x.taggable_id from (taggings t cross join tags u) as x join taggings t on t.id = x.tag_id where t.taggable_type = 'Order' and x.taggable_id = ':orders.one' order by x.taggable_id;
-- refused: 0A000
select t.taggable_id from taggings t(id, tag_id, taggable_id, taggable_type) where t.taggable_type is null;
-- refused: 0A000
select x from (select t.taggable_id as x from taggings t where t.taggable_type = 'Order' or t.id = ':taggings.two') s order by x;
-- refused: 0A000
select t.taggable_id from taggings t where not (t.taggable_type = 'Order') order by t.taggable_id;
-- refused: 0A000
select a.taggable_id from taggings a, taggings b where b.taggable_type = 'Order' order by a.taggable_id;
-- refused: 0A000
select t.taggable_id from orders o left join taggings t on t.taggable_type = 'Order' order by t.taggable_id;
-- refused: 0A000
select (select t.taggable_id) from taggings t where t.id = ':taggings.one' order by t.taggable_id;
-- refused: 0A000
select t.taggable_id from taggings t where t.taggable_type in ('Order', 'User') order by t.taggable_id;
-- refused: 0A000
select t.taggable_id from taggings t where t.taggable_type = 'Other' order by t.taggable_id;
-- refused: 0A000
select t.taggable_id from taggings t where t.taggable_type::varchar(1) = 'Order' order by t.taggable_id;
-- refused: 0A000
select * from taggings t natural join (select taggable_id from taggings where taggable_type = 'Order') o;
-- refused: 0A000
select * from taggings join bookmarks using (id);
-- refused: 0A000
update taggings set taggable_type = b.note from bookmarks b where taggings.taggable_type = 'Order';
-- refused: 0A000
update taggings t set taggable_type = 'Order', taggable_id = u.id from users u where t.taggable_id = u.id;
-- refused: 0A000
update taggings set (taggable_type, taggable_id) = ('User', ':users.ann') where id = ':taggings.one';
-- refused: 0A000
merge into taggings t using tags g on g.id = t.tag_id when matched then update set taggable_type = 'User';
-- refused: 0A000
insert into taggings (tag_id, taggable_type, taggable_id) values (':tags.rush', lower('ORDER'), ':orders.five');
-- refused: 0A000
insert into taggings (id, tag_id, taggable_type, taggable_id) values (':taggings.one', ':tags.gift', 'User', ':users.ann') on conflict (id) do update set taggable_type = excluded.taggable_type;
-- refused: 0A000
select max(taggable_id::text) from taggings;
-- refused: 0A000
select id from taggings order by taggable_id;
-- refused: 0A000
select count(taggable_id) from taggings;
-- refused: 0A000
select taggable_id, count(*) from taggings group by taggable_id;
-- refused: 0A000
select a.id from taggings a join taggings b on a.taggable_id = b.taggable_id;
-- refused: 0A000
select t from taggings t;
-- refused: 0A000
select row_to_json(t) from taggings t;
-- refused: 0A000
select t.id from taggings t join bookmarks b on b.object_id = t.taggable_id;
-- refused: 0A000
select t.id from taggings t where t.taggable_id > ':orders.one';
-- refused: 0A000
update taggings set taggable_type = 'User' where taggable_type = 'Order';
-- refused: 0A000
update taggings set taggable_type = 'User';
-- refused: 0A000
update taggings set taggable_id = tag_id where id = ':taggings.one';
-- refused: 0A000
update taggings set taggable_id = (select id from orders where id = ':orders.two') where id = ':taggings.one';
-- refused: 0A000
update taggings set taggable_id = coalesce(taggable_id, ':orders.two') where id = ':taggings.one';
-- refused: 0A000
insert into taggings (tag_id, taggable_id) values (':tags.rush', ':orders.one');
-- refused: 0A000
insert into taggings (tag_id, taggable_type, taggable_id) values (':tags.rush', 'Tag', ':tags.rush');
-- refused: 0A000
insert into taggings (tag_id, taggable_type, taggable_id) select ':tags.gift', 'User', o.id from orders o;
-- refused: 0A000
insert into taggings (tag_id, taggable_type, taggable_id) select tag_id, taggable_type, taggable_id from taggings where false;
-- refused: 0A000
copy taggings to stdout;
-- refused: 0A000
table taggings;
-- refused: 0A000
select ctid from taggings;
-- refused: 0A000
alter table taggings rename taggable_type to kind;
-- refused: 0A000
alter table taggings rename column taggable_id to number;
-- refused: 0A000
alter table taggings drop column taggable_type cascade;
-- refused: 0A000
alter table versions drop column item_id;
-- refused: 0A000
alter table versions alter column item_type type varchar(20);
-- refused: 0A000
alter table versions alter column item_id type text;
select id from taggings where taggable_type = 'Order' order by id;
-- refused: 0A000
select * from all_taggings order by id;
-- refused: 0A000
update all_taggings set taggable_type = 'User';

-- case: polymorphic: a changed row is shown by what it is then
update taggings t set taggable_type = 'User', taggable_id = ':users.dee' where t.taggable_type = 'Order' and t.id = ':taggings.one' returning t.taggable_id, t.*;
