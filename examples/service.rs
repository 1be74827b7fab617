//! A service without a proxy: its store knows numbers, its clients see opaque ids in JSON, and an
//! id that was not issued is answered as one that does not exist.
//!
//! ```text
//! cargo run --example service
//! ```
#![allow(clippy::print_stdout, reason = "an example that shows its results")]

use std::collections::BTreeMap;
use std::error::Error;

use pgveil::codec::{
    Codec, DecodeError, Form, FormName, IdCodec, IdValue, IntegerType, Key, KeyRing, KeyValue,
    Presentation, Secret, ValueType,
};
use serde_json::json;

struct Service {
    /// What was ordered.
    orders: BTreeMap<Key, &'static str>,
    ids: Codec,
}

impl Service {
    fn new(ring: &KeyRing) -> Result<Self, Box<dyn Error>> {
        let form = Form::new(FormName::TypeId, "order")?;
        let codec = IdCodec::aes_int(ring, &"order".parse()?);
        let orders = (1..).map(Key::new).zip(["tea", "coffee", "cake"]);
        Ok(Self {
            orders: orders.collect(),
            ids: Codec::ids(codec, Presentation::Text(form)),
        })
    }

    /// `GET /orders/{id}`: a status and a body.
    fn get(&self, id: &str) -> (u16, String) {
        let (status, body) = match self.key(id).map(|key| self.orders.get(&key)) {
            Ok(Some(item)) => (200, json!({ "id": id, "item": item })),
            // Malformed, made up, of another domain, or deleted: clients are not told which.
            Ok(None) | Err(_) => (404, json!({ "error": "no such order" })),
        };
        (status, body.to_string())
    }

    fn shown(&self, key: Key) -> Result<String, Box<dyn Error>> {
        match self.ids.encode(&KeyValue::Integer(key))? {
            IdValue::Text(id) => Ok(id),
            _ => Err("the form is a text".into()),
        }
    }

    fn key(&self, id: &str) -> Result<Key, DecodeError> {
        let column = ValueType::Integer(IntegerType::Int8);
        match self.ids.decode(&IdValue::Text(id.to_owned()), column)? {
            KeyValue::Integer(key) => Ok(key),
            _ => Err(DecodeError::NotIssued),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // In earnest the secret comes from the operator: `pgveil keygen` prints one.
    let service = Service::new(&KeyRing::new(Secret::generate()?))?;
    let ids: Result<Vec<String>, _> = service.orders.keys().map(|k| service.shown(*k)).collect();
    let ids = ids?;
    let made_up = format!("order_{}", "0".repeat(26));
    for id in ids
        .iter()
        .chain([&made_up, &ids[0].replace("order", "user"), &"2".to_owned()])
    {
        let (status, body) = service.get(id);
        println!("GET /orders/{id}: {status} {body}");
        assert_eq!(status, if ids.contains(id) { 200 } else { 404 });
    }
    Ok(())
}
