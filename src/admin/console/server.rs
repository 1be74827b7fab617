//! The protocol, by pgwire: both ways to ask, text and binary. Its own loop over messages stands here,
//! so that a message, what a session keeps, and the time until it has begun are bounded.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{Sink, StreamExt as _, stream};
use pgwire::api::auth::{
    DefaultServerParameterProvider, StartupHandler, finish_authentication, protocol_negotiation,
    save_startup_parameters_to_metadata,
};
use pgwire::api::portal::{Format, Portal};
use pgwire::api::query::{ExtendedQueryHandler, SimpleQueryHandler};
use pgwire::api::results::{DataRowEncoder, FieldInfo, QueryResponse, Response, Tag};
use pgwire::api::stmt::QueryParser;
use pgwire::api::store::PortalStore;
use pgwire::api::{
    ClientInfo, ClientPortalStore, DefaultClient, NoopHandler, PgWireConnectionState, Type,
};
use pgwire::error::{ErrorInfo, PgWireError, PgWireResult};
use pgwire::messages::{PgWireBackendMessage, PgWireFrontendMessage};
use pgwire::tokio::server::{PgWireMessageServerCodec, process_error, process_message};
use serde_json::Value;
use tokio::net::UnixStream;
use tokio::time::timeout;
use tokio_util::codec::Framed;

use super::answer::{Answer, Failure, answer};
use super::command::{self, Command, SyntaxError};
use super::meter::Metered;
use super::table::{Kind, Table};
use crate::admin::operations::Operations;

/// How long a client may take until it has begun.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(5);

/// Prepared statements and portals that a session may have made, ended ones included: enough for any
/// driver, and each is smaller than a message.
const MOST_KEPT: usize = 1000;

/// Commands in one text.
const MOST_COMMANDS: usize = 20;

/// What clients take for the version of the server.
const SERVER_VERSION: &str = concat!("16.0 (pgveil ", env!("CARGO_PKG_VERSION"), ")");

/// Serves one client.
pub(super) async fn serve(stream: UnixStream, operations: Operations) {
    // A Unix socket has no address of this kind.
    let nowhere = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    let codec = PgWireMessageServerCodec::new(DefaultClient::<Command>::new(nowhere, false));
    let mut socket = Framed::new(Metered::new(stream), codec);
    socket.set_state(PgWireConnectionState::AwaitingStartup);
    let session = Arc::new(Session {
        operations,
        kept: AtomicUsize::new(0),
    });
    let nothing = Arc::new(NoopHandler);
    loop {
        let begins = matches!(socket.state(), PgWireConnectionState::AwaitingStartup);
        let next = match begins {
            true => timeout(STARTUP_TIMEOUT, socket.next()).await.ok().flatten(),
            false => socket.next().await,
        };
        // What can't be read has no end that is known.
        let Some(Ok(message)) = next else {
            return;
        };
        socket.get_mut().begin_anew();
        let is_last = matches!(
            message,
            PgWireFrontendMessage::Terminate(_) | PgWireFrontendMessage::CancelRequest(_)
        );
        if is_last {
            return;
        }
        let is_extended = message.is_extended_query();
        let done = match session.has_room_for(&message) {
            Ok(()) => {
                let (one, none) = (|| Arc::clone(&session), || Arc::clone(&nothing));
                process_message(message, &mut socket, one(), one(), one(), none(), none()).await
            }
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            let is_fatal = error.is_fatal() || begins;
            let told = process_error(&mut socket, error, is_extended).await;
            if is_fatal || told.is_err() {
                return;
            }
        }
    }
}

/// One session on the console.
struct Session {
    operations: Operations,
    /// How much it has made that has a name.
    kept: AtomicUsize,
}

impl Session {
    async fn run(&self, command: Command, format: &Format) -> PgWireResult<Response> {
        let answer = answer(command, &self.operations).await.map_err(failed)?;
        Ok(match answer {
            Answer::Rows(table) => Response::Query(rows(&table, format)?),
            Answer::Done(tag) => Response::Execution(Tag::new(&tag)),
            Answer::Begun => Response::TransactionStart(Tag::new("BEGIN")),
            Answer::Ended(tag) => Response::TransactionEnd(Tag::new(tag)),
        })
    }

    /// Counts what a message makes that has a name and stays.
    fn has_room_for(&self, message: &PgWireFrontendMessage) -> PgWireResult<()> {
        let stays = match message {
            PgWireFrontendMessage::Parse(parse) => parse.name.is_some(),
            PgWireFrontendMessage::Bind(bind) => bind.portal_name.is_some(),
            _ => false,
        };
        if !stays || self.kept.fetch_add(1, Ordering::Relaxed) < MOST_KEPT {
            return Ok(());
        }
        let message = "too many prepared statements on the console".to_owned();
        Err(error("54000", message, "Connect anew."))
    }
}

#[async_trait]
impl StartupHandler for Session {
    async fn on_startup<C>(
        &self,
        client: &mut C,
        message: PgWireFrontendMessage,
    ) -> PgWireResult<()>
    where
        C: ClientInfo + Sink<PgWireBackendMessage> + Unpin + Send + Sync,
        C::Error: Debug,
        PgWireError: From<<C as Sink<PgWireBackendMessage>>::Error>,
    {
        let PgWireFrontendMessage::Startup(startup) = message else {
            return Ok(());
        };
        protocol_negotiation(client, &startup).await?;
        save_startup_parameters_to_metadata(client, &startup);
        let mut settings = DefaultServerParameterProvider::default();
        settings.server_version = SERVER_VERSION.to_owned();
        finish_authentication(client, &settings).await
    }
}

#[async_trait]
impl SimpleQueryHandler for Session {
    async fn do_query<C>(&self, _: &mut C, text: &str) -> PgWireResult<Vec<Response>>
    where
        C: ClientInfo + ClientPortalStore + Sink<PgWireBackendMessage> + Unpin + Send + Sync,
        C::PortalStore: PortalStore,
        C::Error: Debug,
        PgWireError: From<<C as Sink<PgWireBackendMessage>>::Error>,
    {
        let commands = command::commands(text).map_err(misread)?;
        if commands.len() > MOST_COMMANDS {
            let message = format!("more than {MOST_COMMANDS} commands in one text");
            return Err(error("54000", message, "Send them one by one."));
        }
        let mut given = Vec::new();
        for command in commands {
            given.push(self.run(command, &Format::UnifiedText).await?);
        }
        Ok(given)
    }
}

#[async_trait]
impl ExtendedQueryHandler for Session {
    type Statement = Command;
    type QueryParser = Parser;

    fn query_parser(&self) -> Arc<Parser> {
        Arc::new(Parser)
    }

    async fn do_query<C>(
        &self,
        _: &mut C,
        portal: &Portal<Command>,
        _: usize,
    ) -> PgWireResult<Response>
    where
        C: ClientInfo + ClientPortalStore + Sink<PgWireBackendMessage> + Unpin + Send + Sync,
        C::PortalStore: PortalStore<Statement = Command>,
        C::Error: Debug,
        PgWireError: From<<C as Sink<PgWireBackendMessage>>::Error>,
    {
        let command = portal.statement.statement;
        self.run(command, &portal.result_column_format).await
    }
}

/// Reads what is prepared: one command, without parameters.
struct Parser;

#[async_trait]
impl QueryParser for Parser {
    type Statement = Command;

    async fn parse_sql<C>(
        &self,
        _: &C,
        text: &str,
        _: &[Option<Type>],
    ) -> PgWireResult<Option<Command>>
    where
        C: ClientInfo + Unpin + Send + Sync,
    {
        match command::commands(text).map_err(misread)?.as_slice() {
            [] => Ok(None),
            [command] => Ok(Some(*command)),
            _ => {
                let message = "cannot insert multiple commands into a prepared statement";
                Err(error("42601", message.to_owned(), HINT))
            }
        }
    }

    fn get_parameter_types(&self, _: &Command) -> PgWireResult<Vec<Type>> {
        Ok(Vec::new())
    }

    fn get_result_schema(
        &self,
        command: &Command,
        format: Option<&Format>,
    ) -> PgWireResult<Vec<FieldInfo>> {
        match command {
            Command::Show(list) => fields(list.columns(), format.unwrap_or(&Format::UnifiedText)),
            _ => Ok(Vec::new()),
        }
    }
}

/// What the columns are called, and how they come.
fn fields(columns: &[(&'static str, Kind)], format: &Format) -> PgWireResult<Vec<FieldInfo>> {
    if let Format::Individual(formats) = format
        && formats.len() != columns.len()
    {
        let message = format!(
            "bind message has {} result formats but query has {} columns",
            formats.len(),
            columns.len()
        );
        return Err(error("08P01", message, HINT));
    }
    let numbered = columns.iter().enumerate();
    let field = |(number, (name, kind)): (usize, &(&str, Kind))| {
        let (of_type, size) = match kind {
            Kind::Text => (Type::TEXT, -1),
            Kind::Number => (Type::INT8, 8),
        };
        let format = format.format_for(number);
        FieldInfo::new((*name).to_owned(), None, None, of_type, format).with_type_size(size)
    };
    Ok(numbered.map(field).collect())
}

fn rows(table: &Table, format: &Format) -> PgWireResult<QueryResponse> {
    let fields = Arc::new(fields(table.columns, format)?);
    let mut encoder = DataRowEncoder::new(Arc::clone(&fields));
    let mut encoded = Vec::new();
    for row in &table.rows {
        for (value, (_, kind)) in row.iter().zip(table.columns) {
            match kind {
                Kind::Text => encoder.encode_field(&text(value))?,
                Kind::Number => {
                    // More than that is no number that has been counted.
                    let number = value.as_u64().map(i64::try_from);
                    encoder.encode_field(&number.map(|number| number.unwrap_or(i64::MAX)))?;
                }
            }
        }
        encoded.push(Ok(encoder.take_row()));
    }
    let mut response = QueryResponse::new(fields, stream::iter(encoded));
    response.set_command_tag("SHOW");
    Ok(response)
}

/// A text as it is, and anything else as JSON.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

const HINT: &str = "SHOW HELP lists the commands.";

fn misread(wrong: SyntaxError) -> PgWireError {
    let message = match wrong.near {
        Some(near) => format!("syntax error at or near \"{near}\""),
        None => "syntax error at end of input".to_owned(),
    };
    let mut info = ErrorInfo::new("ERROR".to_owned(), "42601".to_owned(), message);
    info.hint = Some(HINT.to_owned());
    info.position = Some(wrong.position.to_string());
    PgWireError::UserError(Box::new(info))
}

fn failed(failure: Failure) -> PgWireError {
    error(failure.sqlstate, failure.message, failure.hint)
}

fn error(sqlstate: &str, message: String, hint: &str) -> PgWireError {
    let mut info = ErrorInfo::new("ERROR".to_owned(), sqlstate.to_owned(), message);
    info.hint = Some(hint.to_owned());
    PgWireError::UserError(Box::new(info))
}
