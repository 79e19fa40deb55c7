//! From which scores on a sentence counts: chosen on texts of writers and repositories that the models have not seen.

use soul_core::scan::likelihood::{Partners, Score, has_partners};

use super::sentences::{Kind, Models, Text};

/// The shares of texts of each kind that may be reported.
struct Bounds {
    twins: f64,
    personas: f64,
    files: f64,
    /// Documents about attacks talk as attacks do, and no agent is made of them.
    documents: f64,
}

/// Without a frame.
const ALONE: Bounds = Bounds { twins: 0.006, personas: 0.015, files: 0.001, documents: 0.0025 };
/// With one.
const FRAMED: Bounds = Bounds { twins: 0.0055, personas: 0.0085, files: 0.0005, documents: 0.002 };

/// What bars are tried: from the first score to the last one, in such steps.
const LOW: f64 = -60.0;
const HIGH: f64 = 160.0;
const STEP: f64 = 5.0;

/// From which scores on a frame counts, and a sentence without one.
#[derive(Clone, Copy)]
pub(super) struct Bars {
    pub(super) least: Score,
    pub(super) alone: Score,
}

/// What models that have not seen a text say of its sentences.
pub(super) struct Held {
    kind: Kind,
    /// Of sentences that are weighed without a frame.
    alone: Vec<Score>,
    /// Of sentences that fill one.
    framed: Vec<Score>,
}

impl Held {
    pub(super) fn new(models: &Models, partners: &Partners, text: &Text) -> Self {
        let mut held = Self { kind: text.kind, alone: Vec::new(), framed: Vec::new() };
        for sentence in &text.sentences {
            let is_weighed = has_partners(partners, sentence.concepts);
            if is_weighed || sentence.framed {
                let score = models.score(sentence);
                held.alone.extend(is_weighed.then_some(score));
                held.framed.extend(sentence.framed.then_some(score));
            }
        }
        held
    }
}

/// Which of the scores of a text.
type Of = fn(&Held) -> &[Score];

/// All texts that were held out.
pub(super) struct HeldOut(pub(super) Vec<Held>);

impl HeldOut {
    /// The bars that let the most poisoned sentences through, and no more innocent texts than they may.
    pub(super) fn bars(&self) -> Bars {
        Bars { least: self.bar(|held| &held.framed, &FRAMED), alone: self.bar(|held| &held.alone, &ALONE) }
    }

    fn bar(&self, of: Of, bounds: &Bounds) -> Score {
        let mut best = (0.0, Score { subject: HIGH, stance: HIGH });
        let mut stance = LOW;
        while stance < HIGH {
            // The lowest bar for the subject that keeps the bounds.
            let (mut low, mut high) = (LOW, HIGH);
            while high - low > 0.5 {
                let subject = f64::midpoint(low, high);
                if self.keeps(of, bounds, Score { subject, stance }) { high = subject } else { low = subject }
            }
            let bar = Score { subject: high, stance };
            let found = self.share(Kind::Poison, of, bar);
            if found > best.0 {
                best = (found, bar);
            }
            stance += STEP;
        }
        best.1
    }

    fn keeps(&self, of: Of, bounds: &Bounds, bar: Score) -> bool {
        self.share(Kind::Twin, of, bar) <= bounds.twins
            && self.share(Kind::Honest, of, bar) <= bounds.personas
            && self.share(Kind::Agent, of, bar) <= bounds.files
            && self.share(Kind::Document, of, bar) <= bounds.documents
    }

    /// The share of texts of a kind that have a sentence which reaches a bar.
    fn share(&self, kind: Kind, of: Of, bar: Score) -> f64 {
        let all = self.0.iter().filter(|held| held.kind == kind);
        let reach = all.clone().filter(|held| of(held).iter().any(|score| score.reaches(bar))).count();
        #[allow(clippy::cast_precision_loss)]
        let share = reach as f64 / all.count().max(1) as f64;
        share
    }

    pub(super) fn print(&self, bars: Bars) {
        println!("sentences, by models that have not seen their writer or repository:");
        for (name, kind) in [
            ("poisoned", Kind::Poison),
            ("twins", Kind::Twin),
            ("honest", Kind::Honest),
            ("agents", Kind::Agent),
            ("documents", Kind::Document),
        ] {
            let all: Vec<&Held> = self.0.iter().filter(|held| held.kind == kind).collect();
            let count = |of: &dyn Fn(&&&Held) -> bool| all.iter().filter(of).count();
            let alone = |held: &Held| held.alone.iter().any(|score| score.reaches(bars.alone));
            let framed = |held: &Held| held.framed.iter().any(|score| score.reaches(bars.least));
            println!(
                "  {name:<9} {:>6}: {:>5} weighed, {:>5} reported without a frame; {:>5} fill a frame, {:>5} of these are lowered; {:>5} reported in all",
                all.len(),
                count(&|held| !held.alone.is_empty()),
                count(&|held| alone(held)),
                count(&|held| !held.framed.is_empty()),
                count(&|held| !held.framed.is_empty() && !framed(held)),
                count(&|held| alone(held) || framed(held)),
            );
        }
        let Bars { least, alone } = bars;
        println!("  a frame counts from {:.1} and {:.1} on", least.subject, least.stance);
        println!("  a sentence alone from {:.1} and {:.1} on", alone.subject, alone.stance);
    }
}
