use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use soul_engine::Grant;
use soul_engine::ops;
use soul_engine::workspace::AgentName;
use soul_server::mcp::config::Client;
use soul_server::mcp::{self, Options, Profile};

use super::Global;
use crate::output::{self, Failure};

/// Serve agents and editors over MCP, on standard input and output
///
/// A client such as Claude Code or Cursor starts it; `soul mcp config` prints what to put into its configuration. The
/// service of `soul serve` offers the same at `/mcp`.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  soul mcp                                   the core tools
  soul mcp --agent ada --tools memory        for one agent, with the tools of its memory
  soul mcp --tools all --grant soul.write    every tool, and souls may be replaced
  soul mcp config --client claude-code       what to put into `.mcp.json`"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    offered: Offered,
    #[command(subcommand)]
    command: Option<Command>,
}

/// What a client is offered.
#[derive(clap::Args)]
struct Offered {
    /// Which tools to offer
    #[arg(long, value_name = "PROFILE", default_value = "core", value_parser = profile())]
    tools: Profile,
    /// The agent that the client is: tools are about it by default, and it proposes changes of its own soul
    #[arg(long, value_name = "NAME")]
    agent: Option<AgentName>,
    /// Offer only tools that change nothing
    #[arg(long)]
    read_only: bool,
    /// Allow more; `soul.write` lets the client replace souls; repeatable
    #[arg(long = "grant", value_name = "GRANT", value_parser = grant())]
    grants: Vec<Grant>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Print the configuration of a client that starts this server
    #[command(after_help = "Examples:
  soul mcp config --client claude-code           what to put into `.mcp.json`
  soul mcp config --client cursor --agent ada    for a client that is the agent `ada`")]
    Config {
        /// The client
        #[arg(long, value_name = "CLIENT", value_parser = client())]
        client: Client,
        #[command(flatten)]
        offered: Offered,
    },
}

fn profile() -> impl TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::as_str)).try_map(|name| name.parse::<Profile>())
}

fn grant() -> impl TypedValueParser<Value = Grant> {
    PossibleValuesParser::new([Grant::Write.as_str()]).try_map(|name| name.parse::<Grant>())
}

fn client() -> impl TypedValueParser<Value = Client> {
    PossibleValuesParser::new(Client::ALL.map(Client::as_str))
        .map(|name| Client::ALL.into_iter().find(|client| client.as_str() == name).unwrap_or(Client::ClaudeCode))
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    match arguments.command {
        Some(Command::Config { client, offered }) => config(global, client, &offered),
        None => serve(global, arguments.offered),
    }
}

fn serve(global: &Global, offered: Offered) -> Result<ExitCode, Failure> {
    if global.server.is_some() {
        let failure = Failure::usage("`mcp` opens the home here and cannot use `--server`");
        return Err(failure.hint("leave `--server` out, or let the client use `/mcp` of the service"));
    }
    let Offered { tools, agent, read_only, grants } = offered;
    let keeper = global.open()?;
    if let Some(agent) = &agent {
        let unknown = |error| Failure::from(ops::Error::from(error).report(&keeper));
        keeper.check_agent(agent).map_err(unknown)?;
    }
    mcp::stdio(keeper, &Options { tools, agent, read_only, grants })?;
    Ok(ExitCode::SUCCESS)
}

/// The configuration of a client.
#[derive(Serialize)]
struct Configuration {
    client: &'static str,
    file: &'static str,
    block: String,
}

fn config(global: &Global, client: Client, offered: &Offered) -> Result<ExitCode, Failure> {
    let mut words = vec!["mcp".to_owned()];
    let mut add = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
    if offered.tools != Profile::default() {
        add("--tools", offered.tools.as_str());
    }
    if let Some(agent) = &offered.agent {
        add("--agent", agent.as_str());
    }
    offered.grants.iter().for_each(|grant| add("--grant", grant.as_str()));
    if offered.read_only {
        words.push("--read-only".to_owned());
    }
    let block = client.block(&words);
    if global.json {
        output::json("mcp.config", &Configuration { client: client.as_str(), file: client.file(), block })?;
    } else {
        output::print(&block)?;
    }
    Ok(ExitCode::SUCCESS)
}
