//! The sigil of a soul: a flower of six petals, one for each part of what the soul says. A part that changes turns its
//! own petal and no other; a part of which nothing is written is a dot.
//!
//! ```
//! use soul_core::formats::{self, Context};
//! use soul_core::model::Dialect;
//! use soul_core::sigil::{Part, Parts};
//!
//! let parts = |text: &str| Parts::of(&formats::parse(text.into(), Dialect::Agh, &Context::default()).document.soul());
//! let before = parts("---\nrole: Guide\nconstraints: [Never guess]\n---\nYou show the way.\n");
//! let after = parts("---\nrole: Guide\nconstraints: [Never lie]\n---\nYou show the way.\n");
//! assert_eq!(after.changed_since(&before), [Part::Limits]);
//! ```

mod colour;
mod petal;
mod svg;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::digest::Digest;
use crate::model::{Field, Item, Soul};

pub use colour::{HUES, hue};
pub use petal::{Cut, Edge, Mark, Petal};
pub use svg::{Drawing, Rim, Shape, Theme};

/// A part of what a soul says: one petal of its sigil.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SoulPart", transform = crate::schema::spellings))]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Who the agent is, at twelve o'clock.
    Identity,
    /// How it sounds, at two.
    Voice,
    /// What it leans towards, at four.
    Values,
    /// What it must and must not do, at six.
    Limits,
    /// How it works, at eight.
    Work,
    /// Everything else that it is told, at ten.
    Prose,
}

impl Part {
    /// Every part, clockwise from the top.
    pub const ALL: [Self; 6] = [Self::Identity, Self::Voice, Self::Values, Self::Limits, Self::Work, Self::Prose];

    /// The spelling in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Voice => "voice",
            Self::Values => "values",
            Self::Limits => "limits",
            Self::Work => "work",
            Self::Prose => "prose",
        }
    }

    /// The letter that stands for the part where there is no room for a petal. `A` is values, because voice has the `V`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Identity => 'I',
            Self::Voice => 'V',
            Self::Values => 'A',
            Self::Limits => 'L',
            Self::Work => 'W',
            Self::Prose => 'P',
        }
    }

    /// The part that a field belongs to. What an agent remembers and whom it works for are in none: they change without
    /// the soul being another.
    #[must_use]
    pub const fn of_field(field: Field) -> Option<Self> {
        Some(match field {
            Field::Id
            | Field::Name
            | Field::Role
            | Field::Description
            | Field::Version
            | Field::Card
            | Field::Avatar
            | Field::Tag
            | Field::Metadata
            | Field::Manifest => Self::Identity,
            Field::Tone
            | Field::Style
            | Field::Voice
            | Field::OutputFormat
            | Field::DefaultMood
            | Field::Mood
            | Field::GoodExample
            | Field::BadExample => Self::Voice,
            Field::Principle | Field::Trait | Field::Persona => Self::Values,
            Field::Limit | Field::MustAlways | Field::MustNever | Field::Escalation => Self::Limits,
            Field::Collaboration
            | Field::Handoff
            | Field::MemoryPolicy
            | Field::Tool
            | Field::Procedure
            | Field::File => Self::Work,
            Field::Body | Field::Preamble | Field::Section | Field::Extra => Self::Prose,
            Field::Memory | Field::User => return None,
        })
    }

    fn of_item(item: &Item) -> Option<Self> {
        let is_memory = item.field == Field::File
            && match &item.value {
                crate::model::Value::Entry { key, .. } => key.starts_with(MEMORY_FOLDER),
                value => value.as_text().is_some_and(|path| path.starts_with(MEMORY_FOLDER)),
            };
        if is_memory { None } else { Self::of_field(item.field) }
    }
}

/// Files of a package below this folder are what the agent remembers.
const MEMORY_FOLDER: &str = "memory/";

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The digest of each part of a soul: what its sigil is drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SoulParts"))]
pub struct Parts {
    /// Who the agent is; null if nothing of it is written.
    pub identity: Option<Digest>,
    /// How it sounds.
    pub voice: Option<Digest>,
    /// What it leans towards.
    pub values: Option<Digest>,
    /// What it must and must not do.
    pub limits: Option<Digest>,
    /// How it works.
    pub work: Option<Digest>,
    /// Everything else that it is told.
    pub prose: Option<Digest>,
}

impl Parts {
    /// The parts of a soul. A part's digest is that of its items, `[[field, value], …]` in their order, as canonical JSON
    /// (RFC 8785).
    #[must_use]
    pub fn of(soul: &Soul) -> Self {
        let digest = |part: Part| {
            let items = soul.items.iter().filter(|item| Part::of_item(item) == Some(part));
            let items: Vec<_> = items.map(|item| json!([item.field, item.value])).collect();
            // A `Value` has string keys and finite numbers only, which is all that could go wrong.
            let written = serde_json_canonicalizer::to_vec(&items).unwrap_or_default();
            (!items.is_empty()).then(|| Digest::of([&*written]))
        };
        let [identity, voice, values, limits, work, prose] = Part::ALL.map(digest);
        Self { identity, voice, values, limits, work, prose }
    }

    /// The digest of a part; none if nothing of it is written.
    #[must_use]
    pub const fn get(&self, part: Part) -> Option<Digest> {
        match part {
            Part::Identity => self.identity,
            Part::Voice => self.voice,
            Part::Values => self.values,
            Part::Limits => self.limits,
            Part::Work => self.work,
            Part::Prose => self.prose,
        }
    }

    /// The parts that differ from those of an earlier text.
    #[must_use]
    pub fn changed_since(&self, before: &Self) -> Vec<Part> {
        Part::ALL.into_iter().filter(|part| self.get(*part) != before.get(*part)).collect()
    }
}

/// The first bytes of a digest of this text.
fn first_byte(text: &str) -> u8 {
    Sha256::digest(text.as_bytes())[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Context, parse};
    use crate::model::{Dialect, Value};
    use crate::text::Span;

    const REVIEWER: &str = include_str!("../../../../examples/reviewer/SOUL.md");

    fn parts(text: &str) -> Parts {
        Parts::of(&parse(text.into(), Dialect::Agh, &Context::default()).document.soul())
    }

    #[test]
    fn the_reviewer_has_these_petals() {
        let parts = parts(REVIEWER);
        let seen: Vec<_> = Part::ALL
            .into_iter()
            .map(|part| {
                let digest = parts.get(part).unwrap();
                let petal = Petal::of(&digest);
                (
                    part.as_str(),
                    digest.to_string()["sha256:".len()..][..8].to_owned(),
                    petal.reach,
                    petal.edge,
                    petal.cut,
                )
            })
            .collect();
        let expected = [
            ("identity", "d07720cb", 20.5, Edge::Slim, Cut::Slit),
            ("voice", "55869fbd", 20.5, Edge::Cleft, Cut::Chevron),
            ("values", "2e46ff15", 26.5, Edge::Cleft, Cut::Chevron),
            ("limits", "d0ce3b06", 20.5, Edge::Cleft, Cut::Arc),
            ("work", "04b504a1", 26.5, Edge::Pointed, Cut::None),
            ("prose", "10ce9d5c", 20.5, Edge::Slim, Cut::Dot),
        ];
        assert_eq!(seen, expected.map(|(part, digest, reach, edge, cut)| (part, digest.to_owned(), reach, edge, cut)));
    }

    #[test]
    fn a_change_turns_the_petal_of_its_part_alone() {
        let before = parts(REVIEWER);
        for (old, new, part) in [
            ("Senior Reviewer", "Reviewer", Part::Identity),
            ("- calm", "- dry", Part::Voice),
            ("Name the file", "Name the place", Part::Values),
            ("Never approve", "Never merge", Part::Limits),
            ("Ask before", "Say before", Part::Work),
            ("without theatre", "without drama", Part::Prose),
        ] {
            assert_eq!(parts(&REVIEWER.replace(old, new)).changed_since(&before), [part], "{new}");
        }
        assert_eq!(parts(&REVIEWER.replace("version: 1\n", "version: 1 # first\n")), before, "a comment says nothing");
    }

    #[test]
    fn memory_and_user_are_in_no_petal() {
        let of = |items| Parts::of(&Soul { items });
        let entry = |path: &str| {
            Item::new(Field::File, Value::Entry { key: path.to_owned(), value: 1.into() }, Span::new(0, 0))
        };
        let memory = Item::text(Field::Memory, "Deploys are on Mondays.", Span::new(0, 0));
        let user = Item::text(Field::User, "Sam", Span::new(0, 0));
        assert_eq!(of(vec![memory, user, entry("memory/2026.md")]), Parts::default());
        assert_ne!(of(vec![entry("skills/search.md")]).work, None);
        let every = Field::ALL.iter().filter(|field| Part::of_field(**field).is_none()).collect::<Vec<_>>();
        assert_eq!(every, [&Field::Memory, &Field::User]);
    }
}
