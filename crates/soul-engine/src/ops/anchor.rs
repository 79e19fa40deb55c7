//! The short form of a soul, for after a compaction.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::exchange::Material;
use soul_core::model::{Dialect, Field, name_of};
use soul_core::prompt::anchor;

use super::{Error, Hints, Operation, Verdict};
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::given;
use crate::souls::{Loader, Target};

/// Write the short form of a soul that keeps an agent itself after its context was compacted: who it is and its limits,
/// then principles, tone and style, as many as fit.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The soul.
    #[serde(flatten)]
    pub target: Target,
    /// The most tokens, at four bytes each. Default: 400.
    #[serde(default = "default_tokens")]
    pub tokens: usize,
    /// The dialect of the soul. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
}

const fn default_tokens() -> usize {
    400
}

/// The short form.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Anchor")]
pub struct Response {
    /// The text.
    pub text: String,
    /// Estimated number of tokens, at four bytes each.
    pub est_tokens: usize,
    /// What did not fit.
    pub left_out: Vec<Statement>,
    /// Whether every limit is in it.
    pub keeps_limits: bool,
}

/// A statement of the soul.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "StatementLeftOut")]
pub struct Statement {
    /// What it is about.
    pub field: Field,
    /// What it says.
    pub text: String,
}

impl Operation for Request {
    const NAME: &'static str = "anchor";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let resolved = Loader::new(context.keeper, self.dialect).target(&self.target)?;
        let place = resolved.place.as_deref().and_then(|place| place.file_name()).map(|name| name.to_string_lossy());
        let agent = self.target.agent().map(|name| name.as_str().to_owned());
        let fallback = agent.or(place.map(std::borrow::Cow::into_owned)).unwrap_or_else(|| "an agent".to_owned());
        let name = name_of(&resolved.soul).unwrap_or(fallback);
        let document = resolved.document.as_ref().map(|document| document.source().bytes().to_vec());
        let files = document.into_iter().map(|bytes| ("SOUL.md".to_owned(), bytes)).collect();
        let mut material = Material::new(files, &name);
        material.soul = resolved.soul.clone();
        let made = anchor(&resolved.soul, &name, &material.about(), self.tokens);
        let is_limit = |field: Field| matches!(field, Field::Limit | Field::MustAlways | Field::MustNever);
        let keeps_limits = !made.left_out.iter().any(|(field, _)| is_limit(*field));
        let left_out = made.left_out.into_iter().map(|(field, text)| Statement { field, text }).collect();
        Ok(Response { est_tokens: made.text.len().div_ceil(4), text: made.text, left_out, keeps_limits })
    }

    fn is_local(&self) -> bool {
        self.target.is_path()
    }

    fn verdict(response: &Response) -> Verdict {
        if response.keeps_limits { Verdict::Passed } else { Verdict::Failed }
    }
}
