//! The names that the service answers to. A browser that was lured to our address by a name of someone
//! else brings that name along.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

/// What the service goes by.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    names: Arc<[String]>,
    listens_on: IpAddr,
    require_token: bool,
}

impl Hosts {
    /// The names of this machine to itself, the address, and those that the operator gave.
    pub(crate) fn new(listens_on: IpAddr, given: &[String], require_token: bool) -> Self {
        let own = ["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned(), listens_on.to_string()];
        let given = given.iter().filter(|name| !name.is_empty()).cloned();
        Self { names: own.into_iter().chain(given).collect(), listens_on, require_token }
    }

    /// Whether a client on TCP has to present a token: others can reach the service, or the operator wants it.
    pub(crate) const fn need_token(&self) -> bool {
        self.require_token || !self.listens_on.is_loopback()
    }

    /// Whether a `Host` is one of ours. Who listens on every address goes by each of them: no name of
    /// someone else is an address.
    pub(crate) fn has(&self, host: &str) -> bool {
        let Some(name) = without_port(host) else { return false };
        let is_ours = self.names.iter().any(|ours| ours.eq_ignore_ascii_case(name));
        is_ours || (self.listens_on.is_unspecified() && name.parse::<IpAddr>().is_ok())
    }
}

/// The name in a `Host`; none if what follows it is no port.
fn without_port(host: &str) -> Option<&str> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let (name, rest) = rest.split_once(']')?;
            name.parse::<Ipv6Addr>().ok()?;
            (name, if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) })
        }
        None => host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port))),
    };
    // A port may be left out after its colon.
    let is_port =
        |port: &str| port.is_empty() || (port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok());
    port.is_none_or(is_port).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_goes_by_its_own_names_alone() {
        let loopback = Hosts::new([127, 0, 0, 1].into(), &[], false);
        let everywhere = Hosts::new([0, 0, 0, 0].into(), &["Keeper.example".to_owned(), String::new()], false);
        for (host, here, anywhere) in [
            ("localhost:7741", true, true),
            ("LOCALHOST", true, true),
            ("[::1]:7741", true, true),
            ("192.0.2.7:7741", false, true),
            ("[2001:db8::1]:7741", false, true),
            ("keeper.example:7741", false, true),
            ("keeper.example.evil.test", false, false),
            ("evil.test", false, false),
            ("localhost:", true, true),
            ("localhost:80@evil.test", false, false),
            ("localhost:evil.test", false, false),
            ("localhost:80:80", false, false),
            ("localhost:+80", false, false),
            ("localhost:65536", false, false),
            ("user@localhost", false, false),
            ("[::1]", true, true),
            ("[::1].evil.test", false, false),
            ("[::1]80", false, false),
            ("[::1", false, false),
            ("::1", false, false),
            ("[localhost]", false, false),
            ("", false, false),
        ] {
            assert_eq!((loopback.has(host), everywhere.has(host)), (here, anywhere), "{host}");
        }
        assert!(everywhere.need_token() && !loopback.need_token());
        assert!(Hosts::new([127, 0, 0, 1].into(), &[], true).need_token());
    }
}
