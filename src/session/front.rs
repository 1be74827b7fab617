//! The front of a read buffer: what passes is only counted at first, so that consecutive
//! messages leave as one slice.

use bytes::{Buf, BytesMut};

use crate::wire::Output;
use crate::wire::frame::Header;

/// Takes messages off the front of `input` and sends them, or others in their place, to `out`.
pub(super) struct Front<'a> {
    input: &'a mut BytesMut,
    /// The bytes at the front that pass as they are and have not been moved yet.
    run: usize,
    out: &'a mut Output,
}

impl<'a> Front<'a> {
    pub(super) const fn new(input: &'a mut BytesMut, out: &'a mut Output) -> Self {
        Self { input, run: 0, out }
    }

    /// What was not taken yet.
    pub(super) fn rest(&self) -> &[u8] {
        self.input.get(self.run..).unwrap_or_default()
    }

    /// Lets the next bytes pass as they are.
    pub(super) fn pass(&mut self, count: usize) {
        self.run = (self.run + count).min(self.input.len());
    }

    /// Lets all whole messages of a kind pass that come next.
    pub(super) fn pass_all(&mut self, kind: u8) {
        while let Ok(Some(header)) = Header::from_server(self.rest())
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
    }

    /// Takes the next bytes out.
    pub(super) fn take(&mut self, count: usize) -> BytesMut {
        self.flush();
        self.input.split_to(count.min(self.input.len()))
    }

    /// The place to build a message behind everything that has passed.
    pub(super) fn built(&mut self) -> &mut BytesMut {
        self.flush();
        self.out.buffer()
    }

    fn flush(&mut self) {
        if self.run > 0 {
            self.out.pass(self.input, self.run);
            self.run = 0;
        }
    }
}

impl Drop for Front<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}
