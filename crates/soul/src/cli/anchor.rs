use std::ffi::OsString;
use std::process::ExitCode;

use clap::ValueEnum;
use soul_core::model::Dialect;
use soul_engine::ops::Operation;
use soul_engine::ops::anchor::Request;

use super::global::exit;
use super::{Global, input};
use crate::output::{self, Failure, exchange};

/// Print the short form of a soul that keeps an agent itself after its context was compacted
///
/// Who it is and its limits, then principles, tone and style, as many as fit. `--hook` prints what to add to a program
/// so that it gives the model this text after each compaction. Exits with 1 if not every limit fits.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul anchor ada                      about 400 tokens at most
  soul anchor ada --hook claude-code   the hook for .claude/settings.json
  soul anchor SOUL.md --tokens 150     shorter")]
pub(crate) struct Arguments {
    /// A file, a directory, an agent's name, or `-` for standard input
    target: OsString,
    /// The most tokens, at four bytes each
    #[arg(long, default_value_t = 400, value_parser = input::number(1..=1_000_000_u64))]
    tokens: u64,
    /// Print what to add to this program instead
    #[arg(long, value_enum, value_name = "PROGRAM")]
    hook: Option<Hook>,
    /// Read the soul in this dialect instead of detecting it
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

/// A program that can give the model a text after a compaction.
#[derive(Clone, Copy, ValueEnum)]
enum Hook {
    /// Claude Code: a hook for SessionStart, with the matcher `compact`
    ClaudeCode,
    /// opencode: a plugin
    Opencode,
    /// OpenClaw: a section of AGENTS.md that is injected again
    Openclaw,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { target: typed, tokens, hook, dialect } = arguments;
    let target = input::target(&typed)?;
    let tokens = usize::try_from(tokens).unwrap_or(usize::MAX);
    let response = global.ask(Request { target, tokens, dialect })?;
    let code = exit::<Request>(&response);
    if global.json {
        output::json(Request::NAME, &response)?;
        return Ok(code);
    }
    match hook {
        Some(hook) => output::bytes(snippet(hook, &typed.to_string_lossy(), tokens, &response.text).as_bytes())?,
        None => output::bytes(response.text.as_bytes())?,
    }
    output::note(&exchange::anchor(&output::visible_response(response)))?;
    Ok(code)
}

/// What to add to a program. It asks for the text when it is needed, so that a later change of the soul counts.
fn snippet(hook: Hook, target: &str, tokens: usize, text: &str) -> String {
    let quoted = format!("'{}'", target.replace('\'', "'\\''"));
    let plain = target.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
    let target = if plain && !target.is_empty() { target.to_owned() } else { quoted };
    let limit = if tokens == 400 { String::new() } else { format!(" --tokens {tokens}") };
    let command = format!("soul anchor {target}{limit}");
    match hook {
        Hook::ClaudeCode => {
            let hook = serde_json::json!({ "hooks": { "SessionStart": [{
                "matcher": "compact",
                "hooks": [{ "type": "command", "command": command }],
            }] } });
            format!("{hook:#}\n")
        }
        // https://opencode.ai/v1/docs/plugins/ and the type `Hooks` of `@opencode-ai/plugin`: what is pushed stands in the
        // prompt that asks for the summary.
        Hook::Opencode => format!(
            "// .opencode/plugins/soul-anchor.js\n\
             export const SoulAnchor = async ({{ $ }}) => ({{\n  \
               \"experimental.session.compacting\": async (_input, output) => {{\n    \
                 output.context.push(await $`{command}`.text())\n  \
               }},\n\
             }})\n"
        ),
        Hook::Openclaw => format!(
            "<!-- AGENTS.md: add this section, and name it in openclaw.json:\n     \
             {{ agents: {{ defaults: {{ compaction: {{ postCompactionSections: [\"Who you are\"] }} }} }} }} -->\n\
             ## Who you are\n\n{text}"
        ),
    }
}
