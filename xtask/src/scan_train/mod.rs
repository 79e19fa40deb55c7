//! `cargo xtask scan-train [DIRECTORY] [--more=FILE] [--dry] [--sentences]`: makes the weights of the learned rule, of
//! windows and of [sentences]. `--sentences` makes only the latter, `--more` reads further innocent files for them, a
//! line of JSON each with source, kind and text.
//!
//! Five folds, each of which leaves out whole repositories, whole families of personas and whole sets of attacks. What
//! models say of what they have not seen decides the thresholds and is the figure that is printed; a fold is judged by
//! thresholds of the others. An attack that shares eight words in a row with one that is left out is left out too. The
//! weights that are kept come from all of it. No chance is involved: the same corpora give the same bytes.

mod bars;
mod examples;
mod folds;
mod learner;
mod sentences;

use std::path::Path;

use crate::corpora::{Corpora, Row, directory, rows};
use examples::Examples;
use folds::{Held, Reported};

/// Where the weights are kept.
const WEIGHTS: &str = "crates/soul-core/src/rules/learned/weights.bin";

/// What the learned rule would report of everything, had it not seen the source.
pub(crate) fn held_out(corpora: &Corpora) -> Reported {
    Held::out(corpora, &Examples::read(corpora)).reported()
}

pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let corpora = Corpora::read(&directory(words))?;
    let examples = Examples::read(&corpora);
    let dry = words.iter().any(|word| word == "--dry");
    let more = words.iter().filter_map(|word| word.strip_prefix("--more=")).map(|path| rows(Path::new(path)));
    let more: Vec<Row> = more.collect::<Result<Vec<_>, _>>()?.concat();
    sentences::train(&corpora, &more, &examples, dry)?;
    if words.iter().any(|word| word == "--sentences") {
        return Ok(());
    }
    let held = Held::out(&corpora, &examples);
    held.print(&corpora);
    if dry {
        return Ok(());
    }
    let trained = learner::train(&examples, |_| true);
    let thresholds = held.thresholds();
    let mut bytes: Vec<u8> = Vec::new();
    for threshold in thresholds.alone.iter().chain(&thresholds.with_sign) {
        #[allow(clippy::cast_possible_truncation)]
        bytes.extend(((*threshold - trained.bias) as f32).to_le_bytes());
    }
    bytes.extend(trained.vocabulary.iter());
    bytes.extend(trained.weights.iter().map(|weight| weight.cast_unsigned()));
    std::fs::create_dir_all(Path::new(WEIGHTS).parent().ok_or("no folder")?).map_err(|error| error.to_string())?;
    std::fs::write(WEIGHTS, &bytes).map_err(|error| format!("{WEIGHTS}: {error}"))?;
    let none = trained.weights.iter().filter(|weight| **weight == 0).count();
    let most = trained.weights.iter().filter(|weight| weight.abs() == 127).count();
    println!("{WEIGHTS}: {} bytes, {none} weights are 0, {most} as large as they can be, {thresholds:?}", bytes.len());
    Ok(())
}
