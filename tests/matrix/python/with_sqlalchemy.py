"""SQLAlchemy's ORM by psycopg 3, with its reflection and automap."""

import uuid

import features
from features import EMPTY, paged
from sqlalchemy import (
    JSON,
    Column,
    ForeignKey,
    Table,
    Text,
    Uuid,
    any_,
    create_engine,
    delete,
    func,
    insert,
    inspect,
    literal,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.dialects.postgresql import insert as upserting
from sqlalchemy.exc import DBAPIError, StatementError
from sqlalchemy.ext.automap import automap_base
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    contains_eager,
    joinedload,
    mapped_column,
    relationship,
    selectinload,
    subqueryload,
)


class Base(DeclarativeBase):
    pass


def key():
    return mapped_column(Uuid, primary_key=True, server_default=text("gen_random_uuid()"))


class Person(Base):
    __tablename__ = "people"
    id: Mapped[uuid.UUID] = key()
    email: Mapped[str] = mapped_column(Text, unique=True)
    name: Mapped[str] = mapped_column(Text)
    version: Mapped[int] = mapped_column(default=1)
    posts: Mapped[list["Post"]] = relationship(
        back_populates="person", order_by="Post.ordinal", passive_deletes=True
    )


pairs = Table(
    "post_tags",
    Base.metadata,
    Column("post_id", ForeignKey("posts.id"), primary_key=True),
    Column("tag_id", ForeignKey("tags.id"), primary_key=True),
)


class Post(Base):
    __tablename__ = "posts"
    id: Mapped[uuid.UUID] = key()
    person_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id", ondelete="cascade"))
    title: Mapped[str] = mapped_column(Text)
    body: Mapped[dict | None] = mapped_column(JSONB)
    ordinal: Mapped[int | None] = mapped_column(unique=True)
    person: Mapped[Person] = relationship(back_populates="posts")
    tags: Mapped[list["Tag"]] = relationship(secondary=pairs, order_by="Tag.name", passive_deletes=True)


class Tag(Base):
    __tablename__ = "tags"
    id: Mapped[uuid.UUID] = key()
    name: Mapped[str] = mapped_column(Text, unique=True)


class Group(Base):
    __tablename__ = "groups"
    id: Mapped[uuid.UUID] = key()
    name: Mapped[str] = mapped_column(Text)
    member_ids: Mapped[list[uuid.UUID]] = mapped_column(ARRAY(Uuid))


class Versioned(Base):
    """The same people, by a model that counts versions."""

    __table__ = Person.__table__
    __mapper_args__ = {"version_id_col": Person.__table__.c.version}


def connect(address):
    host, port, user, database = address
    engine = create_engine(f"postgresql+psycopg://{user}@{host}:{port}/{database}")
    return Session(engine)


def empty(session):
    session.execute(text(EMPTY))
    session.commit()


def close(session):
    session.close()
    session.get_bind().dispose()


def fault(error):
    original = getattr(error, "orig", None) or error
    return getattr(original, "sqlstate", None), original


def told(error):
    diag = error.orig.diag
    return [
        type(error).__name__,
        diag.sqlstate,
        diag.constraint_name,
        diag.message_primary,
        diag.message_detail,
    ]


def person(name, **more):
    return Person(email=f"{name}@example.org", name=name, **more)


def rows(session, statement):
    return [list(row) for row in session.execute(statement)]


def crud(session):
    ann, bob = person("ann"), person("bob")
    session.add_all([ann, bob])
    session.commit()
    made = [ann.id, bob.id]
    by_text = session.get(Person, uuid.UUID(str(bob.id))) is bob
    ann.name = "Ann"
    session.delete(bob)
    session.commit()
    session.expunge_all()
    read = session.get(Person, made[0])
    counted = session.get(Versioned, made[0])
    counted.name = "Anne"
    session.flush()
    return [
        made,
        by_text,
        read.name,
        session.get(Person, made[1]),
        counted.version,
        rows(session, select(Person.id, Person.name, Person.version)),
    ]


def returning(session):
    ann = person("ann")
    ann.posts = [Post(title="a", ordinal=1), Post(title="b", ordinal=2)]
    session.add(ann)
    session.flush()
    made = [[post.id, post.person_id, post.title] for post in ann.posts]
    change = update(Post).where(Post.person_id == ann.id, Post.ordinal == 1)
    changed = rows(session, change.values(title=func.upper(Post.title)).returning(Post.id, Post.title))
    moved = delete(Post).where(Post.ordinal == 2).returning(Post.id, Post.person_id).cte("moved")
    chained = select(moved, Person.name).join(Person, Person.id == moved.c.person_id)
    return [made, changed, rows(session, chained)]


def bulk(session):
    values = [{"email": f"{name}@example.org", "name": name} for name in ("ann", "bob", "cid")]
    made = session.execute(insert(Person).returning(Person.id, Person.name), values)
    made = [list(row) for row in made]
    made.sort(key=lambda row: row[1])
    ordered = session.scalars(
        insert(Post).returning(Post, sort_by_parameter_order=True),
        [{"person_id": made[at % 3][0], "title": f"t{at}", "ordinal": at} for at in range(7)],
    )
    posts = [[post.id, post.person_id, post.title] for post in ordered]
    session.execute(update(Post), [{"id": id, "title": title.upper()} for id, _, title in posts])
    session.add_all(Tag(name=f"tag{at}") for at in range(5))
    session.flush()
    return [
        made,
        posts,
        rows(session, select(Post.id, Post.title).order_by(Post.ordinal)),
        rows(session, select(Tag.id, Tag.name).order_by(Tag.name)),
    ]


def upsert(session):
    made = []
    for name in ("ann", "Ann", "ANN"):
        statement = upserting(Person).values(email="ann@example.org", name=name, version=1)
        statement = statement.on_conflict_do_update(
            index_elements=[Person.email],
            set_={"name": statement.excluded.name, "version": Person.version + 1},
        )
        made += rows(session, statement.returning(Person.id, Person.name, Person.version))
    nothing = upserting(Person).values(email="ann@example.org", name="x").on_conflict_do_nothing()
    ignored = rows(session, nothing.returning(Person.id))
    merged = session.merge(Person(id=made[0][0], email="ann@example.net", name="another"))
    session.commit()
    return [made, ignored, [merged.id, merged.email, merged.version]]


def eager(session):
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    ann.posts = [
        Post(title="one", ordinal=1, tags=[Tag(name="red"), Tag(name="blue")]),
        Post(title="two", ordinal=2),
    ]
    bob.posts = [Post(title="three", ordinal=3)]
    session.add_all([ann, bob, cid])
    session.commit()
    results = []
    for load in (joinedload, selectinload, subqueryload):
        session.expunge_all()
        statement = select(Person).options(load(Person.posts).options(load(Post.tags)))
        found = session.scalars(statement.order_by(Person.email)).unique()
        results.append(
            [
                [
                    each.id,
                    [[post.id, post.title, [[tag.id, tag.name] for tag in post.tags]] for post in each.posts],
                ]
                for each in found
            ]
        )
    session.expunge_all()
    limited = select(Person).options(joinedload(Person.posts)).order_by(Person.email).limit(2)
    results.append([[each.id, len(each.posts)] for each in session.scalars(limited).unique()])
    session.expunge_all()
    chosen = select(Post).join(Post.person).options(contains_eager(Post.person)).where(Person.name == "bob")
    results.append([[post.id, post.person.id] for post in session.scalars(chosen)])
    lazy = session.scalars(select(Post).where(Post.ordinal == 1)).one()
    results.append([lazy.person.id, [tag.id for tag in lazy.tags]])
    tagless = select(Person.name).where(~Person.posts.any(Post.tags.any(Tag.name == "red")))
    results.append(rows(session, tagless.order_by(Person.name)))
    return results


def keyset(session):
    session.add(person("ann", posts=[Post(title=f"t{at:02}", ordinal=at) for at in range(12)]))
    session.commit()
    page = select(Post.id, Post.title).order_by(Post.id).limit(5)
    pages = [rows(session, page)]
    while pages[-1]:
        pages.append(rows(session, page.where(Post.id > pages[-1][-1][0])))
    one = session.scalars(select(Person.id)).one()
    by_two = select(Post.id, Post.title).order_by(Post.person_id, Post.id).limit(5)
    pairs = [rows(session, by_two)]
    while pairs[-1]:
        after = tuple_(Post.person_id, Post.id) > tuple_(literal(one), literal(pairs[-1][-1][0]))
        pairs.append(rows(session, by_two.where(after)))
    return [paged(pages), paged(pairs)]


def arrays(session):
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    session.add_all([ann, bob, cid])
    session.flush()
    group = Group(name="a", member_ids=[ann.id, bob.id])
    session.add_all([group, Group(name="b", member_ids=[])])
    session.flush()
    group.member_ids = [*group.member_ids, cid.id]
    session.commit()
    read = rows(session, select(Group.id, Group.name, Group.member_ids).order_by(Group.name))
    within = rows(session, select(Group.name).where(any_(Group.member_ids) == bob.id))
    contained = rows(session, select(Group.name).where(Group.member_ids.contains([cid.id, ann.id])))
    members = select(Group.name, Person.id).join(Person, Person.id == any_(Group.member_ids))
    listed = rows(session, select(Person.name).where(Person.id.in_(group.member_ids)).order_by(Person.name))
    aggregated = rows(session, select(func.array_agg(Person.id)).where(Person.name == "ann"))
    return [read, within, contained, rows(session, members.order_by(Person.email)), listed, aggregated]


def json(session):
    ann = person("ann")
    session.add(ann)
    session.flush()
    body = {"by": str(ann.id), "marks": [1, 2.5, None], "deep": {"é": True}}
    ann.posts = [Post(title="one", ordinal=1, body=body), Post(title="two", ordinal=2)]
    session.commit()
    read = rows(session, select(Post.id, Post.body).order_by(Post.ordinal))
    parts = select(Post.body["by"].astext, Post.body["marks"], Post.body[("deep", "é")])
    parts = rows(session, parts.where(Post.body.contains({"marks": [1]})))
    document = func.json_build_object(
        "id", Post.id, "person", Post.person_id, "title", Post.title, type_=JSON
    )
    built = select(Post.title, document, func.to_jsonb(Post.id)).order_by(Post.title)
    aggregated = select(func.json_agg(document, type_=JSON)).where(Post.ordinal == 1)
    return [read, parts, rows(session, built), rows(session, aggregated)]


def transaction(session):
    session.add(person("ann"))
    session.commit()
    session.add(person("bob"))
    session.flush()
    session.rollback()
    session.add(person("cid"))
    try:
        with session.begin_nested():
            session.add(person("dan"))
            session.flush()
            session.add(person("dan"))
            session.flush()
    except DBAPIError:
        pass
    with session.begin_nested():
        session.add(person("eve"))
    session.commit()
    return rows(session, select(Person.id, Person.name).order_by(Person.name))


def cascade(session):
    ann, bob = person("ann"), person("bob")
    ann.posts = [Post(title="one", ordinal=1, tags=[Tag(name="red"), Tag(name="blue")])]
    bob.posts = [Post(title="two", ordinal=2)]
    session.add_all([ann, bob])
    session.commit()
    session.delete(ann)
    session.commit()
    return [
        rows(session, select(Post.id, Post.person_id, Post.title)),
        rows(session, select(pairs)),
        rows(session, select(Tag.id, Tag.name).order_by(Tag.name)),
    ]


def errors(session, told=told):
    ann, bob = person("ann"), person("bob")
    session.add_all([ann, bob])
    session.commit()
    known, gone = ann.id, bob.id
    session.delete(bob)
    session.commit()
    session.expunge_all()
    results = []
    for made in (
        person("ann"),
        Person(id=known, email="x", name="x"),
        Post(person_id=gone, title="x"),
        Post(person_id=None, title="x"),
    ):
        try:
            session.add(made)
            session.flush()
        except DBAPIError as error:
            results.append(told(error))
        finally:
            session.rollback()
    for statement in (
        text("select name from people where id = 'not-a-uuid'"),
        text("select name from people where id = :id").bindparams(id="not-a-uuid"),
        select(Person.name).where(Person.id == "not-a-uuid"),
    ):
        try:
            results.append(rows(session, statement))
        except DBAPIError as error:
            results.append(told(error))
        except StatementError as error:
            results.append(str(error.orig))
        finally:
            session.rollback()
    return results


def prepared(session):
    results = []
    for number in range(20):
        session.add(made := person(f"p{number}"))
        session.flush()
        results += rows(session, select(Person.id, Person.email).where(Person.id == made.id))
    ids = [row[0] for row in results]
    counted = [session.scalar(select(func.count()).where(Person.id.in_(ids))) for _ in range(20)]
    return [results, counted]


def altered(session, told=told):
    session.add(person("ann"))
    session.commit()
    results = []

    def repeated(times):
        for _ in range(times):
            try:
                results.append(
                    rows(session, text("select * from people where name = :name").bindparams(name="ann"))
                )
            except DBAPIError as error:
                results.append(told(error))
                session.rollback()

    repeated(8)
    session.execute(text("alter table people add column nick text default 'none'"))
    session.commit()
    repeated(4)
    again = Table("people", Base.metadata.__class__(), autoload_with=session.connection())
    return [results, rows(session, select(again.c.id, again.c.nick))]


def introspect(session):
    inspector = inspect(session.connection())
    reflected = []
    for name in sorted(inspector.get_table_names()):
        columns = [
            [
                column["name"],
                repr(column["type"]),
                column["nullable"],
                column["default"],
                column.get("identity"),
            ]
            for column in inspector.get_columns(name)
        ]
        reflected.append(
            [
                name,
                columns,
                inspector.get_pk_constraint(name),
                inspector.get_foreign_keys(name),
                inspector.get_unique_constraints(name),
                inspector.get_indexes(name),
            ]
        )
    mapped = automap_base()
    mapped.prepare(autoload_with=session.get_bind())
    classes = mapped.classes
    made = classes.people(
        email="ann@example.org",
        name="ann",
        posts_collection=[classes.posts(title="one", ordinal=1, tags_collection=[classes.tags(name="red")])],
    )
    session.add(made)
    session.commit()
    post = session.scalars(select(classes.posts)).one()
    relations = {name: sorted(inspect(each).relationships.keys()) for name, each in sorted(classes.items())}
    return [reflected, relations, [post.id, post.people.id, post.tags_collection[0].id]]


if __name__ == "__main__":
    features.run(__name__)
