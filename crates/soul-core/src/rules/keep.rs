//! What a match must fulfil besides its pattern: that a value is one, and no stand-in for it.

/// Words that stand where a value is to be put.
const STAND_INS: [&str; 24] = [
    "your",
    "example",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "xxxx",
    "....",
    "****",
    "insert",
    "replace",
    "dummy",
    "fake",
    "sample",
    "todo",
    "redacted",
    "<",
    "…",
    "test",
    "secret-here",
    "abc123",
    "123456",
    "password",
    "${",
];

/// Not a stand-in for a key. One that has the whole shape of a key is reported even if it calls itself an example:
/// a leaked key with such a word in it works all the same.
pub(super) fn not_placeholder(text: &str) -> bool {
    let lower = text.to_lowercase();
    let stands_in = |word: &&str| lower.contains(*word) && !matches!(*word, "example" | "sample" | "test" | "fake");
    !STAND_INS.iter().any(stands_in) && variety(text) >= 8 && !is_spelled_out(text)
}

/// Whether a key says what is to be put there: words with hyphens between them, as in `sk-ant-oat01-actual-token-here`.
fn is_spelled_out(text: &str) -> bool {
    let value = text.trim_matches(['"', '\'', '`']);
    let parts: Vec<&str> = value.split(['-', '_']).skip(2).filter(|part| !part.is_empty()).collect();
    let plain = |part: &&str| {
        let one_kind = part.bytes().all(|byte| byte.is_ascii_digit())
            || part.bytes().all(|byte| byte.is_ascii_lowercase())
            || part.bytes().all(|byte| byte.is_ascii_uppercase());
        part.len() <= 10 && one_kind
    };
    // The first part may be the kind of key, with a version: `api03`.
    parts.len() >= 3 && parts[1..].iter().all(plain)
}

/// A value that someone or something chose at random: `key = "value"`, or one inside an address.
pub(super) fn random_value(text: &str) -> bool {
    let value = text.trim_end_matches(['"', '\'', '`']);
    let value = match value.rsplit_once(['"', '\'', '`']) {
        Some((_, value)) => value,
        None => text.rsplit_once('@').map_or(text, |(head, _)| head).rsplit_once(':').map_or(text, |(_, value)| value),
    };
    let lower = value.to_lowercase();
    let kinds = [
        value.bytes().any(|byte| byte.is_ascii_lowercase()),
        value.bytes().any(|byte| byte.is_ascii_uppercase()),
        value.bytes().any(|byte| byte.is_ascii_digit()),
    ];
    let kinds = kinds.into_iter().filter(|has| *has).count();
    kinds >= 2
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && variety(value) >= 7
        && !STAND_INS.iter().any(|word| lower.contains(word))
        && !is_made_up(&lower)
}

/// Whether a value was made up for a sample: a word about itself, with or without letters exchanged, an ellipsis, or
/// letters and digits in their order.
fn is_made_up(lower: &str) -> bool {
    const WORDS: [&str; 22] = [
        "pass", "secret", "admin", "secure", "demo", "dev-", "local", "user", "guest", "root", "welcome", "qwerty",
        "token", "-key", "key-", "key_", "_key", "mock", "letmein", "...", "xxx", "hunter2",
    ];
    let plain: String = lower
        .chars()
        .map(|c| match c {
            '@' | '4' => 'a',
            '$' | '5' => 's',
            '0' => 'o',
            '3' => 'e',
            c => c,
        })
        .collect();
    let in_order = |is: fn(&u8) -> bool| {
        let chosen: Vec<u8> = lower.bytes().filter(is).collect();
        chosen.len() >= 4 && chosen.windows(2).all(|pair| pair[1] == pair[0] + 1)
    };
    WORDS.iter().any(|word| lower.contains(word) || plain.contains(word))
        || in_order(u8::is_ascii_lowercase) && in_order(u8::is_ascii_digit)
}

/// A long string with small and large letters and digits, which no hash and no word has.
pub(super) fn random_token(text: &str) -> bool {
    let value = text.trim_matches(['"', '\'', '`']);
    let has = |kind: fn(&u8) -> bool| value.as_bytes().iter().any(kind);
    has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit) && variety(value) >= 16
}

/// An address that the whole network reaches.
pub(super) fn public_address(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("://") else { return false };
    let parts: Vec<u8> = rest.split(['.', ':', '/']).take(4).filter_map(|part| part.parse().ok()).collect();
    !matches!(parts[..], [10 | 127 | 0, ..] | [192, 168, ..] | [172, 16..=31, ..] | [169, 254, ..]) && parts.len() == 4
}

/// How many different characters a text has.
fn variety(text: &str) -> usize {
    let mut seen = [false; 128];
    text.bytes().filter(u8::is_ascii).for_each(|byte| seen[byte as usize] = true);
    seen.into_iter().filter(|seen| *seen).count()
}
