//! The git executable: started with a vector of arguments, never through a shell, with everything off that a repository
//! could make it run.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::Error;
use super::remote::{RemoteUrl, redacted};

/// The least version: earlier ones do not take their configuration from the environment.
const LEAST: (u32, u32) = (2, 32);

/// What the remote is called. Not `origin`: settings of that name in a user's own configuration are not about it.
pub(super) const REMOTE: &str = "soul-sync";

/// How long git may work on this machine, and how long with another one.
const LOCAL: Duration = Duration::from_secs(120);
const ELSEWHERE: Duration = Duration::from_secs(120);

/// How long output may be held open by what git started, after git itself has ended.
const GRACE: Duration = Duration::from_millis(500);

/// The most output of one command.
const MAX_OUTPUT: usize = 512 << 20;
const MAX_MESSAGE: usize = 64 << 10;

/// The most that a fetch may bring.
const MAX_FETCH: u64 = 2 << 30;

/// Variables of git's own that are passed on: who the user is, and how to reach another machine.
const KEPT: [&str; 12] = [
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_ASKPASS",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_EXEC_PATH",
    "GIT_CONFIG_NOSYSTEM",
];

/// Settings that no file can change.
const SETTINGS: [&str; 25] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.alternateRefsCommand=",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.autocrlf=false",
    "core.symlinks=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.quotePath=false",
    "core.logAllRefUpdates=false",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "push.gpgSign=false",
    "push.followTags=false",
    "fetch.prune=false",
    "fetch.writeCommitGraph=false",
    "transfer.bundleURI=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "credential.interactive=false",
    "color.ui=false",
];

/// What a command is about.
#[derive(Clone, Copy)]
pub(crate) enum Reach<'a> {
    /// The clone alone; the user's configuration does not matter.
    Here,
    /// This machine, with the user's configuration.
    User,
    /// The repository of the remote. The user's configuration says how to reach it and where credentials are.
    Remote(&'a RemoteUrl),
}

/// What a command said.
pub(crate) struct Said {
    pub(crate) success: bool,
    pub(crate) stdout: Vec<u8>,
    /// For people: without credentials.
    pub(crate) stderr: String,
}

impl Said {
    /// The last line that says what went wrong.
    pub(crate) fn complaint(&self) -> String {
        let mut lines = self.stderr.lines().map(str::trim).filter(|line| !line.is_empty());
        let marked = self.stderr.lines().find(|line| line.starts_with("fatal:") || line.starts_with("error:"));
        let line = marked.or_else(|| lines.next_back()).unwrap_or("git gave no reason");
        let line = line.trim_start_matches("fatal:").trim_start_matches("error:").trim();
        soul_core::text::visible(line)
    }
}

/// Runs git in a clone, or nowhere.
pub(crate) fn run(clone: Option<&Path>, arguments: &[&str], input: &[u8], reach: Reach<'_>) -> Result<Said, Error> {
    run_heard(clone, arguments, input, reach, &mut |_| ())
}

/// The same; `hear` gets what git writes to standard error while it works.
pub(crate) fn run_heard(
    clone: Option<&Path>,
    arguments: &[&str],
    input: &[u8],
    reach: Reach<'_>,
    hear: &mut dyn FnMut(&[u8]),
) -> Result<Said, Error> {
    check_version()?;
    if let Some(clone) = clone.filter(|clone| !clone.is_dir()) {
        return Err(Error::Damaged(format!("`{}` is gone", clone.display())));
    }
    let mut command = command(clone, reach);
    command.args(arguments);
    let limit = if matches!(reach, Reach::Remote(_)) { ELSEWHERE } else { LOCAL };
    let watched = clone.filter(|_| matches!(reach, Reach::Remote(_)));
    let (success, stdout, stderr) = converse(command, input, limit, watched, hear)?;
    let mut stderr = redacted(&String::from_utf8_lossy(&stderr));
    if let Reach::Remote(remote) = reach {
        for secret in remote.credentials() {
            stderr = stderr.replace(secret, "***");
        }
    }
    Ok(Said { success, stdout, stderr })
}

fn command(clone: Option<&Path>, reach: Reach<'_>) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_cleared(name)) {
        command.env_remove(name);
    }
    command
        .env("LC_ALL", "C")
        .env("LANGUAGE", "C")
        .env("GIT_TERMINAL_PROMPT", "0")
        // A question of ssh is answered by a program that refuses, and never by a person.
        .env("SSH_ASKPASS", "false")
        .env("SSH_ASKPASS_REQUIRE", "force")
        .env("GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh")
        .env("GIT_ATTR_NOSYSTEM", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_ADVICE", "0");
    match reach {
        Reach::Here => {
            command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        }
        Reach::User => {}
        // In the environment and not among the arguments, which every user of the machine can read.
        Reach::Remote(remote) => {
            command
                .env("GIT_CONFIG_COUNT", "1")
                .env("GIT_CONFIG_KEY_0", format!("remote.{REMOTE}.url"))
                .env("GIT_CONFIG_VALUE_0", remote.secret());
        }
    }
    match clone {
        Some(clone) => drop(command.arg("--git-dir").arg(clone).current_dir(clone)),
        // The configuration of a repository that happens to be around has no say.
        None => drop(command.current_dir("/")),
    }
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Whatever it starts can be ended with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

fn is_cleared(name: &OsString) -> bool {
    name.to_str().is_some_and(|name| name.starts_with("GIT_") && !KEPT.contains(&name))
}

enum Heard {
    Out(Vec<u8>),
    Err(Vec<u8>),
    Closed,
}

fn converse(
    mut command: Command,
    input: &[u8],
    limit: Duration,
    watched: Option<&Path>,
    hear: &mut dyn FnMut(&[u8]),
) -> Result<(bool, Vec<u8>, Vec<u8>), Error> {
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::NoGit,
        _ => Error::Io("git".to_owned(), error),
    })?;
    let (sender, heard) = mpsc::channel();
    if let Some(out) = child.stdout.take() {
        listen(out, sender.clone(), Heard::Out);
    }
    if let Some(err) = child.stderr.take() {
        listen(err, sender, Heard::Err);
    }
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // A command that ends early does not read all of it.
        std::thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let until = Instant::now() + limit;
    let (mut stdout, mut stderr, mut open, mut ended) = (Vec::new(), Vec::new(), 2, None);
    while open > 0 {
        match heard.recv_timeout(Duration::from_millis(200)) {
            Ok(Heard::Out(bytes)) => stdout.extend(bytes),
            Ok(Heard::Err(bytes)) => {
                hear(&bytes);
                stderr.extend(bytes);
            }
            Ok(Heard::Closed) => open -= 1,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if ended.is_none() && matches!(child.try_wait(), Ok(Some(_))) {
                    ended = Some(Instant::now());
                }
                // A connection that ssh keeps open for others holds the output too.
                if ended.is_some_and(|ended: Instant| ended.elapsed() > GRACE) {
                    break;
                }
            }
        }
        stderr.truncate(MAX_MESSAGE);
        if stdout.len() > MAX_OUTPUT || watched.is_some_and(is_too_large) {
            end(&mut child);
            return Err(Error::TooMuch);
        }
        if Instant::now() > until {
            end(&mut child);
            return Err(Error::TimedOut(limit.as_secs()));
        }
    }
    let status = child.wait().map_err(|error| Error::Io("git".to_owned(), error))?;
    Ok((status.success(), stdout, stderr))
}

fn listen(mut from: impl Read + Send + 'static, to: Sender<Heard>, wrap: fn(Vec<u8>) -> Heard) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            if to.send(wrap(buffer[..count].to_vec())).is_err() {
                return;
            }
        }
        let _ = to.send(Heard::Closed);
    });
}

/// Ends a command, and whatever it has started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Whether what is being fetched has grown beyond every collection of souls.
fn is_too_large(clone: &Path) -> bool {
    let packs = std::fs::read_dir(clone.join("objects/pack")).into_iter().flatten().flatten();
    packs.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum::<u64>() > MAX_FETCH
}

/// Whether git is there, and new enough. It is asked once.
pub(crate) fn check_version() -> Result<(), Error> {
    static CHECKED: OnceLock<Option<String>> = OnceLock::new();
    if CHECKED.get().is_none() {
        let said = Command::new("git").arg("version").env("LC_ALL", "C").stdin(Stdio::null()).output();
        let said = said.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::NoGit,
            _ => Error::Io("git".to_owned(), error),
        })?;
        let version = String::from_utf8_lossy(&said.stdout).trim().trim_start_matches("git version ").to_owned();
        let _ = CHECKED.set((!is_enough(&version)).then_some(version));
    }
    match CHECKED.get() {
        Some(Some(version)) => Err(Error::OldGit(version.clone())),
        _ => Ok(()),
    }
}

/// What the remote of a command with [`Reach::Remote`] is called.
pub(crate) const fn remote_name() -> &'static str {
    REMOTE
}

fn is_enough(version: &str) -> bool {
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) => (major, minor) >= LEAST,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        for (version, enough) in [
            ("2.47.3", true),
            ("2.32.0", true),
            ("2.39.5 (Apple Git-154)", true),
            ("3.0.1", true),
            ("2.9.5", false),
            ("2.31.8", false),
            ("1.8.3.1", false),
            ("unknown", false),
        ] {
            assert_eq!(is_enough(version), enough, "{version}");
        }
    }

    #[test]
    fn a_command_that_hangs_is_ended_with_what_it_started() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60 & sleep 60"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let begun = Instant::now();
        assert!(matches!(
            converse(command, b"", Duration::from_millis(300), None, &mut |_| ()),
            Err(Error::TimedOut(_))
        ));
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}
