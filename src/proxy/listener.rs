//! Sockets that clients connect to.

use std::fs::Permissions;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use listenfd::ListenFd;
use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixListener, UnixStream, lookup_host};

use super::limits;
use super::stream::Stream;
use crate::config::{Address, Listen};

/// A socket that clients connect to.
#[derive(Debug)]
pub(super) enum Listener {
    Tcp(TcpListener),
    Unix {
        listener: UnixListener,
        /// None if another process has made it.
        file: Option<SocketFile>,
    },
}

/// Removes the file of a Unix socket when the listener goes.
#[derive(Debug)]
pub(crate) struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Listener {
    /// Listens where clients connect: at an address, for which a host name may stand for several, or
    /// at the sockets that the process was started with. A Unix socket gets these permissions: by
    /// itself it would be for the user of this process alone.
    pub(super) async fn bind(
        listen: &Listen,
        socket_mode: u32,
        reuse_port: bool,
    ) -> io::Result<Vec<Self>> {
        let address = match listen {
            Listen::At(address) => address,
            Listen::Inherited => return inherited(),
        };
        match address {
            Address::Tcp { host, port } => {
                let listeners = bind_tcp(host, *port, reuse_port).await?;
                Ok(listeners.into_iter().map(Self::Tcp).collect())
            }
            Address::Unix { .. } => {
                let path = address.socket().unwrap_or_default();
                let (listener, file) = bind_unix(&path, socket_mode)?;
                let file = Some(file);
                Ok(vec![Self::Unix { listener, file }])
            }
        }
    }

    /// The next client, and its address for the log.
    pub(super) async fn accept(&self) -> io::Result<(Stream, String)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                Ok((Stream::tcp(stream), peer.to_string()))
            }
            Self::Unix { listener, .. } => {
                let (stream, _) = listener.accept().await?;
                Ok((Stream::Unix(stream), "unix".to_owned()))
            }
        }
    }

    /// Stops listening. Gives those who have connected by then and whom nobody has taken, whose
    /// connections the system would reset, and not those who come while they are taken.
    pub(super) fn close(self) -> io::Result<Vec<(Stream, String)>> {
        match self {
            Self::Tcp(listener) => {
                let listener = listener.into_std()?;
                all(|| {
                    let (stream, peer) = listener.accept()?;
                    stream.set_nonblocking(true)?;
                    let stream = TcpStream::from_std(stream)?;
                    Ok((Stream::tcp(stream), peer.to_string()))
                })
            }
            Self::Unix { listener, file } => {
                // Nobody else finds the way to it.
                drop(file);
                let listener = listener.into_std()?;
                all(|| {
                    let (stream, _) = listener.accept()?;
                    stream.set_nonblocking(true)?;
                    let stream = UnixStream::from_std(stream)?;
                    Ok((Stream::Unix(stream), "unix".to_owned()))
                })
            }
        }
    }

    /// The address of a TCP socket.
    pub(super) fn tcp_address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok(),
            Self::Unix { .. } => None,
        }
    }
}

/// All that `accept` gives until nobody waits, at most what a queue holds.
fn all<T>(mut accept: impl FnMut() -> io::Result<T>) -> io::Result<Vec<T>> {
    let mut waiting = Vec::new();
    for _ in 0..limits::BACKLOG {
        match accept() {
            Ok(accepted) => waiting.push(accepted),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    Ok(waiting)
}

/// The sockets that the process was started with, as systemd passes them (`LISTEN_FDS`).
fn inherited() -> io::Result<Vec<Listener>> {
    let mut given = ListenFd::from_env();
    let mut listeners = Vec::new();
    for index in 0..given.len() {
        if let Ok(Some(listener)) = given.take_tcp_listener(index) {
            listener.set_nonblocking(true)?;
            listeners.push(Listener::Tcp(TcpListener::from_std(listener)?));
        } else if let Ok(Some(listener)) = given.take_unix_listener(index) {
            listener.set_nonblocking(true)?;
            let (listener, file) = (UnixListener::from_std(listener)?, None);
            listeners.push(Listener::Unix { listener, file });
        }
    }
    if listeners.is_empty() {
        let cause = "the process was started with no socket for it (LISTEN_FDS)";
        return Err(io::Error::new(io::ErrorKind::NotFound, cause));
    }
    Ok(listeners)
}

/// Listens at a path, with these permissions.
pub(crate) fn bind_unix(path: &Path, mode: u32) -> io::Result<(UnixListener, SocketFile)> {
    // A socket that nobody listens at any more is in the way of a new one. Whatever else is there
    // refuses a connection as well, and stays.
    let is_socket = std::fs::symlink_metadata(path).is_ok_and(|of| of.file_type().is_socket());
    if is_socket
        && std::os::unix::net::UnixStream::connect(path)
            .is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
    {
        std::fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    let file = SocketFile(path.to_owned());
    std::fs::set_permissions(path, Permissions::from_mode(mode))?;
    Ok((listener, file))
}

/// Listens at every address that a host stands for, beside others if the port may be shared.
pub(crate) async fn bind_tcp(
    host: &str,
    port: u16,
    reuse_port: bool,
) -> io::Result<Vec<TcpListener>> {
    let mut listeners = Vec::new();
    for address in lookup_host((host, port)).await? {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        socket.set_reuseaddr(true)?;
        socket.set_reuseport(reuse_port)?;
        socket.bind(address)?;
        listeners.push(socket.listen(limits::BACKLOG)?);
    }
    Ok(listeners)
}
