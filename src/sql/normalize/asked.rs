//! Which blanks an analysis has asked for the value of.
//!
//! A plan holds for all values of the literals that nobody has asked for, and for no others: some
//! of what an analysis decides lies in a constant (the channel of `pg_notify`, the member that
//! `->>` names). Whoever reads a string goes through [`note`], so that none can forget to tell.
//! For that it is kept per thread, between the beginning and the end of one analysis: an argument
//! to each function that reads a constant is an argument that the next one would do without.

use std::cell::RefCell;

thread_local! {
    /// Where the blanks begin that were asked for; `None` while nobody listens.
    static ASKED: RefCell<Option<Vec<usize>>> = const { RefCell::new(None) };
}

/// Ends the listening, also when the analysis panics.
struct Listening {
    before: Option<Vec<usize>>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        ASKED.set(self.before.take());
    }
}

/// Runs an analysis; with its result come the places of the blanks that it has asked for, in
/// ascending order.
pub(super) fn listen<T>(analysis: impl FnOnce() -> T) -> (T, Vec<usize>) {
    let listening = Listening {
        before: ASKED.replace(Some(Vec::new())),
    };
    let result = analysis();
    let mut asked = ASKED.take().unwrap_or_default();
    drop(listening);
    asked.sort_unstable();
    asked.dedup();
    (result, asked)
}

/// Records that someone would have read the blank that begins here.
pub(super) fn note(place: usize) {
    ASKED.with_borrow_mut(|asked| asked.iter_mut().for_each(|asked| asked.push(place)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_was_asked_for_meanwhile_and_nothing_else() {
        note(1);
        let (inner, outer) = listen(|| {
            note(7);
            let ((), inner) = listen(|| note(3));
            note(5);
            note(7);
            inner
        });
        assert_eq!((inner, outer), (vec![3], vec![5, 7]));
        let panics = std::panic::catch_unwind(|| listen(|| panic!("a bug")));
        assert!(panics.is_err());
        assert!(ASKED.take().is_none());
    }
}
