import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Runs each block of a file as one text of JDBC, which the driver cuts and sends in one batch. */
class Batches {
  static final String NOBODY = "7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4";

  static void show(ResultSet rows) throws SQLException {
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      StringBuilder line = new StringBuilder();
      for (int column = 1; column <= columns; column++) {
        line.append('|').append(rows.getString(column));
      }
      System.out.println(line);
    }
  }

  static void run(Connection connection, String block) throws SQLException {
    System.out.println("-- " + block.lines().findFirst().orElse(""));
    try (Statement statement = connection.createStatement()) {
      boolean rows = statement.execute(block.replace("\n", ";\n"));
      while (rows || statement.getUpdateCount() != -1) {
        if (rows) {
          show(statement.getResultSet());
        } else {
          System.out.println(statement.getUpdateCount());
        }
        rows = statement.getMoreResults();
      }
    } catch (SQLException error) {
      System.out.println("error " + error.getSQLState());
    }
  }

  public static void main(String[] arguments) throws Exception {
    String[] blocks = Files.readString(Path.of(arguments[1])).strip().split("\n\n");
    for (String mode : new String[] {"extended", "simple", "extendedForPrepared"}) {
      String url = arguments[0] + "&prepareThreshold=1&preferQueryMode=" + mode;
      try (Connection connection = DriverManager.getConnection(url)) {
        String ann;
        try (Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery("select id from users where name = 'Ann'")) {
          rows.next();
          ann = rows.getString(1);
        }
        for (String block : blocks) {
          run(connection, block.replace(":ann", "'" + ann + "'").replace(":nobody", "'" + NOBODY + "'"));
        }
      }
    }
  }
}
