//! The texts of this home, by digest. A file is read only if its stamp has changed since it was last read.

use std::collections::BTreeMap;
use std::path::PathBuf;

use soul_core::digest::RawDigest;

use super::Error;
use super::item::{ItemId, is_portable};
use super::state::Home;
use crate::Keeper;
use crate::files::listing::{Difference, Listing, Look, Stamp};
use crate::files::{self, Directory, SOUL_FILE};
use crate::workspace::{AgentName, SoulId};

/// A local text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) hash: RawDigest,
    /// When the file was modified, in nanoseconds since 1970.
    pub(super) modified: i64,
}

/// The local texts.
#[derive(Debug, Default)]
pub(super) struct Local {
    pub(super) texts: BTreeMap<ItemId, Text>,
    /// Items whose place is taken by a link or a file that cannot be read: not missing, and not to be written.
    blocked: BTreeMap<ItemId, String>,
    /// Files that cannot be synced, and why.
    pub(super) unreadable: Vec<(String, String)>,
}

impl Local {
    pub(super) fn hash(&self, item: &ItemId) -> Option<RawDigest> {
        self.texts.get(item).map(|text| text.hash)
    }

    /// Why the file of an item cannot be read, if there is one that cannot.
    pub(super) fn blocked(&self, item: &ItemId) -> Option<&str> {
        self.blocked.get(item).map(String::as_str)
    }

    fn skip(&mut self, path: String, why: String) {
        if let Some(item) = item_at(&path) {
            self.blocked.insert(item, why.clone());
        }
        self.unreadable.push((path, why));
    }
}

/// Looks at the files of the library, and of the agents of the home if they are synced.
pub(super) fn look(keeper: &Keeper, home: &Home, with_agents: bool) -> Result<Local, Error> {
    let mut look = Look::default();
    let library = keeper.library_path()?;
    let unlistable = |error: std::io::Error| keeper.library_unusable(files::Error::Io(error));
    if keeper.library_folder()?.is_some() {
        look.below(&library, "souls/", &|name| name.ends_with(".md")).map_err(unlistable)?;
    }
    let agents = agents_path(keeper)?;
    if with_agents {
        for name in Directory::open(&agents).and_then(|folder| folder.folders()).unwrap_or_default() {
            look.one(&agents.join(&name).join(SOUL_FILE), &format!("agents/{name}/{SOUL_FILE}"));
        }
    }
    let known = read_listing(&std::fs::read(home.listing()).unwrap_or_default());
    let difference = Difference::of(&known, &look);
    let mut listing = known;
    for path in &difference.removed {
        listing.remove(path);
    }
    let mut local = Local::default();
    for path in &difference.suspects {
        let read = match path.split_once('/') {
            Some(("souls", name)) => Directory::open_unlinked(&library).and_then(|folder| folder.read(name)),
            _ => Directory::open_unlinked(&agents.join(path.split('/').nth(1).unwrap_or_default()))
                .and_then(|folder| folder.read(SOUL_FILE)),
        };
        match read {
            Ok(bytes) => {
                listing.insert(path.clone(), (look.files[path], RawDigest::of(&bytes)));
            }
            Err(files::Error::NotFound) => {
                listing.remove(path);
            }
            Err(error) => {
                listing.remove(path);
                local.skip(path.clone(), error.to_string());
            }
        }
    }
    if !difference.is_empty() {
        // A cache: what is not kept is read again.
        let _ = home.write(&home.listing(), &write_listing(&listing));
    }
    for (path, (stamp, hash)) in &listing {
        match item_at(path) {
            Some(item) => {
                local.texts.insert(item, Text { hash: *hash, modified: stamp.modified });
            }
            None => local.unreadable.push((path.clone(), "its name cannot be synced".to_owned())),
        }
    }
    for path in look.refused {
        local.skip(path, "it is a link, or not a readable file".to_owned());
    }
    Ok(local)
}

pub(super) fn agents_path(keeper: &Keeper) -> Result<PathBuf, Error> {
    let home = keeper.roots.home.as_ref().ok_or(crate::store::Error::NoHome)?;
    Ok(home.join("agents"))
}

fn item_at(path: &str) -> Option<ItemId> {
    if let Some(name) = path.strip_prefix("souls/") {
        return SoulId::of_file(name).filter(|id| is_portable(id.as_str())).map(ItemId::Soul);
    }
    let name: AgentName = path.strip_suffix(SOUL_FILE)?.strip_prefix("agents/")?.strip_suffix('/')?.parse().ok()?;
    is_portable(name.as_str()).then_some(ItemId::Agent(name))
}

/// One line a file: digest, size, times, inode, whether the stamp counts, path.
fn write_listing(listing: &Listing) -> Vec<u8> {
    let mut out = String::with_capacity(listing.len() * 160);
    for (path, (stamp, digest)) in listing.iter().filter(|(path, _)| !path.contains('\n')) {
        let Stamp { size, modified, changed, inode, settled } = stamp;
        for byte in digest.as_bytes() {
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
        out.push_str(&format!(" {size} {modified} {changed} {inode} {} {path}\n", u8::from(*settled)));
    }
    out.into_bytes()
}

const HEX: &[u8; 16] = b"0123456789abcdef";

fn read_listing(bytes: &[u8]) -> Listing {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    text.lines().filter_map(read_line).collect()
}

fn read_line(line: &str) -> Option<(String, (Stamp, RawDigest))> {
    let mut parts = line.splitn(7, ' ');
    let digest = parts.next()?.as_bytes();
    let mut bytes = [0; 32];
    if digest.len() != 64 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digest.chunks(2)) {
        let digit = |c: u8| char::from(c).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    let stamp = Stamp {
        size: parts.next()?.parse().ok()?,
        modified: parts.next()?.parse().ok()?,
        changed: parts.next()?.parse().ok()?,
        inode: parts.next()?.parse().ok()?,
        settled: parts.next()? == "1",
    };
    Some((parts.next()?.to_owned(), (stamp, RawDigest::from_bytes(bytes))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_comes_back_and_a_damaged_one_is_read_again() {
        let stamp = Stamp { size: 3, modified: -5, changed: 7, inode: 9, settled: true };
        let listing = Listing::from([("souls/a b.md".to_owned(), (stamp, RawDigest::of(b"abc")))]);
        let bytes = write_listing(&listing);
        assert_eq!(read_listing(&bytes), listing);
        assert!(read_listing(&bytes[3..]).is_empty());
        assert!(read_listing(b"\xff").is_empty());
    }
}
