//! Text that asks for harm.

pub(super) mod calls_to_kill;
pub(super) mod child_abuse;
pub(super) mod destroys_data;
pub(super) mod hate;
pub(super) mod malware;
pub(super) mod phishing;
pub(super) mod self_harm;
pub(super) mod social_engineering;
pub(super) mod supremacism;
pub(super) mod weapons_and_drugs;
