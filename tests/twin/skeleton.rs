//! What audit mode must not lose: the messages of an answer, whatever is in them. What is translated
//! there is answered like on the twin, message by message; what is passed on is answered as the server
//! likes, but completely.

use super::message::Message;

/// What is missing of an answer: rows that the tag counts, or that the twin's answer has.
pub(crate) fn missing(twin: Option<&[Message]>, answers: &[Message]) -> Option<String> {
    if let Some(uncounted) = uncounted(answers) {
        return Some(format!("{uncounted}: {answers:?}"));
    }
    let twin = twin?;
    let (wanted, found) = (letters(twin), letters(answers));
    (wanted != found).then(|| {
        format!("{wanted} of the twin, {found} here:\n    twin {twin:?}\n    here {answers:?}")
    })
}

/// The letters of messages.
fn letters(messages: &[Message]) -> String {
    messages.iter().map(letter).collect()
}

fn letter(message: &Message) -> char {
    match message {
        Message::ParameterDescription(_) => 't',
        Message::RowDescription(_) => 'T',
        Message::DataRow(_) => 'D',
        Message::CommandComplete(_) => 'C',
        Message::Error(_) => 'E',
        Message::Notice(_) => 'N',
        Message::ParameterStatus(..) => 'S',
        Message::ReadyForQuery(_) => 'Z',
        Message::Notification(..) => 'A',
        Message::Other(letter, _) => *letter,
    }
}

/// A tag that counts more rows than have come before it.
fn uncounted(answers: &[Message]) -> Option<String> {
    let mut rows = 0_usize;
    for answer in answers {
        match answer {
            Message::DataRow(_) => rows += 1,
            Message::CommandComplete(tag) => {
                let counted = tag.rsplit(' ').next()?.parse::<usize>();
                // A rule may add rows to those of the command itself.
                if rows > 0 && counted.is_ok_and(|counted| counted > rows) {
                    return Some(format!("{rows} rows before {tag}"));
                }
                rows = 0;
            }
            // The next Execute counts from the start.
            Message::Other('s', _) | Message::Error(_) => rows = 0,
            _ => {}
        }
    }
    let ends = matches!(answers.last(), Some(Message::ReadyForQuery(_)));
    (!ends).then(|| "no end".to_owned())
}
