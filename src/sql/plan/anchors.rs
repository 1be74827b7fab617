//! What a definition does to the foreign keys by which columns are annotated. The configuration says
//! nothing of such a column: without its foreign key whoever reads the catalogs takes it for plain.

use crate::catalog::Oid;
use crate::sql::{Refusal, Statement, Verdict};

use super::{Effect, PathChange};

/// A column that refers to another one by a foreign key: each by its relation and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The one that refers.
    pub from: (Oid, i16),
    /// The one that is referred to.
    pub to: (Oid, i16),
}

/// What a definition does to the foreign keys by which columns are annotated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Anchors {
    /// Those that it takes away.
    pub lost: Vec<Link>,
    /// Those that it adds, and others.
    pub made: Vec<Link>,
    /// Present if a column is left without its annotation, unless the transaction gives it another
    /// foreign key.
    pub refusal: Option<Refusal>,
    /// Whether it takes more away than `lost` says.
    pub more: bool,
}

/// Takes back why statements of a text can't run that give columns again, in the same transaction for
/// certain, what they take from them.
pub(in crate::sql) fn restore(text: &[u8], statements: &mut [Statement]) {
    for number in 0..statements.len() {
        let (first, behind) = statements.split_at_mut(number + 1);
        let Some(anchors) = first.last_mut().and_then(anchors_mut) else {
            continue;
        };
        if anchors.refusal.is_none() || anchors.more {
            continue;
        }
        let mut made = anchors.made.clone();
        let behind = behind.iter().map_while(|statement| {
            let Verdict::Forward(plan) = &statement.verdict else {
                return None;
            };
            let own = text.get(statement.range.clone()).unwrap_or_default();
            added(own, &plan.effect)
        });
        behind.for_each(|links| made.extend(links));
        if anchors.lost.iter().all(|link| made.contains(link)) {
            anchors.refusal = None;
        }
    }
}

fn anchors_mut(statement: &mut Statement) -> Option<&mut Anchors> {
    match &mut statement.verdict {
        Verdict::Forward(plan) => plan.effect.anchors.as_deref_mut(),
        Verdict::Refuse(_) => None,
    }
}

/// The foreign keys that a statement adds. `None` if it may end the transaction, or change what the
/// names of those behind it mean.
fn added<'e>(text: &[u8], effect: &'e Effect) -> Option<&'e [Link]> {
    let word = text.trim_ascii_start().get(..3).unwrap_or_default();
    let sets = word.eq_ignore_ascii_case(b"set") && effect.search_path == PathChange::Unchanged;
    match &effect.anchors {
        Some(anchors) => Some(&anchors.made),
        None => sets.then_some(&[]),
    }
}
