//! A soul that is a package: a folder with a manifest.

use std::path::Path;

use soul_core::diagnostics::{Code, Diagnostic};
use soul_core::formats::soulspec::MANIFESTS;
use soul_core::formats::{self, Context, Parsed};
use soul_core::model::Dialect;
use soul_core::text::Source;

use super::load::{Loader, Text};
use super::problems::{unread, unreadable};
use super::{Chosen, Content, Loaded, Read};
use crate::files::{self, Contents, Directory, SOUL_FILE, is_soul_file};

/// The most files of a package that are named as unreadable.
const MAX_REFUSED: usize = 20;

/// Whether a file is a manifest, or a SOUL.md with a manifest beside it.
pub(super) fn is_packaged(path: &Path, dialect: Option<Dialect>) -> bool {
    let name = path.file_name().unwrap_or_default();
    let is_manifest = MANIFESTS.iter().any(|manifest| name == *manifest);
    let has_manifest = || MANIFESTS.iter().any(|manifest| path.with_file_name(manifest).is_file());
    match dialect {
        None | Some(Dialect::Soulspec) => {
            is_manifest || (name.to_str().is_some_and(is_soul_file) && path.is_file() && has_manifest())
        }
        Some(_) => false,
    }
}

/// The package in a directory, if it has a manifest and is not to be read in another dialect.
pub(super) fn load(loader: &Loader<'_>, directory: &Directory, path: &Path, text: Text<'_>) -> Option<Loaded> {
    if loader.dialect().is_some_and(|dialect| dialect != Dialect::Soulspec) {
        return None;
    }
    MANIFESTS.into_iter().find_map(|name| {
        let content = match loader.bytes(directory, path, name.as_ref()) {
            Ok(bytes) => {
                let reason = loader.chosen.map_or_else(|| format!("`{name}` is beside it").into(), Chosen::reason);
                Content::Soul(Box::new(Read { parsed: parse(loader, directory, path, name, bytes, text), reason }))
            }
            Err(files::Error::NotFound) => return None,
            Err(error) => unread(&error),
        };
        let (source_path, place) = (loader.shown(&path.join(name)), Some(path.to_path_buf()));
        Some(Loaded { source_path, content, managed: false, place })
    })
}

fn parse(
    loader: &Loader<'_>,
    directory: &Directory,
    path: &Path,
    name: &str,
    bytes: Vec<u8>,
    text: Text<'_>,
) -> Parsed {
    let mut contents = directory
        .read_all()
        .unwrap_or_else(|error| Contents { refused: vec![(".".to_owned(), error)], ..Contents::default() });
    match text {
        Text::OnDisk => {}
        Text::Proposed { bytes, .. } => drop(contents.files.insert(SOUL_FILE.to_owned(), bytes.to_vec())),
        Text::Absent => drop(contents.files.remove(SOUL_FILE)),
    }
    let others = contents.files.into_iter().filter(|(path, _)| path != name);
    let files = others.map(|(path, bytes)| (path, Source::new(bytes))).collect();
    let limits = loader.keeper.settings.soul.limits;
    let complete = contents.refused.is_empty() && !contents.too_much;
    let folder = path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let context = Context { limits, profile: loader.profile, name: Some(name.to_owned()), folder, files, complete };
    let mut parsed = formats::parse(Source::new(bytes), Dialect::Soulspec, &context);
    for (path, error) in contents.refused.iter().take(MAX_REFUSED) {
        let message = match error {
            files::Error::Escapes => format!("{path} is a link, but a package contains only files"),
            error => format!("could not read {path}: {error}"),
        };
        let help = Some("replace the link with the file, or remove it".to_owned());
        parsed.diagnostics.push(Diagnostic { message, help, ..unreadable(error) });
    }
    if contents.too_much {
        let message = "the package has too many or too large files";
        parsed
            .diagnostics
            .push(Diagnostic::new(Code::OversizedPackage, message).help("a package is a few dozen small files"));
    }
    parsed
}
