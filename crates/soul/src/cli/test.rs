use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use soul_core::model::Dialect;
use soul_engine::ops::test::{Answers, Probing, Request};

use super::{Global, input};
use crate::output::{Failure, calibration};

/// Test a soul against its own examples, and models against the soul
///
/// Without `--model` and `--replay` nothing leaves the machine. Exits with 1 if any finding is an error.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul test ada                                                          against its own examples, offline
  soul test ada --model http://127.0.0.1:11434/v1 --model-name llama3    put the probes to a model
  soul test ada --replay cassettes --model-name large                    use recorded answers, as in CI")]
pub(crate) struct Arguments {
    /// The agent's name, or a directory or file like one
    #[arg(value_name = "AGENT")]
    target: OsString,
    /// Ask a model of this endpoint, which speaks OpenAI's chat completions protocol, the probes
    #[arg(long, value_name = "URL", group = "answers")]
    model: Option<String>,
    /// The endpoint's name for the model
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
    /// Use the answers recorded in this folder, and ask no model
    #[arg(long, value_name = "DIR", group = "answers")]
    replay: Option<PathBuf>,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
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
    let target = input::target(&target)?;
    if probing.is_some() && !target.is_path() && global.service(false)?.is_some() {
        let failure = Failure::usage("a service does not call models for its clients");
        return Err(failure.hint("run it on the machine of the agent, without `--server`"));
    }
    global.answer(Request { target, dialect, probing }, calibration::report)
}
