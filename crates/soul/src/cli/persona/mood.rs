use std::process::ExitCode;

use soul_core::persona::Pad;
use soul_engine::ops::persona::mood;

use super::adapt::finite;
use crate::cli::author::Actor;
use crate::cli::{Global, agent};
use crate::output::{self, Failure, persona};

/// Show the mood, set it, or let something move it; it passes by itself
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name
    agent: String,
    /// The mood, one that the soul allows
    #[arg(long, value_name = "MOOD", conflicts_with = "event")]
    set: Option<String>,
    /// What happened: from bad to good, from calm to stirred, from yielding to commanding, each -1 to 1
    #[arg(long, value_name = "VALENCE,AROUSAL,DOMINANCE", allow_hyphen_values = true, value_parser = point)]
    event: Option<Pad>,
    #[command(flatten)]
    actor: Actor,
}

pub(super) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { agent: name, set, event, actor } = arguments;
    let change = set.map(mood::Change::Set).or(event.map(mood::Change::Event));
    let change = change.map(|change| (change, actor.asker("persona mood")));
    let response = global.ask(mood::Request { agent: agent(&name)?, change })?;
    if global.json {
        output::json("persona.mood", &response)?;
    } else {
        output::print(&persona::mood(&name, &response))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn point(typed: &str) -> Result<Pad, String> {
    let wrong = || "give three numbers, such as -0.4,0.3,0".to_owned();
    let axes: Result<Vec<f64>, _> = typed.split(',').map(finite).collect();
    match axes.as_deref() {
        Ok(axes @ [valence, arousal, dominance]) if axes.iter().all(|axis| axis.is_finite()) => {
            Ok(Pad::new(*valence, *arousal, *dominance))
        }
        _ => Err(wrong()),
    }
}
