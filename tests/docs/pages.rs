//! A page of the documentation: where it leads, and where one can be led to in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A page in Markdown.
pub(super) struct Page {
    pub(super) file: PathBuf,
    /// Where its links and snapshots lead, as they are written.
    pub(super) links: Vec<String>,
    /// What its headings are called in an address.
    pub(super) anchors: BTreeSet<String>,
}

impl Page {
    pub(super) fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap();
        let mut page = Self {
            file: file.canonicalize().unwrap(),
            links: Vec::new(),
            anchors: BTreeSet::new(),
        };
        let mut heading: Option<String> = None;
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.to_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(words) | Event::Code(words) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&words);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap());
                    // A heading that comes again gets a number.
                    let before = times.entry(anchor.clone()).or_default();
                    page.anchors.insert(match *before {
                        0 => anchor,
                        number => format!("{anchor}-{number}"),
                    });
                    *before += 1;
                }
                _ => {}
            }
        }
        page
    }
}

/// What GitHub calls a heading in an address.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars()
        .filter(|c| c.is_alphanumeric() || ['-', '_'].contains(c))
        .collect()
}

#[test]
fn names_headings_as_renderers_do() {
    assert_eq!(
        anchor("2. `check`: is every column decided on?"),
        "2-check-is-every-column-decided-on"
    );
    assert_eq!(anchor("TLS and authentication"), "tls-and-authentication");
}
