//! Changes of inputs, the same ones for the same number at the start. No match for a fuzzer that
//! watches the coverage, but it runs everywhere.

/// Bytes and words that parsers care about.
const TOKENS: &[&[u8]] = &[
    b"\0\0\0\x04",
    b"\0\0\0\0",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\0\x01",
    b"\xff\xff",
    b"\0",
    b"{",
    b"}",
    b"\"",
    b"'",
    b"$1",
    b"--",
    b"/*",
    b"*/",
    b"$$",
    b";",
    b"(",
    b")",
    b"[",
    b"\\",
    b"\\.",
    b"\n",
    b"\r\n",
    b"\t",
    b",",
    b"NULL",
    b"E'",
    b"U&'",
    b"::",
    b"id",
    b"user_id",
    b" users ",
    b"SELECT ",
    b" FROM ",
    b" UNION ",
    b"WITH ",
    b"~",
    b"-",
    b"9223372036854775808",
    b"00000000-0000-0000-0000-000000000000",
    b"\xc3\xa4",
    b"\x81\x5c",
    b"Z\0\0\0\x05I",
    b"S\0\0\0\x04",
];

/// Makes new inputs from given ones.
pub(crate) struct Mutator<'s> {
    state: u64,
    seeds: &'s [Vec<u8>],
}

impl<'s> Mutator<'s> {
    pub(crate) fn new(start: u64, seeds: &'s [Vec<u8>]) -> Self {
        Self {
            state: start.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            seeds,
        }
    }

    /// xorshift64*
    fn below(&mut self, count: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let number = self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(number).unwrap_or(0) % count.max(1)
    }

    /// A seed with one to six changes.
    pub(crate) fn next(&mut self) -> Vec<u8> {
        let mut input = self.seeds[self.below(self.seeds.len())].clone();
        for _ in 0..=self.below(6) {
            self.change(&mut input);
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let end = (at + 1 + self.below(16)).min(input.len());
        match self.below(8) {
            0 | 1 if at < input.len() => input[at] ^= 1 << self.below(8),
            2 if at < input.len() => input[at] = u8::try_from(self.below(256)).unwrap_or(0),
            3 => drop(input.drain(at.min(end)..end)),
            4 => {
                let piece = input[at.min(end)..end].to_vec();
                let to = self.below(input.len() + 1);
                input.splice(to..to, piece);
            }
            5 => {
                let other = &self.seeds[self.below(self.seeds.len())];
                let from = self.below(other.len() + 1);
                let length = self.below(64).min(other.len() - from);
                input.splice(at..at, other[from..from + length].iter().copied());
            }
            6 => input.truncate(at),
            _ => {
                let token = TOKENS[self.below(TOKENS.len())];
                let to = if self.below(2) == 0 { at } else { end.max(at) };
                input.splice(at..to, token.iter().copied());
            }
        }
    }
}
