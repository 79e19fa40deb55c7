use std::io;

use soul_core::text::shown;

use super::item::ItemId;
use super::remote::{BadBranch, BadRemote};
use crate::authoring;
use crate::fault::{Fault, Kind};
use crate::library;
use crate::memory;
use crate::proposals;
use crate::souls;
use crate::store;

/// Why nothing was synced.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no git on the path.
    #[error("there is no `git` on the path")]
    NoGit,
    /// Git is too old.
    #[error("git {0} is too old: version 2.32 or later is needed")]
    OldGit(String),
    /// Git did not end in time.
    #[error("git did not answer within {0} seconds and was stopped")]
    TimedOut(u64),
    /// The remote sends more than any collection of souls holds.
    #[error("the remote sends more than 2 GiB")]
    TooMuch,
    /// The remote does not let this user in.
    #[error("the remote `{0}` refuses access: {1}")]
    NotAuthenticated(String, String),
    /// There is no repository.
    #[error("there is no repository at `{0}`: {1}")]
    NoRepository(String, String),
    /// The remote refuses the push.
    #[error("the remote `{0}` refuses the push: {1}")]
    Refused(String, String),
    /// The branch is checked out where it is.
    #[error("the remote `{0}` refuses the push: `{1}` is checked out in its working copy")]
    CheckedOut(String, String),
    /// The branch cannot be created beside another one.
    #[error("the branch `{0}` cannot be created: it clashes with the name of another branch of the remote")]
    BranchClash(String),
    /// The remote could not be reached.
    #[error("could not {what} `{remote}`: {why}")]
    Network {
        /// What was tried.
        what: &'static str,
        /// The remote, without credentials.
        remote: String,
        /// What git said.
        why: String,
    },
    /// The remote moved on whenever a push was tried.
    #[error("others keep pushing to the branch: nothing was pushed after {0} tries")]
    KeepsMoving(usize),
    /// The branch was there and is gone.
    #[error("the branch `{0}` is no longer on the remote")]
    BranchGone(String),
    /// The clone is damaged; it was removed.
    #[error("the clone in the cache was damaged and has been removed: {0}")]
    Damaged(String),
    /// The state in the home cannot be read.
    #[error("the state of the sync cannot be read: {0}")]
    State(String),
    /// A file of the home could not be used.
    #[error("could not use `{}`: {}", .0, crate::files::plain(.1))]
    Io(String, #[source] io::Error),
    /// Another sync is running.
    #[error("another sync is running")]
    Busy,
    /// No remote was named.
    #[error("sync is not set up")]
    NotConfigured,
    /// The address is not one.
    #[error(transparent)]
    Remote(#[from] BadRemote),
    /// The branch is not one.
    #[error(transparent)]
    Branch(#[from] BadBranch),
    /// The id is not one of an item.
    #[error("{} is not the id of an item: {}", shown(.0), .1)]
    BadItem(String, &'static str),
    /// Nothing is known of the item.
    #[error("there is no item `{0}`, here or on the remote")]
    Unknown(ItemId),
    /// There is nothing to publish.
    #[error("there are no changes to publish")]
    NothingToPublish,
    /// The item has no changes.
    #[error("`{0}` has no local changes")]
    Unmodified(ItemId),
    /// Both sides have changed the item.
    #[error("conflict in {}: both sides changed it{}", listed(.items), aside(.detail))]
    Conflict {
        /// The items.
        items: Vec<ItemId>,
        /// The remote's commit and its author.
        detail: String,
    },
    /// The item is not in conflict.
    #[error("`{0}` is not in conflict")]
    NotInConflict(ItemId),
    /// The file of the item is gone.
    #[error("`{0}` is missing here and cannot be published")]
    Missing(ItemId),
    /// The remote has never had the item.
    #[error("`{0}` is untracked: the remote has never had it")]
    Untracked(ItemId),
    /// The item has local changes.
    #[error("`{0}` has local changes")]
    Modified(ItemId),
    /// Only what is missing, untracked or in conflict can be forgotten.
    #[error("`{0}` is {1}: only missing, untracked or conflicting items can be forgotten")]
    NotForgettable(ItemId, &'static str),
    /// The destination of a move is in use.
    #[error("cannot move to `{0}`: it is already in use")]
    Taken(ItemId),
    /// A move from one kind to another.
    #[error("cannot move `{0}` to `{1}`: they are of different kinds")]
    OtherKind(ItemId, ItemId),
    /// The text has conflict markers.
    #[error("`{0}` has conflict markers")]
    Markers(ItemId),
    /// The file of the item cannot be read or replaced.
    #[error("`{0}` cannot be synced: {1}")]
    Blocked(ItemId, String),
    /// Nobody would take the text from the remote.
    #[error("`{0}` cannot be published: {1}")]
    Unsendable(ItemId, &'static str),
    /// The item was changed by another program meanwhile.
    #[error("`{0}` was changed while it was synced")]
    Moved(ItemId),
    /// More than one way to resolve a conflict, or none.
    #[error("give one of `ours`, `theirs` and `body`")]
    OneResolution,
    /// Neither ids nor everything.
    #[error("name the items, or all of them")]
    NoItems,
    /// An agent wants to change souls through the remote.
    #[error("agents do not sync souls")]
    ForPeople,
    /// The memory has no remote.
    #[error("the memory of `{0}` has no remote")]
    NoRemote(String),
    /// A file of the memory has conflict markers.
    #[error("`{0}` of the memory has conflict markers")]
    MemoryMarkers(String),
    /// The memory could not be read or written.
    #[error(transparent)]
    Memory(#[from] memory::Error),
    /// The library refused.
    #[error(transparent)]
    Library(library::Error),
    /// The soul was not changed.
    #[error(transparent)]
    Authoring(#[from] authoring::Error),
    /// The proposal was not kept or decided.
    #[error(transparent)]
    Proposal(#[from] proposals::Error),
    /// There is no soul to work on.
    #[error(transparent)]
    Soul(#[from] souls::Error),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<library::Error> for Error {
    fn from(error: library::Error) -> Self {
        match error {
            library::Error::Soul(error) => error.into(),
            library::Error::Authoring(error) => error.into(),
            library::Error::Store(error) => error.into(),
            error => Self::Library(error),
        }
    }
}

fn listed(items: &[ItemId]) -> String {
    items.iter().map(|item| format!("`{item}`")).collect::<Vec<_>>().join(", ")
}

fn aside(detail: &str) -> String {
    if detail.is_empty() { String::new() } else { format!(" (remote commit {detail})") }
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::NoGit | Self::OldGit(_) => (Kind::Unable, "git_missing", "install git 2.32 or later"),
            Self::TimedOut(_) | Self::Network { .. } => {
                (Kind::Unable, "network", "check the address and the network, and run the command again")
            }
            Self::TooMuch => (Kind::Unable, "remote_too_large", "use a repository of its own for souls"),
            Self::NotAuthenticated(..) => (
                Kind::Unable,
                "not_authenticated",
                "set up an SSH key or a credential helper of git; `git ls-remote URL` must work without a question",
            ),
            Self::NoRepository(..) => {
                (Kind::Unable, "no_repository", "check the address; `git init --bare PATH` makes an empty repository")
            }
            Self::Refused(..) => (Kind::Unable, "push_refused", "the remote's own rules decide; ask who runs it"),
            Self::CheckedOut(..) => (
                Kind::Unable,
                "push_refused",
                "use a bare repository (`git init --bare PATH`), another branch, or check out another one there",
            ),
            Self::BranchClash(_) => {
                (Kind::Unable, "push_refused", "choose another branch: `team` and `team/souls` exclude each other")
            }
            Self::KeepsMoving(_) => (Kind::Unable, "push_refused", "run the command again"),
            Self::BranchGone(_) => (
                Kind::Unable,
                "branch_missing",
                "if that is meant, start again with `soul sync init`; nothing here was changed",
            ),
            Self::Damaged(_) => (Kind::Unable, "clone_damaged", "run the command again: it fetches a new clone"),
            Self::State(_) => (
                Kind::Unable,
                "sync_state",
                "run `soul sync init` again: what differs becomes a conflict, nothing is lost",
            ),
            Self::Io(..) => (Kind::Unable, "io", "check the permissions of the home and the free disk space"),
            Self::Busy => (Kind::Unable, "sync_busy", "wait until it has ended, and run the command again"),
            Self::NotConfigured => (Kind::Unable, "sync_not_configured", "run `soul sync init --remote URL` first"),
            Self::Remote(_) => {
                (Kind::Usage, "bad_remote", "give a URL such as https://example.com/souls.git, or an absolute path")
            }
            Self::Branch(_) => (Kind::Usage, "bad_branch", "give a name such as main or team/souls"),
            Self::BadItem(..) => (Kind::Usage, "bad_item", "`soul sync status` lists the items"),
            Self::Unknown(_) => (Kind::NotFound, "item_not_found", "`soul sync status` lists the items"),
            Self::NothingToPublish | Self::Unmodified(_) => {
                (Kind::Usage, "nothing_to_publish", "`soul sync status` shows what has changed")
            }
            Self::Conflict { .. } => (
                Kind::Conflict,
                "sync_conflict",
                "see both sides with `soul sync diff ID`, then decide with `soul sync resolve ID --ours`, `--theirs` or `--file F`",
            ),
            Self::NotInConflict(_) => (Kind::Usage, "not_in_conflict", "`soul sync status` shows which items are"),
            Self::Missing(_) => (
                Kind::Usage,
                "item_missing",
                "`soul sync discard ID` restores it, `soul sync delete ID` removes it from the remote too",
            ),
            Self::Untracked(_) => {
                (Kind::Usage, "item_untracked", "publish it with `soul sync publish ID`, or delete the soul itself")
            }
            Self::Modified(_) => (
                Kind::Conflict,
                "item_modified",
                "publish or discard the changes first, or give `force`; the text stays on record",
            ),
            Self::NotForgettable(..) => (
                Kind::Usage,
                "not_forgettable",
                "`soul sync discard ID` drops local changes; `soul sync delete ID` removes it on both sides",
            ),
            Self::Taken(_) => (Kind::Conflict, "item_taken", "choose another id"),
            Self::OtherKind(..) => (Kind::Usage, "bad_item", "a soul of the library stays in `souls/`"),
            Self::Markers(_) => (Kind::Invalid, "conflict_markers", "remove the markers first"),
            Self::Blocked(..) => {
                (Kind::Unreadable, "item_unreadable", "put a regular file that can be read in its place, or remove it")
            }
            Self::Unsendable(..) => {
                (Kind::Invalid, "item_unsendable", "shorten it or save it as UTF-8, and publish it then")
            }
            Self::Moved(_) => (Kind::Conflict, "item_changed", "run the command again"),
            Self::OneResolution => {
                (Kind::Usage, "bad_request", "`ours` keeps the local text, `theirs` takes the remote's")
            }
            Self::NoItems => (Kind::Usage, "bad_request", "give ids, or `--all`"),
            Self::ForPeople => (Kind::Denied, "not_a_person", "ask a person to sync; an agent proposes changes"),
            Self::NoRemote(_) => (Kind::Unable, "sync_not_configured", "run `soul memory init --remote URL` first"),
            Self::MemoryMarkers(_) => (Kind::Invalid, "conflict_markers", "remove the markers first"),
            Self::Memory(error) => return error.fault(),
            Self::Library(error) => return error.fault(),
            Self::Authoring(error) => return error.fault(),
            Self::Proposal(error) => return error.fault(),
            Self::Soul(error) => return error.fault(),
            Self::Store(error) => return error.fault(),
        };
        Fault::new(kind, code, hint)
    }
}
