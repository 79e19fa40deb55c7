//! Who asks. Whether they may is for the operation to say.
//!
//! A client on loopback needs no token to read and change souls, because that is all it gets without one: any user
//! of the machine can be such a client. One that is presented has to be right all the same, and grants no more than
//! it says. From elsewhere, through a proxy, and with `--require-token`, nothing is answered without one.

mod bearer;
mod hosts;
mod sign_in;

pub(crate) use bearer::{SocketUser, authenticate};
pub(crate) use hosts::Hosts;
pub(crate) use sign_in::{SIGN_IN, SIGN_OUT, SignIns, sign_in, sign_out};

use axum::http::StatusCode;
use soul_engine::Caller;
use soul_engine::tokens::{self, Secret};

use crate::app::App;
use crate::failure::Failure;

/// The holder of a token, who goes on record as this kind.
pub(crate) async fn holder(
    app: &App,
    kind: &'static str,
    transport: &'static str,
    secret: Secret,
) -> Result<Caller, Failure> {
    // To look whether it still counts may take a look at another machine, which nobody waits for here.
    let keeper = app.keeper.get();
    if !keeper.has_remote_store()
        && let Some(token) = tokens::recall(&keeper, &secret)
    {
        return Ok(Caller::holder(kind, token, transport));
    }
    let found = app.check_token(move |keeper| Ok(tokens::authenticate(keeper, &secret)?));
    found.await?.map(|token| Caller::holder(kind, token, transport)).ok_or_else(bad_token)
}

/// What was presented is no token, or one that was revoked: which of them is nobody's business.
pub(crate) fn bad_token() -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, "bad_token", "invalid or revoked token")
        .hint("`soul token create` creates one")
}

/// A proxy sent the request on, so that it says nothing about where it came from.
fn forwarded() -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, "token_required", "a request that was forwarded by a proxy needs a token")
        .hint("let the client or the proxy send `Authorization: Bearer …`; `soul token create` creates a token")
}

/// Nothing was presented where something has to be.
pub(crate) fn token_required() -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, "token_required", "a token is required")
        .hint("send it as `Authorization: Bearer …`; `soul token create` creates one")
}
