//! New registries, and packages submitted to them.

use std::path::Path;

use serde_json::json;

use super::check::{publishing_problems, scan_problems};
use super::git::{Commit, Repository};
use super::tree::{INDEX_FILE, Place, Tree};
use super::{Error, Index, Package, SIGNATURE_FILE, SUMS_FILE, Version};
use crate::Keeper;
use crate::clock::Time;
use crate::context::Progress;
use crate::settings::RegistrySource;

/// What a new registry begins with.
const README: &str = include_str!("new/README.md");
const CHECK_WORKFLOW: &str = include_str!("new/check.yml");
const INDEX_WORKFLOW: &str = include_str!("new/index.yml");
const KEEP: &str = "Packages are in OWNER/NAME.\n";

/// Makes a registry: a git repository with a first commit.
pub(crate) fn init(folder: &Path, author: &str, now: Time) -> Result<(String, Vec<String>), Error> {
    let shown = || soul_core::text::visible(&folder.to_string_lossy());
    let io = |error| Error::Io(format!("`{}`", shown()), error);
    if folder.exists() && std::fs::read_dir(folder).map_err(io)?.next().is_some() {
        return Err(Error::NotEmpty(shown()));
    }
    std::fs::create_dir_all(folder).map_err(io)?;
    let repository = Repository::init(folder)?;
    let index = super::index::from_manifests(&Tree::Folder(folder.to_path_buf()), now)?.0;
    let index = index.to_json();
    let files = vec![
        (".github/workflows/check.yml".to_owned(), CHECK_WORKFLOW.as_bytes()),
        (".github/workflows/index.yml".to_owned(), INDEX_WORKFLOW.as_bytes()),
        ("README.md".to_owned(), README.as_bytes()),
        (INDEX_FILE.to_owned(), index.as_bytes()),
        ("souls/README.md".to_owned(), KEEP.as_bytes()),
    ];
    let names = files.iter().map(|(name, _)| name.clone()).collect();
    let message = "Begin a registry of soul packages";
    let commit = Commit { branch: "main", from: None, message, author, time: now.seconds(), folder: "", files };
    let commit = repository.commit_files(&commit)?;
    repository.check_out(folder)?;
    Ok((commit, names))
}

/// A package on a branch of a registry, for a pull request.
pub(crate) struct Submitted {
    pub(crate) branch: String,
    pub(crate) commit: String,
    pub(crate) base: String,
    pub(crate) previous: Option<Version>,
    pub(crate) unchanged: bool,
    pub(crate) files: Vec<String>,
    pub(crate) title: String,
    pub(crate) body: String,
}

/// Puts a package on a branch of a registry, and nothing else.
pub(crate) fn submit(
    keeper: &Keeper,
    package: &Package,
    to: &RegistrySource,
    author: &str,
    progress: &dyn Progress,
) -> Result<Submitted, Error> {
    let report = package.scan();
    let mut problems = publishing_problems(package);
    problems.extend(scan_problems(&report));
    if package.manifest().value("registry.featured").is_some_and(|featured| *featured == json!(true)) {
        problems.push("a submission may not set `registry.featured`".to_owned());
    }
    if let Some(problem) = problems.first() {
        return Err(Error::NotPublishable(package.name.clone(), problem.clone()));
    }
    let (repository, label) = open(keeper, to, progress)?;
    let missing = || Error::NotARegistry(label.clone(), "it has no commit".to_owned());
    let base = repository.head()?.ok_or_else(missing)?;
    let place = Place { owner: package.name.owner().to_owned(), name: package.name.name().to_owned() };
    let tree = Tree::Commit(repository, base.clone());
    let previous = match tree.contents(&place)? {
        Some(old) => {
            Some(Package::read(old, Some(&place.owner), soul_core::formats::soulspec::Profile::Lenient)?.version)
        }
        None => None,
    };
    if let Some(previous) = previous.filter(|previous| *previous >= package.version) {
        return Err(Error::NotHigher(package.name.clone(), previous, previous));
    }
    let clash = tree.places()?.0.into_iter().find(|other| {
        let other = super::PackageName::new(&other.owner, &other.name);
        other.is_ok_and(|other| other.clashes_with(&package.name))
    });
    if let Some(clash) = clash {
        return Err(Error::Clash(clash.path(), place.path()));
    }
    let Tree::Commit(repository, _) = tree else { return Err(missing()) };
    let branch = format!("submit/{}-{}-{}", place.owner, place.name, package.version);
    let (title, body) = text(package, previous, &report);
    let sums = package.contents.sums();
    let folder = place.path();
    let mut files: Vec<(String, &[u8])> =
        package.contents.files().map(|(path, bytes)| (format!("{folder}/{path}"), bytes)).collect();
    if let Some(signature) = package.contents.signature() {
        files.push((format!("{folder}/{SUMS_FILE}"), sums.as_bytes()));
        files.push((format!("{folder}/{SIGNATURE_FILE}"), signature.as_bytes()));
    }
    let names = files.iter().map(|(name, _)| name.clone()).collect();
    let message = format!("{title}\n\n{}\n", package.text("description"));
    // First aside, so that a branch that is there is compared and not replaced.
    let aside = format!("soul-staging/{branch}");
    let _ = repository.delete_branch(&aside);
    let time = keeper.now().seconds();
    let made = Commit { branch: &aside, from: Some(&base), message: &message, author, time, folder: &folder, files };
    let commit = repository.commit_files(&made)?;
    let result = place_branch(&repository, &branch, &commit);
    let _ = repository.delete_branch(&aside);
    let (commit, unchanged) = result?;
    Ok(Submitted { branch, commit, base, previous, unchanged, files: names, title, body })
}

/// Gives a commit its branch. One that is there with the same content is the same submission.
fn place_branch(repository: &Repository, branch: &str, commit: &str) -> Result<(String, bool), Error> {
    if let Some(known) = repository.remote_branch(branch)? {
        return match repository.tree(&known)? == repository.tree(commit)? {
            true => Ok((known, true)),
            false => Err(Error::BranchExists(branch.to_owned())),
        };
    }
    repository.set_branch(branch, commit)?;
    repository.push(branch).inspect_err(|_| drop(repository.delete_branch(branch)))?;
    Ok((commit.to_owned(), false))
}

fn open(keeper: &Keeper, to: &RegistrySource, progress: &dyn Progress) -> Result<(Repository, String), Error> {
    match to {
        RegistrySource::Git(remote) => {
            // Not the clone that is searched: what that shows changes only on request.
            let cache = keeper.home().ok_or(Error::NoHome)?.join("cache/submissions");
            Ok((Repository::cached_alone(&cache, remote, progress)?, remote.to_string()))
        }
        RegistrySource::Folder(text, folder) => {
            let shown = soul_core::text::visible(text);
            let none = || Error::NotARegistry(shown.clone(), "it is not a git repository".to_owned());
            Ok((Repository::open(folder)?.ok_or_else(none)?, shown))
        }
        RegistrySource::Starter => Err(Error::NotARegistry(
            "starter".to_owned(),
            "it comes with this program, and takes no submissions".to_owned(),
        )),
    }
}

/// The title and the text of the pull request.
fn text(package: &Package, previous: Option<Version>, report: &soul_core::scan::Report) -> (String, String) {
    let (name, version) = (&package.name, package.version);
    let title = match previous {
        Some(previous) => format!("Update {name} from {previous} to {version}"),
        None => format!("Add {name} {version}"),
    };
    let kind = if package.manifest().is_pack() { "pack" } else { "persona" };
    let body = format!(
        "**{}** {version} ({kind}, {})\n\n{}\n\n- {} files, {} bytes\n- digest `{}`\n- scan: grade {}, {} of {} rules passed\n- signed: {}\n",
        package.text("displayName"),
        package.text("license"),
        package.text("description"),
        package.contents.len(),
        package.contents.bytes(),
        package.contents.digest(),
        report.grade(),
        report.score(),
        report.total(),
        if package.contents.signature().is_some() { "yes" } else { "no" },
    );
    (title, body)
}

/// The index of a registry, written where it belongs.
pub(crate) fn write_index(folder: &Path, index: &Index) -> Result<bool, Error> {
    let path = folder.join(INDEX_FILE);
    let json = index.to_json();
    if std::fs::read(&path).is_ok_and(|old| old == json.as_bytes()) {
        return Ok(false);
    }
    crate::files::replace(&path, json.as_bytes()).map_err(|error| Error::Io(INDEX_FILE.to_owned(), error))?;
    Ok(true)
}
