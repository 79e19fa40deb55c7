//! `soul mcp` as a process: what a client on a pipe gets, and what is left when it dies.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

const SOUL: &str = env!("CARGO_BIN_EXE_soul");

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

fn command(home: &Path) -> Command {
    let mut command = Command::new(SOUL);
    command.env("SOUL_HOME", home).env_remove("SOUL_SERVER").env_remove("SOUL_TOKEN").current_dir(home);
    command
}

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join("agents/ada")).unwrap();
    fs::write(home.path().join("agents/ada/SOUL.md"), "You are Ada.\n").unwrap();
    home
}

impl Server {
    fn start(home: &Path) -> Self {
        let mut command = command(home);
        command.args(["mcp", "--tools", "all", "--grant", "soul.write"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { input: child.stdin.take().unwrap(), output, child }
    }

    fn say(&mut self, line: &str) {
        self.input.write_all(line.as_bytes()).and_then(|()| self.input.write_all(b"\n")).unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"))
    }

    fn call(&mut self, id: usize, name: &str, arguments: Value) {
        let params = json!({ "name": name, "arguments": arguments });
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string());
    }
}

#[test]
fn every_line_gets_an_answer_however_long_or_broken_it_is() {
    let home = home();
    let mut server = Server::start(home.path());
    server.call(1, "soul_scan", json!({ "body": "x".repeat(10 << 20) }));
    let large = server.hear();
    assert_eq!(large["result"]["_meta"]["soulkeeper/error"]["code"], "arguments_too_large", "{large}");
    server.say(&"x".repeat(20 << 20));
    assert_eq!(server.hear()["error"]["code"], -32600);
    server.say("{\"jsonrpc\":\"2.0\",\"id\":2,\"id\":3,\"method\":\"ping\"}");
    assert_eq!(server.hear()["error"]["code"], -32700, "a key stands twice");
    server.say("\u{0}\u{1}");
    assert_eq!(server.hear()["error"]["code"], -32700);
    server.say("");
    server.say("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}");
    assert_eq!(server.hear(), json!({ "jsonrpc": "2.0", "id": 4, "result": {} }));
    drop(server.input);
    assert!(server.child.wait().unwrap().success(), "the end of the input ends the server");
}

#[test]
fn a_thousand_calls_at_once_over_a_pipe_are_all_answered() {
    let home = home();
    let mut server = Server::start(home.path());
    let Server { input, output, .. } = &mut server;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for id in 0..1000 {
                let params = json!({ "name": "soul_context", "arguments": { "agent": "ada" } });
                let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
                writeln!(input, "{call}").unwrap();
            }
        });
        let mut answered: Vec<u64> = (0..1000)
            .map(|_| {
                let mut line = String::new();
                output.read_line(&mut line).unwrap();
                let answer: Value = serde_json::from_str(&line).unwrap();
                assert_eq!(answer["result"]["isError"], false, "{answer}");
                answer["id"].as_u64().unwrap()
            })
            .collect();
        answered.sort_unstable();
        assert!(answered.into_iter().eq(0..1000));
    });
}

#[test]
fn a_client_that_dies_in_the_middle_of_a_write_loses_nothing() {
    for (round, kills) in [false, true, false, true, false, true].into_iter().enumerate() {
        let home = home();
        let digest = Command::new("sh")
            .args(["-c", &format!("{SOUL} inspect ada --json | sed -n 's/^  \"digest\": \"\\(.*\\)\",/\\1/p'")])
            .env("SOUL_HOME", home.path())
            .current_dir(home.path())
            .output()
            .unwrap();
        let digest = String::from_utf8(digest.stdout).unwrap().trim().to_owned();
        let mut server = Server::start(home.path());
        let body = format!("You are Ada, {}.\n", "changed ".repeat(2000).trim());
        server.call(1, "soul_write", json!({ "agent": "ada", "body": body, "expected_digest": digest }));
        // The client is gone before it hears anything; half of the time it takes the server with it.
        std::thread::sleep(std::time::Duration::from_millis(7 * round as u64));
        if kills {
            server.child.kill().unwrap();
        }
        let Server { mut child, input, output } = server;
        drop((input, output));
        child.wait().unwrap();
        let text = fs::read_to_string(home.path().join("agents/ada/SOUL.md")).unwrap();
        assert!(text == "You are Ada.\n" || text == body, "half a file");
        assert!(kills || text == body, "a write that was asked for is finished");
        let verified = command(home.path()).args(["audit", "verify"]).output().unwrap();
        assert!(verified.status.success(), "{verified:?}");
        let history = command(home.path()).args(["history", "ada", "--json"]).output().unwrap();
        let history: Value = serde_json::from_slice(&history.stdout).unwrap();
        assert!(history.get("unrecorded_change").is_none() || text == "You are Ada.\n", "{history}");
    }
}

#[test]
fn our_skill_is_a_valid_one() {
    let package = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/skills");
    let copied = Command::new("cp").args(["-r"]).arg(&examples).arg(package.path()).status();
    assert!(copied.unwrap().success());
    let manifest = json!({ "specVersion": "0.6", "name": "guide", "version": "1.0.0", "type": "pack",
        "files": { "soul": "SOUL.md" }, "skills": ["soulkeeper"] });
    fs::write(package.path().join("soul.json"), manifest.to_string()).unwrap();
    fs::write(package.path().join("SOUL.md"), "# Guide\n\nYou explain.\n").unwrap();
    let home = tempfile::tempdir().unwrap();
    for arguments in [vec!["inspect"], vec!["check"]] {
        let output = command(home.path()).args(&arguments).arg(package.path()).arg("--json").output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let problems = [&answer["diagnostics"], &answer["problems"]].into_iter().filter_map(Value::as_array).flatten();
        let about_skill: Vec<_> = problems.filter(|problem| problem.to_string().contains("SKILL.md")).collect();
        assert!(about_skill.is_empty(), "{about_skill:?}");
    }
    // The check sees what is wrong with a skill.
    let skill = package.path().join("skills/soulkeeper/SKILL.md");
    let text = fs::read_to_string(&skill).unwrap();
    fs::write(&skill, text.replace("name: soulkeeper", "name: other")).unwrap();
    let output = command(home.path()).arg("inspect").arg(package.path()).arg("--json").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("invalid_skill"));
}
