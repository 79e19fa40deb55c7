//! `soul store`: one file a command.

mod info;
mod migrate;

use super::Row;

pub(super) const ABOUT: &str = "Show where the record is stored, and move it to another database

The store is `keeper.db` in the home, unless `[store] url` in config.toml or `SOUL_STORE_URL` names another one: a \
SQLite file (`sqlite:///ABSOLUTE/PATH`) or a PostgreSQL database (`postgres://USER@HOST/DATABASE`), which keepers on \
many machines can share.";

pub(super) const EXAMPLES: &str = "Examples:
  soul store info                                              where the record is, and what it has
  soul store migrate --from sqlite:///home/me/.soul/keeper.db --to postgres://soul@db/keeper";

pub(super) const COMMANDS: &[Row] = &[command!(info), command!(migrate)];
