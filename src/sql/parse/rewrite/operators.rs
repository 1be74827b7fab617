//! Operators and punctuation in sqlparser's tokens.

use sqlparser::tokenizer::Token;

/// sqlparser's token for an operator. Those it has no use for keep their text.
pub(super) fn operator(text: &str) -> Token {
    match text {
        "=" => Token::Eq,
        "<>" | "!=" => Token::Neq,
        "<" => Token::Lt,
        ">" => Token::Gt,
        "<=" => Token::LtEq,
        ">=" => Token::GtEq,
        "+" => Token::Plus,
        "-" => Token::Minus,
        "*" => Token::Mul,
        "/" => Token::Div,
        "%" => Token::Mod,
        "^" => Token::Caret,
        "||" => Token::StringConcat,
        "~" => Token::Tilde,
        "~*" => Token::TildeAsterisk,
        "!~" => Token::ExclamationMarkTilde,
        "!~*" => Token::ExclamationMarkTildeAsterisk,
        "~~" => Token::DoubleTilde,
        "~~*" => Token::DoubleTildeAsterisk,
        "!~~" => Token::ExclamationMarkDoubleTilde,
        "!~~*" => Token::ExclamationMarkDoubleTildeAsterisk,
        "->" => Token::Arrow,
        "->>" => Token::LongArrow,
        "#>" => Token::HashArrow,
        "#>>" => Token::HashLongArrow,
        "#-" => Token::HashMinus,
        "@>" => Token::AtArrow,
        "<@" => Token::ArrowAt,
        "@?" => Token::AtQuestion,
        "@@" => Token::AtAt,
        "?" => Token::Question,
        "?|" => Token::QuestionPipe,
        "?&" => Token::QuestionAnd,
        "&&" => Token::Overlap,
        "&" => Token::Ampersand,
        "|" => Token::Pipe,
        "#" => Token::Sharp,
        "<<" => Token::ShiftLeft,
        ">>" => Token::ShiftRight,
        "@" => Token::AtSign,
        "|/" => Token::PGSquareRoot,
        "||/" => Token::PGCubeRoot,
        "!!" => Token::DoubleExclamationMark,
        _ => Token::CustomBinaryOperator(text.to_owned()),
    }
}

/// sqlparser's token for punctuation.
pub(super) fn punctuation(text: &str) -> Token {
    match text {
        "(" => Token::LParen,
        ")" => Token::RParen,
        "[" => Token::LBracket,
        "]" => Token::RBracket,
        "," => Token::Comma,
        ";" => Token::SemiColon,
        ":" => Token::Colon,
        "." => Token::Period,
        "::" => Token::DoubleColon,
        // Named arguments: the old spelling would be parsed as an operator of its own.
        "=>" | ":=" => Token::RArrow,
        // `..` is a token of PL/pgSQL alone.
        _ => Token::Char('\0'),
    }
}
