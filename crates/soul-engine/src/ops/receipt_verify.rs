//! Whether a transcript's system prompt is the one on record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::prompt::system_prompts;

use super::receipt::{Receipt, of};
use super::{Error, Hints, Load, Operation, Verdict};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::ids::SessionId;
use crate::sessions;

/// The most sessions that are compared if none is named, newest first.
const MOST_SESSIONS: usize = 200;

/// Find the system prompt in a transcript (JSON, JSON lines or plain text), and say whether it is what a session was
/// given.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The transcript.
    pub transcript: String,
    /// The session. Default: the newest 200 are compared.
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
    /// The receipt of the session that matches, or of the one that was named.
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
    const NAME: &'static str = "receipt-verify";
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
        let named = self.session_id.is_some();
        let sessions = match &self.session_id {
            Some(id) => vec![sessions::find(context.keeper, id)?],
            None => context.keeper.store()?.sessions(None, None, None, MOST_SESSIONS)?,
        };
        let mut response =
            Response { state: Match::Different, prompts: prompts.len(), missing_layers: Vec::new(), receipt: None };
        if prompts.is_empty() {
            response.state = Match::NoPrompt;
        }
        for session in sessions {
            let (receipt, text) = match of(&session, context) {
                Ok(found) => found,
                Err(error) if named => return Err(error),
                Err(_) => continue,
            };
            // A transcript that was saved as text may have lost or gained a line end.
            let state = if prompts.iter().any(|prompt| prompt.trim_end() == text.trim_end()) {
                Match::Same
            } else if prompts.iter().any(|prompt| prompt.contains(text.trim_end())) {
                Match::Contained
            } else if named {
                response.missing_layers = missing(&session.id, &prompts, context)?;
                response.receipt = Some(receipt);
                continue;
            } else {
                continue;
            };
            return Ok(Response { state, receipt: Some(receipt), ..response });
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

fn missing(id: &SessionId, prompts: &[String], context: &Context<'_>) -> Result<Vec<String>, Error> {
    let request = super::prompt::Request::new(crate::souls::Subject::Session(id.clone()));
    let layers = request.run(context)?.layers;
    let lost =
        layers.iter().filter(|layer| !layer.omitted && !prompts.iter().any(|prompt| prompt.contains(&layer.text)));
    Ok(lost.map(|layer| layer.name.to_string()).collect())
}
