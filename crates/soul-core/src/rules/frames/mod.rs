//! Rules that read a sentence for what it does, in every language with a lexicon: see [`crate::scan`]'s frames.

pub(super) mod approves_itself;
pub(super) mod cancels_limits;
pub(super) mod carries_data_out;
pub(super) mod comes_back;
pub(super) mod decodes_and_obeys;
pub(super) mod falsifies_records;
pub(super) mod forges_a_channel;
pub(super) mod hides_what_it_does;
pub(super) mod installs_unchecked;
pub(super) mod outranks_operator;
pub(super) mod trusts_a_mark;
pub(super) mod waits_for_a_moment;
pub(super) mod works_on_feelings;
