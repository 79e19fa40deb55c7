use crate::diagnostics::Severity;
use crate::rules::{Confidence, Family, Matcher, Rule};
use crate::scan::{Hit, Package};

pub(crate) const RULE: Rule = Rule {
    id: "SK802",
    name: "program-inside",
    family: Family::PackageStructure,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    message: "contains a compiled program or an archive",
    why: "Nobody can review a compiled program or an archive; a soul is text.",
    fix: "remove the file, or ship its source",
    code_counts: true,
    matcher: Matcher::Package(look),
    hits: &[],
    misses: &[],
};

/// Names that end so are programs or archives.
const ENDS: [&str; 26] = [
    ".exe", ".dll", ".so", ".dylib", ".pyc", ".pyo", ".class", ".jar", ".msi", ".scr", ".com", ".bat", ".cmd", ".vbs",
    ".lnk", ".dmg", ".pkg", ".apk", ".zip", ".rar", ".7z", ".tar", ".gz", ".xz", ".docx", ".wasm",
];

/// The first bytes of programs and archives.
const STARTS: [&[u8]; 6] =
    [b"\x7fELF", b"MZ\x90", b"PK\x03\x04", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\x1f\x8b\x08"];

fn look(package: &Package<'_>) -> Vec<Hit> {
    let is_program = |path: &str, bytes: &[u8]| {
        let name = path.to_ascii_lowercase();
        ENDS.iter().any(|end| name.ends_with(end)) || STARTS.iter().any(|start| bytes.starts_with(start))
    };
    let programs = package.files.iter().filter(|file| is_program(file.path, file.bytes));
    programs.map(|file| Hit { file: Some(file.path.to_owned()), ..Hit::default() }).collect()
}
