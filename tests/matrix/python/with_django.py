"""Django's ORM by psycopg 3, which binds at the client by default and at the server where it is told
to, with its introspection and its editor of schemas."""

import os
import sys
from io import StringIO

import django
import features
from django.conf import settings
from features import EMPTY, paged

HOST, PORT, USER, NAME = sys.argv[1:5]
ADDRESS = {"ENGINE": "django.db.backends.postgresql", "HOST": HOST, "PORT": PORT, "USER": USER, "NAME": NAME}
BOUND = {"server_side_binding": True, "prepare_threshold": 5}
settings.configure(
    DATABASES={"default": ADDRESS, "bound": {**ADDRESS, "OPTIONS": BOUND}},
    INSTALLED_APPS=[__name__],
    USE_TZ=True,
)
django.setup()
# The runner calls from its event loop, where nothing else waits.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

from django.contrib.postgres.aggregates import ArrayAgg, JSONBAgg  # noqa: E402
from django.contrib.postgres.expressions import ArraySubquery  # noqa: E402
from django.contrib.postgres.fields import ArrayField  # noqa: E402
from django.contrib.postgres.functions import RandomUUID  # noqa: E402
from django.core.exceptions import ObjectDoesNotExist, ValidationError  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import DatabaseError, IntegrityError, connections, models  # noqa: E402
from django.db.models import Count, Exists, F, Max, OuterRef, Prefetch, Q, Subquery  # noqa: E402
from django.db.models.fields.json import KT  # noqa: E402
from django.db.models.functions import Cast, JSONObject, Upper  # noqa: E402
from django.db.transaction import atomic, on_commit, set_rollback  # noqa: E402


def key():
    return models.UUIDField(primary_key=True, db_default=RandomUUID())


class Person(models.Model):
    id = key()
    email = models.TextField(unique=True)
    name = models.TextField()
    version = models.IntegerField(db_default=1)

    class Meta:
        db_table = "people"


class Tag(models.Model):
    id = key()
    name = models.TextField(unique=True)

    class Meta:
        db_table = "tags"
        ordering = ["name"]


class Post(models.Model):
    id = key()
    person = models.ForeignKey(Person, models.CASCADE, related_name="posts")
    title = models.TextField()
    body = models.JSONField(null=True)
    ordinal = models.IntegerField(null=True, unique=True)
    tags = models.ManyToManyField(Tag, through="PostTag", related_name="posts")

    class Meta:
        db_table = "posts"


class PostTag(models.Model):
    pk = models.CompositePrimaryKey("post_id", "tag_id")
    post = models.ForeignKey(Post, models.CASCADE)
    tag = models.ForeignKey(Tag, models.CASCADE)

    class Meta:
        db_table = "post_tags"


class Group(models.Model):
    id = key()
    name = models.TextField()
    member_ids = ArrayField(models.UUIDField(), default=list)

    class Meta:
        db_table = "groups"


def connect(_):
    return connections["default"]


def run_sql(connection, sql, parameters=()):
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall() if cursor.description else cursor.rowcount


def empty(connection):
    run_sql(connection, EMPTY)


def close(_):
    connections.close_all()


def fault(error):
    original = error.__cause__ or error
    return getattr(original, "sqlstate", None), original


def told(error):
    state, original = fault(error)
    if state is None:
        return [type(error).__name__, str(error)]
    diag = original.diag
    return [type(error).__name__, state, diag.constraint_name, diag.message_primary, diag.message_detail]


def person(name, **more):
    return Person.objects.create(email=f"{name}@example.org", name=name, **more)


def rows(query, *fields):
    return list(query.values_list(*fields))


def crud(_):
    ann, bob = person("ann"), person("bob")
    read = Person.objects.get(pk=ann.pk)
    by_text = Person.objects.get(id=str(bob.id))
    read.name = "Ann"
    read.save()
    read.version = F("version") + 1
    read.save(update_fields=["version"])
    read.refresh_from_db()
    changed = Person.objects.filter(pk=ann.pk).update(name="Anne")
    gone = bob.delete()
    none = Person.objects.filter(id=bob.id).first()
    text = rows(Person.objects.annotate(text=Cast("id", models.TextField())), "text")
    found = Person.objects.filter(id__iexact=str(ann.id)).exists()
    results = [ann.id, ann.version, by_text.id, read.name, read.version, changed, gone, none]
    return [*results, text, found, rows(Person.objects)]


def returning(connection):
    ann = person("ann")
    made = [Post.objects.create(person=ann, title=title, ordinal=at) for at, title in enumerate("abc")]
    change = "update posts set title = upper(title) where id = %s returning *"
    changed = Post.objects.raw(change, [made[0].id])
    chained = run_sql(
        connection,
        """with moved as (delete from posts where person_id = %s and ordinal = %s returning id, person_id)
           select m.id, p.id, p.name from moved m join people p on p.id = m.person_id""",
        [ann.id, 1],
    )
    return [
        [[post.id, post.person_id, post.title] for post in made],
        [[post.id, post.person.id, post.title] for post in changed],
        chained,
        Post.objects.filter(person=ann, ordinal=2).delete(),
    ]


def bulk(_):
    # What is made in bulk is not told the keys that the database gives by default.
    Person.objects.bulk_create([Person(email=f"{name}@example.org", name=name) for name in "abc"])
    people = list(Person.objects.order_by("name"))
    values = [Post(person=people[at % 3], title=f"t{at}", ordinal=at) for at in range(7)]
    Post.objects.bulk_create(values, batch_size=4)
    Tag.objects.bulk_create([Tag(name=f"tag{at}") for at in range(3)])
    posts = list(Post.objects.order_by("ordinal"))
    pairs = PostTag.objects.bulk_create([PostTag(post=posts[0], tag=tag) for tag in Tag.objects.all()])
    for post in posts:
        post.title, post.person = post.title.upper(), people[0]
    changed = Post.objects.bulk_update(posts, ["title", "person"], batch_size=4)
    found = Post.objects.in_bulk([post.id for post in posts[:2]])
    streamed = Post.objects.order_by("ordinal").iterator(chunk_size=3)
    return [
        [[each.id, each.name] for each in people],
        [pair.pk for pair in pairs],
        changed,
        [found[post.id].title for post in posts[:2]],
        [[post.id, post.person_id, post.title] for post in streamed],
        rows(PostTag.objects.order_by("tag__name"), "tag__name", "pk"),
    ]


def upsert(_):
    results = []
    for name in ("ann", "Ann"):
        Person.objects.bulk_create(
            [Person(email="ann@example.org", name=name)],
            update_conflicts=True,
            unique_fields=["email"],
            update_fields=["name"],
        )
        results += rows(Person.objects, "id", "name")
    Person.objects.bulk_create([Person(email="ann@example.org", name="x")], ignore_conflicts=True)
    found, is_new = Person.objects.get_or_create(email="ann@example.org", defaults={"name": "y"})
    results.append([found.id, found.name, is_new])
    for email in ("ann@example.org", "bob@example.org"):
        each, is_new = Person.objects.update_or_create(
            email=email, defaults={"name": "z"}, create_defaults={"name": "new"}
        )
        results.append([each.id, each.name, is_new])
    kept = Person(id=found.id, email="ann@example.net", name="kept", version=7)
    kept.save(force_update=True)
    return [results, rows(Person.objects.order_by("email"))]


def eager(_):
    ann, bob, _ = person("ann"), person("bob"), person("cid")
    first = ann.posts.create(title="one", ordinal=1)
    ann.posts.create(title="two", ordinal=2)
    bob.posts.create(title="three", ordinal=3)
    red, blue = Tag.objects.create(name="red"), Tag.objects.create(name="blue")
    first.tags.set([red, blue])
    posts = Prefetch("posts", Post.objects.order_by("ordinal").prefetch_related("tags"))
    latest = Prefetch("posts", Post.objects.order_by("-ordinal")[:1], to_attr="latest")
    people = Person.objects.order_by("email")
    fetched = [
        [
            each.id,
            [
                [post.id, post.person_id, [[tag.id, tag.name] for tag in post.tags.all()]]
                for post in each.posts.all()
            ],
        ]
        for each in people.prefetch_related(posts)
    ]
    joined = Post.objects.select_related("person").order_by("ordinal")
    nested = Tag.objects.prefetch_related("posts__person")
    counts = people.annotate(count=Count("posts", filter=Q(posts__ordinal__gt=1)), last=Max("posts__title"))
    newest = Post.objects.filter(person=OuterRef("pk")).order_by("-ordinal")
    lasts = people.annotate(newest=Subquery(newest.values("id")[:1]), has=Exists(newest))
    both = Post.objects.filter(ordinal=1).union(Post.objects.filter(person__name="bob")).order_by("title")
    return [
        fetched,
        [[each.id, [post.id for post in each.latest]] for each in people.prefetch_related(latest)],
        [[post.id, post.person.id, post.person.email] for post in joined],
        [[tag.id, [[post.id, post.person.id] for post in tag.posts.all()]] for tag in nested],
        rows(counts, "id", "count", "last"),
        rows(lasts, "id", "newest", "has"),
        rows(both, "id", "title"),
        rows(Post.objects.filter(person__in=people.filter(name="bob")), "id"),
        rows(people.filter(posts__tags=blue).distinct(), "id", "name"),
        rows(people.exclude(posts__tags__name="red"), "name"),
        rows(Post.objects.filter(pk=first.pk).order_by("tags__name"), "id", "person__id", "tags__id"),
    ]


def keyset(_):
    ann = person("ann")
    Post.objects.bulk_create([Post(person=ann, title=f"t{at:02}", ordinal=at) for at in range(12)])
    page = Post.objects.order_by("id")
    pages = [rows(page[:5], "id", "title")]
    while pages[-1]:
        pages.append(rows(page.filter(id__gt=pages[-1][-1][0])[:5], "id", "title"))
    tag = Tag.objects.create(name="red")
    tag.posts.set(page)
    by_two = PostTag.objects.order_by("pk")
    pairs = [rows(by_two[:5], "pk", "post__title")]
    while pairs[-1]:
        pairs.append(rows(by_two.filter(pk__gt=pairs[-1][-1][0])[:5], "pk", "post__title"))
    return [paged(pages), paged(pairs)]


def arrays(_):
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    group = Group.objects.create(name="a", member_ids=[ann.id, bob.id])
    Group.objects.create(name="b")
    group.member_ids.append(cid.id)
    group.save()
    groups = Group.objects.order_by("name")
    conditions = (
        Q(member_ids__contains=[cid.id, ann.id]),
        Q(member_ids__contained_by=[ann.id]),
        Q(member_ids__overlap=[bob.id]),
        Q(member_ids=[ann.id, bob.id, cid.id]),
        Q(member_ids__len=3),
        Q(member_ids__0=ann.id),
        Q(member_ids__0_2=[ann.id, bob.id]),
        Q(member_ids__1__in=Person.objects.filter(name="bob").values("id")),
    )
    members = Person.objects.filter(id__in=group.member_ids).order_by("email")
    ids = Person.objects.order_by("email").values("id")
    return [
        rows(groups),
        [rows(groups.filter(condition), "name") for condition in conditions],
        rows(members, "id", "name"),
        rows(groups, "name", "member_ids__0", "member_ids__1_3"),
        rows(groups.annotate(everyone=ArraySubquery(ids)), "name", "everyone"),
        Person.objects.aggregate(ids=ArrayAgg("id", order_by="email")),
    ]


def json(_):
    ann = person("ann")
    body = {"by": str(ann.id), "marks": [1, 2.5, None], "deep": {"é": True}}
    post = ann.posts.create(title="one", ordinal=1, body=body)
    ann.posts.create(title="two", ordinal=2)
    posts = Post.objects.order_by("ordinal")
    conditions = (
        Q(body__contains={"marks": [1]}),
        Q(body__by=str(ann.id)),
        Q(body__marks__1__gt=2),
        Q(body__has_key="deep"),
        Q(body__isnull=True),
    )
    post.body["deep"]["é"] = False
    post.save(update_fields=["body"])
    document = JSONObject(id="id", person="person_id", title="title")
    built = JSONBAgg(JSONObject(id="posts__id", title=Upper("posts__title")))
    by_person = Person.objects.filter(posts__ordinal=1).annotate(built=built)
    return [
        rows(posts, "id", "body"),
        [rows(posts.filter(condition), "title") for condition in conditions],
        rows(posts.annotate(by=KT("body__by"), mark=KT("body__marks__1")), "by", "mark", "body__deep"),
        rows(posts.annotate(document=document), "document"),
        rows(by_person, "id", "built"),
    ]


def transaction(_):
    committed = []
    with atomic():
        ann = person("ann")
        on_commit(lambda: committed.append(ann.id))
    with atomic():
        person("bob")
        set_rollback(True)
    with atomic():
        person("cid")
        try:
            with atomic():
                person("dan")
                person("dan")
        except IntegrityError:
            pass
        with atomic():
            person("eve")
        locked = Person.objects.select_for_update(of=["self"]).get(name="eve")
        Person.objects.filter(id=locked.id).update(name=Upper("name"))
    return [committed, rows(Person.objects.order_by("email"), "id", "name")]


def cascade(connection):
    ann, bob = person("ann"), person("bob")
    red, blue = Tag.objects.create(name="red"), Tag.objects.create(name="blue")
    ann.posts.create(title="one", ordinal=1).tags.add(red, blue)
    two = bob.posts.create(title="two", ordinal=2)
    two.tags.add(red, blue)
    two.tags.remove(blue)
    gone = ann.delete()
    left = [rows(Post.objects, "id", "person_id", "title"), rows(PostTag.objects, "pk")]
    by_database = run_sql(connection, "delete from people where id = %s", [bob.id])
    return [gone, left, by_database, Post.objects.count(), PostTag.objects.count(), rows(Tag.objects)]


def errors(connection):
    ann, bob = person("ann"), person("bob")
    gone = bob.id
    bob.delete()
    results = []
    for attempt in (
        lambda: person("ann"),
        lambda: person("x", id=ann.id),
        lambda: Post.objects.create(person_id=gone, title="x"),
        lambda: Post.objects.create(person_id=None, title="x"),
        lambda: Person.objects.get(id=gone),
        lambda: rows(Person.objects.filter(id="not-a-uuid")),
        lambda: rows(Person.objects.filter(id=1)),
        lambda: list(Person.objects.raw("select * from people where id = 'not-a-uuid'")),
        lambda: list(Person.objects.raw("select * from people where id = %s", ["not-a-uuid"])),
        lambda: list(Person.objects.raw("select * from people where id = 1")),
        lambda: run_sql(connections["bound"], "select * from people where id = %s", ["not-a-uuid"]),
        lambda: rows(Person.objects.using("bound").filter(name=Cast("id", models.IntegerField()))),
    ):
        try:
            results.append(attempt())
        except (DatabaseError, ValidationError, ObjectDoesNotExist) as error:
            results.append(told(error))
    return results


def prepared(_):
    results = []
    people = Person.objects.using("bound")
    for number in range(20):
        made = people.create(email=f"p{number}@example.org", name=f"p{number}")
        results += rows(people.filter(id=made.id), "id", "email")
    ids = [row[0] for row in results]
    return [results, [people.filter(id__in=ids).count() for _ in range(20)]]


def altered(connection):
    ann = person("ann")
    bound = connections["bound"]
    results = []

    def repeated(times):
        for _ in range(times):
            try:
                results.append(run_sql(bound, "select * from people where id = %s", [ann.id]))
                results.append(rows(Person.objects.using("bound").filter(id=ann.id)))
            except DatabaseError as error:
                results.append(told(error))

    repeated(8)
    nick = models.TextField(null=True, db_default="none")
    nick.contribute_to_class(Person, "nick")
    with connection.schema_editor() as editor:
        editor.add_field(Person, nick)
    repeated(4)
    return [results, rows(Person.objects, "id", "nick")]


def introspect(connection):
    tables = []
    introspection = connection.introspection
    with connection.cursor() as cursor:
        for name in sorted(introspection.table_names(cursor)):
            tables.append(
                [
                    name,
                    introspection.get_table_description(cursor, name),
                    introspection.get_primary_key_columns(cursor, name),
                    introspection.get_sequences(cursor, name),
                    sorted(introspection.get_relations(cursor, name).items()),
                    sorted(introspection.get_constraints(cursor, name).items()),
                ]
            )
    models_of_tables = StringIO()
    call_command("inspectdb", stdout=models_of_tables)
    return [tables, models_of_tables.getvalue().splitlines()]


if __name__ == "__main__":
    features.run(__name__)
