//! A relay of TCP that hands bytes on in pieces of any size and cuts connections after a random
//! number of bytes. On the way to the clients it looks for internal keys.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::random::Random;

/// What all connections of a relay share.
#[derive(Debug, Default)]
pub(crate) struct Chaos {
    /// Whether connections are cut.
    pub(crate) cutting: AtomicBool,
    pub(crate) cuts: AtomicUsize,
    /// Bytes that went to the side that connected.
    pub(crate) bytes: AtomicUsize,
    /// How often a needle was among them.
    pub(crate) leaks: AtomicUsize,
    needles: Vec<Vec<u8>>,
}

/// Relays from a port of its own to `to`.
pub(crate) async fn relay(
    to: SocketAddr,
    needles: Vec<Vec<u8>>,
    seed: u64,
) -> (SocketAddr, Arc<Chaos>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let chaos = Arc::new(Chaos {
        needles,
        ..Chaos::default()
    });
    let shared = Arc::clone(&chaos);
    tokio::spawn(async move {
        let mut random = Random(seed);
        while let Ok((near, _)) = listener.accept().await {
            let random = Random(random.next());
            tokio::spawn(connection(near, to, Arc::clone(&shared), random));
        }
    });
    (address, chaos)
}

async fn connection(near: TcpStream, to: SocketAddr, chaos: Arc<Chaos>, mut random: Random) {
    let Ok(far) = TcpStream::connect(to).await else {
        return;
    };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    // A third dies in its startup or soon after it, a third later, a third not by the relay.
    let budget = match random.below(3) {
        0 => random.below(2_000),
        1 => random.below(60_000),
        _ => usize::MAX,
    };
    let resets = random.below(2) == 0;
    let left = AtomicUsize::new(budget);
    let (mut near, mut far) = (near, far);
    {
        let (near_read, near_write) = near.split();
        let (far_read, far_write) = far.split();
        let out = pump(near_read, far_write, &left, &chaos, false, random.clone());
        let back = pump(far_read, near_write, &left, &chaos, true, random);
        // One direction may end and the other go on; a cut ends both.
        let both = async { tokio::try_join!(out, back) };
        if both.await.is_err() && resets {
            let _ = socket2::SockRef::from(&near).set_linger(Some(Duration::ZERO));
            let _ = socket2::SockRef::from(&far).set_linger(Some(Duration::ZERO));
        }
    }
}

/// Copies until the end (`Ok`) or until the connection is cut or breaks (`Err`).
async fn pump(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    left: &AtomicUsize,
    chaos: &Chaos,
    watched: bool,
    mut random: Random,
) -> Result<(), ()> {
    let longest = chaos.needles.iter().map(Vec::len).max().unwrap_or(1);
    let mut seen = Vec::new();
    let mut buffer = vec![0; 1 + random.below(8 * 1024)];
    loop {
        let count = from.read(&mut buffer).await.map_err(drop)?;
        if count == 0 {
            let _ = to.shutdown().await;
            return Ok(());
        }
        let mut bytes = &buffer[..count];
        let before = left.load(Ordering::Relaxed);
        let cut = before <= count && chaos.cutting.load(Ordering::Relaxed);
        if cut {
            bytes = &bytes[..before];
        }
        left.store(before.saturating_sub(count), Ordering::Relaxed);
        if watched {
            chaos.bytes.fetch_add(bytes.len(), Ordering::Relaxed);
            seen.extend_from_slice(bytes);
            for needle in &chaos.needles {
                if memchr::memmem::find(&seen, needle).is_some() {
                    chaos.leaks.fetch_add(1, Ordering::Relaxed);
                }
            }
            seen.drain(..seen.len().saturating_sub(longest - 1));
        }
        to.write_all(bytes).await.map_err(drop)?;
        if cut {
            chaos.cuts.fetch_add(1, Ordering::Relaxed);
            return Err(());
        }
    }
}
