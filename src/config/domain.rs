//! One `[[id]]`: its settings, judged against the table of codecs, and the codec that they
//! describe. Judging needs no key, so that a file without its keys shows all its faults.

use std::path::{Path, PathBuf};

use super::Building;
use super::CodecRotation;
use super::codecs::{FormWord, Kind, Name, Rotation, defaults};
use super::counters;
use super::fault::Faults;
use super::keys::Ring;
use super::raw;
use super::section::At;
use super::settings;
use crate::codec::{
    Codec, ColumnTypes, Direction, DomainName, Ff1Width, Form, FormName, IdCodec, IntCodec,
    KeyRange, KeyValue, PrefixError, Presentation, Prf, Session40, Split, Stride, UuidCodec,
    UuidRounds, Version, VersionMap, Wide, WideForm, WidePresentation,
};

/// A domain's codec, checked as far as that goes without a key.
#[derive(Debug)]
pub(super) struct CodecSpec {
    kinds: Vec<&'static Kind>,
    /// The line of the codec's name, or of the table.
    line: usize,
    outside: Outside,
    /// How keys in text columns are written.
    inside: Option<FormWord>,
    version: Version,
    prf: Prf,
    versions: VersionMap,
    split: Split,
    /// The line, if ids carry an epoch.
    epochs: Option<usize>,
    direction: Direction,
    range: Option<KeyRange>,
    stride: Stride,
    counters: Option<At<PathBuf>>,
    width: Option<Ff1Width>,
    /// The values that stay what they are.
    as_is: Vec<At<String>>,
}

/// The form of the ids, with its prefix.
#[derive(Debug, Clone)]
enum Outside {
    /// Each codec's own: `uuid`, or the type of the column.
    Default,
    Native,
    Sixteen(Form),
    Wide(WideForm),
    Session40,
}

/// What a plan became with the keys.
pub(super) struct Built {
    pub(super) codec: Codec,
    /// The columns whose ids older keys do not decode, where there is no warning of that yet.
    pub(super) current_only: Vec<ColumnTypes>,
    pub(super) codecs: Vec<CodecRotation>,
}

impl CodecSpec {
    /// Judges the settings; `None` if one of them leaves no codec to speak of.
    pub(super) fn read(id: &raw::Id, folder: &Path, faults: &mut Faults<'_>) -> Option<Self> {
        let counters = id.counters.as_ref().map(|file| At {
            value: folder.join(&file.value),
            line: file.line,
        });
        let direction = match id.reverse {
            Some(At { value: true, .. }) => Direction::Reverse,
            _ => Direction::Forward,
        };
        // Each setting is judged, whatever is wrong with the others.
        let version = settings::version(id.version.as_ref(), faults);
        let prf = settings::prf(id.prf.as_ref(), faults);
        let versions = settings::versions(id.versions.as_ref(), faults);
        let split = settings::split(id, faults);
        let stride = settings::stride(id.stride.as_ref(), faults);
        let (range, width) = (settings::range(id, faults), settings::width(id, faults));
        let form = settings::form(id.form.as_ref(), faults);
        let inside = settings::form(id.key_form.as_ref(), faults);
        let kind = named(id, faults);
        let (form, inside) = (form?, inside?);
        let kinds = match kind? {
            Some(kind) => vec![kind],
            None => unnamed(id, form, inside, faults)?,
        };
        settings::belong(id, &kinds, faults);
        settings::rounds(id.rounds.as_ref(), &kinds, faults);
        settings::needed(id, &kinds, faults);
        fits(&kinds, id, form, inside, faults)?;
        Some(Self {
            kinds,
            line: id.codec.as_ref().map_or(id.line, |codec| codec.line),
            outside: outside(form, id.prefix.as_ref(), faults)?,
            inside,
            version,
            prf,
            versions,
            split,
            epochs: id.epochs.as_ref().filter(|e| e.value).map(|e| e.line),
            direction,
            range,
            stride,
            counters,
            width,
            as_is: id.as_is.clone().map_or_else(Vec::new, |all| all.value),
        })
    }

    /// What ids of two domains must not have in common: the form and the prefix, if there is one.
    pub(super) fn prefix(&self) -> Option<(FormWord, &str)> {
        match &self.outside {
            Outside::Sixteen(form) if !form.prefix().is_empty() => {
                Some((FormWord::Sixteen(form.name()), form.prefix()))
            }
            _ => None,
        }
    }

    /// The file in which it keeps counters.
    pub(super) fn counters(&self) -> Option<&At<PathBuf>> {
        self.counters.as_ref()
    }

    /// Makes the codec. `progress` is told of what takes long.
    pub(super) fn build(
        &self,
        domain: &DomainName,
        ring: &Ring,
        progress: &dyn Fn(Building<'_>),
        faults: &mut Faults<'_>,
    ) -> Option<Built> {
        let mut codecs = Vec::new();
        let mut current_only = Vec::new();
        for kind in &self.kinds {
            let made = self.codecs(kind, domain, ring, progress, faults)?;
            if self.loses_older(kind) && ring.has_older() {
                // Of several, the column decides.
                if self.kinds.len() > 1 {
                    current_only.extend(made.iter().map(Codec::column_types));
                } else {
                    self.warn_of_rotation(kind, domain, ring, faults);
                }
            }
            codecs.extend(made);
        }
        let codec = Codec::first_of(codecs);
        let marks = self.marks(&codec, domain, faults)?;
        Some(Built {
            codec: codec.keeping(marks),
            current_only,
            codecs: self.kinds.iter().map(|kind| self.rotation(kind)).collect(),
        })
    }

    /// The values of `as_is`, as keys of each type that the domain may turn out to have.
    fn marks(
        &self,
        codec: &Codec,
        domain: &DomainName,
        faults: &mut Faults<'_>,
    ) -> Option<Vec<KeyValue>> {
        let mut marks = Vec::new();
        for At { value: text, line } in &self.as_is {
            let of = codec.marks_of(text);
            if of.is_empty() {
                let cause =
                    format!("\"{text}\" can't be the same as a key and as an id of `{domain}`");
                let advice = "write a value of the type that keys and ids have in common: a uuid where uuids \
                              are shown as uuids, text of letters, digits and -_.:@ where both are text, \
                              an integer with form = \"native\"; where ids have another type than keys, \
                              remove as_is";
                faults.add(*line, cause, advice);
                return None;
            }
            marks.extend(of);
        }
        Some(marks)
    }

    /// Whether a change of the key changes the meaning of every id.
    fn loses_older(&self, kind: &Kind) -> bool {
        match kind.rotation {
            Rotation::Ring => false,
            Rotation::Epochs => self.epochs.is_none(),
            Rotation::CurrentOnly => true,
        }
    }

    fn rotation(&self, kind: &Kind) -> CodecRotation {
        CodecRotation {
            name: kind.name,
            decodes_older: !self.loses_older(kind),
        }
    }

    fn warn_of_rotation(
        &self,
        kind: &Kind,
        domain: &DomainName,
        ring: &Ring,
        faults: &mut Faults<'_>,
    ) {
        let cause = format!(
            "`{domain}` decodes with the current key `{}` only: an id of the codec {} does not \
             tell which key it is of",
            ring.current, kind.name
        );
        faults.warn(self.line, cause, advice_on_rotation(kind));
    }

    /// The codecs of a kind: one for its native columns, one for text columns.
    fn codecs(
        &self,
        kind: &Kind,
        domain: &DomainName,
        ring: &Ring,
        progress: &dyn Fn(Building<'_>),
        faults: &mut Faults<'_>,
    ) -> Option<Vec<Codec>> {
        let secret = &ring.keys.current;
        Some(match kind.codec {
            Name::Feistel => {
                let codec = IdCodec::feistel_with(&ring.keys, domain, self.version, self.prf);
                vec![Codec::ids(codec, self.sixteen(None))]
            }
            Name::AesInt => {
                let codec = IdCodec::aes_int(&ring.keys, domain);
                vec![Codec::ids(codec, self.sixteen(None))]
            }
            Name::Uuid | Name::Feistel2 | Name::Aes | Name::CycleWalk => {
                self.of_sixteen(kind.codec, domain, ring, faults)?
            }
            Name::FastPrp => {
                let work = counters::Work {
                    secret,
                    domain,
                    range: self.range?,
                    stride: self.stride,
                    line: self.line,
                    file: self.counters.as_ref(),
                };
                vec![Codec::integers_of_a_sequence(work.codec(progress, faults)?)]
            }
            Name::Ff1 => vec![Codec::integers_of_a_sequence(IntCodec::ff1(
                secret,
                domain,
                self.width?,
            ))],
            Name::Wide => {
                let native = Wide::new(secret, domain);
                let mut made = vec![Codec::wide(
                    native,
                    WidePresentation::Native,
                    self.wide(WidePresentation::Native),
                )];
                if let Some(FormWord::Wide(form)) = self.inside {
                    let inside = WidePresentation::Text(form);
                    let codec = Wide::new(secret, domain);
                    made.push(Codec::wide(codec, inside, self.wide(inside)));
                }
                made
            }
            Name::Session40 => vec![Codec::sessions(Session40::new(secret, domain))],
        })
    }

    /// For uuid columns, and for text columns too: those that refer to uuids, and all if the file says
    /// how keys are written there. A row has the same id in both.
    fn of_sixteen(
        &self,
        codec: Name,
        domain: &DomainName,
        ring: &Ring,
        faults: &mut Faults<'_>,
    ) -> Option<Vec<Codec>> {
        let text = match self.inside {
            Some(FormWord::Sixteen(name)) => Form::new(name, "").ok().map(Presentation::Text),
            _ => None,
        };
        let insides = std::iter::once(Presentation::Native).chain(text);
        let mut made = Vec::new();
        for inside in insides {
            let outside = self.sixteen(Some(&inside));
            let codec = self.uuid_codec(codec, domain, ring, faults)?;
            made.push(Codec::uuids(codec, inside, outside));
        }
        if self.inside.is_none() {
            let text = Presentation::Text(Form::bare(FormName::Uuid));
            let outside = match self.sixteen(Some(&text)) {
                Presentation::Native => text,
                form @ Presentation::Text(_) => form,
            };
            let codec = self.uuid_codec(codec, domain, ring, faults)?;
            made.push(Codec::texts_of_uuids(codec, outside));
        }
        Some(made)
    }

    fn uuid_codec(
        &self,
        codec: Name,
        domain: &DomainName,
        ring: &Ring,
        faults: &mut Faults<'_>,
    ) -> Option<UuidCodec> {
        let secret = &ring.keys.current;
        let rounds = match codec {
            Name::Aes => return Some(UuidCodec::aes(secret, domain, self.direction)),
            Name::CycleWalk => return Some(UuidCodec::cycle_walk(secret, domain)),
            Name::Feistel2 => UuidRounds::Two,
            _ => UuidRounds::Six,
        };
        let Some(line) = self.epochs else {
            let codec = UuidCodec::uuid(secret, domain, self.versions, rounds, self.split);
            return Some(codec);
        };
        let epochs = ring.epochs(line, faults)?;
        let codec = UuidCodec::uuid_with_epochs(epochs, domain, self.versions, rounds);
        Some(codec)
    }

    /// How sixteen bytes appear; natively as the keys of this column do.
    fn sixteen(&self, inside: Option<&Presentation>) -> Presentation {
        match &self.outside {
            Outside::Sixteen(form) if form.name() != FormName::Uuid => {
                Presentation::Text(form.clone())
            }
            Outside::Native => inside.cloned().unwrap_or(Presentation::Native),
            _ => Presentation::Native,
        }
    }

    /// How 32 bytes appear: natively if nothing else is said.
    fn wide(&self, inside: WidePresentation) -> WidePresentation {
        match self.outside {
            Outside::Wide(form) => WidePresentation::Text(form),
            _ => inside,
        }
    }
}

/// What a change of the key means, and what to do.
fn advice_on_rotation(kind: &Kind) -> &'static str {
    match kind.rotation {
        Rotation::Epochs => {
            "ids of the older keys now mean other rows or none; epochs = true would keep them"
        }
        Rotation::Ring | Rotation::CurrentOnly => {
            "ids of the older keys now mean other rows or none; see docs/codecs.md on rotation"
        }
    }
}

/// The codec that the file names, if it names one; the outer `None` if there is none of the name.
#[expect(clippy::option_option, reason = "faulty, or left out")]
fn named(id: &raw::Id, faults: &mut Faults<'_>) -> Option<Option<&'static Kind>> {
    let Some(At { value, line }) = &id.codec else {
        return Some(None);
    };
    let kind = Kind::named(value);
    if kind.is_none() {
        let cause = format!("there is no codec \"{value}\"");
        faults.add(*line, cause, Kind::instead_of(value));
    }
    kind.map(Some)
}

/// The codecs that serve when the file names none.
fn unnamed(
    id: &raw::Id,
    form: Option<FormWord>,
    key_form: Option<FormWord>,
    faults: &mut Faults<'_>,
) -> Option<Vec<&'static Kind>> {
    let kinds: Vec<_> = defaults(form, key_form)
        .iter()
        .map(|name| Kind::of(*name))
        .collect();
    if kinds.is_empty() {
        let line = id.form.as_ref().map_or(id.line, |form| form.line);
        let advice = "add codec = \"ff1\" with bits, or \"fastprp\" with low and size, for \
                      integers; \"wide\" for bytea; or remove form";
        faults.add(
            line,
            "form \"native\" needs a codec that keeps the type",
            advice,
        );
        return None;
    }
    Some(kinds)
}

/// Whether every kind has the forms.
fn fits(
    kinds: &[&'static Kind],
    id: &raw::Id,
    form: Option<FormWord>,
    key_form: Option<FormWord>,
    faults: &mut Faults<'_>,
) -> Option<()> {
    for kind in kinds {
        if let (Some(word), Some(At { line, .. })) = (form, &id.form)
            && !kind.forms.contains(&word)
        {
            let name = kind.name;
            let cause = format!("the codec {name} has no form \"{}\"", word.word());
            let advice = format!(
                "{name} has form = {}; form = \"{}\" belongs to {}",
                FormWord::list(kind.forms),
                word.word(),
                Kind::with_form(word)
            );
            faults.add(*line, cause, advice);
            return None;
        }
        if let (Some(word), Some(At { line, .. })) = (key_form, &id.key_form)
            && !kind.key_forms.is_empty()
            && !kind.key_forms.contains(&word)
        {
            let name = kind.name;
            let cause = format!(
                "the codec {name} reads no keys of the form \"{}\"",
                word.word()
            );
            let advice = format!("{name} has key_form = {}", FormWord::list(kind.key_forms));
            faults.add(*line, cause, advice);
            return None;
        }
    }
    Some(())
}

fn outside(
    form: Option<FormWord>,
    prefix: Option<&At<String>>,
    faults: &mut Faults<'_>,
) -> Option<Outside> {
    const FORMS: &str = "\"typeid\", \"hex\", \"compact\" or \"base62\"";
    if let Some(FormWord::Sixteen(name)) = form {
        let made = Form::new(name, prefix.map_or("", |prefix| prefix.value.as_str()));
        return match (made, prefix) {
            (Ok(form), _) => Some(Outside::Sixteen(form)),
            (Err(PrefixError::Unwanted), Some(prefix)) => {
                let word = FormWord::Sixteen(name).word();
                let cause = format!("ids of the form \"{word}\" have no prefix");
                let advice = format!("remove prefix, or write form = {FORMS}");
                faults.add(prefix.line, cause, advice);
                None
            }
            (Err(error), Some(prefix)) => {
                let cause = format!("`{}` can't be a prefix: {error}", prefix.value);
                faults.add(prefix.line, cause, "write another prefix, such as \"usr\"");
                None
            }
            (Err(_), None) => None,
        };
    }
    if let Some(prefix) = prefix.filter(|prefix| !prefix.value.is_empty()) {
        let cause = match form {
            None => "ids of the form \"uuid\" have no prefix".to_owned(),
            Some(form) => format!("ids of the form \"{}\" have no prefix", form.word()),
        };
        let advice = format!("remove prefix, or write form = {FORMS}");
        faults.add(prefix.line, cause, advice);
    }
    Some(match form {
        None | Some(FormWord::Sixteen(_)) => Outside::Default,
        Some(FormWord::Native) => Outside::Native,
        Some(FormWord::Wide(form)) => Outside::Wide(form),
        Some(FormWord::Session40) => Outside::Session40,
    })
}
