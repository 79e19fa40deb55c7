//! The user's editor.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::Command;

use soul_engine::fault::Kind;

use crate::output::Failure;

/// What to try where the user has not chosen one.
const USUAL: [&str; 4] = ["sensible-editor", "nano", "vim", "vi"];

/// Opens a file in the editor, and waits until it is closed.
pub(super) fn open(file: &Path) -> Result<(), Failure> {
    let editor = chosen()?;
    // The variable may hold arguments, and whatever else a shell takes; the file is no part of that text.
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(file);
    if !io::stdout().is_terminal() {
        // Standard output is for the result, and someone may read it.
        command.stdout(io::stderr());
    }
    let status = command.status().map_err(|error| Failure::io("the editor", &error))?;
    if status.success() {
        return Ok(());
    }
    let code = status.code().map_or_else(|| "was stopped".to_owned(), |code| format!("ended with {code}"));
    let message = format!("the editor `{editor}` {code}, so nothing was recorded");
    Err(Failure::new(Kind::Unable, "editor", message).hint("choose another in `VISUAL` or `EDITOR`"))
}

fn chosen() -> Result<String, Failure> {
    let set = |name| std::env::var(name).ok().filter(|editor: &String| !editor.trim().is_empty());
    // Without a terminal, an editor that nobody chose would wait for nobody.
    let usual = || USUAL.into_iter().find(|name| io::stdin().is_terminal() && is_on_path(name)).map(str::to_owned);
    set("VISUAL").or_else(|| set("EDITOR")).or_else(usual).ok_or_else(|| {
        let failure = Failure::new(Kind::Unable, "no_editor", "there is no editor");
        failure.hint("name one in `EDITOR`, or give the text with `soul write NAME --file FILE`")
    })
}

fn is_on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}
