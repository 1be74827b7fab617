//! Clients that transfer money between accounts, and remember what they were promised.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::BytesMut;
use tokio::time::{sleep, timeout};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, NoTls, Statement};

use crate::random::Random;

/// A uuid as drivers send it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Id(pub(crate) [u8; 16]);

impl<'a> FromSql<'a> for Id {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(raw.try_into()?))
    }

    fn accepts(of: &Type) -> bool {
        *of == Type::UUID
    }
}

impl ToSql for Id {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }

    fn accepts(of: &Type) -> bool {
        *of == Type::UUID
    }

    to_sql_checked!();
}

/// A transfer whose commit was acknowledged.
#[derive(Debug, Clone)]
pub(crate) struct Transfer {
    pub(crate) reference: String,
    pub(crate) from: i32,
    pub(crate) to: i32,
    pub(crate) amount: i64,
}

/// What the clients share.
#[derive(Debug, Default)]
pub(crate) struct Bank {
    /// The id of each account, by its number.
    pub(crate) ids: Vec<Id>,
    pub(crate) open: AtomicBool,
    pub(crate) acknowledged: Mutex<Vec<Transfer>>,
    pub(crate) wrong: Mutex<Vec<String>>,
    pub(crate) reads: AtomicUsize,
    pub(crate) failures: AtomicUsize,
    /// SQLSTATEs and how often they came.
    pub(crate) codes: Mutex<std::collections::BTreeMap<String, usize>>,
}

/// What clients prove themselves with.
pub(crate) const PASSWORD: &str = "of a teller";

struct Teller {
    client: Client,
    take: Statement,
    put: Statement,
    note: Statement,
    read: Statement,
}

impl Teller {
    async fn hire(address: SocketAddr) -> Result<Self, tokio_postgres::Error> {
        let mut options = tokio_postgres::Config::new();
        options.host("127.0.0.1").port(address.port());
        options.user("postgres").dbname("postgres");
        // Where nobody asks for it, it is not sent.
        options.password(PASSWORD);
        let (client, connection) = options.connect(NoTls).await?;
        tokio::spawn(connection);
        let take = "UPDATE accounts SET balance = balance - $1 WHERE id = $2 RETURNING id, number";
        let put = "UPDATE accounts SET balance = balance + $1 WHERE id = $2 RETURNING id, number";
        let note = "INSERT INTO ledger (reference, from_id, to_id, amount) \
                    VALUES ($1, $2, $3, $4) RETURNING from_id, to_id, reference";
        let read = "SELECT id, number FROM accounts WHERE id = $1";
        Ok(Self {
            take: client.prepare(take).await?,
            put: client.prepare(put).await?,
            note: client.prepare(note).await?,
            read: client.prepare(read).await?,
            client,
        })
    }

    async fn transfer(
        &mut self,
        bank: &Bank,
        transfer: &Transfer,
    ) -> Result<(), tokio_postgres::Error> {
        let id = |number: i32| bank.ids[usize::try_from(number).unwrap()];
        let (from, to) = (id(transfer.from), id(transfer.to));
        let amount = transfer.amount;
        let work = self.client.transaction().await?;
        // In the order of the numbers, so that transfers don't wait for each other in a circle.
        let mut steps = [(transfer.from, &self.take), (transfer.to, &self.put)];
        steps.sort_by_key(|(number, _)| *number);
        for (number, statement) in steps {
            let row = work.query_one(statement, &[&amount, &id(number)]).await?;
            bank.check(&row, number);
        }
        let parameters: [&(dyn ToSql + Sync); 4] = [&transfer.reference, &from, &to, &amount];
        let row = work.query_one(&self.note, &parameters).await?;
        let (a, b, reference): (Id, Id, String) = (row.get(0), row.get(1), row.get(2));
        if (a, b, &reference) != (from, to, &transfer.reference) {
            bank.complain(format!("{transfer:?} came back as {a:?} {b:?} {reference}"));
        }
        work.commit().await
    }

    async fn look(&self, bank: &Bank, number: i32) -> Result<(), tokio_postgres::Error> {
        let id = bank.ids[usize::try_from(number).unwrap()];
        let row = self.client.query_one(&self.read, &[&id]).await?;
        bank.check(&row, number);
        // The same in text and without preparation.
        let text = uuid::Uuid::from_bytes(id.0).to_string();
        let question = format!("SELECT id, number FROM accounts WHERE id = '{text}'");
        let rows = self.client.simple_query(&question).await?;
        let row = rows.iter().find_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => Some((row.get(0), row.get(1))),
            _ => None,
        });
        if row != Some((Some(text.as_str()), Some(number.to_string().as_str()))) {
            bank.complain(format!("{text} of {number} came back as {row:?}"));
        }
        Ok(())
    }
}

impl Bank {
    fn complain(&self, words: String) {
        self.wrong.lock().unwrap().push(words);
    }

    fn check(&self, row: &tokio_postgres::Row, number: i32) {
        let (id, found): (Id, i32) = (row.get(0), row.get(1));
        self.reads.fetch_add(1, Ordering::Relaxed);
        if (id, found) != (self.ids[usize::try_from(number).unwrap()], number) {
            self.complain(format!("{number} came back as {found}, {id:?}"));
        }
    }

    fn failed(&self, error: &tokio_postgres::Error) {
        self.failures.fetch_add(1, Ordering::Relaxed);
        let code = error.code().map_or("no answer", |code| code.code());
        *self
            .codes
            .lock()
            .unwrap()
            .entry(code.to_owned())
            .or_default() += 1;
        // No such row, or no such type: answers that no fault excuses.
        let blames = code.starts_with("42") || code.starts_with("22") || code.starts_with("23");
        let text = error.to_string();
        if blames || text.contains("number of rows") || text.contains("deserializ") {
            self.complain(format!("{error:?}"));
        }
    }
}

/// One client, until the bank closes.
pub(crate) async fn client(bank: Arc<Bank>, address: SocketAddr, name: usize, seed: u64) {
    let mut random = Random(seed ^ (name as u64) << 20);
    let patience = Duration::from_secs(15);
    let mut count = 0;
    while bank.open.load(Ordering::Relaxed) {
        let mut teller = match timeout(patience, Teller::hire(address)).await {
            Ok(Ok(teller)) => teller,
            failed => {
                if let Ok(Err(error)) = failed {
                    bank.failed(&error);
                }
                sleep(Duration::from_millis(50 + random.below(150) as u64)).await;
                continue;
            }
        };
        while bank.open.load(Ordering::Relaxed) {
            count += 1;
            let from = random.below(bank.ids.len());
            let to = (from + 1 + random.below(bank.ids.len() - 1)) % bank.ids.len();
            let transfer = Transfer {
                reference: format!("{seed:x}-{name}-{count}"),
                from: i32::try_from(from).unwrap(),
                to: i32::try_from(to).unwrap(),
                amount: 1 + random.below(100) as i64,
            };
            let work = async {
                teller.transfer(&bank, &transfer).await?;
                bank.acknowledged.lock().unwrap().push(transfer.clone());
                teller.look(&bank, transfer.to).await
            };
            match timeout(patience, work).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    bank.failed(&error);
                    if teller.client.is_closed() || error.code().is_none() {
                        break;
                    }
                }
                // A connection that hangs is left, as an application would.
                Err(_) => {
                    bank.complain("no answer in time".to_owned());
                    break;
                }
            }
            sleep(Duration::from_millis(random.below(40) as u64)).await;
        }
    }
}
