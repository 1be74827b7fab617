"""asyncpg as applications use it: everything prepared by name and in binary, the types taken from
what the server describes, COPY of records in binary, cursors, and its own reset of a session."""

import asyncio
import sys
import uuid

import asyncpg

DSN = dict(word.split("=") for word in sys.argv[1].split())
UNKNOWN = uuid.UUID("7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4")
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"asyncpg {asyncpg.__version__}: {what}")


async def fails(error, run, what):
    try:
        await run
    except error:
        check(True, what)
        return
    raise SystemExit(f"asyncpg {asyncpg.__version__}: {what}: no {error.__name__}")


async def reads(connection):
    users = await connection.fetch("select id, name from users order by id limit 5")
    check([user["name"] for user in users] == ["Ann", "Bob", "Cai", "Dee", "Eli"], "order")
    check(all(isinstance(user["id"], uuid.UUID) for user in users), "ids are uuid.UUID")
    ids = [user["id"] for user in users]
    by_id = "select name from users where id = $1"
    for _ in range(3):
        check(await connection.fetchval(by_id, ids[1]) == "Bob", "a statement of its cache")
    check(await connection.fetchval(by_id, str(ids[1])) == "Bob", "a str parameter")
    check(await connection.fetchval(by_id, UNKNOWN) is None, "an id that nobody has")
    found = await connection.fetch("select id from users where id = any($1) order by id", ids[:2])
    check([row["id"] for row in found] == ids[:2], "a list parameter")
    statement = await connection.prepare("select array_agg(id order by id) from users where id = any($1)")
    check(statement.get_parameters()[0].name == "uuid[]", "the type of a list of ids")
    check(statement.get_attributes()[0].type.name == "uuid[]", "the type of an array of ids")
    check(await statement.fetchval(ids[:3]) == ids[:3], "an array of ids")
    async with connection.transaction():
        rows = [row["id"] async for row in connection.cursor("select id from users order by id", prefetch=2)]
    check(rows[:5] == ids, "a portal that is read in steps")
    return ids


async def writes(connection, ids):
    records = [(ids[n % 2], "copied", n) for n in range(500)]
    columns = ["user_id", "status", "total_cents"]
    done = await connection.copy_records_to_table("orders", records=records, columns=columns)
    check(done == "COPY 500", "COPY of records")
    sql = "select user_id, status, total_cents from orders where status = 'copied' order by total_cents"
    check([tuple(row) for row in await connection.fetch(sql)] == records, "what was copied")
    insert = "insert into orders (user_id, status) values ($1, 'many')"
    await connection.executemany(insert, [(key,) for key in ids[:3]])
    sql = "delete from orders where status = 'many' returning user_id"
    check(sorted(row[0] for row in await connection.fetch(sql)) == sorted(ids[:3]), "a batch")
    await fails(asyncpg.ForeignKeyViolationError, connection.execute(insert, UNKNOWN), "no such user")
    records = [(UNKNOWN, "copied", 0)]
    copy = connection.copy_records_to_table("orders", records=records, columns=columns)
    await fails(asyncpg.PostgresError, copy, "COPY of an id that nobody has")
    await fails(asyncpg.FeatureNotSupportedError, connection.fetch("select md5(id::text) from users"), "a hash")


async def main():
    options = dict(host=DSN["host"], port=int(DSN["port"]), user=DSN["user"], database=DSN["dbname"])
    pool = await asyncpg.create_pool(min_size=1, max_size=2, **options)
    for _ in range(2):
        # Going back to the pool resets the session.
        async with pool.acquire() as connection:
            ids = await reads(connection)
    async with pool.acquire() as connection:
        await writes(connection, ids)
    await pool.close()


asyncio.run(main())
print(f"asyncpg {asyncpg.__version__}: {checks} checks")
