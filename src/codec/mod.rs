//! Keys and ids: keyed permutations between the ordered keys of the database and the opaque
//! ids outside. Pure functions; knows nothing of SQL, of the wire or of the network.
//!
//! From the outside in: an operator's [`Secret`]s form a [`KeyRing`]; ring and [`DomainName`]
//! make a codec; the codec turns keys into ids and back. Keys and ids are different types, and
//! nothing but a codec converts between them.
//!
//! | codec | keys to ids | permutations |
//! | --- | --- | --- |
//! | [`IdCodec`] | integers to UUIDs, with redundancy | `feistel`, `aes-int` |
//! | [`UuidCodec`] | sixteen bytes to sixteen bytes | `uuid`, `feistel2`, `aes`, `cycle_walk` |
//! | [`IntCodec`] | integers to integers | `fastprp`, `ff1` |
//! | [`Wide`] | 32 bytes to 32 bytes | `wide` |
//! | [`Session40`] | session ids of 40 characters to the same | `session40` |
//! | [`Codec`] | any of these, with the text forms of keys and ids | |
//!
//! The defaults: `feistel` for integer keys, `uuid` for UUID keys, `aes-int` for integer keys
//! whose ids are text. What looks like a codec and hides nothing is refused as a [`WeakChoice`].
//!
//! Every secret is wiped when it is dropped, none can be cloned, and no `Debug` shows a secret,
//! a key or an id. What this does not promise: the compiler may leave copies of key material in
//! stack frames and registers while a codec is being built.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap
)]

mod aes_block;
mod aes_int;
mod block;
mod cycle_walk;
mod digits;
mod domain_codec;
mod error;
mod fastprp;
mod feistel;
mod feistel_network;
mod ff1;
mod form;
mod id_codec;
mod int_codec;
mod key;
mod key_texts;
#[doc(hidden)]
pub mod known_answers;
mod marks;
mod opaque_id;
mod permutation;
mod prf;
mod secret;
mod session40;
mod subkey;
mod uuid_bits;
mod uuid_codec;
mod uuid_feistel;
mod value;
mod version_map;
mod weak;
mod wide;

pub use aes_block::Direction;
pub use domain_codec::{Codec, ColumnTypes, Presentation, WidePresentation};
pub use error::{
    CounterError, DecodeError, DomainNameError, EncodeError, EpochError, FormError, KeyError,
    PrefixError, RangeError, SecretError, SyntaxError, VersionMapError,
};
pub use fastprp::{KeyRange, Stride};
pub use ff1::Ff1Width;
pub use form::{Form, FormName, WideForm};
pub use id_codec::{IdCodec, Version};
pub use int_codec::IntCodec;
pub use key::{IntegerType, Key};
pub use key_texts::KeyTexts;
pub use opaque_id::OpaqueId;
pub use prf::Prf;
pub use secret::{KeyRing, Secret};
pub use session40::Session40;
pub use subkey::DomainName;
pub use uuid_codec::UuidCodec;
pub use uuid_feistel::{EpochRing, Split};
pub use value::{IdValue, IntId, KeyValue, UuidKey, ValueType, WideId, WideKey};
pub use version_map::VersionMap;
pub use weak::{UuidRounds, WeakChoice, check_integer_rounds};
pub use wide::Wide;
