//! What can be wrong with a soul besides its text: its file, its size, its surroundings.

use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::formats::{Parsed, Provenance};
use soul_core::model::Dialect;
use soul_core::text::shown;

use super::Content;
use crate::files::{self, PERSONA_FILE, SOUL_FILE};

/// A persona is agentos; where another dialect was decided on, it is no soul of that agent.
pub(super) fn foreign_persona(dialect: Dialect) -> Option<Diagnostic> {
    let message = format!("there is only a {PERSONA_FILE}, which is not read as {dialect}");
    let help = format!("write a {SOUL_FILE}, or choose agentos with `--dialect`");
    (dialect != Dialect::Agentos).then(|| Diagnostic::new(Code::ParserIo, message).help(help))
}

/// A soul in a file that is called otherwise than SOUL.md is read, and other programs may not find it.
pub(super) fn unusual_name(file: &str) -> Option<Diagnostic> {
    let message = || format!("the file is called {}, but most programs look for `{SOUL_FILE}`", shown(file));
    (file != SOUL_FILE)
        .then(|| Diagnostic::new(Code::UnusualFileName, message()).help(format!("rename it to `{SOUL_FILE}`")))
}

/// The text is larger than a limit.
pub(super) fn oversized(parsed: &Parsed, max: usize, limit: &str) -> Option<Diagnostic> {
    let bytes = parsed.document.identity(Provenance::default()).len();
    let message = format!("the soul has {bytes} bytes of prompt, more than {limit} ({max})");
    (bytes > max).then(|| {
        Diagnostic::new(Code::OversizedBody, message).section("body").help("trim the soul, or raise the limit")
    })
}

/// What could not be read, as the content of its place.
pub(super) fn unread(error: &files::Error) -> Content {
    let diagnostic = Box::new(unreadable(error));
    if error.is_of_machine() { Content::Unavailable(diagnostic) } else { Content::Unreadable(diagnostic) }
}

pub(super) fn unreadable(error: &files::Error) -> Diagnostic {
    let (code, help) = match error {
        files::Error::Escapes | files::Error::Link | files::Error::HardLink => {
            (Code::PathEscape, "replace the link with the file")
        }
        files::Error::TooLarge | files::Error::TooLargeToScan => {
            (Code::OversizedFile, "a soul is a few pages of text; is this the right file?")
        }
        files::Error::NotAFile(_) => (Code::ParserIo, "remove it and write a file in its place"),
        files::Error::NotFound | files::Error::Io(_) => {
            (Code::ParserIo, "check the permissions of the file and its directory")
        }
    };
    Diagnostic::new(code, format!("could not read the soul: {error}")).help(help)
}
