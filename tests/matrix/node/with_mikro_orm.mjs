// MikroORM by node-postgres.

import {
  DatabaseSchema,
  defineEntity,
  LockMode,
  MikroORM,
  p,
  raw,
  sql,
  UnderscoreNamingStrategy,
} from "@mikro-orm/postgresql";
import { empty, repeated, run, tried, turn } from "./features.mjs";

const id = () => p.uuid().primary().defaultRaw("gen_random_uuid()");
const Tag = defineEntity({
  name: "Tag",
  tableName: "tags",
  properties: { id: id(), name: p.text().unique() },
});
const Post = defineEntity({
  name: "Post",
  tableName: "posts",
  properties: {
    id: id(),
    person: () => p.manyToOne(Person).deleteRule("cascade").updateRule("no action").index(),
    title: p.text(),
    body: p.json().nullable(),
    ordinal: p.integer().nullable().unique(),
    tags: () =>
      p
        .manyToMany(Tag)
        .owner()
        .pivotTable("post_tags")
        .deleteRule("cascade")
        .updateRule("no action"),
  },
});
const Person = defineEntity({
  name: "Person",
  tableName: "people",
  properties: {
    id: id(),
    email: p.text().unique(),
    name: p.text(),
    version: p.integer().version().default(1),
    posts: () => p.oneToMany(Post).mappedBy("person"),
  },
});
const Group = defineEntity({
  name: "Group",
  tableName: "groups",
  properties: {
    id: id(),
    name: p.text(),
    memberIds: p.array().columnType("uuid[]").default([]),
  },
});

// The names that Postgres gives.
class Names extends UnderscoreNamingStrategy {
  indexName(table, columns, type) {
    const ends = { primary: "pkey", unique: "key", foreign: "fkey", index: "idx" };
    return type === "primary" ? `${table}_pkey` : `${[table, ...columns].join("_")}_${ends[type]}`;
  }
}

const person = (name) => ({ email: `${name}@example.org`, name });

async function people(em, ...names) {
  const made = names.map((name) => em.create(Person, person(name)));
  await em.flush();
  return made;
}

async function posts(em, person, first, ...titles) {
  const made = titles.map((title, at) => em.create(Post, { person, title, ordinal: first + at }));
  await em.flush();
  return made;
}

await run({
  async connect({ database: dbName, ...address }) {
    const orm = await MikroORM.init({
      ...address,
      dbName,
      entities: [Person, Post, Tag, Group],
      namingStrategy: Names,
      pool: { max: 1 },
    });
    return { orm, em: orm.em.fork() };
  },
  empty: ({ em }) => em.execute(empty),
  close: ({ orm }) => orm.close(),
  features: {
    async crud({ em }) {
      const [ann, bob] = await people(em, "ann", "bob");
      ann.name = "Ann";
      await em.flush();
      const changed = await em.nativeUpdate(
        Person,
        { id: ann.id },
        { version: raw("version + 2") },
      );
      await em.refresh(ann);
      const gone = await em.nativeDelete(Person, { id: [bob.id] });
      const none = await em.fork().findOne(Person, bob.id);
      return [ann, changed, gone, none, await em.fork().findAll(Person), await em.count(Person)];
    },

    async returning({ em }) {
      const [ann] = await people(em, "ann");
      const made = await posts(em, ann, 1, "a", "b");
      const changed = await em
        .qb(Post)
        .update({ title: raw("upper(title)") })
        .where({ ordinal: 1 })
        .returning(["id", "person", "title"])
        .execute("all");
      const gone = await em
        .getKysely()
        .deleteFrom("posts")
        .where("person_id", "=", ann.id)
        .returning(["id", "person_id", "title"])
        .execute();
      const bob = await em
        .qb(Person)
        .insert(person("bob"))
        .returning(["id", "version"])
        .execute("get");
      gone.sort((a, b) => a.title.localeCompare(b.title));
      return [made, changed, gone, bob];
    },

    async bulk({ em }) {
      const [ann, bob] = await people(em, "ann", "bob");
      const rows = Array.from({ length: 7 }, (_, at) => ({
        person: at % 2 ? ann : bob,
        title: `t${at}`,
        ordinal: at,
      }));
      const fresh = rows.map((row) => em.create(Post, row, { persist: false }));
      const ids = await em.insertMany(fresh);
      await em.insertMany(Post, [{ ...rows[0], person: ann.id, ordinal: 7 }]);
      const orderBy = { ordinal: "asc" };
      const found = await em.find(Post, { id: ids }, { orderBy });
      for (const post of found) post.title = post.title.toUpperCase();
      found[0].person = ann;
      for (const name of ["red", "blue", "green"]) em.create(Tag, { name });
      em.remove(found.pop());
      await em.flush();
      const fork = em.fork();
      return [
        ids.length,
        await fork.findAll(Post, { orderBy }),
        await fork.findAll(Tag, { orderBy: { name: "asc" } }),
      ];
    },

    async upsert({ em }) {
      const rows = await repeated(3, async (at) => {
        const row = { email: "ann@example.org", name: `ann${at}` };
        return { ...(await em.fork().upsert(Person, row)) };
      });
      const many = await em.upsertMany(Person, [person("ann"), person("bob")], {
        onConflictFields: ["email"],
        onConflictMergeFields: ["name"],
      });
      const ignored = await em.fork().upsert(Person, person("ann"), {
        onConflictFields: ["email"],
        onConflictAction: "ignore",
      });
      const { id, email } = rows[0];
      const byId = await em.fork().upsert(Person, { id, email, name: "by id" });
      const built = await em
        .qb(Person)
        .insert(person("bob"))
        .onConflict("email")
        .merge({ version: raw("people.version + 1") })
        .returning(["id", "version"])
        .execute("get");
      return [rows, many, ignored, byId, built];
    },

    async eager({ em }) {
      const [ann, bob] = await people(em, "ann", "bob", "cid");
      const [first] = await posts(em, ann, 1, "one", "two");
      await posts(em, bob, 3, "three");
      first.tags.add(em.create(Tag, { name: "red" }), em.create(Tag, { name: "blue" }));
      await em.flush();
      const populate = ["posts.tags"];
      const orderBy = { email: "asc", posts: { ordinal: "asc", tags: { name: "asc" } } };
      const loaded = [];
      for (const strategy of ["joined", "select-in", "balanced"])
        loaded.push(await em.fork().findAll(Person, { populate, orderBy, strategy }));
      const [limited, count] = await em
        .fork()
        .findAndCount(Person, {}, { populate, orderBy, limit: 2 });
      const inner = await em
        .fork()
        .find(
          Person,
          { posts: { tags: { name: "red" } } },
          { populate, populateWhere: "infer", orderBy },
        );
      const upward = await em
        .fork()
        .find(Post, { person: { name: "bob" } }, { populate: ["person"] });
      const some = await em.fork().find(Person, { posts: { $none: {} } });
      const later = await em.fork().findAll(Post, { orderBy: { ordinal: "asc" } });
      await em.populate(later, ["person", "tags"], { orderBy: { tags: { name: "asc" } } });
      const reference = await em.fork().findOneOrFail(Person, ann.id);
      const lazy = await reference.posts.loadItems({ orderBy: { ordinal: "asc" } });
      const counted = await em
        .fork()
        .qb(Person, "p")
        .select(["p.id", sql`count(o.id)`.as("posts")])
        .leftJoin("p.posts", "o")
        .groupBy("p.id")
        .orderBy({ "p.email": "asc" })
        .execute();
      return [
        loaded,
        limited,
        count,
        inner,
        upward,
        some,
        later,
        lazy,
        await reference.posts.loadCount(true),
        counted,
      ];
    },

    async keyset({ em }) {
      const [ann] = await people(em, "ann");
      await posts(em, ann, 1, ...Array.from({ length: 12 }, (_, at) => `t${at}`));
      const pages = async (orderBy) => {
        let cursor;
        return turn(async () => {
          const after = cursor?.endCursor ?? undefined;
          cursor = await em.fork().findByCursor(Post, { first: 5, after, orderBy });
          return cursor.items;
        });
      };
      return [
        await pages({ id: "asc" }),
        await pages({ person: "asc", id: "desc" }),
        await turn((last) =>
          em.find(Post, last ? { id: { $gt: last.id } } : {}, { orderBy: { id: "asc" }, limit: 5 }),
        ),
      ];
    },

    async arrays({ em }) {
      const [ann, bob, cid] = await people(em, "ann", "bob", "cid");
      const a = em.create(Group, { name: "a", memberIds: [ann.id, bob.id] });
      const b = em.create(Group, { name: "b" });
      await em.flush();
      b.memberIds.push(cid.id);
      await em.flush();
      const fork = em.fork();
      const orderBy = { name: "asc" };
      return [
        a,
        await fork.findAll(Group, { orderBy }),
        await fork.find(Group, { memberIds: { $contains: [ann.id] } }),
        await fork.find(Group, { memberIds: { $overlap: [ann.id, cid.id] } }, { orderBy }),
        await fork
          .qb(Group, "g")
          .where(sql`${bob.id} = any(g.member_ids)`)
          .getResult(),
        await fork.find(Person, { id: { $in: a.memberIds } }, { orderBy }),
      ];
    },

    async json({ em }) {
      const [ann] = await people(em, "ann");
      const [one] = await posts(em, ann, 1, "one", "two");
      one.body = { by: ann.id, marks: [1, 2.5, null], deep: { é: true } };
      await em.flush();
      one.body.marks.push(3);
      await em.flush();
      const fork = em.fork();
      return [
        one,
        await fork.find(Post, { body: { by: ann.id, deep: { é: true } } }),
        await fork.find(Post, { body: { $contains: { marks: [1] } } }),
        await fork.findAll(Post, { orderBy: [{ body: { by: "asc" } }, { ordinal: "asc" }] }),
        await fork.execute(`select json_agg(json_build_object('id', id, 'person', person_id)
          order by ordinal) as built, (select jsonb_agg(p) from people p) as people from posts`),
      ];
    },

    async transaction({ em }) {
      await em.transactional((inner) => people(inner, "ann"));
      await em.begin();
      await people(em, "bob");
      await em.rollback();
      em.clear();
      await em.transactional(
        async (outer) => {
          await people(outer, "cid");
          await outer.transactional((inner) => people(inner, "dan", "dan")).catch(() => {});
          await people(outer, "eve");
        },
        { isolationLevel: "serializable" },
      );
      await em.transactional(async (inner) => {
        const lockMode = LockMode.PESSIMISTIC_WRITE;
        const eve = await inner.findOneOrFail(Person, { name: "eve" }, { lockMode });
        eve.name = "Eve";
      });
      return em.fork().findAll(Person, { orderBy: { name: "asc" } });
    },

    async cascade({ em }) {
      const [ann, bob] = await people(em, "ann", "bob");
      const [one] = await posts(em, ann, 1, "one");
      const [two] = await posts(em, bob, 2, "two");
      one.tags.add(em.create(Tag, { name: "red" }));
      two.tags.add(em.create(Tag, { name: "blue" }), ...one.tags);
      await em.flush();
      two.tags.remove([...one.tags]);
      await em.remove(ann).flush();
      const fork = em.fork();
      return [
        await fork.findAll(Post, { populate: ["person", "tags"] }),
        await fork.findAll(Tag, { orderBy: { name: "asc" } }),
      ];
    },

    async errors({ em }) {
      const [ann, bob] = await people(em, "ann", "bob");
      await em.remove(bob).flush();
      const fork = () => em.fork();
      return tried(
        () => people(fork(), "ann"),
        () => fork().insert(Person, { id: ann.id, email: "x", name: "x" }),
        () => posts(fork(), bob.id, 1, "x"),
        () => fork().insert(Post, { title: "x" }),
        () => fork().findOne(Person, "not-a-uuid"),
        () => fork().findOneOrFail(Person, bob.id),
        () => fork().findOne(Person, ann.id, { lockMode: LockMode.OPTIMISTIC, lockVersion: 7 }),
        () => fork().nativeUpdate(Post, {}, { person: ["not", "uuids"] }),
        () => em.execute("select name from people where id = 1"),
      );
    },

    async prepared({ em }) {
      const rows = await repeated(20, async (at) => {
        const [made] = await people(em, `p${at}`);
        return em.fork().findOne(Person, made.id, { fields: ["email"] });
      });
      const ids = rows.map((row) => row.id);
      const selected = em.getKysely().selectFrom("people").select(["id", "name"]).orderBy("email");
      return [
        rows,
        await repeated(20, () => em.count(Person, { id: ids })),
        await repeated(20, (at) => selected.where("id", "in", ids.slice(at, at + 2)).execute()),
      ];
    },

    async altered({ em }) {
      await people(em, "ann");
      const again = () => em.execute("select * from people where name = ?", ["ann"]);
      const found = () => em.fork().find(Person, { name: "ann" });
      const before = await tried(...Array(8).fill(again), found);
      await em.execute("alter table people add column nick text default 'none'");
      return [before, await tried(...Array(4).fill(again), found)];
    },

    async introspect({ orm, em }) {
      const schema = await DatabaseSchema.create(em.getConnection(), em.getPlatform(), em.config);
      const tables = schema
        .getTables()
        .map((table) => [
          table.name,
          table.getColumns(),
          table.getIndexes(),
          table.getForeignKeys(),
        ]);
      return [tables.sort(), await orm.schema.getUpdateSchemaSQL({ wrap: false })];
    },
  },
});
