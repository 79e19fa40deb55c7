//! The Unix socket: HTTP or JSON-RPC, told apart by the first byte. Only the user who runs the keeper may connect.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use soul_engine::Caller;
use soul_engine::store::Party;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tower::ServiceExt;

use crate::app::App;
use crate::auth::SocketUser;
use crate::connections::Connection;
use crate::rpc;
use crate::serve::{http_connection, over};
use crate::stream::Watched;

/// The transport, as it is recorded.
pub(crate) const TRANSPORT: &str = "socket";

/// How long a client may send nothing, before its first message and between two of JSON-RPC.
pub(crate) const IDLE: Duration = Duration::from_secs(600);

/// Makes the socket, in place of one that nobody listens on any more.
pub(crate) fn bind(path: &Path) -> io::Result<UnixListener> {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    if let Ok(metadata) = std::fs::symlink_metadata(path) {
        if !metadata.file_type().is_socket() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "another file is in its place"));
        }
        if std::os::unix::net::UnixStream::connect(path).is_ok() {
            return Err(io::Error::new(io::ErrorKind::AddrInUse, "another service is listening on it"));
        }
        std::fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// What a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Http,
    JsonRpc,
}

/// Serves one client, in the protocol that it speaks, until it goes away, sends nothing for too long, or the service
/// goes down.
pub(crate) async fn converse(stream: UnixStream, connection: Arc<Connection>, app: App, router: Router) {
    let user = user(&stream);
    let mut gone = app.gone.clone();
    let mut stream = BufReader::new(Watched::new(stream, connection));
    let spoken = tokio::select! {
        spoken = tokio::time::timeout(IDLE, protocol(&mut stream)) => spoken,
        () = over(&mut gone) => return,
    };
    match spoken {
        Ok(Ok(Some(Protocol::JsonRpc))) => rpc::converse(stream, app, user).await,
        Ok(Ok(Some(Protocol::Http))) => {
            let user = SocketUser(user);
            let service = router.map_request(move |mut request: Request<_>| {
                request.extensions_mut().insert(user.clone());
                request
            });
            // Scripts shut their end down once they have asked, as `nc -N` does.
            http_connection(stream, service, true, gone).await;
        }
        Ok(Ok(None) | Err(_)) | Err(_) => {}
    }
}

/// The user at the other end. The system lets nobody in but the one who runs the keeper, and root; should the
/// permissions of the socket have been widened, others are clients like those on loopback.
fn user(stream: &UnixStream) -> Caller {
    let uid = stream.peer_cred().map(|peer| peer.uid());
    let actor = Party::new("user", &uid.as_ref().map_or_else(|_| "unknown".to_owned(), |uid| format!("uid {uid}")));
    match uid {
        Ok(uid) if uid == 0 || uid == rustix::process::geteuid().as_raw() => Caller::local(actor, TRANSPORT),
        _ => Caller::anybody(actor, TRANSPORT),
    }
}

/// The protocol of a client, by the first byte that is not blank; none if there is no such byte. The name of every
/// HTTP method begins with a capital letter, and no JSON does. Anything else is answered by JSON-RPC, which has an
/// error for it.
async fn protocol(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Protocol>> {
    loop {
        let bytes = stream.fill_buf().await?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let first = bytes.get(blank).copied();
        stream.consume(blank);
        if let Some(first) = first {
            return Ok(Some(if first.is_ascii_uppercase() { Protocol::Http } else { Protocol::JsonRpc }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_protocol_is_known_by_its_first_byte() {
        for (sent, spoken, left) in [
            ("GET / HTTP/1.1\r\n", Some(Protocol::Http), "GET / HTTP/1.1\r\n"),
            ("\r\nDELETE /", Some(Protocol::Http), "DELETE /"),
            ("X", Some(Protocol::Http), "X"),
            (" \t\r\n {\"jsonrpc\"", Some(Protocol::JsonRpc), "{\"jsonrpc\""),
            ("[]", Some(Protocol::JsonRpc), "[]"),
            ("null", Some(Protocol::JsonRpc), "null"),
            ("\u{16}\u{3}\u{1}", Some(Protocol::JsonRpc), "\u{16}\u{3}\u{1}"),
            ("", None, ""),
            (" \n \n", None, ""),
        ] {
            // However the bytes come in, one by one or all at once.
            for capacity in [1, 3, 8192] {
                let mut stream = BufReader::with_capacity(capacity, sent.as_bytes());
                assert_eq!(protocol(&mut stream).await.unwrap(), spoken, "{sent:?}");
                let mut rest = String::new();
                tokio::io::AsyncReadExt::read_to_string(&mut stream, &mut rest).await.unwrap();
                assert_eq!(rest, left, "{sent:?}");
            }
        }
    }
}
