use super::tokens::{Kind, tokens};

/// What is looked for: terms, in the order of the text, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    slots: Vec<Slot>,
}

/// One thing looked for: a term, or another that means the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Whether it only tells more of sections that were found by something else.
    pub weak: bool,
    /// The terms, the one that was typed first, with what each counts in hundredths.
    pub terms: Vec<(String, u32)>,
}

/// The most terms of a query; what follows them is passed over.
const MOST: usize = 64;

/// What a term counts beside a word, in hundredths.
const SINGLE: u32 = 30;
const PART: u32 = 50;
const FUNCTION: u32 = 30;

/// English words that hold a sentence together, as their stems. They count less, and find nothing
/// on their own.
#[rustfmt::skip]
const FUNCTION_WORDS: [&str; 86] = [
    "a", "about", "after", "all", "also", "an", "and", "ani", "are", "as", "at", "be", "been", "befor", "but", "by",
    "can", "could", "did", "do", "doe", "for", "from", "had", "ha", "have", "he", "her", "him", "hi", "how", "i", "if",
    "in", "into", "is", "it", "just", "mai", "me", "my", "no", "not", "of", "off", "on", "or", "our", "out", "over",
    "she", "should", "so", "some", "than", "that", "the", "their", "them", "then", "there", "these", "thei", "thi",
    "those", "to", "too", "under", "until", "up", "us", "wa", "we", "were", "what", "when", "where", "which", "while",
    "who", "whom", "why", "will", "with", "would", "you",
];

impl Query {
    /// Reads a query. Every text is one; a text without words finds nothing.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut slots: Vec<Slot> = Vec::new();
        // A query that goes on for pages is about its beginning.
        let text = &text[..text.floor_char_boundary(8 << 10)];
        tokens(text, &mut |term, kind| {
            let weight = match kind {
                Kind::Word | Kind::Whole | Kind::Pair | Kind::Lone => 100,
                Kind::Part => PART,
                Kind::Single => SINGLE,
            };
            if let Some(slot) = slots.iter_mut().find(|slot| slot.terms[0].0 == term) {
                slot.terms[0].1 = slot.terms[0].1.max(weight);
            } else if slots.len() < MOST {
                let weak = kind == Kind::Word && FUNCTION_WORDS.contains(&term);
                let weight = if weak { FUNCTION } else { weight };
                slots.push(Slot { weak, terms: vec![(term.to_owned(), weight)] });
            }
        });
        // What only helps comes last; where there is nothing else, it is what is looked for.
        slots.sort_by_key(|slot| slot.weak);
        if slots.first().is_some_and(|slot| slot.weak) {
            slots.iter_mut().for_each(|slot| slot.weak = false);
        }
        Self { slots }
    }

    /// What is looked for.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }
}
