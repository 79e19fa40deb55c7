use std::process::ExitCode;
use std::time::Duration;

use soul_engine::fields::Limit;
use soul_engine::ops::Operation;
use soul_engine::ops::log::Request;

use super::{Global, input};
use crate::output::{self, Failure, live};

/// List events: every change, session and run
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Maximum number of events, from 1 to 1000
    #[arg(long, value_name = "N", default_value = "50", value_parser = input::limit())]
    limit: Limit,
    /// Continue after the event with this number, instead of showing the last ones
    #[arg(long, value_name = "SEQ")]
    after: Option<i64>,
    /// Wait for more events and show them as they come; with `--json` one document a line
    #[arg(short, long)]
    follow: bool,
}

/// How often to look for more.
const PAUSE: Duration = Duration::from_millis(200);

pub(crate) fn run(global: &Global, Arguments { limit, after, follow }: Arguments) -> Result<ExitCode, Failure> {
    let ask = |after| {
        let response = global.ask(Request { after, limit })?;
        Ok::<_, Failure>(if global.json { response } else { output::visible_response(response) })
    };
    let mut response = ask(after)?;
    if global.json && !follow {
        output::json(Request::NAME, &response)?;
        return Ok(ExitCode::SUCCESS);
    }
    if response.events.is_empty() && !follow {
        output::print(if after.is_some() { "nothing more\n" } else { "nothing has happened yet\n" })?;
    }
    let line = format!("{}.event", Request::NAME);
    loop {
        for event in &response.events {
            let text = if global.json { output::json_line(&line, event)? } else { live::event(event) };
            if !output::stream(&text)? {
                return Ok(ExitCode::SUCCESS);
            }
        }
        if !follow {
            return Ok(ExitCode::SUCCESS);
        }
        if response.events.len() < limit.get() {
            std::thread::sleep(PAUSE);
        }
        response = ask(Some(response.next))?;
    }
}
