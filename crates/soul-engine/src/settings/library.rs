use std::path::PathBuf;

use serde::Deserialize;

use super::{Error, Layer, Origin, Said};

/// `[library]`: where the souls for selection are.
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
    /// The library belongs to the home: a workspace that came from elsewhere cannot move it.
    pub(super) fn layered(layers: &mut [Layer<'_>], origins: &mut Vec<Said>) -> Result<Self, Error> {
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
            origins.push(Said {
                key: "library.dir".into(),
                value: format!("{:?}", dir.to_string_lossy()),
                origin: layer.origin,
            });
            library.dir = Some(layer.folder.join(dir));
        }
        Ok(library)
    }
}
