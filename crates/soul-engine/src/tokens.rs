//! Tokens: who may ask from elsewhere, and for what.
//!
//! A token is `soul_`, the id without its prefix, `_`, and 64 hex digits that nobody can guess. What is
//! kept of those is their SHA-256, which suffices for what has 256 random bits.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;
use subtle::ConstantTimeEq;

use crate::Keeper;
use crate::caller::{Caller, Grant};
use crate::fault::{Fault, Kind};
use crate::fields::wire_schema;
use crate::freshness::{Freshness, Sources, Subject};
use crate::ids::{TokenId, random_bits};
use crate::store::{self, Role, Token};

/// What every token begins with.
const PREFIX: &str = "soul_";

/// Why a token was not made or revoked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such token.
    #[error("there is no token `{0}`")]
    NotFound(TokenId),
    /// A token cannot grant more than its role.
    #[error("the role {0} does not have the grant {1}")]
    BeyondRole(Role, Grant),
    /// A token of an agent cannot administer the keeper.
    #[error("the token of an agent cannot have the role admin")]
    AdminAgent,
    /// The name is too long.
    #[error("the name of a token must have at most 64 bytes")]
    LongName,
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Error {
    pub(crate) fn fault(&self) -> Fault {
        let (kind, code, hint) = match self {
            Self::NotFound(_) => (Kind::NotFound, "token_not_found", "`soul token list` lists the tokens"),
            Self::BeyondRole(..) => (
                Kind::Usage,
                "beyond_role",
                "choose a role that has it: viewer (read), author (read and write), admin (everything)",
            ),
            Self::AdminAgent => {
                (Kind::Usage, "beyond_role", "choose viewer or author: an agent does not administer the keeper")
            }
            Self::LongName => (Kind::Usage, "bad_token_name", "choose a shorter name"),
            Self::Store(error) => return error.fault(),
        };
        Fault::new(kind, code, hint)
    }
}

/// The token that a secret proves; `None` if it proves none, or one that was revoked.
///
/// # Errors
/// When the store does not answer.
pub fn authenticate(keeper: &Keeper, secret: &Secret) -> Result<Option<Token>, store::Error> {
    let (Some(id), Some(store)) = (secret.id(), keeper.existing_store()?) else { return Ok(None) };
    let sources = Sources { files: Vec::new(), records: vec![Subject::Token(id.clone())] };
    let freshness = Freshness::of(keeper, sources);
    let found = store.token(&id)?.filter(|(token, proof)| secret.proves(proof) && token.is_live());
    let token = found.map(|(token, _)| token);
    if let Some((token, freshness)) = token.clone().zip(freshness) {
        keeper.proven.keep(secret.proof(), token, freshness);
    }
    Ok(token)
}

/// The token that a secret has proven before, unless anything was recorded of it since. Reads nothing that a writer could
/// hold up.
#[must_use]
pub fn recall(keeper: &Keeper, secret: &Secret) -> Option<Token> {
    keeper.proven.recall(keeper, secret.proof())
}

/// Tokens that were proven, by the digest of what proved them. They are good until something is recorded of them.
#[derive(Default)]
pub(crate) struct Proven(RwLock<HashMap<RawDigest, Arc<(Token, Freshness)>>>);

impl Proven {
    /// How many are kept.
    const MOST: usize = 1000;

    fn keep(&self, proof: RawDigest, token: Token, freshness: Freshness) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= Self::MOST {
            known.clear();
        }
        known.insert(proof, Arc::new((token, freshness)));
    }

    fn recall(&self, keeper: &Keeper, proof: RawDigest) -> Option<Token> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&proof).cloned()?;
        known.1.holds(keeper).then(|| known.0.clone())
    }
}

/// Whether a caller may still do this: its token, if it presented one, is live and grants it.
///
/// # Errors
/// When the store does not answer.
pub fn still_grants(keeper: &Keeper, caller: &Caller, grant: Grant) -> Result<bool, store::Error> {
    let Some(id) = caller.token() else { return Ok(caller.has(grant)) };
    let Some(store) = keeper.existing_store()? else { return Ok(false) };
    Ok(store.token(id)?.is_some_and(|(token, _)| token.is_live() && token.grants.contains(&grant)))
}

/// Every token, oldest first, revoked ones too.
///
/// # Errors
/// When the store does not answer.
pub fn all(keeper: &Keeper) -> Result<Vec<Token>, store::Error> {
    Ok(keeper.existing_store()?.map(|store| store.tokens()).transpose()?.unwrap_or_default())
}

/// The text that proves a token. It is shown once, and in no log.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// A secret that nobody can guess.
    pub(crate) fn fresh(id: &TokenId) -> Result<Self, store::Error> {
        let name = id.as_str().split_once('_').map_or("", |(_, ulid)| ulid);
        let bits = random_bits().map_err(|error| store::Error::Failed(store::Detail::io(error)))?;
        let bits: String = bits.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self(format!("{PREFIX}{name}_{bits}")))
    }

    /// The id of the token that it may prove.
    fn id(&self) -> Option<TokenId> {
        let (name, _) = self.0.strip_prefix(PREFIX)?.split_once('_')?;
        Some(format!("tok_{name}").into())
    }

    /// What is kept of it.
    pub(crate) fn proof(&self) -> RawDigest {
        RawDigest::of(self.0.as_bytes())
    }

    /// Whether it is the one of which this was kept. It takes as long whatever differs.
    fn proves(&self, kept: &RawDigest) -> bool {
        self.proof().as_bytes().ct_eq(kept.as_bytes()).into()
    }

    /// The text, for the one who may see it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

wire_schema!(Secret, { "type": "string" });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_proves_itself_alone_and_is_not_shown() {
        let id = TokenId::fresh();
        let secret = Secret::fresh(&id).unwrap();
        assert_eq!(secret.id(), Some(id.clone()));
        assert_eq!(secret.expose().len(), PREFIX.len() + 26 + 1 + 64);
        assert!(secret.proves(&secret.proof()));
        assert!(!Secret::fresh(&id).unwrap().proves(&secret.proof()));
        assert!(!format!("{secret:?}").contains(&secret.expose()[5..]));
        for text in ["", "soul_", "soul_x", "tok_1_2", "Soul_1_2"] {
            assert_eq!(Secret::from(text.to_owned()).id(), None, "{text}");
        }
    }
}
