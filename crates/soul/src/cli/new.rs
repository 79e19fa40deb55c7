use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use soul_core::model::Dialect;
use soul_core::templates::templates;
use soul_engine::fault::Kind;
use soul_engine::files;
use soul_engine::ops::Operation;
use soul_engine::ops::new::{Request, TemplateName};
use soul_engine::registry::PackageRange;
use soul_engine::store::Message;
use soul_engine::workspace::AgentName;

use super::change::Force;
use super::{Global, ask, input};
use crate::output::style::{FAINT, STRONG};
use crate::output::table::{Table, cell};
use crate::output::{self, Failure, begin};

/// Create an agent with a soul to begin with
///
/// The agent goes into the workspace if there is one, else into the home, and its soul is recorded. At a terminal,
/// `soul new` asks what to begin with.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul new ada                              the starter: a short soul with comments
  soul new ada --template reviewer          a character that is ready to use
  soul new ada --dialect agh                the same in another dialect
  soul new ada --template pack --dir ada    a package in a folder, not an agent
  soul new ada --from soulkeeper/harbour-pilot    a package of a registry to begin with")]
pub(crate) struct Arguments {
    /// The name of the agent
    name: AgentName,
    /// The dialect to write the soul in; plain if absent
    #[arg(long, value_parser = input::dialect_parser(), value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// What to begin with; the starter if absent
    #[arg(long, value_parser = template(), value_name = "TEMPLATE")]
    template: Option<TemplateName>,
    /// A package of a registry to begin with, as OWNER/NAME; it is copied, and not installed
    #[arg(long, value_name = "PACKAGE", conflicts_with_all = ["template", "dialect", "dir"])]
    from: Option<PackageRange>,
    /// Create a folder here instead of an agent; nothing is recorded
    #[arg(long, value_name = "DIR", conflicts_with = "message")]
    dir: Option<PathBuf>,
    /// Record why the agent is created
    #[arg(short, long, value_name = "TEXT")]
    message: Option<Message>,
    #[command(flatten)]
    force: Force,
}

/// Reads the name of a template; each comes with its description.
fn template() -> impl clap::builder::TypedValueParser<Value = TemplateName> {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
    let values = templates().into_iter().map(|template| PossibleValue::new(template.name).help(template.description));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<TemplateName>())
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { name, dialect, template, from, dir, message, force } = arguments;
    let force = force.reason();
    let template = match template {
        Some(template) => template,
        None if dialect.is_none() && from.is_none() && ask::is_possible(global) => chosen()?,
        None => TemplateName::default(),
    };
    match dir {
        Some(dir) => folder(global, &name, dialect, template, &dir),
        None => global.answer(Request { agent: name, dialect, template, from, message, force }, begin::created),
    }
}

/// The template that the user picks.
fn chosen() -> Result<TemplateName, Failure> {
    let templates = templates();
    let names: Vec<_> = templates.iter().map(|template| template.name).collect();
    let mut table = Table::new([">", "TEMPLATE", "DESCRIPTION…"]);
    for (index, template) in templates.iter().enumerate() {
        table.row([cell((index + 1).to_string(), FAINT), cell(template.name, STRONG), template.description.into()]);
    }
    let picked = ask::choose("what to begin with?", &table.render(), &names);
    let picked = picked.and_then(|index| names[index].parse().ok());
    picked.ok_or_else(|| Failure::usage("nothing was created").hint("choose with `--template NAME`"))
}

/// A folder with the files of a template.
#[derive(Serialize)]
struct Folder<'a> {
    directory: String,
    dialect: Dialect,
    template: String,
    files: Vec<&'a String>,
}

fn folder(
    global: &Global,
    name: &AgentName,
    dialect: Option<Dialect>,
    template: TemplateName,
    dir: &Path,
) -> Result<ExitCode, Failure> {
    let (dialect, files) = template.files(name.as_str(), dialect).map_err(Failure::refused)?;
    let shown = dir.to_string_lossy().into_owned();
    if let Some(path) = files.keys().find(|path| dir.join(path).symlink_metadata().is_ok()) {
        let message = format!("`{shown}/{path}` already exists");
        return Err(Failure::new(Kind::Conflict, "file_exists", message).hint("choose another folder with `--dir`"));
    }
    let refused = |error: std::io::Error| {
        let message = format!("could not write `{shown}`: {}", files::plain(&error));
        Failure::new(Kind::Unable, "io", message).hint("check the permissions of the folder, and the free disk space")
    };
    for (path, text) in &files {
        std::fs::create_dir_all(dir.join(path).parent().unwrap_or(dir)).map_err(refused)?;
        files::create_below(dir, Path::new(path), text.as_bytes()).map_err(refused)?;
    }
    let folder = Folder { directory: shown, dialect, template: template.to_string(), files: files.keys().collect() };
    if global.json {
        output::json(&format!("{}.dir", Request::NAME), &folder)?;
    } else {
        output::print(&begin::folder(&folder.directory, &folder.files))?;
    }
    Ok(ExitCode::SUCCESS)
}
