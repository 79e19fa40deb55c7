//! The cases recorded from running runtimes, through the binary: files on a disk, one command, its JSON.
//!
//! The core runs the same cases step by step. Here they go in as a user has them, so that nothing between the command line
//! and the emulators changes them. A case about a step that no session of ours can be in is counted and named.

mod openclaw;
mod programs;
mod runtimes;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use soul_core::digest::RawDigest;

/// `Ok(false)` if no command can bring the case about.
type Checked = Result<bool, String>;

fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/runtimes").join(file);
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Replays a file of cases, and says how many of each stage hold; of these, so many must have been possible.
fn replay(file: &str, least: &[(&str, usize)], check: impl Fn(&Disk, &Value) -> Checked) {
    let (mut failed, mut held, mut beyond) = (Vec::new(), BTreeMap::<String, usize>::new(), BTreeSet::new());
    for case in cases(file) {
        let (id, stage) = (text(&case["id"]).to_owned(), text(&case["stage"]).to_owned());
        match check(&Disk::new(), &case) {
            Ok(true) => *held.entry(stage).or_default() += 1,
            Ok(false) => drop(beyond.insert(id)),
            Err(why) => failed.push(format!("{id}: {why}")),
        }
    }
    println!("replay runtimes/{file}: {held:?} hold, not reachable by a command: {beyond:?}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    for (stage, least) in least {
        assert!(held.get(*stage).is_some_and(|held| held >= least), "{stage}: {held:?}, not {least}");
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn equal(what: &str, got: &Value, want: &Value) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what} is\n  {got}\nnot\n  {want}")) }
}

fn digest(text: &str) -> String {
    RawDigest::of(text.as_bytes()).to_string().trim_start_matches("raw:sha256:").to_owned()
}

/// A place for the files of one case. `/srv` of the recorded paths is a folder in it.
struct Disk {
    root: tempfile::TempDir,
}

impl Disk {
    fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap() }
    }

    fn srv(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap().join("srv")
    }

    /// Where a recorded path is here.
    fn here(&self, recorded: &str) -> PathBuf {
        self.srv().join(recorded.trim_start_matches("/srv").trim_start_matches('/'))
    }

    /// The same text with the recorded paths.
    fn recorded(&self, value: &Value) -> Value {
        let srv = self.srv().display().to_string();
        match value {
            Value::String(text) => text.replace(&srv, "/srv").into(),
            Value::Array(values) => values.iter().map(|value| self.recorded(value)).collect(),
            Value::Object(fields) => {
                Value::Object(fields.iter().map(|(key, value)| (key.clone(), self.recorded(value))).collect())
            }
            other => other.clone(),
        }
    }

    fn write(&self, folder: &Path, entries: &Value) {
        for entry in entries.as_array().into_iter().flatten() {
            let path = folder.join(text(&entry["path"]));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if let Some(target) = entry["symlink"].as_str() {
                let target = if target.starts_with("/srv/") { self.here(target) } else { target.into() };
                symlink(target, &path).unwrap();
                continue;
            }
            if let Some(other) = entry["hardlink"].as_str() {
                fs::hard_link(folder.join(other), &path).unwrap();
                continue;
            }
            if entry["dir"] == true {
                fs::create_dir_all(&path).unwrap();
                continue;
            }
            let bytes = match (entry["content"].as_str(), entry["base64"].as_str(), entry["repeat"].as_array()) {
                (Some(content), ..) => content.as_bytes().to_vec(),
                (_, Some(encoded), _) => base64(encoded),
                (_, _, Some(repeat)) => {
                    let count = usize::try_from(repeat[1].as_u64().unwrap()).unwrap();
                    let middle = text(&repeat[0]).repeat(count);
                    format!("{}{middle}{}", text(&entry["prefix"]), text(&entry["suffix"])).into_bytes()
                }
                _ => panic!("{entry}"),
            };
            fs::write(&path, bytes).unwrap();
            if let Some(mode) = entry["mode"].as_str() {
                let mode = u32::from_str_radix(mode, 8).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
    }

    /// What a command answers, as JSON.
    fn soul(&self, arguments: &[&str]) -> Result<Value, String> {
        let home = self.root.path().join("home");
        let output = Command::new(env!("CARGO_BIN_EXE_soul"))
            .args(arguments)
            .arg("--json")
            .env("SOUL_HOME", &home)
            .current_dir(self.root.path())
            .output()
            .unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))?;
        if answer["error"].is_object() { Err(answer["error"].to_string()) } else { Ok(answer) }
    }

    fn deliver(&self, folder: &Path, runtime: &str, more: &[String]) -> Result<Value, String> {
        fs::create_dir_all(folder).unwrap();
        let folder = folder.display().to_string();
        let mut arguments = vec!["deliver", &folder, "--runtime", runtime];
        arguments.extend(more.iter().map(String::as_str));
        self.soul(&arguments)
    }
}

fn base64(encoded: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0_u32);
    for digit in encoded.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte)) {
        bits = (bits << 6) | u32::try_from(digit).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((bits >> held) & 0xff).unwrap());
        }
    }
    bytes
}

fn set(settings: &mut Vec<String>, name: &str, value: &Value) {
    let value = match value {
        Value::Null => return,
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(";"),
        other => other.to_string(),
    };
    settings.extend(["--set".to_owned(), format!("{name}={value}")]);
}
