//! What a lexicon can name: acts, which a clause can forbid, and things, which it cannot.

/// A set of concepts, one bit each.
pub(super) type Concepts = u128;

/// Whether a negation in the clause turns the concept around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Something done or said: "never send" is not sending.
    Act,
    /// Someone or something: "never send the key" still has a key in it.
    Thing,
    /// A word of grammar that the reading needs and no frame can name.
    Grammar,
}

use Kind::{Act, Grammar, Thing};

/// Every concept, with its kind. The lexicons and the frames use these names.
pub(super) const CONCEPTS: &[(&str, Kind)] = &[
    // Grammar.
    ("negation", Grammar),
    ("negation-after", Grammar),
    ("negation-clause", Grammar),
    ("affirmation", Grammar),
    ("break", Grammar),
    ("refusal", Grammar),
    ("claim", Grammar),
    // Who.
    ("owner", Thing),
    ("user", Thing),
    ("kin", Thing),
    ("outsider", Thing),
    ("anyone", Thing),
    ("you", Thing),
    ("self", Thing),
    // What.
    ("rules", Thing),
    ("prior", Thing),
    ("law", Thing),
    ("secret", Thing),
    ("personal", Thing),
    ("memory", Thing),
    ("record", Thing),
    ("tools", Thing),
    ("approval", Thing),
    ("mark", Thing),
    ("outside", Thing),
    ("agentfile", Thing),
    ("money", Thing),
    ("everything", Thing),
    ("program", Thing),
    ("startup", Thing),
    ("fee", Thing),
    ("link", Thing),
    // When.
    ("trigger", Thing),
    ("regularly", Thing),
    ("silence", Thing),
    ("absent", Thing),
    ("nothing", Thing),
    ("data", Thing),
    ("rank", Thing),
    ("errand", Thing),
    ("unbound", Thing),
    // Acts.
    ("cancel", Act),
    ("lapse", Act),
    ("fade", Act),
    ("win", Act),
    ("above", Act),
    ("conflict", Act),
    ("below", Act),
    ("apply", Act),
    ("asif", Act),
    ("forbid", Act),
    ("notice", Act),
    ("answer", Act),
    ("agree", Act),
    ("send", Act),
    ("embed", Act),
    ("quiet", Act),
    ("tell", Act),
    ("asked", Act),
    ("deny", Act),
    ("omit", Act),
    ("ask", Act),
    ("skip", Act),
    ("unasked", Act),
    ("onbehalf", Act),
    ("equate", Act),
    ("obey", Act),
    ("may", Act),
    ("removed", Act),
    ("restore", Act),
    ("copy", Act),
    ("schedule", Act),
    ("fetch", Act),
    ("run", Act),
    ("unchecked", Act),
    ("root", Act),
    ("decode", Act),
    ("write", Act),
    ("unsaid", Act),
    ("backdate", Act),
    ("alter", Act),
    ("frighten", Act),
    ("isolate", Act),
    ("promote", Act),
    ("delete", Act),
    ("pay", Act),
    ("open", Act),
    ("believe", Act),
    ("verified", Act),
    ("channel", Act),
    ("disable", Act),
    ("openness", Act),
];

/// The bit of a concept; none if no concept has the name.
pub(super) fn bit(name: &str) -> Option<Concepts> {
    CONCEPTS.iter().position(|(known, _)| *known == name).map(|at| 1 << at)
}

/// Concepts of a kind.
pub(super) const fn of_kind(kind: Kind) -> Concepts {
    let (mut all, mut at) = (0, 0);
    while at < CONCEPTS.len() {
        if CONCEPTS[at].1 as u8 == kind as u8 {
            all |= 1 << at;
        }
        at += 1;
    }
    all
}
