//! YAML as a bounded tree with spans.
//!
//! Parsing never expands anything: an alias is the id of the node it names. What a plain scalar
//! means (`017`, `yes`, `1e3`) is not decided here but asked of a [`Schema`], because the systems
//! whose files we read use YAML libraries that disagree.

mod build;
mod emit;
mod explain;
mod features;
mod schema;
mod tree;

pub(crate) use emit::{field, scalar};
pub(crate) use features::has_features_beyond_json;
pub(crate) use schema::{GOCCY, JS_YAML, JSON, PYYAML, Scalar, Schema, YAML2};
pub(crate) use tree::{Node, NodeId, NodeKind, Problem, Tree};
