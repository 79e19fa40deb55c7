//! Check a package that is sent as a document.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use soul_core::diagnostics::{Diagnostic, Severity};
use soul_core::formats::soulspec::Profile;

use crate::caller::Grant;
use crate::context::Context;
use crate::ops::{Error, Hints, Operation, Verdict};
use crate::registry::{Contents, Package, parse_manifest, publishing_problems, scan_problems};

/// Check a package that is sent as a document, as clients of the public API do: what a registry requires, and the scan if
/// asked for.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Its manifest.
    pub manifest: Map<String, Value>,
    /// Its other files, as texts by path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Scan it too.
    #[serde(default)]
    pub soulscan: bool,
}

/// The result.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PackageValidation")]
pub struct Response {
    /// Whether nothing failed.
    pub valid: bool,
    /// What was checked.
    pub checks: Vec<Check>,
}

/// One thing that was checked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PackageCheck")]
pub struct Check {
    /// `pass`, `warn` or `fail`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What is so, for people.
    pub message: String,
    /// A stable code to act on.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What to do about it.
    #[serde(default, deserialize_with = "crate::fields::given", skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
}

impl Check {
    fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into(), code: None, details: None }
    }

    fn error(error: &crate::registry::Error) -> Self {
        let code = Some(error.fault().code.to_owned());
        Self { code, ..Self::new("fail", error.to_string()) }
    }
}

/// What is wrong with a manifest and the files that it names.
fn diagnosed(diagnostics: &[Diagnostic]) -> Vec<Check> {
    let found = diagnostics.iter().filter(|found| found.severity != Severity::Info);
    let check = |found: &Diagnostic| {
        let kind = if found.severity == Severity::Error { "fail" } else { "warn" };
        let (code, details) = (Some(found.code.to_string()), found.help.clone());
        Check { kind: kind.to_owned(), message: found.message.clone(), code, details }
    };
    found.map(check).collect()
}

impl Operation for Request {
    const NAME: &'static str = "registry.validate";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn verdict(response: &Response) -> Verdict {
        if response.valid { Verdict::Passed } else { Verdict::Failed }
    }

    fn run(self, _: &Context<'_>) -> Result<Response, Error> {
        let checks = match self.contents() {
            Ok(contents) => self.checked(&contents),
            Err(error) => vec![Check::error(&error)],
        };
        Ok(Response { valid: checks.iter().all(|check| check.kind != "fail"), checks })
    }
}

impl Request {
    fn contents(&self) -> Result<Contents, crate::registry::Error> {
        let mut contents = Contents::default();
        let manifest = serde_json::to_vec_pretty(&self.manifest).unwrap_or_default();
        contents.add("soul.json".parse()?, manifest)?;
        for (path, text) in self.files.iter().filter(|(path, _)| *path != "soul.json") {
            contents.add(path.parse()?, text.clone().into_bytes())?;
        }
        Ok(contents)
    }

    fn checked(&self, contents: &Contents) -> Vec<Check> {
        // A package without an author is checked too.
        let read = match Package::read(contents.clone(), None, Profile::Publish) {
            Err(crate::registry::Error::NoOwner) => Package::read(contents.clone(), Some("unknown"), Profile::Publish),
            read => read,
        };
        let error = match read {
            Ok(package) => return self.checks(&package),
            Err(error) => error,
        };
        // What it is cannot be said; what is wrong with its manifest can.
        let found = parse_manifest(contents, Profile::Publish).map(|(_, found)| diagnosed(&found)).unwrap_or_default();
        if found.iter().any(|check| check.kind == "fail") { found } else { vec![Check::error(&error)] }
    }

    fn checks(&self, package: &Package) -> Vec<Check> {
        let mut checks = diagnosed(&package.diagnostics);
        if checks.iter().all(|check| check.kind != "fail") {
            checks.insert(
                0,
                Check::new("pass", format!("the manifest of {} {} is valid", package.name, package.version)),
            );
        }
        let known: Vec<&str> = checks.iter().map(|check| check.message.as_str()).collect();
        let more = publishing_problems(package).into_iter().filter(|problem| !known.contains(&problem.as_str()));
        checks.extend(more.map(|problem| Check::new("fail", problem)).collect::<Vec<_>>());
        if self.soulscan {
            let report = package.scan();
            let kind = if scan_problems(&report).is_empty() { "pass" } else { "fail" };
            let summary =
                format!("scan: grade {}, {} of {} rules passed", report.grade(), report.score(), report.total());
            checks.push(Check::new(kind, summary));
            for finding in &report.findings {
                let kind = if finding.is_confident_error() { "fail" } else { "warn" };
                let message = format!("{} in {}:{}", finding.message, finding.file, finding.line);
                let details = Some(finding.help.to_string());
                checks.push(Check { kind: kind.to_owned(), message, code: Some(finding.rule.clone()), details });
            }
        }
        checks
    }
}
