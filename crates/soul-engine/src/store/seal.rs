//! Seals: a digest in each row of some tables, over every other column of it. It shows that a row was changed by
//! anybody but us. Like a chain, it does not stop an attacker who computes it anew.
//!
//! ```text
//! seal = sha256( "soul.seal.1\n" ‖ table ‖ "\n" ‖ for each column: name ‖ " " ‖ length ‖ " " ‖ bytes ‖ "\n" )
//! ```
//!
//! A column without a value has `-` for its length and no bytes; one that was added later is left out. Columns stand in
//! the order of [`SealedTable::columns`] and [`SealedTable::added`]; times are written as everywhere, and a digest of bytes in hex. This form never changes; another one gets another first line.

use soul_core::digest::Digest;

/// A table whose rows are sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SealedTable {
    Tokens,
    Sessions,
    Runs,
    Proposals,
    Receipts,
}

impl SealedTable {
    pub(super) const ALL: [Self; 5] = [Self::Tokens, Self::Sessions, Self::Runs, Self::Proposals, Self::Receipts];

    /// The tables of the first version that had seals.
    pub(super) const FIRST: [Self; 3] = [Self::Tokens, Self::Sessions, Self::Runs];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Sessions => "sessions",
            Self::Runs => "task_runs",
            Self::Proposals => "proposals",
            Self::Receipts => "session_receipts",
        }
    }

    /// What is sealed, the id first.
    pub(super) const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Tokens => &["id", "name", "role", "grants", "proof", "created_at", "revoked_at"],
            Self::Sessions => &[
                "id",
                "scope",
                "kind",
                "name",
                "state",
                "soul_snapshot_id",
                "soul_digest",
                "soul_status",
                "parent_id",
                "parent_soul_digest",
                "created_at",
                "captured_at",
                "stopped_at",
                "surroundings_json",
                "soul_source_json",
                "persona_json",
            ],
            Self::Runs => &[
                "id",
                "task_id",
                "session_id",
                "state",
                "metadata_json",
                "lease_expires_at",
                "lease_boot",
                "lease_deadline",
                "claimed_at",
                "finished_at",
            ],
            // The texts are bound by their digests.
            Self::Proposals => &[
                "id",
                "scope",
                "kind",
                "name",
                "state",
                "base_digest",
                "base_raw_digest",
                "new_digest",
                "raw_digest",
                "dialect",
                "summary",
                "reason",
                "evidence",
                "session",
                "poisoned",
                "findings_json",
                "diagnostics_json",
                "actor_kind",
                "actor_ref",
                "origin_kind",
                "origin_ref",
                "created_at",
                "reviewer_kind",
                "reviewer_ref",
                "review_message",
                "reviewed_at",
                "revision_id",
            ],
            Self::Receipts => &[
                "id",
                "session_id",
                "captured_at",
                "actor_kind",
                "actor_ref",
                "snapshot_id",
                "soul_digest",
                "prompt_json",
            ],
        }
    }

    /// Columns that came later. One without a value is left out, so that the seals of earlier rows stay valid.
    pub(super) const fn added(self) -> &'static [&'static str] {
        match self {
            Self::Tokens => &["agent"],
            Self::Sessions | Self::Runs | Self::Proposals | Self::Receipts => &[],
        }
    }

    /// The seal of a row with these values, in the order of the columns.
    pub(super) fn seal(self, values: &[Option<Vec<u8>>]) -> Digest {
        let mut text = format!("soul.seal.1\n{}\n", self.name()).into_bytes();
        let first = self.columns().len();
        for (at, (column, value)) in self.columns().iter().chain(self.added()).zip(values).enumerate() {
            if at >= first && value.is_none() {
                continue;
            }
            text.extend_from_slice(column.as_bytes());
            match value {
                None => text.extend_from_slice(b" - \n"),
                Some(value) => {
                    text.extend_from_slice(format!(" {} ", value.len()).as_bytes());
                    text.extend_from_slice(value);
                    text.push(b'\n');
                }
            }
        }
        Digest::of([text.as_slice()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with:
    ///
    /// ```python
    /// import hashlib
    /// columns = ["id", "name", "role", "grants", "proof", "created_at", "revoked_at"]
    /// values = ["tok_1", "Zoë", "viewer", "soul.read", "00ff", "2026-11-16T09:56:58.984740Z", None]
    /// text = b"soul.seal.1\ntokens\n"
    /// for column, value in zip(columns, values):
    ///     value = value if value is None else value.encode()
    ///     text += column.encode() + (b" - " if value is None else b" %d " % len(value) + value) + b"\n"
    /// print(hashlib.sha256(text).hexdigest())
    /// ```
    #[test]
    fn the_form_of_a_seal_never_changes() {
        let values = ["tok_1", "Zoë", "viewer", "soul.read", "00ff", "2026-11-16T09:56:58.984740Z"];
        let mut values: Vec<_> = values.iter().map(|value| Some(value.as_bytes().to_vec())).collect();
        values.push(None);
        let expected = "sha256:b92e18df06d28ef886d4ba7d7178a78983d23a8754a71a47942c5e4db81e6c31";
        assert_eq!(SealedTable::Tokens.seal(&values).to_string(), expected);
        // A column that was added later counts only if it has a value.
        values.push(None);
        assert_eq!(SealedTable::Tokens.seal(&values).to_string(), expected);
        values[7] = Some(b"ada".to_vec());
        assert_ne!(SealedTable::Tokens.seal(&values).to_string(), expected);
    }
}
