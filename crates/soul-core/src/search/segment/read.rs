use super::write::fold;
use super::{FOOTER, MAGIC, Storage, VERSION};
use crate::search::wire::{Cursor, Damaged, checksum};

/// An open segment.
#[derive(Debug)]
pub struct Segment<S> {
    storage: S,
    lengths: Vec<u32>,
    files: Vec<u32>,
    /// Where each record begins, and where the last one ends.
    records: Vec<u64>,
    blocks: Vec<Block>,
    dictionary: u64,
    records_at: u64,
}

#[derive(Debug)]
struct Block {
    first: Box<str>,
    place: u64,
    postings: u64,
}

/// The stored data of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Text of the heading.
    pub heading: String,
    /// The parent headings, outermost first.
    pub path: Vec<String>,
    /// Line of the heading, from 1.
    pub line: u64,
    /// The last line.
    pub end_line: u64,
    /// The bytes of the section in the file.
    pub span: std::ops::Range<u64>,
}

/// Where a term occurs.
#[derive(Debug)]
pub(crate) struct Postings {
    pub(crate) count: u32,
    pub(crate) packed: Vec<u8>,
}

impl Postings {
    /// Hands over every section and the term's weight in it, in order.
    pub(crate) fn each(&self, documents: u32, mut visit: impl FnMut(u32, u32)) -> Result<(), Damaged> {
        let mut rest = &self.packed[..];
        let mut next = 0u32;
        for _ in 0..self.count {
            // Nearly always both numbers are a byte each.
            let (gap, weight) = match rest {
                [gap @ 0..0x80, weight @ 0..0x80, more @ ..] => {
                    rest = more;
                    (u32::from(*gap), u32::from(*weight))
                }
                _ => {
                    let mut cursor = Cursor(rest);
                    let numbers = (cursor.small()?, cursor.small()?);
                    rest = cursor.0;
                    numbers
                }
            };
            let document = next.checked_add(gap).filter(|document| *document < documents).ok_or(Damaged)?;
            visit(document, weight);
            next = document + 1;
        }
        if rest.is_empty() { Ok(()) } else { Err(Damaged) }
    }
}

impl<S: Storage> Segment<S> {
    /// Opens a segment and reads what every search needs.
    ///
    /// # Errors
    /// If it is not an intact segment of this version.
    pub fn open(storage: S) -> Result<Self, Damaged> {
        let length = storage.length();
        let start = length.checked_sub(FOOTER as u64).ok_or(Damaged)?;
        let mut footer = [0; FOOTER];
        storage.read_at(start, &mut footer)?;
        let sum = checksum(&footer[..FOOTER - 16]);
        let mut cursor = Cursor(&footer);
        let mut number = || cursor.fixed();
        let (version, documents, files, blocks) = (number()?, number()?, number()?, number()?);
        let (dictionary, records_at, core_at, core_end, core_sum) =
            (number()?, number()?, number()?, number()?, number()?);
        let sound = number()? == sum && number()? == MAGIC && version == VERSION && core_end == start;
        let ordered = dictionary <= records_at && records_at <= core_at && core_at <= core_end;
        // Each of them takes at least a byte of the core, so no false count makes room for much.
        let plausible = documents.saturating_add(files).saturating_add(blocks) <= core_end.saturating_sub(core_at);
        if !sound || !ordered || !plausible {
            return Err(Damaged);
        }
        let core = read(&storage, core_at, core_end)?;
        if checksum(&core) != core_sum {
            return Err(Damaged);
        }
        let mut cursor = Cursor(&core);
        let lengths = (0..documents).map(|_| cursor.small()).collect::<Result<Vec<_>, _>>()?;
        let files = (0..files).map(|_| cursor.small()).collect::<Result<Vec<_>, _>>()?;
        let mut at = 0u64;
        let mut records = vec![0];
        for _ in 0..documents {
            at = at.checked_add(cursor.number()?).ok_or(Damaged)?;
            records.push(at);
        }
        let blocks = (0..blocks)
            .map(|_| Ok(Block { first: cursor.text()?.into(), place: cursor.number()?, postings: cursor.number()? }))
            .collect::<Result<Vec<_>, Damaged>>()?;
        let all_in_files = files.iter().map(|count| u64::from(*count)).sum::<u64>() == documents;
        let all_in_records = at == core_at - records_at;
        let in_dictionary = blocks.iter().all(|block| block.place <= records_at - dictionary);
        if !all_in_files || !all_in_records || !in_dictionary || !cursor.0.is_empty() {
            return Err(Damaged);
        }
        Ok(Self { storage, lengths, files, records, blocks, dictionary, records_at })
    }

    /// The number of sections, live or not.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.lengths.len() as u32
    }

    /// The number of files.
    #[must_use]
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// The number of sections of each file, in order.
    #[must_use]
    pub fn sections_of_files(&self) -> &[u32] {
        &self.files
    }

    pub(crate) fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The stored record of a section.
    ///
    /// # Errors
    /// If there is none, or it is corrupt.
    pub fn record(&self, document: u32) -> Result<Record, Damaged> {
        let bytes = self.record_bytes(document)?;
        let mut cursor = Cursor(&bytes[..bytes.len() - 4]);
        let line = cursor.number()?;
        let end_line = line.checked_add(cursor.number()?).ok_or(Damaged)?;
        let start = cursor.number()?;
        let span = start..start.checked_add(cursor.number()?).ok_or(Damaged)?;
        let heading = cursor.text()?.to_owned();
        let count = cursor.number()?.min(bytes.len() as u64);
        let path = (0..count).map(|_| cursor.text().map(str::to_owned)).collect::<Result<Vec<_>, _>>()?;
        Ok(Record { heading, path, line, end_line, span })
    }

    /// The record as it lies there, its checksum checked and included.
    pub(super) fn record_bytes(&self, document: u32) -> Result<Vec<u8>, Damaged> {
        let range = self.records.get(document as usize..).and_then(|rest| rest.get(..2)).ok_or(Damaged)?;
        let bytes = read(&self.storage, self.records_at + range[0], self.records_at + range[1])?;
        sealed(&bytes)?;
        Ok(bytes)
    }

    /// Where a term occurs, if it does.
    pub(crate) fn postings(&self, term: &str) -> Result<Option<Postings>, Damaged> {
        let Some(index) = self.blocks.partition_point(|block| &*block.first <= term).checked_sub(1) else {
            return Ok(None);
        };
        let mut found = None;
        self.each_of_block(index, |entry| {
            if entry.term == term.as_bytes() {
                found = Some((entry.count, entry.start, entry.length, entry.sum));
            }
            Ok(())
        })?;
        let Some((count, start, length, sum)) = found else { return Ok(None) };
        let packed = read(&self.storage, start, start.checked_add(length).ok_or(Damaged)?)?;
        if fold(&packed) != sum { Err(Damaged) } else { Ok(Some(Postings { count, packed })) }
    }

    /// How many blocks the dictionary has.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The terms of one block with their postings, in order.
    pub(super) fn block(&self, index: usize) -> Result<Vec<(String, Postings)>, Damaged> {
        let mut terms = Vec::new();
        self.each_of_block(index, |entry| {
            let packed = read(&self.storage, entry.start, entry.start.checked_add(entry.length).ok_or(Damaged)?)?;
            if fold(&packed) != entry.sum {
                return Err(Damaged);
            }
            let term = std::str::from_utf8(entry.term).map_err(|_| Damaged)?.to_owned();
            terms.push((term, Postings { count: entry.count, packed }));
            Ok(())
        })?;
        Ok(terms)
    }

    fn each_of_block(
        &self,
        index: usize,
        mut visit: impl FnMut(&Entry<'_>) -> Result<(), Damaged>,
    ) -> Result<(), Damaged> {
        let block = &self.blocks[index];
        let end = self.blocks.get(index + 1).map_or(self.records_at - self.dictionary, |next| next.place);
        let bytes = read(&self.storage, self.dictionary + block.place, self.dictionary + end)?;
        let mut cursor = Cursor(sealed(&bytes)?);
        let mut term: Vec<u8> = Vec::new();
        let mut start = block.postings;
        while !cursor.0.is_empty() {
            let shared = cursor.number()?.min(term.len() as u64) as usize;
            term.truncate(shared);
            let rest = usize::try_from(cursor.number()?).map_err(|_| Damaged)?;
            term.extend_from_slice(cursor.bytes(rest)?);
            let (count, length) = (cursor.small()?, cursor.number()?);
            let sum = cursor.bytes(4)?.try_into().map(u32::from_le_bytes).map_err(|_| Damaged)?;
            visit(&Entry { term: &term, count, start, length, sum })?;
            start = start.checked_add(length).filter(|end| *end <= self.dictionary).ok_or(Damaged)?;
        }
        Ok(())
    }
}

/// One term of a block.
struct Entry<'a> {
    term: &'a [u8],
    count: u32,
    start: u64,
    length: u64,
    sum: u32,
}

/// Bytes without the checksum at their end, which they must match.
fn sealed(bytes: &[u8]) -> Result<&[u8], Damaged> {
    let (content, sum) = bytes.split_last_chunk::<4>().ok_or(Damaged)?;
    if fold(content) == u32::from_le_bytes(*sum) { Ok(content) } else { Err(Damaged) }
}

/// Reads a range, but never more than there is.
fn read(storage: &impl Storage, start: u64, end: u64) -> Result<Vec<u8>, Damaged> {
    if start > end || end > storage.length() {
        return Err(Damaged);
    }
    let mut bytes = vec![0; usize::try_from(end - start).map_err(|_| Damaged)?];
    storage.read_at(start, &mut bytes)?;
    Ok(bytes)
}
