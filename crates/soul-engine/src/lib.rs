//! What can be done with souls on a machine. Synchronous; no terminal, no tokio.
//!
//! Every operation is one file of [`ops`]: a request, a response, and `run`. Command line and
//! server only translate to and from them. [`files`] reads what is on disk, [`workspace`] knows
//! where agents and their memory live, [`index`] finds things in it, [`settings`] is what the operator
//! configured.

pub mod files;
pub mod index;
pub mod ops;
pub mod settings;
pub mod workspace;

use settings::Settings;
use workspace::Roots;

/// What operations run on: where things live, and how they are configured.
#[derive(Debug, Clone)]
pub struct Keeper {
    /// Where agents and settings are.
    pub roots: Roots,
    /// What the operator configured.
    pub settings: Settings,
}

impl Keeper {
    /// A keeper for these roots, with the settings of the home if it has any.
    ///
    /// # Errors
    /// When there is a `config.toml` that cannot be read or makes no sense.
    pub fn open(roots: Roots) -> Result<Self, settings::Error> {
        let settings = roots.home.as_deref().map(Settings::load).transpose()?.unwrap_or_default();
        Ok(Self { roots, settings })
    }
}
