//! What an exporter is given: a soul as the files of a plain one.

use std::collections::BTreeMap;

use crate::formats::{Context, parse};
use crate::model::{Dialect, Field, Soul};
use crate::text::{BOM, Source, slug};

/// The soul's own file.
pub(super) const SOUL: &str = "SOUL.md";

/// Files beside a soul that say who the agent is, with the heading that each gets in a file that has them all.
const AUTHORED: [(&str, &str); 7] = [
    ("IDENTITY.md", "Identity"),
    ("STYLE.md", "Style"),
    ("RULES.md", "Rules"),
    ("AGENTS.md", "Procedures"),
    ("TOOLS.md", "Tools"),
    ("examples/good-outputs.md", "Good examples"),
    ("examples/bad-outputs.md", "Bad examples"),
];

/// A soul on its way to another program.
#[derive(Debug, Clone)]
pub struct Material {
    /// The name of the agent.
    pub name: String,
    /// The name as an id: lower case, with hyphens.
    pub id: String,
    /// What the soul says, in all of its files.
    pub soul: Soul,
    /// SOUL.md as plain Markdown, and the files beside it, by path.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Material {
    /// Takes the files of a plain soul. `fallback` is the name of a soul that gives itself none.
    #[must_use]
    pub fn new(files: BTreeMap<String, Vec<u8>>, fallback: &str) -> Self {
        let source = |bytes: &[u8]| Source::new(bytes.to_vec());
        let own = files.get(SOUL).map(|bytes| source(bytes)).unwrap_or_default();
        let beside = files.iter().filter(|(path, _)| *path != SOUL).map(|(path, bytes)| (path.clone(), source(bytes)));
        let context = Context { files: beside.collect(), ..Context::default() };
        let soul = parse(own, Dialect::Plain, &context).document.soul();
        let name = crate::model::name_of(&soul).unwrap_or_else(|| fallback.to_owned());
        let id = Some(slug(&name)).filter(|id| !id.is_empty()).unwrap_or_else(|| "soul".to_owned());
        Self { name, id, soul, files }
    }

    fn text(&self, path: &str) -> Option<&str> {
        let text = std::str::from_utf8(self.files.get(path)?).ok()?;
        Some(text.strip_prefix(BOM).unwrap_or(text))
    }

    /// SOUL.md as it is, frontmatter included.
    #[must_use]
    pub fn soul_text(&self) -> &str {
        self.text(SOUL).unwrap_or_default()
    }

    /// One line about the agent: its role, its description, or its first sentence.
    #[must_use]
    pub fn about(&self) -> String {
        let said = [Field::Role, Field::Description].into_iter().find_map(|field| self.soul.texts(field).next());
        let line =
            |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned();
        match said.map(line).filter(|line| !line.is_empty()) {
            Some(line) => line,
            None => {
                let prose = |line: &&str| !line.is_empty() && !line.starts_with(['#', '-', '*', '>', '`', '|']);
                let first = self.body().lines().map(str::trim).find(prose).unwrap_or(&self.name).to_owned();
                match first.find(". ") {
                    Some(end) => first[..=end].to_owned(),
                    None => first,
                }
            }
        }
    }

    /// SOUL.md without its frontmatter, which programs that are not about souls take for text.
    #[must_use]
    pub fn body(&self) -> &str {
        let text = self.soul_text();
        &text[crate::runtimes::frontmatter_end(text)..]
    }

    /// The body, and every other authored file under a heading, except those that the target reads by itself.
    #[must_use]
    pub fn whole(&self, reads: &[&str]) -> String {
        let text = self.body();
        let mut out = text.trim_start_matches(['\n', '\r']).to_owned();
        if text.len() != self.soul_text().len() {
            self.introduce(&mut out);
        }
        for (path, heading) in AUTHORED.iter().filter(|(path, _)| !reads.contains(path)) {
            let Some(text) = self.text(path).map(str::trim).filter(|text| !text.is_empty()) else { continue };
            if !out.is_empty() {
                out.truncate(out.trim_end().len());
                out.push_str("\n\n");
            }
            if !text.starts_with('#') {
                out.push_str(&format!("# {heading}\n\n"));
            }
            out.push_str(text);
            out.push('\n');
        }
        out
    }

    /// What only the frontmatter says stands in front.
    fn introduce(&self, out: &mut String) {
        let lost = [Field::Role, Field::Description];
        let lost = lost.into_iter().flat_map(|field| self.soul.texts(field)).filter(|text| !out.contains(text.trim()));
        let lines: Vec<&str> = lost.map(str::trim).collect();
        if !lines.is_empty() {
            let title = if out.contains(&self.name) { String::new() } else { format!("# {}\n\n", self.name) };
            *out = format!("{title}{}\n\n{out}", lines.join("\n\n"));
        }
    }

    /// The files that no exporter takes along: what the agent remembers, and whom it works for.
    pub(super) fn personal(&self) -> impl Iterator<Item = &str> {
        let personal = |path: &&String| {
            matches!(path.as_str(), "USER.md" | "MEMORY.md")
                || path.starts_with("memory/")
                || path.starts_with("runtime/")
        };
        self.files.keys().filter(personal).map(String::as_str)
    }

    /// The texts of a field, each in one line.
    pub(super) fn short(&self, field: Field) -> Vec<String> {
        let one = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.soul.texts(field).map(one).filter(|text| !text.is_empty()).collect()
    }

    pub(super) fn examples(&self) -> Option<&str> {
        self.text("examples/good-outputs.md").filter(|text| !text.trim().is_empty())
    }

    /// The definitions of tools, by path.
    pub(super) fn tools(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_tool = |path: &str| path.starts_with("tools/") && (path.ends_with(".yaml") || path.ends_with(".yml"));
        let paths = self.files.keys().filter(move |path| is_tool(path));
        paths.filter_map(|path| Some((path.as_str(), self.text(path)?)))
    }
}
