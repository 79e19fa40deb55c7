//! The Model Context Protocol: agents and editors use the keeper as tools, resources and prompts, over stdio and at
//! `/mcp`. Tools are rows of one table that filters the operations of the engine; schemas and hints come from them.
//!
//! Everything that is served is data. No text of a soul or a memory is in a list of tools or in the instructions, and
//! text in results is fenced and labelled.
//!
//! The protocol is implemented here: a message that is too long, not JSON, or has arguments of the wrong type gets an
//! answer, and all requests share the pools of the daemon. It speaks the revisions with a handshake and the one without.

mod call;
pub mod config;
mod follow;
mod http;
mod memory_dir;
mod message;
mod methods;
mod prompts;
mod resources;
mod schema;
mod session;
mod stdio;
#[cfg(test)]
mod tests;
mod text;
mod tools;
mod uri;

use soul_engine::Grant;
use soul_engine::workspace::AgentName;

pub(crate) use http::{Sessions, delete, get, post};
pub use stdio::stdio;
pub use tools::Profile;

/// The transport, as it is recorded.
const TRANSPORT: &str = "mcp";

/// What a client is offered, and who it acts as.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Which tools.
    pub tools: Profile,
    /// The agent that the client is: tools are about it unless they name another one, and it never writes its own soul.
    pub agent: Option<AgentName>,
    /// Whether tools that change something are left out.
    pub read_only: bool,
    /// What is allowed besides reading, proposing, remembering and adapting.
    pub grants: Vec<Grant>,
}
