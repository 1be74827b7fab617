//! How annotations spread: from the defining column along foreign keys, to soft references, and
//! through partitions and inheritance.
