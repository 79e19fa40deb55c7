/// A name in lower case, with each run of other characters replaced by one hyphen.
///
/// ```
/// use soul_core::text::slug;
/// assert_eq!(slug("Concise Ops!"), "concise-ops");
/// ```
#[must_use]
pub fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for c in name.to_lowercase().chars() {
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_follow_the_peer() {
        assert_eq!(slug("  Dr. Strange-Love!! (v2)  "), "dr-strange-love-v2");
        assert_eq!(slug("Zoë Ångström"), "zo-ngstr-m");
        assert_eq!(slug("İstanbul"), "i-stanbul");
        assert_eq!(slug("日本"), "");
    }
}
