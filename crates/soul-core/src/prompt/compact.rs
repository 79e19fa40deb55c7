use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::model::{Field, Soul};
use crate::prompt::Persona;

/// Whether an agent's soul can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ValidationStatus", transform = crate::schema::spellings))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// There is no soul.
    Missing,
    /// The soul has errors.
    Invalid,
    /// The soul is valid but disabled.
    Inactive,
    /// The soul is valid and in use.
    Valid,
}

/// A soul in a few hundred bytes, for clients that need to know which soul it is without reading it. It
/// never contains the body.
///
/// The first seven keys are always present; the others are dropped when they do not fit the size limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CompactContext"))]
pub struct Compact {
    /// Whether souls are enabled.
    pub enabled: bool,
    /// Whether the agent has a soul.
    pub present: bool,
    /// Digest of the soul's meaning.
    pub digest: Option<Digest>,
    /// Path of the soul's file.
    pub source_path: String,
    /// The agent's role.
    pub role: String,
    /// Whether anything was dropped to fit the size limit.
    pub truncated: bool,
    /// Snapshot that the soul was read from; null if it was read from a file.
    pub snapshot_id: Option<String>,
    /// Whether the soul is part of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Whether the soul has no errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid: Option<bool>,
    /// `present`, `valid` and `active` in one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_status: Option<Status>,
    /// The agent's tone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tone: Option<Vec<String>>,
    /// The agent's principles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principles: Option<Vec<String>>,
    /// Traits and mood, if the soul defines any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<Persona>,
}

impl Compact {
    /// Adds role, tone, principles and persona of a soul.
    #[must_use]
    pub fn with_soul(self, soul: &Soul) -> Self {
        let list = |field| soul.texts(field).map(str::to_owned).collect();
        Self {
            role: soul.texts(Field::Role).next().unwrap_or_default().to_owned(),
            tone: Some(list(Field::Tone)),
            principles: Some(list(Field::Principle)),
            ..self
        }
    }

    /// Drops values until the JSON has at most `budget` bytes: the persona first, then principles and tones from
    /// the end, the end of the role, the optional keys, the path and finally the digest.
    ///
    /// Every byte is counted once, so that this takes linear time.
    #[must_use]
    pub fn within(mut self, budget: usize) -> Self {
        let mut size = self.size();
        if size <= budget {
            return self;
        }
        // `true` is a byte shorter than `false`; that byte is no room, or nothing might give way.
        self.truncated = true;
        if self.persona.take().is_some() {
            size = self.size();
        }
        for list in [&mut self.principles, &mut self.tone].into_iter().flatten() {
            while size > budget
                && let Some(item) = list.pop()
            {
                size -= string_size(&item) + usize::from(!list.is_empty());
            }
        }
        while size > budget
            && let Some(last) = self.role.pop()
        {
            size -= char_size(last);
        }
        let optional: [fn(&mut Self); 5] = [
            |compact| compact.principles = None,
            |compact| compact.tone = None,
            |compact| compact.validation_status = None,
            |compact| compact.valid = None,
            |compact| compact.active = None,
        ];
        let last: [fn(&mut Self); 2] = [|compact| compact.source_path.clear(), |compact| compact.digest = None];
        for give_way in optional.into_iter().chain(last) {
            if self.size() <= budget {
                break;
            }
            give_way(&mut self);
        }
        self
    }

    fn size(&self) -> usize {
        // Strings, numbers and booleans only: nothing that could fail to be written.
        serde_json::to_vec(self).map_or(0, |json| json.len())
    }
}

/// How many bytes a string takes in JSON, with its quotes.
fn string_size(text: &str) -> usize {
    2 + text.chars().map(char_size).sum::<usize>()
}

fn char_size(character: char) -> usize {
    match character {
        '"' | '\\' | '\u{8}' | '\t' | '\n' | '\u{c}' | '\r' => 2,
        '\0'..='\u{1f}' => 6,
        character => character.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn compact(role: &str, tone: Vec<String>, principles: Vec<String>) -> Compact {
        Compact {
            enabled: true,
            present: true,
            digest: Some(Digest::of([b"x".as_slice()])),
            source_path: "agents/reviewer/SOUL.md".to_owned(),
            role: role.to_owned(),
            truncated: false,
            snapshot_id: Some("snap_01JC0000000000000000000000".to_owned()),
            active: Some(true),
            valid: Some(true),
            validation_status: Some(Status::Valid),
            tone: Some(tone),
            principles: Some(principles),
            persona: None,
        }
    }

    #[test]
    fn what_fits_stays_whole() {
        let whole = compact("Guide", vec!["calm".into()], vec!["Cite.".into()]);
        assert_eq!(whole.clone().within(2048), whole);
        assert_eq!(whole.clone().within(whole.size()), whole);
    }

    #[test]
    fn the_last_of_the_least_gives_way_first() {
        let whole = compact("Guide", vec!["calm".into(), "dry".into()], vec!["Cite.".into(), "Ask.".into()]);
        let size = whole.size();
        let less = whole.clone().within(size - 2);
        assert!(less.truncated);
        assert_eq!(less.principles.unwrap(), ["Cite."]);
        let least = whole.within(256);
        assert_eq!((least.role.as_str(), &least.tone, &least.principles), ("", &None, &None));
        assert_eq!(least.source_path, "agents/reviewer/SOUL.md");
        assert!(least.digest.is_some());
    }

    #[test]
    fn a_budget_for_nothing_leaves_the_seven_keys() {
        let json = serde_json::to_value(compact("Guide", vec![], vec![]).within(8)).unwrap();
        let keys: Vec<_> = json.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["enabled", "present", "digest", "source_path", "role", "truncated", "snapshot_id"]);
    }

    proptest! {
        #[test]
        fn never_more_than_the_budget(
            role in ".{0,400}", tone in proptest::collection::vec(".{0,40}", 0..6),
            principles in proptest::collection::vec(".{0,90}", 0..9), budget in 256usize..1200,
        ) {
            let whole = compact(&role, tone, principles);
            let fitted = whole.clone().within(budget);
            prop_assert!(fitted.size() <= budget);
            prop_assert_eq!(fitted.truncated, whole.size() > budget);
            let untruncated = Compact { truncated: false, ..fitted.clone() };
            prop_assert_eq!(untruncated == whole, !fitted.truncated);
        }
    }
}
