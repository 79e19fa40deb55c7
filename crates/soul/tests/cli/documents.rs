//! Runs the Markdown documents of `tests/`: each says what a user types and what comes back, to
//! the last byte.
//!
//! A heading of level 2 begins a case in an empty directory. A code block whose info string ends
//! in `file=PATH` writes that file; a `console` block runs each `$ ` line and holds what it must
//! print, standard error after standard output, and `[exit N]` if it is not 0. Ids, times and chains
//! differ from run to run: ids are numbered as they appear, the others are hidden. `SOUL_BLESS=1`
//! writes what was printed into the documents instead; read the difference before you commit it.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread::JoinHandle;

use soul_engine::Keeper;
use soul_engine::workspace::Roots;
use soul_server::{Options, serve_until};

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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut commands = 0;
    let mut wrong = Vec::new();
    for path in documents(&root) {
        let text = std::fs::read_to_string(&path).unwrap();
        let (actual, count) = run(&text, &|place, line| {
            let service = if is_local(line) { None } else { Service::start(place) };
            let address = service.as_ref().map_or("", |service| &service.address);
            // Through what it was done is the one thing that differs.
            let output = execute_with(place, line, &[("SOUL_SERVER", address)]);
            output.replace("\"kind\": \"socket\"", "\"kind\": \"cli\"")
        });
        commands += count;
        if actual != text {
            wrong.push(format!("{}\n{}", path.strip_prefix(&root).unwrap().display(), difference(&text, &actual)));
        }
    }
    println!("documents: {commands} commands through a service");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a line says itself whose home and workspace it means, or makes them before it asks.
fn is_local(line: &str) -> bool {
    // What no service takes at once is no question for one either.
    const WORDS: [&str; 9] = [
        "--home",
        "--workspace",
        "--server",
        "SOUL_",
        "mkdir -p .soul",
        "cd ",
        "/dev/zero",
        "restore-backup",
        "rm home/.soul/keeper",
    ];
    WORDS.iter().any(|word| line.contains(word))
}

/// A service for the home of a case, which lives as long as a command.
struct Service {
    address: String,
    _folder: tempfile::TempDir,
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
        // Outside of the case, whose files are its own. Only the socket administers the keeper.
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("keeper.sock");
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
        Some(Self { address, _folder: folder, stop: Some(stop), running: Some(running) })
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
    let mut out = String::new();
    let mut commands = 0;
    let mut place = fresh_place();
    let mut names = Names::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(out, "{line}");
        if line.starts_with("## ") {
            place = fresh_place();
            names = Names::default();
        }
        let fence: String = line.chars().take_while(|c| *c == '`').collect();
        if fence.len() < 3 {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
        match line[fence.len()..].rsplit_once("file=") {
            Some((_, path)) => write_file(&folder(&place).join(path), &block),
            None if line.ends_with("console") => {
                for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                    commands += 1;
                    let _ = write!(out, "$ {command}\n{}", names.hide(&execute(&folder(&place), command)));
                }
                let _ = writeln!(out, "{fence}");
                continue;
            }
            None => {}
        }
        block.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        let _ = writeln!(out, "{fence}");
    }
    (out, commands)
}

fn write_file(path: &Path, lines: &[&str]) {
    use std::os::unix::fs::DirBuilderExt;
    // Private, as the keeper makes its home.
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path.parent().unwrap()).unwrap();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(path, text).unwrap();
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

/// What differs from run to run.
#[derive(Default)]
struct Names(HashMap<String, String>);

impl Names {
    fn hide(&mut self, text: &str) -> String {
        text.split_inclusive('\n').map(|line| self.hide_line(line)).collect()
    }

    fn hide_line(&mut self, line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let skip = if let Some(length) = id(rest) {
                out.push_str(&self.name(&rest[..length]));
                length
            } else if let Some(length) = secret(rest) {
                out.push_str("«secret»");
                length
            } else if let Some(length) = time(rest) {
                out.push_str("«time»");
                length
            } else if let Some(length) = chain(&out, rest) {
                out.push_str("«chain»");
                length
            } else {
                out.push(first);
                first.len_utf8()
            };
            rest = &rest[skip..];
        }
        out
    }

    /// `rev_1` for the first revision that is seen, and so on. The beginning of an id names what the id does.
    fn name(&mut self, id: &str) -> String {
        if let Some((_, name)) = self.0.iter().find(|(known, _)| known.starts_with(id) || id.starts_with(*known)) {
            return name.clone();
        }
        let prefix = id.split('_').next().unwrap();
        let next = self.0.keys().filter(|known| known.split('_').next() == Some(prefix)).count() + 1;
        let name = format!("{prefix}_{next}");
        self.0.insert(id.to_owned(), name.clone());
        name
    }
}

/// How long the id is that a text begins with, which may be cut.
fn id(text: &str) -> Option<usize> {
    let prefix = ["rev_", "snap_", "sess_", "task_", "run_", "mut_", "ws_", "tok_"]
        .iter()
        .find(|prefix| text.starts_with(**prefix))?;
    let ulid = text[prefix.len()..].bytes().take_while(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    let length = ulid.count();
    (12..=26).contains(&length).then_some(prefix.len() + length)
}

/// How long the secret of a token is that a text begins with.
fn secret(text: &str) -> Option<usize> {
    let (name, rest) = text.strip_prefix("soul_")?.split_at_checked(26)?;
    let bits = rest.strip_prefix('_')?.bytes().take_while(u8::is_ascii_hexdigit).count();
    (name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && bits == 64).then_some(5 + 26 + 1 + 64)
}

/// How long the time is that a text begins with, in either of its forms.
fn time(text: &str) -> Option<usize> {
    let fits = |pattern: &str| {
        let fits = |(byte, pattern): (u8, u8)| if pattern == b'0' { byte.is_ascii_digit() } else { byte == pattern };
        text.len() >= pattern.len() && text.bytes().zip(pattern.bytes()).all(fits)
    };
    ["0000-00-00T00:00:00.000000Z", "0000-00-00 00:00:00 UTC"]
        .iter()
        .find(|pattern| fits(pattern))
        .map(|time| time.len())
}

/// How long the chain is that a text begins with: a digest that binds ids and times.
fn chain(before: &str, text: &str) -> Option<usize> {
    let is_chain = before.ends_with("\"chain\": \"") || before.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let digest = text.strip_prefix("sha256:")?.bytes().take_while(u8::is_ascii_hexdigit).count();
    (is_chain && digest == 64).then_some(71)
}

/// The first place where the two part, with a few lines around it.
fn difference(expected: &str, actual: &str) -> String {
    let same = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    let show = |text: &str, mark: char| -> String {
        text.lines().skip(same).take(6).map(|line| format!("  {mark} {line}\n")).collect()
    };
    format!("line {}:\n{}{}", same + 1, show(expected, '-'), show(actual, '+'))
}
