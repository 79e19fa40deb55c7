use soul_core::digest::RawDigest;
use soul_core::search::wire::{Cursor, checksum, put, put_text};
use soul_core::search::{Damaged, Day, VERSION};

use crate::files::listing::Stamp;

/// What the index holds: its segments, and for every file what it was when it was read and where its
/// sections are. A file of a segment that no entry names is dead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// The checksum of each segment, which is its name.
    pub(super) segments: Vec<u64>,
    /// In the order of their paths.
    pub(super) files: Vec<Entry>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) stamp: Stamp,
    pub(super) digest: RawDigest,
    /// The day that its name or its front matter gives.
    pub(super) day: Option<Day>,
    pub(super) superseded: bool,
    /// Which segment, and which file of that.
    pub(super) place: (u32, u32),
    pub(super) sections: u32,
}

impl Entry {
    /// The day it speaks of, or else was written on.
    pub(super) fn day(&self) -> Day {
        self.day.unwrap_or_else(|| Day::of_seconds(self.stamp.modified.div_euclid(1_000_000_000)))
    }
}

const MAGIC: &[u8; 8] = b"soulmem2";

impl Manifest {
    pub(super) fn find(&self, path: &str) -> Option<&Entry> {
        self.files.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok().map(|index| &self.files[index])
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        put(&mut out, VERSION);
        put(&mut out, self.segments.len() as u64);
        self.segments.iter().for_each(|name| out.extend_from_slice(&name.to_le_bytes()));
        put(&mut out, self.files.len() as u64);
        for entry in &self.files {
            put_text(&mut out, &entry.path);
            put(&mut out, entry.stamp.size);
            out.extend_from_slice(&entry.stamp.modified.to_le_bytes());
            out.extend_from_slice(&entry.stamp.changed.to_le_bytes());
            put(&mut out, entry.stamp.inode);
            let flags = [entry.stamp.settled, entry.superseded, entry.day.is_some()];
            put(&mut out, flags.iter().rev().fold(0, |sum, flag| sum << 1 | u64::from(*flag)));
            if let Some(Day(day)) = entry.day {
                out.extend_from_slice(&i64::from(day).to_le_bytes());
            }
            out.extend_from_slice(entry.digest.as_bytes());
            for number in [entry.place.0, entry.place.1, entry.sections] {
                put(&mut out, u64::from(number));
            }
        }
        let sum = checksum(&out);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self, Damaged> {
        let (content, sum) = bytes.split_last_chunk::<8>().ok_or(Damaged)?;
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err(Damaged);
        }
        let mut cursor = Cursor(content);
        if cursor.bytes(8)? != MAGIC || cursor.number()? != VERSION {
            return Err(Damaged);
        }
        let count = cursor.number()?;
        let segments = (0..count).map(|_| cursor.fixed()).collect::<Result<Vec<_>, _>>()?;
        let count = cursor.number()?;
        let files = (0..count).map(|_| entry(&mut cursor)).collect::<Result<Vec<_>, _>>()?;
        let ordered = files.is_sorted_by(|a, b| a.path < b.path);
        if ordered && cursor.0.is_empty() { Ok(Self { segments, files }) } else { Err(Damaged) }
    }
}

fn entry(cursor: &mut Cursor<'_>) -> Result<Entry, Damaged> {
    let path = cursor.text()?.to_owned();
    let size = cursor.number()?;
    let modified = cursor.fixed()?.cast_signed();
    let changed = cursor.fixed()?.cast_signed();
    let inode = cursor.number()?;
    let flags = cursor.number()?;
    let flag = |bit: u64| flags >> bit & 1 == 1;
    let day =
        if flag(2) { Some(Day(i32::try_from(cursor.fixed()?.cast_signed()).map_err(|_| Damaged)?)) } else { None };
    let digest = RawDigest::from_bytes(cursor.bytes(32)?.try_into().map_err(|_| Damaged)?);
    Ok(Entry {
        path,
        stamp: Stamp { size, modified, changed, inode, settled: flag(0) },
        digest,
        day,
        superseded: flag(1),
        place: (cursor.small()?, cursor.small()?),
        sections: cursor.small()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let stamp = Stamp { size: 7, modified: -5, changed: 11, inode: 9, settled: true };
        let digest = RawDigest::of(b"x");
        let one = |path: &str, day| Entry {
            path: path.into(),
            stamp,
            digest,
            day,
            superseded: path == "b",
            place: (1, 2),
            sections: 300,
        };
        let manifest = Manifest { segments: vec![1, u64::MAX], files: vec![one("a", None), one("b", Some(Day(-3)))] };
        let bytes = manifest.write();
        assert_eq!(Manifest::read(&bytes), Ok(manifest));
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1;
            assert_eq!(Manifest::read(&wrong), Err(Damaged));
            assert_eq!(Manifest::read(&bytes[..at]), Err(Damaged));
        }
    }
}
