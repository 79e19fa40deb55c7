//! `@path` in a context file: the text of another file, in place.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::runtimes::files::{
    Files, Node, base_name, exists, followed, is_within, join, parent, real_path, resolve, upwards,
};
use crate::runtimes::units::js_trim;
use crate::runtimes::{Loss, Sources, State, Traced};

/// Imports of imports, that many levels deep.
const MAX_DEPTH: usize = 5;

/// How imported files are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// In place of the import.
    Tree,
    /// One after the other.
    Flat,
}

/// What imports need besides a text.
pub struct Importer<'a> {
    /// The files of the machine.
    pub files: &'a dyn Files,
    /// What marks the root of a project.
    pub markers: &'a [String],
    /// How imported files are put together.
    pub format: Format,
    /// Numbers for the files that are read.
    pub sources: &'a mut Sources,
    /// What was not imported.
    pub losses: &'a mut Vec<Loss>,
}

struct Import {
    at: Range<usize>,
    path: String,
}

impl Importer<'_> {
    /// The text of a file with its imports.
    pub fn process(&mut self, path: &str, bytes: &[u8]) -> Traced {
        let folder = parent(path);
        let root = self.project_root(folder);
        let content = Traced::lossy(bytes, self.sources.number(path));
        match self.format {
            Format::Tree => self.tree(&content, folder, &root, 0, &BTreeSet::new()),
            Format::Flat => {
                let mut seen = BTreeSet::new();
                let mut parts = Vec::new();
                // The first file goes by its folder's name.
                self.flat(&content, folder, folder, &root, &mut seen, &mut parts);
                Traced::joined(&parts, "\n\n")
            }
        }
    }

    fn project_root(&self, folder: &str) -> String {
        let marked = |folder: &&str| {
            self.markers
                .iter()
                .filter(|marker| !marker.starts_with('/') && !marker.contains(".."))
                .any(|marker| exists(self.files, &join(folder, marker)))
        };
        upwards(folder).find(marked).unwrap_or(folder).to_owned()
    }

    fn tree(&mut self, content: &Traced, folder: &str, root: &str, depth: usize, chain: &BTreeSet<String>) -> Traced {
        if depth >= MAX_DEPTH {
            return content.clone();
        }
        let code = code_regions(content.as_str());
        let mut result = Traced::default();
        let mut done = 0;
        for import in imports(content.as_str()) {
            if code.iter().any(|region| region.contains(&import.at.start)) {
                continue;
            }
            result.push_slice(content, done..import.at.start);
            done = import.at.end;
            let path = &import.path;
            let full = resolve(folder, path);
            if !self.is_allowed(path, &full, root) {
                self.failed(content, &import, "outside of the project");
                result.push_str(&format!("<!-- Import failed: {path} - Path traversal attempt -->"));
            } else if chain.contains(&full) {
                result.push_str(&format!("<!-- File already processed: {path} -->"));
            } else {
                match self.read(&full) {
                    Ok(bytes) => {
                        let mut chain = chain.clone();
                        chain.insert(full.clone());
                        let imported = Traced::lossy(&bytes, self.sources.number(&full));
                        let imported = self.tree(&imported, parent(&full), root, depth + 1, &chain);
                        result.push_str(&format!("<!-- Imported from: {path} -->\n"));
                        result.push(&imported);
                        result.push_str(&format!("\n<!-- End of import from: {path} -->"));
                    }
                    Err(message) => {
                        self.failed(content, &import, &message);
                        result.push_str(&format!("<!-- Import failed: {path} - {message} -->"));
                    }
                }
            }
        }
        result.push_slice(content, done..content.as_str().len());
        result
    }

    fn flat(
        &mut self,
        content: &Traced,
        folder: &str,
        path: &str,
        root: &str,
        seen: &mut BTreeSet<String>,
        parts: &mut Vec<Traced>,
    ) {
        if !seen.insert(path.to_owned()) {
            return;
        }
        let mut part = Traced::from(format!("--- File: {path} ---\n").as_str());
        part.push(&content.trimmed(js_trim));
        part.push_str(&format!("\n--- End of File: {path} ---"));
        parts.push(part);
        let code = code_regions(content.as_str());
        for import in imports(content.as_str()).into_iter().rev() {
            let full = resolve(folder, &import.path);
            let skipped = code.iter().any(|region| region.contains(&import.at.start))
                || !self.is_allowed(&import.path, &full, root)
                || seen.contains(&full);
            if skipped {
                continue;
            }
            if let Ok(bytes) = self.read(&full) {
                let imported = Traced::lossy(&bytes, self.sources.number(&full));
                self.flat(&imported, parent(&full), &full, root, seen, parts);
            }
        }
    }

    fn failed(&mut self, content: &Traced, import: &Import, message: &str) {
        if let Some(piece) = content.slice(import.at.clone()).pieces().first() {
            let range = Some(piece.from..piece.from + piece.len);
            let reason = format!("`@{}` is taken for an import: {message}", import.path);
            self.losses.push(Loss { file: piece.file, range, state: State::Dropped, rule: "import", reason });
        }
    }

    fn is_allowed(&self, path: &str, full: &str, root: &str) -> bool {
        if ["file://", "http://", "https://"].iter().any(|scheme| path.starts_with(scheme)) {
            return false;
        }
        let root = real_path(self.files, root).unwrap_or_else(|| root.to_owned());
        is_within(&root, &self.real(full))
    }

    /// The path with links resolved as far as it exists.
    fn real(&self, path: &str) -> String {
        match real_path(self.files, path) {
            Some(real) => real,
            None => match self.files.node(path) {
                Node::Link(target) => self.real_below(&resolve(parent(path), &target)),
                _ => self.real_below(path),
            },
        }
    }

    fn real_below(&self, path: &str) -> String {
        if path == "/" {
            return path.to_owned();
        }
        let folder = real_path(self.files, parent(path)).unwrap_or_else(|| self.real_below(parent(path)));
        join(&folder, base_name(path))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match followed(self.files, path).0 {
            Node::File(bytes) | Node::Hardlinked(bytes) => Ok(bytes.into_owned()),
            Node::Folder => Err("EISDIR: illegal operation on a directory, read".to_owned()),
            Node::Denied | Node::TooLarge => Err(format!("EACCES: permission denied, open '{path}'")),
            Node::Missing | Node::Link(_) => Err(format!("ENOENT: no such file or directory, access '{path}'")),
        }
    }
}

const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Every word that begins with `@` and then `.`, `/` or a letter; punctuation after it belongs to it.
fn imports(text: &str) -> Vec<Import> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find('@').map(|at| from + at) {
        if !text[..at].chars().next_back().is_none_or(is_blank) {
            from = at + 1;
            continue;
        }
        let end = text[at..].find(is_blank).map_or(text.len(), |length| at + length);
        let path = &text[at + 1..end];
        if path.starts_with(|c: char| c == '.' || c == '/' || c.is_ascii_alphabetic()) {
            found.push(Import { at: at..end, path: path.to_owned() });
        }
        // The character after a word never begins the next one.
        from = end + text[end..].chars().next().map_or(0, char::len_utf8);
        if from >= text.len() {
            break;
        }
    }
    found
}

/// Code between equally many backticks.
fn code_regions(text: &str) -> Vec<Range<usize>> {
    let mut regions = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('`').map(|found| at + found) {
        let run = text[start..].bytes().take_while(|byte| *byte == b'`').count();
        let region = (1..=run).rev().find_map(|ticks| {
            let close = text[start + ticks..].find(&text[start..start + ticks])?;
            Some(start..start + ticks + close + ticks)
        });
        at = region.as_ref().map_or(start + 1, |region| region.end);
        regions.extend(region);
    }
    regions
}
