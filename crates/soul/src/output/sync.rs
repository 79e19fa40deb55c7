//! Git sync of souls, for people.

use std::fmt::Write;

use anstyle::Style;
use soul_core::text::visible;
use soul_engine::ops::sync::init;
use soul_engine::sync::{AutoSync, ConflictReason, ItemStatus, Refusal, SyncDiff, SyncResult, SyncStatus};

use super::record;
use super::style::{ERROR, FAINT, GOOD, HINT, STRONG, WARNING, brief_id, count, hint, row, short};
use super::table::{Table, cell};
use super::view;

pub(crate) fn connected(response: &init::Response) -> String {
    let mut out = overview(&response.status);
    let next = match response.branch_exists {
        true => "`soul sync pull` brings its souls here",
        false => "the branch is not there yet; `soul sync publish --all` creates it",
    };
    out.push_str(&hint(next));
    out
}

fn overview(status: &SyncStatus) -> String {
    let (remote, branch) =
        (status.repository.as_deref().unwrap_or_default(), status.branch.as_deref().unwrap_or_default());
    let mut out = format!("{STRONG}{}{STRONG:#}  {FAINT}{}{FAINT:#}\n", visible(remote), visible(branch));
    let counts = &status.counts;
    let all = [
        (counts.synced, "synced", GOOD),
        (counts.modified, "modified", WARNING),
        (counts.untracked, "untracked", HINT),
        (counts.missing, "missing", WARNING),
        (counts.conflict, "in conflict", ERROR),
    ];
    let parts: Vec<String> = all
        .iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, what, style)| format!("{style}{count} {what}{style:#}"))
        .collect();
    let souls = if parts.is_empty() { "none".to_owned() } else { parts.join(", ") };
    row(&mut out, 10, "souls", &souls);
    if let Some(at) = &status.last_sync_at {
        let commit = status.last_sync_commit.as_deref().unwrap_or_default();
        row(&mut out, 10, "last sync", &format!("{}  {FAINT}{}{FAINT:#}", short(at), &commit[..commit.len().min(8)]));
    }
    if let Some(error) = &status.last_error {
        row(&mut out, 10, "error", &format!("{ERROR}{}{ERROR:#}", visible(error)));
    }
    if status.rewritten {
        row(&mut out, 10, "history", &format!("{WARNING}was rewritten on the remote{WARNING:#}"));
    }
    if let Some(auto) = auto(&status.auto_sync) {
        row(&mut out, 10, "auto-sync", &auto);
    }
    out
}

/// What the service does by itself, if it does.
pub(super) fn auto(auto: &AutoSync) -> Option<String> {
    let mut said = Vec::new();
    said.extend(auto.interval.map(|seconds| format!("every {seconds} s")));
    said.extend(auto.on_start.then(|| "on start".to_owned()));
    said.extend(auto.on_change.map(|seconds| format!("{seconds} s after a change")));
    if auto.failures > 0 {
        said.push(format!("{WARNING}{} in a row{WARNING:#}", count(auto.failures as usize, "failure")));
    }
    auto.enabled.then(|| said.join(", "))
}

pub(crate) fn status(status: &SyncStatus) -> String {
    if !status.enabled {
        return "sync is not set up\n".to_owned()
            + &hint("`soul sync init --remote URL` connects the library with a git remote");
    }
    let mut out = overview(status);
    let mut table = Table::new(["STATUS", "ID", "WHY…"]);
    let mut any = false;
    for item in status.items.iter().filter(|item| view::is_verbose() || item.status != ItemStatus::Synced) {
        any = true;
        let why = match (item.conflict_reason, &item.proposal) {
            (_, Some(proposal)) => format!("deleted on the remote; {} decides", brief_id(proposal.as_str())),
            (Some(reason), _) => {
                let by =
                    item.remote_author.as_deref().map(|author| format!(" ({})", visible(author))).unwrap_or_default();
                let detail = item.conflict_detail.as_deref().map(|detail| format!(": {}", visible(detail)));
                format!("{}{by}{}", words(reason), detail.unwrap_or_default())
            }
            _ => String::new(),
        };
        let (style, word) = (style(item.status), item.status.as_str());
        table.row([cell(word, style), cell(visible(&item.item_id.to_string()), STRONG), cell(why, FAINT)]);
    }
    if any {
        out.push_str(&table.render());
    }
    out.push_str(&refused(&status.refused));
    let counts = &status.counts;
    if let Some(next) = match () {
        () if counts.conflict > 0 => Some("`soul sync diff ID` shows both sides, `soul sync resolve ID` decides"),
        () if counts.modified + counts.untracked > 0 => Some("`soul sync publish --all` sends your changes"),
        () if counts.missing > 0 => {
            Some("`soul sync pull` restores what is missing, `soul sync delete ID` deletes it there too")
        }
        () => None,
    } {
        out.push_str(&hint(next));
    }
    out
}

const fn style(status: ItemStatus) -> Style {
    match status {
        ItemStatus::Synced => GOOD,
        ItemStatus::Modified | ItemStatus::Missing => WARNING,
        ItemStatus::Untracked => HINT,
        ItemStatus::Conflict => ERROR,
    }
}

const fn words(reason: ConflictReason) -> &'static str {
    match reason {
        ConflictReason::BothChanged => "changed on both sides",
        ConflictReason::BothAdded => "added on both sides",
        ConflictReason::DeletedThere => "changed here, deleted on the remote",
        ConflictReason::DeletedHere => "deleted here, changed on the remote",
        ConflictReason::Refused => "the remote's text is refused",
    }
}

fn refused(refused: &[Refusal]) -> String {
    let mut out = String::new();
    for refused in refused {
        let _ = writeln!(out, "{WARNING}skipped{WARNING:#} {}: {}", visible(&refused.path), visible(&refused.reason));
    }
    out
}

/// What a sync did.
pub(crate) fn result(result: &SyncResult) -> String {
    let mut out = format!("{STRONG}{}{STRONG:#}\n", visible(&result.message));
    let mut list = |style: Style, word: &str, item: String| {
        let _ = writeln!(out, "  {style}{word:<9}{style:#} {item}");
    };
    for item in &result.synced {
        list(GOOD, "synced", item.to_string());
    }
    for item in &result.modified {
        list(WARNING, "modified", item.to_string());
    }
    for renamed in &result.renamed {
        list(GOOD, "renamed", format!("{} to {}", renamed.from, renamed.to));
    }
    for item in &result.removed {
        list(WARNING, "removed", item.to_string());
    }
    for item in &result.conflicts {
        list(ERROR, "conflict", item.to_string());
    }
    for proposal in &result.proposals {
        list(HINT, "proposed", format!("{} (deleted on the remote)", proposal.as_str()));
    }
    for error in &result.errors {
        list(ERROR, "skipped", format!("{}: {}", error.item_id, visible(&error.message)));
    }
    out.push_str(&refused(&result.refused));
    if result.rewritten {
        let _ = writeln!(out, "{WARNING}warning{WARNING:#}: the history of the branch was rewritten on the remote");
    }
    if let Some(next) = match () {
        () if !result.proposals.is_empty() => Some("`soul review PROPOSAL` decides whether it is deleted here too"),
        () if !result.conflicts.is_empty() => {
            Some("`soul sync diff ID` shows both sides, `soul sync resolve ID` decides")
        }
        () if !result.modified.is_empty() => Some("`soul sync publish --all` sends it"),
        () => None,
    } {
        out.push_str(&hint(next));
    }
    out
}

/// What differs, and where both sides changed the same.
pub(crate) fn diff(diff: &SyncDiff) -> String {
    let (style, word) = (style(diff.status), diff.status.as_str());
    let mut out = format!("{STRONG}{}{STRONG:#}  {style}{word}{style:#}\n", diff.item_id);
    if let (Some(commit), Some(author)) = (&diff.remote_commit, &diff.remote_author) {
        let message = diff.remote_message.as_deref().unwrap_or_default();
        let message = visible(message.lines().next().unwrap_or_default());
        row(&mut out, 9, "remote", &format!("{} {}: {message}", &commit[..commit.len().min(8)], visible(author)));
    }
    for passage in &diff.conflicts {
        row(&mut out, 9, "conflict", &visible(&passage.place));
    }
    match diff.diff.is_empty() {
        true => out.push_str("no differences\n"),
        false => out.push_str(&record::patch(&diff.diff)),
    }
    out
}
