//! Show the text of an agent's soul.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::{Digest, RawDigest};
use soul_core::model::Dialect;

use super::{Error, Hints, Operation};
use crate::Keeper;
use crate::authoring::{self, Earlier};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::files;
use crate::ids::RevisionId;
use crate::souls::{self, Loader, Text};
use crate::workspace::{Agent, AgentName};

/// Show the text of an agent's soul, exactly as it is in its file.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent.
    pub agent: AgentName,
    /// The revision whose text to show. Default: what is in the file.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub revision_id: Option<RevisionId>,
}

impl Request {
    /// The text in the file of an agent.
    #[must_use]
    pub const fn new(agent: AgentName) -> Self {
        Self { agent, revision_id: None }
    }
}

/// The text of a soul, and what names it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SoulText")]
pub struct Response {
    /// The agent.
    pub agent: AgentName,
    /// The file, relative to the workspace or the home.
    pub source_path: String,
    /// The dialect that it is read in; `null` if there is no text.
    pub dialect: Option<Dialect>,
    /// The text; `null` if the agent has no soul.
    pub text: Option<String>,
    /// The digest of what it says; `null` unless it is valid.
    pub digest: Option<Digest>,
    /// The digest of its bytes, which a change may give as `expected_digest`; `null` if the agent has no soul.
    pub raw_digest: Option<RawDigest>,
}

impl Operation for Request {
    const NAME: &'static str = "show";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let keeper = context.keeper;
        let agent = keeper.agent(&self.agent)?;
        let file = agent.soul_file();
        let source_path = keeper.roots.shown(&agent.path.join(&file));
        let (bytes, soul) = match &self.revision_id {
            Some(id) => {
                let Earlier { body, dialect } = recorded(keeper, &agent, id)?;
                let soul = authoring::recorded_soul(keeper, &agent, Some(&body), dialect);
                (Some(body), soul)
            }
            None => {
                let bytes = match agent.directory.read(&file) {
                    Ok(bytes) => Some(bytes),
                    Err(files::Error::NotFound) => None,
                    Err(error) => return Err(souls::Error::Layer(source_path, error.into()).into()),
                };
                let given = bytes.as_deref().map_or(Text::Absent, |bytes| Text::Proposed { file: &file, bytes });
                let soul = Loader::chosen(keeper, keeper.chosen_dialect(&agent)?).agent(&agent, given);
                (bytes, soul)
            }
        };
        let raw_digest = bytes.as_deref().map(RawDigest::of);
        let (dialect, digest) = (soul.dialect(), soul.digest);
        // What is not text cannot be edited as text; its diagnostics say where it is not.
        let text = match bytes.map(String::from_utf8).transpose() {
            Ok(text) => text,
            Err(_) => return Err(souls::Error::Invalid(Box::new(soul)).into()),
        };
        Ok(Response {
            agent: self.agent,
            source_path,
            dialect,
            digest: digest.filter(|_| text.is_some()),
            text,
            raw_digest,
        })
    }
}

/// The text of a revision.
fn recorded(keeper: &Keeper, agent: &Agent, id: &RevisionId) -> Result<Earlier, Error> {
    let missing = || authoring::Error::RevisionNotFound(id.clone());
    let key = agent.known_key().map_err(souls::Error::WorkspaceId)?.ok_or_else(missing)?;
    let store = keeper.existing_store()?.ok_or_else(missing)?;
    let id = authoring::named(store, &key, id)?;
    Ok(authoring::earlier(store, &key, &id)?)
}
