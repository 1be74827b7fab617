//! tokio-postgres, whose statements are prepared, described and read in binary.

use std::pin::pin;

use futures_util::{SinkExt, TryStreamExt};
use serde_json::{Value, json};
use tokio_postgres::binary_copy::{BinaryCopyInWriter, BinaryCopyOutStream};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Error, NoTls, Row, SimpleQueryMessage, Statement};
use uuid::Uuid;

use super::plain::{self, Param, Session, people, person};
use super::{Address, EMPTY, Fault};

/// A connection, and the statements that have been prepared on it.
struct Connection {
    client: Client,
    prepared: Vec<(&'static str, Statement)>,
}

impl Session for Connection {
    type Error = Error;

    async fn ask(&mut self, sql: &'static str, with: &[Param]) -> Result<Vec<Value>, Error> {
        let known = self.prepared.iter().find(|(known, _)| *known == sql);
        let statement = match known {
            Some((_, statement)) => statement.clone(),
            None => {
                let statement = self.client.prepare(sql).await?;
                self.prepared.push((sql, statement.clone()));
                statement
            }
        };
        let with: Vec<&(dyn ToSql + Sync)> = with.iter().map(parameter).collect();
        let rows = self.client.query(&statement, &with).await?;
        Ok(rows.iter().map(values).collect())
    }

    fn told(error: &Error) -> Value {
        let Some(of) = error.as_db_error() else {
            return json!(error.to_string());
        };
        json!([of.code().code(), of.constraint(), of.message(), of.detail()])
    }
}

fn parameter(param: &Param) -> &(dyn ToSql + Sync) {
    match param {
        Param::Id(id) => id,
        Param::Ids(ids) => ids,
        Param::Text(text) => text,
        Param::Number(number) => number,
        Param::Document(document) => document,
    }
}

/// The values of a row, read as the types that the statement has been described with.
fn values(row: &Row) -> Value {
    let types = row.columns().iter().map(|column| column.type_().clone());
    let value = |(at, of): (usize, Type)| match of {
        Type::UUID => json!(row.get::<_, Option<Uuid>>(at)),
        Type::UUID_ARRAY => json!(row.get::<_, Option<Vec<Uuid>>>(at)),
        Type::INT4 => json!(row.get::<_, Option<i32>>(at)),
        Type::INT8 => json!(row.get::<_, Option<i64>>(at)),
        Type::BOOL => json!(row.get::<_, Option<bool>>(at)),
        Type::JSON | Type::JSONB => json!(row.get::<_, Option<Value>>(at)),
        Type::TEXT | Type::VARCHAR | Type::NAME => json!(row.get::<_, Option<String>>(at)),
        other => json!(other.name()),
    };
    types.enumerate().map(value).collect()
}

/// Runs a feature on a connection of its own.
pub(crate) async fn feature(name: &str, address: &Address) -> Result<Value, Fault> {
    run(name, address).await.map_err(|error| Fault {
        state: error
            .code()
            .map_or_else(|| "client".to_owned(), |code| code.code().to_owned()),
        message: error.to_string(),
    })
}

async fn run(name: &str, address: &Address) -> Result<Value, Error> {
    let mut config = Config::new();
    config.host(&address.host).port(address.port);
    config.user(&address.user).dbname(&address.database);
    let (client, driver) = config.connect(NoTls).await?;
    let driver = tokio::spawn(driver);
    client.batch_execute(EMPTY).await?;
    let mut connection = Connection {
        client,
        prepared: Vec::new(),
    };
    let of = &mut connection;
    let result = match name {
        "bulk" => bulk(of).await,
        "transaction" => transaction(of).await,
        "prepared" => prepared(of).await,
        "introspect" => introspect(of).await,
        _ => plain::feature(name, of).await.expect("a feature"),
    };
    drop(connection);
    let _ = driver.await;
    result
}

/// COPY in text and in binary, both ways, and many statements at once.
async fn bulk(of: &mut Connection) -> Result<Value, Error> {
    let [ann, bob] = people(of, ["ann", "bob"]).await?;
    let client = &of.client;
    let into = "copy posts (person_id, title, ordinal) from stdin";
    let mut sink = pin!(client.copy_in::<_, bytes::Bytes>(into).await?);
    let text = format!("{ann}\tone\t1\n{bob}\ttwo\t2\n");
    sink.send(text.into()).await?;
    let copied = sink.finish().await?;
    let types = [Type::UUID, Type::TEXT, Type::INT4];
    let binary = "copy posts (person_id, title, ordinal) from stdin (format binary)";
    let mut writer = pin!(BinaryCopyInWriter::new(
        client.copy_in(binary).await?,
        &types
    ));
    writer.as_mut().write(&[&ann, &"three", &3]).await?;
    let written = writer.finish().await?;
    let out =
        "copy (select id, person_id, title from posts order by ordinal) to stdout (format binary)";
    let types = [Type::UUID, Type::UUID, Type::TEXT];
    let stream = pin!(BinaryCopyOutStream::new(
        client.copy_out(out).await?,
        &types
    ));
    let rows: Vec<_> = stream.try_collect().await?;
    let read = rows
        .iter()
        .map(|row| json!([row.get::<Uuid>(0), row.get::<Uuid>(1), row.get::<String>(2)]));
    let read: Vec<Value> = read.collect();
    let by_id = client
        .prepare("select title from posts where id = $1")
        .await?;
    let ids = plain::ids(&read);
    let by_id = &by_id;
    let titles = ids
        .iter()
        .map(|id| async move { client.query_one(by_id, &[id]).await });
    let titles = futures_util::future::join_all(titles).await;
    let titles = titles
        .into_iter()
        .map(|row| row.map(|row| row.get::<_, String>(0)));
    let titles = titles.collect::<Result<Vec<_>, _>>()?;
    Ok(json!([copied, written, read, titles]))
}

async fn transaction(of: &mut Connection) -> Result<Value, Error> {
    let insert = "insert into people (email, name) values ($1, $1) returning id";
    let transaction = of.client.transaction().await?;
    transaction.query_one(insert, &[&"ann"]).await?;
    transaction.commit().await?;
    let transaction = of.client.transaction().await?;
    transaction.query_one(insert, &[&"bob"]).await?;
    transaction.rollback().await?;
    let mut transaction = of.client.transaction().await?;
    transaction.query_one(insert, &[&"cid"]).await?;
    let savepoint = transaction.savepoint("before").await?;
    savepoint.query_one(insert, &[&"dan"]).await?;
    savepoint.rollback().await?;
    let portal = transaction
        .bind("select id, name from people order by name", &[])
        .await?;
    let mut portions = Vec::new();
    for _ in 0..2 {
        let rows = transaction.query_portal(&portal, 1).await?;
        portions.push(rows.iter().map(values).collect::<Vec<_>>());
    }
    transaction.commit().await?;
    let rows = of
        .ask("select id, name from people order by name", &[])
        .await?;
    Ok(json!([portions, rows]))
}

/// One statement many times, with the types that it is described with, and the simple protocol.
async fn prepared(of: &mut Connection) -> Result<Value, Error> {
    let mut rows = Vec::new();
    for number in 0..20 {
        let id = person(of, &format!("p{number}")).await?;
        rows.extend(
            of.ask("select id, email from people where id = $1", &[id.into()])
                .await?,
        );
    }
    let statement = of
        .client
        .prepare("select id, array[id] from people where id = any($1)")
        .await?;
    let names = |types: &[Type]| {
        types
            .iter()
            .map(|of| of.name().to_owned())
            .collect::<Vec<_>>()
    };
    let columns: Vec<Type> = statement
        .columns()
        .iter()
        .map(|of| of.type_().clone())
        .collect();
    let types = [names(statement.params()), names(&columns)];
    let simple = of
        .client
        .simple_query("select id, name from people order by email")
        .await?;
    let simple = simple.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(json!([row.get(0), row.get(1)])),
        _ => None,
    });
    let simple: Vec<Value> = simple.collect();
    Ok(json!([rows, types, simple]))
}

async fn introspect(of: &mut Connection) -> Result<Value, Error> {
    let mut described = Vec::new();
    for sql in [
        "select * from people",
        "select id, member_ids from groups",
        "select row(id, name) from tags",
    ] {
        let statement = of.client.prepare(sql).await?;
        let columns = statement
            .columns()
            .iter()
            .map(|of| json!([of.name(), of.type_().name(), of.type_modifier()]));
        described.push(columns.collect::<Vec<_>>());
    }
    Ok(json!([described, of.ask(plain::COLUMNS, &[]).await?]))
}
