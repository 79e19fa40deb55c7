//! `cargo xtask scan-eval [DIRECTORY]`: false alarms and recall of the scanner.
//!
//! A file counts as reported if it has an error with medium or high confidence. Attacks stand as a
//! paragraph in the middle of an innocent file. Three readings: the written rules alone, all rules
//! on texts that the weights have seen, and all rules with weights of five folds on texts that
//! these have not. `--list` names the files behind the false alarms and a sample of what is missed.

use soul_core::scan::{File, Report, scan};

use crate::corpora::{Corpora, Row, directory, embedded};
use crate::scan_train::{FOLDS, Folds, cross_validate};

/// The rule whose weights come from the corpora.
const LEARNED: &str = "SK110";

pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let corpora = Corpora::read(&directory(words))?;
    let list = words.iter().any(|word| word == "--list");
    let folds =
        (!words.iter().any(|word| word == "--quick")).then(|| cross_validate(&corpora, |row| row.number() % FOLDS));
    let thresholds = folds.as_ref().map(Folds::thresholds);
    let unseen = |scores: Option<&[f64; 4]>| match (scores, &thresholds) {
        (Some(scores), Some(thresholds)) => crate::scan_train::passes(scores, thresholds),
        _ => false,
    };

    println!("{:<34} {:>12} {:>12} {:>16}", "", "rules alone", "all, seen", "all, not seen");
    let mut table = Table { list };
    let benign: Vec<Judged> = corpora.benign.iter().map(|row| judge(row, &row.text)).collect();
    let scores = |row: &Row| folds.as_ref().and_then(|folds| folds.scores.get(&row.sha256));
    table.row("false alarms, benign files", &benign, |row| unseen(scores(row)), true);
    let near: Vec<Judged> = corpora.near.iter().map(|row| judge(row, &row.text)).collect();
    table.row("false alarms, near misses", &near, |row| unseen(scores(row)), true);
    let carriers = carriers(&corpora);
    let mut sets: Vec<&str> = corpora.attacks.iter().map(|row| row.set.as_str()).collect();
    sets.sort_unstable();
    sets.dedup();
    for set in sets {
        let of = corpora.attacks.iter().filter(|row| row.set == set);
        let judged: Vec<Judged> = of
            .map(|row| {
                let carrier = carriers[usize::try_from(row.number() % carriers.len() as u64).unwrap_or(0)];
                judge(row, &embedded(&carrier.text, row))
            })
            .collect();
        table.row(set, &judged, |row| unseen(scores(row)), false);
    }
    Ok(())
}

/// Innocent files that an attack can be put into.
pub(crate) fn carriers(corpora: &Corpora) -> Vec<&Row> {
    let clean = |row: &&Row| row.text.len() < 8_000 && !reported(&report(&row.text), |_| true);
    corpora.benign.iter().filter(clean).collect()
}

struct Judged<'a> {
    row: &'a Row,
    rules: bool,
    all: bool,
    why: String,
}

fn report(text: &str) -> Report {
    scan(&[File { path: "SOUL.md", bytes: text.as_bytes() }])
}

fn reported(report: &Report, which: impl Fn(&str) -> bool) -> bool {
    report.findings.iter().any(|finding| finding.is_confident_error() && which(&finding.rule))
}

fn judge<'a>(row: &'a Row, text: &str) -> Judged<'a> {
    let report = report(text);
    let why = report.findings.iter().filter(|finding| finding.is_confident_error());
    let why = why.map(|finding| format!("{} {}:{} {}", finding.rule, finding.line, finding.column, finding.excerpt));
    Judged {
        row,
        rules: reported(&report, |rule| rule != LEARNED),
        all: reported(&report, |_| true),
        why: why.collect::<Vec<_>>().join(" | "),
    }
}

struct Table {
    list: bool,
}

impl Table {
    fn row(&mut self, name: &str, judged: &[Judged<'_>], unseen: impl Fn(&Row) -> bool, alarms: bool) {
        let count = |of: &dyn Fn(&Judged<'_>) -> bool| judged.iter().filter(|row| of(row)).count();
        let rules = count(&|row| row.rules);
        let all = count(&|row| row.all);
        let not_seen = count(&|row| row.rules || unseen(row.row));
        let total = judged.len();
        let show = |count: usize| {
            #[allow(clippy::cast_precision_loss)]
            let share = 100.0 * count as f64 / total.max(1) as f64;
            format!("{share:.1} %")
        };
        println!("{name:<34} {:>12} {:>12} {:>16}   of {total}", show(rules), show(all), show(not_seen));
        if self.list {
            let unseen = |row: &Judged<'_>| row.rules || unseen(row.row);
            let shown = judged.iter().filter(|row| if alarms { row.all || unseen(row) } else { !unseen(row) });
            for row in shown.take(40) {
                let start: String = row.row.text.chars().take(140).collect();
                let what = if alarms { format!("{} {}", row.row.path, row.why) } else { start.replace('\n', " ") };
                println!("    {what}");
            }
        }
    }
}
