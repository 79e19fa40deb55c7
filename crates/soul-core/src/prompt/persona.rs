use std::fmt::Write;

use crate::formats::agentos::{TRAITS, trait_named};
use crate::model::{Field, Soul, Value};

/// How an agent is disposed right now: what a prompt says of traits and mood. The
/// [baseline](Self::baseline) is what the author wrote; whoever adapts a persona passes what became
/// of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Persona {
    /// The six traits, in the order of [`TRAITS`], each from 0 to 1 if it is known.
    pub traits: [Option<f64>; 6],
    /// The mood.
    pub mood: Option<String>,
}

/// Beyond these a trait shows; between them nothing is said of it.
const WEAK: f64 = 0.35;
const STRONG: f64 = 0.65;

/// What a trait makes an agent do at its weak and at its strong end, in the order of [`TRAITS`].
const ENDS: [(&str, &str); 6] = [
    (
        "Choose your words for their effect; put things in the light that serves best.",
        "Say plainly what is so; do not flatter, and do not put yourself forward.",
    ),
    (
        "Keep your composure; deal with the matter and leave feelings aside.",
        "Notice how people feel, and let them see that you do.",
    ),
    (
        "Hold back; think first, and speak when it adds something.",
        "Be lively; begin the talk, and bring up what others have not thought of.",
    ),
    (
        "Question what you are told; disagree openly when you see cause.",
        "Be accommodating; look for what is right in what others say.",
    ),
    ("Stay loose; improvise, and change course as you go.", "Work in order; plan, check and finish what you begin."),
    ("Keep to what is known and proven.", "Look for the unusual; try ideas from elsewhere."),
];

impl Persona {
    /// What the soul itself says.
    #[must_use]
    pub fn baseline(soul: &Soul) -> Self {
        let mut traits = [None; 6];
        for item in soul.of(Field::Trait) {
            let Value::Entry { key, value } = &item.value else { continue };
            let known = trait_named(key).and_then(|name| TRAITS.iter().position(|of| *of == name));
            if let Some(index) = known {
                traits[index] = value.as_f64();
            }
        }
        let mood = soul.texts(Field::DefaultMood).next().map(str::trim).filter(|mood| !mood.is_empty());
        Self { traits, mood: mood.map(str::to_owned) }
    }

    /// In words, one line each; nothing of what is neither weak nor strong.
    #[must_use]
    pub(super) fn told(&self) -> String {
        let mut out = String::new();
        for (score, (weak, strong)) in self.traits.iter().zip(ENDS) {
            match score {
                Some(score) if *score > STRONG => out.push_str(&format!("- {strong}\n")),
                Some(score) if *score < WEAK => out.push_str(&format!("- {weak}\n")),
                _ => {}
            }
        }
        if let Some(mood) = &self.mood {
            let _ = writeln!(out, "Your mood: {mood}");
        }
        out.truncate(out.trim_end().len());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ends_are_told() {
        let traits = [Some(0.9), Some(0.65), Some(0.35), Some(0.1), None, Some(f64::NAN)];
        let told = Persona { traits, mood: Some("curious".into()) }.told();
        assert_eq!(told, format!("- {}\n- {}\nYour mood: curious", ENDS[0].1, ENDS[3].0));
        assert_eq!(Persona::default().told(), "");
    }
}
