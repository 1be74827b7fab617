"""psycopg2, which puts parameters into the text of statements."""

import io

import dbapi
import features
import psycopg2
from dbapi import *  # noqa: F403, the features that need nothing of psycopg2's own
from dbapi import ask, people
from psycopg2.extras import Json, execute_batch, execute_values, register_uuid

register_uuid()


def connect(address):
    host, port, user, database = address
    return psycopg2.connect(host=host, port=port, user=user, dbname=database)


def fault(error):
    return getattr(error, "pgcode", None), error


def told(error):
    diag = error.diag
    return [error.pgcode, diag.constraint_name, diag.message_primary, diag.message_detail]


def bulk(connection):
    ann, bob = people(connection, "ann", "bob")
    insert = "insert into posts (person_id, title, ordinal) values"
    with connection.cursor() as cursor:
        values = [(ann, "one", 1), (bob, "two", 2), (ann, "three", 3)]
        made = execute_values(cursor, f"{insert} %s returning id, title", values, fetch=True)
        made.sort(key=lambda row: row[1])
        cursor.executemany(f"{insert} (%s, %s, %s)", [(bob, "four", 4), (ann, "five", 5)])
        execute_batch(cursor, f"{insert} (%s, %s, %s)", [(bob, "six", 6), (ann, "seven", 7)])
        lines = io.StringIO(f"{ann}\teight\t8\n{bob}\tnine\t9\n")
        cursor.copy_from(lines, "posts", columns=("person_id", "title", "ordinal"))
        rows = "select id, person_id, title from posts order by ordinal"
        copied = io.StringIO()
        cursor.copy_expert(f"copy ({rows}) to stdout (format csv)", copied)
    with connection.cursor("named") as cursor:
        cursor.itersize = 2
        cursor.execute(rows)
        streamed = list(cursor)
    return [made, copied.getvalue(), ask(connection, rows), streamed]


def json(connection):
    return dbapi.json(connection, Json)


def errors(connection):
    return dbapi.errors(connection, told)


def altered(connection):
    return dbapi.altered(connection, told)


if __name__ == "__main__":
    features.run(__name__)
