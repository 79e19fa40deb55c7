//! Events for people: columns that stay where they are while more of them come.

use soul_core::text::visible;
use soul_engine::ids::{ProposalId, RevisionId, RunId, SessionId, TaskId, TokenId};
use soul_engine::store::{Action, Event, EventFinding, EventKind, NewEvent};

use super::agents::who;
use super::record::done;
use super::style::{FAINT, STRONG, WARNING, brief_id, short};
use super::table::{Cell, Table, cell};
use super::view;

/// Renders events a page at a time. A column grows with what comes, and never shrinks.
pub(crate) struct EventLines(Table<6>);

impl Default for EventLines {
    fn default() -> Self {
        Self(Table::new([">SEQ", "WHEN", "EVENT", "AGENT", "BY", "ABOUT↩"]))
    }
}

impl EventLines {
    pub(crate) fn render(&mut self, events: &[Event]) -> String {
        if events.is_empty() {
            return String::new();
        }
        events.iter().for_each(|event| self.0.row(columns(event)));
        self.0.render_page()
    }
}

fn columns(event: &Event) -> [Cell; 6] {
    let what = &event.event;
    let style = if what.findings.is_empty() { STRONG } else { WARNING };
    // What is about a workspace as such names no agent.
    let scope = what.scope.as_deref().filter(|_| what.kind.as_str().starts_with("workspace."));
    let agent = what.agent.as_deref().or(scope).map(visible);
    let library = what.soul.as_deref().map(|soul| format!("library/{}", visible(soul)));
    [
        cell(event.seq.to_string(), FAINT),
        cell(short(&event.time), FAINT),
        cell(word(what), style),
        agent.or(library).unwrap_or_default().into(),
        who(&what.actor).into(),
        about(what).into(),
    ]
}

/// What happened, in the words of `history`; with `-v` also the name that `--kind` takes.
fn word(what: &NewEvent) -> String {
    let done = |action| done(action, &what.actor, &what.origin).1;
    let word = match what.kind {
        EventKind::Put => done(Action::Put),
        EventKind::Delete => done(Action::Delete),
        EventKind::Rollback => done(Action::Rollback),
        EventKind::Adopt => done(Action::Adopt),
        EventKind::Edited => "edited outside",
        EventKind::Dropped => "dropped",
        EventKind::Poison => "poison found",
        EventKind::PersonaAdapt => "trait adapted",
        EventKind::PersonaRevert => "traits reverted",
        EventKind::PersonaMood => "mood changed",
        EventKind::PersonaOverlay => "overlays changed",
        EventKind::Select => "selected",
        EventKind::SessionStart => "session started",
        EventKind::SessionSpawn => "session spawned",
        EventKind::SessionRefresh => "session refreshed",
        EventKind::SessionResume => "session resumed",
        EventKind::SessionStop => "session stopped",
        EventKind::TaskAdd => "task added",
        EventKind::RunClaim => "task claimed",
        EventKind::RunRenew => "lease extended",
        EventKind::RunFinish => "run finished",
        EventKind::RunExpire => "lease expired",
        EventKind::WorkspaceShare => "workspace shared",
        EventKind::WorkspaceFork => "workspace forked",
        EventKind::WorkspaceAdopt => "workspace adopted",
        EventKind::AuditRepair => "record repaired",
        EventKind::ProposalCreate => "change proposed",
        EventKind::ProposalAccept => "proposal accepted",
        EventKind::ProposalReject => "proposal rejected",
        EventKind::TokenCreate => "token created",
        EventKind::TokenRevoke => "token revoked",
    };
    if view::is_verbose() { format!("{word} ({})", what.kind.as_str()) } else { word.to_owned() }
}

fn about(what: &NewEvent) -> String {
    let ids = [
        what.revision.as_ref().map(RevisionId::as_str),
        what.session.as_ref().map(SessionId::as_str),
        what.task.as_ref().map(TaskId::as_str),
        what.run.as_ref().map(RunId::as_str),
        what.token.as_ref().map(TokenId::as_str),
        what.proposal.as_ref().map(ProposalId::as_str),
    ];
    let found =
        |finding: &EventFinding| format!("{} at {}:{}", visible(&finding.rule), visible(&finding.file), finding.line);
    let ids = ids.into_iter().flatten().map(|id| visible(&brief_id(id)));
    ids.chain(what.findings.iter().map(found)).collect::<Vec<_>>().join("  ")
}
