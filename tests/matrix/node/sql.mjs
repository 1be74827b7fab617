// What drivers do in words of SQL. `ask` takes a text and its parameters, and gives the rows.

import { repeated, tried, turn } from "./features.mjs";

export const columns = `select table_name, column_name, data_type, udt_name, column_default
  from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`;

export async function people(ask, ...names) {
  const ids = [];
  for (const name of names) {
    const insert = "insert into people (email, name) values ($1, $2) returning id";
    ids.push((await ask(insert, [`${name}@example.org`, name]))[0].id);
  }
  return ids;
}

export async function posts(ask, person, ...titles) {
  const ids = [];
  for (const title of titles) {
    const insert = `insert into posts (person_id, title, ordinal)
      select $1, $2, coalesce(max(ordinal), 0) + 1 from posts returning id`;
    ids.push((await ask(insert, [person, title]))[0].id);
  }
  return ids;
}

export async function tagged(ask, post, ...names) {
  for (const name of names) {
    const [tag] = await ask("insert into tags (name) values ($1) returning id", [name]);
    await ask("insert into post_tags (post_id, tag_id) values ($1, $2)", [post, tag.id]);
  }
}

export const features = {
  async crud(ask) {
    const [ann, bob] = await people(ask, "ann", "bob");
    const byId = "select * from people where id = $1";
    const read = await ask(byId, [ann]);
    const change = "update people set name = $2, version = version + 1 where id = $1";
    await ask(change, [ann, "Ann"]);
    const after = await ask(byId, [ann.toUpperCase()]);
    const gone = await ask("delete from people where id = $1 returning *", [bob]);
    return [read, after, gone, await ask(byId, [bob])];
  },

  async returning(ask) {
    const [ann] = await people(ask, "ann");
    const made = await ask(
      `insert into posts (person_id, title, ordinal) values ($1, 'b', 2), ($1, 'a', 1) returning *`,
      [ann],
    );
    made.sort((a, b) => a.ordinal - b.ordinal);
    const changed = await ask(
      `update posts o set title = upper(title) from people p where p.id = o.person_id and p.id = $1
       and o.ordinal = $2 returning o.id, p.id as person, o.title`,
      [ann, 1],
    );
    const chained = await ask(
      `with moved as (delete from posts where person_id = $1 returning id, person_id, title)
       select m.id, p.id as person, m.title from moved m join people p on p.id = m.person_id
       order by m.title`,
      [ann],
    );
    return [made, changed, chained];
  },

  async upsert(ask) {
    const insert = `insert into people (email, name) values ($1, $2) on conflict (email) do update
      set name = excluded.name, version = people.version + 1
      returning id, name, version, xmax = 0 as is_new`;
    const rows = await repeated(3, (at) => ask(insert, ["ann@example.org", `ann${at}`]));
    const again =
      "insert into people (email, name) values ($1, 'x') on conflict do nothing returning id";
    const nothing = await ask(again, ["ann@example.org"]);
    const byId = `insert into people (id, email, name) values ($1, $2, 'x') on conflict (id)
      do update set email = excluded.email returning id, email, name`;
    return [rows, nothing, await ask(byId, [rows[0][0].id, "ann@example.net"])];
  },

  async eager(ask) {
    const [ann, bob] = await people(ask, "ann", "bob", "cid");
    const [first] = await posts(ask, ann, "one", "two");
    await posts(ask, bob, "three");
    await tagged(ask, first, "red", "blue");
    const joined = await ask(
      `select p.id, p.email, o.id as post, o.person_id, o.title from people p
       left join posts o on o.person_id = p.id order by p.email, o.ordinal`,
    );
    const selected = await ask(
      "select person_id, id, title from posts where person_id = any($1) order by ordinal",
      [joined.map((row) => row.id)],
    );
    const many = await ask(
      `select pt.post_id, t.id, t.name from tags t join post_tags pt on pt.tag_id = t.id
       where pt.post_id = any($1::uuid[]) order by t.name`,
      [selected.map((row) => row.id)],
    );
    return [joined, selected, many];
  },

  async keyset(ask) {
    const [ann] = await people(ask, "ann");
    await posts(ask, ann, ...Array.from({ length: 12 }, (_, at) => `t${at}`));
    return [
      await turn((last) =>
        last
          ? ask("select id, title from posts where id > $1 order by id limit $2", [last.id, 5])
          : ask("select id, title from posts order by id limit $1", [5]),
      ),
      await turn((last) =>
        last
          ? ask(
              `select id, title, person_id from posts where (person_id, id) > ($1, $2)
               order by person_id, id limit 5`,
              [last.person_id, last.id],
            )
          : ask("select id, title, person_id from posts order by person_id, id limit 5"),
      ),
    ];
  },

  async arrays(ask) {
    const [ann, bob, cid] = await people(ask, "ann", "bob", "cid");
    const insert = "insert into groups (name, member_ids) values ($1, $2) returning id, member_ids";
    const made = [await ask(insert, ["a", [ann, bob]]), await ask(insert, ["b", []])];
    const append = "update groups set member_ids = array_append(member_ids, $1) where name = 'b'";
    await ask(append, [cid]);
    return [
      made,
      await ask("select name, member_ids, member_ids[1] as one from groups order by name"),
      await ask("select name from groups where $1 = any(member_ids)", [bob]),
      await ask("select name from groups where member_ids && $1", [[bob, ann]]),
      await ask(`select g.name, p.id, p.email from groups g join people p on p.id = any(g.member_ids)
        order by p.email`),
      await ask("select array_agg(id order by email) as ids from people"),
    ];
  },

  async json(ask, document = (value) => value) {
    const [ann] = await people(ask, "ann");
    await posts(ask, ann, "one", "two");
    const body = { by: ann, marks: [1, 2.5, null], deep: { é: true } };
    const change = "update posts set body = $1 where title = 'one' returning id, body";
    return [
      await ask(change, [document(body)]),
      await ask("select body->>'by' as by, body->'marks' as marks from posts where body @> $1", [
        document({ marks: [1] }),
      ]),
      await ask(`select p.id, json_agg(json_build_object('id', o.id, 'person', o.person_id, 'title',
        o.title) order by o.title) as posts from people p join posts o on o.person_id = p.id
        group by p.id`),
      await ask("select to_jsonb(o) as row from posts o order by title"),
    ];
  },

  async cascade(ask) {
    const [ann, bob] = await people(ask, "ann", "bob");
    const [post] = await posts(ask, ann, "one");
    await posts(ask, bob, "two");
    await tagged(ask, post, "red", "blue");
    const gone = await ask("delete from people where id = $1 returning id", [ann]);
    const left = await ask("select id, person_id, title from posts");
    const counts = `select (select count(*) from post_tags) as pairs,
      (select count(*) from tags) as tags`;
    return [gone, left, await ask(counts)];
  },

  async errors(ask) {
    const [ann, bob] = await people(ask, "ann", "bob");
    await ask("delete from people where id = $1", [bob]);
    const post = "insert into posts (person_id, title) values ($1, 'x')";
    return tried(
      () => ask("insert into people (email, name) values ($1, 'x')", ["ann@example.org"]),
      () => ask("insert into people (id, email, name) values ($1, 'x', 'x')", [ann]),
      () => ask(post, [bob]),
      () => ask(post, [null]),
      () => ask("select name from people where id = $1", ["not-a-uuid"]),
      () => ask("select name from people where id = $1", ["5b1c9e70-42d8-4f36-9a07-c3e4d2f1b680"]),
      () => ask("select name from people where id = 1"),
    );
  },

  async prepared(ask) {
    const rows = await repeated(20, async (at) => {
      const [id] = await people(ask, `p${at}`);
      return (await ask("select id, email, array[id] as ids from people where id = $1", [id]))[0];
    });
    const ids = rows.map((row) => row.id);
    const counted = "select count(*) from people where id = any($1)";
    return [rows, await repeated(20, () => ask(counted, [ids]))];
  },

  async altered(ask) {
    await people(ask, "ann");
    const again = () => ask("select * from people where email = $1", ["ann@example.org"]);
    const before = await tried(...Array(8).fill(again));
    await ask("alter table people add column nick text default 'none'");
    return [before, await tried(...Array(4).fill(again))];
  },

  async introspect(ask) {
    const keys = `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as said
      from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'f', 'u')
      order by 1, 2`;
    return [await ask(columns), await ask(keys)];
  },
};
