use std::path::PathBuf;

use serde::Deserialize;

use super::{Error, Layer, Origin, Setting};

/// `[library]`: where the soul library is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LibrarySettings {
    /// The folder, if it is not `souls` in the home.
    pub dir: Option<PathBuf>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    dir: Option<PathBuf>,
}

impl LibrarySettings {
    /// Only the home can set it: a workspace may be a repository of others.
    pub(super) fn layered(layers: &mut [Layer<'_>], origins: &mut Vec<Setting>) -> Result<Self, Error> {
        let mut library = Self::default();
        for layer in layers {
            let Table { dir } = std::mem::take(&mut layer.file.library);
            let Some(dir) = dir else { continue };
            if layer.origin != Origin::Home {
                return Err(Error::Refused(layer.origin, "library.dir can be set in the home only".to_owned()));
            }
            if dir.as_os_str().is_empty() {
                return Err(Error::OutOfRange("library.dir must not be empty".to_owned()));
            }
            origins.push(Setting {
                key: "library.dir".into(),
                value: format!("{:?}", dir.to_string_lossy()),
                origin: layer.origin,
            });
            library.dir = Some(layer.folder.join(dir));
        }
        Ok(library)
    }
}
