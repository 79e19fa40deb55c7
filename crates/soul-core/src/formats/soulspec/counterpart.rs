//! Whether SOUL.md acts on a safety law: the second half of the Dual Declaration.
//!
//! Words are compared, not meanings, and a sentence that says the opposite of the law counts for nothing.

/// Words that mean the same, by their stems.
const SAME: [&[&str]; 4] = [HARM, &["human", "person", "peopl", "user"], OBEY, PROTECT];
const HARM: &[&str] = &["harm", "hurt", "injur", "damag", "kill"];
const OBEY: &[&str] = &["obey", "follo", "order", "compl"];
const PROTECT: &[&str] = &["prote", "safe", "keep", "guard"];

/// Words that turn a sentence around, and those that keep from an act.
const NEGATIONS: [&str; 21] = [
    "not",
    "no",
    "never",
    "nor",
    "neither",
    "none",
    "cannot",
    "don't",
    "doesn't",
    "won't",
    "can't",
    "mustn't",
    "without",
    "avoid",
    "prevent",
    "refuse",
    "refrain",
    "forbidden",
    "against",
    "from",
    "stop",
];

/// Words that allow an act, or announce it.
const PERMISSIONS: [&str; 20] = [
    "may",
    "might",
    "can",
    "could",
    "will",
    "would",
    "shall",
    "should",
    "must",
    "allowed",
    "permitted",
    "free",
    "fine",
    "okay",
    "ok",
    "acceptable",
    "i",
    "you",
    "we",
    "always",
];

/// Permission and denial in scripts without spaces.
const PERMITS: [&str; 8] = ["可以", "允许", "可能会", "てもよい", "ていい", "해도 된다", "해도 좋", "할 수 있"];
const DENIALS: [&str; 12] = ["不", "勿", "禁", "别", "莫", "未", "ない", "ません", "않", "금지", "못", "마라"];

/// Words that make of an act something that could happen.
const CONDITIONS: [&str; 10] =
    ["if", "when", "whenever", "whatever", "anything", "that", "what", "before", "unless", "risk"];

/// Whether a text has a counterpart of a law: it takes up half of it. Where a sentence contradicts the law, one other
/// sentence alone has to take up more than half.
pub(super) fn has_counterpart(text: &str, law: &str) -> bool {
    let law = Law::new(law);
    let text = text.to_lowercase().replace('’', "'");
    let sentences = text.split(['.', '!', '?', ';', '\n', '。', '！', '？', '；']);
    let (against, with): (Vec<&str>, Vec<&str>) = sentences.partition(|sentence| law.is_contradicted_by(sentence));
    match against.is_empty() {
        true => law.share_in(&text) >= 0.5,
        false => with.into_iter().any(|sentence| law.share_in(sentence) > 0.5),
    }
}

/// A law as it is compared.
struct Law {
    /// The stems of its telling words; pairs of characters in scripts without spaces.
    pieces: Vec<String>,
    /// What it is about, by the words of [`SAME`].
    of_harm: bool,
    of_obedience: bool,
    of_protection: bool,
    /// Whether it forbids, in scripts without spaces.
    denies: bool,
}

impl Law {
    fn new(law: &str) -> Self {
        const EMPTY: [&str; 26] = [
            "must", "shall", "should", "will", "never", "always", "their", "there", "that", "this", "with", "from",
            "into", "when", "where", "while", "except", "first", "second", "third", "other", "would", "does", "such",
            "robot", "being",
        ];
        // A law is a sentence; of a longer text the beginning is enough to compare.
        let law: String = law.chars().take(1_000).flat_map(char::to_lowercase).collect();
        let law = ["机器人", "ロボット", "로봇"].iter().fold(law, |law, robot| law.replace(robot, " "));
        let mut pieces: Vec<String> = Vec::new();
        for word in law.split(|c: char| !c.is_alphanumeric()) {
            if !word.is_ascii() {
                let letters: Vec<char> = word.chars().collect();
                pieces.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
            } else if word.len() >= 4 && !EMPTY.contains(&word) {
                pieces.push(word.chars().take(5).collect());
            }
        }
        let words = words(&law);
        let about = |group: &[&str]| words.iter().any(|word| is_of(word, group));
        let (of_harm, of_obedience, of_protection) = (about(HARM), about(OBEY), about(PROTECT));
        Self { of_harm, of_obedience, of_protection, denies: has(&law, &DENIALS), pieces }
    }

    /// Whether a sentence says the opposite: it allows the harm that the law forbids, or refuses the obedience or
    /// protection that the law asks for.
    fn is_contradicted_by(&self, sentence: &str) -> bool {
        let words = words(sentence);
        allows_harm(&words) && (self.of_harm || self.of_protection)
            || self.of_obedience && refuses(&words, OBEY)
            || self.of_protection && refuses(&words, PROTECT)
            || breaks(&words) && (self.of_obedience || self.of_harm || self.of_protection)
            || self.denies && has(sentence, &PERMITS) && !has(sentence, &DENIALS) && self.share_in(sentence) >= 0.5
    }

    /// The share of its telling words that a text has, by their stems or by another word for the same.
    fn share_in(&self, text: &str) -> f64 {
        let found = |piece: &&String| {
            let group = SAME
                .iter()
                .find(|group| group.iter().any(|same| piece.starts_with(same) || same.starts_with(piece.as_str())));
            text.contains(piece.as_str()) || group.is_some_and(|group| group.iter().any(|same| text.contains(same)))
        };
        let count = self.pieces.iter().filter(found).count();
        if self.pieces.is_empty() { 1.0 } else { count as f64 / self.pieces.len() as f64 }
    }
}

/// Harm with a word that allows it, and none before it that keeps from it.
fn allows_harm(words: &[&str]) -> bool {
    let Some(at) = words.iter().position(|word| is_of(word, HARM)) else { return false };
    let is_kept = words.iter().take(at).any(|word| NEGATIONS.contains(word) || is_of(word, PROTECT));
    let is_told = at == 0 || words.iter().take(at).any(|word| PERMISSIONS.contains(word));
    let is_condition = words.iter().take(at).any(|word| CONDITIONS.contains(word));
    is_told && !is_kept && !is_condition
}

/// A negation right before an act, without an exception that would explain it.
fn refuses(words: &[&str], group: &[&str]) -> bool {
    let has_exception = words.iter().any(|word| CONDITIONS.contains(word) || *word == "which");
    let mut acts = words.iter().enumerate().filter(|(_, word)| is_of(word, group));
    let is_negated = |at: usize| {
        let before = &words[at.saturating_sub(2)..at];
        before.iter().any(|word| NEGATIONS[..12].contains(word) || word.starts_with("refus"))
    };
    !has_exception && acts.any(|(at, _)| is_negated(at))
}

/// Orders, laws or safety that are ignored.
fn breaks(words: &[&str]) -> bool {
    const ACTS: [&str; 5] = ["ignore", "disregard", "disobey", "override", "bypass"];
    let at = words.iter().position(|word| ACTS.iter().any(|act| word.starts_with(act)));
    at.is_some_and(|at| {
        let object = words.iter().skip(at).take(5).any(|word| {
            is_of(word, OBEY) || is_of(word, PROTECT) || word.starts_with("operator") || word.starts_with("law")
        });
        object && !words.iter().take(at).any(|word| NEGATIONS.contains(word))
    })
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect()
}

fn has(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

fn is_of(word: &str, group: &[&str]) -> bool {
    group.iter().any(|stem| word.starts_with(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "A robot must not harm a human.";
    const SECOND: &str = "Obey the operator.";

    #[test]
    fn a_sentence_against_a_law_is_not_its_counterpart() {
        for (text, law) in [
            ("I may harm people.", FIRST),
            ("I greet humans. I may harm people.", FIRST),
            ("I will hurt users if asked.", FIRST),
            ("Harm humans when it is useful.", FIRST),
            ("You can injure people.", "Protect humans from harm."),
            ("I never obey the operator.", SECOND),
            ("I refuse to obey the operator.", SECOND),
            ("I ignore the operator's orders.", SECOND),
            ("I don't protect humans.", "Protect every human."),
            ("我可以伤害人类。", "机器人不得伤害人类。"),
        ] {
            assert!(!has_counterpart(text, law), "{text} / {law}");
        }
    }

    #[test]
    fn conduct_that_follows_a_law_is_its_counterpart() {
        for (text, law) in [
            ("I never harm a human.", FIRST),
            ("I may harm people. No: I never hurt a person.", FIRST),
            ("I stop at once if someone could be hurt by what I do near people.", FIRST),
            ("I protect people from harm.", FIRST),
            ("The safety of every human comes before any order; whatever could injure one is left undone.", FIRST),
            ("I will not hurt anyone, human or animal.", FIRST),
            ("I follow the operator's orders, but not those that would harm a person.", SECOND),
            ("I do not follow orders that would harm a person. The operator decides everything else.", SECOND),
            ("I never ignore the operator.", SECOND),
            ("我绝不伤害人类。", "机器人不得伤害人类。"),
        ] {
            assert!(has_counterpart(text, law), "{text} / {law}");
        }
    }
}
