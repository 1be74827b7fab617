//! From what a database says of its columns to proposals: keys first, for references are told by
//! the names of their tables, then the columns that nothing has been said of.

use std::collections::{HashMap, HashSet};

use super::Ids;
use super::documents;
use super::keys::{self, Judgement, Key};
use super::proposal::{Decided, Domain, Found, Proposal, What, Whose};
use super::references::{self, Referring};
use super::survey::{Place, Site, Survey};
use super::targets::{Fits, Standing, Target};
use crate::catalog::KeyType;
use crate::catalog::keys::Families;
use crate::catalog::keys::words;
use crate::config::{ColumnName, Config};

/// Proposes what is to become of each column that could show keys and is not decided on yet.
pub(in crate::cli) fn propose(survey: &Survey<'_>, decided: &Decided<'_>, ids: Ids) -> Found {
    let sites = survey.sites();
    let families = Families::new(&survey.references());
    let mut search = Search {
        sites: sites.iter().map(|site| (site.place, *site)).collect(),
        families: &families,
        decided,
        ids,
        targets: decided
            .config
            .map(|config| configured(survey, config))
            .unwrap_or_default(),
        names: HashSet::new(),
        found: HashMap::new(),
        left_out: Vec::new(),
    };
    search
        .names
        .extend(search.targets.iter().map(|target| target.domain.clone()));
    let heads: Vec<Site<'_>> = sites
        .iter()
        .filter(|site| !families.follows(site.place) && !search.is_decided(site))
        .copied()
        .collect();
    let open = search.define(&heads);
    search.refer(&open);
    let order = |(column, _): &(ColumnName, String)| {
        let ColumnName {
            schema,
            table,
            column,
        } = column.clone();
        (schema, table, column)
    };
    search.left_out.sort_by_cached_key(order);
    Found {
        proposals: sites
            .iter()
            .filter_map(|site| search.found.remove(&site.place))
            .collect(),
        left_out: search.left_out,
    }
}

/// The domains of a configuration as what columns may refer to. One whose column is missing still
/// has its name, and one of many columns those of its pattern.
fn configured(survey: &Survey<'_>, config: &Config) -> Vec<Target> {
    let target = |domain: &crate::config::IdDomain| {
        let annotation = &domain.annotation;
        let found = survey.snapshot.matching(&annotation.column);
        let places: Vec<Place> = found
            .iter()
            .map(|(relation, column)| (relation.oid, column.attnum))
            .collect();
        let mut keys = places.iter();
        let main =
            annotation.column.words().column == "id" || keys.all(|place| survey.is_primary(*place));
        let fits = Fits::Codec(annotation.types);
        let domain = annotation.name.clone();
        let column = annotation.column.clone();
        Target::new(domain, column, (places, main), fits, Standing::Configured)
    };
    config.domains.iter().map(target).collect()
}

/// Why two columns have the same keys.
const BOTH: &str = "by foreign keys: a column refers to both";

struct Search<'a> {
    sites: HashMap<Place, Site<'a>>,
    families: &'a Families,
    decided: &'a Decided<'a>,
    ids: Ids,
    targets: Vec<Target>,
    /// The names of domains that are taken.
    names: HashSet<String>,
    found: HashMap<Place, Proposal>,
    left_out: Vec<(ColumnName, String)>,
}

impl<'a> Search<'a> {
    /// Whether a column is annotated or is to stay as it is. What follows it says nothing of it: an
    /// annotation spreads along foreign keys, never against them.
    fn is_decided(&self, site: &Site<'_>) -> bool {
        let is_closed = site.column.derived && !site.column.undecided;
        site.column.holds_keys() || is_closed || self.decided.is_plain(&site.name())
    }

    /// The domain of another column that what follows this one refers to, too, if the configuration
    /// has it.
    fn configured_head(&self, site: &Site<'_>) -> Option<Whose> {
        let family = self.families.of(site.place)?;
        let heads = family.heads.iter();
        let places = heads.filter_map(|head| self.sites.get(head));
        let domain = places
            .filter_map(|head| head.column.id)
            .map(|of| usize::from(of.id.domain.0))
            .next()?;
        // The targets begin with the domains of the configuration, in their order.
        (domain < self.targets.len()).then(|| self.whose(domain))
    }

    /// The columns of a family, with this one.
    fn family(&self, place: Place) -> Vec<Site<'a>> {
        let members = self
            .families
            .of(place)
            .map(|family| family.members.as_slice());
        let members = members.unwrap_or(std::slice::from_ref(&place)).iter();
        members
            .filter_map(|member| self.sites.get(member))
            .copied()
            .collect()
    }

    /// Finds the columns that are keys whatever they are called, and gives the others.
    fn define(&mut self, heads: &[Site<'a>]) -> Vec<Site<'a>> {
        let mut open = Vec::new();
        let mut keys = Vec::new();
        for site in heads {
            if let Some(whose) = self.configured_head(site) {
                let evidence = BOTH.to_owned();
                self.propose(site, What::Reference(whose), true, evidence);
                continue;
            }
            let followers = self.families.followers(site.place);
            match keys::judge(site, followers, self.narrowest(site), self.ids) {
                Judgement::Key(key) if key.definite && self.is_first(site) => {
                    keys.push((*site, key));
                }
                Judgement::Unfit(evidence) => {
                    self.propose(site, What::Unfit, false, evidence);
                }
                Judgement::LeftOut(reason) => {
                    self.left_out.push((site.name(), reason));
                    if is_main(site) {
                        self.target(site, String::new(), Standing::Plain);
                    }
                }
                _ => open.push(*site),
            }
        }
        for site in self.plain_keys() {
            self.target(&site, String::new(), Standing::Plain);
        }
        self.name(keys);
        open
    }

    /// Keys that the configuration leaves as they are; so does what refers to them.
    fn plain_keys(&self) -> Vec<Site<'a>> {
        let sites = self.sites.values();
        let plain = sites.filter(|site| self.decided.is_plain(&site.name()) && site.unique.alone);
        plain.copied().collect()
    }

    /// Whether a column is the one that stands for its family: the likeliest of those that refer to
    /// no other.
    fn is_first(&self, site: &Site<'_>) -> bool {
        let Some(family) = self.families.of(site.place) else {
            return true;
        };
        let rank = |site: &Site<'_>| {
            let Site { filled, unique, .. } = site;
            (
                !(filled.identity || filled.counted),
                !unique.primary,
                !unique.alone,
                site.place,
            )
        };
        let heads = family.heads.iter().filter_map(|head| self.sites.get(head));
        let heads = heads.filter(|head| !self.is_decided(head));
        heads.map(rank).min() == Some(rank(site))
    }

    /// The narrowest type of the columns of a family.
    fn narrowest(&self, site: &Site<'_>) -> KeyType {
        let family = self.family(site.place);
        let types = family.iter().filter_map(|site| site.key_type());
        let types = types.map(|(of, _)| of);
        types.min_by_key(|of| of.size()).unwrap_or(KeyType::Int8)
    }

    /// Gives each key a name of its own: that of its table in singular, with the schema or the
    /// column where that is taken.
    fn name(&mut self, keys: Vec<(Site<'a>, Key)>) {
        let mut wanted: HashMap<String, usize> = HashMap::new();
        let short = |site: &Site<'_>| {
            let table = words::singular(&words::snake(&site.relation.name));
            match is_main(site) {
                true => table,
                false => format!("{table}_{}", words::snake(&site.column.name)),
            }
        };
        for (site, _) in &keys {
            *wanted.entry(short(site)).or_default() += 1;
        }
        for (site, key) in keys {
            let short = short(&site);
            let shared = wanted.get(&short).is_some_and(|count| *count > 1)
                || self.names.contains(&domain_name(&short));
            let full = match shared && site.relation.schema != "public" {
                true => format!("{}_{short}", words::snake(&site.relation.schema)),
                false => short,
            };
            let name = self.free(domain_name(&full));
            let standing = match key.certain {
                true => Standing::Certain,
                false => Standing::Guess,
            };
            self.target(&site, name.clone(), standing);
            let settings = key.settings;
            let what = What::Key(Domain { name, settings });
            self.propose(&site, what, key.certain, key.evidence);
            self.other_heads(&site, standing);
        }
    }

    /// A name that no other domain has.
    fn free(&mut self, name: String) -> String {
        let mut free = name.clone();
        let mut number = 2;
        while !self.names.insert(free.clone()) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }

    /// Other columns that what follows this one refers to, too, have the same keys.
    fn other_heads(&mut self, site: &Site<'a>, standing: Standing) {
        let Some(family) = self.families.of(site.place) else {
            return;
        };
        let others = family.heads.iter().filter(|head| **head != site.place);
        let others: Vec<Site<'a>> = others
            .filter_map(|head| self.sites.get(head))
            .filter(|head| !self.is_decided(head))
            .copied()
            .collect();
        for other in others {
            let whose = self.whose(self.targets.len() - 1);
            let certain = standing == Standing::Certain;
            self.propose(&other, What::Reference(whose), certain, BOTH.to_owned());
        }
    }

    fn target(&mut self, site: &Site<'_>, domain: String, standing: Standing) {
        let kind = site.key_type().map_or(KeyType::Int8, |(of, _)| of);
        let place = (vec![site.place], is_main(site));
        let fits = Fits::Kind(kind);
        self.targets.push(Target::new(
            domain,
            site.name().into(),
            place,
            fits,
            standing,
        ));
    }

    fn propose(&mut self, site: &Site<'_>, what: What, certain: bool, evidence: String) {
        let column = site.name();
        let proposal = match column.is_writable() {
            true => Proposal {
                column,
                what,
                certain,
                evidence,
            },
            false => Proposal {
                column,
                what: What::Unfit,
                certain: false,
                evidence: "a name with quotes in it, which a configuration can't hold".to_owned(),
            },
        };
        self.found.entry(site.place).or_insert(proposal);
    }

    fn whose(&self, target: usize) -> Whose {
        let target = &self.targets[target];
        Whose {
            domain: target.domain.clone(),
            column: target.column.clone(),
            configured: target.standing == Standing::Configured,
        }
    }

    /// Judges the columns that are no definite keys, by what they could refer to. Those that may be
    /// keys come first, for the others may refer to them.
    fn refer(&mut self, open: &[Site<'a>]) {
        let mut weak = Vec::new();
        let mut rest = Vec::new();
        for site in open {
            match self.weak(site) {
                Some(key) if !self.refers(site) => weak.push((*site, key)),
                _ => rest.push(*site),
            }
        }
        self.name(weak);
        for site in rest {
            if self.found.contains_key(&site.place) || site.column.generated {
                continue;
            }
            match references::find(&site, &self.targets) {
                Some(Referring::To {
                    target,
                    certain,
                    evidence,
                }) => {
                    self.refer_to(&site, target, certain, evidence);
                }
                Some(Referring::Pair { by }) => {
                    let evidence = format!("keys of several tables, as {by} tells");
                    let kinds = references::kinds(&site, &by, &self.targets);
                    self.propose(&site, What::Pair { by, kinds }, false, evidence);
                }
                Some(Referring::Unknown) => {
                    let evidence = "by its name, but of which table nothing tells".to_owned();
                    self.propose(&site, What::Unknown, false, evidence);
                }
                None => self.document(&site),
            }
        }
    }

    /// Whether something tells what a column refers to.
    fn refers(&self, site: &Site<'_>) -> bool {
        let found = references::find(site, &self.targets);
        matches!(found, Some(Referring::To { .. } | Referring::Pair { .. }))
    }

    /// A key that could as well be a reference, and is none by its name.
    fn weak(&self, site: &Site<'_>) -> Option<Key> {
        let followers = self.families.followers(site.place);
        match keys::judge(site, followers, self.narrowest(site), self.ids) {
            Judgement::Key(key) if !key.definite => Some(key),
            _ => None,
        }
    }

    fn refer_to(&mut self, site: &Site<'_>, target: usize, certain: bool, evidence: String) {
        let of = &self.targets[target];
        let standing = of.standing;
        if standing == Standing::Plain {
            let reason = format!("{evidence}; {} stays as it is", of.column);
            self.left_out.push((site.name(), reason));
            return;
        }
        let certain = certain && standing != Standing::Guess;
        let whose = self.whose(target);
        self.propose(site, What::Reference(whose), certain, evidence);
    }

    fn document(&mut self, site: &Site<'_>) {
        if let Some(evidence) = documents::suspect(site) {
            let evidence = format!("{evidence} its documents may have keys in them");
            self.propose(site, What::Document, false, evidence);
        } else if documents::is_document(site) {
            let reason = "documents, in which by its name no keys are".to_owned();
            self.left_out.push((site.name(), reason));
        }
    }
}

/// Whether a column is the key of its table.
fn is_main(site: &Site<'_>) -> bool {
    site.unique.primary || site.column.name.eq_ignore_ascii_case("id")
}

/// A name for a domain: letters, digits and a few signs, at most 60 of them, so that a number has
/// room behind it.
fn domain_name(text: &str) -> String {
    let part = |c: char| match c.is_ascii_alphanumeric() || c == '_' {
        true => c,
        false => '_',
    };
    let name: String = text.chars().take(56).map(part).collect();
    match name.is_empty() {
        true => "id".to_owned(),
        false => name,
    }
}
