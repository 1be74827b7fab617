//! The CONTEXT of an error: the frames of the code that it was raised in, the innermost first.
//!
//! A frame of PL/pgSQL is written by the server, from the signature of a function and the place in
//! its body (`plpgsql_exec_error_callback`). Others quote statements, and so values: what stands
//! behind the first of them could have been put into such a quotation.

use super::mask::KeyTypes;

const FRAME: &[u8] = b"PL/pgSQL function ";
const LINE: &[u8] = b" line ";

/// The frames with `***` in the place of everything that could be a key. The lines of frames of
/// PL/pgSQL stay.
pub(super) fn masked(stored: KeyTypes, frames: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(frames.len());
    let mut rest = frames;
    while let Some((signature, line, behind)) = frame(rest) {
        out.extend_from_slice(FRAME);
        out.extend_from_slice(&stored.masked(signature));
        out.extend_from_slice(line);
        rest = behind;
    }
    out.extend_from_slice(&stored.masked(rest));
    out
}

/// Cuts the first frame into the function's signature and ` line 3 at RAISE`, with the end of the
/// line.
fn frame(frames: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let end = memchr::memchr(b'\n', frames).map_or(frames.len(), |end| end + 1);
    let (frame, behind) = frames.split_at_checked(end)?;
    let frame = frame.strip_prefix(FRAME)?;
    let (signature, place) = frame.split_at_checked(memchr::memmem::rfind(frame, LINE)?)?;
    let number = place.strip_prefix(LINE)?;
    let digits = number.iter().take_while(|c| c.is_ascii_digit()).count();
    let place_in_words = number.get(digits..)?.trim_ascii_end();
    // `at SQL statement`, `during statement block entry`: words of the language.
    let is_word = |c: &u8| c.is_ascii_alphabetic() || *c == b' ';
    let is_place = [&b" at "[..], b" during "]
        .iter()
        .any(|word| place_in_words.starts_with(word));
    let is_place = is_place && digits > 0 && place_in_words.iter().all(is_word);
    is_place.then_some((signature, place, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(frames: &str) -> String {
        let stored = KeyTypes::default();
        String::from_utf8(masked(stored, frames.as_bytes())).unwrap()
    }

    #[test]
    fn the_lines_of_functions_stay() {
        let frames = "PL/pgSQL function pay(bigint) line 3 at RAISE\n\
             PL/pgSQL function pay_all() line 12 at FOR over SELECT rows";
        assert_eq!(shown(frames), frames);
    }

    #[test]
    fn what_is_quoted_and_what_could_be_quoted_is_masked() {
        assert_eq!(
            shown(
                "PL/pgSQL function pay_7() line 3 at RAISE\n\
                 SQL statement \"SELECT pay(42)\n\
                 PL/pgSQL function x() line 42 at RAISE\"\n\
                 PL/pgSQL function pay_all() line 12 at PERFORM"
            ),
            "PL/pgSQL function pay_***() line 3 at RAISE\n\
             SQL statement \"SELECT pay(***)\n\
             PL/pgSQL function x() line *** at RAISE\"\n\
             PL/pgSQL function pay_all() line *** at PERFORM"
        );
        for frames in [
            "PL/pgSQL function f() line 42",
            "PL/pgSQL function f() line 42 at user 5",
            "PL/pgSQL function f() line 42 behind RAISE",
        ] {
            assert!(!shown(frames).contains("42"));
        }
    }
}
