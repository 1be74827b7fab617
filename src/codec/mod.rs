//! Keys and ids: keyed permutations between the ordered keys of the database and the opaque
//! ids outside. Pure functions; knows nothing of SQL, of the wire or of the network.
//!
//! From the outside in: an operator's [`Secret`]s form a [`KeyRing`]; ring and [`DomainName`]
//! make an [`IdCodec`]; the codec turns a [`Key`] into an [`OpaqueId`] and back. Keys and ids
//! are different types, and nothing but a codec converts between them.
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

mod error;
mod feistel;
mod id_codec;
mod key;
#[doc(hidden)]
pub mod known_answers;
mod network;
mod opaque_id;
mod secret;
mod subkey;

pub use error::{DecodeError, DomainNameError, KeyError, SecretError, SyntaxError};
pub use id_codec::{IdCodec, Version};
pub use key::{Key, KeyType};
pub use opaque_id::OpaqueId;
pub use secret::{KeyRing, Secret};
pub use subkey::DomainName;
