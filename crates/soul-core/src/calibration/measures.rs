//! How an output sounds, in numbers.

use serde::{Deserialize, Serialize};

use super::prose::{Prose, unmarked};

/// Something about a text that can be counted.
struct Measure {
    name: &'static str,
    measure: fn(&Prose<'_>) -> f64,
    /// Below this, a difference says nothing.
    floor: f64,
}

/// Everything that is measured. Counts are per hundred words, so that long and short texts compare.
const MEASURES: [Measure; 10] = [
    Measure { name: "words", measure: |prose| prose.words.len() as f64, floor: 20.0 },
    Measure { name: "sentence_words", measure: sentence_words, floor: 6.0 },
    Measure { name: "exclamations", measure: |prose| prose.per_hundred(marks(prose, &['!', '！'])), floor: 2.0 },
    Measure { name: "questions", measure: |prose| prose.per_hundred(marks(prose, &['?', '？'])), floor: 4.0 },
    Measure { name: "hedges", measure: |prose| prose.per_hundred(phrase_count(prose, &HEDGES)), floor: 3.0 },
    Measure { name: "apologies", measure: |prose| prose.per_hundred(phrase_count(prose, &APOLOGIES)), floor: 3.0 },
    Measure { name: "address", measure: |prose| prose.per_hundred(phrase_count(prose, &ADDRESS)), floor: 8.0 },
    Measure {
        name: "emoji",
        measure: |prose| prose.per_hundred(prose.text.chars().filter(|c| is_emoji(*c)).count()),
        floor: 2.0,
    },
    Measure { name: "shouting", measure: |prose| prose.per_hundred(shouted(prose.text)), floor: 3.0 },
    Measure { name: "list_share", measure: list_share, floor: 0.4 },
];

const HEDGES: [&str; 16] = [
    "maybe",
    "perhaps",
    "possibly",
    "probably",
    "might",
    "could",
    "somewhat",
    "seems",
    "apparently",
    "presumably",
    "hopefully",
    "likely",
    "generally",
    "usually",
    "guess",
    "suppose",
];
const APOLOGIES: [&str; 5] = ["sorry", "apologies", "apologize", "apologise", "unfortunately"];
const ADDRESS: [&str; 5] = ["you", "your", "yours", "you're", "you'll"];

/// How far two numbers must be apart, from 0 to 1, to count as different.
const APART: f64 = 0.25;

/// One measure of the good examples compared with the bad ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MeasureComparison"))]
pub struct Compared {
    /// Name of the measure.
    pub name: String,
    /// Mean of the good examples.
    pub good: f64,
    /// Mean of the bad examples.
    pub bad: f64,
    /// Relative difference, from 0 to 1.
    pub difference: f64,
    /// Whether the difference is large enough to tell good from bad examples.
    pub differ: bool,
}

/// How one output sounds, or the mean of several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Profile([f64; MEASURES.len()]);

impl Profile {
    pub(super) fn measure(prose: &Prose<'_>) -> Self {
        Self(MEASURES.map(|measure| (measure.measure)(prose)))
    }

    /// The mean of several; none has none.
    pub(super) fn mean(profiles: &[Self]) -> Option<Self> {
        let count = profiles.len() as f64;
        let mean = |index: usize| profiles.iter().map(|profile| profile.0[index]).sum::<f64>() / count;
        (!profiles.is_empty()).then(|| Self(std::array::from_fn(mean)))
    }

    /// How far two are apart, from 0 to 1.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let squares = (0..MEASURES.len()).map(|index| self.apart(other, index).powi(2));
        (squares.sum::<f64>() / MEASURES.len() as f64).sqrt()
    }

    /// In how many measures it is apart from one and not from the other.
    pub(super) fn nearer(&self, near: &Self, far: &Self) -> usize {
        let nearer = |index: &usize| self.apart(far, *index) >= APART && self.apart(near, *index) < APART;
        (0..MEASURES.len()).filter(nearer).count()
    }

    /// The measure in which the two differ most, and both numbers.
    pub(super) fn widest(&self, other: &Self) -> (&'static str, f64, f64) {
        let apart = |index: &usize| self.apart(other, *index);
        let widest = (0..MEASURES.len()).max_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or_default();
        (MEASURES[widest].name, self.0[widest], other.0[widest])
    }

    fn apart(&self, other: &Self, index: usize) -> f64 {
        let (a, b) = (self.0[index], other.0[index]);
        (a - b).abs() / a.max(b).max(MEASURES[index].floor)
    }

    /// Every measure of the good beside the bad.
    pub(super) fn compare(&self, bad: &Self) -> Vec<Compared> {
        let rounded = |value: f64| (value * 100.0).round() / 100.0;
        let compared = MEASURES.iter().enumerate().map(|(index, measure)| {
            let difference = self.apart(bad, index);
            Compared {
                name: measure.name.to_owned(),
                good: rounded(self.0[index]),
                bad: rounded(bad.0[index]),
                difference: rounded(difference),
                differ: difference >= APART,
            }
        });
        compared.collect()
    }
}

fn sentence_words(prose: &Prose<'_>) -> f64 {
    prose.words.len() as f64 / prose.sentences.len().max(1) as f64
}

fn marks(prose: &Prose<'_>, marks: &[char]) -> usize {
    prose.text.chars().filter(|c| marks.contains(c)).count()
}

fn phrase_count(prose: &Prose<'_>, list: &[&str]) -> usize {
    prose.words.iter().filter(|word| list.contains(&word.text.as_str())).count()
}

/// Whether a character is a picture.
pub(super) fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f300}'..='\u{1faff}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{2600}'..='\u{27bf}' | '\u{2b50}' | '\u{2b55}')
        && !matches!(c, '✓' | '✗' | '✔' | '✘' | '❯' | '➜')
}

/// Words of four and more letters that are all capitals: shorter ones are mostly names.
pub(super) fn shouted(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_alphabetic());
    words.filter(|word| word.chars().count() > 3 && word.chars().all(char::is_uppercase)).count()
}

/// How many of the lines are entries of a list.
fn list_share(prose: &Prose<'_>) -> f64 {
    let lines = prose.text.lines().filter(|line| !line.trim().is_empty());
    let entries = lines.clone().filter(|line| unmarked(line).1).count();
    entries as f64 / lines.count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(text: &str) -> Profile {
        Profile::measure(&Prose::new(text))
    }

    fn value(text: &str, name: &str) -> f64 {
        let profile = profile(text);
        profile.0[MEASURES.iter().position(|measure| measure.name == name).unwrap()]
    }

    #[test]
    fn what_is_counted() {
        assert_eq!(value("One two. Three four five six!", "sentence_words"), 3.0);
        assert_eq!(value("a b c d! e f g h!", "exclamations"), 25.0);
        assert_eq!(value("maybe it could work", "hedges"), 50.0);
        assert_eq!(value("done 🎉 ✓", "emoji"), 100.0);
        assert_eq!(value("STOP that API", "shouting"), 100.0 / 3.0);
        assert_eq!(value("Two:\n\n- a\n- b\n1. c\n", "list_share"), 0.75);
        assert_eq!(value("", "words"), 0.0);
    }

    #[test]
    fn distance_is_bounded_and_never_nothing() {
        let (calm, loud) =
            (profile("The port is closed. Use the other one."), profile("WOW!!! 🎉 You could MAYBE try!!!"));
        assert_eq!(calm.distance(&calm), 0.0);
        assert!(calm.distance(&loud) > 0.4 && calm.distance(&loud) <= 1.0);
        assert!(profile("").distance(&loud).is_finite());
        assert_eq!(calm.compare(&loud).iter().filter(|row| row.differ).count(), 6);
    }
}
