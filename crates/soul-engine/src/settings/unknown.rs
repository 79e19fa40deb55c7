//! Keys and tables that nothing reads, and what was probably meant.

use soul_core::text::closest;

use super::{Origin, Roots, read};

/// The tables of `config.toml`.
pub const TABLES: [&str; 11] = [
    "agents.soul",
    "discovery",
    "library",
    "memory.rerank",
    "memory.search",
    "persona",
    "prompt",
    "registry",
    "scan",
    "store",
    "sync",
];

/// A table that nothing reads. The file may belong to other programs too, so it is not an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTable {
    /// The file that it is in.
    pub origin: Origin,
    /// Its name.
    pub name: String,
    /// The table that was probably meant.
    pub suggestion: Option<&'static str>,
}

/// Every table of the files that nothing reads. Files that cannot be read have none.
#[must_use]
pub fn unknown_tables(roots: &Roots) -> Vec<UnknownTable> {
    let mut found = Vec::new();
    for (origin, _, read) in read(roots) {
        let text = read.ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let tables: toml::Table = toml::from_str(&text).unwrap_or_default();
        found.extend(unknown_in(&tables).into_iter().map(|name| {
            let suggestion = closest(&name, TABLES);
            UnknownTable { origin, name, suggestion }
        }));
    }
    found
}

fn unknown_in(tables: &toml::Table) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in tables {
        let below: Vec<&str> =
            TABLES.iter().filter_map(|table| table.strip_prefix(name.as_str())?.strip_prefix('.')).collect();
        match value.as_table() {
            _ if TABLES.contains(&name.as_str()) => {}
            Some(inner) if !below.is_empty() => {
                let unknown = inner.keys().filter(|key| !below.contains(&key.as_str()));
                found.extend(unknown.map(|key| format!("{name}.{key}")));
            }
            // Its tables say more than the name alone: `[agent.soul]`.
            Some(inner) if inner.values().all(toml::Value::is_table) && !inner.is_empty() => {
                found.extend(inner.keys().map(|key| format!("{name}.{key}")));
            }
            _ => found.push(name.clone()),
        }
    }
    found
}

/// An unknown key, as a parser reports it, in our words and with what was probably meant.
pub(super) fn key(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field ")?;
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let (unknown, known) = (quoted.next()?, quoted.collect::<Vec<_>>());
    Some(match closest(unknown, known.iter().copied()) {
        Some(near) => format!("unknown key `{unknown}`; did you mean `{near}`?"),
        None => format!("unknown key `{unknown}`; the keys are {}", known.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;

    #[test]
    fn every_table_is_read() {
        for table in TABLES {
            let error = Settings::parse(&format!("[{table}]\nnobody_reads_this = 1\n")).unwrap_err().to_string();
            assert!(error.contains("line 2: unknown key `nobody_reads_this`; the keys are "), "{error}");
        }
    }

    #[test]
    fn a_misspelt_key_or_table_is_named_with_what_was_meant() {
        let error = Settings::parse("[agents.soul]\nenabld = true").unwrap_err().to_string();
        assert!(error.ends_with("line 2: unknown key `enabld`; did you mean `enabled`?"), "{error}");
        let text = "top = 1\n[discovry]\n[agents.sol]\n[agents.soul]\n[agent.soul]\nenabled = true\n[memory.search]\n";
        let unknown = unknown_in(&toml::from_str(text).unwrap());
        assert_eq!(unknown, ["agent.soul", "agents.sol", "discovry", "top"]);
        let suggested: Vec<_> = unknown.iter().map(|name| closest(name, TABLES)).collect();
        assert_eq!(suggested, [Some("agents.soul"), Some("agents.soul"), Some("discovery"), None]);
    }
}
