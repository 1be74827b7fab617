//! Snapshots of a database, asked for as sessions do.

use std::sync::Arc;

use pgveil::catalog::{Lack, Loaded, Loader, Reading, Relation, SETTINGS, Scope, Version};
use pgveil::config::{Config, Environment};
use tokio_postgres::{Client, SimpleQueryMessage};

/// What is known of a database.
#[derive(Clone)]
pub(crate) struct Known {
    version: Version,
    told: Arc<pgveil::catalog::Told>,
}

/// A snapshot.
pub(crate) struct Told {
    loaded: Loaded,
    /// Whether everything was asked for, although something was known.
    pub(crate) full: bool,
}

impl Told {
    pub(crate) fn known(self) -> Known {
        Known {
            version: self.loaded.version.expect("a version"),
            told: self.loaded.told,
        }
    }

    fn relations(&self) -> Vec<(Relation, String)> {
        let sorted = |relation: &Arc<Relation>| {
            let mut relation = Relation::clone(relation);
            relation.foreign_keys.sort_by(|a, b| a.name.cmp(&b.name));
            relation
                .rules
                .sort_by(|a, b| a.definition.cmp(&b.definition));
            let text = format!("{relation:?}");
            (relation, text)
        };
        let mut relations: Vec<_> = self.loaded.snapshot.relations().map(sorted).collect();
        relations.sort_by_key(|(relation, _)| relation.oid);
        relations
    }

    /// What is another thing in a snapshot of everything. What that could not read, because somebody
    /// has locked it, may be known from before.
    pub(crate) fn differences(&self, all: &Self) -> Vec<String> {
        let (own, all_of) = (self.relations(), all.relations());
        let mut differences = Vec::new();
        let mut unanalysed = false;
        for (relation, text) in &all_of {
            let found = own.iter().find(|(own, _)| own.oid == relation.oid);
            unanalysed |= relation.unanalysed;
            match found {
                None => differences.push(format!("no {text}")),
                Some((own, is)) if is != text => {
                    if !relation.unanalysed || own.columns.len() != relation.columns.len() {
                        differences.push(format!("{is}\n  is not\n{text}"));
                    }
                }
                Some(_) => {}
            }
        }
        for (relation, text) in &own {
            if !all_of.iter().any(|(all, _)| all.oid == relation.oid) {
                differences.push(format!("still {text}"));
            }
        }
        let undecided = [self, all].map(|told| told.loaded.snapshot.undecided());
        if undecided[0] != undecided[1] {
            differences.push(format!("undecided are {undecided:?}"));
        }
        if self.loaded.fingerprint != all.loaded.fingerprint && !unanalysed {
            differences.push("another fingerprint".to_owned());
        }
        if self.loaded.temporary.fingerprint() != all.loaded.temporary.fingerprint() && !unanalysed
        {
            differences.push("other temporary relations".to_owned());
        }
        differences
    }
}

fn loader() -> Loader {
    let text = "[server]\nlisten = [\"127.0.0.1:0\"]\n[upstream]\naddress = \"127.0.0.1:1\"\n\
         [keys]\ncurrent = \"a\"\n[keys.ring.a]\nenv = \"KEY\"\n\
         [[id]]\nname = \"root\"\ncolumn = \"public.root.id\"\n";
    let around = Environment {
        folder: std::path::Path::new("."),
        env: &|_| Some("5eed".repeat(16)),
    };
    let config = Config::parse(text, &around).expect("a sound configuration");
    Loader::new(config.annotations().into())
}

/// Asks, behind a savepoint: the session may have a transaction open.
async fn ask(client: &Client, loader: &mut Loader, text: &str) {
    let open = client.batch_execute("savepoint asks").await.is_ok();
    let text = if open {
        format!("{SETTINGS}; {text}; rollback to savepoint asks; release savepoint asks")
    } else {
        format!("{SETTINGS}; {text}")
    };
    for message in client.simple_query(&text).await.expect("an answer") {
        let SimpleQueryMessage::Row(row) = message else {
            continue;
        };
        let fields = (0..row.len()).map(|at| row.get(at).map(str::as_bytes));
        loader.row(&fields.collect::<Vec<_>>()).expect("a row");
    }
}

/// Asks for everything; `known` is what definitions that can't be read are taken from.
pub(crate) async fn everything(client: &Client, known: Option<&Known>) -> Told {
    let mut loader = loader();
    if let Some(known) = known {
        loader = loader.since(Arc::clone(&known.told));
    }
    let text = loader.question(&Reading::Free, Scope::All);
    ask(client, &mut loader, &text).await;
    let loaded = loader.finish();
    let full = true;
    Told { loaded, full }
}

/// Asks for what has changed, and for as much more as the answer says.
pub(crate) async fn changes(client: &Client, known: &Known) -> Told {
    let version = &known.version;
    let (narrow, wide) = (Scope::Changes(version), Scope::Shared(version));
    let scopes = if known.told.changes_settings() {
        vec![wide]
    } else {
        vec![narrow, wide]
    };
    for scope in scopes {
        let mut loader = loader().since(Arc::clone(&known.told));
        let text = loader.question(&Reading::Free, scope);
        ask(client, &mut loader, &text).await;
        match loader.lack() {
            Lack::Nothing => {
                let loaded = loader.finish();
                let full = false;
                return Told { loaded, full };
            }
            Lack::Shared => {}
            Lack::All => break,
        }
    }
    everything(client, Some(known)).await
}

/// Whether a look shows that a snapshot is right.
pub(crate) async fn is_right(client: &Client, known: &Known) -> bool {
    let mut loader = loader();
    let text = Loader::look(&known.version);
    ask(client, &mut loader, &text).await;
    loader.looked().expect("an answer").0
}
