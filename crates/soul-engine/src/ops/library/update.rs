//! Change a soul of the library. What is not named stays as it is, to the byte.

use serde::{Deserialize, Serialize};
use soul_core::formats::dagu::Changes;

use super::{MAX_CONTENT, MAX_DESCRIPTION, MAX_NAME, Soul, bounded, free_name};
use crate::Keeper;
use crate::authoring::Intent;
use crate::library::member::{Member, parts};
use crate::library::{Error as LibraryError, Freshness, SoulId};
use crate::ops::payload::{Asker, Authorship};
use crate::ops::{Error, Grant};

/// It changes souls.
pub const GRANT: Grant = Grant::Write;

/// What is to be said anew.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The soul.
    pub id: SoulId,
    /// The name; a blank one stays as it is.
    pub name: Option<String>,
    /// What it is for; an empty one takes that away.
    pub description: Option<String>,
    /// The content; a blank one stays as it is.
    pub content: Option<String>,
    /// The digest of the soul that the asker has seen, if that counts.
    pub expected_digest: Option<String>,
    /// Why it is to be done whatever the scanner says; it goes on record.
    pub force: Option<String>,
    /// Who asks.
    pub asker: Asker,
}

/// Puts the changes into the file of the soul. Changes that change nothing are not recorded.
///
/// # Errors
/// When there is no such soul, the name is another's, the soul is not what the asker believed, or it could
/// not be done.
pub fn run(keeper: &Keeper, request: Request) -> Result<Soul, Error> {
    let said =
        |text: &Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let (name, content) = (said(&request.name), said(&request.content));
    let bound = |what, text: &Option<String>, max| text.as_deref().map_or(Ok(()), |text| bounded(what, text, max));
    bound("name", &name, MAX_NAME)?;
    bound("description", &request.description, MAX_DESCRIPTION)?;
    bound("content", &content, MAX_CONTENT)?;

    let member = Member::existing(keeper, request.id.clone())?;
    let lock = member.hold(keeper)?;
    let now = member.now(keeper);
    let seen = Soul::new(member.id.clone(), now.clone())?;
    if let Some(name) = name.as_deref().filter(|name| *name != seen.name) {
        free_name(&*keeper.library_as_of(Freshness::Now)?, name, Some(&member.id))?;
    }
    let changes =
        Changes { name: name.as_deref(), description: request.description.as_deref(), content: content.as_deref() };
    let not_editable = || LibraryError::NotEditable(member.id.clone());
    let text = parts(&now).and_then(|parts| parts.with(changes)).ok_or_else(not_editable)?;
    let is_same = now.parsed.as_ref().is_some_and(|document| document.source().bytes() == text);
    let expects = request.expected_digest.as_deref().is_some_and(|expected| !expected.trim().is_empty());
    if is_same && !expects {
        return Ok(seen);
    }
    let Request { expected_digest, force, asker, .. } = request;
    let authorship = Authorship { expected_digest, force, ..Authorship::plain(asker) };
    let applied = member.apply(keeper, &lock, &now, Intent::Put(text), authorship)?;
    Soul::changed(member.id, applied)
}
