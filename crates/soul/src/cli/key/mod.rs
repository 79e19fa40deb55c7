//! `soul key`: one file a command.

mod create;
mod forget;
mod list;
mod trust;

use super::Row;

pub(super) const ABOUT: &str = "Manage keys that sign packages, and keys that you trust

Signatures are those of minisign. The first key that signs a package of a publisher is trusted when
the package is installed, and shown in the plan; from then on no other key will do.";

pub(super) const EXAMPLES: &str = "Examples:
  soul key create                        a key named `default`
  soul pack pilot --key default          sign a package
  soul key list                          your keys, and whom you trust
  soul key trust lighthouse RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3   a new key of a publisher";

pub(super) const COMMANDS: &[Row] = &[command!(create), command!(list), command!(trust), command!(forget)];
