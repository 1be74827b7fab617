"""Tortoise ORM by asyncpg, with its prefetching and the schema it generates."""

import asyncpg
import features
from features import EMPTY, paged
from pypika_tortoise import CustomFunction
from tortoise import Tortoise, fields
from tortoise.connection import get_connection
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.exceptions import BaseORMException, IntegrityError
from tortoise.expressions import F, Function, Q, RawSQL, Subquery
from tortoise.fields.db_defaults import SqlDefault
from tortoise.functions import Count, Max, Upper
from tortoise.models import Model
from tortoise.query_utils import Prefetch
from tortoise.transactions import atomic, in_transaction


def key():
    return fields.UUIDField(primary_key=True, default=None, db_default=SqlDefault("gen_random_uuid()"))


class Person(Model):
    id = key()
    email = fields.CharField(max_length=100, unique=True)
    name = fields.TextField()
    version = fields.IntField(db_default=1)
    posts: fields.ReverseRelation["Post"]

    class Meta:
        table = "people"


class Post(Model):
    id = key()
    person = fields.ForeignKeyField("models.Person", related_name="posts")
    title = fields.TextField()
    body = fields.JSONField(null=True)
    ordinal = fields.IntField(null=True, unique=True)
    tags = fields.ManyToManyField(
        "models.Tag", through="post_tags", backward_key="post_id", forward_key="tag_id", related_name="posts"
    )

    class Meta:
        table = "posts"


class Tag(Model):
    id = key()
    name = fields.CharField(max_length=100, unique=True)
    posts: fields.ManyToManyRelation[Post]

    class Meta:
        table = "tags"


class Group(Model):
    id = key()
    name = fields.TextField()
    member_ids = ArrayField("uuid")

    class Meta:
        table = "groups"


class ArrayAgg(Function):
    database_func = CustomFunction("array_agg", ["value"])


class ToJson(Function):
    database_func = CustomFunction("to_jsonb", ["value"])


async def connect(address):
    host, port, user, database = address
    url = f"asyncpg://{user}@{host}:{port}/{database}"
    await Tortoise.init(db_url=url, modules={"models": [__name__]})
    return get_connection("default")


async def empty(connection):
    await connection.execute_script(EMPTY)


async def close(_):
    await Tortoise.close_connections()


def fault(error):
    original = error.__cause__ or error
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


async def person(name):
    return await Person.create(email=f"{name}@example.org", name=name)


async def crud(_):
    ann, bob = await person("ann"), await person("bob")
    read = await Person.get(id=ann.id)
    by_text = await Person.get(id=str(bob.id))
    read.name = "Ann"
    await read.save()
    read.version = F("version") + 1
    await read.save(update_fields=["version"])
    await read.refresh_from_db()
    changed = await Person.filter(pk=ann.pk).update(name="Anne")
    await bob.delete()
    none = await Person.get_or_none(id=bob.id)
    people = await Person.all().values("id", "name", "version")
    return [ann.id, by_text.id, read.name, read.version, changed, none, people]


async def returning(connection):
    ann = await person("ann")
    made = [await Post.create(person=ann, title=title, ordinal=at) for at, title in enumerate("ab")]
    changed = await connection.execute_query_dict(
        "update posts set title = upper(title) where id = $1 returning *", [made[0].id]
    )
    moved = await connection.execute_query_dict(
        """with moved as (delete from posts where person_id = $1 and ordinal = $2 returning id, person_id)
           select m.id, p.id as person, p.name from moved m join people p on p.id = m.person_id""",
        [ann.id, 1],
    )
    gone = await Post.filter(person=ann).delete()
    made = [[post.id, post.person_id, post.title] for post in made]
    return [ann.id, ann.version, made, changed, moved, gone]


async def bulk(_):
    await Person.bulk_create([Person(email=f"{name}@example.org", name=name) for name in "abc"])
    people = await Person.all().order_by("name")
    await Post.bulk_create(
        [Post(person=people[at % 3], title=f"t{at}", ordinal=at) for at in range(7)], batch_size=3
    )
    posts = await Post.all().order_by("ordinal")
    for post in posts:
        post.title = post.title.upper()
        post.person = people[0]
    changed = await Post.bulk_update(posts, fields=["title", "person_id"], batch_size=4)
    by_id = await Post.in_bulk([post.id for post in posts[:2]], "id")
    return [
        [[each.id, each.name] for each in people],
        changed,
        [by_id[post.id].title for post in posts[:2]],
        await Post.all().order_by("ordinal").values_list("id", "person_id", "title"),
    ]


async def upsert(_):
    for name in ("ann", "Ann"):
        made = [Person(email="ann@example.org", name=name)]
        await Person.bulk_create(made, on_conflict=["email"], update_fields=["name"])
    await Person.bulk_create([Person(email="ann@example.org", name="x")], ignore_conflicts=True)
    people = await Person.all().values_list("id", "name")
    found, is_new = await Person.get_or_create(email="ann@example.org", defaults={"name": "y"})
    results = [people, found.id, is_new]
    for email in ("ann@example.org", "bob@example.org"):
        each, is_new = await Person.update_or_create(email=email, defaults={"name": "z"})
        results.append([each.id, each.name, each.version, is_new])
    return results


async def eager(_):
    ann, bob, _ = await person("ann"), await person("bob"), await person("cid")
    first = await Post.create(person=ann, title="one", ordinal=1)
    await Post.create(person=ann, title="two", ordinal=2)
    await Post.create(person=bob, title="three", ordinal=3)
    red, blue = await Tag.create(name="red"), await Tag.create(name="blue")
    await first.tags.add(red, blue)
    tags = Prefetch("tags", queryset=Tag.all().order_by("name"))
    posts = Prefetch("posts", queryset=Post.all().order_by("ordinal").prefetch_related(tags))
    people = await Person.all().prefetch_related(posts).order_by("email")
    fetched = [
        [
            each.id,
            [[post.id, post.person_id, [[tag.id, tag.name] for tag in post.tags]] for post in each.posts],
        ]
        for each in people
    ]
    joined = await Post.all().select_related("person").order_by("ordinal")
    joined = [[post.id, post.person.id, post.person.email] for post in joined]
    nested = await Tag.all().prefetch_related("posts__person").order_by("name")
    nested = [[tag.id, [[post.id, post.person.id] for post in tag.posts]] for tag in nested]
    lazy = await Post.get(ordinal=3)
    await lazy.fetch_related("person", "tags")
    counts = Person.annotate(count=Count("posts"), last=Max("posts__title")).order_by("email")
    within = Post.filter(person_id__in=Subquery(Person.filter(name="bob").values("id")))
    return [
        fetched,
        joined,
        nested,
        [lazy.person.id, len(lazy.tags)],
        await counts.values_list("id", "count", "last"),
        await within.values_list("id", flat=True),
        await Person.filter(posts__tags__name="red").distinct().values_list("id", "name"),
        await Post.filter(tags=blue.id).values("id", "person__id", "person__name"),
        await Person.filter(posts__isnull=True).values_list("name", flat=True),
        await (await first.person).posts.filter(ordinal__gt=1).values_list("id", "title"),
    ]


async def keyset(_):
    ann = await person("ann")
    await Post.bulk_create([Post(person=ann, title=f"t{at:02}", ordinal=at) for at in range(12)])
    page = Post.all().order_by("id").limit(5)
    pages = [await page.values_list("id", "title")]
    while pages[-1]:
        pages.append(await page.filter(id__gt=pages[-1][-1][0]).values_list("id", "title"))
    by_two = Post.all().order_by("person_id", "id").limit(5)
    pairs = [await by_two.values_list("id", "title")]
    while pairs[-1]:
        after = Q(person_id__gt=ann.id) | Q(person_id=ann.id, id__gt=pairs[-1][-1][0])
        pairs.append(await by_two.filter(after).values_list("id", "title"))
    return [paged(pages), paged(pairs)]


async def arrays(_):
    ann, bob, cid = await person("ann"), await person("bob"), await person("cid")
    group = await Group.create(name="a", member_ids=[ann.id, bob.id])
    await Group.create(name="b", member_ids=[])
    group.member_ids = [*group.member_ids, cid.id]
    await group.save()
    read = await Group.all().order_by("name").values_list("id", "name", "member_ids")
    results = []
    for condition in (
        Q(member_ids__contains=[cid.id, ann.id]),
        Q(member_ids__contained_by=[ann.id]),
        Q(member_ids__overlap=[bob.id]),
        Q(member_ids=[ann.id, bob.id, cid.id]),
        Q(member_ids__len=3),
    ):
        results.append(await Group.filter(condition).values_list("name", flat=True))
    members = Person.filter(id__in=group.member_ids).order_by("name").values_list("id", "name")
    first = Group.annotate(first=RawSQL("member_ids[1]")).order_by("name").values_list("name", "first")
    aggregated = Person.filter(name="bob").annotate(ids=ArrayAgg("id")).group_by("name")
    return [read, results, await members, await first, await aggregated.values_list("name", "ids")]


async def json(connection):
    ann = await person("ann")
    body = {"by": str(ann.id), "marks": [1, 2.5, None], "deep": {"é": True}}
    post = await Post.create(person=ann, title="one", ordinal=1, body=body)
    await Post.create(person=ann, title="two", ordinal=2)
    read = await Post.all().order_by("ordinal").values_list("id", "body")
    results = []
    for condition in (
        Q(body__contains={"marks": [1]}),
        Q(body__filter={"by": str(ann.id)}),
        Q(body__filter={"marks__0": 1}),
        Q(body__isnull=True),
    ):
        results.append(await Post.filter(condition).values_list("title", flat=True))
    post.body["deep"]["é"] = False
    await post.save(update_fields=["body"])
    shown = await Post.filter(id=post.id).annotate(json=ToJson("id")).values_list("body", "json")
    built = await connection.execute_query_dict(
        """select p.id, json_agg(json_build_object('id', o.id, 'person', o.person_id, 'title', o.title)
           order by o.title) as posts from people p join posts o on o.person_id = p.id group by p.id"""
    )
    return [read, results, shown, built]


async def transaction(_):
    async with in_transaction() as connection:
        await Person.create(using_db=connection, email="ann@example.org", name="ann")
    async with in_transaction() as connection:
        await person("bob")
        await connection.rollback()

    @atomic()
    async def nested():
        await person("cid")
        try:
            async with in_transaction():
                await person("dan")
                await person("dan")
        except IntegrityError:
            pass
        async with in_transaction():
            await person("eve")
        locked = await Person.filter(name="eve").select_for_update().get()
        await Person.filter(id=locked.id).update(name=Upper("name"))

    await nested()
    return await Person.all().order_by("email").values_list("id", "name")


async def cascade(connection):
    ann, bob = await person("ann"), await person("bob")
    one = await Post.create(person=ann, title="one", ordinal=1)
    two = await Post.create(person=bob, title="two", ordinal=2)
    red, blue = await Tag.create(name="red"), await Tag.create(name="blue")
    await one.tags.add(red, blue)
    await two.tags.add(red, blue)
    await two.tags.remove(blue)
    await ann.delete()
    pairs = await connection.execute_query_dict("select * from post_tags")
    left = await Post.all().values_list("id", "person_id", "title")
    await two.tags.clear()
    return [left, pairs, await two.tags.all().count(), await Tag.all().order_by("name").values("id", "name")]


async def errors(connection):
    ann, bob = await person("ann"), await person("bob")
    await bob.delete()
    results = []
    for attempt in (
        lambda: person("ann"),
        lambda: Person.create(id=ann.id, email="x", name="x"),
        lambda: Post.create(person_id=bob.id, title="x"),
        lambda: Post.create(title="x"),
        lambda: Person.get(id=bob.id),
        lambda: Person.filter(id="not-a-uuid"),
        lambda: Person.filter(id__in=[ann.id, "not-a-uuid"]),
        lambda: Person.filter(id=1),
        lambda: Person.raw("select * from people where id = 'not-a-uuid'"),
        lambda: Person.raw("select * from people where id = 1"),
        lambda: connection.execute_query("select * from people where id = $1", [1]),
    ):
        try:
            results.append(await attempt())
        except BaseORMException as error:
            results.append(told(error))
    return results


async def prepared(_):
    results = []
    for number in range(20):
        made = await person(f"p{number}")
        results += await Person.filter(id=made.id).values_list("id", "email")
    ids = [row[0] for row in results]
    return [results, [await Person.filter(id__in=ids).count() for _ in range(20)]]


async def altered(connection):
    ann = await person("ann")
    results = []

    async def repeated(times):
        for _ in range(times):
            results.append(await Person.filter(id=ann.id).values())
            results.append(
                await connection.execute_query_dict("select * from people where id = $1", [ann.id])
            )

    await repeated(3)
    await connection.execute_script("alter table people add column nick text default 'none'")
    await repeated(2)
    await connection.execute_script("alter table people add column rank int default 3")
    try:
        async with in_transaction() as within:
            await within.execute_query_dict("select * from people where id = $1", [ann.id])
    except asyncpg.PostgresError as error:
        results.append(told(error))
    await repeated(2)
    return [results, await Person.annotate(nick=RawSQL("nick")).values_list("id", "nick")]


async def introspect(connection):
    await Tortoise.generate_schemas(safe=True)
    columns = await connection.execute_query_dict(
        """select table_name, column_name, data_type, udt_name, column_default, is_nullable
           from information_schema.columns where table_schema = $1 order by table_name, ordinal_position""",
        ["public"],
    )
    constraints = await connection.execute_query_dict(
        """select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition
           from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2"""
    )
    indexes = await connection.execute_query_dict(
        "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2"
    )
    plan = await Person.filter(id__isnull=True).explain()
    return [columns, constraints, indexes, len(plan)]


if __name__ == "__main__":
    features.run(__name__)
