//! Who asks, and what they may do.
//!
//! On this machine nobody needs a token; one that is presented has to be right all the same, and grants no
//! more than it says. From elsewhere nothing is answered without one.

mod bearer;
mod hosts;

pub(crate) use bearer::authenticate;
pub(crate) use hosts::Hosts;

use axum::http::StatusCode;
use soul_engine::ops::Grant;
use soul_engine::ops::token::{Secret, check};
use soul_engine::store::{Party, Token};

use crate::app::App;
use crate::failure::Failure;

/// Whoever asks.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// As the record names them.
    pub(crate) actor: Party,
    /// What they may do; all of it if nothing is said.
    grants: Option<Vec<Grant>>,
}

impl Caller {
    /// Somebody on this machine.
    pub(crate) const fn local(actor: Party) -> Self {
        Self { actor, grants: None }
    }

    fn holder(kind: &str, token: Token) -> Self {
        Self { actor: Party::new(kind, &token.label()), grants: Some(token.grants) }
    }

    /// Who it is to the record; none if they may say so themselves.
    pub(crate) fn proven(&self) -> Option<&Party> {
        self.grants.as_ref().map(|_| &self.actor)
    }

    /// Refuses what is not granted.
    pub(crate) fn needs(&self, grant: Grant) -> Result<(), Failure> {
        match &self.grants {
            Some(grants) if !grants.contains(&grant) => {
                let message = format!("the token does not grant `{grant}`");
                Err(Failure::new(StatusCode::FORBIDDEN, "not_granted", message))
            }
            _ => Ok(()),
        }
    }
}

/// The holder of a token, who is of this kind to the record.
pub(crate) async fn holder(app: &App, kind: &str, secret: Secret) -> Result<Caller, Failure> {
    let found = app.run(|keeper| check::run(keeper, check::Request { secret })).await?;
    found.token.map(|token| Caller::holder(kind, token)).ok_or_else(bad_token)
}

/// What was presented is no token, or one that was revoked: which of them is nobody's business.
pub(crate) fn bad_token() -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, "bad_token", "that is no token, or it was revoked")
}

/// Nothing was presented where something has to be.
pub(crate) fn token_required() -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, "token_required", "a token is needed here")
}
