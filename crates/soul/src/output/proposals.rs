//! Proposed changes of souls, for people.

use anstyle::Style;
use soul_core::text::visible;
use soul_engine::ops::proposals as list_op;
use soul_engine::ops::propose::Response;
use soul_engine::store::{Proposal, ProposalState};
use soul_engine::workspace::Kind;

use super::agents::who;
use super::style::{self, ERROR, FAINT, GOOD, HINT, STRONG, WARNING, ago, brief_id, brief_ids, row};
use super::table::{Table, cell};
use super::{concise, findings, record, view};

/// A proposal that was just made.
pub(crate) fn proposed(response: &Response) -> String {
    let mut out = summary(response);
    let proposal = &response.proposal;
    let next = match (proposal.state, response.repeated) {
        (ProposalState::Accepted, _) => "it only adds what the settings allow, so it was accepted at once".to_owned(),
        (_, true) => {
            format!("the same change is pending already; `soul review {}` decides", brief_id(proposal.id.as_str()))
        }
        (_, false) => format!("a person decides with `soul review {}`", brief_id(proposal.id.as_str())),
    };
    out.push_str(&style::hint(&next));
    out
}

/// A proposal with its difference, or how it was decided.
pub(crate) fn reviewed(response: &Response) -> String {
    let mut out = summary(response);
    match (&response.change, response.proposal.state) {
        (Some(change), _) => {
            out.push('\n');
            out.push_str(&record::changed(change));
        }
        (None, ProposalState::Rejected) => {}
        (None, _) => {
            out.push('\n');
            out.push_str(&lines(response));
        }
    }
    out
}

/// Who proposes what and why, what it means, and what speaks against it.
pub(crate) fn summary(response: &Response) -> String {
    let Response { proposal, diff, protected, merged, conflicts, .. } = response;
    let (style, word) = state(proposal);
    let mut out = format!("{STRONG}{}{STRONG:#}  {style}{word}{style:#}\n", proposal.id);
    let mut line = |name: &str, value: &str| row(&mut out, 10, name, value);
    let whose = if proposal.kind == Kind::Library { "soul" } else { "agent" };
    line(whose, &visible(&proposal.agent));
    line("by", &who(&proposal.proposer));
    let texts = [("reason", &proposal.reason), ("evidence", &proposal.evidence), ("session", &proposal.session)];
    for (name, text) in texts {
        if let Some(text) = text {
            line(name, &visible(text));
        }
    }
    if let Some(reviewer) = &proposal.reviewer {
        line("reviewer", &who(reviewer));
    }
    if let Some(message) = &proposal.review_message {
        line("because", &visible(message));
    }
    if !protected.is_empty() {
        let names: Vec<String> = protected.iter().map(|name| visible(name)).collect();
        line("protected", &format!("{WARNING}{}{WARNING:#}", names.join(", ")));
    }
    if *merged {
        line("merged", "the soul has changed since; both changes are merged");
    }
    for conflict in conflicts {
        line("conflict", &format!("{ERROR}{}{ERROR:#} was changed since", visible(&conflict.place)));
    }
    out.push_str(&record::statements(&diff.changes));
    out.extend(proposal.findings.iter().map(findings::line));
    out.extend(proposal.diagnostics.iter().map(concise::diagnostic));
    if proposal.poisoned && proposal.state == ProposalState::Pending {
        out.push_str(&style::hint("the scanner refuses the text: it can only be accepted with a reason"));
    }
    out
}

/// The difference line by line.
pub(crate) fn lines(response: &Response) -> String {
    record::patch(&response.diff.text)
}

/// A page of proposals.
pub(crate) fn list(response: &list_op::Response) -> String {
    if response.proposals.is_empty() {
        return "no proposals\n".to_owned() + &style::hint("`soul propose AGENT` proposes a change of a soul");
    }
    let mut table = Table::new(["PROPOSAL", "STATE", "AGENT", "BY", "WHEN", "CHANGE…"]);
    let ids: Vec<_> = response.proposals.iter().map(|proposal| proposal.id.as_str()).collect();
    for (proposal, id) in response.proposals.iter().zip(brief_ids(&ids)) {
        let (style, word) = state(proposal);
        let when = if view::is_verbose() { style::short(&proposal.created_at) } else { ago(&proposal.created_at) };
        table.row([
            cell(id, STRONG),
            cell(word, style),
            subject(proposal).into(),
            who(&proposal.proposer).into(),
            cell(when, FAINT),
            visible(&proposal.summary).into(),
        ]);
    }
    let mut out = table.render();
    out.extend(response.next_cursor.as_ref().map(record::next_page));
    out
}

/// Whose soul it is about.
fn subject(proposal: &Proposal) -> String {
    let name = visible(&proposal.agent);
    if proposal.kind == Kind::Library { format!("library/{name}") } else { name }
}

fn state(proposal: &Proposal) -> (Style, &'static str) {
    match proposal.state {
        ProposalState::Pending if proposal.poisoned => (ERROR, "pending, poisoned"),
        ProposalState::Pending => (HINT, "pending"),
        ProposalState::Accepted => (GOOD, "accepted"),
        ProposalState::Rejected => (WARNING, "rejected"),
    }
}
