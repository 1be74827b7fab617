// Drizzle by node-postgres.

import {
  and,
  arrayOverlaps,
  asc,
  count,
  eq,
  gt,
  inArray,
  notExists,
  relations,
  sql,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { alias, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import pg from "pg";
import { empty, repeated, run, tried, turn } from "./features.mjs";
import { columns } from "./sql.mjs";

const key = () => uuid("id").primaryKey().defaultRandom();
const people = pgTable("people", {
  id: key(),
  email: text("email").notNull().unique(),
  name: text("name").notNull(),
  version: integer("version").notNull().default(1),
});
const posts = pgTable("posts", {
  id: key(),
  personId: uuid("person_id")
    .notNull()
    .references(() => people.id, { onDelete: "cascade" }),
  title: text("title").notNull(),
  body: jsonb("body"),
  ordinal: integer("ordinal").unique(),
});
const tags = pgTable("tags", { id: key(), name: text("name").notNull().unique() });
const postTags = pgTable(
  "post_tags",
  {
    postId: uuid("post_id")
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" }),
    tagId: uuid("tag_id")
      .notNull()
      .references(() => tags.id, { onDelete: "cascade" }),
  },
  (table) => [primaryKey({ columns: [table.postId, table.tagId] })],
);
const groups = pgTable("groups", {
  id: key(),
  name: text("name").notNull(),
  memberIds: uuid("member_ids").array().notNull().default([]),
});
const schema = {
  people,
  posts,
  tags,
  postTags,
  groups,
  ofPeople: relations(people, ({ many }) => ({ posts: many(posts) })),
  ofPosts: relations(posts, ({ one, many }) => ({
    person: one(people, { fields: [posts.personId], references: [people.id] }),
    tags: many(postTags),
  })),
  ofPostTags: relations(postTags, ({ one }) => ({
    post: one(posts, { fields: [postTags.postId], references: [posts.id] }),
    tag: one(tags, { fields: [postTags.tagId], references: [tags.id] }),
  })),
};

const person = (name) => ({ email: `${name}@example.org`, name });

async function make(db, ...names) {
  const ids = [];
  for (const name of names) {
    const [made] = await db.insert(people).values(person(name)).returning({ id: people.id });
    ids.push(made.id);
  }
  return ids;
}

async function write(db, personId, first, ...titles) {
  const rows = titles.map((title, at) => ({ personId, title, ordinal: first + at }));
  const made = await db.insert(posts).values(rows).returning();
  return made.sort((a, b) => a.ordinal - b.ordinal).map((row) => row.id);
}

async function tagged(db, postId, ...names) {
  const made = await db
    .insert(tags)
    .values(names.map((name) => ({ name })))
    .returning();
  await db.insert(postTags).values(made.map((tag) => ({ postId, tagId: tag.id })));
}

await run({
  async connect(address) {
    const client = new pg.Client(address);
    await client.connect();
    return drizzle(client, { schema });
  },
  empty: (db) => db.execute(empty),
  close: (db) => db.$client.end(),
  features: {
    async crud(db) {
      const [ann, bob] = await make(db, "ann", "bob");
      const read = await db.select().from(people).where(eq(people.id, ann));
      const changed = await db.update(people).set({ name: "Ann" }).where(eq(people.id, ann));
      const gone = await db.delete(people).where(inArray(people.id, [bob]));
      const found = await db.query.people.findFirst({ where: eq(people.id, bob) });
      return [
        read,
        changed.rowCount,
        gone.rowCount,
        found ?? null,
        await db.$count(people),
        await db.select().from(people),
      ];
    },

    async returning(db) {
      const [ann] = await make(db, "ann");
      await write(db, ann, 1, "a", "b");
      const changed = await db
        .update(posts)
        .set({ title: sql`upper(${posts.title})` })
        .from(people)
        .where(and(eq(people.id, posts.personId), eq(people.id, ann), eq(posts.ordinal, 1)))
        .returning();
      const moved = db.$with("moved").as(db.delete(posts).where(eq(posts.ordinal, 2)).returning());
      const chained = await db
        .with(moved)
        .select()
        .from(moved)
        .innerJoin(people, eq(people.id, moved.personId));
      return [changed, chained];
    },

    async bulk(db) {
      const [ann, bob] = await make(db, "ann", "bob");
      const rows = Array.from({ length: 7 }, (_, at) => ({
        personId: at % 2 ? ann : bob,
        title: `t${at}`,
        ordinal: at,
      }));
      const made = await db
        .insert(posts)
        .values(rows)
        .returning({ id: posts.id, title: posts.title });
      return [
        made.sort((a, b) => a.title.localeCompare(b.title)),
        await db.select().from(posts).orderBy(posts.ordinal),
      ];
    },

    async upsert(db) {
      const rows = await repeated(3, (at) =>
        db
          .insert(people)
          .values({ email: "ann@example.org", name: `ann${at}` })
          .onConflictDoUpdate({
            target: people.email,
            set: { name: sql`excluded.name`, version: sql`${people.version} + 1` },
          })
          .returning(),
      );
      const nothing = await db
        .insert(people)
        .values(person("ann"))
        .onConflictDoNothing()
        .returning();
      const saved = await db
        .insert(people)
        .values({ ...rows[0][0], name: "x" })
        .onConflictDoUpdate({ target: people.id, set: { name: "saved" } })
        .returning();
      return [rows, nothing, saved];
    },

    async eager(db) {
      const [ann, bob] = await make(db, "ann", "bob", "cid");
      const [first] = await write(db, ann, 1, "one", "two");
      await write(db, bob, 3, "three");
      await tagged(db, first, "red");
      const nested = await db.query.people.findMany({
        orderBy: asc(people.email),
        with: { posts: { orderBy: asc(posts.ordinal), with: { tags: { with: { tag: true } } } } },
      });
      const upward = await db.query.posts.findMany({
        columns: { id: true, title: true },
        orderBy: asc(posts.ordinal),
        with: { person: { columns: { id: true } } },
      });
      const other = alias(people, "other");
      const joined = await db
        .select({ person: other, post: posts })
        .from(other)
        .leftJoin(posts, eq(posts.personId, other.id))
        .orderBy(other.email, posts.ordinal);
      const postless = await db
        .select()
        .from(people)
        .where(notExists(db.select().from(posts).where(eq(posts.personId, people.id))));
      const counted = await db
        .select({ id: people.id, posts: count(posts.id) })
        .from(people)
        .leftJoin(posts, eq(posts.personId, people.id))
        .groupBy(people.id)
        .orderBy(people.email);
      return [nested, upward, joined, postless, counted];
    },

    async keyset(db) {
      const [ann] = await make(db, "ann");
      await write(db, ann, 1, ...Array.from({ length: 12 }, (_, at) => `t${at}`));
      const page = (where) =>
        db
          .select({ id: posts.id, title: posts.title })
          .from(posts)
          .where(where)
          .orderBy(posts.id)
          .limit(5);
      return [
        await turn((last) => page(last && gt(posts.id, last.id))),
        await turn((last) =>
          page(last && sql`(${posts.personId}, ${posts.id}) > (${ann}, ${last.id})`),
        ),
      ];
    },

    async arrays(db) {
      const [ann, bob, cid] = await make(db, "ann", "bob", "cid");
      const made = await db
        .insert(groups)
        .values({ name: "a", memberIds: [ann, bob] })
        .returning();
      await db.insert(groups).values({ name: "b" });
      await db
        .update(groups)
        .set({ memberIds: sql`array_append(${groups.memberIds}, ${cid})` })
        .where(eq(groups.name, "b"));
      return [
        made,
        await db.select().from(groups).orderBy(groups.name),
        await db
          .select({ name: groups.name })
          .from(groups)
          .where(sql`${bob} = any(${groups.memberIds})`),
        await db
          .select({ name: groups.name })
          .from(groups)
          .where(arrayOverlaps(groups.memberIds, [ann])),
        await db
          .select({ group: groups.name, id: people.id })
          .from(groups)
          .innerJoin(people, sql`${people.id} = any(${groups.memberIds})`)
          .orderBy(people.email),
      ];
    },

    async json(db) {
      const [ann] = await make(db, "ann");
      await write(db, ann, 1, "one", "two");
      const body = { by: ann, marks: [1, 2.5, null], deep: { é: true } };
      const changed = await db.update(posts).set({ body }).where(eq(posts.ordinal, 1)).returning();
      const parts = await db
        .select({ by: sql`${posts.body}->>'by'` })
        .from(posts)
        .where(sql`${posts.body} @> ${JSON.stringify({ marks: [1] })}::jsonb`);
      const document = sql`json_agg(json_build_object('id', ${posts.id}, 'person', ${posts.personId}) order by ${posts.title})`;
      return [
        changed,
        parts,
        await db.select({ document }).from(posts),
        await db
          .select({ row: sql`to_jsonb(${posts})` })
          .from(posts)
          .orderBy(posts.ordinal),
      ];
    },

    async transaction(db) {
      await db.transaction((inner) => make(inner, "ann"));
      await db
        .transaction(async (inner) => {
          await make(inner, "bob");
          inner.rollback();
        })
        .catch((error) => error.message);
      await db.transaction(
        async (inner) => {
          await make(inner, "cid");
          await inner.transaction((within) => make(within, "dan", "dan")).catch(() => {});
          await make(inner, "eve");
        },
        { isolationLevel: "serializable" },
      );
      return db.select({ id: people.id, name: people.name }).from(people).orderBy(people.name);
    },

    async cascade(db) {
      const [ann, bob] = await make(db, "ann", "bob");
      const [post] = await write(db, ann, 1, "one");
      await write(db, bob, 2, "two");
      await tagged(db, post, "red");
      const gone = await db.delete(people).where(eq(people.id, ann)).returning();
      return [
        gone,
        await db.select().from(posts),
        await db.$count(postTags),
        await db.select().from(tags),
      ];
    },

    async errors(db) {
      const [ann, bob] = await make(db, "ann", "bob");
      await db.delete(people).where(eq(people.id, bob));
      return tried(
        () => make(db, "ann"),
        () => db.insert(people).values({ id: ann, email: "x", name: "x" }),
        () => write(db, bob, 1, "x"),
        () => write(db, null, 1, "x"),
        () => db.select().from(people).where(eq(people.id, "not-a-uuid")),
        () =>
          db
            .select()
            .from(people)
            .where(sql`id = 1`),
      );
    },

    async prepared(db) {
      const select = db
        .select({ id: people.id, email: people.email })
        .from(people)
        .where(eq(people.id, sql.placeholder("id")))
        .prepare("by_id");
      const rows = await repeated(20, async (at) => {
        const [id] = await make(db, `p${at}`);
        return (await select.execute({ id }))[0];
      });
      return [
        rows,
        await repeated(20, () =>
          db.$count(
            people,
            inArray(
              people.id,
              rows.map((row) => row.id),
            ),
          ),
        ),
      ];
    },

    async altered(db) {
      await make(db, "ann");
      const select = db
        .select()
        .from(people)
        .where(eq(people.name, sql.placeholder("name")))
        .prepare("by_name");
      const star = () => db.execute(sql`select * from people`).then((result) => result.rows);
      const before = await tried(...Array(8).fill(() => select.execute({ name: "ann" })), star);
      await db.execute(sql`alter table people add column nick text default 'none'`);
      return [before, await tried(...Array(4).fill(() => select.execute({ name: "ann" })), star)];
    },

    introspect: async (db) => (await db.execute(sql.raw(columns))).rows,
  },
});
