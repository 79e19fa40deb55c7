//! The text chunks of a PNG picture. Pictures come from strangers, so everything in them is bounded.

use std::borrow::Cow;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The longest text that a chunk may hold, compressed or not.
const MAX_TEXT: usize = 8 << 20;
/// The most chunks that are looked at.
const MAX_CHUNKS: usize = 100_000;
/// The most chunks that are unpacked: each may become as long as a text may be.
const MAX_UNPACKED: usize = 4;
/// The chunks that hold cards; the first is that of V3.
const CARDS: [&str; 2] = ["ccv3", "chara"];

pub(super) fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

/// The card in a picture, as JSON: `ccv3` of a V3 card if there is one, else `chara`. `None` if the picture has no card,
/// or one that cannot be read.
#[must_use]
pub fn card_in(bytes: &[u8]) -> Option<String> {
    let texts = texts(bytes);
    let named = |name: &str| texts.iter().find(|(keyword, _)| keyword.eq_ignore_ascii_case(name));
    let (_, text) = CARDS.iter().find_map(|name| named(name))?;
    let json = match text.trim_start().starts_with('{') {
        true => text.clone().into_bytes(),
        false => crate::exchange::base64::decode(text)?,
    };
    String::from_utf8(json).ok()
}

/// Keyword and text of the chunks that hold cards and can be read.
fn texts(bytes: &[u8]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut unpacked = 0;
    let mut rest = bytes.strip_prefix(SIGNATURE).unwrap_or_default();
    for _ in 0..MAX_CHUNKS {
        let Some((head, after)) = rest.split_at_checked(8) else { break };
        let length = head[..4].iter().fold(0_usize, |length, byte| (length << 8) | usize::from(*byte));
        let Some((data, after)) = after.split_at_checked(length) else { break };
        let read = match &head[4..] {
            b"tEXt" => plain,
            b"zTXt" => compressed,
            b"iTXt" => international,
            b"IEND" => break,
            _ => no_text,
        };
        let is_card = keyword(data).is_some_and(|(name, _)| CARDS.iter().any(|card| name.eq_ignore_ascii_case(card)));
        if is_card && unpacked < MAX_UNPACKED {
            unpacked += 1;
            found.extend(read(data));
        }
        // The checksum of the chunk; a wrong one does not make its text another.
        rest = after.get(4..).unwrap_or_default();
    }
    found
}

/// A word up to a zero byte, and what follows.
fn keyword(data: &[u8]) -> Option<(String, &[u8])> {
    let end = data.iter().take(80).position(|byte| *byte == 0)?;
    Some((latin(&data[..end]), &data[end + 1..]))
}

fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn no_text(_: &[u8]) -> Option<(String, String)> {
    None
}

fn plain(data: &[u8]) -> Option<(String, String)> {
    let (name, text) = keyword(data)?;
    (text.len() <= MAX_TEXT).then(|| (name, latin(text)))
}

fn inflated(data: &[u8]) -> Option<Vec<u8>> {
    decompress_to_vec_zlib_with_limit(data, MAX_TEXT).ok()
}

fn compressed(data: &[u8]) -> Option<(String, String)> {
    let (name, rest) = keyword(data)?;
    let (method, text) = rest.split_first()?;
    (*method == 0).then(|| Some((name, latin(&inflated(text)?))))?
}

fn international(data: &[u8]) -> Option<(String, String)> {
    let (name, rest) = keyword(data)?;
    let (flags, rest) = rest.split_at_checked(2)?;
    let (_, rest) = keyword_of_any_length(rest)?;
    let (_, text) = keyword_of_any_length(rest)?;
    let text = match flags[0] {
        0 if text.len() <= MAX_TEXT => Cow::Borrowed(text),
        1 if flags[1] == 0 => Cow::Owned(inflated(text)?),
        _ => return None,
    };
    Some((name, String::from_utf8(text.into_owned()).ok()?))
}

fn keyword_of_any_length(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = data.iter().position(|byte| *byte == 0)?;
    Some((&data[..end], &data[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec_zlib;

    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        [&u32::try_from(data.len()).unwrap().to_be_bytes()[..], kind, data, &[0; 4]].concat()
    }

    fn png(chunks: &[Vec<u8>]) -> Vec<u8> {
        [SIGNATURE, &chunk(b"IHDR", &[0; 13]), &chunks.concat(), &chunk(b"IEND", b"")].concat()
    }

    #[test]
    fn a_card_is_found_in_every_kind_of_text_chunk() {
        let card = "eyJhIjoxfQ==";
        let zipped = compress_to_vec_zlib(card.as_bytes(), 6);
        for chunk in [
            chunk(b"tEXt", format!("chara\0{card}").as_bytes()),
            chunk(b"zTXt", &[b"chara\0\0", &zipped[..]].concat()),
            chunk(b"iTXt", format!("chara\0\0\0en\0chara\0{card}").as_bytes()),
            chunk(b"iTXt", &[b"chara\0\x01\0\0\0", &zipped[..]].concat()),
        ] {
            assert_eq!(card_in(&png(&[chunk])).as_deref(), Some(r#"{"a":1}"#));
        }
    }

    #[test]
    fn a_card_of_version_three_wins() {
        let two = chunk(b"tEXt", b"chara\0eyJhIjoxfQ==");
        let three = chunk(b"tEXt", b"ccv3\0eyJhIjoyfQ==");
        assert_eq!(card_in(&png(&[two, three])).as_deref(), Some(r#"{"a":2}"#));
    }

    #[test]
    fn a_hostile_picture_is_no_card_and_no_crash() {
        let bomb = compress_to_vec_zlib(&vec![b'a'; MAX_TEXT + 1], 9);
        assert_eq!(card_in(&png(&[chunk(b"zTXt", &[b"chara\0\0", &bomb[..]].concat())])), None);
        // Many that are just short enough, under a name of their own or not.
        let large = compress_to_vec_zlib(&vec![b'a'; MAX_TEXT], 9);
        for name in ["other", "chara"] {
            let one = chunk(b"zTXt", &[name.as_bytes(), b"\0\0", &large[..]].concat());
            assert_eq!(card_in(&png(&vec![one; 500])), None);
        }
        let whole = png(&[chunk(b"tEXt", b"chara\0eyJhIjoxfQ==")]);
        for end in 0..whole.len() {
            let _ = card_in(&whole[..end]);
        }
        assert_eq!(card_in(&[SIGNATURE, &[0xff; 64]].concat()), None);
        assert_eq!(card_in(&png(&[chunk(b"tEXt", b"chara\0not base64!")])), None);
    }
}
