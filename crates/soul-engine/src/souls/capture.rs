//! From a valid soul to the snapshot that sessions are bound to, and to what is kept with a session.

use std::collections::BTreeMap;

use soul_core::formats::{self, Context, Document, Provenance, plain};
use soul_core::model::{Dialect, Field, Soul};
use soul_core::text::Source;

use super::{Error, Folder, MEMORY_FILE, Resolved, USER_FILE, filled_slots};
use crate::Keeper;
use crate::files::{SOUL_FILE, is_soul_file};
use crate::store::{self, NewSnapshot, Profile, Snapshot, Surroundings};
use crate::workspace::{Agent, SoulKey};

/// Captures a valid soul: what it says, and the bytes of every authored file, as they were read, whatever
/// became of the files since. A soul of the library has no agent, or one that has no soul of its own.
pub(crate) fn capture(
    keeper: &Keeper,
    agent: Option<&Agent>,
    key: &SoulKey,
    soul: &Resolved,
) -> Result<NewSnapshot, Error> {
    let (Some(digest), Some(document)) = (soul.digest, &soul.document) else {
        return Err(Error::Invalid(Box::new(soul.clone())));
    };
    let authored = agent.map(|agent| folder(keeper, agent).authored(document));
    let mut files = authored.transpose()?.unwrap_or_default();
    as_read(document, &soul.source_path, &mut files);
    let config = keeper.settings.soul.provenance();
    let profile = profile(document, &soul.soul, &soul.source_path, config.context_projection_bytes);
    Ok(NewSnapshot { key: key.clone(), digest, config_digest: config.digest, profile, files })
}

fn profile(document: &Document, soul: &Soul, source_path: &str, context_projection_bytes: usize) -> Profile {
    let list = |field| soul.texts(field).map(str::to_owned).collect();
    // The id is not known yet; where it will stand is.
    let text = |snapshot_id| document.identity(Provenance { source_path, snapshot_id });
    let (plain, named) = (text(None), text(Some("\0")));
    let identity = match named.split_once('\0') {
        Some((before, after)) if named != plain => (before.to_owned(), Some(after.to_owned())),
        _ => (plain, None),
    };
    Profile {
        dialect: document.dialect(),
        source_path: source_path.to_owned(),
        identity,
        role: soul.texts(Field::Role).next().unwrap_or_default().to_owned(),
        tone: list(Field::Tone),
        principles: list(Field::Principle),
        context_projection_bytes,
    }
}

/// Files that a soul may be read with and that are no part of it.
const UNAUTHORED: [&str; 2] = [MEMORY_FILE, USER_FILE];

/// Puts what a soul was read from in place of what is in the files by now.
fn as_read(document: &Document, source_path: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    let companions = plain::COMPANIONS.iter().map(|(name, ..)| *name).filter(|name| !UNAUTHORED.contains(name));
    for name in companions.filter(|_| matches!(document.dialect(), Dialect::Agentos | Dialect::Plain)) {
        match document.source_of(name) {
            Some(source) => drop(files.insert(name.to_owned(), source.bytes().to_vec())),
            None => drop(files.remove(name)),
        }
    }
    for (name, bytes) in files.iter_mut() {
        if let Some(source) = document.source_of(name) {
            *bytes = source.bytes().to_vec();
        }
    }
    // A package's SOUL.md may be proposed and not be there yet; any other soul is its own file.
    if let Some(source) = document.source_of(SOUL_FILE) {
        files.insert(SOUL_FILE.to_owned(), source.bytes().to_vec());
    }
    let own = source_path.rsplit('/').next().unwrap_or(SOUL_FILE);
    files.insert(own.to_owned(), document.source().bytes().to_vec());
}

/// The document that a snapshot was taken of, from the bytes that it keeps.
pub(crate) fn captured(snapshot: &Snapshot) -> Result<Document, store::Error> {
    let path = &snapshot.profile.source_path;
    let name = path.rsplit('/').next().unwrap_or(path);
    let lost = || store::Error::Damaged(format!("the snapshot {} lacks its {name}", snapshot.id).into());
    let bytes = snapshot.files.get(name).ok_or_else(lost)?.clone();
    let beside = snapshot.files.iter().filter(|(of, _)| *of != name);
    let files = beside.map(|(name, bytes)| (name.clone(), Source::new(bytes.clone()))).collect();
    let name = (!is_soul_file(name)).then(|| name.to_owned());
    let context = Context { name, files, ..Context::default() };
    Ok(formats::parse(Source::new(bytes), snapshot.profile.dialect, &context).document)
}

/// What reaches a session besides its snapshot: the user's file, the index of the memory and the slots that the
/// configuration fills, which no digest covers; and the authored files too if there is no soul to take a snapshot of.
pub(crate) fn surroundings(keeper: &Keeper, agent: Option<&Agent>, has_soul: bool) -> Result<Surroundings, Error> {
    let slots = filled_slots(keeper)?;
    let Some(agent) = agent else { return Ok(Surroundings { slots, ..Surroundings::default() }) };
    let folder = folder(keeper, agent);
    let files = if has_soul { Default::default() } else { folder.prompt_files(None)? };
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let files = files.iter().map(|(name, bytes)| (name.clone(), text(bytes))).collect();
    Ok(Surroundings { files, slots, ..folder.surroundings()? })
}

fn folder<'a>(keeper: &'a Keeper, agent: &'a Agent) -> Folder<'a> {
    Folder { keeper, directory: &agent.directory, path: &agent.path }
}
