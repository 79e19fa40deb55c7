//! What a prompt is made of, whether it was read from a directory or from a snapshot.

use std::collections::BTreeMap;

use soul_core::formats::{Document, Provenance};
use soul_core::model::Dialect;
use soul_core::prompt::{Passage, Persona, agent_body};

use super::{Error, valid};
use crate::Keeper;
use crate::files::SOUL_FILE;
use crate::ids::SessionId;
use crate::persona;
use crate::sessions;
use crate::settings::Slot;
use crate::souls::{self, AGENT_FILE, CARD_FILE, Folder, Resolved, TOOLS_FILE, Target, filled_slots};
use crate::store::{Binding, FilledSlot, Snapshot, SoulSource, Surroundings};

/// The parts of a prompt.
pub(super) struct Material {
    /// The soul; `None` if there is none, or it is switched off.
    pub(super) soul: Option<SpokenSoul>,
    /// Where users find it.
    pub(super) source_path: String,
    /// The authored files beside it.
    pub(super) files: BTreeMap<String, Vec<u8>>,
    pub(super) surroundings: Surroundings,
    /// Which soul of the library it is, if it is one.
    pub(super) source: Option<SoulSource>,
    /// Traits and mood, if the soul has any.
    pub(super) persona: Option<Persona>,
}

/// A soul that reaches the prompt.
pub(super) struct SpokenSoul {
    pub(super) document: Document,
    pub(super) identity: String,
}

impl SpokenSoul {
    pub(super) fn new(soul: &Resolved) -> Option<Self> {
        let document = soul.document.as_ref().filter(|_| soul.is_active())?;
        let from = Provenance { source_path: &soul.source_path, snapshot_id: None };
        Some(Self { document: document.clone(), identity: document.identity(from) })
    }
}

/// Which state of a target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// With the agent's adaptation and mood, and what the configuration adds.
    Now,
    /// The author's files alone.
    AsAuthored,
}

impl Material {
    pub(super) fn of_target(
        keeper: &Keeper,
        target: &Target,
        dialect: Option<Dialect>,
        reading: Reading,
    ) -> Result<Self, Error> {
        let agent = target.agent().map(|name| keeper.agent(name)).transpose()?;
        let (resolved, source) = valid(keeper, target, dialect)?;
        let soul = SpokenSoul::new(&resolved);
        let persona = match (&soul, &agent) {
            (None, _) => None,
            (Some(_), Some(agent)) if reading == Reading::Now => persona::effective(keeper, agent, &resolved.soul)?,
            (Some(_), _) => Some(Persona::baseline(&resolved.soul)),
        };
        let opened = souls::opened(keeper, agent, resolved.place)?;
        let (mut files, mut surroundings): (_, Surroundings) = Default::default();
        if let Some((directory, path)) = &opened {
            let folder = Folder { keeper, directory, path };
            files = folder.prompt_files(soul.as_ref().map(|spoken| &spoken.document))?;
            surroundings = folder.surroundings()?;
        }
        surroundings.slots = match reading {
            Reading::Now => filled_slots(keeper)?,
            Reading::AsAuthored => BTreeMap::new(),
        };
        Ok(Self { soul, source_path: resolved.source_path, files, surroundings, source, persona })
    }

    pub(super) fn of_session(keeper: &Keeper, id: &SessionId) -> Result<Self, Error> {
        let session = sessions::find(keeper, id)?;
        let surroundings = keeper.store()?.surroundings(&session.id)?.unwrap_or_default();
        let snapshot = sessions::snapshot(keeper, &session)?;
        Self::bound(snapshot, surroundings, session.soul_source, session.persona)
    }

    /// What a session that is being bound will be given.
    pub(super) fn of_binding(binding: &Binding, snapshot: Option<&Snapshot>) -> Result<Self, Error> {
        Self::bound(snapshot.cloned(), binding.surroundings.clone(), binding.source.clone(), binding.persona.clone())
    }

    fn bound(
        snapshot: Option<Snapshot>,
        surroundings: Surroundings,
        source: Option<SoulSource>,
        persona: Option<Persona>,
    ) -> Result<Self, Error> {
        let Some(snapshot) = snapshot else {
            let files =
                surroundings.files.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())).collect();
            return Ok(Self { soul: None, source_path: String::new(), files, surroundings, source, persona: None });
        };
        let soul = Some(SpokenSoul { document: souls::captured(&snapshot)?, identity: snapshot.identity() });
        let (source_path, files, persona) = (snapshot.profile.source_path, snapshot.files, persona);
        Ok(Self { soul, source_path, files, surroundings, source, persona })
    }

    /// A file beside the soul, as it is.
    fn whole(&self, usual: &str) -> Result<Option<Passage>, Error> {
        let path = self.soul.as_ref().map_or(usual, |spoken| spoken.document.path_of(usual));
        let source = format!("{}{path}", self.surroundings.folder);
        let Some(bytes) = self.files.get(path) else { return Ok(None) };
        let text = std::str::from_utf8(bytes);
        let text = text.map_err(|_| souls::Error::Layer(source.clone(), "it is not UTF-8 text".into()))?;
        Ok(Some(Passage::new(text, source)))
    }

    /// The same without the white space around it.
    pub(super) fn file(&self, usual: &str) -> Result<Option<Passage>, Error> {
        Ok(self.whole(usual)?.and_then(Passage::trimmed))
    }

    /// The card of a plain soul, whose runtimes show it to the model; elsewhere it is for people.
    pub(super) fn card(&self) -> Result<Option<Passage>, Error> {
        match self.soul.as_ref().map(|spoken| spoken.document.dialect()) {
            Some(Dialect::Plain) => self.file(CARD_FILE),
            _ => Ok(None),
        }
    }

    /// TOOLS.md, then the tools that the caller or the configuration lists, or else those that a package brings.
    pub(super) fn tools(&self) -> Result<Option<Passage>, Error> {
        let notes = self.file(TOOLS_FILE)?;
        let of_package = || {
            let listed = self.soul.as_ref()?.document.tools();
            Passage::new(listed, format!("{}tools/", self.surroundings.folder)).trimmed()
        };
        let listed =
            if self.surroundings.slots.contains_key(&Slot::Tools) { self.slot(Slot::Tools) } else { of_package() };
        Ok(match (notes, listed) {
            (Some(notes), Some(listed)) => {
                let source = format!("{}, {}", notes.source, listed.source);
                Some(Passage { text: format!("{}\n\n{}", notes.text, listed.text), source, ..notes })
            }
            (notes, listed) => notes.or(listed),
        })
    }

    /// The body of AGENT.md.
    pub(super) fn base(&self) -> Result<Option<Passage>, Error> {
        let Some(file) = self.whole(AGENT_FILE)? else { return Ok(None) };
        let body = agent_body(&file.text).map(str::to_owned);
        let text = body.map_err(|error| souls::Error::Layer(file.source.clone(), error.to_string().into()))?;
        Ok(Passage { text, ..file }.trimmed())
    }

    /// The identity text, and the file whose words it is made of.
    pub(super) fn identity(&self) -> Option<Passage> {
        let SpokenSoul { document, identity } = self.soul.as_ref()?;
        let path = document.path_of(SOUL_FILE);
        let (source, origin) = match document.source_of(path) {
            Some(origin) => (format!("{}{path}", self.surroundings.folder), origin),
            None => (self.source_path.clone(), document.source()),
        };
        Some(Passage { text: identity.clone(), source, origin: origin.clone() })
    }

    /// Puts what the caller says in place of what the configuration says.
    pub(super) fn fill(&mut self, given: [Option<String>; 4]) {
        for (slot, text) in Slot::ALL.into_iter().zip(given) {
            let filled = text.map(|text| (slot, FilledSlot { text, source: slot.as_str().to_owned() }));
            self.surroundings.slots.extend(filled);
        }
    }

    /// What the caller or the configuration says.
    pub(super) fn slot(&self, slot: Slot) -> Option<Passage> {
        let FilledSlot { text, source } = self.surroundings.slots.get(&slot)?;
        Passage::new(text.as_str(), source.as_str()).trimmed()
    }
}
