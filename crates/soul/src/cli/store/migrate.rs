use std::process::ExitCode;

use soul_engine::ops::store::migrate;
use soul_engine::store::{BadStoreUrl, StoreUrl};

use crate::cli::Global;
use crate::output::{Failure, store};

/// Copy the store into an empty one, on SQLite or PostgreSQL
///
/// Every row is copied and compared, and the chain of every soul is verified in the target. The source stays as it is.
/// If the command is interrupted, run it again: it continues where it stopped. Refuses while a service uses a SQLite
/// file. Afterwards, set `[store] url` in config.toml or `SOUL_STORE_URL` to the new store.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  soul store migrate --from sqlite:///home/ada/.soul/keeper.db --to postgres://soul@db.example/souls
  soul store migrate --from \"$SOUL_STORE_URL\" --to sqlite:///srv/keeper.db    and back to a file")]
pub(crate) struct Arguments {
    /// The store to copy: sqlite:///ABSOLUTE/PATH or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "URL", value_hint = clap::ValueHint::Url)]
    from: String,
    /// The empty store to copy it into
    #[arg(long, value_name = "URL", value_hint = clap::ValueHint::Url)]
    to: String,
}

pub(crate) fn run(global: &Global, Arguments { from, to }: Arguments) -> Result<ExitCode, Failure> {
    let (from, to) = (Some(url("--from", &from)?), Some(url("--to", &to)?));
    global.answer(migrate::Request { from, to }, store::migrated)
}

/// Parsed here and not by clap, which would repeat a URL that it refuses, with its password.
fn url(option: &str, text: &str) -> Result<StoreUrl, Failure> {
    text.parse().map_err(|error: BadStoreUrl| Failure::usage(format!("`{option}`: {error}")).hint(BadStoreUrl::HINT))
}
