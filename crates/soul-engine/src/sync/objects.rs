//! Objects of a repository, as git's plumbing writes and reads them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Error;

/// The name of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Oid(String);

impl Oid {
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let is_hex = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if (40..=64).contains(&text.len()) && is_hex(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Error::Damaged("git named an object in an unknown way".to_owned()))
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The first characters.
    pub(crate) fn short(&self) -> &str {
        &self.0[..8]
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What an entry of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Link,
    Submodule,
    Other,
}

/// An entry of a tree.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) kind: EntryKind,
    pub(super) blob: Oid,
    pub(super) size: u64,
    /// The path; none if it is not UTF-8.
    pub(super) path: Result<String, String>,
}

/// A change of a tree.
#[derive(Debug, Clone)]
pub(super) enum TreeChange {
    Put(String, Vec<u8>),
    Remove(String),
}

/// Who made a commit, when, and why.
#[derive(Debug, Clone)]
pub(super) struct CommitInfo {
    pub(super) commit: Oid,
    pub(super) author: String,
    pub(super) message: String,
    /// Seconds since 1970.
    pub(super) time: i64,
}

/// Who made a commit, from a line of the log.
pub(super) fn commit_info(text: &str, separator: char) -> Option<CommitInfo> {
    let mut parts = text.splitn(4, separator);
    let (commit, author, time, message) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    Some(CommitInfo {
        commit: Oid::parse(commit).ok()?,
        author: soul_core::text::visible(author),
        time: time.parse().unwrap_or_default(),
        message: format!("{}\n", message.trim_end()),
    })
}

/// An entry, from a line of `ls-tree`.
pub(super) fn entry(line: &[u8]) -> Result<Entry, Error> {
    let odd = || Error::Damaged("git listed a tree in an unknown way".to_owned());
    let tab = line.iter().position(|byte| *byte == b'\t').ok_or_else(odd)?;
    let (head, path) = (std::str::from_utf8(&line[..tab]).map_err(|_| odd())?, &line[tab + 1..]);
    let mut parts = head.split_whitespace();
    let (Some(mode), Some(_), Some(blob), Some(size)) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return Err(odd());
    };
    let kind = match mode {
        "100644" | "100755" | "100664" => EntryKind::File,
        "120000" => EntryKind::Link,
        "160000" => EntryKind::Submodule,
        _ => EntryKind::Other,
    };
    let path = String::from_utf8(path.to_vec()).map_err(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned());
    Ok(Entry { kind, blob: Oid::parse(blob)?, size: size.parse().unwrap_or_default(), path })
}

/// The first object of what `cat-file --batch` says, and the rest.
pub(super) fn batch_entry(said: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = said.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(&said[..end]).ok()?;
    let mut parts = head.split(' ');
    let (_, kind, size) = (parts.next()?, parts.next()?, parts.next()?.parse::<usize>().ok()?);
    let rest = &said[end + 1..];
    (kind == "blob" && rest.len() > size).then(|| (&rest[..size], &rest[size + 1..]))
}

/// A text as fast-import reads it.
pub(super) fn data(stream: &mut Vec<u8>, bytes: &[u8]) {
    stream.extend(format!("data {}\n", bytes.len()).bytes());
    stream.extend_from_slice(bytes);
    stream.push(b'\n');
}

/// A path as fast-import reads it.
pub(super) fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
}
