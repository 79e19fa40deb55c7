use serde::{Deserialize, Serialize};

use super::{Party, Revision, Sealed, Session};
use crate::clock::Time;
use crate::workspace::{Kind, SoulKey};

/// The one list of events.
macro_rules! events {
    ($($(#[doc = $doc:literal])+ $name:ident = $spelling:literal;)+) => {
        /// What happened.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum EventKind {
            $($(#[doc = $doc])+ $name,)+
        }

        impl EventKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// As it is stored.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $spelling,)+ }
            }
        }
    };
}

events! {
    /// A soul was written.
    Put = "soul.put";
    /// A soul was removed.
    Delete = "soul.delete";
    /// An earlier soul came back.
    Rollback = "soul.rollback";
    /// A change from outside was taken into the record.
    Adopt = "soul.adopt";
    /// A change that was cut off was found and taken back; the file had never changed.
    Dropped = "soul.dropped";
    /// The scanner found poison in a soul that is in use.
    Poison = "soul.poison";
    /// A trait was adapted.
    PersonaAdapt = "persona.adapt";
    /// Adaptations were taken back.
    PersonaRevert = "persona.revert";
    /// A mood was set, or something moved it.
    PersonaMood = "persona.mood";
    /// Rules were laid over a persona, or taken off it.
    PersonaOverlay = "persona.overlay";
    /// A soul of the library was selected for whoever brings none.
    Select = "library.select";
    /// A session started.
    SessionStart = "session.start";
    /// A session was started by another.
    SessionSpawn = "session.spawn";
    /// A session's soul was resolved anew.
    SessionRefresh = "session.refresh";
    /// A stopped session went on.
    SessionResume = "session.resume";
    /// A session stopped.
    SessionStop = "session.stop";
    /// A task was added.
    TaskAdd = "task.add";
    /// A session took a task.
    RunClaim = "run.claim";
    /// A run got more time.
    RunRenew = "run.renew";
    /// A run ended.
    RunFinish = "run.finish";
    /// A run let its lease expire.
    RunExpire = "run.expire";
    /// A token was made.
    TokenCreate = "token.create";
    /// A token was revoked.
    TokenRevoke = "token.revoke";
}

impl EventKind {
    pub(super) fn stored(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == text)
    }
}

impl<'de> Deserialize<'de> for EventKind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::stored(&text).ok_or_else(|| serde::de::Error::custom(format_args!("there is no event `{text}`")))
    }
}

impl Serialize for EventKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Something that happened, in a few bounded words: never a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewEvent {
    /// What happened.
    pub kind: EventKind,
    /// `home`, or a workspace.
    pub scope: Option<String>,
    /// The agent.
    pub agent: Option<String>,
    /// The soul of the library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soul: Option<String>,
    /// What the soul says.
    pub digest: Option<String>,
    /// The revision.
    pub revision: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// The task.
    pub task: Option<String>,
    /// The run.
    pub run: Option<String>,
    /// The token that was made or revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Who did it.
    pub actor: Party,
    /// Through what.
    pub origin: Party,
}

impl NewEvent {
    /// Something that happened to the soul of a revision, by whoever made that.
    #[must_use]
    pub fn of(kind: EventKind, revision: &Revision) -> Self {
        let Sealed { scope, kind: whose, agent: name, new_digest, id, actor, origin, .. } = &revision.sealed;
        let of = |kind| (*whose == kind).then(|| name.clone());
        Self {
            scope: Some(scope.clone()),
            agent: of(Kind::Agent),
            soul: of(Kind::Library),
            digest: new_digest.map(|digest| digest.to_string()),
            revision: Some(id.as_str().to_owned()),
            ..Self::new(kind, actor, origin)
        }
    }

    /// Something that happened to what a key names.
    #[must_use]
    pub fn about(kind: EventKind, key: &SoulKey, actor: &Party, origin: &Party) -> Self {
        let of = |kind| (key.kind == kind).then(|| key.name.clone());
        Self {
            scope: Some(key.scope.clone()),
            agent: of(Kind::Agent),
            soul: of(Kind::Library),
            ..Self::new(kind, actor, origin)
        }
    }

    /// Something that happened to a session.
    pub(super) fn of_session(kind: EventKind, session: &Session, actor: &Party, origin: &Party) -> Self {
        Self {
            scope: Some(session.scope.clone()),
            agent: session.agent.clone(),
            soul: session.soul_source.as_ref().map(|source| source.id.clone()),
            digest: session.soul_digest.clone(),
            session: Some(session.id.as_str().to_owned()),
            ..Self::new(kind, actor, origin)
        }
    }

    /// Something that happened; what it was about is added.
    #[must_use]
    pub fn new(kind: EventKind, actor: &Party, origin: &Party) -> Self {
        Self {
            kind,
            scope: None,
            agent: None,
            soul: None,
            digest: None,
            revision: None,
            session: None,
            task: None,
            run: None,
            token: None,
            actor: actor.clone(),
            origin: origin.clone(),
        }
    }
}

/// Something that happened, at its place in the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Its number; they rise.
    pub seq: i64,
    /// When.
    pub time: Time,
    /// What.
    #[serde(flatten)]
    pub event: NewEvent,
}
