//! A PostgreSQL server of our own for one test process: in a temporary directory, on a Unix socket, gone with the
//! process whatever ends it.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

/// A server that runs for as long as this process, or until it is stopped.
pub(crate) struct Server {
    /// Where its socket is.
    pub(crate) folder: PathBuf,
    /// While it is open, the server runs.
    control: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
    _child: Child,
}

/// Creates the data, runs the server, restarts it when told to, and removes everything in the end. Input that ends means
/// that the tests are over.
const SUPERVISOR: &str = r#"
set -eu
cd "$FOLDER"
initdb --pgdata data --auth trust --username soul --no-locale --encoding UTF8 --no-sync >initdb.log 2>&1
cat >>data/postgresql.conf <<END
listen_addresses = ''
unix_socket_directories = '$FOLDER'
fsync = $FSYNC
max_connections = 300
shared_buffers = 64MB
END
pg_ctl --pgdata data --log server.log --wait --timeout 60 start >/dev/null
echo ready
while read -r how; do
    case $how in
        restart) pg_ctl --pgdata data --log server.log --wait --mode immediate restart >/dev/null ;;
        stop) pg_ctl --pgdata data --wait --mode immediate stop >/dev/null ;;
        start) pg_ctl --pgdata data --log server.log --wait start >/dev/null ;;
    esac
    echo done
done
pg_ctl --pgdata data --mode immediate stop >/dev/null 2>&1 || true
rm -rf "$FOLDER"
"#;

impl Server {
    /// Starts one that need not survive a crash of the machine.
    pub(crate) fn start() -> Self {
        Self::start_with("off")
    }

    /// The same with `fsync` on or off.
    pub(crate) fn start_with(fsync: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // Short: the path of a socket has a limit of some hundred bytes.
        let folder = PathBuf::from(format!("/tmp/soul-pg-{}-{number}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let mut command = if is_root() {
            // The server refuses to run as root.
            assert!(Command::new("chown").arg("postgres").arg(&folder).status().unwrap().success());
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--init-groups", "sh", "-c", SUPERVISOR]);
            command
        } else {
            let mut command = Command::new("sh");
            command.args(["-c", SUPERVISOR]);
            command
        };
        let mut child = command
            .env("FOLDER", &folder)
            .env("FSYNC", fsync)
            .env("PATH", path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("./scripts/test installs PostgreSQL");
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n", "{}", std::fs::read_to_string(folder.join("initdb.log")).unwrap_or_default());
        let control = Mutex::new((child.stdin.take().unwrap(), answers));
        Self { folder, control, _child: child }
    }

    /// The one that the tests of this process share.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// The URL of a new, empty database.
    pub(crate) fn database(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("t{}", COUNT.fetch_add(1, Ordering::Relaxed));
        self.psql("postgres", &format!("CREATE DATABASE {name}"));
        self.url(&name)
    }

    /// The URL of a database.
    pub(crate) fn url(&self, name: &str) -> String {
        format!("postgres://soul@{}/{name}", self.folder.to_str().unwrap().replace('/', "%2F"))
    }

    /// What a statement prints, as somebody with `psql` sees it.
    pub(crate) fn psql(&self, database: &str, statement: &str) -> String {
        let output = Command::new("psql")
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--username", "soul", "--host"])
            .arg(&self.folder)
            .args(["--dbname", database, "--set", "ON_ERROR_STOP=1", "--command", statement])
            .env("PATH", path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{statement}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Tells the server to `restart`, `stop` or `start`, as after a crash, and waits until it has.
    pub(crate) fn tell(&self, what: &str) {
        let mut control = self.control.lock().unwrap();
        let (commands, answers) = &mut *control;
        writeln!(commands, "{what}").unwrap();
        commands.flush().unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert_eq!(line, "done\n", "{what}");
    }
}

/// Debian keeps the server's programs out of the way.
fn path() -> String {
    let mut versions: Vec<_> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|found| found.filter_map(Result::ok).map(|entry| entry.path().join("bin")).collect())
        .unwrap_or_default();
    versions.sort();
    let own = std::env::var("PATH").unwrap_or_default();
    versions.iter().rev().map(|path| format!("{}:", path.display())).collect::<String>() + &own
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}
