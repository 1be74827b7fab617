//! A client that sends one batch of bytes and reads to the end of the answer, whatever its size.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;

/// A statement that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap();
    [&[kind][..], &length.to_be_bytes(), body].concat()
}

pub(crate) fn query(text: &str) -> Vec<u8> {
    message(b'Q', format!("{text}\0").as_bytes())
}

/// A statement from Parse to Sync with parameters in text.
pub(crate) fn extended(text: &str, values: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let mut bind = b"\0\0\0\0".to_vec();
    bind.extend(u16::try_from(values.len()).unwrap().to_be_bytes());
    for value in values {
        let value = value.as_ref();
        bind.extend(u32::try_from(value.len()).unwrap().to_be_bytes());
        bind.extend(value);
    }
    bind.extend([0, 0]);
    [
        message(b'P', format!("\0{text}\0\0\0").as_bytes()),
        message(b'D', b"S\0"),
        message(b'B', &bind),
        message(b'E', b"\0\0\0\0\0"),
        message(b'S', b""),
    ]
    .concat()
}

/// What came of a batch.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) time: Duration,
    /// The SQLSTATE of the first error, `lost` for a connection that ended, `over` for no answer.
    pub(crate) code: Option<String>,
}

/// A session.
pub(crate) struct Sender {
    read: BufReader<OwnedReadHalf>,
    write: tokio::net::tcp::OwnedWriteHalf,
}

impl Sender {
    pub(crate) async fn connect(port: u16, user: &str, database: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (read, write) = stream.into_split();
        let mut sender = Self {
            read: BufReader::with_capacity(256 * 1024, read),
            write,
        };
        let body = format!("\0\x03\0\0user\0{user}\0database\0{database}\0\0");
        let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
        let startup = [&length[..], body.as_bytes()].concat();
        let outcome = sender.run(&startup).await;
        assert_eq!(outcome.code, None, "no session");
        sender
    }

    /// Sends, and reads at the same time up to ReadyForQuery.
    pub(crate) async fn run(&mut self, batch: &[u8]) -> Outcome {
        let started = Instant::now();
        let Self { read, write } = self;
        let writing = async {
            let _ = write.write_all(batch).await;
        };
        let both = async { tokio::join!(until_ready(read), writing).0 };
        let code = match tokio::time::timeout(PATIENCE, both).await {
            Ok(Ok(code)) => code,
            Ok(Err(_)) => Some("lost".to_owned()),
            Err(_) => Some("over".to_owned()),
        };
        let time = started.elapsed();
        Outcome { time, code }
    }
}

/// The SQLSTATE of the first error before ReadyForQuery.
async fn until_ready(read: &mut BufReader<OwnedReadHalf>) -> std::io::Result<Option<String>> {
    let mut first = None;
    loop {
        let kind = read.read_u8().await?;
        let length = u64::from(read.read_u32().await?).saturating_sub(4);
        let mut body = read.take(length);
        if kind == b'E' {
            let mut error = Vec::new();
            body.read_to_end(&mut error).await?;
            let mut fields = error.split(|byte| *byte == 0);
            let code = fields.find_map(|field| field.strip_prefix(b"C"));
            let code = String::from_utf8_lossy(code.unwrap_or(b"?")).into_owned();
            first = first.or(Some(code));
        } else {
            tokio::io::copy_buf(&mut BufReader::new(body), &mut tokio::io::sink()).await?;
        }
        if kind == b'Z' {
            return Ok(first);
        }
    }
}
