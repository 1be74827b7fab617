//! The settings of an `[[id]]` one by one: each to its type, or a fault with the remedy.

use super::codecs::{FormWord, Kind, Name};
use super::fault::Faults;
use super::raw;
use super::section::At;
use crate::codec::{
    Ff1Width, KeyRange, Prf, Split, Stride, UuidRounds, Version, VersionMap, check_integer_rounds,
};

/// The form of this name; the outer `None` if there is none.
#[expect(clippy::option_option, reason = "faulty, or left out")]
pub(super) fn form(raw: Option<&At<String>>, faults: &mut Faults<'_>) -> Option<Option<FormWord>> {
    let Some(At { value, line }) = raw else {
        return Some(None);
    };
    let form = FormWord::named(value);
    if form.is_none() {
        let cause = format!("there is no form \"{value}\"");
        faults.add(*line, cause, FormWord::instead_of(value));
    }
    form.map(Some)
}

/// Reports the settings that no codec of the domain takes: one that is silently ignored would
/// promise what nobody gives.
pub(super) fn belong(id: &raw::Id, kinds: &[&'static Kind], faults: &mut Faults<'_>) {
    for (setting, line) in id.settings() {
        if kinds.iter().any(|kind| kind.settings.contains(&setting)) {
            continue;
        }
        let owners = Kind::with_setting(setting);
        match kinds {
            [kind] if id.codec.is_some() => {
                let cause = format!("the codec {} takes no `{setting}`", kind.name);
                let takes = kind.settings.join(", ");
                let advice = if takes.is_empty() {
                    format!("remove it; it belongs to {owners}")
                } else {
                    format!(
                        "remove it; {} takes {takes}, and `{setting}` belongs to {owners}",
                        kind.name
                    )
                };
                faults.add(line, cause, advice);
            }
            _ => {
                let names: Vec<_> = kinds.iter().map(|kind| kind.name).collect();
                let cause = format!("`{setting}` has no effect on {}", names.join(", "));
                let advice = format!("remove it, or name a codec that takes it: {owners}");
                faults.add(line, cause, advice);
            }
        }
    }
}

/// Reports what a codec can't do without.
pub(super) fn needed(id: &raw::Id, kinds: &[&'static Kind], faults: &mut Faults<'_>) {
    let line = id.codec.as_ref().map_or(id.line, |codec| codec.line);
    for kind in kinds {
        if kind.codec == Name::FastPrp && id.size.is_none() {
            let advice = "add size, the number of keys that there will ever be, at most 4294967296, and \
                          low, the smallest of them, if it is not 0; both are fixed from then on";
            faults.add(
                line,
                "the codec fastprp needs the range of the keys",
                advice,
            );
        }
        if kind.codec == Name::Ff1 && id.bits.is_none() {
            let advice = "add bits = 53 (ids that JavaScript reads exactly), 63 or 64 for bigint, 31 \
                          or 32 for integer; it is fixed from then on";
            faults.add(line, "the codec ff1 needs the width of the keys", advice);
        }
    }
}

/// Numbers of rounds that hide too little are refused with the reason.
pub(super) fn rounds(raw: Option<&At<i64>>, kinds: &[&'static Kind], faults: &mut Faults<'_>) {
    let Some(At { value, line }) = raw else {
        return;
    };
    let rounds = u32::try_from(*value).unwrap_or(u32::MAX);
    for kind in kinds {
        let judged = match kind.codec {
            Name::Feistel => check_integer_rounds(rounds).map_err(|weak| weak.to_string()),
            Name::Uuid => match UuidRounds::new(rounds) {
                Ok(UuidRounds::Six) => Ok(()),
                Ok(UuidRounds::Two) => Err("two rounds over UUID keys are the codec feistel2, \
                    which asks for random low halves and for keys that clients never supply"
                    .to_owned()),
                Err(weak) => Err(weak.to_string()),
            },
            Name::Feistel2 => match UuidRounds::new(rounds) {
                Ok(UuidRounds::Two) => Ok(()),
                Ok(UuidRounds::Six) => {
                    Err("six rounds over UUID keys are the codec uuid".to_owned())
                }
                Err(weak) => Err(weak.to_string()),
            },
            _ => Ok(()),
        };
        if let Err(reason) = judged {
            let advice = "remove rounds: every codec has its sound number by itself";
            faults.add(
                *line,
                format!("`rounds` can't be {value}: {reason}"),
                advice,
            );
            return;
        }
    }
}

pub(super) fn version(raw: Option<&At<i64>>, faults: &mut Faults<'_>) -> Version {
    match raw {
        None | Some(At { value: 8, .. }) => Version::V8,
        Some(At { value: 4, .. }) => Version::V4,
        Some(At { value, line }) => {
            let advice = "write version = 8, or 4 for clients that know no newer version";
            let cause = format!("ids can't be UUIDs of version {value}");
            faults.add(*line, cause, advice);
            Version::V8
        }
    }
}

pub(super) fn prf(raw: Option<&At<String>>, faults: &mut Faults<'_>) -> Prf {
    let Some(At { value, line }) = raw else {
        return Prf::default();
    };
    match value.as_str() {
        "aes128" => Prf::Aes128,
        "siphash24" => Prf::SipHash24,
        "blake3" => Prf::Blake3,
        _ => {
            let advice = "write \"aes128\", or \"siphash24\" or \"blake3\" on machines without AES \
                          instructions";
            faults.add(
                *line,
                format!("there is no round function \"{value}\""),
                advice,
            );
            Prf::default()
        }
    }
}

/// `{ 7 = 8, 4 = 4 }`: the version inside, and the one that is shown.
pub(super) fn versions(
    raw: Option<&At<Vec<(String, i64)>>>,
    faults: &mut Faults<'_>,
) -> VersionMap {
    let Some(At { value, line }) = raw else {
        return VersionMap::default();
    };
    // What is no digit becomes one that the map refuses.
    let digit = |number: Option<i64>| number.and_then(|n| u8::try_from(n).ok()).unwrap_or(u8::MAX);
    let pairs: Vec<(u8, u8)> = value
        .iter()
        .map(|(inside, outside)| (digit(inside.parse().ok()), digit(Some(*outside))))
        .collect();
    VersionMap::new(&pairs).unwrap_or_else(|error| {
        let advice = "write versions = { 7 = 8 }: the version of the keys, and the version shown; \
                      each once";
        faults.add(*line, format!("`versions` is no map: {error}"), advice);
        VersionMap::default()
    })
}

pub(super) fn split(id: &raw::Id, faults: &mut Faults<'_>) -> Split {
    match &id.split {
        None | Some(At { value: 60, .. }) => Split::At60,
        Some(At { value: 48, line }) => {
            if id.epochs.as_ref().is_some_and(|epochs| epochs.value) {
                let cause = "epochs have a split of their own";
                faults.add(*line, cause, "remove split, or epochs");
            }
            let cause = "split = 48 hides less than 60 unless all 74 bits behind the time are \
                         uniform and secret; in most generators twelve of them are a clock or a counter";
            faults.warn(*line, cause, "remove split, or write codec = \"uuid\"");
            Split::At48
        }
        Some(At { value, line }) => {
            let advice = "write split = 60, or 48 for keys with 74 random bits";
            faults.add(*line, format!("`split` can't be {value}"), advice);
            Split::At60
        }
    }
}

/// `low` and `size`; `None` without a size.
pub(super) fn range(id: &raw::Id, faults: &mut Faults<'_>) -> Option<KeyRange> {
    let size = id.size.as_ref()?;
    let low = id.low.as_ref().map_or(0, |low| low.value);
    // What is negative is as wrong as zero.
    let range = KeyRange::new(low, u64::try_from(size.value).unwrap_or(0));
    if let Err(error) = &range {
        let cause = format!("`low` = {low} and `size` = {}: {error}", size.value);
        let advice = "write the smallest key and the number of keys that there will ever be";
        faults.add(size.line, cause, advice);
    }
    range.ok()
}

pub(super) fn stride(raw: Option<&At<i64>>, faults: &mut Faults<'_>) -> Stride {
    let Some(At { value, line }) = raw else {
        return Stride::default();
    };
    Stride::new(u64::try_from(*value).unwrap_or(0)).unwrap_or_else(|error| {
        let advice = "write stride = 16384, or more for less memory, less for faster lookups";
        faults.add(*line, format!("`stride` can't be {value}: {error}"), advice);
        Stride::default()
    })
}

pub(super) fn width(id: &raw::Id, faults: &mut Faults<'_>) -> Option<Ff1Width> {
    const WIDTHS: [Ff1Width; 5] = [
        Ff1Width::B31,
        Ff1Width::B32,
        Ff1Width::B53,
        Ff1Width::B63,
        Ff1Width::B64,
    ];
    let At { value, line } = id.bits.as_ref()?;
    let width = WIDTHS
        .into_iter()
        .find(|width| i64::from(width.bits()) == *value);
    if width.is_none() {
        let advice = "write bits = 53 (ids that JavaScript reads exactly), 63 or 64 for bigint, 31 or \
                      32 for integer; smaller ranges have the codec fastprp";
        faults.add(*line, format!("`bits` can't be {value}"), advice);
    }
    width
}
