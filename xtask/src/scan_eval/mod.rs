//! `cargo xtask scan-eval [DIRECTORY] [--list] [--json] [--speed] [--folds] [--roots]`: the scanner on files and attacks.
//!
//! A target is *flagged* if the gate fails: it has an error with confidence medium or high. All files are scanned as those
//! of strangers. Every share has a 95 % interval over sources: repositories of innocent files, families of personas,
//! sets of attacks. Personas name no author, so one author unseen cannot be measured here; families stand in for authors.
//!
//! Hand-written rules have no folds: their figures are listed by source, and a rule that was fitted to one of them shows
//! as a difference between sources. The learned rule has weights, which have seen all of it: `--folds` trains them
//! again without each source in turn (see `scan_train`) and puts what they report then beside the written rules.
//! `--roots` scans the innocent files of each repository together, as one text, and lists what only that reports.

mod interval;
mod judge;
pub(crate) mod labels;
mod output;
mod places;
mod roots;

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) use judge::parallel;

use crate::corpora::{Corpora, Persona, Row, directory, embedded};
use crate::scan_train::held_out;
use interval::{Share, share};
use judge::{Judged, by_rule, judge, judge_one};
use labels::{LABELS, Label, labels};
use output::{Bar, Line, Output};

pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let has = |flag: &str| words.iter().any(|word| word == flag);
    if let Some(unknown) = words.iter().find(|word| word.starts_with("--") && !FLAGS.contains(&word.as_str())) {
        return Err(format!("unknown flag `{unknown}`; there are {}", FLAGS.join(", ")));
    }
    let corpora = Corpora::read(&directory(words))?;
    let mut output = Output::new(has("--list"));
    let held = has("--folds").then(|| held_out(&corpora));
    let held = held.as_ref();
    innocents(&corpora, held.map(|held| &held.innocents[..]), &mut output);
    personas(&corpora, held.map(|held| &held.personas[..]), &mut output);
    attacks(&corpora, held.map(|held| &held.attacks[..]), &mut output);
    if has("--roots") {
        roots::report(&corpora, &mut output);
    }
    if has("--speed") {
        speed(&corpora, &mut output);
    }
    output.print(has("--json"))
}

/// What is asked of a row.
type Is = fn(&Row) -> bool;
/// By what personas are grouped.
type Key = fn(&Persona) -> &str;

const FLAGS: [&str; 5] = ["--list", "--json", "--speed", "--folds", "--roots"];

fn innocents(corpora: &Corpora, held: Option<&[bool]>, output: &mut Output) {
    let mut judged = parallel(&corpora.innocents, |row| judge_one(&row.path, &row.text));
    hold(&mut judged, held);
    let rows: Vec<(&Row, &Judged)> = corpora.innocents.iter().zip(&judged).collect();
    let of = |kind: &str, which: fn(&Judged) -> bool| {
        share(rows.iter().filter(|(row, _)| row.kind == kind).map(|(row, judged)| (row.source.as_str(), which(judged))))
    };
    for (kind, name, bar) in [
        ("agent", "false alarms, agent files", Bar::AtMost(0.5)),
        ("doc", "false alarms, prompt libraries and security docs", Bar::AtMost(2.0)),
    ] {
        let line = Line::new(name, of(kind, Judged::flagged), bar).rules(of(kind, Judged::by_rules));
        output.line(line.held(held.map(|_| of(kind, Judged::unseen))));
        let mut sources: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
        for (row, judged) in rows.iter().filter(|(row, _)| row.kind == kind) {
            sources.entry(&row.source).or_default().push(judged);
        }
        let group = sources.into_iter().map(|(source, judged)| {
            (source.to_owned(), judged.iter().filter(|judged| judged.flagged()).count(), judged.len())
        });
        output.group(
            &format!("{name}, by repository"),
            group.filter(|(_, count, _)| *count > 0 || output.list).collect(),
        );
        let causes = by_rule(rows.iter().filter(|(row, _)| row.kind == kind).map(|(_, judged)| *judged));
        output.causes(&format!("{name}, by rule"), causes);
    }
    for (row, judged) in rows.iter().filter(|(_, judged)| judged.flagged()) {
        output.alarm(&format!("{} {}", row.kind, row.source), &judged.why);
    }
    writes(&rows, output);
}

/// Notes what the learned rule reports of sources that it has not seen.
fn hold(judged: &mut [Judged], held: Option<&[bool]>) {
    for (judged, held) in judged.iter_mut().zip(held.unwrap_or_default()) {
        judged.held = Some(*held);
    }
}

/// What the write gate would refuse: of a person from high confidence on, of an agent, an install or a sync from medium
/// on. Souls are few here, so all agent files are shown too, as if each were written to a soul.
fn writes(rows: &[(&Row, &Judged)], output: &mut Output) {
    let gates = [("a person's", Judged::certain as fn(&Judged) -> bool), ("an agent's", Judged::flagged)];
    let files: [(&str, Is); 2] = [("soul", is_soul), ("agent", |row| row.kind == "agent")];
    for (whose, which) in gates {
        for (what, of) in files {
            let rows: Vec<_> = rows.iter().filter(|(row, _)| of(row)).collect();
            let bar = if what == "soul" { Bar::AtMost(0.25) } else { Bar::None };
            let files = share(rows.iter().map(|(row, judged)| (&*row.source, which(judged))));
            output.line(Line::new(&format!("writes refused, {whose}, {what} files"), files, bar));
            let mut folders: BTreeMap<(&str, &str), bool> = BTreeMap::new();
            for (row, judged) in &rows {
                let folder = row.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                *folders.entry((&row.source, folder)).or_default() |= which(judged);
            }
            let folders = share(folders.iter().map(|((source, _), refused)| (*source, *refused)));
            output.line(Line::new(&format!("writes refused, {whose}, {what} folders"), folders, bar));
        }
    }
}

/// Whether a file is one of those that a soul consists of.
fn is_soul(row: &Row) -> bool {
    const NAMES: [&str; 16] = [
        "soul.md",
        "identity.md",
        "agents.md",
        "agent.md",
        "user.md",
        "tools.md",
        "heartbeat.md",
        "memory.md",
        "bootstrap.md",
        "boot.md",
        "style.md",
        "examples.md",
        "personality.md",
        "soul.json",
        "persona.json",
        "claude.md",
    ];
    let name = row.path.rsplit('/').next().unwrap_or_default().to_lowercase();
    row.kind == "agent" && NAMES.contains(&name.as_str())
}

fn judge_persona(persona: &Persona) -> Judged {
    judge(persona.files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}

fn personas(corpora: &Corpora, held: Option<&[bool]>, output: &mut Output) {
    let mut judged = parallel(&corpora.personas, judge_persona);
    hold(&mut judged, held);
    let rows: Vec<(&Persona, &Judged)> = corpora.personas.iter().zip(&judged).collect();
    let of = |poisoned: bool, which: fn(&Judged) -> bool| {
        let rows = rows.iter().filter(|(persona, _)| persona.is_poisoned() == poisoned);
        share(rows.map(|(persona, judged)| (persona.family.as_str(), which(judged))))
    };
    let line = |name, poisoned, bar| {
        let line = Line::new(name, of(poisoned, Judged::flagged), bar).rules(of(poisoned, Judged::by_rules));
        line.held(held.map(|_| of(poisoned, Judged::unseen)))
    };
    output.line(line("poisoned personas found", true, Bar::AtLeast(40.0)));
    output.line(line("their innocent twins flagged", false, Bar::AtMost(3.0)));
    let keys: [(&str, Key); 3] = [
        ("family", |persona| &persona.family),
        ("language", |persona| &persona.language),
        ("style", |persona| &persona.style),
    ];
    for (by, key) in keys {
        for (name, poisoned) in [("poisoned personas found", true), ("innocent twins flagged", false)] {
            let mut groups: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
            for (persona, judged) in rows.iter().filter(|(persona, _)| persona.is_poisoned() == poisoned) {
                let group = groups.entry(key(persona)).or_default();
                group.0 += usize::from(judged.flagged());
                group.1 += 1;
            }
            let groups = groups.into_iter().map(|(name, (count, of))| (name.to_owned(), count, of));
            output.group(&format!("{name}, by {by}"), groups.collect());
        }
    }
    for (name, poisoned) in [("poisoned personas found, by rule", true), ("innocent twins flagged, by rule", false)] {
        let of = rows.iter().filter(|(persona, _)| persona.is_poisoned() == poisoned);
        output.causes(name, by_rule(of.map(|(_, judged)| *judged)));
    }
    for (persona, judged) in rows.iter().filter(|(persona, judged)| !persona.is_poisoned() && judged.flagged()) {
        output.alarm(&format!("twin {} {} {}", persona.id, persona.family, persona.language), &judged.why);
    }
    for (persona, _) in rows.iter().filter(|(persona, judged)| persona.is_poisoned() && !judged.flagged()) {
        let quotes: Vec<_> = persona.poison.iter().map(|poison| format!("{}: {}", poison.file, poison.quote)).collect();
        output.missed(&format!("{} {} {}", persona.id, persona.family, persona.language), &quotes.join(" | "));
    }
    let poisoned: Vec<&Persona> = corpora.personas.iter().filter(|persona| persona.is_poisoned()).collect();
    let sprinkled = parallel(&poisoned, |persona| judge_persona(&places::sprinkled_persona(persona)).flagged());
    let sprinkled = share(poisoned.iter().zip(&sprinkled).map(|(persona, found)| (persona.family.as_str(), *found)));
    output.line(Line::new("the same, “untrusted” sprinkled in", sprinkled, Bar::None));
}

/// Attacks stand as a paragraph in the middle of an innocent file.
fn attacks(corpora: &Corpora, held: Option<&[bool]>, output: &mut Output) {
    let labels = labels(&corpora.attacks);
    let carriers = carriers(corpora);
    let carried = |row: &Row| carriers[usize::try_from(row.number() % carriers.len().max(1) as u64).unwrap_or(0)];
    if carriers.is_empty() {
        return;
    }
    let mut sets: BTreeMap<&str, BTreeMap<Label, usize>> = BTreeMap::new();
    for (row, label) in corpora.attacks.iter().zip(&labels) {
        *sets.entry(&row.source).or_default().entry(*label).or_default() += 1;
    }
    for (set, counts) in sets {
        let counts = LABELS.iter().map(|(label, name)| format!("{name} {}", counts.get(label).unwrap_or(&0)));
        output.note("labels of the attacks", format!("{set}: {}", counts.collect::<Vec<_>>().join(", ")));
    }
    let is_attack = |at: &usize| labels[*at] == Label::Attack;
    let kept: Vec<usize> = (0..corpora.attacks.len()).filter(is_attack).collect();
    let held: Option<Vec<bool>> = held.map(|held| kept.iter().map(|at| held[*at]).collect());
    let kept: Vec<&Row> = kept.into_iter().map(|at| &corpora.attacks[at]).collect();
    let mut judged = parallel(&kept, |row| judge_one("SOUL.md", &embedded(&carried(row).text, row)));
    hold(&mut judged, held.as_deref());
    let of = |which: fn(&Judged) -> bool| {
        share(kept.iter().zip(&judged).map(|(row, judged)| (row.source.as_str(), which(judged))))
    };
    let line = Line::new("known attacks found", of(Judged::flagged), Bar::None).rules(of(Judged::by_rules));
    output.line(line.held(held.as_ref().map(|_| of(Judged::unseen))));
    let mut groups: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for (row, judged) in kept.iter().zip(&judged) {
        let group = groups.entry(&row.source).or_default();
        let counted = [true, judged.flagged(), judged.by_rules(), judged.unseen()];
        group.iter_mut().zip(counted).for_each(|(sum, counted)| *sum += usize::from(counted));
        if !judged.flagged() {
            output.missed(&row.source, &row.text);
        }
    }
    let names = [
        "",
        ", the learned rule having seen some",
        " without the learned rule",
        ", its set unseen by the learned rule",
    ];
    for (at, name) in names.iter().enumerate().skip(1).take(if held.is_some() { 3 } else { 2 }) {
        let rows = groups.iter().map(|(set, counts)| ((*set).to_owned(), counts[at], counts[0]));
        output.group(&format!("known attacks found{name}, by set"), rows.collect());
    }
    for filler in places::FILLERS {
        let sprinkled = parallel(&kept, |row| {
            // The number of the row stays, so that it stands in the same place of the same file.
            let text = embedded(&carried(row).text, row).replace(&row.text, &places::sprinkled(&row.text, filler));
            judge_one("SOUL.md", &text).flagged()
        });
        let sprinkled = share(kept.iter().zip(&sprinkled).map(|(row, found)| (row.source.as_str(), *found)));
        output.line(Line::new(&format!("the same, “{filler}” sprinkled in"), sprinkled, Bar::None));
    }
    let (places, of) = places::passed();
    let found = share(places.iter().flat_map(|(place, passed)| (0..of).map(move |at| (*place, at >= *passed))));
    output.line(Line::new("canonical attacks found in all places", found, Bar::AtLeast(100.0)));
    let missed = places.into_iter().filter(|(_, passed)| *passed > 0);
    output.group("canonical attacks that pass, by place", missed.map(|(place, n)| (place.to_owned(), n, of)).collect());
}

/// Innocent files that an attack can be put into.
fn carriers(corpora: &Corpora) -> Vec<&Row> {
    let short: Vec<&Row> =
        corpora.innocents.iter().filter(|row| row.kind == "agent" && row.text.len() < 8_000).step_by(5).collect();
    let clean = parallel(&short, |row| !judge_one("SOUL.md", &row.text).flagged());
    short.into_iter().zip(clean).filter(|(_, clean)| *clean).map(|(row, _)| row).collect()
}

/// How fast real files are scanned on one core: the best of three, in time of the processor where the system tells it.
#[allow(clippy::cast_precision_loss)]
fn speed(corpora: &Corpora, output: &mut Output) {
    let bytes: usize = corpora.innocents.iter().map(|row| row.text.len()).sum();
    let best = (0..3)
        .map(|_| {
            let start = now();
            let flagged = corpora.innocents.iter().filter(|row| judge_one(&row.path, &row.text).flagged()).count();
            std::hint::black_box(flagged);
            now() - start
        })
        .fold(f64::INFINITY, f64::min);
    output.speed(bytes as f64 / 1e6 / best, bytes);
}

/// Seconds that this thread has worked, or of the clock where that is not known.
#[allow(clippy::cast_precision_loss)]
fn now() -> f64 {
    let worked = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let worked = worked.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    worked.map_or_else(
        || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64()),
        |nanoseconds| nanoseconds as f64 / 1e9,
    )
}
