use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap_mangen::Man;
use serde::Serialize;

use super::Global;
use crate::output::{self, Failure};

/// Print the manual page, or write one for each command
///
/// To read it: `soul man | man -l -`
#[derive(clap::Args)]
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

pub(crate) fn run(global: &Global, Arguments { out }: Arguments) -> Result<ExitCode, Failure> {
    let all = out.is_some() || global.json;
    let pages = pages(all).map_err(|error| Failure::io("the manual", &error))?;
    if let Some(directory) = &out {
        for page in &pages {
            let path = directory.join(&page.name);
            std::fs::write(&path, &page.text)
                .map_err(|error| Failure::io(&format!("`{}`", page.name), &error).hint("does the directory exist?"))?;
        }
    }
    if global.json {
        output::json("man", &Response { pages })?;
    } else if out.is_none() {
        output::bytes(pages[0].text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn pages(all: bool) -> io::Result<Vec<Page>> {
    let mut command = super::command();
    command.build();
    let subcommands = command.get_subcommands().filter(|_| all);
    std::iter::once(&command).chain(subcommands).map(page).collect()
}

fn page(command: &clap::Command) -> io::Result<Page> {
    let man = Man::new(command.clone());
    let name = man.get_filename();
    let mut text = Vec::new();
    man.render(&mut text)?;
    Ok(Page { name, text: String::from_utf8_lossy(&text).into_owned() })
}
