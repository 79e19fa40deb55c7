//! What models say of sources that they have not seen.

use std::collections::BTreeMap;

use soul_core::scan::learned::{Best, LENGTHS, Model, Scores};

use super::examples::{Examples, FOLDS};
use super::learner::train;
use crate::corpora::{Corpora, Persona, embedded};
use crate::scan_eval::labels::{Label, labels};
use crate::scan_eval::parallel;

/// The share of innocent files of unseen sources that may be reported, by a window alone and in all.
const ALONE: f64 = 0.0006;
const IN_ALL: f64 = 0.001;

/// Scores of everything, each by the model that had not seen its source.
pub(crate) struct Held {
    innocents: Vec<(usize, Best)>,
    personas: Vec<(usize, Best)>,
    attacks: Vec<Option<(usize, Best)>>,
}

/// Scores from which a window is reported: by itself, and with a second sign.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thresholds {
    pub(super) alone: Scores,
    pub(super) with_sign: Scores,
}

impl Thresholds {
    fn passes(&self, best: &Best) -> bool {
        passes(&best.alone, &self.alone) || passes(&best.with_sign, &self.with_sign)
    }
}

fn passes(scores: &Scores, thresholds: &Scores) -> bool {
    scores.iter().zip(thresholds).any(|(score, threshold)| score > threshold)
}

pub(crate) fn cross_validate(corpora: &Corpora, examples: &Examples) -> Held {
    let folds: Vec<usize> = (0..FOLDS).collect();
    let weights = parallel(&folds, |fold| train(examples, |text| text.fold != Some(*fold)));
    let nothing = [f64::INFINITY; LENGTHS.len()];
    let model = |fold: usize| Model { weights: &weights[fold], alone: nothing, with_sign: nothing };
    let innocents = parallel(&corpora.innocents, |row| {
        let fold = examples.fold(&row.source);
        (fold, model(fold).best(&row.text))
    });
    let personas = parallel(&corpora.personas, |persona: &Persona| {
        let fold = examples.fold(&persona.family);
        (fold, highest(persona.files.values().map(|text| model(fold).best(text))))
    });
    let labels = labels(&corpora.attacks);
    let labelled: Vec<_> = corpora.attacks.iter().zip(labels).collect();
    let attacks = parallel(&labelled, |(row, label)| {
        let fold = examples.fold(&row.source);
        let of = |carrier: &&crate::corpora::Row| {
            carrier.kind == "agent" && carrier.text.len() < 8_000 && examples.fold(&carrier.source) == fold
        };
        let carriers: Vec<_> = corpora.innocents.iter().filter(of).collect();
        let carrier = carriers.get(usize::try_from(row.number() % carriers.len().max(1) as u64).unwrap_or(0))?;
        (*label == Label::Attack).then(|| (fold, model(fold).best(&embedded(&carrier.text, row))))
    });
    Held { innocents, personas, attacks }
}

fn highest(bests: impl Iterator<Item = Best>) -> Best {
    let none = [f64::NEG_INFINITY; LENGTHS.len()];
    bests.fold(Best { alone: none, with_sign: none }, |a, b| {
        let each = |a: Scores, b: Scores| std::array::from_fn(|at| a[at].max(b[at]));
        Best { alone: each(a.alone, b.alone), with_sign: each(a.with_sign, b.with_sign) }
    })
}

impl Held {
    /// The lowest thresholds that report no more innocent files than allowed, from some of the folds.
    pub(crate) fn thresholds(&self, of: impl Fn(usize) -> bool) -> Thresholds {
        self.thresholds_at(of, ALONE, IN_ALL)
    }

    fn thresholds_at(&self, of: impl Fn(usize) -> bool, alone: f64, in_all: f64) -> Thresholds {
        let bests: Vec<&Best> = self.innocents.iter().filter(|(fold, _)| of(*fold)).map(|(_, best)| best).collect();
        let budget = |share: f64| {
            #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let count = (bests.len() as f64 * share) as usize;
            count
        };
        let nothing = [f64::INFINITY; LENGTHS.len()];
        let level = |scores: fn(&Best) -> &Scores, rank: usize| -> Scores {
            std::array::from_fn(|length| {
                let mut order: Vec<f64> = bests.iter().map(|best| scores(best)[length]).collect();
                order.sort_by(|a, b| b.total_cmp(a));
                order.get(rank).copied().unwrap_or(f64::INFINITY)
            })
        };
        let reported = |thresholds: &Thresholds| bests.iter().filter(|best| thresholds.passes(best)).count();
        let mut chosen = Thresholds { alone: nothing, with_sign: nothing };
        for rank in 0..bests.len() {
            let tried = Thresholds { alone: level(|best| &best.alone, rank), ..chosen };
            if reported(&tried) > budget(alone) {
                break;
            }
            chosen = tried;
        }
        for rank in 0..bests.len() {
            let tried = Thresholds { with_sign: level(|best| &best.with_sign, rank), ..chosen };
            if reported(&tried) > budget(in_all) || tried.with_sign == chosen.with_sign {
                break;
            }
            chosen = tried;
        }
        chosen
    }

    /// The thresholds for each fold, chosen on the others.
    fn by_fold(&self) -> Vec<Thresholds> {
        (0..FOLDS).map(|held| self.thresholds(|fold| fold != held)).collect()
    }

    /// Whether each innocent file, persona and attack is reported, by weights and thresholds that have not seen its source.
    pub(crate) fn reported(&self) -> (Vec<bool>, Vec<bool>, Vec<bool>) {
        let thresholds = self.by_fold();
        let of = |(fold, best): &(usize, Best)| thresholds[*fold].passes(best);
        (
            self.innocents.iter().map(of).collect(),
            self.personas.iter().map(of).collect(),
            self.attacks.iter().map(|scored| scored.as_ref().is_some_and(of)).collect(),
        )
    }

    pub(super) fn print(&self, corpora: &Corpora) {
        let (innocents, personas, attacks) = self.reported();
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut count = |name: String, reported: bool| {
            let entry = counts.entry(name).or_default();
            entry.0 += usize::from(reported);
            entry.1 += 1;
        };
        for (row, reported) in corpora.innocents.iter().zip(&innocents) {
            count(format!("innocent {}", row.kind), *reported);
            if *reported {
                println!("  reported: {} {}", row.source, row.path);
            }
        }
        for (persona, reported) in corpora.personas.iter().zip(&personas) {
            count(format!("persona {}", persona.label), *reported);
            if persona.is_poisoned() {
                count(format!("persona poisoned {}", persona.family), *reported);
            }
        }
        for ((row, reported), scored) in corpora.attacks.iter().zip(&attacks).zip(&self.attacks) {
            if scored.is_some() {
                count(format!("attack {}", row.source), *reported);
            }
        }
        for (name, (count, of)) in counts {
            println!("{name:<50} {count:>5} of {of}");
        }
        for share in [0.0006, 0.002, 0.005, 0.01, 0.03, 0.1] {
            let t = self.thresholds_at(|_| true, share, share);
            let of = |rows: Vec<&Best>| rows.iter().filter(|b| passes(&b.alone, &t.alone)).count();
            let pick = |poisoned: bool| corpora.personas.iter().zip(&self.personas).filter(|(p, _)| p.is_poisoned() == poisoned).map(|(_, (_, b))| b).collect::<Vec<_>>();
            println!("{share}: innocents {} poisoned {} twins {} attacks {}", of(self.innocents.iter().map(|(_, b)| b).collect()), of(pick(true)), of(pick(false)), of(self.attacks.iter().flatten().map(|(_, b)| b).collect()));
        }
    }
}
