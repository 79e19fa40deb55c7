//! Parse a soul and show everything about it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use soul_core::diagnostics::Diagnostic;
use soul_core::digest::{Digest, RawDigest};
use soul_core::formats::agh::Limits;
use soul_core::formats::plain::COMPANIONS;
use soul_core::formats::soulspec::{Disclosed, LEVELS, MANIFESTS, Profile};
use soul_core::formats::{AUTHORED_FOLDERS, Document, Provenance};
use soul_core::model::{Dialect, Soul};
use soul_core::prompt::Status;
use soul_core::scan::mask_secrets;
use soul_core::sigil::Parts;

use super::{Error, Hints, Lifetime, Operation};
use crate::Keeper;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::files::{PERSONA_FILE, SOUL_FILE};
use crate::freshness::{Sources, Subject};
use crate::ids::{RevisionId, SnapshotId};
use crate::settings::ConfigProvenance;
use crate::souls::{Loader, Resolved, Target};
use crate::store::Revision;
use crate::workspace::AgentName;

/// Show a soul, valid or not: what it says, its digests, and everything wrong with it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The soul.
    #[serde(flatten)]
    pub target: Target,
    /// The dialect to read it in. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// How strictly to check a package.
    #[serde(default)]
    pub profile: Profile,
    /// Include the texts that the diagnostics are about.
    #[serde(default)]
    pub sources: bool,
    /// Answer an invalid soul with an error.
    #[serde(default)]
    pub must_be_valid: bool,
}

impl Request {
    /// A soul in whatever dialect its text shows.
    #[must_use]
    pub const fn new(target: Target) -> Self {
        Self { target, dialect: None, profile: Profile::Lenient, sources: false, must_be_valid: false }
    }
}

/// A soul, what is wrong with it, and the settings that it is subject to.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "InspectedSoul")]
pub struct Response {
    /// The agent; `null` for a soul of the library, a path or a text.
    pub agent_name: Option<String>,
    /// Whether souls are in use, as `[agents.soul] enabled` says.
    pub enabled: bool,
    /// The dialect it was read in; `null` if it could not be read.
    pub dialect: Option<Dialect>,
    /// Why it was read in that dialect; another one can be chosen with `dialect`.
    pub dialect_reason: Option<String>,
    /// Where it is: relative to the workspace or the home, or as it can be opened if the target is a path.
    pub source_path: String,
    /// Whether there is a soul.
    pub present: bool,
    /// Whether it has no errors.
    pub valid: bool,
    /// Whether it reaches the prompt.
    pub active: bool,
    /// The three of them in one word.
    pub validation_status: Status,
    /// The digest of what it says; `null` unless it is valid.
    pub digest: Option<Digest>,
    /// The digest of its bytes.
    pub raw_digest: Option<RawDigest>,
    /// What could be read, in the dialect's own shape.
    pub document: Value,
    /// The frontmatter of an AGH soul; absent in every other dialect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frontmatter: Option<Value>,
    /// The text below the frontmatter; in a dialect that does not part the two, the identity text. Absent if nothing
    /// could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// What it says, as items that are the same in every dialect.
    pub soul: Soul,
    /// The digest of each part of what it says: what its sigil is drawn from; `null` if there is nothing to read.
    #[serde(default)]
    pub parts: Option<Parts>,
    /// The colour of its sigil, from 0 to 11; absent for what is not an agent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hue: Option<u8>,
    /// Everything wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// The snapshot that was taken of it by the operation.
    pub snapshot_id: Option<SnapshotId>,
    /// The revision that the operation recorded.
    pub revision_id: Option<RevisionId>,
    /// The limits that it is subject to.
    pub limits: Limits,
    /// The settings that it is subject to, and where they come from.
    pub config_provenance: ConfigProvenance,
    /// The texts that the diagnostics are about, by path, if the request asks for them; secrets are masked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<BTreeMap<String, String>>,
    /// Whether it was read from folders, which hold more files than are worth watching.
    #[serde(skip)]
    pub reads_folders: bool,
    /// What a client loads of a package, level by level, if the request asks for the sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disclosure: Option<Vec<Disclosed>>,
}

impl Operation for Request {
    const NAME: &'static str = "inspect";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { target, dialect, profile, sources, must_be_valid } = self;
        let soul = Loader::new(context.keeper, dialect).profile(profile).target(&target)?;
        let soul = if must_be_valid { soul.valid()? } else { soul };
        Ok(Response::new(context.keeper, soul, sources))
    }

    fn is_local(&self) -> bool {
        self.target.is_path()
    }

    fn sources(&self, keeper: &Keeper) -> Option<Sources> {
        match &self.target {
            Target::Agent(name) => agent_sources(keeper, name),
            _ => None,
        }
    }

    fn lifetime(response: &Response) -> Lifetime {
        if response.reads_folders { Lifetime::None } else { Lifetime::Unlimited }
    }
}

/// Whether an agent may be a package or a soul with folders, which is read from more files than are worth watching.
pub(super) fn has_folders(keeper: &Keeper, name: &AgentName) -> bool {
    let names = || MANIFESTS.iter().chain(&AUTHORED_FOLDERS);
    keeper.agent_paths(name).iter().any(|path| names().any(|name| path.join(name).exists()))
}

/// Everything that an answer about an agent's soul may depend on: files in the directories up to the one that wins, and
/// what is recorded of it, which pins its dialect.
pub(super) fn agent_sources(keeper: &Keeper, name: &AgentName) -> Option<Sources> {
    let agent = keeper.agent(name).ok()?;
    let records = agent.known_key().ok()?.map(Subject::Soul).into_iter().collect();
    let mut paths: Vec<PathBuf> = agent.id_file().into_iter().collect();
    for directory in keeper.agent_paths(name) {
        let wins = directory.is_dir();
        paths.push(directory.clone());
        if wins {
            let companions = COMPANIONS.iter().map(|(name, ..)| *name);
            let others = [SOUL_FILE, PERSONA_FILE, "HEARTBEAT.md", "BOOTSTRAP.md"].into_iter().chain(AUTHORED_FOLDERS);
            let names = others.chain(MANIFESTS).chain(companions);
            paths.extend(names.map(|name| directory.join(name)));
            break;
        }
    }
    Some(Sources { files: paths, records })
}

/// The two halves of a soul, where clients of AGH look for them.
fn halves(soul: &Resolved) -> (Option<Value>, Option<String>) {
    match &soul.document {
        Some(Document::Agh(_)) => {
            (soul.json.get("frontmatter").cloned(), soul.json["body"].as_str().map(str::to_owned))
        }
        // Elsewhere the identity text is the body, or all there is.
        Some(document) => (None, Some(document.identity(Provenance::default()))),
        None => (None, None),
    }
}

impl Response {
    /// The answer about a resolved soul, with the texts that people need to see what is wrong, if they are
    /// wanted.
    #[must_use]
    pub fn new(keeper: &Keeper, soul: Resolved, with_sources: bool) -> Self {
        let sources = with_sources.then(|| {
            let text =
                |problem: &Diagnostic| Some((problem.path.clone()?, mask_secrets(soul.text_of(problem)?).into_owned()));
            soul.diagnostics.iter().filter_map(text).collect()
        });
        let disclosure = match &soul.document {
            Some(Document::Soulspec(package)) if with_sources => Some(package.disclosed(LEVELS.len())),
            _ => None,
        };
        let (frontmatter, body) = halves(&soul);
        Self {
            frontmatter,
            body,
            agent_name: soul.agent.as_ref().map(|name| name.as_str().to_owned()),
            enabled: keeper.settings.soul.enabled,
            dialect: soul.dialect(),
            dialect_reason: soul.reason.as_deref().map(str::to_owned),
            present: soul.is_present(),
            valid: soul.is_valid(),
            active: soul.is_active(),
            validation_status: soul.status,
            source_path: soul.source_path,
            digest: soul.digest,
            raw_digest: soul.raw_digest,
            document: soul.json,
            parts: soul.document.is_some().then(|| Parts::of(&soul.soul)),
            hue: soul.agent.as_ref().and_then(|name| Some(keeper.agent(name).ok()?.hue())),
            soul: soul.soul,
            diagnostics: soul.diagnostics,
            snapshot_id: None,
            revision_id: None,
            limits: keeper.settings.soul.limits,
            config_provenance: keeper.settings.soul.provenance(),
            reads_folders: soul.document.as_ref().is_some_and(Document::reads_folders),
            sources,
            disclosure,
        }
    }

    /// The answer after a change, with what was recorded.
    pub(super) fn recorded(keeper: &Keeper, soul: Resolved, revision: &Revision) -> Self {
        Self {
            snapshot_id: revision.sealed.snapshot_id.clone(),
            revision_id: Some(revision.sealed.id.clone()),
            ..Self::new(keeper, soul, false)
        }
    }

    /// The text that a diagnostic is about, if the request asked for the sources.
    #[must_use]
    pub fn text_of(&self, diagnostic: &Diagnostic) -> Option<&str> {
        self.sources.as_ref()?.get(diagnostic.path.as_deref()?).map(String::as_str)
    }
}
