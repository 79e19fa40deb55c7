//! JSON-RPC 2.0 on a Unix socket, one message a line. Only the user who runs the keeper may connect.

mod envelope;
mod methods;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::time::Duration;

use soul_engine::store::Party;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::app::App;
use crate::serve::over;

/// The longest message, with its line end.
const MAX: u64 = 4 << 20;

/// How long a client may say nothing.
const IDLE: Duration = Duration::from_secs(600);

/// Makes the socket, in place of one that nobody listens on any more.
pub(crate) fn bind(path: &Path) -> io::Result<UnixListener> {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    if let Ok(metadata) = std::fs::symlink_metadata(path) {
        if !metadata.file_type().is_socket() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "there is something else at its place"));
        }
        if std::os::unix::net::UnixStream::connect(path).is_ok() {
            return Err(io::Error::new(io::ErrorKind::AddrInUse, "another keeper listens on it"));
        }
        std::fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

pub(crate) async fn serve(listener: UnixListener, app: App, gone: watch::Receiver<bool>) {
    let mut going = gone.clone();
    let mut clients = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => drop(clients.spawn(converse(stream, app.clone(), gone.clone()))),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            () = over(&mut going) => break,
        }
        while clients.try_join_next().is_some() {}
    }
    while clients.join_next().await.is_some() {}
}

/// Answers one client until it goes away, says nothing for too long, or the service goes down.
async fn converse(stream: UnixStream, app: App, mut gone: watch::Receiver<bool>) {
    let peer = stream.peer_cred().map_or_else(|_| "unknown".to_owned(), |peer| format!("uid {}", peer.uid()));
    let actor = Party::new("user", &peer);
    let (input, mut output) = stream.into_split();
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut bounded = (&mut input).take(MAX);
        let read = tokio::select! {
            read = tokio::time::timeout(IDLE, bounded.read_until(b'\n', &mut line)) => read,
            () = over(&mut gone) => return,
        };
        if !matches!(read, Ok(Ok(1..))) {
            return;
        }
        let whole = line.ends_with(b"\n") || (line.len() as u64) < MAX;
        let answer = if whole { envelope::answer(&app, &actor, &line).await } else { Some(envelope::too_long()) };
        if let Some(answer) = answer {
            let mut text = serde_json::to_vec(&answer).unwrap_or_default();
            text.push(b'\n');
            if output.write_all(&text).await.is_err() {
                return;
            }
        }
        // The rest of a message that is too long cannot be told from the next one.
        if !whole {
            return;
        }
    }
}
