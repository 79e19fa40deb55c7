//! What the commands that change something have in common.

use soul_engine::ops::payload::{Asker, Authorship};
use soul_engine::store::Party;

/// Options of every command that changes something.
#[derive(clap::Args, Default)]
pub(super) struct Actor {
    /// Who does this, as `KIND:NAME` or a name; you if nothing is said
    #[arg(long, value_name = "ACTOR")]
    actor: Option<String>,
}

/// Options of every command that changes a soul.
#[derive(clap::Args)]
pub(super) struct Author {
    /// The digest of the soul that you have seen, canonical or raw; required if there is one
    #[arg(long, value_name = "DIGEST")]
    expected_digest: Option<String>,
    /// Do this once, however often it is asked for with this key
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
    /// Do it whatever the scanner says, and put this reason on record
    #[arg(long, value_name = "REASON")]
    force: Option<String>,
    #[command(flatten)]
    actor: Actor,
}

impl Actor {
    /// Who asks, through which command.
    pub(super) fn asker(self, command: &str) -> Asker {
        let you = || {
            let name = ["USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok());
            name.filter(|name| !name.is_empty()).unwrap_or_else(|| "unknown".to_owned())
        };
        let typed = self.actor.filter(|typed| !typed.trim().is_empty()).unwrap_or_else(you);
        let (kind, name) = typed.split_once(':').unwrap_or(("user", &typed));
        Asker { actor: Party::new(kind, name), origin: Party::new("cli", &format!("soul {command}")) }
    }
}

impl Author {
    /// Who asks, having seen what, through which command.
    pub(super) fn authorship(self, command: &str) -> Authorship {
        Authorship {
            expected_digest: self.expected_digest,
            idempotency_key: self.idempotency_key.filter(|key| !key.is_empty()),
            force: self.force.filter(|reason| !reason.trim().is_empty()),
            asker: self.actor.asker(command),
        }
    }
}
