//! Choices read from the bytes of an input. An input that ends too early goes on with zeros, so
//! that each one is of use.

/// A cursor over an input.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// Starts at the first byte.
    pub const fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// Whether everything has been read.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    /// Whether the next byte is odd.
    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// A number below `count`, which is at most 256.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    /// One of several.
    pub fn choice<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// As many of the next bytes as two bytes in front of them say, if they are there.
    pub fn chunk(&mut self) -> &'a [u8] {
        let length = usize::from(self.byte()) << 8 | usize::from(self.byte());
        let (chunk, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        chunk
    }

    /// Everything that has not been read.
    pub const fn rest(self) -> &'a [u8] {
        self.0
    }
}

/// Sizes of pieces that are not all alike, from a few bytes of an input.
#[derive(Debug, Clone, Copy)]
pub struct Cuts(u32);

impl Cuts {
    /// As the input says.
    pub fn read(input: &mut Input<'_>) -> Self {
        Self(u32::from(input.byte()) << 8 | u32::from(input.byte()))
    }

    /// Cuts bytes into pieces, none of them empty.
    pub fn cut<'b>(&mut self, mut bytes: &'b [u8]) -> Vec<&'b [u8]> {
        let mut pieces = Vec::new();
        while !bytes.is_empty() {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Mostly small ones, where something may be cut in two.
            let size = 1 + (self.0 >> 16) as usize % if self.0 & 3 == 0 { 300 } else { 17 };
            let (piece, rest) = bytes.split_at(size.min(bytes.len()));
            pieces.push(piece);
            bytes = rest;
        }
        pieces
    }
}
