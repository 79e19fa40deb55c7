//! The names that the service answers to. A browser that was lured to our address by a name of somebody
//! else brings that name along.

use std::net::IpAddr;
use std::sync::Arc;

/// What the service goes by.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    names: Arc<[String]>,
    listens_on: IpAddr,
}

impl Hosts {
    /// The names of this machine to itself, the address, and those that the operator gave.
    pub(crate) fn new(listens_on: IpAddr, given: &[String]) -> Self {
        let own = ["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned(), listens_on.to_string()];
        let given = given.iter().filter(|name| !name.is_empty()).cloned();
        Self { names: own.into_iter().chain(given).collect(), listens_on }
    }

    /// Whether others can reach the service.
    pub(crate) const fn are_exposed(&self) -> bool {
        !self.listens_on.is_loopback()
    }

    /// Whether a `Host` is one of ours. Who listens on every address goes by each of them: no name of
    /// somebody else is an address.
    pub(crate) fn has(&self, host: &str) -> bool {
        let name = without_port(host);
        let is_ours = self.names.iter().any(|ours| ours.eq_ignore_ascii_case(name));
        is_ours || (self.listens_on.is_unspecified() && name.parse::<IpAddr>().is_ok())
    }
}

fn without_port(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_goes_by_its_own_names_alone() {
        let loopback = Hosts::new([127, 0, 0, 1].into(), &[]);
        let everywhere = Hosts::new([0, 0, 0, 0].into(), &["Keeper.example".to_owned(), String::new()]);
        for (host, here, anywhere) in [
            ("localhost:7741", true, true),
            ("LOCALHOST", true, true),
            ("[::1]:7741", true, true),
            ("192.0.2.7:7741", false, true),
            ("[2001:db8::1]:7741", false, true),
            ("keeper.example:7741", false, true),
            ("keeper.example.evil.test", false, false),
            ("evil.test", false, false),
            ("", false, false),
        ] {
            assert_eq!((loopback.has(host), everywhere.has(host)), (here, anywhere), "{host}");
        }
        assert!(everywhere.are_exposed() && !loopback.are_exposed());
    }
}
