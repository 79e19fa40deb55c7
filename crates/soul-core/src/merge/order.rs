//! In which order the units of two texts follow each other in the merged one.

use std::collections::{HashMap, HashSet};

use super::units::Key;

/// Every key of both sides. The side that has moved units leads, ours if both have; a unit that only the other
/// side has comes after the one that it follows there.
pub(super) fn order(base: &[Key], ours: &[Key], theirs: &[Key]) -> Vec<Key> {
    let (lead, other) = if is_moved(base, ours) || !is_moved(base, theirs) { (ours, theirs) } else { (theirs, ours) };
    let known: HashSet<&Key> = lead.iter().collect();
    let elsewhere: HashSet<&Key> = base.iter().chain(other).collect();
    let mut following: HashMap<Option<&Key>, Vec<Key>> = HashMap::new();
    let mut anchor = None;
    for key in other {
        if known.contains(key) {
            anchor = Some(key);
        } else {
            following.entry(anchor).or_default().push(key.clone());
        }
    }
    let mut merged = following.remove(&None).unwrap_or_default();
    let mut waiting = Vec::new();
    for key in lead {
        // Where both have added something, the leading side's comes first.
        if elsewhere.contains(key) {
            merged.append(&mut waiting);
        }
        merged.push(key.clone());
        waiting.extend(following.remove(&Some(key)).unwrap_or_default());
    }
    merged.append(&mut waiting);
    merged
}

/// Whether a side has put units of the base into another order.
fn is_moved(base: &[Key], side: &[Key]) -> bool {
    let (in_base, in_side): (HashSet<&Key>, HashSet<&Key>) = (base.iter().collect(), side.iter().collect());
    let kept = base.iter().filter(|key| in_side.contains(key));
    !kept.eq(side.iter().filter(|key| in_base.contains(key)))
}
