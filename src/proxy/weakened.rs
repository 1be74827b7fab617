//! What a reload takes from the protection of the sessions to come. That may be meant; it is never
//! done without a word.

mod annotations;

use std::collections::BTreeSet;

use crate::config::{
    Audit, Auth, CatalogShows, ChannelBinding, Client, Config, Held, Mode, NewKeys, ServerTls,
    ServerTlsMode, UpstreamTls,
};

/// What the new configuration demands or protects less than the old one, in words.
pub(super) fn weakened(was: &Config, is: &Config) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(of_policy(was, is));
    let mut note = |weaker: bool, words: &str| {
        if weaker {
            found.push(words.to_owned());
        }
    };
    note(
        is.auth.passes_through() && !was.auth.passes_through(),
        "pgveil authenticates nobody any more: auth.mode is no longer \"verifier\"",
    );
    note(
        requires_scram(&was.auth) && !requires_scram(&is.auth),
        "logins that Postgres just trusts are believed: auth.require_scram is off",
    );
    let max_age = [was, is].map(|config| match &config.auth {
        Auth::Query(query) => Some(query.max_age),
        Auth::PassThrough | Auth::Verifier(_) => None,
    });
    note(
        max_age[0].is_some() && max_age[0] < max_age[1],
        "passwords that have been changed may be taken for longer: auth.query.max_age_s",
    );
    let failed = [was, is].map(|config| config.failed_logins_per_minute.unwrap_or(usize::MAX));
    note(
        failed[0] < failed[1],
        "more logins from an address may fail: server.failed_logins_per_minute",
    );
    of_clients(was.tls.as_ref(), is.tls.as_ref(), &mut note);
    of_server(
        was.upstream_tls.as_ref(),
        is.upstream_tls.as_ref(),
        &mut note,
    );
    of_bounds(was, is, &mut note);
    of_telling(was, is, &mut note);
    note(
        was.admin.token.is_some() && is.admin.token.is_none(),
        "the admin endpoint asks for no token any more: admin.token_file",
    );
    found.extend(annotations::of_annotations(was, is));
    found
}

/// How many may come, from where, and how late what they show may be found out.
fn of_bounds(was: &Config, is: &Config, note: &mut impl FnMut(bool, &str)) {
    let connections = [was, is].map(|config| config.max_per_address.unwrap_or(usize::MAX));
    note(
        connections[0] < connections[1],
        "an address may have more connections: server.max_per_address",
    );
    let keeps = |limit: &crate::config::SessionLimit| {
        is.session_limits.iter().any(|now| {
            (&now.roles, &now.databases) == (&limit.roles, &limit.databases)
                && now.max_connections <= limit.max_connections
        })
    };
    note(
        !was.session_limits.iter().all(keeps),
        "roles or databases may have more sessions: limit",
    );
    let mut proxies = is.proxy_protocol.iter();
    note(
        proxies.any(|net| !was.proxy_protocol.contains(net)),
        "more are believed who connects: server.proxy_protocol",
    );
    note(
        was.limits.catalog_max_age < is.limits.catalog_max_age,
        "changes of the database may be seen later: limits.catalog_max_age_s",
    );
    note(
        was.upstream_pooled && !is.upstream_pooled,
        "sessions of Postgres are taken for a client's own: upstream.pooler",
    );
}

/// What becomes of keys that nobody has decided on, what catalogs say of keys, and what is written
/// down.
fn of_telling(was: &Config, is: &Config, note: &mut impl FnMut(bool, &str)) {
    note(
        was.policy.new_keys == NewKeys::Refuse && is.policy.new_keys != NewKeys::Refuse,
        "columns of keys that nobody has decided on are shown as they are: policy.new_keys",
    );
    note(
        was.policy.catalog == CatalogShows::Ids && is.policy.catalog != CatalogShows::Ids,
        "catalogs tell what keys are stored as: policy.catalog",
    );
    let tells = |config: &Config| {
        let Audit {
            shapes,
            window,
            most_per_second,
            ..
        } = config.log.audit;
        (shapes, window, most_per_second)
    };
    let ((shapes, window, most), (shapes_now, window_now, most_now)) = (tells(was), tells(is));
    note(
        shapes && !shapes_now || window < window_now || most > most_now,
        "the audit trail tells less: audit",
    );
}

/// Whose statements are judged less strictly, or which ids of whom, of all roles, databases and
/// applications that one of the two names. What holds for others too is said once.
fn of_policy(was: &Config, is: &Config) -> Vec<String> {
    let tables = [was.table(), is.table()];
    let names = |of: fn(&Held<'_>) -> Option<String>| -> BTreeSet<Option<String>> {
        tables.iter().flatten().map(of).collect()
    };
    let roles = names(|held| held.role.map(str::to_owned));
    let databases = names(|held| held.database.map(str::to_owned));
    let rules = was.policy.rules.iter().chain(&is.policy.rules);
    let applications: BTreeSet<&str> = rules
        .flat_map(|rule| rule.applications.iter().map(String::as_str))
        .chain([""])
        .collect();
    let mut clients = Vec::new();
    for role in &roles {
        for database in &databases {
            for application in &applications {
                clients.push((role.as_deref(), database.as_deref(), *application));
            }
        }
    }
    let mut found = Vec::new();
    let mut said = Vec::new();
    // What stands for all others comes first.
    for (role, database, application) in clients {
        let client = Client {
            role: role.unwrap_or_default().as_bytes(),
            database: database.unwrap_or_default().as_bytes(),
            application: application.as_bytes(),
        };
        let whole = [was, is].map(|config| config.mode_of(client));
        // A domain that is gone is told of by itself, and what is below `audit` translates nothing.
        let after = is.modes(client);
        let parts = was
            .modes(client)
            .into_iter()
            .filter_map(|(domain, before)| {
                let change = [before, *after.get(domain)?];
                (before >= Mode::Audit && change != whole).then_some((Some(domain), change))
            });
        for (domain, change) in std::iter::once((None, whole)).chain(parts) {
            let [before, after] = change;
            let others = [
                (None, None),
                (role, None),
                (None, database),
                (role, database),
            ];
            let mut others = others.into_iter();
            let is_known = others.any(|whose| said.contains(&(whose, domain, change)));
            if after < before && !is_known {
                said.push(((role, database), domain, change));
                let whose = whose(role, database, application);
                let what = match domain {
                    None => "statements".to_owned(),
                    Some(domain) => format!("ids of `{domain}`"),
                };
                let (after, before) = (after.as_str(), before.as_str());
                found.push(format!(
                    "{what}{whose} are under \"{after}\" in the place of \"{before}\": policy"
                ));
            }
        }
    }
    found
}

fn whose(role: Option<&str>, database: Option<&str>, application: &str) -> String {
    let mut words = String::new();
    if let Some(role) = role {
        words.push_str(&format!(" of role {role:?}"));
    }
    if !application.is_empty() {
        words.push_str(&format!(" of application {application:?}"));
    }
    if let Some(database) = database {
        words.push_str(&format!(" in database {database:?}"));
    }
    words
}

/// Whether Postgres must have a role proven that pgveil has authenticated.
pub(super) fn requires_scram(auth: &Auth) -> bool {
    match auth {
        Auth::PassThrough => false,
        Auth::Verifier(verifiers) => verifiers.require_scram,
        Auth::Query(query) => query.require_scram,
    }
}

fn of_clients(was: Option<&ServerTls>, is: Option<&ServerTls>, note: &mut impl FnMut(bool, &str)) {
    let requires =
        |tls: Option<&ServerTls>| tls.is_some_and(|tls| tls.mode == ServerTlsMode::Require);
    let demands = |tls: Option<&ServerTls>| {
        let clients = tls.and_then(|tls| tls.clients.as_ref());
        clients.map(|clients| clients.demand as u8)
    };
    let binds = |tls: Option<&ServerTls>| {
        tls.is_some_and(|tls| tls.channel_binding == ChannelBinding::Require)
    };
    note(
        was.is_some() && is.is_none(),
        "clients are offered no TLS any more: server.tls",
    );
    note(
        requires(was) && !requires(is),
        "clients may come without TLS: server.tls.mode is no longer \"require\"",
    );
    note(
        demands(is) < demands(was),
        "less is demanded of clients' certificates: server.tls.client_ca, client_cert",
    );
    note(
        binds(was) && !binds(is),
        "clients need not bind their passwords: server.tls.channel_binding",
    );
}

fn of_server(
    was: Option<&UpstreamTls>,
    is: Option<&UpstreamTls>,
    note: &mut impl FnMut(bool, &str),
) {
    let mode = |tls: Option<&UpstreamTls>| tls.map(|tls| tls.mode);
    let binds = |tls: Option<&UpstreamTls>| {
        tls.is_some_and(|tls| tls.channel_binding == ChannelBinding::Require)
    };
    let verifies = |tls: Option<&UpstreamTls>| tls.is_some_and(|tls| tls.roots.is_some());
    note(
        mode(is) < mode(was),
        "less is demanded of Postgres: upstream.tls.mode",
    );
    note(
        verifies(was) && !verifies(is),
        "the certificate of Postgres is not verified any more: upstream.tls.ca",
    );
    note(
        binds(was) && !binds(is),
        "Postgres need not bind the authentication: upstream.tls.channel_binding",
    );
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod modes {
    use std::path::Path;

    use super::*;
    use crate::config::Environment;

    fn config(tls: &str, policy: &str) -> Config {
        let text = format!(
            "[server]\nlisten = [\"127.0.0.1:0\"]\n[upstream]\naddress = \"127.0.0.1:5432\"\n\
             tls = {{ mode = \"{tls}\" }}\n[policy]\n{policy}\n"
        );
        let around = Environment {
            folder: Path::new(""),
            env: &|_| None,
        };
        Config::parse(&text, &around).unwrap()
    }

    #[test]
    fn says_what_is_weaker_and_nothing_of_what_is_not() {
        let strict = config("require", "bypass_roles = [\"a\"]");
        let changes = [
            (
                config("require", "mode = \"audit\"\nbypass_roles = [\"a\"]"),
                "statements are under \"audit\"",
            ),
            (
                config("prefer", "bypass_roles = [\"a\"]"),
                "upstream.tls.mode",
            ),
            (
                config("disable", "bypass_roles = [\"a\"]"),
                "upstream.tls.mode",
            ),
            (config("require", "bypass_roles = [\"b\"]"), "role \"b\""),
        ];
        for (weak, word) in &changes {
            let found = weakened(&strict, weak);
            assert!(
                matches!(&found[..], [only] if only.contains(word)),
                "{found:?}"
            );
        }
        assert_eq!(weakened(&strict, &strict), Vec::<String>::new());
        let none = config("disable", "mode = \"audit\"\nbypass_roles = [\"a\", \"b\"]");
        assert_eq!(weakened(&none, &strict), Vec::<String>::new());
        assert_eq!(weakened(&strict, &none).len(), 3);
        let guesses = |failed: Option<usize>| {
            let mut config = strict.clone();
            config.failed_logins_per_minute = failed;
            config
        };
        for (before, after, is_weaker) in [
            (Some(5), None, true),
            (Some(5), Some(6), true),
            (Some(5), Some(4), false),
            (None, Some(5), false),
        ] {
            let found = weakened(&guesses(before), &guesses(after));
            assert_eq!(found.len(), usize::from(is_weaker), "{found:?}");
        }
    }
}
