//! The project files of the working folder: the first kind that is found.

use super::text::{read, scanned, shortened, stripped};
use crate::runtimes::files::{
    Files, base_name, bytes_of, exists, is_file, is_folder, is_within, join, real_path, upwards,
};
use crate::runtimes::{Injected, Loss, Sources, State, Traced};
use crate::text::BOM;

const HERMES_NAMES: &[&str] = &[".hermes.md", "HERMES.md"];
const AGENTS_NAMES: &[&str] = &["AGENTS.md", "agents.md"];
const CLAUDE_NAMES: &[&str] = &["CLAUDE.md", "claude.md"];
const OPENING: &str =
    "# Project Context\n\nThe following project context files have been loaded and should be followed:\n\n";

/// What is loaded for the project.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// The files as injected, with their headings.
    pub files: Vec<Injected>,
    /// The whole section; empty if there is none.
    pub text: Traced,
    /// The runtime's own warnings.
    pub warnings: Vec<String>,
    /// What was blocked or cut.
    pub losses: Vec<Loss>,
}

/// Finds and loads the project files of a folder.
pub fn load(files: &dyn Files, cwd: &str, limit: usize, sources: &mut Sources) -> Project {
    let cwd = &real_path(files, cwd).unwrap_or_else(|| cwd.to_owned());
    let mut loader = Loader { files, limit, sources, project: Project::default() };
    let found = loader
        .hermes(cwd)
        .or_else(|| loader.first(cwd, AGENTS_NAMES))
        .or_else(|| loader.first(cwd, CLAUDE_NAMES))
        .or_else(|| loader.cursor(cwd));
    let mut project = loader.project;
    if let Some(section) = found {
        project.text = Traced::from(OPENING);
        project.text.push(&section);
    }
    project
}

struct Loader<'a> {
    files: &'a dyn Files,
    limit: usize,
    sources: &'a mut Sources,
    project: Project,
}

impl Loader<'_> {
    /// A file that can be read and is not empty.
    fn text(&mut self, path: &str) -> Option<Traced> {
        let bytes = bytes_of(self.files, path)?;
        let text = stripped(&read(&bytes, self.sources.number(path))?);
        (!text.is_empty()).then_some(text)
    }

    /// The heading and the scanned text.
    fn section(&mut self, path: &str, name: &str, text: &Traced) -> Traced {
        let scanned = scanned(text, name);
        if let Some(ids) = scanned.blocked {
            let file = self.sources.number(path);
            self.project.losses.push(Loss::file(file, State::Blocked, "threat-scan", blocked(&ids)));
        }
        let mut section = Traced::from(format!("## {name}\n\n").as_str());
        section.push(&scanned.text);
        section
    }

    fn cut(&mut self, section: Traced, name: &str, path: &str) -> Traced {
        let (text, warning) = shortened(section, name, path, self.limit);
        if let Some(warning) = warning {
            let file = self.sources.number(path);
            let reason = format!("longer than {} code points", self.limit);
            self.project.losses.push(Loss::file(file, State::Cut, "context-limit", reason));
            self.project.warnings.push(warning);
        }
        text
    }

    fn finish(&mut self, section: Traced, label: &str, path: &str) -> Traced {
        let text = self.cut(section, label, path);
        self.project.files.push(Injected { path: path.to_owned(), content: text.clone() });
        text
    }

    /// `.hermes.md`, searched upwards in a repository, without its frontmatter.
    fn hermes(&mut self, cwd: &str) -> Option<Traced> {
        let root = upwards(cwd).find(|folder| exists(self.files, &join(folder, ".git")));
        let folders: Vec<&str> = match root {
            Some(root) => upwards(cwd).take_while(|folder| is_within(root, folder)).collect(),
            None => vec![cwd],
        };
        let path = folders
            .iter()
            .flat_map(|folder| HERMES_NAMES.iter().map(|name| join(folder, name)))
            .find(|path| is_file(self.files, path))?;
        let text = without_frontmatter(&self.text(&path)?);
        let name =
            path.strip_prefix(cwd).and_then(|rest| rest.strip_prefix('/')).unwrap_or(base_name(&path)).to_owned();
        let section = self.section(&path, &name, &text);
        Some(self.finish(section, ".hermes.md", &path))
    }

    fn first(&mut self, cwd: &str, names: &[&str]) -> Option<Traced> {
        for name in names {
            let path = join(cwd, name);
            if let Some(text) = self.text(&path) {
                let section = self.section(&path, name, &text);
                return Some(self.finish(section, names[0], &path));
            }
        }
        None
    }

    /// `.cursorrules` and the rules of Cursor, together.
    fn cursor(&mut self, cwd: &str) -> Option<Traced> {
        let mut all = Traced::default();
        let mut paths = vec![(".cursorrules".to_owned(), join(cwd, ".cursorrules"))];
        let folder = join(cwd, ".cursor/rules");
        if is_folder(self.files, &folder) {
            let mut names: Vec<String> =
                self.files.names(&folder).into_iter().filter(|name| name.ends_with(".mdc")).collect();
            names.sort();
            paths.extend(names.iter().map(|name| (format!(".cursor/rules/{name}"), join(&folder, name))));
        }
        let mut used = Vec::new();
        for (name, path) in paths {
            if let Some(text) = self.text(&path) {
                all.push(&self.section(&path, &name, &text));
                all.push_str("\n\n");
                used.push(path);
            }
        }
        if all.is_empty() {
            return None;
        }
        let text = self.cut(all, ".cursorrules", &join(cwd, ".cursorrules"));
        let reason = format!("longer than {} code points", self.limit);
        for path in &used {
            let file = self.sources.number(path);
            if !self.project.warnings.is_empty() {
                self.project.losses.push(Loss::file(file, State::Cut, "context-limit", reason.clone()));
            }
        }
        let path = used.into_iter().next().unwrap_or_default();
        self.project.files.push(Injected { path, content: text.clone() });
        Some(text)
    }
}

pub(super) fn blocked(ids: &str) -> String {
    format!("its scan found {ids}, so the whole file is replaced by a placeholder")
}

/// The text after `---`, whatever follows it on that line, up to the next line that begins so.
fn without_frontmatter(text: &Traced) -> Traced {
    let text = text.trimmed(|text| text.trim_start_matches(BOM));
    let source = text.as_str();
    if !source.starts_with("---") {
        return text;
    }
    let Some(end) = source[3..].find("\n---").map(|at| at + 3) else { return text };
    let body = text.trimmed(|text| text[end + 4..].trim_start_matches('\n'));
    if body.is_empty() { text } else { body }
}
