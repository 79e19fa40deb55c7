//! A soul with all the files around it, whatever its dialect: for operations that look at the whole.

use std::collections::BTreeMap;
use std::path::PathBuf;

use soul_core::calibration::PROBES_FILE;
use soul_core::diagnostics::{Code, Diagnostic, Quoted};
use soul_core::formats::soulspec::Profile;
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::{Error, inspect};
use crate::Keeper;
use crate::files::{self, Directory, SOUL_FILE};
use crate::sessions::{AGENT_FILE, MEMORY_FILE, PROCEDURES_FILE, RULES_FILE, STYLE_FILE, USER_FILE};
use crate::workspace::{Agent, Target};

/// The card that people see.
pub(super) const CARD_FILE: &str = "IDENTITY.md";
/// Outputs as they should be, and as they should not.
pub(super) const EXAMPLES: [&str; 2] = ["examples/good-outputs.md", "examples/bad-outputs.md"];

/// The files that are read, by their usual names.
const FILES: [&str; 11] = [
    SOUL_FILE,
    STYLE_FILE,
    CARD_FILE,
    PROCEDURES_FILE,
    MEMORY_FILE,
    EXAMPLES[0],
    EXAMPLES[1],
    AGENT_FILE,
    RULES_FILE,
    USER_FILE,
    PROBES_FILE,
];

/// The most bytes of a file that are judged.
const LARGEST: usize = 1 << 20;

/// A soul, and what stands around it.
pub(super) struct Whole {
    pub(super) soul: inspect::Response,
    /// The file that the soul itself was read from.
    pub(super) own: String,
    /// What was read, by usual names; the soul's own file among them.
    pub(super) files: BTreeMap<String, Source>,
    /// What is there and was not read.
    pub(super) problems: Vec<Diagnostic>,
    /// The directory, unless the soul stands alone.
    pub(super) path: Option<PathBuf>,
    /// How paths of the directory begin, as people see them.
    pub(super) folder: String,
}

/// The directory that a soul stands in; a file that was pointed at stands alone.
pub(super) fn opened(
    keeper: &Keeper,
    agent: Option<Agent>,
    place: Option<PathBuf>,
) -> Result<Option<(Directory, PathBuf)>, Error> {
    match (agent, place.filter(|place| super::load::is_folder(place))) {
        (Some(agent), _) => Ok(Some((agent.directory, agent.path))),
        (None, Some(path)) => {
            let unlistable = |error: files::Error| Error::Unlistable(keeper.roots.shown(&path), error.to_string());
            Ok(Some((Directory::open(&path).map_err(unlistable)?, path)))
        }
        (None, None) => Ok(None),
    }
}

impl Whole {
    /// Reads a soul and everything around it; nothing is written.
    pub(super) fn read(keeper: &Keeper, target: Target, dialect: Option<Dialect>) -> Result<Self, Error> {
        let agent = match &target {
            Target::Agent(name) | Target::Proposal(name, _) => Some(keeper.agent(name)?),
            Target::Path(_) | Target::Text(_) => None,
        };
        let soul = inspect::run(keeper, inspect::Request { target, dialect, profile: Profile::Lenient })?;
        let opened = opened(keeper, agent, soul.place.clone())?;
        let (before, own) =
            soul.source_path.rsplit_once('/').map_or(("", &*soul.source_path), |(folder, own)| (folder, own));
        let folder = if before.is_empty() { String::new() } else { format!("{before}/") };
        let own = own.to_owned();
        let (directory, path) = opened.unzip();
        let mut whole = Self { soul, own, files: BTreeMap::new(), problems: Vec::new(), path, folder };
        if let Some(document) = whole.soul.parsed.clone() {
            whole.keep(whole.own.clone(), document.source().clone());
        }
        for usual in FILES {
            whole.find(usual, directory.as_ref());
        }
        Ok(whole)
    }

    /// Takes a file as the soul was read with it, or else from the directory.
    fn find(&mut self, usual: &str, directory: Option<&Directory>) {
        if self.files.contains_key(usual) {
            return;
        }
        let (path, read) = match &self.soul.parsed {
            Some(document) => {
                (document.path_of(usual).to_owned(), document.source_of(document.path_of(usual)).cloned())
            }
            None => (usual.to_owned(), None),
        };
        if let Some(source) = read {
            return self.keep(usual.to_owned(), source);
        }
        match directory.map(|directory| directory.read(&path)) {
            Some(Ok(bytes)) => self.keep(usual.to_owned(), Source::new(bytes)),
            None | Some(Err(files::Error::NotFound)) => {}
            Some(Err(error)) => {
                let found = Diagnostic::new(Code::ParserIo, format!("{path} was not read: {error}"));
                self.tell(Diagnostic { file: Some(path), ..found.help("put a plain text file there") });
            }
        }
    }

    fn keep(&mut self, name: String, source: Source) {
        if let Some(at) = source.first_invalid_byte().filter(|_| name != self.own) {
            let found = Diagnostic::new(Code::InvalidUtf8, format!("byte {} of {name} is not UTF-8 text", at + 1));
            self.tell(Diagnostic { file: Some(name.clone()), ..found.help("save the file as UTF-8") });
        }
        self.files.insert(name, source);
    }

    /// The files that are small enough to be judged, and what there is to say about the others.
    pub(super) fn small(&self) -> (BTreeMap<String, Source>, Vec<Diagnostic>) {
        let is_small = |(_, source): &(&String, &Source)| source.bytes().len() <= LARGEST;
        let (small, large): (Vec<_>, Vec<_>) = self.files.iter().partition(is_small);
        let told = large.into_iter().map(|(name, _)| {
            let message = format!("{name} is larger than {} MiB and was left out", LARGEST >> 20);
            let found = Diagnostic::new(Code::OversizedFile, message).help("is this the right file?");
            Diagnostic { file: Some(name.clone()), ..found }
        });
        (small.into_iter().map(|(name, source)| (name.clone(), source.clone())).collect(), told.collect())
    }

    /// Notes a problem, unless it was told with the soul itself.
    fn tell(&mut self, found: Diagnostic) {
        if !self.soul.diagnostics.iter().any(|known| known.message == found.message) {
            self.problems.push(found);
        }
    }

    /// Where a file is that usually has this name.
    pub(super) fn path_of<'a>(&'a self, usual: &'a str) -> &'a str {
        self.soul.parsed.as_ref().map_or(usual, |document| document.path_of(usual))
    }

    /// Diagnostics with the lines that they are about, and paths as people see them.
    pub(super) fn quoted(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<Quoted> {
        let quoted = diagnostics.into_iter().map(|mut diagnostic| {
            let file = diagnostic.file.as_deref().unwrap_or(&self.own).to_owned();
            let path = self.path_of(&file).to_owned();
            diagnostic.path = Some(format!("{}{path}", self.folder));
            diagnostic.file = Some(path);
            let document = self.soul.parsed.as_ref();
            let source = self.files.get(&file).or_else(|| document.and_then(|document| document.source_of(&file)));
            Quoted::new(diagnostic, &self.own, source)
        });
        quoted.collect()
    }
}
