// knex by node-postgres.

import knex from "knex";
import { empty, repeated, run, tried, turn } from "./features.mjs";

const person = (name) => ({ email: `${name}@example.org`, name });

async function people(db, ...names) {
  const ids = [];
  for (const name of names)
    ids.push((await db("people").insert(person(name)).returning("id"))[0].id);
  return ids;
}

async function posts(db, person_id, first, ...titles) {
  const rows = titles.map((title, at) => ({ person_id, title, ordinal: first + at }));
  const made = await db("posts").insert(rows).returning(["id", "ordinal"]);
  return made.sort((a, b) => a.ordinal - b.ordinal).map((row) => row.id);
}

async function tagged(db, post_id, ...names) {
  const tags = await db("tags")
    .insert(names.map((name) => ({ name })))
    .returning("*");
  await db("post_tags").insert(tags.map((tag) => ({ post_id, tag_id: tag.id })));
}

await run({
  connect: (connection) => knex({ client: "pg", connection, pool: { min: 1, max: 1 } }),
  empty: (db) => db.raw(empty),
  close: (db) => db.destroy(),
  features: {
    async crud(db) {
      const [ann, bob] = await people(db, "ann", "bob");
      const read = await db("people").where({ id: ann }).first();
      const changed = await db("people").where("id", ann).update({ name: "Ann" });
      const counted = await db("people").where("id", ann).increment("version", 2);
      const gone = await db("people").whereIn("id", [bob]).del();
      return [
        read,
        changed,
        counted,
        gone,
        await db("people").whereNot("id", bob),
        await db("people").count(),
      ];
    },

    async returning(db) {
      const [ann] = await people(db, "ann");
      await posts(db, ann, 1, "a", "b");
      const changed = await db("posts")
        .where({ ordinal: 1 })
        .update({ title: db.raw("upper(title)") })
        .returning(["id", "person_id", "title"]);
      const chained = await db
        .with("moved", db("posts").where({ ordinal: 2 }).del().returning(["id", "person_id"]))
        .select("moved.id", "people.name")
        .from("moved")
        .join("people", "people.id", "moved.person_id");
      return [changed, chained];
    },

    async bulk(db) {
      const [ann, bob] = await people(db, "ann", "bob");
      const rows = Array.from({ length: 7 }, (_, at) => ({
        person_id: at % 2 ? ann : bob,
        title: `t${at}`,
        ordinal: at,
      }));
      const made = await db.batchInsert("posts", rows, 3).returning(["id", "person_id", "title"]);
      const streamed = [];
      for await (const row of db("posts")
        .whereIn(
          "id",
          made.map((row) => row.id),
        )
        .orderBy("ordinal")
        .stream())
        streamed.push([row.id, row.title]);
      return [made.sort((a, b) => a.title.localeCompare(b.title)), streamed];
    },

    async upsert(db) {
      const rows = await repeated(3, (at) =>
        db("people")
          .insert({ email: "ann@example.org", name: `ann${at}` })
          .onConflict("email")
          .merge(["name"])
          .returning("*"),
      );
      const nothing = await db("people")
        .insert(person("ann"))
        .onConflict("email")
        .ignore()
        .returning("id");
      const saved = await db("people")
        .insert({ ...rows[0][0], name: "saved" })
        .onConflict("id")
        .merge()
        .returning("*");
      return [rows, nothing, saved];
    },

    async eager(db) {
      const [ann, bob] = await people(db, "ann", "bob", "cid");
      const [first] = await posts(db, ann, 1, "one", "two");
      await posts(db, bob, 3, "three");
      await tagged(db, first, "red", "blue");
      const joined = await db("people as p")
        .leftJoin("posts as o", "o.person_id", "p.id")
        .select("p.id", "p.email", "o.id as post", "o.title")
        .orderBy(["p.email", "o.ordinal"]);
      const selected = await db("posts")
        .whereIn(
          "person_id",
          joined.map((row) => row.id),
        )
        .orderBy("ordinal");
      const many = await db("tags")
        .join("post_tags", "tags.id", "post_tags.tag_id")
        .whereIn("post_id", db("posts").select("id").where({ person_id: ann }))
        .orderBy("name");
      const without = await db("people").whereNotExists(
        db("posts").whereRaw("posts.person_id = people.id"),
      );
      return [joined, selected, many, without];
    },

    async keyset(db) {
      const [ann] = await people(db, "ann");
      await posts(db, ann, 1, ...Array.from({ length: 12 }, (_, at) => `t${at}`));
      const page = () => db("posts").select("id", "title").orderBy("id").limit(5);
      return [
        await turn((last) => (last ? page().where("id", ">", last.id) : page())),
        await turn((last) =>
          last ? page().whereRaw("(person_id, id) > (?, ?)", [ann, last.id]) : page(),
        ),
      ];
    },

    async arrays(db) {
      const [ann, bob, cid] = await people(db, "ann", "bob", "cid");
      const made = await db("groups")
        .insert({ name: "a", member_ids: [ann, bob] })
        .returning("*");
      await db("groups").insert({ name: "b" });
      await db("groups")
        .where({ name: "b" })
        .update({ member_ids: db.raw("array_append(member_ids, ?)", [cid]) });
      return [
        made,
        await db("groups").orderBy("name"),
        await db("groups").select("name").whereRaw("? = any(member_ids)", [bob]),
        await db("groups").select("name").where("member_ids", "&&", [ann, cid]).orderBy("name"),
        await db("groups as g")
          .join("people as p", db.raw("p.id = any(g.member_ids)"))
          .select("g.name", "p.id")
          .orderBy("email"),
      ];
    },

    async json(db) {
      const [ann] = await people(db, "ann");
      await posts(db, ann, 1, "one", "two");
      const body = { by: ann, marks: [1, 2.5, null], deep: { é: true } };
      const changed = await db("posts")
        .where({ ordinal: 1 })
        .update({ body })
        .returning(["id", "body"]);
      const parts = await db("posts")
        .jsonExtract("body", "$.by", "by")
        .whereJsonSupersetOf("body", { marks: [1] });
      const document = "json_build_object('id', id, 'person', person_id, 'title', title)";
      const built = await db("posts").select(
        db.raw(`json_agg(${document} order by title) as documents`),
      );
      return [
        changed,
        parts,
        built,
        await db("posts").select(db.raw("to_jsonb(posts) as row")).orderBy("ordinal"),
      ];
    },

    async transaction(db) {
      await db.transaction((inner) => people(inner, "ann"));
      await db
        .transaction(async (inner) => {
          await people(inner, "bob");
          throw new Error("no");
        })
        .catch((error) => error.message);
      await db.transaction(async (inner) => {
        await people(inner, "cid");
        await inner.transaction((within) => people(within, "dan", "dan")).catch(() => {});
        await people(inner, "eve");
      });
      return db("people").select("id", "name").orderBy("name");
    },

    async cascade(db) {
      const [ann, bob] = await people(db, "ann", "bob");
      const [post] = await posts(db, ann, 1, "one");
      await posts(db, bob, 2, "two");
      await tagged(db, post, "red");
      const gone = await db("people").where({ id: ann }).del();
      return [
        gone,
        await db("posts").select("id", "person_id"),
        await db("post_tags"),
        await db("tags"),
      ];
    },

    async errors(db) {
      const [ann, bob] = await people(db, "ann", "bob");
      await db("people").where({ id: bob }).del();
      return tried(
        () => people(db, "ann"),
        () => db("people").insert({ id: ann, email: "x", name: "x" }),
        () => posts(db, bob, 1, "x"),
        () => posts(db, null, 1, "x"),
        () => db("people").where({ id: "not-a-uuid" }),
        () => db("people").where({ id: 1 }),
      );
    },

    async prepared(db) {
      const rows = await repeated(20, async (at) => {
        const [id] = await people(db, `p${at}`);
        return db("people").where({ id }).first("id", "email");
      });
      return [
        rows,
        await repeated(20, () =>
          db("people")
            .whereIn(
              "id",
              rows.map((row) => row.id),
            )
            .count(),
        ),
      ];
    },

    async altered(db) {
      await people(db, "ann");
      const again = () => db("people").where({ name: "ann" });
      const before = await tried(...Array(8).fill(again));
      await db.schema.alterTable("people", (table) => table.text("nick").defaultTo("none"));
      return [
        before,
        await tried(...Array(4).fill(again)),
        await db.schema.hasColumn("people", "nick"),
      ];
    },

    async introspect(db) {
      const tables = ["people", "posts", "post_tags", "groups"];
      return repeated(4, (at) => db(tables[at]).columnInfo());
    },
  },
});
