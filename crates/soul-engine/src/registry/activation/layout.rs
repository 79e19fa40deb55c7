//! Where the files of a package go in the directory of an agent.

use std::collections::BTreeMap;

use serde_json::Value;
use soul_core::formats::soulspec::MANIFESTS;

use super::super::{Error, Package, PackageName, PackagePath};
use crate::files::SOUL_FILE;

/// What becomes of a file that an agent may have already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// It is replaced.
    Replace,
    /// It is the user's or the agent's own, and stays.
    Keep,
    /// The package's text goes between markers.
    Merge,
}

/// A file of the package in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) bytes: Vec<u8>,
    pub(super) rule: Rule,
}

/// The files of a package by their path in an agent's directory, and the text of its soul.
pub(super) struct Layout {
    pub(super) files: BTreeMap<PackagePath, Placed>,
    pub(super) soul: Vec<u8>,
}

/// Keys of `files`, and the name that each file has in an agent's directory.
const NAMED: [(&str, &str, &str, Rule); 6] = [
    ("files.identity", "IDENTITY.md", "IDENTITY.md", Rule::Replace),
    ("files.style", "STYLE.md", "STYLE.md", Rule::Replace),
    ("files.agents", "AGENTS.md", "AGENTS.md", Rule::Merge),
    ("files.heartbeat", "HEARTBEAT.md", "HEARTBEAT.md", Rule::Replace),
    ("files.rules", "RULES.md", "RULES.md", Rule::Replace),
    ("files.userTemplate", "USER_TEMPLATE.md", "USER.md", Rule::Keep),
];

/// Folders whose files keep their paths.
const FOLDERS: [&str; 4] = ["examples", "hooks", "skills", "tools"];

/// The memory that an agent begins with, in the package.
const MEMORY_TEMPLATES: [&str; 2] = ["memory/MEMORY.md", "MEMORY.md"];

impl Layout {
    pub(super) fn of(package: &Package) -> Result<Self, Error> {
        let (manifest, contents) = (package.manifest(), &package.contents);
        let missing = |path: &str| Error::BadField("files.soul", format!("the package has no {path}"));
        let soul_path = package.soul_path();
        let soul = contents.file(soul_path).ok_or_else(|| missing(soul_path))?.to_vec();
        let mut layout = Self { files: BTreeMap::new(), soul };
        let mut moved: Vec<(&str, &str)> = Vec::new();
        if soul_path != SOUL_FILE {
            moved.push(("soul", SOUL_FILE));
        }
        for (key, usual, place, rule) in NAMED {
            let path = manifest.path(key).unwrap_or(usual);
            let Some(bytes) = contents.file(path) else { continue };
            layout.put(place, bytes, rule)?;
            if path != place && rule != Rule::Keep && manifest.text(key).is_some() {
                moved.push((key.trim_start_matches("files."), place));
            }
        }
        for (path, bytes) in contents.files() {
            match path.folder() {
                Some(folder) if FOLDERS.contains(&folder) => layout.put(path.as_str(), bytes, Rule::Replace)?,
                Some("memory") if path.as_str().starts_with("memory/runtime/") => {}
                Some("memory") if path.as_str() != MEMORY_TEMPLATES[0] => {
                    layout.put(path.as_str(), bytes, Rule::Keep)?
                }
                None if path.as_str() == "TOOLS.md" => layout.put("TOOLS.md", bytes, Rule::Keep)?,
                _ => {}
            }
        }
        // What else the manifest names: an image, examples elsewhere.
        for key in ["files.avatar", "examples.good", "examples.bad"] {
            if let Some((path, bytes)) = manifest.path(key).and_then(|path| Some((path, contents.file(path)?))) {
                layout.put(path, bytes, Rule::Replace)?;
            }
        }
        if let Some(bytes) = MEMORY_TEMPLATES.iter().find_map(|path| contents.file(path)) {
            layout.put(long_term(package), bytes, Rule::Keep)?;
        }
        for name in MANIFESTS {
            if let Some(bytes) = contents.file(name) {
                layout.put(name, &with_paths(bytes, &moved), Rule::Replace)?;
                break;
            }
        }
        Ok(layout)
    }

    /// Puts a file in its place. What an agent always owns is never replaced, whatever a package calls it.
    fn put(&mut self, path: &str, bytes: &[u8], rule: Rule) -> Result<(), Error> {
        let path: PackagePath = path.parse()?;
        let folded = path.folded();
        let is_own = ["user.md", "memory.md", "tools.md"].contains(&folded.as_str()) || folded.starts_with("memory/");
        let is_soul = ["soul.md", "agent.md", "persona.json"].contains(&folded.as_str());
        if !is_soul {
            self.files.insert(path, Placed { bytes: bytes.to_vec(), rule: if is_own { Rule::Keep } else { rule } });
        }
        Ok(())
    }
}

/// Where the layout of the memory keeps what lasts.
fn long_term(package: &Package) -> &str {
    let named = package.manifest().path("memory.layout.longTerm");
    named.filter(|path| *path == "MEMORY.md" || path.starts_with("memory/")).unwrap_or("MEMORY.md")
}

/// A manifest that names files where they are now. One that does so already stays as it is, to the byte.
fn with_paths(manifest: &[u8], moved: &[(&str, &str)]) -> Vec<u8> {
    if moved.is_empty() {
        return manifest.to_vec();
    }
    let Ok(mut json) = serde_json::from_slice::<Value>(manifest) else { return manifest.to_vec() };
    for (key, place) in moved {
        json["files"][*key] = Value::from(*place);
    }
    let mut text = serde_json::to_string_pretty(&json).unwrap_or_default();
    text.push('\n');
    text.into_bytes()
}

const BEGIN: &str = "<!-- package:begin ";
const END: &str = "<!-- package:end ";

/// A text with a package's own part between markers, in place of the part of another package.
pub(super) fn merged(own: Option<&str>, package: &PackageName, part: &str) -> String {
    let mut text = own.and_then(without_part).or(own.map(str::to_owned)).unwrap_or_default();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let part = part.trim_end_matches('\n');
    text.push_str(&format!("{BEGIN}{package} -->\n{part}\n{END}{package} -->\n"));
    text
}

/// A text without the part of a package; `None` if it has none.
pub(super) fn without_part(text: &str) -> Option<String> {
    let begin = text.find(BEGIN)?;
    let end = text.rfind(END).filter(|end| *end > begin)?;
    let after = text[end..].find('\n').map_or(text.len(), |line| end + line + 1);
    let before = text[..begin].strip_suffix("\n\n").map_or(&text[..begin], |before| &text[..=before.len()]);
    Some(format!("{before}{}", &text[after..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_comes_and_goes() {
        let (one, two) = ("a/one".parse().unwrap(), "a/two".parse().unwrap());
        for own in ["", "# Mine\n", "# Mine\n\nText.\n"] {
            let first = merged(Some(own), &one, "One.\n");
            assert!(first.starts_with(own) && first.contains("One."));
            assert_eq!(without_part(&first).as_deref(), Some(own), "{own:?}");
            let second = merged(Some(&first), &two, "Two.");
            assert!(second.contains("Two.") && !second.contains("One."));
            assert_eq!(without_part(&second).as_deref(), Some(own), "{own:?}");
        }
        assert_eq!(without_part("nothing"), None);
    }
}
