//! Calibration: a soul held against its own examples, and models held against the soul.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use soul_core::calibration::{
    Answer, Drift, Figures, Judge, Material, PROBES_FILE, Probe, Probes, Report, calibrate, probes,
};
use soul_core::diagnostics::{Diagnostic, Quoted, Severity, has_errors};
use soul_core::digest::RawDigest;
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::whole::Whole;
use super::{Error, Grant, prompt};
use crate::Keeper;
use crate::cassette::{self, Cassette};
use crate::chat::{self, Endpoint};
use crate::files::{self, Directory, folder_of};
use crate::workspace::Target;

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is tested, and whether models are asked too.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The agent, or a directory or file like one.
    pub target: Target,
    /// The dialect, if it is not to be detected.
    pub dialect: Option<Dialect>,
    /// Who is asked what, if anyone. Nobody has that done from afar: it reads and writes where it is told.
    #[serde(skip)]
    pub probing: Option<Probing>,
}

/// Who is asked what.
#[derive(Debug, Clone)]
pub struct Probing {
    /// The questions, if they are not in the agent's directory.
    pub probes: Option<PathBuf>,
    /// The model.
    pub model: String,
    /// Another one to compare it with: the one that is more likely to drift.
    pub against: Option<String>,
    /// Where answers come from.
    pub answers: Answers,
}

/// Where answers come from.
#[derive(Debug, Clone)]
pub enum Answers {
    /// An endpoint that speaks OpenAI's protocol for chats.
    Endpoint {
        /// Where it is, up to `/v1`.
        url: String,
        /// The environment variable that holds the key, if one is needed.
        key_env: Option<String>,
        /// The folder to record the answers in, if they are to be kept.
        record: Option<PathBuf>,
    },
    /// A folder of recorded answers; nobody is asked.
    Recorded(PathBuf),
}

/// How a soul stands the test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Response {
    /// Where the soul is, as users see it.
    pub source_path: String,
    /// Its dialect.
    pub dialect: Option<Dialect>,
    /// Whether no finding is an error.
    pub passed: bool,
    /// What there is to test with, and how it measures.
    #[serde(flatten)]
    pub figures: Figures,
    /// What models answered, probe by probe, if any was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probes: Option<Vec<Probed>>,
    /// Everything that was found, file by file.
    pub findings: Vec<Quoted>,
}

/// One question and its answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probed {
    /// What it is called.
    pub name: String,
    /// The question.
    pub ask: String,
    /// The answers, one of each model.
    pub answers: Vec<Answer>,
    /// How the two of them come apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
}

/// Tests a soul without a network; models are asked only if the request says so, and only where it says.
///
/// # Errors
/// When there is no soul or it could not be read, and, with models, when the soul is invalid, there are no
/// probes, or an answer cannot be had.
pub fn run(keeper: &Keeper, request: Request) -> Result<Response, Error> {
    let Request { target, dialect, probing } = request;
    if let Some(Probing { answers: Answers::Endpoint { url, .. }, .. }) = &probing
        && !chat::is_address(url)
    {
        return Err(Error::BadAddress);
    }
    let whole = Whole::read(keeper, target.clone(), dialect)?;
    if !whole.soul.present {
        return Err(Error::SoulMissing(whole.soul.source_path));
    }
    if whole.soul.parsed.is_none() {
        return Err(Error::Invalid(Box::new(whole.soul)));
    }
    let (files, oversized) = whole.small();
    let material = Material { soul: &whole.soul.soul, own: &whole.own, files: &files };
    let Report { figures, findings } = calibrate(material.clone());
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    let mut found: Vec<Diagnostic> = whole.soul.diagnostics.iter().filter(is_error).cloned().collect();
    found.extend(whole.problems.iter().cloned().chain(oversized).chain(findings));
    let (mut findings, mut probed) = (Vec::new(), None);
    match probing {
        None => {
            if let Some(source) = files.get(PROBES_FILE) {
                let Probes { probes, diagnostics } = probes(PROBES_FILE, source);
                found.extend(diagnostics);
                found.extend(material.without_section(&probes, (PROBES_FILE, source)));
            }
        }
        Some(probing) => {
            let (file, shown, source) = questions(keeper, &whole, probing.probes.as_deref())?;
            let Probes { probes, diagnostics } = probes(&file, &source);
            let mut told = diagnostics;
            told.extend(material.without_section(&probes, (&file, &source)));
            if !has_errors(&told) {
                // Without what the agent has become since, so that a recording depends on files only.
                let system = prompt::as_authored(keeper, target, dialect)?.text;
                let asker = Asker { keeper, probing: &probing, system: &system };
                let judge = Judge::new(material);
                let mut all = Vec::new();
                for probe in &probes {
                    let (one, wrong) = asker.put(&judge, probe, (&file, &source))?;
                    all.push(one);
                    told.extend(wrong);
                }
                probed = Some(all);
            }
            // What is told of the probes is told in their own file, wherever that is.
            let (here, elsewhere): (Vec<_>, Vec<_>) =
                told.into_iter().partition(|found| found.file.as_deref() == Some(&*file));
            findings.extend(here.into_iter().map(|mut found| {
                found.path = Some(shown.clone());
                Quoted::new(found, &file, Some(&source))
            }));
            found.extend(elsewhere);
        }
    }
    findings.splice(0..0, whole.quoted(found));
    let passed = !findings.iter().any(|found| found.diagnostic.severity == Severity::Error);
    let source_path = whole.soul.source_path;
    Ok(Response { source_path, dialect: whole.soul.dialect, passed, figures, probes: probed, findings })
}

/// The questions: the name of their file, how people see it, and what it holds.
fn questions(keeper: &Keeper, whole: &Whole, named: Option<&Path>) -> Result<(String, String, Source), Error> {
    let Some(path) = named else {
        let shown = format!("{}{PROBES_FILE}", whole.folder);
        let source = whole.files.get(PROBES_FILE).cloned();
        return Ok((PROBES_FILE.to_owned(), shown.clone(), source.ok_or(Error::NoProbes(shown))?));
    };
    let shown = keeper.roots.shown(path);
    let name = path.file_name().unwrap_or_default();
    let read = Directory::open(folder_of(path)).and_then(|folder| folder.read(name));
    match read {
        Ok(bytes) => Ok((name.to_string_lossy().into_owned(), shown, Source::new(bytes))),
        Err(files::Error::NotFound) => Err(Error::NoProbes(shown)),
        Err(error) => Err(Error::Unreadable(shown, error.to_string())),
    }
}

/// Whoever puts the questions.
struct Asker<'a> {
    keeper: &'a Keeper,
    probing: &'a Probing,
    system: &'a str,
}

impl Asker<'_> {
    /// Puts a question to each model, and judges the answers.
    fn put(&self, judge: &Judge<'_>, probe: &Probe, file: (&str, &Source)) -> Result<(Probed, Vec<Diagnostic>), Error> {
        let mut answers: Vec<Answer> = Vec::new();
        let mut told = Vec::new();
        for model in std::iter::once(&self.probing.model).chain(&self.probing.against) {
            let (answer, wrong) = judge.answer(probe, model, &self.answer(model, probe)?, file);
            answers.push(answer);
            told.extend(wrong);
        }
        let drift = match answers.as_slice() {
            [first, second] => {
                let (drift, wrong) = judge.drift(probe, first, second, file);
                told.extend(wrong);
                Some(drift)
            }
            _ => None,
        };
        Ok((Probed { name: probe.name.clone(), ask: probe.ask.clone(), answers, drift }, told))
    }

    fn answer(&self, model: &str, probe: &Probe) -> Result<String, Error> {
        let request = chat::request(model, self.system, &probe.ask);
        match &self.probing.answers {
            Answers::Recorded(folder) => {
                let path = cassette::place(folder, &request);
                let kept = cassette::read(&path);
                let kept = kept.map_err(|why| Error::BadCassette(self.keeper.roots.shown(&path), why))?;
                let missing = || Error::NoCassette {
                    model: model.to_owned(),
                    probe: probe.name.clone(),
                    directory: self.keeper.roots.shown(folder),
                };
                kept.map(|cassette| cassette.answer).ok_or_else(missing)
            }
            Answers::Endpoint { url, key_env, record } => {
                let endpoint = Endpoint { url, key_env: key_env.as_deref(), timeout: PATIENCE };
                let answer = chat::ask(&endpoint, &request);
                let answer = answer.map_err(|error| Error::Model(model.to_owned(), error))?;
                if let Some(folder) = record {
                    let path = cassette::place(folder, &request);
                    let system = RawDigest::of(self.system.as_bytes()).to_string();
                    let kept =
                        Cassette { model: model.to_owned(), ask: probe.ask.clone(), system, answer: answer.clone() };
                    let unwritable = |error| Error::Unwritable(self.keeper.roots.shown(&path), files::plain(&error));
                    cassette::write(&path, &kept).map_err(unwritable)?;
                }
                Ok(answer)
            }
        }
    }
}
