use std::borrow::Cow;
use std::io;
use std::process::ExitCode;

use serde_json::{Value, json};
use soul_core::persona::Trait;
use soul_core::text::visible;
use soul_engine::ops::Kind;
use soul_engine::settings::Origin;
use soul_engine::{ops, settings};

use super::style::{ERROR, HINT};
use super::{findings, terminal};

/// Why a command did not do what it was asked: a stable code, a sentence, the next step.
#[derive(Debug)]
pub(crate) struct Failure {
    code: Cow<'static, str>,
    message: String,
    hint: Option<String>,
    exit: u8,
    /// What stands before the sentence on a terminal, and in the error object in JSON.
    detail: Option<Box<Detail>>,
}

#[derive(Debug)]
struct Detail {
    text: String,
    json: Value,
}

impl Failure {
    pub(crate) fn message(code: impl Into<Cow<'static, str>>, message: &str, exit: u8) -> Self {
        Self { code: code.into(), message: message.to_owned(), hint: None, exit, detail: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn io(what: &str, error: &io::Error) -> Self {
        Self::message("io", &format!("{what} could not be used: {}", soul_engine::files::plain(error)), 5)
    }

    /// clap's own message, without its prefix: it names the option and suggests others.
    pub(crate) fn usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
        let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        let rest = rest
            .replace("\n\nFor more information, try '--help'.", "")
            .replace("For more information, try '--help'.", "");
        let rest = rest.trim().strip_prefix("tip: ").unwrap_or(rest.trim());
        let hint = if rest.is_empty() { "try `--help`" } else { rest };
        Self::message("usage", message.trim_end(), 2).hint(hint)
    }

    /// Whether it could not be done, though nothing was wrong with the question.
    pub(crate) const fn is_unable(&self) -> bool {
        self.exit == 5
    }

    pub(super) fn exit(&self) -> ExitCode {
        ExitCode::from(self.exit)
    }

    pub(super) fn text(&self) -> String {
        let detail = self.detail.as_ref().map_or("", |detail| &detail.text);
        let gap = if detail.is_empty() { "" } else { "\n" };
        let mut text = format!("{detail}{gap}{ERROR}error{ERROR:#}: {}\n", self.message);
        if let Some(hint) = &self.hint {
            text.push_str(&format!("{HINT}hint{HINT:#}: {hint}\n"));
        }
        text
    }

    pub(super) fn json(&self) -> String {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let (Some(hint), Some(error)) = (&self.hint, error.as_object_mut()) {
            error.insert("hint".into(), hint.as_str().into());
        }
        if let (Some(Value::Object(detail)), Some(error)) =
            (self.detail.as_ref().map(|detail| &detail.json), error.as_object_mut())
        {
            error.extend(detail.clone());
        }
        format!("{:#}\n", json!({ "schema": "soul.error/1", "error": error }))
    }
}

impl From<ops::Error> for Failure {
    fn from(error: ops::Error) -> Self {
        let exit = match error.kind() {
            Kind::Invalid => 1,
            Kind::Usage => 2,
            Kind::Conflict => 3,
            Kind::NotFound => 4,
            Kind::Unable => 5,
        };
        let hint = hint(&error);
        let failure = Self { hint, ..Self::message(error.code(), &error.to_string(), exit) };
        let detail = match error {
            ops::Error::Invalid(response) => {
                Detail { text: terminal::diagnostics(&response), json: json!({ "diagnostics": response.diagnostics }) }
            }
            ops::Error::Poisoned(_, report) => Detail {
                text: report.findings.iter().map(findings::line).collect(),
                json: json!({ "findings": report.findings }),
            },
            ops::Error::MoodNotAllowed(_, allowed) => {
                Detail { text: String::new(), json: json!({ "allowed": allowed }) }
            }
            ops::Error::Conflict { current_digest, .. } => {
                Detail { text: String::new(), json: json!({ "current_digest": current_digest }) }
            }
            _ => return failure,
        };
        Self { detail: Some(Box::new(detail)), ..failure }
    }
}

/// The next step.
fn hint(error: &ops::Error) -> Option<String> {
    use ops::{Conflict, Error};
    use soul_engine::chat;
    use soul_engine::library::Error as Library;
    use soul_engine::store::Error as Store;
    let hint = match error {
        Error::NotFound(_) => "give a file, an agent's directory or name, or `-` for standard input",
        Error::NoSoul(_) => "an agent's directory has a SOUL.md; `soul validate` checks every soul below a folder",
        Error::NoPackage(_) => "a package is a folder with a `soul.json`",
        Error::CannotMigrate(_) => "choose the same version, or a later one",
        Error::AgentNotFound(name) => {
            return Some(format!(
                "agents live in `.soul/agents/{name}` of a workspace or `agents/{name}` of the home; `soul write --create` makes one; for a file, type its path"
            ));
        }
        Error::NoMemory(_) => "give the directory that holds `MEMORY.md` and `memory/`, or an agent with `--agent`",
        Error::NotInMemory(_) => "name a file as `soul memory search` or `status` shows it",
        Error::Refused(..) => "only regular files inside the memory are read",
        Error::NoSection(..) => "`soul memory detail FILE` shows the whole file",
        Error::NothingToAdd | Error::TooMuchToAdd | Error::NothingToUndo => return None,
        Error::BadTopic(_) => "a topic has 1 to 128 bytes, does not begin with a dot, and has no slash or star",
        Error::NoHome => "give one with `--home`",
        Error::CannotUndo(_, number) => {
            return Some(format!("what was taken out is in the home: memory-history/*/{number:06}.md"));
        }
        Error::Unreadable(..) => "check the path and its permissions",
        Error::BadRules(..) => "nothing was scanned: a rule that cannot run is no pass",
        Error::BadBaseline(..) => "make one with `soul scan --write-baseline FILE`",
        Error::NoRule(_) => "`soul rule` lists them all",
        Error::AgentUnreadable(..) => "an agent's directory is no link to elsewhere",
        Error::BadName(_) => "a name has 1 to 128 bytes and no slash",
        Error::BadCursor(_) => "take `next_cursor` from the page before",
        Error::Unwritable(..) => "check the permissions of the file and its directory, and the room on the disk",
        Error::Unlistable(..) => "check the permissions of the folder",
        Error::Workspace(_) => "check `.soul/id` in the workspace and its permissions",
        Error::ForeignAgent(_) => "copy its directory into `agents/` of the home, and write it there",
        Error::AgentLocked(_) => "wait until it is done, and try again",
        Error::TooLargeToAdopt(_) => "a soul is a few pages of text; move the file away, and write again",
        Error::TooLargeToKeep => "a soul is a few pages of text; is this the right file?",
        Error::Displaced(_) => {
            "two directories share one record: a copied workspace brings its `.soul/id` along; remove the copy's"
        }
        Error::Layer(..) => "put a plain text file there, or remove it",
        Error::Invalid(_) => "mend the errors above; an invalid soul never reaches a model",
        Error::Poisoned(..) => {
            "`soul rule ID` explains each; take it out, or write it all the same with `--force REASON`"
        }
        Error::SoulMissing(_) => "`soul history` shows when it was removed, and what it was",
        Error::RevisionNotFound(_) => "`soul history` lists the revisions; one that removed the soul has no text",
        Error::UnknownTrait(_, near) => {
            let all = Trait::ALL.map(Trait::as_str).join(", ");
            return Some(near.map_or(format!("the traits are {all}"), |near| format!("did you mean `{near}`?")));
        }
        Error::BadReason => "say in a sentence why; it goes on record",
        Error::NotFinite(_) => "give a number such as 0.05 or -0.05",
        Error::BadSession => "any short name will do: the id of a session, a date",
        Error::NoPersona(_) => {
            "write its SOUL.md first with `soul write`; or let agents without one take a soul of the library, with `[agents.soul] fallback = \"library\"`"
        }
        Error::MoodsOff(_) => "set `moodAdaptation.enabled` to true in its persona, or leave it out",
        Error::MoodNotAllowed(_, allowed) if allowed.is_empty() => return None,
        Error::MoodNotAllowed(_, allowed) => {
            let allowed: Vec<_> = allowed.iter().map(|mood| visible(mood)).collect();
            return Some(format!("the soul allows {}", allowed.join(", ")));
        }
        Error::BadInput(..) => "docs/persona.md tells what these files hold",
        Error::MutationNotFound(_) => {
            "`soul persona history` lists the steps; one that was taken back is no place to go"
        }
        Error::SessionNotFound(_) => "`soul session list` lists the sessions",
        Error::SessionStopped(_) => "`soul session resume` makes it live again",
        Error::RunNotFound(_) => "`soul task claim` takes a task and names the run",
        Error::TokenNotFound(_) => "`soul token list` lists the tokens",
        Error::BeyondRole(..) => "choose a role that has it: viewer reads, author writes too, admin makes tokens too",
        Error::LongTokenName => "choose a short name; it stands in every record of what is done with the token",
        Error::RunOver(..) => "the task is no longer yours; claim another",
        Error::Conflict { conflict, current_digest } => match conflict {
            Conflict::Absent => "leave `--expected-digest` out to write the first one",
            Conflict::DigestRequired | Conflict::Stale => {
                let digest = current_digest.as_deref().unwrap_or_default();
                return Some(format!("look at what is there now; then give `--expected-digest {digest}`"));
            }
            Conflict::KeyUsed => "choose another key, or repeat the request as it was",
            Conflict::OtherSession => "look at it with `soul session show`, and give its digest",
            Conflict::LiveRun(_) => "finish the run first, or wait until its lease has expired",
        },
        Error::NoProbes(_) => "write questions into `soul.test.yaml` of the agent, or name a file with `--probes`",
        Error::BadAddress => "give what stands before `/chat/completions`, as in `http://127.0.0.1:8080/v1`",
        Error::Model(_, chat::Error::NoKey(_)) => "set the variable, or leave `--key-env` out if no key is needed",
        Error::Model(..) => "see that the endpoint is up and knows the model; `--replay DIR` needs neither",
        Error::NoCassette { .. } => {
            "a cassette belongs to one prompt and one question; record it anew with `--model URL --record DIR`"
        }
        Error::BadCassette(..) => "remove it, and record it anew with `--model URL --record DIR`",
        Error::Library(error) => match error {
            Library::BadId(_) => {
                "an id has lower-case letters and digits, in words joined by single hyphens, 128 characters at most"
            }
            Library::NotFound(_) | Library::SelectedNotFound(_) => {
                "`soul library list` lists the souls; `soul library history` shows one that was deleted"
            }
            Library::IdTaken(_) => "choose another id, or leave it out",
            Library::NameTaken { .. } => "choose another name, or change that soul with `soul library update`",
            Library::Required(what) if what == "content" => "give `--content TEXT`, or `--file FILE`",
            Library::Required(_) => "give it a value",
            Library::TooLong { .. } => "a soul is a few pages of text; shorten it",
            Library::BadPage { .. } => "pages begin at 1 and have up to 200 souls",
            Library::Selected(_) => "select another first, or give `--force`",
            Library::Default(_) => "give `--force` if you mean it; then sessions take the built-in soul",
            Library::NotEditable(_) => "give each of `name` and `description` a line of its own in the file",
            Library::Locked => "wait until it is done, and try again",
            Library::TooLargeToAdopt(_) => "a soul is a few pages of text; move the file away, and write again",
            Library::Displaced(_) => "two homes share one library; give one of them its own with `[library] dir`",
            Library::Unusable(..) => "check the folder and its permissions; `[library] dir` says where it is",
        },
        Error::Store(error) => match error {
            Store::NoHome => "set `SOUL_HOME`, or give `--home`",
            Store::Busy => "wait until the other program is done, and try again",
            Store::Full | Store::Disk(_) => "see that there is room on the disk, and try again; nothing was lost",
            Store::ReadOnly(_) => "check the permissions of the home and of `keeper.db`",
            Store::Newer(_) => "use the later version",
            Store::Damaged(_) | Store::Failed(_) => "`soul doctor` tells more; the souls themselves are in their files",
        },
    };
    Some(hint.to_owned())
}

impl From<settings::Error> for Failure {
    fn from(error: settings::Error) -> Self {
        use settings::Error::{Malformed, OutOfRange, Refused, Unreadable};
        let exit = if matches!(error, Unreadable(..)) { 5 } else { 2 };
        let hint = match &error {
            Unreadable(Origin::Workspace, _) | Malformed(Origin::Workspace, _) | Refused(Origin::Workspace, _) => {
                "mend `.soul/config.toml` of the workspace, or work in another with `--workspace`"
            }
            Unreadable(..) | Malformed(..) | OutOfRange(_) | Refused(..) => {
                "mend the file, or choose another home with `--home`"
            }
        };
        Self::message("bad_config", &error.to_string(), exit).hint(hint)
    }
}
