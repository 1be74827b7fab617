//! The kinds of keys and ids: for each codec and form a database whose keys have the type that
//! the codec takes, and a twin whose ids have the type that clients see. Both worlds number the
//! rows of a domain from 1; how a number becomes a key or a twin's id is written in SQL, so that
//! defaults of columns make them too.

use super::canary::Canary;
use super::client::{Address, Client};

/// What the ids of a kind are to a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Uuid,
    Text,
    Int2,
    Int4,
    Int8,
    Bytea,
}

/// The keys of a kind. All contain a pattern that nothing else does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keys {
    Int2,
    Int4,
    Int8,
    /// UUIDv7.
    Uuid,
    /// Sixteen bytes that care for no version, as time-prefixed keys do.
    RawUuid,
    Bytea,
    /// 26 digits of Crockford's base32.
    Ulid,
    /// 22 digits of base64url.
    Compact,
    /// The session ids of 40 characters, in a column of that width.
    Session,
    /// Sessions of forty hexadecimal digits.
    HexSession,
}

/// A kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) keys: Keys,
    pub(crate) shown: Shown,
    /// What the configuration says of a domain; `DOMAIN` is its name.
    pub(crate) settings: &'static str,
    /// A twin's id in SQL, from the number `n` of a row.
    twin: &'static str,
}

/// Ascending ids of the twins.
const UUID: &str = "('7000' || lpad(to_hex(n), 8, '0') || substr(md5('t' || n), 1, 20))::uuid";
const HEX: &str = "lpad(to_hex(n), 12, '0') || substr(md5('t' || n), 1, 20)";
const DIGITS22: &str = "lpad(n::text, 21, '0') || 'A'";
const PREFIXED: &str = "'DOMAIN_' || lpad(n::text, 21, '0') || 'A'";
const TYPEID: &str = "'DOMAIN_' || lpad(n::text, 26, '0')";
const DIGITS26: &str = "lpad(n::text, 26, '0')";
const SESSION: &str = "lpad(to_hex(n), 8, '0') || '01' || repeat('b', 27) || 'aV1'";
const HEX40: &str = "lpad(to_hex(n), 40, '0')";
const BYTES: &str = "decode(lpad(to_hex(n), 64, '0'), 'hex')";
const DIGITS43: &str = "lpad(n::text, 42, '0') || 'A'";
const INT8: &str = "7000000000 + n";
const INT4: &str = "70000000 + n";
const INT2: &str = "30000 + n % 1000 + n / 20000 * 300";

const fn kind(
    name: &'static str,
    keys: Keys,
    shown: Shown,
    settings: &'static str,
    twin: &'static str,
) -> Kind {
    Kind {
        name,
        keys,
        shown,
        settings,
        twin,
    }
}

/// Every codec and every form.
pub(crate) const KINDS: &[Kind] = &[
    kind("feistel int8", Keys::Int8, Shown::Uuid, "", UUID),
    kind(
        "feistel int4",
        Keys::Int4,
        Shown::Uuid,
        "codec = 'feistel'",
        UUID,
    ),
    kind(
        "feistel int2",
        Keys::Int2,
        Shown::Uuid,
        "codec = 'feistel'\nversion = 4",
        UUID,
    ),
    kind(
        "feistel siphash24",
        Keys::Int8,
        Shown::Uuid,
        "codec = 'feistel'\nprf = 'siphash24'",
        UUID,
    ),
    kind(
        "feistel blake3",
        Keys::Int8,
        Shown::Uuid,
        "codec = 'feistel'\nprf = 'blake3'",
        UUID,
    ),
    kind(
        "feistel typeid",
        Keys::Int8,
        Shown::Text,
        "codec = 'feistel'\nform = 'typeid'\nprefix = 'DOMAIN'",
        TYPEID,
    ),
    kind(
        "aes-int uuid",
        Keys::Int8,
        Shown::Uuid,
        "codec = 'aes-int'",
        UUID,
    ),
    kind("aes-int hex", Keys::Int8, Shown::Text, "form = 'hex'", HEX),
    kind(
        "aes-int compact",
        Keys::Int4,
        Shown::Text,
        "form = 'compact'",
        DIGITS22,
    ),
    kind(
        "aes-int base62",
        Keys::Int8,
        Shown::Text,
        "form = 'base62'\nprefix = 'DOMAIN_'",
        PREFIXED,
    ),
    kind(
        "aes-int ulid",
        Keys::Int8,
        Shown::Text,
        "form = 'ulid'",
        DIGITS26,
    ),
    kind(
        "aes-int typeid",
        Keys::Int8,
        Shown::Text,
        "form = 'typeid'\nprefix = 'DOMAIN'",
        TYPEID,
    ),
    kind("uuid", Keys::Uuid, Shown::Uuid, "", UUID),
    kind(
        "uuid of two versions",
        Keys::Uuid,
        Shown::Uuid,
        "codec = 'uuid'\nversions = { 7 = 8, 4 = 4 }",
        UUID,
    ),
    kind(
        "uuid with epochs",
        Keys::Uuid,
        Shown::Uuid,
        "codec = 'uuid'\nepochs = true",
        UUID,
    ),
    kind(
        "uuid typeid",
        Keys::Uuid,
        Shown::Text,
        "form = 'typeid'\nprefix = 'DOMAIN'",
        TYPEID,
    ),
    kind(
        "feistel2",
        Keys::Uuid,
        Shown::Uuid,
        "codec = 'feistel2'",
        UUID,
    ),
    kind(
        "feistel2 split at 48",
        Keys::Uuid,
        Shown::Uuid,
        "codec = 'feistel2'\nsplit = 48",
        UUID,
    ),
    kind("aes", Keys::RawUuid, Shown::Uuid, "codec = 'aes'", UUID),
    kind(
        "aes reverse",
        Keys::RawUuid,
        Shown::Uuid,
        "codec = 'aes'\nreverse = true",
        UUID,
    ),
    kind(
        "aes compact",
        Keys::RawUuid,
        Shown::Text,
        "codec = 'aes'\nform = 'compact'",
        DIGITS22,
    ),
    kind(
        "cycle_walk",
        Keys::RawUuid,
        Shown::Uuid,
        "codec = 'cycle_walk'",
        UUID,
    ),
    kind(
        "ulid as ulid",
        Keys::Ulid,
        Shown::Text,
        "codec = 'aes'\nkey_form = 'ulid'\nform = 'ulid'",
        DIGITS26,
    ),
    kind(
        "ulid as uuid",
        Keys::Ulid,
        Shown::Uuid,
        "codec = 'aes'\nkey_form = 'ulid'",
        UUID,
    ),
    kind(
        "base64url as base62",
        Keys::Compact,
        Shown::Text,
        "codec = 'aes'\nkey_form = 'compact'\nform = 'base62'",
        DIGITS22,
    ),
    kind(
        "session40",
        Keys::Session,
        Shown::Text,
        "codec = 'session40'",
        SESSION,
    ),
    kind(
        "hex40",
        Keys::HexSession,
        Shown::Text,
        "codec = 'session40'",
        HEX40,
    ),
    kind(
        "fastprp int2",
        Keys::Int2,
        Shown::Int2,
        "codec = 'fastprp'\nform = 'native'\nlow = 0\nsize = 32768",
        INT2,
    ),
    kind(
        "fastprp int4 in tables",
        Keys::Int4,
        Shown::Int4,
        "codec = 'fastprp'\nform = 'native'\nlow = 1860500000\nsize = 1048576",
        INT4,
    ),
    kind(
        "fastprp int4 with counters",
        Keys::Int4,
        Shown::Int4,
        "codec = 'fastprp'\nform = 'native'\nlow = 1860000000\nsize = 3000000\nstride = 4096",
        INT4,
    ),
    kind(
        "ff1 of 31 bits",
        Keys::Int4,
        Shown::Int4,
        "codec = 'ff1'\nform = 'native'\nbits = 31",
        INT4,
    ),
    kind(
        "ff1 of 32 bits",
        Keys::Int4,
        Shown::Int4,
        "codec = 'ff1'\nform = 'native'\nbits = 32",
        INT4,
    ),
    kind(
        "ff1 of 53 bits",
        Keys::Int8,
        Shown::Int8,
        "codec = 'ff1'\nform = 'native'\nbits = 53",
        INT8,
    ),
    kind(
        "ff1 of 63 bits",
        Keys::Int8,
        Shown::Int8,
        "codec = 'ff1'\nform = 'native'\nbits = 63",
        INT8,
    ),
    kind(
        "ff1 of 64 bits",
        Keys::Int8,
        Shown::Int8,
        "codec = 'ff1'\nform = 'native'\nbits = 64",
        INT8,
    ),
    kind(
        "wide",
        Keys::Bytea,
        Shown::Bytea,
        "codec = 'wide'\nform = 'native'",
        BYTES,
    ),
    kind(
        "wide as text",
        Keys::Bytea,
        Shown::Text,
        "codec = 'wide'\nform = 'compact43'",
        DIGITS43,
    ),
];

impl Keys {
    fn sql_type(self) -> &'static str {
        match self {
            Self::Int2 => "smallint",
            Self::Int4 => "integer",
            Self::Int8 => "bigint",
            Self::Uuid | Self::RawUuid => "uuid",
            Self::Bytea => "bytea",
            Self::Ulid => "varchar(26)",
            Self::Compact => "text",
            Self::Session | Self::HexSession => "char(40)",
        }
    }

    /// A key in SQL, from the number `n` of a row.
    fn sql(self) -> &'static str {
        match self {
            Self::Int2 => "31000 + n % 1000 + n / 20000 * 300",
            Self::Int4 => "1861000000 + n",
            Self::Int8 => "8613972450000000 + n",
            Self::Uuid => {
                "('0192facade' || lpad(to_hex(n % 256), 2, '0') || '7' || lpad(to_hex(n), 3, '0') || 'a' || substr(md5('k' || n), 1, 15))::uuid"
            }
            Self::RawUuid => {
                "('0192facade' || lpad(to_hex(n), 10, '0') || substr(md5('k' || n), 1, 12))::uuid"
            }
            Self::Bytea => "decode('0192facade' || lpad(to_hex(n), 54, '0'), 'hex')",
            Self::Ulid => "'01FACADE' || lpad(n::text, 18, '0')",
            Self::Compact => "'facade_' || lpad(n::text, 14, '0') || 'A'",
            Self::Session => {
                "lpad(to_hex(n), 8, '0') || '01' || 'facade' || repeat('k', 21) || 'aV1'"
            }
            Self::HexSession => "'0facade0' || lpad(to_hex(n), 32, '0')",
        }
    }

    /// What all keys have in common, as bytes of the protocol. Small integers have nothing that
    /// could be told from chance.
    fn traces(self) -> Vec<(&'static str, Vec<u8>)> {
        match self {
            Self::Int2 => Vec::new(),
            Self::Int4 => vec![
                ("decimal text", b"18610000".to_vec()),
                ("decimal text", b"18610200".to_vec()),
            ],
            Self::Int8 => Vec::new(),
            Self::Uuid | Self::RawUuid | Self::Bytea => vec![
                ("hexadecimal text", b"facade".to_vec()),
                ("text of a uuid", b"0192faca-de".to_vec()),
                ("bytes", vec![0x01, 0x92, 0xfa, 0xca, 0xde]),
            ],
            Self::Ulid => vec![("text", b"FACADE".to_vec())],
            Self::Compact | Self::Session | Self::HexSession => {
                vec![("text", b"facade".to_vec())]
            }
        }
    }
}

impl Shown {
    pub(crate) fn sql_type(self) -> &'static str {
        match self {
            Self::Uuid => "uuid",
            Self::Text => "text",
            Self::Int2 => "smallint",
            Self::Int4 => "integer",
            Self::Int8 => "bigint",
            Self::Bytea => "bytea",
        }
    }

    /// The name in the protocol's list of types.
    fn type_name(self) -> &'static str {
        match self {
            Self::Int2 => "int2",
            Self::Int4 => "int4",
            Self::Int8 => "int8",
            Self::Uuid | Self::Text | Self::Bytea => self.sql_type(),
        }
    }

    fn own_cases(self) -> &'static str {
        match self {
            Self::Uuid => include_str!("basic/uuid.sql"),
            Self::Text => include_str!("basic/text.sql"),
            Self::Int2 | Self::Int4 | Self::Int8 => include_str!("basic/integer.sql"),
            Self::Bytea => include_str!("basic/bytea.sql"),
        }
    }
}

impl Kind {
    /// The type of the columns of one of the two worlds.
    pub(crate) fn sql_type(&self, inside: bool) -> &'static str {
        if inside {
            self.keys.sql_type()
        } else {
            self.shown.sql_type()
        }
    }

    /// What the number `n` of a row becomes in the column of a domain.
    pub(crate) fn sql(&self, inside: bool, domain: &str) -> String {
        let expression = if inside { self.keys.sql() } else { self.twin };
        let prefix = domain.trim_end_matches('s');
        format!("({})", expression.replace("DOMAIN", prefix))
    }

    /// What the first rows of a domain are called in a world, as text; asked of a server.
    pub(crate) fn ids(
        &self,
        at: &Address,
        superuser: &str,
        inside: bool,
        domain: (usize, &str),
    ) -> Result<Vec<String>, String> {
        let (index, name) = domain;
        let mut client = Client::connect(at, superuser, "postgres")?;
        let rows = client.rows(&format!(
            "select {}::{} from (select {index} * 20000 + i as n from generate_series(1, {ROWS}) i) t",
            self.sql(inside, name),
            self.sql_type(inside),
        ))?;
        Ok(rows.into_iter().map(|row| row.concat()).collect())
    }

    /// The cases for this kind: the basic ones and those for its type of ids.
    pub(crate) fn cases(&self) -> Vec<super::case::Case> {
        let mut cases = self.read(include_str!("basic/cases.sql"));
        cases.extend(self.read(self.shown.own_cases()));
        if self.has_documents() {
            cases.extend(self.read(include_str!("basic/documents.sql")));
        }
        if matches!(self.shown, Shown::Int2 | Shown::Int4 | Shown::Int8) {
            cases.extend(self.read(include_str!("basic/documents_numbers.sql")));
        }
        if self.keys == Keys::Bytea {
            // Postgres shows the first 64 characters of a value, which are no key.
            cases.retain(|case| case.name != "a failing row is shown with its ids");
        }
        if self.issues_all_uuids() {
            cases.retain(|case| {
                !case
                    .name
                    .starts_with("a value that nobody issued bounds no range")
            });
        }
        if self.shown == Shown::Uuid && self.keys == Keys::Ulid {
            // No text is behind all others.
            cases.retain(|case| case.name != "what is behind all ids bounds a range");
            cases.extend(self.read(include_str!("basic/uuid_of_text.sql")));
        }
        if matches!(self.keys, Keys::Ulid | Keys::Session | Keys::HexSession) {
            // A cast of varchar or char to text is a step of its own: the column has no origin.
            cases.retain(|case| case.name != "an id is text already");
        }
        cases
    }

    /// Whether each uuid is the id of some key: the codec can't tell which were issued.
    fn issues_all_uuids(&self) -> bool {
        let names = ["aes", "aes reverse", "cycle_walk", "ulid as uuid"];
        self.shown == Shown::Uuid && names.contains(&self.name)
    }

    fn read(&self, cases: &str) -> Vec<super::case::Case> {
        let mut text = String::new();
        for line in cases.lines() {
            let shown = if line.starts_with("-- types") {
                self.shown.type_name()
            } else {
                self.shown.sql_type()
            };
            let line = line.replace("{shown}", shown);
            text.push_str(&match self.shown {
                Shown::Bytea => quoted_in_arrays(&line),
                _ => line,
            });
            text.push('\n');
        }
        super::case::parse(&text).expect("the basic cases can be read")
    }

    /// The whole configuration, with placeholders for the addresses.
    pub(crate) fn config(&self) -> String {
        let mut text = include_str!("pgveil.toml").to_owned();
        text.truncate(text.find("[[id]]").expect("the configuration has domains"));
        if self.settings.contains("epochs") {
            text.push_str("epoch = 5\n");
        }
        for (name, column, references) in [
            (
                "owner",
                "public.owners.id",
                "[\"public.things.watcher_ids\"]",
            ),
            ("thing", "public.things.id", "[]"),
        ] {
            text.push_str(&format!(
                "[[id]]\nname = \"{name}\"\ncolumn = \"{column}\"\nreferences = {references}\n{}\n",
                self.settings.replace("DOMAIN", name)
            ));
            if name == "owner" && self.has_documents() {
                text.push_str(DOCUMENTS);
            }
        }
        text
    }

    /// Whether ids can stand inside documents.
    pub(crate) fn has_documents(&self) -> bool {
        self.keys != Keys::Bytea && self.shown != Shown::Bytea
    }

    pub(crate) fn canary(&self) -> Canary {
        match self.keys {
            Keys::Int8 => Canary::new(),
            keys => Canary::of(keys.traces()),
        }
    }

    /// Whether a word of text is an id of a twin or of pgveil.
    pub(crate) fn is_id(&self, word: &str) -> bool {
        let is = |length: usize, digit: fn(&u8) -> bool| {
            word.len() == length && word.bytes().all(|byte| digit(&byte))
        };
        let prefixed = ["owner_", "thing_"].iter().any(|prefix| {
            word.strip_prefix(prefix).is_some_and(|rest| {
                matches!(rest.len(), 22 | 26) && rest.bytes().all(|b| b.is_ascii_alphanumeric())
            })
        });
        let base64url = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
        match self.shown {
            Shown::Uuid => super::renaming::is_uuid(word.as_bytes()),
            Shown::Text => {
                prefixed
                    || is(32, u8::is_ascii_hexdigit)
                    || is(26, u8::is_ascii_alphanumeric)
                    || is(40, u8::is_ascii_alphanumeric)
                    || (word
                        .bytes()
                        .any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
                        && (is(22, base64url) || is(43, base64url)))
            }
            Shown::Int2 => word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_digit()),
            Shown::Int4 | Shown::Int8 => {
                let digits = word.strip_prefix('-').unwrap_or(word);
                digits.len() > 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
            }
            Shown::Bytea => word
                .strip_prefix("\\x")
                .is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_hexdigit())),
        }
    }
}

/// Where ids of owners stand in documents.
pub(crate) const DOCUMENTS: &str = r#"
[[id.json]]
column = "public.notes.doc"
path = "$.w"
[[id.json]]
column = "public.notes.doc"
path = "$.s"
as = "string"
[[id.json]]
column = "public.notes.doc"
path = "$.to[*]"
[[id.json]]
column = "public.notes.raw"
path = "$.w"
[[id.json]]
column = "public.notes.said"
path = "$.w"
"#;

/// More rows than a seed names.
const ROWS: usize = 40;

/// Array literals whose elements begin with a backslash need them quoted.
fn quoted_in_arrays(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(open) = rest.find("{:").or_else(|| rest.find("{NULL,:")) {
        let close = rest[open..].find('}').map_or(rest.len(), |at| open + at);
        text.push_str(&rest[..=open]);
        let items = rest[open + 1..close].split(',');
        let items = items.map(|item| match item.strip_prefix(':') {
            Some(_) => format!("\"\\{item}\""),
            None => item.to_owned(),
        });
        text.push_str(&items.collect::<Vec<_>>().join(","));
        rest = &rest[close..];
    }
    text.push_str(rest);
    text
}
