//! The rows of the table, by name. Whether they are what Postgres has, `tests/lineage.rs` asks it.

use super::Document::{self, Changed, Defined, Keys, Populated, Pretty};
use super::Effect::{Computes, Draws, Harmless, Looks, MakesUuid, Notifies, Reads, Sets, Tells};
use super::Reading::{Lower, Split, SplitToRows, Trim, Upper};
use super::Rule::{
    Append, ArrayArray, ArrayReplace, Carry, CarryArray, CarryOrDefault, Collect, Count, Elements,
    Extreme, First, Format, Join, Json, JsonPath, Measure, Members, Mode, NullIf, Percentile,
    Prepend, Rank, Remove, Row, Same, Search, Show, Size, SortArray, Text, TypeOf,
};
use super::Told::{Expression, Procedure, Sequence, Signature};
use super::{Build, Builtin, Effect, Home, Reading, Rows, Rule};
use crate::pg::oid::{
    FLOAT8, INT4, INT4_ARRAY, INT8, JSON, JSONB, NAME, REGPROCEDURE, TEXT, TIMESTAMPTZ, UUID,
};

/// The oldest version that is looked at.
const OLDEST: u16 = 15;

impl Builtin {
    const fn of(home: Home, name: &'static str) -> Self {
        Self {
            name,
            home,
            since: OLDEST,
            any_number: false,
            aggregate: false,
            window: false,
            rows: Rows::Value,
            rule: None,
            document: None,
            effect: Effect::Marked,
            reading: None,
            result: 0,
        }
    }

    const fn since(mut self, version: u16) -> Self {
        self.since = version;
        self
    }

    const fn any_number(mut self) -> Self {
        self.any_number = true;
        self
    }

    const fn aggregate(mut self) -> Self {
        self.aggregate = true;
        self
    }

    const fn window(mut self) -> Self {
        self.window = true;
        self
    }

    const fn set(mut self) -> Self {
        self.rows = Rows::Set;
        self
    }

    const fn column(mut self) -> Self {
        self.rows = Rows::Column;
        self
    }

    const fn rule(mut self, rule: Rule) -> Self {
        self.rule = Some(rule);
        self
    }

    const fn document(mut self, document: Document, oid: u32) -> Self {
        self.document = Some((document, oid));
        self
    }

    const fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    const fn reading(mut self, reading: Reading) -> Self {
        self.reading = Some(reading);
        self
    }

    const fn gives(mut self, oid: u32) -> Self {
        self.result = oid;
        self
    }
}

const fn function(name: &'static str) -> Builtin {
    Builtin::of(Home::Catalog, name)
}

const fn aggregate(name: &'static str) -> Builtin {
    function(name).aggregate()
}

const fn window(name: &'static str) -> Builtin {
    function(name).window()
}

const fn syntax(name: &'static str) -> Builtin {
    Builtin::of(Home::Syntax, name)
}

const fn sql_json(name: &'static str) -> Builtin {
    Builtin::of(Home::SqlJson, name)
}

const fn of_extension(name: &'static str) -> Builtin {
    Builtin::of(Home::Extension, name)
}

pub(super) const BUILTINS: &[Builtin] = &[
    aggregate("any_value").since(16).rule(Carry),
    syntax("array"),
    aggregate("array_agg").rule(Collect),
    function("array_append").rule(Append),
    function("array_cat").rule(ArrayArray),
    function("array_dims").rule(Measure(TEXT)),
    function("array_fill").rule(Show),
    function("array_length").rule(Measure(INT4)),
    function("array_lower").rule(Measure(INT4)),
    function("array_ndims").rule(Measure(INT4)),
    function("array_position").rule(Search(INT4)),
    function("array_positions").rule(Search(INT4_ARRAY)),
    function("array_prepend").rule(Prepend),
    function("array_remove").rule(Remove),
    function("array_replace").rule(ArrayReplace),
    function("array_reverse").since(18).rule(CarryArray),
    function("array_sample")
        .since(16)
        .rule(CarryArray)
        .effect(Computes),
    function("array_shuffle")
        .since(16)
        .rule(CarryArray)
        .effect(Computes),
    function("array_sort").since(18).rule(SortArray),
    function("array_to_json").rule(Json(JSON, Build::Array)),
    function("array_to_string").rule(Join),
    function("array_to_tsvector").rule(Show),
    function("array_upper").rule(Measure(INT4)),
    aggregate("avg"),
    aggregate("bit_and"),
    aggregate("bit_or"),
    aggregate("bit_xor"),
    aggregate("bool_and"),
    aggregate("bool_or"),
    function("btrim").reading(Trim).gives(TEXT),
    function("cardinality").rule(Measure(INT4)),
    function("char_length").gives(INT4),
    function("clock_timestamp")
        .effect(Computes)
        .gives(TIMESTAMPTZ),
    syntax("coalesce").any_number().rule(First),
    function("concat").rule(Text),
    function("concat_ws").rule(Text),
    of_extension("connectby").effect(Looks),
    aggregate("corr"),
    aggregate("count").rule(Count(INT8)),
    aggregate("covar_pop"),
    aggregate("covar_samp"),
    of_extension("crosstab").effect(Looks),
    of_extension("crosstab2").effect(Looks),
    of_extension("crosstab3").effect(Looks),
    of_extension("crosstab4").effect(Looks),
    of_extension("crosstabn").effect(Looks),
    aggregate("cume_dist").window().rule(Rank(FLOAT8)),
    syntax("current_catalog").gives(NAME),
    function("current_database").gives(NAME),
    syntax("current_date"),
    function("current_query").effect(Reads),
    syntax("current_role").gives(NAME),
    function("current_schema").gives(NAME),
    function("current_setting").gives(TEXT),
    syntax("current_time"),
    syntax("current_timestamp"),
    function("current_user").gives(NAME),
    function("currval").effect(Draws),
    function("cursor_to_xml").effect(Looks),
    function("cursor_to_xmlschema").effect(Looks),
    function("database_to_xml").effect(Looks),
    function("database_to_xml_and_xmlschema").effect(Looks),
    aggregate("dense_rank").window().rule(Rank(INT8)),
    aggregate("every"),
    window("first_value").rule(Carry),
    function("format").rule(Format),
    function("gen_random_uuid").effect(MakesUuid(4)).gives(UUID),
    function("generate_series").column(),
    function("generate_subscripts").column().rule(Measure(INT4)),
    syntax("greatest").any_number().rule(Same),
    syntax("grouping")
        .any_number()
        .aggregate()
        .rule(Count(INT4)),
    function("has_function_privilege").effect(Tells(Procedure)),
    function("hash_array").rule(Show),
    function("hash_record").rule(Show),
    sql_json("json").rule(Show),
    aggregate("json_agg").rule(Json(JSON, Build::Element)),
    aggregate("json_agg_strict")
        .since(16)
        .rule(Json(JSON, Build::Element)),
    sql_json("json_array")
        .any_number()
        .rule(Json(JSON, Build::Elements)),
    function("json_array_elements")
        .set()
        .rule(Members(JSON))
        .document(Document::Elements { text: false }, JSON),
    function("json_array_elements_text")
        .column()
        .rule(Members(TEXT))
        .document(Document::Elements { text: true }, JSON),
    function("json_array_length").rule(Size(INT4)),
    sql_json("json_arrayagg")
        .aggregate()
        .rule(Json(JSON, Build::Element)),
    function("json_build_array").rule(Json(JSON, Build::Elements)),
    function("json_build_object").rule(Json(JSON, Build::Members)),
    sql_json("json_exists").rule(Show),
    sql_json("json_object")
        .any_number()
        .rule(Json(JSON, Build::Texts)),
    aggregate("json_object_agg").rule(Json(JSON, Build::Member)),
    aggregate("json_object_agg_strict").since(16),
    aggregate("json_object_agg_unique").since(16),
    aggregate("json_object_agg_unique_strict").since(16),
    function("json_object_keys").column().document(Keys, JSON),
    sql_json("json_objectagg")
        .aggregate()
        .rule(Json(JSON, Build::Member)),
    function("json_populate_record").document(Populated { set: false }, JSON),
    function("json_populate_recordset")
        .set()
        .document(Populated { set: true }, JSON),
    sql_json("json_query").rule(Show),
    sql_json("json_scalar").rule(Show),
    sql_json("json_serialize").rule(Show),
    function("json_strip_nulls").rule(Json(JSON, Build::Stripped)),
    sql_json("json_table").set().rule(Show),
    function("json_to_record").document(Defined { set: false }, JSON),
    function("json_to_recordset")
        .set()
        .document(Defined { set: true }, JSON),
    function("json_typeof").rule(Size(TEXT)),
    sql_json("json_value").rule(Show),
    aggregate("jsonb_agg").rule(Json(JSONB, Build::Element)),
    aggregate("jsonb_agg_strict")
        .since(16)
        .rule(Json(JSONB, Build::Element)),
    function("jsonb_array_elements")
        .set()
        .rule(Members(JSONB))
        .document(Document::Elements { text: false }, JSONB),
    function("jsonb_array_elements_text")
        .column()
        .rule(Members(TEXT))
        .document(Document::Elements { text: true }, JSONB),
    function("jsonb_array_length").rule(Size(INT4)),
    function("jsonb_build_array").rule(Json(JSONB, Build::Elements)),
    function("jsonb_build_object").rule(Json(JSONB, Build::Members)),
    function("jsonb_insert").document(Changed, JSONB),
    function("jsonb_object").rule(Json(JSONB, Build::Texts)),
    aggregate("jsonb_object_agg").rule(Json(JSONB, Build::Member)),
    aggregate("jsonb_object_agg_strict").since(16),
    aggregate("jsonb_object_agg_unique").since(16),
    aggregate("jsonb_object_agg_unique_strict").since(16),
    function("jsonb_object_keys").column().document(Keys, JSONB),
    function("jsonb_populate_record").document(Populated { set: false }, JSONB),
    function("jsonb_populate_recordset")
        .set()
        .document(Populated { set: true }, JSONB),
    function("jsonb_pretty").document(Pretty, JSONB),
    function("jsonb_set")
        .rule(JsonPath(JSONB))
        .document(Changed, JSONB),
    function("jsonb_set_lax").document(Changed, JSONB),
    function("jsonb_strip_nulls").rule(Json(JSONB, Build::Stripped)),
    function("jsonb_to_record").document(Defined { set: false }, JSONB),
    function("jsonb_to_recordset")
        .set()
        .document(Defined { set: true }, JSONB),
    function("jsonb_typeof").rule(Size(TEXT)),
    window("lag").rule(CarryOrDefault),
    window("last_value").rule(Carry),
    function("lastval").effect(Looks),
    window("lead").rule(CarryOrDefault),
    syntax("least").any_number().rule(Same),
    function("left").gives(TEXT),
    function("length").gives(INT4),
    function("lo_get").effect(Reads),
    syntax("localtime"),
    syntax("localtimestamp"),
    function("loread").effect(Reads),
    function("lower").reading(Lower).gives(TEXT),
    aggregate("max").rule(Extreme),
    function("md5").gives(TEXT),
    syntax("merge_action"),
    aggregate("min").rule(Extreme),
    aggregate("mode").rule(Mode),
    function("nextval").effect(Draws),
    function("now").gives(TIMESTAMPTZ),
    window("nth_value").rule(Carry),
    syntax("nullif").rule(NullIf),
    function("num_nonnulls").rule(Count(INT4)),
    function("num_nulls").rule(Count(INT4)),
    aggregate("percent_rank").window().rule(Rank(FLOAT8)),
    aggregate("percentile_cont"),
    aggregate("percentile_disc").rule(Percentile),
    function("pg_advisory_lock").effect(Harmless),
    function("pg_advisory_lock_shared").effect(Harmless),
    function("pg_advisory_unlock").effect(Harmless),
    function("pg_advisory_unlock_all").effect(Harmless),
    function("pg_advisory_unlock_shared").effect(Harmless),
    function("pg_advisory_xact_lock").effect(Harmless),
    function("pg_advisory_xact_lock_shared").effect(Harmless),
    function("pg_blocking_pids").effect(Harmless),
    function("pg_cancel_backend").effect(Harmless),
    function("pg_collation_actual_version").effect(Harmless),
    function("pg_column_compression").rule(Show),
    function("pg_column_size").rule(Show),
    function("pg_column_toast_chunk_id").since(17).rule(Show),
    function("pg_control_checkpoint").effect(Harmless),
    function("pg_control_init").effect(Harmless),
    function("pg_control_recovery").effect(Harmless),
    function("pg_control_system").effect(Harmless),
    function("pg_current_logfile").effect(Harmless),
    function("pg_current_wal_flush_lsn").effect(Harmless),
    function("pg_current_wal_insert_lsn").effect(Harmless),
    function("pg_current_wal_lsn").effect(Harmless),
    function("pg_cursor").set().effect(Reads),
    function("pg_database_collation_actual_version").effect(Harmless),
    function("pg_database_size")
        .rule(Count(INT8))
        .effect(Harmless),
    function("pg_describe_object").effect(Tells(Procedure)),
    function("pg_export_snapshot").effect(Harmless),
    function("pg_get_backend_memory_contexts")
        .set()
        .effect(Reads),
    function("pg_get_expr").effect(Tells(Expression)),
    function("pg_get_function_arguments").effect(Tells(Signature)),
    function("pg_get_function_identity_arguments").effect(Tells(Signature)),
    function("pg_get_function_result").effect(Tells(Signature)),
    function("pg_get_functiondef").effect(Tells(Signature)),
    function("pg_get_object_address").effect(Tells(Procedure)),
    function("pg_get_sequence_data").since(18).effect(Reads),
    function("pg_get_serial_sequence").effect(Tells(Sequence)),
    function("pg_get_wal_replay_pause_state").effect(Harmless),
    function("pg_identify_object").effect(Tells(Procedure)),
    function("pg_identify_object_as_address").effect(Tells(Procedure)),
    function("pg_indexes_size")
        .rule(Count(INT8))
        .effect(Harmless),
    function("pg_is_in_recovery").effect(Harmless),
    function("pg_is_wal_replay_paused").effect(Harmless),
    function("pg_isolation_test_session_is_blocked").effect(Harmless),
    function("pg_jit_available").effect(Harmless),
    function("pg_last_committed_xact").effect(Harmless),
    function("pg_last_wal_receive_lsn").effect(Harmless),
    function("pg_last_wal_replay_lsn").effect(Harmless),
    function("pg_last_xact_replay_timestamp").effect(Harmless),
    function("pg_logical_slot_get_binary_changes")
        .set()
        .effect(Reads),
    function("pg_logical_slot_get_changes").set().effect(Reads),
    function("pg_logical_slot_peek_binary_changes")
        .set()
        .effect(Reads),
    function("pg_logical_slot_peek_changes").set().effect(Reads),
    function("pg_ls_dir").set().effect(Reads),
    function("pg_mcv_list_items").set().effect(Reads),
    function("pg_notification_queue_usage").effect(Harmless),
    function("pg_notify").effect(Notifies),
    function("pg_partition_ancestors").set().effect(Harmless),
    function("pg_partition_tree").set().effect(Harmless),
    function("pg_prepared_statement").set().effect(Reads),
    function("pg_read_binary_file").effect(Reads),
    function("pg_read_file").effect(Reads),
    function("pg_relation_size")
        .rule(Count(INT8))
        .effect(Harmless),
    function("pg_reload_conf").effect(Harmless),
    function("pg_safe_snapshot_blocking_pids").effect(Harmless),
    function("pg_sequence_last_value").effect(Reads),
    function("pg_sequence_parameters").effect(Reads),
    function("pg_sleep").effect(Computes),
    function("pg_sleep_for").effect(Computes),
    function("pg_sleep_until").effect(Computes),
    function("pg_stat_clear_snapshot").effect(Harmless),
    function("pg_stat_get_activity").set().effect(Reads),
    function("pg_stat_get_analyze_count").rule(Count(INT8)),
    function("pg_stat_get_autoanalyze_count").rule(Count(INT8)),
    function("pg_stat_get_autovacuum_count").rule(Count(INT8)),
    function("pg_stat_get_backend_activity").effect(Reads),
    function("pg_stat_get_blocks_fetched").effect(Reads),
    function("pg_stat_get_blocks_hit").effect(Reads),
    function("pg_stat_get_dead_tuples").rule(Count(INT8)),
    function("pg_stat_get_ins_since_vacuum").rule(Count(INT8)),
    function("pg_stat_get_live_tuples").rule(Count(INT8)),
    function("pg_stat_get_mod_since_analyze").rule(Count(INT8)),
    function("pg_stat_get_numscans").rule(Count(INT8)),
    function("pg_stat_get_tuples_deleted").rule(Count(INT8)),
    function("pg_stat_get_tuples_fetched").rule(Count(INT8)),
    function("pg_stat_get_tuples_hot_updated").rule(Count(INT8)),
    function("pg_stat_get_tuples_inserted").rule(Count(INT8)),
    function("pg_stat_get_tuples_returned").rule(Count(INT8)),
    function("pg_stat_get_tuples_updated").rule(Count(INT8)),
    function("pg_stat_get_vacuum_count").rule(Count(INT8)),
    function("pg_stat_get_xact_blocks_fetched").effect(Reads),
    function("pg_stat_get_xact_blocks_hit").effect(Reads),
    function("pg_stat_get_xact_function_calls").effect(Harmless),
    function("pg_stat_get_xact_function_self_time").effect(Harmless),
    function("pg_stat_get_xact_function_total_time").effect(Harmless),
    function("pg_stat_get_xact_numscans").effect(Harmless),
    function("pg_stat_get_xact_tuples_deleted").effect(Harmless),
    function("pg_stat_get_xact_tuples_fetched").effect(Harmless),
    function("pg_stat_get_xact_tuples_hot_updated").effect(Harmless),
    function("pg_stat_get_xact_tuples_inserted").effect(Harmless),
    function("pg_stat_get_xact_tuples_returned").effect(Harmless),
    function("pg_stat_get_xact_tuples_updated").effect(Harmless),
    function("pg_table_size").rule(Count(INT8)).effect(Harmless),
    function("pg_tablespace_size")
        .rule(Count(INT8))
        .effect(Harmless),
    function("pg_terminate_backend").effect(Harmless),
    function("pg_total_relation_size")
        .rule(Count(INT8))
        .effect(Harmless),
    function("pg_try_advisory_lock").effect(Harmless),
    function("pg_try_advisory_lock_shared").effect(Harmless),
    function("pg_try_advisory_xact_lock").effect(Harmless),
    function("pg_try_advisory_xact_lock_shared").effect(Harmless),
    function("pg_typeof").rule(TypeOf),
    function("pg_xact_commit_timestamp").effect(Harmless),
    function("pg_xact_commit_timestamp_origin").effect(Harmless),
    function("pg_xact_status").effect(Harmless),
    function("query_to_xml").effect(Looks),
    function("query_to_xml_and_xmlschema").effect(Looks),
    function("query_to_xmlschema").effect(Looks),
    // A tag is quoted as what it stands for: it has no quote and no backslash either.
    function("quote_literal").rule(Text),
    function("quote_nullable").rule(Text),
    function("random").effect(Computes),
    function("random_normal").since(16).effect(Computes),
    aggregate("range_agg"),
    aggregate("range_intersect_agg"),
    aggregate("rank").window().rule(Rank(INT8)),
    function("regexp_split_to_array").reading(Split),
    function("regexp_split_to_table")
        .column()
        .reading(SplitToRows),
    aggregate("regr_avgx"),
    aggregate("regr_avgy"),
    aggregate("regr_count"),
    aggregate("regr_intercept"),
    aggregate("regr_r2"),
    aggregate("regr_slope"),
    aggregate("regr_sxx"),
    aggregate("regr_sxy"),
    aggregate("regr_syy"),
    function("replace").gives(TEXT),
    function("right").gives(TEXT),
    syntax("row").any_number().rule(Row),
    window("row_number").rule(Rank(INT8)),
    function("row_to_json").rule(Json(JSON, Build::Whole)),
    function("schema_to_xml").effect(Looks),
    function("schema_to_xml_and_xmlschema").effect(Looks),
    function("session_user").gives(NAME),
    function("set_config").effect(Sets),
    function("setseed").effect(Harmless),
    function("setval").effect(Draws),
    function("statement_timestamp").gives(TIMESTAMPTZ),
    aggregate("stddev"),
    aggregate("stddev_pop"),
    aggregate("stddev_samp"),
    aggregate("string_agg").rule(Text),
    function("string_to_array").reading(Split),
    function("string_to_table").column().reading(SplitToRows),
    function("substr").gives(TEXT),
    aggregate("sum"),
    syntax("system_user").gives(TEXT),
    function("table_to_xml").effect(Looks),
    function("table_to_xml_and_xmlschema").effect(Looks),
    function("text").rule(Show),
    function("timeofday").effect(Computes),
    function("to_json").rule(Json(JSON, Build::Whole)),
    function("to_jsonb").rule(Json(JSONB, Build::Whole)),
    function("to_regprocedure")
        .gives(REGPROCEDURE)
        .effect(Tells(Procedure)),
    function("transaction_timestamp").gives(TIMESTAMPTZ),
    function("trim_array").rule(CarryArray),
    function("ts_rewrite").effect(Looks),
    function("ts_stat").set().effect(Looks),
    function("txid_status").effect(Harmless),
    function("unnest").set().rule(Elements),
    function("upper").reading(Upper).gives(TEXT),
    syntax("user").gives(NAME),
    function("uuid_cmp").rule(Show),
    function("uuid_eq").rule(Show),
    function("uuid_extract_timestamp").since(17).rule(Show),
    function("uuid_extract_version").since(17).rule(Show),
    function("uuid_ge").rule(Show),
    of_extension("uuid_generate_v1").effect(MakesUuid(1)),
    of_extension("uuid_generate_v1mc").effect(MakesUuid(1)),
    of_extension("uuid_generate_v4").effect(MakesUuid(4)),
    function("uuid_gt").rule(Show),
    function("uuid_hash").rule(Show),
    function("uuid_hash_extended").rule(Show),
    function("uuid_le").rule(Show),
    function("uuid_lt").rule(Show),
    function("uuid_ne").rule(Show),
    function("uuid_out").rule(Show),
    function("uuid_send").rule(Show),
    function("uuidv4")
        .since(18)
        .effect(MakesUuid(4))
        .gives(UUID),
    function("uuidv7")
        .since(18)
        .effect(MakesUuid(7))
        .gives(UUID),
    aggregate("var_pop"),
    aggregate("var_samp"),
    aggregate("variance"),
    function("width_bucket").rule(Show),
    aggregate("xmlagg"),
    syntax("xmlconcat").any_number(),
    syntax("xmlelement").any_number(),
    syntax("xmlforest").any_number(),
    syntax("xmlparse"),
    syntax("xmlpi"),
    syntax("xmlroot"),
    syntax("xmlserialize"),
    of_extension("xpath_table").effect(Looks),
];
