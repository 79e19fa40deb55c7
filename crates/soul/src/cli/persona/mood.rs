use std::process::ExitCode;

use soul_core::persona::Pad;
use soul_engine::ops::persona::mood;
use soul_engine::workspace::AgentName;

use super::adapt::finite;
use crate::cli::{Global, input};
use crate::output::{Failure, persona};

/// Show an agent's mood, set it, or let an event move it; a mood passes by itself
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul persona mood ada                       the mood now
  soul persona mood ada --set focused         set it
  soul persona mood ada --event -0.4,0.3,0    let something bad happen")]
pub(crate) struct Arguments {
    /// The agent's name
    agent: AgentName,
    /// The mood to set; the soul must allow it
    #[arg(long, value_name = "MOOD", conflicts_with = "event")]
    set: Option<String>,
    /// How far an event moves the mood: from bad to good, calm to excited, yielding to commanding, each -1 to 1
    #[arg(long, value_name = "VALENCE,AROUSAL,DOMINANCE", allow_hyphen_values = true, value_parser = point)]
    event: Option<Pad>,
}

pub(crate) fn run(global: &Global, Arguments { agent, set, event }: Arguments) -> Result<ExitCode, Failure> {
    let (name, set) = (agent.to_string(), input::non_blank(set));
    global.answer(mood::Request { agent, set, event }, |response| persona::mood(&name, response))
}

fn point(typed: &str) -> Result<Pad, String> {
    let axes: Vec<f64> = typed.split(',').filter_map(|axis| finite(axis).ok()).collect();
    match axes[..] {
        [valence, arousal, dominance] if typed.split(',').count() == 3 => Ok(Pad::new(valence, arousal, dominance)),
        _ => Err("give three numbers, such as -0.4,0.3,0".to_owned()),
    }
}
