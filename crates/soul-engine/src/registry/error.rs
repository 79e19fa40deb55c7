use std::io;

use soul_core::diagnostics::Diagnostic;
use soul_core::scan::Finding;

use super::name::{BadPackageName, BadPackageRange};
use super::path::BadPath;
use super::{PackageName, PackagePath, Version};
use crate::authoring;
use crate::fault::{Fault, Kind};
use crate::files;
use crate::souls;
use crate::store;
use crate::sync;
use crate::workspace::AgentName;

/// Why a package was not packed, installed, used or submitted, or a registry could not be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    // What is wrong with a package.
    #[error(transparent)]
    Path(#[from] BadPath),
    #[error("`{0}` is in the package twice")]
    Duplicate(PackagePath),
    #[error("`{0}` and `{1}` would be one file on some systems")]
    Clash(String, String),
    #[error("`{0}` is a link, but a package contains only files")]
    Link(String),
    #[error("`{0}` is not a file, but an entry of type {1}")]
    NotAFile(String, u8),
    #[error("the package has more than {} files", super::MAX_FILES)]
    TooManyFiles,
    #[error("the package is larger than {} MiB", super::MAX_BYTES >> 20)]
    TooLarge,
    #[error("the path `{0}` is too long for an archive")]
    LongPath(String),
    #[error("this is not an archive of a package: {0}")]
    BadArchive(String),
    #[error("the checksum of `{0}` is wrong: the package was changed after it was packed")]
    WrongChecksum(String),
    #[error("the signature is invalid: {0}")]
    BadSignature(String),
    #[error("the package has no soul.json")]
    NoManifest,
    #[error("soul.json is larger than {} KiB", super::MAX_MANIFEST >> 10)]
    HugeManifest,
    #[error("the package cannot be used: {}", .0.first().map_or("soul.json is invalid", |first| &first.message))]
    Invalid(Vec<Diagnostic>),
    #[error(transparent)]
    Name(#[from] BadPackageName),
    #[error(transparent)]
    RangeName(#[from] BadPackageRange),
    #[error("soul.json does not say who publishes the package")]
    NoOwner,
    #[error("soul.json is not valid: {0}")]
    BadManifest(String),
    #[error("it could not be scanned: {0}")]
    Unscanned(String),
    #[error("soul.json has no usable {0}: {1}")]
    BadField(&'static str, String),

    // Where packages come from.
    #[error("could not read `{0}`: {1}")]
    Unreadable(String, #[source] files::Error),
    #[error("could not write {}: {}", .0, files::plain(.1))]
    Io(String, #[source] io::Error),
    #[error("no registry has the package `{0}`")]
    NotFound(PackageName),
    #[error("no version of {package} is in `{range}`: the registry has {}", shown_versions(.versions))]
    NotInRange { package: PackageName, range: String, versions: Vec<Version> },
    #[error("the registry has {package} {available}, which is older than {installed}, the version that is installed")]
    Older { package: PackageName, installed: Version, available: Version },
    #[error("another process is fetching the registry `{0}`")]
    Fetching(String),
    #[error("`{0}` is not a registry: {1}")]
    NotARegistry(String, String),
    #[error("a package or a registry is a path on this machine, but none was given")]
    NoPath,

    // Installing.
    #[error("there is no home to install packages in")]
    NoHome,
    // Without the digest of the plan as it is now: consent comes from a plan that was shown.
    #[error("the plan is not the one that was agreed to: the package, or what is installed, has changed")]
    PlanChanged,
    #[error("`{0}` cannot be installed: {1}")]
    Refused(PackageName, String, Vec<Finding>),
    #[error("`{0}` is not installed")]
    NotInstalled(PackageName),
    #[error("soul.lock cannot be used: {0}")]
    BadLock(String),
    #[error("keys.toml cannot be used: {0}")]
    BadTrust(String),
    #[error("`{0}` in the home is a link, but packages are only written into folders of the home itself")]
    LinkedFolder(String),
    #[error("another process is installing or removing packages")]
    Busy,
    #[error("the files of `{0}` are not those that were installed: {1}")]
    Tampered(PackageName, String),

    // Keys.
    #[error("there is a key `{0}` already")]
    KeyExists(String),
    #[error("there is no key `{0}`")]
    NoKey(String),
    #[error("`{0}` is not the name of a key: use letters, digits, `-` and `_`")]
    BadKeyName(String),
    #[error("this is not a minisign key: {0}")]
    BadKey(String),
    #[error("the key has a password, which is not supported")]
    KeyHasPassword,

    // Using.
    #[error("no package is in use for the agent `{0}`")]
    NothingInUse(AgentName),
    #[error("{} changed since the package is in use", listed(.0))]
    ChangedSince(Vec<String>),
    #[error("`{0}` is in the way: it is not a file")]
    InTheWay(String),

    // Registries.
    #[error("`{0}` is not empty")]
    NotEmpty(String),
    #[error("the registry has {0} {1} already: a new version must be higher than {2}")]
    NotHigher(PackageName, Version, Version),
    #[error("the branch `{0}` is there already, with another content")]
    BranchExists(String),
    #[error("`{0}` is not ready to be published: {1}")]
    NotPublishable(PackageName, String),
    #[error("`{0}` is not a commit of the registry")]
    UnknownRef(String),

    #[error(transparent)]
    Git(sync::Error),
    #[error(transparent)]
    Soul(#[from] souls::Error),
    #[error(transparent)]
    Authoring(#[from] authoring::Error),
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// The most versions that an error lists.
const MAX_VERSIONS: usize = 20;

fn shown_versions(versions: &[Version]) -> String {
    let shown: Vec<String> = versions.iter().take(MAX_VERSIONS).map(ToString::to_string).collect();
    let more = if versions.len() > MAX_VERSIONS { ", and earlier ones" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn listed(paths: &[String]) -> String {
    match paths {
        [] => "a file".to_owned(),
        [only] => format!("`{only}`"),
        [first, others @ ..] => format!("`{first}` and {} more", others.len()),
    }
}

impl From<sync::Error> for Error {
    fn from(error: sync::Error) -> Self {
        Self::Git(error)
    }
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        let hostile = "do not use the package; report it to the person you got it from";
        let (kind, code, hint) = match self {
            Self::Path(_) | Self::Duplicate(_) | Self::Clash(..) | Self::Link(_) | Self::NotAFile(..) => {
                (Kind::Invalid, "package_unsafe", "a package contains regular files with plain relative names")
            }
            Self::TooManyFiles | Self::TooLarge | Self::LongPath(_) | Self::HugeManifest => {
                (Kind::Invalid, "package_too_large", "leave out what the soul does not need")
            }
            Self::BadArchive(_) => (Kind::Invalid, "bad_archive", "`soul pack DIR` makes an archive"),
            Self::WrongChecksum(_) => (Kind::Invalid, "wrong_checksum", hostile),
            Self::BadSignature(_) => (Kind::Invalid, "bad_signature", hostile),
            Self::NoManifest => (Kind::Invalid, "no_manifest", "`soul new NAME --template pack --dir DIR` begins one"),
            Self::Unscanned(_) => (Kind::Unable, "not_scanned", "`soul scan DIR` shows why"),
            Self::Invalid(_) | Self::BadManifest(_) | Self::BadField(..) => (
                Kind::Invalid,
                "package_invalid",
                "`soul validate DIR --profile publish` shows everything that is wrong",
            ),
            Self::NoOwner => (Kind::Invalid, "package_invalid", "set `author.github` or `author.name` in soul.json"),
            Self::Name(_) | Self::RangeName(_) => (Kind::Usage, "bad_package", "`soul registry search` finds packages"),
            Self::Unreadable(_, files::Error::NotFound) => {
                (Kind::NotFound, "not_found", "check the path; a package of a registry is given as `owner/name`")
            }
            Self::Unreadable(..) => (Kind::Unreadable, "unreadable", "check the path and its permissions"),
            Self::Io(..) => (Kind::Unable, "io", "check the permissions of the folder, and the free disk space"),
            Self::NotFound(_) => (
                Kind::NotFound,
                "package_not_found",
                "`soul registry search` finds packages; `[registry] sources` in config.toml adds registries",
            ),
            Self::NotInRange { .. } => (Kind::NotFound, "version_not_found", "ask for another range, or leave it out"),
            Self::Older { .. } => (
                Kind::Conflict,
                "version_older",
                "to go back to it, name the version: `soul install OWNER/NAME@VERSION`",
            ),
            Self::Fetching(_) => (Kind::Unable, "locked", "wait until it has finished, and try again"),
            Self::NotARegistry(..) => (
                Kind::Unreadable,
                "not_a_registry",
                "a registry has packages in `souls/OWNER/NAME`; `soul registry init` makes one",
            ),
            Self::NoPath => (Kind::Usage, "bad_request", "run the command on the machine where the files are"),
            Self::NoHome => (Kind::Unable, "no_home", "set SOUL_HOME, or use `--home DIR`"),
            Self::PlanChanged => {
                (Kind::Conflict, "plan_changed", "look at the plan again (`--plan`), and agree to that one")
            }
            Self::Refused(..) => (Kind::Invalid, "package_refused", "`--plan` shows everything that was found"),
            Self::NotInstalled(_) => (Kind::NotFound, "not_installed", "`soul installed` lists packages"),
            Self::BadLock(_) => {
                (Kind::Unreadable, "bad_lock", "restore soul.lock from a backup, or remove it and install again")
            }
            Self::BadTrust(_) => {
                (Kind::Unreadable, "bad_trust", "correct keys.toml; `soul key list` shows what is trusted")
            }
            Self::LinkedFolder(_) => {
                (Kind::Conflict, "folder_linked", "replace the link with a folder; what is behind it stays where it is")
            }
            Self::Busy => (Kind::Unable, "locked", "wait until it has finished, and try again"),
            Self::Tampered(..) => (
                Kind::Conflict,
                "package_changed",
                "`soul verify` shows what differs; uninstall the package, and install it again",
            ),
            Self::KeyExists(_) => (Kind::Conflict, "key_exists", "choose another name"),
            Self::NoKey(_) => {
                (Kind::NotFound, "key_not_found", "`soul key list` lists keys; `soul key create` makes one")
            }
            Self::BadKeyName(_) => (Kind::Usage, "bad_key", "choose another name, such as `default`"),
            Self::BadKey(_) => {
                (Kind::Usage, "bad_key", "a public key is the second line of a `.pub` file, and begins with `RW`")
            }
            Self::KeyHasPassword => (
                Kind::Unable,
                "key_has_password",
                "`minisign -C -W -s FILE` removes it; or make a new key with `soul key create`",
            ),
            Self::NothingInUse(_) => (Kind::NotFound, "nothing_in_use", "`soul use PACKAGE --agent AGENT` uses one"),
            Self::ChangedSince(_) => {
                (Kind::Conflict, "files_changed", "keep a copy of what you need, then run it again with `--force`")
            }
            Self::InTheWay(_) => (Kind::Conflict, "in_the_way", "move it away, and try again"),
            Self::NotEmpty(_) => (Kind::Conflict, "not_empty", "choose a new folder"),
            Self::NotHigher(..) => (Kind::Conflict, "version_not_higher", "raise `version` in soul.json"),
            Self::BranchExists(_) => {
                (Kind::Conflict, "branch_exists", "raise `version` in soul.json, or delete the branch")
            }
            Self::NotPublishable(..) => {
                (Kind::Invalid, "not_publishable", "`soul pack DIR --check` shows everything that is wrong")
            }
            Self::UnknownRef(_) => {
                (Kind::NotFound, "unknown_ref", "name a branch, a tag or a commit; CI must fetch the whole history")
            }
            Self::Git(error) => return error.fault(),
            Self::Soul(error) => return error.fault(),
            Self::Authoring(error) => return error.fault(),
            Self::Store(error) => return error.fault(),
        };
        Fault::new(kind, code, hint)
    }
}
