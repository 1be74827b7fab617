//! sqlparser's Postgres dialect with Postgres's own precedences and aliases.

use std::any::TypeId;

use sqlparser::dialect::{Dialect, PostgreSqlDialect, Precedence};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

/// Postgres. Where sqlparser's dialect would build another tree than Postgres does, this one
/// differs; all else it leaves to it.
#[derive(Debug)]
pub(super) struct Postgres;

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

impl Dialect for Postgres {
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

    fn prec_value(&self, precedence: Precedence) -> u8 {
        PostgreSqlDialect {}.prec_value(precedence)
    }

    /// All operators that gram.y does not name have one precedence, `qual_Op`'s.
    fn get_next_precedence(&self, parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
        match &parser.peek_token_ref().token {
            Token::Tilde
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
