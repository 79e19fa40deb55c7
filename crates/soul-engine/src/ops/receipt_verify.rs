//! Whether a transcript's system prompt is the one on record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;
use soul_core::prompt::system_prompts;

use super::receipt::{Receipt, of, recorded};
use super::{Error, Hints, Load, Operation, Verdict};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::ids::SessionId;
use crate::sessions;
use crate::store::GivenPrompt;

/// The most receipts, and the most sessions without one, that are compared if no session is named, newest first.
const MOST: usize = 200;
/// The most bytes that are hashed to find layers in a transcript.
const MOST_HASHED: usize = 256 << 20;

/// Find the system prompt in a transcript (JSON, JSON lines or plain text), and say whether it is what a session was
/// given. Digests on record are compared, so that a later version of this program comes to the same result.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The transcript.
    pub transcript: String,
    /// The session. Default: the newest 200 receipts are compared.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// Whether the prompt is the one on record.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ReceiptVerification")]
pub struct Response {
    /// What was found.
    pub state: Match,
    /// How many system prompts the transcript has.
    pub prompts: usize,
    /// The layers of the session that no system prompt of the transcript has as they were given.
    pub missing_layers: Vec<String>,
    /// The receipt that matches, or the newest one of the session that was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
}

/// How a transcript compares with the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ReceiptMatch", inline)]
pub enum Match {
    /// A system prompt is exactly the one on record.
    Same,
    /// A system prompt has the one on record as a part, with other text around it.
    Contained,
    /// No system prompt is the one on record.
    Different,
    /// The transcript has no system prompt.
    NoPrompt,
}

impl Operation for Request {
    const NAME: &'static str = "receipt.verify";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        Load::Slow
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let prompts = system_prompts(&self.transcript);
        let state = if prompts.is_empty() { Match::NoPrompt } else { Match::Different };
        let receipts = match &self.session_id {
            Some(id) => of(&sessions::find(context.keeper, id)?, context)?,
            None if prompts.is_empty() => Vec::new(),
            None => newest(context)?,
        };
        let mut response = Response { state, prompts: prompts.len(), missing_layers: Vec::new(), receipt: None };
        for (wanted, compare) in
            [(Match::Same, is_same as fn(&str, &GivenPrompt) -> bool), (Match::Contained, contains)]
        {
            let matches = |receipt: &&Receipt| prompts.iter().any(|prompt| compare(prompt, &receipt.prompt));
            if let Some(receipt) = receipts.iter().find(matches) {
                return Ok(Response { state: wanted, receipt: Some(receipt.clone()), ..response });
            }
        }
        if self.session_id.is_some() {
            response.receipt = receipts.into_iter().next();
            response.missing_layers =
                response.receipt.as_ref().map(|receipt| missing(&receipt.prompt, &prompts)).unwrap_or_default();
        }
        Ok(response)
    }

    fn verdict(response: &Response) -> Verdict {
        match response.state {
            Match::Same | Match::Contained => Verdict::Passed,
            Match::Different | Match::NoPrompt => Verdict::Failed,
        }
    }
}

/// The newest receipts of all sessions, and those of the newest sessions that have none on record.
fn newest(context: &Context<'_>) -> Result<Vec<Receipt>, Error> {
    let store = context.keeper.store()?;
    let mut receipts = Vec::new();
    for stored in store.receipts(None, MOST)? {
        if let Some(session) = store.session(&stored.session_id)? {
            receipts.push(recorded(&session, stored));
        }
    }
    for session in store.sessions(None, None, None, MOST)? {
        if !receipts.iter().any(|receipt| receipt.session_id == session.id) {
            // One that cannot be read must not hide the others.
            receipts.extend(of(&session, context).unwrap_or_default());
        }
    }
    Ok(receipts)
}

/// A transcript that was saved as text may have lost or gained a line end.
fn is_same(text: &str, given: &GivenPrompt) -> bool {
    let trimmed = text.trim_end();
    let lengths = trimmed.len()..=text.len();
    lengths.contains(&given.bytes) && text.get(..given.bytes).is_some_and(|text| is(text, given.prompt_digest))
        || given.bytes == trimmed.len() + 1 && is(&format!("{trimmed}\n"), given.prompt_digest)
}

/// Whether the prompt stands anywhere in a longer one.
fn contains(text: &str, given: &GivenPrompt) -> bool {
    let mut hashed = 0;
    !given.opening.is_empty()
        && text.match_indices(given.opening.as_str()).any(|(at, _)| {
            hashed += given.bytes;
            hashed <= MOST_HASHED && text.get(at..at + given.bytes).is_some_and(|part| is(part, given.prompt_digest))
        })
}

/// The layers that no system prompt has. A layer begins with a line, so only lines are tried.
fn missing(given: &GivenPrompt, prompts: &[String]) -> Vec<String> {
    let mut hashed = 0;
    let mut has = |bytes: usize, digest: RawDigest| {
        prompts.iter().any(|prompt| {
            let starts = std::iter::once(0).chain(prompt.match_indices('\n').map(|(at, _)| at + 1));
            starts.take_while(|at| at + bytes <= prompt.len()).any(|at| {
                hashed += bytes;
                hashed <= MOST_HASHED && prompt.get(at..at + bytes).is_some_and(|part| is(part, digest))
            })
        })
    };
    let lost = given.layers.iter().filter(|layer| !has(layer.bytes, layer.digest));
    lost.map(|layer| layer.name.clone()).collect()
}

fn is(text: &str, digest: RawDigest) -> bool {
    RawDigest::of(text.as_bytes()) == digest
}
