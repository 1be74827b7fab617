import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.logging.LogManager;
import org.postgresql.util.PSQLException;

/**
 * The runner of the Java clients: it calls the features of a client one by one, each with a new
 * connection and empty tables, and prints what each gives as one line of JSON.
 */
public final class Features {
  static final String EMPTY = "truncate people, posts, tags, post_tags, groups";

  /** Where the database is. */
  record Address(String host, String port, String user, String database) {
    String url() {
      return "jdbc:postgresql://" + host + ":" + port + "/" + database + "?user=" + user;
    }
  }

  /** A client with a connection of its own. */
  interface Client extends AutoCloseable {
    void empty() throws Exception;

    Object crud() throws Exception;

    Object returning() throws Exception;

    Object bulk() throws Exception;

    Object upsert() throws Exception;

    Object eager() throws Exception;

    Object keyset() throws Exception;

    Object arrays() throws Exception;

    Object json() throws Exception;

    Object transaction() throws Exception;

    Object cascade() throws Exception;

    Object errors() throws Exception;

    Object prepared() throws Exception;

    Object introspect() throws Exception;

    Object altered() throws Exception;
  }

  private interface Connecting {
    Client to(Address address) throws Exception;
  }

  private record Feature(String name, Call call) {
    interface Call {
      Object of(Client client) throws Exception;
    }
  }

  // The tables are altered when all else is done.
  private static final List<Feature> FEATURES =
      List.of(
          new Feature("crud", Client::crud),
          new Feature("returning", Client::returning),
          new Feature("bulk", Client::bulk),
          new Feature("upsert", Client::upsert),
          new Feature("eager", Client::eager),
          new Feature("keyset", Client::keyset),
          new Feature("arrays", Client::arrays),
          new Feature("json", Client::json),
          new Feature("transaction", Client::transaction),
          new Feature("cascade", Client::cascade),
          new Feature("errors", Client::errors),
          new Feature("prepared", Client::prepared),
          new Feature("introspect", Client::introspect),
          new Feature("altered", Client::altered));

  /** Something that may fail. */
  interface Attempt {
    Object result() throws Exception;
  }

  /** What attempts come to, one after the other. */
  static List<Object> tried(Attempt... attempts) {
    List<Object> results = new ArrayList<>();
    for (Attempt attempt : attempts) {
      try {
        results.add(attempt.result());
      } catch (Exception error) {
        results.add(told(error));
      }
    }
    return results;
  }

  /** The results of something that is done several times. */
  static List<Object> repeated(int times, Attempt attempt) {
    List<Object> results = new ArrayList<>();
    for (int at = 0; at < times; at++) results.addAll(tried(attempt));
    return results;
  }

  /** What Postgres says of an error, wherever a library keeps it. */
  static List<Object> told(Throwable error) {
    List<Object> all = new ArrayList<>(List.of(error.getClass().getSimpleName()));
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof PSQLException failed && failed.getServerErrorMessage() != null) {
        var server = failed.getServerErrorMessage();
        all.add(server.getSQLState());
        all.add(server.getConstraint());
        all.add(server.getDetail());
        all.add(server.getMessage());
        return all;
      }
    }
    all.add(error.getMessage());
    return all;
  }

  record Row(String id, String title) {}

  interface Page {
    List<Row> after(String last) throws Exception;
  }

  /**
   * Says of pages, by a function that is given the last id of the page before, what can be said in
   * an order that differs between the sides.
   */
  static List<Object> turned(Page next) throws Exception {
    List<Row> rows = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    String last = null;
    do {
      List<Row> page = next.after(last);
      sizes.add(page.size());
      rows.addAll(page);
      last = page.isEmpty() ? null : page.get(page.size() - 1).id();
    } while (last != null);
    var ids = new HashSet<>(rows.stream().map(Row::id).toList());
    return List.of(
        rows.stream().map(Row::title).sorted().toList(), sizes, rows.size() - ids.size());
  }

  private static String line(Connecting connecting, Address address, Feature feature) {
    try (Client client = connecting.to(address)) {
      client.empty();
      return new ObjectMapper().writeValueAsString(feature.call().of(client));
    } catch (Exception error) {
      var told = told(error);
      var message =
          String.valueOf(told.get(told.size() - 1))
              .lines()
              .filter(each -> !each.isBlank())
              .findFirst();
      return "error " + told.get(1) + " " + message.orElse("");
    }
  }

  public static void main(String[] arguments) {
    var late =
        new TimerTask() {
          @Override
          public void run() {
            System.err.println("it takes too long");
            Runtime.getRuntime().halt(1);
          }
        };
    // What the libraries log is not for the output.
    LogManager.getLogManager().reset();
    new Timer(true).schedule(late, 120_000);
    Connecting connecting =
        switch (arguments[0]) {
          case "pgjdbc" -> WithPgjdbc::new;
          case "hibernate" -> WithHibernate::new;
          case "mybatis" -> WithMyBatis::new;
          case "jooq" -> WithJooq::new;
          default -> throw new IllegalArgumentException(arguments[0]);
        };
    var address = new Address(arguments[1], arguments[2], arguments[3], arguments[4]);
    for (Feature feature : FEATURES) {
      System.out.println(feature.name() + "\t" + line(connecting, address, feature));
    }
  }
}
