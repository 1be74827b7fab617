//! HTTP as bytes, so that a test can send what no client would.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

/// A status and what comes with it.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

/// A request with these fields beside `Host`.
pub(super) fn request(method: &str, path: &str, fields: &[&str], body: &str) -> String {
    let mut text = format!(
        "{method} {path} HTTP/1.1\r\nContent-Length: {}\r\n",
        body.len()
    );
    for field in fields {
        text.push_str(field);
        text.push_str("\r\n");
    }
    if !fields.iter().any(|field| field.starts_with("Host:")) {
        text.push_str("Host: localhost\r\n");
    }
    text + "\r\n" + body
}

/// What a port of this machine answers.
pub(super) fn send(port: u16, request: &str) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    answer(&text)
}

/// What a Unix socket answers.
pub(super) fn send_to(socket: &Path, request: &str) -> Answer {
    let mut stream = UnixStream::connect(socket).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    answer(&text)
}

pub(super) fn get(port: u16, path: &str) -> Answer {
    send(port, &request("GET", path, &[], ""))
}

fn answer(text: &str) -> Answer {
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap();
    Answer {
        status: status.parse().unwrap(),
        head: head.to_lowercase(),
        body: body.to_owned(),
    }
}
