use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The file format that a soul is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = crate::schema::spellings))]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Strict YAML frontmatter and a Markdown body; unknown fields are errors.
    Agh,
    /// A workspace of six files, with frontmatter that defines a persona.
    Agentos,
    /// Six H2 sections.
    Cantus,
    /// A library file with a name, a description and Markdown content.
    Dagu,
    /// A package: a manifest (`soul.json`) and the files that it names.
    Soulspec,
    /// Free Markdown, as in an OpenClaw workspace, with the files beside it.
    Plain,
}

impl Dialect {
    #[allow(missing_docs)]
    pub const ALL: &'static [Self] = &[Self::Agh, Self::Agentos, Self::Soulspec, Self::Cantus, Self::Dagu, Self::Plain];

    #[allow(missing_docs)]
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agh => "agh",
            Self::Agentos => "agentos",
            Self::Cantus => "cantus",
            Self::Dagu => "dagu",
            Self::Soulspec => "soulspec",
            Self::Plain => "plain",
        }
    }

    /// Joins an identity text and a base prompt in the dialect's order, separated as the dialect does.
    #[must_use]
    pub fn join(self, identity: &str, base: &str) -> String {
        if !self.base_comes_first() {
            return format!("{identity}\n\n{base}");
        }
        // One blank line, some of which the base may bring along.
        let gap = match base {
            "" => "",
            base if base.ends_with("\n\n") => "",
            base if base.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        format!("{base}{gap}{identity}")
    }

    /// Whether the base prompt comes before the identity text.
    #[must_use]
    pub const fn base_comes_first(self) -> bool {
        matches!(self, Self::Agh)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An unknown dialect name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownDialect(pub String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no dialect `{}`", self.0)
    }
}

impl std::error::Error for UnknownDialect {}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|dialect| dialect.as_str() == name).ok_or_else(|| UnknownDialect(name.into()))
    }
}
