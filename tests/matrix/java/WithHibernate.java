import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.SharedSessionContract;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.OnDelete;
import org.hibernate.annotations.OnDeleteAction;
import org.hibernate.cfg.Configuration;
import org.hibernate.graph.GraphSemantic;
import org.hibernate.query.CommonQueryContract;
import org.hibernate.query.Order;
import org.hibernate.query.Page;
import org.hibernate.type.SqlTypes;

/** Hibernate ORM, with ids that the database makes. */
final class WithHibernate implements Features.Client {
  @MappedSuperclass
  abstract static class Identified {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    UUID id;

    // Proxies of what is lazy have methods only.
    UUID getId() {
      return id;
    }

    abstract List<Object> shown();
  }

  @Entity(name = "Person")
  @Table(name = "people")
  static class Person extends Identified {
    @Column(nullable = false, unique = true, columnDefinition = "text")
    String email;

    @Column(nullable = false, columnDefinition = "text")
    String name;

    @Version int version;

    @OneToMany(mappedBy = "person", cascade = CascadeType.ALL, orphanRemoval = true)
    @OnDelete(action = OnDeleteAction.CASCADE)
    @OrderBy("ordinal")
    Set<Post> posts = new LinkedHashSet<>();

    Person() {}

    Person(String name) {
      this.email = name + "@example.org";
      this.name = name;
    }

    Person by(UUID id) {
      this.id = id;
      return this;
    }

    Person with(Post... all) {
      for (Post post : all) {
        post.person = this;
        posts.add(post);
      }
      return this;
    }

    @Override
    List<Object> shown() {
      return Arrays.asList(id, email, name, version);
    }
  }

  @Entity(name = "Post")
  @Table(name = "posts")
  static class Post extends Identified {
    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "person_id")
    Person person;

    @Column(nullable = false, columnDefinition = "text")
    String title;

    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, Object> body;

    @Column(unique = true)
    Integer ordinal;

    @ManyToMany(cascade = CascadeType.PERSIST)
    @JoinTable(
        name = "post_tags",
        joinColumns = @JoinColumn(name = "post_id"),
        inverseJoinColumns = @JoinColumn(name = "tag_id"))
    @OrderBy("name")
    Set<Tag> tags = new LinkedHashSet<>();

    Post() {}

    Post(String title, int ordinal, Tag... tags) {
      this.title = title;
      this.ordinal = ordinal;
      this.tags.addAll(List.of(tags));
    }

    Post of(Person person) {
      this.person = person;
      return this;
    }

    @Override
    List<Object> shown() {
      return Arrays.asList(id, person.getId(), title, body);
    }
  }

  @Entity(name = "Tag")
  @Table(name = "tags")
  static class Tag extends Identified {
    @Column(nullable = false, unique = true, columnDefinition = "text")
    String name;

    Tag() {}

    Tag(String name) {
      this.name = name;
    }

    @Override
    List<Object> shown() {
      return Arrays.asList(id, name);
    }
  }

  @Entity(name = "Group")
  @Table(name = "groups")
  static class Group extends Identified {
    @Column(nullable = false, columnDefinition = "text")
    String name;

    @Column(name = "member_ids", nullable = false)
    UUID[] memberIds;

    Group() {}

    Group(String name, UUID... memberIds) {
      this.name = name;
      this.memberIds = memberIds;
    }

    @Override
    List<Object> shown() {
      return Arrays.asList(id, name, memberIds);
    }
  }

  /** An entity that the database has no table for. */
  @Entity(name = "Comment")
  @Table(name = "comments")
  static class Comment extends Identified {
    @ManyToOne(optional = false)
    @JoinColumn(name = "post_id")
    Post post;

    @Override
    List<Object> shown() {
      return Arrays.asList(id, post.getId());
    }
  }

  private final Features.Address address;
  private final SessionFactory factory;

  WithHibernate(Features.Address address) {
    this.address = address;
    factory = configured().buildSessionFactory();
  }

  private Configuration configured() {
    return new Configuration()
        .setProperty("hibernate.connection.url", address.url())
        .setProperty("hibernate.connection.pool_size", 1)
        .setProperty("hibernate.jdbc.batch_size", 5)
        .setProperty("hibernate.default_batch_fetch_size", 8)
        .setProperty("hibernate.query.hql.json_functions_enabled", true)
        .addAnnotatedClasses(Person.class, Post.class, Tag.class, Group.class);
  }

  @Override
  public void empty() {
    natively(Features.EMPTY);
  }

  @Override
  public void close() {
    factory.close();
  }

  private static <Q extends CommonQueryContract> Q given(Q query, Object... values) {
    for (int at = 0; at < values.length; at++) query.setParameter(at + 1, values[at]);
    return query;
  }

  private static <T> List<T> all(
      SharedSessionContract session, Class<T> type, String hql, Object... values) {
    return given(session.createSelectionQuery(hql, type), values).getResultList();
  }

  private List<Object[]> rows(String hql, Object... values) {
    return factory.fromTransaction(session -> all(session, Object[].class, hql, values));
  }

  private static int changed(SharedSessionContract session, String hql, Object... values) {
    return given(session.createMutationQuery(hql), values).executeUpdate();
  }

  private int natively(String sql, Object... values) {
    return factory.fromTransaction(
        session -> given(session.createNativeMutationQuery(sql), values).executeUpdate());
  }

  private <T> List<T> natives(Class<T> type, String sql, Object... values) {
    return factory.fromTransaction(
        session -> given(session.createNativeQuery(sql, type), values).getResultList());
  }

  private <T> T persisted(T entity) {
    factory.inTransaction(session -> session.persist(entity));
    return entity;
  }

  private List<UUID> people(String... names) {
    return Arrays.stream(names).map(name -> persisted(new Person(name)).id).toList();
  }

  private static List<Object> loaded(List<Person> people) {
    List<Object> results = new ArrayList<>();
    for (Person person : people) {
      results.add(person.shown());
      for (Post post : person.posts) {
        results.add(post.shown());
        for (Tag tag : post.tags) results.add(tag.shown());
      }
    }
    return results;
  }

  @Override
  public Object crud() {
    var ids = people("ann", "bob", "cid");
    List<Object> results = new ArrayList<>();
    factory.inTransaction(
        session -> {
          var ann = session.find(Person.class, ids.get(0));
          results.add(ann.shown());
          ann.name = "Ann";
          session.remove(session.getReference(Person.class, ids.get(1)));
        });
    factory.inTransaction(
        session -> {
          var found = session.findMultiple(Person.class, ids);
          results.add(found.stream().map(each -> each == null ? null : each.shown()).toList());
          var counting = "update versioned Person set name = 'Anne' where id = ?1";
          results.add(changed(session, counting, ids.get(0)));
          session.refresh(found.get(0));
          results.add(found.get(0).shown());
          results.add(changed(session, "delete Person where id in ?1", ids.subList(1, 3)));
        });
    results.add(rows("select id, name, version from Person"));
    return results;
  }

  @Override
  public Object returning() {
    var ann = persisted(new Person("ann").with(new Post("a", 1), new Post("b", 2)));
    var update = "update posts set title = upper(title) where id = ?1 returning *";
    var post = natives(Post.class, update, ann.posts.iterator().next().id).get(0);
    var chained =
        """
        with moved as (delete from posts where person_id = ?1 returning id, person_id, title)
        select m.id, p.id as person, m.title from moved m join people p on p.id = m.person_id
        order by m.title
        """;
    return List.of(
        loaded(List.of(ann)),
        List.of(post.id, post.title),
        natives(Object[].class, chained, ann.id));
  }

  @Override
  public Object bulk() {
    var ann = persisted(new Person("ann"));
    List<Object> results = new ArrayList<>();
    factory.inStatelessTransaction(
        session -> {
          var posts = IntStream.range(0, 7).mapToObj(at -> new Post("t" + at, at).of(ann)).toList();
          session.insertMultiple(posts);
          results.add(posts.stream().map(Identified::shown).toList());
          posts.forEach(post -> post.title += "!");
          session.updateMultiple(posts);
          session.deleteMultiple(posts.subList(0, 2));
          var copying =
              """
              insert into Post (person, title, ordinal)
              select person, upper(title), ordinal + 10 from Post where ordinal > 3
              """;
          results.add(changed(session, copying));
          var several = "insert into Tag (name) values ('red'), ('blue'), ('green')";
          results.add(changed(session, several));
        });
    // The session writes what has changed in batches.
    factory.inTransaction(
        session -> all(session, Post.class, "from Post").forEach(post -> post.title += "?"));
    results.add(rows("select id, person.id, title from Post order by ordinal"));
    results.add(rows("select id, name from Tag order by name"));
    return results;
  }

  @Override
  public Object upsert() {
    List<Object> results = new ArrayList<>();
    var upserting =
        """
        insert into Person as p (email, name, version) values ('ann@example.org', ?1, 1)
        on conflict (email) do update set name = excluded.name, version = p.version + 1
        """;
    var ignoring =
        """
        insert into Person (email, name, version) values ('ann@example.org', 'x', 1)
        on conflict do nothing
        """;
    factory.inTransaction(
        session -> {
          for (var name : List.of("ann", "Ann")) results.add(changed(session, upserting, name));
          results.add(changed(session, ignoring));
        });
    var ids = people("bob", "cid");
    factory.inStatelessTransaction(
        session -> {
          var bob = new Person("Bob").by(ids.get(0));
          session.upsert(bob);
          var group = new Group("a", bob.id);
          session.insert(group);
          group.memberIds = ids.toArray(UUID[]::new);
          session.upsertMultiple(List.of(group));
        });
    var cid = new Person("Cid").by(ids.get(1));
    results.add(factory.fromTransaction(session -> session.merge(cid)).shown());
    results.add(rows("select id, email, name, version from Person order by email"));
    results.add(rows("select id, name, memberIds from Group"));
    return results;
  }

  @Override
  public Object eager() {
    var one = new Post("one", 1, new Tag("red"), new Tag("blue"));
    persisted(new Person("ann").with(one, new Post("two", 2)));
    persisted(new Person("bob").with(new Post("three", 3)));
    persisted(new Person("cid"));
    List<Object> results = new ArrayList<>();
    var people = "from Person order by email";
    var joining =
        """
        from Person p left join fetch p.posts o left join fetch o.tags t
        order by p.email, o.ordinal, t.name
        """;
    // The second loads in batches.
    for (var hql : List.of(joining, people)) {
      factory.inSession(session -> results.add(loaded(all(session, Person.class, hql))));
    }
    factory.inSession(
        session -> {
          session.setSubselectFetchingEnabled(true);
          results.add(loaded(all(session, Person.class, people)));
        });
    factory.inSession(
        session -> {
          var graph = session.createEntityGraph(Person.class);
          graph.addElementSubgraph("posts").addAttributeNode("tags");
          var query = session.createSelectionQuery(people, Person.class);
          results.add(loaded(query.setEntityGraph(graph, GraphSemantic.FETCH).getResultList()));
          var fetching = Map.<String, Object>of(GraphSemantic.FETCH.getJakartaHintName(), graph);
          session.clear();
          results.add(loaded(List.of(session.find(Person.class, one.person.id, fetching))));
        });
    factory.inSession(
        session -> {
          var limited = session.createSelectionQuery(people, Person.class).setMaxResults(2);
          results.add(limited.getResultList().stream().map(each -> each.posts.size()).toList());
          session.clear();
          var lazy = all(session, Post.class, "from Post where person.name = 'bob'").get(0);
          results.add(List.of(lazy.person.shown(), lazy.tags.size()));
        });
    var tagless =
        """
        select p.id, p.name, size(p.posts) from Person p
        where not exists (from p.posts o join o.tags t where t.name = 'red') order by p.name
        """;
    results.add(rows(tagless));
    return results;
  }

  @Override
  public Object keyset() throws Exception {
    var posts = IntStream.range(0, 12).mapToObj(at -> new Post("t" + at, at));
    persisted(new Person("ann").with(posts.toArray(Post[]::new)));
    var page = Page.first(5);
    var byHand =
        Features.turned(
            last ->
                factory.fromSession(
                    session -> {
                      var after = last == null ? "" : "where id > ?1";
                      var hql = "from Post %s order by id".formatted(after);
                      var query = session.createSelectionQuery(hql, Post.class).setPage(page);
                      if (last != null) query.setParameter(1, UUID.fromString(last));
                      return page(query.getResultList());
                    }));
    var next = new AtomicReference<>(page.keyedBy(Order.asc(Post.class, "id")));
    var keyed =
        Features.turned(
            last -> {
              if (next.get() == null) return List.of();
              return factory.fromSession(
                  session -> {
                    var query = session.createSelectionQuery("from Post", Post.class);
                    var found = query.getKeyedResultList(next.get());
                    next.set(found.getNextPage());
                    return page(found.getResultList());
                  });
            });
    return List.of(byHand, keyed);
  }

  private static List<Features.Row> page(List<Post> posts) {
    return posts.stream().map(post -> new Features.Row(post.id.toString(), post.title)).toList();
  }

  @Override
  public Object arrays() {
    var ids = people("ann", "bob", "cid");
    UUID ann = ids.get(0), bob = ids.get(1), cid = ids.get(2);
    List<Object> results = new ArrayList<>();
    factory.inTransaction(
        session -> {
          var group = new Group("a", ann);
          session.persist(group);
          session.persist(new Group("b"));
          session.flush();
          group.memberIds = new UUID[] {ann, bob};
          var append = "update Group set memberIds = array_append(memberIds, ?1) where name = 'b'";
          results.add(changed(session, append, cid));
        });
    results.add(rows("select id, name, memberIds, memberIds[1] from Group order by name"));
    var which = "select id, name from Group where ";
    results.add(rows(which + "array_contains(memberIds, ?1)", bob));
    results.add(rows(which + "array_contains(memberIds, array(?1, ?2))", bob, ann));
    results.add(rows(which + "array_intersects(memberIds, ?1)", (Object) new UUID[] {ann, bob}));
    results.add(rows("select id, name from Person where id in ?1 order by name", ids));
    var joined =
        """
        select g.name, p.id from Group g join Person p on array_contains(g.memberIds, p.id)
        order by p.email
        """;
    results.add(rows(joined));
    var unnested =
        """
        select g.name, m, index(m) from Group g join lateral unnest(g.memberIds) m
        order by g.name, index(m)
        """;
    results.add(rows(unnested));
    results.add(rows("select count(*), array_agg(id) within group (order by email) from Person"));
    return results;
  }

  @Override
  public Object json() {
    var ann = persisted(new Person("ann"));
    var one = new Post("one", 1).of(ann);
    one.body = Map.of("by", ann.id, "marks", Arrays.asList(1, 2.5, null));
    persisted(one);
    persisted(new Post("two", 2).of(ann));
    var aggregated =
        """
        select person.id, json_arrayagg(json_object('id': id) order by title) from Post
        group by person.id
        """;
    var read = factory.fromSession(session -> session.find(Post.class, one.id).shown());
    return List.of(
        read.get(3).equals(Map.of("by", ann.id.toString(), "marks", one.body.get("marks"))),
        read.subList(0, 3),
        rows(
            "select id, json_value(body, '$.by'), json_query(body, '$.marks') from Post order by"
                + " 2"),
        rows("select id, title from Post where json_exists(body, '$.marks[1]')"),
        rows("select title, json_object('id': id, 'person': person.id) from Post order by title"),
        rows(aggregated));
  }

  @Override
  public Object transaction() {
    people("ann");
    factory.inSession(
        session -> {
          session.doWork(by -> by.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
          var rolled = session.beginTransaction();
          session.persist(new Person("bob"));
          rolled.rollback();
        });
    // Savepoints are those of JDBC; an error in the session itself ends its transaction.
    factory.inTransaction(
        session -> {
          session.persist(new Person("cid"));
          session.doWork(
              by -> {
                var before = by.setSavepoint("before");
                try (var statement = by.createStatement()) {
                  statement.execute("insert into people (email, name) values ('x', 'dan')");
                  statement.execute("insert into people (email, name) values ('x', 'dan')");
                } catch (SQLException error) {
                  by.rollback(before);
                }
              });
          session.persist(new Person("eve"));
        });
    return rows("select id, name from Person order by name");
  }

  @Override
  public Object cascade() {
    var ann = new Person("ann").with(new Post("one", 1, new Tag("red")), new Post("two", 2));
    var bob = new Person("bob").with(new Post("three", 3), new Post("four", 4));
    persisted(ann);
    persisted(bob);
    factory.inTransaction(session -> session.remove(session.find(Person.class, ann.id)));
    factory.inTransaction(
        session -> {
          var found = session.find(Person.class, bob.id);
          found.posts.removeIf(post -> post.ordinal == 3);
        });
    return List.of(
        rows("select id, person.id, title from Post"),
        rows("select id, name from Tag"),
        rows("select count(*), count(t) from Post o left join o.tags t"));
  }

  @Override
  public Object errors() {
    var ids = people("ann", "bob");
    UUID ann = ids.get(0), bob = ids.get(1);
    natively("delete from people where id = ?1", bob);
    return Features.tried(
        () -> people("ann"),
        () -> persisted(new Person("x").by(ann)),
        () -> natively("insert into people (id, email, name) values (?1, 'x', 'x')", ann),
        () -> persisted(new Post("x", 1).of(new Person("x").by(bob))),
        () ->
            factory.fromTransaction(
                session -> {
                  var post = new Post("x", 1).of(session.getReference(Person.class, bob));
                  session.persist(post);
                  return post.id;
                }),
        () -> persisted(new Post("x", 1)),
        () -> factory.fromTransaction(session -> session.merge(new Person("x").by(bob))),
        () -> factory.fromSession(session -> session.find(Person.class, "not-a-uuid")),
        () -> rows("select id, name from Person where id = 'not-a-uuid'"),
        () -> natives(String.class, "select name from people where id = ?1", "not-a-uuid"),
        () -> natives(String.class, "select name from people where id = cast(?1 as uuid)", "x"),
        () -> natives(String.class, "select name from people where id = 'not-a-uuid'"),
        () -> natives(String.class, "select name from people where id = 1"));
  }

  @Override
  public Object prepared() {
    List<Object> results = new ArrayList<>();
    List<UUID> ids = new ArrayList<>();
    for (int at = 0; at < 20; at++) {
      ids.addAll(people("p" + at));
      var id = ids.get(at);
      factory.inSession(
          session -> {
            results.add(session.find(Person.class, id).shown());
            results.add(
                all(session, Long.class, "select count(*) from Person where id in ?1", ids));
            var found = session.findMultiple(Person.class, ids);
            results.add(found.stream().filter(person -> ids.contains(person.id)).count());
          });
    }
    return results;
  }

  @Override
  public Object altered() {
    people("ann");
    var sql = "select * from people where name = ?1";
    Features.Attempt mapped =
        () -> natives(Person.class, sql, "ann").stream().map(Identified::shown).toList();
    Features.Attempt plain = () -> natives(Object[].class, sql, "ann");
    var before = List.of(Features.repeated(8, mapped), Features.repeated(8, plain));
    natively("alter table people add column nick text default 'none'");
    return List.of(before, Features.repeated(4, mapped), Features.repeated(4, plain));
  }

  /** What Hibernate would do to the schema for another entity, and what it says of the others. */
  @Override
  public Object introspect() {
    close();
    var script = new StringWriter();
    var updating = configured().addAnnotatedClass(Comment.class);
    updating.setProperty("jakarta.persistence.schema-generation.scripts.action", "update");
    var target = "jakarta.persistence.schema-generation.scripts.create-target";
    updating.getProperties().put(target, script);
    updating.buildSessionFactory().close();
    var validating = configured().setProperty("hibernate.hbm2ddl.auto", "validate");
    validating.buildSessionFactory().close();
    var failing = configured().setProperty("hibernate.hbm2ddl.auto", "validate");
    failing.addAnnotatedClass(Comment.class);
    return List.of(script.toString(), Features.tried(failing::buildSessionFactory));
  }
}
