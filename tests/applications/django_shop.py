"""Django's migrations as the application's own role runs them, and its ORM on what they have made.
The first argument says which part: `tables` creates them, `rows` fills them, `change` alters them
while rows with keys are there, and works on them."""

import sys

import django
from django.conf import settings

PART, HOST, PORT, NAME = sys.argv[1:5]
BACKEND = {"ENGINE": "django.db.backends.postgresql", "HOST": HOST, "PORT": PORT, "NAME": NAME, "USER": "app"}
settings.configure(
    DATABASES={"default": BACKEND},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
)
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import IntegrityError, NotSupportedError, connection, migrations, models, transaction  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery  # noqa: E402

checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"django {django.get_version()}: {what}")


def key():
    return ("id", models.BigAutoField(primary_key=True))


def reference(to, **more):
    return models.ForeignKey(to=f"shop.{to}", on_delete=models.CASCADE, **more)


def rename_all(apps, _):
    """What a migration of data does: rows one by one, by their ids."""
    for author in apps.get_model("shop", "Author").objects.order_by("id").iterator(2):
        author.name = author.name.upper()
        author.save(update_fields=["name"])


class Made(migrations.Migration):
    initial = True
    operations = [
        migrations.CreateModel("Author", [key(), ("name", models.CharField(max_length=40))]),
        migrations.CreateModel("Tag", [key(), ("word", models.CharField(max_length=20, unique=True))]),
        migrations.CreateModel(
            "Book",
            [
                key(),
                ("title", models.CharField(max_length=40)),
                ("author", reference("author", related_name="books")),
                ("tags", models.ManyToManyField("shop.tag")),
                ("scrap", models.TextField(default="")),
            ],
        ),
    ]


class Changed(migrations.Migration):
    dependencies = [("shop", "0001_made")]
    operations = [
        migrations.AddField("author", "email", models.EmailField(null=True)),
        migrations.AddField("book", "pages", models.IntegerField(default=0, db_default=0)),
        migrations.AddField("book", "sequel_of", reference("book", null=True)),
        migrations.AlterField("author", "name", models.CharField(max_length=80, db_index=True)),
        migrations.AddIndex("book", models.Index(fields=["author", "title"], name="book_by_author")),
        migrations.AddConstraint(
            "book", models.CheckConstraint(condition=Q(pages__gte=0), name="book_has_pages")
        ),
        migrations.AddConstraint(
            "book", models.UniqueConstraint(fields=["author", "title"], name="book_once")
        ),
        migrations.RemoveField("book", "scrap"),
        migrations.RenameField("book", "title", "name"),
        migrations.CreateModel(
            "Loan", [key(), ("book", reference("book")), ("open", models.BooleanField(default=True))]
        ),
        migrations.RunPython(rename_all, migrations.RunPython.noop),
    ]


class Referred(migrations.Migration):
    """What drops the foreign keys of references and adds them again, or them and their columns."""

    dependencies = [("shop", "0002_changed")]
    operations = [
        migrations.AlterField("book", "author", reference("author", related_name="books", null=True)),
        migrations.AlterField(
            "loan", "book", models.ForeignKey("shop.book", on_delete=models.DO_NOTHING, db_index=False)
        ),
        migrations.AlterField("loan", "book", models.OneToOneField("shop.book", on_delete=models.CASCADE)),
        migrations.RenameField("loan", "book", "lent"),
        migrations.AddField("loan", "former", reference("author", null=True)),
        migrations.RenameField("loan", "former", "author"),
        migrations.RemoveField("loan", "author"),
        migrations.AlterField("loan", "lent", reference("book")),
    ]


class Unbound(migrations.Migration):
    dependencies = [("shop", "0003_referred")]
    operations = [migrations.AlterField("loan", "lent", reference("book", db_constraint=False))]


ALL = [
    ("0001_made", Made),
    ("0002_changed", Changed),
    ("0003_referred", Referred),
    ("0004_unbound", Unbound),
]


def migrate(last):
    """Applies the migrations up to this one, with Django's own record of them."""
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    for name, migration in ALL:
        node = ("shop", name)
        made = migration(name, "shop")
        executor.loader.disk_migrations[node] = made
        graph.add_node(node, made)
        for parent in migration.dependencies:
            graph.add_dependency(made, node, parent)
    executor.migrate([("shop", last)])
    return executor.loader.project_state(("shop", last)).apps


def fill(apps):
    author, book, tag = (apps.get_model("shop", name) for name in ("Author", "Book", "Tag"))
    tags = [tag.objects.create(word=word) for word in ("old", "new", "odd")]
    for name in ("ann", "bob", "cai", "dee", "eli"):
        one = author.objects.create(name=name)
        made = book.objects.bulk_create([book(title=f"{name} {n}", author=one) for n in range(3)])
        check(all(row.pk for row in made), "bulk_create gives ids")
        made[0].tags.set(tags[:2])
        made[1].tags.add(tags[2])
    check(book.objects.count() == 15, "all books are there")


def read(apps):
    author, book, loan = (apps.get_model("shop", name) for name in ("Author", "Book", "Loan"))
    authors = list(author.objects.order_by("id"))
    check([row.name for row in authors] == ["ANN", "BOB", "CAI", "DEE", "ELI"], "RunPython")
    ann = authors[0]
    check(author.objects.get(pk=ann.pk).name == "ANN", "get by id")
    check(author.objects.filter(pk__in=[row.pk for row in authors[1:3]]).count() == 2, "in_bulk")
    check(set(author.objects.in_bulk([ann.pk])) == {ann.pk}, "in_bulk")
    check(len({row.author.pk for row in book.objects.select_related("author")}) == 5, "a join")
    fetched = author.objects.prefetch_related("books__tags")
    check(sum(len(one.tags.all()) for row in fetched for one in row.books.all()) == 15, "prefetched")
    counted = author.objects.annotate(n=Count("books")).filter(n=3).values_list("pk", flat=True)
    check(len(counted) == 5, "a count by author")
    first = book.objects.filter(author=OuterRef("pk")).order_by("pk").values("pk")[:1]
    found = author.objects.annotate(first=Subquery(first)).get(pk=ann.pk).first
    check(book.objects.get(pk=found).name == "ann 0", "a subquery's id")
    check(author.objects.filter(Exists(book.objects.filter(author=OuterRef("pk")))).count() == 5, "exists")
    second = book.objects.get(name="ann 1")
    second.sequel_of_id = found
    second.save()
    check(book.objects.get(sequel_of=found).pk == second.pk, "a reference to the own table")
    check(book.objects.filter(pk=second.pk).update(pages=F("pages") + 7) == 1, "an update")
    lent = loan.objects.create(book=second)
    with transaction.atomic():
        check(loan.objects.select_for_update().get(pk=lent.pk).book_id == second.pk, "for update")
    made, new = author.objects.get_or_create(name="FAY", defaults={"email": "fay@example.test"})
    check(new and author.objects.get(email="fay@example.test").pk == made.pk, "get_or_create")
    changes = book.objects.filter(author=ann)
    for one in changes:
        one.author = made
    check(book.objects.bulk_update(changes, ["author"]) == 3, "bulk_update of a reference")
    check(made.books.count() == 3 and ann.books.count() == 0, "references have changed")
    pages, last = [], 0
    while page := list(book.objects.filter(pk__gt=last).order_by("pk")[:4]):
        pages += [row.pk for row in page]
        last = page[-1].pk
    check(len(pages) == len(set(pages)) == 15, "pages by id")
    return author, book, made, second


def fail(author, book, made, second):
    for doing in (
        lambda: book.objects.create(name=second.name, author=made),
        lambda: book.objects.filter(pk=second.pk).update(pages=-1),
    ):
        try:
            with transaction.atomic():
                doing()
            check(False, "a constraint holds")
        except IntegrityError:
            check(True, "a constraint holds")
    check(made.delete()[0] > 4, "a delete cascades")
    check(not book.objects.filter(pk=second.pk).exists(), "what referred to it is gone")


def refer(apps):
    """References that have been altered are what they were."""
    before = dict(apps.get_model("shop", "Book").objects.values_list("pk", "author"))
    lent = set(apps.get_model("shop", "Loan").objects.values_list("book", flat=True))
    apps = migrate("0003_referred")
    book, loan = (apps.get_model("shop", name) for name in ("Book", "Loan"))
    check(dict(book.objects.values_list("pk", "author")) == before, "references to authors")
    check(set(loan.objects.values_list("lent", flat=True)) == lent, "a reference has a new name")
    book.objects.create(name="anonymous", author=None)
    try:
        migrate("0004_unbound")
        check(False, "a reference keeps its foreign key")
    except NotSupportedError as error:
        check("shop_loan.lent_id" in str(error), "what would lose its annotation is named")
    check(set(loan.objects.values_list("lent", flat=True)) == lent, "nothing has changed")


if PART == "tables":
    # Django's own applications have migrations of their own.
    call_command("migrate", verbosity=0)
    migrate("0001_made")
elif PART == "rows":
    fill(migrate("0001_made"))
else:
    apps = migrate("0002_changed")
    fail(*read(apps))
    refer(apps)
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        check({"shop_author", "shop_book", "shop_loan"} <= set(names), "the tables are found")
        constraints = connection.introspection.get_constraints(cursor, "shop_book")
        check("book_once" in constraints and "book_by_author" in constraints, "constraints are found")
    from django.contrib.auth.models import Group, Permission, User

    user = User.objects.create_user("ann", password="x")
    user.groups.add(Group.objects.create(name="readers"))
    check(User.objects.filter(groups__name="readers").get().pk == user.pk, "Django's own users")
    check(Permission.objects.filter(content_type__app_label="auth").count() == 12, "permissions")
    call_command("migrate", "auth", "zero", verbosity=0)
print(f"django {django.get_version()}: {checks} checks")
