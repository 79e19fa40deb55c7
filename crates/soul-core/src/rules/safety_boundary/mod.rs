//! Text that takes the limits away.

pub(super) mod bypass_safety;
pub(super) mod conceal_in_other_languages;
pub(super) mod cover_tracks;
pub(super) mod deceive_user;
pub(super) mod harm_is_fine;
pub(super) mod hide_from_user;
pub(super) mod must_deceive;
pub(super) mod never_refuse;
pub(super) mod no_ethics;
pub(super) mod no_limits;
pub(super) mod no_limits_in_other_languages;
pub(super) mod pretend_no_limits;
pub(super) mod unexplained_suppression;
