//! Base64 of RFC 4648: pictures that carry a card, and keys.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes of a text in base64; white space in it does not count. `None` if it is something else.
///
/// ```
/// assert_eq!(soul_core::exchange::base64::decode("aGVsbG8=").as_deref(), Some(&b"hello"[..]));
/// ```
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let digits: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    decode_strict(&digits)
}

/// The same, without white space and with its padding.
pub(crate) fn decode_strict(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    if !text.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0_u32);
    for digit in digits.bytes() {
        let value = DIGITS.iter().position(|known| *known == digit)?;
        bits = (bits << 6) | u32::try_from(value).ok()?;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((bits >> held) & 0xff).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_other_texts_are_refused() {
        assert_eq!(decode("aGVsbG8=").as_deref(), Some(&b"hello"[..]));
        assert_eq!(decode("aGVs\nbG8h").as_deref(), Some(&b"hello!"[..]));
        assert_eq!(decode("").as_deref(), Some(&b""[..]));
        for bad in ["aGVsbG8", "a===", "a GVs_G8=", "====", "é==="] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
