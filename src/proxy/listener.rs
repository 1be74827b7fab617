//! Sockets that clients connect to.

use std::fs::Permissions;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tokio::net::{TcpListener, TcpSocket, UnixListener, lookup_host};

use super::limits;
use super::stream::Stream;
use crate::config::Address;

/// A socket that clients connect to.
#[derive(Debug)]
pub(super) enum Listener {
    Tcp(TcpListener),
    Unix {
        listener: UnixListener,
        _file: SocketFile,
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
    /// Listens at an address; a host name may stand for several. A Unix socket gets these
    /// permissions: by itself it would be for the user of this process alone.
    pub(super) async fn bind(address: &Address, socket_mode: u32) -> io::Result<Vec<Self>> {
        if let Some(path) = address.socket() {
            let (listener, _file) = bind_unix(&path, socket_mode)?;
            return Ok(vec![Self::Unix { listener, _file }]);
        }
        let Address::Tcp { host, port } = address else {
            return Ok(Vec::new());
        };
        let listeners = bind_tcp(host, *port).await?;
        Ok(listeners.into_iter().map(Self::Tcp).collect())
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

    /// The address of a TCP socket.
    pub(super) fn tcp_address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok(),
            Self::Unix { .. } => None,
        }
    }
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

/// Listens at every address that a host stands for.
pub(crate) async fn bind_tcp(host: &str, port: u16) -> io::Result<Vec<TcpListener>> {
    let mut listeners = Vec::new();
    for address in lookup_host((host, port)).await? {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        listeners.push(socket.listen(limits::BACKLOG)?);
    }
    Ok(listeners)
}
