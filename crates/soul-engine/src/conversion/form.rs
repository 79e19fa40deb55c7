use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use soul_core::model::{At, Dialect, Field, place};

/// What a soul can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A dialect of SOUL.md.
    Dialect(Dialect),
    /// The persona of an agentos soul, as JSON.
    PersonaJson,
}

impl Form {
    /// The name, as it is typed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dialect(dialect) => dialect.as_str(),
            Self::PersonaJson => "persona-json",
        }
    }

    /// The dialect whose fields it has.
    pub(crate) const fn dialect(self) -> Dialect {
        match self {
            Self::Dialect(dialect) => dialect,
            Self::PersonaJson => Dialect::Agentos,
        }
    }

    /// Whether it is a folder, in which other files have their place.
    #[must_use]
    pub const fn is_folder(self) -> bool {
        match self {
            Self::Dialect(Dialect::Agh | Dialect::Agentos | Dialect::Soulspec | Dialect::Plain) => true,
            Self::Dialect(Dialect::Cantus | Dialect::Dagu) | Self::PersonaJson => false,
        }
    }

    /// How a file of this form ends that is named for its soul.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::PersonaJson => "json",
            Self::Dialect(_) => "md",
        }
    }

    /// Where a field stands, in a few words.
    pub(crate) fn standing(self, field: Field) -> Option<String> {
        if self == Self::PersonaJson {
            let key = match field {
                Field::Id => "id",
                Field::Name => "name",
                Field::Role => "description",
                Field::Trait => "personalityTraits",
                Field::DefaultMood | Field::Mood => "moodAdaptation",
                Field::Voice => "voiceConfig",
                Field::Avatar => "avatarConfig",
                Field::Limit => "hardLimits",
                Field::Metadata => "metadata",
                Field::Body => "baseSystemPrompt",
                Field::Extra | Field::Manifest | Field::Persona => return Some("its own fields".to_owned()),
                _ => return None,
            };
            return Some(format!("`{key}`"));
        }
        Some(match place(self.dialect(), field)?.at {
            At::Key("*") => "its own key".to_owned(),
            At::Key(key) if self == Self::Dialect(Dialect::Soulspec) => format!("`{key}`"),
            At::Key(key) => format!("`{key}:`"),
            At::Section("*") => "a section of its own".to_owned(),
            At::Section(title) => format!("`## {title}`"),
            At::Top => "before the sections".to_owned(),
            At::Body => "the body".to_owned(),
            At::File("*") => "a file of its own".to_owned(),
            At::File(name) => name.to_owned(),
            At::FileName => "the file's name".to_owned(),
        })
    }
}

impl JsonSchema for Form {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Form".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.as_str()).chain(["persona-json"]).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        if typed == Self::PersonaJson.as_str() {
            return Ok(Self::PersonaJson);
        }
        typed.parse().map(Self::Dialect).map_err(|_| {
            let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.as_str()).collect();
            format!("a soul can become {} or persona-json", names.join(", "))
        })
    }
}
