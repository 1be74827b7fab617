//! Read buffers that connections share: a connection holds one only while it has something to
//! read, so that idle ones cost nothing and busy ones need not allocate for each message.

use std::sync::{Mutex, PoisonError};

use bytes::BytesMut;

use super::limits;

/// Buffers that nobody uses at the moment.
#[derive(Debug, Default)]
pub(super) struct Buffers(Mutex<Vec<BytesMut>>);

impl Buffers {
    /// An empty buffer with room for [`limits::READ_SMALL_BYTES`].
    pub(super) fn take(&self) -> BytesMut {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.unwrap_or_else(|| BytesMut::with_capacity(limits::READ_SMALL_BYTES))
    }

    /// Takes an empty buffer back, unless it is larger than others want, parts of it are still
    /// waiting to be written, or enough are here.
    pub(super) fn put(&self, mut buffer: BytesMut) {
        debug_assert!(
            buffer.is_empty(),
            "nobody may read what another connection left"
        );
        let fits = buffer.try_reclaim(limits::READ_SMALL_BYTES)
            && buffer.capacity() <= 2 * limits::READ_SMALL_BYTES;
        let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if fits && buffers.len() < limits::SPARE_BUFFERS {
            buffer.clear();
            buffers.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spare(buffers: &Buffers) -> usize {
        buffers.0.lock().unwrap().len()
    }

    #[test]
    fn a_buffer_comes_back_whole_and_empty() {
        let buffers = Buffers::default();
        let mut buffer = buffers.take();
        buffer.extend_from_slice(&[b'x'; 5000]);
        drop(buffer.split_to(5000));
        buffers.put(buffer);
        let again = buffers.take();
        assert!(again.is_empty() && again.capacity() >= limits::READ_SMALL_BYTES);
        assert_eq!(spare(&buffers), 0);
    }

    #[test]
    fn a_buffer_in_use_or_too_large_is_not_kept() {
        let buffers = Buffers::default();
        let mut buffer = buffers.take();
        buffer.extend_from_slice(&[b'x'; 5000]);
        let waiting = buffer.split_to(5000).freeze();
        buffers.put(buffer);
        assert_eq!(spare(&buffers), 0);
        drop(waiting);
        buffers.put(BytesMut::with_capacity(limits::READ_LARGE_BYTES));
        assert_eq!(spare(&buffers), 0);
    }

    #[test]
    fn only_so_many_are_kept() {
        let buffers = Buffers::default();
        for _ in 0..=limits::SPARE_BUFFERS {
            buffers.put(BytesMut::with_capacity(limits::READ_SMALL_BYTES));
        }
        assert_eq!(spare(&buffers), limits::SPARE_BUFFERS);
    }
}
