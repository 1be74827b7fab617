//! The configuration as an operator meets it: what it accepts, what it means, and the words of every
//! fault.

mod admin;
mod file;
mod functions;
mod ids;
mod json;
mod limits;
mod patterns;
mod plain;
mod polymorphic;
mod rules;
mod scopes;
mod sources;
