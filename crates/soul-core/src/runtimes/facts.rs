//! What is known about a runtime, each fact with its source.

use super::{Delivery, Session};

/// How the facts were obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// From the running package, case by case.
    Recorded,
    /// From its documentation; never compared with the running program.
    Documented,
    /// It is our own.
    Own,
}

impl Basis {
    /// The spelling in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Documented => "documented",
            Self::Own => "own",
        }
    }
}

/// What a runtime counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// UTF-16 code units, as JavaScript does.
    Utf16,
    /// Unicode code points, as Python does.
    CodePoints,
    /// Bytes of UTF-8.
    Bytes,
}

impl Unit {
    /// What a count is of.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Utf16 => "UTF-16 units",
            Self::CodePoints => "code points",
            Self::Bytes => "bytes",
        }
    }

    /// The length of a text.
    #[must_use]
    pub fn count(self, text: &str) -> usize {
        match self {
            Self::Utf16 => super::units::utf16_len(text),
            Self::CodePoints => super::units::code_points(text),
            Self::Bytes => text.len(),
        }
    }
}

/// A version whose behaviour is known.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy)]
pub struct Version {
    pub version: &'static str,
    pub source: &'static str,
}

/// A kind of session that is given its own selection of files.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    pub id: &'static str,
    pub meaning: &'static str,
    pub source: &'static str,
}

/// A file that the runtime reads, in the order of injection.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy)]
pub struct Reads {
    pub path: &'static str,
    pub meaning: &'static str,
    pub source: &'static str,
}

/// A limit.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The setting that changes it; empty if none does.
    pub setting: &'static str,
    pub value: u64,
    pub unit: Unit,
    /// What it is a limit of.
    pub per: &'static str,
    /// The versions that have it.
    pub versions: &'static str,
    pub source: &'static str,
}

/// Something that keeps text from the model.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    pub id: &'static str,
    pub meaning: &'static str,
    pub source: &'static str,
}

/// What a setting can be. What a runtime itself makes of a bad value, where that is known, is for its emulator: such a
/// setting takes any text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Any text.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    OneOf(&'static [&'static str]),
}

impl Takes {
    /// What is wrong with a value, as what it must be.
    #[must_use]
    pub fn refuses(self, value: &str) -> Option<String> {
        let value = value.trim();
        match self {
            Self::Text => None,
            Self::Number => {
                let number = value.replace('_', "").parse::<f64>().ok().filter(|number| number.is_finite());
                number.is_none().then(|| "a number".to_owned())
            }
            Self::Flag => {
                let known = matches!(value, "true" | "false" | "1" | "0" | "yes" | "no" | "on" | "off");
                (!known).then(|| "`true` or `false`".to_owned())
            }
            Self::OneOf(words) => (!words.contains(&value)).then(|| format!("one of {}", words.join(", "))),
        }
    }
}

/// A setting by the runtime's own name.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    pub name: &'static str,
    pub takes: Takes,
    pub meaning: &'static str,
    pub default: &'static str,
    pub source: &'static str,
}

/// A runtime: what it reads, and how it makes a prompt of it.
#[derive(Debug, Clone, Copy)]
pub struct Runtime {
    /// The name that selects it.
    pub id: &'static str,
    /// Its own name.
    pub name: &'static str,
    /// How the facts were obtained.
    pub basis: Basis,
    /// What it counts.
    pub unit: Unit,
    /// Where it looks for a persona, relative to its folder.
    pub soul_at: &'static str,
    /// What it needs before the text of a persona there.
    pub soul_opening: &'static str,
    /// Where it looks for memory; empty if nowhere.
    pub memory_at: &'static str,
    /// The known versions, newest first.
    pub versions: &'static [Version],
    /// The kinds of session, the ordinary one first.
    pub kinds: &'static [Kind],
    /// The files, in the order of injection.
    pub reads: &'static [Reads],
    /// The limits.
    pub limits: &'static [Limit],
    /// What keeps text from the model.
    pub rules: &'static [Rule],
    /// The settings.
    pub settings: &'static [Setting],
    /// The emulator.
    pub emulate: fn(&Session<'_>) -> Delivery,
}

impl Runtime {
    /// The newest known version that is not above another one.
    #[must_use]
    pub fn version(&self, wanted: Option<&str>) -> Option<&'static str> {
        let Some(wanted) = wanted else { return self.versions.first().map(|version| version.version) };
        let wanted = numbers(wanted)?;
        let not_above = |version: &&Version| {
            // `2026.9` is also what 2026.9.6 is.
            numbers(version.version).is_some_and(|numbers| numbers <= wanted)
        };
        self.versions.iter().find(not_above).map(|version| version.version)
    }

    /// A kind of session by its name.
    #[must_use]
    pub fn kind(&self, id: &str) -> Option<&'static str> {
        self.kinds.iter().find(|kind| kind.id == id).map(|kind| kind.id)
    }

    /// A rule by its name.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&'static Rule> {
        self.rules.iter().find(|rule| rule.id == id)
    }
}

fn numbers(version: &str) -> Option<Vec<u64>> {
    // A number that is larger than any version is above all of them; `6-beta` is 6.
    let number = |part: &str| {
        let digits = &part[..part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len())];
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    };
    version.trim_start_matches('v').split('.').map(number).collect()
}
