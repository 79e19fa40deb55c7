//! Look for poison in files and folders.
//!
//! Fails closed: what cannot be read cannot be judged, and is no pass.

use std::path::{Path, PathBuf};

use serde::Serialize;
use soul_core::diagnostics::Severity;
use soul_core::rules::Confidence;
use soul_core::scan::soulscan::Rules;
use soul_core::scan::{self, Baseline, File, Finding, Grade, Report, Trust};
use soul_core::text::visible;

use super::load::is_folder;
use super::{Error, Grant};
use crate::files::{self, Contents, Directory, folder_of, replace};

/// It reads.
pub const GRANT: Grant = Grant::Read;

/// Where to look, with which rules, and what does not pass.
#[derive(Debug)]
pub struct Request {
    /// Each is judged on its own.
    pub targets: Vec<Target>,
    /// A file of rules in the public format, in place of ours.
    pub rules: Option<PathBuf>,
    /// Findings that are known.
    pub baseline: Option<PathBuf>,
    /// Where to write all findings as known ones.
    pub write_baseline: Option<PathBuf>,
    /// Whether suppressions in the files count.
    pub trust: Trust,
    /// Which findings do not pass.
    pub fail_on: FailOn,
    /// The worst grade that passes.
    pub min_grade: Option<Grade>,
}

/// One thing to be scanned.
#[derive(Debug, Clone)]
pub enum Target {
    /// A file, or a folder with everything below it.
    Path(PathBuf),
    /// A text that came without a place.
    Text(Vec<u8>),
}

/// Which findings stop a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailOn {
    /// Errors of medium or high confidence.
    #[default]
    Error,
    /// Warnings of that confidence too.
    Warning,
    /// Everything of that confidence.
    Info,
    /// Every finding.
    Any,
}

impl FailOn {
    fn stops(self, finding: &Finding) -> bool {
        let confident = finding.confidence >= Confidence::Medium;
        match self {
            Self::Error => finding.is_confident_error(),
            Self::Warning => confident && finding.severity <= Severity::Warning,
            Self::Info => confident,
            Self::Any => true,
        }
    }
}

/// What was found.
#[derive(Debug, Serialize)]
pub struct Response {
    /// One for each target, in order.
    pub targets: Vec<Judged>,
}

/// One target and how it was judged.
#[derive(Debug, Serialize)]
pub struct Judged {
    /// As it was typed; `-` for a text.
    pub path: String,
    /// How many rules found nothing.
    pub score: usize,
    /// How many rules ran.
    pub total: usize,
    /// From `A+` to `F`; none where nothing could be judged.
    pub grade: Option<Grade>,
    /// Whether nothing stops it.
    pub passed: bool,
    /// Why it could not be judged, or not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What counts.
    pub findings: Vec<Finding>,
    /// What does not, each with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<Finding>,
    /// The scanned texts, for showing excerpts.
    #[serde(skip)]
    pub texts: Vec<(String, String)>,
    /// Whether the target is one file, so that findings are at the path itself.
    #[serde(skip)]
    pub is_file: bool,
}

impl Judged {
    /// Where a finding is, from where the user is.
    #[must_use]
    pub fn path_of(&self, finding: &Finding) -> String {
        match self.path.trim_end_matches('/') {
            _ if self.is_file => self.path.clone(),
            "." | "" => finding.file.clone(),
            folder => format!("{}/{}", folder.strip_prefix("./").unwrap_or(folder), finding.file),
        }
    }

    /// The text of a file.
    #[must_use]
    pub fn text_of(&self, finding: &Finding) -> Option<&str> {
        self.texts.iter().find(|(path, _)| *path == finding.file).map(|(_, text)| text.as_str())
    }
}

/// Scans every target; `progress` hears of each file that is read.
///
/// # Errors
/// When the rules or the baseline cannot be used, or the new baseline cannot be written. What is
/// wrong with a target is said in its answer.
pub fn run(request: Request, progress: &dyn Fn(usize)) -> Result<Response, Error> {
    let rules = match &request.rules {
        Some(path) => Some(Rules::parse(&read(path)?).map_err(|why| Error::BadRules(shown(path), why))?),
        None => None,
    };
    let baseline = match &request.baseline {
        Some(path) => Some(Baseline::parse(&read(path)?).map_err(|why| Error::BadBaseline(shown(path), why))?),
        None => None,
    };
    let mut targets = Vec::new();
    for target in &request.targets {
        targets.push(judge(target, rules.as_ref(), baseline.as_ref(), &request, progress));
    }
    if let Some(path) = &request.write_baseline {
        let all = targets.iter().flat_map(|target| target.findings.iter().chain(&target.suppressed));
        replace(path, Baseline::render(all).as_bytes())
            .map_err(|error| Error::Unwritable(shown(path), files::plain(&error)))?;
    }
    Ok(Response { targets })
}

fn judge(
    target: &Target,
    rules: Option<&Rules>,
    baseline: Option<&Baseline>,
    request: &Request,
    progress: &dyn Fn(usize),
) -> Judged {
    let (path, is_file) = match target {
        Target::Text(_) => ("-".to_owned(), true),
        Target::Path(path) => (visible(&path.to_string_lossy()), !is_folder(path)),
    };
    let (contents, error) = match target {
        Target::Text(bytes) if bytes.len() as u64 > files::MAX_BYTES => {
            (Contents::default(), Some(files::Error::TooLarge.to_string()))
        }
        Target::Text(bytes) => {
            let mut contents = Contents::default();
            contents.files.insert("-".to_owned(), bytes.clone());
            (contents, None)
        }
        Target::Path(path) => gather(path),
    };
    progress(contents.files.len());
    let files: Vec<File<'_>> = contents.files.iter().map(|(path, bytes)| File { path, bytes }).collect();
    let mut report = match rules {
        Some(rules) => rules.scan(&files),
        None => scan::scan_as(&files, request.trust),
    };
    if let Some(baseline) = baseline {
        baseline.apply(&mut report);
    }
    let error = error.or_else(|| report.failed.clone());
    let stopped = report.findings.iter().any(|finding| request.fail_on.stops(finding))
        || request.min_grade.is_some_and(|least| report.grade() < least);
    let needed = |path: &str| report.findings.iter().any(|finding| finding.file == path);
    let texts = files.iter().filter(|file| needed(file.path));
    let texts = texts.map(|file| (file.path.to_owned(), file.text().into_owned())).collect();
    let (score, total, grade) = (report.score(), report.total(), report.grade());
    let Report { findings, suppressed, .. } = report;
    Judged {
        path,
        is_file,
        score: if files.is_empty() { 0 } else { score },
        total,
        grade: (!files.is_empty()).then_some(grade),
        passed: error.is_none() && !stopped,
        error,
        findings,
        suppressed,
        texts,
    }
}

/// What is to be scanned at a path, and why that is not all of it.
fn gather(path: &Path) -> (Contents, Option<String>) {
    let failed = |error: files::Error| (Contents::default(), Some(error.to_string()));
    if !is_folder(path) {
        let Some(name) = path.file_name() else { return failed(files::Error::NotFound) };
        return match Directory::open(folder_of(path)).and_then(|folder| folder.read(name)) {
            Ok(bytes) => {
                let files = [(visible(&name.to_string_lossy()), bytes)].into();
                (Contents { files, ..Contents::default() }, None)
            }
            Err(error) => failed(error),
        };
    }
    let opened = Directory::open(path).and_then(|folder| folder.read_all().map(|contents| (folder, contents)));
    let (folder, mut contents) = match opened {
        Ok(opened) => opened,
        Err(error) => return failed(error),
    };
    let mut wrong = Vec::new();
    for (path, error) in std::mem::take(&mut contents.refused) {
        // A link that stays inside leads to what is scanned anyway, or to a file that is read here.
        match folder.read(&path) {
            Ok(bytes) if matches!(error, files::Error::Escapes) => {
                contents.files.insert(path, bytes);
            }
            Err(files::Error::NotAFile("directory")) => {}
            _ => wrong.push(format!("`{}` was not read: {error}", visible(&path))),
        }
    }
    if contents.too_much {
        wrong.push("there is more than a package can be; scan its folders one by one".to_owned());
    }
    if contents.files.is_empty() && wrong.is_empty() {
        wrong.push("there is no file in it".to_owned());
    }
    let error = match wrong.len() {
        0 => None,
        1 => wrong.pop(),
        count => Some(format!("{} (and {} more)", wrong[0], count - 1)),
    };
    (contents, error)
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let name = path.file_name().ok_or_else(|| Error::NotFound(shown(path)))?;
    Directory::open(folder_of(path)).and_then(|folder| folder.read(name)).map_err(|error| match error {
        files::Error::NotFound => Error::NotFound(shown(path)),
        error => Error::Unreadable(shown(path), error.to_string()),
    })
}

/// A path as it was typed, or its last part if it is absolute.
fn shown(path: &Path) -> String {
    let path = if path.is_absolute() { path.file_name().map_or(path, Path::new) } else { path };
    visible(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(path: &Path) -> Judged {
        let request = Request {
            targets: vec![Target::Path(path.to_path_buf())],
            rules: None,
            baseline: None,
            write_baseline: None,
            trust: Trust::Author,
            fail_on: FailOn::Error,
            min_grade: None,
        };
        run(request, &|_| {}).unwrap().targets.remove(0)
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_read_is_not_judged() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("soul");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("SOUL.md"), "You are calm.").unwrap();
        assert!(judged(&folder).passed);
        std::os::unix::fs::symlink("SOUL.md", folder.join("AGENT.md")).unwrap();
        assert!(judged(&folder).passed);
        std::os::unix::fs::symlink("/etc/hostname", folder.join("STYLE.md")).unwrap();
        let judged = judged(&folder);
        assert!(!judged.passed && judged.error.unwrap().contains("STYLE.md"));
    }

    #[test]
    fn an_empty_folder_and_a_missing_one_do_not_pass() {
        let root = tempfile::tempdir().unwrap();
        assert!(!judged(root.path()).passed);
        assert!(!judged(&root.path().join("gone")).passed);
    }
}
