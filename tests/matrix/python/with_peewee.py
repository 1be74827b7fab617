"""peewee by psycopg2, with its reflection."""

import features
import peewee
from features import EMPTY, paged
from peewee import (
    JOIN,
    SQL,
    CompositeKey,
    ForeignKeyField,
    IntegerField,
    Model,
    PostgresqlDatabase,
    TextField,
    Tuple,
    UUIDField,
    Value,
    fn,
    prefetch,
)
from playhouse.postgres_ext import ArrayField, BinaryJSONField
from playhouse.reflection import Introspector

database = PostgresqlDatabase(None)


class Base(Model):
    class Meta:
        database = database


def key():
    return UUIDField(primary_key=True, constraints=[SQL("default gen_random_uuid()")])


class Person(Base):
    id = key()
    email = TextField(unique=True)
    name = TextField()
    version = IntegerField(default=1)

    class Meta:
        table_name = "people"


class Post(Base):
    id = key()
    person = ForeignKeyField(Person, backref="posts", on_delete="cascade")
    title = TextField()
    body = BinaryJSONField(null=True)
    ordinal = IntegerField(null=True, unique=True)

    class Meta:
        table_name = "posts"


class Tag(Base):
    id = key()
    name = TextField(unique=True)

    class Meta:
        table_name = "tags"


class PostTag(Base):
    post = ForeignKeyField(Post, backref="pairs")
    tag = ForeignKeyField(Tag, backref="pairs")

    class Meta:
        table_name = "post_tags"
        primary_key = CompositeKey("post", "tag")


class Group(Base):
    id = key()
    name = TextField()
    member_ids = ArrayField(UUIDField, index=False)

    class Meta:
        table_name = "groups"


def connect(address):
    host, port, user, name = address
    database.init(name, host=host, port=port, user=user)
    database.connect()
    return database


def empty(_):
    database.execute_sql(EMPTY)


def close(_):
    database.close()


def fault(error):
    original = getattr(error, "orig", None) or error.__cause__ or error
    return getattr(original, "pgcode", None), original


def told(error):
    state, original = fault(error)
    diag = original.diag
    return [type(error).__name__, state, diag.constraint_name, diag.message_primary, diag.message_detail]


def person(name):
    return Person.create(email=f"{name}@example.org", name=name)


def rows(query):
    return [list(row) for row in query.tuples()]


def crud(_):
    ann, bob = person("ann"), person("bob")
    read = Person.get_by_id(ann.id)
    by_text = Person.get(Person.id == str(bob.id))
    read.name = "Ann"
    changed = read.save()
    counted = Person.update(version=Person.version + 1).where(Person.id == ann.id).execute()
    gone = bob.delete_instance()
    none = Person.get_or_none(Person.id == bob.id)
    return [ann.id, by_text.id, changed, counted, gone, none, rows(Person.select())]


def returning(_):
    ann = person("ann")
    values = [{"person": ann, "title": "a", "ordinal": 1}, {"person": ann, "title": "b", "ordinal": 2}]
    made = sorted(rows(Post.insert_many(values).returning(Post)), key=lambda row: row[2])
    change = Post.update(title=fn.upper(Post.title)).where(Post.person == ann, Post.ordinal == 1)
    changed = [[post.id, post.person_id, post.title] for post in change.returning(Post).execute()]
    gone = Post.delete().where(Post.ordinal == 2).returning(Post.id, Post.title)
    return [made, changed, [[post.id, post.title] for post in gone.execute()]]


def bulk(_):
    names = ["ann", "bob", "cid"]
    made = Person.insert_many([(f"{name}@example.org", name) for name in names], [Person.email, Person.name])
    ids = len(list(made.execute()))
    people = list(Person.select().order_by(Person.name))
    posts = [Post(person=people[at % 3], title=f"t{at}", ordinal=at) for at in range(7)]
    Post.insert_many(
        [{"person": post.person, "title": post.title, "ordinal": post.ordinal} for post in posts]
    ).execute()
    posts = list(Post.select().order_by(Post.ordinal))
    for post in posts:
        post.title = post.title.upper()
    changed = Post.bulk_update(posts, [Post.title], batch_size=3)
    copied = Tag.insert_from(Post.select(Post.title).where(Post.ordinal < 3), [Tag.name]).execute()
    return [
        ids,
        changed,
        len(list(copied)),
        rows(Post.select().order_by(Post.ordinal)),
        rows(Tag.select().order_by(Tag.name)),
    ]


def upsert(_):
    made = []
    for name in ("ann", "Ann", "ANN"):
        insert = Person.insert(email="ann@example.org", name=name).on_conflict(
            conflict_target=[Person.email],
            preserve=[Person.name],
            update={Person.version: Person.version + 1},
        )
        made += [[each.id, each.name, each.version] for each in insert.returning(Person).execute()]
    ignored = Person.insert(email="ann@example.org", name="x").on_conflict_ignore().execute()
    found, is_new = Person.get_or_create(email="ann@example.org", defaults={"name": "y"})
    return [made, ignored, found.id, is_new]


def eager(_):
    ann, bob, _ = person("ann"), person("bob"), person("cid")
    first = Post.create(person=ann, title="one", ordinal=1)
    Post.create(person=ann, title="two", ordinal=2)
    Post.create(person=bob, title="three", ordinal=3)
    for name in ("red", "blue"):
        PostTag.create(post=first, tag=Tag.create(name=name))
    joined = Post.select(Post, Person).join(Person).order_by(Post.ordinal)
    joined = [[post.id, post.person.id, post.person.email] for post in joined]
    people = prefetch(
        Person.select().order_by(Person.email),
        Post.select().order_by(Post.ordinal),
        PostTag,
        Tag.select().order_by(Tag.name),
    )
    fetched = [
        [
            each.id,
            [[post.id, post.title, sorted(pair.tag.name for pair in post.pairs)] for post in each.posts],
        ]
        for each in people
    ]
    counts = Person.select(Person.id, fn.count(Post.id)).join(Post, JOIN.LEFT_OUTER).group_by(Person.id)
    within = Post.select(Post.id).where(Post.person.in_(Person.select().where(Person.name == "bob")))
    return [joined, fetched, rows(counts.order_by(Person.email)), rows(within), first.person.id]


def keyset(_):
    ann = person("ann")
    Post.insert_many([{"person": ann, "title": f"t{at:02}", "ordinal": at} for at in range(12)]).execute()
    page = Post.select(Post.id, Post.title).order_by(Post.id).limit(5)
    pages = [rows(page)]
    while pages[-1]:
        pages.append(rows(page.where(Post.id > pages[-1][-1][0])))
    by_two = Post.select(Post.id, Post.title).order_by(Post.person, Post.id).limit(5)
    pairs = [rows(by_two)]
    while pairs[-1]:
        pairs.append(rows(by_two.where(Tuple(Post.person, Post.id) > (ann.id, pairs[-1][-1][0]))))
    return [paged(pages), paged(pairs)]


def arrays(_):
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    group = Group.create(name="a", member_ids=[ann.id, bob.id])
    Group.create(name="b", member_ids=[])
    group.member_ids = [*group.member_ids, cid.id]
    group.save()
    read = rows(Group.select().order_by(Group.name))
    within = rows(Group.select(Group.name).where(Value(bob.id) == fn.any(Group.member_ids)))
    contained = rows(Group.select(Group.name).where(Group.member_ids.contains(cid.id, ann.id)))
    first = rows(Group.select(Group.member_ids[0], fn.cardinality(Group.member_ids)).order_by(Group.name))
    members = Group.select(Group.name, Person.id).join(Person, on=(Person.id == fn.any(Group.member_ids)))
    return [read, within, contained, first, rows(members.order_by(Person.email))]


def json(_):
    ann = person("ann")
    body = {"by": str(ann.id), "marks": [1, 2.5, None], "deep": {"é": True}}
    Post.create(person=ann, title="one", ordinal=1, body=body)
    Post.create(person=ann, title="two", ordinal=2)
    read = rows(Post.select(Post.id, Post.body).order_by(Post.ordinal))
    parts = rows(Post.select(Post.body["by"], Post.body["marks"]).where(Post.body.contains({"marks": [1]})))
    document = fn.json_build_object("id", Post.id, "person", Post.person, "title", Post.title)
    built = Post.select(Post.title, document, fn.to_jsonb(Post.id)).order_by(Post.title)
    aggregated = Post.select(fn.json_agg(document)).where(Post.ordinal == 1)
    return [read, parts, rows(built), rows(aggregated)]


def transaction(_):
    with database.atomic():
        person("ann")
    with database.atomic() as rolled:
        person("bob")
        rolled.rollback()
    with database.atomic():
        person("cid")
        try:
            with database.atomic():
                person("dan")
                person("dan")
        except peewee.IntegrityError:
            pass
        with database.savepoint():
            person("eve")
    return rows(Person.select(Person.id, Person.name).order_by(Person.name))


def cascade(_):
    ann, bob = person("ann"), person("bob")
    post = Post.create(person=ann, title="one", ordinal=1)
    Post.create(person=bob, title="two", ordinal=2)
    PostTag.create(post=post, tag=Tag.create(name="red"))
    gone = ann.delete_instance()
    left = rows(Post.select(Post.id, Post.person, Post.title))
    recursive = bob.delete_instance(recursive=True)
    return [gone, left, recursive, Post.select().count(), PostTag.select().count(), rows(Tag.select())]


def errors(_):
    ann, bob = person("ann"), person("bob")
    bob.delete_instance()
    results = []
    for attempt in (
        lambda: person("ann"),
        lambda: Person.create(id=ann.id, email="x", name="x"),
        lambda: Post.create(person=bob.id, title="x"),
        lambda: Post.insert(person=None, title="x").execute(),
        lambda: rows(Person.select().where(SQL("id = 'not-a-uuid'"))),
        lambda: rows(Person.select().where(SQL("id = 1"))),
        lambda: rows(Person.select().where(Person.id == "not-a-uuid")),
    ):
        try:
            results.append(attempt())
        except peewee.PeeweeException as error:
            results.append(told(error))
            database.rollback()
    return results


def prepared(_):
    results = []
    for number in range(20):
        made = person(f"p{number}")
        results += rows(Person.select(Person.id, Person.email).where(Person.id == made.id))
    ids = [row[0] for row in results]
    return [results, [Person.select().where(Person.id.in_(ids)).count() for _ in range(20)]]


def altered(_):
    person("ann")
    select = Person.raw("select * from people where name = %s", "ann")
    before = [[list(row) for row in select.clone().tuples()] for _ in range(8)]
    database.execute_sql("alter table people add column nick text default 'none'")
    after = [
        [list(row) for row in Person.raw("select * from people where name = %s", "ann").tuples()]
        for _ in range(4)
    ]
    return [before, after, rows(Person.select(Person.id, SQL("nick")))]


def introspect(_):
    reflected = []
    for name in sorted(database.get_tables()):
        columns = [[*column[:4], column.default] for column in database.get_columns(name)]
        keys = sorted(
            [key.column, key.dest_table, key.dest_column] for key in database.get_foreign_keys(name)
        )
        indexes = sorted([each.name, each.columns, each.unique] for each in database.get_indexes(name))
        reflected.append([name, columns, database.get_primary_keys(name), keys, indexes])
    models = Introspector.from_database(database).generate_models()
    fields = {
        name: {field.name: type(field).__name__ for field in model._meta.sorted_fields}
        for name, model in sorted(models.items())
    }
    return [reflected, fields]


if __name__ == "__main__":
    features.run(__name__)
