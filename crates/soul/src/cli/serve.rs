use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use serde::Serialize;
use soul_engine::fault::Kind;
use soul_engine::seed;
use soul_server::{Error, Listening, Options};

use super::Global;
use crate::output::style::{self, STRONG};
use crate::output::{self, Failure};

/// Run the keeper as a service, over HTTP and a Unix socket
///
/// In an empty home it creates the default soul of the library and one agent to look at. On SIGTERM it finishes
/// what is under way, and stops.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul serve                                                on http://127.0.0.1:7741 and a Unix socket
  soul serve --listen 127.0.0.1:8080 --log text             another port, with a log of requests
  soul serve --listen 0.0.0.0:7741 --host keeper.example    for other machines; needs a token")]
pub(crate) struct Arguments {
    /// Address of the HTTP interface
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7741", value_parser = address)]
    listen: SocketAddr,
    /// The Unix socket, instead of `keeper.sock` in the home
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// Accept requests for this host name, besides the address; repeatable
    #[arg(long = "host", value_name = "NAME", value_parser = host)]
    hosts: Vec<String>,
    /// Require a token on loopback too, not only on other addresses
    #[arg(long)]
    require_token: bool,
    /// How to log each request to standard error
    #[arg(long, value_enum, default_value_t = Log::Off)]
    log: Log,
}

#[derive(Clone, Copy, ValueEnum)]
enum Log {
    /// Not at all
    Off,
    /// A line for people
    Text,
    /// A line of JSON
    Json,
}

pub(crate) fn run(global: &Global, arguments: Arguments) -> Result<ExitCode, Failure> {
    if global.server.is_some() {
        let failure = Failure::usage("`serve` runs a service here and cannot use `--server`");
        return Err(failure.hint("leave `--server` out"));
    }
    let keeper = global.open()?;
    keeper.check_record().map_err(Failure::refused)?;
    let seeded = seed::home(&keeper).map_err(Failure::refused)?.map(|name| name.to_string());
    let socket = arguments.socket.or_else(|| keeper.home().map(|home| home.join("keeper.sock")));
    match arguments.log {
        Log::Off => {}
        Log::Text => tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).init(),
        Log::Json => tracing_subscriber::fmt().json().with_writer(std::io::stderr).with_target(false).init(),
    }
    let options =
        Options { listen: arguments.listen, socket, hosts: arguments.hosts, require_token: arguments.require_token };
    let user = keeper.roots.user.clone();
    let typed = options.socket.as_ref().map(|path| keeper.roots.shown(path));
    let socket = options.socket.as_ref().map(|path| below_user(path, user.as_deref()));
    soul_server::serve(keeper, &options, |listening| {
        // A user who cannot read this still has a service.
        let _ = if global.json {
            let url = format!("http://{}", listening.address);
            output::json("serve", &Serving { url, socket: typed.as_deref(), seeded: seeded.as_deref() })
        } else {
            output::print(&greeting(listening, socket.as_deref(), seeded.as_deref()))
        };
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Where the service is, for a program that started it.
#[derive(Serialize)]
struct Serving<'a> {
    url: String,
    socket: Option<&'a str>,
    seeded: Option<&'a str>,
}

/// An address and a port; this machine may be called by its name.
fn address(typed: &str) -> Result<SocketAddr, String> {
    let numeric = typed.strip_prefix("localhost:").map_or_else(|| typed.to_owned(), |port| format!("127.0.0.1:{port}"));
    numeric.parse().map_err(|_| "give an address and a port, such as 127.0.0.1:7741".to_owned())
}

/// A name alone.
fn host(typed: &str) -> Result<String, String> {
    let is_name = !typed.is_empty() && typed.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    if is_name { Ok(typed.to_owned()) } else { Err("give a name alone, such as keeper.example".to_owned()) }
}

/// A path as a shell takes it: the socket is this user's own.
fn below_user(path: &Path, user: Option<&Path>) -> String {
    match user.and_then(|user| path.strip_prefix(user).ok()) {
        Some(below) => Path::new("~").join(below).display().to_string(),
        None => path.display().to_string(),
    }
}

fn greeting(listening: &Listening, socket: Option<&str>, seeded: Option<&str>) -> String {
    let address = listening.address;
    let mut text = format!("{STRONG}soul is serving{STRONG:#}  http://{address}/\n");
    let mut row = |name: &str, value: String| style::row(&mut text, 8, name, &value);
    row("agents", format!("http://{address}/api/agents"));
    row("library", format!("http://{address}/api/v1/settings/agent/souls"));
    row("docs", format!("http://{address}/docs/http.md"));
    row("openapi", format!("http://{address}/openapi.json"));
    if let Some(socket) = socket {
        row("socket", socket.to_owned());
    }
    let next = match seeded {
        Some(name) => format!("run `soul inspect {name}` in another terminal to see an example"),
        None => "run `soul list` in another terminal to see the agents".to_owned(),
    };
    text.push_str(&style::hint(&format!("{next}; Ctrl-C stops the service")));
    text
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        let (kind, code, hint) = match error {
            Error::Keeper(error) => return Self::refused(error),
            Error::Exposed(_) => (
                Kind::Usage,
                "address_exposed",
                "create one with `soul token create --role viewer`, or listen on 127.0.0.1",
            ),
            Error::NoToken => (
                Kind::Usage,
                "no_token",
                "create one with `soul token create --role author`, or leave `--require-token` out",
            ),
            Error::Address(_, why) if why.kind() == ErrorKind::AddrInUse => {
                (Kind::Unable, "address_in_use", "is it serving already? choose another with `--listen`")
            }
            Error::Address(..) => (Kind::Unable, "address_unusable", "choose another with `--listen`"),
            Error::Socket(why) if why.kind() == ErrorKind::AddrInUse => {
                (Kind::Unable, "socket", "is it serving already? choose another with `--socket`")
            }
            Error::Socket(_) => (Kind::Unable, "socket", "check its folder, or choose another path with `--socket`"),
            Error::Runtime(_) => (Kind::Unable, "io", "check the limits of the system"),
        };
        Self::new(kind, code, message).hint(hint)
    }
}
