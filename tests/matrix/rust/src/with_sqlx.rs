//! sqlx: typed rows, a builder of queries, a pool, and what it asks Postgres of a statement.

use serde_json::{Value, json};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, PgRow};
use sqlx::query::Query;
use sqlx::{
    Column, Connection as _, Error, Executor, FromRow, PgConnection, Postgres, QueryBuilder, Row,
    SqlSafeStr, Statement, TypeInfo, postgres::PgArguments,
};
use uuid::Uuid;

use super::plain::{self, Param, Session, people, person};
use super::{Address, EMPTY, Fault};

/// A pool of one connection.
struct Pooled(PgPool);

/// A row of `people`.
#[derive(Debug, FromRow)]
struct Person {
    id: Uuid,
    email: String,
    name: String,
    version: i32,
}

impl Session for Pooled {
    type Error = Error;

    async fn ask(&mut self, sql: &'static str, with: &[Param]) -> Result<Vec<Value>, Error> {
        let rows = bound(sqlx::query(sql), with).fetch_all(&self.0).await?;
        Ok(rows.iter().map(values).collect())
    }

    fn told(error: &Error) -> Value {
        let Some(of) = error.as_database_error() else {
            return json!(error.to_string());
        };
        json!([
            of.code(),
            of.constraint(),
            of.message(),
            format!("{:?}", of.kind())
        ])
    }
}

fn bound<'q>(
    query: Query<'q, Postgres, PgArguments>,
    with: &[Param],
) -> Query<'q, Postgres, PgArguments> {
    with.iter().fold(query, |query, param| match param.clone() {
        Param::Id(id) => query.bind(id),
        Param::Ids(ids) => query.bind(ids),
        Param::Text(text) => query.bind(text),
        Param::Number(number) => query.bind(number),
        Param::Document(document) => query.bind(document),
    })
}

/// The values of a row, read as the types that sqlx knows of its columns.
fn values(row: &PgRow) -> Value {
    let value = |(at, column): (usize, &sqlx::postgres::PgColumn)| match column.type_info().name() {
        "UUID" => json!(row.get::<Option<Uuid>, _>(at)),
        "UUID[]" => json!(row.get::<Option<Vec<Uuid>>, _>(at)),
        "INT4" => json!(row.get::<Option<i32>, _>(at)),
        "INT8" => json!(row.get::<Option<i64>, _>(at)),
        "BOOL" => json!(row.get::<Option<bool>, _>(at)),
        "JSON" | "JSONB" => json!(row.get::<Option<Value>, _>(at)),
        "TEXT" | "VARCHAR" | "NAME" => json!(row.get::<Option<String>, _>(at)),
        other => json!(other),
    };
    row.columns().iter().enumerate().map(value).collect()
}

/// Runs a feature on a pool of its own.
pub(crate) async fn feature(name: &str, address: &Address) -> Result<Value, Fault> {
    run(name, address).await.map_err(|error| {
        let code = error
            .as_database_error()
            .and_then(|of| of.code().map(|code| code.into_owned()));
        Fault {
            state: code.unwrap_or_else(|| "client".to_owned()),
            message: error.to_string(),
        }
    })
}

async fn run(name: &str, address: &Address) -> Result<Value, Error> {
    let options = PgConnectOptions::new_without_pgpass()
        .host(&address.host)
        .port(address.port);
    let options = options.username(&address.user).database(&address.database);
    let options = options.ssl_mode(sqlx::postgres::PgSslMode::Disable);
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .connect_with(options)
        .await?;
    pool.execute(EMPTY).await?;
    let mut pooled = Pooled(pool);
    let of = &mut pooled;
    let result = match name {
        "crud" => crud(of).await,
        "bulk" => bulk(of).await,
        "transaction" => transaction(of).await,
        "prepared" => prepared(of).await,
        "introspect" => introspect(of).await,
        _ => plain::feature(name, of).await.expect("a feature"),
    };
    pooled.0.close().await;
    result
}

async fn crud(of: &mut Pooled) -> Result<Value, Error> {
    let plainly = plain::crud(of).await?;
    let people: Vec<Person> = sqlx::query_as("select * from people order by email")
        .fetch_all(&of.0)
        .await?;
    let people = people
        .iter()
        .map(|of| json!([of.id, of.email, of.name, of.version]));
    let people: Vec<Value> = people.collect();
    let missing =
        sqlx::query_as::<_, Person>("select * from people where id = $1").bind(Uuid::nil());
    let missing = missing.fetch_optional(&of.0).await?.is_none();
    let counted: i64 = sqlx::query_scalar("select count(id) from people")
        .fetch_one(&of.0)
        .await?;
    Ok(json!([plainly, people, missing, counted]))
}

/// Rows by the builder of queries, by arrays, and by COPY.
async fn bulk(of: &mut Pooled) -> Result<Value, Error> {
    let [ann, bob] = people(of, ["ann", "bob"]).await?;
    let mut builder =
        QueryBuilder::<Postgres>::new("insert into posts (person_id, title, ordinal) ");
    let rows = [(ann, "one", 1), (bob, "two", 2), (ann, "three", 3)];
    builder.push_values(rows, |mut row, (person, title, ordinal)| {
        row.push_bind(person).push_bind(title).push_bind(ordinal);
    });
    builder.push(" returning id, person_id, title");
    let made = builder.build().fetch_all(&of.0).await?;
    let mut made: Vec<Value> = made.iter().map(values).collect();
    made.sort_by_key(|row| row[2].to_string());
    let unnest = "insert into posts (person_id, title, ordinal)
        select * from unnest($1::uuid[], $2::text[], $3::int4[])";
    let unnested = sqlx::query(unnest)
        .bind(vec![ann, bob])
        .bind(vec!["four", "five"])
        .bind(vec![4, 5]);
    let unnested = unnested.execute(&of.0).await?.rows_affected();
    let mut connection = of.0.acquire().await?;
    let copy = "copy posts (person_id, title, ordinal) from stdin";
    let mut sink = connection.copy_in_raw(copy).await?;
    sink.send(format!("{bob}\tsix\t6\n").into_bytes()).await?;
    let copied = sink.finish().await?;
    drop(connection);
    let all = of
        .ask(
            "select id, person_id, title from posts order by ordinal",
            &[],
        )
        .await?;
    Ok(json!([made, unnested, copied, all]))
}

async fn transaction(of: &mut Pooled) -> Result<Value, Error> {
    let insert = "insert into people (email, name) values ($1, $1)";
    let mut first = of.0.begin().await?;
    sqlx::query(insert).bind("ann").execute(&mut *first).await?;
    first.commit().await?;
    let mut second = of.0.begin().await?;
    sqlx::query(insert)
        .bind("bob")
        .execute(&mut *second)
        .await?;
    // What is dropped is rolled back.
    drop(second);
    let mut third = of.0.begin().await?;
    sqlx::query(insert).bind("cid").execute(&mut *third).await?;
    let mut nested = third.begin().await?;
    sqlx::query(insert)
        .bind("dan")
        .execute(&mut *nested)
        .await?;
    nested.rollback().await?;
    third.commit().await?;
    Ok(json!(
        of.ask("select id, name from people order by name", &[])
            .await?
    ))
}

/// More statements than sqlx keeps prepared, and one many times.
async fn prepared(of: &mut Pooled) -> Result<Value, Error> {
    let mut rows = Vec::new();
    for number in 0..20 {
        let id = person(of, &format!("p{number}")).await?;
        rows.extend(
            of.ask("select id, email from people where id = $1", &[id.into()])
                .await?,
        );
    }
    let first = plain::ids(&rows)[0];
    let mut others = Vec::new();
    for number in 0..120 {
        let sql = format!("select id, {number} from people where id = $1");
        let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(first);
        others.push(values(&query.fetch_one(&of.0).await?));
    }
    let unprepared = sqlx::query("select id, name from people where id = $1")
        .persistent(false)
        .bind(first);
    let unprepared = values(&unprepared.fetch_one(&of.0).await?);
    let simple = sqlx::raw_sql("select id, name from people order by email")
        .fetch_all(&of.0)
        .await?;
    let simple: Vec<Value> = simple
        .iter()
        .map(|row| json!([row.try_get_unchecked::<Uuid, _>(0).ok(), row.len()]))
        .collect();
    Ok(json!([rows, others, unprepared, simple]))
}

/// What the macros of sqlx ask when a program is built.
async fn introspect(of: &mut Pooled) -> Result<Value, Error> {
    let mut connection = of.0.acquire().await?;
    let connection: &mut PgConnection = &mut connection;
    let mut described = Vec::new();
    for sql in [
        "select * from people where id = $1",
        "select p.id, o.id, o.body from people p left join posts o on o.person_id = p.id",
        "insert into posts (person_id, title) values ($1, $2) returning id",
        "select member_ids, array_agg(id) from groups where $1 = any(member_ids) group by 1",
    ] {
        let statement = connection.prepare(sql.into_sql_str()).await?;
        let columns = statement
            .columns()
            .iter()
            .map(|of| json!([of.name(), of.type_info().name()]));
        let columns: Vec<Value> = columns.collect();
        let parameters = format!(
            "{:?}",
            statement.parameters().map(|of| of.map_left(|types| types
                .iter()
                .map(|of| of.name().to_owned())
                .collect::<Vec<_>>()))
        );
        described.push(json!([columns, parameters]));
    }
    connection.ping().await?;
    let rows = sqlx::query(plain::COLUMNS).fetch_all(connection).await?;
    let columns: Vec<Value> = rows.iter().map(values).collect();
    Ok(json!([described, columns]))
}
