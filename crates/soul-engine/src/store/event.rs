use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::persona::Trait;
use soul_core::scan::Finding;

use super::{Party, Revision, Sealed, Session};
use crate::clock::Time;
use crate::ids::{ProposalId, RevisionId, RunId, SessionId, TaskId, TokenId};
use crate::workspace::{Kind, SoulKey};

/// The one list of kinds of events.
macro_rules! events {
    ($($(#[doc = $doc:literal])+ $name:ident = $spelling:literal;)+) => {
        /// The kind of an event: what happened.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum EventKind {
            $($(#[doc = $doc])+ $name,)+
        }

        impl EventKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The name on the wire and in the store.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $spelling,)+ }
            }

            const fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+),)+ }
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
    /// A change that was made outside of soul was recorded.
    Adopt = "soul.adopt";
    /// A soul's file was edited outside of soul; the edit is not recorded yet.
    Edited = "soul.edited";
    /// A change that was interrupted was dropped from the record; the file had never changed.
    Dropped = "soul.dropped";
    /// The scanner found poison in a soul that is in use.
    Poison = "soul.poison";
    /// A trait was adapted.
    PersonaAdapt = "persona.adapt";
    /// Adaptations were reverted.
    PersonaRevert = "persona.revert";
    /// A mood was set or moved.
    PersonaMood = "persona.mood";
    /// Overlays were added to a persona or cleared.
    PersonaOverlay = "persona.overlay";
    /// A soul of the library was selected as the default.
    Select = "library.select";
    /// A session started.
    SessionStart = "session.start";
    /// A session was started by another session.
    SessionSpawn = "session.spawn";
    /// A session was bound to its agent's current soul.
    SessionRefresh = "session.refresh";
    /// A stopped session was resumed.
    SessionResume = "session.resume";
    /// A session stopped.
    SessionStop = "session.stop";
    /// A task was added.
    TaskAdd = "task.add";
    /// A session claimed a task.
    RunClaim = "run.claim";
    /// The lease of a run was extended.
    RunRenew = "run.renew";
    /// A run ended.
    RunFinish = "run.finish";
    /// The lease of a run expired.
    RunExpire = "run.expire";
    /// A directory was allowed to share the record of its workspace.
    WorkspaceShare = "workspace.share";
    /// A workspace began a record of its own that continues another.
    WorkspaceFork = "workspace.fork";
    /// A workspace was connected with a record that it had lost.
    WorkspaceAdopt = "workspace.adopt";
    /// Broken links of a chain were accepted as they are.
    AuditRepair = "audit.repair";
    /// A change of a soul was proposed.
    ProposalCreate = "proposal.create";
    /// A proposed change was accepted.
    ProposalAccept = "proposal.accept";
    /// A proposed change was rejected.
    ProposalReject = "proposal.reject";
    /// Something was added to a memory.
    MemoryAdd = "memory.add";
    /// A section was removed from a memory, or restored.
    MemoryForget = "memory.forget";
    /// A memory was connected with a remote.
    MemoryInit = "memory.init";
    /// Changes of a memory came from its remote.
    MemoryPull = "memory.pull";
    /// Changes of a memory reached its remote.
    MemoryPush = "memory.push";
    /// The sync of a memory failed.
    MemoryFail = "memory.fail";
    /// A remote was named that souls are synced with.
    SyncInit = "sync.init";
    /// Changes of souls came from the remote.
    SyncPull = "sync.pull";
    /// Changes of souls reached the remote.
    SyncPublish = "sync.publish";
    /// Both sides changed a soul.
    SyncConflict = "sync.conflict";
    /// A conflict was resolved.
    SyncResolve = "sync.resolve";
    /// Local changes of souls were discarded.
    SyncDiscard = "sync.discard";
    /// What was known of items was forgotten.
    SyncForget = "sync.forget";
    /// Souls were deleted on both sides.
    SyncDelete = "sync.delete";
    /// A soul was renamed on both sides.
    SyncMove = "sync.move";
    /// A sync failed.
    SyncFail = "sync.fail";
    /// A token was created.
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
        Self::stored(&text).ok_or_else(|| serde::de::Error::custom(format_args!("unknown event `{text}`")))
    }
}

impl JsonSchema for EventKind {
    fn schema_name() -> Cow<'static, str> {
        "EventKind".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let values = Self::ALL.iter().map(|kind| (kind.as_str(), kind.meaning().trim()));
        soul_core::schema::explained("The kind of an event: what happened.", values)
    }
}

impl Serialize for EventKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What the scanner found in a soul: the rule, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventFinding {
    /// Identifier of the rule; `soul explain` describes it.
    pub rule: String,
    /// The file, relative to the workspace or the home.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// What an event says of findings: those for which a text is refused.
pub(super) fn refused(findings: &[Finding]) -> Vec<EventFinding> {
    let named =
        |finding: &Finding| EventFinding { rule: finding.rule.clone(), file: finding.file.clone(), line: finding.line };
    findings.iter().filter(|finding| finding.is_confident_error()).take(MAX_FINDINGS).map(named).collect()
}

/// The most findings that an event names.
const MAX_FINDINGS: usize = 8;

/// What an event says beyond names and ids.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct EventDetail {
    /// The digest of the bytes that were found in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_digest: Option<RawDigest>,
    /// The trait that was adapted.
    #[serde(default, rename = "trait", skip_serializing_if = "Option::is_none")]
    pub trait_: Option<Trait>,
    /// How far it was moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
    /// The mood that was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
}

/// Something that happened: who did it, through what, and the ids of what it is about. Never a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "EventBody")]
pub struct NewEvent {
    /// What happened.
    pub kind: EventKind,
    /// `home`, or the id of the workspace.
    pub scope: Option<String>,
    /// The agent's name.
    pub agent: Option<String>,
    /// The id of the library soul.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soul: Option<String>,
    /// The digest of the soul.
    pub digest: Option<Digest>,
    /// The revision.
    pub revision: Option<RevisionId>,
    /// The session.
    pub session: Option<SessionId>,
    /// The task.
    pub task: Option<TaskId>,
    /// The run.
    pub run: Option<RunId>,
    /// The token that was created or revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<TokenId>,
    /// The proposal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposalId>,
    /// What the scanner found in the soul, the first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<EventFinding>,
    /// What it says beyond names and ids.
    #[serde(flatten)]
    pub detail: EventDetail,
    /// Who did it.
    pub actor: Party,
    /// Through what it was done.
    pub origin: Party,
}

impl NewEvent {
    /// An event about a revision, by the author of the revision.
    #[must_use]
    pub fn for_revision(kind: EventKind, revision: &Revision) -> Self {
        let Sealed { new_digest, id, actor, origin, .. } = &revision.sealed;
        Self {
            digest: *new_digest,
            revision: Some(id.clone()),
            ..Self::for_soul(kind, &revision.sealed.key(), actor, origin)
        }
    }

    /// The event that the scanner refuses the text of a revision.
    #[must_use]
    pub fn for_poison(revision: &Revision, findings: &[Finding]) -> Self {
        Self { findings: refused(findings), ..Self::for_revision(EventKind::Poison, revision) }
    }

    /// An event about a soul.
    #[must_use]
    pub fn for_soul(kind: EventKind, key: &SoulKey, actor: &Party, origin: &Party) -> Self {
        let name_if = |kind| (key.kind == kind).then(|| key.name.clone());
        Self {
            scope: Some(key.scope.clone()),
            agent: name_if(Kind::Agent),
            soul: name_if(Kind::Library),
            ..Self::new(kind, actor, origin)
        }
    }

    /// An event about a session.
    pub(super) fn for_session(kind: EventKind, session: &Session, actor: &Party, origin: &Party) -> Self {
        Self {
            scope: Some(session.scope.clone()),
            agent: session.agent.clone(),
            soul: session.soul_source.as_ref().map(|source| source.id.clone()),
            digest: session.soul_digest,
            session: Some(session.id.clone()),
            ..Self::new(kind, actor, origin)
        }
    }

    /// An event about nothing yet.
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
            proposal: None,
            findings: Vec::new(),
            detail: EventDetail::default(),
            actor: actor.clone(),
            origin: origin.clone(),
        }
    }
}

/// A recorded event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Its number. Numbers rise in the order of events.
    pub seq: i64,
    /// When it happened.
    pub time: Time,
    /// What happened.
    #[serde(flatten)]
    pub event: NewEvent,
}

/// Which events a list has. Everything that is absent lets every event through.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// About this agent.
    pub agent: Option<String>,
    /// Of this kind or family, such as `soul.put` or `soul`.
    pub kind: Option<String>,
    /// By this actor: its name, its kind, or `KIND:NAME`.
    pub actor: Option<String>,
    /// From this time on.
    pub since: Option<Time>,
    /// Before this time.
    pub until: Option<Time>,
    /// With a lower number than this one.
    pub before: Option<i64>,
}

impl EventFilter {
    /// Whether it lets an event through.
    #[must_use]
    pub fn admits(&self, event: &Event) -> bool {
        let Event { seq, time, event } = event;
        let Self { agent, kind, actor, since, until, before } = self;
        let (name, by) = (event.kind.as_str(), &event.actor);
        let is_of_kind =
            |kind: &String| name == kind || name.strip_prefix(kind.as_str()).is_some_and(|rest| rest.starts_with('.'));
        let is_by = |actor: &String| {
            *actor == by.name || *actor == by.kind || actor.split_once(':') == Some((&*by.kind, &*by.name))
        };
        agent.as_ref().is_none_or(|agent| event.agent.as_ref() == Some(agent))
            && kind.as_ref().is_none_or(is_of_kind)
            && actor.as_ref().is_none_or(is_by)
            && since.is_none_or(|since| *time >= since)
            && until.is_none_or(|until| *time < until)
            && before.is_none_or(|before| *seq < before)
    }
}
