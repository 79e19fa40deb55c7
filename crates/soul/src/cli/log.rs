use std::process::ExitCode;
use std::time::Duration;

use clap::builder::PossibleValue;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use soul_core::text::{closest, visible};
use soul_engine::fields::{Limit, Moment};
use soul_engine::moment::{UnreadableTime, When};
use soul_engine::ops::log::{KindName, Request, Response};
use soul_engine::ops::{Operation, list};
use soul_engine::workspace::AgentName;

use super::{Global, input};
use crate::output::events::EventLines;
use crate::output::style::hint;
use crate::output::{self, Failure};

/// List events: every change, session and run
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul log --agent ada --since yesterday    what happened to ada
  soul log --actor bob --since 2h           what bob did
  soul log --kind soul.poison               souls that the scanner refuses
  soul log --follow --kind session          sessions, as they come and go")]
pub(crate) struct Arguments {
    /// Maximum number of events, from 1 to 1000
    #[arg(long, value_name = "N", default_value = "50", value_parser = input::limit())]
    limit: Limit,
    /// Continue after the event with this number, instead of showing the last ones
    #[arg(long, value_name = "SEQ", value_parser = input::whole::<i64>)]
    after: Option<i64>,
    /// Show the last events before the one with this number
    #[arg(long, value_name = "SEQ", value_parser = input::whole::<i64>, conflicts_with_all = ["after", "follow"])]
    before: Option<i64>,
    /// Only events about this agent
    #[arg(long)]
    agent: Option<AgentName>,
    /// Only events of this kind, such as soul.put, or of this family, such as soul or session
    #[arg(long, hide_possible_values = true, value_parser = input::listed::<KindName>(KindName::all().map(PossibleValue::new)))]
    kind: Option<KindName>,
    /// Only events that this actor caused: a name, a kind such as agent or outside, or KIND:NAME
    // The option of every command, which has another meaning here: `Global` gives it away.
    #[arg(long, value_name = "ACTOR")]
    actor: Option<String>,
    /// Only events from this time on: today, yesterday, 2h, 3d, a date, or an RFC 3339 time
    #[arg(long, value_name = "TIME", value_parser = when)]
    since: Option<When>,
    /// Only events before this time, or up to the end of this day
    #[arg(long, value_name = "TIME", value_parser = when)]
    until: Option<When>,
    /// Wait for more events and show them as they come; with `--json` one document a line
    #[arg(short, long)]
    follow: bool,
}

/// Reads a time by the clock and the time zone of whoever types it.
fn when(typed: &str) -> Result<When, UnreadableTime> {
    When::parse(typed, Timestamp::now(), &TimeZone::system())
}

/// How often to look for more.
const PAUSE: Duration = Duration::from_millis(200);

/// Says which agent may have been meant, if there is none of this name.
fn suggest(global: &Global, agent: &AgentName) -> Result<(), Failure> {
    let agents = global.ask(list::Request::default())?.agents;
    let names = || agents.iter().map(|agent| agent.name.as_str());
    if names().any(|name| name == agent.as_str()) {
        return Ok(());
    }
    let near = closest(agent.as_str(), names()).map(|near| format!("; did you mean `{}`?", visible(near)));
    output::note(&hint(&format!("there is no agent `{agent}`{}", near.unwrap_or_default())))
}

/// Whether what failed may work again without anybody doing anything here.
fn is_outage(failure: &Failure) -> bool {
    ["store_unavailable", "store_silent", "server_unreachable", "overloaded"].contains(&failure.report().code.as_str())
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { limit, after, before, agent, kind, actor: _, since, until, follow } = arguments;
    let actor = input::non_blank(global.actor_filter());
    let (since, until) = (since.map(|when| Moment(when.start)), until.map(|when| Moment(when.end)));
    let request = Request { after, before, limit, agent, kind, actor, since, until, changes: false };
    let is_filtered = request.is_filtered();
    let ask = |after| {
        let response = global.ask(Request { after, ..request.clone() })?;
        Ok::<_, Failure>(if global.json { response } else { output::visible_response(response) })
    };
    let mut response = ask(after)?;
    if global.json && !follow {
        output::json(Request::NAME, &response)?;
        return Ok(ExitCode::SUCCESS);
    }
    if response.events.is_empty() && !follow {
        output::print(match (after, is_filtered) {
            (Some(_), _) => "no more events\n",
            (None, true) => "no such events\n",
            (None, false) => "no events yet\n",
        })?;
        if let Some(agent) = &request.agent {
            suggest(global, agent)?;
        }
    }
    let line = format!("{}.event", Request::NAME);
    let mut lines = EventLines::default();
    loop {
        let text = match global.json {
            true => response.events.iter().map(|event| output::json_line(&line, event)).collect::<Result<_, _>>()?,
            false => lines.render(&response.events),
        };
        if !output::stream(&text)? {
            return Ok(ExitCode::SUCCESS);
        }
        if !follow {
            return Ok(ExitCode::SUCCESS);
        }
        if response.events.len() < limit.get() {
            std::thread::sleep(PAUSE);
        }
        response = match ask(Some(response.next)) {
            // Keep following after an outage.
            Err(failure) if is_outage(&failure) => {
                std::thread::sleep(PAUSE);
                Response { events: Vec::new(), ..response }
            }
            answer => answer?,
        };
    }
}
