use std::process::ExitCode;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use soul_engine::ops::memory::add;

use super::{Global, Place};
use crate::output::style::{FAINT, STRONG};
use crate::output::{self, Failure};

/// Add a section to the day's log or to a topic
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The text, or `-` for standard input
    #[arg(allow_hyphen_values = true)]
    text: String,
    /// The heading; the time in a log, the date in a topic if none is given
    #[arg(long, value_name = "HEADING")]
    section: Option<String>,
    /// Add to this topic's file instead of the day's log
    #[arg(long)]
    topic: Option<String>,
    #[command(flatten)]
    place: Place,
    /// Add as if it were this day or moment
    #[arg(long, value_name = "TIME", value_parser = super::moment)]
    now: Option<Timestamp>,
}

pub(crate) fn run(global: &Global, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let text = if arguments.text == "-" {
        String::from_utf8(super::super::standard_input()?).map_err(|_| {
            Failure::message("invalid_utf8", "standard input is not UTF-8 text", 1).hint("save the text as UTF-8")
        })?
    } else {
        arguments.text.clone()
    };
    let now = arguments.now.unwrap_or_else(Timestamp::now);
    let request = add::Request {
        whose: arguments.place.whose()?,
        text,
        heading: arguments.section.clone(),
        topic: arguments.topic.clone(),
        day: super::day_of(now),
        time: now.to_zoned(TimeZone::UTC).strftime("%H:%M").to_string(),
    };
    let response = global.ask(request)?;
    if global.json {
        output::json("memory.add", &response)?;
    } else {
        let new = if response.created { "  new file" } else { "" };
        let section = soul_core::text::visible(&response.section);
        output::print(&format!(
            "{STRONG}{}:{}{STRONG:#}  {section}{FAINT}{new}{FAINT:#}\n",
            response.file, response.line
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
