//! Pull and push.

use std::collections::BTreeMap;

use soul_core::digest::RawDigest;

use super::MemorySync;
use super::remote::{IGNORE, Remote};
use super::result::MemorySyncResult;
use super::state::{Common, State};
use crate::fields::NonBlank;
use crate::files;
use crate::store::EventKind;
use crate::sync::Error;
use crate::sync::item::has_markers;
use crate::sync::objects::{Oid, TreeChange};
use crate::sync::repository::{Pushed, Repository};
use crate::sync::result::count;
use crate::sync::retry::until_pushed;

/// What a push sends: the files with their digests, the files that are gone, and the changes of the tree.
#[derive(Default)]
struct Outgoing {
    published: BTreeMap<String, RawDigest>,
    removed: Vec<String>,
    changes: Vec<TreeChange>,
}

impl MemorySync {
    /// Brings changes of the remote here.
    pub(crate) fn pull(&self, force: Option<&NonBlank>) -> Result<MemorySyncResult, Error> {
        let mut state = self.state()?;
        let done = self.try_pull(&mut state, force);
        self.end(state, EventKind::MemoryPull, done)
    }

    fn try_pull(&self, state: &mut State, force: Option<&NonBlank>) -> Result<MemorySyncResult, Error> {
        let repository = Repository::open(&self.home.clone_path())?;
        let mut result = self.result(state);
        let remote = self.fetch(&repository, state)?;
        self.integrate(&repository, state, &remote, force, &mut result)?;
        self.count(&repository, state, &remote, &mut result)?;
        result.message = match result.pulled.len() + result.removed.len() {
            0 => "already up to date".to_owned(),
            files => format!("pulled {}", count(files, "file")),
        };
        Ok(result)
    }

    /// Brings changes of the remote here, and local changes there.
    pub(crate) fn push(&self, message: Option<&str>, force: Option<&NonBlank>) -> Result<MemorySyncResult, Error> {
        let mut state = self.state()?;
        let done = self.try_push(&mut state, message, force);
        self.end(state, EventKind::MemoryPush, done)
    }

    fn try_push(
        &self,
        state: &mut State,
        message: Option<&str>,
        force: Option<&NonBlank>,
    ) -> Result<MemorySyncResult, Error> {
        let repository = Repository::open(&self.home.clone_path())?;
        let usual = format!("Update the memory of {}", self.agent.name);
        let message = message.unwrap_or(&usual);
        let mut result = self.result(state);
        let commit = until_pushed(|| {
            let remote = self.fetch(&repository, state)?;
            self.integrate(&repository, state, &remote, force, &mut result)?;
            let outgoing = self.outgoing(&repository, state, &remote, &result)?;
            if outgoing.changes.is_empty() {
                self.count(&repository, state, &remote, &mut result)?;
                return Ok(Some(None));
            }
            let commit = repository.commit(remote.tip.as_ref(), &outgoing.changes, message, self.keeper.now())?;
            match repository.push(&state.repository, &state.branch, &commit, remote.tip.as_ref())? {
                Pushed::Rejected => Ok(None),
                Pushed::Done => {
                    self.agree(&repository, state, outgoing, &commit, &mut result)?;
                    Ok(Some(Some(commit)))
                }
            }
        })?;
        result.message = match (commit, result.pushed.len() + result.removed.len()) {
            (None, _) if result.refused.is_empty() => "nothing to push: the remote has everything".to_owned(),
            (None, _) => "nothing to push".to_owned(),
            (Some(_), 0) => "pushed".to_owned(),
            (Some(_), files) => format!("pushed {}", count(files, "file")),
        };
        Ok(result)
    }

    /// What the remote does not have. A file whose text there was refused stays as it is there: its writer has not seen
    /// ours, and nobody has merged the two.
    fn outgoing(
        &self,
        repository: &Repository,
        state: &State,
        remote: &Remote,
        result: &MemorySyncResult,
    ) -> Result<Outgoing, Error> {
        let mut outgoing = Outgoing::default();
        let is_refused = |file: &str| result.refused.iter().any(|refused| refused.path == file);
        for (file, hash) in self.local()? {
            let is_there = state.files.get(&file).is_some_and(|common| common.hash == hash);
            if is_there && remote.files.contains_key(&file) || is_refused(&file) {
                continue;
            }
            let bytes = self.memory.read(&file).map_err(|error| self.unreadable(&file, error))?;
            if has_markers(&bytes) {
                return Err(Error::MemoryMarkers(file));
            }
            outgoing.published.insert(file.clone(), RawDigest::of(&bytes));
            outgoing.changes.push(TreeChange::Put(file, bytes));
        }
        for (file, common) in &state.files {
            let is_unchanged = remote.files.get(file).is_some_and(|(blob, _)| *blob == common.blob);
            if is_unchanged && matches!(self.memory.read(file), Err(files::Error::NotFound)) {
                outgoing.removed.push(file.clone());
                outgoing.changes.push(TreeChange::Remove(file.clone()));
            }
        }
        outgoing.changes.extend(self.ignore(repository, remote)?);
        Ok(outgoing)
    }

    /// Notes what both sides have after a push.
    fn agree(
        &self,
        repository: &Repository,
        state: &mut State,
        outgoing: Outgoing,
        commit: &Oid,
        result: &mut MemorySyncResult,
    ) -> Result<(), Error> {
        let there = self.remote(repository, Some(commit.clone()))?;
        for (file, hash) in &outgoing.published {
            if let Some((blob, _)) = there.files.get(file) {
                state.files.insert(file.clone(), Common { blob: blob.clone(), hash: *hash });
            }
        }
        outgoing.removed.iter().for_each(|file| drop(state.files.remove(file)));
        state.commit = Some(commit.clone());
        result.pushed = outgoing.published.into_keys().collect();
        result.removed.extend(outgoing.removed);
        result.commit = Some(commit.to_string());
        self.count(repository, state, &there, result)
    }

    /// The change that makes git ignore live state, if it does not yet.
    fn ignore(&self, repository: &Repository, remote: &Remote) -> Result<Option<TreeChange>, Error> {
        let line = format!("{}/", self.memory.layout().runtime);
        let before = match &remote.ignore {
            Some(blob) => repository.blobs(std::slice::from_ref(blob))?.remove(blob).unwrap_or_default(),
            None => Vec::new(),
        };
        let mut text = String::from_utf8_lossy(&before).into_owned();
        if text.lines().any(|known| known.trim() == line) {
            return Ok(None);
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&line);
        text.push('\n');
        Ok(Some(TreeChange::Put(IGNORE.to_owned(), text.into_bytes())))
    }
}
