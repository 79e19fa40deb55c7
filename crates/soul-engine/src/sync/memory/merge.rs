//! Merging two versions of a memory file. Nothing stops: in a log both sides stay, elsewhere the last writer wins, and what
//! lost is named.

use soul_core::merge::{Side, merge};

/// Two versions in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Merged {
    pub(super) text: String,
    /// Passages that are not in it: where they were, and what they said.
    pub(super) lost: Vec<(String, String)>,
}

/// How passages are decided that both sides changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// Both stay, ours first.
    Union,
    /// Ours was written last.
    Ours,
    /// Theirs was written last.
    Theirs,
}

pub(super) fn merged(base: &str, ours: &str, theirs: &str, rule: Rule) -> Merged {
    let merge = merge(base, ours, theirs);
    let (text, loser) = match rule {
        Rule::Union => return Merged { text: merge.union(), lost: Vec::new() },
        Rule::Ours => (merge.resolve(|_| Side::Ours), Side::Theirs),
        Rule::Theirs => (merge.resolve(|_| Side::Theirs), Side::Ours),
    };
    let lost = merge.conflicts().map(|conflict| (conflict.place.to_string(), conflict.text(loser).to_owned()));
    Merged { text, lost: lost.filter(|(_, text)| !text.trim().is_empty()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_writer_wins_a_line_and_the_loser_is_named() {
        let base = "# Servers\n\nStaging: 8080\n\n# People\n\n- Ada\n";
        let ours = "# Servers\n\nStaging: 8081\n\n# People\n\n- Ada\n- Bob\n";
        let theirs = "# Servers\n\nStaging: 9090\n\n# People\n\n- Ada\n- Cy\n";
        let kept = merged(base, ours, theirs, Rule::Theirs);
        assert_eq!(kept.text, "# Servers\n\nStaging: 9090\n\n# People\n\n- Ada\n- Bob\n- Cy\n");
        assert_eq!(kept.lost, [("section `Servers`".to_owned(), "Staging: 8081\n".to_owned())]);
        assert!(merged(base, ours, theirs, Rule::Ours).text.contains("8081"));
        let both = merged(base, ours, theirs, Rule::Union);
        assert!(both.text.contains("8081") && both.text.contains("9090") && both.lost.is_empty());
    }
}
