//! Values that must have a certain form, and lists whose entries must differ.

use super::Persona;
use crate::diagnostics::{Code, Collector};
use crate::text::shown;

/// The version is three numbers, with an optional pre-release tag.
pub(super) fn version(persona: &Persona<'_>, diagnostics: &mut Collector) {
    let Some(entry) = persona.get("version") else { return };
    let Some(version) = persona.text(entry).filter(|version| !version.trim().is_empty() && !is_semver(version)) else {
        return;
    };
    let span = persona.fields.span(entry.value);
    let message = format!("{} is not a semantic version", shown(version));
    let diagnostic = persona.problem(Code::InvalidSemver, "version", message).at(span);
    diagnostics.push(match likely_semver(version) {
        Some(likely) => diagnostic.help(format!("did you mean `{likely}`?")).fix(span, format!("\"{likely}\"")),
        None => diagnostic.help("write three numbers such as `1.0.0`, or `1.0.0-beta.1`"),
    });
}

/// Digits, a dot, digits, a dot, digits, then perhaps a tag. Build metadata is not read.
fn is_semver(version: &str) -> bool {
    let (core, tag) = version.split_once('-').map_or((version, None), |(core, tag)| (core, Some(tag)));
    let numbers: Vec<&str> = core.split('.').collect();
    let is_number = |number: &&str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_tag = |tag: &str| {
        !tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
    };
    numbers.len() == 3 && numbers.iter().all(is_number) && tag.is_none_or(is_tag)
}

/// What was probably meant: without a `v` and build metadata, with three numbers.
fn likely_semver(version: &str) -> Option<String> {
    let version = version.trim().trim_start_matches(['v', 'V']);
    let version = version.split_once('+').map_or(version, |(version, _)| version);
    let padded = [version.to_owned(), format!("{version}.0"), format!("{version}.0.0")];
    padded.into_iter().find(|version| is_semver(version))
}

/// The language is a BCP 47 tag.
pub(super) fn language(persona: &Persona<'_>, diagnostics: &mut Collector) {
    let Some(entry) = persona.get("defaultLanguage") else { return };
    let Some(tag) = persona.text(entry).filter(|tag| !is_language_tag(tag)) else { return };
    let span = persona.fields.span(entry.value);
    let message = format!("{} is not a BCP 47 language tag", shown(tag));
    let diagnostic = persona.problem(Code::InvalidBcp47Language, "defaultLanguage", message).at(span);
    let likely = tag.trim().replace('_', "-");
    diagnostics.push(if is_language_tag(&likely) {
        diagnostic.help(format!("did you mean `{likely}`?")).fix(span, format!("\"{likely}\""))
    } else {
        diagnostic.help("write a tag such as `en` or `pt-BR`")
    });
}

/// Two or three letters, then subtags of two to eight letters and digits.
fn is_language_tag(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let is_language = |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_subtag = |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    parts.next().is_some_and(is_language) && parts.all(is_subtag)
}

/// Each tool is listed once.
pub(super) fn tool_ids(persona: &Persona<'_>, diagnostics: &mut Collector) {
    if let Some(tools) = persona.get("toolIds") {
        persona.repeats(Code::DuplicateToolId, "toolIds", persona.fields.items(tools), diagnostics);
    }
}

/// Each keyword activates the persona once.
pub(super) fn activation_keywords(persona: &Persona<'_>, diagnostics: &mut Collector) {
    if let Some(keywords) = persona.get("activationKeywords") {
        let keywords = persona.fields.items(keywords);
        persona.repeats(Code::ActivationKeywordConflict, "activationKeywords", keywords, diagnostics);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_three_numbers() {
        for version in ["1.0.0", "0.10.200", "1.0.0-beta.1", "1.0.0--", "01.2.3"] {
            assert!(is_semver(version), "{version}");
        }
        for version in ["", "abc", "1", "1.0", "v1.0.0", "1.0.0+x", "1.0.0-", "1.0.0-β", "1..0", "1.0.0.0", " 1.0.0"] {
            assert!(!is_semver(version), "{version}");
        }
        let likely = ["v1.2.3", "1.0", "2", "1.0.0+build", "abc", "1.0.0.0"].map(likely_semver);
        let likely = likely.each_ref().map(Option::as_deref);
        assert_eq!(likely, [Some("1.2.3"), Some("1.0.0"), Some("2.0.0"), Some("1.0.0"), None, None]);
    }

    #[test]
    fn languages_are_tags() {
        assert!(["en", "en-US", "zh-Hans-CN", "de-1996", "gsw"].into_iter().all(is_language_tag));
        assert!(!["english", "e", "en_US", "en-", "", "en-x", "日本"].into_iter().any(is_language_tag));
    }
}
