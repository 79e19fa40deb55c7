//! Claude Code: CLAUDE.md and rules of the user, the folders above the working folder, and the folder itself.
//!
//! By its documentation; nothing was recorded. Which words stand around the files is not documented, so only their
//! contents are exact.

use super::facts::{Basis, Kind, Limit, Reads, Rule, Runtime, Setting, Takes, Unit, Version};
use super::files::{bytes_of, is_folder, join, parent, resolve, upwards};
use super::units::{js_trim, utf16_len};
use super::{Delivery, Injected, Loss, Session, Sources, State, Traced, frontmatter};
use crate::markup::markdown;

pub(super) const MEMORY_DOCS: &str = "code.claude.com/docs/en/memory";
const WARNING_CHARS: usize = 40_000;
const MAX_IMPORTS: usize = 5;

/// The facts about Claude Code.
pub(super) const RUNTIME: Runtime = Runtime {
    id: "claude-code",
    name: "Claude Code",
    basis: Basis::Documented,
    unit: Unit::Utf16,
    soul_at: "CLAUDE.md",
    soul_opening: "",
    memory_at: "",
    versions: &[Version { version: "2.1", source: MEMORY_DOCS }],
    kinds: &[Kind { id: "main", meaning: "an interactive or headless session", source: MEMORY_DOCS }],
    reads: &[
        Reads { path: "~/.claude/CLAUDE.md", meaning: "the user's own", source: MEMORY_DOCS },
        Reads { path: "~/.claude/rules/*.md", meaning: "the user's rules", source: MEMORY_DOCS },
        Reads {
            path: "CLAUDE.md, .claude/CLAUDE.md",
            meaning: "in each folder from the root to the working folder",
            source: MEMORY_DOCS,
        },
        Reads { path: ".claude/rules/**/*.md", meaning: "rules without `paths`", source: MEMORY_DOCS },
        Reads { path: "CLAUDE.local.md", meaning: "private notes beside CLAUDE.md", source: MEMORY_DOCS },
        Reads { path: "@path", meaning: "files that these import, five levels deep", source: MEMORY_DOCS },
    ],
    limits: &[Limit {
        setting: "",
        value: WARNING_CHARS as u64,
        unit: Unit::Utf16,
        per: "file, before it warns; nothing is cut",
        versions: "2.1",
        source: MEMORY_DOCS,
    }],
    rules: &[
        Rule {
            id: "html-comments",
            meaning: "comments that stand on lines of their own are left out",
            source: MEMORY_DOCS,
        },
        Rule {
            id: "path-rules",
            meaning: "rules with `paths` are loaded when a matching file is read",
            source: MEMORY_DOCS,
        },
    ],
    settings: &[
        Setting { name: "home", takes: Takes::Text, meaning: "the user's home", default: "none", source: MEMORY_DOCS },
        Setting {
            name: "cwd",
            takes: Takes::Text,
            meaning: "the working folder, relative to the target",
            default: "the target",
            source: MEMORY_DOCS,
        },
    ],
    emulate,
};

struct Loader<'a> {
    session: &'a Session<'a>,
    home: Option<String>,
    sources: Sources,
    delivery: Delivery,
    loaded: Vec<String>,
}

fn emulate(session: &Session<'_>) -> Delivery {
    let home = session.settings.get("home").map(|home| resolve(&session.root, home));
    let mut loader = Loader {
        session,
        home: home.clone(),
        sources: Sources::default(),
        delivery: Delivery::default(),
        loaded: Vec::new(),
    };
    if let Some(home) = &home {
        loader.load(&join(home, ".claude/CLAUDE.md"), 0);
        loader.rules(&join(home, ".claude/rules"), 0);
    }
    let cwd = resolve(&session.root, session.settings.get("cwd").unwrap_or("."));
    let mut folders: Vec<&str> = upwards(&cwd).collect();
    folders.reverse();
    for folder in folders {
        loader.load(&join(folder, "CLAUDE.md"), 0);
        loader.load(&join(folder, ".claude/CLAUDE.md"), 0);
        loader.rules(&join(folder, ".claude/rules"), 0);
        loader.load(&join(folder, "CLAUDE.local.md"), 0);
    }
    let mut delivery = loader.delivery;
    let blocks: Vec<Traced> = delivery
        .files
        .iter()
        .map(|file| {
            let mut block = Traced::from(format!("Contents of {}:\n\n", file.path).as_str());
            block.push(&file.content);
            block
        })
        .collect();
    delivery.text = Traced::joined(&blocks, "\n\n");
    delivery.sources = loader.sources.paths();
    delivery
}

impl Loader<'_> {
    fn load(&mut self, path: &str, depth: usize) {
        if self.loaded.iter().any(|known| known == path) || depth > MAX_IMPORTS {
            return;
        }
        let Some(bytes) = bytes_of(self.session.files, path) else { return };
        self.loaded.push(path.to_owned());
        let file = self.sources.number(path);
        let whole = Traced::lossy(&bytes, file);
        let length = utf16_len(whole.as_str());
        if length > WARNING_CHARS {
            self.delivery.warnings.push(format!("{path} has {length} characters; Claude Code warns from 40,000"));
        }
        let comments = comments(whole.as_str());
        for range in &comments {
            let reason = "comments that stand on lines of their own are left out";
            let origin = whole.slice(range.clone());
            let (Some(first), Some(last)) = (origin.pieces().first(), origin.pieces().last()) else { continue };
            let range = Some(first.from..last.from + last.len);
            let reason = reason.to_owned();
            self.delivery.losses.push(Loss { file, range, state: State::Dropped, rule: "html-comments", reason });
        }
        let content = whole.replaced(comments.into_iter().map(|range| (range, ""))).trimmed(js_trim);
        if content.is_empty() {
            return;
        }
        let imports = imports(content.as_str());
        self.delivery.files.push(Injected { path: path.to_owned(), content });
        for import in imports {
            let target = match (import.strip_prefix("~/"), &self.home) {
                (Some(rest), Some(home)) => resolve(home, rest),
                (Some(_), None) => continue,
                (None, _) => resolve(parent(path), &import),
            };
            self.load(&target, depth + 1);
        }
    }

    fn rules(&mut self, folder: &str, depth: usize) {
        if depth > 4 || !is_folder(self.session.files, folder) {
            return;
        }
        let mut names = self.session.files.names(folder);
        names.sort();
        for name in names {
            let path = join(folder, &name);
            if is_folder(self.session.files, &path) {
                self.rules(&path, depth + 1);
            } else if name.ends_with(".md") {
                let Some(bytes) = bytes_of(self.session.files, &path) else { continue };
                let file = self.sources.number(&path);
                if frontmatter::split(&Traced::lossy(&bytes, file)).has_value("paths") {
                    let reason = "the rule has `paths`, so it is loaded when a matching file is read";
                    self.delivery.losses.push(Loss::file(file, State::Dropped, "path-rules", reason));
                } else {
                    self.load(&path, 0);
                }
            }
        }
    }
}

/// Comments on lines of their own, outside of fenced code.
fn comments(text: &str) -> Vec<std::ops::Range<usize>> {
    if !text.contains("<!--") {
        return Vec::new();
    }
    let code = markdown::fenced_code(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("<!--").map(|found| at + found) {
        let Some(end) = text[start..].find("-->").map(|length| start + length + 3) else { break };
        at = end;
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let rest = &text[end..];
        let line_end = rest.find('\n').map_or(text.len(), |length| end + length + 1);
        let alone = text[line_start..start].trim().is_empty() && text[end..line_end].trim().is_empty();
        if alone && !code.iter().any(|range| range.contains(&start)) {
            found.push(line_start..line_end);
            at = line_end.max(end);
        }
    }
    found
}

/// `@path` at the start of a word, outside of code.
fn imports(text: &str) -> Vec<String> {
    let code = markdown::code(text);
    text.match_indices('@')
        .filter(|(at, _)| text[..*at].chars().next_back().is_none_or(char::is_whitespace))
        .filter(|(at, _)| !code.iter().any(|range| range.contains(at)))
        .map(|(at, _)| text[at + 1..].split(char::is_whitespace).next().unwrap_or_default())
        .map(|path| path.trim_end_matches(['.', ',', ';', ':', ')', '!', '?']).to_owned())
        .filter(|path| !path.is_empty())
        .collect()
}
