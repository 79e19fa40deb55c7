//! What git says when a remote does not do what it was asked for.

use super::Error;
use super::git::Said;
use super::remote::RemoteUrl;

/// Whether a branch cannot be made because of another one: `team` and `team/souls` exclude each other.
pub(super) fn is_name_clash(text: &str) -> bool {
    text.contains("exists; cannot create") || text.contains("directory file conflict")
}

/// Whether a push was rejected because of someone else's.
pub(super) fn is_race(text: &str) -> bool {
    let signs = [
        "stale info",
        "fetch first",
        "non-fast-forward",
        "cannot lock ref",
        "failed to lock",
        "failed to update ref",
        "reference already exists",
        "incorrect old value",
    ];
    signs.iter().any(|sign| text.contains(sign))
}

/// Why git could not do what a remote was asked for.
pub(super) fn failure(said: &Said, what: &'static str, remote: &RemoteUrl) -> Error {
    let text = said.stderr.as_str();
    let has = |signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
    let refused = [
        "Authentication failed",
        "could not read Username",
        "could not read Password",
        "Permission denied",
        "Host key verification failed",
        "terminal prompts disabled",
    ];
    let absent = ["does not appear to be a git repository", "does not exist", "not found", "Not a git repository"];
    if has(&refused) {
        Error::NotAuthenticated(remote.to_string(), said.complaint())
    } else if has(&absent) {
        Error::NoRepository(remote.to_string(), said.complaint())
    } else {
        Error::Network { what, remote: remote.to_string(), why: said.complaint() }
    }
}
