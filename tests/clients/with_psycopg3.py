"""psycopg 3 as applications use it: uuid.UUID in and out, text and binary, server-side and
client-side binding, pipelines, prepared statements, server-side cursors and errors."""

import sys
import uuid

import psycopg
from psycopg import errors
from psycopg.rows import dict_row

DSN = sys.argv[1]
UNKNOWN = uuid.UUID("7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4")
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"psycopg {psycopg.__version__}: {what}")


def fails(error, run, what):
    try:
        run()
    except error as raised:
        check(True, what)
        return raised
    raise SystemExit(f"psycopg {psycopg.__version__}: {what}: no {error.__name__}")


def work(connection, binary):
    cursor = connection.cursor(binary=binary, row_factory=dict_row)
    users = cursor.execute("select * from users order by id").fetchall()
    check([user["name"] for user in users][:5] == ["Ann", "Bob", "Cai", "Dee", "Eli"], "order")
    check(all(isinstance(user["id"], uuid.UUID) for user in users), "ids are uuid.UUID")
    check(cursor.description[0].type_code == 2950, "the type of an id is uuid")
    ann, bob = users[0]["id"], users[1]["id"]
    check(str(users[0]["auth_subject"]) == "c0ffee00-0000-4000-9000-0000000000aa", "a real uuid")

    one = cursor.execute("select id, name from users where id = %s", (ann,)).fetchone()
    check(one == {"id": ann, "name": "Ann"}, "a UUID parameter")
    one = cursor.execute("select id from users where id = %s", (str(ann),)).fetchone()
    check(one == {"id": ann}, "a str parameter")
    one = cursor.execute("select id from users where id = %b::uuid", (ann,)).fetchone()
    check(one == {"id": ann}, "a binary parameter with a cast")
    rows = cursor.execute("select id from users where id = any(%s) order by id", ([ann, bob],))
    check([row["id"] for row in rows] == [ann, bob], "a list parameter")
    check(cursor.execute("select id from users where id = %s", (UNKNOWN,)).fetchone() is None, "unknown")

    order = cursor.execute(
        "insert into orders (user_id, status) values (%s, %s) returning id, user_id", (ann, "new")
    ).fetchone()
    check(order["user_id"] == ann, "an insert with a reference")
    cursor.execute("update orders set user_id = %s where id = %s", (bob, order["id"]))
    check(cursor.rowcount == 1, "an update by id")
    one = cursor.execute(
        "select o.id, u.id as owner from orders o join users u on u.id = o.user_id where o.id = %s",
        (order["id"],),
    ).fetchone()
    check(one == {"id": order["id"], "owner": bob}, "a join")
    event = cursor.execute(
        "insert into events (kind, participant_ids) values ('x', %s) returning participant_ids",
        ([ann, bob],),
    ).fetchone()
    check(event["participant_ids"] == [ann, bob], "an array column")
    cursor.executemany(
        "insert into orders (user_id, status) values (%s, %s) returning id", [(ann, "a"), (bob, "b")]
    )
    for _ in range(8):
        one = cursor.execute("select id from orders where id = %s", (order["id"],), prepare=True)
        check(one.fetchone() == {"id": order["id"]}, "a prepared statement")
    cursor.execute("delete from orders where id = %s", (order["id"],))
    check(cursor.rowcount == 1, "a delete by id")
    connection.rollback()
    return ann, bob


def failures(connection, ann):
    run = connection.execute
    error = fails(
        errors.ForeignKeyViolation,
        lambda: run("insert into orders (user_id) values (%s)", (UNKNOWN,)),
        "an unknown reference",
    )
    check(str(UNKNOWN) in error.diag.message_detail, "the id in the detail")
    check(error.diag.constraint_name == "orders_user_id_fkey", "the name of the constraint")
    connection.rollback()
    error = fails(
        errors.UniqueViolation,
        lambda: run(
            "insert into memberships (team_id, user_id) select id, %s from teams where slug = 'red'",
            (ann,),
        ),
        "a duplicate",
    )
    check(str(ann) in error.diag.message_detail, "the id in the detail of a duplicate")
    connection.rollback()
    malformed = errors.InvalidTextRepresentation
    fails(malformed, lambda: run("select id from users where id = %s", ("x",)), "a malformed id")
    connection.rollback()
    wrong = errors.UndefinedFunction
    fails(wrong, lambda: run("select id from users where id = %s", (42,)), "an integer")
    connection.rollback()
    refused = errors.FeatureNotSupported
    fails(refused, lambda: run("select md5(id::text) from users"), "a hash of an id")
    connection.rollback()
    check(run("select id from users where id = %s", (ann,)).fetchone() == (ann,), "still alive")
    connection.rollback()


def pipeline(connection, ann, bob):
    with connection.pipeline():
        cursors = [
            connection.execute("select id, name from users where id = %s", (key,))
            for key in (ann, bob, UNKNOWN, ann)
        ]
        found = [cursor.fetchall() for cursor in cursors]
    check(found == [[(ann, "Ann")], [(bob, "Bob")], [], [(ann, "Ann")]], "a pipeline")
    connection.rollback()


def copies(connection, ann, bob):
    rows = [(ann, "copied", 1), (bob, "copied", 2), (ann, "copied", 3)]
    columns = "(user_id, status, total_cents)"
    for options in ("", "with (format binary)"):
        with connection.cursor().copy(f"copy orders {columns} from stdin {options}") as copy:
            copy.set_types(["uuid", "text", "int8"])
            for row in rows:
                copy.write_row(row)
        query = "select user_id, status, total_cents from orders where status = 'copied' order by 3"
        with connection.cursor().copy(f"copy ({query}) to stdout {options}") as copy:
            copy.set_types(["uuid", "text", "int8"])
            check(list(copy.rows()) == rows, f"COPY {options}")
        connection.rollback()


with psycopg.connect(DSN) as connection:
    for binary in (False, True):
        ann, bob = work(connection, binary)
    failures(connection, ann)
    pipeline(connection, ann, bob)
    copies(connection, ann, bob)
with psycopg.connect(DSN, cursor_factory=psycopg.ClientCursor) as connection:
    found = connection.execute("select id, name from users where id = %s", (ann,)).fetchone()
    check(found == (ann, "Ann"), "client-side binding of a UUID")
    rows = connection.execute("select id from users where id = any(%s) order by id", ([ann, bob],))
    check(rows.fetchall() == [(ann,), (bob,)], "client-side binding of a list")
    found = connection.execute(
        "insert into orders (user_id, status) values (%s, %s) returning user_id", (bob, "it's new")
    ).fetchone()
    check(found == (bob,), "client-side binding in an insert")
    connection.rollback()
with psycopg.connect(DSN, autocommit=True, prepare_threshold=0) as connection:
    for name, key in (("Ann", ann), ("Bob", bob), ("Ann", ann)):
        row = connection.execute("select name from users where id = %s", (key,)).fetchone()
        check(row == (name,), "statements prepared at once")
print(f"psycopg {psycopg.__version__}: {checks} checks")
