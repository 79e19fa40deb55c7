//! The picture: bundled or by https, in a format that clients show.

use super::file_map::is_outside;
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, _profile: Profile, diagnostics: &mut Collector) {
    let Some(avatar) = document.path("files.avatar") else { return };
    let at =
        |code, message: String| Diagnostic::new(code, message).field("files.avatar").at(document.at("files.avatar"));
    if avatar.starts_with("https://") {
        return;
    }
    if avatar.contains("://") || avatar.starts_with("data:") {
        return diagnostics.push(
            at(Code::AvatarFormat, format!("clients do not download {}", shown(avatar)))
                .help("put the image into the package, or use an https URL"),
        );
    }
    if is_outside(avatar) {
        return diagnostics.push(
            at(Code::FileOutsidePackage, format!("`files.avatar` points outside the package: {}", shown(avatar)))
                .help("put the image into the package"),
        );
    }
    let known = [".png", ".webp", ".jpg", ".jpeg", ".svg"];
    if !known.iter().any(|end| avatar.to_ascii_lowercase().ends_with(end)) {
        diagnostics.push(
            at(Code::AvatarFormat, format!("clients cannot show the format of {}", shown(avatar)))
                .help("use png, webp or jpg"),
        );
    }
    match document.source_of(avatar) {
        None if document.complete => diagnostics.push(
            at(Code::AvatarFormat, format!("the package has no {}", shown(avatar)))
                .help("clients draw an avatar from the name instead"),
        ),
        Some(source) if source.bytes().len() > 256 * 1024 => {
            let message =
                format!("the image has {} KiB, more than the 256 that clients load", source.bytes().len() / 1024);
            diagnostics.push(at(Code::AvatarFormat, message).help("scale it to 512 by 512"));
        }
        _ => {}
    }
}
