//! Those who must not notice: sessions with short questions, logins, and a listener.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::sender::query;

/// The kinds of bystanders, as the table calls them.
pub(crate) const NAMES: [&str; 4] = ["select 1", "an id", "login", "notify"];

/// What a bystander has seen.
#[derive(Debug, Default)]
struct Seen {
    worst_us: AtomicU64,
    count: AtomicU64,
}

/// All bystanders of a proxy, each a thread of its own.
pub(crate) struct Bystanders {
    seen: [Arc<Seen>; NAMES.len()],
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

/// A session that blocks.
struct Session(TcpStream);

impl Session {
    fn connect(port: u16, user: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut session = Self(stream);
        let body = format!("\0\x03\0\0user\0{user}\0database\0postgres\0\0");
        let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
        session.0.write_all(&length).unwrap();
        session.0.write_all(body.as_bytes()).unwrap();
        session.until(b'Z');
        session
    }

    /// Reads messages up to one of a kind.
    fn until(&mut self, last: u8) {
        loop {
            let mut header = [0; 5];
            self.0
                .read_exact(&mut header)
                .expect("a session that lives");
            let [kind, a, b, c, d] = header;
            let length = u32::from_be_bytes([a, b, c, d]) as usize - 4;
            let mut body = vec![0; length];
            self.0.read_exact(&mut body).expect("a session that lives");
            assert_ne!(kind, b'E', "{}", String::from_utf8_lossy(&body));
            if kind == last {
                return;
            }
        }
    }

    fn ask(&mut self, text: &str) {
        self.0.write_all(&query(text)).unwrap();
        self.until(b'Z');
    }
}

impl Bystanders {
    /// Lets them begin at the proxy; the notifications come from the server itself.
    pub(crate) fn start(proxy: u16, server: u16, user: &'static str) -> Self {
        let mut all = Self {
            seen: std::array::from_fn(|_| Arc::default()),
            over: Arc::default(),
            threads: Vec::new(),
        };
        let mut one = Session::connect(proxy, user);
        all.spawn(0, 2, move || one.ask("SELECT 1"));
        let mut one = Session::connect(proxy, user);
        all.spawn(1, 5, move || one.ask("SELECT id FROM users LIMIT 1"));
        all.spawn(2, 40, move || drop(Session::connect(proxy, user)));
        let mut listener = Session::connect(proxy, user);
        listener.ask("LISTEN bystander");
        let mut herald = Session::connect(server, user);
        all.spawn(3, 10, move || {
            herald.ask("NOTIFY bystander");
            listener.until(b'A');
        });
        all
    }

    fn spawn(&mut self, which: usize, pause_ms: u64, mut act: impl FnMut() + Send + 'static) {
        let (seen, over) = (Arc::clone(&self.seen[which]), Arc::clone(&self.over));
        self.threads.push(std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                let started = Instant::now();
                act();
                let time = u64::try_from(started.elapsed().as_micros()).unwrap();
                seen.worst_us.fetch_max(time, Ordering::Relaxed);
                seen.count.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(pause_ms));
            }
        }));
    }

    /// Waits until each has got an answer to what it has asked from now on.
    fn settle(&self) {
        for (seen, name) in self.seen.iter().zip(NAMES) {
            let started = Instant::now();
            let before = seen.count.load(Ordering::Relaxed);
            while seen.count.load(Ordering::Relaxed) < before + 2 {
                assert!(
                    started.elapsed() < Duration::from_secs(120),
                    "no answer for `{name}`"
                );
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Begins a window.
    pub(crate) fn begin(&self) {
        self.settle();
        for seen in &self.seen {
            seen.worst_us.store(0, Ordering::Relaxed);
        }
    }

    /// Ends the window: the longest that each has waited, in milliseconds.
    pub(crate) fn end(&self) -> [f64; NAMES.len()] {
        self.settle();
        let worst = |seen: &Arc<Seen>| seen.worst_us.load(Ordering::Relaxed) as f64 / 1000.0;
        std::array::from_fn(|which| worst(&self.seen[which]))
    }
}

impl Drop for Bystanders {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
