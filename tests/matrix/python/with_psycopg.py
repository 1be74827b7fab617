"""psycopg 3."""

import dbapi
import features
import psycopg
from dbapi import *  # noqa: F403, the features that need nothing of psycopg's own
from dbapi import ask, people
from psycopg.types.json import Jsonb


def connect(address):
    host, port, user, database = address
    return psycopg.connect(host=host, port=port, user=user, dbname=database)


def fault(error):
    return getattr(error, "sqlstate", None), error


def told(error):
    return [error.sqlstate, error.diag.constraint_name, error.diag.message_primary, error.diag.message_detail]


def bulk(connection):
    ann, bob = people(connection, "ann", "bob")
    insert = "insert into posts (person_id, title, ordinal) values (%s, %s, %s) returning id, title"
    made = []
    with connection.cursor() as cursor:
        values = [(ann, "one", 1), (bob, "two", 2), (ann, "three", 3)]
        cursor.executemany(insert, values, returning=True)
        for result in cursor.results():
            made += result.fetchall()
        with cursor.copy("copy posts (person_id, title, ordinal) from stdin") as copy:
            for row in [(bob, "four", 4), (ann, "five", 5)]:
                copy.write_row(row)
        with cursor.copy("copy posts (person_id, title, ordinal) from stdin (format binary)") as copy:
            copy.set_types(["uuid", "text", "int4"])
            copy.write_row((bob, "six", 6))
        rows = "select id, person_id, title from posts order by ordinal"
        with cursor.copy(f"copy ({rows}) to stdout") as copy:
            copy.set_types(["uuid", "uuid", "text"])
            copied = list(copy.rows())
    with connection.pipeline():
        cursors = [connection.execute(f"{rows} limit %s", (count,)) for count in range(3)]
    return [made, copied, ask(connection, rows), [cursor.fetchall() for cursor in cursors]]


def json(connection):
    return dbapi.json(connection, Jsonb)


def transaction(connection):
    base = dbapi.transaction(connection)
    with connection.transaction():
        people(connection, "fay")
        try:
            with connection.transaction():
                people(connection, "gus")
                raise ValueError
        except ValueError:
            pass
    return [base, ask(connection, "select id, name from people order by name")]


def errors(connection):
    return dbapi.errors(connection, told)


def prepared(connection):
    base = dbapi.prepared(connection)
    email = "p3@example.org"
    with connection.cursor(binary=True) as cursor:
        select = "select id, array[id], name from people where email = %s"
        binary = [cursor.execute(select, (email,), prepare=True).fetchall() for _ in range(20)]
    return [base, binary]


def altered(connection):
    return dbapi.altered(connection, told)


if __name__ == "__main__":
    features.run(__name__)
