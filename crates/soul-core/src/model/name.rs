//! What an agent is called: a name for people from its texts, and an id for file systems from its name.

use sha2::{Digest, Sha256};

use super::headings::{folded, is_only_heading_words};
use super::{Field, Soul};

mod latin;

/// The longest title that can be a name.
const MAX_WORDS: usize = 6;
const MAX_CHARS: usize = 60;
/// Ids are file names; longer ones help nobody.
const MAX_ID: usize = 64;

/// Titles and names that name nobody, folded. Words of headings are known besides.
#[rustfmt::skip]
const GENERIC: &[&str] = &[
    "soul", "souls", "the soul", "my soul", "your soul", "agent", "agents", "agent soul", "the agent", "ai agent",
    "agent name", "name", "your name", "soul file", "soul template", "soul document", "soul md", "unnamed",
    "unnamed agent", "untitled", "default", "template", "example", "system", "prompt", "system prompt",
    "instructions", "system instructions", "assistant", "ai assistant", "persona", "personality", "character",
    "identity", "readme", "index", "main", "bot", "ai", "dna", "core", "constitution", "soul core", "core soul",
    "agent identity", "agent persona", "todo", "tbd", "none", "null", "unknown", "introduction", "overview", "about",
    "welcome", "config", "configuration", "settings", "short", "long", "md", "灵魂", "靈魂", "灵魂文件", "灵魂设定", "魂", "ソウル",
    "영혼", "소울", "душа", "душа агента", "alma", "el alma", "a alma", "ame", "l ame", "lame", "seele", "die seele",
    "你的灵魂", "我的灵魂", "智能体", "代理", "助手", "系统提示词", "alma del agente", "alma do agente", "ame de lagent",
    "seele des agenten", "エージェント", "에이전트",
];

/// Folders that hold souls and name none.
#[rustfmt::skip]
const GENERIC_FOLDERS: &[&str] = &[
    "workspace", "workspaces", "soul", "souls", "agent", "agents", "src", "prompts", "prompt", "docs", "doc",
    "persona", "personas", "templates", "template", "config", "data", "files", "home", "root", "tmp", "temp",
    "openclaw", "clawd", "hermes", "default", "main", "md", "bootstrap", "identity", "memory", "app", "repo",
];

/// The name in the title of a soul; `None` if the title names nobody.
///
/// `SOUL.md - Ada`, `Ada — Soul`, `Soul of Ada` and `# SOUL: Ada 🌱` all name Ada; `SOUL.md - Who You Are` names
/// nobody.
pub(crate) fn name_in_title(title: &str) -> Option<String> {
    let title = title.trim().trim_start_matches('#').trim();
    let broken = title
        .replace(" - ", "—")
        .replace(" -- ", "—")
        .replace(" – ", "—")
        .replace(['：', '|', '｜', '–', '―', '(', ')', '（', '）', '【', '】', '「', '」', '[', ']'], "—");
    let parts = broken.split('—').flat_map(|part| match part.split_once(": ") {
        Some((before, after)) => vec![before, after],
        None => vec![part.trim_end_matches(':')],
    });
    parts.filter(|part| !is_generic(part)).find_map(|part| named(&unwrapped(part)))
}

/// A part of a title without emoji and marks around it, and without the words that only say that this is a soul.
fn unwrapped(part: &str) -> String {
    let bare = |text: &str| {
        let plain: String =
            text.chars().filter(|c| !matches!(c, '*' | '`' | '"' | '“' | '”' | '\u{fe0f}' | '\u{200d}')).collect();
        plain
            .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '!' | '?') || c.is_whitespace())
            .trim_matches('_')
            .to_owned()
    };
    let mut text = bare(part);
    #[rustfmt::skip]
    const BEFORE: &[&str] = &[
        "soul.md", "identity.md", "soul of the ", "soul of ", "the soul of ", "soul for ", "for ", "soul ", "you are ", "i am ", "i'm ",
        "meet ", "agent: ", "agent name: ", "name: ", "identity of ", "persona of ", "persona ", "душа ", "alma de ",
        "alma do ", "alma da ", "el alma de ", "a alma de ", "a alma do ", "a alma da ", "l'âme de ", "âme de ",
        "âme d'", "ame de ", "ame d'", "seele von ", "die seele von ", "我是", "你是",
    ];
    #[rustfmt::skip]
    const AFTER: &[&str] = &[
        "'s soul", "’s soul", "s' soul", " soul", "soul.md", ".md", "'s dna", "’s dna", "'s identity", "’s identity",
        "'s personality", "’s personality", " soul file", " soul document", " persona", " identity", " personality",
        " agent soul", " system prompt", "的灵魂", "灵魂文件", "的靈魂", "之魂", "灵魂", "の魂", "のソウル", "の人格", "의 영혼", "의 소울", " 영혼", " 소울",
        "s seele",
    ];
    loop {
        let lower = text.to_lowercase();
        // Lower case may have another length; then a cut could tear a character.
        if lower.len() != text.len() {
            return text;
        }
        let before = BEFORE.iter().filter(|word| lower.starts_with(**word)).map(|word| word.len()).max();
        let after = AFTER.iter().filter(|word| lower.ends_with(**word)).map(|word| word.len()).max();
        let who_is = lower.strip_prefix("who ").and_then(|rest| rest.strip_suffix(" is")).map(str::len);
        text = match (before, after) {
            _ if who_is.is_some() => bare(&text["who ".len()..text.len() - " is".len()]),
            (Some(length), _) => bare(&text[length..]),
            (None, Some(length)) => bare(&text[..text.len() - length]),
            (None, None) => return text,
        };
    }
}

/// A text if it can be a name: short, no sentence, and not a word that every soul has.
fn named(text: &str) -> Option<String> {
    let short = match text.split_once([',', '，', '、']) {
        Some((before, _)) if before.split_whitespace().count() <= 3 => before.trim(),
        _ => text,
    };
    let initials = short.split('.').all(|part| part.chars().count() <= 1);
    let sentence = short.ends_with(['.', '!', '?', '。', '！', '？']) && !short.ends_with("Jr.") && !initials;
    let long = short.split_whitespace().count() > MAX_WORDS || short.chars().count() > MAX_CHARS;
    (!sentence && !long && !is_generic(short)).then(|| short.to_owned())
}

/// Whether a text names nobody: empty, a placeholder, or a word that any soul could have as a title.
pub(crate) fn is_generic(name: &str) -> bool {
    let folded = folded(name);
    let placeholder = name.contains(['<', '>', '{', '}']) || name.trim().starts_with('[');
    let version = folded.strip_prefix('v').unwrap_or(&folded).chars().all(|c| c.is_ascii_digit() || c == ' ');
    let about_souls = ["灵魂", "靈魂"].iter().any(|word| folded.contains(word)) && unwrapped(name) == name.trim();
    folded.is_empty()
        || !folded.chars().any(char::is_alphabetic)
        || placeholder
        || version
        || about_souls
        || GENERIC.contains(&folded.as_str())
        || is_only_heading_words(name)
}

/// A name from the name of a file or folder; `None` if it names nobody.
#[must_use]
pub fn name_of_path(stem: &str) -> Option<String> {
    let stem = stem.trim().trim_start_matches('.');
    let folded = folded(stem);
    (!is_generic(stem) && !GENERIC_FOLDERS.contains(&folded.as_str())).then(|| stem.to_owned())
}

/// What a soul is called: its name, the title of its text, a short role, or its id.
#[must_use]
pub fn name_of(soul: &Soul) -> Option<String> {
    let given = |field| soul.texts(field).map(str::trim).find(|name| !is_nobody(name)).map(str::to_owned);
    let title = || {
        let passages = [Field::Preamble, Field::Body].into_iter().flat_map(|field| soul.texts(field));
        passages.flat_map(str::lines).find_map(|line| line.strip_prefix("# ")).and_then(name_in_title)
    };
    let role = || {
        let role = soul.texts(Field::Role).next()?.split(['\n', ',', '.', ':']).next()?;
        named(&unwrapped(role)).filter(|role| role.len() <= 40)
    };
    given(Field::Name).or_else(title).or_else(role).or_else(|| given(Field::Id))
}

/// A name for a dialect that requires one.
pub(crate) fn name_for(soul: &Soul) -> String {
    name_of(soul).unwrap_or_else(|| made_up_name(soul))
}

/// A name for a soul that nothing names: it is the same for the same soul, and [`is_nobody`] knows it again.
pub(crate) fn made_up_name(soul: &Soul) -> String {
    let said: Vec<String> = soul.items.iter().map(|item| item.value.plain_text()).collect();
    hashed(&said.join("\n"))
}

fn hashed(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().take(4).fold(MADE_UP.to_owned(), |id, byte| format!("{id}{byte:02x}"))
}

/// How a made-up name begins; eight hexadecimal digits follow.
const MADE_UP: &str = "agent-";

/// Whether a name was given by nobody: it is empty, made up, or what a program writes for want of one.
#[must_use]
pub fn is_nobody(name: &str) -> bool {
    let hash = name.strip_prefix(MADE_UP).unwrap_or_default();
    let made_up = hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    made_up || matches!(folded(name).as_str(), "" | "soul" | "soul md" | "unnamed" | "unnamed agent")
}

/// An id for a name: words of `a`–`z` and digits, joined by single hyphens.
///
/// Other scripts are written in Latin letters where a short table does it. A name in Chinese characters takes the name
/// of its folder, or a few digits of its hash; `None` if there is neither a name nor a folder.
#[must_use]
pub fn id_for(name: &str, folder: Option<&str>) -> Option<String> {
    // One letter of many stands for no name, but a name may be one letter.
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
    let is_enough = |text: &str, id: &str| letters(id) >= letters(text).min(2) && !id.is_empty();
    let of = |text: &str| Some(latin::id(text)).filter(|id| is_enough(text, id));
    let by_name = of(name).filter(|_| !is_nobody(name));
    let by_folder = || folder.filter(|folder| name_of_path(folder).is_some()).and_then(of);
    let by_hash = || (!is_nobody(name)).then(|| hashed(name.trim()));
    by_name.or_else(by_folder).or_else(by_hash).map(|id| shortened(&id))
}

fn shortened(id: &str) -> String {
    match id.get(..MAX_ID) {
        Some(start) if id.len() > MAX_ID => start.rsplit_once('-').map_or(start, |(words, _)| words).to_owned(),
        _ => id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_give_names_without_their_wrapping() {
        for (title, name) in [
            ("SOUL.md - Egon Spengler", "Egon Spengler"),
            ("# 🐾 Ada — Soul", "Ada"),
            ("Soul of Ada Lovelace", "Ada Lovelace"),
            ("SOUL: Ada 🌱", "Ada"),
            ("Ada's Soul", "Ada"),
            ("**Ada** (v2)", "Ada"),
            ("SOUL.md — Clawbot's DNA", "Clawbot"),
            ("SOUL.md — Who JARVIS Is", "JARVIS"),
            ("Ame de Jarvis", "Jarvis"),
            ("Душа Марвина", "Марвина"),
            ("小七的灵魂", "小七"),
            ("SOUL.md - 柚子", "柚子"),
            ("You are Grace, a pilot of harbours", "Grace"),
            ("Dr. Strange", "Dr. Strange"),
            ("Sales Agent", "Sales Agent"),
            ("SOUL.md - J.A.R.V.I.S.", "J.A.R.V.I.S."),
            ("SOUL.md for Max", "Max"),
        ] {
            assert_eq!(name_in_title(title).as_deref(), Some(name), "{title}");
        }
    }

    #[test]
    fn titles_that_name_nobody_give_none() {
        for title in [
            "SOUL.md - Who You Are",
            "SOUL",
            "# Soul",
            "Agent Soul",
            "Identity",
            "System Prompt",
            "Who I Am",
            "SOUL.md (Short)",
            "SOUL.md v2.1",
            "SOUL.md - 당신은 누구인가",
            "灵魂",
            "SOUL.md - 你是谁",
            "[Agent Name]",
            "{{name}}",
            "Core Truths",
            "🌱",
            "SOUL.md - Душа агента",
            "SOUL.md - Кто Я Есть",
            "SOUL.md - 助手灵魂文件",
            "SOUL.md - AI 协作灵魂与行为规范",
            "You help people to find what they have lost.",
        ] {
            assert_eq!(name_in_title(title), None, "{title}");
        }
    }

    #[test]
    fn ids_are_words_of_ascii_whatever_the_script() {
        for (name, id) in [
            ("Ada Lovelace", "ada-lovelace"),
            ("Zoë Ångström", "zoe-angstrom"),
            ("Straße & Søn", "strasse-son"),
            ("Щука Ёжик", "shchuka-yozhik"),
            ("Σωκράτης", "sokratis"),
            ("さくらチャン", "sakurachan"),
            ("길동", "gildong"),
            ("Ada 艾达", "ada"),
            ("X", "x"),
            ("é", "e"),
        ] {
            assert_eq!(id_for(name, Some("elsewhere")).as_deref(), Some(id), "{name}");
        }
        assert_eq!(id_for("柚子", Some("Yuzu Bot")).as_deref(), Some("yuzu-bot"));
        assert_eq!(id_for("柚子", Some("workspace")), id_for("柚子", None));
        assert!(id_for("柚子", None).is_some_and(|id| id.starts_with("agent-") && id.len() == 14));
        assert_eq!(id_for("Unnamed Agent", Some("harbour-pilot")).as_deref(), Some("harbour-pilot"));
        assert_eq!(id_for("", None), None);
    }
}
