//! Shares with intervals over sources.

use std::collections::BTreeMap;

use serde::Serialize;

/// How many times the sources are drawn again.
const DRAWS: usize = 2_000;
const SEED: u64 = 24;

/// A share of rows, with the 95 % interval over sources.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Share {
    pub(super) count: usize,
    pub(super) of: usize,
    /// In percent.
    pub(super) percent: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) sources: usize,
}

/// The share of rows that are counted, each row with its source.
///
/// Whole sources are drawn with replacement, always in the same way. Where all sources agree, that says nothing, so the
/// interval is at least as wide as Wilson's over rows.
#[allow(clippy::cast_precision_loss)]
pub(super) fn share<'a>(rows: impl Iterator<Item = (&'a str, bool)>) -> Share {
    let mut sources: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (source, counted) in rows {
        let entry = sources.entry(source).or_default();
        entry.0 += usize::from(counted);
        entry.1 += 1;
    }
    let sources: Vec<(usize, usize)> = sources.into_values().collect();
    let (count, of) = sources.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let percent = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
    let mut random = Random(SEED);
    let mut drawn: Vec<f64> = (0..if sources.is_empty() { 0 } else { DRAWS })
        .map(|_| {
            let picked = (0..sources.len()).map(|_| sources[random.below(sources.len())]);
            let (count, of) = picked.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            percent(count, of)
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    let (wilson_low, wilson_high) = wilson(count as f64, of.max(1) as f64);
    let at = |share: usize| drawn.get(DRAWS * share / 1000).copied();
    Share {
        count,
        of,
        percent: percent(count, of),
        low: at(25).unwrap_or(0.0).min(wilson_low),
        high: at(975).unwrap_or(100.0).max(wilson_high),
        sources: sources.len(),
    }
}

fn wilson(count: f64, of: f64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let share = count / of;
    let middle = share + Z * Z / (2.0 * of);
    let half = Z * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt();
    let scale = 100.0 / (1.0 + Z * Z / of);
    (((middle - half) * scale).max(0.0), ((middle + half) * scale).min(100.0))
}

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % end as u64).unwrap_or(0)
    }
}
