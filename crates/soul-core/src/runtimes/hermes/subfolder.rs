//! What is appended to a tool result when the agent first works in a subfolder.

use super::text::{read, scanned, stripped};
use crate::runtimes::files::{Files, base_name, bytes_of, is_file, is_folder, is_within, join, parent, resolve};
use crate::runtimes::units::{code_points, nth_code_point, thousands};

const NAMES: &[&str] = &["AGENTS.md", "agents.md", "CLAUDE.md", "claude.md", ".cursorrules"];
const MAX_CHARS: usize = 8_000;
/// How many folders above a path are looked at.
const MAX_UPWARDS: usize = 5;

/// The text for a tool call that names a path, `None` if there is nothing to add.
#[must_use]
pub fn hints(files: &dyn Files, root: &str, paths: &[&str]) -> Option<String> {
    let mut folders: Vec<String> = Vec::new();
    for path in paths {
        let path = resolve(root, path);
        let has_suffix = base_name(&path).rfind('.').is_some_and(|at| at > 0 && at + 1 < base_name(&path).len());
        let mut folder = if has_suffix || is_file(files, &path) { parent(&path).to_owned() } else { path };
        for _ in 0..MAX_UPWARDS {
            if folder == root {
                break;
            }
            if is_folder(files, &folder) && is_within(root, &folder) && !folders.contains(&folder) {
                folders.push(folder.clone());
            }
            if folder == "/" {
                break;
            }
            folder = parent(&folder).to_owned();
        }
    }
    let found: Vec<String> = folders.iter().filter_map(|folder| hint(files, root, folder)).collect();
    if found.is_empty() { None } else { Some(format!("\n\n{}", found.join("\n\n"))) }
}

/// The paths in a shell command, as far as words can tell.
#[must_use]
pub fn paths_in_command(command: &str) -> Vec<&str> {
    command
        .split_whitespace()
        .map(|word| word.trim_matches(['"', '\'']))
        .filter(|word| !word.starts_with('-') && word.contains(['/', '.']))
        .filter(|word| !["http://", "https://", "git@"].iter().any(|scheme| word.starts_with(scheme)))
        .collect()
}

fn hint(files: &dyn Files, root: &str, folder: &str) -> Option<String> {
    NAMES.iter().find_map(|name| {
        let path = join(folder, name);
        let text = stripped(&read(&bytes_of(files, &path)?, 0)?);
        if text.is_empty() {
            return None;
        }
        let text = scanned(&text, name).text;
        let length = code_points(text.as_str());
        let shown = path.strip_prefix(root).map_or(path.as_str(), |rest| rest.trim_start_matches('/'));
        let cut = if length > MAX_CHARS {
            let end = nth_code_point(text.as_str(), MAX_CHARS);
            format!("{}\n\n[...truncated {name}: {} chars total]", &text.as_str()[..end], thousands(length))
        } else {
            text.as_str().to_owned()
        };
        Some(format!("[Subdirectory context discovered: {shown}]\n{cut}"))
    })
}
