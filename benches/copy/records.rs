//! The records in two files of COPY, the one with keys, the other with the ids of the same keys.

use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _};
use std::path::Path;

use pgveil::codec::{DomainName, IdCodec, IntegerType, KeyRing, OpaqueId, Secret, Version};

use super::process::KEY;

/// The signature, flags and length of the extension.
const BINARY_HEADER_BYTES: usize = 19;

/// The fields of a record.
type Record = Vec<Vec<u8>>;

/// Reads one record after the other; the files are larger than the memory may be.
struct Records {
    file: BufReader<File>,
    format: &'static str,
}

impl Records {
    fn open(path: &Path, format: &str) -> Self {
        let mut file = BufReader::with_capacity(1 << 20, File::open(path).expect("a file"));
        let format = match format {
            "binary" => {
                let mut header = [0; BINARY_HEADER_BYTES];
                file.read_exact(&mut header).expect("a header");
                "binary"
            }
            "csv" => ",",
            _ => "\t",
        };
        Self { file, format }
    }

    fn next(&mut self) -> Option<Record> {
        if self.format == "binary" {
            return self.next_binary();
        }
        let mut line = Vec::new();
        self.file.read_until(b'\n', &mut line).expect("a line");
        let line = line.strip_suffix(b"\n")?;
        let delimiter = self.format.as_bytes();
        let fields = line.split(|byte| [*byte] == *delimiter);
        Some(fields.map(<[u8]>::to_vec).collect())
    }

    fn next_binary(&mut self) -> Option<Record> {
        let mut count = [0; 2];
        match self.file.read_exact(&mut count) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return None,
            read => read.expect("a record"),
        }
        let count = usize::try_from(i16::from_be_bytes(count)).ok()?;
        let field = |_| {
            let mut length = [0; 4];
            self.file.read_exact(&mut length).expect("a length");
            let length = usize::try_from(i32::from_be_bytes(length)).expect("no NULL");
            let mut field = vec![0; length];
            self.file.read_exact(&mut field).expect("a field");
            field
        };
        Some((0..count).map(field).collect())
    }
}

/// Checks that two files hold the same records once ids have become keys.
pub(crate) fn assert_same(keys: &Path, ids: &Path, format: &str, rows: u64) {
    let ring = || KeyRing::new(Secret::parse(KEY).expect("a key"));
    let codec = |domain: &str| {
        let domain: DomainName = domain.parse().expect("a name");
        IdCodec::feistel(&ring(), &domain, Version::V8)
    };
    let codecs = [codec("item"), codec("user")];
    let (mut inside, mut outside) = (Records::open(keys, format), Records::open(ids, format));
    for row in 0..rows {
        let (expected, mut shown) = match (inside.next(), outside.next()) {
            (Some(expected), Some(shown)) => (expected, shown),
            _ => panic!("row {row} is missing"),
        };
        for (field, codec) in shown.iter_mut().zip(&codecs) {
            let id = match <[u8; 16]>::try_from(&field[..]) {
                Ok(bytes) if format == "binary" => OpaqueId::from_bytes(bytes),
                _ => OpaqueId::parse(field).expect("an id"),
            };
            let key = codec
                .decode(id, IntegerType::Int8)
                .expect("an id that was issued")
                .get();
            *field = match format {
                "binary" => key.to_be_bytes().to_vec(),
                _ => key.to_string().into_bytes(),
            };
        }
        assert_eq!(shown, expected, "row {row} is another one");
    }
    assert!(
        inside.next().is_none() && outside.next().is_none(),
        "there are more rows"
    );
}
