//! Personas, for people: scores as bars, what moved them, the mood.

use std::fmt::Write;

use anstyle::Style;
use soul_core::persona::{Clamp, Traits};
use soul_core::text::visible;
use soul_engine::ops::persona::history::{self, Status};
use soul_engine::ops::persona::{Mood, adapt, drift, overlay, revert, show};

use super::record::next_page;
use super::style::{self, FAINT, GOOD, HINT, STRONG, WARNING, ago, brief_id, brief_ids, count, short};
use super::table::{Table, cell};
use super::view;

/// The cells of a bar.
const WIDTH: usize = 20;

pub(crate) fn show(agent: &str, response: &show::Response) -> String {
    let mut out = headline(agent, "", FAINT);
    scores(&mut out, &response.baseline, &response.effective);
    feeling(&mut out, &response.mood);
    for (name, entries) in [("voice", &response.voice), ("avatar", &response.avatar)] {
        for (index, (key, value)) in entries.iter().flatten().enumerate() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            row(&mut out, if index == 0 { name } else { "" }, &format!("{}: {}", visible(key), visible(&value)));
        }
    }
    for (index, limit) in response.hard_limits.iter().enumerate() {
        let limit: Vec<_> = limit.lines().map(visible).collect();
        row(&mut out, if index == 0 { "hard limits" } else { "" }, &limit.join(" "));
    }
    for (index, line) in response.identity_card.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        row(&mut out, if index == 0 { "card" } else { "" }, &visible(line));
    }
    note_inactive(&mut out, response.mood.inactive);
    out
}

/// One line for each trait: the score in the soul, the score now, and where between 0 and 1 that is.
fn scores(out: &mut String, baseline: &Traits, effective: &Traits) {
    if effective.is_empty() {
        row(out, "traits", "none in the soul");
    }
    for (of, now) in effective.known() {
        let (bar, empty) = bar(now);
        let score = match baseline.get(of) {
            Some(written) if same(written, now) => format!("{now:.2}"),
            Some(written) => format!("{now:.2}  {FAINT}from {written:.2}{FAINT:#}"),
            None => format!("{now:.2}  {FAINT}not in the soul{FAINT:#}"),
        };
        row(out, of.as_str(), &format!("{HINT}{bar}{HINT:#}{FAINT}{empty}{FAINT:#}  {score}"));
    }
}

fn bar(score: f64) -> (String, String) {
    let full =
        (1..=WIDTH).filter(|cell| score * 20.0 + 0.5 >= f64::from(u32::try_from(*cell).unwrap_or(u32::MAX))).count();
    let (done, left) = if view::is_unicode() { ("━", "─") } else { ("#", "-") };
    (done.repeat(full), left.repeat(WIDTH - full))
}

/// Whether two scores are shown the same.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.005
}

fn feeling(out: &mut String, mood: &Mood) {
    let current = mood.current.as_deref().map_or_else(|| "none".to_owned(), visible);
    let default = mood.default.as_ref().filter(|default| mood.current.as_ref() != Some(*default));
    let default = default.map(|default| format!("  {FAINT}default {}{FAINT:#}", visible(default)));
    row(out, "mood", &format!("{current}{}", default.unwrap_or_default()));
    if !mood.allowed.is_empty() {
        let allowed: Vec<_> = mood.allowed.iter().map(|mood| visible(mood)).collect();
        row(out, "allowed", &allowed.join(", "));
    }
}

fn headline(agent: &str, word: &str, style: Style) -> String {
    let gap = if word.is_empty() { "" } else { "  " };
    format!("{STRONG}{}{STRONG:#}{gap}{style}{word}{style:#}\n", visible(agent))
}

fn row(out: &mut String, name: &str, value: &str) {
    style::row(out, 17, name, value);
}

fn signed(delta: f64) -> String {
    format!("{delta:+.3}")
}

pub(crate) fn adapted(agent: &str, response: &adapt::Response) -> String {
    let step = &response.adapted;
    let (word, style) = match (response.mutation_id.is_some(), step.clamped) {
        (false, _) => ("not moved", WARNING),
        (true, true) => ("moved as far as allowed", WARNING),
        (true, false) => ("moved", GOOD),
    };
    let mut out = headline(agent, word, style);
    step_rows(&mut out, response);
    note_inactive(&mut out, response.inactive);
    out
}

fn step_rows(out: &mut String, response: &adapt::Response) {
    let step = &response.adapted;
    let moved = format!(
        "{:.3} {FAINT}{}{FAINT:#} {:.3}  {FAINT}{}{FAINT:#}",
        step.previous,
        view::arrow(),
        step.new,
        signed(step.delta)
    );
    row(out, &visible(&response.of), &moved);
    let (spent, left) = (step.session_total, step.remaining_budget);
    row(out, "session", &format!("{spent:.3} spent, {left:.3} left"));
    if let Some(id) = &response.mutation_id {
        row(out, "step", &brief_id(id.as_str()));
    }
    match step.clamped_by {
        Some(Clamp::Budget) => note(
            out,
            "the budget of the session for this trait is used up; `--session NAME` uses that of another session",
        ),
        Some(Clamp::Bound) => note(out, "the score cannot move further from the one in the soul"),
        Some(Clamp::Range) => note(out, "scores end at 0 and 1"),
        None => {}
    }
    if response.overlaid {
        note(out, "an overlay sets this trait; the step takes effect when the overlay ends");
    }
}

fn note(out: &mut String, text: &str) {
    let _ = writeln!(out, "{HINT}note{HINT:#}: {text}");
}

fn note_inactive(out: &mut String, inactive: bool) {
    if inactive {
        note(out, "souls are disabled: prompts are not affected until `[agents.soul] enabled` is true");
    }
}

pub(crate) fn drift(agent: &str, response: &drift::Response) -> String {
    if response.proposals.is_empty() {
        return headline(agent, "no changes proposed", FAINT);
    }
    let mut out = headline(agent, "", FAINT);
    for proposal in &response.proposals {
        let (delta, sure) = (signed(proposal.delta), proposal.confidence);
        let evidence = visible(&proposal.evidence);
        row(&mut out, proposal.trait_.short(), &format!("{delta}  {FAINT}{evidence}, confidence {sure:.2}{FAINT:#}"));
    }
    match &response.applied {
        Some(applied) => {
            out.push_str(&format!("{GOOD}applied{GOOD:#}\n"));
            applied.iter().for_each(|step| step_rows(&mut out, step));
            note_inactive(&mut out, applied.iter().any(|step| step.inactive));
        }
        None => {
            out.push_str(&style::hint("`--apply` applies these steps"));
        }
    }
    out
}

pub(crate) fn mood(agent: &str, mood: &Mood) -> String {
    let mut out = headline(agent, "", FAINT);
    feeling(&mut out, mood);
    let pad = mood.pad;
    let point = [pad.valence, pad.arousal, pad.dominance].map(|axis| format!("{axis:+.2}")).join(" ");
    row(&mut out, "feels", &format!("{}  {FAINT}{point}{FAINT:#}", mood.label));
    if mood.overlaid {
        note(&mut out, "an overlay sets the mood until it ends");
    }
    note_inactive(&mut out, mood.inactive);
    out
}

pub(crate) fn overlays(agent: &str, response: &overlay::Response) -> String {
    let word = match &response.applied {
        Some(applied) if applied.is_empty() => "no rule matches",
        _ if response.overlays.is_empty() => "no overlays",
        _ => "",
    };
    let mut out = headline(agent, word, FAINT);
    for overlay in &response.overlays {
        let mut sets: Vec<_> = overlay.traits.known().map(|(of, score)| format!("{of} {score:.2}")).collect();
        sets.extend(overlay.mood.as_ref().map(|mood| format!("mood {}", visible(mood))));
        sets.extend(overlay.metadata.keys().map(|key| format!("keeps {}", visible(key))));
        let (sets, until) =
            (if sets.is_empty() { "nothing".to_owned() } else { sets.join(", ") }, short(&overlay.until));
        row(&mut out, &visible(&overlay.rule), &format!("{sets}  {FAINT}until {until}{FAINT:#}"));
    }
    for refused in &response.not_allowed {
        let (mood, rule) = (visible(&refused.mood), visible(&refused.rule));
        let _ = writeln!(out, "{WARNING}not set{WARNING:#}: the mood `{mood}` of `{rule}` is not allowed");
    }
    note_inactive(&mut out, response.inactive);
    out
}

pub(crate) fn history(agent: &str, response: &history::Response) -> String {
    if response.mutations.is_empty() {
        return headline(agent, "no steps recorded", FAINT);
    }
    let mut table = Table::new(["STEP", "TRAIT", ">DELTA", "LEFT", "WHEN", "BY", "REASON…"]);
    let ids: Vec<_> = response.mutations.iter().map(|entry| entry.mutation.id.as_str()).collect();
    for (entry, id) in response.mutations.iter().zip(brief_ids(&ids)) {
        let step = &entry.mutation;
        let (style, word) = match entry.status {
            Status::Standing => (GOOD, format!("{:.0} %, {}", entry.strength * 100.0, signed(entry.effect))),
            Status::Faded => (FAINT, "faded".to_owned()),
            Status::Reverted => (WARNING, "reverted".to_owned()),
        };
        let evidence = step.evidence.as_ref().map(|evidence| format!(": {}", visible(evidence))).unwrap_or_default();
        table.row([
            cell(id, STRONG),
            step.of.as_str().into(),
            signed(step.delta).into(),
            cell(word, style),
            ago(&step.created_at).into(),
            visible(&step.actor.name).into(),
            format!("{}{evidence} (session {})", visible(&step.reason), visible(&step.session)).into(),
        ]);
    }
    let mut out = table.render();
    out.extend(response.next_cursor.as_ref().map(next_page));
    out
}

pub(crate) fn reverted(agent: &str, response: &revert::Response) -> String {
    let word = match response.reverted.len() {
        0 => "no steps to revert".to_owned(),
        steps => format!("{} reverted", count(steps, "step")),
    };
    let mut out = headline(agent, &word, if response.reverted.is_empty() { FAINT } else { WARNING });
    scores(&mut out, &response.baseline, &response.effective);
    feeling(&mut out, &response.mood);
    out
}
