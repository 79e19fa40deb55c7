//! Each skill: a SKILL.md that says its name and when to use it.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::agentos;
use crate::formats::soulspec::{Document, Profile};
use crate::markup::yaml::Tree;
use crate::text::{LineEnds, Span, Unified, shown};

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    for (path, source) in &document.files {
        let Some(folder) = path.strip_prefix("skills/").and_then(|rest| rest.strip_suffix("/SKILL.md")) else {
            continue;
        };
        let wrong = |message: String| {
            Diagnostic::new(Code::InvalidSkill, message).severity(profile.weight()).in_file(
                path,
                source,
                Span::new(0, 0),
            )
        };
        let text = Unified::new(source.text().unwrap_or_default(), 0, LineEnds::All);
        let Some(halves) = agentos::split(&text.text).filter(|halves| halves.closed) else {
            diagnostics.push_error(|| {
                wrong("a skill must begin with frontmatter".to_owned())
                    .help("begin it with `---`, `name: …`, `description: …`, `---`")
            });
            continue;
        };
        let Ok(tree) = Tree::parse(&text.text[halves.metadata]) else {
            diagnostics.push_error(|| {
                wrong("the skill's frontmatter is not valid YAML".to_owned()).help("check its quotes and indentation")
            });
            continue;
        };
        let entries = tree.root_entries().unwrap_or_default();
        let value = |key: &str| {
            entries.iter().find(|(name, _)| tree.text(*name) == Some(key)).and_then(|(_, value)| tree.text(*value))
        };
        match value("name").map(str::trim) {
            None | Some("") => diagnostics
                .push_error(|| wrong("the skill has no `name`".to_owned()).help(format!("add `name: {folder}`"))),
            Some(name)
                if name.len() > 64
                    || !name.split('-').all(|word| {
                        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
                    }) =>
            {
                diagnostics.push_error(|| {
                    wrong(format!("{} is not the name of a skill", shown(name)))
                        .help("use at most 64 lower-case letters and digits, in words joined by single hyphens")
                });
            }
            Some(name) if name != folder => diagnostics.push_error(|| {
                wrong(format!("the skill is called {}, but its folder {}", shown(name), shown(folder)))
                    .help("give both the same name")
            }),
            Some(_) => {}
        }
        if value("description").is_some_and(|text| text.chars().count() > 1_024) {
            diagnostics.push_error(|| {
                wrong("the skill's `description` has more than 1024 characters".to_owned())
                    .help("say in a sentence when to use it")
            });
        }
        if value("description").is_none_or(|text| text.trim().is_empty()) {
            diagnostics.push_error(|| {
                wrong("the skill has no `description`".to_owned()).help("say in a sentence when to use it")
            });
        }
    }
}
