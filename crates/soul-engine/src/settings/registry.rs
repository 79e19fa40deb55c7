//! `[registry]`: where packages come from.

use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;

use super::{Error, Layer, Origin, Setting};
use crate::sync::RemoteUrl;

/// The name of the registry that comes with this program.
const STARTER: &str = "starter";

/// `[registry]`: where packages come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistrySettings {
    /// The registries, the one that is asked first in front.
    pub sources: Vec<RegistrySource>,
}

/// Where a registry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegistrySource {
    /// The one that comes with this program.
    Starter,
    /// A folder, or a repository on this machine: as it was written, and where it is.
    Folder(String, PathBuf),
    /// A git repository elsewhere.
    Git(RemoteUrl),
}

impl Default for RegistrySettings {
    fn default() -> Self {
        Self { sources: vec![RegistrySource::Starter] }
    }
}

impl RegistrySource {
    /// Reads a source: `starter`, a URL that git understands, or a path from this folder.
    ///
    /// # Errors
    /// When it looks like a URL that git must not be given.
    pub fn parse(text: &str, folder: &std::path::Path) -> Result<Self, crate::sync::BadRemote> {
        let is_scp = || text.split('/').next().is_some_and(|host| host.contains('@') && host.contains(':'));
        match text {
            STARTER => Ok(Self::Starter),
            _ if text.contains("://") || text.contains("::") || is_scp() => text.parse().map(Self::Git),
            _ => Ok(Self::Folder(text.to_owned(), folder.join(text))),
        }
    }
}

/// For people: without credentials.
impl fmt::Display for RegistrySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Starter => f.write_str(STARTER),
            Self::Folder(text, _) => f.write_str(&soul_core::text::visible(text)),
            Self::Git(remote) => remote.fmt(f),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    sources: Option<Vec<String>>,
}

impl RegistrySettings {
    /// Only the home can set it: a workspace may be the repository of a stranger.
    pub(super) fn layered(layers: &mut [Layer<'_>], origins: &mut Vec<Setting>) -> Result<Self, Error> {
        let mut registry = Self::default();
        for layer in layers {
            let Table { sources } = std::mem::take(&mut layer.file.registry);
            let Some(sources) = sources else { continue };
            if layer.origin != Origin::Home {
                return Err(Error::Refused(layer.origin, "registry.sources can be set in the home only".to_owned()));
            }
            let parse = |text: &String| match text.trim() {
                "" => Err(Error::OutOfRange("registry.sources must not have an empty entry".to_owned())),
                text => RegistrySource::parse(text, layer.folder)
                    .map_err(|error| Error::OutOfRange(format!("registry.sources: {error}"))),
            };
            registry.sources = sources.iter().map(parse).collect::<Result<_, _>>()?;
            let shown: Vec<String> =
                registry.sources.iter().map(|source| format!("{:?}", source.to_string())).collect();
            origins.push(Setting {
                key: "registry.sources".into(),
                value: format!("[{}]", shown.join(", ")),
                origin: layer.origin,
            });
        }
        Ok(registry)
    }
}
