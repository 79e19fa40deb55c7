//! Names and versions of packages.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::text::shown;

/// A package, as `owner/name`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct PackageName {
    owner: String,
    name: String,
}

/// The text is not the name of a package.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a package: give it as `owner/name`", shown(.0))]
pub struct BadPackageName(String);

impl PackageName {
    /// A package of this owner.
    ///
    /// # Errors
    /// When one of them is not a name that a folder can have everywhere.
    pub fn new(owner: &str, name: &str) -> Result<Self, BadPackageName> {
        if is_owner(owner) && is_name(name) {
            Ok(Self { owner: owner.to_owned(), name: name.to_owned() })
        } else {
            Err(BadPackageName(format!("{owner}/{name}")))
        }
    }

    /// Who publishes it.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Its own name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether both would be one folder where case does not count.
    pub(crate) fn clashes_with(&self, other: &Self) -> bool {
        self != other && self.to_string().eq_ignore_ascii_case(&other.to_string())
    }
}

/// An owner: letters, digits and hyphens, as GitHub has them, and `_` and `.` inside.
pub(crate) fn is_owner(owner: &str) -> bool {
    let is_edge = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    owner.len() <= 64
        && is_edge(owner.bytes().next())
        && is_edge(owner.bytes().next_back())
        && owner.bytes().all(is_inside)
        && format!("{owner}/x").parse::<super::PackagePath>().is_ok()
}

/// Refuses what is not the name of an owner.
pub(crate) fn check_owner(owner: &str) -> Result<(), super::Error> {
    if is_owner(owner) { Ok(()) } else { Err(BadPackageName(format!("{owner}/…")).into()) }
}

/// A name: lower-case letters, digits and hyphens.
pub(crate) fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=64).contains(&name.len())
        && name.bytes().all(is_part)
        && !name.starts_with('-')
        && name.parse::<super::PackagePath>().is_ok()
}

impl FromStr for PackageName {
    type Err = BadPackageName;

    fn from_str(text: &str) -> Result<Self, BadPackageName> {
        let (owner, name) = text.split_once('/').ok_or_else(|| BadPackageName(text.to_owned()))?;
        Self::new(owner, name).map_err(|_| BadPackageName(text.to_owned()))
    }
}

impl TryFrom<String> for PackageName {
    type Error = BadPackageName;

    fn try_from(text: String) -> Result<Self, BadPackageName> {
        text.parse()
    }
}

impl From<PackageName> for String {
    fn from(name: PackageName) -> Self {
        name.to_string()
    }
}

impl fmt::Display for PackageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

/// A package, and the versions of it that will do: `owner/name` or `owner/name@RANGE`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct PackageRange {
    /// The package.
    pub package: PackageName,
    /// The versions; any if absent.
    pub range: Option<Range>,
}

/// The text names no package, or no versions of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum BadPackageRange {
    #[error(transparent)]
    Name(#[from] BadPackageName),
    #[error(transparent)]
    Range(#[from] BadRange),
}

impl FromStr for PackageRange {
    type Err = BadPackageRange;

    fn from_str(text: &str) -> Result<Self, BadPackageRange> {
        match text.split_once('@') {
            Some((package, range)) => Ok(Self { package: package.parse()?, range: Some(range.parse()?) }),
            None => Ok(Self { package: text.parse()?, range: None }),
        }
    }
}

impl TryFrom<String> for PackageRange {
    type Error = BadPackageRange;

    fn try_from(text: String) -> Result<Self, BadPackageRange> {
        text.parse()
    }
}

impl From<PackageRange> for String {
    fn from(package: PackageRange) -> Self {
        package.to_string()
    }
}

impl From<PackageName> for PackageRange {
    fn from(package: PackageName) -> Self {
        Self { package, range: None }
    }
}

impl fmt::Display for PackageRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.range {
            Some(range) => write!(f, "{}@{range}", self.package),
            None => write!(f, "{}", self.package),
        }
    }
}

/// The version of a package: three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Version(u64, u64, u64);

/// The text is not a version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a version: three numbers with dots between, such as 1.0.0", shown(.0))]
pub struct BadVersion(String);

impl FromStr for Version {
    type Err = BadVersion;

    fn from_str(text: &str) -> Result<Self, BadVersion> {
        let mut parts = text.split('.').map(|part| number(part).filter(|_| part.len() <= 18));
        match (parts.next().flatten(), parts.next().flatten(), parts.next().flatten(), parts.next()) {
            (Some(major), Some(minor), Some(patch), None) => Ok(Self(major, minor, patch)),
            _ => Err(BadVersion(text.to_owned())),
        }
    }
}

fn number(part: &str) -> Option<u64> {
    let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| part.parse().ok()).flatten()
}

impl TryFrom<String> for Version {
    type Error = BadVersion;

    fn try_from(text: String) -> Result<Self, BadVersion> {
        text.parse()
    }
}

impl From<Version> for String {
    fn from(version: Version) -> Self {
        version.to_string()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// A range of versions: `1.2.0`, `^1.2`, `~1.2.3`, `>=1 <2`, `1.x`, `*`, and several of them with `||`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    text: String,
    /// From a version on, up to before another one. One of them suffices.
    spans: Vec<(Version, Version)>,
}

/// The text is not a range of versions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a range of versions: write it as `1.2.0`, `^1.2`, `~1.2`, `1.x` or `>=1.2 <2`", shown(.0))]
pub struct BadRange(String);

const LEAST: Version = Version(0, 0, 0);
const MOST: Version = Version(u64::MAX, u64::MAX, u64::MAX);

impl Range {
    /// Whether a version is in it.
    #[must_use]
    pub fn contains(&self, version: Version) -> bool {
        self.spans.iter().any(|(from, before)| (*from..*before).contains(&version))
    }
}

impl FromStr for Range {
    type Err = BadRange;

    fn from_str(text: &str) -> Result<Self, BadRange> {
        let spans: Option<Vec<_>> = text.split("||").map(span).collect();
        let spans = spans.filter(|_| text.len() <= 200).ok_or_else(|| BadRange(text.to_owned()))?;
        Ok(Self { text: text.trim().to_owned(), spans })
    }
}

/// The versions that all comparators of a part allow.
fn span(part: &str) -> Option<(Version, Version)> {
    let (mut from, mut before) = (LEAST, MOST);
    let mut words = part.split_whitespace().peekable();
    words.peek()?;
    while let Some(word) = words.next() {
        let sign = [">=", "<=", ">", "<", "=", "^", "~"].into_iter().find(|sign| word.starts_with(sign)).unwrap_or("");
        let version = &word[sign.len()..];
        let version = if version.is_empty() { words.next()? } else { version };
        let (least, next) = comparator(sign, version)?;
        (from, before) = (from.max(least), before.min(next));
    }
    Some((from, before))
}

/// The versions from, and before, that a comparator allows.
fn comparator(sign: &str, version: &str) -> Option<(Version, Version)> {
    let version = version.strip_prefix('v').unwrap_or(version);
    let mut numbers = Vec::new();
    let mut is_open = false;
    for part in version.split('.') {
        match part {
            "x" | "X" | "*" => is_open = true,
            _ if is_open || numbers.len() == 3 => return None,
            part => numbers.push(number(part)?),
        }
    }
    let at = |index: usize| numbers.get(index).copied().unwrap_or(0);
    let first = Version(at(0), at(1), at(2));
    // The first version that has another number at this place.
    let after = |place: usize| match place {
        0 => Version(first.0.saturating_add(1), 0, 0),
        1 => Version(first.0, first.1.saturating_add(1), 0),
        _ => Version(first.0, first.1, first.2.saturating_add(1)),
    };
    if numbers.is_empty() {
        return sign.is_empty().then_some((LEAST, MOST));
    }
    let last = numbers.len() - 1;
    Some(match sign {
        ">=" => (first, MOST),
        ">" => (after(last), MOST),
        "<" => (LEAST, first),
        "<=" => (LEAST, after(last)),
        "~" => (first, after(last.min(1))),
        // The first number that is not zero must stay.
        "^" => (first, after(numbers.iter().position(|number| *number > 0).unwrap_or(last))),
        _ => (first, after(last)),
    })
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_contain_what_npm_says() {
        let contains = |range: &str, version: &str| range.parse::<Range>().unwrap().contains(version.parse().unwrap());
        for (range, inside, outside) in [
            ("1.2.3", "1.2.3", "1.2.4"),
            ("1.2", "1.2.9", "1.3.0"),
            ("1.x", "1.9.0", "2.0.0"),
            ("*", "0.0.1", ""),
            ("^1.2", "1.9.9", "2.0.0"),
            ("^1.2", "1.2.0", "1.1.9"),
            ("^0.2.3", "0.2.9", "0.3.0"),
            ("^0.0.3", "0.0.3", "0.0.4"),
            ("~1.2.3", "1.2.9", "1.3.0"),
            ("~1", "1.9.0", "2.0.0"),
            (">=1.2 <2", "1.5.0", "2.0.0"),
            (">1", "2.0.0", "1.9.0"),
            ("<=1.2", "1.2.9", "1.3.0"),
            ("1.0.0 || ^3", "3.1.0", "2.0.0"),
            (">= 1.2.0", "1.2.0", "1.1.0"),
        ] {
            assert!(contains(range, inside), "{range} {inside}");
            assert!(outside.is_empty() || !contains(range, outside), "{range} {outside}");
        }
        for bad in ["", "latest", "1.2.3.4", ">=", "||", "1.x.2", "^*", "-1"] {
            assert!(bad.parse::<Range>().is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_folders_everywhere() {
        for good in ["lighthouse/ada", "TomLeeLive/brad", "a-b/c-1", "my.org/x"] {
            assert!(good.parse::<PackageName>().is_ok(), "{good}");
        }
        for bad in [
            "ada",
            "/ada",
            "a/",
            "../x",
            "a/..",
            "a/b/c",
            "-a/b",
            "a-/b",
            "a/-b",
            "a b/c",
            "a/B",
            "a/b@1",
            "con/x",
            "x/nul",
            ".a/b",
            "a/../../x",
            "~/x",
            "a\\b/c",
            "ä/x",
        ] {
            assert!(bad.parse::<PackageName>().is_err(), "{bad}");
        }
        assert!("1.02.3".parse::<Version>().is_ok());
        for bad in ["1.2", "1.2.3.4", "1.2.x", "v1.2.3", "1.2.3-beta", "", "99999999999999999999.0.0"] {
            assert!(bad.parse::<Version>().is_err(), "{bad}");
        }
    }
}
