//! Ids without a proxy: the codec used directly by a service.
//!
//! ```text
//! cargo run --example codec
//! ```
#![allow(clippy::print_stdout, reason = "an example that shows its results")]

use std::error::Error;

use pgveil::codec::{IdCodec, IntegerType, Key, KeyRing, OpaqueId, Secret, Version};

fn main() -> Result<(), Box<dyn Error>> {
    // In earnest the secret comes from the operator: `pgveil keygen` prints one.
    let ring = KeyRing::new(Secret::generate()?);
    let users = IdCodec::feistel(&ring, &"user".parse()?, Version::V8);
    let orders = IdCodec::feistel(&ring, &"order".parse()?, Version::V8);

    println!("neighbours inside, strangers outside:");
    let keys = [1, 2, 3].map(Key::new);
    let mut ids = Vec::new();
    users.encode_batch(&keys, &mut ids);
    for (key, id) in keys.iter().zip(&ids) {
        println!("  user {} is {id}", key.get());
    }

    let id = users.encode(Key::new(42));
    let key = users.decode(id, IntegerType::Int8)?;
    println!("user {id} is number {}", key.get());

    let elsewhere = orders.decode(id, IntegerType::Int8);
    println!("the same id as an order: {}", outcome(elsewhere));

    let mut bytes = id.to_bytes();
    bytes[15] ^= 1;
    let guessed = users.decode(OpaqueId::from_bytes(bytes), IntegerType::Int8);
    println!("the same id with one bit changed: {}", outcome(guessed));
    Ok(())
}

fn outcome<T, E: Error>(result: Result<T, E>) -> String {
    result.map_or_else(
        |error| format!("refused, {error}"),
        |_| "accepted".to_owned(),
    )
}
