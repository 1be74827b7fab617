//! What pgveil knows of a database, for tests that ask its analysis without a proxy.

use pgveil::catalog::{Loader, SearchPath, Snapshot};
use pgveil::config::Config;

use super::client::Client;
use super::message::{Message, Raw};

/// The snapshot of the database of this session.
pub(crate) fn snapshot_of(
    client: &mut Client,
    config: &Config,
) -> Result<(Snapshot, SearchPath), String> {
    let loader = Loader::new(config.annotations().into());
    let mut loader = loader.declaring(config.functions.clone());
    for answer in client.run(&Loader::alone())? {
        let Message::DataRow(values) = answer else {
            continue;
        };
        let fields = values.iter().map(|value| value.as_ref().map(bytes));
        let fields: Vec<Option<&[u8]>> = fields.collect();
        loader.row(&fields).map_err(|error| error.to_string())?;
    }
    let loaded = loader.finish();
    Ok((loaded.snapshot, loaded.path))
}

fn bytes(raw: &Raw) -> &[u8] {
    &raw.0
}
