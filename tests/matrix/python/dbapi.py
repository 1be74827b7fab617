"""Features in the words of PEP 249, which psycopg 3, psycopg2 and pg8000 share. What these have of
their own stands with each of them."""

from contextlib import closing

from features import EMPTY, paged


def ask(connection, sql, parameters=()):
    """The rows of a statement, or how many it has changed."""
    with closing(connection.cursor()) as cursor:
        cursor.execute(sql, parameters)
        if cursor.description is None:
            return cursor.rowcount
        return [list(row) for row in cursor.fetchall()]


def empty(connection):
    ask(connection, EMPTY)
    connection.commit()


def close(connection):
    connection.close()


def people(connection, *names):
    insert = "insert into people (email, name) values (%s, %s) returning id"
    return [ask(connection, insert, (f"{name}@example.org", name))[0][0] for name in names]


def posts(connection, person, *titles):
    insert = "insert into posts (person_id, title, ordinal) values (%s, %s, %s) returning id"
    [[last]] = ask(connection, "select coalesce(max(ordinal), 0) from posts")
    numbered = enumerate(titles, last + 1)
    return [ask(connection, insert, (person, title, at))[0][0] for at, title in numbered]


def tagged(connection, post, *names):
    insert = "insert into tags (name) values (%s) returning id"
    ids = [ask(connection, insert, (name,))[0][0] for name in names]
    for tag in ids:
        ask(connection, "insert into post_tags (post_id, tag_id) values (%s, %s)", (post, tag))
    return ids


def crud(connection):
    ann, bob = people(connection, "ann", "bob")
    by_id = "select id, email, name, version from people where id = %s"
    read = ask(connection, by_id, (ann,))
    by_text = ask(connection, by_id, (str(bob),))
    change = "update people set name = %s, version = version + 1 where id = %s"
    changed = ask(connection, change, ("Ann", ann))
    after = ask(connection, by_id, (ann,))
    gone = ask(connection, "delete from people where id = %s", (bob,))
    none = ask(connection, by_id, (bob,))
    connection.commit()
    return [read, by_text, changed, after, gone, none, ask(connection, "select count(*) from people")]


def returning(connection):
    [ann] = people(connection, "ann")
    made = ask(
        connection,
        "insert into posts (person_id, title, ordinal) values (%s, 'b', 2), (%s, 'a', 1) returning *",
        (ann, ann),
    )
    made.sort(key=lambda row: row[2])
    changed = ask(
        connection,
        """update posts o set title = upper(title) from people p
           where p.id = o.person_id and p.email = %s and o.ordinal = 1
           returning o.id, p.id, o.title""",
        ("ann@example.org",),
    )
    chained = ask(
        connection,
        """with moved as (delete from posts where person_id = %s returning id, person_id, title)
           select m.id, p.id, m.title, p.name from moved m join people p on p.id = m.person_id
           order by m.title""",
        (ann,),
    )
    return [made, changed, chained]


def upsert(connection):
    insert = """insert into people (email, name) values (%s, %s) on conflict (email) do update
        set name = excluded.name, version = people.version + 1
        returning id, name, version, xmax = 0"""
    rows = [ask(connection, insert, ("ann@example.org", name)) for name in ("ann", "Ann", "ANN")]
    ann = rows[0][0][0]
    again = "insert into people (email, name) values (%s, %s) on conflict do nothing returning id"
    nothing = ask(connection, again, ("ann@example.org", "nobody"))
    by_id = """insert into people (id, email, name) values (%s, %s, %s) on conflict (id) do update
        set email = excluded.email returning id, email, name"""
    saved = ask(connection, by_id, (ann, "ann@example.net", "another"))
    return [rows, nothing, saved]


def eager(connection):
    ann, bob, _ = people(connection, "ann", "bob", "cid")
    first, *_ = posts(connection, ann, "one", "two")
    posts(connection, bob, "three")
    tagged(connection, first, "red", "blue")
    joined = ask(
        connection,
        """select p.id, p.email, o.id, o.person_id, o.title from people p
           left join posts o on o.person_id = p.id order by p.email, o.ordinal""",
    )
    ids = [id for [id] in ask(connection, "select id from people order by email")]
    selected = ask(
        connection,
        "select person_id, id, title from posts where person_id = any(%s) order by ordinal",
        (ids,),
    )
    many = ask(
        connection,
        """select pt.post_id, t.id, t.name from tags t join post_tags pt on pt.tag_id = t.id
           where pt.post_id = any(%s) order by t.name""",
        ([row[1] for row in selected],),
    )
    return [joined, selected, many]


def keyset(connection):
    [ann] = people(connection, "ann")
    posts(connection, ann, *(f"t{number:02}" for number in range(12)))
    pages = [ask(connection, "select id, title from posts order by id limit 5")]
    while pages[-1]:
        after = "select id, title from posts where id > %s order by id limit 5"
        pages.append(ask(connection, after, (pages[-1][-1][0],)))
    rows = [ask(connection, "select id, title from posts order by person_id, id limit 5")]
    while rows[-1]:
        after = """select id, title from posts where (person_id, id) > (%s, %s)
            order by person_id, id limit 5"""
        rows.append(ask(connection, after, (ann, rows[-1][-1][0])))
    return [paged(pages), paged(rows)]


def arrays(connection):
    ann, bob, cid = people(connection, "ann", "bob", "cid")
    insert = "insert into groups (name, member_ids) values (%s, %s) returning id, member_ids"
    made = [ask(connection, insert, (name, ids)) for name, ids in [("a", [ann, bob]), ("b", [])]]
    ask(
        connection,
        "update groups set member_ids = array_append(member_ids, %s) where name = 'b'",
        (cid,),
    )
    read = "select id, name, member_ids, cardinality(member_ids) from groups order by name"
    within = ask(connection, "select name from groups where %s = any(member_ids)", (bob,))
    members = ask(
        connection,
        """select g.name, p.id, p.email from groups g join people p on p.id = any(g.member_ids)
           order by p.email""",
    )
    unnested = ask(
        connection,
        """select g.name, m.id from groups g, unnest(g.member_ids) with ordinality m (id, at)
           order by g.name, m.at""",
    )
    aggregated = ask(connection, "select array_agg(id order by email) from people")
    return [made, ask(connection, read), within, members, unnested, aggregated]


def json(connection, document=lambda value: value):
    [ann] = people(connection, "ann")
    posts(connection, ann, "one", "two")
    body = {"by": str(ann), "marks": [1, 2.5, None], "deep": {"é": True}}
    change = "update posts set body = %s where title = 'one' returning id, body"
    changed = ask(connection, change, (document(body),))
    parts = ask(
        connection,
        """select body->>'by', body->'marks', body #>> '{deep,é}' from posts
           where body @> '{"marks": [1]}'""",
    )
    built = ask(
        connection,
        """select p.id, json_agg(json_build_object('id', o.id, 'person', o.person_id,
           'title', o.title) order by o.title) from people p join posts o on o.person_id = p.id
           group by p.id""",
    )
    rows = ask(connection, "select row_to_json(o) from posts o order by title")
    nested = ask(
        connection,
        """select to_jsonb(p) || jsonb_build_object('posts', (select jsonb_agg(to_jsonb(o)
           order by o.title) from posts o where o.person_id = p.id)) from people p""",
    )
    return [changed, parts, built, rows, nested]


def transaction(connection):
    names = "select id, name from people order by name"
    people(connection, "ann")
    connection.commit()
    people(connection, "bob")
    connection.rollback()
    committed = ask(connection, names)
    people(connection, "cid")
    ask(connection, "savepoint before")
    people(connection, "dan")
    inside = ask(connection, names)
    ask(connection, "rollback to savepoint before")
    people(connection, "eve")
    ask(connection, "release savepoint before")
    connection.commit()
    return [committed, inside, ask(connection, names)]


def cascade(connection):
    counts = """select (select count(*) from people), (select count(*) from posts),
        (select count(*) from post_tags), (select count(*) from tags)"""
    ann, bob = people(connection, "ann", "bob")
    [post] = posts(connection, ann, "one")
    posts(connection, bob, "two")
    tagged(connection, post, "red", "blue")
    before = ask(connection, counts)
    gone = ask(connection, "delete from people where id = %s", (ann,))
    left = ask(connection, "select id, person_id, title from posts")
    return [before, gone, ask(connection, counts), left]


def failing(connection, sql, parameters, told):
    """What a library tells of a statement that fails."""
    try:
        return ask(connection, sql, parameters)
    except Exception as error:
        return told(error)
    finally:
        connection.rollback()


def errors(connection, told):
    ann, bob = people(connection, "ann", "bob")
    ask(connection, "delete from people where id = %s", (bob,))
    connection.commit()
    post = "insert into posts (person_id, title) values (%s, 'x')"
    tries = [
        ("insert into people (email, name) values (%s, 'x')", ("ann@example.org",)),
        ("insert into people (id, email, name) values (%s, 'x', 'x')", (ann,)),
        (post, (bob,)),
        (post, (None,)),
        ("select name from people where id = %s", ("not-a-uuid",)),
        ("select name from people where id = %s", ("5b1c9e70-42d8-4f36-9a07-c3e4d2f1b680",)),
        ("select name from people where id = 1", ()),
    ]
    return [failing(connection, *each, told) for each in tries]


def prepared(connection):
    rows = []
    for number in range(20):
        [id] = people(connection, f"p{number}")
        rows += ask(connection, "select id, email from people where id = %s", (id,))
    by_ids = "select count(*) from people where id = any(%s)"
    counted = [ask(connection, by_ids, ([row[0] for row in rows],)) for _ in range(20)]
    return [rows, counted]


def altered(connection, told):
    people(connection, "ann")
    connection.commit()
    select = "select * from people where email = %s"

    def repeated(times):
        return [failing(connection, select, ("ann@example.org",), told) for _ in range(times)]

    before = repeated(8)
    ask(connection, "alter table people add column nick text default 'none'")
    connection.commit()
    after = repeated(4)
    ask(connection, "update people set nick = 'annie'")
    connection.commit()
    return [before, after, repeated(2)]


def introspect(connection):
    described = []
    for sql in (
        "select * from people",
        "select id, person_id, body from posts",
        "select member_ids, array_agg(id) from groups group by member_ids",
    ):
        with closing(connection.cursor()) as cursor:
            cursor.execute(sql)
            described.append([list(column)[:2] for column in cursor.description])
    columns = ask(
        connection,
        """select table_name, column_name, data_type, udt_name, is_nullable, column_default, is_identity
           from information_schema.columns where table_schema = 'public'
           order by table_name, ordinal_position""",
    )
    keys = ask(
        connection,
        """select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
           where connamespace = 'public'::regnamespace and contype in ('p', 'f', 'u') order by 1, 2""",
    )
    types = ask(
        connection,
        """select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) from pg_attribute a
           join pg_class c on c.oid = a.attrelid
           where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
           order by 1, a.attnum""",
    )
    return [described, columns, keys, types]
