//! Merge what two authors made of the same text of a soul.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::diagnostics::Diagnostic;
use soul_core::digest::{Digest, RawDigest};
use soul_core::merge::{Answer, Conflict, Line, Merge, Origin, Place, Side, merge};
use soul_core::model::{Change, Dialect, changes};
use soul_core::sigil::{Part, Parts};

use super::{Error, Hints, Operation, Verdict};
use crate::Keeper;
use crate::authoring::Subject;
use crate::caller::Grant;
use crate::context::Context;
use crate::fields::{Body, given};
use crate::library::member::Member;
use crate::souls::{Chosen, ChosenBy, Loader, Resolved, Target, Text};
use crate::workspace::{AgentName, SoulId};

/// Merge what two authors made of the same text of a soul: by field, section and line. What only one of them touched is
/// merged; what both touched is a question, which an answer decides. Nothing is written.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// The agent whose soul the texts are. Default: texts on their own.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// The library soul whose texts they are.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub soul: Option<SoulId>,
    /// The dialect to read them in. Default: what decides for the soul, else detect it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// The text that both began with.
    pub base: Body,
    /// Your text.
    pub ours: Body,
    /// The text of someone else.
    pub theirs: Body,
    /// What decides each question, by its id: a side, both where that is a list, or a text of its own. Answers to
    /// questions that do not come up are ignored.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, MergeAnswer>,
}

/// What decides a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MergeAnswer {
    /// One of the texts that there are.
    Choice(MergeChoice),
    /// A text of its own.
    Text {
        /// The text; an empty one removes the passage.
        text: String,
    },
}

/// One of the texts that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(transform = soul_core::schema::spellings)]
pub enum MergeChoice {
    /// Yours.
    Ours,
    /// Someone else's.
    Theirs,
    /// Yours, and what else theirs has.
    Both,
    /// What both began with.
    Base,
}

/// The merged text, where it comes from, and what is left to decide.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MergedSoul")]
pub struct Response {
    /// The merged text; questions that nothing decides have your side for now.
    pub text: String,
    /// Whether nothing is left to decide.
    pub complete: bool,
    /// How many questions are left.
    pub undecided: usize,
    /// Whether the text has no errors.
    pub valid: bool,
    /// The digest of what it says; `null` unless it is valid.
    pub digest: Option<Digest>,
    /// The dialect it was read in.
    pub dialect: Option<Dialect>,
    /// The digest of each part of what it says.
    pub parts: Parts,
    /// Everything wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// The text line by line, without line ends, with the origin of each.
    pub lines: Vec<MergedLine>,
    /// What only one side changed, by meaning.
    pub merged: Vec<MergedChange>,
    /// What both changed, in the order of the text.
    pub questions: Vec<Question>,
    /// What both began with.
    pub base: MergedSide,
    /// Your text.
    pub ours: MergedSide,
    /// The text of someone else.
    pub theirs: MergedSide,
}

/// A line of the merged text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MergedLine {
    /// Where it comes from.
    pub origin: LineOrigin,
    /// The question that it answers, or waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Its text.
    pub text: String,
}

/// Where a line of a merged text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(transform = soul_core::schema::spellings)]
pub enum LineOrigin {
    /// Nobody changed it, or both did in the same way.
    Both,
    /// Your text.
    Ours,
    /// The text of someone else.
    Theirs,
    /// What both began with, by an answer.
    Base,
    /// A text that was given as the answer.
    Hand,
    /// Nothing decides yet; the line is yours.
    Question,
}

impl From<Origin> for LineOrigin {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Both => Self::Both,
            Origin::Ours => Self::Ours,
            Origin::Theirs => Self::Theirs,
            Origin::Base => Self::Base,
            Origin::Hand => Self::Hand,
            Origin::Undecided => Self::Question,
        }
    }
}

/// A change that only one side made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MergedChange {
    /// Whose it is.
    pub side: MergeChoice,
    /// The change.
    #[serde(flatten)]
    pub change: Change,
}

/// A passage that both sides changed, each in its own way. An empty text means that it was removed, or was not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MergeQuestion")]
pub struct Question {
    /// Its id: the same for the same three texts.
    pub id: String,
    /// What kind of place it is in.
    pub place: PlaceKind,
    /// The field or the heading; empty at the beginning.
    pub name: String,
    /// The parts of the soul that it decides on.
    pub parts: Vec<Part>,
    /// What both began with.
    pub base: String,
    /// Your text.
    pub ours: String,
    /// The text of someone else.
    pub theirs: String,
    /// The items of both, where both are lists.
    pub both: Option<String>,
    /// What decides it; `null` if nothing does yet.
    pub answer: Option<MergeAnswer>,
    /// The sides that loosen the soul here.
    pub loosens: Vec<MergeChoice>,
}

/// What kind of place a question is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "MergePlace", transform = soul_core::schema::spellings)]
pub enum PlaceKind {
    /// A field of the frontmatter.
    Field,
    /// The section under a heading.
    Section,
    /// What stands before the first heading, or between the fields.
    Beginning,
}

/// One of the texts that are merged.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct MergedSide {
    /// The digest of what it says; `null` unless it is valid.
    pub digest: Option<Digest>,
    /// The digest of its bytes.
    pub raw_digest: RawDigest,
    /// Whether it has no errors.
    pub valid: bool,
    /// The digest of each part of what it says.
    pub parts: Parts,
    /// The parts that it changed.
    pub changed_parts: Vec<Part>,
    /// What it changed in meaning; limits first, and of those the removed ones.
    pub changes: Vec<Change>,
}

/// The most questions whose meaning is looked into; each takes several readings of the whole text.
const MOST_EXPLAINED: usize = 64;

impl Operation for Request {
    const NAME: &'static str = "merge";
    const HINTS: Hints = Hints::READ;
    type Response = Response;

    fn grant(&self) -> Grant {
        Grant::Read
    }

    fn run(self, context: &Context<'_>) -> Result<Response, Error> {
        let Self { agent, soul, dialect, base, ours, theirs, answers } = self;
        if agent.is_some() && soul.is_some() {
            return Err(Error::BadRequest("give `agent` or `soul`".to_owned()));
        }
        let reader = Reader::new(context.keeper, agent, soul, dialect)?;
        let text = |key: &str, body: Body| {
            String::from_utf8(body.0).map_err(|_| Error::BadRequest(format!("`{key}` is not UTF-8 text")))
        };
        let (base, ours, theirs) = (text("base", base)?, text("ours", ours)?, text("theirs", theirs)?);
        let merge = merge(&base, &ours, &theirs);
        let conflicts: Vec<&Conflict> = merge.conflicts().collect();
        let given: Vec<Option<&MergeAnswer>> = (0..conflicts.len()).map(|number| answers.get(&id(number))).collect();
        for (conflict, answer) in conflicts.iter().zip(&given) {
            if *answer == Some(&MergeAnswer::Choice(MergeChoice::Both)) && conflict.both().is_none() {
                let message = format!("both cannot be taken in {}: it is not a list", conflict.place);
                return Err(Error::BadRequest(message));
            }
        }
        let decided = |number: usize| given.get(number).copied().flatten().map(MergeAnswer::decides);
        let lines = merge.lines(|number, _| decided(number));
        let merged = joined(&lines);
        let read = reader.read(&merged)?;
        let sides = [reader.read(&base)?, reader.read(&ours)?, reader.read(&theirs)?];
        let changed = |side: &Resolved| changes(&sides[0].soul, &side.soul);
        let (our_changes, their_changes) = (changed(&sides[1]), changed(&sides[2]));
        // Without the questions, whatever decides them.
        let by_itself = joined(&merge.lines(|_, _| Some(Answer::Side(Side::Base))));
        let made = changes(&sides[0].soul, &reader.read(&by_itself)?.soul);
        let only = |side, own: &[Change], other: &[Change]| -> Vec<MergedChange> {
            let is_alone = |change: &&Change| made.contains(change) && !other.contains(change);
            own.iter().filter(is_alone).map(|change| MergedChange { side, change: change.clone() }).collect()
        };
        let mut only_one = only(MergeChoice::Ours, &our_changes, &their_changes);
        only_one.extend(only(MergeChoice::Theirs, &their_changes, &our_changes));
        let mut questions = Vec::new();
        for (number, conflict) in conflicts.iter().enumerate() {
            context.progress.check_awaited()?;
            let explained = number < MOST_EXPLAINED;
            questions.push(reader.question(&merge, number, conflict, given[number].cloned(), explained)?);
        }
        let undecided = given.iter().filter(|answer| answer.is_none()).count();
        let [base_soul, our_soul, their_soul] = &sides;
        let began = Parts::of(&base_soul.soul);
        Ok(Response {
            complete: undecided == 0,
            undecided,
            valid: read.is_valid(),
            digest: read.digest,
            dialect: read.dialect(),
            parts: Parts::of(&read.soul),
            diagnostics: read.diagnostics,
            lines: lines.into_iter().map(MergedLine::from).collect(),
            merged: only_one,
            questions,
            base: MergedSide::new(&base, base_soul, &began, Vec::new()),
            ours: MergedSide::new(&ours, our_soul, &began, our_changes),
            theirs: MergedSide::new(&theirs, their_soul, &began, their_changes),
            text: merged,
        })
    }

    fn verdict(response: &Response) -> Verdict {
        if response.complete && response.valid { Verdict::Passed } else { Verdict::Failed }
    }
}

fn id(number: usize) -> String {
    format!("q{}", number + 1)
}

fn joined(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect()
}

impl MergeAnswer {
    fn decides(&self) -> Answer {
        match self {
            Self::Choice(MergeChoice::Ours) => Answer::Side(Side::Ours),
            Self::Choice(MergeChoice::Theirs) => Answer::Side(Side::Theirs),
            Self::Choice(MergeChoice::Base) => Answer::Side(Side::Base),
            Self::Choice(MergeChoice::Both) => Answer::Both,
            Self::Text { text } => Answer::Text(text.clone()),
        }
    }
}

impl From<Line> for MergedLine {
    fn from(line: Line) -> Self {
        let text = line.text.trim_end_matches(['\r', '\n']).to_owned();
        Self { origin: line.origin.into(), question: line.conflict.map(id), text }
    }
}

impl MergedSide {
    fn new(text: &str, soul: &Resolved, began: &Parts, changes: Vec<Change>) -> Self {
        let parts = Parts::of(&soul.soul);
        Self {
            digest: soul.digest,
            raw_digest: RawDigest::of(text.as_bytes()),
            valid: soul.is_valid(),
            changed_parts: parts.changed_since(began),
            parts,
            changes,
        }
    }
}

/// Reads texts as the soul that they are meant for.
struct Reader<'a> {
    keeper: &'a Keeper,
    subject: Option<Box<dyn Subject>>,
    chosen: Option<Chosen>,
}

impl<'a> Reader<'a> {
    fn new(
        keeper: &'a Keeper,
        agent: Option<AgentName>,
        soul: Option<SoulId>,
        dialect: Option<Dialect>,
    ) -> Result<Self, Error> {
        let asked = dialect.map(|dialect| Chosen::new(dialect, ChosenBy::Request));
        let (subject, chosen): (Option<Box<dyn Subject>>, _) = match (agent, soul) {
            (Some(name), _) => {
                let agent = keeper.agent(&name)?;
                let chosen = keeper.chosen_dialect(&agent)?;
                (Some(Box::new(agent)), chosen)
            }
            (None, Some(id)) => {
                let member = Member::existing(keeper, id)?;
                let chosen = member.chosen(keeper, None);
                (Some(Box::new(member)), chosen)
            }
            (None, None) => (None, None),
        };
        Ok(Self { keeper, subject, chosen: asked.or(chosen) })
    }

    fn read(&self, text: &str) -> Result<Resolved, Error> {
        match &self.subject {
            Some(subject) => {
                let file = subject.file();
                let text = Text::Proposed { file: &file, bytes: text.as_bytes() };
                Ok(subject.resolve(self.keeper, self.chosen, text))
            }
            None => Ok(Loader::chosen(self.keeper, self.chosen).target(&Target::Text(text.into()))?),
        }
    }

    /// A question, with what each side of it means for the whole text.
    fn question(
        &self,
        merge: &Merge,
        number: usize,
        conflict: &Conflict,
        answer: Option<MergeAnswer>,
        explained: bool,
    ) -> Result<Question, Error> {
        let (place, name) = match &conflict.place {
            Place::Field(name) => (PlaceKind::Field, name.clone()),
            Place::Section(title) => (PlaceKind::Section, title.clone()),
            Place::Beginning => (PlaceKind::Beginning, String::new()),
        };
        let (mut parts, mut loosens) = (Vec::new(), Vec::new());
        if explained {
            let with = |side| {
                let lines = merge.lines(|other, _| (other == number).then_some(Answer::Side(side)));
                self.read(&joined(&lines))
            };
            let base = with(Side::Base)?;
            for (side, choice) in [(Side::Ours, MergeChoice::Ours), (Side::Theirs, MergeChoice::Theirs)] {
                let soul = with(side)?.soul;
                parts.extend(Parts::of(&soul).changed_since(&Parts::of(&base.soul)));
                if changes(&base.soul, &soul).iter().any(Change::loosens) {
                    loosens.push(choice);
                }
            }
            parts.sort_unstable();
            parts.dedup();
        }
        let Conflict { base, ours, theirs, .. } = conflict.clone();
        Ok(Question { id: id(number), place, name, parts, both: conflict.both(), base, ours, theirs, answer, loosens })
    }
}
