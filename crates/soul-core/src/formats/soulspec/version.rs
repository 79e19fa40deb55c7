use std::fmt;
use std::str::FromStr;

/// A version of the specification. The patch forms 0.5.1 to 0.5.3 read as 0.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum SpecVersion {
    /// Internal; `clawsoul.json`.
    V0_1,
    /// Internal; style, examples, modes.
    V0_2,
    /// The first public version: licences.
    #[default]
    V0_3,
    /// Frameworks, skills as objects, disclosure, lifecycle, embodied agents.
    V0_4,
    /// Sensors and actuators; from 0.5.1 safety laws.
    V0_5,
    /// Packs, rules, memory, registry.
    V0_6,
}

impl SpecVersion {
    #[allow(missing_docs)]
    pub const ALL: &'static [Self] = &[Self::V0_1, Self::V0_2, Self::V0_3, Self::V0_4, Self::V0_5, Self::V0_6];

    /// The number in the manifest.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V0_1 => "0.1",
            Self::V0_2 => "0.2",
            Self::V0_3 => "0.3",
            Self::V0_4 => "0.4",
            Self::V0_5 => "0.5",
            Self::V0_6 => "0.6",
        }
    }

    /// The version that is assumed for a manifest without `specVersion`, by its file name.
    pub(super) fn inferred(name: Option<&str>) -> Self {
        match name {
            Some("clawsoul.json") => Self::V0_2,
            _ => Self::V0_3,
        }
    }
}

impl fmt::Display for SpecVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SpecVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if matches!(text, "0.5.1" | "0.5.2" | "0.5.3") {
            return Ok(Self::V0_5);
        }
        let found = Self::ALL.iter().copied().find(|version| version.as_str() == text);
        found.ok_or_else(|| "the versions are 0.1 to 0.6".to_owned())
    }
}
