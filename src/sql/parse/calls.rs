//! Calls with a list of expressions for arguments and nothing else, which is what most calls have.
//! sqlparser takes five functions and eleven kilobytes of the stack for what may stand there besides,
//! for each level of calls in calls.

use std::collections::HashSet;

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments,
    ObjectName,
};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token as ParserToken;

use super::super::lex::{Partners, Token};
use super::range;

/// The words by which something else begins among the arguments of a call.
const INSIDE: [&str; 18] = [
    "absent",
    "all",
    "as",
    "distinct",
    "having",
    "ignore",
    "limit",
    "on",
    "order",
    "respect",
    "returning",
    "select",
    "separator",
    "value",
    "values",
    "variadic",
    "where",
    "with",
];

/// Those by which it begins behind them.
const BEHIND: [&str; 5] = ["filter", "ignore", "over", "respect", "within"];

/// Where the brackets open in a statement that can be around such a list.
#[derive(Debug, Default)]
pub(super) struct Lists(HashSet<usize>);

impl Lists {
    pub(super) fn of(text: &str, tokens: &[Token<'_>], partners: &Partners) -> Self {
        let is_else = |token: &Token<'_>| match token.keyword() {
            Some(word) => INSIDE.contains(&word),
            None => ["*", ":", ":=", "=>"].contains(&token.written(text)),
        };
        let found = tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| is_else(token));
        let found = found.filter_map(|(index, _)| partners.around(index));
        let others: HashSet<usize> = found.collect();
        let is_list = |open: &usize| {
            let Some(close) = partners.of_bracket(*open) else {
                return false;
            };
            let behind = tokens.get(close + 1).and_then(Token::keyword);
            // What has no argument may have something else.
            close > open + 1
                && !behind.is_some_and(|word| BEHIND.contains(&word))
                && !others.contains(open)
        };
        let is_behind_name = |open: &usize| {
            let before = open.checked_sub(1).and_then(|before| tokens.get(before));
            tokens[*open].written(text) == "(" && before.and_then(Token::word).is_some()
        };
        let open = (0..tokens.len()).filter(is_behind_name).filter(is_list);
        Self(open.map(|open| tokens[open].span.start).collect())
    }

    /// Parses the call of a function, behind whose name the parser stands.
    pub(super) fn call(
        &self,
        parser: &mut Parser<'_>,
        name: ObjectName,
    ) -> Result<Expr, ParserError> {
        let open = range(parser.peek_token_ref().span).start;
        if !self.0.contains(&open) {
            return parser.parse_function(name);
        }
        let args = bracketed(parser)?.into_iter();
        let args = args
            .map(|arg| FunctionArg::Unnamed(FunctionArgExpr::Expr(arg)))
            .collect();
        let list = FunctionArgumentList {
            duplicate_treatment: None,
            args,
            clauses: Vec::new(),
        };
        Ok(Expr::Function(Function {
            name,
            uses_odbc_syntax: false,
            parameters: FunctionArguments::None,
            args: FunctionArguments::List(list),
            null_treatment: None,
            filter: None,
            over: None,
            within_group: Vec::new(),
        }))
    }
}

/// Parses a bracket with expressions in it, before which the parser stands.
pub(super) fn bracketed(parser: &mut Parser<'_>) -> Result<Vec<Expr>, ParserError> {
    parser.advance_token();
    let mut parts = vec![parser.parse_expr()?];
    while parser.consume_token(&ParserToken::Comma) {
        parts.push(parser.parse_expr()?);
    }
    parser.expect_token(&ParserToken::RParen)?;
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::super::super::lex::{Partners, lex};
    use super::Lists;

    #[test]
    fn a_list_has_nothing_but_expressions() {
        for (text, lists) in [
            ("f(a, $1 + 2)", 1),
            ("f(g(h(a)), b)", 3),
            ("f(g(distinct a))", 1),
            ("f()", 0),
            ("count(*)", 0),
            ("f(t.*)", 0),
            ("f(a order by b)", 0),
            ("f(a) over w", 0),
            ("f(a) filter (where b)", 0),
            ("f(a => 1)", 0),
            ("f(a := 1)", 0),
            ("f('a' : 1)", 0),
            ("f('a' value 1)", 0),
            ("f((select * from t order by a))", 1),
            ("(a, b)", 0),
            ("f(a", 0),
        ] {
            let tokens = lex(text, true).unwrap();
            let partners = Partners::of(text, &tokens);
            assert_eq!(Lists::of(text, &tokens, &partners).0.len(), lists, "{text}");
        }
    }
}
