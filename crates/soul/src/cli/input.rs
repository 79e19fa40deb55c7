//! What was typed: targets, files, and values that many commands take.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{ErrorKind, Read};
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use serde::de::value::{Error, StringDeserializer};
use soul_core::model::Dialect;
use soul_engine::conversion::Form;
use soul_engine::fault::Kind;
use soul_engine::fields::{Cursor, ExpectedDigest, Limit, NonBlank};
use soul_engine::files::{self, MAX_BYTES};
use soul_engine::ids::SessionId;
use soul_engine::souls::{Subject, Target};
use soul_engine::sync::{BadRemote, RemoteUrl};

use super::Global;
use crate::output::Failure;

/// Which page of a list.
#[derive(clap::Args)]
pub(super) struct Page {
    /// Maximum number of entries, from 1 to 1000
    #[arg(long, value_name = "N", default_value = "50", value_parser = limit())]
    pub(super) limit: Limit,
    /// Continue after this cursor
    #[arg(long)]
    pub(super) cursor: Option<Cursor>,
}

/// Reads the number of entries in a list.
pub(super) fn limit() -> impl TypedValueParser<Value = Limit> {
    number(1..=Limit::MAX).map(Limit::new)
}

/// Reads a number; clap's own parsers say why Rust could not, not what to type.
pub(super) fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |typed| {
        let number = typed.trim().parse::<T>().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("give a number from {} to {}", range.start(), range.end()))
    }
}

/// Reads a number of which the engine says what it may be.
pub(super) fn whole<T: FromStr>(typed: &str) -> Result<T, String> {
    typed.trim().parse().map_err(|_| "give a whole number, such as 2".to_owned())
}

/// Reads one of these values; help and completions list them.
pub(super) fn listed<T>(values: impl IntoIterator<Item = PossibleValue>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(values)
        .try_map(|typed| typed.parse::<T>().map_err(|_| "this value is listed and cannot be read"))
}

/// Reads one of the names that a type of the engine has on the wire; each comes with its description.
pub(super) fn one_of<T>(names: &'static [(&'static str, &'static str)]) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    let value = |(name, help): &(&'static str, &'static str)| PossibleValue::new(*name).help(*help);
    PossibleValuesParser::new(names.iter().map(value))
        .try_map(|name| T::deserialize(StringDeserializer::<Error>::new(name)))
}

/// Reads a dialect; help and completions list them all.
pub(super) fn dialect_parser() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(dialects()).try_map(|name| name_of_dialect(&name).parse::<Dialect>())
}

/// Reads what a soul can be converted to: a dialect, or the JSON of a persona.
pub(super) fn form_parser() -> impl TypedValueParser<Value = Form> {
    let forms = dialects().chain([PossibleValue::new(Form::PersonaJson.as_str())]);
    PossibleValuesParser::new(forms).try_map(|name| name_of_dialect(&name).parse::<Form>())
}

/// The name under which most people know folders of the plain dialect.
const OPENCLAW: &str = "openclaw";

fn dialects() -> impl Iterator<Item = PossibleValue> {
    Dialect::ALL.iter().map(|dialect| match dialect {
        Dialect::Plain => PossibleValue::new(dialect.as_str()).alias(OPENCLAW),
        dialect => PossibleValue::new(dialect.as_str()),
    })
}

fn name_of_dialect(typed: &str) -> &str {
    if typed == OPENCLAW { Dialect::Plain.as_str() } else { typed }
}

/// Reads a time as people write it, `90s`, `5m`, `2h` or `3d`, in seconds; a bare number is seconds.
pub(super) fn seconds(typed: &str) -> Option<u64> {
    let digits = typed.trim_end_matches(['s', 'm', 'h', 'd']);
    let unit = match &typed[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// A text that says something; blank is as good as absent.
pub(super) fn non_blank<const MAX: usize>(typed: Option<String>) -> Option<NonBlank<MAX>> {
    typed.and_then(|typed| typed.try_into().ok())
}

pub(super) fn digest(typed: Option<String>) -> Option<ExpectedDigest> {
    let typed: Option<NonBlank> = non_blank(typed);
    typed.map(|digest| ExpectedDigest::new(digest.as_str()))
}

/// What was typed as a target; `-` is standard input.
pub(super) fn target(typed: &OsStr) -> Result<Target, Failure> {
    if typed == "-" {
        return Ok(Target::Text(standard_input()?.into()));
    }
    Target::from_typed(typed).map_err(Failure::refused)
}

/// A target or a session; the command line has seen to it that it is one of them.
pub(super) fn subject(target: Option<&OsStr>, session: Option<SessionId>) -> Result<Subject, Failure> {
    match session {
        Some(id) => Ok(Subject::Session(id)),
        None => self::target(target.unwrap_or_default()).map(Subject::Target),
    }
}

/// The bytes of a file, or of standard input for `-`.
pub(super) fn bytes(global: &Global, typed: &OsStr) -> Result<Vec<u8>, Failure> {
    if typed == "-" {
        return standard_input();
    }
    let refused = |error: std::io::Error| {
        let shown = global.roots().shown(typed.as_ref());
        match error.kind() {
            ErrorKind::NotFound => Failure::new(Kind::NotFound, "not_found", format!("there is nothing at `{shown}`")),
            _ => Failure::new(Kind::Unable, "io", format!("could not read `{shown}`: {}", files::plain(&error))),
        }
    };
    // Whatever the user named may be read, a pipe or a link too; one byte more shows that it was too much.
    let mut bytes = Vec::new();
    let file = std::fs::File::open(typed).map_err(refused)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(refused)?;
    Ok(bytes)
}

/// The text of a file, or of standard input for `-`.
pub(super) fn text(global: &Global, what: &str, typed: &OsStr) -> Result<String, Failure> {
    let bytes = bytes(global, typed)?;
    let refused = |code, why: &str| {
        let shown = if typed == "-" { "-".to_owned() } else { global.roots().shown(typed.as_ref()) };
        Failure::new(Kind::Invalid, code, format!("could not read the {what} `{shown}`: {why}"))
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused("oversized_file", &files::Error::TooLarge.to_string()));
    }
    let text = String::from_utf8(bytes);
    text.map_err(|_| refused("invalid_utf8", "it is not UTF-8 text").hint("save the file as UTF-8"))
}

/// One byte more than is ever read shows that there was too much.
pub(super) fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::io("standard input", &error))?;
    Ok(bytes)
}

/// The address of a repository; a path is one of this machine.
pub(super) fn remote(typed: &str) -> Result<RemoteUrl, Failure> {
    let path = Path::new(typed);
    let is_path = !typed.contains(':') && !typed.starts_with('-') && !typed.is_empty() && path.is_relative();
    let typed = if is_path { std::path::absolute(path).ok() } else { None }
        .map_or_else(|| typed.to_owned(), |path| path.to_string_lossy().into_owned());
    typed.parse().map_err(|error: BadRemote| {
        Failure::new(Kind::Usage, "bad_remote", error.to_string())
            .hint("give a URL such as https://example.com/souls.git, or a path")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_people_write_them() {
        assert_eq!(["7", "90s", "5m", "2h", "3d"].map(|typed| seconds(typed).unwrap()), [7, 90, 300, 7200, 259_200]);
        for wrong in ["", "s", "-1s", "1w", "1ms", "1sm", "５s", "99999999999999999999s", "999999999999999d"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn blank_is_as_good_as_absent() {
        assert_eq!((non_blank::<99>(Some(" ".into())), digest(Some(String::new()))), (None, None));
        assert!(non_blank::<99>(Some("known".into())).is_some() && digest(Some("sha256:0".into())).is_some());
    }
}
