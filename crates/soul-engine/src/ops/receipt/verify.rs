//! Whether a transcript's system prompt is the one on record.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;
use soul_core::prompt::{MARKER, system_prompts};

use super::{Receipt, of, recorded};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::ids::SessionId;
use crate::ops::{Error, Hints, Load, Operation, Verdict};
use crate::sessions;
use crate::store::{GivenPrompt, LayerReceipt};

/// The most receipts, and the most sessions without one, that are compared if no session is named, newest first.
const MOST: usize = 200;
/// The layers that a caller adds to what a session has.
const ADDED: [&str; 2] = ["situation", "task"];
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
    /// A system prompt has every layer on record, in its order, with other text around them, or a situation and a task
    /// between them.
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
        let response = Response { state, prompts: prompts.len(), missing_layers: Vec::new(), receipt: None };
        let is_given = |receipt: &&Receipt| prompts.iter().any(|prompt| is_same(prompt, &receipt.prompt));
        if let Some(same) = receipts.iter().find(is_given) {
            return Ok(Response { state: Match::Same, receipt: Some(same.clone()), ..response });
        }
        let layers = receipts.iter().flat_map(|receipt| &receipt.prompt.layers);
        let wanted: HashSet<RawDigest> = layers.map(|layer| layer.digest).collect();
        let mut parts: Vec<Parts<'_>> = prompts.iter().map(|prompt| Parts::new(prompt, &wanted)).collect();
        let mut is_part = |receipt: &&Receipt| parts.iter_mut().any(|parts| parts.have_all(&receipt.prompt));
        if let Some(whole) = receipts.iter().find(&mut is_part) {
            return Ok(Response { state: Match::Contained, receipt: Some(whole.clone()), ..response });
        }
        let Some(newest) = receipts.into_iter().next().filter(|_| self.session_id.is_some()) else {
            return Ok(response);
        };
        let has = |layer: &LayerReceipt, parts: &mut [Parts<'_>]| {
            parts.iter_mut().any(|parts| parts.find(layer, 0).is_some())
        };
        let lost = newest.prompt.layers.iter().filter(|layer| !has(layer, &mut parts));
        Ok(Response {
            missing_layers: lost.map(|layer| layer.name.clone()).collect(),
            receipt: Some(newest),
            ..response
        })
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

/// The parts of a system prompt, by their digests. A layer begins with a line, so only lines are tried.
struct Parts<'a> {
    text: &'a str,
    wanted: &'a HashSet<RawDigest>,
    /// For each length that was looked for, where the texts with a digest begin.
    known: HashMap<usize, HashMap<RawDigest, Vec<usize>>>,
    hashed: usize,
}

impl<'a> Parts<'a> {
    fn new(text: &'a str, wanted: &'a HashSet<RawDigest>) -> Self {
        Self { text, wanted, known: HashMap::new(), hashed: 0 }
    }

    /// Whether every layer is there, in its order, and nothing between them but what a caller may add.
    fn have_all(&mut self, given: &GivenPrompt) -> bool {
        let mut end = None;
        for layer in &given.layers {
            let Some(at) = self.find(layer, end.unwrap_or(0)) else { return false };
            if end.is_some_and(|end| !is_added(&self.text[end..at])) {
                return false;
            }
            end = Some(at + layer.bytes);
        }
        end.is_some()
    }

    /// Where a layer begins, after a place.
    fn find(&mut self, layer: &LayerReceipt, from: usize) -> Option<usize> {
        let (text, length) = (self.text, layer.bytes);
        let known = self.known.entry(length).or_insert_with(|| {
            let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
            let mut known: HashMap<RawDigest, Vec<usize>> = HashMap::new();
            for at in starts {
                let Some(part) = text.get(at..at + length) else { continue };
                self.hashed += length;
                if self.hashed > MOST_HASHED {
                    break;
                }
                let digest = RawDigest::of(part.as_bytes());
                if self.wanted.contains(&digest) {
                    known.entry(digest).or_default().push(at);
                }
            }
            known
        });
        known.get(&layer.digest)?.iter().copied().find(|at| *at >= from)
    }
}

/// Whether a text between two layers is empty, or made of layers that a caller adds to what a session has.
fn is_added(between: &str) -> bool {
    let mut rest = between.trim();
    while !rest.is_empty() {
        let block = ADDED.iter().find_map(|name| {
            let inner = rest.strip_prefix(&format!("{MARKER}begin {name}>>>"))?;
            Some(inner.split_once(&format!("{MARKER}end {name}>>>"))?.1)
        });
        let Some(after) = block else { return false };
        rest = after.trim_start();
    }
    true
}

fn is(text: &str, digest: RawDigest) -> bool {
    RawDigest::of(text.as_bytes()) == digest
}
