"""The runner of the Python clients: it calls the features of a module one by one, each with a new
connection and empty tables, and prints what each gives as one line of JSON."""

import asyncio
import faulthandler
import inspect
import json
import sys
from typing import NamedTuple

# The tables are altered when all else is done.
FEATURES = """crud returning bulk upsert eager keyset arrays json transaction cascade errors prepared
introspect altered""".split()
EMPTY = "truncate people, posts, tags, post_tags, groups"


class Address(NamedTuple):
    host: str
    port: int
    user: str
    database: str


def shown(value):
    """What JSON has no form for, with the name of its type."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return f"{type(value).__name__} {value}"


def paged(pages):
    """What can be said of pages in an order that differs between the sides: the titles, how many
    rows there are on each, and how many rows came twice."""
    rows = [tuple(row) for page in pages for row in page]
    titles = sorted(title for _, title in rows)
    return [titles, [len(page) for page in pages], len(rows) - len(set(rows))]


async def feature(client, name, address):
    async def value(result):
        return await result if inspect.isawaitable(result) else result

    connection = await value(client.connect(address))
    try:
        await value(client.empty(connection))
        result = await value(getattr(client, name)(connection))
        line = json.dumps(result, default=shown)
    except Exception as error:  # whatever a library raises is the result
        state, message = client.fault(error)
        first = (str(message).splitlines() or [""])[0]
        line = f"error {state or type(error).__name__} {first}"
    finally:
        await value(client.close(connection))
    print(name, line, sep="\t", flush=True)


async def run_all(client, address):
    for name in FEATURES:
        await feature(client, name, address)


def run(name):
    """Runs the module of this name, told by the command line where its database is."""
    faulthandler.dump_traceback_later(60, exit=True)
    host, port, user, database = sys.argv[1:5]
    address = Address(host, int(port), user, database)
    asyncio.run(run_all(sys.modules[name], address))
