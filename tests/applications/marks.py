"""An application that means something else by some values of its ids (nobody, a guest, the last of
all) finds them what they are, in every way of reading, comparing and storing them, and an id that
nobody has is none of them."""

import sys
import uuid

import psycopg
from psycopg.types.json import Jsonb

DSN = sys.argv[1]
NOBODY = uuid.UUID(int=0)
MARKS = {"person": [NOBODY], "guest": ["", "guest"], "seat": [2000000000]}
OF = {"person": "people", "guest": "guests", "seat": "seats"}
UNKNOWN = {
    "person": [uuid.UUID("12345678-1234-4234-8234-123456789abc"), uuid.UUID(int=2**128 - 1)],
    "guest": ["0" * 32, "nobody"],
    "seat": [1999999999],
}
checks = 0


def check(found, expected, what):
    global checks
    checks += 1
    if found != expected:
        raise SystemExit(f"{what}: {found!r}, not {expected!r}")


def work(connection, cursor, binary):
    kept = cursor(connection)

    def ask(sql, *values):
        return kept.execute(sql, values, binary=binary).fetchall()

    for column, table in OF.items():
        every = MARKS[column]
        for mark in every:
            text = str(mark)
            what = f"{cursor.__name__} {column} {text!r}"
            rows = [n for (n,) in ask(f"select n from marks where {column}::text = %s order by n", text)]
            check(len(rows) > 0, True, what)
            found = [n for (n,) in ask(f"select n from marks where {column} = %s order by n", mark)]
            check(found, rows, f"{what} as a parameter")
            found = ask(f"select n from marks where {column} = '{text}' order by n")
            check([n for (n,) in found], rows, f"{what} as a literal")
            found = ask(f"select n from marks where {column} = any(%s) order by n", [mark, *UNKNOWN[column]])
            check([n for (n,) in found], rows, f"{what} in an array")
            found = ask(f"select distinct {column} from marks where n = any(%s)", rows)
            check(found, [(mark,)], f"{what} in a result")
            found = ask(f"select distinct {column}::text || '!' from marks where n = any(%s)", rows)
            check(found, [(text + "!",)], f"{what} in a text")
            check(ask(f"select count(*) from {table} where id = %s", mark), [(1,)], f"{what} as a key")
            found = ask(f"select array_agg({column}) from marks where n = any(%s)", rows)
            check(found, [([mark] * len(rows),)], f"{what} in an array of a result")
            found = ask(f"select n from marks where body ->> '{column}' = %s order by n", text)
            check([n for (n,) in found], rows, f"{what} in a document")
            found = ask(f"select distinct body ->> '{column}' from marks where n = any(%s)", rows)
            check(found, [(text,)], f"{what} from a document")
            shown = ask("select body from marks where n = %s", rows[0])[0][0][column]
            check(str(shown), text, f"{what} in a whole document")
            inserted = ask(f"insert into marks (n, {column}) values (99, %s) returning {column}", mark)
            check(inserted, [(mark,)], f"{what} stored")
            body = Jsonb({column: shown})
            inserted = ask("insert into marks (n, body) values (99, %s) returning body", body)
            check(inserted, [({column: shown},)], f"{what} stored in a document")
            with kept.copy(f"copy marks (n, {column}) from stdin") as copy:
                copy.write_row((98, mark))
            check(ask(f"select {column} from marks where n = 98"), [(mark,)], f"{what} copied in")
            with kept.copy(f"copy (select {column} from marks where n = 98) to stdout") as copy:
                check([row for row in copy.rows()], [(text,)], f"{what} copied out")
            ask("delete from marks where n in (98, 99) returning n")
        for unknown in UNKNOWN[column]:
            what = f"{cursor.__name__} {column} {unknown!r}"
            check(ask(f"select n from marks where {column} = %s", unknown), [], what)
            check(ask(f"select id from {table} where id = '{unknown}'"), [], f"{what} as a literal")
            check(ask(f"select count(*) from {table} where id <> %s", unknown)[0][0] > 20, True, f"not {what}")
        ids = ask(f"select id, n from {table}")
        check(len({id for id, _ in ids}), len(ids), f"{table}: as many ids as rows")
        for id, n in ids:
            check(ask(f"select n from {table} where id = %s", id), [(n,)], f"{table}: a round trip")
    rows = ask("select n from people where id >= %s order by id", NOBODY)
    check([n for (n,) in rows], list(range(0, 21)), "from nobody on")


with psycopg.connect(DSN, autocommit=True) as connection:
    for cursor in (psycopg.Cursor, psycopg.ClientCursor):
        for binary in (False, True) if cursor is psycopg.Cursor else (False,):
            work(connection, cursor, binary)
print(f"marks: {checks} checks")
