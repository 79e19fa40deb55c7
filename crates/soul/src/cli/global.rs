use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use soul_engine::caller::claimed_actor;
use soul_engine::ops::{Operation, Verdict};
use soul_engine::souls::Target;
use soul_engine::store::{BadStoreUrl, Party, StoreUrl};
use soul_engine::workspace::{Managed, Roots};
use soul_engine::{Caller, Context, Keeper};

use super::user;
use crate::output::progress::Progress;
use crate::output::view::{self, Color, Detail};
use crate::output::{self, Failure};
use crate::remote::{self, Identity};

/// Where the home is, if no option says it. clap would take a variable for an argument that was typed, and show
/// no help to a user who typed nothing.
const HOME: &str = "SOUL_HOME";

/// Where the store is, whatever `config.toml` says.
const STORE: &str = "SOUL_STORE_URL";

/// Who acts, if no option says it.
const ACTOR: &str = "SOUL_ACTOR";

/// Options of every command, and how a command has its request answered.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Print one JSON document
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The keeper's home directory [env: SOUL_HOME]
    #[arg(long, global = true, value_name = "DIR", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    home: Option<PathBuf>,
    /// The workspace, instead of the nearest directory that contains `.soul`
    #[arg(long, global = true, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Ask the service at this URL, or unix:PATH, instead of opening the home [env: SOUL_SERVER]
    #[arg(long, global = true, value_name = "URL", value_parser = remote::address)]
    pub(super) server: Option<String>,
    /// Act as KIND:NAME instead of the current user [env: SOUL_ACTOR]
    #[arg(long, global = true, value_name = "ACTOR")]
    actor: Option<String>,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, hide_default_value = true)]
    color: Color,
    /// Print results and errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print full digests and ids, and more details
    #[arg(short, long, global = true)]
    verbose: bool,
    #[arg(skip)]
    keeper: OnceCell<Keeper>,
    /// Whether `--actor` was taken for what a list is about.
    #[arg(skip)]
    actor_is_filter: Cell<bool>,
}

impl Global {
    /// Takes up how the user wants to be shown things.
    pub(super) fn set_view(&self) {
        let detail = match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        };
        view::set(detail, self.color);
    }

    /// Has a request answered, prints the response as JSON or as this text, and returns the exit code.
    pub(super) fn answer<O: Operation>(
        &self,
        request: O,
        render: impl FnOnce(&O::Response) -> String,
    ) -> Result<ExitCode, Failure> {
        self.show::<O>(self.ask(request)?, render)
    }

    /// Prints a response as JSON or as this text, and returns the exit code.
    pub(super) fn show<O: Operation>(
        &self,
        response: O::Response,
        render: impl FnOnce(&O::Response) -> String,
    ) -> Result<ExitCode, Failure> {
        let exit = exit::<O>(&response);
        if self.json {
            output::json(O::NAME, &response)?;
        } else {
            output::print(&render(&output::visible_response(response)))?;
        }
        Ok(exit)
    }

    /// The same for a command that prints more than one text, or a text as it is.
    pub(super) fn answer_with<O: Operation>(
        &self,
        request: O,
        print: impl FnOnce(&O::Response) -> Result<(), Failure>,
    ) -> Result<ExitCode, Failure> {
        let response = self.ask(request)?;
        if self.json {
            output::json(O::NAME, &response)?;
        } else {
            print(&response)?;
        }
        Ok(exit::<O>(&response))
    }

    /// Has a request answered: by the service, or here if there is none or only this machine has what the
    /// request is about.
    pub(super) fn ask<O: Operation>(&self, request: O) -> Result<O::Response, Failure> {
        if let Some(server) = self.service(request.is_local())? {
            let _progress = Progress::start();
            return remote::ask(&server, &request, &self.identity()?);
        }
        let keeper = if O::NEEDS_SETTINGS { self.keeper()? } else { self.keeper_with_usable_settings()? };
        let (caller, progress) = (Caller::local(self.actor()?, "cli"), Progress::start());
        let context = Context { keeper, caller: &caller, progress: &progress };
        request.call(&context).map_err(|error| error.report(keeper).into())
    }

    /// Has requests about many targets answered. With a service, paths are done here and the others there.
    pub(super) fn ask_each<O: Operation>(
        &self,
        targets: &[Target],
        request: impl Fn(Vec<Target>) -> O,
    ) -> Result<Vec<O::Response>, Failure> {
        // Nothing is asked if part of it cannot be.
        self.service(targets.iter().any(Target::is_path))?;
        if self.service(false)?.is_none() {
            return Ok(vec![self.ask(request(targets.to_vec()))?]);
        }
        let parts = targets.chunk_by(|a, b| a.is_path() == b.is_path());
        parts.map(|targets| self.ask(request(targets.to_vec()))).collect()
    }

    /// The service that answers, if one does.
    pub(super) fn service(&self, is_local: bool) -> Result<Option<String>, Failure> {
        match &self.server {
            Some(_) if self.workspace.is_some() => {
                Err(Failure::usage("`--server` cannot be used with `--workspace`: the service has its own")
                    .hint("leave one of them out"))
            }
            Some(_) if is_local => Err(Failure::usage("`--server` cannot be used with a path: it is on this machine")
                .hint("leave `--server` out; where a command takes an agent, its name works too")),
            Some(server) => Ok(Some(server.clone())),
            None if is_local => Ok(None),
            None => remote::from_environment(),
        }
    }

    /// Who asks a service.
    fn identity(&self) -> Result<Identity, Failure> {
        match remote::token() {
            Some(_) if self.typed_actor().is_some() => {
                Err(Failure::usage("the token identifies you").hint("leave `--actor` out, or unset `SOUL_TOKEN`"))
            }
            Some(token) => Ok(Identity::Token(token)),
            None => Ok(Identity::Actor(self.actor()?)),
        }
    }

    /// What was typed as `--actor`, for a command that lists what an actor did: nobody acts there.
    pub(super) fn actor_filter(&self) -> Option<String> {
        self.actor_is_filter.set(true);
        self.actor.clone().filter(|actor| says_something(actor))
    }

    /// The actor that was typed, unless it was taken for something else.
    fn typed_actor(&self) -> Option<String> {
        self.actor.clone().filter(|actor| says_something(actor) && !self.actor_is_filter.get())
    }

    fn actor(&self) -> Result<Party, Failure> {
        let named = self.typed_actor();
        let named = named.or_else(|| std::env::var(ACTOR).ok()).filter(|actor| says_something(actor));
        match named {
            Some(named) => claimed_actor(&named)
                .map_err(|error| Failure::usage(error.to_string()).hint("name a user, or `agent:NAME` for an agent")),
            None => Ok(Party::new("user", &user::current())),
        }
    }

    /// The keeper of this machine.
    fn keeper(&self) -> Result<&Keeper, Failure> {
        match self.keeper.get() {
            Some(keeper) => Ok(keeper),
            None => {
                let keeper = self.open()?;
                Ok(self.keeper.get_or_init(|| keeper))
            }
        }
    }

    /// The same for an operation that can do without settings that cannot be read.
    fn keeper_with_usable_settings(&self) -> Result<&Keeper, Failure> {
        let store = chosen_store()?;
        Ok(self.keeper.get_or_init(|| Keeper::open_with_usable_settings(self.roots(), store)))
    }

    /// Whose soul a file at this path would be.
    pub(super) fn managed(&self, path: &Path) -> Result<Option<Managed>, Failure> {
        Ok(self.keeper()?.managed(path))
    }

    pub(super) fn open(&self) -> Result<Keeper, Failure> {
        Ok(Keeper::open_on(self.roots(), chosen_store()?)?)
    }

    pub(super) fn roots(&self) -> Roots {
        let user = std::env::home_dir();
        let home = self.home.clone().or_else(|| std::env::var_os(HOME).map(PathBuf::from));
        let home = home.filter(|home| !home.as_os_str().is_empty());
        let home = home.or_else(|| user.as_ref().map(|user| user.join(".soul")));
        let home = home.map(|home| absolute(&home));
        let workspace = match &self.workspace {
            Some(workspace) => Some(absolute(workspace)),
            None => std::env::current_dir().ok().and_then(|here| Roots::workspace_above(&here, home.as_deref())),
        };
        Roots { workspace, home, user }
    }
}

/// The store that the environment names.
fn chosen_store() -> Result<Option<StoreUrl>, Failure> {
    match std::env::var(STORE).ok().filter(|url| says_something(url)) {
        None => Ok(None),
        Some(url) => url
            .parse()
            .map(Some)
            .map_err(|error: BadStoreUrl| Failure::usage(format!("`{STORE}`: {error}")).hint(BadStoreUrl::HINT)),
    }
}

fn says_something(text: impl AsRef<str>) -> bool {
    !text.as_ref().trim().is_empty()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The exit code of a command that got this response.
pub(super) fn exit<O: Operation>(response: &O::Response) -> ExitCode {
    ExitCode::from(match O::verdict(response) {
        Verdict::Passed => 0,
        Verdict::Failed => 1,
        Verdict::Conflict => 3,
        Verdict::Missing => 4,
        Verdict::Unchecked => 5,
    })
}
