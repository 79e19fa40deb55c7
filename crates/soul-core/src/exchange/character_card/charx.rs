//! The card in a `.charx` file: a zip archive with `card.json` at its root, pictures beside it, and sometimes a picture
//! before it. Archives come from strangers, so everything in them is bounded, and nothing but the card is unpacked.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

const CARD: &[u8] = b"card.json";
const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// The longest card, packed or not.
const MAX_CARD: usize = 8 << 20;
/// The most entries that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// A comment stands after the end record, and is at most this long.
const MAX_COMMENT: usize = 0xffff;

/// Whether the bytes are an archive, perhaps with a picture before it.
pub(super) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(LOCAL) || (bytes.starts_with(b"\xff\xd8\xff") && end_record(bytes).is_some())
}

/// The card of an archive, as JSON. `None` if there is none, or one that cannot be read.
pub(super) fn card_in(bytes: &[u8]) -> Option<String> {
    let end = end_record(bytes)?;
    let (size, offset) = (number(bytes, end + 12, 4)?, number(bytes, end + 16, 4)?);
    // Offsets count from the first byte of the archive, which need not be that of the file.
    let start = end.checked_sub(size)?.checked_sub(offset)?;
    let mut at = start.checked_add(offset)?;
    for _ in 0..MAX_ENTRIES {
        if !bytes.get(at..)?.starts_with(CENTRAL) {
            return None;
        }
        let field = |offset, size| number(bytes, at + offset, size);
        let (name, extra, comment) = (field(28, 2)?, field(30, 2)?, field(32, 2)?);
        if bytes.get(at + 46..at + 46 + name)? == CARD {
            let is_encrypted = field(8, 2)? & 1 != 0;
            let (method, packed, unpacked) = (field(10, 2)?, field(20, 4)?, field(24, 4)?);
            let local = start.checked_add(field(42, 4)?)?;
            return (!is_encrypted && packed <= MAX_CARD && unpacked <= MAX_CARD)
                .then(|| unpack(bytes, local, method, packed))?;
        }
        at += 46 + name + extra + comment;
    }
    None
}

fn unpack(bytes: &[u8], at: usize, method: usize, packed: usize) -> Option<String> {
    if !bytes.get(at..)?.starts_with(LOCAL) {
        return None;
    }
    let data = at + 30 + number(bytes, at + 26, 2)? + number(bytes, at + 28, 2)?;
    let data = bytes.get(data..data.checked_add(packed)?)?;
    let text = match method {
        0 => data.to_vec(),
        8 => decompress_to_vec_with_limit(data, MAX_CARD).ok()?,
        _ => return None,
    };
    String::from_utf8(text).ok()
}

/// Where the end record is, the last one that could be.
fn end_record(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(22)?;
    (last.saturating_sub(MAX_COMMENT)..=last).rev().find(|at| bytes[*at..].starts_with(END))
}

fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let digits = bytes.get(at..at.checked_add(size)?)?;
    Some(digits.iter().rev().fold(0, |number, byte| (number << 8) | usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec;

    const JSON: &str = r#"{"a":1}"#;

    fn two(number: usize) -> [u8; 2] {
        u16::try_from(number).unwrap().to_le_bytes()
    }

    fn four(number: usize) -> [u8; 4] {
        u32::try_from(number).unwrap().to_le_bytes()
    }

    /// An archive of entries: name, method, flags, packed bytes, size that is announced.
    fn archive(entries: &[(&str, usize, usize, &[u8], usize)]) -> Vec<u8> {
        let (mut out, mut central) = (Vec::new(), Vec::new());
        for (name, method, flags, data, size) in entries {
            let at = out.len();
            let common =
                [&two(*method)[..], &[0; 8], &four(data.len()), &four(*size), &two(name.len()), &two(0)].concat();
            out.extend([LOCAL, &two(20), &two(*flags), &common, name.as_bytes(), data].concat());
            central.extend(
                [CENTRAL, &two(20), &two(20), &two(*flags), &common, &[0; 10], &four(at), name.as_bytes()].concat(),
            );
        }
        let (size, offset) = (central.len(), out.len());
        out.extend(central);
        out.extend(
            [END, &[0; 4], &two(entries.len()), &two(entries.len()), &four(size), &four(offset), &two(0)].concat(),
        );
        out
    }

    #[test]
    fn a_card_is_found_stored_or_packed_and_behind_a_picture() {
        let packed = compress_to_vec(JSON.as_bytes(), 6);
        let asset = ("assets/icon/1.png", 0, 0, &b"picture"[..], 7);
        for card in [("card.json", 0, 0, JSON.as_bytes(), 7), ("card.json", 8, 0, &packed[..], 7)] {
            let whole = archive(&[asset, card]);
            assert!(is_archive(&whole));
            assert_eq!(card_in(&whole).as_deref(), Some(JSON));
            let behind = [b"\xff\xd8\xff\xe0 a photograph", &whole[..]].concat();
            assert!(is_archive(&behind));
            assert_eq!(card_in(&behind).as_deref(), Some(JSON));
        }
    }

    #[test]
    fn a_hostile_archive_is_no_card_and_no_crash() {
        let bomb = compress_to_vec(&vec![b' '; MAX_CARD + 1], 9);
        // It announces a small size.
        assert_eq!(card_in(&archive(&[("card.json", 8, 0, &bomb, 7)])), None);
        assert_eq!(card_in(&archive(&[("card.json", 0, 1, JSON.as_bytes(), 7)])), None, "encrypted");
        assert_eq!(card_in(&archive(&[("card.json", 14, 0, JSON.as_bytes(), 7)])), None, "another method");
        assert_eq!(card_in(&archive(&[("../card.json", 0, 0, JSON.as_bytes(), 7)])), None, "not at the root");
        let whole = archive(&[("card.json", 0, 0, JSON.as_bytes(), 7)]);
        for end in 0..whole.len() {
            assert_eq!(card_in(&whole[..end]), None);
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] = 0xff;
            let _ = card_in(&changed);
        }
    }
}
