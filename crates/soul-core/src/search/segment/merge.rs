use super::read::{Postings, Segment};
use super::write::Writer;
use super::{Damaged, Storage};
use crate::search::wire::put;

/// Merges the live files of several segments into one, in order. Each segment comes with a flag per file.
///
/// # Errors
/// If one of them is damaged.
pub fn merge<S: Storage>(parts: &[(&Segment<S>, Vec<bool>)]) -> Result<Vec<u8>, Damaged> {
    let mut lengths = Vec::new();
    let mut files = Vec::new();
    let mut records = Vec::new();
    let mut record_ends = Vec::new();
    let mut sources = Vec::new();
    for (segment, alive) in parts {
        // Where each section goes; none if it is dead.
        let mut places = Vec::with_capacity(segment.documents() as usize);
        let mut document = 0;
        for (count, alive) in segment.sections_of_files().iter().zip(alive) {
            for _ in 0..*count {
                places.push(alive.then_some(lengths.len() as u32));
                if *alive {
                    lengths.push(segment.lengths()[document as usize]);
                    records.extend_from_slice(&segment.record_bytes(document)?);
                    record_ends.push(records.len() as u64);
                }
                document += 1;
            }
            if *alive {
                files.push(*count);
            }
        }
        sources.push(Source { segment, places, block: 0, terms: Vec::new().into_iter().peekable() });
    }
    let mut writer = Writer::default();
    let mut packed = Vec::new();
    loop {
        let mut term: Option<String> = None;
        for source in &mut sources {
            if let Some(first) = source.first()?
                && term.as_deref().is_none_or(|term| first < term)
            {
                term = Some(first.to_owned());
            }
        }
        let Some(term) = term else { break };
        packed.clear();
        let (mut count, mut next) = (0, 0);
        for source in &mut sources {
            if source.first()? != Some(&term) {
                continue;
            }
            let Some((_, postings)) = source.terms.next() else { continue };
            postings.each(source.segment.documents(), |document, weight| {
                if let Some(Some(place)) = source.places.get(document as usize) {
                    put(&mut packed, u64::from(place - next));
                    put(&mut packed, u64::from(weight));
                    next = place + 1;
                    count += 1;
                }
            })?;
        }
        if count > 0 {
            writer.term(&term, count, &packed);
        }
    }
    Ok(writer.finish(&lengths, &files, &records, &record_ends))
}

/// A segment being read from its first term to its last.
struct Source<'a, S> {
    segment: &'a Segment<S>,
    places: Vec<Option<u32>>,
    block: usize,
    terms: std::iter::Peekable<std::vec::IntoIter<(String, Postings)>>,
}

impl<S: Storage> Source<'_, S> {
    /// The next term, if there is one.
    fn first(&mut self) -> Result<Option<&str>, Damaged> {
        if self.terms.peek().is_none() && self.block < self.segment.blocks() {
            self.terms = self.segment.block(self.block)?.into_iter().peekable();
            self.block += 1;
        }
        Ok(self.terms.peek().map(|(term, _)| term.as_str()))
    }
}
