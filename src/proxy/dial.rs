//! Connecting to an address, or to whichever of several answers: a host name may stand for many,
//! and one that swallows packets must not take the time of the others.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::Path;
use std::time::Duration;

use tokio::net::{TcpStream, UnixStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

use super::limits;
use super::stream::Stream;
use crate::config::Address;

/// Connects to Postgres, within this time as a whole.
pub(super) async fn connect(address: &Address, within: Duration) -> io::Result<Stream> {
    let connecting = async {
        match (address, address.socket()) {
            (Address::Tcp { host, port }, _) => {
                let addresses = look_up(host, *port).await?;
                Ok(Stream::tcp(first_of(addresses).await?))
            }
            (Address::Unix { .. }, socket) => {
                Ok(Stream::Unix(local(&socket.unwrap_or_default()).await?))
            }
        }
    };
    match timeout(within, connecting).await {
        Ok(connected) => connected,
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

/// The first connection that comes about. Each address is tried when the one before it has failed,
/// or has not answered within the head start that it gets; it then goes on beside the others.
async fn first_of(addresses: impl IntoIterator<Item = SocketAddr>) -> io::Result<TcpStream> {
    let mut addresses = addresses.into_iter();
    let mut trying = JoinSet::new();
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    loop {
        let next = addresses.next();
        let is_last = next.is_none();
        if let Some(address) = next {
            trying.spawn(TcpStream::connect(address));
        }
        tokio::select! {
            ended = trying.join_next() => match ended {
                Some(Ok(Ok(stream))) => return Ok(stream),
                Some(Ok(Err(error))) => failure = error,
                Some(Err(panic)) => failure = io::Error::other(panic),
                None => return Err(failure),
            },
            () = sleep(limits::HEAD_START), if !is_last => {}
        }
    }
}

/// A Unix socket says "try again" at once while the queue of its listener is full, where TCP
/// waits.
async fn local(socket: &Path) -> io::Result<UnixStream> {
    loop {
        match UnixStream::connect(socket).await {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                sleep(limits::ACCEPT_PAUSE).await;
            }
            connected => return connected,
        }
    }
}

/// Gives the addresses that a host stands for. So few names are looked up at once that what takes its
/// time on threads beside those that serve clients finds one, however long nobody answers: a lookup
/// that has been given up goes on.
async fn look_up(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    static PLACES: Semaphore = Semaphore::const_new(limits::LOOKUPS);
    if let Ok(address) = host.parse() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    // It is never closed.
    let place = PLACES.acquire().await.ok();
    let host = host.to_owned();
    let work = move || {
        let _place = place;
        (host.as_str(), port)
            .to_socket_addrs()
            .map(Iterator::collect)
    };
    spawn_blocking(work).await.map_err(io::Error::other)?
}

#[cfg(test)]
mod tests {
    use socket2::{Domain, Socket, Type};
    use tokio::net::{TcpListener, UnixListener};

    use super::*;

    /// An address where packets vanish: the queue of its listener is full, and nobody accepts.
    struct BlackHole {
        address: SocketAddr,
        _listener: Socket,
        _queued: Vec<Socket>,
    }

    impl BlackHole {
        fn new() -> Self {
            let listener = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
            let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
            listener.bind(&any.into()).unwrap();
            listener.listen(0).unwrap();
            let address = listener.local_addr().unwrap();
            let queued = (0..4).map(|_| {
                let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
                socket.set_nonblocking(true).unwrap();
                let _ = socket.connect(&address);
                socket
            });
            Self {
                address: address.as_socket().unwrap(),
                _queued: queued.collect(),
                _listener: listener,
            }
        }
    }

    #[tokio::test]
    async fn an_address_that_swallows_packets_leaves_time_to_the_others() {
        let holes = [BlackHole::new(), BlackHole::new()];
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let works = listener.local_addr().unwrap();
        let first = timeout(2 * limits::HEAD_START, TcpStream::connect(holes[0].address));
        assert!(first.await.is_err(), "it answers");
        let addresses = [holes[0].address, holes[1].address, works];
        let connected = timeout(limits::CONNECT_TIMEOUT, first_of(addresses)).await;
        assert_eq!(connected.unwrap().unwrap().peer_addr().unwrap(), works);
    }

    #[tokio::test]
    async fn an_address_that_refuses_costs_no_time_and_its_reason_is_told() {
        let gone = || std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let gone = [gone(), gone()].map(|listener| listener.local_addr().unwrap());
        let error = first_of(gone).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let works = listener.local_addr().unwrap();
        let connected = first_of([gone[0], gone[1], works]).await.unwrap();
        assert_eq!(connected.peer_addr().unwrap(), works);
        let nothing = first_of([]).await.unwrap_err();
        assert_eq!(nothing.kind(), io::ErrorKind::NotFound);
    }

    #[tokio::test]
    async fn a_unix_socket_whose_queue_is_full_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let socket = Socket::new(Domain::UNIX, Type::STREAM, None).unwrap();
        socket
            .bind(&socket2::SockAddr::unix(&path).unwrap())
            .unwrap();
        socket.listen(0).unwrap();
        let first = UnixStream::connect(&path).await.unwrap();
        assert!(
            UnixStream::connect(&path).await.is_err(),
            "the queue is not full"
        );
        let connecting = tokio::spawn(async move { local(&path).await.is_ok() });
        socket.set_nonblocking(true).unwrap();
        let listener = UnixListener::from_std(socket.into()).unwrap();
        for _ in 0..2 {
            listener.accept().await.unwrap();
        }
        assert!(connecting.await.unwrap());
        drop(first);
    }
}
