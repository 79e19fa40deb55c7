//! Check many souls at once.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::{Code, Diagnostic, Severity};
use soul_core::formats::soulspec::Profile;
use soul_core::model::Dialect;

use super::{Error, Hints, Operation, Verdict, check, inspect};
use crate::caller::Grant;
use crate::checks::{FailOn, UNIT, Unchecked, compare_personas, load_souls};
use crate::context::Context;
use crate::fields::given;
use crate::files::{self, Walk, check_listable};
use crate::souls::{self, Loader, Resolved, Target, is_folder};
use crate::workspace::openable;

/// Check souls and report everything wrong with each. A directory stands for every soul below it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The souls.
    pub targets: Vec<Target>,
    /// The dialect to read them in. Default: detect each.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// How strictly to check packages.
    #[serde(default)]
    pub profile: Profile,
    /// Which problems make the check fail.
    #[serde(default)]
    pub fail_on: FailOn,
    /// Include the texts that the diagnostics are about.
    #[serde(default)]
    pub sources: bool,
}

/// The souls in the order of the targets and of the paths below them, and all of them in numbers.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Validation")]
pub struct Response {
    /// Each soul.
    pub results: Vec<inspect::Response>,
    /// All of them in numbers.
    pub summary: Summary,
    /// Whether no problem is at the gate, and every target could be checked.
    pub passed: bool,
    /// What could not be checked, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<Unchecked>,
}

/// Many souls in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ValidationSummary")]
pub struct Summary {
    /// How many souls were checked.
    pub checked: usize,
    /// How many of them are valid.
    pub valid: usize,
    /// How many are invalid.
    pub invalid: usize,
    /// How many errors they have.
    pub errors: usize,
    /// How many warnings they have.
    pub warnings: usize,
}

impl Operation for Request {
    const NAME: &'static str = "validate";
    const HINTS: Hints = Hints::READ.slow();
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let loader = Loader::new(context.keeper, self.dialect).profile(self.profile);
        let (mut found, mut unchecked) = (Vec::new(), Vec::new());
        for target in &self.targets {
            context.progress.check_awaited()?;
            let souls = match target {
                Target::Path(path) if is_folder(path) => below(&loader, path, context),
                target => loader.target(target).map(|soul| {
                    context.progress.advance(UNIT, 1, None);
                    vec![soul]
                }),
            };
            match souls {
                Ok(souls) => found.extend(souls),
                // One of many that does not exist does not stop the others.
                Err(error) if self.targets.len() > 1 => unchecked.push(Unchecked::new(target, &error)),
                Err(error) => return Err(error.into()),
            }
        }
        compare_personas(&mut found);
        let answer = |soul| inspect::Response::new(context.keeper, soul, self.sources);
        Ok(Response::new(found.into_iter().map(answer).collect(), unchecked, self.fail_on))
    }

    fn is_local(&self) -> bool {
        self.targets.iter().any(Target::is_path)
    }

    fn verdict(response: &Response) -> Verdict {
        check::verdict(response.passed, &response.unchecked)
    }
}

impl Response {
    fn new(results: Vec<inspect::Response>, unchecked: Vec<Unchecked>, fail_on: FailOn) -> Self {
        let fails = |result: &inspect::Response| {
            !result.valid || result.diagnostics.iter().any(|found| fail_on.fails(found.severity, None))
        };
        let passed = unchecked.is_empty() && !results.iter().any(fails);
        Self { summary: Summary::of(&results), results, passed, unchecked }
    }

    /// Several answers as one.
    #[must_use]
    pub fn joined(responses: Vec<Self>) -> Self {
        let passed = responses.iter().all(|response| response.passed);
        let (mut results, mut unchecked) = (Vec::new(), Vec::new());
        for response in responses {
            results.extend(response.results);
            unchecked.extend(response.unchecked);
        }
        Self { summary: Summary::of(&results), results, passed, unchecked }
    }
}

/// Every soul below a folder, in the order of their paths.
fn below(loader: &Loader<'_>, root: &Path, context: &Context<'_>) -> Result<Vec<Resolved>, souls::Error> {
    let shown = || openable(root);
    check_listable(root).map_err(|error| souls::Error::Unlistable(shown(), files::Error::Io(error)))?;
    let listing = Walk::default().list(root).map_err(|error| souls::Error::Unlistable(shown(), error.into()))?;
    let mut found = load_souls(loader, &listing, context.progress);
    found.extend(listing.unlistable.iter().map(|(folder, error)| {
        let problem = Diagnostic::new(Code::ParserIo, format!("could not list the folder: {}", error.kind()));
        loader.unreadable(folder, problem.help("check the permissions of the folder"))
    }));
    if found.is_empty() {
        let agent = context.keeper.agent_hidden_by(root).ok_or_else(|| souls::Error::NoSoul(shown()))?;
        return Ok(vec![loader.target(&Target::Agent(agent))?]);
    }
    Ok(found)
}

impl Summary {
    fn of(results: &[inspect::Response]) -> Self {
        let of = |severity| {
            results
                .iter()
                .flat_map(|result| &result.diagnostics)
                .filter(|diagnostic| diagnostic.severity == severity)
                .count()
        };
        let valid = results.iter().filter(|result| result.valid).count();
        Self {
            checked: results.len(),
            valid,
            invalid: results.len() - valid,
            errors: of(Severity::Error),
            warnings: of(Severity::Warning),
        }
    }
}
