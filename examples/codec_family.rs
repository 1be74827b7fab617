//! One service, keys of every kind: integers shown as prefixed text, UUIDv7 shown as UUIDv8,
//! integers that must stay integers.
//!
//! ```text
//! cargo run --example codec_family
//! ```
#![allow(clippy::print_stdout, reason = "an example that shows its results")]

use std::error::Error;

use pgveil::codec::{
    Codec, Ff1Width, Form, FormName, IdCodec, IdValue, IntCodec, IntegerType, Key, KeyRing,
    KeyValue, Presentation, Secret, Split, UuidCodec, UuidRounds, ValueType, VersionMap,
};

fn main() -> Result<(), Box<dyn Error>> {
    // In earnest the secret comes from the operator: `pgveil keygen` prints one.
    let ring = KeyRing::new(Secret::generate()?);

    println!("a bigint as prefixed text:");
    let form = Form::new(FormName::Base62, "usr_")?;
    let users = IdCodec::aes_int(&ring, &"user".parse()?);
    let users = Codec::ids(users, Presentation::Text(form));
    let bigint = ValueType::Integer(IntegerType::Int8);
    show(&users, bigint, KeyValue::Integer(Key::new(42)))?;

    println!("a UUIDv7 in a text column, its time hidden:");
    let events = UuidCodec::uuid(
        &ring.current,
        &"event".parse()?,
        VersionMap::default(),
        UuidRounds::Six,
        Split::At60,
    );
    let text = || Form::new(FormName::Uuid, "").map(Presentation::Text);
    let events = Codec::uuids(events, text()?, text()?);
    let key = "019a5b2c-7d10-7abc-8def-0123456789ab";
    show(&events, ValueType::Text, KeyValue::Text(key.to_owned()))?;

    println!("a bigint that JavaScript can still read as a number:");
    let orders = IntCodec::ff1(&ring.current, &"order".parse()?, Ff1Width::B53);
    let orders = Codec::integers(orders);
    show(
        &orders,
        bigint,
        KeyValue::Integer(Key::new(8_613_972_450_001)),
    )?;
    Ok(())
}

fn show(codec: &Codec, column: ValueType, key: KeyValue) -> Result<(), Box<dyn Error>> {
    let id = codec.encode(&key)?;
    match &id {
        IdValue::Integer(id) => println!("  {}", id.get()),
        IdValue::Uuid(id) => println!("  {id}"),
        IdValue::Text(id) => println!("  {id}"),
        IdValue::Bytes(_) => println!("  32 bytes"),
    }
    assert!(codec.decode(&id, column)? == key, "the same key comes back");
    Ok(())
}
