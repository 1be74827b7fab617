"""Runs each block of a file as one pipeline of libpq, and prints what comes back. The statements
are sent with one Sync at the end, prepared on the way from some point on."""

import logging
import sys

import psycopg

# What psycopg says of pipelines that have been aborted depends on how far it had got.
logging.disable(logging.WARNING)

NOBODY = "7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4"


def shown(cursor):
    if cursor.description is None:
        return cursor.statusmessage
    return "; ".join("|".join(map(str, row)) for row in cursor.fetchall())


with open(sys.argv[2], encoding="utf-8") as file:
    blocks = [block.splitlines() for block in file.read().strip().split("\n\n")]
for prepare in [False, True]:
    with psycopg.connect(sys.argv[1], autocommit=True) as connection:
        ann = connection.execute("select id from users where name = 'Ann'").fetchone()[0]
        ids = {"ann": ann, "nobody": NOBODY}
        for block in blocks:
            print("--", block[0], prepare)
            cursors = []
            try:
                with connection.pipeline():
                    for statement in block:
                        text = statement.replace(":ann", "%(ann)s::uuid")
                        text = text.replace(":nobody", "%(nobody)s::uuid")
                        cursor = connection.cursor()
                        cursors.append(cursor)
                        # Behind a rollback psycopg forgets what it has prepared, at some time.
                        prepares = prepare and not any("rollback" in text for text in block)
                        cursor.execute(text, ids if "%(" in text else None, prepare=prepares)
            except psycopg.Error as error:
                print("error", error.sqlstate)
            # An error may come before all has been sent.
            cursors += [connection.cursor() for _ in block[len(cursors) :]]
            for cursor in cursors:
                try:
                    print(shown(cursor))
                except psycopg.Error as error:
                    print("error", error.sqlstate)
