use std::process::ExitCode;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use soul_engine::ops::log::Request;

use super::Global;
use crate::output::{self, Failure, live};

/// Show what happened: every change, session and run
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The most events
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    limit: usize,
    /// Go on after this number, instead of showing the last ones
    #[arg(long, value_name = "SEQ")]
    after: Option<i64>,
    /// Wait for more, and show them as they come; with `--json` one document a line
    #[arg(short, long)]
    follow: bool,
}

/// How often to look for more.
const PAUSE: Duration = Duration::from_millis(200);

pub(crate) fn run(global: &Global, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let first = arguments.after.map_or(Request::Last(arguments.limit), |after| Request::After(after, arguments.limit));
    let mut response = global.ask(first)?;
    if global.json && !arguments.follow {
        output::json("log", &response)?;
        return Ok(ExitCode::SUCCESS);
    }
    if response.events.is_empty() && !arguments.follow {
        output::print(if arguments.after.is_some() { "nothing more\n" } else { "nothing has happened yet\n" })?;
    }
    loop {
        for event in &response.events {
            let text = if global.json { output::json_line("log.event", event)? } else { live::event(event) };
            if !output::stream(&text)? {
                return Ok(ExitCode::SUCCESS);
            }
        }
        if !arguments.follow {
            return Ok(ExitCode::SUCCESS);
        }
        if response.events.len() < arguments.limit {
            std::thread::sleep(PAUSE);
        }
        response = global.ask(Request::After(response.next, arguments.limit))?;
    }
}
