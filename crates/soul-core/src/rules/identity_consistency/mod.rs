//! Text that changes who the agent is, now or later.

pub(super) mod cron_line;
pub(super) mod foreign_master;
pub(super) mod impersonates_person;
pub(super) mod locks_itself;
pub(super) mod name_mismatch;
pub(super) mod restores_its_file;
pub(super) mod rewrites_configuration;
pub(super) mod rewrites_identity;
pub(super) mod scheduled_return;
pub(super) mod spreads;
pub(super) mod takes_root;
