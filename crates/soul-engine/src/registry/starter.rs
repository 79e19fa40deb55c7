//! The registry that comes with this program: `examples/registry` of its source.

include!(concat!(env!("OUT_DIR"), "/starter.rs"));
