//! What can be wrong, by blame: ids are the client's fault, keys out of range are the data's,
//! secrets and names are the operator's. No message quotes the value that it is about.

use super::key::KeyType;

/// Why an id stands for no key: the client's fault. A client should not be told which of the
/// two it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The version or the variant of the UUID is not the one that this codec issues.
    #[error("the id is a UUID of a version that this domain does not issue")]
    Version,
    /// No secret of the ring gives a key that fits: the id was made up, changed, or belongs to
    /// another domain.
    #[error("the id was not issued for this domain")]
    NotIssued,
}

/// The text is not a spelling of a UUID that Postgres accepts: the client's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid input syntax for type uuid")]
pub struct SyntaxError;

/// Why a text is not a key of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not a decimal number.
    #[error("a key is a decimal number")]
    Syntax,
    /// A number outside the range of the column's type.
    #[error("the key is out of range for type {}", .0.name())]
    Domain(KeyType),
}

/// Why a text is not a secret: the operator's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// Neither 64 hexadecimal digits nor base64 that could hold 32 bytes.
    #[error(
        "a key is 32 bytes, written as 64 hexadecimal digits or as 44 characters of base64; \
         this one has {characters} characters"
    )]
    Length {
        /// The length of what was given, without white space around it.
        characters: usize,
    },
    /// The length is right, but a character is not.
    #[error("a key of this length must be all hexadecimal digits, or all base64")]
    Encoding,
    /// 32 bytes of zero: a placeholder, or a file that was never written.
    #[error("the key is all zero; `pgveil keygen` makes a real one")]
    Zero,
    /// The operating system gave no random bytes.
    #[error("the operating system gave no random bytes")]
    Random,
}

/// Why a text does not name an id domain: the operator's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a domain name is 1 to 64 letters, digits, dots, underscores or hyphens (ASCII)")]
pub struct DomainNameError;
