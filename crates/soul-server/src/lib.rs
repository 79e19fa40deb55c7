//! The keeper as a service. Everything here translates: requests into the engine's operations, their
//! answers into JSON. tokio lives in this crate and nowhere else.
//!
//! An operation that may touch a disk runs on a bounded pool of threads of its own and, once begun, to
//! its end, whatever becomes of the client.

mod agh;
mod app;
mod auth;
mod cache;
mod failure;
pub mod http;
mod metrics;
mod rpc;
mod serve;
mod socket;
mod unique;

pub use http::openapi;
pub use serve::{Error, Listening, Options, serve, serve_until};
