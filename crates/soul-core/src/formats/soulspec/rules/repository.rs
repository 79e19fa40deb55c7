//! The address of the source.

use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::soulspec::{Document, Profile};
use crate::text::shown;

pub(super) fn check(document: &Document, profile: Profile, diagnostics: &mut Collector) {
    let Some(address) = document.text("repository").filter(|address| !is_address(address)) else { return };
    let message = format!("{} is not a URL", shown(address));
    let diagnostic = Diagnostic::new(Code::InvalidAddress, message).severity(profile.weight()).field("repository");
    diagnostics.push(diagnostic.at(document.at("repository")).help("write it as `https://…`"));
}

/// A scheme, two slashes, and something behind them.
fn is_address(text: &str) -> bool {
    let scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let parts = text.split_once("://");
    parts.is_some_and(|(name, rest)| scheme(name) && !rest.is_empty() && !text.contains(char::is_whitespace))
}
