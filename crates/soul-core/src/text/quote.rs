use super::characters::with_hidden;

/// Quotes a user's text for a message: in backticks, at most 60 characters, and [`visible`].
#[must_use]
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let cut: String = text.chars().take(LONGEST).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("`{}{more}`", visible(&cut))
}

/// Escapes control and invisible characters, including line ends, so that text is safe to print on a terminal. See
/// [`with_hidden`] for which characters these are.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (c, hidden) in with_hidden(text) {
        if hidden {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// A float as Go prints it with `%v`: shortest digits, with an exponent below 1e-4 and from 1e6 on.
pub(crate) fn go_float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.into();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    if exponent.parse::<i32>().is_ok_and(|exponent| (-4..6).contains(&exponent)) {
        return format!("{value}");
    }
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    format!("{digits}e{sign}{exponent:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(shown("to\u{200b}ols\u{1b}[31m"), "`to\\u{200b}ols\\u{1b}[31m`");
        assert_eq!(shown(&"x".repeat(200)).chars().count(), 63);
        assert_eq!(shown("日本語"), "`日本語`");
    }

    #[test]
    fn nothing_unseen_reaches_a_terminal() {
        let controls = ('\0'..='\u{1f}').chain('\u{7f}'..='\u{9f}');
        let ranges = [
            ('\u{ad}', '\u{ad}'),
            ('\u{34f}', '\u{34f}'),
            ('\u{61c}', '\u{61c}'),
            ('\u{115f}', '\u{1160}'),
            ('\u{17b4}', '\u{17b5}'),
            ('\u{180b}', '\u{180f}'),
            ('\u{200b}', '\u{200f}'),
            ('\u{2028}', '\u{202e}'),
            ('\u{2060}', '\u{206f}'),
            ('\u{2800}', '\u{2800}'),
            ('\u{3164}', '\u{3164}'),
            ('\u{fe00}', '\u{fe0f}'),
            ('\u{feff}', '\u{feff}'),
            ('\u{ffa0}', '\u{ffa0}'),
            ('\u{fff0}', '\u{fffb}'),
            ('\u{1343a}', '\u{1343b}'),
            ('\u{1bca0}', '\u{1bca3}'),
            ('\u{1d159}', '\u{1d159}'),
            ('\u{1d173}', '\u{1d17a}'),
            ('\u{e0000}', '\u{e0fff}'),
            ('\u{10fffe}', '\u{10ffff}'),
        ];
        for c in ranges.into_iter().flat_map(|(start, end)| start..=end).chain(controls) {
            let text = visible(&format!("a{c}b"));
            assert!(text.is_ascii() && text.starts_with("a\\") && text.ends_with('b'), "{c:?}: {text}");
        }
        for seen in ["❤\u{fe0f}", "नमस्ते", "שלום", "e\u{301}", "\u{600}١", "a\u{a0}b\u{3000}c"] {
            assert_eq!(visible(seen), seen);
        }
    }

    #[test]
    fn floats_print_as_go_does() {
        assert_eq!(go_float(1.5), "1.5");
        assert_eq!(go_float(2.0), "2");
        assert_eq!(go_float(f64::INFINITY), "+Inf");
        assert_eq!(go_float(1.5e-7), "1.5e-07");
        assert_eq!(go_float(123_456.0), "123456");
        assert_eq!(go_float(1_000_000.0), "1e+06");
    }
}
