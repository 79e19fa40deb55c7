//! Secrets that stand in a file that is imported: they stay behind.

use super::LeftOut;
use crate::scan::mask_secrets;

/// Masks the secrets of a text, and says where they were.
pub(super) fn masked(path: &str, text: String, left_out: &mut Vec<LeftOut>) -> String {
    let masked = mask_secrets(&text);
    if masked == text {
        return text;
    }
    let changed = text.lines().zip(masked.lines()).enumerate().filter(|(_, (before, after))| before != after);
    for (line, _) in changed {
        left_out.push(LeftOut::new(format!("a secret in {path}, line {}", line + 1), "secrets are never imported"));
    }
    masked.into_owned()
}
