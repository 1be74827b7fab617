//! The tour: a few statements through the proxy, with what Postgres itself says beside them. It
//! checks what it shows, so that a tour that succeeds is a test.

use std::io::Write;

use tokio_postgres::error::DbError;
use tokio_postgres::{Client, SimpleQueryRow};

use super::table::{side_by_side, table};
use crate::cli::CliError;
use crate::cli::database::rows;

/// Where the tour goes.
struct Tour<'a> {
    /// A connection to Postgres itself.
    inside: &'a Client,
    /// A connection through the proxy.
    outside: &'a Client,
    out: &'a mut dyn Write,
}

/// Shows both sides.
pub(super) async fn tour(
    inside: &Client,
    outside: &Client,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let mut tour = Tour {
        inside,
        outside,
        out,
    };
    let ada = tour.same_rows().await?;
    tour.lookup(&ada).await?;
    let order = tour.insert(&ada).await?;
    tour.error_of_postgres(&order).await?;
    tour.unknown_id().await?;
    tour.refusals().await
}

impl Tour<'_> {
    fn title(&mut self, number: usize, text: &str) -> Result<(), CliError> {
        Ok(writeln!(self.out, "\n{number}. {text}\n")?)
    }

    /// Runs a statement on both sides and prints both results. Gives those of the outside.
    async fn both(&mut self, sql: &str) -> Result<Vec<SimpleQueryRow>, CliError> {
        writeln!(self.out, "    {sql}\n")?;
        let inside = table(&rows(self.inside, sql).await?);
        let outside = rows(self.outside, sql).await?;
        let text = side_by_side(("inside", inside), ("outside", table(&outside)));
        write!(self.out, "{text}")?;
        Ok(outside)
    }

    /// Runs a statement through the proxy and prints the result.
    async fn outside(&mut self, sql: &str) -> Result<Vec<SimpleQueryRow>, CliError> {
        writeln!(self.out, "    {sql}\n")?;
        let outside = rows(self.outside, sql).await?;
        for line in table(&outside) {
            writeln!(self.out, "    {}", line.trim_end())?;
        }
        Ok(outside)
    }

    /// Runs a statement through the proxy that must fail, and prints the error as psql does.
    async fn error(&mut self, sql: &str) -> Result<DbError, CliError> {
        writeln!(self.out, "    {sql}\n")?;
        let error = match self.outside.simple_query(sql).await {
            Ok(_) => return Err(CliError::Tour("a statement passed that must fail")),
            Err(error) => error,
        };
        let Some(report) = error.as_db_error().cloned() else {
            return Err(error.into());
        };
        let code = report.code().code();
        writeln!(
            self.out,
            "    {}: {code}: {}",
            report.severity(),
            report.message()
        )?;
        for (label, text) in [("DETAIL", report.detail()), ("HINT", report.hint())] {
            if let Some(text) = text {
                writeln!(self.out, "    {label}: {text}")?;
            }
        }
        Ok(report)
    }

    async fn same_rows(&mut self) -> Result<String, CliError> {
        self.title(
            1,
            "The same rows from both sides: keys inside, UUIDs outside.",
        )?;
        let users = self.both("SELECT id, name FROM users ORDER BY id").await?;
        writeln!(self.out)?;
        let orders = "SELECT id, user_id, total FROM orders ORDER BY id";
        let orders = self.both(orders).await?;
        let ada = id(&users)?;
        // The foreign key is in the domain of the users, so Ada's order shows Ada's id.
        check(
            orders.first().and_then(|row| row.get(1)) == Some(&*ada),
            "a foreign key",
        )?;
        Ok(ada)
    }

    async fn lookup(&mut self, ada: &str) -> Result<(), CliError> {
        self.title(
            2,
            "An application looks up and joins by the ids that it knows.",
        )?;
        let sql = format!(
            "SELECT u.name, p.name AS product, i.quantity FROM users u\n      \
             JOIN orders o ON o.user_id = u.id JOIN order_items i ON i.order_id = o.id\n      \
             JOIN products p ON p.id = i.product_id\n     WHERE u.id = '{ada}' ORDER BY o.id, p.id"
        );
        let found = self.outside(&sql).await?;
        check(found.len() == 3, "a lookup by id")
    }

    async fn insert(&mut self, ada: &str) -> Result<String, CliError> {
        self.title(3, "It stores them too; what Postgres keeps is the key.")?;
        let sql =
            format!("INSERT INTO orders (user_id, total) VALUES ('{ada}', 6.50) RETURNING id");
        let order = id(&self.outside(&sql).await?)?;
        writeln!(self.out)?;
        let last = "SELECT id, user_id, total FROM orders ORDER BY id DESC LIMIT 1";
        let stored = self.both(last).await?;
        check(id(&stored)? == order, "an insert")?;
        Ok(order)
    }

    async fn error_of_postgres(&mut self, order: &str) -> Result<(), CliError> {
        self.title(
            4,
            "Where Postgres quotes a key in an error, the client sees the id.",
        )?;
        let sql = format!(
            "INSERT INTO orders (id, user_id, total) SELECT id, user_id, 0 FROM orders WHERE id = '{order}'"
        );
        let error = self.error(&sql).await?;
        let detail = error.detail().unwrap_or_default();
        check(
            error.code().code() == "23505" && detail.contains(order),
            "an error with an id",
        )
    }

    async fn unknown_id(&mut self) -> Result<(), CliError> {
        self.title(
            5,
            "An id that was never issued finds nothing; a key is no id.",
        )?;
        let sql = "SELECT name FROM users WHERE id = '0191f0a0-7a3e-8d3c-9b1e-5f0c2b7d4e6a'";
        let found = self.outside(sql).await?;
        check(found.is_empty(), "an id that was never issued")?;
        writeln!(self.out)?;
        let error = self.error("SELECT name FROM users WHERE id = '1'").await?;
        check(
            error.code().code() == "22P02",
            "a key in the place of an id",
        )
    }

    async fn refusals(&mut self) -> Result<(), CliError> {
        self.title(
            6,
            "What would carry a key past the proxy is refused, with the reason.",
        )?;
        self.error("SELECT md5(id::text) FROM users").await?;
        writeln!(self.out)?;
        self.error("SELECT id + 1 FROM users").await?;
        Ok(())
    }
}

/// The first value of the first row.
fn id(rows: &[SimpleQueryRow]) -> Result<String, CliError> {
    let id = rows.first().and_then(|row| row.get(0)).map(str::to_owned);
    let id = id.filter(|id| id.parse::<crate::codec::OpaqueId>().is_ok());
    id.ok_or(CliError::Tour("an id is no UUID"))
}

fn check(holds: bool, what: &'static str) -> Result<(), CliError> {
    if holds {
        Ok(())
    } else {
        Err(CliError::Tour(what))
    }
}
