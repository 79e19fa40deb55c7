//! Where SOUL.md and IDENTITY.md say what the agent is called.

use super::StatedName;
use crate::formats::agentos;
use crate::markup::markdown::fenced_code;
use crate::text::{BOM, Span};

/// What a line calls the name before its colon.
const LABELS: [&str; 11] =
    ["name", "agent name", "display name", "名字", "名称", "姓名", "名前", "이름", "nombre", "nome", "имя"];

/// How a text introduces its agent.
const INTRODUCTIONS: [&str; 9] =
    ["I am ", "I'm ", "I’m ", "You are ", "You're ", "You’re ", "My name is ", "Your name is ", "Call me "];

/// So many names of one text are compared.
const MOST_NAMES: usize = 20;

/// Marks of emphasis, code and quotation around a name.
const DRESS: [char; 7] = ['*', '_', '`', '"', '\'', '“', '”'];

/// The lines of a text with where they begin, without code and quotations.
fn prose_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fences = fenced_code(text).into_iter().peekable();
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        at += line.len();
        (at - line.len(), line.trim_end())
    });
    lines
        .map(|(start, line)| line.strip_prefix(BOM).map_or((start, line), |rest| (start + BOM.len_utf8(), rest)))
        .filter(move |(start, line)| {
            while fences.next_if(|fence| fence.end <= *start).is_some() {}
            !line.trim_start().starts_with('>') && !fences.peek().is_some_and(|fence| fence.contains(start))
        })
}

/// The name on the first line that is labelled as one; below it, if the line ends with the label.
pub(super) fn in_identity(text: &str) -> Vec<StatedName<'_>> {
    let lines: Vec<(usize, &str)> = prose_lines(text).collect();
    let labelled = lines.iter().enumerate().find_map(|(index, (start, line))| {
        let value = labelled(line)?;
        let below = || {
            lines
                .get(index + 1)
                .filter(|(_, line)| !line.trim_start().starts_with(['-', '+', '#', '|']) && !line.contains(':'))
        };
        let (start, line, value) = match value.trim().is_empty() {
            true => below().map(|(start, line)| (start, *line, *line))?,
            false => (start, *line, value),
        };
        Some(placed(*start, line, value))
    });
    labelled.flatten().into_iter().collect()
}

/// The text behind the label of a name, in a list, a table or a line of its own.
fn labelled(line: &str) -> Option<&str> {
    let line = line.trim_start().trim_start_matches(['-', '*', '+', '|', '_', ' ']);
    let (label, value) = line.split_at(line.find([':', '：', '|'])?);
    let label = label.trim_end_matches(['*', '_', ' ']).to_lowercase();
    let value = value.trim_start_matches([':', '：', '|']).trim_start_matches(['*', '_']);
    LABELS.contains(&label.as_str()).then_some(value)
}

/// The name in a value, without what explains it; none if the value is a placeholder.
fn placed<'a>(start: usize, line: &'a str, value: &'a str) -> Option<StatedName<'a>> {
    let ends = [" (", " —", " –", " - ", ",", ";", " /", "|", "（", "，"];
    let value = value.trim().trim_matches(DRESS).trim();
    let end = ends.iter().filter_map(|end| value.find(end)).min().unwrap_or(value.len());
    let name = value[..end].trim().trim_matches(DRESS).trim();
    let is_placeholder = name.is_empty()
        || name.starts_with(['(', '[', '<', '{', '（'])
        || ["tbd", "todo", "none", "n/a", "your name", "unknown"].contains(&name.to_lowercase().as_str());
    // The name is a part of the line, so its place follows from where both begin.
    let offset = start + (name.as_ptr() as usize - line.as_ptr() as usize);
    (!is_placeholder).then(|| StatedName { name, span: Span::new(offset, offset + name.len()) })
}

/// The names by which the frontmatter, introductions, or else a title of one word call the agent.
pub(super) fn in_soul(text: &str) -> Vec<StatedName<'_>> {
    let front = agentos::split(text).filter(|halves| halves.closed).map(|halves| halves.metadata);
    let body = front.as_ref().map_or(0, |front| front.end);
    let lines: Vec<(usize, &str)> = prose_lines(text).filter(|(start, _)| *start >= body).collect();
    let card = prose_lines(text).filter(|(start, _)| front.as_ref().is_some_and(|front| front.contains(start)));
    let keyed = card.into_iter().find_map(|(start, line)| placed(start, line, line.strip_prefix("name:")?));
    let mut names: Vec<StatedName<'_>> = keyed.into_iter().collect();
    names.extend(lines.iter().flat_map(|(start, line)| introductions(*start, line)).take(MOST_NAMES));
    if names.is_empty() {
        names.extend(
            lines.iter().find_map(|(start, line)| Some((*start, *line, line.strip_prefix("# ")?))).and_then(title),
        );
    }
    names
}

/// The names that follow an introduction at the beginning of a sentence.
fn introductions(start: usize, line: &str) -> impl Iterator<Item = StatedName<'_>> {
    let found = INTRODUCTIONS.iter().flat_map(move |phrase| line.match_indices(phrase));
    found.filter_map(move |(at, phrase)| {
        let before = line[..at].trim_end_matches(['*', '_']);
        let sentence = before.trim_end();
        let begins = sentence.trim_start_matches(['-', '*', '+', '#', ' ']).is_empty()
            || (sentence.ends_with(['.', '!', '?']) && sentence.len() < before.len());
        let rest = &line[at + phrase.len()..];
        let name = introduced(rest.trim_start_matches(['*', '_', '`']))?;
        let offset = start + (name.as_ptr() as usize - line.as_ptr() as usize);
        begins.then(|| StatedName { name, span: Span::new(offset, offset + name.len()) })
    })
}

/// One to four capitalised words before a break; nothing if the first of them is no name.
fn introduced(text: &str) -> Option<&str> {
    const TITLES: [&str; 6] = ["Dr.", "Mr.", "Mrs.", "Ms.", "Prof.", "St."];
    let mut end = 0;
    for _ in 0..4 {
        let gap = usize::from(end > 0 && text[end..].starts_with(' '));
        if end > 0 && gap == 0 {
            break;
        }
        let rest = &text[end + gap..];
        let length = rest.find(|c: char| !(c.is_alphanumeric() || "'’-.".contains(c))).unwrap_or(rest.len());
        let word = &rest[..length];
        let word = if TITLES.contains(&word) { word } else { word.trim_end_matches('.') };
        if !word.starts_with(|c: char| c.is_uppercase() || (end > 0 && c.is_numeric())) {
            break;
        }
        end += gap + word.len();
        if word.len() < length {
            break;
        }
    }
    let name = &text[..end];
    let rest = text[end..].trim_start_matches(DRESS);
    let breaks = rest.trim().is_empty()
        || rest.starts_with([',', '.', ';', ':', '!', '?'])
        || [" (", " —", " –", " - "].iter().any(|end| rest.starts_with(end));
    (breaks && is_name(name)).then_some(name)
}

/// Whether capitalised words are a name: no title with an article, no nationality, no shouted adverb.
fn is_name(words: &str) -> bool {
    const OTHERS: [&str; 38] = [
        "a", "an", "the", "i", "ai", "not", "no", "never", "always", "here", "there", "now", "ready", "done", "free",
        "ok", "okay", "right", "wrong", "what", "who", "your", "my", "this", "that", "it", "human", "american",
        "canadian", "german", "french", "italian", "russian", "indian", "korean", "dutch", "greek", "european",
    ];
    let first = words.split(' ').next().unwrap_or_default().to_lowercase();
    !first.is_empty() && !OTHERS.contains(&first.as_str()) && !["ish", "ese"].iter().any(|end| first.ends_with(end))
}

/// A title of one word that is neither a usual heading nor an occupation.
fn title<'a>((start, line, title): (usize, &'a str, &'a str)) -> Option<StatedName<'a>> {
    const HEADINGS: [&str; 22] = [
        "soul",
        "identity",
        "persona",
        "profile",
        "agent",
        "bot",
        "about",
        "overview",
        "core",
        "role",
        "purpose",
        "style",
        "tone",
        "voice",
        "me",
        "you",
        "readme",
        "default",
        "template",
        "example",
        "companion",
        "guide",
    ];
    const ENDS: [&str; 19] = [
        "er", "or", "ist", "ian", "ant", "ent", "ect", "eer", "ion", "ity", "ness", "ism", "phy", "ment", "ship",
        "ing", "nce", "end", "s",
    ];
    let mut parts = title.split([':', '|', '—', '–']).flat_map(|part| part.split(" - ")).map(str::trim);
    let name = parts.find(|part| !["soul.md", "soul"].contains(&part.to_lowercase().as_str()))?;
    let lower = name.to_lowercase();
    let is_one_word = name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_usual = HEADINGS.contains(&lower.as_str()) || ENDS.iter().any(|end| lower.ends_with(end));
    let named = is_one_word && name.starts_with(|c: char| c.is_ascii_uppercase()) && !is_usual;
    named.then(|| placed(start, line, name)).flatten()
}
