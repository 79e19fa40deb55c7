use super::tokens::{Kind, tokens};

/// What is looked for: terms, in the order of the text, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    slots: Vec<Slot>,
}

/// One thing looked for: a term, or another that means the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The terms, the one that was typed first, with what each counts in hundredths.
    pub terms: Vec<(String, u32)>,
}

/// The most terms of a query; what follows them is passed over.
const MOST: usize = 64;

/// What a term counts beside a word, in hundredths.
const SINGLE: u32 = 30;
const PART: u32 = 50;

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
                slots.push(Slot { terms: vec![(term.to_owned(), weight)] });
            }
        });
        Self { slots }
    }

    /// What is looked for.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }
}
