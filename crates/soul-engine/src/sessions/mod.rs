//! From an agent's directory to what a session is bound to.

use std::collections::BTreeMap;

use soul_core::formats::soulspec::MANIFESTS;
use soul_core::formats::{Document, Provenance};
use soul_core::model::{Field, Soul};

use crate::Keeper;
use crate::files::{self, Directory, PERSONA_FILE, SOUL_FILE};
use crate::ops::{Error, inspect};
use crate::store::{NewSnapshot, Profile};
use crate::workspace::{Agent, SoulKey};

/// The authored files that a session is made of, besides the manifest.
const LAYERS: [&str; 7] = [SOUL_FILE, PERSONA_FILE, "AGENT.md", "STYLE.md", "IDENTITY.md", "AGENTS.md", "RULES.md"];

/// The folders whose Markdown files belong to them.
const FOLDERS: [&str; 2] = ["examples", "hooks"];

/// The most files of a folder, and the most bytes of a file.
const MAX_FILES: usize = 64;
const MAX_LAYER: usize = 1 << 20;

/// Takes the snapshot of a valid soul: what it says, and the bytes of every authored file.
pub(crate) fn capture(
    keeper: &Keeper,
    key: SoulKey,
    soul: &inspect::Response,
    files: BTreeMap<String, Vec<u8>>,
) -> Result<NewSnapshot, Error> {
    let (Some(digest), Some(document)) = (soul.digest, &soul.parsed) else {
        return Err(Error::Invalid(Box::new(soul.clone())));
    };
    let config = keeper.settings.soul.provenance();
    let profile = profile(document, &soul.soul, &soul.source_path, config.context_projection_bytes);
    Ok(NewSnapshot { key, digest, config_digest: config.digest, profile, files })
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

/// The bytes of every authored file of an agent.
pub(crate) fn layers(agent: &Agent) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let mut found = BTreeMap::new();
    let mut add = |name: &str| match agent.directory.read(name) {
        Ok(bytes) if bytes.len() > MAX_LAYER => {
            Err(Error::Layer(agent.name.clone(), name.to_owned(), "it is larger than 1 MiB".to_owned()))
        }
        Ok(bytes) => {
            found.insert(name.to_owned(), bytes);
            Ok(())
        }
        Err(files::Error::NotFound) => Ok(()),
        Err(error) => Err(Error::Layer(agent.name.clone(), name.to_owned(), error.to_string())),
    };
    for name in LAYERS.into_iter().chain(MANIFESTS) {
        add(name)?;
    }
    for folder in FOLDERS {
        let names = match agent.directory.directory(folder).and_then(|directory| markdown(&directory)) {
            Ok(names) => names,
            Err(files::Error::NotFound) => continue,
            Err(error) => return Err(Error::Layer(agent.name.clone(), folder.to_owned(), error.to_string())),
        };
        if names.len() > MAX_FILES {
            let why = format!("it has more than {MAX_FILES} files");
            return Err(Error::Layer(agent.name.clone(), folder.to_owned(), why));
        }
        for name in names {
            add(&format!("{folder}/{name}"))?;
        }
    }
    Ok(found)
}

fn markdown(directory: &Directory) -> Result<Vec<String>, files::Error> {
    let names = directory.names()?;
    Ok(names.into_iter().filter(|name| name.ends_with(".md")).collect())
}
