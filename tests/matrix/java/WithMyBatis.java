import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.ibatis.annotations.Delete;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Many;
import org.apache.ibatis.annotations.One;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Result;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.builder.xml.XMLMapperBuilder;
import org.apache.ibatis.cursor.Cursor;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.mapping.FetchType;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.LocalCacheScope;
import org.apache.ibatis.session.RowBounds;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.session.TransactionIsolationLevel;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.apache.ibatis.type.ArrayTypeHandler;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.apache.ibatis.type.MappedTypes;

/** MyBatis: a mapper of annotations, and of XML where results or statements are nested. */
final class WithMyBatis implements Features.Client {
  static class Person {
    UUID id;
    String email;
    String name;
    Integer version;
    List<Post> posts;

    Person() {}

    Person(String name) {
      this.email = name + "@example.org";
      this.name = name;
    }

    List<Object> shown() {
      var all = posts == null ? null : posts.stream().map(Post::shown).toList();
      return Arrays.asList(id, email, name, version, all);
    }
  }

  static class Post {
    UUID id;
    UUID personId;
    String title;
    Integer ordinal;
    String body;
    Person person;
    List<Tag> tags;

    Post() {}

    Post(UUID personId, String title, int ordinal) {
      this.personId = personId;
      this.title = title;
      this.ordinal = ordinal;
    }

    // Lazy is what the proxy of a post loads when it is asked.
    Person getPerson() {
      return person;
    }

    List<Tag> getTags() {
      return tags;
    }

    List<Object> shown() {
      return Arrays.asList(id, personId, title, body, tags);
    }
  }

  record Tag(UUID id, String name) {}

  static class Group {
    UUID id;
    String name;
    UUID[] memberIds;

    Group() {}

    Group(String name, UUID... memberIds) {
      this.name = name;
      this.memberIds = memberIds;
    }

    List<Object> shown() {
      return Arrays.asList(id, name, memberIds);
    }
  }

  static class Row extends LinkedHashMap<String, Object> {}

  static class UuidHandler extends BaseTypeHandler<UUID> {
    @Override
    public void setNonNullParameter(PreparedStatement to, int at, UUID id, JdbcType type)
        throws SQLException {
      to.setObject(at, id);
    }

    @Override
    public UUID getNullableResult(ResultSet row, String column) throws SQLException {
      return row.getObject(column, UUID.class);
    }

    @Override
    public UUID getNullableResult(ResultSet row, int column) throws SQLException {
      return row.getObject(column, UUID.class);
    }

    @Override
    public UUID getNullableResult(CallableStatement call, int column) throws SQLException {
      return call.getObject(column, UUID.class);
    }
  }

  @MappedTypes(UUID[].class)
  static class UuidsHandler extends ArrayTypeHandler {
    @Override
    protected String resolveTypeName(Class<?> type) {
      return type == UUID.class ? "uuid" : super.resolveTypeName(type);
    }
  }

  interface Mapper {
    String PERSON = "insert into people (email, name) values (#{email}, #{name})";
    String POST =
        "insert into posts (person_id, title, ordinal) values (#{personId}, #{title}, #{ordinal})";

    @Update(Features.EMPTY)
    void empty();

    @Insert(PERSON)
    @Options(useGeneratedKeys = true, keyProperty = "id")
    int insertPerson(Person person);

    @Insert("insert into people (id, email, name) values (#{id}, #{email}, #{name})")
    int insertWithId(Person person);

    @Insert(POST)
    @Options(useGeneratedKeys = true, keyProperty = "id")
    int insertPost(Post post);

    int insertPosts(List<Post> posts);

    @Select(
        value =
            """
            with made as (insert into tags (name) values (#{name}) returning *),
            pairs as (insert into post_tags select #{post}, id from made) select * from made
            """,
        affectData = true)
    Tag tagged(@Param("post") UUID post, @Param("name") String name);

    @Select("select * from people where id = #{id}")
    Person person(UUID id);

    @Select("select * from people where id = #{id}::uuid")
    Person personByText(String id);

    @Update("update people set name = #{name}, version = version + 1 where id = #{id}")
    int update(Person person);

    @Delete("delete from people where id = #{id}")
    int delete(UUID id);

    List<Person> peopleBy(@Param("ids") List<UUID> ids, @Param("name") String name);

    @Select("select * from people order by email")
    List<Person> paged(RowBounds bounds);

    @Select(
        value = "update posts set title = upper(title) where id = #{id} returning *",
        affectData = true)
    Post shouted(UUID id);

    @Select(
        value =
            """
            with moved as (delete from posts where person_id = #{person}
              returning id, person_id, title)
            select m.id, p.id as person, m.title from moved m join people p on p.id = m.person_id
            order by m.title
            """,
        affectData = true)
    List<Row> moved(UUID person);

    @Select(
        value =
            PERSON
                + """
                 on conflict (email) do update
                set name = excluded.name, version = people.version + 1 returning *
                """,
        affectData = true)
    Person upsert(Person person);

    @Insert(PERSON + " on conflict do nothing")
    @Options(useGeneratedKeys = true, keyProperty = "id")
    int ignore(Person person);

    @Insert(
        """
        insert into people (id, email, name) values (#{id}, #{email}, #{name})
        on conflict (id) do update set email = excluded.email, name = excluded.name
        """)
    int save(Person person);

    @Insert(
        """
        insert into posts (person_id, title, ordinal)
        select * from unnest(#{people}, #{titles}, #{ordinals})
        """)
    int insertUnnested(
        @Param("people") UUID[] people,
        @Param("titles") String[] titles,
        @Param("ordinals") Integer[] ordinals);

    @Select("select id, person_id, title from posts order by ordinal")
    Cursor<Post> posts();

    List<Person> joined();

    @Select("select * from people order by email")
    @Result(property = "id", column = "id", id = true)
    @Result(property = "posts", column = "id", many = @Many(select = "postsOf"))
    List<Person> selected();

    @Select("select * from posts where person_id = #{person} order by ordinal")
    @Result(property = "id", column = "id", id = true)
    @Result(property = "personId", column = "person_id")
    @Result(property = "tags", column = "id", many = @Many(select = "tagsOf"))
    List<Post> postsOf(UUID person);

    @Select(
        """
        select t.id, t.name from tags t join post_tags pt on pt.tag_id = t.id
        where pt.post_id = #{post} order by t.name
        """)
    List<Tag> tagsOf(UUID post);

    @Select("select * from posts where ordinal = #{ordinal}")
    @Result(property = "id", column = "id", id = true)
    @Result(
        property = "person",
        column = "person_id",
        one = @One(select = "person", fetchType = FetchType.LAZY))
    @Result(
        property = "tags",
        column = "id",
        many = @Many(select = "tagsOf", fetchType = FetchType.LAZY))
    Post lazy(int ordinal);

    List<Post> page(@Param("last") UUID last);

    @Insert("insert into groups (name, member_ids) values (#{name}, #{memberIds})")
    @Options(useGeneratedKeys = true, keyProperty = "id,memberIds", keyColumn = "id,member_ids")
    int insertGroup(Group group);

    @Update("update groups set member_ids = array_append(member_ids, #{id}) where name = #{name}")
    int join(@Param("name") String name, @Param("id") UUID id);

    @Select("select * from groups order by name")
    List<Group> groups();

    @Select("select * from groups where #{id} = any(member_ids)")
    List<Group> groupsOf(UUID id);

    @Select("select * from groups where member_ids && #{ids} order by name")
    List<Group> overlapping(@Param("ids") UUID[] ids);

    @Select("select name, member_ids, member_ids[1] as one from groups order by name")
    List<Row> groupRows();

    @Select("select array_agg(id order by email) as ids, count(*) as people from people")
    Row aggregated();

    @Update("update posts set body = #{body}::jsonb where id = #{id}")
    int describe(Post post);

    @Select("select * from posts where body @> #{part}::jsonb order by ordinal")
    List<Post> containing(String part);

    @Select(
        """
        select body->>'by' as by, json_build_object('id', id, 'person', person_id)::text as built,
          to_jsonb(posts)::text as row
        from posts order by ordinal
        """)
    List<Row> documents();

    @Select("select json_agg(posts order by ordinal)::text from posts")
    String document();

    @Select("select count(*) from post_tags")
    int pairs();

    @Select("select count(*) from people where id = any(#{ids})")
    int counted(@Param("ids") UUID[] ids);

    @Select("select * from people where id = ${id}")
    Person inlined(@Param("id") String id);

    @Select("select * from people where id = #{id}")
    Person mistyped(String id);

    @Select("select * from people where name = #{name}")
    List<Row> named(String name);

    @Update("alter table people add column nick text default 'none'")
    void alter();

    @Select(
        """
        select table_name, column_name, data_type, udt_name, column_default
        from information_schema.columns where table_schema = 'public'
        order by table_name, ordinal_position
        """)
    List<Row> columns();

    @Select(
        """
        select c.conname, c.contype::text, c.conrelid::regclass::text, pg_get_constraintdef(c.oid)
        from pg_constraint c where c.connamespace = 'public'::regnamespace order by 3, 1
        """)
    List<Row> constraints();
  }

  private final SqlSessionFactory factory;
  private final SqlSession session;
  private final Mapper mapper;

  WithMyBatis(Features.Address address) {
    var source = new UnpooledDataSource("org.postgresql.Driver", address.url(), null, null);
    var configuration =
        new Configuration(new Environment("matrix", new JdbcTransactionFactory(), source));
    configuration.setMapUnderscoreToCamelCase(true);
    configuration.setLocalCacheScope(LocalCacheScope.STATEMENT);
    configuration.setDefaultExecutorType(ExecutorType.REUSE);
    configuration.getTypeHandlerRegistry().register(UUID.class, new UuidHandler());
    configuration.getTypeHandlerRegistry().register(new UuidsHandler());
    configuration.getTypeHandlerRegistry().register(JdbcType.ARRAY, new UuidsHandler());
    var xml = WithMyBatis.class.getResourceAsStream("WithMyBatis.xml");
    var fragments = configuration.getSqlFragments();
    // It adds the annotated statements of the interface, too.
    new XMLMapperBuilder(xml, configuration, "WithMyBatis.xml", fragments).parse();
    factory = new SqlSessionFactoryBuilder().build(configuration);
    session = factory.openSession(true);
    mapper = session.getMapper(Mapper.class);
  }

  @Override
  public void empty() {
    mapper.empty();
  }

  @Override
  public void close() {
    session.close();
  }

  private static List<Person> people(Mapper mapper, String... names) {
    var people = Arrays.stream(names).map(Person::new).toList();
    people.forEach(mapper::insertPerson);
    return people;
  }

  private List<Person> people(String... names) {
    return people(mapper, names);
  }

  private List<Post> posts(Person person, int first, String... titles) {
    List<Post> posts = new ArrayList<>();
    for (int at = 0; at < titles.length; at++) {
      posts.add(new Post(person.id, titles[at], first + at));
      mapper.insertPost(posts.get(at));
    }
    return posts;
  }

  private static List<List<Object>> shown(List<Person> people) {
    return people.stream().map(Person::shown).toList();
  }

  private static List<List<Object>> described(Iterable<Post> posts) {
    List<List<Object>> all = new ArrayList<>();
    posts.forEach(post -> all.add(post.shown()));
    return all;
  }

  @Override
  public Object crud() {
    var people = people("ann", "bob");
    UUID ann = people.get(0).id, bob = people.get(1).id;
    var read = mapper.person(ann);
    read.name = "Ann";
    return Arrays.asList(
        shown(people),
        mapper.personByText(bob.toString()).shown(),
        mapper.update(read),
        mapper.person(ann).shown(),
        mapper.delete(bob),
        mapper.person(bob),
        shown(mapper.peopleBy(List.of(ann, bob), "Ann")));
  }

  @Override
  public Object returning() {
    var ann = people("ann").get(0);
    var posts = posts(ann, 1, "a", "b");
    return List.of(mapper.shouted(posts.get(0).id).shown(), mapper.moved(ann.id));
  }

  @Override
  public Object bulk() throws Exception {
    var people = people("ann", "bob");
    UUID ann = people.get(0).id, bob = people.get(1).id;
    List<Object> results = new ArrayList<>();
    var several =
        IntStream.range(0, 7)
            .mapToObj(at -> new Post(at % 2 == 0 ? ann : bob, "t" + at, at))
            .toList();
    results.add(mapper.insertPosts(several));
    results.add(described(several));
    try (var batching = factory.openSession(ExecutorType.BATCH)) {
      var within = batching.getMapper(Mapper.class);
      var posts = IntStream.range(10, 15).mapToObj(at -> new Post(ann, "t" + at, at)).toList();
      posts.forEach(within::insertPost);
      for (var person : people) {
        person.name += "!";
        within.update(person);
      }
      batching.flushStatements().forEach(each -> results.add(each.getUpdateCounts()));
      results.add(described(posts));
      batching.commit();
    }
    var ids = new UUID[] {ann, bob};
    results.add(mapper.insertUnnested(ids, new String[] {"one", "two"}, new Integer[] {21, 22}));
    try (var cursor = mapper.posts()) {
      results.add(described(cursor));
    }
    results.add(shown(mapper.peopleBy(null, null)));
    return results;
  }

  @Override
  public Object upsert() {
    List<Object> results = new ArrayList<>();
    var ann = new Person("ann");
    for (String name : List.of("ann", "Ann", "ANN")) {
      ann.name = name;
      results.add(mapper.upsert(ann).shown());
    }
    results.add(mapper.ignore(ann));
    results.add(mapper.ignore(new Person("bob")));
    var saved = mapper.peopleBy(null, "ANN").get(0);
    saved.email = "new";
    results.add(mapper.save(saved));
    results.add(shown(mapper.peopleBy(null, null)));
    return results;
  }

  @Override
  public Object eager() {
    var people = people("ann", "bob", "cid");
    var posts = posts(people.get(0), 1, "one", "two");
    posts(people.get(1), 3, "three");
    var tags =
        List.of(mapper.tagged(posts.get(0).id, "red"), mapper.tagged(posts.get(0).id, "blue"));
    var lazy = mapper.lazy(1);
    return List.of(
        tags,
        shown(mapper.joined()),
        shown(mapper.selected()),
        shown(mapper.paged(new RowBounds(1, 1))),
        List.of(lazy.getPerson().shown(), lazy.getTags()));
  }

  @Override
  public Object keyset() throws Exception {
    var ann = people("ann").get(0);
    for (int at = 0; at < 12; at++) posts(ann, at, "t" + at);
    return Features.turned(
        last ->
            mapper.page(last == null ? null : UUID.fromString(last)).stream()
                .map(post -> new Features.Row(post.id.toString(), post.title))
                .toList());
  }

  @Override
  public Object arrays() {
    var people = people("ann", "bob", "cid");
    UUID ann = people.get(0).id, bob = people.get(1).id, cid = people.get(2).id;
    var group = new Group("a", ann, bob);
    var other = new Group("b");
    return List.of(
        mapper.insertGroup(group),
        mapper.insertGroup(other),
        group.shown(),
        other.shown(),
        mapper.join("b", cid),
        mapper.groups().stream().map(Group::shown).toList(),
        mapper.groupsOf(bob).stream().map(Group::shown).toList(),
        mapper.overlapping(new UUID[] {cid, ann}).stream().map(Group::shown).toList(),
        mapper.groupRows(),
        mapper.aggregated());
  }

  @Override
  public Object json() {
    var ann = people("ann").get(0);
    var one = posts(ann, 1, "one", "two").get(0);
    one.body = "{\"by\": \"" + ann.id + "\", \"marks\": [1, 2.5, null]}";
    return List.of(
        mapper.describe(one),
        described(mapper.containing("{\"marks\": [1]}")),
        mapper.documents(),
        mapper.document());
  }

  @Override
  public Object transaction() throws SQLException {
    try (var other = factory.openSession()) {
      people(other.getMapper(Mapper.class), "ann");
      other.commit();
    }
    try (var other = factory.openSession(TransactionIsolationLevel.SERIALIZABLE)) {
      people(other.getMapper(Mapper.class), "bob");
      other.rollback();
    }
    try (var other = factory.openSession()) {
      var within = other.getMapper(Mapper.class);
      people(within, "cid");
      var before = other.getConnection().setSavepoint();
      var failed = Features.tried(() -> people(within, "dan", "dan"));
      other.getConnection().rollback(before);
      people(within, "eve");
      other.commit();
      return List.of(failed, shown(mapper.peopleBy(null, null)));
    }
  }

  @Override
  public Object cascade() throws Exception {
    var people = people("ann", "bob");
    mapper.tagged(posts(people.get(0), 1, "one").get(0).id, "red");
    posts(people.get(1), 2, "two");
    int gone = mapper.delete(people.get(0).id);
    try (var left = mapper.posts()) {
      return List.of(gone, described(left), mapper.pairs());
    }
  }

  @Override
  public Object errors() {
    var people = people("ann", "bob");
    mapper.delete(people.get(1).id);
    return Features.tried(
        () -> people("ann"),
        () -> mapper.insertWithId(people.get(0)),
        () -> posts(people.get(1), 1, "x"),
        () -> mapper.insertPost(new Post(null, "x", 1)),
        () -> mapper.personByText("not-a-uuid"),
        () -> mapper.mistyped("not-a-uuid"),
        () -> mapper.inlined("'not-a-uuid'"),
        () -> mapper.inlined("1"));
  }

  @Override
  public Object prepared() {
    List<Object> results = new ArrayList<>();
    List<UUID> ids = new ArrayList<>();
    for (int at = 0; at < 20; at++) {
      ids.add(people("p" + at).get(0).id);
      results.add(mapper.person(ids.get(at)).shown());
      results.add(mapper.counted(ids.toArray(UUID[]::new)));
      results.add(mapper.peopleBy(ids, null).size());
    }
    return results;
  }

  @Override
  public Object altered() {
    var ann = people("ann").get(0);
    Features.Attempt again = () -> List.of(mapper.named("ann"), mapper.person(ann.id).shown());
    var before = Features.repeated(8, again);
    mapper.alter();
    return List.of(before, Features.repeated(4, again));
  }

  @Override
  public Object introspect() {
    return List.of(mapper.columns(), mapper.constraints());
  }
}
