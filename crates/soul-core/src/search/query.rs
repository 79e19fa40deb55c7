use super::fold::is_dense;
use super::related::{Meaning, meanings};
use super::tokens::{TermKind, tokens};

/// A parsed query: its distinct terms, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    slots: Vec<Slot>,
}

/// A term and its synonyms.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    pub role: Role,
    /// The terms with their weights in hundredths, the typed one first.
    pub terms: Vec<(String, u32)>,
}

/// How a slot affects the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A term of the query.
    Typed,
    /// A synonym of several terms of the query.
    Related,
    /// A frequent term: it only adds to the score of sections that match otherwise.
    Helper,
}

/// The most terms of a query; the rest is ignored.
const MOST: usize = 64;

/// What a term counts beside a word, in hundredths.
const SINGLE: u32 = 30;
const PART: u32 = 50;
const RELATED: u32 = 30;
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
    /// Parses a query. Every text is valid; a text without words finds nothing.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut slots: Vec<Slot> = Vec::new();
        // A query that goes on for pages is about its beginning.
        let text = &text[..text.floor_char_boundary(8 << 10)];
        tokens(text, &mut |term, kind| {
            let weight = match kind {
                TermKind::Word | TermKind::Whole | TermKind::Pair | TermKind::Lone => 100,
                TermKind::Part => PART,
                TermKind::Single => SINGLE,
            };
            if let Some(slot) = slots.iter_mut().find(|slot| slot.terms[0].0 == term) {
                slot.terms[0].1 = slot.terms[0].1.max(weight);
            } else if slots.len() < MOST {
                let helps = kind == TermKind::Word && FUNCTION_WORDS.contains(&term);
                let (role, weight) = if helps { (Role::Helper, FUNCTION) } else { (Role::Typed, weight) };
                slots.push(Slot { role, terms: vec![(term.to_owned(), weight)] });
            }
        });
        let known: Vec<String> = slots.iter().map(|slot| slot.terms[0].0.clone()).collect();
        // Runs are looked through as a whole; of helpers no meaning would help.
        let is_word = |slot: &Slot| slot.role == Role::Typed && !slot.terms[0].0.starts_with(is_dense);
        let words: Vec<&str> = slots.iter().map(|slot| if is_word(slot) { &*slot.terms[0].0 } else { "" }).collect();
        for Meaning { word, mut terms } in meanings(text, &words) {
            terms.retain(|term| !known.contains(term));
            let terms = terms.into_iter().map(|term| (term, RELATED));
            match word {
                Some(word) => slots[word].terms.extend(terms),
                None if slots.len() < MOST => slots.push(Slot { role: Role::Related, terms: terms.collect() }),
                None => {}
            }
        }
        // Where only helpers were typed, they are what is looked for.
        slots.sort_by_key(|slot| slot.role);
        if slots.first().is_some_and(|slot| slot.role == Role::Helper) {
            slots.iter_mut().for_each(|slot| slot.role = Role::Typed);
        }
        Self { slots }
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(text: &str) -> Vec<(Role, String)> {
        let slots = Query::new(text).slots;
        slots.into_iter().map(|slot| (slot.role, slot.terms[0].0.clone())).collect()
    }

    #[test]
    fn words_that_say_little_only_help() {
        let typed = |term: &str| (Role::Typed, term.to_owned());
        assert_eq!(roles("the xyzzy of"), [typed("xyzzi"), (Role::Helper, "the".into()), (Role::Helper, "of".into())]);
        assert_eq!(roles("to be"), [typed("to"), typed("be")]);
        assert_eq!(roles(" … "), []);
    }

    #[test]
    fn what_means_the_same_is_looked_for_too() {
        let slots = Query::new("invoice").slots;
        assert_eq!(slots[0].terms[0], ("invoic".to_owned(), 100));
        assert!(slots[0].terms.contains(&("bill".to_owned(), RELATED)));
        assert_eq!(Query::new("請求書").slots.last().unwrap().role, Role::Related);
    }

    #[test]
    fn a_query_of_a_megabyte_is_about_its_beginning() {
        let slots = Query::new(&(0..200_000).map(|n| format!("w{n} ")).collect::<String>()).slots;
        assert_eq!(slots.len(), MOST);
        assert_eq!(Query::new(&"東".repeat(400_000)).slots.len(), 2);
    }
}
