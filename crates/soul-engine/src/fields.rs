//! Values that requests are made of. Each is checked when it is read, whichever transport brings it.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use soul_core::digest::{Digest, RawDigest};
use soul_core::text::with_hidden;

use crate::store::{PageBytes, PageItem};

/// Reads an optional field for which a blank text stands for nothing, as clients send it that fill in
/// every field of a form.
pub(crate) fn given<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        Value::String(text) if is_blank(&text) => Ok(None),
        value => serde_json::from_value(value).map(Some).map_err(D::Error::custom),
    }
}

/// The schema of a type that is one plain value on the wire.
macro_rules! wire_schema {
    ($type:ident, $schema:tt) => {
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}

pub(crate) use wire_schema;

/// A value on the wire as the text that people write it as.
pub(crate) mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A text that says something, of at most so many bytes: a reason, a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct NonBlank<const MAX: usize = 4096>(String);

/// What a client calls a change, to make it once however often it asks. It is repeated in every history.
pub type IdempotencyKey = NonBlank<256>;

/// The text says nothing, or too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// Nothing of it can be seen.
    #[error("it is blank")]
    Blank,
    /// It is too long to go on record.
    #[error("it is longer than {0} bytes")]
    TooLong(usize),
}

/// Whether nothing of a text can be seen: white space, and characters that leave no mark.
fn is_blank(text: &str) -> bool {
    with_hidden(text).all(|(c, hidden)| hidden || c.is_whitespace())
}

impl<const MAX: usize> NonBlank<MAX> {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text itself.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MAX: usize> TryFrom<String> for NonBlank<MAX> {
    type Error = Unusable;

    fn try_from(text: String) -> Result<Self, Unusable> {
        match text {
            text if is_blank(&text) => Err(Unusable::Blank),
            text if text.len() > MAX => Err(Unusable::TooLong(MAX)),
            text => Ok(Self(text)),
        }
    }
}

impl<'de, const MAX: usize> Deserialize<'de> for NonBlank<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<const MAX: usize> JsonSchema for NonBlank<MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("NonBlank{MAX}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "maxLength": MAX })
    }
}

/// A text, or bytes that are none: a list of numbers on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body(pub Vec<u8>);

impl From<&str> for Body {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Serialize for Body {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.collect_seq(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a text")]
        enum Shape {
            Text(String),
            Bytes(Vec<u8>),
        }
        let shape = Shape::deserialize(deserializer).map_err(|_| D::Error::custom("a text is expected"))?;
        Ok(match shape {
            Shape::Text(text) => Self(text.into_bytes()),
            Shape::Bytes(bytes) => Self(bytes),
        })
    }
}

wire_schema!(Body, { "type": "string" });

/// The digest of the soul that the caller has seen: of its meaning, or of its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedDigest {
    /// `sha256:…`, what the soul says.
    Meaning(Digest),
    /// `raw:sha256:…`, the bytes of its file.
    Bytes(RawDigest),
    /// The beginning of either, at least [`MIN_PART`] characters after the word that says which one.
    Part(DigestPart),
    /// A text that is the digest of nothing, and so never the one of this soul.
    Unknown(String),
}

impl ExpectedDigest {
    /// Reads what the caller gave; blanks around it do not count.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text = text.trim();
        let bytes = || text.parse().ok().map(Self::Bytes);
        let part = || DigestPart::new(text).filter(|part| part.hex.len() >= MIN_PART).map(Self::Part);
        let known = text.parse().ok().map(Self::Meaning).or_else(bytes).or_else(part);
        known.unwrap_or_else(|| Self::Unknown(text.to_owned()))
    }

    /// Whether it is the beginning of a digest of this soul, with too few characters to count.
    pub(crate) fn is_too_short(&self, meaning: Option<Digest>, bytes: Option<RawDigest>) -> bool {
        match self {
            Self::Unknown(text) => DigestPart::new(text).is_some_and(|part| part.begins(meaning, bytes)),
            _ => false,
        }
    }

    /// Whether it is the digest of a soul with this meaning, if it has one, and these bytes.
    #[must_use]
    pub fn matches(&self, meaning: Option<Digest>, bytes: Option<RawDigest>) -> bool {
        match self {
            Self::Meaning(digest) => meaning == Some(*digest),
            Self::Bytes(digest) => bytes == Some(*digest),
            Self::Part(part) => part.begins(meaning, bytes),
            Self::Unknown(_) => false,
        }
    }
}

/// The fewest characters that a digest or an id may be shortened to, after the word that it begins with.
pub const MIN_PART: usize = 6;

/// The beginning of a digest: of the meaning, of the bytes, or of either if the caller does not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestPart {
    word: &'static str,
    hex: String,
}

impl DigestPart {
    const WORDS: [&str; 3] = ["raw:sha256:", "sha256:", ""];

    fn new(text: &str) -> Option<Self> {
        let (word, hex) = Self::WORDS.iter().find_map(|word| Some((*word, text.strip_prefix(word)?)))?;
        let fits = (1..=64).contains(&hex.len()) && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        fits.then(|| Self { word, hex: hex.to_ascii_lowercase() })
    }

    /// The characters after the word.
    pub(crate) fn hex(&self) -> &str {
        &self.hex
    }

    /// Whether a digest, canonical or raw, begins so.
    pub(crate) fn is_start_of(&self, digest: &str) -> bool {
        let word = if digest.starts_with("raw:") { "raw:sha256:" } else { "sha256:" };
        let hex = digest.strip_prefix(word).filter(|_| self.word.is_empty() || self.word == word);
        hex.is_some_and(|hex| hex.starts_with(&self.hex))
    }

    /// Whether a soul with this meaning and these bytes has a digest that begins so.
    pub(crate) fn begins(&self, meaning: Option<Digest>, bytes: Option<RawDigest>) -> bool {
        meaning.is_some_and(|digest| self.is_start_of(&digest.to_string()))
            || bytes.is_some_and(|digest| self.is_start_of(&digest.to_string()))
    }
}

impl fmt::Display for DigestPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.word, self.hex)
    }
}

impl From<RawDigest> for ExpectedDigest {
    fn from(digest: RawDigest) -> Self {
        Self::Bytes(digest)
    }
}

impl fmt::Display for ExpectedDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Meaning(digest) => digest.fmt(f),
            Self::Bytes(digest) => digest.fmt(f),
            Self::Part(part) => part.fmt(f),
            Self::Unknown(text) => f.write_str(text),
        }
    }
}

impl Serialize for ExpectedDigest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ExpectedDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(&String::deserialize(deserializer)?))
    }
}

wire_schema!(ExpectedDigest, { "type": "string" });

/// A whole number in a range. JSON may write it with a fraction of nothing, as some clients do.
fn whole<'de, D: Deserializer<'de>>(deserializer: D, range: std::ops::RangeInclusive<u64>) -> Result<u64, D::Error> {
    let number = serde_json::Number::deserialize(deserializer)?;
    let exact = number.as_f64().filter(|value| value.fract() == 0.0 && (0.0..9.0e15).contains(value));
    let whole = number.as_u64().or(exact.map(|value| value as u64)).filter(|whole| range.contains(whole));
    whole.ok_or_else(|| D::Error::custom(format_args!("{number} is not from {} to {}", range.start(), range.end())))
}

/// A whole number, which JSON may write with a fraction of nothing.
pub(crate) fn whole_u32<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let number = whole(deserializer, 0..=u64::from(u32::MAX))?;
    Ok(u32::try_from(number).unwrap_or(u32::MAX))
}

/// How many entries a page of a list has at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Limit(u16);

impl Limit {
    /// The largest page.
    pub const MAX: u16 = 1000;
    /// The page of a caller who asks for none.
    pub const DEFAULT: Self = Self(50);

    /// A page of so many entries; one that is out of range is as large or small as a page can be.
    #[must_use]
    pub const fn new(entries: u16) -> Self {
        Self(match entries {
            0 => 1,
            Self::MAX.. => Self::MAX,
            entries => entries,
        })
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// Cuts a list to a page, which is bounded in bytes too and has one entry at least. The store was asked for one
    /// entry more, which shows whether there is a next page; that one comes back.
    pub(crate) fn cut<T: PageItem>(self, found: &mut Vec<T>) -> Option<T> {
        let mut bytes = PageBytes::default();
        let full = found.iter().position(|item| bytes.is_full_after(item)).unwrap_or(found.len());
        let kept = full.min(self.get());
        found.truncate(kept + 1);
        if found.len() > kept { found.pop() } else { None }
    }

    /// One entry more than the page has.
    pub(crate) const fn and_one(self) -> usize {
        self.get() + 1
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = whole(deserializer, 1..=u64::from(Self::MAX))?;
        Ok(Self(u16::try_from(entries).unwrap_or(Self::MAX)))
    }
}

wire_schema!(Limit, { "type": "integer", "minimum": 1, "maximum": Self::MAX, "default": Self::DEFAULT.0 });

/// Where the next page of a list begins. Only the list that gave it out knows what it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Cursor(String);

/// The cursor is not one that the list gave out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a cursor of this list", soul_core::text::visible(.0))]
pub struct BadCursor(pub String);

impl Cursor {
    /// The cursor of an entry.
    pub(crate) fn new(entry: impl ToString) -> Self {
        Self(entry.to_string())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number of the entry that the page before ended with.
    pub(crate) fn seq(&self) -> Result<i64, BadCursor> {
        self.0.parse().map_err(|_| BadCursor(self.0.clone()))
    }
}

impl From<String> for Cursor {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// How long a session holds a run before others may claim its task, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Lease(u32);

impl Lease {
    const MAX: u32 = 86_400;
    /// The longest.
    pub(crate) const LONGEST: Duration = Self(Self::MAX).duration();

    /// From a second to a day.
    #[must_use]
    pub fn from_seconds(seconds: u64) -> Option<Self> {
        u32::try_from(seconds).ok().filter(|seconds| (1..=Self::MAX).contains(seconds)).map(Self)
    }

    /// The time.
    #[must_use]
    pub const fn duration(self) -> Duration {
        Duration::from_secs(self.0 as u64)
    }
}

impl Default for Lease {
    fn default() -> Self {
        Self(60)
    }
}

impl<'de> Deserialize<'de> for Lease {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seconds = whole(deserializer, 1..=u64::from(Self::MAX))?;
        Ok(Self::from_seconds(seconds).unwrap_or_default())
    }
}

wire_schema!(Lease, { "type": "integer", "minimum": 1, "maximum": Self::MAX, "default": 60 });

/// A moment, as people write it: RFC 3339, or a date, which is its first moment in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(pub Timestamp);

/// The text is neither a moment nor a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("give a date such as 2026-03-31, or a moment such as 2026-03-31T09:00:00Z")]
pub struct BadMoment;

impl std::str::FromStr for Moment {
    type Err = BadMoment;

    fn from_str(text: &str) -> Result<Self, BadMoment> {
        let date = || text.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
        text.parse::<Timestamp>().ok().or_else(date).map(Self).ok_or(BadMoment)
    }
}

impl Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

wire_schema!(Moment, { "type": "string", "examples": ["2026-03-31", "2026-03-31T09:00:00Z"] });

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Request {
        #[serde(default, deserialize_with = "given")]
        force: Option<NonBlank>,
        #[serde(default)]
        limit: Limit,
        #[serde(default)]
        lease: Lease,
    }

    fn read(text: &str) -> Result<Request, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_blank_text_is_never_a_reason() {
        for blank in ["{}", r#"{"force":""}"#, r#"{"force":" \n"}"#, r#"{"force":null}"#, r#"{"force":"\u3164\u200b"}"#]
        {
            assert_eq!(read(blank).unwrap().force, None, "{blank}");
        }
        assert_eq!(read(r#"{"force":"known"}"#).unwrap().force.unwrap().as_str(), "known");
        assert!(read(r#"{"force":true}"#).is_err());
        assert!(serde_json::from_str::<NonBlank>(r#"" ""#).is_err());
        let long = |bytes| IdempotencyKey::try_from("k".repeat(bytes));
        assert!(long(256).is_ok());
        assert_eq!(long(257).unwrap_err().to_string(), "it is longer than 256 bytes");
    }

    #[test]
    fn numbers_are_whole_and_in_range() {
        assert_eq!((read("{}").unwrap().limit.get(), read("{}").unwrap().lease.0), (50, 60));
        assert_eq!(read(r#"{"limit":1000,"lease":30.0}"#).map(|read| (read.limit.get(), read.lease.0)), Ok((1000, 30)));
        for wrong in [
            r#"{"limit":0}"#,
            r#"{"limit":1001}"#,
            r#"{"limit":-1}"#,
            r#"{"limit":1.5}"#,
            r#"{"limit":"5"}"#,
            r#"{"limit":1e999}"#,
            r#"{"lease":0}"#,
            r#"{"lease":86401}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_digest_is_of_the_meaning_or_of_the_bytes() {
        let (meaning, bytes) = (Digest::of([b"a".as_slice()]), RawDigest::of(b"a"));
        let matches = |text: &str| ExpectedDigest::new(text).matches(Some(meaning), Some(bytes));
        assert!(matches(&meaning.to_string()) && matches(&format!(" {bytes}\n")));
        assert!(
            !matches("sha256:0") && !matches("x") && !ExpectedDigest::new(&meaning.to_string()).matches(None, None)
        );
    }

    #[test]
    fn a_moment_is_a_date_or_a_time() {
        let read = |text: &str| text.parse::<Moment>().map(|moment| moment.0.to_string());
        assert_eq!(read("2026-03-31").unwrap(), "2026-03-31T00:00:00Z");
        assert_eq!(read("2026-03-31T09:00:00+02:00").unwrap(), "2026-03-31T07:00:00Z");
        assert!(read("yesterday").is_err() && read("").is_err());
    }
}
