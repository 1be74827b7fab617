// postgres.js, which prepares what its templates say.

import postgres from "postgres";
import { empty, repeated, run, told } from "./features.mjs";
import { features, people } from "./sql.mjs";

const asking = (sql) => async (text, values) => [
  ...(await sql.unsafe(text, values, { prepare: true })),
];

await run({
  connect: (address) => postgres({ ...address, max: 1, onnotice: () => {} }),
  empty: (sql) => sql.unsafe(empty),
  close: (sql) => sql.end(),
  features: {
    ...Object.fromEntries(
      Object.entries(features).map(([name, act]) => [name, (sql) => act(asking(sql))]),
    ),

    async crud(sql) {
      const [ann] =
        await sql`insert into people ${sql({ email: "ann@example.org", name: "ann" })} returning *`;
      const change = { name: "Ann", version: 2 };
      const changed =
        await sql`update people set ${sql(change)} where id = ${ann.id} returning ${sql(["id", "name"])}`;
      const read = await sql`select * from people where id in ${sql([ann.id])}`;
      const gone = await sql`delete from people where id = ${ann.id}`;
      return [ann, changed, read, gone.count, await features.crud(asking(sql))];
    },

    async bulk(sql) {
      const [ann, bob] = await people(asking(sql), "ann", "bob");
      const rows = ["one", "two", "three"].map((title, at) => ({
        person_id: at % 2 ? ann : bob,
        title,
        ordinal: at,
      }));
      const made = await sql`insert into posts ${sql(rows)} returning id, title`;
      const values = [
        [rows[0].person_id, 10],
        [rows[1].person_id, 11],
      ];
      const updated = await sql`update posts set ordinal = (v.ordinal)::int
        from (values ${sql(values)}) as v (person, ordinal)
        where person_id = v.person::uuid and title <> 'three' returning posts.id, posts.ordinal`;
      const copy = await sql`copy posts (person_id, title, ordinal) from stdin`.writable();
      await new Promise((done, failed) => {
        copy.on("finish", done).on("error", failed);
        copy.end(`${ann}\tfour\t4\n${bob}\tfive\t5\n`);
      });
      const copied = [];
      const readable =
        await sql`copy (select id, person_id, title from posts order by title) to stdout`.readable();
      for await (const chunk of readable) copied.push(chunk.toString());
      const streamed = [];
      await sql`select id, title from posts order by title`.cursor(2, (page) => {
        streamed.push([...page]);
      });
      updated.sort((a, b) => a.ordinal - b.ordinal);
      return [
        made.sort((a, b) => a.title.localeCompare(b.title)),
        updated,
        copied.join(""),
        streamed,
      ];
    },

    json: (sql) => features.json(asking(sql), (value) => sql.json(value)),

    async transaction(sql) {
      await sql.begin((inner) => people(asking(inner), "ann"));
      const rolled = await sql
        .begin(async (inner) => {
          await people(asking(inner), "bob");
          throw new Error("no");
        })
        .catch((error) => error.message);
      await sql.begin("isolation level serializable", async (inner) => {
        await people(asking(inner), "cid");
        await inner.savepoint((within) => people(asking(within), "dan", "dan")).catch(told);
        await people(asking(inner), "eve");
      });
      const pipelined = await sql.begin((inner) => [
        inner`select id from people where name = ${"ann"}`,
        inner`select name from people where id = any(${[]}::uuid[])`,
      ]);
      return [rolled, pipelined, await sql`select id, name from people order by name`];
    },

    async prepared(sql) {
      const base = await features.prepared(asking(sql));
      const once = await repeated(
        20,
        (at) => sql`select id, name from people where email = ${`p${at}@example.org`}`,
      );
      return [base, once];
    },

    async altered(sql) {
      await people(asking(sql), "ann");
      // The library prepares anew by itself.
      const again = () => sql`select * from people where email = ${"ann@example.org"}`;
      const before = await repeated(8, again);
      await sql`alter table people add column nick text default 'none'`;
      return [before, await repeated(4, again)];
    },

    async introspect(sql) {
      const described = [];
      for (const table of ["people", "posts", "groups"]) {
        const { columns, types } =
          await sql`select * from ${sql(table)} where id = ${null}`.describe();
        described.push([types, columns.map((column) => [column.name, column.type])]);
      }
      return [described, await features.introspect(asking(sql))];
    },
  },
});
