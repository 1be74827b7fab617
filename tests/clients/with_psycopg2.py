"""psycopg2 as applications use it: every value a literal in a simple query."""

import sys
import uuid

import psycopg2
import psycopg2.extras
from psycopg2 import errors

DSN = sys.argv[1]
UNKNOWN = uuid.UUID("7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4")
psycopg2.extras.register_uuid()
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"psycopg2 {psycopg2.__version__}: {what}")


def fails(error, cursor, sql, parameters, what):
    try:
        cursor.execute(sql, parameters)
    except error as raised:
        check(True, what)
        cursor.connection.rollback()
        return raised
    raise SystemExit(f"psycopg2 {psycopg2.__version__}: {what}: no {error.__name__}")


connection = psycopg2.connect(DSN)
cursor = connection.cursor()
cursor.execute("select id, name from users order by id limit 2")
(ann, _), (bob, _) = cursor.fetchall()
check(isinstance(ann, uuid.UUID), "ids are uuid.UUID")
check(cursor.description[0].type_code == 2950, "the type of an id is uuid")
cursor.execute("select name from users where id = %s", (ann,))
check(cursor.fetchone() == ("Ann",), "a UUID parameter")
cursor.execute("select name from users where id = %s", (str(bob).upper(),))
check(cursor.fetchone() == ("Bob",), "an upper-case str")
cursor.execute("select name from users where id in %s order by id", ((ann, bob, UNKNOWN),))
check(cursor.fetchall() == [("Ann",), ("Bob",)], "a tuple")
cursor.execute("select name from users where id = any(%s) order by id", ([ann, bob],))
check(cursor.fetchall() == [("Ann",), ("Bob",)], "a list")
cursor.execute(
    "insert into orders (user_id, status) values (%s, %s) returning id, user_id", (ann, "it's")
)
order, owner = cursor.fetchone()
check(owner == ann, "an insert with a reference")
psycopg2.extras.execute_values(
    cursor, "insert into orders (user_id, status) values %s", [(ann, "a"), (bob, "b")]
)
check(cursor.rowcount == 2, "a list of rows")
cursor.execute("update orders set user_id = %s where id = %s returning user_id", (bob, order))
check(cursor.fetchone() == (bob,), "an update")
cursor.execute("delete from orders where id = %s", (order,))
check(cursor.rowcount == 1, "a delete")
connection.rollback()

insert = "insert into orders (user_id) values (%s)"
error = fails(errors.ForeignKeyViolation, cursor, insert, (UNKNOWN,), "an unknown reference")
check(str(UNKNOWN) in error.diag.message_detail, "the id in the detail")
by_id = "select id from users where id = %s"
fails(errors.UndefinedFunction, cursor, by_id, (42,), "an integer")
fails(errors.InvalidTextRepresentation, cursor, by_id, ("42",), "a number as text")
fails(errors.FeatureNotSupported, cursor, "select md5(id::text) from users", None, "a hash")
cursor.execute(by_id, (ann,))
check(cursor.fetchone() == (ann,), "still alive")
connection.rollback()
connection.close()
print(f"psycopg2 {psycopg2.__version__}: {checks} checks")
