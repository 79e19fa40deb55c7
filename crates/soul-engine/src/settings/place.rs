//! Where the files say what they say.

use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{FILE, Origin, Roots, WORKSPACE_FOLDER, read};

/// Where a value is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    /// Counted from 1.
    pub(crate) line: usize,
}

/// Finds where each of these keys is set. A value of the environment, or of a file that has changed since, has no place.
pub(crate) fn places<'a>(roots: &Roots, keys: impl Iterator<Item = (&'a str, Origin)>) -> Vec<Option<Place>> {
    let files: Vec<(Origin, PathBuf, String)> = read(roots)
        .into_iter()
        .filter_map(|(origin, folder, bytes)| {
            let folder = if origin == Origin::Workspace { folder.join(WORKSPACE_FOLDER) } else { folder.to_path_buf() };
            Some((origin, folder.join(FILE), String::from_utf8(bytes.ok()?).ok()?))
        })
        .collect();
    let find = |(key, origin): (&str, Origin)| {
        let (_, path, text) = files.iter().find(|(of, ..)| *of == origin)?;
        Some(Place { path: path.clone(), line: line(text, key)? })
    };
    keys.map(find).collect()
}

/// The line of a key such as `agents.soul.enabled`; of the nearest table that has it, if it is below a list.
fn line(text: &str, key: &str) -> Option<usize> {
    let file = DeTable::parse(text).ok()?;
    let mut table = file.get_ref();
    let mut start = None;
    for part in key.split('.') {
        let Some((name, value)) = table.iter().find(|(name, _)| name.get_ref().as_ref() == part) else { break };
        start = Some(name.span().start);
        match Spanned::get_ref(value) {
            DeValue::Table(below) => table = below,
            _ => break,
        }
    }
    Some(text[..start?].matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_a_line() {
        let text = "[agents.soul]\nenabled = false\n\n# later\nprompt.memory = \"on\"\n[sync]\ninterval = 5\n";
        assert_eq!(line(text, "agents.soul.enabled"), Some(2));
        assert_eq!(line(text, "sync.interval"), Some(7));
        assert_eq!(line("prompt.memory = 1\n", "prompt.memory"), Some(1));
        assert_eq!(line("[[registry.sources]]\nname = 1\n", "registry.sources.name"), Some(1));
        assert_eq!(line(text, "store.url"), None);
        assert_eq!(line("[broken", "store.url"), None);
    }
}
