//! Who runs this program. `$USER` is whatever the environment says; the system knows better.

/// The name of the user.
#[cfg(unix)]
pub(super) fn current() -> String {
    let uid = rustix::process::getuid().as_raw();
    let accounts = std::fs::read("/etc/passwd").unwrap_or_default();
    name(uid, &String::from_utf8_lossy(&accounts)).unwrap_or_else(|| format!("uid {uid}"))
}

/// The name of the user.
#[cfg(not(unix))]
pub(super) fn current() -> String {
    std::env::var("USERNAME").ok().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "unknown".to_owned())
}

/// The name of an account in `/etc/passwd`.
#[cfg(unix)]
fn name(uid: u32, accounts: &str) -> Option<String> {
    let named = |line: &str| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| !name.is_empty())?;
        let is_same = fields.nth(1)?.parse() == Ok(uid);
        is_same.then(|| name.to_owned())
    };
    accounts.lines().find_map(named)
}

#[cfg(all(test, unix))]
mod tests {
    #[test]
    fn a_user_is_known_by_the_account_or_the_number() {
        let accounts = "# comment\nroot:x:0:0:root:/root:/bin/sh\n::1:\nada:x:1000:1000::/home/ada:\nbob:x:1000:\n";
        let name = |uid| super::name(uid, accounts);
        assert_eq!((name(0).as_deref(), name(1000).as_deref()), (Some("root"), Some("ada")));
        assert_eq!((name(1), name(7)), (None, None));
        assert!(!super::current().is_empty());
    }
}
