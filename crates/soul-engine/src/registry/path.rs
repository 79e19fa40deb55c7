//! Paths of files in packages, checked when they are made.

use std::borrow::Borrow;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::text::shown;
use unicode_normalization::UnicodeNormalization;

use crate::files::is_staging;

/// The longest path, and the longest part of one: both fit into every archive and every file system.
const MAX_PATH: usize = 240;
const MAX_PART: usize = 100;

/// The path of a file in a package: relative, with `/` between its parts, and harmless on every system. It cannot be
/// absolute, lead out of the package, name a device or a hidden file, or hide a separator.
///
/// ```
/// use soul_engine::registry::PackagePath;
/// assert!("skills/review/SKILL.md".parse::<PackagePath>().is_ok());
/// assert!("../SOUL.md".parse::<PackagePath>().is_err());
/// assert!("skills%2f..%2f..%2fSOUL.md".parse::<PackagePath>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct PackagePath(String);

/// The text cannot be the path of a file in a package.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a path in a package: {why}", shown(.path))]
pub struct BadPath {
    path: String,
    why: &'static str,
}

impl PackagePath {
    /// The path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first part, if others follow.
    #[must_use]
    pub fn folder(&self) -> Option<&str> {
        self.0.split_once('/').map(|(folder, _)| folder)
    }

    /// What a file system that ignores case and the way accents are written would take it for.
    pub(crate) fn folded(&self) -> String {
        self.0.nfkc().flat_map(char::to_lowercase).nfkc().collect()
    }
}

impl FromStr for PackagePath {
    type Err = BadPath;

    fn from_str(path: &str) -> Result<Self, BadPath> {
        let why = match path {
            "" => Some("it is empty"),
            _ if path.len() > MAX_PATH => Some("it is too long"),
            _ if path.starts_with('/') => Some("it is absolute"),
            _ if path.contains('\\') => Some("it has a backslash"),
            _ if path.contains('%') => Some("it has a percent sign, which some programs decode"),
            _ if path.contains([':', '*', '?', '"', '<', '>', '|']) => {
                Some("it has a character that some systems refuse")
            }
            _ if soul_core::text::with_hidden(path).any(|(c, hidden)| hidden || c.is_control()) => {
                Some("it has a control character or an invisible one")
            }
            _ => path.split('/').find_map(refused_part),
        };
        match why {
            Some(why) => Err(BadPath { path: path.to_owned(), why }),
            None => Ok(Self(path.to_owned())),
        }
    }
}

/// Why a part of a path is refused.
fn refused_part(part: &str) -> Option<&'static str> {
    // What looks like a dot may become one where names are normalised.
    let normal: String = part.nfkc().collect();
    match normal.as_str() {
        "" => Some("it has an empty part"),
        "." | ".." => Some("it leads out of its folder"),
        _ if normal.starts_with('.') => Some("hidden files are left out of packages"),
        _ if normal.contains(['/', '\\']) => Some("it has a character that becomes a separator"),
        _ if part.len() > MAX_PART => Some("a part of it is too long"),
        _ if normal.ends_with(['.', ' ']) || normal.starts_with(' ') => {
            Some("a part of it begins or ends with a blank or a dot")
        }
        _ if is_device(&normal) => Some("it is the name of a device on some systems"),
        _ if is_staging(part.as_ref()) => Some("names that end with `.soul-staging` are reserved"),
        _ => None,
    }
}

/// Whether Windows takes a name for a device, whatever its extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered =
        |device: &str| stem.strip_prefix(device).is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']));
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$") || numbered("com") || numbered("lpt")
}

impl TryFrom<String> for PackagePath {
    type Error = BadPath;

    fn try_from(path: String) -> Result<Self, BadPath> {
        path.parse()
    }
}

impl From<PackagePath> for String {
    fn from(path: PackagePath) -> Self {
        path.0
    }
}

impl AsRef<Path> for PackagePath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

/// The order of paths is that of their texts, so a text finds its path.
impl Borrow<str> for PackagePath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PackagePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_in_its_package_on_every_system() {
        for good in [
            "SOUL.md",
            "skills/read/SKILL.md",
            "a b.md",
            "日本/説明.md",
            "Ägir.md",
            "x..y.md",
            "com10.md",
            "console.md",
        ] {
            assert!(good.parse::<PackagePath>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "/etc/passwd",
            "..",
            "../x",
            "a/../x",
            "a/..",
            "./x",
            "a//b",
            "a/",
            "C:/x",
            "C:x",
            "a\\..\\x",
            "\\\\host\\x",
            "a/%2e%2e/x",
            "%2fetc",
            "a\0b",
            "a\nb",
            "a\u{202e}b",
            "a\u{200b}b",
            ".git/config",
            ".env",
            "a/.ssh/x",
            "nul",
            "CON.md",
            "a/com1.txt",
            "lpt9",
            "x.",
            "x ",
            " x",
            "a/b./c",
            "\u{ff0e}\u{ff0e}/x",
            "a\u{ff0f}b",
            "SOUL.md.soul-staging",
            "~/x:y",
            "a|b",
            "what?",
            "\u{2024}\u{2024}/x",
        ] {
            assert!(bad.parse::<PackagePath>().is_err(), "{bad:?}");
        }
        assert!("a".repeat(101).parse::<PackagePath>().is_err());
        assert!("ab/".repeat(100).parse::<PackagePath>().is_err());
    }

    #[test]
    fn names_that_some_systems_confuse_fold_to_one() {
        let folded = |path: &str| path.parse::<PackagePath>().unwrap().folded();
        assert_eq!(folded("SOUL.md"), folded("soul.MD"));
        assert_eq!(folded("\u{e9}.md"), folded("E\u{301}.md"));
        assert_ne!(folded("soul.md"), folded("soul.json"));
    }
}
