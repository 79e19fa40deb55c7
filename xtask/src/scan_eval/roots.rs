//! Repositories as one target each: what files that are read together add to what each of them says alone.

use std::collections::{BTreeMap, HashSet};

use super::judge::{judge, judge_one, parallel};
use super::output::Output;
use crate::corpora::{Corpora, Row};

/// Lists, by repository, the findings at the gate that no file has by itself.
pub(super) fn report(corpora: &Corpora, output: &mut Output) {
    let mut roots: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in &corpora.innocents {
        roots.entry(&row.source).or_default().push(row);
    }
    let roots: Vec<(&str, Vec<&Row>)> = roots.into_iter().collect();
    let added = parallel(&roots, |(_, rows)| {
        let alone: HashSet<(String, String, usize)> = rows
            .iter()
            .flat_map(|row| judge_one(&row.path, &row.text).why)
            .map(|why| (why.rule, why.file, why.line))
            .collect();
        let mut together = judge(rows.iter().map(|row| (row.path.as_str(), row.text.as_str()))).why;
        together.retain(|why| !alone.contains(&(why.rule.clone(), why.file.clone(), why.line)));
        together
    });
    let name = "findings of repositories read as one text that no file has alone";
    let counts = roots.iter().zip(&added).map(|((source, rows), why)| ((*source).to_owned(), why.len(), rows.len()));
    output.group(name, counts.filter(|(_, count, _)| *count > 0).collect());
    output.note(name, format!("{} repositories", roots.len()));
    for ((source, _), why) in roots.iter().zip(&added) {
        for why in why {
            output.note(name, format!("{source}: {} {}:{} {}", why.rule, why.file, why.line, why.excerpt));
        }
    }
}
