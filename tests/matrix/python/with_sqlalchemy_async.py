"""SQLAlchemy's asynchronous session by asyncpg, with the models of `with_sqlalchemy` and, by
`run_sync`, those of its features that know no asynchronous manner of their own."""

import features
import with_sqlalchemy as shared
from features import EMPTY
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import joinedload, selectinload
from with_sqlalchemy import Group, Person, Post, person


def connect(address):
    host, port, user, database = address
    engine = create_async_engine(f"postgresql+asyncpg://{user}@{host}:{port}/{database}")
    return AsyncSession(engine)


async def empty(session):
    await session.execute(text(EMPTY))
    await session.commit()


async def close(session):
    await session.close()
    await session.bind.dispose()


def fault(error):
    original = getattr(error, "orig", None) or error
    original = original.__cause__ or original
    return getattr(original, "sqlstate", None), original


def told(error):
    state, original = fault(error)
    return [
        type(error).__name__,
        state,
        getattr(original, "constraint_name", None),
        getattr(original, "message", None) or str(original),
        getattr(original, "detail", None),
    ]


async def rows(session, statement):
    return [list(row) for row in await session.execute(statement)]


async def crud(session):
    ann, bob = person("ann"), person("bob")
    session.add_all([ann, bob])
    await session.flush()
    made = [ann.id, bob.id]
    read = await session.get(Person, str(ann.id), populate_existing=True)
    read.name = "Ann"
    await session.delete(bob)
    await session.flush()
    counted = update(Person).where(Person.id == made[0]).values(version=Person.version + 1)
    counted = await session.execute(counted)
    await session.commit()
    await session.refresh(ann, ["version"])
    none = await session.scalar(select(Person).where(Person.id == made[1]))
    everyone = await rows(session, select(Person.id, Person.name, Person.version))
    return [made, ann.version, counted.rowcount, none, everyone]


async def returning(session):
    return await session.run_sync(shared.returning)


async def bulk(session):
    made = await session.run_sync(shared.bulk)
    statement = select(Post).order_by(Post.ordinal).execution_options(yield_per=3)
    streamed = [[post.id, post.person_id] async for post in await session.stream_scalars(statement)]
    parted = await session.stream(select(Post.id, Post.title).order_by(Post.ordinal))
    parts = [[list(row) for row in part] async for part in parted.partitions(4)]
    return [made, streamed, parts]


async def upsert(session):
    return await session.run_sync(shared.upsert)


async def eager(session):
    results = await session.run_sync(shared.eager)
    session.expunge_all()
    posts = select(Post).options(joinedload(Post.person), selectinload(Post.tags)).order_by(Post.ordinal)
    loaded = [
        [post.id, post.person.id, [[tag.id, tag.name] for tag in post.tags]]
        for post in await session.scalars(posts)
    ]
    session.expunge_all()
    lazy = await session.scalar(select(Post).where(Post.title == "one"))
    await session.refresh(lazy, ["person", "tags"])
    return [results, loaded, [lazy.person.id, [tag.id for tag in lazy.tags]]]


async def keyset(session):
    return await session.run_sync(shared.keyset)


async def arrays(session):
    results = await session.run_sync(shared.arrays)
    added = update(Group).values(member_ids=func.array_remove(Group.member_ids, Group.member_ids[1]))
    return [results, await rows(session, added.where(Group.name == "a").returning(Group.member_ids))]


async def json(session):
    return await session.run_sync(shared.json)


async def transaction(session):
    async with session.begin():
        session.add(person("ann"))
    async with session.begin() as begun:
        session.add(person("bob"))
        await session.flush()
        await begun.rollback()
    async with session.begin():
        session.add(person("cid"))
        try:
            async with session.begin_nested():
                session.add_all([person("dan"), person("dan")])
        except DBAPIError:
            pass
        async with session.begin_nested():
            session.add(person("eve"))
    async with session.bind.connect() as connection:
        connection = await connection.execution_options(isolation_level="SERIALIZABLE")
        seen = await connection.execute(select(Person.id, Person.name).order_by(Person.name))
        seen = [list(row) for row in seen]
    locked = await session.scalars(select(Person).order_by(Person.name).with_for_update(skip_locked=True))
    return [seen, [each.id for each in locked]]


async def cascade(session):
    return await session.run_sync(shared.cascade)


async def errors(session):
    return await session.run_sync(shared.errors, told)


async def prepared(session):
    results = await session.run_sync(shared.prepared)
    connection = await session.connection()
    raw = await connection.get_raw_connection()
    statement = await raw.driver_connection.prepare("select id, array[id] from people where email = $1")
    binary = [list(await statement.fetchrow(f"p{number}@example.org")) for number in range(20)]
    return [results, binary]


async def introspect(session):
    return await session.run_sync(shared.introspect)


async def altered(session):
    return await session.run_sync(shared.altered, told)


if __name__ == "__main__":
    features.run(__name__)
