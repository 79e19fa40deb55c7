//! The library in another program: a soul from a directory, from a file, and from a string.
//!
//! `cargo run --example embed`

use std::path::PathBuf;

use soul_core::formats::soulspec::Profile;
use soul_core::formats::{self, Context};
use soul_core::model::Field;
use soul_core::text::Source;
use soul_engine::ops::{Subject, inspect, prompt};
use soul_engine::workspace::{Roots, Target};
use soul_engine::{Keeper, settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let examples = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples"));

    // Without a workspace or a home, only what is pointed at is read.
    let keeper = Keeper::new(Roots::default(), settings::Settings::default());

    // A directory: the soul of an agent.
    let target = Target::Path(examples.join("reviewer"));
    let reviewer = inspect::run(&keeper, inspect::Request { target, dialect: None, profile: Profile::Lenient })?;
    say(&format!("{} is a {}", reviewer.source_path, reviewer.soul.texts(Field::Role).collect::<String>()));

    // A file: its prompt, to the byte.
    let target = Target::Path(examples.join("librarian/SOUL.md"));
    let part = prompt::Part::Full(Box::default());
    let request = prompt::Request { subject: Subject::Target(target, None), base: None, part };
    let librarian = prompt::run(&keeper, request)?;
    say(&format!("the librarian's prompt has {} bytes", librarian.text.len()));

    // A string: no file at all, and what is wrong with it.
    let source = Source::from("---\nrole: Guide\ntools: [shell]\n---\nYou show the way.\n");
    let dialect = formats::detect(&source, None, false).dialect;
    let parsed = formats::parse(source, dialect, &Context::default());
    for diagnostic in &parsed.diagnostics {
        say(&format!("line {:?}: {}: {}", diagnostic.line, diagnostic.code, diagnostic.message));
    }
    Ok(())
}

#[allow(clippy::print_stdout)]
fn say(line: &str) {
    println!("{line}");
}
