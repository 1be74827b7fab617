//! The settings of the server on which the reading of texts depends, as ParameterStatus tells
//! them.

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
