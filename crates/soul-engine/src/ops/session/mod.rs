//! Sessions: live agents, each bound to the soul that was resolved when it started.

pub mod list;
pub mod refresh;
pub mod resume;
pub mod show;
pub mod spawn;
pub mod start;
pub mod stop;

operations! { list, refresh, resume, show, spawn, start, stop }

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, inspect};
use crate::Keeper;
use crate::sessions;
use crate::souls::Resolved;
use crate::store::Session;

/// A session, and what its agent is to read now.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SessionAnswer")]
pub struct Response {
    /// The session.
    pub session: Session,
    /// What the agent is to read now. Nothing of it is ever run by the keeper.
    #[serde(default, skip_serializing_if = "Hooks::is_empty")]
    pub hooks: Hooks,
}

/// The Markdown of `hooks/`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SessionHooks")]
pub struct Hooks {
    /// For the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<String>,
    /// For the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teardown: Option<String>,
}

impl Hooks {
    const fn is_empty(&self) -> bool {
        self.bootstrap.is_none() && self.teardown.is_none()
    }
}

/// Which hook a session needs.
#[derive(Clone, Copy)]
enum Hook {
    Bootstrap,
    Teardown,
}

impl Response {
    /// The session with its hook, from the snapshot that it is bound to.
    fn new(keeper: &Keeper, session: Session, which: Hook) -> Result<Self, Error> {
        let snapshot = sessions::snapshot(keeper, &session)?;
        // A session that is bound to nothing has the hooks that the agent has.
        let key = session.key().filter(|_| snapshot.is_none());
        let agent = key.and_then(|key| keeper.agent_of(&key).ok());
        let hook = |name: &str| match &snapshot {
            Some(snapshot) => snapshot.text(name),
            None => {
                let bytes = agent.as_ref()?.directory.read(name).ok()?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
        };
        let hooks = match which {
            Hook::Bootstrap => Hooks { bootstrap: hook("hooks/bootstrap.md"), teardown: None },
            Hook::Teardown => Hooks { bootstrap: None, teardown: hook("hooks/teardown.md") },
        };
        Ok(Self { session, hooks })
    }
}

/// A session with the soul that was resolved for it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SessionWithSoul")]
pub struct Bound {
    /// The session, and its hook.
    #[serde(flatten)]
    pub response: Response,
    /// The soul that it is bound to.
    pub soul: inspect::Response,
}

impl Bound {
    fn new(keeper: &Keeper, session: Session, soul: Resolved) -> Result<Self, Error> {
        let soul = inspect::Response {
            agent_name: session.agent.clone(),
            snapshot_id: session.soul_snapshot_id.clone(),
            ..inspect::Response::new(keeper, soul, false)
        };
        Ok(Self { response: Response::new(keeper, session, Hook::Bootstrap)?, soul })
    }
}
