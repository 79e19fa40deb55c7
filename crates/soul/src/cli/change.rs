//! Options that commands which change a soul have in common.

use soul_engine::fields::{ExpectedDigest, IdempotencyKey, NonBlank, Unusable};
use soul_engine::store::Message;

use super::input;

/// What the change replaces, a key to make it once, and why it is made.
#[derive(clap::Args)]
pub(super) struct Change {
    /// Digest of the soul as you have seen it, canonical or raw; required if there is one
    #[arg(long, value_name = "DIGEST")]
    expected_digest: Option<String>,
    /// Make this change once, however often it is requested with this key
    #[arg(long, value_name = "KEY", value_parser = idempotency_key)]
    idempotency_key: Option<String>,
    /// Record why the change is made, in at most 1024 bytes
    #[arg(short, long, value_name = "TEXT")]
    message: Option<Message>,
}

/// What the change of a library soul replaces.
#[derive(clap::Args)]
pub(super) struct Seen {
    /// Digest of the soul as you have seen it, canonical or raw; refuses to change any other
    #[arg(long, value_name = "DIGEST")]
    expected_digest: Option<String>,
}

/// Why to write what the scanner refuses.
#[derive(clap::Args)]
pub(super) struct Force {
    /// Write the text even if the scanner refuses it, and record this reason
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
}

/// A key that is too long must not be taken for none: the change would be made twice.
fn idempotency_key(typed: &str) -> Result<String, Unusable> {
    match IdempotencyKey::try_from(typed.to_owned()) {
        Err(error @ Unusable::TooLong(_)) => Err(error),
        _ => Ok(typed.to_owned()),
    }
}

impl Change {
    pub(super) fn parts(self) -> (Option<ExpectedDigest>, Option<IdempotencyKey>, Option<Message>) {
        (input::digest(self.expected_digest), input::non_blank(self.idempotency_key), self.message)
    }
}

impl Seen {
    pub(super) fn digest(self) -> Option<ExpectedDigest> {
        input::digest(self.expected_digest)
    }
}

impl Force {
    pub(super) fn reason(self) -> Option<NonBlank> {
        input::non_blank(self.force)
    }
}
