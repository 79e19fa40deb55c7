//! What an operation runs in, besides its request.

use crate::Keeper;
use crate::caller::{Author, Caller};

/// The keeper, the caller, and the receiver of progress.
pub struct Context<'a> {
    /// Where souls are kept.
    pub keeper: &'a Keeper,
    /// Who sends the request.
    pub caller: &'a Caller,
    /// Who hears how far it has come.
    pub progress: &'a dyn Progress,
}

impl<'a> Context<'a> {
    /// A context in which nobody waits for news.
    #[must_use]
    pub const fn new(keeper: &'a Keeper, caller: &'a Caller) -> Self {
        Self { keeper, caller, progress: &Silent }
    }

    /// Who goes on record for what an operation does.
    pub(crate) fn author(&self, operation: &str) -> Author {
        self.caller.author(operation)
    }
}

/// Hears how far an operation has come. Operations that work on several cores call it from each.
pub trait Progress: Sync {
    /// So many more of these things are done, of so many if that is known.
    fn advance(&self, what: &'static str, count: usize, total: Option<usize>);

    /// Whether nobody waits for the answer any more. Operations that only read ask now and then, and stop.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Ends an operation that nobody waits for. For reads alone: a change is never cancelled.
    ///
    /// # Errors
    /// When it is cancelled.
    fn check_awaited(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// Nobody waited for the answer any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the request was cancelled")]
pub struct Cancelled;

/// Nobody listens.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {
    fn advance(&self, _: &'static str, _: usize, _: Option<usize>) {}
}
