//! Benchmarks only; see `parse.rs` and `startup.rs` beside this folder.
