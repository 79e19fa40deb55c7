//! `memory_dir`, as clients of the peer send it: a directory of memory files. Only directories inside the workspace are
//! read, after links are resolved.

use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value};
use soul_engine::Caller;
use soul_engine::memory::{Memories, MemoryOf};
use soul_engine::ops::memory::{detail, search, status};
use soul_engine::ops::{Entry, Operation};
use soul_engine::workspace::Roots;

use crate::app::App;
use crate::failure::Failure;

/// What the peer calls the directory of an agent's daily logs, beside MEMORY.md.
const FOLDER: &str = "memory";

/// Answers a request of an operation about the memory in a directory.
pub(super) async fn answer(
    app: &App,
    entry: &Entry,
    mut request: Map<String, Value>,
    directory: &str,
    caller: Caller,
) -> Result<Value, Failure> {
    if request.contains_key("agent") || request.contains_key("all_agents") {
        return Err(Failure::bad_request("give either `agent` or `memory_dir`"));
    }
    let memory = MemoryOf::Directory(inside(&app.keeper.get().roots, directory)?);
    // The wire format has no directories: an agent stands for it while the other keys are read.
    request.insert("agent".to_owned(), "agent".into());
    let request = Value::Object(request);
    entry.read(request.clone()).map_err(|error| Failure::of(&app.keeper.get(), error))?;
    let unread = |error: serde_json::Error| Failure::bad_request(error.to_string());
    match entry.name {
        search::Request::NAME => {
            let request: search::Request = serde_json::from_value(request).map_err(unread)?;
            ask(app, search::Request { memory: Memories::Of(memory), ..request }, caller).await
        }
        detail::Request::NAME => {
            let request: detail::Request = serde_json::from_value(request).map_err(unread)?;
            ask(app, detail::Request { memory, ..request }, caller).await
        }
        _ => ask(app, status::Request { memory }, caller).await,
    }
}

async fn ask<O>(app: &App, request: O, caller: Caller) -> Result<Value, Failure>
where
    O: Operation,
    O::Response: Send + Serialize,
{
    let response = app.ask(request, caller).await?;
    Ok(serde_json::to_value(response).unwrap_or_default())
}

/// The directory of the memory in the workspace itself, if it has one: what the peer searches by default.
pub(super) fn of_workspace(roots: &Roots) -> Option<&'static str> {
    let workspace = roots.workspace.as_deref()?;
    let has_memory = workspace.join("MEMORY.md").is_file() || workspace.join(FOLDER).is_dir();
    has_memory.then_some(".")
}

/// The directory that holds MEMORY.md and `memory/`, if it is inside the workspace.
fn inside(roots: &Roots, typed: &str) -> Result<PathBuf, Failure> {
    let hint = "name the agent with `agent`, or a directory below the workspace";
    let refused = |code: &str, message: &str| Err(Failure::new(StatusCode::BAD_REQUEST, code, message).hint(hint));
    let Some(workspace) = roots.workspace.as_deref().and_then(|path| path.canonicalize().ok()) else {
        return refused("no_workspace", "`memory_dir` needs a workspace: a directory that contains `.soul`");
    };
    let outside = || refused("memory_dir_outside", "`memory_dir` is not a directory inside the workspace");
    let Ok(path) = workspace.join(Path::new(typed)).canonicalize() else { return outside() };
    if !path.starts_with(&workspace) || !path.is_dir() {
        return outside();
    }
    // The peer names the folder of the logs, and reads MEMORY.md beside it.
    match path.parent() {
        Some(parent) if path.ends_with(FOLDER) && parent.starts_with(&workspace) => Ok(parent.to_path_buf()),
        _ => Ok(path),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_directory_is_inside_the_workspace_or_refused() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let workspace = root.join("team");
        fs::create_dir_all(workspace.join("notes/memory")).unwrap();
        fs::create_dir_all(root.join("secret")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.join("secret"), workspace.join("link")).unwrap();
        let roots = Roots { workspace: Some(workspace.clone()), home: None, user: None };
        let ok = |typed: &str| inside(&roots, typed).ok();
        assert_eq!(ok("notes"), Some(workspace.join("notes")));
        assert_eq!(ok("./notes/memory"), Some(workspace.join("notes")));
        assert_eq!(ok("notes/../notes"), Some(workspace.join("notes")));
        assert_eq!(ok("."), Some(workspace.clone()));
        assert_eq!(ok(workspace.join("notes").to_str().unwrap()), Some(workspace.join("notes")));
        for typed in ["..", "../secret", "/etc", "/", "notes/../../secret", "link", "gone", "\0"] {
            assert_eq!(ok(typed), None, "{typed:?}");
        }
        assert!(inside(&Roots::default(), "notes").is_err());
    }
}
