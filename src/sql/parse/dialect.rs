//! sqlparser's Postgres dialect with Postgres's own precedences and aliases.

use std::any::TypeId;
use std::collections::HashSet;

use sqlparser::ast::{BinaryOperator, Expr, Ident, ObjectName, UnaryOperator};
use sqlparser::dialect::{Dialect, PostgreSqlDialect, Precedence};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::calls::{Lists, bracketed};
use super::range;

/// Postgres. Where sqlparser's dialect would build another tree than Postgres does, this one
/// differs; all else it leaves to it.
#[derive(Debug)]
pub(super) struct Postgres {
    /// Where the AND and OR begin of which chains become balanced trees. Both give the same in
    /// whatever order they are carried out; as they are written, a chain is as deep as it is long.
    pub(super) chained: HashSet<usize>,
    pub(super) lists: Lists,
}

impl Postgres {
    /// The operator that a token is in front of its operand, and how tightly it binds that: all but
    /// signs as loosely as between two operands.
    fn prefix_operator(&self, token: &Token) -> Option<(UnaryOperator, u8)> {
        Some(match token {
            Token::Plus => (UnaryOperator::Plus, SIGN_PRECEDENCE),
            Token::Minus => (UnaryOperator::Minus, SIGN_PRECEDENCE),
            token => {
                let op = other_prefix_operator(token)?;
                (op, self.prec_value(Precedence::PgOther))
            }
        })
    }

    /// A name, or the call of a function of that name. sqlparser itself looks for a literal of a type
    /// of that name first, which it never takes it for.
    fn named(&self, parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        let mut name = vec![word(parser.peek_token_ref())?];
        if parser.peek_nth_token_ref(1).token == Token::Period
            && let Some(second) = word(parser.peek_nth_token_ref(2))
            && parser.peek_nth_token_ref(3).token == Token::LParen
        {
            name.push(second);
            parser.advance_token();
            parser.advance_token();
        }
        parser.advance_token();
        if parser.peek_token_ref().token == Token::LParen {
            return Some(self.lists.call(parser, ObjectName::from(name)));
        }
        name.pop().map(|name| Ok(Expr::Identifier(name)))
    }

    /// `NOT NOT …`. sqlparser takes the last of them together with EXISTS.
    fn negated(&self, parser: &mut Parser<'_>) -> Result<Expr, ParserError> {
        let mut ops = Vec::new();
        while is_keyword(parser.peek_token_ref(), Keyword::NOT) {
            parser.advance_token();
            if is_keyword(parser.peek_token_ref(), Keyword::EXISTS) {
                parser.advance_token();
                return Ok(behind(ops, parser.parse_exists_expr(true)?));
            }
            ops.push(UnaryOperator::Not);
        }
        let operand = parser.parse_subexpr(self.prec_value(Precedence::UnaryNot))?;
        Ok(behind(ops, operand))
    }

    /// An expression in brackets, or several. `None` for what may be a query. In the definition of a
    /// column, which is never parsed here, sqlparser would read it in another way.
    fn group(parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        let is_query = match &parser.peek_nth_token_ref(1).token {
            Token::Word(word) => BEGIN_QUERIES.contains(&word.keyword),
            token => *token == Token::LParen,
        };
        if is_query {
            return None;
        }
        Some(bracketed(parser).map(|mut parts| match parts.pop() {
            Some(only) if parts.is_empty() => Expr::Nested(Box::new(only)),
            last => {
                parts.extend(last);
                Expr::Tuple(parts)
            }
        }))
    }

    /// `first AND second AND …` from the first AND on.
    fn connected(
        &self,
        parser: &mut Parser<'_>,
        first: &Expr,
        (keyword, op): (Keyword, BinaryOperator),
        precedence: u8,
    ) -> Result<Expr, ParserError> {
        let mut operands = vec![first.clone()];
        while parser.parse_keyword(keyword) {
            operands.push(parser.parse_subexpr(precedence)?);
        }
        while operands.len() > 1 {
            let mut pairs = Vec::with_capacity(operands.len().div_ceil(2));
            let mut rest = operands.into_iter();
            while let Some(left) = rest.next() {
                pairs.push(match rest.next() {
                    Some(right) => Expr::BinaryOp {
                        left: Box::new(left),
                        op: op.clone(),
                        right: Box::new(right),
                    },
                    None => left,
                });
            }
            operands = pairs;
        }
        let expected = "an expression";
        let next = parser.peek_token();
        operands
            .pop()
            .map_or_else(|| parser.expected(expected, next), Ok)
    }
}

/// Methods that ask sqlparser's dialect.
macro_rules! as_sqlparser_has_it {
    ($($method:ident)*) => {
        $(fn $method(&self) -> bool {
            PostgreSqlDialect {}.$method()
        })*
    };
}

/// Words that can be the name of a column only behind `AS` (the keywords without `BARE_LABEL` in
/// Postgres's kwlist.h).
const NO_BARE_LABEL: &[Keyword] = &[
    Keyword::ARRAY,
    Keyword::AS,
    Keyword::CHAR,
    Keyword::CHARACTER,
    Keyword::CREATE,
    Keyword::DAY,
    Keyword::EXCEPT,
    Keyword::FETCH,
    Keyword::FILTER,
    Keyword::FOR,
    Keyword::FROM,
    Keyword::GRANT,
    Keyword::GROUP,
    Keyword::HAVING,
    Keyword::HOUR,
    Keyword::INTERSECT,
    Keyword::INTO,
    Keyword::LIMIT,
    Keyword::MINUTE,
    Keyword::MONTH,
    Keyword::NOTNULL,
    Keyword::OFFSET,
    Keyword::ON,
    Keyword::ORDER,
    Keyword::OVER,
    Keyword::OVERLAPS,
    Keyword::PRECISION,
    Keyword::RETURNING,
    Keyword::SECOND,
    Keyword::TO,
    Keyword::UNION,
    Keyword::VARYING,
    Keyword::WHERE,
    Keyword::WINDOW,
    Keyword::WITH,
    Keyword::WITHIN,
    Keyword::WITHOUT,
    Keyword::YEAR,
];

/// Reserved words that sqlparser would take for the alias of a table.
const NO_TABLE_ALIAS: &[Keyword] = &[
    Keyword::ALL,
    Keyword::AND,
    Keyword::ANY,
    Keyword::AS,
    Keyword::ASC,
    Keyword::AUTHORIZATION,
    Keyword::BINARY,
    Keyword::CASE,
    Keyword::CAST,
    Keyword::CHECK,
    Keyword::COLLATE,
    Keyword::CONSTRAINT,
    Keyword::CREATE,
    Keyword::DEFAULT,
    Keyword::DESC,
    Keyword::DISTINCT,
    Keyword::DO,
    Keyword::ELSE,
    Keyword::GRANT,
    Keyword::ILIKE,
    Keyword::IN,
    Keyword::INTO,
    Keyword::IS,
    Keyword::LIKE,
    Keyword::NOT,
    Keyword::NULL,
    Keyword::ONLY,
    Keyword::OR,
    Keyword::OVERLAPS,
    Keyword::PRIMARY,
    Keyword::REFERENCES,
    Keyword::SIMILAR,
    Keyword::SOME,
    Keyword::TABLE,
    Keyword::THEN,
    Keyword::TO,
    Keyword::UNIQUE,
    Keyword::USER,
    Keyword::VARIADIC,
    Keyword::WHEN,
];

/// Reserved words that begin no expression. sqlparser would take them for columns, and so parse
/// `SELECT INTO t` or `LIKE ALL (…)` as something else. `ON` is a value in `SET`.
const NO_EXPRESSION: &[Keyword] = &[
    Keyword::ALL,
    Keyword::AND,
    Keyword::ANY,
    Keyword::AS,
    Keyword::ASC,
    Keyword::ASYMMETRIC,
    Keyword::BOTH,
    Keyword::CHECK,
    Keyword::COLLATE,
    Keyword::COLUMN,
    Keyword::CONSTRAINT,
    Keyword::CREATE,
    Keyword::DEFERRABLE,
    Keyword::DESC,
    Keyword::DISTINCT,
    Keyword::DO,
    Keyword::ELSE,
    Keyword::END,
    Keyword::EXCEPT,
    Keyword::FETCH,
    Keyword::FOR,
    Keyword::FOREIGN,
    Keyword::FROM,
    Keyword::GRANT,
    Keyword::GROUP,
    Keyword::HAVING,
    Keyword::IN,
    Keyword::INITIALLY,
    Keyword::INTERSECT,
    Keyword::INTO,
    Keyword::IS,
    Keyword::LATERAL,
    Keyword::LEADING,
    Keyword::LIMIT,
    Keyword::OFFSET,
    Keyword::ONLY,
    Keyword::OR,
    Keyword::ORDER,
    Keyword::PLACING,
    Keyword::PRIMARY,
    Keyword::REFERENCES,
    Keyword::RETURNING,
    Keyword::SELECT,
    Keyword::SOME,
    Keyword::SYMMETRIC,
    Keyword::TABLE,
    Keyword::THEN,
    Keyword::TO,
    Keyword::TRAILING,
    Keyword::UNION,
    Keyword::UNIQUE,
    Keyword::USING,
    Keyword::VARIADIC,
    Keyword::WHEN,
    Keyword::WHERE,
    Keyword::WINDOW,
    Keyword::WITH,
];

/// Words by which a query begins.
const BEGIN_QUERIES: &[Keyword] = &[
    Keyword::DELETE,
    Keyword::FROM,
    Keyword::INSERT,
    Keyword::MERGE,
    Keyword::SELECT,
    Keyword::TABLE,
    Keyword::UPDATE,
    Keyword::VALUES,
    Keyword::WITH,
];

/// sqlparser's keywords that are the names of functions, whose arguments Postgres has no grammar for.
const CALLED: &[Keyword] = &[
    Keyword::ABS,
    Keyword::AVG,
    Keyword::CARDINALITY,
    Keyword::CEILING,
    Keyword::CHARACTER_LENGTH,
    Keyword::CHAR_LENGTH,
    Keyword::COALESCE,
    Keyword::CORR,
    Keyword::COUNT,
    Keyword::DENSE_RANK,
    Keyword::EVERY,
    Keyword::EXP,
    Keyword::FIRST_VALUE,
    Keyword::FORMAT,
    Keyword::LAG,
    Keyword::LAST_VALUE,
    Keyword::LEAD,
    Keyword::LEAST,
    Keyword::LEFT,
    Keyword::LN,
    Keyword::LOG,
    Keyword::LOWER,
    Keyword::MAX,
    Keyword::MIN,
    Keyword::MOD,
    Keyword::NTH_VALUE,
    Keyword::NTILE,
    Keyword::NULLIF,
    Keyword::OCTET_LENGTH,
    Keyword::POWER,
    Keyword::RANK,
    Keyword::REPLACE,
    Keyword::RIGHT,
    Keyword::ROW,
    Keyword::ROW_NUMBER,
    Keyword::SQRT,
    Keyword::STDDEV_POP,
    Keyword::STDDEV_SAMP,
    Keyword::SUM,
    Keyword::TRANSLATE,
    Keyword::UNNEST,
    Keyword::UPPER,
    Keyword::VAR_POP,
    Keyword::VAR_SAMP,
    Keyword::WIDTH_BUCKET,
];

/// A sign binds its operand more tightly than everything but subscripts, casts and fields
/// (`UMINUS` in gram.y): as tightly as COLLATE, in sqlparser's numbers.
const SIGN_PRECEDENCE: u8 = 120;

fn word(token: &TokenWithSpan) -> Option<Ident> {
    match &token.token {
        Token::Word(word) => Some(word.to_ident(token.span)),
        _ => None,
    }
}

fn is_keyword(token: &TokenWithSpan, keyword: Keyword) -> bool {
    matches!(&token.token, Token::Word(word) if word.keyword == keyword)
}

/// An operand behind operators, of which the last one is the nearest. They are read in a loop: each
/// level of sqlparser's own recursion takes some kilobytes of the stack.
fn behind(ops: Vec<UnaryOperator>, operand: Expr) -> Expr {
    ops.into_iter().rev().fold(operand, |expr, op| {
        let expr = Box::new(expr);
        Expr::UnaryOp { op, expr }
    })
}

/// The operators that can stand in front, other than signs.
fn other_prefix_operator(token: &Token) -> Option<UnaryOperator> {
    match token {
        Token::Tilde => Some(UnaryOperator::BitwiseNot),
        Token::AtSign => Some(UnaryOperator::PGAbs),
        Token::AtAt => Some(UnaryOperator::DoubleAt),
        Token::Sharp => Some(UnaryOperator::Hash),
        Token::QuestionPipe => Some(UnaryOperator::QuestionPipe),
        Token::PGSquareRoot => Some(UnaryOperator::PGSquareRoot),
        Token::PGCubeRoot => Some(UnaryOperator::PGCubeRoot),
        Token::DoubleExclamationMark => Some(UnaryOperator::PGPrefixFactorial),
        _ => None,
    }
}

impl Dialect for Postgres {
    /// A name behind a query of WITH: SEARCH and CYCLE are written so.
    fn supports_from_first_insert(&self) -> bool {
        true
    }

    fn dialect(&self) -> TypeId {
        PostgreSqlDialect {}.dialect()
    }

    fn is_identifier_start(&self, character: char) -> bool {
        PostgreSqlDialect {}.is_identifier_start(character)
    }

    fn is_identifier_part(&self, character: char) -> bool {
        PostgreSqlDialect {}.is_identifier_part(character)
    }

    fn is_reserved_for_identifier(&self, keyword: Keyword) -> bool {
        PostgreSqlDialect {}.is_reserved_for_identifier(keyword)
    }

    fn is_column_alias(&self, keyword: &Keyword, parser: &mut Parser<'_>) -> bool {
        !NO_BARE_LABEL.contains(keyword) && PostgreSqlDialect {}.is_column_alias(keyword, parser)
    }

    fn is_table_alias(&self, keyword: &Keyword, parser: &mut Parser<'_>) -> bool {
        !NO_TABLE_ALIAS.contains(keyword) && PostgreSqlDialect {}.is_table_alias(keyword, parser)
    }

    fn parse_prefix(&self, parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        let precedence = match &parser.peek_token_ref().token {
            Token::Word(word) => match word.keyword {
                Keyword::NoKeyword => return self.named(parser),
                keyword
                    if CALLED.contains(&keyword)
                        && parser.peek_nth_token_ref(1).token == Token::LParen =>
                {
                    return self.named(parser);
                }
                // `VALUES` is the name of no function: this is a query.
                Keyword::VALUES if parser.peek_nth_token_ref(1).token == Token::LParen => {
                    return Some(parser.parse_query().map(Expr::Subquery));
                }
                keyword if NO_EXPRESSION.contains(&keyword) => {
                    return Some(parser.expected("an expression", parser.peek_token()));
                }
                Keyword::NOT => return Some(self.negated(parser)),
                _ => return None,
            },
            Token::LParen => return Self::group(parser),
            token => self.prefix_operator(token)?.1,
        };
        let mut ops = Vec::new();
        while let Some((op, same)) = self.prefix_operator(&parser.peek_token_ref().token)
            && same == precedence
        {
            parser.advance_token();
            ops.push(op);
        }
        let operand = parser.parse_subexpr(precedence);
        Some(operand.map(|operand| behind(ops, operand)))
    }

    fn parse_infix(
        &self,
        parser: &mut Parser<'_>,
        expr: &Expr,
        precedence: u8,
    ) -> Option<Result<Expr, ParserError>> {
        if self.chained.is_empty() {
            return None;
        }
        let next = parser.peek_token_ref();
        let connective = match &next.token {
            Token::Word(word) if self.chained.contains(&range(next.span).start) => {
                match word.keyword {
                    keyword @ Keyword::AND => (keyword, BinaryOperator::And),
                    keyword @ Keyword::OR => (keyword, BinaryOperator::Or),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(self.connected(parser, expr, connective, precedence))
    }

    fn prec_value(&self, precedence: Precedence) -> u8 {
        PostgreSqlDialect {}.prec_value(precedence)
    }

    /// All operators that gram.y does not name have one precedence, `qual_Op`'s.
    fn get_next_precedence(&self, parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
        match &parser.peek_token_ref().token {
            Token::DoubleEq
            | Token::Tilde
            | Token::TildeAsterisk
            | Token::ExclamationMarkTilde
            | Token::ExclamationMarkTildeAsterisk
            | Token::DoubleTilde
            | Token::DoubleTildeAsterisk
            | Token::ExclamationMarkDoubleTilde
            | Token::ExclamationMarkDoubleTildeAsterisk => {
                Some(Ok(self.prec_value(Precedence::PgOther)))
            }
            _ => PostgreSqlDialect {}.get_next_precedence(parser),
        }
    }

    as_sqlparser_has_it! {
        allow_extract_custom
        allow_extract_single_quotes
        supports_aliased_function_args
        supports_alter_column_type_using
        supports_alter_user_as_alter_role
        supports_array_typedef_with_brackets
        supports_bitwise_shift_operators
        supports_comma_separated_trim
        supports_comment_on
        supports_create_index_with_clause
        supports_create_table_like_parenthesized
        supports_empty_projections
        supports_exclude_constraint
        supports_explain_with_utility_options
        supports_factorial_operator
        supports_filter_during_aggregation
        supports_geometric_types
        supports_group_by_expr
        supports_insert_table_alias
        supports_interval_options
        supports_left_associative_joins_without_parens
        supports_listen_notify
        supports_load_extension
        supports_named_fn_args_with_colon_operator
        supports_named_fn_args_with_expr_name
        supports_notnull_operator
        supports_order_by_using_operator
        supports_select_wildcard_with_alias
        supports_set_names
        supports_xml_expressions
    }
}
