"""An application whose models have integer ids pages through its tables in the ways that such
applications have: each row is seen exactly once, in the order in which the rows were made."""

import sys

import psycopg
from psycopg.rows import tuple_row

DSN, TABLES = sys.argv[1], sys.argv[2:]
LARGEST = {"smallint": 2**15 - 1, "integer": 2**31 - 1, "bigint": 2**63 - 1}
checks = 0


def check(found, expected, what):
    global checks
    checks += 1
    if found != expected:
        raise SystemExit(f"{what}: {found}, not {expected}")


class Rows:
    """One table, read with values in the text (simple queries) or beside it."""

    def __init__(self, connection, cursor, table):
        self.cursor = cursor(connection, row_factory=tuple_row)
        self.table = table
        self.all = self.ask("select id, n from {} order by n")
        kind = self.ask("select pg_typeof(id)::text from {} limit 1")[0][0]
        self.largest = LARGEST[kind]

    def ask(self, sql, *values):
        return self.cursor.execute(sql.format(self.table), values).fetchall()

    def pages(self, sql, after):
        """All rows, page after page; the last id of a page is where the next one begins."""
        found = []
        while page := self.ask(sql, after):
            found += page
            after = page[-1][0]
        return found

    def work(self):
        keyset = "select id, n from {} where id > %s order by id limit 7"
        for start in (0, -1, -5):
            check(self.pages(keyset, start), self.all, f"{self.table} from {start}")
        for text in ("0", "-1", "'0'", "(-1)"):
            first = "select id, n from {} where id > " + text + " order by id limit 7"
            check(self.ask(first), self.all[:7], f"{self.table} > {text}")
        row = "select id, n from {} where (id, n) > (%s, 99) order by id, n limit 5"
        check(self.pages(row, 0), self.all, f"{self.table} by rows")
        back = "select id, n from {} where id < %s order by id desc limit 7"
        check(self.pages(back, self.largest), self.all[::-1], f"{self.table} backwards")
        at_least = "select id, n from {} where id >= %s order by id"
        check(self.ask(at_least, 0), self.all, f"{self.table} >= 0")
        between = "select id, n from {} where id between %s and %s order by id"
        check(self.ask(between, 0, self.largest), self.all, f"{self.table} between all")
        first, last = self.all[3][0], self.all[11][0]
        check(self.ask(between, first, last), self.all[3:12], f"{self.table} between ids")
        check(self.ask(between, 0, last), self.all[:12], f"{self.table} up to an id")
        check(self.ask("select id, n from {} where id = %s", 0), [], f"{self.table} = 0")
        check(self.ask("select id, n from {} where id = -1"), [], f"{self.table} = -1")
        roots = self.ask("select id, n from {} where parent = 0 order by id")
        check(roots, self.all[:1], f"{self.table}: 0 for no parent")
        child = "select c.id, c.n from {0} c join {0} p on c.parent = p.id order by c.id"
        check(self.ask(child), self.all[1:], f"{self.table}: parents")
        optional = "select id, n from {} where (%s::bigint = 0 or id > %s::bigint) order by id limit 3"
        check(self.ask(optional, 0, 0), self.all[:3], f"{self.table}: no start")


with psycopg.connect(DSN, autocommit=True) as connection:
    for table in TABLES:
        for cursor in (psycopg.Cursor, psycopg.ClientCursor):
            Rows(connection, cursor, table).work()
print(f"paging: {checks} checks")
