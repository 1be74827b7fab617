use super::super::lex::lex;
use super::super::split::split;
use super::*;

fn tree(text: &str) -> Result<Statement, ParseError> {
    let tokens = lex(text, true).unwrap();
    let statements = split(text, &tokens);
    parse(text, &tokens[statements[0].clone()])
}

/// The statement as sqlparser prints it.
fn printed(text: &str) -> String {
    match tree(text) {
        Ok(statement) => statement.to_string(),
        Err(error) => format!("{error:?}"),
    }
}
