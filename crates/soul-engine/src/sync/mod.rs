//! Git as a transport: the executable, and where repositories are.

mod error;
pub(crate) mod git;
pub(crate) mod remote;

pub use error::Error;
pub use remote::{BadBranch, BadRemote, Branch, RemoteUrl};
