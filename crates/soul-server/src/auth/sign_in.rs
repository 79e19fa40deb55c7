//! People who sign in with a token in a browser. The browser keeps a name that nobody can guess; which token it stands
//! for, only this process knows, and forgets when it ends. The token itself is never in the browser.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use soul_core::digest::RawDigest;
use soul_engine::Caller;
use soul_engine::ids::random_bits;
use soul_engine::ops::whoami;
use soul_engine::tokens::Secret;

use super::{bad_token, holder};
use crate::app::App;
use crate::failure::Failure;
use crate::http::object;

/// The routes.
pub(crate) const SIGN_IN: &str = "/api/sign-in";
pub(crate) const SIGN_OUT: &str = "/api/sign-out";

/// How long someone stays signed in.
const LASTS: Duration = Duration::from_secs(12 * 3600);

/// How many may be signed in. Beyond it the one who signed in first is signed out.
const MOST: usize = 1000;

/// The header that a page of another site cannot make a browser send.
const HEADER: &str = "soul-studio";

/// Who is signed in, by the digest of the name that their browser keeps.
#[derive(Default)]
pub(crate) struct SignIns(Mutex<HashMap<RawDigest, SignedIn>>);

struct SignedIn {
    secret: Secret,
    since: Instant,
}

impl SignIns {
    fn add(&self, secret: Secret) -> Result<String, Failure> {
        let failed =
            |_| Failure::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the system gives no random numbers");
        let name: String = random_bits().map_err(failed)?.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, signed_in| signed_in.since.elapsed() < LASTS);
        if known.len() >= MOST
            && let Some(first) = known.iter().min_by_key(|(_, signed_in)| signed_in.since).map(|(name, _)| *name)
        {
            known.remove(&first);
        }
        known.insert(RawDigest::of(name.as_bytes()), SignedIn { secret, since: Instant::now() });
        Ok(name)
    }

    /// The token of the person who sends this request, if they are signed in.
    pub(super) fn secret(&self, headers: &HeaderMap) -> Option<Secret> {
        let name = RawDigest::of(cookie(headers)?.as_bytes());
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let signed_in = known.get(&name).filter(|signed_in| signed_in.since.elapsed() < LASTS)?;
        Some(signed_in.secret.clone())
    }

    fn remove(&self, headers: &HeaderMap) {
        if let Some(name) = cookie(headers) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&RawDigest::of(name.as_bytes()));
        }
    }
}

/// The name of the cookie. Browsers keep one jar for all ports of a host, so that each service needs a name of its own.
fn cookie_name(headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let port =
        host.rsplit_once(':').map(|(_, port)| port).filter(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    format!("soul_session_{}", port.filter(|port| !port.is_empty()).unwrap_or("80"))
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let name = cookie_name(headers);
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Refuses a change that a page of another site may have made the browser send along with the cookie.
pub(super) fn check_intended(request: &Request) -> Result<(), Failure> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    let headers = request.headers();
    if !headers.contains_key(HEADER) {
        let message = "a request of a signed-in browser needs the header `Soul-Studio: 1`";
        return Err(Failure::new(StatusCode::FORBIDDEN, "csrf_header_missing", message));
    }
    // Where an origin stands, the guard has compared it with the host.
    let is_own = headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin");
    if is_own || headers.contains_key(header::ORIGIN) {
        return Ok(());
    }
    let message = "a request of a signed-in browser must say where it comes from";
    Err(Failure::new(StatusCode::FORBIDDEN, "foreign_origin", message))
}

/// Signs a person in with a token, and tells them who they are now.
pub(crate) async fn sign_in(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    check_intended(&request)?;
    let (parts, body) = request.into_parts();
    let given = object(body).await?.unwrap_or_default();
    let missing = || Failure::bad_request("`token` is missing");
    let secret: Secret =
        given.get("token").and_then(|token| token.as_str()).ok_or_else(missing)?.trim().to_owned().into();
    let caller = holder(&app, "token", "http", secret.clone()).await?;
    let who = app.ask(whoami::Request {}, caller).await?;
    app.sign_ins.remove(&parts.headers);
    let name = app.sign_ins.add(secret)?;
    let cookie = format!("{}={name}; {}", cookie_name(&parts.headers), attributes(&parts.headers, LASTS.as_secs()));
    Ok(([(header::SET_COOKIE, cookie)], Json(who)).into_response())
}

/// Signs a person out.
pub(crate) async fn sign_out(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    check_intended(&request)?;
    app.sign_ins.remove(request.headers());
    let headers = request.headers();
    let cookie = format!("{}=; {}", cookie_name(headers), attributes(headers, 0));
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// No script reads it, and no other site makes a browser send it. Through a proxy that speaks TLS it stays on TLS.
fn attributes(headers: &HeaderMap, seconds: u64) -> String {
    let is_secure = headers.get("x-forwarded-proto").is_some_and(|proto| proto == "https");
    let secure = if is_secure { "; Secure" } else { "" };
    format!("HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}")
}

/// The holder of the token that someone signed in with, if it still counts.
pub(super) async fn signed_in(app: &App, transport: &'static str, secret: Secret) -> Result<Option<Caller>, Failure> {
    match holder(app, "token", transport, secret).await {
        Err(failure) if failure.status == bad_token().status => Ok(None),
        found => found.map(Some),
    }
}
