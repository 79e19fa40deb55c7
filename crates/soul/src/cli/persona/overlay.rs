use std::ffi::OsString;
use std::process::ExitCode;

use serde_json::Value;
use soul_engine::ops::persona::overlay;

use crate::cli::author::Actor;
use crate::cli::{Global, agent};
use crate::output::{self, Failure, persona};

/// Lay rules over a persona for a while, show which lie over it, or take them off
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    /// Rules to try, as JSON: a list of `{id, trigger, patch}`; `-` for standard input
    #[arg(long, value_name = "FILE")]
    rules: Option<OsString>,
    /// What is the case, as JSON: `{roleId, metadata, reasoningSignals}`
    #[arg(long, value_name = "FILE", requires = "rules")]
    context: Option<OsString>,
    /// For how long: `90s`, `5m`, `2h` or `3d`
    #[arg(long = "for", value_name = "TIME", default_value = "1h", value_parser = seconds, requires = "rules")]
    lasts: u32,
    /// Take all of them off
    #[arg(long, conflicts_with = "rules")]
    clear: bool,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent: name, rules, context, lasts: seconds, clear, actor } = arguments;
    let change = match rules {
        Some(rules) => {
            let rules = super::json(global, &rules)?;
            let context = context.map(|file| super::json(global, &file)).transpose()?.unwrap_or(Value::Null);
            Some(overlay::Change::Lay { rules, context, seconds })
        }
        None => clear.then_some(overlay::Change::Clear),
    };
    let change = change.map(|change| (change, actor.asker("persona overlay")));
    let response = global.ask(overlay::Request { agent: agent(&name)?, change })?;
    if global.json {
        output::json("persona.overlay", &response)?;
    } else {
        output::print(&persona::overlays(&name, &response))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The longest that an overlay lasts: a year.
const LONGEST: u32 = 366 * 86_400;

fn seconds(typed: &str) -> Result<u32, String> {
    let digits = typed.trim_end_matches(['s', 'm', 'h', 'd']);
    let unit = match &typed[digits.len()..] {
        "" | "s" => Some(1),
        "m" => Some(60),
        "h" => Some(3600),
        "d" => Some(86_400),
        _ => None,
    };
    let seconds = unit.zip(digits.parse::<u32>().ok()).and_then(|(unit, number)| number.checked_mul(unit));
    let seconds = seconds.filter(|seconds| (1..=LONGEST).contains(seconds));
    seconds.ok_or_else(|| "give a time such as `90s`, `5m`, `2h` or `3d`, up to a year".to_owned())
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_are_written_as_people_write_them() {
        assert_eq!(["7", "90s", "5m", "2h", "3d"].map(|typed| seconds(typed).unwrap()), [7, 90, 300, 7200, 259_200]);
        for wrong in ["", "s", "0", "-1s", "1w", "400d", "99999999999d", "1sm"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
