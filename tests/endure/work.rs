//! Everyday work by id, in every way that drivers do it; each answer is checked.

use std::error::Error as StdError;

use bytes::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Error, SimpleQueryMessage, Statement};

/// A uuid as drivers send it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Id([u8; 16]);

impl Id {
    pub(crate) fn text(self) -> String {
        uuid::Uuid::from_bytes(self.0).to_string()
    }
}

impl<'a> FromSql<'a> for Id {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        Ok(Self(raw.try_into()?))
    }

    fn accepts(of: &Type) -> bool {
        *of == Type::UUID
    }
}

impl ToSql for Id {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        out.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }

    fn accepts(of: &Type) -> bool {
        *of == Type::UUID
    }

    to_sql_checked!();
}

/// The ids of all users.
pub(crate) async fn ids(client: &Client) -> Vec<Id> {
    let rows = client
        .query("SELECT id FROM users ORDER BY id", &[])
        .await
        .unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// A session at work.
pub(crate) struct Worker {
    client: Client,
    id: Id,
    read: Statement,
    write: Statement,
    /// Counts the turns, so that texts differ.
    turn: usize,
}

impl Worker {
    pub(crate) async fn begin(client: Client, id: Id) -> Result<Self, Error> {
        let read = "SELECT u.id, o.id, o.user_id, o.total FROM users u
            JOIN orders o ON o.user_id = u.id WHERE u.id = $1 ORDER BY o.id LIMIT 3";
        let write = "UPDATE users SET email = $2 WHERE id = $1 RETURNING id";
        Ok(Self {
            read: client.prepare(read).await?,
            write: client.prepare(write).await?,
            client,
            id,
            turn: 0,
        })
    }

    /// Whether the session is over.
    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// The next of some kinds of work, in turn.
    pub(crate) async fn go(&mut self) -> Result<(), Error> {
        self.turn += 1;
        let id = self.id;
        match self.turn % 6 {
            0 => {
                let rows = self.client.query(&self.read, &[&id]).await?;
                assert!(!rows.is_empty(), "orders are missing");
                assert!(rows.iter().all(|row| row.get::<_, Id>(2) == id));
            }
            1 => {
                let email = format!("turn {}", self.turn);
                let row = self.client.query_one(&self.write, &[&id, &email]).await?;
                assert_eq!(row.get::<_, Id>(0), id);
            }
            2 => self.simple().await?,
            3 => {
                let text = format!(
                    "SELECT id AS a{} FROM buyers WHERE id = $1",
                    self.turn % 500
                );
                let row = self.client.query_one(&text, &[&id]).await?;
                assert_eq!(row.get::<_, Id>(0), id);
            }
            4 => {
                let text = "SELECT count(*) FROM visits WHERE user_id = $1";
                let row = self.client.query_one(text, &[&id]).await?;
                assert_eq!(row.get::<_, i64>(0), 1);
            }
            _ => self.transaction().await?,
        }
        Ok(())
    }

    /// A text with an id in it, and others in other places.
    async fn simple(&mut self) -> Result<(), Error> {
        let text = format!(
            "SELECT id, 'turn {}' FROM users WHERE id IN ('{}', '{}')",
            self.turn,
            self.id.text(),
            uuid::Uuid::nil()
        );
        let messages = self.client.simple_query(&text).await?;
        let row = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        assert_eq!(row, Some(self.id.text().as_str()));
        Ok(())
    }

    /// An order that comes and goes.
    async fn transaction(&mut self) -> Result<(), Error> {
        let id = self.id;
        let work = self.client.transaction().await?;
        let insert = "INSERT INTO orders (user_id, total) VALUES ($1, 7) RETURNING id, user_id";
        let row = work.query_one(insert, &[&id]).await?;
        let (order, user): (Id, Id) = (row.get(0), row.get(1));
        assert_eq!(user, id);
        let gone = work
            .execute("DELETE FROM orders WHERE id = $1", &[&order])
            .await?;
        assert_eq!(gone, 1);
        work.commit().await
    }
}
