//! The service as a process: killed under load, and asked by people who mean it no good.

mod down;
mod growth;
mod hostile;
mod killed;
mod load;
mod lost;
mod words;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A service on a home, killed when it is no longer looked at.
pub(crate) struct Service {
    process: Child,
    pub(crate) address: String,
    socket: PathBuf,
}

impl Service {
    pub(crate) fn start(home: &Path) -> Self {
        Self::start_by(home, &[])
    }

    /// The same, run by a command that is given the program and its arguments.
    fn start_by(home: &Path, command: &[&str]) -> Self {
        let line = [command, &[env!("CARGO_BIN_EXE_soul"), "serve", "--listen", "127.0.0.1:0"]].concat();
        let mut process = Command::new(line[0])
            .args(&line[1..])
            .env("SOUL_HOME", home)
            .env("HOME", home)
            .current_dir(home)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let address = first.split("http://").nth(1).unwrap_or_else(|| panic!("{first}"));
        let address = address.trim_end().trim_end_matches('/').to_owned();
        Self { address, process, socket: home.join("keeper.sock") }
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Sends bytes as they are, and returns what came back before the other side closed, or said nothing for
    /// this long.
    fn send(&self, bytes: &[u8], patience: Duration) -> Option<Vec<u8>> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(patience)).ok()?;
        // A refused caller may hear it before all is said.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Some(answer)
    }

    /// Sends bytes to the socket, says that this was all, and returns what came back.
    fn send_to_socket(&self, bytes: &[u8], patience: Duration) -> Option<Vec<u8>> {
        let mut stream = UnixStream::connect(&self.socket).ok()?;
        stream.set_read_timeout(Some(patience)).ok()?;
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Some(answer)
    }

    /// Asks as a client does. None if the service went away before it answered.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        parsed(self.send(&request(method, path, body), Duration::from_secs(30))?)
    }

    /// The body of a page that is not JSON.
    pub(crate) fn text(&self, path: &str) -> String {
        let answer = self.send(&request("GET", path, &Value::Null), Duration::from_secs(30)).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()
    }

    /// Asks with headers of its own, over TCP or the socket.
    pub(crate) fn ask_as(
        &self,
        headers: &str,
        on_socket: bool,
        (method, path, body): (&str, &str, &Value),
    ) -> Option<(u16, Value)> {
        let bytes = String::from_utf8(request(method, path, body)).ok()?;
        let bytes = bytes.replacen("\r\n", &format!("\r\n{headers}\r\n"), 1);
        let send = if on_socket { Self::send_to_socket } else { Self::send };
        parsed(send(self, bytes.as_bytes(), Duration::from_secs(30))?)
    }

    /// Asks as a client of the socket does.
    pub(crate) fn ask_on_socket(&self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        parsed(self.send_to_socket(&request(method, path, body), Duration::from_secs(30))?)
    }

    /// How much memory the process holds, in KiB, and how many files it has open.
    #[cfg(target_os = "linux")]
    fn held(&self) -> (u64, usize) {
        let of = format!("/proc/{}", self.process.id());
        let status = std::fs::read_to_string(format!("{of}/status")).unwrap();
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        let memory = memory.trim().trim_end_matches(" kB").parse().unwrap();
        (memory, std::fs::read_dir(format!("{of}/fd")).unwrap().count())
    }

    #[cfg(not(target_os = "linux"))]
    fn held(&self) -> (u64, usize) {
        (0, 0)
    }
}

fn request(method: &str, path: &str, body: &Value) -> Vec<u8> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
    format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// The status and the body of an answer; none if it has no body, or is cut off.
fn parsed(answer: Vec<u8>) -> Option<(u16, Value)> {
    let answer = String::from_utf8(answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some((head.get(9..12)?.parse().ok()?, serde_json::from_str(body).ok()?))
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) ^ (self.0 >> 11)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    fn of<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
