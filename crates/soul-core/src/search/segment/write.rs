use std::collections::HashMap;

use super::{BLOCK, MAGIC, VERSION};
use crate::search::sections::Section;
use crate::search::tokens::{TermKind, tokens};
use crate::search::wire::{checksum, put, put_text};

/// What one occurrence weighs, in quarters: in the text, in the heading, in the names above it.
const BODY: u32 = 4;
const HEADING: u32 = 5;
const ABOVE: u32 = 2;

/// Builds a segment from sections.
#[derive(Debug, Default)]
pub struct Builder {
    terms: HashMap<Box<str>, usize>,
    lists: Vec<List>,
    lengths: Vec<u32>,
    files: Vec<u32>,
    records: Vec<u8>,
    record_ends: Vec<u64>,
    bytes: usize,
}

/// The postings of a term, all but the last already packed.
#[derive(Debug, Default)]
struct List {
    packed: Vec<u8>,
    count: u32,
    /// The section after the last packed one.
    next: u32,
    document: u32,
    weight: u32,
}

impl List {
    fn add(&mut self, document: u32, weight: u32) {
        if self.weight > 0 && self.document != document {
            self.pack();
        }
        self.document = document;
        self.weight = self.weight.saturating_add(weight);
    }

    fn pack(&mut self) {
        put(&mut self.packed, u64::from(self.document - self.next));
        put(&mut self.packed, u64::from(self.weight));
        self.next = self.document + 1;
        self.count += 1;
        self.weight = 0;
    }
}

impl Builder {
    /// Adds the sections of a file. Its name is searched like a heading above all of them.
    pub fn add_file(&mut self, name: &str, sections: &[Section], text: &str) {
        let name = name.rsplit('/').next().unwrap_or(name);
        for section in sections {
            let document = u32::try_from(self.lengths.len()).unwrap_or(u32::MAX);
            let mut length = 0;
            self.add_text(document, name, ABOVE, &mut 0);
            section.path.iter().for_each(|above| self.add_text(document, above, ABOVE, &mut 0));
            self.add_text(document, &section.heading, HEADING, &mut length);
            self.add_text(document, &text[section.body..section.span.end], BODY, &mut length);
            self.lengths.push(length);
            let start = self.records.len();
            put(&mut self.records, section.line as u64);
            put(&mut self.records, (section.end_line - section.line) as u64);
            put(&mut self.records, section.span.start as u64);
            put(&mut self.records, section.span.len() as u64);
            put_text(&mut self.records, &section.heading);
            put(&mut self.records, section.path.len() as u64);
            section.path.iter().for_each(|above| put_text(&mut self.records, above));
            seal(&mut self.records, start);
            self.record_ends.push(self.records.len() as u64);
        }
        self.files.push(u32::try_from(sections.len()).unwrap_or(u32::MAX));
    }

    /// The approximate size of the segment in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes + self.records.len()
    }

    fn add_text(&mut self, document: u32, text: &str, weight: u32, length: &mut u32) {
        let Self { terms, lists, bytes, .. } = self;
        tokens(text, &mut |term, kind| {
            let list = match terms.get(term) {
                Some(index) => &mut lists[*index],
                None => {
                    terms.insert(term.into(), lists.len());
                    *bytes += term.len() + 4;
                    lists.push(List::default());
                    let last = lists.len() - 1;
                    &mut lists[last]
                }
            };
            let before = list.packed.len();
            list.add(document, weight);
            *bytes += list.packed.len() - before;
            // A whole is counted by its parts, a pair by its characters.
            *length += u32::from(!matches!(kind, TermKind::Whole | TermKind::Single));
        });
    }

    /// The bytes of the segment.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        let mut terms: Vec<(Box<str>, usize)> = self.terms.into_iter().collect();
        terms.sort_unstable();
        let mut writer = Writer::default();
        for (term, index) in terms {
            let mut list = std::mem::take(&mut self.lists[index]);
            list.pack();
            writer.term(&term, list.count, &list.packed);
        }
        writer.finish(&self.lengths, &self.files, &self.records, &self.record_ends)
    }
}

/// Lays out a segment, its terms given in order.
#[derive(Default)]
pub(super) struct Writer {
    postings: Vec<u8>,
    dictionary: Vec<u8>,
    /// First term, place in the dictionary, place in the postings.
    blocks: Vec<(Box<str>, u64, u64)>,
    in_block: usize,
    block_start: usize,
    last: String,
}

impl Writer {
    pub(super) fn term(&mut self, term: &str, count: u32, packed: &[u8]) {
        if self.in_block == 0 {
            self.blocks.push((term.into(), self.dictionary.len() as u64, self.postings.len() as u64));
            self.block_start = self.dictionary.len();
            self.last.clear();
        }
        let shared = term.bytes().zip(self.last.bytes()).take_while(|(a, b)| a == b).count();
        put(&mut self.dictionary, shared as u64);
        put(&mut self.dictionary, (term.len() - shared) as u64);
        self.dictionary.extend_from_slice(&term.as_bytes()[shared..]);
        put(&mut self.dictionary, u64::from(count));
        put(&mut self.dictionary, packed.len() as u64);
        self.dictionary.extend_from_slice(&fold(packed).to_le_bytes());
        self.postings.extend_from_slice(packed);
        self.last.clear();
        self.last.push_str(term);
        self.in_block += 1;
        if self.in_block == BLOCK {
            self.close();
        }
    }

    fn close(&mut self) {
        if self.in_block > 0 {
            seal(&mut self.dictionary, self.block_start);
            self.in_block = 0;
        }
    }

    pub(super) fn finish(mut self, lengths: &[u32], files: &[u32], records: &[u8], record_ends: &[u64]) -> Vec<u8> {
        self.close();
        let mut core = Vec::new();
        lengths.iter().for_each(|length| put(&mut core, u64::from(*length)));
        files.iter().for_each(|count| put(&mut core, u64::from(*count)));
        let mut start = 0;
        for end in record_ends {
            put(&mut core, end - start);
            start = *end;
        }
        for (first, place, postings) in &self.blocks {
            put_text(&mut core, first);
            put(&mut core, *place);
            put(&mut core, *postings);
        }
        let mut out = self.postings;
        let dictionary = out.len() as u64;
        out.extend_from_slice(&self.dictionary);
        let records_at = out.len() as u64;
        out.extend_from_slice(records);
        let core_at = out.len() as u64;
        out.extend_from_slice(&core);
        let footer = [
            VERSION,
            lengths.len() as u64,
            files.len() as u64,
            self.blocks.len() as u64,
            dictionary,
            records_at,
            core_at,
            out.len() as u64,
            checksum(&core),
        ];
        let start = out.len();
        footer.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        let sum = checksum(&out[start..]);
        out.extend_from_slice(&sum.to_le_bytes());
        out.extend_from_slice(&MAGIC.to_le_bytes());
        out
    }
}

/// Half of a checksum, where there are many.
pub(super) fn fold(bytes: &[u8]) -> u32 {
    let sum = checksum(bytes);
    (sum ^ (sum >> 32)) as u32
}

/// Appends the checksum of what was written since `start`.
fn seal(out: &mut Vec<u8>, start: usize) {
    let sum = fold(&out[start..]);
    out.extend_from_slice(&sum.to_le_bytes());
}
