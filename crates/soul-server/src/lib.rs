//! The keeper as a service. Everything here translates: requests into the engine's operations, their
//! answers into JSON. tokio lives in this crate and nowhere else.
//!
//! An operation that may touch a disk runs on a bounded pool of its kind: probes, token checks, cheap reads, slow
//! reads, requests to other machines, and writes do not wait for each other. A write that has begun runs to its
//! end, whatever becomes of the client; a read ends early when its client is gone.

mod agh;
mod app;
mod auth;
mod autosync;
mod background;
mod cache;
mod connections;
mod failure;
mod feed;
pub mod http;
mod limits;
mod live;
pub mod mcp;
mod metrics;
mod pool;
mod rpc;
mod serve;
mod socket;
mod stream;
mod unique;
mod web;

pub use http::openapi;
pub use serve::{Error, Listening, Options, serve, serve_until};
