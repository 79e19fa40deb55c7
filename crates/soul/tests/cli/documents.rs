//! Runs the Markdown documents of `tests/`: each says what a user types and what comes back, to
//! the last byte.
//!
//! A heading of level 2 begins a case in an empty directory. A code block whose info string ends
//! in `file=PATH` writes that file; a `console` block runs each `$ ` line and holds what it must
//! print, standard error after standard output, and `[exit N]` if it is not 0. Ids, times and chains
//! differ from run to run: ids are numbered as they appear, the others are hidden. `SOUL_BLESS=1`
//! writes what was printed into the documents instead; read the difference before you commit it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread::JoinHandle;

use soul_engine::Keeper;
use soul_engine::workspace::Roots;
use soul_server::{Options, serve_until};

use crate::markdown::{Part, difference, rewrite, write_file};
use crate::varying::Names;

#[test]
fn documents_tell_the_truth() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let bless = std::env::var_os("SOUL_BLESS").is_some();
    let mut commands = 0;
    let mut wrong = Vec::new();
    for path in documents(&root) {
        let text = std::fs::read_to_string(&path).unwrap();
        let (actual, count) = run(&text, &execute);
        commands += count;
        if actual != text {
            if bless {
                std::fs::write(&path, &actual).unwrap();
            }
            wrong.push(format!("{}\n{}", path.strip_prefix(&root).unwrap().display(), difference(&text, &actual)));
        }
    }
    println!("documents: {commands} commands");
    assert!(commands > 0);
    assert!(bless || wrong.is_empty(), "{}\nSOUL_BLESS=1 accepts all of it", wrong.join("\n"));
}

/// A service in between changes nothing of what is printed.
#[test]
fn documents_tell_the_same_through_a_service() {
    if std::env::var_os("SOUL_BLESS").is_some() {
        // The other test is rewriting what this one compares with.
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut commands = 0;
    let mut wrong = Vec::new();
    for path in documents(&root) {
        let text = std::fs::read_to_string(&path).unwrap();
        let (actual, count) = run(&text, &|place, line| {
            let service = if is_local(line) { None } else { Service::start(place) };
            let address = service.as_ref().map_or("", |service| &service.address);
            // Through what it was done, and for which service a copy is kept, is all that differs.
            let output = execute_with(place, line, &[("SOUL_SERVER", address)]);
            let output = output.replace("\"kind\": \"socket\"", "\"kind\": \"cli\"");
            without_service(&output.replace("through  socket", "through  cli"))
        });
        commands += count;
        if actual != text {
            wrong.push(format!("{}\n{}", path.strip_prefix(&root).unwrap().display(), difference(&text, &actual)));
        }
    }
    println!("documents: {commands} commands through a service");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Output in which the copy of an edit is named like the one that is made without a service.
fn without_service(output: &str) -> String {
    let mut parts = output.split("/edits/");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_at(part.find(".md").unwrap_or(0));
        let agent = name.rsplit_once('-').filter(|(_, hash)| hash.len() == 8).map_or(name, |(agent, _)| agent);
        let _ = write!(text, "/edits/{agent}{rest}");
    }
    text
}

/// Whether a line says itself whose home and workspace it means, or makes them before it asks.
fn is_local(line: &str) -> bool {
    // What no service takes at once is no question for one either.
    const WORDS: [&str; 10] = [
        "--home",
        "--workspace",
        "--server",
        "SOUL_",
        "mkdir -p .soul",
        "cd ",
        "/dev/zero",
        "restore-backup",
        "store migrate",
        "rm home/.soul/keeper",
    ];
    WORDS.iter().any(|word| line.contains(word))
}

/// A service for the home of a case, which lives as long as a command.
struct Service {
    address: String,
    stop: Option<mpsc::Sender<()>>,
    running: Option<JoinHandle<()>>,
}

impl Service {
    /// None where the settings do not let it start.
    fn start(place: &Path) -> Option<Self> {
        let user = place.join("home");
        let home = user.join(".soul");
        let workspace = Roots::workspace_above(place, Some(&home));
        let keeper = Keeper::open(Roots { workspace, home: Some(home), user: Some(user) }).ok()?;
        let (stop, stopped) = mpsc::channel();
        let (tell, told) = mpsc::channel();
        // Outside of the case, whose files are its own, and at the same address for each of its commands. Only the
        // socket administers the keeper.
        let socket = place.parent()?.join("keeper.sock");
        let address = format!("unix:{}", socket.display());
        let running = std::thread::spawn(move || {
            let options = Options {
                listen: ([127, 0, 0, 1], 0).into(),
                socket: Some(socket),
                hosts: Vec::new(),
                require_token: false,
            };
            serve_until(stopped, keeper, &options, |_| tell.send(()).unwrap()).unwrap();
        });
        told.recv().unwrap();
        Some(Self { address, stop: Some(stop), running: Some(running) })
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.running.take().unwrap().join().unwrap();
    }
}

fn documents(root: &Path) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    files.sort();
    files
}

/// An empty folder whose name is always the same, because a soul without a name is called like its folder.
fn fresh_place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder(&place)).unwrap();
    place
}

fn folder(place: &tempfile::TempDir) -> PathBuf {
    place.path().join("harbour")
}

/// The document with what the commands print now, and how many there were.
fn run(text: &str, execute: &dyn Fn(&Path, &str) -> String) -> (String, usize) {
    let mut commands = 0;
    let mut place = fresh_place();
    let mut names = Names::default();
    let text = rewrite(text, |part| match part {
        Part::Line(line) => {
            if line.starts_with("## ") {
                place = fresh_place();
                names = Names::default();
            }
            None
        }
        Part::Block { info, lines } => match info.rsplit_once("file=") {
            Some((_, path)) => {
                write_file(&folder(&place).join(path), lines);
                None
            }
            None if info == "console" => {
                let typed = lines.iter().filter_map(|line| line.strip_prefix("$ "));
                let mut answer = |line| {
                    commands += 1;
                    format!("$ {line}\n{}", names.hide(&execute(&folder(&place), line)))
                };
                Some(typed.map(&mut answer).collect())
            }
            None => None,
        },
    });
    (text, commands)
}

/// Runs one line through a shell in which `soul` is ours, `$EXAMPLES` are the examples of the
/// repository, and nothing of the machine shows.
fn execute(place: &Path, line: &str) -> String {
    execute_with(place, line, &[])
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn execute_with(place: &Path, line: &str, variables: &[(&str, &str)]) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_soul"));
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(place)
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", binary.parent().unwrap().display()))
        .env("HOME", place.join("home"))
        .env("TZ", "UTC")
        .env("SOUL_ACTOR", "user:tester")
        .env("EXAMPLES", examples())
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str("⏎\n");
    }
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if let Some(code) = output.status.code().filter(|code| *code != 0) {
        let _ = writeln!(text, "[exit {code}]");
    }
    let text = text.replace(&*examples().to_string_lossy(), "$EXAMPLES");
    text.replace(&*place.to_string_lossy(), "«HERE»")
}
