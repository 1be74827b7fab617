import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.util.PGobject;

/** JDBC by pgjdbc: prepared statements, batches, generated keys and the metadata of JDBC. */
final class WithPgjdbc implements Features.Client {
  private static final String PERSON = "insert into people (email, name) values (?, ?)";
  private static final String POST =
      "insert into posts (person_id, title, ordinal) values (?, ?, ?)";
  private static final String[] ID = {"id"};

  private final Features.Address address;
  private final Connection db;

  WithPgjdbc(Features.Address address) throws SQLException {
    this.address = address;
    db = connected("&reWriteBatchedInserts=true");
  }

  private Connection connected(String settings) throws SQLException {
    return DriverManager.getConnection(address.url() + settings);
  }

  @Override
  public void empty() throws SQLException {
    db.createStatement().execute(Features.EMPTY);
  }

  @Override
  public void close() throws SQLException {
    db.close();
  }

  private static Object written(Object value) throws SQLException {
    if (value instanceof Array array) return array.getArray();
    return value instanceof PGobject object ? object.getValue() : value;
  }

  private static List<Map<String, Object>> read(ResultSet found) throws SQLException {
    var columns = found.getMetaData();
    List<Map<String, Object>> rows = new ArrayList<>();
    while (found.next()) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (int at = 1; at <= columns.getColumnCount(); at++) {
        row.put(columns.getColumnLabel(at), written(found.getObject(at)));
      }
      rows.add(row);
    }
    return rows;
  }

  private static PreparedStatement set(PreparedStatement statement, Object... values)
      throws SQLException {
    for (int at = 0; at < values.length; at++) statement.setObject(at + 1, values[at]);
    return statement;
  }

  private static List<Map<String, Object>> rows(Connection by, String sql, Object... values)
      throws SQLException {
    try (var statement = by.prepareStatement(sql)) {
      return read(set(statement, values).executeQuery());
    }
  }

  private List<Map<String, Object>> rows(String sql, Object... values) throws SQLException {
    return rows(db, sql, values);
  }

  private int changed(String sql, Object... values) throws SQLException {
    try (var statement = db.prepareStatement(sql)) {
      return set(statement, values).executeUpdate();
    }
  }

  /** The ids of rows that a statement is executed for, one by one. */
  private UUID[] made(String sql, Object[]... rows) throws SQLException {
    var ids = new UUID[rows.length];
    try (var statement = db.prepareStatement(sql, ID)) {
      for (int at = 0; at < rows.length; at++) {
        set(statement, rows[at]).executeUpdate();
        var keys = statement.getGeneratedKeys();
        keys.next();
        ids[at] = keys.getObject("id", UUID.class);
      }
    }
    return ids;
  }

  private UUID[] people(String... names) throws SQLException {
    var rows = Arrays.stream(names).map(name -> new Object[] {name + "@example.org", name});
    return made(PERSON, rows.toArray(Object[][]::new));
  }

  private UUID[] posts(UUID person, int first, String... titles) throws SQLException {
    var rows = new Object[titles.length][];
    for (int at = 0; at < titles.length; at++) {
      rows[at] = new Object[] {person, titles[at], first + at};
    }
    return made(POST, rows);
  }

  private void tagged(UUID post, String... names) throws SQLException {
    for (String name : names) {
      changed(
          """
          with made as (insert into tags (name) values (?) returning id)
          insert into post_tags (post_id, tag_id) select ?, id from made
          """,
          name,
          post);
    }
  }

  @Override
  public Object crud() throws SQLException {
    var ids = people("ann", "bob");
    var byId = "select * from people where id = ?";
    var read = rows(byId, ids[0]);
    var byText = rows("select * from people where id = ?::uuid", ids[1].toString());
    var update = "update people set name = ?, version = version + 1 where id = ?";
    int changed = changed(update, "Ann", ids[0]);
    String updated;
    try (var statement =
        db.prepareStatement(byId, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)) {
      var rows = set(statement, ids[0]).executeQuery();
      rows.first();
      rows.updateString("name", "Anne");
      rows.updateRow();
      rows.refreshRow();
      updated = rows.getString("name");
      rows.moveToInsertRow();
      rows.updateString("email", "cid@example.org");
      rows.updateString("name", "cid");
      rows.insertRow();
      rows.first();
      rows.deleteRow();
    }
    var left = rows("select * from people order by name");
    return List.of(read, byText, changed, updated, rows(byId, ids[0]), left);
  }

  @Override
  public Object returning() throws SQLException {
    var ann = people("ann")[0];
    posts(ann, 1, "a", "b");
    var changed =
        rows(
            """
            update posts o set title = upper(title) from people p where p.id = o.person_id
            and p.id = ? and o.ordinal = ? returning o.id, p.id as person, o.title
            """,
            ann,
            1);
    List<Map<String, Object>> keys;
    var renamed = "update posts set title = title || '!' where person_id = ? and ordinal = 2";
    try (var statement = db.prepareStatement(renamed, Statement.RETURN_GENERATED_KEYS)) {
      set(statement, ann).executeUpdate();
      keys = read(statement.getGeneratedKeys());
    }
    var chained =
        rows(
            """
            with moved as (delete from posts where person_id = ? returning id, person_id, title)
            select m.id, p.id as person, m.title from moved m
            join people p on p.id = m.person_id order by m.title
            """,
            ann);
    return List.of(changed, keys, chained);
  }

  @Override
  public Object bulk() throws Exception {
    var ids = people("ann", "bob");
    List<Object> counts = new ArrayList<>();
    // Enough rows for more than one of the statements that the driver makes of them.
    try (var statement = db.prepareStatement(POST)) {
      for (int at = 0; at < 150; at++) {
        set(statement, ids[at % 2], "t" + at, at).addBatch();
      }
      counts.add(Arrays.stream(statement.executeBatch()).distinct().toArray());
    }
    try (var statement = db.prepareStatement(POST, ID)) {
      for (int at = 200; at < 205; at++) set(statement, ids[0], "u" + at, at).addBatch();
      counts.add(statement.executeBatch());
      counts.add(read(statement.getGeneratedKeys()));
    }
    try (var statement = db.prepareStatement("update posts set title = ? where id = ?")) {
      for (var row : rows("select id, title from posts where ordinal < 9 order by ordinal")) {
        set(statement, row.get("title") + "!", row.get("id")).addBatch();
      }
      counts.add(statement.executeBatch());
    }
    var unnested =
        rows(
            """
            with made as (insert into posts (person_id, title, ordinal)
            select * from unnest(?, ?, ?) returning id, person_id, title)
            select * from made order by title
            """,
            db.createArrayOf("uuid", ids),
            db.createArrayOf("text", new String[] {"four", "five"}),
            db.createArrayOf("int4", new Integer[] {304, 305}));
    var copying = db.unwrap(PGConnection.class).getCopyAPI();
    var lines = ids[0] + ",six,306\n" + ids[1] + ",seven,307\n";
    counts.add(
        copying.copyIn(
            "copy posts (person_id, title, ordinal) from stdin (format csv)",
            new StringReader(lines)));
    var copied = new StringWriter();
    copying.copyOut(
        "copy (select id, title from posts where ordinal > 300 order by 2) to stdout", copied);
    var all = rows("select id, person_id, title from posts order by ordinal");
    return List.of(counts, unnested, copied.toString(), all);
  }

  @Override
  public Object upsert() throws SQLException {
    List<Object> results = new ArrayList<>();
    var sql =
        PERSON
            + """
            on conflict (email) do update
            set name = excluded.name, version = people.version + 1
            """;
    for (String name : List.of("ann", "Ann", "ANN")) {
      var returned = " returning id, name, version, xmax = 0 as is_new";
      results.add(rows(sql + returned, "ann@example.org", name));
    }
    try (var statement = db.prepareStatement(sql, ID)) {
      for (String name : List.of("ann", "bob")) {
        set(statement, name + "@example.org", name).addBatch();
      }
      results.add(statement.executeBatch());
      results.add(read(statement.getGeneratedKeys()));
    }
    var ignored = PERSON + " on conflict do nothing returning id";
    results.add(rows(ignored, "ann@example.org", "x"));
    var ann = rows("select id from people where name = 'ann'").get(0).get("id");
    results.add(
        rows(
            """
            insert into people (id, email, name) values (?, ?, 'x') on conflict (id)
            do update set email = excluded.email returning id, email, name
            """,
            ann,
            "new"));
    var merge =
        """
        merge into people p using (select cast(? as uuid) as id) m on m.id = p.id
        when matched then update set name = ?
        """;
    results.add(changed(merge, ann, "merged"));
    return results;
  }

  @Override
  public Object eager() throws SQLException {
    var ids = people("ann", "bob", "cid");
    var posts = posts(ids[0], 1, "one", "two");
    posts(ids[1], 3, "three");
    tagged(posts[0], "red", "blue");
    return List.of(
        rows(
            """
            select p.id, p.email, o.id as post, o.person_id, o.title from people p
            left join posts o on o.person_id = p.id order by p.email, o.ordinal
            """),
        rows(
            "select person_id, id, title from posts where person_id = any(?) order by ordinal",
            db.createArrayOf("uuid", ids)),
        rows(
            """
            select pt.post_id, t.id, t.name from tags t join post_tags pt on pt.tag_id = t.id
            where pt.post_id in (?, ?) order by t.name
            """,
            (Object[]) posts));
  }

  @Override
  public Object keyset() throws Exception {
    var ann = people("ann")[0];
    for (int at = 0; at < 12; at++) posts(ann, at, "t%02d".formatted(at));
    var none = new Object[0];
    var pages =
        Features.turned(
            last -> {
              var after = last == null ? "" : "where id > ?";
              var sql = "select id, title from posts %s order by id limit 5";
              var values = last == null ? none : new Object[] {UUID.fromString(last)};
              return page(rows(sql.formatted(after), values));
            });
    db.setAutoCommit(false);
    var titles = "select id, title from posts where person_id = ? order by ordinal";
    try (var statement = db.prepareStatement(titles)) {
      statement.setFetchSize(5);
      var fetched = read(set(statement, ann).executeQuery());
      db.commit();
      return List.of(pages, fetched);
    }
  }

  private static List<Features.Row> page(List<Map<String, Object>> rows) {
    return rows.stream()
        .map(row -> new Features.Row(row.get("id").toString(), (String) row.get("title")))
        .toList();
  }

  @Override
  public Object arrays() throws SQLException {
    var ids = people("ann", "bob", "cid");
    var insert = "insert into groups (name, member_ids) values (?, ?) returning id, member_ids";
    var two = db.createArrayOf("uuid", Arrays.copyOf(ids, 2));
    List<Object> results = new ArrayList<>();
    results.add(rows(insert, "a", two));
    results.add(rows(insert, "b", (Object) new UUID[0]));
    var append = "update groups set member_ids = array_append(member_ids, ?) where name = 'b'";
    results.add(changed(append, ids[2]));
    try (var statement = db.createStatement()) {
      var row = statement.executeQuery("select member_ids from groups where name = 'a'");
      row.next();
      results.add(row.getString(1));
      results.add(read(row.getArray(1).getResultSet()));
    }
    results.add(rows("select name, member_ids, member_ids[1] as one from groups order by name"));
    results.add(rows("select name from groups where ? = any(member_ids)", ids[1]));
    results.add(rows("select name from groups where member_ids && ?", two));
    Object one = new UUID[] {ids[2]};
    results.add(rows("select name from groups where member_ids @> ?", one));
    results.add(
        rows(
            """
            select g.name, p.id from groups g join people p on p.id = any(g.member_ids)
            order by p.email
            """));
    results.add(rows("select array_agg(id order by email) as ids from people"));
    return results;
  }

  @Override
  public Object json() throws SQLException {
    var ann = people("ann")[0];
    posts(ann, 1, "one", "two");
    var body = new PGobject();
    body.setType("jsonb");
    body.setValue("{\"by\": \"" + ann + "\", \"marks\": [1, 2.5, null]}");
    var part = new PGobject();
    part.setType("jsonb");
    part.setValue("{\"marks\": [1]}");
    return List.of(
        rows("update posts set body = ? where title = 'one' returning id, body", body),
        rows("select body->>'by' as by from posts where body @> ?", part),
        // The driver takes two question marks for the operator.
        rows("select id from posts where body ?? 'by'"),
        rows(
            """
            select json_agg(json_build_object('id', id, 'person', person_id) order by title)
            as built from posts
            """),
        rows("select to_jsonb(o) as row from posts o order by title"));
  }

  @Override
  public Object transaction() throws SQLException {
    db.setAutoCommit(false);
    people("ann");
    db.commit();
    db.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    people("bob");
    db.rollback();
    people("cid");
    var before = db.setSavepoint("before");
    var failed = Features.tried(() -> people("dan", "dan"));
    db.rollback(before);
    people("eve");
    db.releaseSavepoint(before);
    db.commit();
    db.setReadOnly(true);
    var rows = rows("select id, name from people order by name");
    db.commit();
    return List.of(failed, rows);
  }

  @Override
  public Object cascade() throws SQLException {
    var ids = people("ann", "bob");
    tagged(posts(ids[0], 1, "one")[0], "red");
    posts(ids[1], 2, "two");
    return List.of(
        changed("delete from people where id = ?", ids[0]),
        rows("select id, person_id, title from posts"),
        rows(
            """
            select (select count(*) from post_tags) as pairs,
            (select count(*) from tags) as tags
            """));
  }

  @Override
  public Object errors() throws SQLException {
    var ids = people("ann", "bob");
    changed("delete from people where id = ?", ids[1]);
    return Features.tried(
        () -> people("ann"),
        () -> changed("insert into people (id, email, name) values (?, 'x', 'x')", ids[0]),
        () -> posts(ids[1], 1, "x"),
        () -> posts(null, 1, "x"),
        () -> {
          try (var statement = db.prepareStatement(POST)) {
            for (int at = 0; at < 3; at++) {
              set(statement, ids[at == 1 ? 1 : 0], "x", at).addBatch();
            }
            return statement.executeBatch();
          }
        },
        () -> rows("select name from people where id = ?", "not-a-uuid"),
        () -> rows("select name from people where id = ?::uuid", "not-a-uuid"),
        () -> rows("select name from people where id = 'not-a-uuid'"),
        () -> rows("select name from people where id = ?", 1),
        () -> rows("select name from people where id = 1"));
  }

  @Override
  public Object prepared() throws SQLException {
    List<Object> results = new ArrayList<>();
    List<UUID> ids = new ArrayList<>();
    var byId = "select id, email, array[id] as ids from people where id = ?";
    try (var statement = db.prepareStatement(byId)) {
      for (int at = 0; at < 20; at++) {
        ids.add(people("p" + at)[0]);
        results.add(read(set(statement, ids.get(at)).executeQuery()));
      }
      results.add(statement.unwrap(PGStatement.class).isUseServerPrepare());
    }
    var all = db.createArrayOf("uuid", ids.toArray());
    for (String settings :
        List.of(
            "&prepareThreshold=-1",
            "&prepareThreshold=1&binaryTransfer=false",
            "&prepareThreshold=0",
            "&preferQueryMode=simple",
            "&preferQueryMode=extendedForPrepared",
            "&preferQueryMode=extendedCacheEverything",
            "&stringtype=unspecified")) {
      try (var other = connected(settings)) {
        for (int at = 0; at < 8; at++) {
          results.add(rows(other, byId, ids.get(at)));
          results.add(rows(other, "select count(*) from people where id = any(?)", all));
        }
        var text = ids.get(0).toString();
        results.add(Features.tried(() -> rows(other, byId, text)));
      }
    }
    return results;
  }

  @Override
  public Object altered() throws SQLException {
    people("ann");
    List<Object> results = new ArrayList<>();
    var sql = "select * from people where name = ?";
    try (var statement = db.prepareStatement(sql);
        var other = connected("&autosave=conservative");
        var within = other.prepareStatement(sql)) {
      Features.Attempt again = () -> read(set(statement, "ann").executeQuery());
      Features.Attempt inTransaction =
          () -> {
            other.setAutoCommit(false);
            var rows = read(set(within, "ann").executeQuery());
            other.commit();
            return rows;
          };
      results.add(Features.repeated(8, again));
      results.add(Features.repeated(8, inTransaction));
      changed("alter table people add column nick text default 'none'");
      results.add(Features.repeated(4, again));
      results.add(Features.repeated(4, inTransaction));
    }
    return results;
  }

  @Override
  public Object introspect() throws SQLException {
    List<Object> results = new ArrayList<>();
    var about = db.getMetaData();
    results.add(read(about.getTables(null, "public", "%", new String[] {"TABLE"})));
    results.add(read(about.getColumns(null, "public", "%", "%")));
    for (String table : List.of("people", "posts", "tags", "post_tags", "groups")) {
      results.add(read(about.getPrimaryKeys(null, "public", table)));
      results.add(read(about.getImportedKeys(null, "public", table)));
      results.add(read(about.getExportedKeys(null, "public", table)));
      results.add(read(about.getIndexInfo(null, "public", table, false, true)));
      results.add(read(about.getBestRowIdentifier(null, "public", table, 0, false)));
    }
    for (String sql :
        List.of(
            "select * from people where id = ?",
            "select id, person_id, title from posts where person_id = any(?)",
            "insert into groups (member_ids) values (?) returning *")) {
      try (var statement = db.prepareStatement(sql)) {
        var parameters = statement.getParameterMetaData();
        results.add(
            Arrays.asList(
                parameters.getParameterType(1),
                parameters.getParameterTypeName(1),
                parameters.getParameterClassName(1)));
        var columns = statement.getMetaData();
        for (int at = 1; at <= columns.getColumnCount(); at++) {
          results.add(
              Arrays.asList(
                  columns.getColumnName(at),
                  columns.getTableName(at),
                  columns.getColumnTypeName(at),
                  columns.getColumnClassName(at),
                  columns.getColumnType(at) == Types.ARRAY,
                  columns.getColumnDisplaySize(at),
                  columns.getPrecision(at),
                  columns.isNullable(at),
                  columns.isAutoIncrement(at)));
        }
      }
    }
    return results;
  }
}
