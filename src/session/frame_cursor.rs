//! The front of a read buffer: what passes is only counted at first, so that consecutive
//! messages leave as one slice.

use bytes::{Buf, Bytes, BytesMut};

use super::memory::{Exceeded, Lease, SMALL_BYTES};
use crate::wire::frame::Header;
use crate::wire::{Output, WireError};

/// A read buffer with less room than this gets more: the owner does not read into it.
const ROOM_BYTES: usize = 2 * 1024;

/// Takes messages off the front of `input` and sends them, or others in their place, to `out`.
pub(super) struct FrameCursor<'a> {
    input: &'a mut BytesMut,
    /// The bytes at the front that pass as they are and have not been moved yet.
    run: usize,
    out: &'a mut Output,
    lease: &'a mut Lease,
}

impl<'a> FrameCursor<'a> {
    pub(super) const fn new(
        input: &'a mut BytesMut,
        out: &'a mut Output,
        lease: &'a mut Lease,
    ) -> Self {
        Self {
            input,
            run: 0,
            out,
            lease,
        }
    }

    /// What was not taken yet.
    pub(super) fn rest(&self) -> &[u8] {
        self.input.get(self.run..).unwrap_or_default()
    }

    /// What was not taken yet, and what the session holds of the budget.
    pub(super) fn rest_and_lease(&mut self) -> (&[u8], &mut Lease) {
        let rest = self.input.get(self.run..).unwrap_or_default();
        (rest, self.lease)
    }

    /// What the session holds of the budget.
    pub(super) fn lease(&mut self) -> &mut Lease {
        self.lease
    }

    /// Lets the next bytes pass as they are.
    pub(super) fn pass(&mut self, count: usize) {
        self.run = (self.run + count).min(self.input.len());
    }

    /// Lets all whole messages of a kind pass that come next, whose headers are read in this way.
    pub(super) fn pass_all(
        &mut self,
        kind: u8,
        read: impl Fn(&[u8]) -> Result<Option<Header>, WireError>,
    ) {
        while let Ok(Some(header)) = read(self.rest())
            && header.kind == kind
            && header.total <= self.rest().len()
        {
            self.pass(header.total);
        }
    }

    /// Lets as many of `remaining` bytes pass as are there.
    pub(super) fn stream(&mut self, remaining: &mut usize) {
        let count = self.rest().len().min(*remaining);
        self.pass(count);
        *remaining -= count;
    }

    /// Drops the next bytes.
    pub(super) fn skip(&mut self, count: usize) {
        self.flush();
        self.input.advance(count.min(self.input.len()));
        self.let_go(count);
    }

    /// Takes the next bytes out.
    pub(super) fn take(&mut self, count: usize) -> BytesMut {
        self.flush();
        let taken = self.input.split_to(count.min(self.input.len()));
        self.let_go(count);
        taken
    }

    /// Lets the next bytes pass as they are, and gives them.
    pub(super) fn pass_kept(&mut self, count: usize) -> Bytes {
        let bytes = self.take(count).freeze();
        self.out.push(bytes.clone());
        bytes
    }

    /// The place to build a message behind everything that has passed.
    pub(super) fn built(&mut self) -> &mut BytesMut {
        self.flush();
        self.out.buffer()
    }

    /// The place to build a message of up to so many bytes behind everything that has passed.
    ///
    /// # Errors
    /// If it is large and there is no memory for it.
    pub(super) fn built_of(&mut self, bytes: usize) -> Result<&mut BytesMut, Exceeded> {
        self.flush();
        if bytes > SMALL_BYTES {
            self.out.build_in(self.lease.buffer(bytes)?);
        }
        Ok(self.out.buffer())
    }

    /// Makes room for what is missing of the message at the front, which is `total` bytes long. The
    /// room grows with what has arrived, so that an announcement costs nothing.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(super) fn grow(&mut self, total: usize) -> Result<(), Exceeded> {
        self.flush();
        let (have, room) = (self.input.len(), self.input.capacity());
        if total <= SMALL_BYTES || room >= total || room - have >= ROOM_BYTES {
            return Ok(());
        }
        // Halves of the whole: the last step is exact, and copies no more than was copied before.
        let mut size = total;
        while size / 2 >= SMALL_BYTES.max(2 * have) {
            size /= 2;
        }
        self.replace(size)
    }

    /// Makes room for the whole of a message of the server's, which sends what it announces: nothing of
    /// it is copied again while it comes, which takes long where it is large.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(super) fn make_room(&mut self, total: usize) -> Result<(), Exceeded> {
        self.flush();
        if total <= SMALL_BYTES || self.input.capacity() >= total {
            return Ok(());
        }
        self.replace(total)
    }

    /// Takes another buffer for what is there.
    fn replace(&mut self, size: usize) -> Result<(), Exceeded> {
        let room = self.input.capacity();
        let mut larger = self.lease.buffer(size)?;
        larger.extend_from_slice(self.input);
        *self.input = larger;
        self.lease.release(room);
        Ok(())
    }

    fn flush(&mut self) {
        if self.run > 0 {
            let run = std::mem::take(&mut self.run);
            self.out.pass(self.input, run);
            self.let_go(run);
        }
    }

    /// Parts from a buffer of which a large part is gone, lest the rest of it keep the whole.
    fn let_go(&mut self, gone: usize) {
        if gone > SMALL_BYTES && self.input.len() <= SMALL_BYTES {
            *self.input = BytesMut::from(&self.input[..]);
        }
    }
}

impl Drop for FrameCursor<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::memory::Memory;
    use super::*;

    /// Feeds a message in pieces and gives the largest room that its buffer had before so many
    /// bytes were there.
    fn rooms(total: usize, piece: usize) -> Vec<(usize, usize)> {
        let memory = Arc::new(Memory::default());
        let (mut lease, mut out) = (Lease::new(&memory), Output::default());
        let mut input = BytesMut::with_capacity(8192);
        let mut rooms = Vec::new();
        while input.len() < total {
            let room = (input.capacity() - input.len())
                .min(piece)
                .min(total - input.len());
            assert!(room > 0);
            input.extend_from_slice(&vec![b'x'; room]);
            if input.len() < total {
                let mut front = FrameCursor::new(&mut input, &mut out, &mut lease);
                front.grow(total).unwrap();
            }
            rooms.push((input.len(), input.capacity()));
        }
        rooms
    }

    #[test]
    fn room_grows_with_what_arrives_and_ends_exactly() {
        for total in [SMALL_BYTES + 1, 100_003, 1 << 20, 10_000_019] {
            for piece in [1500, 8192, 131_072] {
                let rooms = rooms(total, piece);
                assert_eq!(rooms.last(), Some(&(total, total)));
                for (have, room) in rooms {
                    let most = (4 * have).max(2 * SMALL_BYTES).min(total);
                    assert!(room <= most.max(8192), "{room} for {have} of {total}");
                }
            }
        }
    }

    #[test]
    fn for_a_message_of_the_server_there_is_room_at_once_as_far_as_there_is_memory() {
        let memory = Arc::new(Memory::default());
        let (mut lease, mut out) = (Lease::new(&memory), Output::default());
        let mut input = BytesMut::from(&b"begins"[..]);
        let mut front = FrameCursor::new(&mut input, &mut out, &mut lease);
        front.make_room(10_000_019).unwrap();
        front.make_room(10_000_019).unwrap();
        drop(front);
        assert_eq!((&input[..], input.capacity()), (&b"begins"[..], 10_000_019));
        let mut small = BytesMut::from(&b"begins"[..]);
        let mut front = FrameCursor::new(&mut small, &mut out, &mut lease);
        front.make_room(SMALL_BYTES).unwrap();
        drop(front);
        assert!(small.capacity() < SMALL_BYTES);
    }

    #[test]
    fn the_rest_of_a_large_message_does_not_keep_its_buffer() {
        let memory = Arc::new(Memory::default());
        let (mut lease, mut out) = (Lease::new(&memory), Output::default());
        let whole = BytesMut::from(&[b'x'; 1_000_000][..]);
        for leave in [0, 10] {
            let mut input = whole.clone();
            let begin = input.as_ptr() as usize;
            let mut front = FrameCursor::new(&mut input, &mut out, &mut lease);
            drop(front.take(1_000_000 - leave));
            drop(front);
            assert_eq!(input.len(), leave);
            let place = input.as_ptr() as usize;
            assert!(!(begin..begin + 1_000_000).contains(&place));
        }
    }
}
