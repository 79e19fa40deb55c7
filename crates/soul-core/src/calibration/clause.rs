//! Clauses of an output, and whether it is the agent who acts in them.

use super::prose::{Word, terms, words};

/// The agent, as it speaks of itself.
pub(super) const AGENT: [&str; 14] =
    ["i", "i'll", "i've", "i'm", "i'd", "we", "we'll", "we've", "we're", "we'd", "let's", "me", "myself", "ourselves"];

/// What may stand between the agent and its verb.
const HELPING: [&str; 34] = [
    "will",
    "can",
    "have",
    "am",
    "are",
    "shall",
    "would",
    "like",
    "love",
    "do",
    "did",
    "just",
    "now",
    "already",
    "also",
    "gladly",
    "happily",
    "happy",
    "glad",
    "pleased",
    "delighted",
    "going",
    "to",
    "be",
    "been",
    "hereby",
    "simply",
    "quickly",
    "went",
    "ahead",
    "definitely",
    "certainly",
    "personally",
    "even",
];

/// Whether the agent is who does it: `I will …`, `let me …`, `happy to …`, `Deleted …`.
pub(super) fn led_by_agent(before: &[Stemmed], verb: &Stemmed, behind: &[Stemmed]) -> bool {
    let helping = |word: &&Stemmed| HELPING.contains(&word.text.as_str());
    let helpers = before.iter().rev().take_while(helping).count();
    let lead = &before[..before.len() - helpers];
    let first_is_agent = before.first().is_some_and(|word| AGENT.contains(&word.text.as_str()));
    match lead.last().map(|word| word.text.as_str()) {
        // `I opened the folder and deleted the files`.
        Some("and" | "then") => {
            let other = ["you", "he", "she", "they", "it", "who"];
            first_is_agent && !before.iter().any(|word| other.contains(&word.text.as_str()))
        }
        Some("me") => lead.len() > 1 && lead[lead.len() - 2].text == "let",
        Some(word) => AGENT.contains(&word),
        // Nobody is named. `To delete …` and `Delete …` tell someone else, `Deleted files are …` nobody.
        None if helpers > 0 => {
            before.iter().any(|word| matches!(word.text.as_str(), "happy" | "glad" | "pleased" | "delighted" | "will"))
        }
        None => {
            let finite = ["is", "are", "was", "were", "can", "will", "may", "must", "should"];
            verb.text.ends_with("ed") && !behind.iter().any(|word| finite.contains(&word.text.as_str()))
        }
    }
}

/// A word of a clause, as it is written and as a stem.
#[derive(Debug)]
pub(super) struct Stemmed {
    pub(super) text: String,
    pub(super) stem: Option<String>,
}

impl Stemmed {
    pub(super) fn is(&self, term: &str) -> bool {
        self.stem.as_deref() == Some(term)
    }

    /// Whether a noun before it is not the beginning of a longer one.
    pub(super) fn closes_a_noun(&self) -> bool {
        const CLOSING: [&str; 17] = [
            "today",
            "tomorrow",
            "yesterday",
            "already",
            "here",
            "below",
            "right",
            "immediately",
            "too",
            "directly",
            "again",
            "completely",
            "anyway",
            "myself",
            "personally",
            "instantly",
            "permanently",
        ];
        // Words without a stem of their own are function words and numbers.
        self.stem.is_none() || CLOSING.contains(&self.text.as_str())
    }
}

/// The clauses of a sentence, as words.
pub(super) fn clauses(sentence: &str) -> Vec<Vec<Stemmed>> {
    const JOINING: [&str; 8] = ["so", "but", "because", "while", "although", "though", "which", "who"];
    let mut found: Vec<Vec<Stemmed>> = Vec::new();
    let mut end = 0;
    for Word { text, range } in words(sentence) {
        let between = &sentence[end..range.start];
        let cut = between.contains([',', ';', ':', '—', '–', '(', ')']) || JOINING.contains(&text.as_str());
        end = range.end;
        if cut || found.is_empty() {
            found.push(Vec::new());
        }
        let stem = terms(&text).next();
        if let Some(clause) = found.last_mut() {
            clause.push(Stemmed { text, stem });
        }
    }
    found
}
