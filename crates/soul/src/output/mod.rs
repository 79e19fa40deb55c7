//! Everything that is printed: one JSON document, or text for people.

pub(crate) mod agents;
pub(crate) mod begin;
pub(crate) mod boot;
pub(crate) mod calibration;
pub(crate) mod check;
pub(crate) mod concise;
pub(crate) mod conversion;
pub(crate) mod delivery;
pub(crate) mod doctor;
pub(crate) mod drift;
pub(crate) mod events;
pub(crate) mod explain;
mod failure;
pub(crate) mod findings;
pub(crate) mod github;
pub(crate) mod inspection;
pub(crate) mod library;
pub(crate) mod live;
pub(crate) mod memory;
pub(crate) mod merge;
mod note;
pub(crate) mod persona;
pub(crate) mod progress;
pub(crate) mod prompt;
pub(crate) mod proposals;
pub(crate) mod record;
mod safe;
pub(crate) mod sarif;
mod sigil;
pub(crate) mod store;
pub(crate) mod style;
pub(crate) mod table;
pub(crate) mod terminal;
pub(crate) mod token;
pub(crate) mod view;
pub(crate) mod workspace;
pub(crate) mod wrap;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use serde::Serialize;

pub(crate) use failure::Failure;
pub(crate) use safe::visible_response;
pub(crate) use style::count;

/// Prints the response of a command as one JSON document.
pub(crate) fn json<T: Serialize>(command: &str, response: &T) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(response).map_err(|error| Failure::io("the response", &error.into()))?;
    bytes((with_schema(command, &safe::json_for_terminal(&text)) + "\n").as_bytes())
}

/// One of many documents, on a line of its own.
pub(crate) fn json_line<T: Serialize>(command: &str, response: &T) -> Result<String, Failure> {
    let text = serde_json::to_string(response).map_err(|error| Failure::io("the response", &error.into()))?;
    Ok(with_schema(command, &safe::json_for_terminal(&text)) + "\n")
}

/// Puts the schema before the first key of an object, in the layout of that.
fn with_schema(command: &str, object: &str) -> String {
    let rest = object.strip_prefix('{').unwrap_or(object);
    let layout = &rest[..rest.len() - rest.trim_start().len()];
    let (blank, comma) = (if layout.is_empty() { "" } else { " " }, if rest == "}" { "" } else { "," });
    format!("{{{layout}\"schema\":{blank}\"soul.{command}/1\"{comma}{rest}")
}

/// Prints a part of what does not end by itself. Returns whether anybody still reads it.
pub(crate) fn stream(text: &str) -> Result<bool, Failure> {
    let mut out = anstream::stdout().lock();
    match out.write_all(safe::for_terminal(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        result => written(result).map(|()| true),
    }
}

/// Prints text for people, with colours if they are wanted.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    written(anstream::stdout().lock().write_all(safe::for_terminal(text).as_bytes()))
}

/// Prints text for people beside what standard output holds. Quiet users want none.
pub(crate) fn note(text: &str) -> Result<(), Failure> {
    if view::is_quiet() {
        return Ok(());
    }
    complain(text)
}

/// Prints what went wrong.
pub(crate) fn complain(text: &str) -> Result<(), Failure> {
    written(anstream::stderr().lock().write_all(safe::for_terminal(text).as_bytes()))
}

/// Prints bytes as they are; on a terminal, where nobody needs the bytes, as text that is safe to look at and ends with
/// a line end, so that the shell's prompt has a line of its own.
pub(crate) fn bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        let text = String::from_utf8_lossy(bytes);
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let text = format!("{}{end}", safe::foreign(&text));
        return written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
    }
    written(out.write_all(bytes).and_then(|()| out.flush()))
}

/// A reader that went away, such as `head`, has what it wanted.
fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::io("standard output", &error)),
        _ => Ok(()),
    }
}

/// Prints help or the version, which clap treats as an error.
pub(crate) fn help(error: &clap::Error, exit: u8) -> ExitCode {
    // What was asked for goes to standard output, also where clap sees a mistake.
    let _ = if exit == 0 {
        anstream::stdout().lock().write_all(error.render().ansi().to_string().as_bytes())
    } else {
        error.print()
    };
    ExitCode::from(exit)
}

/// Prints why a command failed, and returns its exit code.
pub(crate) fn failure(failure: &Failure, as_json: bool) -> ExitCode {
    // If even this cannot be printed, the exit code is all there is.
    let _ =
        if as_json { bytes(safe::json_for_terminal(&failure.json()).as_bytes()) } else { complain(&failure.text()) };
    failure.exit()
}

#[cfg(test)]
mod tests {
    use super::with_schema;

    #[test]
    fn the_schema_is_the_first_key() {
        assert_eq!(with_schema("a.b", r#"{"c":1}"#), r#"{"schema":"soul.a.b/1","c":1}"#);
        assert_eq!(with_schema("a", "{\n  \"c\": 1\n}"), "{\n  \"schema\": \"soul.a/1\",\n  \"c\": 1\n}");
        assert_eq!(with_schema("a", "{}"), r#"{"schema":"soul.a/1"}"#);
    }
}
