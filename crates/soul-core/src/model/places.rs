use super::{Dialect, Field};

/// Where a dialect keeps a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// A key of the frontmatter.
    Key(&'static str),
    /// A section with this title.
    Section(&'static str),
    /// Before the first section.
    Top,
    /// The text after the frontmatter.
    Body,
    /// The file's own name.
    FileName,
}

/// How often a field may stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occurs {
    /// Once at most.
    Once,
    /// As a list.
    List,
}

/// Where, and how often, one dialect keeps one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The dialect.
    pub dialect: Dialect,
    /// The field.
    pub field: Field,
    /// Where it stands.
    pub at: At,
    /// How often.
    pub occurs: Occurs,
}

const fn row(dialect: Dialect, field: Field, at: At, occurs: Occurs) -> Place {
    Place { dialect, field, at, occurs }
}

use At::{Body, FileName, Key, Section, Top};
use Dialect::{Agh, Cantus, Dagu};
use Occurs::{List, Once};

/// Dialect × field: where each field stands, in the order in which a fresh text has them.
pub const PLACES: &[Place] = &[
    row(Agh, Field::Version, Key("version"), Once),
    row(Agh, Field::Role, Key("role"), Once),
    row(Agh, Field::Tone, Key("tone"), List),
    row(Agh, Field::Principle, Key("principles"), List),
    row(Agh, Field::Limit, Key("constraints"), List),
    row(Agh, Field::Collaboration, Key("collaboration"), List),
    row(Agh, Field::MemoryPolicy, Key("memory_policy"), List),
    row(Agh, Field::Tag, Key("tags"), List),
    row(Agh, Field::Body, Body, Once),
    row(Cantus, Field::Preamble, Top, Once),
    row(Cantus, Field::Role, Section("Name & Role"), Once),
    row(Cantus, Field::Tone, Section("Personality"), Once),
    row(Cantus, Field::Limit, Section("Rules"), Once),
    row(Cantus, Field::Tool, Section("Tools"), Once),
    row(Cantus, Field::OutputFormat, Section("Output format"), Once),
    row(Cantus, Field::Handoff, Section("Handoffs"), Once),
    row(Dagu, Field::Id, FileName, Once),
    row(Dagu, Field::Name, Key("name"), Once),
    row(Dagu, Field::Description, Key("description"), Once),
    row(Dagu, Field::Body, Body, Once),
];

/// Where a dialect keeps a field, if it has one.
#[must_use]
pub fn place(dialect: Dialect, field: Field) -> Option<&'static Place> {
    PLACES.iter().find(|place| place.dialect == dialect && place.field == field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_has_two_places_and_every_dialect_has_some() {
        for dialect in Dialect::ALL {
            assert!(PLACES.iter().any(|place| place.dialect == *dialect), "{dialect}");
            for field in Field::ALL {
                let count = PLACES.iter().filter(|place| place.dialect == *dialect && place.field == *field).count();
                assert!(count <= 1, "{dialect} {field}");
            }
        }
    }
}
