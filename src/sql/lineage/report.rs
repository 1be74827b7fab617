//! What a trace has seen, in words.

use crate::pg::functions::{Rule, is_syntax, rule};

use super::{Clue, How, Lineage, LineageTrace, Meeting, Origin, Part, Seen, Step};

impl LineageTrace {
    /// Where the values of a result column come from; `carries` if keys are in it.
    pub(in crate::sql) fn lineage(&self, origin: Origin, carries: bool) -> Lineage {
        let seen = self.0.borrow();
        let mut lineage = Lineage::default();
        if carries {
            seen.reach(origin, true, &mut lineage);
            lineage.why = match through(&lineage.through) {
                through if through.is_empty() => list(&lineage.from),
                through if lineage.from.is_empty() => through,
                through => format!("{}, {through}", list(&lineage.from)),
            };
            // What is beside the keys in a row or in text.
            seen.reach(origin, false, &mut lineage);
        } else {
            seen.reach(origin, false, &mut lineage);
            lineage.why = seen.why_clean(origin, &lineage);
        }
        lineage
    }

    /// Why a value is an id that has met another.
    pub(in crate::sql) fn cause(&self, meeting: Meeting) -> Option<String> {
        let lineage = self.lineage(meeting.origin, true);
        let verb = match meeting.how {
            How::Compared => "compared with",
            How::Beside => "in one place with",
            How::Given => return Some(format!("given to {}", list(&lineage.through))),
        };
        (!lineage.why.is_empty()).then(|| format!("{verb} {}", lineage.why))
    }

    pub(super) fn clue(&self, part: &Part) -> Option<Clue> {
        let (span, lineage) = (part.span.clone(), self.lineage(part.origin, true));
        let told = part.carries && !lineage.why.is_empty() && !span.is_empty();
        told.then_some(Clue {
            span,
            what: lineage.why,
        })
    }
}

impl Seen {
    fn step(&self, origin: Origin) -> Option<&Step> {
        self.steps.get(usize::try_from(origin.0).ok()?)
    }

    fn carries(&self, origin: Origin) -> bool {
        match self.step(origin) {
            Some(Step::Column { carries, .. } | Step::Computed { carries, .. }) => *carries,
            Some(Step::Constant | Step::Parameter(_)) | None => false,
        }
    }

    /// What a value is made of: with `keys` only what its keys come from.
    fn reach(&self, origin: Origin, keys: bool, lineage: &mut Lineage) {
        match self.step(origin) {
            Some(Step::Column { name, behind, .. }) => {
                if self.step(*behind).is_some() {
                    add(&mut lineage.through, view(name));
                    self.reach(*behind, keys, lineage);
                } else {
                    add(&mut lineage.from, name.clone());
                }
            }
            Some(Step::Parameter(index)) => add(&mut lineage.from, format!("${}", index + 1)),
            Some(Step::Computed { by, of, .. }) => {
                add(&mut lineage.through, by.clone());
                for part in of {
                    let sent = matches!(self.step(*part), Some(Step::Parameter(_)));
                    if !keys || sent || self.carries(*part) {
                        self.reach(*part, keys, lineage);
                    }
                }
            }
            Some(Step::Constant) | None => {}
        }
    }

    /// The columns with keys that a value depends on, in whatever way.
    fn keys(&self, origin: Origin, keys: &mut Vec<String>) {
        match self.step(origin) {
            Some(Step::Column {
                name,
                behind,
                carries,
            }) => {
                if self.step(*behind).is_some() {
                    self.keys(*behind, keys);
                } else if *carries {
                    add(keys, name.clone());
                }
            }
            Some(Step::Computed { of, .. }) => of.iter().for_each(|part| self.keys(*part, keys)),
            Some(Step::Constant | Step::Parameter(_)) | None => {}
        }
    }

    fn why_clean(&self, origin: Origin, lineage: &Lineage) -> String {
        let mut stops = Vec::new();
        self.stops(origin, &mut stops);
        if !stops.is_empty() {
            return stops.join("; ");
        }
        let from = list(&lineage.from);
        let is_parameter = |name: &String| name.starts_with('$');
        match (lineage.from.as_slice(), through(&lineage.through)) {
            ([], _) => match lineage.through.as_slice() {
                [] if self.step(origin).is_some() => "a constant".to_owned(),
                [] => String::new(),
                _ if lineage.through.iter().any(|by| by == "count") => {
                    "how many rows there are".to_owned()
                }
                steps => format!("no column goes into {}", list(steps)),
            },
            ([only], _) if is_parameter(only) => format!("{only}, which is no id"),
            ([_], through) if through.is_empty() => format!("{from}, not annotated"),
            ([_], through) => format!("{from}, not annotated, {through}"),
            (_, through) => format!("{from}, none annotated, {through}"),
        }
    }

    /// Where keys go in and do not come out.
    fn stops(&self, origin: Origin, stops: &mut Vec<String>) {
        match self.step(origin) {
            Some(Step::Computed {
                by, truth: true, ..
            }) => {
                let mut keys = Vec::new();
                self.keys(origin, &mut keys);
                if !keys.is_empty() {
                    add(stops, format!("true or false: {by} over {}", list(&keys)));
                }
            }
            Some(Step::Computed {
                by,
                of,
                carries: false,
                truth: false,
            }) if of.iter().any(|part| self.carries(*part)) => {
                let mut lineage = Lineage::default();
                for part in of.iter().filter(|part| self.carries(**part)) {
                    self.reach(*part, true, &mut lineage);
                }
                add(stops, stop(by, &list(&lineage.from)));
            }
            Some(Step::Computed { of, .. }) => of.iter().for_each(|part| self.stops(*part, stops)),
            Some(Step::Column { behind, .. }) => self.stops(*behind, stops),
            Some(Step::Constant | Step::Parameter(_)) | None => {}
        }
    }
}

/// What is left of ids that go into a construct.
fn stop(by: &str, from: &str) -> String {
    match rule(by) {
        Some(Rule::Count(_)) if !is_syntax(by) => format!("{by}: how many of {from}, not which"),
        Some(Rule::Rank(_)) => format!("{by}: a place among rows, not {from}"),
        Some(Rule::Measure(_) | Rule::Size(_)) => format!("{by}: the size of what holds {from}"),
        Some(Rule::Search(_)) => format!("{by}: where {from} stands, not what it is"),
        _ => format!("no key of {from} comes out of {by}"),
    }
}

fn view(column: &str) -> String {
    let view = column.rsplit_once('.').map_or(column, |(view, _)| view);
    format!("view {}", short(view))
}

fn add(list: &mut Vec<String>, new: String) {
    if !list.contains(&new) {
        list.push(new);
    }
}

/// A name as people write it: the schema `public` goes without saying.
fn short(name: &str) -> &str {
    name.strip_prefix("public.").unwrap_or(name)
}

/// `a`, `a and b`, `a, b and c`; of many the first ones.
fn list(names: &[String]) -> String {
    const MOST: usize = 4;
    let names: Vec<&str> = names.iter().map(|name| short(name)).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        names if names.len() > MOST => {
            let (first, rest) = names.split_at(MOST - 1);
            format!("{} and {} more", first.join(", "), rest.len())
        }
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn through(steps: &[String]) -> String {
    if steps.is_empty() {
        String::new()
    } else {
        format!("through {}", list(steps))
    }
}
