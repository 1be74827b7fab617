//! What the analysis of one statement found: the byte edits, a rule for each parameter and for
//! each result column, and what the session has to remember afterwards. A plan is immutable,
//! holds no key and no decoded id, and is shared by all sessions of a database.

mod anchors;
mod domains;
mod edits;
mod json;
mod paths;
mod reading;
mod row;
mod value;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::catalog::{CreatedRelation, IdType, SearchPath};

use super::objects::Objects;
use super::refusal::Refusal;
pub use crate::splice::Misplaced;
pub(super) use anchors::restore;
pub use anchors::{Anchors, Link};
pub use edits::{Edits, Overlap};
pub use json::{JsonKind, JsonLeaf, JsonShape, JsonUsage};
pub use paths::Paths;
pub use reading::{Letters, Pattern, Reading, Sought, Split, TextChange};
pub use reading::{cut, listed, quoted_element};
pub use row::{SentField, SentRow};

/// What becomes of a statement. There is no third way: a statement is forwarded only with the
/// plan that explains its results.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// Forward it, edited and watched as the plan says.
    Forward(Plan),
    /// Do not run it.
    Refuse(Refusal),
}

/// The analysis of one statement.
#[derive(Debug, Default)]
pub struct Plan {
    /// Changes to the statement's text: the ranges are byte offsets into what was analysed.
    pub edits: Edits,
    /// What happens to bind parameters.
    pub parameters: Parameters,
    /// What happens to result columns.
    pub columns: Columns,
    /// Where the result comes from, for statements that run something prepared before.
    pub source: Source,
    /// The arguments of `EXECUTE`, in order: what stands for an id among them only the plan of the
    /// prepared statement tells.
    pub arguments: Vec<Argument>,
    /// What the session must remember once the statement has run.
    pub effect: Effect,
    /// Whether the statement names something that the snapshot does not know, so that `columns`
    /// does not explain its result.
    pub unresolved: bool,
    /// Whether the result is what the client has written itself, whatever happens to the database.
    pub constant: bool,
    /// Whether ids may be compared for order: how many rows the planner expects then tells where
    /// their keys lie.
    pub orders_ids: bool,
    /// Set once a server's RowDescription has agreed with `columns`.
    pub(crate) confirmed: AtomicBool,
}

impl Plan {
    /// Whether a server's RowDescription has already agreed with this plan.
    #[must_use]
    pub fn is_confirmed(&self) -> bool {
        self.confirmed.load(Ordering::Relaxed)
    }

    /// Whether nothing in the statement, its parameters or its result is known to be an id.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let columns = match &self.columns {
            Columns::Clean => true,
            Columns::Known(columns) => {
                let is_clean = |column: &Column| matches!(column.value, ColumnValue::Clean);
                columns.iter().all(is_clean)
            }
            Columns::Copy(_) | Columns::Explained(_) => false,
        };
        columns && self.edits.is_empty() && self.parameters.is_plain()
    }

    /// Gives back memory that nothing is in.
    pub(super) fn shrink(&mut self) {
        self.edits.shrink_to_fit();
        self.arguments.shrink_to_fit();
        self.parameters.shown.shrink_to_fit();
        self.parameters.sent.shrink_to_fit();
        if let Columns::Known(columns) = &mut self.columns {
            columns.shrink_to_fit();
        }
    }

    /// Records that a server's RowDescription agreed with this plan.
    pub fn confirm(&self) {
        self.confirmed.store(true, Ordering::Relaxed);
    }
}

impl PartialEq for Plan {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            edits,
            parameters,
            columns,
            source,
            arguments,
            effect,
            unresolved,
            constant,
            orders_ids,
            // What a server said of it is no part of it.
            confirmed: _,
        } = self;
        *edits == other.edits
            && *parameters == other.parameters
            && *columns == other.columns
            && *source == other.source
            && *arguments == other.arguments
            && *effect == other.effect
            && *unresolved == other.unresolved
            && *orders_ids == other.orders_ids
            && *constant == other.constant
    }
}

/// One change to the text of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced; empty for an insertion.
    pub span: Range<usize>,
    /// What takes their place.
    pub with: Replacement,
}

/// The new text at the place of an edit.
#[derive(Clone, PartialEq, Eq)]
pub enum Replacement {
    /// This text.
    Text(String),
    /// A literal that is an opaque id, a string or an integer: it becomes a quoted key (`'42'`).
    Id {
        /// What the id stands for.
        usage: IdUsage,
        /// The value of the literal, without quotes and escapes; of an integer its digits, behind
        /// a minus sign if it has one.
        literal: String,
    },
    /// A string literal that holds an array of opaque ids in Postgres's array syntax: it
    /// becomes a quoted array of keys (`'{1,2}'`).
    IdArray {
        /// What each element stands for.
        usage: IdUsage,
        /// The value of the literal, without quotes and escapes.
        literal: String,
    },
    /// A string literal that holds a row, or an array of rows, in Postgres's syntax: the ids in it
    /// become keys.
    Row {
        /// What its fields are.
        row: SentRow,
        /// The value of the literal, without quotes and escapes.
        literal: String,
    },
    /// A string literal that holds a JSON document: its ids become keys.
    Json {
        /// Where ids stand in it.
        shape: JsonShape,
        /// The value of the literal, without quotes and escapes.
        literal: String,
    },
    /// The beginning of a tag around an expression whose value is a key, so that the key can be
    /// found again in text or JSON.
    TagOpen {
        /// What the key is, and as what it is shown.
        id: IdType,
        /// Whether the id is a number in JSON, which the tag is not.
        number: bool,
    },
    /// The end of the tag.
    TagClose,
    /// The end of a call that takes a key out of a text that is a tag and nothing else: what it is
    /// a key of. Of any other text it makes one that can't be cast.
    Untag(IdType),
    /// The beginning of what makes a key of a text, or NULL of one that is none.
    KeyOpen(IdType),
    /// The end of that.
    KeyClose(IdType),
    /// The beginning of a mark around an id that the client sends with a statement to be
    /// explained, so that the id can be found again in the plan.
    MarkOpen {
        /// What the id stands for, and as what it is shown.
        id: IdType,
        /// Whether it is an array of ids.
        array: bool,
        /// Whether the planner may work with the value in its estimates.
        estimated: bool,
    },
}

impl std::fmt::Debug for Replacement {
    /// Shows everything but the literal.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.debug_tuple("Text").field(text).finish(),
            Self::Id { usage, .. } => f.debug_tuple("Id").field(usage).finish(),
            Self::IdArray { usage, .. } => f.debug_tuple("IdArray").field(usage).finish(),
            Self::Row { row, .. } => f.debug_tuple("Row").field(row).finish(),
            Self::Json { shape, .. } => f.debug_tuple("Json").field(shape).finish(),
            Self::TagOpen { id, .. } => f.debug_tuple("TagOpen").field(id).finish(),
            Self::TagClose => f.write_str("TagClose"),
            Self::Untag(id) => f.debug_tuple("Untag").field(id).finish(),
            Self::KeyOpen(id) => f.debug_tuple("KeyOpen").field(id).finish(),
            Self::KeyClose(id) => f.debug_tuple("KeyClose").field(id).finish(),
            Self::MarkOpen { id, .. } => f.debug_tuple("MarkOpen").field(id).finish(),
        }
    }
}

/// How an id that the client sends is used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdUsage {
    /// What the client sends and what Postgres is given. For a value that is declared otherwise
    /// than the ids are shown, `shown` is the type that is declared: `bigint` for a native id of
    /// type `integer`, `character varying` for one of type `text`.
    pub id: IdType,
    /// Present if the value would be stored: then an id that was not issued is an error, and
    /// this says which. Absent in a predicate: there it becomes a key that matches nothing.
    pub stored: Option<Box<TargetColumn>>,
    /// Present if it is compared for order: then what nobody issued may mean all ids or none.
    pub bound: Option<Bound>,
}

impl IdUsage {
    /// What the value may be used as instead, where what it is stored beside says which.
    pub(crate) fn instead(&self) -> impl Iterator<Item = Self> {
        let others = self.stored.iter().flat_map(|stored| &stored.others);
        others.map(|other| {
            let stored = self.stored.clone().map(|stored| {
                Box::new(TargetColumn {
                    others: Vec::new(),
                    ..*stored
                })
            });
            let id = IdType {
                shown: self.id.shown,
                ..*other
            };
            Self {
                id,
                stored,
                bound: self.bound,
            }
        })
    }
}

/// As what a value bounds a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// As the first of those that are not smaller: `id >= 1`, `id < 1`, the first of BETWEEN.
    First,
    /// In another way, or in several.
    Other,
}

impl Bound {
    /// What a value bounds that is used in two ways.
    #[must_use]
    pub fn and(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) if one == other => Some(one),
            (None, bound) | (bound, None) => bound,
            _ => Some(Self::Other),
        }
    }
}

/// The column that would store a value, for the error that a value never issued gets.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TargetColumn {
    /// The schema of the table.
    pub schema: String,
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// The foreign key that the value would violate: its name and the referenced table. `None`
    /// where no constraint covers the column.
    pub foreign_key: Option<(String, String)>,
    /// What else the value may be an id of, where the stored row says which: then it is NULL here,
    /// and sent once more as that.
    pub others: Vec<IdType>,
}

impl TargetColumn {
    /// What is sent to a channel: no schema has the empty name.
    pub(crate) fn in_channel(name: &str) -> Self {
        Self {
            schema: String::new(),
            table: name.to_owned(),
            column: String::new(),
            foreign_key: None,
            others: Vec::new(),
        }
    }

    /// What is given to a function that may store it: no column has the empty name.
    pub(crate) fn by_function(schema: &str, name: &str) -> Self {
        Self {
            schema: schema.to_owned(),
            table: name.to_owned(),
            column: String::new(),
            foreign_key: None,
            others: Vec::new(),
        }
    }

    /// Whether the value is given to a function, which `table` names.
    #[must_use]
    pub fn is_by_function(&self) -> bool {
        self.column.is_empty() && !self.is_in_channel()
    }

    /// Whether the value is sent to a channel, which `table` names.
    #[must_use]
    pub fn is_in_channel(&self) -> bool {
        self.schema.is_empty()
    }
}

/// What happens to the bind parameters of a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters {
    /// One entry for each parameter of the statement as the client wrote it, `$1` first: the
    /// type the client is told if it is an id (that of the ids or of an array of them), `None` if
    /// the server's word holds.
    pub shown: Vec<Option<u32>>,
    /// One entry for each parameter of the edited statement. Empty if no parameter is an id:
    /// then Parse, Bind and ParameterDescription need no change.
    pub sent: Vec<SentParameter>,
}

impl Parameters {
    /// Whether no parameter carries an id, so that Bind passes as it is.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.sent.is_empty()
    }
}

/// A parameter of the statement that the server gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentParameter {
    /// The index (from 0) of the client's parameter whose value it carries.
    pub source: usize,
    /// The type oid to declare in Parse; 0 leaves it to the server.
    pub declared: u32,
    /// How the value is translated; `None` for a value that passes as it is.
    pub id: Option<IdUsage>,
    /// Whether the value is an array of ids.
    pub array: bool,
    /// Whether the value is text that the statement casts (`cast($1 as uuid)` with `$1` declared
    /// as text): its binary format then is the text itself. The server gets the text of a key.
    pub textual: bool,
    /// How the ids are written in the value.
    pub reading: Reading,
    /// Present if it is sent only beside some values of another parameter.
    pub when: Option<When>,
    /// Present if the value is a JSON document with ids in it; then `id` is absent.
    pub json: Option<Box<JsonUsage>>,
    /// Present if the value is a row with ids in it, or an array of rows; then `id` and `json` are
    /// absent.
    pub row: Option<SentRow>,
}

/// Beside which values of another parameter one is sent. Beside others it is NULL.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct When {
    /// The index (from 0) of the client's other parameter.
    pub source: usize,
    /// Whether that is an integer, and not text.
    pub number: bool,
    /// Its values.
    pub values: Vec<String>,
    /// Its values beside which the same value is sent as another parameter. Beside any that is
    /// neither here nor there nobody can say what the value is.
    pub others: Vec<String>,
}

impl SentParameter {
    /// Whether its value is an id, or has ids in it, or says where one is.
    #[must_use]
    pub const fn carries_ids(&self) -> bool {
        let is_name = matches!(self.reading, Reading::Member(_));
        self.id.is_some() || self.json.is_some() || self.row.is_some() || is_name
    }
}

/// What the result of a statement consists of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Columns {
    /// The statement reaches nothing that is protected: no column of its result carries an id,
    /// however many there are. Server provenance still watches.
    #[default]
    Clean,
    /// The exact columns of the result, in order. Empty for a statement without a result.
    Known(Vec<Column>),
    /// The data of a COPY from or to the client, over something protected.
    Copy(Box<CopyPlan>),
    /// What EXPLAIN tells of a statement over something protected.
    Explained(PlanFormat),
}

/// How EXPLAIN writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PlanFormat {
    /// A line a row.
    #[default]
    Text,
    /// One document.
    Json,
    /// One document.
    Xml,
    /// One document.
    Yaml,
}

/// What is to be known of the data of a COPY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyPlan {
    /// Whether the rows come or go.
    pub direction: CopyDirection,
    /// The table, as errors name it; empty for a query.
    pub table: String,
    /// How they are written. Of no meaning if no column carries an id.
    pub format: CopyFormat,
    /// The fields of each record, in order.
    pub columns: Vec<CopyColumn>,
}

/// Where the data of a COPY go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyDirection {
    /// `COPY … FROM STDIN`
    FromClient,
    /// `COPY … TO STDOUT`
    ToClient,
}

/// How the data of a COPY are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyFormat {
    /// `FORMAT binary`
    Binary,
    /// Text or CSV.
    Lines(CopyLines),
}

/// The options of text and CSV, with their defaults filled in. The characters are of ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyLines {
    /// `DELIMITER`
    pub delimiter: u8,
    /// `NULL`
    pub null: String,
    /// `DEFAULT`
    pub default: Option<String>,
    /// `HEADER`, with or without `MATCH`.
    pub header: bool,
    /// `QUOTE` and `ESCAPE` of CSV.
    pub quotes: Option<(u8, u8)>,
}

/// A field of the records of a COPY.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CopyColumn {
    /// The name of the column.
    pub name: String,
    /// What its values are.
    pub value: ColumnValue,
    /// Where ids are stored, for `FROM STDIN`.
    pub stored: Option<Box<TargetColumn>>,
    /// `FORCE_QUOTE`
    pub force_quote: bool,
    /// `FORCE_NOT_NULL`
    pub force_not_null: bool,
    /// `FORCE_NULL`
    pub force_null: bool,
}

/// Where the result of a statement comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Source {
    /// From the statement itself; its plan describes it.
    #[default]
    Itself,
    /// From a prepared statement (`EXECUTE name`), whose plan describes the result. One that the
    /// session doesn't know was prepared by the user's own code, which is called only if it is clean.
    Prepared(String),
    /// From a portal (`FETCH … FROM name`); likewise.
    Portal(String),
}

/// An argument of `EXECUTE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its bytes.
    pub span: Range<usize>,
    /// The value that is given.
    pub value: ArgumentValue,
}

/// What an argument of `EXECUTE` is.
#[derive(Clone, PartialEq, Eq)]
pub enum ArgumentValue {
    /// `NULL`
    Null,
    /// A string.
    Literal {
        /// Its value, without quotes and escapes.
        literal: String,
        /// The oid of the type that it is cast to; 0 for none.
        cast: u32,
    },
    /// Any other expression. No key is in it.
    Other,
}

impl std::fmt::Debug for ArgumentValue {
    /// Shows everything but the literal.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Null => "Null",
            Self::Literal { .. } => "Literal",
            Self::Other => "Other",
        })
    }
}

/// A result column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name, as far as the analysis knows it (for `explain`).
    pub name: String,
    /// What its values are.
    pub value: ColumnValue,
    /// The modifier that the client is told with the type, or -1, if its values are ids.
    pub modifier: i32,
    /// Whether the client is told that it is computed, though for the server it is a plain column:
    /// an id that is cast to text and back.
    pub computed: bool,
    /// The column of a table that the client is told it is, though for the server it is computed:
    /// its relation and its number.
    pub column: Option<(u32, i16)>,
}

/// What the values of a result column are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ColumnValue {
    /// No key is in it.
    #[default]
    Clean,
    /// Keys, shown as ids.
    Id(IdType),
    /// Arrays (of any dimension) of keys, shown as arrays of ids.
    IdArray(IdType),
    /// JSON documents with keys in them, shown as ids.
    Json(Arc<JsonShape>),
    /// Arrays of such documents.
    JsonArray(Arc<JsonShape>),
    /// Text or JSON with tags in it, in place of which ids are shown.
    Tagged {
        /// Whether it is an array of such values.
        array: bool,
        /// Whether each value is one tag or the text of a real uuid, and shown as `uuid`.
        uuid: bool,
    },
    /// Rows with keys somewhere in their fields.
    Record {
        /// What each field is.
        fields: Arc<[Self]>,
        /// Whether it is an array of such rows.
        array: bool,
    },
}

/// What the session has to do once the statement has run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effect {
    /// It may have changed tables, columns, keys or views: reload the catalog.
    pub ddl: bool,
    /// What it changes is an index over columns, and no more.
    pub indexes: bool,
    /// The names of what it creates and drops, if that changes what statements mean.
    pub objects: Option<Arc<Objects>>,
    /// No other session sees what it has changed: it is temporary.
    pub private: bool,
    /// It takes away all that is temporary, and changes nothing else that is defined.
    pub discards: bool,
    /// It is a definition that changes all that it names or nothing, as its answer tells.
    pub vain: Option<Vain>,
    /// It computes with keys in ways that nobody has judged: a definition that it makes or runs does.
    /// No result shows that, but an error could.
    pub unanalysed: bool,
    /// It defines something of columns that clients see as another type than they are stored as, and
    /// goes on as it is written: an error about types may come of that.
    pub of_stored_types: bool,
    /// It changes rows, also by a part of WITH.
    pub writes: bool,
    /// It ends the transaction or undoes a part of it, and with that what it has changed.
    pub ends_transaction: bool,
    /// It takes foreign keys away by which columns are annotated, or adds some.
    pub anchors: Option<Box<Anchors>>,
    /// It makes a relation that may be a temporary one: what is in it nothing else tells.
    pub creates: Option<Arc<CreatedRelation>>,
    /// It defines code of the session's own, or what runs such unasked, or takes a relation of keys
    /// away that is its own: until the snapshot shows it, nothing runs that might mean it.
    pub blinds: bool,
    /// It makes what code of the database may mean by its names: until the snapshot shows it, no such
    /// code runs.
    pub fronts: bool,
    /// It defines code of others, which statements behind it may call by a name.
    pub defines: bool,
    /// It runs functions in SQL, whose names are looked for on the path when they run.
    pub late: bool,
    /// It may have changed the search path.
    pub search_path: PathChange,
    /// It may have changed by which settings texts are read.
    pub settings: bool,
    /// It leaves something in the server's session beyond its transaction that changes what other
    /// statements mean, or uses it. A pooler would hand that to other clients.
    pub remains: bool,
    /// It leaves a statement or a cursor under a name.
    pub keeps: Option<Box<NamedObject>>,
    /// It ends a statement or a cursor.
    pub ends: Option<Ended>,
}

impl Effect {
    /// Whether it makes a relation that holds keys, or will.
    #[must_use]
    pub fn creates_keys(&self) -> bool {
        self.blinds || self.creates.as_deref().is_some_and(|made| made.keyed)
    }

    /// Whether it leaves nothing that is known by the statement itself: what runs it by a name, an
    /// `EXECUTE` or a `FETCH`, says nothing of that.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        let defines = self.ddl || self.blinds || self.defines || self.creates.is_some();
        !(defines || self.ends_transaction || self.keeps.is_some() || self.ends.is_some())
    }

    /// Whether it may end a cursor.
    #[must_use]
    pub const fn closes_cursors(&self) -> bool {
        self.ends_transaction || matches!(self.ends, Some(Ended::Portal(_) | Ended::Portals))
    }

    /// Whether names or texts behind it may mean something else.
    #[must_use]
    pub fn moves_meanings(&self) -> bool {
        self.settings || self.search_path != PathChange::Unchanged
    }

    /// Why it can't run where nothing can put it right: it takes the annotation of a column away.
    #[must_use]
    pub fn loses(&self) -> Option<&Refusal> {
        self.anchors.as_deref()?.refusal.as_ref()
    }

    /// Whether it ends the transaction block, or that of a transaction that is prepared for it, and
    /// keeps what has been changed.
    #[must_use]
    pub fn commits(&self) -> bool {
        self.ends_transaction && self.search_path == PathChange::Committed
    }

    /// Whether it takes back what the open transaction has changed, by which others of its text have
    /// been judged.
    #[must_use]
    pub const fn rolls_back(&self) -> bool {
        let is_back = matches!(
            self.search_path,
            PathChange::RolledBack | PathChange::Reverted
        );
        self.ends_transaction && is_back
    }

    /// That of a statement which leaves nothing; `unanalysed` if what is defined of relations computes
    /// with keys.
    pub(super) fn of_definitions(unanalysed: bool) -> Self {
        Self {
            unanalysed,
            ..Self::default()
        }
    }
}

/// How the answer to a definition tells that it has changed nothing: by an error, or by a report for
/// each thing that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vain {
    /// How many things it names.
    pub things: usize,
    /// The SQLSTATEs of such reports; there are none if it can't tell.
    pub codes: &'static [&'static str],
    /// What raises them in the server's source, which no code of users can choose.
    pub routines: &'static [&'static str],
}

impl Vain {
    /// Whether a report says that nothing is done to a thing.
    #[must_use]
    pub fn is_said_by(&self, code: &str, routine: &str) -> bool {
        self.codes.contains(&code) && self.routines.contains(&routine)
    }
}

/// What `PREPARE` and `DECLARE` leave under a name: the session analyses the inner statement as
/// one of its own and so knows what `EXECUTE` and `FETCH` will show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedObject {
    /// Which of the two.
    pub kind: KeptKind,
    /// The name.
    pub name: String,
    /// The bytes of the inner statement in the text that was analysed.
    pub query: Range<usize>,
    /// The types that are declared for its parameters.
    pub declared: Vec<u32>,
    /// Whether some of its parameters are ids.
    pub takes_ids: bool,
}

impl NamedObject {
    /// The types that are declared for its parameters as a Parse has them.
    #[must_use]
    pub fn declared_bytes(&self) -> Vec<u8> {
        let declared = self.declared.iter();
        declared.flat_map(|oid| oid.to_be_bytes()).collect()
    }
}

/// What is kept under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptKind {
    /// A prepared statement.
    Statement,
    /// A cursor, which is a portal.
    Cursor {
        /// Whether it outlives its transaction.
        held: bool,
    },
}

/// What `DEALLOCATE` and `CLOSE` end, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// A prepared statement.
    Statement(String),
    /// A portal.
    Portal(String),
    /// All portals.
    Portals,
}

/// How a statement changes the search path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum PathChange {
    /// The path stays as it is.
    #[default]
    Unchanged,
    /// To these schemas, as far as the text tells; ask the server at the next opportunity.
    Predicted {
        /// The schemas.
        path: SearchPath,
        /// Whether it ends with the transaction (`SET LOCAL`).
        local: bool,
    },
    /// A part of the transaction is undone (`ROLLBACK TO`), and what that part has changed.
    Reverted,
    /// The transaction ends well, unless it has failed; another may begin at once.
    Committed,
    /// The transaction is undone; another may begin at once.
    RolledBack,
    /// In a way that only the server knows: nothing that names annotated tables may be analysed
    /// until it has been asked.
    Unknown,
}
