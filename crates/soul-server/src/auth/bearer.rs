//! Callers over HTTP: `Authorization: Bearer`, or somebody on this machine.

use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use soul_engine::Caller;
use soul_engine::store::Party;
use soul_engine::tokens::Secret;

use super::{bad_token, holder, token_required};
use crate::app::App;
use crate::failure::Failure;

/// What is answered to anybody, so that others can see that the process is there.
const OPEN: &str = "/healthz";

/// Names somebody on this machine who needs no token, as `KIND:NAME`. A token says by itself who holds it.
const ACTOR: &str = "soul-actor";

/// The transports, as they go on record.
const HTTP: &str = "http";
const SOCKET: &str = "socket";

/// The user at the other end of the Unix socket, as the system names them. In the extensions of every request that
/// came through it.
#[derive(Debug, Clone)]
pub(crate) struct SocketUser(pub(crate) Party);

/// Finds out who asks. Handlers find the caller in the request.
pub(crate) async fn authenticate(app: &App, request: &mut Request) -> Result<(), Failure> {
    let user = request.extensions().get::<SocketUser>().map(|SocketUser(user)| user.clone());
    let is_open = !app.hosts.are_exposed() || request.uri().path() == OPEN;
    let caller = match (presented(request.headers())?, request.headers().get(ACTOR), user) {
        (Some(_), Some(_), _) => return Err(Failure::bad_request("a token says who you are: leave `soul-actor` out")),
        (None, Some(_), Some(_)) => {
            return Err(Failure::bad_request("the socket says who you are: leave `soul-actor` out"));
        }
        (Some(secret), None, user) => holder(app, "token", if user.is_some() { SOCKET } else { HTTP }, secret).await?,
        (None, None, Some(user)) => Caller::local(user, SOCKET),
        (None, named, None) if is_open => Caller::local(local(named.map(|named| named.as_bytes())), HTTP),
        (None, _, None) => return Err(token_required()),
    };
    request.extensions_mut().insert(caller);
    Ok(())
}

/// Somebody on this machine, as they call themselves.
fn local(named: Option<&[u8]>) -> Party {
    let named = named.map(String::from_utf8_lossy).unwrap_or_default();
    match named.trim() {
        "" => Party::new("user", HTTP),
        named => {
            let (kind, name) = named.split_once(':').unwrap_or(("user", named));
            Party::new(kind, name)
        }
    }
}

/// The token that came along. What is no token, or more than one, is refused.
fn presented(headers: &HeaderMap) -> Result<Option<Secret>, Failure> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let (scheme, secret) = value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(bad_token)?;
    if values.next().is_some() || !scheme.eq_ignore_ascii_case("bearer") {
        return Err(bad_token());
    }
    Ok(Some(secret.trim().to_owned().into()))
}
