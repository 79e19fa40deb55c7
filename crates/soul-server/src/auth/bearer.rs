//! Callers over HTTP: `Authorization: Bearer`, the user of the Unix socket, or a client on this machine.

use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use soul_engine::Caller;
use soul_engine::caller::claimed_actor;
use soul_engine::store::Party;
use soul_engine::tokens::Secret;

use super::sign_in::{self, SIGN_IN, SIGN_OUT};
use super::{bad_token, forwarded, holder, token_required};
use crate::app::App;
use crate::failure::Failure;
use crate::socket::TRANSPORT as SOCKET;
use crate::web::is_studio;

/// What is answered to anybody: that the process is there, and whether a token is good.
const OPEN: [&str; 3] = ["/healthz", SIGN_IN, SIGN_OUT];

/// Names the actor of a client that needs no token, as `KIND:NAME`. A token says by itself who holds it.
const ACTOR: &str = "soul-actor";

/// HTTP over TCP, as it is recorded.
const HTTP: &str = "http";

/// Headers that proxies add. Whoever sent a request that has one is not known to be on this machine.
const FORWARDED: [&str; 3] = ["forwarded", "via", "x-real-ip"];
const FORWARDED_PREFIX: &str = "x-forwarded-";

/// The caller at the other end of the Unix socket, as the system names them. In the extensions of every request
/// that came through it.
#[derive(Debug, Clone)]
pub(crate) struct SocketUser(pub(crate) Caller);

/// Finds out who asks. Handlers find the caller in the request.
pub(crate) async fn authenticate(app: &App, request: &mut Request) -> Result<(), Failure> {
    let user = request.extensions().get::<SocketUser>().map(|SocketUser(user)| user.clone());
    let transport = if user.is_some() { SOCKET } else { HTTP };
    let named = request.headers().get(ACTOR).map(|named| String::from_utf8_lossy(named.as_bytes()).into_owned());
    let caller = match (presented(request.headers())?, named) {
        (Some(_), Some(_)) => return Err(Failure::bad_request("the token identifies you: leave `soul-actor` out")),
        (Some(secret), None) => holder(app, "token", transport, secret).await?,
        (None, named) => {
            let intended = sign_in::check_intended(request);
            if let Some(secret) = app.sign_ins.secret(request.headers())
                && let Some(caller) = sign_in::signed_in(app, transport, secret).await?
            {
                intended?;
                if named.is_some() {
                    return Err(Failure::bad_request("the token identifies you: leave `soul-actor` out"));
                }
                request.extensions_mut().insert(caller);
                return Ok(());
            }
            let is_open = OPEN.contains(&request.uri().path()) || is_studio(request);
            if !is_open && is_forwarded(request.headers()) {
                return Err(forwarded());
            }
            if !is_open && user.is_none() && app.hosts.need_token() {
                return Err(token_required());
            }
            let anybody = || Caller::anybody(Party::new("user", HTTP), HTTP);
            under_name(user.unwrap_or_else(anybody), transport, named.as_deref())?
        }
    };
    request.extensions_mut().insert(caller);
    Ok(())
}

/// A caller under the name that it gives itself. A user of the socket who does not run the keeper is who the system
/// says.
fn under_name(caller: Caller, transport: &str, named: Option<&str>) -> Result<Caller, Failure> {
    let Some(named) = named.filter(|named| !named.trim().is_empty()) else { return Ok(caller) };
    if transport == SOCKET && !caller.is_owner() {
        return Err(Failure::bad_request("the socket identifies you: leave `soul-actor` out"));
    }
    let actor = claimed_actor(named).map_err(|error| Failure::bad_request(format!("`{ACTOR}`: {error}")))?;
    // Any user of this machine can be the client, so the name of a person is only what it says of itself.
    let is_unverified = actor.kind == "user" && !caller.is_owner();
    let actor = if is_unverified { Party::new("user", &format!("{} (unverified)", actor.name)) } else { actor };
    Ok(caller.named(actor))
}

fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| FORWARDED.contains(&name.as_str()) || name.as_str().starts_with(FORWARDED_PREFIX))
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
