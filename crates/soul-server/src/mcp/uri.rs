//! Addresses of resources: `soul://agent/NAME`, `soul://library/ID`, `memory://AGENT/FILE#SECTION`.

use std::fmt::Write;

use soul_engine::workspace::{AgentName, SoulId};

/// What a resource is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    /// The text of an agent's soul.
    Agent(AgentName),
    /// A soul of the library.
    Library(SoulId),
    /// A file of an agent's memory, or a section of it.
    Memory { agent: AgentName, file: String, section: Option<String> },
}

impl Address {
    /// Reads an address; `None` if it is not one of ours.
    pub(super) fn parse(uri: &str) -> Option<Self> {
        if let Some(name) = uri.strip_prefix("soul://agent/") {
            return Some(Self::Agent(decoded(name)?.parse().ok()?));
        }
        if let Some(id) = uri.strip_prefix("soul://library/") {
            return Some(Self::Library(decoded(id)?.parse().ok()?));
        }
        let (path, section) = match uri.strip_prefix("memory://")?.split_once('#') {
            Some((path, section)) => (path, Some(decoded(section)?)),
            None => (uri.strip_prefix("memory://")?, None),
        };
        let (agent, file) = path.split_once('/')?;
        let section = section.filter(|section| !section.is_empty());
        Some(Self::Memory { agent: decoded(agent)?.parse().ok()?, file: decoded(file)?, section })
    }
}

/// The address of an agent's soul.
pub(super) fn of_agent(name: &str) -> String {
    format!("soul://agent/{}", encoded(name))
}

/// The address of a library soul.
pub(super) fn of_library(id: &str) -> String {
    format!("soul://library/{}", encoded(id))
}

/// A name with every character escaped that has a meaning in an address.
fn encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(byte.into()),
            _ => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    encoded
}

/// The text that an escaped one stands for; `None` if it is not one.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| (byte? as char).to_digit(16);
                let (high, low) = (digit(rest.next())?, digit(rest.next())?);
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_an_address() {
        for name in ["ada", "Ada Lovelace", "a#b?c%d", "アリア", "50%"] {
            assert_eq!(Address::parse(&of_agent(name)), Some(Address::Agent(name.parse().unwrap())), "{name}");
        }
        let section = Address::parse("memory://ada/memory/2026-11-14.md#Ports%20and%20hosts");
        let (agent, file) = ("ada".parse().unwrap(), "memory/2026-11-14.md".to_owned());
        assert_eq!(section, Some(Address::Memory { agent, file, section: Some("Ports and hosts".to_owned()) }));
        for uri in [
            "",
            "soul://agent/",
            "soul://agent/..",
            "soul://agent/a%2Fb",
            "soul://agent/%zz",
            "soul://agent/%F0",
            "memory://ada",
            "file:///etc/passwd",
            "soul://library/../x",
            "soul://other/x",
        ] {
            assert_eq!(Address::parse(uri), None, "{uri}");
        }
    }
}
