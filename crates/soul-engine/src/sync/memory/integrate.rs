//! The changes here that follow from the remote's.

use std::collections::{BTreeMap, HashMap};

use soul_core::digest::RawDigest;
use soul_core::scan::{File as Scanned, Trust, scan_as};

use super::MemorySync;
use super::merge::{Merged, Rule, merged};
use super::remote::Remote;
use super::result::{LostText, MemorySyncResult};
use super::state::{Common, Intent, State};
use crate::authoring::is_refused;
use crate::fields::NonBlank;
use crate::files;
use crate::memory;
use crate::memory::history::History;
use crate::store::Party;
use crate::sync::Error;
use crate::sync::decide::{Decision, decide};
use crate::sync::item::has_markers;
use crate::sync::objects::{CommitInfo, Oid};
use crate::sync::repository::Repository;
use crate::sync::run::SYNC;
use crate::sync::status::Refusal;

impl MemorySync {
    /// Makes the changes here that follow from the remote's.
    pub(super) fn integrate(
        &self,
        repository: &Repository,
        state: &mut State,
        remote: &Remote,
        force: Option<&NonBlank>,
        result: &mut MemorySyncResult,
    ) -> Result<(), Error> {
        let _writing = memory::lock(&self.keeper, &self.memory)?;
        let history = History::open(&self.keeper, &self.memory)?;
        let local = self.local()?;
        for (file, intent) in std::mem::take(&mut state.intents) {
            if local.get(&file) == Some(&intent.result) {
                state.files.insert(file, intent.common);
            }
        }
        let Some(tip) = &remote.tip else { return Ok(()) };
        result.refused = remote.refused.clone();
        let mut names: Vec<&String> = state.files.keys().chain(local.keys()).chain(remote.files.keys()).collect();
        names.sort();
        names.dedup();
        let is_new = |file: &&String| {
            remote
                .files
                .get(*file)
                .is_some_and(|(blob, _)| state.files.get(*file).is_none_or(|common| common.blob != *blob))
        };
        let wanted: Vec<Oid> = names.iter().copied().filter(is_new).map(|file| remote.files[file].0.clone()).collect();
        let texts = repository.blobs(&wanted)?;
        let infos = match state.commit.as_ref() {
            Some(last) if last == tip => HashMap::new(),
            Some(last) if repository.has(last)? && repository.is_before(last, tip)? => {
                repository.authors(Some(last), tip)?
            }
            _ => repository.authors(None, tip)?,
        };
        let latest = repository.about(tip, None)?;
        let mut writes: Vec<(String, Option<Vec<u8>>, Option<Common>)> = Vec::new();
        let names: Vec<String> = names.into_iter().cloned().collect();
        for file in names {
            let common = state.files.get(&file);
            let theirs = remote.files.get(&file).map(|(blob, _)| {
                let hash = match (common.filter(|common| common.blob == *blob), texts.get(blob)) {
                    (Some(common), _) => common.hash,
                    (None, Some(bytes)) => RawDigest::of(bytes),
                    (None, None) => RawDigest::of(b""),
                };
                Common { blob: blob.clone(), hash }
            });
            let ours = local.get(&file).copied();
            let their_text = theirs.as_ref().and_then(|theirs| texts.get(&theirs.blob)).cloned();
            let hashes = (common.map(|common| common.hash), ours, theirs.as_ref().map(|theirs| theirs.hash));
            match (decide(hashes.0, hashes.1, hashes.2), theirs) {
                (Decision::Same, Some(theirs)) => drop(state.files.insert(file, theirs)),
                (Decision::Gone, _) => drop(state.files.remove(&file)),
                (Decision::Take | Decision::DeletedHereChangedThere, Some(theirs)) => {
                    let bytes = their_text.unwrap_or_default();
                    match self.refusal(&file, &bytes, force) {
                        Some(reason) => result.refused.push(Refusal { path: file, reason }),
                        None => writes.push((file, Some(bytes), Some(theirs))),
                    }
                }
                (Decision::Merge | Decision::BothAdded, Some(theirs)) => {
                    let bytes = their_text.unwrap_or_default();
                    if let Some(reason) = self.refusal(&file, &bytes, force) {
                        result.refused.push(Refusal { path: file, reason });
                        continue;
                    }
                    let info = infos.get(&file).unwrap_or(&latest);
                    let merged = self.merge(repository, &history, &file, common, &bytes, info, result)?;
                    writes.push((file, Some(merged), Some(theirs)));
                }
                (Decision::DeletedThere, _) => writes.push((file, None, None)),
                (Decision::DeletedThereChangedHere, _) => drop(state.files.remove(&file)),
                _ => {}
            }
        }
        for (file, bytes, theirs) in &writes {
            if let (Some(bytes), Some(theirs)) = (bytes, theirs) {
                let intent = Intent { result: RawDigest::of(bytes), common: theirs.clone() };
                state.intents.insert(file.clone(), intent);
            }
        }
        if !state.intents.is_empty() {
            self.home.save(state)?;
        }
        for (file, bytes, theirs) in writes {
            self.write(&history, state, &local, file, bytes, theirs, result)?;
        }
        state.commit = Some(tip.clone());
        self.home.save(state)
    }

    #[allow(clippy::too_many_arguments)]
    fn write(
        &self,
        history: &History,
        state: &mut State,
        local: &BTreeMap<String, RawDigest>,
        file: String,
        bytes: Option<Vec<u8>>,
        theirs: Option<Common>,
        result: &mut MemorySyncResult,
    ) -> Result<(), Error> {
        let read = match self.memory.read(&file) {
            Ok(bytes) => Some(bytes),
            Err(files::Error::NotFound) => None,
            Err(error) => return Err(self.unreadable(&file, error)),
        };
        state.intents.remove(&file);
        // What was saved meanwhile is merged by the next call.
        if read.as_deref().map(RawDigest::of) != local.get(&file).copied() {
            return Ok(());
        }
        if let (None, Some(read)) = (&bytes, &read) {
            history.keep_copy(read)?;
        }
        if !memory::replace(&self.keeper, &self.memory, history, &file, bytes.as_deref(), read.as_deref())? {
            return Ok(());
        }
        match theirs {
            Some(theirs) => {
                state.files.insert(file.clone(), theirs);
                result.pulled.push(file);
            }
            None => {
                state.files.remove(&file);
                result.removed.push(file);
            }
        }
        Ok(())
    }

    /// Why a text must not come into the memory, if there is a reason.
    fn refusal(&self, file: &str, bytes: &[u8], force: Option<&NonBlank>) -> Option<String> {
        if std::str::from_utf8(bytes).is_err() {
            return Some("it is not UTF-8 text".to_owned());
        }
        if has_markers(bytes) {
            return Some("it has conflict markers".to_owned());
        }
        // What an agent remembers reaches its prompt, so it is scanned as a stranger's.
        let report = scan_as(&[Scanned { path: file, bytes }], Trust::Stranger);
        let rules: Vec<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).take(3).collect();
        is_refused(&self.keeper, &report, &Party::new(SYNC, ""), force)
            .then(|| format!("the scanner refuses it ({})", rules.join(", ")))
    }

    #[allow(clippy::too_many_arguments)]
    fn merge(
        &self,
        repository: &Repository,
        history: &History,
        file: &str,
        common: Option<&Common>,
        theirs: &[u8],
        info: &CommitInfo,
        result: &mut MemorySyncResult,
    ) -> Result<Vec<u8>, Error> {
        let ours = self.memory.read(file).map_err(|error| self.unreadable(file, error))?;
        let base = match common {
            Some(common) if repository.has(&common.blob)? => {
                repository.blobs(std::slice::from_ref(&common.blob))?.remove(&common.blob).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        let written = std::fs::metadata(self.memory.root().join(file)).and_then(|metadata| metadata.modified());
        let written = written.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let is_ours_later = written.is_none_or(|time| i64::try_from(time.as_secs()).unwrap_or(i64::MAX) >= info.time);
        let rule = match self.memory.layout().is_daily(file) {
            true => Rule::Union,
            false if is_ours_later => Rule::Ours,
            false => Rule::Theirs,
        };
        let [base, mine, other] = [&base, &ours, theirs].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let Merged { text, lost } = merged(&base, &mine, &other, rule);
        if !lost.is_empty() {
            let (side, kept) = match rule {
                Rule::Theirs => ("ours", history.keep_copy(&ours)?),
                _ => ("theirs", format!("commit {}", info.commit.short())),
            };
            result.lost.extend(lost.into_iter().map(|(place, text)| LostText {
                file: file.to_owned(),
                place,
                text,
                side: side.to_owned(),
                kept: kept.clone(),
            }));
        }
        Ok(text.into_bytes())
    }
}
