// node-postgres.

import pg from "pg";
import QueryStream from "pg-query-stream";
import { empty, repeated, run } from "./features.mjs";
import { features, people } from "./sql.mjs";

// The way of most applications: a text and its parameters.
const asking = (client) => async (text, values) => (await client.query(text, values)).rows;
// Statements that have a name are prepared once.
const named = (client) => {
  const names = new Map();
  return async (text, values) => {
    if (!names.has(text)) names.set(text, `statement_${names.size}`);
    return (await client.query({ name: names.get(text), text, values })).rows;
  };
};

await run({
  async connect(address) {
    const client = new pg.Client(address);
    await client.connect();
    return client;
  },
  empty: (client) => client.query(empty),
  close: (client) => client.end(),
  features: {
    ...Object.fromEntries(
      Object.entries(features).map(([name, act]) => [name, (client) => act(asking(client))]),
    ),

    async bulk(client) {
      const ask = asking(client);
      const [ann, bob] = await people(ask, "ann", "bob");
      const made = await ask(
        `insert into posts (person_id, title, ordinal)
         values ($1, $2, $3), ($4, $5, $6), ($7, $8, $9) returning id, title`,
        [ann, "one", 1, bob, "two", 2, ann, "three", 3],
      );
      const unnested = await ask(
        `insert into posts (person_id, title, ordinal)
         select * from unnest($1::uuid[], $2::text[], $3::int[]) returning id, person_id, title`,
        [
          [ann, bob],
          ["four", "five"],
          [4, 5],
        ],
      );
      const byTitle = (a, b) => a.title.localeCompare(b.title);
      const several = await client.query(
        "select id from people where name = 'ann'; select count(*) from posts",
      );
      const streamed = [];
      const stream = new QueryStream("select id, title from posts order by title", [], {
        batchSize: 2,
      });
      for await (const row of client.query(stream)) streamed.push(row);
      return [
        made.sort(byTitle),
        unnested.sort(byTitle),
        several.map((result) => result.rows),
        streamed,
      ];
    },

    async transaction(client) {
      const ask = asking(client);
      await client.query("begin");
      await people(ask, "ann");
      await client.query("commit");
      await client.query("begin");
      await people(ask, "bob");
      await client.query("rollback");
      await client.query("begin isolation level serializable");
      await people(ask, "cid");
      await client.query("savepoint before");
      await people(ask, "dan");
      await people(ask, "dan").catch(() => client.query("rollback to savepoint before"));
      await people(ask, "eve");
      await client.query("commit");
      return ask("select id, name from people order by name");
    },

    prepared: async (client) => [
      await features.prepared(named(client)),
      await repeated(2, () => features.crud(named(client)).catch((error) => error.code)),
    ],
    altered: (client) => features.altered(named(client)),

    async introspect(client) {
      const fields = [];
      for (const table of ["people", "posts", "groups"]) {
        const result = await client.query(`select * from ${table}`);
        fields.push(
          result.fields.map((field) => [field.name, field.dataTypeID, field.dataTypeSize]),
        );
      }
      return [fields, await features.introspect(asking(client))];
    },
  },
});
