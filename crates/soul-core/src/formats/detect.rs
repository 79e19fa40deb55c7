use std::borrow::Cow;

use super::{agentos, agh, cantus, soulspec};
use crate::markup::frontmatter::{self, Opening};
use crate::markup::yaml::{NodeKind, Tree};
use crate::model::Dialect;
use crate::text::{LineEnds, Source, Unified, closest, shown};

/// A detected dialect, and the sign that decided.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    pub dialect: Dialect,
    /// Why this dialect was chosen, to be read after "read as …:".
    pub reason: Cow<'static, str>,
}

/// Detects the dialect of a text by its file name and content. The first sign that holds decides, and the strict
/// reading comes before the lenient ones. `name` is the file's name unless it is SOUL.md; `is_agent` says that the text
/// is the soul of an agent with a name.
///
/// ```
/// use soul_core::formats::detect;
/// use soul_core::model::Dialect;
/// use soul_core::text::Source;
///
/// let detection = detect(&Source::from("# Ada\n\n## Boundaries\n\n- Ask first.\n"), None, false);
/// assert_eq!(detection.dialect, Dialect::Plain);
/// assert_eq!(detection.reason, "it has no frontmatter");
/// ```
#[must_use]
pub fn detect(source: &Source, name: Option<&str>, is_agent: bool) -> Detection {
    if name.is_some_and(|name| soulspec::MANIFESTS.contains(&name)) {
        return Detection { dialect: Dialect::Soulspec, reason: "the file is the manifest of a package".into() };
    }
    if name.is_some_and(|name| name.to_ascii_lowercase().ends_with(".json")) {
        return Detection { dialect: Dialect::Agentos, reason: "a JSON file is a persona".into() };
    }
    let text = Unified::new(source.text().unwrap_or_default(), 0, LineEnds::All);
    let keys = Keys::read(&text.text);
    let strict = keys.strict_sign(is_agent).map(|reason| (Dialect::Agh, reason));
    let titles = || {
        let titles = cantus::known_titles(&text.text);
        (titles >= 3).then(|| (Dialect::Cantus, format!("it has {titles} of the six cantus titles").into()))
    };
    let persona = || keys.persona_sign().map(|reason| (Dialect::Agentos, reason));
    let library = || {
        let only = keys.has("name") && keys.has("description") && keys.all(&["name", "description"]);
        only.then_some((Dialect::Dagu, "its frontmatter has `name` and `description` and nothing else".into()))
    };
    let found = strict.or_else(titles).or_else(persona).or_else(library);
    let (dialect, reason) = found.unwrap_or_else(|| (Dialect::Plain, keys.no_sign()));
    Detection { dialect, reason }
}

/// The keys of agh that no other dialect has.
const AGH_ONLY: [&str; 5] = ["tone", "principles", "constraints", "collaboration", "memory_policy"];
/// The keys that agh shares with others.
const AGH_SHARED: [&str; 3] = ["version", "role", "tags"];
/// The keys that only a persona has.
const PERSONA_ONLY: [&str; 5] = ["agentId", "hexaco", "defaultMood", "allowedMoods", "hardLimits"];
/// With a name and nothing else, these make a persona.
const PERSONA_SHARED: [&str; 5] = ["name", "role", "version", "avatar", "metadata"];
/// The keys of a plain soul's card.
const CARD: [&str; 8] = ["name", "description", "role", "emoji", "vibe", "color", "avatar", "tags"];

/// The root keys of a frontmatter, in order.
struct Keys<'a> {
    keys: Vec<Cow<'a, str>>,
    /// Whether `voice` is a mapping, as a persona has it.
    has_voice_mapping: bool,
}

impl<'a> Keys<'a> {
    /// The keys of the block that begins the text, or would but for what stands before it. A block that is not YAML is
    /// read line by line, so that breaking it does not hide a key.
    fn read(text: &'a str) -> Self {
        let block = match agentos::split(text) {
            Some(halves) => &text[halves.metadata],
            None => match frontmatter::opening(text) {
                Opening::Misplaced(line) => {
                    let below = text[line.end..].strip_prefix('\n').unwrap_or_default();
                    below.find("\n---").map_or(below, |end| &below[..end])
                }
                Opening::Fence | Opening::Absent => "",
            },
        };
        Self::of_yaml(block).unwrap_or_else(|| Self::of_lines(block))
    }

    fn of_yaml(block: &str) -> Option<Self> {
        let tree = Tree::parse(block).ok()?;
        let entries = tree.root_entries().ok()?;
        let is_voice_mapping = |(key, value): &(_, _)| {
            tree.text(*key) == Some("voice") && matches!(tree.node(*value).kind, NodeKind::Mapping(_))
        };
        let has_voice_mapping = entries.iter().any(is_voice_mapping);
        let keys = entries.iter().filter_map(|(key, _)| tree.text(*key)).map(|key| Cow::Owned(key.to_owned()));
        Some(Self { keys: keys.collect(), has_voice_mapping })
    }

    fn of_lines(block: &'a str) -> Self {
        let lines = block.split(['\n', '{', '}', ',']).filter(|line| !line.starts_with(['#', '-']));
        let keys = lines.filter_map(|line| Some(line.split_once(':')?.0.trim_matches(['"', '\'', ' ', '\t'])));
        let keys: Vec<_> = keys.filter(|key| !key.is_empty()).map(Cow::Borrowed).collect();
        let has_voice_mapping = block.contains("voice:\n ") || block.contains("voice: {");
        Self { keys, has_voice_mapping }
    }

    fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }

    fn first_of(&self, names: &[&str]) -> Option<&str> {
        self.keys.iter().map(AsRef::as_ref).find(|key| names.contains(key))
    }

    fn all(&self, names: &[&str]) -> bool {
        self.keys.iter().all(|key| names.contains(&key.as_ref()))
    }

    /// Why the text is read strictly, as agh.
    fn strict_sign(&self, is_agent: bool) -> Option<Cow<'static, str>> {
        if let Some(key) = self.first_of(&AGH_ONLY) {
            return Some(format!("its frontmatter has `{key}`, a key of agh").into());
        }
        let others = || PERSONA_ONLY.iter().chain(&PERSONA_SHARED).chain(&CARD);
        for key in self.keys.iter().filter(|key| !others().any(|other| other == key)) {
            if let Some(near) = closest(key, AGH_ONLY) {
                return Some(format!("its frontmatter has {}, which is close to `{near}` of agh", shown(key)).into());
            }
        }
        let is_agh = |key: &str| AGH_ONLY.contains(&key) || AGH_SHARED.contains(&key);
        if self.has("role") && self.keys.iter().all(|key| is_agh(key)) {
            return Some("its frontmatter has `role` and only keys of agh".into());
        }
        // What follows is for named agents: a runtime acts on them, so what nobody owns fails closed.
        if !is_agent || self.first_of(&PERSONA_ONLY).is_some() {
            return None;
        }
        let unknown = self.keys.iter().find(|key| !is_agh(key) && !CARD.contains(&key.as_ref()));
        if let Some(key) = unknown.filter(|_| self.has("role")) {
            return Some(format!("its frontmatter has `role` and {}, which a card does not have", shown(key)).into());
        }
        // An author who writes `Tools` or `mcp-servers` means the same.
        let is_operational = |key: &str| {
            let letters = key.chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
            let key: String = letters.flat_map(char::to_lowercase).map(|c| if c == '-' { '_' } else { c }).collect();
            key != "name" && agh::owner(&key).is_some()
        };
        let operational = self.keys.iter().find(|key| is_operational(key))?;
        Some(format!("its frontmatter has {}, which a named agent must not declare", shown(operational)).into())
    }

    /// Why the text is a persona of agentos.
    fn persona_sign(&self) -> Option<Cow<'static, str>> {
        if let Some(key) = self.first_of(&PERSONA_ONLY) {
            return Some(format!("its frontmatter has `{key}`, a key of agentos").into());
        }
        if self.has_voice_mapping {
            return Some("its frontmatter has `voice` as a mapping, as agentos does".into());
        }
        let named = self.has("name") && self.all(&PERSONA_SHARED);
        named.then_some("its frontmatter has `name` and only keys of agentos".into())
    }

    /// Why the text is plain.
    fn no_sign(&self) -> Cow<'static, str> {
        if self.keys.is_empty() { "it has no frontmatter".into() } else { "its frontmatter is a card".into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect(text: &str, is_agent: bool) -> Dialect {
        detect(&Source::from(text), None, is_agent).dialect
    }

    #[test]
    fn the_file_name_decides_first() {
        let of = |name| detect(&Source::from("{}"), Some(name), false).dialect;
        assert_eq!(of("soul.json"), Dialect::Soulspec);
        assert_eq!(of("clawsoul.json"), Dialect::Soulspec);
        assert_eq!(of("Persona.JSON"), Dialect::Agentos);
        assert_eq!(of("ada.md"), Dialect::Plain);
    }

    #[test]
    fn the_table_of_signs() {
        use Dialect::{Agentos, Agh, Cantus, Dagu, Plain};
        let titles = "## Rules\r\na\r\n## Tools\r\n## Handoffs\r\n";
        for (text, alone, as_agent) in [
            ("", Plain, Plain),
            ("Only prose, hexaco: or not.", Plain, Plain),
            ("---\n---\nBe kind.", Plain, Plain),
            ("---\ntags: [a]\n---\n", Plain, Plain),
            ("---\nversion: 1\n---\n", Plain, Plain),
            ("---\ntitle: a\nsummary: b\nread_when: c\n---\n", Plain, Plain),
            ("---\nname: a\ndescription: b\ncolor: c\nemoji: d\nvibe: e\n---\n", Plain, Plain),
            ("---\nrole: a\n---\n", Agh, Agh),
            ("---\nrole: a\nversion: 2\ntags: [b]\n---\n", Agh, Agh),
            ("---\nrole: a\nemoji: b\n---\n", Plain, Plain),
            ("---\nrole: a\nfoo: b\n---\n", Plain, Agh),
            ("---\nprinciples: [a]\navatar: {type: x}\nhexaco: {}\n---\n", Agh, Agh),
            ("---\nprincipels: [a]\n---\n", Agh, Agh),
            ("---\nConstraint: a\n---\n", Agh, Agh),
            ("---\nname: a\ntools: [b]\n---\n", Plain, Agh),
            ("---\nname: a\nTools: [b]\n---\n", Plain, Agh),
            ("---\nname: a\nmcp-servers: [b]\n---\n", Plain, Agh),
            ("---\nname: a\nto\u{200b}ols: [b]\n---\n", Plain, Agh),
            ("---\nname: a\ntools: [b]\nhexaco: {}\n---\n", Agentos, Agentos),
            ("---\nrole: a\nhexaco: {}\n---\n", Agentos, Agentos),
            (titles, Cantus, Cantus),
            ("## Rules\n## Rules\n## Rules\n", Plain, Plain),
            (&format!("---\nvoice: {{}}\n---\n{titles}"), Cantus, Cantus),
            (&format!("---\ntools: a\n---\n{titles}"), Cantus, Agh),
            ("---\nname: a\nvoice:\n  provider: x\n---\n", Agentos, Agentos),
            ("---\nname: a\nvoice: calm\n---\n", Plain, Plain),
            ("---\nname: Tester\n---\nYou are a test agent.", Agentos, Agentos),
            ("---\nname: a\nmetadata: {}\n---\n", Agentos, Agentos),
            ("---\r{name: a, \"hardLimits\": [b]}\r---\r", Agentos, Agentos),
            ("---\nname: a\ndescription: b\n---\n", Dagu, Dagu),
        ] {
            assert_eq!((dialect(text, false), dialect(text, true)), (alone, as_agent), "{text:?}");
        }
    }

    #[test]
    fn a_broken_block_hides_no_key() {
        for text in [
            "---\ntone: [a\n---\nBody",
            "---\ntone: a\nBody without an end",
            "\n\n---\ntone: a\n---\nBody",
            "---\n{tone: a\n---\nBody",
            "---\nname: \"a\n\"tone\": b\n---\n",
        ] {
            assert_eq!(dialect(text, false), Dialect::Agh, "{text:?}");
        }
        assert_eq!(dialect("---\nhexaco: [a\n---\nBody", false), Dialect::Agentos);
        assert_eq!(detect(&Source::new(vec![0xff]), None, false).dialect, Dialect::Plain);
    }
}
