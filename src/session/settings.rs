//! The settings of the server on which the reading of texts depends, as ParameterStatus tells
//! them; and when they may have changed without its having told yet, which it does at the end of a
//! batch.

use crate::sql::plan::{Effect, PathChange};
use crate::wire::backend::TransactionStatus;

/// Whether the settings are those by which the server will read the next text.
#[derive(Debug, Default)]
pub(super) struct Doubt {
    /// Something in this batch, or before it, may change them.
    until: Option<u64>,
    /// The open transaction has changed them: its end, or an error, changes them back.
    changed: bool,
}

impl Doubt {
    /// Takes note of a statement that is being forwarded. Returns whether doubts have begun.
    pub(super) fn foresee(&mut self, effect: &Effect, batch: u64) -> bool {
        // Whatever may change the path unseen may change these too.
        if !(effect.settings || effect.search_path == PathChange::Unknown || self.changed) {
            return false;
        }
        self.until.replace(batch).is_none()
    }

    /// ParameterStatus has told a change.
    pub(super) const fn told(&mut self) {
        self.changed = true;
    }

    /// A batch has been answered. Returns whether doubts have ended.
    pub(super) fn answered(&mut self, batch: u64, status: TransactionStatus) -> bool {
        self.changed &= status != TransactionStatus::Idle;
        self.until.take_if(|until| *until <= batch).is_some()
    }

    pub(super) const fn is_there(&self) -> bool {
        self.until.is_some()
    }

    /// Whether the open transaction has changed the settings.
    pub(super) const fn may_change_back(&self) -> bool {
        self.changed
    }
}

/// The settings.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) standard_conforming_strings: bool,
    pub(super) client_encoding: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            standard_conforming_strings: true,
            client_encoding: "UTF8".to_owned(),
        }
    }
}

impl Settings {
    /// Takes a ParameterStatus. Returns whether it has changed anything.
    pub(super) fn take(&mut self, name: &[u8], value: &[u8]) -> bool {
        match name {
            b"standard_conforming_strings" => {
                let on = value == b"on";
                std::mem::replace(&mut self.standard_conforming_strings, on) != on
            }
            b"client_encoding" => {
                let encoding = String::from_utf8_lossy(value).into_owned();
                let changed = self.client_encoding != encoding;
                self.client_encoding = encoding;
                changed
            }
            _ => false,
        }
    }

    pub(super) fn is_utf8(&self) -> bool {
        self.client_encoding == "UTF8"
    }
}
