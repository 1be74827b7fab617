"""asyncpg, which prepares everything and speaks binary."""

import json as text_of

import asyncpg
import features
from features import EMPTY, paged


async def connect(address):
    connection = await asyncpg.connect(**address._asdict())
    for name in ("json", "jsonb"):
        await connection.set_type_codec(
            name, schema="pg_catalog", encoder=text_of.dumps, decoder=text_of.loads
        )
    return connection


async def empty(connection):
    await connection.execute(EMPTY)


async def close(connection):
    await connection.close()


def fault(error):
    return getattr(error, "sqlstate", None), error


def told(error):
    return [
        type(error).__name__,
        error.sqlstate,
        getattr(error, "constraint_name", None),
        getattr(error, "message", str(error)),
        getattr(error, "detail", None),
    ]


def plain(records):
    return [list(record.items()) for record in records]


async def people(connection, *names):
    insert = "insert into people (email, name) values ($1, $2) returning id"
    return [await connection.fetchval(insert, f"{name}@example.org", name) for name in names]


async def posts(connection, person, *titles):
    insert = "insert into posts (person_id, title, ordinal) values ($1, $2, $3) returning id"
    last = await connection.fetchval("select coalesce(max(ordinal), 0) from posts")
    numbered = enumerate(titles, last + 1)
    return [await connection.fetchval(insert, person, title, at) for at, title in numbered]


async def tagged(connection, post, *names):
    for name in names:
        tag = await connection.fetchval("insert into tags (name) values ($1) returning id", name)
        await connection.execute("insert into post_tags values ($1, $2)", post, tag)


async def crud(connection):
    ann, bob = await people(connection, "ann", "bob")
    by_id = "select * from people where id = $1"
    read = await connection.fetchrow(by_id, ann)
    by_text = await connection.fetchrow(by_id, str(bob))
    change = "update people set name = $2, version = version + 1 where id = $1"
    changed = await connection.execute(change, ann, "Ann")
    after = await connection.fetchrow(by_id, ann)
    gone = await connection.execute("delete from people where id = $1", bob)
    none = await connection.fetchrow(by_id, bob)
    return [plain([read, by_text, after]), changed, gone, none]


async def returning(connection):
    [ann] = await people(connection, "ann")
    made = await connection.fetch(
        "insert into posts (person_id, title, ordinal) values ($1, 'b', 2), ($1, 'a', 1) returning *",
        ann,
    )
    changed = await connection.fetch(
        """update posts o set title = upper(title) from people p
           where p.id = o.person_id and p.id = $1 and o.ordinal = $2 returning o.id, p.id, o.title""",
        ann,
        1,
    )
    chained = await connection.fetch(
        """with moved as (delete from posts where person_id = $1 returning id, person_id, title)
           select m.id, p.id as person, m.title from moved m join people p on p.id = m.person_id
           order by m.title""",
        ann,
    )
    return [plain(sorted(made, key=lambda row: row["title"])), plain(changed), plain(chained)]


async def bulk(connection):
    ann, bob = await people(connection, "ann", "bob")
    insert = "insert into posts (person_id, title, ordinal) values ($1, $2, $3)"
    await connection.executemany(insert, [(ann, "one", 1), (bob, "two", 2)])
    made = await connection.fetchmany(f"{insert} returning id, title", [(ann, "three", 3), (bob, "four", 4)])
    columns = ["person_id", "title", "ordinal"]
    copied = await connection.copy_records_to_table(
        "posts", records=[(ann, "five", 5), (bob, "six", 6)], columns=columns
    )
    unnested = await connection.fetch(
        """insert into posts (person_id, title, ordinal)
           select * from unnest($1::uuid[], $2::text[], $3::int[]) returning id, person_id, title""",
        [ann, bob],
        ["seven", "eight"],
        [7, 8],
    )
    rows = "select id, person_id, title from posts order by ordinal"
    chunks = []

    async def keep(chunk):
        chunks.append(chunk)

    await connection.copy_from_query(rows, output=keep, format="csv")
    async with connection.transaction():
        cursor = connection.cursor(rows, prefetch=3)
        streamed = [record async for record in cursor]
    unnested.sort(key=lambda row: row["title"])
    told = b"".join(chunks).decode()
    return [plain(made), copied, plain(unnested), told, plain(streamed)]


async def upsert(connection):
    insert = """insert into people (email, name) values ($1, $2) on conflict (email) do update
        set name = excluded.name, version = people.version + 1
        returning id, name, version, xmax = 0 as is_new"""
    rows = [await connection.fetchrow(insert, "ann@example.org", name) for name in ("ann", "Ann")]
    again = "insert into people (email, name) values ($1, $2) on conflict do nothing returning id"
    nothing = await connection.fetch(again, "ann@example.org", "nobody")
    by_id = """insert into people (id, email, name) values ($1, $2, $3) on conflict (id) do update
        set email = excluded.email returning id, email, name"""
    saved = await connection.fetch(by_id, rows[0]["id"], "ann@example.net", "another")
    return [plain(rows), plain(nothing), plain(saved)]


async def eager(connection):
    ann, bob, _ = await people(connection, "ann", "bob", "cid")
    first, *_ = await posts(connection, ann, "one", "two")
    await posts(connection, bob, "three")
    await tagged(connection, first, "red", "blue")
    joined = await connection.fetch("""select p.id, p.email, o.id as post, o.person_id, o.title from people p
           left join posts o on o.person_id = p.id order by p.email, o.ordinal""")
    selected = await connection.fetch(
        "select person_id, id, title from posts where person_id = any($1) order by ordinal",
        [record["id"] for record in joined],
    )
    many = await connection.fetch(
        """select pt.post_id, t.id, t.name from tags t join post_tags pt on pt.tag_id = t.id
           where pt.post_id = any($1::uuid[]) order by t.name""",
        [record["id"] for record in selected],
    )
    whole = await connection.fetchrow(
        """select p, array_agg(t order by t.name) from people p, tags t where p.id = $1 group by p.id""",
        ann,
    )
    whole = [plain([whole[0], *whole[1]])]
    return [plain(joined), plain(selected), plain(many), whole]


async def keyset(connection):
    [ann] = await people(connection, "ann")
    await posts(connection, ann, *(f"t{number:02}" for number in range(12)))
    after = "select id, title from posts where $1::uuid is null or id > $1 order by id limit $2"
    pages = [await connection.fetch(after, None, 5)]
    while pages[-1]:
        pages.append(await connection.fetch(after, pages[-1][-1]["id"], 5))
    return paged(pages)


async def arrays(connection):
    ann, bob, cid = await people(connection, "ann", "bob", "cid")
    insert = "insert into groups (name, member_ids) values ($1, $2) returning id, member_ids"
    made = [await connection.fetchrow(insert, "a", [ann, bob]), await connection.fetchrow(insert, "b", [])]
    await connection.execute(
        "update groups set member_ids = array_append(member_ids, $1) where name = 'b'", cid
    )
    read = await connection.fetch("select name, member_ids, member_ids[1] as one from groups order by name")
    within = await connection.fetch("select name from groups where $1 = any(member_ids)", bob)
    overlap = await connection.fetch("select name from groups where member_ids && $1", [bob, ann])
    members = await connection.fetch(
        """select g.name, p.id, p.email from groups g join people p on p.id = any(g.member_ids)
           order by p.email"""
    )
    aggregated = await connection.fetchval("select array_agg(id order by email) from people")
    return [plain(made), plain(read), plain(within), plain(overlap), plain(members), aggregated]


async def json(connection):
    [ann] = await people(connection, "ann")
    await posts(connection, ann, "one", "two")
    body = {"by": str(ann), "marks": [1, 2.5, None], "deep": {"é": True}}
    change = "update posts set body = $1 where title = 'one' returning id, body"
    changed = await connection.fetch(change, body)
    parts = await connection.fetch(
        "select body->>'by' as by, body->$1 as marks from posts where body @> $2", "marks", {"marks": [1]}
    )
    built = await connection.fetch(
        """select p.id, json_agg(json_build_object('id', o.id, 'person', o.person_id, 'title', o.title)
           order by o.title) as posts from people p join posts o on o.person_id = p.id group by p.id"""
    )
    rows = await connection.fetch("select to_jsonb(o) as row from posts o order by title")
    return [plain(changed), plain(parts), plain(built), plain(rows)]


async def transaction(connection):
    async with connection.transaction():
        await people(connection, "ann")
    rolled = connection.transaction(isolation="serializable")
    await rolled.start()
    await people(connection, "bob")
    await rolled.rollback()
    async with connection.transaction():
        await people(connection, "cid")
        try:
            async with connection.transaction():
                await people(connection, "dan")
                await people(connection, "dan")
        except asyncpg.UniqueViolationError:
            pass
        await people(connection, "eve")
    return plain(await connection.fetch("select id, name from people order by name"))


async def cascade(connection):
    ann, bob = await people(connection, "ann", "bob")
    [post] = await posts(connection, ann, "one")
    await posts(connection, bob, "two")
    await tagged(connection, post, "red", "blue")
    gone = await connection.execute("delete from people where id = $1", ann)
    left = await connection.fetch("select id, person_id, title from posts")
    counts = await connection.fetch(
        "select (select count(*) from post_tags) as pairs, (select count(*) from tags) as tags"
    )
    return [gone, plain(left), plain(counts)]


async def errors(connection):
    ann, bob = await people(connection, "ann", "bob")
    await connection.execute("delete from people where id = $1", bob)
    results = []
    for sql, *parameters in [
        ("insert into people (email, name) values ($1, 'x')", "ann@example.org"),
        ("insert into people (id, email, name) values ($1, 'x', 'x')", ann),
        ("insert into posts (person_id, title) values ($1, 'x')", bob),
        ("insert into posts (person_id, title) values ($1, 'x')", None),
        ("select name from people where id = $1", "not-a-uuid"),
        ("select name from people where id = $1", 1),
        ("select name from people where id = 'not-a-uuid'",),
        ("select name from people where id = 1",),
    ]:
        try:
            results.append(plain(await connection.fetch(sql, *parameters)))
        except asyncpg.PostgresError as error:
            results.append(told(error))
        except asyncpg.DataError as error:
            results.append(str(error))
    return results


async def prepared(connection):
    select = await connection.prepare("select id, email, array[id] as ids from people where id = $1")
    rows = []
    for number in range(20):
        [id] = await people(connection, f"p{number}")
        rows.append(await select.fetchrow(id))
    types = [
        [each.name for each in select.get_parameters()],
        [[each.name, each.type.name] for each in select.get_attributes()],
    ]
    by_ids = "select count(*) from people where id = any($1)"
    counted = [await connection.fetchval(by_ids, [row["id"] for row in rows]) for _ in range(20)]
    return [types, plain(rows), counted]


async def altered(connection):
    await people(connection, "ann")
    results = []

    # Outside of a transaction the library prepares anew by itself.
    async def repeated(times):
        for _ in range(times):
            rows = await connection.fetch("select * from people where email = $1", "ann@example.org")
            results.append(plain(rows))

    await repeated(3)
    await connection.execute("alter table people add column nick text default 'none'")
    await repeated(2)
    await connection.execute("alter table people add column rank int default 3")
    async with connection.transaction():
        try:
            await connection.fetch("select * from people where email = $1", "ann@example.org")
        except asyncpg.PostgresError as error:
            results.append(told(error))
    await repeated(2)
    return results


async def introspect(connection):
    described = []
    for sql in (
        "select * from people where id = $1",
        "select * from posts",
        "select * from groups",
        "insert into groups (member_ids) values ($1) returning *",
    ):
        statement = await connection.prepare(sql)
        described.append(
            [
                [each.name for each in statement.get_parameters()],
                [[each.name, each.type.name, each.type.kind] for each in statement.get_attributes()],
            ]
        )
    columns = await connection.fetch("""select table_name, column_name, data_type, udt_name, column_default
           from information_schema.columns where table_schema = 'public'
           order by table_name, ordinal_position""")
    return [described, [list(column) for column in columns]]


if __name__ == "__main__":
    features.run(__name__)
