//! What a running session does with the messages of its client.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::BytesMut;

use super::bind;
use super::edit::{POISON, Refused, Shifts};
use super::expected::{Expected, Query};
use super::fatal::Fatal;
use super::front::Front;
use super::ids::Echo;
use super::plans::Analysis;
use super::running::{Flow, Found, Running, Streaming};
use super::shared::{Event, Mode};
use super::statements::{Change, Portal, ResultFormats, Statement, Undo, is_live, set_live};
use crate::sql::plan::Source;
use crate::sql::refusal::Code;
use crate::sql::{self, Plan, Refusal, Verdict};
use crate::wire::frame::{self, Header};
use crate::wire::frontend::{self, Bind, Execute, Parse, Target};
use crate::wire::{Output, WireError};

/// Whether the message at the front was taken.
enum Step {
    Taken,
    /// It has to wait, for more bytes or for an answer.
    Waits,
}

impl Running {
    /// Takes the messages at the front of `input`.
    pub(super) fn client_bytes(
        &mut self,
        input: &mut BytesMut,
        to_server: &mut Output,
    ) -> Result<(), Fatal> {
        let mut front = Front::new(input, to_server);
        while self.from_client.advance(&mut front) && self.accepts() {
            if !front.rest().is_empty() && self.ask(None, front.built()) {
                break;
            }
            let header = Header::from_client(front.rest(), self.shared.limits.frames)
                .map_err(Fatal::Client)?;
            let Some(header) = header else { break };
            match self.client_message(header, &mut front)? {
                Step::Taken => {}
                Step::Waits => {
                    self.ask(None, front.built());
                    break;
                }
            }
        }
        Ok(())
    }

    fn client_message(&mut self, header: Header, front: &mut Front<'_>) -> Result<Step, Fatal> {
        if self.flow == Flow::Skipping && !matches!(header.kind, b'S' | b'X') {
            self.from_client = Streaming::Dropping(header.total);
            return Ok(Step::Taken);
        }
        if header.kind == b'd' {
            // Outside of COPY the server ignores it.
            self.from_client = Streaming::Passing(header.total);
            return Ok(Step::Taken);
        }
        if front.rest().len() < header.total {
            return Ok(Step::Waits);
        }
        if self.flow == Flow::CopyIn && !matches!(header.kind, b'c' | b'f' | b'H' | b'S' | b'X') {
            // The server would stumble over it, unless its COPY has just failed: then it would
            // carry it out. Which of the two can't be known here.
            return Err(Fatal::Client(WireError::Type(header.kind)));
        }
        if matches!(header.kind, b'Q' | b'P' | b'B') && self.must_wait() {
            return Ok(Step::Waits);
        }
        match header.kind {
            b'Q' => return self.query(header, front),
            b'P' => return self.parse(header, front),
            b'B' => self.bind(header, front)?,
            b'D' => self.describe(header, front)?,
            b'E' => self.execute(header, front)?,
            b'C' => self.close(header, front)?,
            b'F' => self.function_call(header, front),
            b'S' => {
                if self.flow != Flow::CopyIn {
                    self.queue.push(Expected::Sync { batch: self.batch });
                    self.batch += 1;
                    self.flow = Flow::Synced;
                }
                front.pass(header.total);
            }
            b'c' | b'f' => {
                self.copy_end();
                front.pass(header.total);
            }
            // Flush and Terminate.
            _ => front.pass(header.total),
        }
        Ok(Step::Taken)
    }

    fn copy_end(&mut self) {
        if self.flow == Flow::CopyIn {
            self.flow = match self.queue.head() {
                Some(Expected::Query(_)) => Flow::Synced,
                _ => Flow::Batch,
            };
        }
        self.queue.push(Expected::CopyEnd);
    }

    fn query(&mut self, header: Header, front: &mut Front<'_>) -> Result<Step, Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let message = frontend::Query::decode(body).map_err(Fatal::Client)?;
        let Found::Analysis(analysis) = self.look_up(message.text, &[]) else {
            return Ok(Step::Waits);
        };
        let doubtful_from = self.doubtful_from(&analysis);
        let edited = self.editor().edit(&analysis);
        match &edited.text {
            None => front.pass(header.total),
            Some(text) => {
                front.skip(header.total);
                frontend::Query { text }.encode(front.built());
            }
        }
        let mut echo = edited.echo;
        let mut explained = Vec::new();
        for (number, statement) in analysis.script.statements.iter().enumerate() {
            if let Verdict::Forward(plan) = &statement.verdict
                && !edited.refused.iter().any(|(refused, _)| *refused == number)
            {
                if let Some((statement, sent)) = self.explained(plan) {
                    echo.extend(&sent);
                    explained.push((number, statement));
                }
                self.foresee(&plan.effect);
            }
        }
        self.push_query(Query {
            batch: self.batch,
            analysis,
            refused: edited.refused,
            shifts: edited.shifts,
            echo,
            explained,
            doubtful_from,
            current: 0,
            result: None,
        });
        Ok(Step::Taken)
    }

    /// The first statement of a text before which the database may have changed in ways that the
    /// analysis could not see.
    fn doubtful_from(&self, analysis: &Analysis) -> usize {
        if self.is_in_doubt() {
            return 0;
        }
        let statements = &analysis.script.statements;
        let changes = |statement: &sql::Statement| matches!(&statement.verdict, Verdict::Forward(plan) if plan.effect.ddl);
        let ddl = statements.iter().position(changes);
        ddl.map_or(statements.len(), |ddl| ddl + 1)
    }

    fn push_query(&mut self, query: Query) {
        // It replaces the unnamed statement and portal.
        self.statements.replace(b"", None);
        self.portals.replace(b"", None);
        self.queue.push(Expected::Query(Box::new(query)));
        self.batch += 1;
        self.flow = Flow::Synced;
    }

    /// A call by oid shows nothing that could be analysed. Its answer ends like that of a simple
    /// query, so a poisoned one takes its place.
    fn function_call(&mut self, header: Header, front: &mut Front<'_>) {
        let refusal = Refusal::unsupported(
            Code::Protocol,
            "function calls by the FunctionCall message are not supported",
        )
        .hint("Use SELECT function(…).");
        let refused = self.refuse(refusal);
        front.skip(header.total);
        let text = POISON.as_bytes();
        frontend::Query { text }.encode(front.built());
        self.push_query(Query {
            batch: self.batch,
            analysis: Arc::clone(&self.shared.unknown),
            refused: vec![(0, refused)],
            shifts: Shifts::default(),
            echo: Echo::default(),
            explained: Vec::new(),
            doubtful_from: 0,
            current: 0,
            result: None,
        });
    }

    /// Reports a refusal that no analysis made.
    fn refuse(&self, refusal: Refusal) -> Arc<Refused> {
        self.shared.tell(Event::Refused {
            code: refusal.code,
            sqlstate: refusal.sqlstate,
            passed: false,
        });
        Arc::new(Refused {
            refusal,
            position: None,
        })
    }

    fn parse(&mut self, header: Header, front: &mut Front<'_>) -> Result<Step, Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let message = Parse::decode(body).map_err(Fatal::Client)?;
        let Found::Analysis(analysis) = self.look_up(message.text, message.declared.as_bytes())
        else {
            return Ok(Step::Waits);
        };
        let edited = self.editor().edit(&analysis);
        let refused = match edited.refused.into_iter().next() {
            Some((_, refused)) => Some(refused),
            None if analysis.script.statements.len() > 1 && self.mode == Mode::Enforce => {
                Some(self.refuse(several_statements()))
            }
            None => None,
        };
        let circumstances = Some(self.circumstances.clone());
        let statement = Statement::new(analysis, circumstances, edited.shifts, edited.echo);
        let statement = Arc::new(statement);
        let change = self.prepare(message.name, &statement);
        let text = match &refused {
            Some(_) => Some(POISON.as_bytes()),
            None => edited.text.as_deref(),
        };
        let parameters = statement.id_parameters().filter(|_| refused.is_none());
        if text.is_none() && parameters.is_none() {
            front.pass(header.total);
        } else {
            let frame = front.take(header.total);
            let body = frame::body(&frame, header).map_err(Fatal::Client)?;
            let message = Parse::decode(body).map_err(Fatal::Client)?;
            let text = text.unwrap_or(message.text);
            let out = front.built();
            match parameters {
                Some(parameters) => {
                    let declared = parameters.sent.iter().map(|sent| sent.declared);
                    frontend::parse(message.name, text, declared, out);
                }
                None => frontend::parse(message.name, text, message.declared.iter(), out),
            }
        }
        self.flow = Flow::Batch;
        self.queue.push(Expected::Parse {
            change,
            statement,
            refused,
        });
        Ok(Step::Taken)
    }

    /// Puts a statement under its name. The server refuses a second one of a name other than the
    /// empty one.
    fn prepare(&mut self, name: &[u8], statement: &Arc<Statement>) -> Change<Statement> {
        let taken = !name.is_empty()
            && !self.deallocated
            && self
                .statements
                .get(name)
                .is_some_and(|existing| is_live(&existing.live));
        let undo = if taken {
            Undo::Nothing
        } else {
            let new = Some(Arc::clone(statement));
            Undo::Restore(self.statements.replace(name, new))
        };
        Change {
            name: name.into(),
            undo,
        }
    }

    /// What is known of a statement that the client names.
    fn statement(&self, name: &[u8]) -> Arc<Statement> {
        let known = self.statements.get(name).cloned();
        known.unwrap_or_else(|| self.unknown())
    }

    /// A statement that was not prepared in the sight of the session.
    fn unknown(&self) -> Arc<Statement> {
        let analysis = Arc::clone(&self.shared.unknown);
        let statement = Statement::new(analysis, None, Shifts::default(), Echo::default());
        set_live(&statement.live, true);
        Arc::new(statement)
    }

    /// The statement whose plan explains the result of another, as the names stand now, and the
    /// ids that were sent with it.
    fn explained(&self, plan: &Plan) -> Option<(Arc<Statement>, Echo)> {
        match &plan.source {
            Source::Itself => None,
            Source::Prepared(name) => {
                let statement = self.statement(name.as_bytes());
                let echo = statement.echo.clone();
                Some((statement, echo))
            }
            Source::Portal(name) => {
                let portal = self.portal(name.as_bytes());
                Some((Arc::clone(&portal.explained), portal.echo.clone()))
            }
        }
    }

    /// What is known of a portal that the client names.
    fn portal(&self, name: &[u8]) -> Arc<Portal> {
        self.portals.get(name).cloned().unwrap_or_else(|| {
            let statement = self.unknown();
            Arc::new(Portal {
                explained: Arc::clone(&statement),
                statement,
                doubtful: false,
                formats: ResultFormats::Unknown,
                echo: Echo::default(),
                batch: self.batch,
                live: AtomicBool::new(true),
            })
        })
    }

    fn bind(&mut self, header: Header, front: &mut Front<'_>) -> Result<(), Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let bind = Bind::decode(body).map_err(Fatal::Client)?;
        let Ok(statement) = self.renewed(bind.statement) else {
            return self.refuse_bind(header, front);
        };
        let name = Box::from(bind.portal);
        let formats = ResultFormats::new(bind.results);
        let mut echo = statement.echo.clone();
        let refused = if let Some(parameters) = statement.id_parameters() {
            let frame = front.take(header.total);
            let body = frame::body(&frame, header).map_err(Fatal::Client)?;
            let bind = Bind::decode(body).map_err(Fatal::Client)?;
            bind::translate(&self.shared, parameters, &bind, &mut echo, front.built())
        } else {
            front.pass(header.total);
            None
        };
        let refused = refused.map(|refusal| self.refuse(refusal));
        let explained = match statement.plan().and_then(|plan| self.explained(plan)) {
            Some((explained, sent)) => {
                echo.extend(&sent);
                explained
            }
            None => Arc::clone(&statement),
        };
        let portal = Arc::new(Portal {
            statement,
            explained,
            doubtful: self.is_in_doubt(),
            formats,
            echo,
            batch: self.batch,
            live: AtomicBool::new(false),
        });
        let change = self.open(name, &portal);
        self.flow = Flow::Batch;
        self.queue.push(Expected::Bind {
            change,
            portal,
            refused,
        });
        Ok(())
    }

    /// What is known of a statement that the client names. If the circumstances have changed
    /// since it was analysed, it is analysed again, as the server plans it again.
    fn renewed(&mut self, name: &[u8]) -> Result<Arc<Statement>, Stale> {
        let statement = self.statement(name);
        let current = match &statement.circumstances {
            Some(circumstances) => *circumstances == self.circumstances,
            None => true,
        };
        if current || !is_live(&statement.live) {
            return Ok(statement);
        }
        let analysis = self.look_up_now(&statement.analysis.text, &statement.analysis.declared);
        let again = statement
            .analysed_again(analysis, self.circumstances.clone())
            .ok_or(Stale)?;
        let again = Arc::new(again);
        self.statements.replace(name, Some(Arc::clone(&again)));
        Ok(again)
    }

    /// Refuses a Bind of a statement that the server would have to get in other words now, with
    /// the error on which clients prepare it anew.
    fn refuse_bind(&mut self, header: Header, front: &mut Front<'_>) -> Result<(), Fatal> {
        let frame = front.take(header.total);
        let body = frame::body(&frame, header).map_err(Fatal::Client)?;
        let bind = Bind::decode(body).map_err(Fatal::Client)?;
        bind::poison(&bind, front.built());
        let refused = self.refuse(Refusal::unsupported(
            Code::Unsupported,
            "cached plan must not change result type",
        ));
        let statement = self.statement(bind.statement);
        let portal = Arc::new(Portal {
            explained: Arc::clone(&statement),
            statement,
            doubtful: true,
            formats: ResultFormats::new(bind.results),
            echo: Echo::default(),
            batch: self.batch,
            live: AtomicBool::new(false),
        });
        let change = self.open(bind.portal.into(), &portal);
        self.flow = Flow::Batch;
        self.queue.push(Expected::Bind {
            change,
            portal,
            refused: Some(refused),
        });
        Ok(())
    }

    /// Puts a portal under its name. The server refuses a second one of a name other than the
    /// empty one.
    fn open(&mut self, name: Box<[u8]>, portal: &Arc<Portal>) -> Change<Portal> {
        let taken = !name.is_empty()
            && self
                .portals
                .get(&name)
                .is_some_and(|existing| is_live(&existing.live));
        let undo = if taken {
            Undo::Nothing
        } else {
            Undo::Restore(self.portals.replace(&name, Some(Arc::clone(portal))))
        };
        Change { name, undo }
    }

    fn describe(&mut self, header: Header, front: &mut Front<'_>) -> Result<(), Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let entry = match Target::decode(body).map_err(Fatal::Client)? {
            Target::Statement(name) => {
                let statement = self.statement(name);
                let explained = statement
                    .plan()
                    .and_then(|plan| self.explained(plan))
                    .map_or_else(|| Arc::clone(&statement), |(explained, _)| explained);
                explained.asked.store(self.batch, Ordering::Relaxed);
                Expected::DescribeStatement {
                    statement,
                    explained,
                }
            }
            Target::Portal(name) => {
                let portal = self.portal(name);
                portal.explained.asked.store(self.batch, Ordering::Relaxed);
                Expected::DescribePortal(portal)
            }
        };
        self.queue.push(entry);
        self.flow = Flow::Batch;
        front.pass(header.total);
        Ok(())
    }

    fn execute(&mut self, header: Header, front: &mut Front<'_>) -> Result<(), Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let execute = Execute::decode(body).map_err(Fatal::Client)?;
        let portal = self.portal(execute.portal);
        let explained = &portal.explained;
        // The rows can't be read without knowing which columns hold keys. In a batch that has
        // failed the server skips this Execute as it has skipped the Describe.
        let unknown = portal.doubtful || explained.has_ids().is_none();
        if unknown && explained.asked.load(Ordering::Relaxed) != self.batch {
            explained.asked.store(self.batch, Ordering::Relaxed);
            let name = Box::<[u8]>::from(execute.portal);
            Target::Portal(&name).describe(front.built());
            self.queue.push(Expected::OwnDescribe(Arc::clone(&portal)));
        }
        if let Some(plan) = portal.statement.plan() {
            self.foresee(&plan.effect);
        }
        self.queue.push(Expected::Execute(portal));
        self.flow = Flow::Batch;
        front.pass(header.total);
        Ok(())
    }

    fn close(&mut self, header: Header, front: &mut Front<'_>) -> Result<(), Fatal> {
        let body = frame::body(front.rest(), header).map_err(Fatal::Client)?;
        let entry = match Target::decode(body).map_err(Fatal::Client)? {
            Target::Statement(name) => Expected::CloseStatement(Change {
                name: name.into(),
                undo: Undo::Restore(self.statements.replace(name, None)),
            }),
            Target::Portal(name) => Expected::ClosePortal(Change {
                name: name.into(),
                undo: Undo::Restore(self.portals.replace(name, None)),
            }),
        };
        self.queue.push(entry);
        self.flow = Flow::Batch;
        front.pass(header.total);
        Ok(())
    }
}

/// A prepared statement is no longer what it was analysed as.
struct Stale;

/// Postgres's own error, raised here lest it and the analysis disagree on what a statement is.
fn several_statements() -> Refusal {
    Refusal::new(
        Code::Protocol,
        "42601",
        "cannot insert multiple commands into a prepared statement",
    )
}
