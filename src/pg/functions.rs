//! Postgres's own functions whose result is not what their arguments make of it.

/// Functions of `pg_catalog` that read tables, sequences, files, statistics or other sessions'
/// statements, and so may return keys whatever their arguments are.
pub const READERS: &[&str] = &[
    "current_query",
    "currval",
    "cursor_to_xml",
    "cursor_to_xmlschema",
    "database_to_xml",
    "database_to_xml_and_xmlschema",
    "lastval",
    "lo_get",
    "loread",
    "nextval",
    "pg_cursor",
    "pg_get_backend_memory_contexts",
    "pg_get_sequence_data",
    "pg_logical_slot_get_binary_changes",
    "pg_logical_slot_get_changes",
    "pg_logical_slot_peek_binary_changes",
    "pg_logical_slot_peek_changes",
    "pg_ls_dir",
    "pg_mcv_list_items",
    "pg_prepared_statement",
    "pg_read_binary_file",
    "pg_read_file",
    "pg_sequence_last_value",
    "pg_sequence_parameters",
    "pg_stat_get_activity",
    "pg_stat_get_backend_activity",
    "query_to_xml",
    "query_to_xml_and_xmlschema",
    "query_to_xmlschema",
    "schema_to_xml",
    "schema_to_xml_and_xmlschema",
    "setval",
    "table_to_xml",
    "table_to_xml_and_xmlschema",
    "ts_rewrite",
    "ts_stat",
];

/// Volatile functions of `pg_catalog` whose result is no data of a table.
pub const HARMLESS_VOLATILE: &[&str] = &[
    "array_sample",
    "array_shuffle",
    "clock_timestamp",
    "gen_random_uuid",
    "pg_advisory_lock",
    "pg_advisory_lock_shared",
    "pg_advisory_unlock",
    "pg_advisory_unlock_all",
    "pg_advisory_unlock_shared",
    "pg_advisory_xact_lock",
    "pg_advisory_xact_lock_shared",
    "pg_cancel_backend",
    "pg_notify",
    "pg_sleep",
    "pg_sleep_for",
    "pg_sleep_until",
    "pg_terminate_backend",
    "pg_try_advisory_lock",
    "pg_try_advisory_lock_shared",
    "pg_try_advisory_xact_lock",
    "pg_try_advisory_xact_lock_shared",
    "random",
    "random_normal",
    "set_config",
    "setseed",
    "timeofday",
    "uuidv4",
    "uuidv7",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(READERS.is_sorted());
        assert!(HARMLESS_VOLATILE.is_sorted());
    }
}
