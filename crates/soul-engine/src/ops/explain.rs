//! Explain the codes of problems: diagnostics and rules of the scanner alike.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::{Code, Severity};
use soul_core::rules::{self, Confidence, RULES};
use soul_core::text::{closest, visible};

use super::rule::Rule;
use super::{Error as OpError, Hints, Operation};
use crate::caller::Grant;
use crate::context::Context;
use crate::fault::{Fault, Kind};
use crate::fields::{NonBlank, given};

/// Explain a code that a check reports, or list all of them.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The code of a diagnostic, or the id or name of a scanner rule. Default: all of them.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub code: Option<NonBlank>,
}

/// No check reports such a code.
#[derive(Debug, thiserror::Error)]
#[error("there is no code `{}`{}", visible(.code), .near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
pub struct Error {
    code: String,
    /// What may have been meant.
    near: Option<String>,
}

impl Error {
    pub(super) fn fault(&self) -> Fault {
        Fault::new(Kind::NotFound, "not_found", "`soul explain` lists the codes")
    }
}

/// Codes: diagnostics by severity, then rules by family.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Explanation")]
pub struct Response {
    /// The codes.
    pub codes: Vec<Explained>,
}

/// What a code means.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ExplainedCode")]
pub struct Explained {
    /// The code, as reports have it.
    pub code: String,
    /// Another name for it; scanner rules only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it belongs to: `diagnostic`, or the family of a scanner rule.
    pub group: String,
    /// How serious it is, unless a report says otherwise.
    pub severity: Severity,
    /// How certain it is; scanner rules only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// What it means.
    pub meaning: String,
    /// Why it matters; scanner rules only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What to do about it; scanner rules only, as a diagnostic says it where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// Texts that it matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<String>,
    /// Similar texts that it does not match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near_misses: Vec<String>,
}

/// The group of every diagnostic.
const DIAGNOSTIC: &str = "diagnostic";

impl From<Code> for Explained {
    fn from(code: Code) -> Self {
        Self {
            code: code.as_str().to_owned(),
            name: None,
            group: DIAGNOSTIC.to_owned(),
            severity: code.severity(),
            confidence: None,
            meaning: code.meaning().to_owned(),
            why: None,
            fix: None,
            hits: Vec::new(),
            near_misses: Vec::new(),
        }
    }
}

impl From<Rule> for Explained {
    fn from(rule: Rule) -> Self {
        Self {
            code: rule.id,
            name: Some(rule.name),
            group: rule.family.to_string(),
            severity: rule.severity,
            confidence: Some(rule.confidence),
            meaning: rule.message,
            why: Some(rule.why),
            fix: Some(rule.fix),
            hits: rule.hits,
            near_misses: rule.near_misses,
        }
    }
}

impl Operation for Request {
    const NAME: &'static str = "explain";
    const HINTS: Hints = Hints::READ;
    const NEEDS_SETTINGS: bool = false;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, _: &Context<'_>) -> Result<Response, OpError> {
        let codes = match self.code {
            Some(code) => vec![find(code.as_str()).ok_or_else(|| unknown(code.as_str()))?],
            None => {
                let mut diagnostics: Vec<Code> = Code::ALL.to_vec();
                diagnostics.sort_by_key(|code| (code.severity(), code.as_str()));
                let mut found: Vec<&rules::Rule> = RULES.to_vec();
                found.sort_by_key(|rule| (rule.family, rule.id));
                let found = found.into_iter().map(|rule| Explained::from(Rule::from(rule)));
                diagnostics.into_iter().map(Explained::from).chain(found).collect()
            }
        };
        Ok(Response { codes })
    }
}

/// A code in whichever case it is typed, with hyphens or underscores.
fn find(typed: &str) -> Option<Explained> {
    let same = |code: &&Code| code.as_str().eq_ignore_ascii_case(&typed.replace('-', "_"));
    let diagnostic = Code::ALL.iter().find(same).map(|code| Explained::from(*code));
    diagnostic.or_else(|| rules::find(typed).map(|rule| Rule::from(rule).into()))
}

fn unknown(typed: &str) -> Error {
    let rules = RULES.iter().flat_map(|rule| [rule.id, rule.name]);
    let near = closest(typed, Code::ALL.iter().map(|code| code.as_str()).chain(rules)).map(str::to_owned);
    Error { code: typed.to_owned(), near }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_by_either_spelling_and_near_misses_are_suggested() {
        let found = |typed: &str| find(typed).map(|found| found.code);
        assert_eq!(found("forbidden-field").as_deref(), Some("forbidden_field"));
        assert_eq!(found("sec001").as_deref(), Some("SEC001"));
        assert_eq!(found("aws-key"), found("AWS_KEY".replace('_', "-").as_str()));
        assert_eq!(found("forbiden_field"), None);
        assert_eq!(unknown("forbiden_field").near.as_deref(), Some("forbidden_field"));
        assert_eq!(unknown("quite something else").near, None);
    }
}
