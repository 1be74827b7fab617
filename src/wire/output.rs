//! Bytes on their way to a socket: slices of read buffers that pass as they are, and messages
//! built anew, in order. It implements [`Buf`], so that a vectored write takes them in one call.

use std::collections::VecDeque;
use std::io::IoSlice;

use bytes::{Buf, Bytes, BytesMut};

/// Shorter runs are copied behind the built messages: cheaper than one more slice to count
/// references of and to hand to the kernel.
const COPY_BELOW_BYTES: usize = 1024;

/// An empty buffer larger than this is given back, so that idle connections stay small.
const KEEP_BYTES: usize = 16 * 1024;

/// A queue of bytes to be written.
#[derive(Debug, Default)]
pub struct Output {
    /// What comes first; no chunk is empty.
    chunks: VecDeque<Bytes>,
    /// The sum of the lengths of `chunks`.
    chunked: usize,
    /// What has been written of the first chunk: its memory is there until the end of it.
    written: usize,
    /// What comes last.
    tail: BytesMut,
}

impl Output {
    /// The number of bytes to be written.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunked + self.tail.len()
    }

    /// Whether there is nothing to be written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of memory that it takes, written parts of slices included.
    #[must_use]
    pub fn held(&self) -> usize {
        self.chunked + self.written + self.tail.capacity()
    }

    /// The place to build messages at: append only.
    pub fn buffer(&mut self) -> &mut BytesMut {
        &mut self.tail
    }

    /// Takes the first `count` bytes of `input` (at most all of them) as they are.
    pub fn pass(&mut self, input: &mut BytesMut, count: usize) {
        let count = count.min(input.len());
        if count == 0 {
            return;
        }
        if count < COPY_BELOW_BYTES {
            self.tail
                .extend_from_slice(input.get(..count).unwrap_or_default());
            input.advance(count);
            return;
        }
        self.push(input.split_to(count).freeze());
    }

    /// Appends a slice.
    pub fn push(&mut self, bytes: Bytes) {
        if bytes.is_empty() {
            return;
        }
        self.close_tail();
        self.chunked += bytes.len();
        self.chunks.push_back(bytes);
    }

    /// Lets the next messages be built in this buffer.
    pub fn build_in(&mut self, buffer: BytesMut) {
        self.close_tail();
        self.tail = buffer;
    }

    fn close_tail(&mut self) {
        if !self.tail.is_empty() {
            let built = self.tail.split().freeze();
            self.chunked += built.len();
            self.chunks.push_back(built);
        }
    }

    /// Forgets everything behind the first `count` bytes.
    pub fn truncate(&mut self, count: usize) {
        if let Some(built) = count.checked_sub(self.chunked) {
            self.tail.truncate(built);
            return;
        }
        self.tail.clear();
        while let Some(mut last) = self.chunks.pop_back() {
            self.chunked -= last.len();
            if let Some(kept) = count.checked_sub(self.chunked).filter(|kept| *kept > 0) {
                last.truncate(kept);
                self.chunked += last.len();
                self.chunks.push_back(last);
                return;
            }
        }
    }

    /// Forgets everything that is not written yet.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Buf for Output {
    fn remaining(&self) -> usize {
        self.len()
    }

    fn chunk(&self) -> &[u8] {
        self.chunks.front().map_or(&self.tail[..], |chunk| chunk)
    }

    fn chunks_vectored<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        let tail = Some(&self.tail[..]).filter(|tail| !tail.is_empty());
        let chunks = self.chunks.iter().map(|chunk| &chunk[..]).chain(tail);
        let mut count = 0;
        for (slot, chunk) in slices.iter_mut().zip(chunks) {
            *slot = IoSlice::new(chunk);
            count += 1;
        }
        count
    }

    /// # Panics
    /// If `count` exceeds [`Buf::remaining`], as `Buf` demands.
    fn advance(&mut self, mut count: usize) {
        while let Some(first) = self.chunks.front_mut() {
            if count < first.len() {
                first.advance(count);
                self.chunked -= count;
                self.written += count;
                return;
            }
            count -= first.len();
            self.chunked -= first.len();
            self.written = 0;
            self.chunks.pop_front();
        }
        self.tail.advance(count);
        if self.tail.is_empty() && self.tail.capacity() > KEEP_BYTES {
            self.tail = BytesMut::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_order_of_passed_and_built_bytes() {
        let mut output = Output::default();
        output.buffer().extend_from_slice(b"built ");
        let mut input = BytesMut::from(&[b'x'; 3000][..]);
        output.pass(&mut input, 2000);
        output.pass(&mut input, 10);
        assert_eq!(input.len(), 990);
        assert_eq!(output.len(), 2016);
        let mut slices = [IoSlice::new(&[]); 4];
        assert_eq!(output.chunks_vectored(&mut slices), 3);
        output.advance(2007);
        assert_eq!(output.chunk(), b"xxxxxxxxx");
        output.advance(9);
        assert!(output.is_empty());
    }

    #[test]
    fn is_cut_off_anywhere() {
        for kept in 0..=2016 {
            let mut output = Output::default();
            output.buffer().extend_from_slice(b"built ");
            output.pass(&mut BytesMut::from(&[b'x'; 2000][..]), 2000);
            output.buffer().extend_from_slice(&[b'y'; 10]);
            output.truncate(kept);
            assert_eq!(output.len(), kept);
            output.push(Bytes::from_static(b"z"));
            let all: Vec<u8> = output.copy_to_bytes(kept + 1).into();
            let whole = [&b"built "[..], &[b'x'; 2000], &[b'y'; 10]].concat();
            assert_eq!(all, [&whole[..kept], b"z"].concat());
        }
    }
}
