//! The pages that are generated from the code are the ones that are checked in.

use std::fmt::Write;
use std::path::Path;

use soul_core::diagnostics::Code;

/// Compares a page of `docs/` with what the code says now; `SOUL_BLESS=1` writes it.
fn check(page: &str, generated: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    if std::env::var_os("SOUL_BLESS").is_some() {
        std::fs::write(&path, generated).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(checked_in == generated, "docs/{page} is out of date; SOUL_BLESS=1 writes it anew");
}

#[test]
fn diagnostics() {
    let mut page = String::from(
        "# Diagnostics\n\nEvery code there is. Only errors make a soul invalid. Spellings never change.\n\n| code | severity | meaning |\n|---|---|---|\n",
    );
    for code in Code::ALL {
        let _ = writeln!(page, "| `{code}` | {} | {} |", code.severity().as_str(), code.meaning());
    }
    check("diagnostics.md", &page);
}
