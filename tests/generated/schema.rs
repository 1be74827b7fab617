//! What statements are made of: the types that values have here, and the tables of the twin's
//! schema with the types of their columns.

/// The type of a value, and of which domain it is if it is an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    Id(&'static str),
    IdArray(&'static str),
    /// An id of this domain of which pgveil can't know that it is one, for it was never compared
    /// with a column: these sort by what a client sees.
    Loose(&'static str),
    /// A uuid that is no id.
    Uuid,
    /// Text, also text that is made of ids.
    Text,
    /// Any width.
    Integer,
    Boolean,
    Time,
    Json,
}

impl Type {
    /// The simplest value.
    pub(crate) fn least(&self) -> String {
        match self {
            Self::Id(domain) => format!("(select id from {} where false)", home(domain)),
            Self::IdArray(domain) => format!("array(select id from {})", home(domain)),
            Self::Loose(_) | Self::Uuid => "null::uuid".to_owned(),
            Self::Text => "'a'::text".to_owned(),
            Self::Integer => "1".to_owned(),
            Self::Boolean => "true".to_owned(),
            Self::Time => "null::timestamptz".to_owned(),
            Self::Json => "null::jsonb".to_owned(),
        }
    }

    /// Whether values are put in an order that is the same in both worlds.
    pub(crate) fn is_sortable(&self) -> bool {
        !matches!(self, Self::Json | Self::Loose(_))
    }
}

/// A table: its name, its columns, and which of them (the first ones) tell its rows apart.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [(&'static str, Type)],
    pub(crate) keys: usize,
}

use Type::{Boolean, Id, IdArray, Integer, Json, Text, Time, Uuid};

const fn table(name: &'static str, keys: usize, columns: &'static [(&'static str, Type)]) -> Table {
    Table {
        name,
        columns,
        keys,
    }
}

const USER: Type = Id("users");
const TEAM: Type = Id("teams");
const ORDER: Type = Id("orders");

/// The tables, the more important ones first.
pub(crate) const TABLES: &[Table] = &[
    table(
        "users",
        1,
        &[
            ("id", USER),
            ("email", Text),
            ("name", Text),
            ("is_active", Boolean),
            ("login_count", Integer),
            ("auth_subject", Uuid),
            ("created_at", Time),
        ],
    ),
    table(
        "orders",
        1,
        &[
            ("id", ORDER),
            ("user_id", USER),
            ("status", Text),
            ("total_cents", Integer),
            ("note", Text),
            ("placed_at", Time),
        ],
    ),
    table(
        "comments",
        1,
        &[
            ("id", Id("comments")),
            ("author_id", USER),
            ("order_id", ORDER),
            ("parent_id", Id("comments")),
            ("body", Text),
            ("created_at", Time),
        ],
    ),
    table(
        "memberships",
        2,
        &[
            ("team_id", TEAM),
            ("user_id", USER),
            ("role", Text),
            ("created_at", Time),
        ],
    ),
    table(
        "teams",
        1,
        &[
            ("id", TEAM),
            ("name", Text),
            ("slug", Text),
            ("owner_id", USER),
            ("created_at", Time),
        ],
    ),
    table(
        "events",
        1,
        &[
            ("id", Id("events")),
            ("kind", Text),
            ("actor_id", USER),
            ("participant_ids", IdArray("users")),
            ("payload", Json),
            ("occurred_at", Time),
        ],
    ),
    table(
        "order_items",
        1,
        &[
            ("id", Id("order_items")),
            ("order_id", ORDER),
            ("sku", Text),
            ("qty", Integer),
            ("price_cents", Integer),
        ],
    ),
    table(
        "audit_log",
        1,
        &[
            ("id", Id("audit_log")),
            ("table_name", Text),
            ("record_id", ORDER),
            ("actor_id", USER),
            ("action", Text),
            ("at", Time),
        ],
    ),
    table(
        "products",
        1,
        &[("id", Id("products")), ("name", Text), ("maker_id", TEAM)],
    ),
    table(
        "stock",
        2,
        &[
            ("product_id", Id("products")),
            ("warehouse", Text),
            ("amount", Integer),
        ],
    ),
    table(
        "regions",
        1,
        &[
            ("id", Id("regions")),
            ("name", Text),
            ("within", Id("regions")),
        ],
    ),
    table("tags", 1, &[("id", Id("tags")), ("name", Text)]),
    table(
        "order_tags",
        2,
        &[("order_id", ORDER), ("tag_id", Id("tags"))],
    ),
    table(
        "documents",
        1,
        &[
            ("id", Id("documents")),
            ("owner_id", USER),
            ("title", Text),
            ("body", Json),
            ("updated_at", Time),
        ],
    ),
    table(
        "seats",
        3,
        &[("team_id", TEAM), ("user_id", USER), ("number", Integer)],
    ),
    table(
        "invoice_lines",
        2,
        &[
            ("invoice_id", ORDER),
            ("line", Integer),
            ("amount", Integer),
        ],
    ),
    table(
        "notes",
        1,
        &[("id", Id("notes")), ("author_id", USER), ("body", Text)],
    ),
    table(
        "measurements",
        1,
        &[("id", Id("measurements")), ("user_id", USER)],
    ),
    table("shop.users", 1, &[("id", Id("shop_users")), ("nick", Text)]),
    table(
        "shop.carts",
        1,
        &[
            ("id", Id("carts")),
            ("user_id", Id("shop_users")),
            ("items", Integer),
        ],
    ),
    table(
        "settings",
        1,
        &[
            ("name", Text),
            ("value", Text),
            ("weight", Integer),
            ("number", Integer),
        ],
    ),
    table(
        "user_order_totals",
        1,
        &[
            ("user_id", USER),
            ("name", Text),
            ("order_count", Integer),
            ("total_cents", Integer),
        ],
    ),
];

/// The table of which the ids of a domain are the keys.
pub(crate) fn home(domain: &'static str) -> &'static str {
    match domain {
        "shop_users" => "shop.users",
        "carts" => "shop.carts",
        table => table,
    }
}

/// Rows by domain, as the seed calls them.
pub(crate) fn rows(domain: &str) -> &'static [&'static str] {
    match domain {
        "users" => &["ann", "bob", "cai", "dee", "eli"],
        "teams" => &["red", "blue", "grey"],
        "orders" => &["one", "two", "three", "four", "five"],
        "comments" => &["root", "reply", "deep", "other"],
        "order_items" => &["a", "b", "c", "d"],
        "events" => &["met", "left", "idle"],
        "audit_log" => &["made", "changed"],
        "products" => &["pen", "ink", "pad"],
        "regions" => &["world", "isle"],
        "tags" => &["rush", "gift"],
        "documents" => &["plan", "list"],
        "notes" => &["calm", "fire"],
        "measurements" => &["old", "new", "other"],
        "shop_users" => &["zoe", "yan"],
        "carts" => &["full", "none"],
        other => panic!("no rows are known of {other}"),
    }
}
