//! Rules (CREATE RULE): what they do beside or instead of a statement is read like the statement
//! of a client, with NEW and OLD in reach. A rule tells what RETURNING gives, so its columns must
//! be what the relation's are.

use std::ops::Range;
use std::sync::Arc;

use sqlparser::ast::{SetExpr, Statement};

use crate::catalog::{Relation, Write, WriteRule, is_temporary};
use crate::sql::lex::{self, Brackets, Cursor, Token, TokenKind};
use crate::sql::parse;
use crate::sql::plan::{PathChange, TargetColumn};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::{Output, Scope, Table, Tells};
use crate::sql::setter::sets;
use crate::sql::split;
use crate::sql::types::{Because, Shape, TypeVar, Types};

use super::definition::Definition;
use super::{Binder, Check};

impl<'a> Binder<'a> {
    /// Refuses to write to a relation if a rule for it can't be explained. Gives for each column
    /// where a rule stores its new value. The rules of what is not protected name nothing that is,
    /// but they may change settings like any other code.
    pub(super) fn rules(
        &mut self,
        relation: &Arc<Relation>,
        columns: &[Output],
        kind: Option<Write>,
        at: &Range<usize>,
    ) -> Check<Vec<Option<TargetColumn>>> {
        let mut stored = vec![None; columns.len()];
        let of_kind = |rule: &&WriteRule| kind.is_none_or(|kind| kind == rule.on);
        for rule in relation.rules.iter().filter(of_kind) {
            let before = std::mem::take(&mut self.protected);
            let read = self.rule(rule, relation, (columns, &mut stored));
            let reaches = self.protected || relation.protected;
            self.protected |= before;
            if read.is_err() && !reaches && !self.calls_opaque(&rule.definition) {
                // It names nothing that is annotated, and shows nothing. What it sets, it names.
                if sets(self.context.snapshot, &rule.definition) {
                    self.path_change = PathChange::Unknown;
                }
                continue;
            }
            read.map_err(|cause| {
                let message = format!(
                    "pgveil can't explain a rule on \"{}\": {cause}",
                    relation.name
                );
                let refusal = Refusal::unsupported(Code::Unsupported, message).at(at.clone());
                Box::new(refusal.hint("Write to the tables that the rule writes to."))
            })?;
        }
        Ok(stored)
    }

    /// Whether the code of a rule calls what may return keys: a rule may have rows of its own.
    fn calls_opaque(&self, definition: &str) -> bool {
        let functions = self.context.snapshot.functions();
        lex::lex(definition, true)
            .is_ok_and(|tokens| lex::identifiers(&tokens).any(|word| functions.is_opaque(word)))
    }

    fn rule(
        &mut self,
        rule: &WriteRule,
        relation: &Relation,
        (columns, stored): (&[Output], &mut [Option<TargetColumn>]),
    ) -> Result<(), String> {
        // A rule for one kind of statement may write to the same relation in another way.
        if self.nests_too_deep(relation.oid, 3) {
            return Err("it leads to itself or nests too deep".to_owned());
        }
        let unreadable = || "it can't be parsed".to_owned();
        let read = self.budget.pay_to_read(rule.definition.len());
        read.map_err(|refusal| refusal.message)?;
        let tokens = lex::lex(&rule.definition, true).map_err(|_| unreadable())?;
        let rule_text = RuleText::read(&rule.definition, &tokens).ok_or_else(unreadable)?;
        for action in rule_text.actions {
            let parsed = self.budget.pay(parse::cost(&rule.definition, action));
            parsed.map_err(|refusal| refusal.message)?;
            parse::with_tree(&rule.definition, action, |parsed| {
                let parsed = parsed.map_err(|_| unreadable())?;
                let writes = match parsed {
                    Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) => true,
                    Statement::Query(query) => matches!(
                        query.body.as_ref(),
                        SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_)
                    ),
                    _ => false,
                };
                if !writes {
                    return Err("it does something else than to write".to_owned());
                }
                let mut inner = self.rule_reader(&rule.definition, action, relation, columns);
                let walked = inner.check_implicit_calls();
                let walked = walked.and_then(|()| inner.statement(parsed));
                let outputs = self.absorb(&inner, walked);
                let outputs = outputs.map_err(|refusal| refusal.message)??;
                let mut pairs = outputs.iter().zip(columns);
                let fits = |(given, column): (&Output, &Output)| {
                    gives(&inner.types, given.node, &self.types, column.node)
                };
                if outputs.len() > columns.len() || !pairs.all(fits) {
                    return Err("it returns other ids than the columns hold".to_owned());
                }
                let new = inner.scopes.iter().next().and_then(Scope::first_table);
                for (place, column) in stored
                    .iter_mut()
                    .zip(new.iter().flat_map(|new| new.columns.iter()))
                {
                    if place.is_none() {
                        *place = inner.types.stored_as_mentioned(column.node).cloned();
                    }
                }
                Ok(())
            })?;
        }
        if !rule_text.condition.is_empty() {
            let tokens = &rule_text.condition;
            let parsed = self.budget.pay(parse::cost(&rule.definition, tokens));
            parsed.map_err(|refusal| refusal.message)?;
            parse::with_tree(&rule.definition, tokens, |parsed| {
                let Ok(Statement::Query(query)) = parsed else {
                    return Err(unreadable());
                };
                let mut inner = self.rule_reader(&rule.definition, tokens, relation, columns);
                let walked = inner.check_implicit_calls();
                let walked = walked.and_then(|()| inner.query(query));
                let outputs = self.absorb(&inner, walked);
                let outputs = outputs.map_err(|refusal| refusal.message)??;
                if outputs.iter().any(|output| inner.types.has_id(output.node)) {
                    return Err("its condition is or takes an id".to_owned());
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Reads a part of a rule.
    fn rule_reader<'r>(
        &self,
        text: &'r str,
        tokens: &'r [Token<'r>],
        relation: &Relation,
        columns: &[Output],
    ) -> Binder<'r>
    where
        'a: 'r,
    {
        let path = self.context.snapshot.definition_path(&relation.schema);
        let mut inner = self.reader(&Definition {
            oid: relation.oid,
            own: is_temporary(&relation.schema),
            text,
            tokens,
            path,
        });
        let mut scope = Scope::default();
        for name in ["new", "old"] {
            let columns = relation.columns.iter().zip(columns);
            let columns = columns.map(|(column, output)| {
                let node = inner.import(&self.types, output.node, column.type_oid.0);
                Output {
                    name: column.name.clone(),
                    node: node.unwrap_or_else(|| inner.types.hidden(Because::View)),
                }
            });
            scope.add_table(Table {
                name: name.to_owned(),
                schema: None,
                columns: columns.collect::<Vec<_>>().into(),
                open: false,
                tells: Tells::Order,
                other_row: true,
                stands_in: None,
            });
        }
        inner.scopes.push(scope);
        inner
    }
}

/// Whether a value has no ids in it but those that a column has.
fn gives(types: &Types, given: TypeVar, of: &Types, column: TypeVar) -> bool {
    match (types.shape(given), of.shape(column)) {
        (Shape::Id(given), Shape::Id(column)) => given == column,
        (Shape::Array(given), Shape::Array(column)) => gives(types, given, of, column),
        _ => !types.has_id(given),
    }
}

/// The parts of `CREATE RULE r AS ON INSERT TO t WHERE … DO INSTEAD …`.
struct RuleText<'t> {
    /// `SELECT` and the condition; empty if there is none.
    condition: Vec<Token<'t>>,
    actions: Vec<&'t [Token<'t>]>,
}

impl<'t> RuleText<'t> {
    fn read(text: &'t str, tokens: &'t [Token<'t>]) -> Option<Self> {
        let is_word = |token: &Token<'_>, word: &str| token.keyword() == Some(word);
        let cursor = Cursor::new(text, tokens, 0);
        let action = cursor.find("do", Brackets::All)?;
        let condition = cursor.find("where", Brackets::All);
        let condition = match condition.filter(|condition| *condition < action) {
            Some(before) => {
                let mut select = tokens.first()?.clone();
                select.kind = TokenKind::Word {
                    value: "select".into(),
                    quoted: false,
                };
                let mut condition = vec![select];
                condition.extend_from_slice(tokens.get(before + 1..action)?);
                condition
            }
            None => Vec::new(),
        };
        let instead = tokens.get(action + 1)?;
        let first = if is_word(instead, "instead") || is_word(instead, "also") {
            action + 2
        } else {
            action + 1
        };
        let mut rest = tokens.get(first..)?;
        if rest.first().is_some_and(|token| token.written(text) == "(") {
            let close = rest.iter().rposition(|token| token.written(text) == ")")?;
            rest = rest.get(1..close)?;
        }
        let statements = split::split(text, rest);
        let actions = statements.into_iter().filter_map(|range| rest.get(range));
        let nothing = |action: &[Token<'_>]| matches!(action, [only] if is_word(only, "nothing"));
        Some(Self {
            condition,
            actions: actions.filter(|action| !nothing(action)).collect(),
        })
    }
}
