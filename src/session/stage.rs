//! What a session is doing, and what counts as much of it.

/// So many relations are compared, or put together, in a light call.
pub(super) const HEAVY_RELATIONS: usize = 1000;

/// What a session is doing: the log names it where a fault is contained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// Nothing in particular: it reads and forwards messages.
    #[default]
    Messages,
    /// A text is analysed.
    Analysis,
    /// Ids in a text become keys.
    Edit,
    /// Ids in parameters become keys.
    Bind,
    /// Keys in rows become ids.
    Rows,
    /// Data of COPY are translated, in either direction.
    Copy,
    /// A result is compared with its plan.
    Description,
    /// An error or a notice is rewritten.
    Report,
    /// A notification is rewritten.
    Notification,
    /// A snapshot of the database is put together.
    Catalog,
}

impl Stage {
    /// All stages, in the order in which a statement passes them.
    pub const ALL: [Self; 10] = [
        Self::Messages,
        Self::Analysis,
        Self::Edit,
        Self::Bind,
        Self::Rows,
        Self::Copy,
        Self::Description,
        Self::Report,
        Self::Notification,
        Self::Catalog,
    ];

    /// The name in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Analysis => "analysis",
            Self::Edit => "edit",
            Self::Bind => "bind",
            Self::Rows => "rows",
            Self::Copy => "copy",
            Self::Description => "description",
            Self::Report => "report",
            Self::Notification => "notification",
            Self::Catalog => "catalog",
        }
    }
}
