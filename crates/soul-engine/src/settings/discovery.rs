use std::path::PathBuf;

use serde::Deserialize;
use soul_core::model::Dialect;

use super::{Layer, Setting};

/// `[discovery]`: where agents are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovery {
    /// Additional workspaces, searched after the current one and before the home.
    pub roots: Vec<PathBuf>,
    /// Which systems' folders are searched.
    pub layouts: Vec<Layout>,
    /// The layouts whose agents are never written.
    pub read_only: Vec<Layout>,
}

/// A system's layout of agents on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Ours: `.soul/agents` of a workspace, `agents` of the home.
    Soul,
    /// `.agh/agents` of a workspace and of the user.
    Agh,
    /// `~/.agentos/agents`.
    Agentos,
    /// `~/.openclaw/workspace`.
    Openclaw,
}

impl Layout {
    /// The dialect that agents of this layout are in, unless something says otherwise.
    pub(crate) const fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Soul => None,
            Self::Agh => Some(Dialect::Agh),
            Self::Agentos => Some(Dialect::Agentos),
            Self::Openclaw => Some(Dialect::Plain),
        }
    }

    /// The folders that lead to its agents, from a workspace or the user's own directory.
    pub(crate) const fn below(self) -> &'static [&'static str] {
        match self {
            Self::Soul => &[".soul", "agents"],
            Self::Agh => &[".agh", "agents"],
            Self::Agentos => &[".agentos", "agents"],
            Self::Openclaw => &[".openclaw"],
        }
    }

    /// The folder that it is known by.
    pub(crate) const fn folder(self) -> &'static str {
        self.below()[0]
    }
}

impl Default for Discovery {
    fn default() -> Self {
        Self { roots: Vec::new(), layouts: vec![Layout::Soul], read_only: Vec::new() }
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    roots: Option<Vec<PathBuf>>,
    layouts: Option<Vec<Layout>>,
    read_only: Option<Vec<Layout>>,
}

impl Discovery {
    pub(super) fn layered(layers: &mut [Layer<'_>], origins: &mut Vec<Setting>) -> Self {
        let mut discovery = Self::default();
        let mut said: Vec<Setting> = Vec::new();
        for layer in layers {
            let Table { roots, layouts, read_only } = std::mem::take(&mut layer.file.discovery);
            let mut say = |key, value| {
                said.retain(|said| said.key != key);
                said.push(Setting { key, value, origin: layer.origin });
            };
            if let Some(roots) = roots {
                let shown: Vec<_> = roots.iter().map(|root| root.to_string_lossy()).collect();
                say("discovery.roots".into(), format!("{shown:?}"));
                discovery.roots = roots.iter().map(|root| layer.folder.join(root)).collect();
            }
            if let Some(layouts) = layouts {
                say("discovery.layouts".into(), format!("{layouts:?}").to_lowercase());
                discovery.layouts = layouts;
            }
            if let Some(read_only) = read_only {
                say("discovery.read_only".into(), format!("{read_only:?}").to_lowercase());
                discovery.read_only = read_only;
            }
        }
        origins.extend(said);
        discovery
    }
}
