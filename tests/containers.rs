//! The suite of containers.
