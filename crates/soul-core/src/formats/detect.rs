use std::borrow::Cow;

use super::{agentos, agh, cantus, soulspec};
use crate::diagnostics::{Code, Diagnostic};
use crate::markup::yaml;
use crate::model::{At, Dialect, PLACES, Place};
use crate::text::{LineEnds, Source, Unified};

/// A detected dialect.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    pub dialect: Dialect,
    /// Why this dialect was chosen, if the text is ambiguous.
    pub doubt: Option<Box<Diagnostic>>,
}

/// Detects the dialect of a text. In this order: a manifest is `soulspec`, other JSON and the keys of a persona are
/// `agentos`, three or more of the six titles are `cantus`, a file of a library is `dagu`, and everything else is
/// `agh`, the strict one.
#[must_use]
pub fn detect(source: &Source, name: Option<&str>, in_library: bool) -> Detection {
    let plain = |dialect| Detection { dialect, doubt: None };
    if name.is_some_and(|name| soulspec::MANIFESTS.contains(&name)) {
        return plain(Dialect::Soulspec);
    }
    if name.is_some_and(|name| name.to_ascii_lowercase().ends_with(".json")) {
        return plain(Dialect::Agentos);
    }
    let text = Unified::new(source.text().unwrap_or_default(), 0, LineEnds::All);
    let titles = cantus::known_titles(&text.text);
    let keys = root_keys(&text.text);
    let persona = keys.iter().find(|key| PERSONA_KEYS.contains(&key.as_ref()));
    let doubt = |dialect: Dialect, why: String| {
        let diagnostic = Diagnostic::new(Code::DialectDetected, format!("read as {dialect}: {why}"));
        let doubt = Some(Box::new(diagnostic.help("say which it is with `--dialect`")));
        Detection { dialect, doubt }
    };
    match (titles >= 3, persona) {
        (true, Some(key)) => {
            doubt(Dialect::Cantus, format!("it has {titles} of the six titles, although `{key}` is a key of agentos"))
        }
        (true, None) if in_library => {
            doubt(Dialect::Cantus, format!("it has {titles} of the six titles, although it lies in a library"))
        }
        (true, None) => plain(Dialect::Cantus),
        (false, Some(key)) if in_library => {
            doubt(Dialect::Agentos, format!("`{key}` is a key of agentos, although it lies in a library"))
        }
        (false, Some(_)) => plain(Dialect::Agentos),
        (false, None) if in_library => plain(Dialect::Dagu),
        (false, None) if keys.is_empty() || keys.iter().any(|key| is_agh_key(key)) => plain(Dialect::Agh),
        (false, None) => {
            doubt(Dialect::Agh, "nothing in it is of another dialect, and agh is the strictest".to_owned())
        }
    }
}

/// The keys that only a persona has.
const PERSONA_KEYS: [&str; 7] = ["agentId", "hexaco", "voice", "avatar", "defaultMood", "allowedMoods", "hardLimits"];

/// A key of agh, or one that agh refuses by name; `name` says nothing, because all have it.
fn is_agh_key(key: &str) -> bool {
    let has = |place: &Place| place.dialect == Dialect::Agh && matches!(place.at, At::Key(known) if known == key);
    PLACES.iter().any(has) || (key != "name" && agh::owner(key).is_some())
}

/// The root keys of a frontmatter: what its lines show, or what its braces hold.
fn root_keys(text: &str) -> Vec<Cow<'_, str>> {
    let Some(halves) = agentos::split(text) else { return Vec::new() };
    let metadata = &text[halves.metadata];
    if metadata.trim_start().starts_with('{') {
        let tree = yaml::Tree::parse(metadata).unwrap_or_default();
        let entries = tree.root_entries().unwrap_or_default();
        return entries.iter().filter_map(|(key, _)| tree.text(*key).map(|key| Cow::Owned(key.to_owned()))).collect();
    }
    let lines = metadata.split('\n').filter(|line| !line.starts_with([' ', '\t', '#', '-']));
    lines.filter_map(|line| Some(line.split_once(':')?.0.trim_matches(['"', '\'', ' ']))).map(Cow::Borrowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(text: &str, in_library: bool) -> (Dialect, bool) {
        let detection = detect(&Source::from(text), None, in_library);
        (detection.dialect, detection.doubt.is_none())
    }

    #[test]
    fn what_is_plain_is_taken_without_a_word() {
        assert_eq!(detected("## Rules\r\na\r\n## Tools\r\n## Handoffs\r\n", false), (Dialect::Cantus, true));
        assert_eq!(detected("---\nname: a\n---\n", true), (Dialect::Dagu, true));
        assert_eq!(detected("---\nname: a\nhexaco:\n  openness: 1\n---\n", false), (Dialect::Agentos, true));
        assert_eq!(detected("---\r{name: a, \"hardLimits\": [b]}\r---\r", false), (Dialect::Agentos, true));
        assert_eq!(detected("---\nrole: a\n---\n", false), (Dialect::Agh, true));
        assert_eq!(detected("Only prose, hexaco: or not.", false), (Dialect::Agh, true));
        assert_eq!(detected("## Rules\n## Rules\n## Rules\n", false), (Dialect::Agh, true));
        assert_eq!(detect(&Source::from("{}"), Some("persona.json"), false).dialect, Dialect::Agentos);
        assert_eq!(detect(&Source::new(vec![0xff]), None, false).dialect, Dialect::Agh);
    }

    #[test]
    fn what_is_not_plain_is_explained() {
        let titles = "## Rules\n## Tools\n## Handoffs\n";
        assert_eq!(detected(titles, true), (Dialect::Cantus, false));
        assert_eq!(detected(&format!("---\nvoice: {{}}\n---\n{titles}"), false), (Dialect::Cantus, false));
        assert_eq!(detected("---\nagentId: a\n---\n", true), (Dialect::Agentos, false));
        assert_eq!(detected("---\nname: a\n---\n", false), (Dialect::Agh, false));
    }
}
