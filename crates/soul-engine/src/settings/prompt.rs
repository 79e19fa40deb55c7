use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Layer, Origin, Setting};
use crate::workspace::WORKSPACE_FOLDER;

/// `[prompt]`: what the operator adds to every full prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PromptSettings {
    /// The text of each slot that a file sets.
    pub slots: BTreeMap<Slot, SlotSetting>,
}

/// A part of the full prompt that the runtime fills, and no soul.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "PromptSlot")]
pub enum Slot {
    /// The environment that the agent runs in.
    Environment,
    /// The tools that the agent can use.
    Tools,
    /// The workflows that the agent should follow.
    Workflows,
    /// The schema of the data that the agent reads or returns.
    Schema,
}

impl Slot {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Environment, Self::Tools, Self::Workflows, Self::Schema];

    /// Its key, its option and its layer.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Environment => "environment",
            Self::Tools => "tools",
            Self::Workflows => "workflows",
            Self::Schema => "schema",
        }
    }
}

/// What a slot is filled with, and which file says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotSetting {
    /// The text, or where it is.
    pub text: SlotText,
    /// The file that sets it.
    pub origin: Origin,
}

/// The text of a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlotText {
    /// The text itself.
    Text(String),
    /// A file: the folder of `config.toml`, which the file may not leave, and the path in it.
    File(PathBuf, PathBuf),
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    environment: Option<Value>,
    tools: Option<Value>,
    workflows: Option<Value>,
    schema: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text, or `{ file = \"NAME\" }`")]
enum Value {
    Text(String),
    File(FileValue),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileValue {
    file: PathBuf,
}

impl PromptSettings {
    pub(super) fn layered(layers: &mut [Layer<'_>], origins: &mut Vec<Setting>) -> Result<Self, Error> {
        let mut slots = BTreeMap::new();
        for Layer { origin, folder, file } in layers {
            let Table { environment, tools, workflows, schema } = std::mem::take(&mut file.prompt);
            for (slot, value) in Slot::ALL.into_iter().zip([environment, tools, workflows, schema]) {
                let Some(value) = value else { continue };
                let text = match value {
                    Value::Text(text) => SlotText::Text(text),
                    Value::File(FileValue { file }) => {
                        let is_inside = file.components().all(|part| matches!(part, Component::Normal(_)));
                        if !is_inside || file.as_os_str().is_empty() {
                            let key = slot.as_str();
                            let message = format!("prompt.{key}: the file must be in the folder of {}", super::FILE);
                            return Err(Error::Refused(*origin, message));
                        }
                        SlotText::File(own_folder(*origin, folder), file)
                    }
                };
                slots.insert(slot, SlotSetting { text, origin: *origin });
            }
        }
        origins.extend(slots.iter().map(|(slot, setting)| Setting {
            key: format!("prompt.{}", slot.as_str()).into(),
            value: match &setting.text {
                SlotText::Text(text) => shortened(text),
                SlotText::File(_, file) => format!("{{ file = {:?} }}", file.to_string_lossy()),
            },
            origin: setting.origin,
        }));
        Ok(Self { slots })
    }
}

/// The folder that `config.toml` is in.
fn own_folder(origin: Origin, base: &Path) -> PathBuf {
    match origin {
        Origin::Workspace => base.join(WORKSPACE_FOLDER),
        Origin::Home | Origin::Default | Origin::Environment => base.to_owned(),
    }
}

/// The beginning of a text, as TOML.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Roots, Settings};
    use super::*;

    #[test]
    fn a_slot_is_a_text_or_a_file_beside_the_config() {
        let settings =
            Settings::parse("[prompt]\nenvironment = \"Linux\"\nschema = { file = \"out/schema.json\" }\n").unwrap();
        let slots = &settings.prompt.slots;
        assert_eq!(slots[&Slot::Environment].text, SlotText::Text("Linux".into()));
        assert_eq!(slots[&Slot::Schema].text, SlotText::File("".into(), "out/schema.json".into()));
        let shown: Vec<_> = settings.origins.iter().map(|said| (&*said.key, &*said.value)).collect();
        assert_eq!(shown, [("prompt.environment", "\"Linux\""), ("prompt.schema", "{ file = \"out/schema.json\" }")]);
    }

    #[test]
    fn what_is_invalid_is_refused() {
        let error = |text: &str| Settings::parse(&format!("[prompt]\n{text}")).unwrap_err().to_string();
        for file in ["../x.md", "/etc/passwd", "a/../../x", ""] {
            assert!(error(&format!("tools = {{ file = {file:?} }}")).contains("prompt.tools: the file must be in"));
        }
        assert!(error("tools = 7").contains("expected a text, or `{ file = \"NAME\" }`"));
        assert!(error("tools = { path = \"x\" }").contains("expected a text"));
        assert!(error("tool = \"x\"").contains("tool"));
    }

    #[test]
    fn the_workspace_overrides_the_home_slot_by_slot() {
        let root = tempfile::tempdir().unwrap();
        let (home, workspace) = (root.path().join("home"), root.path().join("team"));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::create_dir_all(workspace.join(".soul")).unwrap();
        std::fs::write(home.join("config.toml"), "[prompt]\ntools = \"a\"\nschema = \"b\"\n").unwrap();
        let ours = workspace.join(".soul");
        std::fs::write(ours.join("config.toml"), "[prompt]\ntools = { file = \"tools.md\" }\n").unwrap();
        let roots = Roots { workspace: Some(workspace), home: Some(home), user: None };
        let slots = Settings::load(&roots).unwrap().prompt.slots;
        assert_eq!(slots[&Slot::Schema].origin, Origin::Home);
        assert_eq!(slots[&Slot::Tools].text, SlotText::File(ours, "tools.md".into()));
    }
}
