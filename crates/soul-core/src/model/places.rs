use super::{Dialect, Field};

/// Where a dialect stores a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// A frontmatter key.
    Key(&'static str),
    /// A section with this title.
    Section(&'static str),
    /// The text before the first section.
    Top,
    /// The text after the frontmatter.
    Body,
    /// A companion file.
    File(&'static str),
    /// The name of the file itself.
    FileName,
}

/// How many values a place holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occurs {
    /// At most one.
    Once,
    /// A list.
    List,
    /// Named values.
    Map,
}

/// Where one dialect stores one field.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub dialect: Dialect,
    pub field: Field,
    pub at: At,
    pub occurs: Occurs,
}

const fn row(dialect: Dialect, field: Field, at: At, occurs: Occurs) -> Place {
    Place { dialect, field, at, occurs }
}

use At::{Body, File, FileName, Key, Section, Top};
use Dialect::{Agentos, Agh, Cantus, Dagu, Plain, Soulspec};
use Occurs::{List, Map, Once};

/// The table of dialect × field, in the order of emitted text.
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
    row(Agentos, Field::Name, Key("name"), Once),
    row(Agentos, Field::Id, Key("agentId"), Once),
    row(Agentos, Field::Role, Key("role"), Once),
    row(Agentos, Field::Trait, Key("hexaco"), Map),
    row(Agentos, Field::Voice, Key("voice"), Map),
    row(Agentos, Field::DefaultMood, Key("defaultMood"), Once),
    row(Agentos, Field::Mood, Key("allowedMoods"), List),
    row(Agentos, Field::Limit, Key("hardLimits"), List),
    row(Agentos, Field::Avatar, Key("avatar"), Map),
    row(Agentos, Field::Metadata, Key("metadata"), Map),
    row(Agentos, Field::Persona, Key("persona"), Map),
    row(Agentos, Field::Extra, Key("*"), Map),
    row(Agentos, Field::Body, Body, Once),
    row(Agentos, Field::Style, File("STYLE.md"), Once),
    row(Agentos, Field::Card, File("IDENTITY.md"), Once),
    row(Agentos, Field::Procedure, File("AGENTS.md"), Once),
    row(Agentos, Field::Memory, File("MEMORY.md"), Once),
    row(Agentos, Field::GoodExample, File("examples/good-outputs.md"), Once),
    row(Agentos, Field::BadExample, File("examples/bad-outputs.md"), Once),
    row(Agentos, Field::User, File("USER.md"), Once),
    row(Soulspec, Field::Id, Key("name"), Once),
    row(Soulspec, Field::Name, Key("displayName"), Once),
    row(Soulspec, Field::Version, Key("version"), Once),
    row(Soulspec, Field::Description, Key("description"), Once),
    row(Soulspec, Field::Tag, Key("tags"), List),
    row(Soulspec, Field::Manifest, Key("*"), Map),
    row(Soulspec, Field::Extra, Key("*"), Map),
    row(Soulspec, Field::Body, File("SOUL.md"), Once),
    row(Soulspec, Field::MustAlways, File("RULES.md"), List),
    row(Soulspec, Field::MustNever, File("RULES.md"), List),
    row(Soulspec, Field::Escalation, File("RULES.md"), List),
    row(Soulspec, Field::Style, File("STYLE.md"), Once),
    row(Soulspec, Field::Card, File("IDENTITY.md"), Once),
    row(Soulspec, Field::Procedure, File("AGENTS.md"), Once),
    row(Soulspec, Field::Memory, File("memory/MEMORY.md"), Once),
    row(Soulspec, Field::GoodExample, File("examples/good-outputs.md"), Once),
    row(Soulspec, Field::BadExample, File("examples/bad-outputs.md"), Once),
    row(Soulspec, Field::File, File("*"), Map),
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
    row(Dagu, Field::Extra, Key("*"), Map),
    row(Dagu, Field::Body, Body, Once),
    row(Plain, Field::Name, File("IDENTITY.md"), Once),
    row(Plain, Field::Id, File("IDENTITY.md"), Once),
    row(Plain, Field::Role, File("IDENTITY.md"), Once),
    row(Plain, Field::Description, File("IDENTITY.md"), Once),
    row(Plain, Field::Tag, File("IDENTITY.md"), List),
    row(Plain, Field::Avatar, File("IDENTITY.md"), Map),
    row(Plain, Field::Version, Key("version"), Once),
    row(Plain, Field::Extra, Key("*"), Map),
    row(Plain, Field::Body, Body, Once),
    row(Plain, Field::Tone, Section("Tone"), List),
    row(Plain, Field::Principle, Section("Principles"), List),
    row(Plain, Field::Limit, Section("Boundaries"), List),
    row(Plain, Field::MustAlways, Section("Always"), List),
    row(Plain, Field::MustNever, Section("Never"), List),
    row(Plain, Field::Escalation, Section("When to ask"), List),
    row(Plain, Field::Collaboration, Section("Working with others"), List),
    row(Plain, Field::Handoff, Section("Handing over"), List),
    row(Plain, Field::MemoryPolicy, Section("Memory policy"), List),
    row(Plain, Field::OutputFormat, Section("Output format"), List),
    row(Plain, Field::Section, Section("*"), Map),
    row(Plain, Field::Style, File("STYLE.md"), Once),
    row(Plain, Field::Card, File("IDENTITY.md"), Once),
    row(Plain, Field::Procedure, File("AGENTS.md"), Once),
    row(Plain, Field::Tool, File("TOOLS.md"), Once),
    row(Plain, Field::User, File("USER.md"), Once),
    row(Plain, Field::Memory, File("MEMORY.md"), Once),
    row(Plain, Field::GoodExample, File("examples/good-outputs.md"), Once),
    row(Plain, Field::BadExample, File("examples/bad-outputs.md"), Once),
    row(Plain, Field::File, File("*"), Map),
];

/// The place of a field in a dialect, if it has one.
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
