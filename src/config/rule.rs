//! `[[policy.rule]]`: what is done with whose sessions, where it is not the same for all. The first
//! rule that fits decides, and `policy.mode` where none does.
//!
//! The name of an application is what the client says it is. So a rule that asks for one may only
//! demand more than what holds for those who say something else.

use super::fault::Faults;
use super::section::{At, Section, nearest};
use super::{Mode, check, name, raw};

/// Whose sessions a rule is about, and what is done with them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The database roles; empty for all.
    pub roles: Vec<String>,
    /// The databases; empty for all.
    pub databases: Vec<String>,
    /// What clients call themselves when they log in (`application_name`); empty for all.
    pub applications: Vec<String>,
    /// The id domains that it is about; empty for all, and for what is of none.
    pub domains: Vec<String>,
    /// What is done with their statements.
    pub mode: Mode,
}

/// Whose session it is, by the bytes of the names that the client has sent.
#[derive(Debug, Clone, Copy)]
pub struct Client<'c> {
    /// The database role.
    pub role: &'c [u8],
    /// The database.
    pub database: &'c [u8],
    /// What it calls itself.
    pub application: &'c [u8],
}

impl Rule {
    /// Whether it says what holds for a client, of a domain or of what is of none.
    pub(super) fn fits(&self, client: Client<'_>, domain: Option<&str>) -> bool {
        let fits = |names: &[String], name: &[u8]| {
            names.is_empty() || names.iter().any(|known| known.as_bytes() == name)
        };
        fits(&self.roles, client.role)
            && fits(&self.databases, client.database)
            && fits(&self.applications, client.application)
            && (self.domains.is_empty()
                || domain.is_some_and(|name| fits(&self.domains, name.as_bytes())))
    }

    /// Whether a client that this one fits may fit the other, if it calls itself otherwise, for the same
    /// ids.
    fn is_beside(&self, other: &Self) -> bool {
        let meet = |one: &[String], other: &[String]| {
            one.is_empty() || other.is_empty() || one.iter().any(|name| other.contains(name))
        };
        meet(&self.roles, &other.roles)
            && meet(&self.databases, &other.databases)
            && meet(&self.domains, &other.domains)
    }
}

/// The table as it is written.
#[derive(Debug)]
pub(super) struct Raw {
    line: usize,
    roles: Option<At<Vec<At<String>>>>,
    databases: Option<At<Vec<At<String>>>>,
    applications: Option<At<Vec<At<String>>>>,
    domains: Option<At<Vec<At<String>>>>,
    mode: Option<At<String>>,
}

impl Raw {
    pub(super) fn read_all(policy: &mut Section<'_>, faults: &mut Faults<'_>) -> Vec<Self> {
        let sections = policy.sections("rule", faults);
        let read = |mut section: Section<'_>| {
            let rule = Self {
                line: section.line,
                roles: section.texts("roles", faults),
                databases: section.texts("databases", faults),
                applications: section.texts("applications", faults),
                domains: section.texts("domains", faults),
                mode: section.text("mode", faults),
            };
            section.finish(faults);
            rule
        };
        sections.into_iter().map(read).collect()
    }
}

/// Judges the rules beside what holds where none fits.
pub(super) fn check(
    raw: Vec<Raw>,
    ids: &[raw::Id],
    otherwise: Mode,
    faults: &mut Faults<'_>,
) -> Vec<Rule> {
    let known: Vec<&str> = ids
        .iter()
        .filter_map(|id| Some(id.name.as_ref()?.value.as_str()))
        .collect();
    let rules: Vec<(usize, Rule)> = raw
        .into_iter()
        .filter_map(|raw| Some((raw.line, rule(raw, &known, faults)?)))
        .collect();
    for (number, (line, rule)) in rules.iter().enumerate() {
        if rule.applications.is_empty() {
            continue;
        }
        // What the same client gets under another name.
        let behind = rules.iter().skip(number + 1).map(|(_, rule)| rule);
        let others = behind.filter(|other| other.is_beside(rule));
        let strictest = others.map(|other| other.mode).max();
        let strictest = strictest.map_or(otherwise, |strictest| strictest.max(otherwise));
        if rule.mode < strictest {
            let cause = format!(
                "by its `applications` this rule is looser (\"{}\") than what holds for others \
                 (\"{}\"), and a client chooses what it calls itself",
                rule.mode.as_str(),
                strictest.as_str()
            );
            let advice = "name roles instead, or write a mode that is as strict";
            faults.add(*line, cause, advice);
        }
    }
    rules.into_iter().map(|(_, rule)| rule).collect()
}

fn rule(raw: Raw, known: &[&str], faults: &mut Faults<'_>) -> Option<Rule> {
    let modes = Mode::ALL.map(|mode| (mode.as_str(), mode));
    if raw.mode.is_none() {
        let advice = "write mode = \"observe\", \"audit\", \"enforce\" or \"bypass\"";
        faults.add(raw.line, "the rule does not say what is to be done", advice);
    }
    let lists = [&raw.roles, &raw.databases, &raw.applications, &raw.domains];
    for list in lists.into_iter().flatten() {
        name::is_of_somebody(list, "rule", faults);
    }
    if lists.into_iter().all(Option::is_none) {
        let advice = "add roles, databases, applications or domains, or write policy.mode instead";
        faults.add(raw.line, "the rule is about everybody", advice);
    }
    let roles = name::kept(raw.roles, faults);
    let databases = name::kept(raw.databases, faults);
    let applications = name::kept(raw.applications, faults);
    let domains = domains(raw.domains, known, faults);
    Some(Rule {
        roles,
        databases,
        applications,
        domains,
        mode: check::choice(raw.mode, "policy.rule.mode", &modes, faults)?,
    })
}

/// The names of a list that are those of domains.
fn domains(
    names: Option<At<Vec<At<String>>>>,
    known: &[&str],
    faults: &mut Faults<'_>,
) -> Vec<String> {
    let mut domains = Vec::new();
    for At { value, line } in names.into_iter().flat_map(|names| names.value) {
        if !known.contains(&value.as_str()) {
            let cause = format!("there is no id domain `{value}`");
            let advice = match nearest(&value, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write the name of an [[id]]".to_owned(),
            };
            faults.add(line, cause, advice);
        }
        domains.push(value);
    }
    domains
}
