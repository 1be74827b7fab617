//! Notifications on their way to the client. They come unasked, from any session of the database
//! and from triggers, so that nothing is known of them but their words and what the configuration
//! says of their channel.

use bytes::{BufMut, BytesMut};

use super::documents::Stop;
use super::fatal::Fatal;
use super::front::Front;
use super::ids::{self, Echo, Shown};
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
use crate::wire::value::Scalar;

/// What becomes of a notification.
enum Fate {
    Passes,
    /// With this payload.
    Translated(BytesMut),
    Dropped,
}

impl Running {
    /// The key in the payload of a declared channel becomes its id. Any other notification in whose
    /// words a key may stand is dropped.
    pub(super) fn notification(
        &mut self,
        header: Header,
        front: &mut Front<'_>,
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
                self.shown_payload(*id, payload).map(Fate::Translated)
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
        let of = id.key_type;
        let key = Scalar::decode(payload, Format::Text, of).ok()?;
        let mut written = BytesMut::new();
        key.encode(Format::Text, of, &mut written);
        // Whose id the client sent in the place of a sentinel nobody can tell.
        let echo = Echo::default();
        let Shown::Encoded = self.codecs.shown(&echo, id.domain, &key, of) else {
            return None;
        };
        if written != payload {
            return None;
        }
        let key = ids::key_value(&key)?;
        let shown = self.codecs.encode(id.domain, &key)?;
        let mut out = BytesMut::new();
        ids::shown(&shown).encode(Format::Text, id.shown, &mut out);
        Some(out)
    }
}
