//! What a session turns values with: the codecs, which all sessions share, and its own tags.

use std::sync::Arc;

use super::tags::Tags;
use crate::catalog::{DomainId, IdAnnotation};
use crate::codec::Codec;

/// Turns keys into ids and back, for one session.
#[derive(Debug)]
pub(super) struct Codecs {
    codecs: Arc<[Arc<Codec>]>,
    annotations: Arc<[IdAnnotation]>,
    /// By what this session knows its tags. Those of another one are text like any other.
    pub(super) tags: Tags,
}

impl Codecs {
    /// The codecs of a configuration with tags that are new.
    pub(super) fn new(codecs: Arc<[Arc<Codec>]>, annotations: Arc<[IdAnnotation]>) -> Self {
        Self {
            codecs,
            annotations,
            tags: Tags::random(),
        }
    }

    pub(super) fn codec(&self, domain: DomainId) -> Option<&Codec> {
        self.codecs.get(usize::from(domain.0)).map(|codec| &**codec)
    }

    /// The name that the configuration gives a domain.
    pub(super) fn domain_name(&self, domain: DomainId) -> Option<&str> {
        let annotation = self.annotations.get(usize::from(domain.0));
        annotation.map(|annotation| annotation.name.as_str())
    }
}
