use crate::diagnostics::Severity;
use crate::formats::soulspec::names::{NameMismatch, Stating, name_mismatches};
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{File, Hit, Package};
use crate::text::shown;

pub(crate) const RULE: Rule = Rule {
    id: "CONSIST001",
    name: "name-mismatch",
    family: Family::IdentityConsistency,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    message: "calls the agent by another name",
    why: "People choose a package by the name in its manifest; the model answers to the one in its texts. If they \
        differ, what was reviewed may not be what runs.",
    fix: "give the agent one name in `soul.json`, SOUL.md and IDENTITY.md",
    code_counts: true,
    matcher: Matcher::Package(look),
    hits: &[],
    misses: &[],
};

fn look(package: &Package<'_>) -> Vec<Hit> {
    let Some(manifest) = package.manifest.as_object() else { return Vec::new() };
    let path = |key: &str, usual: &'static str| {
        package.manifest["files"][key].as_str().map_or(usual, |path| path.trim_start_matches("./")).to_owned()
    };
    let (soul, identity) = (path("soul", "SOUL.md"), path("identity", "IDENTITY.md"));
    let text = |path: &str| package.files.iter().find(|file| file.path == path).map(File::text);
    let (soul_text, identity_text) = (text(&soul), text(&identity));
    let found = name_mismatches(manifest, soul_text.as_deref(), identity_text.as_deref());
    let hit = |NameMismatch { stating, stated, other, stated_by }| Hit {
        span: stated.span,
        file: Some(if stating == Stating::Soul { soul.clone() } else { identity.clone() }),
        note: Some(format!("{}, in {stated_by} {}", shown(stated.name), shown(other))),
        ..Hit::default()
    };
    found.into_iter().map(hit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::scan;

    /// Where the rule finds something, and what.
    fn found(manifest: &str, soul: &str, identity: &str) -> Vec<(String, usize, String)> {
        let files = [("soul.json", manifest), ("SOUL.md", soul), ("IDENTITY.md", identity)];
        let files = files.map(|(path, text)| File { path, bytes: text.as_bytes() });
        let findings = scan(&files).findings.into_iter().filter(|finding| finding.rule == RULE.id);
        findings.map(|finding| (finding.file, finding.line, finding.excerpt)).collect()
    }

    #[test]
    fn another_name_is_found_where_it_is_stated() {
        let manifest = r#"{"name": "alpha-bot", "displayName": "Alpha Bot"}"#;
        assert_eq!(
            found(manifest, "# Soul\n\nI am Zed.", "# Card\n\n- **Name:** Bob\n"),
            [("IDENTITY.md".to_owned(), 3, "Bob".to_owned()), ("SOUL.md".to_owned(), 3, "Zed".to_owned())]
        );
    }

    #[test]
    fn the_same_name_is_not() {
        let manifest = r#"{"name": "alpha-bot", "displayName": "Alpha Bot"}"#;
        assert_eq!(found(manifest, "# Alpha\n\nYou are Alpha.", "Name: ALPHA-BOT (v2)"), []);
        // Without a manifest there is no package.
        let files = [("SOUL.md", "I am Zed."), ("IDENTITY.md", "Name: Bob")];
        let files = files.map(|(path, text)| File { path, bytes: text.as_bytes() });
        assert!(scan(&files).findings.is_empty());
    }
}
