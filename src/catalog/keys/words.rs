//! The words that names of tables and columns are made of: singular and plural, and what is said of
//! people, of rows of the same table, and of rows of any.
//!
//! The rules for plurals are those of the names that frameworks give to tables, and a few that
//! people give. A library of inflections takes `data` for the plural of `datum` and `canvas` for
//! that of `canva`; what is wanted here is to err towards the name as it is.

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};

/// Words that are their own singular, and those with one of their own.
const ODD: &[(&str, &str)] = &[
    ("people", "person"),
    ("children", "child"),
    ("men", "man"),
    ("women", "woman"),
    ("indices", "index"),
    ("vertices", "vertex"),
    ("matrices", "matrix"),
    ("analyses", "analysis"),
    ("movies", "movie"),
    ("cookies", "cookie"),
    ("series", "series"),
    ("species", "species"),
    ("news", "news"),
    ("canvas", "canvas"),
    ("alias", "alias"),
    ("gas", "gas"),
    ("houses", "house"),
    ("causes", "cause"),
    ("courses", "course"),
    ("licenses", "license"),
    ("purchases", "purchase"),
    ("releases", "release"),
    ("expenses", "expense"),
    ("responses", "response"),
    ("databases", "database"),
    ("warehouses", "warehouse"),
    ("cases", "case"),
    ("phases", "phase"),
    ("leases", "lease"),
    ("caches", "cache"),
];

/// Roles that people have towards a row.
const PEOPLE: &[&str] = &[
    "actor",
    "admin",
    "approver",
    "assignee",
    "assigner",
    "author",
    "buyer",
    "caller",
    "contact",
    "creator",
    "editor",
    "follower",
    "followee",
    "guest",
    "host",
    "initiator",
    "invitee",
    "inviter",
    "leader",
    "lead",
    "liker",
    "manager",
    "member",
    "mentor",
    "moderator",
    "operator",
    "owner",
    "participant",
    "payee",
    "payer",
    "performer",
    "person",
    "poster",
    "recipient",
    "receiver",
    "referrer",
    "reporter",
    "requester",
    "requestor",
    "responder",
    "reviewer",
    "sender",
    "seller",
    "submitter",
    "subscriber",
    "supervisor",
    "updater",
    "uploader",
    "user",
    "viewer",
    "visitor",
    "voter",
    "watcher",
    "whodunnit",
];

/// What somebody has done to a row, before `_by`.
const DONE: &[&str] = &[
    "accepted",
    "added",
    "approved",
    "archived",
    "assigned",
    "banned",
    "blocked",
    "cancelled",
    "canceled",
    "changed",
    "checked",
    "claimed",
    "closed",
    "completed",
    "confirmed",
    "created",
    "deleted",
    "disabled",
    "edited",
    "handled",
    "inserted",
    "invited",
    "issued",
    "locked",
    "merged",
    "moderated",
    "modified",
    "opened",
    "owned",
    "paid",
    "performed",
    "posted",
    "published",
    "referred",
    "rejected",
    "reported",
    "requested",
    "resolved",
    "reviewed",
    "revoked",
    "sent",
    "signed",
    "submitted",
    "updated",
    "uploaded",
    "verified",
];

/// The tables of people, the likeliest first.
pub(crate) const OF_PEOPLE: &[&str] = &[
    "user", "account", "person", "member", "employee", "customer", "profile", "staff",
];

/// Rows of the same table.
const OWN: &[&str] = &[
    "parent",
    "root",
    "ancestor",
    "child",
    "previous",
    "prev",
    "next",
    "original",
    "reply_to",
    "in_reply_to",
    "duplicate_of",
    "duplicate",
    "superseded_by",
    "replaced_by",
    "replaces",
    "copied_from",
    "cloned_from",
    "forked_from",
    "merged_into",
    "thread_root",
];

/// Rows of any table.
const ANY: &[&str] = &[
    "record", "row", "object", "entity", "item", "subject", "target", "resource", "source",
];

/// Columns that say of which table such a row is.
const TABLE: &[&str] = &[
    "table_name",
    "table",
    "tablename",
    "entity",
    "entity_name",
    "entity_type",
    "model_name",
    "model_type",
    "object_type",
    "resource_name",
    "resource_type",
    "record_type",
    "content_type_id",
    "content_type",
    "target_table",
    "source_table",
];

/// A name in small letters, its words apart: `billingUserId` is `billing_user_id`.
pub(crate) fn snake(name: &str) -> String {
    name.to_snake_case()
}

/// The name of a class for a name in small letters: `BillingUser` for `billing_user`.
pub(crate) fn class(name: &str) -> String {
    name.to_upper_camel_case()
}

/// A name with its last word in singular.
pub(crate) fn singular(name: &str) -> String {
    let (head, last) = match name.rsplit_once('_') {
        Some((head, last)) => (format!("{head}_"), last),
        None => (String::new(), name),
    };
    if let Some((_, single)) = ODD.iter().find(|(plural, _)| *plural == last) {
        return format!("{head}{single}");
    }
    let stem = |ending: &str| last.strip_suffix(ending).filter(|stem| stem.len() > 1);
    let single = if let Some(stem) = stem("ies") {
        format!("{stem}y")
    } else if ["sses", "xes", "ches", "shes", "zes", "uses"]
        .iter()
        .any(|ending| stem(ending).is_some())
    {
        last.strip_suffix("es").unwrap_or(last).to_owned()
    } else if ["ss", "us", "is"]
        .iter()
        .any(|ending| last.ends_with(ending))
    {
        last.to_owned()
    } else {
        stem("s").unwrap_or(last).to_owned()
    };
    format!("{head}{single}")
}

/// What a column is called without the ending that says that it holds a key, or keys.
pub(crate) fn stem(name: &str, array: bool) -> Option<&str> {
    let endings: &[&str] = match array {
        true => &["_ids", "_id", "_uuids", "_keys"],
        false => &["_id", "_uuid", "_uid", "_fk", "_pk", "_ref", "_key"],
    };
    let mut stems = endings
        .iter()
        .filter_map(|ending| name.strip_suffix(ending));
    stems.find(|stem| !stem.is_empty())
}

/// Whether a name without its ending is said of people: `actor`, `billing_owner`.
pub(crate) fn is_person(stem: &str) -> bool {
    let last = stem.rsplit('_').next().unwrap_or(stem);
    PEOPLE.contains(&last)
}

/// Whether a name says who has done something: `created_by`, `assigned_to`.
pub(crate) fn is_doer(name: &str) -> bool {
    let name = name.strip_suffix("_id").unwrap_or(name);
    let done = name.strip_suffix("_by").or(name.strip_suffix("_to"));
    done.is_some_and(|done| {
        let last = done.rsplit('_').next().unwrap_or(done);
        DONE.contains(&last)
    })
}

/// Whether a name without its ending is that of a row of the same table.
pub(crate) fn is_own(stem: &str) -> bool {
    OWN.contains(&stem)
}

/// Whether a name without its ending is that of a row of any table.
pub(crate) fn is_any(stem: &str) -> bool {
    ANY.contains(&stem)
}

/// Whether a column says of which table a row is.
pub(crate) fn is_table(name: &str) -> bool {
    TABLE.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables_have_a_singular() {
        for (plural, single) in [
            ("users", "user"),
            ("addresses", "address"),
            ("companies", "company"),
            ("statuses", "status"),
            ("order_statuses", "order_status"),
            ("boxes", "box"),
            ("branches", "branch"),
            ("people", "person"),
            ("order_items", "order_item"),
            ("purchases", "purchase"),
            ("audit_log", "audit_log"),
            ("news", "news"),
            ("status", "status"),
            ("process", "process"),
            ("analysis", "analysis"),
            ("data", "data"),
            ("s", "s"),
            ("", ""),
        ] {
            assert_eq!(singular(plural), single);
        }
    }

    #[test]
    fn names_of_columns_are_taken_apart() {
        assert_eq!(stem(&snake("billingUserId"), false), Some("billing_user"));
        assert_eq!(stem("participant_ids", true), Some("participant"));
        assert_eq!(stem("_id", false), None);
        assert_eq!(stem("login_count", false), None);
        assert!(is_person("billing_owner") && !is_person("owner_kind"));
        assert!(is_doer("created_by") && is_doer("created_by_id") && is_doer("assigned_to"));
        assert!(!is_doer("stand_by") && !is_doer("created_at"));
    }
}
