//! Notifications on their way to the client. They come unasked, from any session of the database
//! and from triggers, so that nothing is known of them but their words and what the configuration
//! says of their channel.

use bytes::{BufMut, BytesMut};

use super::documents::Stop;
use super::fatal::Fatal;
use super::frame_cursor::FrameCursor;
use super::ids::{self, Resolution, Sentinels};
use super::json;
use super::running::Running;
use super::shared::Mode;
use super::stage::Stage;
use crate::audit::Event;
use crate::catalog::{ChannelId, IdType};
use crate::splice::Splice;
use crate::sql;
use crate::wire::backend::Notification;
use crate::wire::frame::{self, Header};
use crate::wire::frontend::Format;
use crate::wire::json::{Kind, quote, unescape};
use crate::wire::value::{self, Malformed, Scalar, Shape, Types};

/// What becomes of a notification.
enum Fate {
    Passes,
    /// With this payload.
    Translated(BytesMut),
    Dropped,
}

/// What is no key, or one that must not be shown.
struct NoKey;

impl From<Malformed<'_>> for NoKey {
    fn from(_: Malformed<'_>) -> Self {
        Self
    }
}

impl Running {
    /// The key in the payload of a declared channel becomes its id. Any other notification in whose
    /// words a key may stand is dropped.
    pub(super) fn notification(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
    ) -> Result<(), Fatal> {
        self.reach(Stage::Notification);
        let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
        let notification = Notification::decode(body).map_err(Fatal::Server)?;
        match self.fate(&notification)? {
            Fate::Passes => front.pass(header.total),
            Fate::Translated(payload) => {
                let frame = front.take(header.total);
                let body = frame::body(&frame, header).map_err(Fatal::Server)?;
                let notification = Notification::decode(body).map_err(Fatal::Server)?;
                let shown = Notification {
                    payload: &payload,
                    ..notification
                };
                shown.encode(front.built());
            }
            Fate::Dropped => {
                let passed = self.mode == Mode::Audit;
                self.codecs
                    .teller
                    .tell(Event::NotificationDropped { passed });
                match passed {
                    true => front.pass(header.total),
                    false => front.skip(header.total),
                }
            }
        }
        Ok(())
    }

    fn fate(&self, notification: &Notification<'_>) -> Result<Fate, Fatal> {
        let Notification {
            channel, payload, ..
        } = *notification;
        let snapshot = &self.catalog().snapshot;
        let channel_name = std::str::from_utf8(channel).ok();
        if channel_name.is_some_and(|channel| snapshot.is_free_channel(channel)) {
            return Ok(Fate::Passes);
        }
        let declared = channel_name.and_then(|channel| snapshot.channel(channel));
        let shown = match declared {
            Some([ChannelId { path, id }]) if path.is_empty() => {
                let shown = match payload.starts_with(b"{") {
                    true => self.shown_array(*id, payload),
                    false => self.shown_payload(*id, payload),
                };
                shown.map(Fate::Translated)
            }
            Some(ids) => self.shown_document(ids, payload)?,
            None => None,
        };
        if let Some(fate) = shown {
            return Ok(fate);
        }
        let stored = self.catalog().stored;
        let doubtful = declared.is_none() && stored.names_key(channel) || stored.occur_in(payload);
        Ok(if doubtful && snapshot.has_ids() {
            Fate::Dropped
        } else {
            Fate::Passes
        })
    }

    /// A document with ids in the place of keys. The configuration says where all of them are; what
    /// stands there and is no key is nothing to be shown. `None` for what is no such document.
    fn shown_document(&self, ids: &[ChannelId], payload: &[u8]) -> Result<Option<Fate>, Fatal> {
        let shape = sql::channel_shape(ids, "");
        let (mut out, mut seen) = (BytesMut::new(), false);
        let mut splice = Splice::new(payload);
        let walked = json::walk(&shape, payload, |part| {
            let json::Part::Id(found) = part else {
                return Err(Stop::Fault);
            };
            if found.kind == Kind::Null {
                return Ok(());
            }
            let value = splice.replace(found.start..found.end, &mut out)?.replaced;
            let key = match found.kind {
                Kind::String => unescape(value)?,
                _ => value.into(),
            };
            let id = found.leaf.usage.id;
            seen = true;
            let shown = self.shown_payload(id, &key).ok_or(Stop::Fault)?;
            if found.kind == Kind::Number && id.shown.is_integer() {
                out.put_slice(&shown);
            } else {
                let mut string = Vec::new();
                quote(&shown, &mut string);
                out.put_slice(&string);
            }
            Ok::<_, Stop>(())
        });
        match (seen, walked) {
            (_, Err(Stop::Fatal(fatal))) => Err(fatal),
            // A document of another shape is not what was declared.
            (false, _) => Ok(None),
            (true, Ok(())) => {
                splice.finish(&mut out)?;
                Ok(Some(Fate::Translated(out)))
            }
            (true, Err(Stop::Fault)) => Ok(Some(Fate::Dropped)),
        }
    }

    /// The id of a key that is written as Postgres writes it.
    fn shown_payload(&self, id: IdType, payload: &[u8]) -> Option<BytesMut> {
        let key = Scalar::decode(payload, Format::Text, id.key_type).ok()?;
        let mut written = BytesMut::new();
        key.encode(Format::Text, id.key_type, &mut written);
        let mut out = BytesMut::new();
        (self.shown_key(id, &key).ok()?).encode(Format::Text, id.shown, &mut out);
        (written == payload).then_some(out)
    }

    /// The ids of keys in an array that is written as Postgres writes it.
    fn shown_array(&self, id: IdType, payload: &[u8]) -> Option<BytesMut> {
        let translated = |to, show: &dyn Fn(Scalar<'_>) -> Result<Scalar<'static>, NoKey>| {
            let from = id.key_type;
            let (types, mut out) = (Types { from, to }, BytesMut::new());
            value::translate(payload, Format::Text, types, Shape::Array, &mut out, show).ok()?;
            Some(out)
        };
        let written = translated(id.key_type, &|key| Ok(key.into_owned()))?;
        let shown = translated(id.shown, &|key| self.shown_key(id, &key));
        shown.filter(|_| written == payload)
    }

    /// The id of a key. Whose id the client sent in the place of a sentinel nobody can tell.
    fn shown_key(&self, id: IdType, key: &Scalar<'_>) -> Result<Scalar<'static>, NoKey> {
        let sentinels = Sentinels::default();
        let Resolution::Encoded = self.codecs.shown(&sentinels, id.domain, key, id.key_type) else {
            return Err(NoKey);
        };
        let shown = ids::key_value(key).and_then(|key| self.codecs.encode(id.domain, &key));
        shown.map_or(Err(NoKey), |shown| Ok(ids::shown(&shown).into_owned()))
    }
}
