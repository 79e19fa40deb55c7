/// What a scalar turned out to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scalar<'a> {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(&'a str),
}

/// How one YAML library reads plain scalars; everything it does not claim is text.
pub(crate) struct Schema {
    pub(crate) nulls: &'static [&'static str],
    pub(crate) trues: &'static [&'static str],
    pub(crate) falses: &'static [&'static str],
    pub(crate) infinities: &'static [&'static str],
    pub(crate) nans: &'static [&'static str],
    /// Prefixes of integers in another base.
    pub(crate) bases: &'static [(&'static str, u32)],
    /// `017` is fifteen.
    pub(crate) leading_zero_is_octal: bool,
    /// `1_000` is a thousand.
    pub(crate) underscores: bool,
    /// `1e3` is a float although it has no dot.
    pub(crate) exponent_without_dot: bool,
    /// Numbers as JavaScript's library has them: no `_` at the end, no sign before a bare dot, no
    /// zero before other digits of a fraction; an integer of more than 64 bits is a float.
    pub(crate) javascript: bool,
    /// `12:30:45` is a number to the base of sixty.
    pub(crate) sexagesimal: bool,
    /// A document that is only `null` counts as an empty mapping.
    pub(crate) null_is_empty: bool,
    /// A tab may stand before a key.
    pub(crate) tabs_indent: bool,
}

/// goccy/go-yaml, which AGH and Dagu read with.
pub(crate) const GOCCY: Schema = Schema {
    nulls: &["", "~", "null", "Null", "NULL"],
    trues: &["true", "True", "TRUE"],
    falses: &["false", "False", "FALSE"],
    infinities: &[".inf", ".Inf", ".INF"],
    nans: &[".nan", ".NaN", ".NAN"],
    bases: &[("0x", 16), ("0o", 8), ("0b", 2)],
    leading_zero_is_octal: true,
    underscores: true,
    exponent_without_dot: false,
    javascript: false,
    sexagesimal: false,
    null_is_empty: false,
    tabs_indent: false,
};

/// js-yaml 3, which AgentOS reads with. Its dates are left as the text that they are.
pub(crate) const JS_YAML: Schema = Schema {
    bases: &[("0x", 16), ("0b", 2)],
    exponent_without_dot: true,
    javascript: true,
    sexagesimal: true,
    null_is_empty: true,
    tabs_indent: true,
    ..GOCCY
};

/// yaml 2, which reads tool definitions: YAML 1.2's core schema and nothing more.
pub(crate) const YAML2: Schema = Schema {
    bases: &[("0x", 16), ("0o", 8)],
    leading_zero_is_octal: false,
    underscores: false,
    exponent_without_dot: true,
    ..GOCCY
};

/// PyYAML, which CrewAI reads with: YAML 1.1, whose dates are left as the text that they are.
pub(crate) const PYYAML: Schema = Schema {
    trues: &["true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"],
    falses: &["false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"],
    bases: &[("0x", 16), ("0b", 2)],
    sexagesimal: true,
    ..GOCCY
};

/// JSON, in which only `null`, `true`, `false` and numbers stand without quotes.
pub(crate) const JSON: Schema = Schema {
    nulls: &["null"],
    trues: &["true"],
    falses: &["false"],
    infinities: &[],
    nans: &[],
    bases: &[],
    leading_zero_is_octal: false,
    underscores: false,
    exponent_without_dot: true,
    javascript: true,
    sexagesimal: false,
    null_is_empty: false,
    tabs_indent: true,
};

impl Schema {
    pub(crate) fn resolve<'a>(&self, text: &'a str) -> Scalar<'a> {
        // Most scalars are words, and no word of another type begins like them.
        if text.as_bytes().first().is_some_and(|first| !b"~nNtTfFyYoO.+-0123456789".contains(first)) {
            return Scalar::Text(text);
        }
        if self.nulls.contains(&text) {
            return Scalar::Null;
        }
        if self.trues.contains(&text) {
            return Scalar::Bool(true);
        }
        if self.falses.contains(&text) {
            return Scalar::Bool(false);
        }
        if self.nans.contains(&text) {
            return Scalar::Float(f64::NAN);
        }
        self.number(text).unwrap_or(Scalar::Text(text))
    }

    fn number<'a>(&self, text: &str) -> Option<Scalar<'a>> {
        let (sign, digits) = match text.as_bytes().first()? {
            b'-' => (-1, &text[1..]),
            b'+' => (1, &text[1..]),
            b'0'..=b'9' | b'.' => (1, text),
            _ => return None,
        };
        if self.infinities.contains(&digits) && (self.javascript || !text.starts_with('+')) {
            return Some(Scalar::Float(f64::from(sign) * f64::INFINITY));
        }
        if self.javascript && text.ends_with('_') {
            return None;
        }
        if self.sexagesimal && digits.contains(':') {
            return sexagesimal(sign, digits);
        }
        let joined;
        let digits = if self.underscores && digits.contains('_') && !digits.starts_with('_') {
            joined = digits.replace('_', "");
            joined.as_str()
        } else {
            digits
        };
        let based = self.bases.iter().find_map(|(prefix, base)| Some((digits.strip_prefix(prefix)?, *base)));
        let (digits, base) = match based {
            Some(based) => based,
            None if self.leading_zero_is_octal
                && digits.len() > 1
                && digits.starts_with('0')
                && !digits.contains('.') =>
            {
                (digits, 8)
            }
            None => (digits, 10),
        };
        if !digits.is_empty() && digits.chars().all(|c| c.is_digit(base)) {
            let float = || digits.parse().ok().filter(|_| self.javascript && base == 10);
            return integer(sign, digits, base)
                .or_else(|| float().map(|value: f64| Scalar::Float(f64::from(sign) * value)));
        }
        if self.javascript {
            return javascript_float(text).map(Scalar::Float);
        }
        let fraction = digits.contains('.') || (self.exponent_without_dot && digits.contains(['e', 'E']));
        let decimal = base == 10 && digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
        if fraction && decimal && digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            let value: f64 = digits.parse().ok()?;
            // A number that no float can hold is text.
            return value.is_finite().then(|| Scalar::Float(f64::from(sign) * value));
        }
        None
    }
}

/// A float by js-yaml's pattern.
fn javascript_float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole_fits = match whole {
        "" => unsigned.len() == text.len() && !fraction.is_empty(),
        whole => whole == "0" || (whole.starts_with(|c: char| ('1'..='9').contains(&c)) && digits(whole)),
    };
    let exponent_fits = exponent.is_none_or(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    let fits = whole_fits && digits(fraction) && exponent_fits && (exponent.is_some() || mantissa.contains('.'));
    let value = text.replace('_', "").parse::<f64>().ok().filter(|_| fits)?;
    value.is_finite().then_some(value)
}

/// Digits in groups below sixty; the first group has no upper bound and no leading zero.
fn sexagesimal<'a>(sign: i32, digits: &str) -> Option<Scalar<'a>> {
    // The last group may have a fraction.
    let (digits, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut groups = digits.split(':');
    let first = groups.next()?;
    let mut value: i128 = (!first.starts_with('0') && first.len() < 18).then(|| first.parse().ok()).flatten()?;
    for group in groups {
        let short = matches!(group.len(), 1 | 2) && group.bytes().all(|byte| byte.is_ascii_digit());
        let group: i128 = if short { group.parse().ok()? } else { return None };
        value = (group < 60).then(|| value.checked_mul(60)?.checked_add(group)).flatten()?;
    }
    if fraction.is_empty() {
        return integer(sign, &value.to_string(), 10);
    }
    let fraction: f64 = format!("0.{fraction}").parse().ok()?;
    Some(Scalar::Float(f64::from(sign) * (value as f64 + fraction)))
}

impl From<Scalar<'_>> for serde_json::Value {
    fn from(scalar: Scalar<'_>) -> Self {
        match scalar {
            Scalar::Null => Self::Null,
            Scalar::Bool(value) => value.into(),
            Scalar::Int(value) => match (i64::try_from(value), u64::try_from(value)) {
                (Ok(value), _) => value.into(),
                (_, Ok(value)) => value.into(),
                _ => value.to_string().into(),
            },
            // JSON has neither NaN nor infinity.
            Scalar::Float(value) => value.into(),
            Scalar::Text(text) => text.into(),
        }
    }
}

/// An integer of 64 bits; a larger one is text to every library we follow.
fn integer<'a>(sign: i32, digits: &str, base: u32) -> Option<Scalar<'a>> {
    let value = i128::from_str_radix(digits, base).ok()? * i128::from(sign);
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(Scalar::Int(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goccy_reads_what_the_peer_was_seen_to_read() {
        let read = |text| GOCCY.resolve(text);
        for text in [
            "yes",
            "no",
            "on",
            "off",
            "2024-01-02",
            "1e3",
            "08",
            "0x",
            "_1",
            "1.2.3",
            "-",
            "+",
            ".",
            "1.5.",
            "0x1.8",
            "99999999999999999999",
            "nul",
            "+.inf",
            "1:30",
        ] {
            assert_eq!(read(text), Scalar::Text(text), "{text}");
        }
        for (text, value) in [
            ("017", 15),
            ("0o17", 15),
            ("0x10", 16),
            ("0b101", 5),
            ("1_000", 1000),
            ("+7", 7),
            ("-3", -3),
            ("0", 0),
            ("-0x10", -16),
            ("18446744073709551615", u64::MAX.into()),
        ] {
            assert_eq!(read(text), Scalar::Int(value), "{text}");
        }
        for (text, value) in [
            ("1.5", 1.5),
            ("2.0", 2.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("1.5e3", 1500.0),
            ("-.inf", f64::NEG_INFINITY),
            ("0.", 0.0),
        ] {
            assert_eq!(read(text), Scalar::Float(value), "{text}");
        }
        for text in ["", "~", "null", "Null"] {
            assert_eq!(read(text), Scalar::Null, "{text}");
        }
        assert_eq!(JS_YAML.resolve("12:30:45"), Scalar::Int(45_045));
        assert_eq!(JS_YAML.resolve("1e3"), Scalar::Float(1000.0));
        assert_eq!(JS_YAML.resolve("0o17"), Scalar::Text("0o17"));
        assert_eq!(JS_YAML.resolve("007"), Scalar::Int(7));
        assert_eq!(JS_YAML.resolve("1:99"), Scalar::Text("1:99"));
        assert_eq!(JSON.resolve("1e3"), Scalar::Float(1000.0));
        for text in ["-.5", "+.5", "01.5", "00.5", "1_", "0_", "1.5_", "1e3_0", "1.e", "e3"] {
            assert_eq!(JS_YAML.resolve(text), Scalar::Text(text), "{text}");
        }
        for (text, value) in [("0e3", 0.0), ("1:30.5", 90.5), ("+.inf", f64::INFINITY), (".5", 0.5), ("1_0.5", 10.5)] {
            assert_eq!(JS_YAML.resolve(text), Scalar::Float(value), "{text}");
        }
        assert_eq!(read("True"), Scalar::Bool(true));
        assert!(matches!(read(".NaN"), Scalar::Float(value) if value.is_nan()));
    }
}
