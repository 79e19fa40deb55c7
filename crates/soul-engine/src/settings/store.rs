//! `[store]`: where the store is, and where the texts of souls are kept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Error, Layer, Origin, Setting};
use crate::store::{BadStoreUrl, StoreUrl};

/// `[store]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreSettings {
    /// The store, if it is not `keeper.db` in the home.
    pub url: Option<StoreUrl>,
    /// Where the texts of souls are kept.
    pub souls: SoulsKept,
}

/// Where the texts of souls are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(transform = soul_core::schema::spellings)]
pub enum SoulsKept {
    /// In files.
    #[default]
    Files,
    /// In the database, so that keepers on several machines need no shared disk.
    Database,
}

impl SoulsKept {
    #[allow(missing_docs)]
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Database => "database",
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    url: Option<String>,
    souls: Option<SoulsKept>,
}

impl StoreSettings {
    /// Only the home can set it: a workspace may be a repository of others, and must not decide where the record
    /// goes. `chosen` is the URL of the environment, which wins.
    pub(super) fn layered(
        layers: &mut [Layer<'_>],
        chosen: Option<&StoreUrl>,
        origins: &mut Vec<Setting>,
    ) -> Result<Self, Error> {
        let mut store = Self::default();
        for layer in layers {
            let Table { url, souls } = std::mem::take(&mut layer.file.store);
            if layer.origin != Origin::Home && (url.is_some() || souls.is_some()) {
                let why = "store.url and store.souls can be set in the home only";
                return Err(Error::Refused(layer.origin, why.to_owned()));
            }
            let url: Option<StoreUrl> = url.map(|url| url.parse()).transpose().map_err(Error::StoreUrl)?;
            if chosen.is_none() {
                origins.extend(url.as_ref().map(|url| set("store.url", &url.to_string())));
            }
            origins.extend(souls.map(|souls| set("store.souls", souls.as_str())));
            store = Self { url: url.or(store.url), souls: souls.unwrap_or(store.souls) };
        }
        if let Some(chosen) = chosen {
            origins.push(Setting { origin: Origin::Environment, ..set("store.url", &chosen.to_string()) });
            store.url = Some(chosen.clone());
        }
        match (store.souls, &store.url) {
            (SoulsKept::Database, None | Some(StoreUrl::Sqlite(_))) => Err(Error::NoDatabase),
            _ => Ok(store),
        }
    }
}

fn set(key: &'static str, value: &str) -> Setting {
    Setting { key: key.into(), value: format!("{value:?}"), origin: Origin::Home }
}

impl Error {
    /// What to write instead, for what this table got wrong.
    pub(super) const fn store_hint(&self) -> Option<&'static str> {
        match self {
            Self::StoreUrl(_) => Some(BadStoreUrl::HINT),
            Self::NoDatabase => Some(
                "set `[store] url = \"postgres://…\"` or `SOUL_STORE_URL` too, or remove `souls = \"database\"` to keep \
                 souls in files",
            ),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FILE, Settings};
    use super::*;
    use crate::workspace::Roots;

    #[test]
    fn the_store_is_configured_by_url_and_the_environment_wins() {
        let home = tempfile::tempdir().unwrap();
        let roots = Roots { home: Some(home.path().into()), ..Roots::default() };
        let load = |text: &str, chosen: Option<&str>| {
            std::fs::write(home.path().join(FILE), text).unwrap();
            let chosen = chosen.map(|url| url.parse().unwrap());
            let settings = Settings::load_with_store(&roots, chosen.as_ref()).unwrap();
            let origins = settings.origins.iter().map(|said| format!("{}={} {}", said.key, said.value, said.origin));
            (settings.store.url.map(|url| url.to_string()), settings.store.souls, origins.collect::<Vec<_>>())
        };
        assert_eq!(load("[store]\n", None), (None, SoulsKept::Files, vec![]));
        let (configured, chosen) = ("sqlite:///srv/keeper.db", "postgres://ada:hunter2@db/souls");
        let masked = "postgres://ada:***@db/souls";
        let text = format!("[store]\nurl = \"{configured}\"\n");
        assert_eq!(
            load(&text, None),
            (Some(configured.to_owned()), SoulsKept::Files, vec![format!("store.url={configured:?} home")])
        );
        assert_eq!(
            load(&text, Some(chosen)),
            (Some(masked.to_owned()), SoulsKept::Files, vec![format!("store.url={masked:?} environment")])
        );
        let kept = "store.souls=\"database\" home".to_owned();
        assert_eq!(
            load("[store]\nsouls = \"database\"\n", Some(chosen)),
            (Some(masked.to_owned()), SoulsKept::Database, vec![kept, format!("store.url={masked:?} environment")])
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused_without_a_password() {
        let error = |text: &str| Settings::parse(text).unwrap_err();
        for url in ["mysql://ada:hunter2@db/souls", "sqlite://hunter2.db", ""] {
            let error = error(&format!("[store]\nurl = \"{url}\"\n"));
            assert!(matches!(error, Error::StoreUrl(_)), "{error}");
            assert!(!error.to_string().contains("hunter2"), "{error}");
            assert!(error.store_hint().unwrap().contains("sqlite:///"));
        }
        for url in ["", "url = \"sqlite:///srv/keeper.db\"\n"] {
            let error = error(&format!("[store]\n{url}souls = \"database\"\n"));
            assert!(matches!(error, Error::NoDatabase), "{error}");
        }
        assert!(error("[store]\nsouls = \"nowhere\"\n").to_string().contains("nowhere"));
    }

    #[test]
    fn a_workspace_does_not_choose_the_store() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join(".soul")).unwrap();
        let roots = Roots { workspace: Some(root.path().into()), ..Roots::default() };
        for line in ["url = \"sqlite:///srv/keeper.db\"", "souls = \"files\""] {
            std::fs::write(root.path().join(".soul").join(FILE), format!("[store]\n{line}\n")).unwrap();
            let error = Settings::load(&roots).unwrap_err();
            assert!(matches!(error, Error::Refused(Origin::Workspace, _)), "{error}");
        }
    }
}
