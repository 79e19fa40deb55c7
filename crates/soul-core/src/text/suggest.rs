/// The candidate that `word` was most likely meant to be: equal when case and separators are
/// ignored, or within a third of its length in edits.
///
/// ```
/// use soul_core::text::closest;
/// assert_eq!(closest("trust_delta", ["trustDelta", "tensionDelta"]), Some("trustDelta"));
/// assert_eq!(closest("mood", ["trustDelta", "tensionDelta"]), None);
/// ```
#[must_use]
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = fold(word);
    let limit = (word.len() / 3).clamp(1, 3);
    let close = |candidate: &'a str| {
        let folded = fold(candidate);
        let distance = if folded.len().abs_diff(word.len()) > limit { usize::MAX } else { distance(&word, &folded) };
        (distance <= limit.min(folded.len() / 2)).then_some((distance, candidate))
    };
    let near = candidates.into_iter().filter_map(close).min_by_key(|(distance, _)| *distance)?;
    Some(near.1)
}

/// Longer words are no near miss of anything we know, and the table below is quadratic.
const LONGEST: usize = 64;

fn fold(word: &str) -> Vec<char> {
    let word = word.replace('&', " and ");
    let letters = word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    letters.take(LONGEST + 1).collect()
}

/// Edits from one word to the other: insert, delete, replace, or swap two neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    if a.len().max(b.len()) > LONGEST {
        return usize::MAX;
    }
    let mut before = vec![0; b.len() + 1];
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut current = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            current[j] = replaced.min(previous[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                current[j] = current[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut previous, current);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 4] = ["role", "tone", "memory_policy", "principles"];

    #[test]
    fn near_misses_are_named_and_far_ones_are_not() {
        assert_eq!(closest("Role", KEYS), Some("role"));
        assert_eq!(closest("memory-policy", KEYS), Some("memory_policy"));
        assert_eq!(closest("memoryPolicy", KEYS), Some("memory_policy"));
        assert_eq!(closest("princples", KEYS), Some("principles"));
        assert_eq!(closest("tnoe", KEYS), Some("tone"));
        assert_eq!(closest("voice", KEYS), None);
        assert_eq!(closest("", KEYS), None);
        assert_eq!(closest("名前", KEYS), None);
        assert_eq!(closest(&"x".repeat(1 << 20), KEYS), None);
        assert_eq!(closest("Name and Role", ["Name & Role"]), Some("Name & Role"));
    }
}
