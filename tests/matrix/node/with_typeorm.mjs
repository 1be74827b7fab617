// TypeORM by node-postgres.

import "reflect-metadata";
import { ArrayContains, ArrayOverlap, DataSource, EntitySchema, In, MoreThan } from "typeorm";
import { empty, repeated, run, tried, turn } from "./features.mjs";

const id = { type: "uuid", primary: true, generated: "uuid" };
const toPerson = {
  type: "many-to-one",
  target: "Person",
  inverseSide: "posts",
  joinColumn: { name: "person_id" },
  onDelete: "CASCADE",
};
const entities = [
  new EntitySchema({
    name: "Person",
    tableName: "people",
    columns: {
      id,
      email: { type: "text", unique: true },
      name: { type: "text" },
      version: { type: "int", default: 1 },
    },
    relations: {
      posts: { type: "one-to-many", target: "Post", inverseSide: "person", cascade: true },
    },
  }),
  new EntitySchema({
    name: "Post",
    tableName: "posts",
    columns: {
      id,
      title: { type: "text" },
      body: { type: "jsonb", nullable: true },
      ordinal: { type: "int", nullable: true, unique: true },
      personId: { type: "uuid", name: "person_id" },
    },
    relations: {
      person: toPerson,
      tags: {
        type: "many-to-many",
        target: "Tag",
        cascade: true,
        joinTable: {
          name: "post_tags",
          joinColumn: { name: "post_id" },
          inverseJoinColumn: { name: "tag_id" },
        },
      },
    },
  }),
  new EntitySchema({
    name: "Tag",
    tableName: "tags",
    columns: { id, name: { type: "text", unique: true } },
  }),
  new EntitySchema({
    name: "Group",
    tableName: "groups",
    columns: {
      id,
      name: { type: "text" },
      memberIds: { type: "uuid", array: true, name: "member_ids" },
    },
  }),
];

const person = (name) => ({ email: `${name}@example.org`, name });
const people = async (manager, ...names) => {
  const ids = [];
  for (const name of names) ids.push((await manager.save("Person", person(name))).id);
  return ids;
};
const posts = (manager, personId, first, ...titles) =>
  manager.save(
    "Post",
    titles.map((title, at) => ({ personId, title, ordinal: first + at })),
  );

await run({
  connect: ({ user: username, ...address }) =>
    new DataSource({
      type: "postgres",
      ...address,
      username,
      entities,
      extra: { max: 1 },
      installExtensions: false,
    }).initialize(),
  empty: (source) => source.query(empty),
  close: (source) => source.destroy(),
  features: {
    async crud({ manager }) {
      const [ann, bob] = await people(manager, "ann", "bob");
      const read = await manager.findOneBy("Person", { id: ann });
      read.name = "Ann";
      await manager.save("Person", read);
      const counted = await manager.increment("Person", { id: ann }, "version", 2);
      const gone = await manager.delete("Person", [bob]);
      const none = await manager.findOneBy("Person", { id: bob });
      return [
        read,
        counted.affected,
        gone.affected,
        none,
        await manager.find("Person"),
        await manager.count("Person"),
      ];
    },

    async returning({ manager }) {
      const [ann] = await people(manager, "ann");
      const made = await posts(manager, ann, 1, "a", "b");
      const changed = await manager
        .createQueryBuilder()
        .update("Post")
        .set({ title: () => "upper(title)" })
        .where("ordinal = 1")
        .returning("*")
        .execute();
      const gone = await manager
        .createQueryBuilder()
        .delete()
        .from("Post")
        .where("ordinal = 2")
        .returning("id, title")
        .execute();
      return [made, changed.raw, gone.raw];
    },

    async bulk({ manager }) {
      const [ann, bob] = await people(manager, "ann", "bob");
      const rows = Array.from({ length: 7 }, (_, at) => ({
        personId: at % 2 ? ann : bob,
        title: `t${at}`,
        ordinal: at,
      }));
      const made = await manager.insert("Post", rows);
      const saved = await manager.save(
        "Tag",
        ["red", "blue", "green"].map((name) => ({ name })),
        { chunk: 2 },
      );
      const found = await manager.find("Post", {
        where: { id: In(made.identifiers.map((each) => each.id)) },
        order: { ordinal: "asc" },
      });
      return [
        made.identifiers.length,
        saved.length,
        found,
        await manager.find("Tag", { order: { name: "asc" } }),
      ];
    },

    async upsert({ manager }) {
      const rows = await repeated(3, (at) =>
        manager.upsert("Person", { email: "ann@example.org", name: `ann${at}` }, ["email"]),
      );
      const ignored = await manager
        .createQueryBuilder()
        .insert()
        .into("Person")
        .values(person("ann"))
        .orIgnore()
        .execute();
      const saved = await manager.save("Person", { id: rows[0].identifiers[0].id, name: "saved" });
      const upserted = await manager.upsert("Person", { ...saved, email: "ann@example.net" }, [
        "id",
      ]);
      return [
        rows.map((row) => row.identifiers),
        ignored.raw,
        saved,
        upserted.identifiers,
        await manager.find("Person"),
      ];
    },

    async eager({ manager }) {
      const [ann, bob] = await people(manager, "ann", "bob", "cid");
      await manager.save("Post", {
        personId: ann,
        title: "one",
        ordinal: 1,
        tags: [{ name: "red" }],
      });
      await posts(manager, ann, 2, "two");
      await posts(manager, bob, 3, "three");
      const relations = { posts: { tags: true } };
      const order = { email: "asc", posts: { ordinal: "asc" } };
      const joined = await manager.find("Person", {
        relations,
        order,
        relationLoadStrategy: "join",
      });
      const queried = await manager.find("Person", {
        relations,
        order: { email: "asc" },
        relationLoadStrategy: "query",
      });
      for (const each of queried) each.posts.sort((a, b) => a.ordinal - b.ordinal);
      const limited = await manager.find("Person", { relations, order: { email: "asc" }, take: 2 });
      for (const each of limited) each.posts.sort((a, b) => a.ordinal - b.ordinal);
      const built = await manager
        .createQueryBuilder("Post", "o")
        .innerJoinAndSelect("o.person", "p")
        .where("p.name = :name", { name: "bob" })
        .getMany();
      const counted = await manager
        .createQueryBuilder("Person", "p")
        .leftJoin("p.posts", "o")
        .select("p.id", "id")
        .addSelect("count(o.id)", "posts")
        .groupBy("p.id")
        .orderBy("p.email")
        .getRawMany();
      return [joined, queried, limited, built, counted];
    },

    async keyset({ manager }) {
      const [ann] = await people(manager, "ann");
      await posts(manager, ann, 1, ...Array.from({ length: 12 }, (_, at) => `t${at}`));
      const page = (last) => ({
        where: last ? { id: MoreThan(last.id) } : {},
        order: { id: "asc" },
        take: 5,
      });
      return turn((last) => manager.find("Post", page(last)));
    },

    async arrays({ manager }) {
      const [ann, bob, cid] = await people(manager, "ann", "bob", "cid");
      const made = await manager.save("Group", { name: "a", memberIds: [ann, bob] });
      await manager.save("Group", { name: "b", memberIds: [] });
      await manager.update("Group", { name: "b" }, { memberIds: [cid] });
      return [
        made,
        await manager.find("Group", { order: { name: "asc" } }),
        await manager
          .createQueryBuilder("Group", "g")
          .where(":bob = any(g.memberIds)", { bob })
          .getMany(),
        await manager.findBy("Group", { memberIds: ArrayContains([ann]) }),
        await manager.find("Group", {
          where: { memberIds: ArrayOverlap([ann, cid]) },
          order: { name: "asc" },
        }),
      ];
    },

    async json({ manager }) {
      const [ann] = await people(manager, "ann");
      const [one] = await posts(manager, ann, 1, "one", "two");
      one.body = { by: ann, marks: [1, 2.5, null], deep: { é: true } };
      await manager.save("Post", one);
      const found = await manager
        .createQueryBuilder("Post", "o")
        .where("o.body @> :part", { part: { marks: [1] } })
        .getMany();
      const rows =
        await manager.query(`select json_agg(json_build_object('id', id, 'person', person_id)
        order by ordinal) as built, (select jsonb_agg(p) from people p) as people from posts`);
      return [one, found, rows];
    },

    async transaction({ manager }) {
      await manager.transaction((inner) => people(inner, "ann"));
      await manager
        .transaction(async (inner) => {
          await people(inner, "bob");
          throw new Error("no");
        })
        .catch((error) => error.message);
      await manager.transaction("SERIALIZABLE", async (inner) => {
        await people(inner, "cid");
        await inner.transaction((within) => people(within, "dan", "dan")).catch(() => {});
        await people(inner, "eve");
      });
      return manager.find("Person", { order: { name: "asc" } });
    },

    async cascade({ manager }) {
      const [ann, bob] = await people(manager, "ann", "bob");
      await manager.save("Post", {
        personId: ann,
        title: "one",
        ordinal: 1,
        tags: [{ name: "red" }],
      });
      await posts(manager, bob, 2, "two");
      const removed = await manager.remove(
        "Person",
        await manager.findOneBy("Person", { id: ann }),
      );
      return [
        removed,
        await manager.find("Post", { relations: { tags: true } }),
        await manager.find("Tag"),
      ];
    },

    async errors({ manager }) {
      const [ann, bob] = await people(manager, "ann", "bob");
      await manager.delete("Person", bob);
      return tried(
        () => people(manager, "ann"),
        () => manager.insert("Person", { id: ann, email: "x", name: "x" }),
        () => posts(manager, bob, 1, "x"),
        () => manager.insert("Post", { title: "x" }),
        () => manager.findOneBy("Person", { id: "not-a-uuid" }),
        () => manager.query("select name from people where id = 1"),
      );
    },

    async prepared({ manager }) {
      const rows = await repeated(20, async (at) => {
        const [id] = await people(manager, `p${at}`);
        return manager.findOne("Person", { where: { id }, select: { id: true, email: true } });
      });
      const ids = In(rows.map((row) => row.id));
      return [rows, await repeated(20, () => manager.countBy("Person", { id: ids }))];
    },

    async altered({ manager }) {
      await people(manager, "ann");
      const again = () => manager.query("select * from people where name = $1", ["ann"]);
      const before = await tried(...Array(8).fill(again));
      await manager.query("alter table people add column nick text default 'none'");
      return [before, await tried(...Array(4).fill(again)), await manager.find("Person")];
    },

    async introspect(source) {
      const runner = source.createQueryRunner();
      const tables = await runner.getTables(["people", "posts", "post_tags", "groups"]);
      await runner.release();
      const log = await source.driver.createSchemaBuilder().log();
      return [
        tables
          .map((table) => [
            table.name,
            table.columns.map(
              ({
                name,
                type,
                isArray,
                isNullable,
                isPrimary,
                isGenerated,
                generationStrategy,
                default: value,
              }) => [
                name,
                type,
                isArray,
                isNullable,
                isPrimary,
                isGenerated,
                generationStrategy,
                value,
              ],
            ),
            table.foreignKeys
              .map(({ name, columnNames, referencedTableName }) => [
                name,
                columnNames,
                referencedTableName,
              ])
              .sort(),
            table.uniques.map(({ name, columnNames }) => [name, columnNames]).sort(),
          ])
          .sort(),
        log.upQueries.map(({ query }) => query),
      ];
    },
  },
});
