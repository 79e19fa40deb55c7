//! Many keepers on one database: killed, cut off and restarted while many clients write, claim and read.

mod chaos;
mod checks;
mod clients;
mod down;
#[allow(dead_code, reason = "other tests use the rest of it")]
#[path = "../../../../../tests/support/postgres.rs"]
mod postgres;

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::RwLock;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::service::Service;
use postgres::Server;

/// Far more than any answer may take: who has said nothing by then hangs.
const HANGING: Duration = Duration::from_secs(40);

/// Keepers with homes of their own and one database.
struct Fleet {
    server: Server,
    database: String,
    keepers: Vec<Keeper>,
}

struct Keeper {
    home: tempfile::TempDir,
    service: RwLock<Service>,
}

/// What a keeper answered.
#[derive(Debug)]
struct Answer {
    status: u16,
    has_retry_after: bool,
    body: Value,
}

impl Answer {
    fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }
}

impl Fleet {
    fn start(keepers: usize) -> Self {
        let server = Server::start();
        let url = server.database();
        let keepers = (0..keepers)
            .map(|_| {
                let home = tempfile::tempdir().unwrap();
                fs::write(home.path().join("config.toml"), format!("[store]\nurl = \"{url}\"\nsouls = \"database\"\n"))
                    .unwrap();
                let service = RwLock::new(Service::start(home.path()));
                Keeper { home, service }
            })
            .collect();
        let database = url.rsplit('/').next().unwrap().to_owned();
        Self { server, database, keepers }
    }

    /// A connection to one of the keepers, if it is there.
    fn connect(&self, keeper: usize) -> Option<TcpStream> {
        let address = self.keepers[keeper % self.keepers.len()].service.read().unwrap().address.clone();
        TcpStream::connect(&address).ok()
    }

    /// Asks one of the keepers. `None` if it went away before it answered.
    fn ask(&self, keeper: usize, method: &str, path: &str, body: &Value) -> Option<Answer> {
        Self::ask_on(self.connect(keeper)?, method, path, body)
    }

    fn ask_on(mut stream: TcpStream, method: &str, path: &str, body: &Value) -> Option<Answer> {
        stream.set_read_timeout(Some(HANGING)).unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
        stream.write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes()).ok()?;
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                panic!("{method} {path} hangs")
            }
            _ => {}
        }
        let answer = String::from_utf8(answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.get(9..12)?.parse().ok()?;
        let has_retry_after = head.to_lowercase().contains("\r\nretry-after:");
        let is_whole = head.to_lowercase().contains(&format!("content-length: {}", body.len()));
        let body = serde_json::from_str(body).unwrap_or(Value::Null);
        is_whole.then_some(Answer { status, has_retry_after, body })
    }

    /// Asks until it is done. For what changes nothing, or may be done twice.
    fn insist(&self, keeper: usize, method: &str, path: &str, body: &Value) -> Value {
        let until = Instant::now() + HANGING;
        loop {
            match self.ask(keeper, method, path, body) {
                Some(answer) if answer.status < 300 => return answer.body,
                Some(answer) if answer.status != 503 => panic!("{method} {path}: {answer:?}"),
                answer => assert!(Instant::now() < until, "{method} {path}: {answer:?}"),
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until a keeper says that it is ready, by itself.
    fn wait_until_ready(&self, keeper: usize) {
        self.insist(keeper, "GET", "/readyz", &Value::Null);
    }

    fn psql(&self, statement: &str) -> String {
        self.server.psql(&self.database, statement)
    }
}
