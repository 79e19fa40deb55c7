use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Command;
use clap_mangen::Man;
use serde::Serialize;

use super::Global;
use crate::output::{self, Failure};

/// Print the manual page, or write one for each command
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul man | man -l -                       read it
  soul man --out ~/.local/share/man/man1    install a page for each command")]
pub(crate) struct Arguments {
    /// Write a page for each command into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Response {
    pages: Vec<Page>,
}

#[derive(Serialize)]
struct Page {
    name: String,
    text: String,
}

const ENVIRONMENT: &[(&str, &str)] = &[
    ("SOUL_HOME", "The keeper's home directory; ~/.soul if unset."),
    ("SOUL_STORE_URL", "The store, instead of the one that config.toml names; ~/.soul/keeper.db if neither does."),
    ("SOUL_SERVER", "The service to use instead of opening the home."),
    ("SOUL_TOKEN", "The token to present to that service."),
    ("SOUL_ACTOR", "Who acts, as KIND:NAME; the current user if unset."),
    ("VISUAL, EDITOR", "The editor that soul edit opens."),
    ("NO_COLOR", "Print without colours."),
    ("TZ", "The time zone that times are shown in."),
];

const FILES: &[(&str, &str)] = &[
    ("~/.soul/config.toml", "Settings; .soul/config.toml of a workspace takes precedence."),
    ("~/.soul/keeper.db", "The record: revisions, snapshots, sessions, tasks and events."),
    ("~/.soul/agents/NAME/SOUL.md", "The soul of an agent; .soul/agents/NAME in a workspace."),
    ("~/.soul/souls/ID.md", "A soul of the library."),
    ("~/.soul/edits/NAME.md", "An edit that was not finished."),
];

const EXIT_STATUS: &[(&str, &str)] = &[
    ("0", "Success."),
    ("1", "Invalid input: an invalid soul, or findings that fail the check."),
    ("2", "Wrong usage."),
    ("3", "Conflict: the soul is not the expected one."),
    ("4", "Not found."),
    ("5", "Failure: files, store or network."),
];

pub(crate) fn run(global: &Global, Arguments { out }: Arguments) -> Result<ExitCode, Failure> {
    let failed = |error| Failure::io("the manual", &error);
    let mut command = super::program(None);
    command.build();
    let mut pages = vec![page(&command, "soul").map_err(failed)?];
    if out.is_some() || global.json {
        collect(&command, "soul", &mut pages).map_err(failed)?;
    }
    if let Some(directory) = &out {
        for page in &pages {
            std::fs::create_dir_all(directory)
                .and_then(|()| std::fs::write(directory.join(&page.name), &page.text))
                .map_err(|error| Failure::io(&format!("`{}`", page.name), &error).hint("choose another directory"))?;
        }
    }
    if global.json {
        output::json("man", &Response { pages })?;
    } else if let Some(directory) = &out {
        output::note(&format!("wrote {} pages into {}\n", pages.len(), directory.display()))?;
    } else {
        output::bytes(pages[0].text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The pages of all commands below this one.
fn collect(command: &Command, path: &str, pages: &mut Vec<Page>) -> io::Result<()> {
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        let path = format!("{path}-{}", subcommand.get_name());
        pages.push(page(subcommand, &path)?);
        collect(subcommand, &path, pages)?;
    }
    Ok(())
}

fn page(command: &Command, path: &str) -> io::Result<Page> {
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples = examples.strip_prefix("Examples:\n").map(str::to_owned);
    let command = command.clone().display_name(path.to_owned()).disable_help_subcommand(true);
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    // No date: a page is the same whenever it is made. An empty field has to be quoted, or the next one moves up.
    writeln!(text, ".TH {} 1 \"\" \"soul {}\" \"Soulkeeper\"", path.to_uppercase(), env!("CARGO_PKG_VERSION"))?;
    man.render_name_section(&mut text)?;
    writeln!(text, ".SH SYNOPSIS\n{}", synopsis(&mut command.clone()))?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    if let Some(examples) = examples {
        let lines: String = examples.lines().map(|line| roff(line.trim_start()) + "\n").collect();
        write!(text, ".SH EXAMPLES\n.nf\n{lines}.fi\n")?;
    }
    for (title, entries) in [("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES), ("EXIT STATUS", EXIT_STATUS)] {
        writeln!(text, ".SH {title}")?;
        for (name, what) in entries {
            write!(text, ".TP\n\\fB{}\\fR\n{}\n", roff(name), roff(what))?;
        }
    }
    if path != "soul" {
        writeln!(text, ".SH SEE ALSO\n\\fBsoul\\fR(1)")?;
    }
    Ok(Page { name: format!("{path}.1"), text: String::from_utf8_lossy(&text).into_owned() })
}

/// How the command is called: what is typed as it is stands in bold.
fn synopsis(command: &mut Command) -> String {
    let name = command.get_bin_name().unwrap_or("soul").to_owned();
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let line = |line: &str| match line.trim().strip_prefix(&name) {
        Some(rest) => format!("\\fB{}\\fR{}", roff(&name), roff(rest)),
        None => roff(line.trim()),
    };
    usage.lines().map(line).collect::<Vec<_>>().join("\n.br\n")
}

/// A text in which nothing is an instruction of the manual.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_titled_and_show_how_their_command_is_called() {
        let mut command = crate::cli::program(None);
        command.build();
        let mut pages = vec![page(&command, "soul").unwrap()];
        collect(&command, "soul", &mut pages).unwrap();
        for Page { name, text } in &pages {
            let path = name.trim_end_matches(".1");
            let title =
                format!(".TH {} 1 \"\" \"soul {}\" \"Soulkeeper\"", path.to_uppercase(), env!("CARGO_PKG_VERSION"));
            assert_eq!(text.lines().next(), Some(title.as_str()));
            let synopsis = text.lines().skip_while(|line| *line != ".SH SYNOPSIS").nth(1).unwrap_or_default();
            let typed = synopsis.strip_prefix("\\fB").and_then(|rest| rest.split_once("\\fR")).map(|(typed, _)| typed);
            assert_eq!(
                typed.map(|typed| typed.replace("\\-", "-").replace(' ', "-")).as_deref(),
                Some(path),
                "{synopsis}"
            );
        }
        let synopsis_of = |name: &str| {
            let text = &pages.iter().find(|page| page.name == name).unwrap().text;
            text.lines().skip_while(|line| *line != ".SH SYNOPSIS").nth(1).unwrap_or_default().to_owned()
        };
        assert_eq!(synopsis_of("soul-token-revoke.1"), "\\fBsoul token revoke\\fR [OPTIONS] <ID>");
        assert_eq!(synopsis_of("soul-token.1"), "\\fBsoul token\\fR [OPTIONS] <COMMAND>");
    }
}
