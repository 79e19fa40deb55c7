//! What may stand between the fixed parts of a pattern.

use super::searcher::EDGE;
use crate::scan::steps;

/// What may stand somewhere: how many bytes, and which.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Gap {
    pub(super) length: usize,
    pub(super) bytes: Bytes,
}

impl Gap {
    /// What may stand in two gaps, one after the other.
    pub(super) fn and(self, other: Self) -> Self {
        Self { length: self.length + other.length, bytes: self.bytes.and(other.bytes) }
    }

    /// What is in a string.
    pub(super) fn of(string: &[u8]) -> Self {
        let mut bytes = Bytes::default();
        string.iter().for_each(|byte| bytes.insert(*byte));
        Self { length: plain_length(string), bytes }
    }

    /// What may stand in one gap or the other.
    pub(super) fn or(self, other: Self) -> Self {
        Self { length: self.length.max(other.length), bytes: self.bytes.and(other.bytes) }
    }

    /// How many of the first bytes may stand in it.
    pub(super) fn run<'t>(self, bytes: impl Iterator<Item = &'t u8>) -> usize {
        let run = bytes.take(self.length).take_while(|byte| self.bytes.has(**byte)).count();
        steps::add(run);
        run
    }
}

/// A set of bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bytes(pub(super) [u64; 4]);

impl Bytes {
    pub(super) fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] & 1 << (byte % 64) != 0
    }

    pub(super) fn and(self, other: Self) -> Self {
        let [a, b, c, d] = self.0;
        let [e, f, g, h] = other.0;
        Self([a | e, b | f, c | g, d | h])
    }
}

/// The length of a string without edges.
pub(super) fn plain_length(string: &[u8]) -> usize {
    string.iter().filter(|byte| **byte != EDGE).count()
}
