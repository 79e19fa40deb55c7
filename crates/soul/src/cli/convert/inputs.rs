use std::ffi::{OsStr, OsString};
use std::path::Path;

use soul_core::formats::soulspec::MANIFESTS;
use soul_engine::files::{PERSONA_FILE, SOUL_FILE};
use soul_engine::souls::Target;

use crate::cli::input;
use crate::output::Failure;

/// What is converted in one run.
pub(super) struct Inputs {
    pub(super) targets: Vec<(String, Target)>,
    /// JSON files of a folder that are not personas.
    pub(super) skipped: Vec<String>,
    /// Whether a folder of personas is among them.
    expanded: bool,
}

impl Inputs {
    /// The target, if it is one by itself.
    pub(super) fn single(&self) -> Option<&Target> {
        match self.targets.as_slice() {
            [(_, target)] if !self.expanded => Some(target),
            _ => None,
        }
    }
}

/// The targets that were typed. A folder without a soul that holds personas as JSON stands for each of them.
pub(super) fn expanded(typed: &[OsString]) -> Result<Inputs, Failure> {
    let mut inputs = Inputs { targets: Vec::new(), skipped: Vec::new(), expanded: false };
    for typed in typed {
        let shown = typed.to_string_lossy().into_owned();
        match personas_in(Path::new(typed)) {
            Some((personas, others)) => {
                inputs.expanded = true;
                let named = |name: &String| format!("{}/{name}", shown.trim_end_matches('/'));
                inputs.skipped.extend(others.iter().map(named));
                for path in personas.iter().map(named) {
                    let target = Target::Path(path.clone().into());
                    inputs.targets.push((path, target));
                }
            }
            None => inputs.targets.push((shown, input::target(typed)?)),
        }
    }
    Ok(inputs)
}

/// The personas among the JSON files of a folder that has no soul, and the other JSON files. A file that is not JSON is
/// listed with the personas, if there are any, and fails as one.
fn personas_in(folder: &Path) -> Option<(Vec<String>, Vec<String>)> {
    let has_soul = [SOUL_FILE, PERSONA_FILE].iter().chain(&MANIFESTS).any(|name| folder.join(name).exists());
    if has_soul || folder == OsStr::new("-") || !folder.is_dir() {
        return None;
    }
    let names = std::fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.to_ascii_lowercase().ends_with(".json")).collect();
    names.sort();
    let kinds: Vec<JsonFile> = names.iter().map(|name| JsonFile::at(&folder.join(name))).collect();
    let is_other = |(_, kind): &(String, &JsonFile)| **kind == JsonFile::Other;
    let (others, personas): (Vec<_>, Vec<_>) = names.into_iter().zip(&kinds).partition(is_other);
    let names = |files: Vec<(String, &JsonFile)>| files.into_iter().map(|(name, _)| name).collect();
    kinds.contains(&JsonFile::Persona).then(|| (names(personas), names(others)))
}

#[derive(PartialEq)]
enum JsonFile {
    Persona,
    Broken,
    Other,
}

impl JsonFile {
    /// Nothing but a persona has a prompt or traits at its top.
    fn at(path: &Path) -> Self {
        const KEYS: [&str; 3] = ["baseSystemPrompt", "personalityTraits", "hardLimits"];
        let is_small = path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= 1 << 20);
        let Some(bytes) = is_small.then(|| std::fs::read(path).ok()).flatten() else { return Self::Other };
        match serde_json::from_slice::<serde_json::Value>(&bytes) {
            Err(_) => Self::Broken,
            Ok(value) if KEYS.iter().any(|key| value.get(key).is_some()) => Self::Persona,
            Ok(_) => Self::Other,
        }
    }
}
