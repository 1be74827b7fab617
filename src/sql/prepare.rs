//! Statements that leave another one under a name, and those that use it: PREPARE and EXECUTE,
//! DECLARE CURSOR and FETCH. The inner statement is analysed and edited where it stands; that
//! the session keeps its plan is what explains the results of EXECUTE and FETCH.

use std::ops::Range;

use crate::catalog::{KeyType, OTHER_TYPE};
use crate::pg::oid;

use super::Context;
use super::lex::{Brackets, Token, TokenKind};
use super::plan::{
    Argument, ArgumentValue, Columns, Edit, Edits, Effect, KeptKind, NamedObject, Plan,
    Replacement, SentParameter, Source, quoted_element,
};
use super::refusal::{Code, Refusal};
use super::statement::{Analysis, is_clean};

/// A type in the list of PREPARE.
struct Declared {
    oid: u32,
    span: Range<usize>,
}

impl<'a> Analysis<'a> {
    /// `DECLARE name … CURSOR … FOR query`
    pub(super) fn declare_cursor(&mut self) -> Result<Plan, Box<Refusal>> {
        let Some(keyword) = self.position("for") else {
            return Ok(Plan::default());
        };
        let held = (2..keyword).any(|at| self.word(at) == "with" && self.word(at + 1) == "hold");
        let plan = self.inner(keyword + 1)?;
        // The server reads it to its end when the transaction ends, by the path of that moment.
        if held && plan.effect.late {
            return Err(self.refuse(
                "a cursor WITH HOLD over a function in SQL",
                "Declare it WITHOUT HOLD, or give the function a body BEGIN ATOMIC or a search_path \
                 of its own.",
            ));
        }
        // And by what the session's own functions are at that moment.
        let functions = self.context.snapshot.functions();
        let temporary = self.context.snapshot.temporary_schema();
        if held && temporary.is_some_and(|schema| functions.are_in(schema)) {
            return Err(self.refuse(
                "a cursor WITH HOLD in a session with temporary functions",
                "Declare it WITHOUT HOLD, or drop the functions of pg_temp before.",
            ));
        }
        let columns = no_result(&plan);
        let kept = NamedObject {
            kind: KeptKind::Cursor { held },
            name: self.word(1).to_owned(),
            query: self.bytes(keyword + 1..self.tokens.len()),
            declared: self.context.declared.to_vec(),
            takes_ids: false,
        };
        self.keeping(plan, columns, kept)
    }

    /// `PREPARE name [(types)] AS statement`
    pub(super) fn prepare(&mut self) -> Result<Plan, Box<Refusal>> {
        let Some(keyword) = self.position("as") else {
            return Ok(Plan::default());
        };
        let types = match (self.punctuation(2), self.punctuation(keyword - 1)) {
            ("(", ")") => self.types(3..keyword - 1),
            _ => Vec::new(),
        };
        let oids: Vec<u32> = types.iter().map(|declared| declared.oid).collect();
        let context = Context {
            declared: &oids,
            ..*self.context
        };
        let tokens = self.tokens_in(keyword + 1..self.tokens.len())?;
        let mut inner = Analysis::new(&context, self.path, (self.text, tokens), self.budget);
        inner.depth = self.depth + 1;
        let result = inner.statement();
        self.unknown_name = inner.unknown_name.take();
        let mut plan = result?;
        let columns = no_result(&plan);
        let takes_ids = !plan.parameters.is_plain();
        if takes_ids {
            if plan.parameters.sent.len() > plan.parameters.shown.len() {
                return Err(self.refuse(
                    "PREPARE of a statement that uses one parameter both as an id and otherwise",
                    "Use a parameter of its own for each use.",
                ));
            }
            let edit = self.type_list(&types, &plan.parameters.sent, keyword);
            let mut edits = plan.edits.into_vec();
            edits.insert(0, edit);
            plan.edits = Edits::new(edits)?;
            plan.parameters = super::plan::Parameters::default();
        }
        let kept = NamedObject {
            kind: KeptKind::Statement,
            name: self.word(1).to_owned(),
            query: self.bytes(keyword + 1..self.tokens.len()),
            declared: oids,
            takes_ids,
        };
        self.keeping(plan, columns, kept)
    }

    fn keeping(
        &self,
        plan: Plan,
        columns: Columns,
        kept: NamedObject,
    ) -> Result<Plan, Box<Refusal>> {
        if plan.source != Source::Itself || plan.effect.keeps.is_some() || plan.effect.ddl {
            return Err(self.not_kept(&kept.query));
        }
        Ok(Plan {
            edits: plan.edits,
            parameters: plan.parameters,
            columns,
            effect: Effect {
                keeps: Some(Box::new(kept)),
                ..plan.effect
            },
            ..Plan::default()
        })
    }

    /// Why nothing is left under a name: Postgres takes queries alone.
    fn not_kept(&self, query: &Range<usize>) -> Box<Refusal> {
        let first = self
            .tokens
            .iter()
            .find(|token| token.span.start == query.start);
        let first = first.map(|token| token.written(self.text));
        match first.filter(|word| !begins_query(word)) {
            Some(word) => {
                let message = format!("syntax error at or near \"{word}\"");
                Box::new(Refusal::new(Code::Unparsed, "42601", message).at(query.clone()))
            }
            None => self.refuse("this kind of statement under a name", "Send it by itself."),
        }
    }

    /// The list of types that the server gets: those of keys in the place of those of ids.
    fn type_list(&self, types: &[Declared], sent: &[SentParameter], keyword: usize) -> Edit {
        let names = sent.iter().enumerate().map(|(index, parameter)| {
            let declared = types.get(index);
            match (&parameter.id, declared) {
                (Some(usage), _) if !parameter.textual => {
                    let brackets = if parameter.array { "[]" } else { "" };
                    format!("{}{brackets}", usage.id.key_type.sql())
                }
                (_, Some(declared)) => {
                    let written = self.text.get(declared.span.clone());
                    written.unwrap_or_default().to_owned()
                }
                (Some(_), None) => "text".to_owned(),
                (None, None) => "unknown".to_owned(),
            }
        });
        let rest = types.iter().skip(sent.len());
        let rest = rest.map(|declared| {
            let written = self.text.get(declared.span.clone());
            written.unwrap_or_default().to_owned()
        });
        let names: Vec<String> = names.chain(rest).collect();
        let list = names.join(", ");
        let (span, list) = if types.is_empty() {
            let end = self.bytes(1..2).end;
            (end..end, format!(" ({list})"))
        } else {
            (self.bytes(2..keyword), format!("({list})"))
        };
        Edit {
            span,
            with: Replacement::Text(list),
        }
    }

    /// The types in a list, whose tokens these are.
    fn types(&self, list: Range<usize>) -> Vec<Declared> {
        let types = self.items(list).into_iter();
        types
            .map(|tokens| Declared {
                oid: self.type_of(tokens.clone()),
                span: self.bytes(tokens),
            })
            .collect()
    }

    /// The oid of the type that some tokens name.
    fn type_of(&self, tokens: Range<usize>) -> u32 {
        let mut words: Vec<&str> = Vec::new();
        let mut array = false;
        let nested = self.cursor(tokens.start).nested(Brackets::Round);
        for (at, _, depth) in nested.take_while(|(at, _, _)| *at < tokens.end) {
            match self.punctuation(at) {
                "[" => array = true,
                "." if words == ["pg_catalog"] => words.clear(),
                "." => return OTHER_TYPE,
                "" if depth == 0 && self.word(at) == "array" => array = true,
                "" if depth == 0 && !self.word(at).is_empty() => words.push(self.word(at)),
                _ => {}
            }
        }
        match oid::named(&words.join(" ")) {
            0 => OTHER_TYPE,
            oid if !array => oid,
            oid => KeyType::from_oid(oid).map_or(OTHER_TYPE, |(element, _)| element.array_oid()),
        }
    }

    /// `EXECUTE name [(arguments)]`
    pub(super) fn execute(&mut self) -> Result<Plan, Box<Refusal>> {
        let mut arguments = Vec::new();
        let end = self.tokens.len();
        if self.punctuation(2) == "(" && end > 4 {
            let list = 3..end - 1;
            self.check_arguments(list.clone())?;
            for tokens in self.items(list) {
                arguments.push(self.argument(tokens));
            }
        }
        Ok(Plan {
            source: Source::Prepared(self.word(1).to_owned()),
            arguments,
            ..Plan::default()
        })
    }

    /// What goes into a parameter that is no id must not be a key.
    fn check_arguments(&mut self, list: Range<usize>) -> Result<(), Box<Refusal>> {
        let select = Token {
            kind: TokenKind::Word {
                value: "select".into(),
                quoted: false,
            },
            span: self.bytes(0..1),
        };
        let mut tokens = vec![select];
        tokens.extend_from_slice(self.tokens_in(list)?);
        let mut inner = Analysis::new(self.context, self.path, (self.text, &tokens), self.budget);
        inner.depth = self.depth + 1;
        let result = inner.statement();
        self.unknown_name = inner.unknown_name.take();
        let plan = result?;
        // What it does is nothing that the statement is known to do.
        if is_clean(&plan) && !plan.effect.late && !plan.effect.moves_meanings() {
            return Ok(());
        }
        Err(self.refuse(
            "this argument of EXECUTE",
            "Send the statement itself, or execute it through the protocol (Bind).",
        ))
    }

    fn argument(&self, tokens: Range<usize>) -> Argument {
        let span = self.bytes(tokens.clone());
        let string = |at: usize| match self.tokens.get(at).map(|token| &token.kind) {
            Some(TokenKind::String(value)) => Some(value.to_string()),
            _ => None,
        };
        let Range { start, end } = tokens;
        let is_null = end == start + 1 && self.word(start) == "null";
        let value = if is_null {
            ArgumentValue::Null
        } else if let Some(literal) = string(start)
            && end == start + 1
        {
            ArgumentValue::Literal { literal, cast: 0 }
        } else if let Some(literal) = string(start)
            && self.punctuation(start + 1) == "::"
            && (start + 2..end).all(|at| self.is_type_part(at))
        {
            let cast = self.type_of(start + 2..end);
            ArgumentValue::Literal { literal, cast }
        } else if let Some(literal) = string(end - 1)
            && (start..end - 1).all(|at| self.is_type_part(at))
        {
            let cast = self.type_of(start..end - 1);
            ArgumentValue::Literal { literal, cast }
        } else if let Some((literal, behind)) = self.array_of_strings(start..end)
            && self.punctuation(behind) == "::"
            && (behind + 1..end).all(|at| self.is_type_part(at))
        {
            let cast = self.type_of(behind + 1..end);
            ArgumentValue::Literal { literal, cast }
        } else {
            ArgumentValue::Other
        };
        Argument { span, value }
    }

    /// `ARRAY['…', NULL]` as the text of the array, and the index of the token behind it.
    fn array_of_strings(&self, tokens: Range<usize>) -> Option<(String, usize)> {
        let Range { start, end } = tokens;
        if self.word(start) != "array" || self.punctuation(start + 1) != "[" {
            return None;
        }
        let close = (start + 2..end).find(|at| self.punctuation(*at) == "]")?;
        let mut elements = Vec::new();
        for element in self.items(start + 2..close) {
            let token = self.tokens.get(element.start).map(|token| &token.kind);
            elements.push(match token {
                _ if element.len() != 1 => return None,
                Some(TokenKind::String(text)) => quoted_element(text),
                _ if self.word(element.start) == "null" => "NULL".to_owned(),
                _ => return None,
            });
        }
        Some((format!("{{{}}}", elements.join(",")), close + 1))
    }

    fn is_type_part(&self, at: usize) -> bool {
        !self.word(at).is_empty() || matches!(self.punctuation(at), "[" | "]" | ".")
    }

    /// The items of a list in parentheses, whose tokens these are.
    fn items(&self, list: Range<usize>) -> Vec<Range<usize>> {
        let mut items = self.cursor(list.start).between_commas(list.end);
        items.retain(|item| !item.is_empty());
        items
    }
}

/// The columns of a statement that only names another one.
fn no_result(plan: &Plan) -> Columns {
    if is_clean(plan) {
        Columns::Clean
    } else {
        Columns::Known(Vec::new())
    }
}

/// Whether a query may begin so, as Postgres reads what is to be prepared.
fn begins_query(word: &str) -> bool {
    const FIRST: [&str; 9] = [
        "(", "delete", "insert", "merge", "select", "table", "update", "values", "with",
    ];
    FIRST.iter().any(|first| word.eq_ignore_ascii_case(first))
}
