//! Sockets that clients connect to.

use std::fs::Permissions;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

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
pub(super) struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Listener {
    /// Listens at an address; a host name may stand for several. A Unix socket gets these
    /// permissions: by itself it would be for the user of this process alone.
    pub(super) async fn bind(address: &Address, socket_mode: u32) -> io::Result<Vec<Self>> {
        let Some(path) = address.socket() else {
            return Self::bind_tcp(address).await;
        };
        // A socket that nobody listens at any more is in the way of a new one.
        if std::os::unix::net::UnixStream::connect(&path)
            .is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
        {
            std::fs::remove_file(&path)?;
        }
        let listener = UnixListener::bind(&path)?;
        let _file = SocketFile(path.clone());
        std::fs::set_permissions(&path, Permissions::from_mode(socket_mode))?;
        Ok(vec![Self::Unix { listener, _file }])
    }

    async fn bind_tcp(address: &Address) -> io::Result<Vec<Self>> {
        let Address::Tcp { host, port } = address else {
            return Ok(Vec::new());
        };
        let mut listeners = Vec::new();
        for address in lookup_host((host.as_str(), *port)).await? {
            let socket = match address {
                SocketAddr::V4(_) => TcpSocket::new_v4()?,
                SocketAddr::V6(_) => TcpSocket::new_v6()?,
            };
            socket.set_reuseaddr(true)?;
            socket.bind(address)?;
            listeners.push(Self::Tcp(socket.listen(limits::BACKLOG)?));
        }
        Ok(listeners)
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
