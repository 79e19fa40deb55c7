//! What models say of sources that they have not seen.

use std::collections::BTreeMap;

use soul_core::scan::learned::{Best, LENGTHS, Model, Scores, Vocabulary};

use super::examples::{Examples, FOLDS};
use super::learner::{Trained, train};
use crate::corpora::{Corpora, Row, embedded};
use crate::scan_eval::labels::{Label, labels};
use crate::scan_eval::parallel;

/// The share of innocent files of unseen sources that may be reported, by a window alone and in all. It is about half
/// of what is wanted: thresholds that were chosen on some sources report more of others.
const ALONE: f64 = 0.0004;
const IN_ALL: f64 = 0.0006;

/// Scores of everything, each by a model that had not seen its source: innocent files and personas by models that know
/// all attacks, as the one that is kept does; attacks by models that know neither their set nor copies from it. Those have
/// seen fewer attacks and give lower scores, so that each needs a threshold of its own, from the innocent files that it
/// has not seen.
pub(crate) struct Held {
    innocents: Vec<(usize, Best)>,
    personas: Vec<(usize, Best)>,
    attacks: Vec<Option<(usize, Best)>>,
    /// The innocent files again, by the models that judge attacks.
    beside: Vec<(usize, Best)>,
}

/// Whether each innocent file, persona and attack is reported, by weights and thresholds that have not seen its source.
pub(crate) struct Reported {
    pub(crate) innocents: Vec<bool>,
    pub(crate) personas: Vec<bool>,
    pub(crate) attacks: Vec<bool>,
}

/// Scores from which a window is reported: by itself, and with a second sign.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thresholds {
    pub(super) alone: Scores,
    pub(super) with_sign: Scores,
}

impl Thresholds {
    /// The lowest that report no more innocent files than allowed.
    fn choose<'a>(bests: impl Iterator<Item = &'a Best>) -> Self {
        let bests: Vec<&Best> = bests.collect();
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let budget = |share: f64| (bests.len() as f64 * share) as usize;
        let sorted = |scores: fn(&Best) -> &Scores| -> [Vec<f64>; LENGTHS.len()] {
            std::array::from_fn(|length| {
                let mut order: Vec<f64> = bests.iter().map(|best| scores(best)[length]).collect();
                order.sort_by(|a, b| b.total_cmp(a));
                order
            })
        };
        let (alone, with_sign) = (sorted(|best| &best.alone), sorted(|best| &best.with_sign));
        // Nothing is an attack that is not more likely one than not.
        let level = |order: &[Vec<f64>; LENGTHS.len()], rank: usize| -> Scores {
            std::array::from_fn(|length| order[length].get(rank).copied().unwrap_or(f64::INFINITY).max(0.0))
        };
        let reported = |thresholds: &Self| bests.iter().filter(|best| thresholds.passes(best)).count();
        let nothing = [f64::INFINITY; LENGTHS.len()];
        let mut chosen = Self { alone: nothing, with_sign: nothing };
        for rank in 0..bests.len() {
            let tried = Self { alone: level(&alone, rank), ..chosen };
            if reported(&tried) > budget(ALONE) || tried.alone == chosen.alone {
                break;
            }
            chosen = tried;
        }
        for rank in 0..bests.len() {
            let tried = Self { with_sign: level(&with_sign, rank), ..chosen };
            if reported(&tried) > budget(IN_ALL) || tried.with_sign == chosen.with_sign {
                break;
            }
            chosen = tried;
        }
        chosen
    }

    fn passes(&self, best: &Best) -> bool {
        passes(&best.alone, &self.alone) || passes(&best.with_sign, &self.with_sign)
    }
}

fn passes(scores: &Scores, thresholds: &Scores) -> bool {
    scores.iter().zip(thresholds).any(|(score, threshold)| score > threshold)
}

/// The highest scores of a text, with the bias.
fn best(trained: &Trained, text: &str) -> Best {
    let nothing = [f64::INFINITY; LENGTHS.len()];
    let best = Model {
        weights: &trained.weights,
        vocabulary: Vocabulary(&trained.vocabulary),
        alone: nothing,
        with_sign: nothing,
    }
    .best(text);
    let plus = |scores: Scores| scores.map(|score| score + trained.bias);
    Best { alone: plus(best.alone), with_sign: plus(best.with_sign) }
}

fn highest(bests: impl Iterator<Item = Best>) -> Best {
    let none = [f64::NEG_INFINITY; LENGTHS.len()];
    bests.fold(Best { alone: none, with_sign: none }, |a, b| {
        let each = |a: Scores, b: Scores| std::array::from_fn(|at| a[at].max(b[at]));
        Best { alone: each(a.alone, b.alone), with_sign: each(a.with_sign, b.with_sign) }
    })
}

impl Held {
    /// Trains once for each fold without it, and judges it.
    pub(crate) fn out(corpora: &Corpora, examples: &Examples) -> Self {
        let folds: Vec<(usize, bool)> = (0..FOLDS).flat_map(|fold| [(fold, false), (fold, true)]).collect();
        let trained = parallel(&folds, |(fold, without_attacks)| {
            train(examples, |source| source.may_teach(*fold) || source.attacks && !without_attacks)
        });
        let innocents = parallel(&corpora.innocents, |row| {
            let fold = examples.fold(&row.source);
            (fold, best(&trained[2 * fold], &row.text))
        });
        let personas = parallel(&corpora.personas, |persona| {
            let fold = examples.fold(&persona.family);
            (fold, highest(persona.files.values().map(|text| best(&trained[2 * fold], text))))
        });
        let labelled: Vec<_> = corpora.attacks.iter().zip(labels(&corpora.attacks)).collect();
        let attacks = parallel(&labelled, |(row, label)| {
            let fold = examples.fold(&row.source);
            let of = |carrier: &&Row| {
                carrier.kind == "agent" && carrier.text.len() < 8_000 && examples.fold(&carrier.source) == fold
            };
            let carriers: Vec<&Row> = corpora.innocents.iter().filter(of).collect();
            let carrier = carriers.get(usize::try_from(row.number() % carriers.len().max(1) as u64).unwrap_or(0))?;
            let is_attack = *label == Label::Attack;
            is_attack.then(|| (fold, best(&trained[2 * fold + 1], &embedded(&carrier.text, row))))
        });
        let beside = parallel(&corpora.innocents, |row| {
            let fold = examples.fold(&row.source);
            (fold, best(&trained[2 * fold + 1], &row.text))
        });
        Self { innocents, personas, attacks, beside }
    }

    /// The thresholds of the model that is kept.
    pub(super) fn thresholds(&self) -> Thresholds {
        Thresholds::choose(self.innocents.iter().map(|(_, best)| best))
    }

    /// What is reported: each fold by thresholds that were chosen on the others; attacks as said at [`Held`].
    pub(crate) fn reported(&self) -> Reported {
        let choose = |rows: &[(usize, Best)], of: &dyn Fn(usize) -> bool| {
            Thresholds::choose(rows.iter().filter(|(fold, _)| of(*fold)).map(|(_, best)| best))
        };
        let others: Vec<_> = (0..FOLDS).map(|held| choose(&self.innocents, &|fold| fold != held)).collect();
        let own: Vec<_> = (0..FOLDS).map(|held| choose(&self.beside, &|fold| fold == held)).collect();
        let of = |(fold, best): &(usize, Best)| others[*fold].passes(best);
        let of_attack = |(fold, best): &(usize, Best)| own[*fold].passes(best);
        Reported {
            innocents: self.innocents.iter().map(of).collect(),
            personas: self.personas.iter().map(of).collect(),
            attacks: self.attacks.iter().map(|scored| scored.as_ref().is_some_and(of_attack)).collect(),
        }
    }

    pub(super) fn print(&self, corpora: &Corpora) {
        let reported = self.reported();
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut count = |name: String, reported: bool| {
            let entry = counts.entry(name).or_default();
            entry.0 += usize::from(reported);
            entry.1 += 1;
        };
        for (row, reported) in corpora.innocents.iter().zip(&reported.innocents) {
            count(format!("false alarms, {} files", row.kind), *reported);
            if *reported {
                println!("false alarm: {} {}", row.source, row.path);
            }
        }
        for (persona, reported) in corpora.personas.iter().zip(&reported.personas) {
            count(format!("{} personas", persona.label), *reported);
        }
        for ((row, reported), scored) in corpora.attacks.iter().zip(&reported.attacks).zip(&self.attacks) {
            if scored.is_some() {
                count(format!("attacks of {}", row.source), *reported);
            }
        }
        println!("reported by the learned rule alone, sources unseen:");
        for (name, (count, of)) in counts {
            println!("  {name:<50} {count:>5} of {of}");
        }
    }
}
