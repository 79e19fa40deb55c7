use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{AgentName, BadName};

/// What a command is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A file, or the directory of an agent.
    Path(PathBuf),
    /// An agent by name.
    Agent(AgentName),
    /// A text as if it were this agent's SOUL.md.
    Proposal(AgentName, Vec<u8>),
    /// A text that came without a place.
    Text(Vec<u8>),
}

impl Target {
    /// What was typed: a path if it looks like one or exists, else the name of an agent.
    ///
    /// # Errors
    /// When it is neither.
    pub fn from_typed(typed: &OsStr) -> Result<Self, BadName> {
        let path = Path::new(typed);
        let typed = &*typed.to_string_lossy();
        let looks_like_path = typed.contains(['/', '\\'])
            || typed.starts_with(['.', '~'])
            || path.extension().is_some_and(|extension| extension == "md" || extension == "json");
        if !typed.is_empty() && (looks_like_path || path.symlink_metadata().is_ok()) {
            return Ok(Self::Path(path.to_path_buf()));
        }
        typed.parse().map(Self::Agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_are_told_apart() {
        let is_path = |typed: &str| matches!(Target::from_typed(typed.as_ref()), Ok(Target::Path(_)));
        assert!(is_path("./reviewer") && is_path("a/b") && is_path("x.md") && is_path(".."));
        assert!(matches!(Target::from_typed("reviewer".as_ref()), Ok(Target::Agent(_))));
        assert!(Target::from_typed("".as_ref()).is_err());
        assert!(Target::from_typed("x".repeat(129).as_ref()).is_err());
    }
}
