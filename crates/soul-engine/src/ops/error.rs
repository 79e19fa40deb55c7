use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Diagnostic;
use soul_core::edits::EditError;
use soul_core::scan::Finding;
use soul_core::text::{closest, visible};

use super::store::migrate as store_migrate;
use super::{
    RecordedRevision, backup, check, deliver, explain, export, import, inspect, migrate, new, rule, scan, test, write,
};
use crate::Keeper;
use crate::authoring;
use crate::caller::{Caller, Grant};
use crate::context::Cancelled;
use crate::fault::{Fault, Kind};
use crate::fields::BadCursor;
use crate::library;
use crate::memory;
use crate::persona;
use crate::places;
use crate::proposals;
use crate::references;
use crate::registry;
use crate::sessions;
use crate::souls;
use crate::store;
use crate::sync;
use crate::tokens;

/// Why an operation was not done. What is wrong *with* a soul is a diagnostic of the answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller lacks the grant.
    #[error("the token does not grant `{0}`")]
    Denied(Grant),
    /// The caller presented no token, and may not do this without one.
    #[error("`{0}` is not granted to clients without a token")]
    NoToken(Grant),
    /// The caller is an agent, and may not do this with any grant.
    #[error("`{0}` is not granted to agents")]
    NotForAgents(Grant),
    /// The request has a key that its operation does not.
    #[error("unknown key {key}")]
    UnknownKey {
        /// The key, as it is shown.
        key: String,
        /// What may have been meant.
        hint: String,
    },
    /// The request is not one of its operation.
    #[error("invalid request: {0}")]
    BadRequest(String),
    /// The cursor is not one of the list.
    #[error(transparent)]
    Cursor(#[from] BadCursor),
    /// Nobody waited for the answer any more.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The id names no single row.
    #[error(transparent)]
    Reference(#[from] references::Error),
    /// There is no soul to work on.
    #[error(transparent)]
    Soul(souls::Error),
    /// The soul was not changed.
    #[error(transparent)]
    Authoring(authoring::Error),
    /// The library refused.
    #[error(transparent)]
    Library(library::Error),
    /// The session or run refused.
    #[error(transparent)]
    Session(sessions::Error),
    /// The persona refused.
    #[error(transparent)]
    Persona(persona::Error),
    /// The workspace is not bound to its record, or cannot be.
    #[error(transparent)]
    Place(places::Error),
    /// The proposal was not kept, accepted or rejected.
    #[error(transparent)]
    Proposal(proposals::Error),
    /// The memory refused.
    #[error(transparent)]
    Memory(memory::Error),
    /// Nothing was synced.
    #[error(transparent)]
    Sync(sync::Error),
    /// The package or the registry refused.
    #[error(transparent)]
    Registry(registry::Error),
    /// The token was not made or revoked.
    #[error(transparent)]
    Token(tokens::Error),
    /// Nothing was scanned.
    #[error(transparent)]
    Scan(scan::Error),
    /// Nothing was checked.
    #[error(transparent)]
    Check(check::Error),
    /// Nothing was delivered.
    #[error(transparent)]
    Deliver(deliver::Error),
    /// Nothing was exported.
    #[error(transparent)]
    Export(export::Error),
    /// Nothing was imported.
    #[error(transparent)]
    Import(#[from] import::Error),
    /// There is no such rule.
    #[error(transparent)]
    Rule(#[from] rule::Error),
    /// There is no such code.
    #[error(transparent)]
    Explain(#[from] explain::Error),
    /// The manifest was not migrated.
    #[error(transparent)]
    Migrate(migrate::Error),
    /// The soul was not tested.
    #[error(transparent)]
    Test(test::Error),
    /// The agent was not created.
    #[error(transparent)]
    New(#[from] new::Error),
    /// The store was not backed up or restored.
    #[error(transparent)]
    Backup(backup::Error),
    /// The store was not migrated.
    #[error(transparent)]
    StoreMigration(store_migrate::Error),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Errors of one domain hold those of the domains below it. Here each has one place, however deep it came from.
macro_rules! flatten {
    ($($variant:ident: $error:path { $($inner:ident),* };)+) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                #[allow(unused_imports)]
                use $error as Domain;
                match error {
                    $(Domain::$inner(inner) => inner.into(),)*
                    error => Self::$variant(error),
                }
            }
        })+
    };
}

flatten! {
    Soul: souls::Error { Store };
    Place: places::Error { Soul, Store };
    Authoring: authoring::Error { Reference, Soul, Place, Store };
    Library: library::Error { Soul, Authoring, Store };
    Session: sessions::Error { Reference, Soul, Authoring, Library, Persona, Store };
    Persona: persona::Error { Soul, Library, Authoring, Store };
    Proposal: proposals::Error { Reference, Soul, Authoring, Store };
    Memory: memory::Error { Soul };
    Sync: sync::Error { Memory, Library, Authoring, Proposal, Soul, Store };
    Registry: registry::Error { Soul, Authoring, Store };
    Token: tokens::Error { Store };
    Scan: scan::Error { Soul };
    Check: check::Error { Soul };
    Deliver: deliver::Error { Soul };
    Export: export::Error { Soul };
    Migrate: migrate::Error { Soul, Authoring };
    Test: test::Error { Soul };
    Backup: backup::Error { Store };
    StoreMigration: store_migrate::Error { Store };
}

impl Error {
    /// The caller lacks the grant.
    #[must_use]
    pub fn denied(caller: &Caller, grant: Grant) -> Self {
        match caller.token() {
            _ if matches!(grant, Grant::Admin) && caller.agent().is_some() => Self::NotForAgents(grant),
            Some(_) => Self::Denied(grant),
            None => Self::NoToken(grant),
        }
    }

    /// How it is classified, with the next step.
    #[must_use]
    pub fn fault(&self) -> Fault {
        match self {
            Self::Denied(_) => Fault::new(
                Kind::Denied,
                "not_granted",
                "put a token that grants it into `SOUL_TOKEN`; `soul token create` creates one",
            ),
            Self::NoToken(_) => Fault::new(
                Kind::Denied,
                "not_granted",
                "run the command without `--server`, ask the Unix socket (`--server unix:PATH`), or put an admin token into `SOUL_TOKEN`",
            ),
            Self::NotForAgents(_) => Fault::new(
                Kind::Denied,
                "not_granted",
                "an agent does not administer the keeper; ask the person who runs it",
            ),
            Self::UnknownKey { hint, .. } => Fault::new(Kind::Usage, "bad_request", hint.clone()),
            Self::BadRequest(_) => Fault::bare(Kind::Usage, "bad_request"),
            Self::Cursor(_) => Fault::new(Kind::Usage, "bad_cursor", "use the `next_cursor` of the previous page"),
            Self::Cancelled(_) => Fault::bare(Kind::Unable, "cancelled"),
            Self::Reference(error) => error.fault(),
            Self::Soul(error) => error.fault(),
            Self::Authoring(error) => error.fault(),
            Self::Library(error) => error.fault(),
            Self::Session(error) => error.fault(),
            Self::Persona(error) => error.fault(),
            Self::Place(error) => error.fault(),
            Self::Proposal(error) => error.fault(),
            Self::Memory(error) => error.fault(),
            Self::Sync(error) => error.fault(),
            Self::Registry(error) => error.fault(),
            Self::Token(error) => error.fault(),
            Self::Scan(error) => error.fault(),
            Self::Check(error) => error.fault(),
            Self::Deliver(error) => error.fault(),
            Self::Export(error) => error.fault(),
            Self::Import(error) => error.fault(),
            Self::Rule(error) => error.fault(),
            Self::Explain(error) => error.fault(),
            Self::Migrate(error) => error.fault(),
            Self::Test(error) => error.fault(),
            Self::New(_) => new::Error::fault(),
            Self::Backup(error) => error.fault(),
            Self::StoreMigration(error) => error.fault(),
            Self::Store(error) => error.fault(),
        }
    }

    /// The name that a caller who named something unknown most likely meant. Names are listed only for an error.
    fn nearest_name(&self, keeper: &Keeper) -> Option<String> {
        let meant = |typed: &str, names: Vec<String>| closest(typed, names.iter().map(String::as_str)).map(visible);
        match self {
            Self::Soul(souls::Error::AgentNotFound(name)) => {
                let names = keeper.roots.agent_names(&keeper.settings.discovery).ok()?;
                meant(name.as_str(), names.iter().map(ToString::to_string).collect())
            }
            Self::Soul(souls::Error::SoulNotFound(id)) => {
                let library = keeper.library().ok()?;
                meant(id.as_str(), library.search("").iter().map(|entry| entry.id.to_string()).collect())
            }
            _ => None,
        }
    }

    /// The error as every transport reports it.
    #[must_use]
    pub fn report(self, keeper: &Keeper) -> Report {
        let Fault { kind, code, hint } = self.fault();
        let (code, hint) = (code.to_owned(), hint.map(Into::into));
        let mut report = Report { kind, code, message: self.to_string(), hint, ..Report::default() };
        match &self {
            Self::Soul(souls::Error::AgentNotFound(name)) if keeper.known_key(name).is_ok_and(|key| key.is_some()) => {
                report.hint =
                    Some(format!("its directory is gone, and its soul is on record: `soul undo {name}` restores it"));
            }
            error => {
                if let Some(meant) = error.nearest_name(keeper) {
                    report.message.push_str(&format!("; did you mean `{meant}`?"));
                }
            }
        }
        match self {
            Self::Soul(souls::Error::Invalid(soul)) => {
                let soul = inspect::Response::new(keeper, *soul, true);
                report.diagnostics = Some(soul.diagnostics.clone());
                report.sources = soul.sources.clone().unwrap_or_default();
                report.soul = Some(Box::new(inspect::Response { sources: None, disclosure: None, ..soul }));
            }
            Self::Authoring(authoring::Error::Conflict { current_digest, .. }) => {
                report.current_digest = Some(current_digest);
            }
            Self::Authoring(authoring::Error::Poisoned(_, scanned))
            | Self::Memory(memory::Error::Poisoned(_, scanned))
            | Self::Proposal(proposals::Error::Poisoned(_, scanned)) => report.findings = Some(scanned.findings),
            Self::Authoring(authoring::Error::Unconfirmed(applied, _)) => {
                let write::Response { soul, revision, findings, .. } = write::Response::new(keeper, *applied);
                report.changed_soul = Some(Box::new(soul));
                report.revision = Some(Box::new(revision));
                report.findings = Some(findings).filter(|findings| !findings.is_empty());
            }
            Self::Proposal(proposals::Error::Edit(EditError::NoSection { sections, .. })) => {
                report.allowed = Some(sections);
            }
            Self::Registry(registry::Error::Refused(_, _, findings)) => report.findings = Some(findings),
            Self::Registry(registry::Error::Invalid(diagnostics)) => report.diagnostics = Some(diagnostics),
            Self::Registry(registry::Error::ChangedSince(paths)) => report.allowed = Some(paths),
            Self::Reference(references::Error::Ambiguous { ids, .. }) => report.allowed = Some(ids),
            Self::Persona(persona::Error::MoodNotAllowed { allowed, .. }) => report.allowed = Some(allowed),
            _ => {}
        }
        report
    }
}

/// Why a request failed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Error")]
pub struct Report {
    /// The kind of failure.
    #[serde(skip)]
    pub kind: Kind,
    /// A stable code to act on.
    pub code: String,
    /// What happened, for people.
    pub message: String,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The digest of the soul as it is, where the caller expected another; `null` if there is no soul.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub current_digest: Option<Option<String>>,
    /// What the scanner found in a text that it refuses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<Finding>>,
    /// Everything wrong with an invalid soul.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<Vec<Diagnostic>>,
    /// The values that are allowed instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<Vec<String>>,
    /// The soul after a change that was made and could not be confirmed.
    #[serde(default, rename = "soul", skip_serializing_if = "Option::is_none")]
    pub changed_soul: Option<Box<inspect::Response>>,
    /// The record of that change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Box<RecordedRevision>>,
    /// The soul, where it is invalid. In HTTP it stands beside `error`.
    #[serde(skip)]
    pub soul: Option<Box<inspect::Response>>,
    /// The texts that the diagnostics are about, by path.
    #[serde(skip)]
    pub sources: BTreeMap<String, String>,
}

/// `null` is a value, and not the absence of one.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// What of a failure only a command that asked a service needs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Cause {
    /// The kind of failure.
    pub kind: Kind,
    /// The texts that the diagnostics are about, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, String>,
}
