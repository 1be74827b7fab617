"""pg8000, by its interface of PEP 249; what it prepares, by its own."""

import io
import json as text_of

import dbapi
import features
import pg8000.dbapi
import pg8000.native
from dbapi import *  # noqa: F403, the features that need nothing of pg8000's own
from dbapi import ask, people


def connect(address):
    host, port, user, database = address
    connection = pg8000.dbapi.connect(user, host=host, port=port, database=database)
    connection.address = address
    return connection


def native(connection):
    """Another connection to the same database."""
    host, port, user, database = connection.address
    return pg8000.native.Connection(user, host=host, port=port, database=database)


def fault(error):
    fields = error.args[0] if error.args else None
    return (fields["C"], fields["M"]) if isinstance(fields, dict) else (None, error)


def told(error):
    fields = error.args[0]
    return [fields.get(field) for field in "CnMD"]


def bulk(connection):
    ann, bob = people(connection, "ann", "bob")
    cursor = connection.cursor()
    insert = "insert into posts (person_id, title, ordinal) values (%s, %s, %s)"
    cursor.executemany(insert, [(ann, "one", 1), (bob, "two", 2), (ann, "three", 3)])
    lines = io.StringIO(f"{ann}\tfour\t4\n{bob}\tfive\t5\n")
    cursor.execute("copy posts (person_id, title, ordinal) from stdin", stream=lines)
    rows = "select id, person_id, title from posts order by ordinal"
    copied = io.BytesIO()
    cursor.execute(f"copy ({rows}) to stdout (format csv)", stream=copied)
    return [copied.getvalue().decode(), ask(connection, rows)]


def json(connection):
    return dbapi.json(connection, text_of.dumps)


def errors(connection):
    return dbapi.errors(connection, told)


def prepared(connection):
    base = dbapi.prepared(connection)
    connection.commit()
    with native(connection) as other:
        statement = other.prepare("select id, email from people where name = :name")
        return [base, [statement.run(name=f"p{number}") for number in range(20)]]


def altered(connection):
    base = dbapi.altered(connection, told)
    with native(connection) as other:
        statement = other.prepare("select * from people where email = :email")
        before = statement.run(email="ann@example.org")
        other.run("alter table people add column rank int default 3")
        try:
            after = statement.run(email="ann@example.org")
        except pg8000.native.DatabaseError as error:
            after = told(error)
    return [base, before, after]


if __name__ == "__main__":
    features.run(__name__)
