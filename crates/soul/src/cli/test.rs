use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ops::test::{self, Answers, Probing};

use super::Global;
use crate::output::{self, Failure};

/// Test a soul against its own examples, and models against the soul
///
/// Without `--model` and `--replay` nothing leaves the machine. Exits with 1 if any finding is an error.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's name, or a directory or file like one
    #[arg(value_name = "AGENT")]
    target: OsString,
    /// Put the probes to a model of this endpoint, which speaks OpenAI's protocol for chats
    #[arg(long, value_name = "URL", group = "answers")]
    model: Option<String>,
    /// What the endpoint calls the model
    #[arg(long, value_name = "NAME", default_value = "default")]
    model_name: String,
    /// Compare with another model of the endpoint, the one that is more likely to drift
    #[arg(long, value_name = "NAME", requires = "answers")]
    against: Option<String>,
    /// The environment variable that holds the endpoint's key
    #[arg(long, value_name = "VARIABLE", requires = "model")]
    key_env: Option<String>,
    /// The probes, instead of `soul.test.yaml` in the agent's directory
    #[arg(long, value_name = "FILE", requires = "answers")]
    probes: Option<PathBuf>,
    /// Record the answers in this folder
    #[arg(long, value_name = "DIR", requires = "model")]
    record: Option<PathBuf>,
    /// Take the answers that this folder holds; nobody is asked
    #[arg(long, value_name = "DIR", group = "answers")]
    replay: Option<PathBuf>,
    /// Read the soul in this dialect instead of the one that its text shows
    #[arg(long, value_parser = super::dialect, value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { target, model: url, model_name: model, against, key_env, probes, record, replay, dialect } =
        arguments;
    let answers = match (url, replay) {
        (Some(url), _) => Some(Answers::Endpoint { url, key_env, record }),
        (None, replay) => replay.map(Answers::Recorded),
    };
    let probing = answers.map(|answers| Probing { probes, model, against, answers });
    let target = super::target(&target)?;
    if probing.is_some() && global.server.is_some() && !target.is_here() {
        let message = "a service does not ask models for others";
        return Err(Failure::message("usage", message, 2).hint("run it where the agent lives, without `--server`"));
    }
    let request = test::Request { target, dialect, probing };
    let response = global.ask(request)?;
    if global.json {
        output::json("test", &response)?;
    } else {
        output::print(&output::calibration::report(&response))?;
    }
    Ok(if response.passed { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
