//! Which answers a session is owed that passes everything on, by the messages alone.

use std::collections::VecDeque;

/// The answers that end with ReadyForQuery, in their order.
#[derive(Debug, Default)]
pub(super) struct Owed {
    sent: VecDeque<Sent>,
    /// The server takes data of COPY, and no notice of a Sync; so many have been sent by then.
    copying: Option<usize>,
    /// Some may have been counted that the server has taken no notice of.
    doubtful: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sent {
    /// A Query or a function call: answered for certain.
    Query,
    /// A Sync: answered unless the server takes data when it reads it.
    Sync,
    /// The end of the data of a COPY, which has no such answer.
    End,
}

impl Owed {
    /// The one behind the login.
    pub(super) fn first() -> Self {
        Self {
            sent: [Sent::Query].into(),
            ..Self::default()
        }
    }

    /// Whether no answer is owed.
    pub(super) fn is_empty(&self) -> bool {
        self.sent.iter().all(|sent| *sent == Sent::End)
    }

    /// Takes down that the client has sent a message of this kind.
    pub(super) fn send(&mut self, kind: u8) {
        match kind {
            b'Q' | b'F' => self.sent.push_back(Sent::Query),
            b'S' => match &mut self.copying {
                Some(syncs) => *syncs += 1,
                None => self.sent.push_back(Sent::Sync),
            },
            b'c' | b'f' if self.copying.take().is_none() && !self.is_empty() => {
                self.sent.push_back(Sent::End);
            }
            _ => {}
        }
    }

    /// Takes down one that the server ends the connection for, once it has answered the others.
    pub(super) fn send_last(&mut self) {
        self.sent.push_back(Sent::Query);
    }

    /// The server has begun to take data: for the query in front, or for a portal.
    pub(super) fn copy(&mut self) {
        let ends = self.sent.iter().position(|sent| *sent == Sent::End);
        let query = self.sent.front().is_some_and(|sent| *sent == Sent::Query);
        let from = usize::from(query);
        match ends {
            Some(end) if end >= from => drop(self.sent.drain(from..=end)),
            Some(_) => {}
            None => {
                self.sent.truncate(from);
                self.copying = Some(0);
            }
        }
    }

    /// The server has raised an error: what came behind it, while it was taken to take data, it may
    /// have read as messages.
    pub(super) fn fail(&mut self) {
        for _ in 0..self.copying.take().unwrap_or(0) {
            self.sent.push_back(Sent::Sync);
            self.doubtful = true;
        }
    }

    /// The server is ready. `at_rest` says that it is in no transaction, that nothing has come behind
    /// it, and that nothing is under way whose answer must not be taken for an earlier one.
    pub(super) fn ready(&mut self, at_rest: bool) {
        while self.sent.pop_front() == Some(Sent::End) {}
        if self.doubtful && at_rest {
            self.doubtful = false;
            self.sent.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is sent, and `G`, `!` and `Z` for what the server answers.
    fn owed(flow: &str) -> Owed {
        let mut owed = Owed::default();
        for kind in flow.bytes() {
            match kind {
                b'G' => owed.copy(),
                b'!' => owed.fail(),
                b'Z' => owed.ready(true),
                _ => owed.send(kind),
            }
        }
        owed
    }

    #[test]
    fn what_is_answered_is_owed_no_longer() {
        for flow in [
            "QZ",
            "SZ",
            "QQZZ",
            // By a query: data, their end.
            "QGdcZ",
            "QGdSScZ",
            "QQGdcZQZZ",
            // By a portal: with a Sync that is taken for nothing, or with the end sent at once.
            "ESGdcSZ",
            "EGdcSZ",
            "ESGdSScSZ",
            "ESdcSGZ",
            "QSdcGZ",
            "ESGf!SZ",
            "ESGd!SZZ",
        ] {
            assert!(owed(flow).is_empty(), "{flow}: {:?}", owed(flow));
        }
        for flow in ["Q", "QQZ", "QGd", "QGdc", "ESGdcS", "ESGdcSZQ"] {
            assert!(!owed(flow).is_empty(), "{flow}: {:?}", owed(flow));
        }
    }
}
