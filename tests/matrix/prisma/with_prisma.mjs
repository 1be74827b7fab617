// Prisma by its adapter for node-postgres.

import { PrismaPg } from "@prisma/adapter-pg";
import { Prisma, PrismaClient } from "@prisma/client";
import { empty, repeated, run, told, tried, turn } from "../node/features.mjs";
import { pulled } from "./prisma_schema.mjs";

const person = (name) => ({ email: `${name}@example.org`, name });

async function people(db, ...names) {
  const ids = [];
  for (const name of names) ids.push((await db.person.create({ data: person(name) })).id);
  return ids;
}

async function posts(db, personId, first, ...titles) {
  const data = titles.map((title, at) => ({ personId, title, ordinal: first + at }));
  return db.post.createManyAndReturn({ data });
}

// What the database says is beside the client's own words.
const attempts = (...acts) =>
  tried(
    ...acts.map((act) => async () => {
      try {
        return await act();
      } catch (error) {
        const { driverAdapterError, ...meta } = error.meta ?? {};
        return [...told(error), error.code, meta, driverAdapterError?.cause];
      }
    }),
  );

await run({
  async connect(address) {
    const names = new Map();
    const statementNameGenerator = ({ sql }) => {
      if (!names.has(sql)) names.set(sql, `s${names.size}`);
      return names.get(sql);
    };
    const adapter = new PrismaPg({ ...address, max: 1 }, { statementNameGenerator });
    const db = new PrismaClient({ adapter, errorFormat: "minimal" });
    return { db, address };
  },
  empty: ({ db }) => db.$executeRawUnsafe(empty),
  close: ({ db }) => db.$disconnect(),
  features: {
    async crud({ db }) {
      const [ann, bob] = await people(db, "ann", "bob");
      const read = await db.person.findUnique({ where: { id: ann } });
      const changed = await db.person.update({
        where: { id: ann, version: read.version },
        data: { name: "Ann", version: { increment: 2 } },
      });
      const many = await db.person.updateMany({ where: { id: bob }, data: { name: "Bob" } });
      const gone = await db.person.delete({ where: { id: bob } });
      const none = await db.person.deleteMany({ where: { id: { in: [bob] } } });
      return [
        read,
        changed,
        many,
        gone,
        none,
        await db.person.findUnique({ where: { id: bob } }),
        await db.person.findMany(),
        await db.person.count(),
      ];
    },

    async returning({ db }) {
      const [ann] = await people(db, "ann");
      const made = await posts(db, ann, 1, "a", "b");
      const changed = await db.post.updateManyAndReturn({
        where: { personId: ann, ordinal: { lte: 1 } },
        data: { title: "A" },
        select: { id: true, title: true, person: true },
      });
      const gone = await db.$queryRaw`delete from posts where person_id = ${ann}::uuid
        and ordinal = 2 returning id, person_id, title`;
      return [made, changed, gone];
    },

    async bulk({ db }) {
      const [ann, bob] = await people(db, "ann", "bob");
      const data = Array.from({ length: 7 }, (_, at) => ({
        personId: at % 2 ? ann : bob,
        title: `t${at}`,
        ordinal: at,
      }));
      const made = await db.post.createManyAndReturn({ data, select: { id: true, title: true } });
      const again = await db.post.createMany({
        data: [...data, { personId: ann, title: "t7", ordinal: 7 }],
        skipDuplicates: true,
      });
      const nested = await db.person.create({
        data: { ...person("cid"), posts: { createMany: { data: [{ title: "t8", ordinal: 8 }] } } },
        include: { posts: true },
      });
      const found = await db.post.findMany({
        where: { id: { in: made.map(({ id }) => id) } },
        orderBy: { ordinal: "asc" },
      });
      const grouped = await db.post.groupBy({
        by: "personId",
        _count: true,
        _max: { ordinal: true },
        orderBy: { _max: { ordinal: "asc" } },
      });
      return [made, again, nested, found, grouped];
    },

    async upsert({ db }) {
      const rows = await repeated(3, (at) => {
        const { email } = person("ann");
        return db.person.upsert({
          where: { email },
          create: { email, name: `ann${at}` },
          update: { name: `ann${at}`, version: { increment: 1 } },
        });
      });
      const { id } = rows[0];
      const byId = await db.person.upsert({
        where: { id },
        create: { id, ...person("x") },
        update: { name: "by id" },
      });
      const slow = await db.person.upsert({
        where: { id, posts: { none: {} } },
        create: person("x"),
        update: { posts: { create: { title: "one", ordinal: 1 } } },
        include: { posts: true },
      });
      const connected = await db.post.create({
        data: {
          title: "two",
          person: {
            connectOrCreate: { where: { email: "bob@example.org" }, create: person("bob") },
          },
        },
        include: { person: true },
      });
      const ignored = await db.person.createMany({ data: person("ann"), skipDuplicates: true });
      return [rows, byId, slow, connected, ignored];
    },

    async eager({ db }) {
      const [ann, bob] = await people(db, "ann", "bob", "cid");
      const [first] = await posts(db, ann, 1, "one", "two");
      await posts(db, bob, 3, "three");
      for (const name of ["red", "blue"])
        await db.postTag.create({
          data: { post: { connect: { id: first.id } }, tag: { create: { name } } },
        });
      const nested = {
        orderBy: { ordinal: "asc" },
        include: { tags: { include: { tag: true }, orderBy: { tag: { name: "asc" } } } },
      };
      const orderBy = { email: "asc" };
      const loaded = [];
      for (const relationLoadStrategy of ["join", "query"])
        loaded.push(
          await db.person.findMany({ relationLoadStrategy, include: { posts: nested }, orderBy }),
          await db.post.findMany({
            relationLoadStrategy,
            select: { id: true, title: true, person: { select: { id: true, name: true } } },
            orderBy: { ordinal: "asc" },
          }),
          await db.person.findMany({
            relationLoadStrategy,
            include: { posts: { take: 1, orderBy: { ordinal: "desc" } } },
            orderBy,
            take: 2,
          }),
        );
      const red = { some: { tags: { some: { tag: { name: "red" } } } } };
      const filtered = await db.person.findMany({ where: { posts: red } });
      const none = await db.person.findMany({ where: { posts: { none: {} } } });
      const counted = await db.person.findMany({
        select: { id: true, _count: { select: { posts: true } } },
        orderBy: { posts: { _count: "desc" } },
      });
      const batched = await Promise.all(
        [ann, bob].map((id) => db.person.findUnique({ where: { id } }).posts(nested)),
      );
      return [loaded, filtered, none, counted, batched];
    },

    async keyset({ db }) {
      const [ann] = await people(db, "ann");
      await posts(db, ann, 1, ...Array.from({ length: 12 }, (_, at) => `t${at}`));
      const page = (orderBy) => (last) =>
        db.post.findMany({
          ...(last && { cursor: { id: last.id }, skip: 1 }),
          take: 5,
          orderBy,
        });
      return [
        await turn(page({ id: "asc" })),
        await turn(page([{ personId: "asc" }, { id: "desc" }])),
        await turn((last) =>
          db.post.findMany({
            where: { id: last && { gt: last.id } },
            take: 5,
            orderBy: { id: "asc" },
          }),
        ),
      ];
    },

    async arrays({ db }) {
      const [ann, bob, cid] = await people(db, "ann", "bob", "cid");
      const made = await db.group.create({ data: { name: "a", memberIds: [ann, bob] } });
      const { id } = await db.group.create({ data: { name: "b" } });
      const pushed = await db.group.update({
        where: { id },
        data: { memberIds: { push: [cid] } },
      });
      const orderBy = { name: "asc" };
      const found = (memberIds) => db.group.findMany({ where: { memberIds }, orderBy });
      return [
        made,
        pushed,
        await found({ has: bob }),
        await found({ hasEvery: [ann, bob] }),
        await found({ hasSome: [ann, cid] }),
        await found({ isEmpty: true }),
        await found({ equals: [cid] }),
        await db.person.findMany({ where: { id: { in: made.memberIds } }, orderBy }),
      ];
    },

    async json({ db }) {
      const [ann] = await people(db, "ann");
      const [one] = await posts(db, ann, 1, "one", "two");
      const body = { by: ann, marks: [1, 2.5, null], deep: { é: true } };
      const changed = await db.post.update({ where: { id: one.id }, data: { body } });
      const found = (body) => db.post.findMany({ where: { body } });
      return [
        changed,
        await found({ path: ["by"], equals: ann }),
        await found({ path: ["by"], string_starts_with: ann.slice(0, 8) }),
        await found({ path: ["marks"], array_contains: [2.5] }),
        await found({ equals: Prisma.DbNull }),
        await db.$queryRaw`select json_agg(json_build_object('id', id, 'person', person_id)
          order by ordinal) as built, (select jsonb_agg(p) from people p) as people from posts`,
      ];
    },

    async transaction({ db }) {
      const both = await db.$transaction([
        db.person.create({ data: person("ann") }),
        db.person.update({ where: { email: "ann@example.org" }, data: { name: "Ann" } }),
      ]);
      const failed = await attempts(
        () =>
          db.$transaction(async (inner) => {
            await people(inner, "bob");
            throw new Error("no");
          }),
        () =>
          db.$transaction(["bob", "ann"].map((name) => db.person.create({ data: person(name) }))),
      );
      await db.$transaction(
        async (outer) => {
          await people(outer, "cid");
          await outer.$transaction((inner) => people(inner, "dan", "dan")).catch(() => {});
          await people(outer, "eve");
        },
        { isolationLevel: "Serializable" },
      );
      return [both, failed, await db.person.findMany({ orderBy: { name: "asc" } })];
    },

    async cascade({ db }) {
      const [ann, bob] = await people(db, "ann", "bob");
      await posts(db, bob, 2, "two");
      const post = {
        title: "one",
        ordinal: 1,
        tags: { create: { tag: { create: { name: "red" } } } },
      };
      const written = await db.person.update({
        where: { id: ann },
        data: { posts: { create: post } },
        include: { posts: { include: { tags: true } } },
      });
      const gone = await db.person.delete({ where: { id: ann }, include: { posts: true } });
      return [
        written,
        gone,
        await db.post.findMany(),
        await db.tag.findMany({ include: { posts: true } }),
      ];
    },

    async errors({ db }) {
      const [ann, bob] = await people(db, "ann", "bob");
      await db.person.delete({ where: { id: bob } });
      return attempts(
        () => people(db, "ann"),
        () => db.person.create({ data: { id: ann, email: "x", name: "x" } }),
        () => posts(db, bob, 1, "x"),
        () => db.post.create({ data: { title: "x", person: { connect: { id: bob } } } }),
        () => db.person.findUnique({ where: { id: "not-a-uuid" } }),
        () => db.person.findUniqueOrThrow({ where: { id: bob } }),
        () => db.person.update({ where: { id: bob }, data: { name: "x" } }),
        () => db.$queryRaw`select name from people where id = ${"not-a-uuid"}::uuid`,
        () => db.$queryRaw`select name from people where id = ${ann}`,
        () => db.$queryRaw`select name from people where id = 1`,
      );
    },

    async prepared({ db }) {
      const rows = await repeated(20, async (at) => {
        const [id] = await people(db, `p${at}`);
        return db.person.findUnique({ where: { id }, select: { id: true, email: true } });
      });
      const ids = rows.map(({ id }) => id);
      return [
        rows,
        await repeated(20, () => db.person.count({ where: { id: { in: ids } } })),
        await repeated(
          20,
          (at) => db.$queryRaw`select id, array[id] as ids from people where id = ${ids[at]}::uuid`,
        ),
      ];
    },

    async altered({ db }) {
      await people(db, "ann");
      const again = () => db.$queryRaw`select * from people where name = ${"ann"}`;
      const found = () => db.person.findMany({ where: { name: "ann" } });
      const before = await attempts(...Array(8).fill(again), found);
      await db.$executeRaw`alter table people add column nick text default 'none'`;
      return [before, await attempts(...Array(4).fill(again), found)];
    },

    introspect: ({ address }) => pulled(address),
  },
});
