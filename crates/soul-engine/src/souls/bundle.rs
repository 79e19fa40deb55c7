//! A soul with all the files around it, whatever its dialect.

use std::collections::BTreeMap;
use std::path::PathBuf;

use soul_core::calibration::PROBES_FILE;
use soul_core::diagnostics::{Code, Diagnostic, Quoted};
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::{
    AGENT_FILE, Error, Loader, MEMORY_FILE, PROCEDURES_FILE, RULES_FILE, Resolved, STYLE_FILE, Target, USER_FILE,
    is_folder,
};
use crate::Keeper;
use crate::files::{self, Directory, SOUL_FILE};
use crate::workspace::Agent;

/// The card that people see.
pub(crate) const CARD_FILE: &str = "IDENTITY.md";
/// Outputs as they should be, and as they should not.
pub(crate) const EXAMPLES: [&str; 2] = ["examples/good-outputs.md", "examples/bad-outputs.md"];

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

/// The largest file that is checked.
const LARGEST: usize = 1 << 20;

/// A soul, and what stands around it.
pub(crate) struct Bundle {
    pub(crate) soul: Resolved,
    /// The file that the soul itself was read from.
    pub(crate) own: String,
    /// What was read, by usual names; the soul's own file among them.
    pub(crate) files: BTreeMap<String, Source>,
    /// What is there and was not read.
    pub(crate) problems: Vec<Diagnostic>,
    /// The directory, unless the soul stands alone.
    pub(crate) path: Option<PathBuf>,
    /// How paths of the directory begin, as people see them.
    pub(crate) folder: String,
}

/// The directory that a soul stands in; a file that was pointed at stands alone.
pub(crate) fn opened(
    keeper: &Keeper,
    agent: Option<Agent>,
    place: Option<PathBuf>,
) -> Result<Option<(Directory, PathBuf)>, Error> {
    match (agent, place.filter(|place| is_folder(place))) {
        (Some(agent), _) => Ok(Some((agent.directory, agent.path))),
        (None, Some(path)) => {
            let unlistable = |error: files::Error| Error::Unlistable(keeper.roots.shown(&path), error);
            Ok(Some((Directory::open(&path).map_err(unlistable)?, path)))
        }
        (None, None) => Ok(None),
    }
}

impl Bundle {
    /// Reads a soul and everything around it; nothing is written.
    pub(crate) fn read(keeper: &Keeper, target: &Target, dialect: Option<Dialect>) -> Result<Self, Error> {
        let agent = target.agent().map(|name| keeper.agent(name)).transpose()?;
        Self::with(keeper, agent, Loader::new(keeper, dialect).target(target)?)
    }

    /// Reads everything around a soul.
    pub(crate) fn around(keeper: &Keeper, soul: Resolved) -> Result<Self, Error> {
        let agent = soul.agent.as_ref().map(|name| keeper.agent(name)).transpose()?;
        Self::with(keeper, agent, soul)
    }

    fn with(keeper: &Keeper, agent: Option<Agent>, soul: Resolved) -> Result<Self, Error> {
        let opened = opened(keeper, agent, soul.place.clone())?;
        let own = soul.own_file().to_owned();
        let folder = soul.source_path.strip_suffix(&own).unwrap_or_default().to_owned();
        let (directory, path) = opened.unzip();
        let mut bundle = Self { soul, own, files: BTreeMap::new(), problems: Vec::new(), path, folder };
        if let Some(document) = bundle.soul.document.clone() {
            bundle.keep(bundle.own.clone(), document.source().clone());
        }
        for usual in FILES {
            bundle.find(usual, directory.as_ref());
        }
        Ok(bundle)
    }

    /// Takes a file as the soul was read with it, or else from the directory.
    fn find(&mut self, usual: &str, directory: Option<&Directory>) {
        if self.files.contains_key(usual) {
            return;
        }
        let (path, read) = match &self.soul.document {
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
                let found = Diagnostic::new(Code::ParserIo, format!("could not read {path}: {error}"));
                self.report(Diagnostic { file: Some(path), ..found.help("put a plain text file there") });
            }
        }
    }

    fn keep(&mut self, name: String, source: Source) {
        if let Some(at) = source.first_invalid_byte().filter(|_| name != self.own) {
            let found = Diagnostic::new(Code::InvalidUtf8, format!("byte {} of {name} is not UTF-8 text", at + 1));
            self.report(Diagnostic { file: Some(name.clone()), ..found.help("save the file as UTF-8") });
        }
        self.files.insert(name, source);
    }

    /// The files that are small enough to be checked, and a diagnostic for each that is not.
    pub(crate) fn small(&self) -> (BTreeMap<String, Source>, Vec<Diagnostic>) {
        let is_small = |(_, source): &(&String, &Source)| source.bytes().len() <= LARGEST;
        let (small, large): (Vec<_>, Vec<_>) = self.files.iter().partition(is_small);
        let skipped = large.into_iter().map(|(name, _)| {
            let message = format!("{name} is larger than {} MiB and was skipped", LARGEST >> 20);
            let found = Diagnostic::new(Code::OversizedFile, message).help("is this the right file?");
            Diagnostic { file: Some(name.clone()), ..found }
        });
        (small.into_iter().map(|(name, source)| (name.clone(), source.clone())).collect(), skipped.collect())
    }

    /// Notes a problem, unless the soul itself has it already.
    fn report(&mut self, found: Diagnostic) {
        if !self.soul.diagnostics.iter().any(|known| known.message == found.message) {
            self.problems.push(found);
        }
    }

    /// Where a file is that usually has this name.
    pub(crate) fn path_of<'a>(&'a self, usual: &'a str) -> &'a str {
        self.soul.document.as_ref().map_or(usual, |document| document.path_of(usual))
    }

    /// What a file holds that usually has this name.
    pub(crate) fn source_of(&self, usual: &str) -> Option<&Source> {
        let document = self.soul.document.as_ref();
        self.files.get(usual).or_else(|| document.and_then(|document| document.source_of(usual)))
    }

    /// Diagnostics with the lines that they are about, and paths as people see them.
    pub(crate) fn quoted(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<Quoted> {
        let quoted = diagnostics.into_iter().map(|mut diagnostic| {
            let file = diagnostic.file.as_deref().unwrap_or(&self.own).to_owned();
            let path = self.path_of(&file).to_owned();
            diagnostic.path = Some(format!("{}{path}", self.folder));
            diagnostic.file = Some(path);
            Quoted::new(diagnostic, &self.own, self.source_of(&file))
        });
        quoted.collect()
    }
}
