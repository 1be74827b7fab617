//! What can be wrong, by blame: ids are the client's fault, keys out of range are the data's,
//! secrets and names are the operator's. No message quotes the value that it is about.

use super::key::IntegerType;

/// Why an id stands for no key: the client's fault. A client should not be told which of the
/// two it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The version or the variant of the UUID is not the one that this codec issues.
    #[error("the id is a UUID of a version that this domain does not issue")]
    Version,
    /// No secret of the ring gives a key that fits: the id was made up, changed, or belongs to
    /// another domain.
    #[error("the id was not issued for this domain")]
    NotIssued,
    /// The first digit, the epoch, names no secret of the ring.
    #[error("the id is of an epoch that this domain does not have")]
    Epoch,
    /// The text does not have the form of this domain's ids.
    #[error("the text does not have the form of an id of this domain")]
    Syntax,
}

/// The codec can't represent the key: a fault of the configuration or of the data, never the
/// client's. The specification calls it `Domain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the key is outside of what the codec of this domain can represent")]
pub struct EncodeError;

/// The text does not have the form that it should have: what a form gives for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the text does not have the expected form")]
pub struct FormError;

/// Why a text can't stand before the ids of a domain: the operator's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PrefixError {
    /// The form is complete without a prefix.
    #[error("this form takes no prefix")]
    Unwanted,
    /// Longer than 63 characters.
    #[error("a prefix has at most 63 characters")]
    Length,
    /// A character that would have to be escaped in a URL.
    #[error("a prefix consists of ASCII letters, digits, `-`, `.`, `_` and `~`")]
    Character,
    /// Not a prefix of the TypeID specification.
    #[error(
        "the prefix of a TypeID consists of lower-case ASCII letters, and of underscores between \
         them"
    )]
    TypeId,
}

/// Why pairs of digits are no map between versions: the operator's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VersionMapError {
    /// No pair.
    #[error("a version map has at least one pair")]
    Empty,
    /// A version is one hexadecimal digit.
    #[error("a UUID version is a number from 0 to 15")]
    Digit,
    /// Two pairs share a digit on one side.
    #[error("version {version} occurs twice on one side of the map, so it could not be undone")]
    Twice {
        /// The version.
        version: u8,
    },
}

/// Why secrets are no ring of epochs: the operator's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpochError {
    /// An epoch is one hexadecimal digit.
    #[error("an epoch is a number from 0 to 15")]
    Digit,
    /// Two secrets of one epoch.
    #[error("epoch {epoch} occurs twice")]
    Twice {
        /// The epoch.
        epoch: u8,
    },
}

/// Why numbers are no range of integer keys: the operator's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RangeError {
    /// The range is empty or has more than 2^32 numbers.
    #[error("the range of a small domain has 1 to 2^32 numbers")]
    Size,
    /// The range goes beyond `bigint`.
    #[error("the range goes beyond what a bigint can hold")]
    Beyond,
}

/// Why counters can't be used: they only save time, so they can always be computed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CounterError {
    /// Not a positive multiple of 128.
    #[error("a stride is a positive multiple of 128")]
    Stride,
    /// More counters than fit into memory.
    #[error("the counters do not fit into memory; choose a larger stride")]
    Memory,
    /// The saved counters belong to another secret, range or stride, or were changed.
    #[error("the saved counters are not those of this secret, range and stride")]
    Saved,
}

/// The text is not a spelling of a UUID that Postgres accepts: the client's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid input syntax for type uuid")]
pub struct SyntaxError;

/// Why a text is not a key of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// Not a decimal number.
    #[error("a key is a decimal number")]
    Syntax,
    /// A number outside the range of the column's type.
    #[error("the key is out of range for type {}", .0.name())]
    Domain(IntegerType),
}

/// Why a text is not a secret: the operator's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
