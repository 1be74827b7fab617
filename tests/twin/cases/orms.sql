Statements in the manner of ORMs: aliases of their own, lists of parameters, eager loading. A case is one statement.

-- case: rails: find
-- with: :users.ann, 1
SELECT "users".* FROM "users" WHERE "users"."id" = $1 LIMIT $2;

-- case: rails: where in
-- with: :users.ann, :users.bob
SELECT "orders".* FROM "orders" WHERE "orders"."user_id" IN ($1, $2) ORDER BY "orders"."id" ASC;

-- case: rails: eager loading with aliases
-- with: :users.bob
SELECT "users"."id" AS t0_r0, "users"."name" AS t0_r1, "orders"."id" AS t1_r0, "orders"."user_id" AS t1_r1 FROM "users" LEFT OUTER JOIN "orders" ON "orders"."user_id" = "users"."id" WHERE "users"."id" = $1 ORDER BY "orders"."id";

-- case: rails: exists
-- with: :users.ann, 1
SELECT 1 AS one FROM "orders" WHERE "orders"."user_id" = $1 LIMIT $2;

-- case: rails: pluck
-- with: :users.ann
SELECT "orders"."id", "orders"."status" FROM "orders" WHERE "orders"."user_id" = $1 ORDER BY "orders"."id";

-- case: rails: first and last
-- with: 1
SELECT "users".* FROM "users" ORDER BY "users"."id" DESC LIMIT $1;

-- case: rails: a batch
-- with: :users.bob, 2
SELECT "users".* FROM "users" WHERE "users"."id" > $1 ORDER BY "users"."id" ASC LIMIT $2;

-- case: rails: touch
-- with: :documents.plan
UPDATE "documents" SET "updated_at" = '2026-04-01Z' WHERE "documents"."id" = $1 RETURNING "id";

-- case: rails: destroy
-- with: :orders.one, :tags.rush
DELETE FROM "order_tags" WHERE "order_tags"."order_id" = $1 AND "order_tags"."tag_id" = $2;

-- case: rails: where not
-- with: :users.ann
SELECT "users"."id" FROM "users" WHERE "users"."id" != $1 ORDER BY "users"."id";

-- case: rails: through
-- with: :orders.three
SELECT "tags".* FROM "tags" INNER JOIN "order_tags" ON "tags"."id" = "order_tags"."tag_id" WHERE "order_tags"."order_id" = $1 ORDER BY "tags"."id";

-- case: rails: counted groups
SELECT COUNT(*) AS "count_all", "orders"."user_id" AS "orders_user_id" FROM "orders" GROUP BY "orders"."user_id" ORDER BY 2;

-- case: django: get
-- with: :users.cai
SELECT "users"."id", "users"."email", "users"."name" FROM "users" WHERE "users"."id" = $1 LIMIT 21;

-- case: django: prefetch
-- with: :users.ann, :users.bob, :users.eli
SELECT "orders"."id", "orders"."user_id" FROM "orders" WHERE "orders"."user_id" IN ($1, $2, $3) ORDER BY 1;

-- case: django: prefetch through a table
-- with: :orders.one, :orders.three
SELECT ("order_tags"."order_id") AS "_prefetch_related_val_order_id", "tags"."id", "tags"."name" FROM "tags" INNER JOIN "order_tags" ON ("tags"."id" = "order_tags"."tag_id") WHERE "order_tags"."order_id" IN ($1, $2) ORDER BY 1, 2;

-- case: django: exists as a column
SELECT "users"."id", EXISTS(SELECT 1 AS "a" FROM "orders" U0 WHERE U0."user_id" = ("users"."id") LIMIT 1) AS "has_orders" FROM "users" ORDER BY "users"."id" ASC;

-- case: django: a subquery as a column
SELECT "users"."id", (SELECT U0."id" FROM "orders" U0 WHERE U0."user_id" = ("users"."id") ORDER BY U0."placed_at" DESC LIMIT 1) AS "newest" FROM "users" ORDER BY "users"."id";

-- case: django: annotate
-- with: 0
SELECT "users"."id", COUNT("orders"."id") AS "n" FROM "users" LEFT OUTER JOIN "orders" ON ("users"."id" = "orders"."user_id") GROUP BY "users"."id" HAVING COUNT("orders"."id") > $1 ORDER BY "users"."id";

-- case: django: a conditional expression
-- with: :users.ann, me, other
SELECT "users"."id", CASE WHEN "users"."id" = $1 THEN $2 ELSE $3 END AS "who" FROM "users" ORDER BY "users"."id";

-- case: django: bulk update
-- with: :orders.one, :users.bob, :orders.two, :users.cai
UPDATE "orders" SET "user_id" = CASE WHEN ("orders"."id" = $1) THEN $2 WHEN ("orders"."id" = $3) THEN $4 ELSE NULL END::uuid WHERE "orders"."id" IN ($1, $3) RETURNING "id", "user_id";

-- case: django: exclude
-- with: red
SELECT "users"."id" FROM "users" WHERE NOT (EXISTS(SELECT 1 AS "a" FROM "teams" U1 WHERE (U1."slug" = $1 AND U1."owner_id" = ("users"."id")) LIMIT 1)) ORDER BY 1;

-- case: django: a union
-- with: Dee
(SELECT "users"."id" AS "col1" FROM "users" WHERE "users"."name" = $1) UNION (SELECT "teams"."owner_id" AS "col1" FROM "teams" WHERE "teams"."owner_id" IS NOT NULL) ORDER BY 1;

-- case: django: values list distinct
SELECT DISTINCT "comments"."author_id" FROM "comments" ORDER BY "comments"."author_id" ASC;

-- case: django: select for update
-- with: :orders.one
SELECT "orders"."id", "orders"."status" FROM "orders" WHERE "orders"."id" = $1 FOR UPDATE OF "orders";

-- case: django: get or create
-- with: fresh
INSERT INTO "tags" ("name") VALUES ($1) ON CONFLICT DO NOTHING RETURNING "tags"."name";

-- case: django: a window
SELECT "orders"."id", ROW_NUMBER() OVER (PARTITION BY "orders"."user_id" ORDER BY "orders"."id" DESC) AS "n" FROM "orders" ORDER BY 1;

-- case: sqlalchemy: select in loading
-- with: :users.ann, :users.cai
SELECT orders.user_id AS orders_user_id, orders.id AS orders_id FROM orders WHERE orders.user_id IN ($1::uuid, $2::uuid) ORDER BY orders.id;

-- case: sqlalchemy: joined loading
-- with: :users.ann
SELECT users.id, users.name, orders_1.id AS id_1, orders_1.status FROM users LEFT OUTER JOIN orders AS orders_1 ON users.id = orders_1.user_id WHERE users.id = $1::uuid ORDER BY orders_1.id;

-- case: sqlalchemy: joined loading of a page
-- with: 2
SELECT anon_1.users_id, anon_1.users_name, orders_1.id FROM (SELECT users.id AS users_id, users.name AS users_name FROM users ORDER BY users.id LIMIT $1) AS anon_1 LEFT OUTER JOIN orders AS orders_1 ON anon_1.users_id = orders_1.user_id ORDER BY anon_1.users_id, orders_1.id;

-- case: sqlalchemy: subquery loading
SELECT orders.id, anon_1.users_id FROM (SELECT users.id AS users_id FROM users WHERE users.is_active) AS anon_1 JOIN orders ON anon_1.users_id = orders.user_id ORDER BY 1;

-- case: sqlalchemy: any
-- with: :orders.three
SELECT users.id FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE users.id = orders.user_id AND orders.id = $1::uuid);

-- case: sqlalchemy: a cast literal
-- with: :users.dee
SELECT users.name FROM users WHERE users.id = CAST($1 AS UUID);

-- case: sqlalchemy: insert many values
-- modes: simple
-- with: :teams.grey, :users.ann, x, :teams.grey, :users.bob, y
INSERT INTO memberships (team_id, user_id, role) SELECT p0::uuid, p1::uuid, p2::varchar FROM (VALUES ($1, $2, $3, 0), ($4, $5, $6, 1)) AS imp_sen(p0, p1, p2, sen_counter) ORDER BY sen_counter RETURNING memberships.team_id, memberships.user_id;

-- case: sqlalchemy: an empty list
SELECT users.id FROM users WHERE users.id IN (NULL) AND (1 != 1);

-- case: sqlalchemy: tuples
-- with: :teams.red, :users.ann, :teams.blue, :users.cai
SELECT memberships.role FROM memberships WHERE (memberships.team_id, memberships.user_id) IN (($1::uuid, $2::uuid), ($3::uuid, $4::uuid)) ORDER BY 1;

-- case: hibernate: find
-- with: :users.ann
select u1_0.id, u1_0.email, u1_0.name from users u1_0 where u1_0.id = $1;

-- case: hibernate: join fetch
-- with: :orders.three
select o1_0.id, o1_0.status, u1_0.id, u1_0.name from orders o1_0 join users u1_0 on u1_0.id = o1_0.user_id where o1_0.id = $1;

-- case: hibernate: a collection
-- with: :users.bob
select o1_0.user_id, o1_0.id, o1_0.status from orders o1_0 where o1_0.user_id = $1 order by o1_0.id;

-- case: hibernate: a batch of collections
-- with: {:users.ann,:users.bob}
select o1_0.user_id, o1_0.id from orders o1_0 where o1_0.user_id = any ($1) order by 2;

-- case: hibernate: member of
-- with: :orders.five
select u1_0.id from users u1_0 where $1 in (select o1_0.id from orders o1_0 where u1_0.id = o1_0.user_id);

-- case: hibernate: a page
-- with: 1, 2
select u1_0.id from users u1_0 order by u1_0.id offset $1 rows fetch first $2 rows only;

-- case: prisma: find many
-- with: :users.ann, :users.dee, 0
SELECT "public"."users"."id", "public"."users"."name" FROM "public"."users" WHERE "public"."users"."id" IN ($1,$2) ORDER BY "public"."users"."id" ASC OFFSET $3;

-- case: prisma: a cursor
-- with: :users.bob, 2
SELECT "public"."users"."id" FROM "public"."users", (SELECT "public"."users"."id" AS "users_id_0" FROM "public"."users" WHERE ("public"."users"."id") = ($1)) AS "order_cmp" WHERE "public"."users"."id" >= "order_cmp"."users_id_0" ORDER BY "public"."users"."id" ASC LIMIT $2;

-- case: prisma: relations as json
SELECT "t1"."id", "t1_orders"."__prisma_data__" AS "orders" FROM "public"."users" AS "t1" LEFT JOIN LATERAL (SELECT COALESCE(JSON_AGG("__prisma_data__" ORDER BY "id"), '[]') AS "__prisma_data__" FROM (SELECT "t3"."id", JSON_BUILD_OBJECT('id', "t3"."id", 'status', "t3"."status") AS "__prisma_data__" FROM (SELECT "t2".* FROM "public"."orders" AS "t2" WHERE "t1"."id" = "t2"."user_id") AS "t3") AS "t4") AS "t1_orders" ON TRUE ORDER BY "t1"."id";

-- case: prisma: an update
-- with: :users.cai, :orders.one
UPDATE "public"."orders" SET "user_id" = $1 WHERE ("public"."orders"."id" = $2 AND 1=1) RETURNING "public"."orders"."id", "public"."orders"."user_id";

-- case: prisma: counts of relations
SELECT "users"."id", COALESCE("aggr"."n", 0) AS "n" FROM "users" LEFT JOIN (SELECT "orders"."user_id", COUNT(*) AS "n" FROM "orders" WHERE 1=1 GROUP BY "orders"."user_id") AS "aggr" ON ("users"."id" = "aggr"."user_id") ORDER BY 1;

-- case: drizzle: relations as json
select "users"."id", "users_orders"."data" as "orders" from "users" left join lateral (select coalesce(json_agg(json_build_array("users_orders"."id", "users_orders"."status") order by "users_orders"."id"), '[]'::json) as "data" from "orders" "users_orders" where "users_orders"."user_id" = "users"."id") "users_orders" on true order by "users"."id";

-- case: drizzle: returning
-- modes: simple text declared binary
-- with: :teams.grey, :users.dee
insert into "memberships" ("team_id", "user_id", "role", "created_at") values ($1, $2, default, default) returning "team_id", "user_id";

-- case: typeorm: find with relations
-- with: :users.ann
SELECT "User"."id" AS "User_id", "User"."name" AS "User_name", "User__orders"."id" AS "User__orders_id" FROM "users" "User" LEFT JOIN "orders" "User__orders" ON "User__orders"."user_id"="User"."id" WHERE ( "User"."id" = $1 ) ORDER BY 3;

-- case: typeorm: a page with relations
SELECT DISTINCT "distinctAlias"."User_id" AS "ids_User_id" FROM (SELECT "User"."id" AS "User_id" FROM "users" "User" LEFT JOIN "orders" "o" ON "o"."user_id"="User"."id") "distinctAlias" ORDER BY "User_id" ASC LIMIT 3;

-- case: knex: where in with tuples
-- with: :orders.one, :users.ann, :orders.two, :users.bob
select "id" from "orders" where ("id", "user_id") in (($1, $2), ($3, $4)) order by "id";

-- case: knex: first
-- with: :tags.gift, 1
select * from "tags" where "id" = $1 limit $2;

-- case: ecto: preload
-- with: {:users.ann,:users.bob}
SELECT o0."id", o0."user_id", o0."user_id" FROM "orders" AS o0 WHERE (o0."user_id" = ANY($1)) ORDER BY o0."user_id", o0."id";

-- case: ecto: insert all
-- with: :orders.one, :tags.rush, :orders.two, :tags.rush
INSERT INTO "order_tags" AS o0 ("order_id","tag_id") VALUES ($1,$2),($3,$4) ON CONFLICT ("order_id","tag_id") DO NOTHING RETURNING "order_id";

-- case: ecto: a fragment
SELECT u0."id" FROM "users" AS u0 WHERE (u0."id" = ANY(array(SELECT s0."user_id" FROM "orders" AS s0))) ORDER BY u0."id";

-- case: ecto: exclude from an update
-- with: :orders.two
UPDATE "orders" AS o0 SET "note" = u1."name" FROM "users" AS u1 WHERE (u1."id" = o0."user_id") AND (o0."id" = $1) RETURNING o0."id";

-- case: entity framework: include
-- with: :users.ann
SELECT u."Id", u."Name", o.id FROM (SELECT users.id AS "Id", users.name AS "Name" FROM users WHERE users.id = $1 LIMIT 1) AS u LEFT JOIN orders AS o ON u."Id" = o.user_id ORDER BY u."Id", o.id;

-- case: entity framework: contains
-- with: {:users.cai}
SELECT o.id FROM orders AS o WHERE o.user_id = ANY ($1) ORDER BY o.id;

-- case: entity framework: any
-- with: :users.eli
SELECT EXISTS (SELECT 1 FROM orders AS o WHERE o.user_id = $1);

-- case: entity framework: null safe equality
-- with: :users.ann
SELECT t.id FROM teams AS t WHERE t.owner_id = $1 OR (t.owner_id IS NULL AND $1 IS NULL) ORDER BY t.id;

-- case: gorm: find
-- with: :users.bob
SELECT * FROM "users" WHERE "users"."id" = $1 ORDER BY "users"."id" LIMIT 1;

-- case: gorm: save
-- with: :tags.gift, present
INSERT INTO "tags" ("id","name") VALUES ($1,$2) ON CONFLICT ("id") DO UPDATE SET "name"="excluded"."name" RETURNING "id";

-- case: sqlx: unnest of parameters
-- with: {:users.dee,:users.ann}
SELECT id, name FROM users WHERE id = ANY($1::uuid[]) ORDER BY array_position($1::uuid[], id);

-- case: sqlx: an optional filter
-- with: :users.ann
SELECT id FROM orders WHERE ($1::uuid IS NULL OR user_id = $1) ORDER BY id;

-- case: sqlx: an optional filter that is not given
-- with: null
SELECT id FROM orders WHERE ($1::uuid IS NULL OR user_id = $1) ORDER BY id;

-- case: sqlx: coalesce with a parameter
-- with: :orders.one, :users.dee
UPDATE orders SET user_id = COALESCE($2, user_id) WHERE id = $1 RETURNING user_id;

-- case: sqlx: coalesce with a null parameter
-- with: :orders.one, null
UPDATE orders SET user_id = COALESCE($2, user_id) WHERE id = $1 RETURNING user_id;

-- case: diesel: belonging to
-- with: {:users.ann}
SELECT "orders"."id", "orders"."user_id" FROM "orders" WHERE ("orders"."user_id" = ANY($1)) ORDER BY 1;

-- case: jooq: a multiset
select u.id, (select coalesce(jsonb_agg(jsonb_build_array(v0, v1)), jsonb_build_array()) from (select o.id as v0, o.status as v1 from orders as o where o.user_id = u.id order by o.id) as t) from users as u order by u.id;

-- case: jooq: seek
-- with: :users.ann, :orders.one, 2
select o.user_id, o.id from orders as o where (o.user_id > $1 or (o.user_id = $1 and o.id > $2)) order by o.user_id, o.id fetch next $3 rows only;

-- case: postgrest: rows as json
-- with: :users.ann
select coalesce(json_agg(_r), '[]')::character varying as body from (select u.id, u.name from public.users u where u.id = $1) _r;

-- case: postgrest: embedded rows
select u.id, coalesce(u_orders.list, '[]') as orders from users u left join lateral (select json_agg(r) as list from (select o.id, o.status from orders o where o.user_id = u.id order by o.id) r) u_orders on true order by u.id;

-- case: hasura: an object of objects
select coalesce(json_agg(root order by id), '[]') as root from (select u.id, row_to_json((select e from (select u.id as id, u.name as name) as e)) as root from users u) as r;
