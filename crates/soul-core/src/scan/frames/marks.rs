//! Where sentences end, and what is an address: read here alone, so that the [sieve](super::sieve) and the
//! [reader](super::reader) agree.

use memchr::memchr_iter;

use crate::scan::{steps, swar};

/// Whether a sentence ends with the mark of ASCII at this place.
pub(super) fn ends_sentence(bytes: &[u8], at: usize) -> bool {
    let byte = bytes[at];
    if !matches!(byte, b'.' | b'!' | b'?') {
        return false;
    }
    let next = bytes.get(at + 1).copied().unwrap_or(b' ');
    let wide = at > 0 && !bytes[at - 1].is_ascii();
    let ends = matches!(next, b' ' | b'"' | b'\'' | b')' | b']') || wide && byte != b'.';
    ends && (byte != b'.' || !is_abbreviation(bytes, at))
}

/// Whether a mark of ASCII that may end a sentence stands before a place, and a space there. No entry and no address has
/// both.
pub(super) fn parts_sentences(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    bytes.get(at) == Some(&b' ') && before.is_some_and(|byte| matches!(byte, b'.' | b'!' | b'?'))
}

/// Whether a sentence ends with the mark beyond ASCII at this place.
pub(super) fn ends_wide_sentence(bytes: &[u8], at: usize) -> bool {
    // `。`, `।`, `؟`
    matches!(bytes[at..], [0xe3, 0x80, 0x82, ..] | [0xe0, 0xa5, 0xa4, ..] | [0xd8, 0x9f, ..])
}

pub(super) fn follows_letter(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes[at - 1].is_ascii_alphanumeric()
}

fn is_abbreviation(bytes: &[u8], at: usize) -> bool {
    const SHORT: [&str; 11] = ["dr", "mr", "mrs", "ms", "st", "vs", "e.g", "i.e", "etc", "z.b", "nr"];
    // No longer word is in the table.
    let near = at.saturating_sub(4);
    let word = match bytes[near..at].iter().rposition(|byte| matches!(byte, b' ' | b'(' | b'"')) {
        Some(space) => &bytes[near + space + 1..at],
        None if near == 0 => &bytes[..at],
        None => return false,
    };
    word.len() == 1 && word[0].is_ascii_alphabetic() || SHORT.iter().any(|short| short.as_bytes() == word)
}

/// Bytes that no address has.
static STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let marks = b" \"'<>()[],|";
        let mut at = 0;
        while at < marks.len() {
            stops[byte] |= marks[at] as usize == byte;
            at += 1;
        }
        stops[byte] |= byte >= 0x80;
        byte += 1;
    }
    stops
};

/// Finds addresses on the network: links, mailboxes and hosts.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    /// The end of the last word that was looked at.
    looked: usize,
}

impl Addresses {
    /// Where the address around a mark of one begins and ends; none if it is something else, or was looked at before.
    pub(super) fn find(&mut self, text: &str, at: usize) -> Option<(usize, usize)> {
        if at < self.looked {
            return None;
        }
        let bytes = text.as_bytes();
        let stops = |byte: &u8| STOPS[usize::from(*byte)];
        let start = bytes[..at].iter().rposition(stops).map_or(0, |at| at + 1);
        let end = bytes[at..].iter().position(stops).map_or(bytes.len(), |after| at + after);
        self.looked = end;
        steps::add(end - start);
        let word = text.get(start..end).unwrap_or_default().trim_end_matches(['.', ':', ';', '!', '?']);
        let end = start + word.len();
        (end > at && is_address(word)).then_some((start, end))
    }
}

/// Endings of hosts; a file name has others.
const TOP_LEVEL: [&str; 31] = [
    "net", "com", "org", "io", "dev", "app", "co", "info", "xyz", "site", "online", "cloud", "ai", "me", "biz", "eu",
    "uk", "de", "fr", "es", "pt", "pl", "ru", "cn", "jp", "kr", "br", "tr", "in", "test", "example",
];

/// Compared as numbers: most names with a dot are those of files, and end in none of these.
fn is_top_level(last: &str) -> bool {
    static KEYS: [u64; TOP_LEVEL.len()] = {
        let mut keys = [0; TOP_LEVEL.len()];
        let mut at = 0;
        while at < TOP_LEVEL.len() {
            let name = TOP_LEVEL[at].as_bytes();
            let mut byte = name.len();
            assert!(byte < 8);
            while byte > 0 {
                byte -= 1;
                keys[at] = keys[at] << 8 | name[byte] as u64;
            }
            at += 1;
        }
        keys
    };
    last.len() < 8 && KEYS.contains(&swar::eight(last.as_bytes(), 0))
}

fn is_address(word: &str) -> bool {
    let link = memchr_iter(b':', word.as_bytes()).find(|colon| word[*colon..].starts_with("://"));
    let (is_link, rest) = link.map_or((false, word), |colon| (true, &word[colon + 3..]));
    let end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#' | b':'));
    let host = end.map_or(rest, |end| &rest[..end]);
    let (mailbox, host) = host.rsplit_once('@').unwrap_or(("", host));
    let local = host.starts_with("localhost") || host.starts_with("127.") || host.starts_with("192.168.");
    let dot = host.bytes().rposition(|byte| byte == b'.');
    let last = dot.map_or(host, |dot| &host[dot + 1..]);
    // A mailbox is one at any host.
    let known = || !mailbox.is_empty() && last.bytes().all(|byte| byte.is_ascii_lowercase()) || is_top_level(last);
    !local && (is_link || dot.is_some() && known())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_mailboxes_and_hosts_are_addresses_and_files_are_not() {
        for word in ["https://a", "x:y://b", "a@b.cd", "relay.example", "a.co/b?c", "ftp://10.0.0.1:21"] {
            assert!(is_address(word), "{word}");
        }
        for word in ["main.rs", "a:b.md", "http://localhost:80", "a.exampler", "v1.2", "com", "a.", "key:value"] {
            assert!(!is_address(word), "{word}");
        }
    }
}
