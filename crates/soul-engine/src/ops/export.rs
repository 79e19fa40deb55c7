//! Write a soul in the files of another program.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::exchange::{Made, MadeFile, Make, Material, TARGETS, Target as Form, is_said, target};
use soul_core::formats::{self, Context as ParseContext};
use soul_core::model::{Dialect, Fate, Field, Item};
use soul_core::runtimes::{
    Authored, LostLimit, NOT_READ, Runtime, Section, Session, Settings, State, Tree, report, runtime,
};
use soul_core::text::{LineIndex, Source, closest};

use super::{Error as OpError, Hints, Load, Operation, Verdict, convert, prompt};
use crate::caller::Grant;
use crate::context::Context;
use crate::fault::{Fault, Kind};
use crate::fields::given;
use crate::files::SOUL_FILE;
use crate::souls::{self, Loader, Resolved, Subject, Target};

/// Write a soul in the files of another program, and say what that program drops or cuts. Nothing is written here: the
/// response has the files.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The soul.
    #[serde(flatten)]
    pub target: Target,
    /// What to export to: a runtime such as `openclaw`, or `system-prompt`, `messages`, `crewai`, `eliza`,
    /// `character-card`, `claw`, `mcp-tools`.
    pub to: String,
    /// The dialect of the soul. Default: detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// Pass even if a limit of the soul is lost.
    #[serde(default)]
    pub accept_loss: bool,
}

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such target.
    #[error("unknown target `{0}`{1}")]
    UnknownTarget(String, String),
    /// There is no soul to export.
    #[error(transparent)]
    Soul(#[from] souls::Error),
}

impl Error {
    pub(super) fn fault(&self) -> Fault {
        match self {
            Self::UnknownTarget(..) => {
                let ids: Vec<&str> = TARGETS.iter().map(|target| target.id).collect();
                Fault::new(Kind::Usage, "unknown_target", format!("the targets are {}", ids.join(", ")))
            }
            Self::Soul(error) => error.fault(),
        }
    }
}

/// The files, and what the target makes of them.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Export")]
pub struct Response {
    /// What it was exported to.
    pub target: String,
    /// The name of the agent.
    pub name: String,
    /// The files to write, relative to one folder, the main one first.
    pub files: Vec<File>,
    /// What the target has no place for.
    pub dropped: Vec<Dropped>,
    /// What else there is to know, in sentences.
    pub notes: Vec<String>,
    /// What an ordinary session of the runtime is given of the files, section by section; empty if it is not a runtime.
    pub sections: Vec<Section>,
    /// The limits of the soul that the model would not be given.
    pub lost_limits: Vec<LostLimit>,
    /// Whether no limit is lost, or the loss is accepted.
    pub passed: bool,
    /// Files that are not text.
    #[serde(skip)]
    pub copies: Vec<(String, Vec<u8>)>,
}

/// A file to write.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ExportedFile")]
pub struct File {
    /// The path, relative to the output folder.
    pub path: String,
    /// The content.
    pub text: String,
}

/// Something that is not in the files.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DroppedPart")]
pub struct Dropped {
    /// What it is.
    pub what: String,
    /// Why it is not there.
    pub reason: String,
}

impl Operation for Request {
    const NAME: &'static str = "export";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    /// A text may be large, and is read, written and read again.
    fn load(&self) -> Load {
        Load::Slow
    }

    fn run(self, context: &Context<'_>) -> Result<Response, OpError> {
        let Some(form) = target(&self.to) else {
            let meant = closest(&self.to, TARGETS.iter().map(|target| target.id));
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
            return Err(Error::UnknownTarget(self.to, meant).into());
        };
        let resolved = Loader::new(context.keeper, self.dialect).target(&self.target).map_err(Error::from)?;
        let mut made = self.made(form, context)?;
        if let (Make::Dialect(_), Some(runtime)) = (form.make, runtime(form.id)) {
            restate(runtime, &mut made.made, &resolved);
        }
        Ok(response(form, made, &resolved, self.accept_loss))
    }

    fn is_local(&self) -> bool {
        self.target.is_path()
    }

    fn verdict(response: &Response) -> Verdict {
        if response.passed { Verdict::Passed } else { Verdict::Failed }
    }
}

/// What was made, under which name.
struct Named {
    name: String,
    made: Made,
}

impl Request {
    fn made(&self, form: &Form, context: &Context<'_>) -> Result<Named, OpError> {
        let plain = self.converted(Dialect::Plain, context)?;
        let files: BTreeMap<String, Vec<u8>> =
            plain.all_files().map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect();
        let fallback = plain.ids.first().map_or("soul", String::as_str);
        let material = Material::new(files, fallback);
        let made = match form.make {
            Make::Files(make) => make(&material),
            Make::Prompt(make) => {
                let mut request = prompt::Request::new(Subject::Target(self.target.clone()));
                request.dialect = self.dialect;
                make(&request.run(context)?.text)
            }
            Make::Dialect(dialect) => in_dialect(&self.converted(dialect, context)?, dialect),
        };
        Ok(Named { name: material.name, made })
    }

    fn converted(&self, to: Dialect, context: &Context<'_>) -> Result<convert::Response, OpError> {
        let (target, from) = (self.target.clone(), self.dialect);
        convert::Request { target, from, to: convert::Form::Dialect(to), file_name: None }.run(context)
    }
}

/// A conversion as an export: what it lost is dropped.
fn in_dialect(converted: &convert::Response, dialect: Dialect) -> Made {
    let mut made = Made { notes: converted.notes.clone(), ..Made::default() };
    for (path, bytes) in converted.all_files() {
        made.files.push(MadeFile { path: path.to_owned(), bytes: bytes.to_vec() });
    }
    let lost = converted.losses.iter().filter(|outcome| outcome.fate == Fate::Lost);
    for outcome in lost {
        let shown = format!("{}: {}", outcome.field, outcome.value.plain_text());
        made.dropped.push((shown, format!("the dialect `{dialect}` has no place for it").into()));
    }
    for companion in converted.companions.iter().filter(|companion| companion.fate == Fate::Lost) {
        let reason = companion.reason.clone().unwrap_or_else(|| "the dialect has no place for it".to_owned());
        made.dropped.push((companion.path.clone(), reason.into()));
    }
    // The words may stand in frontmatter, where they are quoted.
    let beside = converted.files.iter().map(|file| (file.path.clone(), Source::from(file.text.as_str())));
    let context = ParseContext { files: beside.collect(), ..ParseContext::default() };
    let again = formats::parse(Source::from(converted.text.as_str()), dialect, &context).document.soul();
    let texts = converted.files.iter().map(|file| file.text.clone());
    let says = again.items.iter().map(|item| item.value.plain_text()).chain([converted.text.clone()]).chain(texts);
    made.says = says.collect::<Vec<_>>().join("\n");
    made
}

/// Adds a section with the limits that the runtime would not give the model from where its dialect has them.
fn restate(runtime: &Runtime, made: &mut Made, resolved: &Resolved) {
    let Some(kind) = runtime.kinds.first() else { return };
    let (_, lost, text) = delivered(runtime, kind.id, made);
    if lost.is_empty() {
        return;
    }
    let limits = hard_limits(resolved).filter(|item| !is_limit_said(&item.value.plain_text(), &text));
    let mut lines: Vec<String> = Vec::new();
    for item in limits {
        let limit = item.value.plain_text();
        let line = match item.field {
            Field::MustNever if !limit.starts_with("Never") => format!("- Never: {limit}\n"),
            Field::MustAlways if !limit.starts_with("Always") => format!("- Always: {limit}\n"),
            _ => format!("- {limit}\n"),
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let Some(soul) = made.files.iter_mut().find(|file| file.path == SOUL_FILE).filter(|_| !lines.is_empty()) else {
        return;
    };
    if !soul.bytes.ends_with(b"\n") {
        soul.bytes.push(b'\n');
    }
    let section = format!("\n## Hard limits\n\n{}", lines.concat());
    soul.bytes.extend_from_slice(section.as_bytes());
    made.says.push_str(&section);
    made.notes
        .push(format!("{} gives the model no limits but those in the text, so they are repeated there", runtime.name));
}

fn response(form: &Form, named: Named, resolved: &Resolved, accept_loss: bool) -> Response {
    let Named { name, made } = named;
    let mut notes = made.notes.clone();
    let mut lost_limits = not_exported(form, &made, resolved);
    let mut sections = Vec::new();
    if let Some(runtime) = runtime(form.id) {
        for (index, kind) in runtime.kinds.iter().enumerate() {
            let (found, lost, _) = delivered(runtime, kind.id, &made);
            if index == 0 {
                sections = found;
                lost_limits.extend(lost);
            } else if found.iter().all(|section| matches!(section.state, State::Dropped | State::Blocked)) {
                notes.push(format!("a session of kind `{}` is given nothing of it: {}", kind.id, kind.meaning));
            }
        }
    }
    let (mut files, mut copies) = (Vec::new(), Vec::new());
    for MadeFile { path, bytes } in made.files {
        match String::from_utf8(bytes) {
            Ok(text) => files.push(File { path, text }),
            Err(error) => copies.push((path, error.into_bytes())),
        }
    }
    let dropped =
        made.dropped.into_iter().map(|(what, reason)| Dropped { what, reason: reason.into_owned() }).collect();
    let passed = accept_loss || lost_limits.is_empty();
    Response { target: form.id.to_owned(), name, files, dropped, notes, sections, lost_limits, passed, copies }
}

/// What a session of the runtime is given of the files: sections, lost limits and the text.
fn delivered(runtime: &Runtime, kind: &'static str, made: &Made) -> (Vec<Section>, Vec<LostLimit>, String) {
    const ROOT: &str = "/export";
    let version = runtime.version(None).unwrap_or_default();
    let mut tree = Tree::new();
    let mut authored = Vec::new();
    let reads = |path: &str| runtime.reads.iter().any(|reads| reads.path == path);
    for (index, file) in made.files.iter().enumerate() {
        // A file that is named for its soul stands where the runtime keeps souls.
        let is_own = index == 0 && !reads(&file.path) && !file.path.contains('/');
        let path = if is_own { runtime.soul_at } else { file.path.as_str() };
        tree.add(format!("{ROOT}/{path}"), file.bytes.clone());
        if file.path.ends_with(".md") || file.path.ends_with(".mdc") {
            authored.push(authored_file(&format!("{ROOT}/{path}"), file));
        }
    }
    let settings = Settings::default();
    let session = Session { files: &tree, root: ROOT.to_owned(), kind, version, window: None, settings: &settings };
    let delivery = (runtime.emulate)(&session);
    let (mut sections, mut lost) = report(runtime, &delivery, &authored);
    // The frontmatter of an exported file is for the runtime, not for the model; so are files that it does not read.
    let is_for_program = |section: &Section| {
        section.heading.as_deref() == Some("frontmatter") || section.rule.as_deref() == Some(NOT_READ)
    };
    sections.retain(|section| section.state == State::Delivered || !is_for_program(section));
    // A limit that another file says, too, is not lost.
    lost.retain(|limit| !is_limit_said(limit.text.trim_matches(['"', '\'']), delivery.text.as_str()));
    (sections, lost, delivery.text.as_str().to_owned())
}

fn authored_file(path: &str, file: &MadeFile) -> Authored {
    if file.path.rsplit('/').next() != Some(SOUL_FILE) {
        return Authored::new(path, file.path.as_str(), &file.bytes);
    }
    let source = Source::new(file.bytes.clone());
    let dialect = formats::detect(&source, None, false).dialect;
    let items = formats::parse(source, dialect, &ParseContext::default()).document.soul().items;
    Authored::soul(path, file.path.as_str(), &file.bytes, &items)
}

fn hard_limits(resolved: &Resolved) -> impl Iterator<Item = &Item> {
    let is_hard = |item: &&Item| matches!(item.field, Field::Limit | Field::MustAlways | Field::MustNever);
    resolved.soul.items.iter().filter(is_hard)
}

/// The limits that no exported file says.
fn not_exported(form: &Form, made: &Made, resolved: &Resolved) -> Vec<LostLimit> {
    let lost = hard_limits(resolved).filter(|item| !is_limit_said(&item.value.plain_text(), &made.says));
    lost.map(|item| LostLimit {
        file: item.file.as_deref().unwrap_or(SOUL_FILE).to_owned(),
        line: line_of(resolved, item),
        text: item.value.plain_text(),
        field: item.field,
        state: State::Dropped,
        reason: format!("`{}` has no place for it", form.id),
        rule: "not-exported".into(),
    })
    .collect()
}

/// Whether a text says a limit, under a heading that says which kind it is or with the word itself.
fn is_limit_said(limit: &str, text: &str) -> bool {
    let bare = ["Never: ", "Always: "].iter().find_map(|kind| limit.strip_prefix(kind));
    is_said(limit, text) || bare.is_some_and(|bare| is_said(bare, text))
}

fn line_of(resolved: &Resolved, item: &Item) -> usize {
    let own = item.file.as_deref().unwrap_or(SOUL_FILE);
    let source =
        resolved.document.as_ref().map(|document| document.source_of(own).unwrap_or_else(|| document.source()));
    source.map_or(1, |source| LineIndex::new(source).position(item.span.start.min(source.bytes().len())).line)
}

impl Response {
    /// Every file to write.
    pub fn all_files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let texts = self.files.iter().map(|file| (file.path.as_str(), file.text.as_bytes()));
        texts.chain(self.copies.iter().map(|(path, bytes)| (path.as_str(), &**bytes)))
    }
}
