// Kysely by node-postgres.

import { Kysely, PostgresDialect, sql } from "kysely";
import { jsonArrayFrom, jsonObjectFrom } from "kysely/helpers/postgres";
import pg from "pg";
import { empty, repeated, run, tried, turn } from "./features.mjs";

const person = (name) => ({ email: `${name}@example.org`, name });

async function people(db, ...names) {
  const ids = [];
  for (const name of names) {
    const made = await db
      .insertInto("people")
      .values(person(name))
      .returning("id")
      .executeTakeFirstOrThrow();
    ids.push(made.id);
  }
  return ids;
}

async function posts(db, person_id, first, ...titles) {
  const rows = titles.map((title, at) => ({ person_id, title, ordinal: first + at }));
  const made = await db.insertInto("posts").values(rows).returning(["id", "ordinal"]).execute();
  return made.sort((a, b) => a.ordinal - b.ordinal).map((row) => row.id);
}

async function tagged(db, post_id, ...names) {
  const tags = await db
    .insertInto("tags")
    .values(names.map((name) => ({ name })))
    .returningAll()
    .execute();
  await db
    .insertInto("post_tags")
    .values(tags.map((tag) => ({ post_id, tag_id: tag.id })))
    .execute();
}

const all = (db, table) => db.selectFrom(table).selectAll();
const number = (result) => Number(result.numUpdatedRows ?? result.numDeletedRows);

await run({
  connect: (address) =>
    new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ ...address, max: 1 }) }) }),
  empty: (db) => sql.raw(empty).execute(db),
  close: (db) => db.destroy(),
  features: {
    async crud(db) {
      const [ann, bob] = await people(db, "ann", "bob");
      const read = await all(db, "people").where("id", "=", ann).executeTakeFirst();
      const changed = await db
        .updateTable("people")
        .set((eb) => ({ name: "Ann", version: eb("version", "+", 1) }))
        .where("id", "=", ann)
        .executeTakeFirst();
      const gone = await db.deleteFrom("people").where("id", "in", [bob]).executeTakeFirst();
      return [read, number(changed), number(gone), await all(db, "people").execute()];
    },

    async returning(db) {
      const [ann] = await people(db, "ann");
      await posts(db, ann, 1, "a", "b");
      const changed = await db
        .updateTable("posts")
        .from("people")
        .set({ title: sql`upper(title)` })
        .whereRef("people.id", "=", "posts.person_id")
        .where("posts.ordinal", "=", 1)
        .returning(["posts.id", "people.id as person", "title"])
        .execute();
      const chained = await db
        .with("moved", (cte) =>
          cte.deleteFrom("posts").where("ordinal", "=", 2).returning(["id", "person_id"]),
        )
        .selectFrom("moved")
        .innerJoin("people", "people.id", "moved.person_id")
        .select(["moved.id", "name"])
        .execute();
      return [changed, chained];
    },

    async bulk(db) {
      const [ann, bob] = await people(db, "ann", "bob");
      const rows = Array.from({ length: 7 }, (_, at) => ({
        person_id: at % 2 ? ann : bob,
        title: `t${at}`,
        ordinal: at,
      }));
      const made = await db.insertInto("posts").values(rows).returning(["id", "title"]).execute();
      const copied = await db
        .insertInto("tags")
        .columns(["name"])
        .expression((eb) => eb.selectFrom("posts").select("title").where("ordinal", "<", 1))
        .returningAll()
        .execute();
      return [
        made.sort((a, b) => a.title.localeCompare(b.title)),
        copied,
        await all(db, "posts").orderBy("ordinal").execute(),
      ];
    },

    async upsert(db) {
      const rows = await repeated(3, (at) =>
        db
          .insertInto("people")
          .values({ email: "ann@example.org", name: `ann${at}` })
          .onConflict((conflict) =>
            conflict.column("email").doUpdateSet((eb) => ({ name: eb.ref("excluded.name") })),
          )
          .returningAll()
          .execute(),
      );
      const nothing = await db
        .insertInto("people")
        .values(person("ann"))
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .execute();
      const saved = await db
        .insertInto("people")
        .values({ ...rows[0][0], name: "x" })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ name: "saved" }))
        .returningAll()
        .execute();
      return [rows, nothing, saved];
    },

    async eager(db) {
      const [ann, bob] = await people(db, "ann", "bob", "cid");
      const [first] = await posts(db, ann, 1, "one", "two");
      await posts(db, bob, 3, "three");
      await tagged(db, first, "red", "blue");
      const nested = await db
        .selectFrom("people")
        .select((eb) => [
          "id",
          "email",
          jsonArrayFrom(
            eb
              .selectFrom("posts")
              .select((inner) => [
                "posts.id",
                "posts.title",
                jsonArrayFrom(
                  inner
                    .selectFrom("tags")
                    .innerJoin("post_tags", "post_tags.tag_id", "tags.id")
                    .select(["tags.id", "tags.name"])
                    .whereRef("post_tags.post_id", "=", "posts.id")
                    .orderBy("tags.name"),
                ).as("tags"),
              ])
              .whereRef("posts.person_id", "=", "people.id")
              .orderBy("posts.ordinal"),
          ).as("posts"),
        ])
        .orderBy("email")
        .execute();
      const upward = await db
        .selectFrom("posts")
        .select((eb) => [
          "id",
          jsonObjectFrom(
            eb
              .selectFrom("people")
              .select(["people.id", "people.name"])
              .whereRef("people.id", "=", "posts.person_id"),
          ).as("person"),
        ])
        .orderBy("ordinal")
        .execute();
      const joined = await db
        .selectFrom("people as p")
        .leftJoin("posts as o", "o.person_id", "p.id")
        .select(["p.id", "p.email", "o.id as post"])
        .orderBy("p.email")
        .orderBy("o.ordinal")
        .execute();
      const selected = await all(db, "posts")
        .where(
          "person_id",
          "in",
          joined.map((row) => row.id),
        )
        .orderBy("ordinal")
        .execute();
      return [nested, upward, joined, selected];
    },

    async keyset(db) {
      const [ann] = await people(db, "ann");
      await posts(db, ann, 1, ...Array.from({ length: 12 }, (_, at) => `t${at}`));
      const page = db.selectFrom("posts").select(["id", "title"]).orderBy("id").limit(5);
      return [
        await turn((last) => (last ? page.where("id", ">", last.id) : page).execute()),
        await turn((last) =>
          (last
            ? page.where((eb) => eb(eb.refTuple("person_id", "id"), ">", eb.tuple(ann, last.id)))
            : page
          ).execute(),
        ),
      ];
    },

    async arrays(db) {
      const [ann, bob, cid] = await people(db, "ann", "bob", "cid");
      const made = await db
        .insertInto("groups")
        .values({ name: "a", member_ids: [ann, bob] })
        .returningAll()
        .execute();
      await db.insertInto("groups").values({ name: "b" }).execute();
      await db
        .updateTable("groups")
        .set({ member_ids: sql`array_append(member_ids, ${cid})` })
        .where("name", "=", "b")
        .execute();
      return [
        made,
        await all(db, "groups").orderBy("name").execute(),
        await db
          .selectFrom("groups")
          .select("name")
          .where((eb) => eb(eb.val(bob), "=", eb.fn.any("member_ids")))
          .execute(),
        await db
          .selectFrom("groups")
          .select("name")
          .where((eb) => eb("member_ids", "@>", eb.val([ann])))
          .execute(),
        await db
          .selectFrom("groups")
          .innerJoin("people", (join) =>
            join.on((eb) => eb("people.id", "=", eb.fn.any("member_ids"))),
          )
          .select(["groups.name", "people.id"])
          .orderBy("email")
          .execute(),
      ];
    },

    async json(db) {
      const [ann] = await people(db, "ann");
      await posts(db, ann, 1, "one", "two");
      const body = { by: ann, marks: [1, 2.5, null], deep: { é: true } };
      const changed = await db
        .updateTable("posts")
        .set({ body })
        .where("ordinal", "=", 1)
        .returning(["id", "body"])
        .execute();
      const parts = await db
        .selectFrom("posts")
        .select((eb) => eb.ref("body", "->>").key("by").as("by"))
        .where("body", "@>", { marks: [1] })
        .execute();
      const built = await db
        .selectFrom("posts")
        .select((eb) => eb.fn.jsonAgg("posts").orderBy("title").as("posts"))
        .execute();
      const rows = await db
        .selectFrom("posts")
        .select((eb) => eb.fn.toJson("posts").as("row"))
        .orderBy("ordinal")
        .execute();
      return [changed, parts, built, rows];
    },

    async transaction(db) {
      await db.transaction().execute((inner) => people(inner, "ann"));
      await db
        .transaction()
        .execute(async (inner) => {
          await people(inner, "bob");
          throw new Error("no");
        })
        .catch((error) => error.message);
      const controlled = await db.startTransaction().setIsolationLevel("serializable").execute();
      await people(controlled, "cid");
      const before = await controlled.savepoint("before").execute();
      await people(before, "dan", "dan").catch(() =>
        before.rollbackToSavepoint("before").execute(),
      );
      await people(controlled, "eve");
      await controlled.commit().execute();
      return db.selectFrom("people").select(["id", "name"]).orderBy("name").execute();
    },

    async cascade(db) {
      const [ann, bob] = await people(db, "ann", "bob");
      const [post] = await posts(db, ann, 1, "one");
      await posts(db, bob, 2, "two");
      await tagged(db, post, "red");
      const gone = await db.deleteFrom("people").where("id", "=", ann).returningAll().execute();
      return [
        gone,
        await all(db, "posts").execute(),
        await all(db, "post_tags").execute(),
        await all(db, "tags").execute(),
      ];
    },

    async errors(db) {
      const [ann, bob] = await people(db, "ann", "bob");
      await db.deleteFrom("people").where("id", "=", bob).execute();
      return tried(
        () => people(db, "ann"),
        () => db.insertInto("people").values({ id: ann, email: "x", name: "x" }).execute(),
        () => posts(db, bob, 1, "x"),
        () => posts(db, null, 1, "x"),
        () => all(db, "people").where("id", "=", "not-a-uuid").execute(),
        () =>
          all(db, "people")
            .where(sql`id = 1`)
            .execute(),
      );
    },

    async prepared(db) {
      const rows = await repeated(20, async (at) => {
        const [id] = await people(db, `p${at}`);
        return db
          .selectFrom("people")
          .select(["id", "email"])
          .where("id", "=", id)
          .executeTakeFirst();
      });
      const ids = rows.map((row) => row.id);
      const counted = db
        .selectFrom("people")
        .select((eb) => eb.fn.countAll().as("count"))
        .where("id", "in", ids);
      return [rows, await repeated(20, () => counted.execute())];
    },

    async altered(db) {
      await people(db, "ann");
      const again = () => all(db, "people").where("name", "=", "ann").execute();
      const before = await tried(...Array(8).fill(again));
      await db.schema
        .alterTable("people")
        .addColumn("nick", "text", (column) => column.defaultTo("none"))
        .execute();
      return [before, await tried(...Array(4).fill(again))];
    },

    introspect: (db) => db.introspection.getTables(),
  },
});
