//! The shell of one page, from its first command to its last.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The ports that pages name, in place of which free ones are used.
const PORTS: [u16; 2] = [7741, 7742];

/// How long a command may take. One that waits for ever would stop all tests.
const PATIENCE: Duration = Duration::from_secs(120);

pub(super) struct Shell {
    place: tempfile::TempDir,
    bash: Child,
    input: ChildStdin,
    codes: mpsc::Receiver<String>,
    ports: [u16; 2],
    commands: usize,
}

impl Shell {
    pub(super) fn start() -> Self {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("home");
        let work = home.join("harbour");
        for folder in [&work, &place.path().join("answers")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        assert!(Command::new("cp").arg("-r").args([&examples, &work]).status().unwrap().success());
        let binary = Path::new(env!("CARGO_BIN_EXE_soul"));
        let mut bash = Command::new("bash")
            .args(["--noprofile", "--norc"])
            .current_dir(&work)
            .env_clear()
            .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", binary.parent().unwrap().display()))
            .env("HOME", &home)
            .env("TZ", "UTC")
            .env("LANG", "C.UTF-8")
            .env("SOUL_ACTOR", "user:sam")
            .env("EDITOR", "true")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Held until both are known, so that they differ.
        let free = PORTS.map(|_| TcpListener::bind(("127.0.0.1", 0)).unwrap());
        let ports = free.map(|listener| listener.local_addr().unwrap().port());
        let input = bash.stdin.take().unwrap();
        let lines = BufReader::new(bash.stdout.take().unwrap()).lines();
        let (code, codes) = mpsc::channel();
        std::thread::spawn(move || lines.map_while(Result::ok).all(|line| code.send(line).is_ok()));
        Self { place, bash, input, codes, ports, commands: 0 }
    }

    /// Where the file is that a page calls so.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        let home = self.place.path().join("home");
        name.strip_prefix("~/").map_or_else(|| home.join("harbour").join(name), |below| home.join(below))
    }

    /// Lets `soul edit` run a command, with the file as its last argument.
    pub(super) fn set_editor(&mut self, command: &str) {
        writeln!(self.input, "export EDITOR={}", quoted(command)).unwrap();
    }

    /// What a line prints, standard error after standard output, as it would with the page's own ports.
    pub(super) fn execute(&mut self, line: &str) -> String {
        self.commands += 1;
        let answer = self.place.path().join("answers").join(self.commands.to_string());
        let typed = self.inward(line);
        let (out, err) = (answer.with_extension("out"), answer.with_extension("err"));
        let redirected = format!(">{} 2>{}", quoted(&out.to_string_lossy()), quoted(&err.to_string_lossy()));
        writeln!(self.input, "eval {} {redirected} </dev/null; echo $?", quoted(&typed)).unwrap();
        let code = self.codes.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("`{line}` does not end"));
        let read = || [&out, &err].map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned());
        if line.contains("soul serve") && line.ends_with('&') {
            self.wait_for_service(line, &read);
        }
        let [mut text, errors] = read();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&errors);
        // An error says of itself that the command failed.
        if code != "0" && !text.lines().any(|line| line.starts_with("error: ")) {
            text.push_str(&format!("[exit {code}]\n"));
        }
        self.outward(&text)
    }

    /// Waits until the service that was started listens, and has said so unless that goes to a file.
    fn wait_for_service(&self, line: &str, read: &dyn Fn() -> [String; 2]) {
        let port = self.ports[usize::from(line.contains(&format!(":{}", PORTS[1])))];
        let end = Instant::now() + PATIENCE;
        let is_listening = || TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], port))).is_ok();
        let is_announced = || line.contains('>') || read()[0].contains("keeper.sock");
        while !(is_listening() && is_announced()) {
            assert!(Instant::now() < end, "`{line}` does not listen: {:?}", read());
            sleep(Duration::from_millis(20));
        }
        // What follows the announcement is a hint on standard error.
        sleep(Duration::from_millis(200));
    }

    fn inward(&self, line: &str) -> String {
        let mut line = line.to_owned();
        if line.contains("soul serve") && !line.contains("--listen") {
            line = line.replace("soul serve", &format!("soul serve --listen 127.0.0.1:{}", PORTS[0]));
        }
        PORTS.iter().zip(self.ports).fold(line, |line, (from, to)| line.replace(&format!(":{from}"), &format!(":{to}")))
    }

    fn outward(&self, text: &str) -> String {
        let text = text.replace(&*self.place.path().to_string_lossy(), "");
        self.ports.iter().zip(PORTS).fold(text, |text, (from, to)| text.replace(&format!(":{from}"), &format!(":{to}")))
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        // Services that the page left running are in the group of the shell.
        let group = format!("-{}", self.bash.id());
        let _ = Command::new("kill").args(["-TERM", "--", &group]).status();
        let _ = self.bash.wait();
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
