//! Which single values OpenClaw accepts: ids, versions, paths, names of environment variables, addresses.

/// Environment names that a server started by OpenClaw may not set.
static BLOCKED_ENVIRONMENT: &str = include_str!("blocked_environment.txt");

pub(super) fn is_id(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-')
}

/// `name` or `@scope/name`, in lower case.
pub(super) fn is_package_name(text: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c))
    };
    match text.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| part(scope) && part(name)),
        None => part(text),
    }
}

/// A version of semver.org, without a range.
pub(super) fn is_exact_version(text: &str) -> bool {
    let number = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'))
    };
    let word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
    let (core, pre) = text.split_once('-').map_or((text, None), |(core, pre)| (core, Some(pre)));
    let identifier = |text: &str| number(text) || (word(text) && text.bytes().any(|b| !b.is_ascii_digit()));
    core.split('.').count() == 3
        && core.split('.').all(number)
        && pre.is_none_or(|pre| pre.split('.').all(identifier))
        && build.is_none_or(|build| build.split('.').all(word))
}

pub(super) fn is_model(text: &str) -> bool {
    text.contains('/') && text.split('/').all(|part| !part.is_empty() && !part.contains(char::is_whitespace))
}

/// A path that stays in its package, on every file system.
pub(super) fn is_safe_path(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let drive = path.as_bytes().get(1..3) == Some(b":/");
    let reserved = |part: &str| {
        let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
        let numbered = |word| {
            stem.strip_prefix(word).is_some_and(|n| n.len() == 1 && n != "0" && n.as_bytes()[0].is_ascii_digit())
        };
        ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || numbered("com") || numbered("lpt")
    };
    let part = |part: &str| {
        !part.is_empty()
            && part != "."
            && part != ".."
            && !part.contains(['<', '>', ':', '"', '|', '?', '*'])
            && !part.chars().any(|c| (c as u32) <= 31)
            && !part.ends_with(['.', ' '])
            && !reserved(part)
    };
    !drive && path.split('/').all(part)
}

/// A path as file systems that ignore case and accents' spelling compare it.
pub(super) fn path_key(path: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    path.replace('\\', "/").nfc().collect::<String>().to_lowercase()
}

pub(super) fn is_data_image(value: &str) -> bool {
    const MAX: usize = 2_097_152_usize.div_ceil(3) * 4 + 26;
    value.len() <= MAX && value.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("data:image/"))
}

pub(super) fn is_avatar(value: &str) -> bool {
    if is_data_image(value) {
        let Some((metadata, payload)) = value.split_once(',') else { return false };
        let base64 = metadata.to_ascii_lowercase().split(';').skip(1).any(|part| part == "base64");
        return !payload.is_empty() && (!base64 || crate::exchange::base64::decode_strict(payload).is_some());
    }
    let extension = value.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, end)| end);
    let known = |end: &str| ["png", "jpg", "jpeg", "gif", "webp", "svg"].contains(&end.to_ascii_lowercase().as_str());
    is_safe_path(value) && extension.is_some_and(known)
}

pub(super) fn is_environment_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

pub(super) fn is_environment_reference(text: &str) -> bool {
    let name = text.strip_prefix("${").and_then(|text| text.strip_suffix('}'));
    name.is_some_and(|name| is_environment_name(name) && !name.contains(|c: char| c.is_ascii_lowercase()))
}

pub(super) fn is_blocked_environment(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["DYLD_", "LD_", "BASH_FUNC_"].iter().any(|prefix| name.starts_with(prefix))
        || BLOCKED_ENVIRONMENT.lines().any(|blocked| blocked == name)
}

pub(super) fn is_bounded_grant(grant: &str) -> bool {
    let grant = grant.trim().to_ascii_lowercase();
    !grant.contains(['*', '?', '[', ']', '{', '}']) && grant != "group:plugins" && grant != "bundle-mcp"
}

pub(super) fn is_duration(text: &str) -> bool {
    let number = text.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &text.trim()[number.len()..];
    number.parse::<f64>().is_ok_and(|number| number >= 0.0)
        && ["", "ms", "s", "m", "h", "d"].contains(&unit.to_ascii_lowercase().as_str())
}

pub(super) fn is_time(text: &str, may_be_24: bool) -> bool {
    let two = |text: &str| (text.len() == 2).then(|| text.parse::<u8>().ok()).flatten();
    let time = text.split_once(':').and_then(|(hour, minute)| Some((two(hour)?, two(minute)?)));
    time.is_some_and(|(hour, minute)| (hour < 24 && minute < 60) || (may_be_24 && (hour, minute) == (24, 0)))
}

/// What of a URL decides whether it may be called.
pub(super) struct Url<'a> {
    pub(super) scheme: String,
    pub(super) host: &'a str,
    pub(super) user: bool,
    pub(super) fragment: bool,
}

impl<'a> Url<'a> {
    pub(super) fn of(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let authority = rest.split(['/', '?', '#']).next()?;
        let (user, host) = authority.rsplit_once('@').map_or((false, authority), |(_, host)| (true, host));
        let host = match host.find(']') {
            Some(end) => &host[..=end],
            None => host.split(':').next()?,
        };
        let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        let good = named && !host.is_empty() && !host.contains(char::is_whitespace);
        let fragment = url.split_once('#').is_some_and(|(_, fragment)| !fragment.is_empty());
        good.then(|| Self { scheme: scheme.to_ascii_lowercase(), host, user, fragment })
    }
}
