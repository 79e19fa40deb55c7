//! Read a soul from the files of another program.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use soul_core::exchange::{self, FORMS, Imported};
use soul_core::model::{Dialect, Fate};
use soul_core::runtimes::{Files, Tree};
use soul_core::scan;
use soul_core::text::closest;

use super::convert::{self, Outcome};
use super::export::{Dropped, File};
use super::{Error as OpError, Hints, Load, Operation, Verdict};
use crate::authoring::{self, is_refused};
use crate::caller::Grant;
use crate::context::Context;
use crate::delivery::machine;
use crate::fault::{Fault, Kind};
use crate::fields::{Body, NonBlank, given};
use crate::files::SOUL_FILE;
use crate::souls::Target;
use crate::store::Party;

/// Read a soul from the files of another program: a CLAUDE.md, a character card, an agent of CrewAI. Nothing is written
/// here: the response has the files of the soul, and lists what was left out. Secrets are never imported.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The file or folder, on the machine on which the request is made.
    #[serde(skip)]
    pub path: Option<PathBuf>,
    /// The files, by their paths in one folder.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// The program that they are of, such as `claude-code`, `eliza` or `character-card`. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The dialect to write the soul in. Default: `plain`.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub to: Option<Dialect>,
    /// Set if the caller writes the files: then the scanner may refuse them.
    #[serde(skip)]
    pub write: Option<Write>,
}

/// The files are to be written, on the machine on which the request is made.
#[derive(Debug, Clone, Default)]
pub struct Write {
    /// Why they are written although the scanner refuses them.
    pub force: Option<NonBlank>,
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The form is not known.
    #[error("unknown form `{0}`{1}")]
    UnknownForm(String, String),
    /// Nothing tells which form it is.
    #[error("`{0}` is not a file of a program that is known here")]
    NotDetected(String),
    /// There is nothing at the path.
    #[error("`{0}` does not exist")]
    Missing(String),
    /// The request has nothing to import.
    #[error("there is nothing to import")]
    Nothing,
}

impl Error {
    pub(super) fn fault(&self) -> Fault {
        let ids = || FORMS.iter().map(|form| form.id).collect::<Vec<_>>().join(", ");
        match self {
            Self::UnknownForm(..) => Fault::new(Kind::Usage, "unknown_form", format!("the forms are {}", ids())),
            Self::NotDetected(_) => {
                Fault::new(Kind::Invalid, "unknown_form", format!("name its form with `--from`: {}", ids()))
            }
            Self::Missing(_) => Fault::new(Kind::NotFound, "not_found", "check the path"),
            Self::Nothing => Fault::new(Kind::Usage, "bad_request", "give `files`, by their paths"),
        }
    }
}

/// The files of a soul, and what was left out.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Import")]
pub struct Response {
    /// The form that it was read as.
    pub from: String,
    /// The dialect that the soul is in.
    pub to: Dialect,
    /// Whether it was imported; if not, `problem` says why.
    pub valid: bool,
    /// Why it was not imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The name of the agent, if the files give one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The files of the soul, its own first.
    pub files: Vec<File>,
    /// What was not imported.
    pub left_out: Vec<Dropped>,
    /// What the dialect moved, changed or lost, if it is not `plain`.
    pub losses: Vec<Outcome>,
    /// What else there is to know, in sentences.
    pub notes: Vec<String>,
    /// What the program itself makes of the files, in its own terms: a manifest, issues, a system prompt.
    pub reading: Value,
}

impl Operation for Request {
    const NAME: &'static str = "import";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn load(&self) -> Load {
        Load::Slow
    }

    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        if let Some(id) = self.from.as_ref().filter(|id| exchange::form(id).is_none()) {
            let meant = closest(id, FORMS.iter().map(|form| form.id));
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
            return Err(Error::UnknownForm(id.clone(), meant).into());
        }
        match &self.path {
            Some(path) => {
                let (disk, at) = machine(path);
                let shown = path.display().to_string();
                // `FILE#AGENT` names a part of a file.
                let file = path.to_string_lossy();
                let file = file.split('#').next().unwrap_or_default();
                if !path.exists() && !std::path::Path::new(file).exists() {
                    return Err(Error::Missing(shown).into());
                }
                self.read(&disk, &at, &shown, context)
            }
            None => {
                let mut tree = Tree::new();
                self.files.iter().for_each(|(path, text)| tree.add(format!("/import/{path}"), text.as_bytes()));
                let mut names = self.files.keys();
                let (at, shown) = match (names.next(), names.next()) {
                    (Some(only), None) => (format!("/import/{only}"), only.clone()),
                    (Some(_), Some(_)) => ("/import".to_owned(), "the folder".to_owned()),
                    (None, _) => return Err(Error::Nothing.into()),
                };
                self.read(&tree, &at, &shown, context)
            }
        }
    }

    fn is_local(&self) -> bool {
        self.path.is_some()
    }

    fn verdict(response: &Response) -> Verdict {
        if response.valid { Verdict::Passed } else { Verdict::Failed }
    }
}

impl Request {
    fn read(&self, files: &dyn Files, at: &str, shown: &str, context: &Context<'_>) -> Result<Response, OpError> {
        let form = match &self.from {
            Some(id) => exchange::form(id),
            None => exchange::detect(files, at),
        };
        let form = form.ok_or_else(|| Error::NotDetected(shown.to_owned()))?;
        let response = self.converted(form, files, at, context)?;
        if let Some(Write { force }) = &self.write {
            admit(&response.files, force.as_ref(), shown, context)?;
        }
        Ok(response)
    }

    fn converted(
        &self,
        form: &exchange::Form,
        files: &dyn Files,
        at: &str,
        context: &Context<'_>,
    ) -> Result<Response, OpError> {
        let to = self.to.unwrap_or(Dialect::Plain);
        let mut response = Response {
            from: form.id.to_owned(),
            to,
            valid: true,
            problem: None,
            name: None,
            files: Vec::new(),
            left_out: Vec::new(),
            losses: Vec::new(),
            notes: Vec::new(),
            reading: Value::Null,
        };
        match form.import(files, at) {
            Err(refusal) => {
                (response.valid, response.problem, response.reading) = (false, Some(refusal.message), refusal.reading);
            }
            Ok(imported) => {
                let Imported { name, files, left_out, notes, reading } = imported;
                (response.name, response.notes, response.reading) = (name, notes, reading);
                let left_out =
                    left_out.into_iter().map(|left| Dropped { what: left.what, reason: left.reason.into_owned() });
                response.left_out = left_out.collect();
                response.files = files.into_iter().map(|(path, text)| File { path, text }).collect();
                if to != Dialect::Plain {
                    in_dialect(&mut response, to, context)?;
                }
            }
        }
        Ok(response)
    }
}

/// Refuses files that the scanner would not let anybody but a person write: others have written what is imported.
fn admit(files: &[File], force: Option<&NonBlank>, shown: &str, context: &Context<'_>) -> Result<(), OpError> {
    let files: Vec<_> = files.iter().map(|file| scan::File { path: &file.path, bytes: file.text.as_bytes() }).collect();
    let report = scan::scan_as(&files, scan::Trust::Stranger);
    if is_refused(context.keeper, &report, &Party::new("import", shown), force) {
        return Err(authoring::Error::Poisoned(shown.to_owned(), Box::new(report)).into());
    }
    Ok(())
}

/// Writes the soul in another dialect; files beside it stay where the dialect is a folder.
fn in_dialect(response: &mut Response, to: Dialect, context: &Context<'_>) -> Result<(), OpError> {
    let mut beside = std::mem::take(&mut response.files);
    let own = if beside.is_empty() { String::new() } else { beside.remove(0).text };
    let target = Target::Text(Body::from(own.as_str()));
    let form = convert::Form::Dialect(to);
    let request = convert::Request { target, from: Some(Dialect::Plain), to: form, file_name: None };
    let converted = request.run(context)?;
    response.files = converted
        .all_files()
        .filter_map(|(path, bytes)| Some(File { path: path.to_owned(), text: String::from_utf8(bytes.to_vec()).ok()? }))
        .collect();
    if form.is_folder() {
        let new = |file: &File| !response.files.iter().any(|made| made.path == file.path);
        let (new, taken): (Vec<File>, Vec<File>) = beside.into_iter().partition(new);
        response.files.extend(new);
        beside = taken;
    }
    for file in beside.into_iter().filter(|file| file.path != SOUL_FILE) {
        let reason = format!("the dialect `{to}` has no place for it");
        response.left_out.push(Dropped { what: file.path, reason });
    }
    response.losses = converted.losses.into_iter().filter(|outcome| outcome.fate != Fate::Kept).collect();
    response.notes.extend(converted.notes);
    Ok(())
}
