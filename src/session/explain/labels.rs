//! The properties of plans whose values are shown as they are: names, words of Postgres's own,
//! and what the planner and the executor count and measure. Every other property is taken for an
//! expression. A name that is not here costs no more than a masked number.

/// Properties whose values are names or words of Postgres's own.
const NAMES: [&str; 28] = [
    "Alias",
    "CTE Name",
    "Cache Mode",
    "Command",
    "Conflict Arbiter Indexes",
    "Conflict Resolution",
    "Constraint Name",
    "Custom Plan Provider",
    "Function Name",
    "Index Name",
    "Join Type",
    "Node Type",
    "Operation",
    "Parent Relationship",
    "Partial Mode",
    "Relation",
    "Relation Name",
    "Scan Direction",
    "Schema",
    "Sort Method",
    "Sort Methods Used",
    "Sort Space Type",
    "Storage",
    "Strategy",
    "Subplan Name",
    "Table Function Name",
    "Trigger Name",
    "Tuplestore Name",
];

/// Properties whose values are numbers that are counted or measured.
const NUMBERS: [&str; 79] = [
    "Actual Loops",
    "Actual Rows",
    "Actual Startup Time",
    "Actual Total Time",
    "Average Sort Space Used",
    "Cache Evictions",
    "Cache Hits",
    "Cache Misses",
    "Cache Overflows",
    "Calls",
    "Conflicting Tuples",
    "Deform",
    "Disk Usage",
    "Emission",
    "Exact Heap Blocks",
    "Execution Time",
    "Functions",
    "Generation",
    "Group Count",
    "Hash Batches",
    "Hash Buckets",
    "HashAgg Batches",
    "Heap Fetches",
    "I/O Read Time",
    "I/O Write Time",
    "Index Searches",
    "Inlining",
    "Local Dirtied Blocks",
    "Local Hit Blocks",
    "Local I/O Read Time",
    "Local I/O Write Time",
    "Local Read Blocks",
    "Local Written Blocks",
    "Lossy Heap Blocks",
    "Maximum Storage",
    "Memory Allocated",
    "Memory Used",
    "Optimization",
    "Original Hash Batches",
    "Original Hash Buckets",
    "Output Volume",
    "Peak Memory Usage",
    "Peak Sort Space Used",
    "Plan Rows",
    "Plan Width",
    "Planned Partitions",
    "Planning Time",
    "Query Identifier",
    "Rows Removed by Conflict Filter",
    "Rows Removed by Filter",
    "Rows Removed by Index Recheck",
    "Rows Removed by Join Filter",
    "Shared Dirtied Blocks",
    "Shared Hit Blocks",
    "Shared I/O Read Time",
    "Shared I/O Write Time",
    "Shared Read Blocks",
    "Shared Written Blocks",
    "Sort Space Used",
    "Startup Cost",
    "Subplans Removed",
    "Temp I/O Read Time",
    "Temp I/O Write Time",
    "Temp Read Blocks",
    "Temp Written Blocks",
    "Time",
    "Total",
    "Total Cost",
    "Tuples Deleted",
    "Tuples Inserted",
    "Tuples Skipped",
    "Tuples Updated",
    "WAL Buffers Full",
    "WAL Bytes",
    "WAL FPI",
    "WAL Records",
    "Worker Number",
    "Workers Launched",
    "Workers Planned",
];

/// The beginnings of lines in the text format that hold such numbers.
const LINES: [&str; 37] = [
    "Average Memory: ",
    "Batches: ",
    "Buckets: ",
    "Buffers: ",
    "Cache Mode: ",
    "Conflicting Tuples: ",
    "Disabled: ",
    "Execution Time: ",
    "Full-sort Groups: ",
    "Functions: ",
    "Heap Blocks: ",
    "Heap Fetches: ",
    "Hits: ",
    "I/O Timings: ",
    "Index Searches: ",
    "JIT:",
    "Memory: ",
    "Options: ",
    "Planned Partitions: ",
    "Planning Time: ",
    "Planning:",
    "Pre-sorted Groups: ",
    "Query Identifier: ",
    "Rows Removed by Conflict Filter: ",
    "Rows Removed by Filter: ",
    "Rows Removed by Index Recheck: ",
    "Rows Removed by Join Filter: ",
    "Serialization: ",
    "Sort Method: ",
    "Storage: ",
    "Subplans Removed: ",
    "Timing: ",
    "Tuples",
    "WAL: ",
    "Worker ",
    "Workers Launched: ",
    "Workers Planned: ",
];

/// Above the values of settings, which statements that set them show too.
pub(super) const SETTINGS: &[u8] = b"Settings";

/// Whether a property's value is a name, or a word of Postgres's own.
pub(super) fn is_name(label: &[u8]) -> bool {
    NAMES.iter().any(|name| same(name, label))
}

/// Whether a property's value is a number that is counted or measured.
pub(super) fn is_number(label: &[u8]) -> bool {
    NUMBERS.iter().any(|name| same(name, label))
}

/// Whether a line of the text format is nothing but counts and measures.
pub(super) fn is_measure(line: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" .,=:()/_%+-".contains(byte);
    LINES.iter().any(|label| line.starts_with(label.as_bytes())) && line.iter().all(plain)
}

/// Elements of XML have `-` for what can't stand in their names.
fn same(label: &str, found: &[u8]) -> bool {
    let as_found = label
        .bytes()
        .zip(found)
        .all(|(byte, found)| byte == *found || *found == b'-' && !byte.is_ascii_alphanumeric());
    as_found && label.len() == found.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_name_nothing_twice() {
        for list in [&NAMES[..], &NUMBERS, &LINES] {
            assert!(list.is_sorted_by(|a, b| a < b), "{list:?}");
        }
    }

    #[test]
    fn knows_labels_in_xml_too() {
        assert!(is_number(b"Plan-Rows") && is_number(b"I-O-Read-Time") && is_name(b"Node Type"));
        assert!(!is_number(b"Output") && !is_name(b"Filter") && !is_number(b"PlanxRows"));
    }

    #[test]
    fn a_line_with_a_string_in_it_is_no_measure() {
        assert!(is_measure(b"Sort Method: quicksort  Memory: 25kB"));
        assert!(!is_measure(b"Sort Key: 5") && !is_measure(b"Heap Fetches: '5'"));
    }
}
