//! Explain what the scanner looks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Severity;
use soul_core::rules::{self, Confidence, Family, RULES};
use soul_core::text::{closest, visible};

use super::{Error as OpError, Hints, Operation};
use crate::caller::Grant;
use crate::context::Context;
use crate::fault::{Fault, Kind};
use crate::fields::{NonBlank, given};

/// Explain one rule of the scanner, or list all of them.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The id or the name of a rule. Default: all rules.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub id: Option<NonBlank>,
}

/// The scanner has no such rule.
#[derive(Debug, thiserror::Error)]
#[error("there is no rule `{}`{}", visible(.id), .near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
pub struct Error {
    id: String,
    /// What may have been meant.
    near: Option<&'static str>,
}

impl Error {
    fn new(id: &str) -> Self {
        let names = RULES.iter().flat_map(|rule| [rule.id, rule.name]);
        Self { id: id.to_owned(), near: closest(id, names) }
    }

    pub(super) fn fault(&self) -> Fault {
        Fault::new(Kind::NotFound, "not_found", "`soul rule` lists the rules")
    }
}

/// Rules, in the order of their ids.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RuleList")]
pub struct Response {
    /// The rules.
    pub rules: Vec<Rule>,
}

/// A rule of the scanner.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ScanRule")]
pub struct Rule {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The family it belongs to.
    pub family: Family,
    /// How serious a finding is.
    pub severity: Severity,
    /// How sure a finding is.
    pub confidence: Confidence,
    /// What a finding says.
    pub message: String,
    /// Why it matters.
    pub why: String,
    /// What to do about it.
    pub fix: String,
    /// Texts that it matches.
    pub hits: Vec<String>,
    /// Similar texts that it does not match.
    pub near_misses: Vec<String>,
}

impl From<&rules::Rule> for Rule {
    fn from(rule: &rules::Rule) -> Self {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Self {
            id: rule.id.to_owned(),
            name: rule.name.to_owned(),
            family: rule.family,
            severity: rule.severity,
            confidence: rule.confidence,
            message: rule.message.to_owned(),
            why: rule.why.to_owned(),
            fix: rule.fix.to_owned(),
            hits: texts(rule.hits),
            near_misses: texts(rule.misses),
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "rule";
    const HINTS: Hints = Hints::READ;
    const NEEDS_SETTINGS: bool = false;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, _: &Context<'_>) -> Result<Response, OpError> {
        let rules = match self.id {
            None => RULES.iter().copied().map(Rule::from).collect(),
            Some(id) => {
                let found = rules::find(id.as_str()).ok_or_else(|| Error::new(id.as_str()))?;
                vec![found.into()]
            }
        };
        Ok(Response { rules })
    }
}
