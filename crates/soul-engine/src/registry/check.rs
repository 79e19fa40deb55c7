//! What a registry asks of its packages, for CI. Fails closed: what cannot be read, scanned or compared does not pass.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use soul_core::diagnostics::{Code, Severity};
use soul_core::formats::soulspec::Profile;
use soul_core::scan::{Finding, Grade};

use super::git::Repository;
use super::plan::LEAST_GRADE;
use super::source::folder_with_files;
use super::tree::{Place, Tree};
use super::{Contents, Error, Package, PackageName, Version};
use crate::context::Progress;
use crate::files::on_all_cores;

/// The least length of a soul's text, in characters.
pub(crate) const LEAST_SOUL: usize = 100;

/// A package that was checked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CheckedPackage")]
pub struct Checked {
    /// Its folder in the registry.
    pub path: String,
    /// The package, if its manifest says what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<PackageName>,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// The version at the commit that it was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_version: Option<Version>,
    /// The grade of the scan; absent if it could not be scanned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// How many rules found nothing.
    pub score: usize,
    /// How many rules ran.
    pub total: usize,
    /// Its licence.
    pub license: String,
    /// Whether the registry can take it.
    pub passed: bool,
    /// Why not.
    pub problems: Vec<String>,
    /// What is worth a look, and stops nothing.
    pub warnings: Vec<String>,
    /// What the scanner found.
    pub findings: Vec<Finding>,
}

/// The packages of a registry that were checked, and the folders that are none.
pub(crate) struct Report {
    pub(crate) packages: Vec<Checked>,
    pub(crate) problems: Vec<String>,
    /// Packages that were there at the commit, and are gone.
    pub(crate) removed: Vec<String>,
}

/// What a commit of the registry had.
struct Earlier {
    /// Every package at the commit itself: what has to be exceeded.
    tip: BTreeMap<Place, Contents>,
    /// Every package where the two parted: what tells whether one was changed.
    base: BTreeMap<Place, Option<Contents>>,
}

/// Checks a registry: every package, or those that were changed since a commit.
pub(crate) fn check(folder: &Path, since: Option<&str>, progress: &dyn Progress) -> Result<Report, Error> {
    // What is checked is what is on disk.
    folder_with_files(folder)?;
    let tree = Tree::Folder(folder.to_path_buf());
    let (places, bad) = tree.places()?;
    let mut problems: Vec<String> =
        bad.into_iter().map(|path| format!("`{path}` is not the folder of a package")).collect();
    problems.extend(clashes(&places));
    let earlier = since.map(|since| Earlier::read(folder, since)).transpose()?;
    let read: Vec<Result<Option<Contents>, Error>> = on_all_cores(&places, |place| tree.contents(place));
    let mut todo = Vec::new();
    for (place, contents) in places.iter().zip(read) {
        let is_changed = match (&earlier, &contents) {
            (Some(earlier), Ok(Some(now))) => earlier.base.get(place).is_none_or(|base| base.as_ref() != Some(now)),
            _ => true,
        };
        if is_changed {
            todo.push((place, contents));
        }
    }
    let total = todo.len();
    progress.advance("packages checked", 0, Some(total));
    let packages = on_all_cores(&todo, |(place, contents)| {
        let checked = match contents {
            Ok(Some(contents)) => check_package(place, contents, earlier.as_ref()),
            Ok(None) => Checked::failed(place, "the folder is empty".to_owned()),
            Err(error) => Checked::failed(place, error.to_string()),
        };
        progress.advance("packages checked", 1, Some(total));
        checked
    });
    let is_gone = |place: &&Place| !places.contains(place);
    let removed = earlier.iter().flat_map(|earlier| earlier.base.keys()).filter(is_gone).map(Place::path).collect();
    Ok(Report { packages, problems, removed })
}

/// Owners and packages that are one folder where case does not count.
fn clashes(places: &[Place]) -> Vec<String> {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut problems = BTreeSet::new();
    for place in places {
        for (folded, path) in [
            (place.owner.to_lowercase(), place.owner.clone()),
            (format!("{}/{}", place.owner, place.name).to_lowercase(), format!("{}/{}", place.owner, place.name)),
        ] {
            let first = known.entry(folded).or_insert_with(|| path.clone());
            if *first != path {
                problems.insert(format!("`souls/{first}` and `souls/{path}` would be one folder on some systems"));
            }
        }
    }
    problems.into_iter().collect()
}

impl Checked {
    fn failed(place: &Place, problem: String) -> Self {
        Self {
            path: place.path(),
            package: None,
            version: None,
            previous_version: None,
            grade: None,
            score: 0,
            total: 0,
            license: String::new(),
            passed: false,
            problems: vec![problem],
            warnings: Vec::new(),
            findings: Vec::new(),
        }
    }
}

fn check_package(place: &Place, contents: &Contents, earlier: Option<&Earlier>) -> Checked {
    let package = match Package::read(contents.clone(), Some(&place.owner), Profile::Publish) {
        Ok(package) => package,
        Err(error) => return Checked::failed(place, error.to_string()),
    };
    let mut problems = publishing_problems(&package);
    if package.name.name() != place.name {
        problems.push(format!("soul.json calls it `{}`, but its folder is `{}`", package.name.name(), place.name));
    }
    let previous = earlier.and_then(|earlier| earlier.tip.get(place));
    let previous = previous.and_then(|old| Package::read(old.clone(), Some(&place.owner), Profile::Lenient).ok());
    if let Some(earlier) = earlier {
        if let Some(previous) = previous.as_ref().filter(|previous| previous.version >= package.version) {
            problems.push(format!("the version must be higher than {}, and is {}", previous.version, package.version));
        }
        let was_featured = previous.as_ref().is_some_and(is_featured);
        if is_featured(&package) && !was_featured {
            problems.push("a submission may not set `registry.featured`".to_owned());
        }
        problems.extend(takeover(place, &package, earlier));
    }
    let report = package.scan();
    problems.extend(scan_problems(&report));
    // That a package is deprecated is what its author wants to say, and nothing to correct.
    let warnings = package.diagnostics.iter().filter(|found| found.severity == Severity::Warning);
    let warnings = warnings.filter(|found| found.code != Code::DeprecatedSoul);
    Checked {
        path: place.path(),
        version: Some(package.version),
        previous_version: previous.map(|previous| previous.version),
        grade: Some(report.grade()),
        score: report.score(),
        total: report.total(),
        license: package.text("license").to_owned(),
        passed: problems.is_empty(),
        problems,
        warnings: warnings.map(|warning| warning.message.clone()).collect(),
        package: Some(package.name.clone()),
        findings: report.findings,
    }
}

/// What keeps a package from being published, besides what the scanner finds.
pub(crate) fn publishing_problems(package: &Package) -> Vec<String> {
    let mut problems: Vec<String> = package.errors().map(|error| error.message.clone()).collect();
    let soul = package.contents.file(package.soul_path()).map(String::from_utf8_lossy);
    let length = soul.map_or(0, |soul| soul.trim().chars().count());
    if length < LEAST_SOUL {
        problems.push(format!("SOUL.md has {length} characters, and {LEAST_SOUL} is the least"));
    }
    problems
}

/// What the scanner has against a package.
pub(crate) fn scan_problems(report: &soul_core::scan::Report) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(failed) = &report.failed {
        problems.push(format!("it could not be scanned: {failed}"));
    }
    if report.grade() < LEAST_GRADE {
        problems.push(format!("its grade is {}, and {LEAST_GRADE} is the least", report.grade()));
    }
    problems
}

fn is_featured(package: &Package) -> bool {
    package.manifest().value("registry.featured").and_then(Value::as_bool).unwrap_or_default()
}

/// Whether a package is in the folder of another owner.
fn takeover(place: &Place, package: &Package, earlier: &Earlier) -> Option<String> {
    let author = package.author().unwrap_or_default().to_lowercase();
    let of_owner = earlier.tip.iter().filter(|(known, _)| known.owner.eq_ignore_ascii_case(&place.owner));
    let known: BTreeSet<String> = of_owner
        .filter_map(|(known, contents)| Package::read(contents.clone(), Some(&known.owner), Profile::Lenient).ok())
        .map(|package| package.author().unwrap_or_default().to_lowercase())
        .collect();
    if known.is_empty() {
        let github =
            package.manifest().text("author.github").filter(|github| !github.eq_ignore_ascii_case(&place.owner));
        return github.map(|github| {
            format!(
                "`author.github` is `{}`, but the folder is that of `{}`",
                soul_core::text::visible(github),
                place.owner
            )
        });
    }
    (!known.contains(&author)).then(|| {
        let whose: Vec<&str> = known.iter().map(String::as_str).collect();
        format!(
            "`{}` belongs to {}: a package of another author cannot be in its folder",
            place.owner,
            whose.join(", ")
        )
    })
}

impl Earlier {
    fn read(folder: &Path, since: &str) -> Result<Self, Error> {
        let none = || {
            Error::NotARegistry(
                folder.to_string_lossy().into_owned(),
                "it is not a git repository, so nothing can be compared".to_owned(),
            )
        };
        let repository = Repository::open(folder)?.ok_or_else(none)?;
        let unknown = || Error::UnknownRef(soul_core::text::visible(since));
        let tip = repository.commit(since)?.ok_or_else(unknown)?;
        let head = repository.commit("HEAD")?.ok_or_else(unknown)?;
        let base = repository.merge_base(&tip, &head)?.unwrap_or_else(|| tip.clone());
        let at_base = packages(&repository, &base)?;
        let at_tip = if tip == base { at_base.clone() } else { packages(&repository, &tip)? };
        Ok(Self {
            tip: at_tip.into_iter().filter_map(|(place, contents)| Some((place, contents?))).collect(),
            base: at_base,
        })
    }
}

/// Every package at a commit; `None` for one that cannot be read.
fn packages(repository: &Repository, commit: &str) -> Result<BTreeMap<Place, Option<Contents>>, Error> {
    let blobs = repository.list(commit, super::tree::SOULS)?;
    let (blobs, others): (Vec<_>, Vec<_>) = blobs.into_iter().partition(|blob| blob.is_file);
    let bytes = repository.read(&blobs)?;
    let mut files: BTreeMap<Place, Vec<(String, Vec<u8>, bool)>> = BTreeMap::new();
    // What is not a file is not read: git has no bytes for a submodule.
    let all = blobs.into_iter().zip(bytes).chain(others.into_iter().map(|blob| (blob, Vec::new())));
    for (blob, bytes) in all {
        let parts: Vec<&str> = blob.path.splitn(4, '/').collect();
        if let [_, owner, name, path] = parts[..] {
            let place = Place { owner: owner.to_owned(), name: name.to_owned() };
            files.entry(place).or_default().push((path.to_owned(), bytes, blob.is_file));
        }
    }
    let read = |files: Vec<(String, Vec<u8>, bool)>| {
        let all_files = files.iter().all(|(_, _, is_file)| *is_file);
        let visible = files.into_iter().filter(|(path, ..)| !path.split('/').any(|part| part.starts_with('.')));
        let contents = super::tree::contents(visible.map(|(path, bytes, _)| (path, bytes)).collect());
        contents.ok().flatten().filter(|_| all_files)
    };
    Ok(files.into_iter().map(|(place, files)| (place, read(files))).collect())
}

/// What CI says on a pull request, in Markdown. Whatever comes from a package is code, so that it is only shown.
pub(crate) fn comment(report: &Report) -> String {
    let passed = report.problems.is_empty() && report.packages.iter().all(|package| package.passed);
    let mut out = format!("## {}\n\n", if passed { "✅ Registry check passed" } else { "❌ Registry check failed" });
    if report.packages.is_empty() {
        out.push_str("No package was changed.\n");
    } else {
        out.push_str("| package | version | grade | rules | licence | result |\n|---|---|---|---|---|---|\n");
    }
    for package in &report.packages {
        let version = match (&package.previous_version, &package.version) {
            (Some(old), Some(new)) => format!("{old} → {new}"),
            (None, Some(new)) => new.to_string(),
            _ => "–".to_owned(),
        };
        let grade = package.grade.map_or_else(|| "–".to_owned(), |grade| grade.to_string());
        let result = if package.passed { "✅" } else { "❌" };
        let (path, license) = (code(&package.path), code(&package.license));
        out.push_str(&format!(
            "| {path} | {version} | {grade} | {}/{} | {license} | {result} |\n",
            package.score, package.total
        ));
    }
    for package in report.packages.iter().filter(|package| !package.problems.is_empty() || !package.findings.is_empty())
    {
        out.push_str(&format!("\n### {}\n\n", code(&package.path)));
        package.problems.iter().for_each(|problem| out.push_str(&format!("- ❌ {}\n", code(problem))));
        for finding in package.findings.iter().take(20) {
            let text = format!("{} {}:{}: {}", finding.rule, finding.file, finding.line, finding.message);
            out.push_str(&format!("- 🔍 {}\n", code(&text)));
        }
    }
    if !report.problems.is_empty() || !report.removed.is_empty() {
        out.push_str("\n### Registry\n\n");
        report.problems.iter().for_each(|problem| out.push_str(&format!("- ❌ {}\n", code(problem))));
        report.removed.iter().for_each(|path| out.push_str(&format!("- 🗑️ {} is removed\n", code(path))));
    }
    out
}

/// A text that Markdown only shows: no backtick, no line end, no column, not too long.
fn code(text: &str) -> String {
    let shown: String = soul_core::text::visible(text)
        .chars()
        .map(|c| match c {
            '`' => '\'',
            '|' => '¦',
            '\n' | '\r' => ' ',
            c => c,
        })
        .take(300)
        .collect();
    format!("`{}`", if shown.trim().is_empty() { "–" } else { shown.trim() })
}
