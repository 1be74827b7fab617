//! The proxy inside another program: a throwaway Postgres, a proxy before it, and one query from
//! both sides. `cargo run --example embedded`

use std::path::Path;

use pgveil::postgres::{Options, Postgres};
use pgveil::{Config, Environment, Secret, Server};
use tokio_postgres::{NoTls, SimpleQueryMessage};

const SQL: &str = "CREATE TABLE users (id bigint PRIMARY KEY, name text);
    INSERT INTO users VALUES (1, 'Ada'), (2, 'Blaise')";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let postgres = Postgres::start(&Options::from_env())?;
    let inside = postgres.url("postgres");
    let (client, connection) = tokio_postgres::connect(&inside, NoTls).await?;
    tokio::spawn(connection);
    client.batch_execute(SQL).await?;

    let key = Secret::generate_hex()?;
    let text = format!(
        "[server]\nlisten = [\"127.0.0.1:0\"]\n[upstream]\naddress = \"{}:{}\"\n\
         [keys]\ncurrent = \"first\"\n[keys.ring.first]\nenv = \"KEY\"\n\
         [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n",
        postgres.host(),
        postgres.port()
    );
    let around = Environment {
        folder: Path::new("."),
        env: &|_| Some(key.to_string()),
    };
    let config = Config::parse(&text, &around).map_err(|faults| format!("{faults:?}"))?;
    let server = Server::bind(config).await?;
    let address = server.local_addr().ok_or("no TCP address")?;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async move {
        let _ = stopped.await;
    }));

    let outside = format!("postgres://postgres@{address}/postgres");
    for (side, url) in [("inside", &inside), ("outside", &outside)] {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        tokio::spawn(connection);
        for message in client
            .simple_query("SELECT id, name FROM users ORDER BY id")
            .await?
        {
            if let SimpleQueryMessage::Row(row) = message {
                let (id, name) = (row.get(0).unwrap_or(""), row.get(1).unwrap_or(""));
                tell(&format!("{side:<8} {id:<36}  {name}"))?;
            }
        }
    }
    drop(stop);
    running.await?;
    Ok(())
}

fn tell(line: &str) -> std::io::Result<()> {
    use std::io::Write;
    writeln!(std::io::stdout(), "{line}")
}
