//! A segment: sections of some files, their terms and where each occurs. Written once, never
//! changed.
//!
//! ```text
//! postings    for each term: section (delta) and weight, as varints
//! dictionary  blocks of sorted terms, each the part that differs from the one before it
//! records     for each section: heading, path, lines
//! core        lengths of sections, sections of each file, first term and place of each block
//! footer      version, counts, places of the four, checksum
//! ```
//!
//! Opening reads footer and core; a term costs one read of a block and one of its postings. Each
//! piece carries the checksum of its own bytes, so nothing is believed that was not written.

mod merge;
mod read;
mod write;

pub use merge::merge;
pub(super) use read::Postings;
pub use read::{Record, Segment};
pub use write::Builder;

use super::wire::Damaged;

/// The version of the file format and of tokenization. An index of another version is rebuilt.
pub const VERSION: u64 = 1;

/// The terms of one block of the dictionary.
const BLOCK: usize = 32;

/// Eleven numbers of eight bytes.
const FOOTER: usize = 11 * 8;

const MAGIC: u64 = u64::from_le_bytes(*b"soulseg\n");

/// The storage that a segment is read from.
pub trait Storage {
    /// How many there are.
    fn length(&self) -> u64;

    /// Fills the buffer with the bytes from `offset` on.
    ///
    /// # Errors
    /// When there are not so many, or they cannot be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Damaged>;
}

impl Storage for Vec<u8> {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Damaged> {
        let start = usize::try_from(offset).map_err(|_| Damaged)?;
        let end = start.checked_add(buffer.len()).ok_or(Damaged)?;
        buffer.copy_from_slice(self.get(start..end).ok_or(Damaged)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::sections;

    fn built(texts: &[&str]) -> Vec<u8> {
        let mut builder = Builder::default();
        for text in texts {
            builder.add_file("memory/topic-x", &sections(text).sections, text);
        }
        builder.finish()
    }

    fn sample() -> Vec<u8> {
        let long: String = (0..300).map(|n| format!("## Heading {n}\n\nword{n} common 共通{n}\n\n")).collect();
        built(&["# A\n\nalpha beta\n", "", &long])
    }

    fn postings(segment: &Segment<Vec<u8>>, term: &str) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        if let Some(found) = segment.postings(term).unwrap() {
            found.each(segment.documents(), |document, weight| all.push((document, weight))).unwrap();
        }
        all
    }

    #[test]
    fn what_was_built_is_read() {
        let segment = Segment::open(sample()).unwrap();
        assert_eq!((segment.documents(), segment.files()), (301, 3));
        assert_eq!(postings(&segment, "alpha").len(), 1);
        assert_eq!(postings(&segment, "common").len(), 300);
        assert_eq!(postings(&segment, "nowhere"), []);
        assert_eq!(postings(&segment, ""), []);
        let record = segment.record(300).unwrap();
        assert_eq!((record.heading.as_str(), record.line, record.end_line), ("Heading 299", 1197, 1199));
        assert!(segment.record(301).is_err());
        assert!(Segment::open(built(&[])).is_ok());
    }

    #[test]
    fn merging_is_building_at_once() {
        let texts = ["# A\n\nalpha 東京\n", "# B\n\nbeta alpha\n\n## C\n\ngamma\n", "# D\n\ndelta alpha\n"];
        let one = Segment::open(built(&texts[..2])).unwrap();
        let two = Segment::open(built(&texts[2..])).unwrap();
        let merged = merge(&[(&one, vec![true, true]), (&two, vec![true])]).unwrap();
        assert_eq!(merged, built(&texts));
        let without = merge(&[(&one, vec![false, true]), (&two, vec![true])]).unwrap();
        assert_eq!(without, built(&texts[1..]));
        assert_eq!(merge(&[(&one, vec![false, false])]).unwrap(), built(&[]));
    }

    #[test]
    fn no_changed_byte_is_believed() {
        let right = sample();
        let read = |bytes: Vec<u8>| -> Result<Vec<(u32, u32)>, Damaged> {
            let segment = Segment::open(bytes)?;
            let mut all = Vec::new();
            for term in ["alpha", "common", "word7", "共通"] {
                let found = segment.postings(term)?.ok_or(Damaged)?;
                found.each(segment.documents(), |document, weight| all.push((document, weight)))?;
            }
            (0..segment.documents()).try_for_each(|document| segment.record(document).map(|_| ()))?;
            Ok(all)
        };
        let expected = read(right.clone()).unwrap();
        for at in 0..right.len() {
            let mut wrong = right.clone();
            wrong[at] ^= 0x41;
            // Bytes that were not asked for may be wrong; what is said must be right.
            if let Ok(all) = read(wrong) {
                assert_eq!(all, expected, "byte {at}");
            }
        }
        for length in 0..right.len().min(400) {
            assert!(Segment::open(right[..length].to_vec()).is_err());
        }
    }
}
