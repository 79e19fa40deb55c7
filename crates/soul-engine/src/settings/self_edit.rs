//! `self_edit` and `protect` of `[agents.soul]`: what an agent may do to its own soul. A workspace can only make both
//! stricter than the home: it is a repository of others, and the agent may be the one that writes to it.

use serde::Deserialize;
use soul_core::model::Field;

use super::{Origin, Setting};

/// What becomes of a change that an agent wants to make to its own soul.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfEditSettings {
    /// Whether it may propose one, and whether some are accepted at once.
    pub self_edit: SelfEdit,
    /// What only a person may change: names of fields or headings, `limits` or `identity`.
    pub protect: Vec<String>,
}

/// What an agent may do to its own soul. It never writes it directly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SelfEdit {
    /// It may propose changes; those that only add style, tone or memory policy are accepted at once.
    Additive,
    /// It may propose changes, and a person decides.
    #[default]
    Propose,
    /// It may not even propose.
    Refuse,
}

impl SelfEdit {
    /// The name in `config.toml`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Additive => "additive",
            Self::Propose => "propose",
            Self::Refuse => "refuse",
        }
    }
}

/// What is protected unless the home says otherwise.
const PROTECTED: [&str; 2] = ["limits", "identity"];

impl Default for SelfEditSettings {
    fn default() -> Self {
        Self { self_edit: SelfEdit::default(), protect: PROTECTED.map(str::to_owned).to_vec() }
    }
}

/// What one file says.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    pub(super) self_edit: Option<SelfEdit>,
    pub(super) protect: Option<Vec<String>>,
}

impl SelfEditSettings {
    pub(super) fn layered(files: impl Iterator<Item = (Origin, Said)>, origins: &mut Vec<Setting>) -> Self {
        let mut settings = Self::default();
        let (mut chosen, mut protected) = (None, None);
        for (origin, Said { self_edit, protect }) in files {
            let is_home = origin == Origin::Home;
            if let Some(self_edit) = self_edit.filter(|own| is_home || *own > settings.self_edit) {
                (settings.self_edit, chosen) = (self_edit, Some(origin));
            }
            let Some(names) = protect else { continue };
            protected = Some(origin);
            if is_home {
                settings.protect.clear();
            }
            let new: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
            settings.protect.extend(new.into_iter().filter(|name| !name.is_empty()));
        }
        settings.protect.dedup();
        let said = [
            ("agents.soul.self_edit", chosen.map(|origin| (format!("{:?}", settings.self_edit.as_str()), origin))),
            ("agents.soul.protect", protected.map(|origin| (format!("{:?}", settings.protect), origin))),
        ];
        origins.extend(
            said.into_iter()
                .filter_map(|(key, said)| said.map(|(value, origin)| Setting { key: key.into(), value, origin })),
        );
        settings
    }

    /// The name under which a field is protected, if it is.
    #[must_use]
    pub fn protecting(&self, field: Field) -> Option<&str> {
        self.protect.iter().map(String::as_str).find(|name| match *name {
            "limits" => matches!(field, Field::Limit | Field::MustAlways | Field::MustNever | Field::Escalation),
            "identity" => {
                matches!(
                    field,
                    Field::Id | Field::Name | Field::Role | Field::Description | Field::Card | Field::Persona
                )
            }
            name => name == field.as_str(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FILE, Settings};
    use super::*;
    use crate::workspace::Roots;

    #[test]
    fn a_workspace_can_only_be_stricter() {
        let root = tempfile::tempdir().unwrap();
        let (home, workspace) = (root.path().join("home"), root.path().join("team"));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::create_dir_all(workspace.join(".soul")).unwrap();
        let roots = Roots { workspace: Some(workspace.clone()), home: Some(home.clone()), user: None };
        let load = |of_home: &str, of_workspace: &str| {
            std::fs::write(home.join(FILE), format!("[agents.soul]\n{of_home}\n")).unwrap();
            std::fs::write(workspace.join(".soul").join(FILE), format!("[agents.soul]\n{of_workspace}\n")).unwrap();
            Settings::load(&roots).unwrap().self_edit
        };
        assert_eq!(load("", ""), SelfEditSettings::default());
        assert_eq!(load("", "self_edit = \"additive\"").self_edit, SelfEdit::Propose);
        assert_eq!(load("self_edit = \"additive\"", "").self_edit, SelfEdit::Additive);
        assert_eq!(load("self_edit = \"additive\"", "self_edit = \"refuse\"").self_edit, SelfEdit::Refuse);
        assert_eq!(load("self_edit = \"refuse\"", "self_edit = \"propose\"").self_edit, SelfEdit::Refuse);
        assert_eq!(load("protect = [\"tone\"]", "protect = [\"Style\"]").protect, ["tone", "Style"]);
        assert_eq!(load("", "protect = []").protect, ["limits", "identity"]);
        assert_eq!(load("", "").protecting(Field::MustNever), Some("limits"));
        assert_eq!(load("", "").protecting(Field::Tone), None);
    }
}
