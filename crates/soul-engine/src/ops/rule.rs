//! What the scanner looks for: one rule, or all of them.

use serde::Serialize;
use soul_core::diagnostics::Severity;
use soul_core::rules::{self, Confidence, Family, RULES};

use super::{Error, Grant};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Which rule; all of them if none is named.
#[derive(Debug, Clone)]
pub struct Request {
    /// Its id or name.
    pub id: Option<String>,
}

/// The rules that were asked for.
#[derive(Debug, Serialize)]
pub struct Response {
    /// In the order of their ids.
    pub rules: Vec<Rule>,
}

/// One rule as it is documented.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct Rule {
    pub id: &'static str,
    pub name: &'static str,
    pub family: Family,
    pub severity: Severity,
    pub confidence: Confidence,
    pub message: &'static str,
    pub why: &'static str,
    pub fix: &'static str,
    /// Texts that it finds.
    pub hits: &'static [&'static str],
    /// Texts that look alike and that it lets pass.
    pub near_misses: &'static [&'static str],
}

/// Looks rules up.
///
/// # Errors
/// When there is no rule of that id or name.
pub fn run(request: &Request) -> Result<Response, Error> {
    let rules = match &request.id {
        None => RULES.to_vec(),
        Some(id) => vec![rules::find(id).ok_or_else(|| Error::NoRule(soul_core::text::visible(id)))?],
    };
    let documented = |rule: &&soul_core::rules::Rule| Rule {
        id: rule.id,
        name: rule.name,
        family: rule.family,
        severity: rule.severity,
        confidence: rule.confidence,
        message: rule.message,
        why: rule.why,
        fix: rule.fix,
        hits: rule.hits,
        near_misses: rule.misses,
    };
    Ok(Response { rules: rules.iter().map(documented).collect() })
}
