//! Settings from `config.toml`: the home's, then the workspace's over it, key by key. A key that is not
//! set has its default; an unknown key or an invalid value in a table of ours is an error. Other tables
//! are ignored: the file may belong to other programs too.

mod discovery;
mod library;
mod memory;
mod persona;
mod place;
mod prompt;
mod registry;
mod scan;
mod self_edit;
mod soul;
mod store;
mod sync;
mod unknown;

use std::fmt;
use std::path::Path;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use discovery::{Discovery, Layout};
pub use library::LibrarySettings;
pub use memory::{MemorySettings, Rerank};
pub use persona::PersonaSettings;
pub(crate) use place::places;
pub use prompt::{PromptSettings, Slot, SlotSetting, SlotText};
pub use registry::{RegistrySettings, RegistrySource};
pub use scan::OnWrite;
pub use self_edit::{SelfEdit, SelfEditSettings};
pub use soul::{ConfigProvenance, Fallback, SoulSettings};
pub use store::{SoulsKept, StoreSettings};
pub use sync::SyncSettings;
pub use unknown::{TABLES, UnknownTable, unknown_tables};

use crate::files::{self, Directory};
use crate::store::{BadStoreUrl, StoreUrl};
use crate::workspace::{Roots, WORKSPACE_FOLDER};

/// The name of the file in the home, and in the `.soul` folder of a workspace.
pub const FILE: &str = "config.toml";

/// What the operator configured.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// `[agents.soul]`.
    pub soul: SoulSettings,
    /// `self_edit` and `protect` of `[agents.soul]`.
    pub self_edit: SelfEditSettings,
    /// `[discovery]`.
    pub discovery: Discovery,
    /// `[memory]`.
    pub memory: MemorySettings,
    /// `[persona]`.
    pub persona: PersonaSettings,
    /// `[prompt]`.
    pub prompt: PromptSettings,
    /// `[registry]`.
    pub registry: RegistrySettings,
    /// `[scan] on_write`.
    pub on_write: OnWrite,
    /// `[library]`.
    pub library: LibrarySettings,
    /// `[store]`.
    pub store: StoreSettings,
    /// `[sync]`.
    pub sync: SyncSettings,
    /// Every value that a file sets, and which file.
    pub origins: Vec<Setting>,
}

/// Which file sets a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "SettingOrigin", transform = soul_core::schema::spellings)]
pub enum Origin {
    /// None: it is the default.
    #[default]
    Default,
    /// `config.toml` of the home.
    Home,
    /// `.soul/config.toml` of the workspace.
    Workspace,
    /// A variable of the environment.
    Environment,
}

/// A value that a file sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    /// The key with its table, such as `agents.soul.enabled`.
    pub key: Cow<'static, str>,
    /// The value, as TOML.
    pub value: String,
    /// The file that sets it.
    pub origin: Origin,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is there and cannot be read.
    #[error("could not read {FILE} of the {0}: {1}")]
    Unreadable(Origin, files::Error),
    /// The file is not TOML, or a value has the wrong type.
    #[error("{FILE} of the {0} is invalid: {1}")]
    Malformed(Origin, String),
    /// A value is out of range.
    #[error("{FILE}: {0}")]
    OutOfRange(String),
    /// A value that this file may not set, or that is not supported.
    #[error("{FILE} of the {0}: {1}")]
    Refused(Origin, String),
    /// `store.url` is not the URL of a store.
    #[error("{FILE}: store.url: {0}")]
    StoreUrl(#[source] BadStoreUrl),
    /// Souls are to be kept in a database, but the store is a file.
    #[error("{FILE}: store.souls is `database`, but the store is not a PostgreSQL database")]
    NoDatabase,
}

impl Error {
    /// What to do next, where the message alone does not say it.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        self.store_hint()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Default => "default",
            Self::Home => "home",
            Self::Workspace => "workspace",
            Self::Environment => "environment",
        })
    }
}

/// The tables of one file.
#[derive(Deserialize, Default)]
struct File {
    #[serde(default)]
    agents: Agents,
    #[serde(default)]
    discovery: discovery::Table,
    #[serde(default)]
    memory: memory::Tables,
    #[serde(default)]
    scan: scan::Table,
    #[serde(default)]
    library: library::Table,
    #[serde(default)]
    persona: persona::Table,
    #[serde(default)]
    prompt: prompt::Table,
    #[serde(default)]
    registry: registry::Table,
    #[serde(default)]
    store: store::Table,
    #[serde(default)]
    sync: sync::Table,
}

#[derive(Deserialize, Default)]
struct Agents {
    #[serde(default)]
    soul: soul::Table,
}

/// One file, and the folder that its relative paths start from.
struct Layer<'a> {
    origin: Origin,
    folder: &'a Path,
    file: File,
}

impl Settings {
    /// Reads the settings of these roots; where there is no file, the defaults.
    ///
    /// # Errors
    /// When a file cannot be read or is invalid.
    pub fn load(roots: &Roots) -> Result<Self, Error> {
        Self::load_with_store(roots, None)
    }

    /// The same with the store that the environment names, if it names one.
    ///
    /// # Errors
    /// When a file cannot be read or is invalid.
    pub fn load_with_store(roots: &Roots, store: Option<&StoreUrl>) -> Result<Self, Error> {
        let mut layers = Vec::new();
        for (origin, base, read) in read(roots) {
            let bytes = match read {
                Ok(bytes) => bytes,
                Err(files::Error::NotFound) => continue,
                Err(error) => return Err(Error::Unreadable(origin, error)),
            };
            let text = String::from_utf8(bytes).map_err(|error| Error::Malformed(origin, error.to_string()))?;
            layers.push(Layer { origin, folder: base, file: File::parse(origin, &text)? });
        }
        Self::layered(layers, store)
    }

    /// Reads what can be used, and why the rest cannot: if the workspace's file is broken, the home's settings hold,
    /// and if that is broken too, the defaults.
    #[must_use]
    pub fn load_usable(roots: &Roots, store: Option<&StoreUrl>) -> (Self, Option<Error>) {
        match Self::load_with_store(roots, store) {
            Ok(settings) => (settings, None),
            Err(error) => {
                let home = Roots { workspace: None, ..roots.clone() };
                (Self::load_with_store(&home, store).unwrap_or_default(), Some(error))
            }
        }
    }

    /// Reads settings from the text of a home's file.
    ///
    /// # Errors
    /// When it is not TOML, or a value is out of its range.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let file = File::parse(Origin::Home, text)?;
        Self::layered(vec![Layer { origin: Origin::Home, folder: Path::new(""), file }], None)
    }

    fn layered(mut layers: Vec<Layer<'_>>, store: Option<&StoreUrl>) -> Result<Self, Error> {
        let mut origins = Vec::new();
        let store = StoreSettings::layered(&mut layers, store, &mut origins)?;
        let discovery = Discovery::layered(&mut layers, &mut origins);
        let library = LibrarySettings::layered(&mut layers, &mut origins)?;
        let persona = PersonaSettings::layered(&mut layers, &mut origins)?;
        let prompt = PromptSettings::layered(&mut layers, &mut origins)?;
        let sync = SyncSettings::layered(&mut layers, &mut origins)?;
        let registry = RegistrySettings::layered(&mut layers, &mut origins)?;
        let home = layers.iter_mut().find(|layer| layer.origin == Origin::Home);
        // A workspace is someone's repository: it must not decide where memory is sent, or let poison in.
        let (memory, scan) = home
            .map(|layer| (std::mem::take(&mut layer.file.memory), std::mem::take(&mut layer.file.scan)))
            .unwrap_or_default();
        let memory = MemorySettings::of(memory)?;
        let on_write = scan.on_write.unwrap_or_default();
        origins.extend(scan.on_write.map(|on_write| Setting {
            key: "scan.on_write".into(),
            value: format!("{on_write:?}").to_lowercase(),
            origin: Origin::Home,
        }));
        let said: Vec<_> = layers.iter_mut().map(|layer| (layer.origin, layer.file.agents.soul.self_edit())).collect();
        let self_edit = SelfEditSettings::layered(said.into_iter(), &mut origins);
        let tables = layers.into_iter().map(|layer| (layer.origin, layer.file.agents.soul));
        let soul = SoulSettings::layered(tables, &mut origins)?;
        Ok(Self {
            soul,
            self_edit,
            discovery,
            memory,
            persona,
            prompt,
            on_write,
            library,
            store,
            sync,
            origins,
            registry,
        })
    }
}

/// A configuration file: where it counts, its folder, and what is in it.
type ReadFile<'a> = (Origin, &'a Path, Result<Vec<u8>, files::Error>);

/// The files of these roots, each with the folder that relative paths in it start from.
fn read(roots: &Roots) -> Vec<ReadFile<'_>> {
    let ours = roots.workspace.as_ref().map(|workspace| workspace.join(WORKSPACE_FOLDER));
    let places = [
        (Origin::Home, roots.home.as_deref(), roots.home.as_deref()),
        (Origin::Workspace, ours.as_deref(), roots.workspace.as_deref()),
    ];
    let found = places.into_iter().filter_map(|(origin, folder, base)| {
        let read = Directory::open(folder?).and_then(|folder| folder.read(FILE));
        Some((origin, base?, read))
    });
    found.collect()
}

impl File {
    fn parse(origin: Origin, text: &str) -> Result<Self, Error> {
        // The line itself may hold a password, so only its number is shown.
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            let message = unknown::key(error.message()).unwrap_or_else(|| error.message().to_owned());
            Error::Malformed(origin, format!("{place}{message}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_has_its_default() {
        assert_eq!(Settings::parse("").unwrap(), Settings::default());
        let settings =
            Settings::parse("[agents.soul]\nenabled = false\ncontext_projection_bytes = 8\n[other]\nkey = \"x\"\n")
                .unwrap();
        assert!(!settings.soul.enabled);
        assert_eq!(settings.soul.limits.context_projection_bytes, 8);
        assert_eq!(settings.soul.limits.max_body_bytes, 32_768);
    }

    #[test]
    fn what_is_invalid_is_refused() {
        let error = |text: &str| Settings::parse(text).unwrap_err().to_string();
        assert!(error("[agents.soul]\nmax_body_bytes = 0").contains("must be positive: 0"));
        assert!(error("[agents.soul]\nmax_body_bytes = 300").contains("2048 > 300"));
        assert!(error("[agents.soul]\ncontext_projection_bytes = 8").contains("at least 256"));
        assert!(error("[agents.soul]\nenabld = true").contains("enabld"));
        assert!(error("[agents.soul]\nfallback = \"nobody\"").contains("nobody"));
        assert!(error("[library]\ndir = \"\"").contains("must not be empty"));
        assert!(error("[agents.soul").contains("invalid"));
        assert!(error("[discovery]\nlayouts = [\"nobody\"]").contains("nobody"));
    }

    #[test]
    fn the_workspace_speaks_last_and_each_value_knows_its_file() {
        let root = tempfile::tempdir().unwrap();
        let (home, workspace) = (root.path().join("home"), root.path().join("team"));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::create_dir_all(workspace.join(".soul")).unwrap();
        std::fs::write(home.join(FILE), "[agents.soul]\nenabled = false\nmax_body_bytes = 9000\n").unwrap();
        std::fs::write(
            workspace.join(".soul").join(FILE),
            "[agents.soul]\nenabled = true\n[discovery]\nroots = [\"../shared\"]\n",
        )
        .unwrap();
        let roots = Roots { workspace: Some(workspace.clone()), home: Some(home), user: None };
        let settings = Settings::load(&roots).unwrap();
        assert!(settings.soul.enabled);
        assert_eq!(settings.soul.limits.max_body_bytes, 9000);
        assert_eq!(settings.soul.source, Origin::Workspace);
        assert_eq!(settings.discovery.roots, [workspace.join("../shared")]);
        let origins: Vec<_> = settings.origins.iter().map(|said| (&*said.key, said.origin)).collect();
        let expected = [
            ("discovery.roots", Origin::Workspace),
            ("agents.soul.enabled", Origin::Workspace),
            ("agents.soul.max_body_bytes", Origin::Home),
        ];
        assert_eq!(origins, expected);
        std::fs::write(workspace.join(".soul").join(FILE), "[library]\ndir = \"elsewhere\"\n").unwrap();
        assert!(Settings::load(&roots).unwrap_err().to_string().contains("in the home only"));
    }
}
