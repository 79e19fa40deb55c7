//! Tokens: who may ask from elsewhere, and for what. One file an operation.
//!
//! A token is `soul_`, the id without its prefix, `_`, and 64 hex digits that nobody can guess. What is
//! kept of those is their SHA-256, which suffices for what has 256 random bits.

pub mod check;
pub mod create;
pub mod list;
pub mod revoke;

use std::fmt;

use serde::{Deserialize, Serialize};
use soul_core::digest::RawDigest;
use subtle::ConstantTimeEq;

use crate::ids::{TokenId, random_bits};
use crate::{files, store};

/// What every token begins with.
const PREFIX: &str = "soul_";

/// The text that proves a token. It is shown once, and in no log.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// One that nobody can guess.
    fn fresh(id: &TokenId) -> Result<Self, store::Error> {
        let name = id.as_str().split_once('_').map_or("", |(_, ulid)| ulid);
        let bits = random_bits().map_err(|error| store::Error::Failed(files::plain(&error)))?;
        let bits: String = bits.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self(format!("{PREFIX}{name}_{bits}")))
    }

    /// The id of the token that it may prove.
    fn id(&self) -> Option<TokenId> {
        let (name, _) = self.0.strip_prefix(PREFIX)?.split_once('_')?;
        Some(format!("tok_{name}").into())
    }

    /// What is kept of it.
    fn proof(&self) -> RawDigest {
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
