use crate::exchange::import::{Imported, Refusal, file_of, text};
use crate::markup::yaml::{Tree, YAML2};
use crate::runtimes::{Files, Node, base_name, frontmatter_end, join};

pub(crate) fn claude_memory(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    let path = file_of(files, path, &["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"])?;
    let mut imported = Imported::text(text(files, &path)?);
    mentions(&mut imported);
    Ok(imported)
}

pub(crate) fn gemini_memory(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    let path = file_of(files, path, &["GEMINI.md"])?;
    let mut imported = Imported::text(text(files, &path)?);
    mentions(&mut imported);
    Ok(imported)
}

pub(crate) fn agents_file(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    let path = file_of(files, path, &["AGENTS.override.md", "AGENTS.md"])?;
    Ok(Imported::text(text(files, &path)?))
}

/// Names what a text includes by `@`: these files are not part of it.
fn mentions(imported: &mut Imported) {
    let text = imported.soul().to_owned();
    let code = crate::markup::markdown::code(&text);
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let path = word.trim().strip_prefix('@').filter(|path| path.contains(['/', '.']) && path.len() > 2);
        if let Some(path) = path.filter(|_| !code.iter().any(|range| range.contains(&at))) {
            imported.leave(format!("@{path}"), "the file that it includes is not part of this one");
        }
        at += word.len();
    }
}

pub(crate) fn claude_agent(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    with_frontmatter(files, &only_file(files, path, ".claude/agents")?, &["name", "description"])
}

pub(crate) fn claude_style(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    with_frontmatter(files, &only_file(files, path, ".claude/output-styles")?, &["name", "description"])
}

pub(crate) fn cursor_rules(files: &dyn Files, path: &str) -> Result<Imported, Refusal> {
    if files.node(path) == Node::Folder && files.node(&join(path, ".cursorrules")) == Node::Missing {
        return with_frontmatter(files, &only_file(files, path, ".cursor/rules")?, &["description"]);
    }
    let path = file_of(files, path, &[".cursorrules"])?;
    match path.ends_with(".mdc") {
        true => with_frontmatter(files, &path, &["description"]),
        false => Ok(Imported::text(text(files, &path)?)),
    }
}

/// The file itself, or the only one of a folder.
fn only_file(files: &dyn Files, path: &str, folder: &str) -> Result<String, Refusal> {
    if files.node(path) != Node::Folder {
        return Ok(path.to_owned());
    }
    let folder = if files.node(&join(path, folder)) == Node::Folder { join(path, folder) } else { path.to_owned() };
    let mut names = files.names(&folder);
    names.retain(|name| name.ends_with(".md") || name.ends_with(".mdc"));
    names.sort();
    match names.as_slice() {
        [name] => Ok(join(&folder, name)),
        [] => Err(Refusal::new(format!("`{}` has no such file", base_name(path)))),
        _ => Err(Refusal::new(format!("`{}` has several files: name one of {}", base_name(path), names.join(", ")))),
    }
}

/// A body that is the soul, after keys that configure the program.
fn with_frontmatter(files: &dyn Files, path: &str, known: &[&str]) -> Result<Imported, Refusal> {
    let text = text(files, path)?;
    let end = frontmatter_end(&text);
    let mut imported = Imported::text(&text[end..]);
    let block = text[..end].trim().trim_start_matches("---").trim_end_matches("---");
    let tree = Tree::parse(block).map_err(|_| Refusal::new("its frontmatter is not YAML"))?;
    let value = match tree.root_id() {
        Some(root) => tree.to_json(root, &YAML2).map_err(|_| Refusal::new("its frontmatter is not YAML"))?,
        None => serde_json::json!({}),
    };
    let get = |key: &str| value.get(key).and_then(serde_json::Value::as_str);
    let stem = base_name(path).rsplit_once('.').map_or(base_name(path), |(stem, _)| stem).to_owned();
    imported.card(get("name").or(Some(&stem)), get("description"));
    for key in value.as_object().into_iter().flat_map(serde_json::Map::keys) {
        if !known.contains(&key.as_str()) {
            imported.leave(format!("`{key}`"), "it configures the program, not who the agent is");
        }
    }
    imported.reading = value;
    Ok(imported)
}
