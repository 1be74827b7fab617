//! Which id domains hold for a session. `[[id]] database` has a domain in one database only, and a
//! `[[policy.rule]]` with `domains` is about some of them; so the same client may be under one mode
//! for users and under another one for orders.
//!
//! A session is judged as a whole, so it has one mode: the strictest of what holds for its domains
//! and for what is of none. Those that are under a looser mode, in which nothing is translated,
//! are shown as they are.

use std::collections::BTreeMap;

use super::{
    ChannelAnnotation, Client, Config, FunctionAnnotation, FunctionResult, IdDomain, Mode, Policy,
};

/// What holds for a session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holding {
    /// What is done with its statements.
    pub mode: Mode,
    /// Which id domains that is about.
    pub scope: Scope,
}

/// Which id domains hold for a session, at their positions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scope(Box<[Part]>);

/// What a domain is to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// It is what the file says.
    Held,
    /// Its keys are to be seen as they are.
    Plain,
    /// It is of another database.
    Absent,
}

/// What holds for a role in a database; `None` stands for all that are not named.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held<'c> {
    /// The database role.
    pub role: Option<&'c str>,
    /// The database.
    pub database: Option<&'c str>,
    /// What is done with the statements.
    pub mode: Mode,
    /// The id domains of the database whose keys are shown as they are, although the mode is about
    /// others.
    pub plain: Vec<&'c str>,
}

impl Policy {
    /// The mode of a client for one domain, or for what is of none: that of the first rule that fits.
    fn of(&self, client: Client<'_>, domain: Option<&str>) -> Mode {
        let mut roles = self.bypass_roles.iter();
        if roles.any(|role| role.as_bytes() == client.role) {
            return Mode::Bypass;
        }
        let rule = self.rules.iter().find(|rule| rule.fits(client, domain));
        rule.map_or(self.mode, |rule| rule.mode)
    }

    /// Whether the sessions of anybody are observed.
    #[must_use]
    pub fn observes(&self) -> bool {
        let mut rules = self.rules.iter();
        self.mode == Mode::Observe || rules.any(|rule| rule.mode == Mode::Observe)
    }
}

impl IdDomain {
    /// Whether a database has it.
    fn is_of(&self, database: &[u8]) -> bool {
        let only = self.database.as_ref();
        only.is_none_or(|only| only.as_bytes() == database)
    }
}

impl Config {
    /// What holds for a session.
    #[must_use]
    pub fn holding(&self, client: Client<'_>) -> Holding {
        let of = |domain: &IdDomain| {
            let name = &domain.annotation.name;
            let is_there = domain.is_of(client.database);
            is_there.then(|| self.policy.of(client, Some(name)))
        };
        let modes: Vec<Option<Mode>> = self.domains.iter().map(of).collect();
        let others = self.policy.of(client, None);
        let mode = modes.iter().flatten().fold(others, |one, of| one.max(*of));
        // What is audited beside what is enforced is translated, too.
        let least = mode.min(Mode::Audit);
        let part = |of: Option<Mode>| match of {
            None => Part::Absent,
            Some(of) if of < least => Part::Plain,
            Some(_) => Part::Held,
        };
        let scope = Scope(modes.into_iter().map(part).collect());
        Holding { mode, scope }
    }

    /// What is done with the statements of a session.
    #[must_use]
    pub fn mode_of(&self, client: Client<'_>) -> Mode {
        self.holding(client).mode
    }

    /// What becomes of the ids of each domain in a session: what becomes of its statements, or nothing.
    #[must_use]
    pub fn modes(&self, client: Client<'_>) -> BTreeMap<&str, Mode> {
        let Holding { mode, scope } = self.holding(client);
        let domains = self.domains.iter().zip(&scope.0);
        let modes = domains.map(|(domain, part)| {
            let mode = match part {
                Part::Held => mode,
                Part::Plain | Part::Absent => Mode::Bypass,
            };
            (domain.annotation.name.as_str(), mode)
        });
        modes.collect()
    }

    /// What holds for each role and database that the file names, and for all others; a client that
    /// names an application of a rule may get more.
    #[must_use]
    pub fn table(&self) -> Vec<Held<'_>> {
        fn distinct<'n>(names: impl Iterator<Item = &'n String>) -> Vec<Option<&'n str>> {
            let mut known: Vec<Option<&str>> = Vec::new();
            for name in names {
                if !known.contains(&Some(name)) {
                    known.push(Some(name));
                }
            }
            // Behind those that are named, all others.
            known.push(None);
            known
        }
        let rules = &self.policy.rules;
        let roles = rules.iter().flat_map(|rule| &rule.roles);
        let roles = distinct(roles.chain(&self.policy.bypass_roles));
        let databases = rules.iter().flat_map(|rule| &rule.databases);
        let only = self.domains.iter().flat_map(|domain| &domain.database);
        let databases = distinct(databases.chain(only));
        let held = |role: Option<&'_ str>, database: Option<&'_ str>| {
            // No name of Postgres is empty.
            let Holding { mode, scope } = self.holding(Client {
                role: role.unwrap_or_default().as_bytes(),
                database: database.unwrap_or_default().as_bytes(),
                application: b"",
            });
            let parts = self.domains.iter().zip(&scope.0);
            let plain = parts.filter(|(_, part)| **part == Part::Plain);
            let plain = plain.map(|(domain, _)| domain.annotation.name.as_str());
            (mode, plain.collect())
        };
        let mut table = Vec::new();
        for role in roles {
            for database in &databases {
                let (mode, plain) = held(role, *database);
                table.push(Held {
                    role,
                    database: *database,
                    mode,
                    plain,
                });
            }
        }
        table
    }

    /// The configuration for the sessions of a scope: with the id domains that hold for them, and
    /// without a doubt about those whose keys are to be seen.
    #[must_use]
    pub fn within(&self, scope: &Scope) -> Self {
        let mut config = self.clone();
        if scope.is_whole() {
            return config;
        }
        let functions = self.functions.iter();
        config.functions = functions.filter_map(|one| scope.function(one)).collect();
        config.channels = scope.channels(&self.channels).into();
        config.domains.clear();
        for (domain, part) in self.domains.iter().zip(&scope.0) {
            match part {
                Part::Held => config.domains.push(domain.clone()),
                Part::Plain => {
                    let columns = domain.columns();
                    let columns = columns.map(|(column, line)| (column.clone(), line));
                    config.plain.extend(columns);
                    let documents = domain.annotation.json.iter();
                    let documents = documents.map(|json| (json.column.clone(), json.line));
                    config.plain.extend(documents);
                }
                Part::Absent => {}
            }
        }
        // A column that is plain in other databases.
        let domains = &config.domains;
        let is_held = |(column, _): &(_, usize)| {
            domains.iter().any(|domain| {
                let json = &domain.annotation.json;
                domain.columns().any(|(known, _)| known.meets(column))
                    || json.iter().any(|json| json.column.meets(column))
            })
        };
        config.plain.retain(|plain| !is_held(plain));
        config
    }

    /// The configuration as far as it is about a database.
    #[must_use]
    pub fn of_database(&self, database: &str) -> Self {
        let part = |domain: &IdDomain| match domain.is_of(database.as_bytes()) {
            true => Part::Held,
            false => Part::Absent,
        };
        self.within(&Scope(self.domains.iter().map(part).collect()))
    }
}

impl Scope {
    /// Whether all domains hold.
    fn is_whole(&self) -> bool {
        self.0.iter().all(|part| *part == Part::Held)
    }

    /// Where a domain is among those that hold: of one whose keys are seen, nowhere; `None` if the
    /// database has none of them.
    #[expect(clippy::option_option, reason = "no ids, or none that are known")]
    fn place(&self, domain: Option<u16>) -> Option<Option<u16>> {
        let Some(domain) = domain else {
            return Some(None);
        };
        let (before, at) = (
            self.0.get(..domain.into())?,
            self.0.get(usize::from(domain))?,
        );
        match at {
            Part::Held => {
                let before = before.iter().filter(|part| **part == Part::Held);
                Some(u16::try_from(before.count()).ok())
            }
            Part::Plain => Some(None),
            Part::Absent => None,
        }
    }

    /// A declaration by what holds. Of ids that the database does not have it says nothing, so the
    /// function is judged as one that is not declared.
    fn function(&self, declared: &FunctionAnnotation) -> Option<FunctionAnnotation> {
        let arguments = declared.arguments.iter().map(|domain| self.place(*domain));
        let result = match &declared.result {
            FunctionResult::Value(domain) => FunctionResult::Value(self.place(*domain)?),
            FunctionResult::Columns(columns) => {
                let columns = columns
                    .iter()
                    .map(|(name, domain)| Some((name.clone(), self.place(*domain)?)));
                FunctionResult::Columns(columns.collect::<Option<_>>()?)
            }
        };
        Some(FunctionAnnotation {
            schema: declared.schema.clone(),
            name: declared.name.clone(),
            arguments: arguments.collect::<Option<_>>()?,
            result,
        })
    }

    /// The declarations of channels by what holds. What shows keys carries no ids, unless it
    /// carries others, too.
    fn channels(&self, declared: &[ChannelAnnotation]) -> Vec<ChannelAnnotation> {
        let placed = declared.iter().filter_map(|channel| {
            let domain = self.place(channel.domain)?;
            let path = match domain {
                Some(_) => channel.path.clone(),
                None => Vec::new(),
            };
            Some(ChannelAnnotation {
                name: channel.name.clone(),
                domain,
                path,
            })
        });
        placed.collect()
    }
}
