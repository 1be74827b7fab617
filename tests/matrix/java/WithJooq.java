import static org.jooq.impl.DSL.*;
import static org.jooq.impl.SQLDataType.CLOB;
import static org.jooq.impl.SQLDataType.INTEGER;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.impl.SQLDataType;

/** jOOQ without generated code: tables and columns by their names. */
final class WithJooq implements Features.Client {
  private static final Table<Record> PEOPLE = table(name("people"));
  private static final Field<UUID> PERSON = field(name("people", "id"), SQLDataType.UUID.notNull());
  private static final Field<String> EMAIL = field(name("people", "email"), CLOB.notNull());
  private static final Field<String> NAME = field(name("people", "name"), CLOB.notNull());
  private static final Field<Integer> VERSION = field(name("people", "version"), INTEGER);

  private static final Table<Record> POSTS = table(name("posts"));
  private static final Field<UUID> POST = field(name("posts", "id"), SQLDataType.UUID.notNull());
  private static final Field<UUID> AUTHOR =
      field(name("posts", "person_id"), SQLDataType.UUID.notNull());
  private static final Field<String> TITLE = field(name("posts", "title"), CLOB.notNull());
  private static final Field<JSONB> BODY = field(name("posts", "body"), SQLDataType.JSONB);
  private static final Field<Integer> ORDINAL = field(name("posts", "ordinal"), INTEGER);

  private static final Table<Record> TAGS = table(name("tags"));
  private static final Field<UUID> TAG = field(name("tags", "id"), SQLDataType.UUID.notNull());
  private static final Field<String> TAG_NAME = field(name("tags", "name"), CLOB.notNull());

  private static final Table<Record> PAIRS = table(name("post_tags"));
  private static final Field<UUID> PAIR_POST =
      field(name("post_tags", "post_id"), SQLDataType.UUID);
  private static final Field<UUID> PAIR_TAG = field(name("post_tags", "tag_id"), SQLDataType.UUID);

  private static final Table<Record> GROUPS = table(name("groups"));
  private static final Field<UUID> GROUP = field(name("groups", "id"), SQLDataType.UUID.notNull());
  private static final Field<String> GROUP_NAME = field(name("groups", "name"), CLOB);
  private static final Field<UUID[]> MEMBERS =
      field(name("groups", "member_ids"), SQLDataType.UUID.array());

  private final Connection connection;
  private final DSLContext db;

  WithJooq(Features.Address address) throws SQLException {
    connection = DriverManager.getConnection(address.url());
    db = using(connection, SQLDialect.POSTGRES);
  }

  @Override
  public void empty() {
    db.execute(Features.EMPTY);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /** A value without the types of jOOQ. */
  private static Object written(Object value) {
    if (value instanceof JSON json) return json.data();
    if (value instanceof JSONB json) return json.data();
    if (value instanceof List<?> list) return list.stream().map(WithJooq::written).toList();
    if (value instanceof Record row) {
      Map<String, Object> columns = new LinkedHashMap<>();
      for (var field : row.fields()) columns.put(field.getName(), written(row.get(field)));
      return columns;
    }
    return value;
  }

  private static Object rows(ResultQuery<?> query) {
    return written(query.fetch());
  }

  private static UUID person(DSLContext db, String name) {
    return db.insertInto(PEOPLE, EMAIL, NAME)
        .values(name + "@example.org", name)
        .returningResult(PERSON)
        .fetchSingle(PERSON);
  }

  private UUID person(String name) {
    return person(db, name);
  }

  private List<UUID> posts(UUID person, int first, String... titles) {
    var insert = db.insertInto(POSTS, AUTHOR, TITLE, ORDINAL);
    for (int at = 0; at < titles.length; at++) {
      insert = insert.values(person, titles[at], first + at);
    }
    return insert.returningResult(POST).fetch(POST);
  }

  private UUID tagged(UUID post, String name) {
    var tag = db.insertInto(TAGS, TAG_NAME).values(name).returningResult(TAG).fetchSingle(TAG);
    db.insertInto(PAIRS, PAIR_POST, PAIR_TAG).values(post, tag).execute();
    return tag;
  }

  @Override
  public Object crud() {
    UUID ann = person("ann"), bob = person("bob");
    var read = db.selectFrom(PEOPLE).where(PERSON.eq(ann));
    return List.of(
        rows(read),
        db.update(PEOPLE)
            .set(NAME, "Ann")
            .set(VERSION, VERSION.plus(1))
            .where(PERSON.eq(ann))
            .execute(),
        rows(read),
        rows(
            db.select(NAME)
                .from(PEOPLE)
                .where(PERSON.eq(val(bob.toString()).cast(SQLDataType.UUID)))),
        db.deleteFrom(PEOPLE).where(PERSON.in(bob)).execute(),
        db.fetchExists(PEOPLE, PERSON.eq(bob)),
        db.fetchCount(PEOPLE));
  }

  @Override
  public Object returning() {
    var ann = person("ann");
    var posts = posts(ann, 1, "a", "b");
    var changed =
        db.update(POSTS)
            .set(TITLE, upper(TITLE))
            .from(PEOPLE)
            .where(PERSON.eq(AUTHOR).and(PERSON.eq(ann)).and(ORDINAL.eq(1)))
            .returningResult(POST, PERSON.as("person"), TITLE);
    var moved = name("moved");
    var deletion = db.deleteFrom(POSTS).where(AUTHOR.eq(ann)).returningResult(POST, AUTHOR, TITLE);
    var from = field(moved.append("person_id"), SQLDataType.UUID);
    var title = field(moved.append("title"), CLOB);
    var chained =
        db.with(moved.as(deletion))
            .select(field(moved.append("id"), SQLDataType.UUID), PERSON.as("person"), title)
            .from(moved)
            .join(PEOPLE)
            .on(PERSON.eq(from))
            .orderBy(title);
    return List.of(posts, rows(changed), rows(chained));
  }

  @Override
  public Object bulk() throws Exception {
    UUID ann = person("ann"), bob = person("bob");
    List<Object> results = new ArrayList<>();
    var insertion = db.insertInto(POSTS, AUTHOR, TITLE, ORDINAL).values((UUID) null, null, null);
    results.add(
        db.batch(insertion).bind(ann, "t1", 1).bind(bob, "t2", 2).bind(ann, "t3", 3).execute());
    results.add(
        db.batch(
                db.update(POSTS).set(TITLE, "T1").where(AUTHOR.eq(ann).and(ORDINAL.eq(1))),
                db.deleteFrom(POSTS).where(AUTHOR.eq(bob)))
            .execute());
    results.add(posts(bob, 4, "t4", "t5", "t6"));
    var loaded =
        db.loadInto(POSTS)
            .bulkAfter(2)
            .loadArrays(
                List.of(
                        new Object[] {ann, "t7", 7},
                        new Object[] {bob, "t8", 8},
                        new Object[] {ann, "t9", 9})
                    .iterator())
            .fields(AUTHOR, TITLE, ORDINAL)
            .execute();
    results.add(List.of(loaded.stored(), loaded.errors().size()));
    var copy = select(AUTHOR, concat(TITLE, val("!")), ORDINAL.plus(10)).from(POSTS);
    results.add(
        db.insertInto(POSTS, AUTHOR, TITLE, ORDINAL).select(copy.where(ORDINAL.gt(7))).execute());
    results.add(rows(db.select(POST, AUTHOR, TITLE).from(POSTS).orderBy(ORDINAL)));
    return results;
  }

  @Override
  public Object upsert() {
    List<Object> results = new ArrayList<>();
    for (String name : List.of("ann", "Ann", "ANN")) {
      results.add(
          rows(
              db.insertInto(PEOPLE, EMAIL, NAME)
                  .values("ann@example.org", name)
                  .onConflict(EMAIL)
                  .doUpdate()
                  .set(NAME, excluded(NAME))
                  .set(VERSION, VERSION.plus(1))
                  .returningResult(PERSON, NAME, VERSION)));
    }
    results.add(
        rows(
            db.insertInto(PEOPLE, EMAIL, NAME)
                .values("ann@example.org", "x")
                .onConflictDoNothing()
                .returningResult(PERSON)));
    var ann = db.select(PERSON).from(PEOPLE).fetchSingle(PERSON);
    results.add(
        rows(
            db.insertInto(PEOPLE, PERSON, EMAIL, NAME)
                .values(ann, "new", "x")
                .onConflict(PERSON)
                .doUpdate()
                .set(EMAIL, excluded(EMAIL))
                .returningResult(PERSON, EMAIL, NAME)));
    results.add(
        db.mergeInto(PEOPLE)
            .using(select(val(ann).as("known")))
            .on(PERSON.eq(field(name("known"), SQLDataType.UUID)))
            .whenMatchedThenUpdate()
            .set(NAME, "merged")
            .execute());
    results.add(rows(db.select(PERSON, NAME).from(PEOPLE)));
    return results;
  }

  @Override
  public Object eager() {
    UUID ann = person("ann"), bob = person("bob");
    person("cid");
    var one = posts(ann, 1, "one", "two").get(0);
    posts(bob, 3, "three");
    var tags = List.of(tagged(one, "red"), tagged(one, "blue"));
    var joined =
        db.select(PERSON, EMAIL, POST.as("post"), TITLE)
            .from(PEOPLE)
            .leftJoin(POSTS)
            .on(AUTHOR.eq(PERSON))
            .orderBy(EMAIL, ORDINAL);
    var tagsOfPost =
        multiset(
                select(TAG, TAG_NAME)
                    .from(TAGS)
                    .join(PAIRS)
                    .on(PAIR_TAG.eq(TAG))
                    .where(PAIR_POST.eq(POST))
                    .orderBy(TAG_NAME))
            .as("tags");
    var postsOfPerson =
        multiset(
                select(POST, TITLE, tagsOfPost)
                    .from(POSTS)
                    .where(AUTHOR.eq(PERSON))
                    .orderBy(ORDINAL))
            .as("posts");
    var nested = db.select(PERSON, NAME, postsOfPerson).from(PEOPLE).orderBy(EMAIL);
    var aggregated =
        db.select(PERSON, multisetAgg(POST, TITLE).orderBy(ORDINAL).as("posts"))
            .from(PEOPLE)
            .join(POSTS)
            .on(AUTHOR.eq(PERSON))
            .groupBy(PERSON, EMAIL)
            .orderBy(EMAIL);
    var upward =
        db.select(POST, row(PERSON, NAME).as("person"))
            .from(POSTS)
            .join(PEOPLE)
            .on(AUTHOR.eq(PERSON))
            .orderBy(ORDINAL);
    var titles = joined.fetchGroups(PERSON, TITLE);
    return List.of(tags, rows(joined), titles, rows(nested), rows(aggregated), rows(upward));
  }

  @Override
  public Object keyset() throws Exception {
    var ann = person("ann");
    for (int at = 0; at < 12; at++) posts(ann, at, "t" + at);
    return List.of(
        Features.turned(
            last -> {
              var ordered = db.select(POST, TITLE).from(POSTS).orderBy(POST);
              return page(last == null ? ordered.limit(5) : ordered.seek(id(last)).limit(5));
            }),
        Features.turned(
            last -> {
              var after = last == null ? noCondition() : row(AUTHOR, POST).gt(ann, id(last));
              var chosen = db.select(POST, TITLE).from(POSTS).where(after);
              return page(chosen.orderBy(AUTHOR, POST).limit(5));
            }));
  }

  private static UUID id(String text) {
    return UUID.fromString(text);
  }

  private static List<Features.Row> page(ResultQuery<? extends Record> query) {
    return query.fetch(row -> new Features.Row(row.get(POST).toString(), row.get(TITLE)));
  }

  @Override
  public Object arrays() {
    UUID ann = person("ann"), bob = person("bob"), cid = person("cid");
    var made =
        db.insertInto(GROUPS, GROUP_NAME, MEMBERS)
            .values("a", new UUID[] {ann, bob})
            .values("b", new UUID[0])
            .returningResult(GROUP, MEMBERS);
    List<Object> results = new ArrayList<>();
    results.add(rows(made));
    results.add(
        db.update(GROUPS)
            .set(MEMBERS, arrayAppend(MEMBERS, cid))
            .where(GROUP_NAME.eq("b"))
            .execute());
    results.add(
        rows(
            db.select(GROUP, MEMBERS, arrayGet(MEMBERS, 1).as("one"), cardinality(MEMBERS))
                .from(GROUPS)
                .orderBy(GROUP_NAME)));
    for (var condition :
        List.of(
            val(bob).eq(any(MEMBERS)),
            MEMBERS.contains(new UUID[] {ann, bob}),
            arrayOverlap(MEMBERS, new UUID[] {cid}))) {
      results.add(rows(db.select(GROUP_NAME).from(GROUPS).where(condition)));
    }
    results.add(
        rows(db.select(PERSON).from(PEOPLE).where(PERSON.eq(any(ann, cid))).orderBy(EMAIL)));
    var member = unnest(MEMBERS).as("member", "id");
    results.add(
        rows(
            db.select(GROUP_NAME, PERSON, EMAIL)
                .from(GROUPS)
                .crossJoin(member)
                .join(PEOPLE)
                .on(PERSON.eq(member.field("id", UUID.class)))
                .orderBy(EMAIL)));
    results.add(rows(db.select(arrayAgg(PERSON).orderBy(EMAIL).as("ids")).from(PEOPLE)));
    return results;
  }

  @Override
  public Object json() {
    var ann = person("ann");
    posts(ann, 1, "one", "two");
    var body = JSONB.valueOf("{\"by\": \"" + ann + "\", \"marks\": [1, 2.5, null]}");
    var changed = db.update(POSTS).set(BODY, body).where(ORDINAL.eq(1)).returningResult(POST, BODY);
    var document = jsonbObject(key("id").value(POST), key("person").value(AUTHOR));
    var by = jsonbGetAttributeAsText(BODY, "by").as("by");
    return List.of(
        rows(changed),
        rows(
            db.select(by, jsonbGetAttribute(BODY, "marks").as("marks"))
                .from(POSTS)
                .where("{0} @> {1}", BODY, val(JSONB.valueOf("{\"marks\": [1]}")))),
        rows(db.select(TITLE, document.as("document")).from(POSTS).orderBy(ORDINAL)),
        rows(db.select(jsonArrayAgg(document).orderBy(ORDINAL).as("all")).from(POSTS)),
        db.select(POST, TITLE).from(POSTS).orderBy(ORDINAL).fetch().formatJSON());
  }

  @Override
  public Object transaction() {
    db.transaction(each -> person(each.dsl(), "ann"));
    List<Object> results = new ArrayList<>();
    results.addAll(
        Features.tried(
            () ->
                db.transactionResult(
                    each -> {
                      each.dsl().execute("set transaction isolation level serializable");
                      person(each.dsl(), "bob");
                      throw new IllegalStateException("bob is not to stay");
                    })));
    db.transaction(
        outer -> {
          person(outer.dsl(), "cid");
          results.addAll(
              Features.tried(
                  () ->
                      outer
                          .dsl()
                          .transactionResult(
                              inner -> {
                                person(inner.dsl(), "dan");
                                return person(inner.dsl(), "dan");
                              })));
          person(outer.dsl(), "eve");
        });
    results.add(rows(db.select(PERSON, NAME).from(PEOPLE).orderBy(NAME)));
    return results;
  }

  @Override
  public Object cascade() {
    UUID ann = person("ann"), bob = person("bob");
    tagged(posts(ann, 1, "one").get(0), "red");
    posts(bob, 2, "two");
    return List.of(
        db.deleteFrom(PEOPLE).where(PERSON.eq(ann)).execute(),
        rows(db.select(POST, AUTHOR, TITLE).from(POSTS)),
        db.fetchCount(PAIRS),
        rows(db.selectFrom(TAGS)));
  }

  @Override
  public Object errors() {
    UUID ann = person("ann"), bob = person("bob");
    db.deleteFrom(PEOPLE).where(PERSON.eq(bob)).execute();
    var byText =
        db.select(NAME).from(PEOPLE).where(PERSON.eq(val("not-a-uuid").cast(SQLDataType.UUID)));
    return Features.tried(
        () -> person("ann"),
        () -> db.insertInto(PEOPLE, PERSON, EMAIL, NAME).values(ann, "x", "x").execute(),
        () -> posts(bob, 1, "x"),
        () -> posts(null, 1, "x"),
        () -> rows(byText),
        () -> written(db.fetch("select name from people where id = ?", "not-a-uuid")),
        () -> written(db.fetch("select name from people where id = 'not-a-uuid'")),
        () -> written(db.fetch("select name from people where id = 1")),
        () -> db.selectFrom(PEOPLE).where(PERSON.eq(bob)).fetchSingle());
  }

  @Override
  public Object prepared() {
    List<Object> results = new ArrayList<>();
    List<UUID> ids = new ArrayList<>();
    var settings = new Settings().withStatementType(StatementType.STATIC_STATEMENT);
    var inlining = using(connection, SQLDialect.POSTGRES, settings);
    var id = param("id", SQLDataType.UUID);
    try (var kept =
        db.select(PERSON, EMAIL).from(PEOPLE).where(PERSON.eq(id)).keepStatement(true)) {
      for (int at = 0; at < 20; at++) {
        ids.add(person("p" + at));
        results.add(rows(kept.bind("id", ids.get(at))));
        results.add(db.fetchCount(PEOPLE, PERSON.in(ids)));
        results.add(db.fetchCount(PEOPLE, PERSON.eq(any(ids.toArray(UUID[]::new)))));
        results.add(inlining.fetchCount(PEOPLE, PERSON.in(ids)));
      }
    }
    return results;
  }

  @Override
  public Object altered() {
    person("ann");
    var query = db.selectFrom(PEOPLE).where(NAME.eq("ann")).keepStatement(true);
    Features.Attempt again = () -> List.of(rows(query), rows(db.selectFrom(PEOPLE)));
    var before = Features.repeated(8, again);
    db.alterTable(PEOPLE).addColumn(field(name("nick"), CLOB.default_("none"))).execute();
    var after = Features.repeated(4, again);
    query.close();
    return List.of(before, after);
  }

  /** What jOOQ knows of the tables, as definitions and as the way to others. */
  @Override
  public Object introspect() {
    var meta = db.meta().filterSchemas(schema -> schema.getName().equals("public")).snapshot();
    List<Object> results = new ArrayList<>();
    for (var each : meta.getTables()) {
      results.add(each.getName());
      for (var field : each.fields()) {
        var type = field.getDataType();
        results.add(
            Arrays.asList(
                field.getName(),
                type.getCastTypeName(),
                type.getType().getSimpleName(),
                type.nullable(),
                type.identity(),
                String.valueOf(type.defaultValue())));
      }
      results.add(each.getKeys().stream().map(Object::toString).sorted().toList());
      results.add(each.getReferences().stream().map(Object::toString).sorted().toList());
      results.add(each.getIndexes().stream().map(Object::toString).sorted().toList());
    }
    var wanted =
        db.meta(meta.ddl().toString()).apply("alter table \"public\".\"people\" add nick text");
    results.add(meta.ddl().toString());
    results.add(meta.migrateTo(wanted).toString());
    return results;
  }
}
