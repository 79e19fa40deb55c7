//! The pages that are generated from the code are the ones that are checked in.

use std::fmt::Write;
use std::path::Path;

use soul_core::diagnostics::Code;
use soul_core::formats::soulspec::SpecVersion;
use soul_core::model::{At, Dialect, Field, HEADING_WORDS, Occurs, place};
use soul_core::rules::{Family, RULES};
use soul_core::text::visible;

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

#[test]
fn dialects() {
    let mut page = String::from(
        "# Dialects and fields\n\nWhere each dialect keeps what. A field that a dialect lacks goes to the nearest one it has when a soul is\nconverted, or is lost; `soul convert` says which.\n\n| field |",
    );
    for dialect in Dialect::ALL {
        let _ = write!(page, " {dialect} |");
    }
    let _ = write!(page, " meaning |\n|---|{}---|\n", "---|".repeat(Dialect::ALL.len()));
    for field in Field::ALL {
        let _ = write!(page, "| `{field}` |");
        for dialect in Dialect::ALL {
            let cell = place(*dialect, *field).map(|place| {
                let many = match place.occurs {
                    Occurs::Once => "",
                    Occurs::List => " (list)",
                    Occurs::Map => " (named values)",
                };
                match place.at {
                    At::Key("*") => "any other key".to_owned(),
                    At::Key(key) if *dialect == Dialect::Soulspec => format!("`{key}`{many}"),
                    At::Key(key) => format!("`{key}:`{many}"),
                    At::Section(title) => format!("`## {title}`"),
                    At::Top => "before the sections".to_owned(),
                    At::Body => "the body".to_owned(),
                    At::File("*") => "any other file".to_owned(),
                    At::File(name) => name.to_owned(),
                    At::FileName => "the file's name".to_owned(),
                }
            });
            let _ = write!(page, " {} |", cell.unwrap_or_default());
        }
        let _ = writeln!(page, " {} |", field.meaning());
    }
    check("dialects.md", &page);
}

/// What each language calls a section of each field.
#[test]
fn headings() {
    let mut page = String::from(
        "# Heading words\n\nWhat the headings of a plain soul mean ([plain.md](plain.md) says how they are compared). Every word and phrase\nthat is understood, by field.\n",
    );
    let mut field = None;
    for row in HEADING_WORDS {
        if field.replace(row.field) != Some(row.field) {
            let _ =
                write!(page, "\n## `{}`\n\n{}\n\n| language | words |\n|---|---|\n", row.field, row.field.meaning());
        }
        let _ = writeln!(page, "| {} | {} |", row.language, row.words.join(", "));
    }
    check("headings.md", &page);
}

#[test]
fn rules() {
    let mut page = String::from(
        "# Rules of the scanner\n\nEvery rule there is; `soul rule ID` shows one. Ids that begin with `SEC` mean what they mean in the public\nrule set, and are the ones that a grade counts; `SK` are ours. Ids never change.\n",
    );
    let mut families: Vec<Family> = RULES.iter().map(|rule| rule.family).collect();
    families.sort_unstable();
    families.dedup();
    for family in families {
        let _ = write!(page, "\n## {family}\n");
        for rule in RULES.iter().filter(|rule| rule.family == family) {
            let (severity, confidence) = (rule.severity.as_str(), rule.confidence.as_str());
            let _ = write!(
                page,
                "\n### {} {}\n\n{severity}, {confidence} confidence: {}\n\n{}\n\nFix: {}\n",
                rule.id, rule.name, rule.message, rule.why, rule.fix
            );
            for (title, texts) in [("Finds", rule.hits), ("Lets pass", rule.misses)] {
                if !texts.is_empty() {
                    let _ = write!(page, "\n{title}:\n\n");
                    texts.iter().for_each(|text| {
                        let _ = writeln!(page, "- `` {} ``", visible(text));
                    });
                }
            }
        }
    }
    check("rules.md", &page);
}

#[test]
fn schemas() {
    for version in SpecVersion::ALL {
        let schema = format!("{:#}\n", soul_core::formats::soulspec::schema(*version));
        check(&format!("../schemas/soul-{version}.schema.json"), &schema);
    }
}
