mod copy;
mod editor;

use std::process::ExitCode;

use soul_core::digest::RawDigest;
use soul_core::merge::merge;
use soul_core::model::Dialect;
use soul_engine::fault::Kind;
use soul_engine::fields::{Body, ExpectedDigest, Limit};
use soul_engine::files::SOUL_FILE;
use soul_engine::ops::new::TemplateName;
use soul_engine::ops::{history, show, write};
use soul_engine::store::Message;
use soul_engine::workspace::AgentName;

use super::change::Force;
use super::{Global, ask, input};
use crate::output::{self, Failure, begin};
use copy::Copy;

/// Edit an agent's soul in your editor
///
/// Opens a copy in `VISUAL` or `EDITOR`. What you save is checked and recorded; if the soul was changed in
/// the meantime, both changes are merged. A refused text stays in the copy, and the next `soul edit` continues
/// with it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul edit ada                          edit, check and record
  soul edit ada -m 'warmer greeting'     say why; `soul history ada` shows it
  EDITOR='code --wait' soul edit ada     in another editor")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// Read the soul in this dialect from now on
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// Record why the change is made, in at most 1024 bytes
    #[arg(short, long, value_name = "TEXT")]
    message: Option<Message>,
    #[command(flatten)]
    force: Force,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent, dialect, message, force } = arguments;
    let current = global.ask(show::Request::new(agent.clone()))?;
    let copy = Copy::of(global, &agent)?;
    let base = match continues(global, &copy)? {
        true => copy.base(),
        false => {
            let begin = || TemplateName::default().files(agent.as_str(), dialect).map_err(Failure::refused);
            let text = match &current.text {
                Some(text) => text.clone(),
                None => begin()?.1.remove(SOUL_FILE).unwrap_or_default(),
            };
            copy.begin(&text, current.text.as_deref())?;
            current.text.clone()
        }
    };
    let empty = Body::from(Vec::new());
    let request = write::Request { dialect, message, force: force.reason(), ..write::Request::new(agent, empty) };
    let mut edit = Edit { global, copy, base, request };
    loop {
        match edit.once() {
            Ok(Some(response)) => {
                edit.copy.remove();
                return edit.done(&response);
            }
            Ok(None) => {
                edit.copy.remove();
                return edit.unchanged(&current);
            }
            // Nothing was typed that could be lost.
            Err(failure) if !edit.copy.is_changed() => return Err(failure),
            Err(failure) if ask::is_possible(global) => {
                output::complain(&failure.text())?;
                if !ask::confirm("edit it again?") {
                    return Err(edit.kept(failure));
                }
            }
            Err(failure) => return Err(edit.kept(failure)),
        }
    }
}

/// Whether to go on with an edit that was not finished. If not, its text is kept elsewhere.
fn continues(global: &Global, copy: &Copy) -> Result<bool, Failure> {
    if !copy.is_changed() {
        return Ok(false);
    }
    let what = format!("there is an unfinished edit in `{}`", copy.shown);
    if !ask::is_possible(global) {
        output::note(&format!("{what}; continuing it\n"))?;
        return Ok(true);
    }
    let goes_on = ask::confirm(&format!("{what}; continue it?"));
    if !goes_on {
        output::note(&format!("it is kept in `{}`\n", copy.set_aside()?))?;
    }
    Ok(goes_on)
}

/// The lines between which a conflict is marked in the copy.
const OURS: &str = "<<<<<<< yours";
const THEIRS: &str = ">>>>>>> theirs";

/// How often another change may come first before the user is asked.
const ATTEMPTS: usize = 5;

/// One edit: the text that it began with, the copy that the user changes, and the change that is made of it.
struct Edit<'a> {
    global: &'a Global,
    copy: Copy,
    base: Option<String>,
    request: write::Request,
}

impl Edit<'_> {
    /// One round: the editor, then the change that comes of it; none if nothing was typed.
    fn once(&mut self) -> Result<Option<write::Response>, Failure> {
        editor::open(self.copy.path())?;
        let saved = self.copy.read()?;
        if Some(&saved) == self.base.as_ref() {
            return Ok(None);
        }
        self.save(saved).map(Some)
    }

    /// Writes what was saved, merged with what others wrote meanwhile.
    fn save(&mut self, mut saved: String) -> Result<write::Response, Failure> {
        if let Some(line) = saved.lines().position(|line| line == OURS || line == THEIRS) {
            let message = format!("line {} still marks a conflict", line + 1);
            return Err(Failure::new(Kind::Conflict, "soul_conflict", message).hint("choose one side, and save"));
        }
        for _ in 0..ATTEMPTS {
            let expected = self.base.as_ref().map(|base| RawDigest::of(base.as_bytes()).to_string());
            let expected_digest = expected.map(|digest| ExpectedDigest::new(&digest));
            let body = Body::from(saved.clone().into_bytes());
            let conflict = match self.global.ask(write::Request { body, expected_digest, ..self.request.clone() }) {
                Err(failure) if failure.report().kind == Kind::Conflict => failure,
                answer => return answer,
            };
            let theirs = self.global.ask(show::Request::new(self.request.agent.clone()))?.text;
            if theirs == self.base {
                return Err(conflict);
            }
            let text = |side: &Option<String>| side.clone().unwrap_or_default();
            let merged = merge(&text(&self.base), &saved, &text(&theirs));
            self.base = theirs;
            if let Some(both) = merged.text() {
                output::note("the soul was changed in the meantime; both changes were merged\n")?;
                self.copy.begin(&both, self.base.as_deref())?;
                saved = both;
            } else {
                self.copy.begin(&merged.marked("yours", "theirs"), self.base.as_deref())?;
                let places: Vec<_> = merged.conflicts().map(|conflict| conflict.place.to_string()).collect();
                let message = format!("the same place was changed in the meantime: {}", places.join(", "));
                return Err(Failure::new(Kind::Conflict, "soul_conflict", message));
            }
        }
        Err(Failure::new(Kind::Conflict, "soul_conflict", "the soul keeps changing").hint("try again"))
    }

    /// A text that was not taken stays where the user finds it.
    fn kept(&self, failure: Failure) -> Failure {
        let (agent, shown) = (&self.request.agent, &self.copy.shown);
        failure.hint(format!("your text is in `{shown}`; `soul edit {agent}` continues with it"))
    }

    fn unchanged(&self, base: &show::Response) -> Result<ExitCode, Failure> {
        if self.global.json {
            output::json("edit", &serde_json::json!({ "agent": base.agent, "unchanged": true }))?;
        } else {
            output::print(&format!("{}  unchanged\n", base.source_path))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn done(&self, response: &write::Response) -> Result<ExitCode, Failure> {
        if self.global.json {
            output::json("edit", response)?;
            return Ok(ExitCode::SUCCESS);
        }
        // The line that history shows, from where both texts are read with all that belongs to them.
        let agent = self.request.agent.clone();
        let page = history::Request { agent, limit: Limit::new(1), cursor: None, bodies: false, diffs: false };
        let recorded = self.global.ask(page)?.revisions.into_iter().next();
        let meaning = recorded.and_then(|entry| entry.summary).unwrap_or_default();
        output::print(&begin::edited(&self.request.agent, response, &meaning))?;
        Ok(ExitCode::SUCCESS)
    }
}
