//! Where a repository is, and which branch of it: checked before git ever sees them.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use soul_core::text::shown;

/// The address of a repository: `https://`, `http://`, `ssh://`, `git://` or `file://`, `user@host:path`, or an absolute
/// path. It may hold a password, so it is shown without one.
///
/// ```
/// use soul_engine::sync::RemoteUrl;
/// let remote: RemoteUrl = "https://me:secret@example.com/souls.git".parse().unwrap();
/// assert_eq!(remote.to_string(), "https://***@example.com/souls.git");
/// assert!("ext::sh -c id".parse::<RemoteUrl>().is_err());
/// assert!("--upload-pack=id".parse::<RemoteUrl>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct RemoteUrl(String);

/// The text is not the address of a repository.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not the address of a repository: {why}", shown(&redacted(.address)))]
pub struct BadRemote {
    address: String,
    why: &'static str,
}

/// Protocols that git may use.
const SCHEMES: [&str; 5] = ["https", "http", "ssh", "git", "file"];

impl RemoteUrl {
    /// The address as git needs it, with its password.
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }

    /// Whether it is a repository on this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.0.starts_with("file://") || !(self.0.contains("://") || is_scp(&self.0))
    }

    /// What in it must not be shown.
    pub(super) fn credentials(&self) -> Vec<&str> {
        let Some(user) = userinfo(&self.0) else { return Vec::new() };
        let password = user.split_once(':').map_or(user, |(_, password)| password);
        [user, password].into_iter().filter(|text| text.len() > 3).collect()
    }
}

/// What stands before the `@` of a URL.
fn userinfo(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split('/').next()?;
    authority.rsplit_once('@').map(|(user, _)| user)
}

/// `user@host:path`: a colon before the first slash.
fn is_scp(text: &str) -> bool {
    let host = text.split('/').next().unwrap_or_default();
    host.contains(':') && !text.starts_with('/')
}

/// A text with the credentials of every URL in it masked.
pub(super) fn redacted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after.find(|c: char| c == '/' || c.is_whitespace() || c == '\'' || c == '"').unwrap_or(after.len());
        let authority = &after[..end];
        match authority.rsplit_once('@') {
            // A name alone is not a secret, unless it is a token: over HTTP it may be one.
            Some((user, host))
                if user.contains(':')
                    || user.len() > 16
                    || before.ends_with("http://")
                    || before.ends_with("https://") =>
            {
                out.push_str("***@");
                out.push_str(host);
            }
            _ => out.push_str(authority),
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

impl FromStr for RemoteUrl {
    type Err = BadRemote;

    fn from_str(text: &str) -> Result<Self, BadRemote> {
        let text = text.trim();
        let bad = |why| Err(BadRemote { address: text.to_owned(), why });
        if text.is_empty() {
            return bad("it is empty");
        }
        if text.len() > 2048 {
            return bad("it is longer than 2048 bytes");
        }
        if text.starts_with('-') {
            return bad("it begins with `-`, as an option does");
        }
        if text.chars().any(|c| c.is_control() || matches!(c, '"' | '\'' | '`' | '$' | '\\')) {
            return bad("it has a quote, a backslash, a dollar sign or a control character");
        }
        if text.contains("::") && !text.contains('[') {
            return bad("git's transport helpers (`ext::` and the like) are not used");
        }
        let host = match text.split_once("://") {
            Some((scheme, _)) if !SCHEMES.contains(&scheme) => {
                return bad("the protocols are https, http, ssh, git and file");
            }
            Some(("file", path)) if !path.starts_with('/') => return bad("the path after `file://` must be absolute"),
            Some(("file", _)) => return Ok(Self(text.to_owned())),
            Some((_, rest)) => rest.split('/').next().unwrap_or_default(),
            None if is_scp(text) => text.split(':').next().unwrap_or_default(),
            None if Path::new(text).is_absolute() => return Ok(Self(text.to_owned())),
            None => return bad("give a URL, `user@host:path`, or an absolute path"),
        };
        let name = host.rsplit_once('@').map_or(host, |(_, name)| name);
        if name.is_empty() || name.starts_with('-') || host.starts_with('-') || host.contains(char::is_whitespace) {
            return bad("its host is missing or malformed");
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for RemoteUrl {
    type Error = BadRemote;

    fn try_from(text: String) -> Result<Self, BadRemote> {
        text.parse()
    }
}

/// With the password: for the state in the home alone.
impl From<RemoteUrl> for String {
    fn from(remote: RemoteUrl) -> Self {
        remote.0
    }
}

impl fmt::Display for RemoteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redacted(&self.0))
    }
}

impl fmt::Debug for RemoteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RemoteUrl({self})")
    }
}

/// The name of a branch, as git allows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Branch(String);

/// The text cannot be the name of a branch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a valid branch name", shown(.0))]
pub struct BadBranch(String);

impl Branch {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Branch {
    fn default() -> Self {
        Self("main".to_owned())
    }
}

impl FromStr for Branch {
    type Err = BadBranch;

    fn from_str(text: &str) -> Result<Self, BadBranch> {
        let is_part = |part: &str| {
            !(part.is_empty() || part.starts_with('.') || part.ends_with('.') || part.ends_with(".lock") || part == "@")
        };
        let is_plain = |c: char| !c.is_control() && !c.is_whitespace() && !"~^:?*[\\\"'`$".contains(c);
        let is_name = !text.is_empty()
            && text.len() <= 200
            && !text.starts_with('-')
            && text != "HEAD"
            && !text.starts_with("refs/")
            && !text.contains("..")
            && !text.contains("@{")
            && text.chars().all(is_plain)
            && text.split('/').all(is_part);
        if is_name { Ok(Self(text.to_owned())) } else { Err(BadBranch(text.to_owned())) }
    }
}

impl TryFrom<String> for Branch {
    type Error = BadBranch;

    fn try_from(text: String) -> Result<Self, BadBranch> {
        text.parse()
    }
}

impl From<Branch> for String {
    fn from(branch: Branch) -> Self {
        branch.0
    }
}

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_git_would_take_for_something_else_are_refused() {
        for good in [
            "https://example.com/a.git",
            "http://127.0.0.1:8080/a",
            "ssh://git@example.com:22/a",
            "git@example.com:team/souls.git",
            "file:///srv/souls.git",
            "/srv/souls and more.git",
            "https://[::1]:8080/a.git",
        ] {
            assert!(good.parse::<RemoteUrl>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "--upload-pack=touch /tmp/x",
            "-oProxyCommand=x",
            "ext::sh -c 'touch /tmp/x'",
            "ext::sh -c id",
            "fd::17",
            "https://example.com/a\nb",
            "https://example.com/'x'",
            "https://example.com/\"x\"",
            "https://example.com/$(id)",
            "ssh://-oProxyCommand=x/a",
            "-oProxyCommand=x:a",
            "git@-host:a",
            "ftp://example.com/a",
            "file://relative",
            "relative/path",
            "../up",
            "https://",
        ] {
            assert!(bad.parse::<RemoteUrl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn no_password_is_shown() {
        let remote: RemoteUrl = "https://me:s3cr3t-token@example.com/a.git".parse().unwrap();
        assert_eq!(remote.to_string(), "https://***@example.com/a.git");
        assert!(!format!("{remote:?}").contains("s3cr3t"));
        assert_eq!(remote.credentials(), ["me:s3cr3t-token", "s3cr3t-token"]);
        let token = "fatal: unable to access 'https://ghp_0123456789abcdefABCDEF@example.com/a.git/': x";
        assert_eq!(redacted(token), "fatal: unable to access 'https://***@example.com/a.git/': x");
        assert_eq!(redacted("ssh://git@example.com/a"), "ssh://git@example.com/a");
        assert_eq!(redacted("see https://t0ken@example.com/a"), "see https://***@example.com/a");
        let bad = "https://me:s3cr3t-token@example.com/a'b".parse::<RemoteUrl>().unwrap_err().to_string();
        assert!(!bad.contains("s3cr3t"), "{bad}");
    }

    #[test]
    fn a_branch_is_one_that_git_takes() {
        for good in ["main", "team/souls", "v1.0", "a-b_c"] {
            assert!(good.parse::<Branch>().is_ok(), "{good}");
        }
        let bad = [
            "",
            "-x",
            "a..b",
            "a b",
            "a\n",
            "HEAD",
            "a.lock",
            "/a",
            "a/",
            "a//b",
            ".a",
            "a@{0}",
            "a:b",
            "a'b",
            "refs/heads/a",
        ];
        for bad in bad {
            assert!(bad.parse::<Branch>().is_err(), "{bad}");
        }
    }
}
