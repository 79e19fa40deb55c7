use std::error::Error;
use std::io;
use std::process::ExitCode;

use serde_json::json;
use soul_engine::fault::{Fault, Kind};
use soul_engine::ops::{self, Report};
use soul_engine::settings::{self, Origin};
use soul_engine::souls;
use soul_engine::workspace::{BadName, BadSoulId};

use super::findings::visible_lines;
use super::style::{ERROR, HINT};
use super::{findings, note, terminal};

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure(Box<Report>);

impl Failure {
    pub(crate) fn new(kind: Kind, code: &str, message: impl Into<String>) -> Self {
        Self(Box::new(Report { kind, code: code.to_owned(), message: message.into(), ..Report::default() }))
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, "usage", message)
    }

    pub(crate) fn io(what: &str, error: &io::Error) -> Self {
        Self::new(Kind::Unable, "io", format!("could not use {what}: {}", soul_engine::files::plain(error)))
    }

    /// An error of the engine from before or after a request. That of a request is a [`Report`].
    pub(crate) fn refused(error: impl Into<ops::Error>) -> Self {
        let error = error.into();
        let Fault { kind, code, hint } = error.fault();
        let report = Report { hint: hint.map(Into::into), ..*Self::new(kind, code, error.to_string()).0 };
        report.into()
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    pub(super) fn exit(&self) -> ExitCode {
        ExitCode::from(self.exit_code())
    }

    pub(crate) fn exit_code(&self) -> u8 {
        self.0.kind.exit()
    }

    /// What is reported of it, for a command that goes on with other inputs.
    pub(crate) const fn report(&self) -> &Report {
        &self.0
    }

    pub(crate) fn text(&self) -> String {
        let Report { message, hint, findings, diagnostics, .. } = &*self.0;
        let mut text: String = findings.iter().flatten().map(findings::line).collect();
        if diagnostics.is_some() {
            text.push_str(&terminal::excerpts(note::of_report(&self.0)));
        }
        let gap = if text.is_empty() { "" } else { "\n" };
        // A service may have sent it, or a user typed part of it.
        text.push_str(&format!("{gap}{ERROR}error{ERROR:#}: {}\n", visible_lines(message)));
        text.extend(hint.iter().map(|hint| format!("{HINT}hint{HINT:#}: {}\n", visible_lines(hint))));
        text
    }

    pub(super) fn json(&self) -> String {
        format!("{:#}\n", json!({ "schema": "soul.error/1", "error": *self.0 }))
    }
}

impl From<Report> for Failure {
    fn from(mut report: Report) -> Self {
        report.hint = report.hint.as_deref().map(with_options);
        Self(Box::new(report))
    }
}

/// A hint that names keys of a request, with the options of the command line in their place.
fn with_options(hint: &str) -> String {
    const OPTIONS: [(&str, &str); 6] = [
        ("`expected_digest`", "`--expected-digest`"),
        ("a reason in `force`", "`--force REASON`"),
        ("`force`", "`--force`"),
        ("give `content`", "give `--content TEXT`, or `--file FILE`"),
        ("give `line`", "give `--line N`"),
        ("or `section`", "or `--section HEADING`"),
    ];
    if let Some((before, digest)) = hint.split_once("`expected_digest` ").filter(|(_, rest)| !rest.contains(' ')) {
        return format!("{before}`--expected-digest {digest}`");
    }
    OPTIONS.iter().fold(hint.to_owned(), |hint, (key, option)| hint.replace(key, option))
}

/// clap's own message, without its prefix: it names the option and suggests others. A name that is none is
/// reported as the engine does it.
impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let source = error.source();
        if let Some(bad) = source.and_then(|source| source.downcast_ref::<BadName>()) {
            return Self::refused(souls::Error::from(bad.clone()));
        }
        if let Some(bad) = source.and_then(|source| source.downcast_ref::<BadSoulId>()) {
            return Self::refused(souls::Error::from(bad.clone()));
        }
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
        let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        let rest = rest.replace("For more information, try '--help'.", "");
        let rest = rest.trim().strip_prefix("tip: ").unwrap_or(rest.trim());
        Self::usage(message.trim_end()).hint(if rest.is_empty() { "try `--help`" } else { rest })
    }
}

impl From<settings::Error> for Failure {
    fn from(error: settings::Error) -> Self {
        use settings::Error::{Malformed, NoDatabase, OutOfRange, Refused, StoreUrl, Unreadable};
        let kind = if matches!(error, Unreadable(..)) { Kind::Unable } else { Kind::Usage };
        let hint = match &error {
            StoreUrl(_) | NoDatabase => error.hint().unwrap_or_default(),
            Unreadable(Origin::Workspace, _) | Malformed(Origin::Workspace, _) | Refused(Origin::Workspace, _) => {
                "fix `.soul/config.toml` of the workspace, or choose another workspace with `--workspace`; `soul doctor` says more"
            }
            Unreadable(..) | Malformed(..) | OutOfRange(_) | Refused(..) => {
                "fix the file, or choose another home with `--home`; `soul doctor` says where it is"
            }
        };
        Self::new(kind, "bad_config", error.to_string()).hint(hint)
    }
}

#[cfg(test)]
mod tests {
    use super::with_options;

    #[test]
    fn keys_of_a_request_become_options() {
        for (hint, shown) in [
            ("then give `expected_digest` raw:sha256:0", "then give `--expected-digest raw:sha256:0`"),
            (
                "leave `expected_digest` out to write the first soul",
                "leave `--expected-digest` out to write the first soul",
            ),
            ("write it anyway with a reason in `force`", "write it anyway with `--force REASON`"),
            ("select another first, or give `force`", "select another first, or give `--force`"),
            ("give `content`", "give `--content TEXT`, or `--file FILE`"),
            ("give `line` or `section`", "give `--line N` or `--section HEADING`"),
            (
                "give each of `name` and `description` a line of its own",
                "give each of `name` and `description` a line of its own",
            ),
        ] {
            assert_eq!(with_options(hint), shown);
        }
    }
}
