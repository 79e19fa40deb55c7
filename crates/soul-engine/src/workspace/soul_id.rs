use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::formats::dagu::is_id;

/// The id of a soul of the library, which is also the name of its file: checked when it is made.
///
/// ```
/// use soul_engine::workspace::SoulId;
/// assert!("concise-ops".parse::<SoulId>().is_ok());
/// assert!("../etc".parse::<SoulId>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(inline, extend("pattern" = "^[a-z0-9]+(-[a-z0-9]+)*$", "minLength" = 1, "maxLength" = 128))]
pub struct SoulId(String);

/// The text cannot be the id of a library soul.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a valid soul id", soul_core::text::shown(.0))]
pub struct BadSoulId(pub String);

/// How much of a name goes into an id; the rest is room for a number.
const LONGEST_SLUG: usize = 118;

impl SoulId {
    /// The soul that is taken when none is selected.
    pub const DEFAULT: &str = "default";

    /// The id of that soul.
    #[must_use]
    pub fn default_soul() -> Self {
        Self(Self::DEFAULT.to_owned())
    }

    /// The first id for a name that nobody has.
    pub(crate) fn for_name(name: &str, is_taken: impl Fn(&str) -> bool) -> Self {
        let mut slug = String::new();
        for c in name.chars() {
            match c.to_lowercase().next() {
                Some(c) if c.is_ascii_lowercase() || c.is_ascii_digit() => slug.push(c),
                _ if slug.is_empty() || slug.ends_with('-') => {}
                _ => slug.push('-'),
            }
        }
        slug.truncate(LONGEST_SLUG);
        slug.truncate(slug.trim_end_matches('-').len());
        if slug.is_empty() {
            slug.push_str("soul");
        }
        let numbered = (2_u64..).map(|number| format!("{slug}-{number}"));
        let free = std::iter::once(slug.clone()).chain(numbered).find(|id| !is_taken(id));
        Self(free.unwrap_or(slug))
    }

    /// The soul that a file of the library is, if its name is one for a soul.
    pub(crate) fn of_file(name: &str) -> Option<Self> {
        name.strip_suffix(".md").filter(|id| is_id(id)).map(|id| Self(id.to_owned()))
    }

    /// The name of its file.
    #[must_use]
    pub fn file(&self) -> String {
        format!("{}.md", self.0)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is the one that is taken when none is selected.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.0 == Self::DEFAULT
    }
}

impl TryFrom<String> for SoulId {
    type Error = BadSoulId;

    fn try_from(id: String) -> Result<Self, BadSoulId> {
        id.parse()
    }
}

impl FromStr for SoulId {
    type Err = BadSoulId;

    fn from_str(id: &str) -> Result<Self, Self::Err> {
        if is_id(id) { Ok(Self(id.to_owned())) } else { Err(BadSoulId(id.to_owned())) }
    }
}

impl fmt::Display for SoulId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_follows_from_the_name_and_always_fits_its_rule() {
        let id = |name: &str, taken: &[&str]| SoulId::for_name(name, |id| taken.contains(&id)).0;
        assert_eq!(id("Concise  Ops!", &[]), "concise-ops");
        assert_eq!(id("Concise Ops", &["concise-ops", "concise-ops-2"]), "concise-ops-3");
        assert_eq!(id("Café Bot", &[]), "caf-bot");
        assert_eq!(id("İstanbul", &[]), "istanbul");
        assert_eq!(id("海図", &[]), "soul");
        assert_eq!(id("", &["soul"]), "soul-2");
        assert_eq!(id(&format!("{} yyyy", "x".repeat(117)), &[]), "x".repeat(117));
        for name in ["-", "--a--", "\0", "ß", &"ab ".repeat(100), &"é".repeat(500), "K\u{212a}"] {
            for taken in [&[] as &[&str], &["soul", "a"]] {
                assert!(is_id(&id(name, taken)), "{name}");
            }
        }
    }
}
