//! What a client has sent is with Postgres before a cancellation that it has sent behind it: while a
//! text is being judged the server has nothing to cancel.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc;

use crate::own::{annotated_before, lay_out, parse, postgres_address, sync};
use crate::support::*;

/// The database of these sessions.
const NAME: &str = "cancelled";

/// A gate in front of Postgres. It lets sessions pass and stops cancellations: Postgres itself drops
/// one that comes while it still reads the text, which a busy machine makes likely.
struct Gate {
    address: SocketAddr,
    stopped: mpsc::UnboundedReceiver<Stopped>,
}

/// A cancellation at the gate.
struct Stopped {
    /// All that had been sent to Postgres when it came.
    sent: Vec<u8>,
    packet: Vec<u8>,
    client: TcpStream,
}

/// What goes from sessions to Postgres.
#[derive(Default)]
struct Upward {
    sessions: Vec<[TcpStream; 2]>,
    sent: Vec<u8>,
}

impl Gate {
    fn before(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            let upward = Arc::<Mutex<Upward>>::default();
            let passing = Arc::clone(&upward);
            std::thread::spawn(move || {
                loop {
                    passing.lock().unwrap().pass();
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            for client in listener.incoming() {
                upward
                    .lock()
                    .unwrap()
                    .arrive(client.unwrap(), target, &stop);
            }
        });
        Self { address, stopped }
    }
}

impl Upward {
    /// Takes a connection in: a session, or a cancellation, behind all that sessions have sent.
    fn arrive(
        &mut self,
        mut client: TcpStream,
        target: SocketAddr,
        stop: &mpsc::UnboundedSender<Stopped>,
    ) {
        let mut packet = vec![0; 8];
        client.read_exact(&mut packet).unwrap();
        if packet[4..] == (1234_u32 << 16 | 5678).to_be_bytes() {
            packet.resize(16, 0);
            client.read_exact(&mut packet[8..]).unwrap();
            self.pass();
            let sent = self.sent.clone();
            let _ = stop.send(Stopped {
                sent,
                packet,
                client,
            });
            return;
        }
        let mut server = TcpStream::connect(target).unwrap();
        server.write_all(&packet).unwrap();
        // Reading ends where nothing is there.
        client
            .set_read_timeout(Some(Duration::from_millis(1)))
            .unwrap();
        let (mut from, mut to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        std::thread::spawn(move || io::copy(&mut from, &mut to));
        self.sessions.push([client, server]);
    }

    /// Passes on what is there.
    fn pass(&mut self) {
        let mut buffer = [0; 65_536];
        for [client, server] in &mut self.sessions {
            while let Ok(count @ 1..) = client.read(&mut buffer) {
                let _ = server.write_all(&buffer[..count]);
                self.sent.extend(&buffer[..count]);
            }
        }
    }
}

impl Stopped {
    /// Passes it on, and waits until Postgres has taken it.
    fn pass(mut self, target: SocketAddr) {
        let mut server = TcpStream::connect(target).unwrap();
        server.write_all(&self.packet).unwrap();
        assert_eq!(server.read(&mut [0]).unwrap(), 0);
        self.client.flush().unwrap();
    }
}

#[tokio::test]
async fn a_cancellation_reaches_the_statement_that_was_sent_before() {
    lay_out(NAME).await;
    let target = postgres_address().await;
    let mut gate = Gate::before(target);
    let limits = "catalog_max_age_s = 60";
    let proxy = Proxy::with(annotated_before(&gate.address.to_string(), limits)).await;
    let mut raw = Raw::connect(proxy.address).await;
    let hello = startup(3 << 16, &["user", "postgres", "database", NAME]);
    raw.send(&hello).await;
    let cancel = cancellation(&raw.until_ready().await);
    for columns in [1, 100, 3_000] {
        // Each is another text, and the longer ones take their time.
        let long = vec!["email"; columns].join(" || ");
        for extended in [false, true] {
            let mark = format!("as column_{columns}_{extended}");
            let text = format!("select pg_sleep(60), (select {long} from users limit 1) {mark}");
            let messages = match extended {
                false => query(&text),
                true => [
                    parse("", &text),
                    message(b'B', &[0; 8]),
                    message(b'E', &[0; 5]),
                    sync(),
                ]
                .concat(),
            };
            let mut other = Raw::connect(proxy.address).await;
            raw.send(&messages).await;
            other.send(&cancel).await;
            let stopped = tokio::time::timeout(PATIENCE, gate.stopped.recv()).await;
            let stopped = stopped.expect("a cancellation in time").unwrap();
            let sent = String::from_utf8_lossy(&stopped.sent).into_owned();
            assert!(sent.contains(&mark), "{mark}");
            let asleep = tokio::time::timeout(PATIENCE, until_asleep()).await;
            asleep.expect("the statement runs");
            tokio::task::spawn_blocking(move || stopped.pass(target))
                .await
                .unwrap();
            other.until_closed().await;
            let code = raw.until_ready().await.error(b'C');
            assert_eq!(code.as_deref(), Some("57014"), "{mark}");
        }
    }
}

/// Waits until Postgres carries the statement out.
async fn until_asleep() {
    let watcher = direct().await;
    let sleeps = "select from pg_stat_activity where datname = $1 and wait_event = 'PgSleep'";
    while watcher.query(sleeps, &[&NAME]).await.unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
