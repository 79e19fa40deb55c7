//! The library in another program: a soul from a directory, from a file, and from a string.
//!
//! `cargo run --example embed`

use std::path::PathBuf;

use soul_core::formats;
use soul_core::model::Field;
use soul_core::text::Source;
use soul_engine::ops::{Operation, inspect, prompt};
use soul_engine::settings::Settings;
use soul_engine::souls::{Subject, Target};
use soul_engine::store::Party;
use soul_engine::workspace::Roots;
use soul_engine::{Caller, Context, Keeper};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let examples = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples"));

    // Without a workspace or a home, only what is pointed at is read. The caller goes on record with a change.
    let keeper = Keeper::new(Roots::default(), Settings::default());
    let caller = Caller::local(Party::new("user", "embedder"), "embed");
    let context = Context::new(&keeper, &caller);

    // A directory: the soul of an agent.
    let target = Target::Path(examples.join("reviewer"));
    let reviewer = inspect::Request::new(target).call(&context)?;
    say(&format!("{} is a {}", reviewer.source_path, reviewer.soul.texts(Field::Role).collect::<String>()));

    // A file: its prompt, to the byte.
    let target = Target::Path(examples.join("librarian/SOUL.md"));
    let librarian = prompt::Request::new(Subject::Target(target)).call(&context)?;
    say(&format!("the librarian's prompt has {} bytes", librarian.text.len()));

    // A string: no file at all, and what is wrong with it.
    let source = Source::from("---\nrole: Guide\ntools: [shell]\n---\nYou show the way.\n");
    let dialect = formats::detect(&source, None, false).dialect;
    let parsed = formats::parse(source, dialect, &formats::Context::default());
    for diagnostic in &parsed.diagnostics {
        say(&format!("line {:?}: {}: {}", diagnostic.line, diagnostic.code, diagnostic.message));
    }
    Ok(())
}

#[allow(clippy::print_stdout)]
fn say(line: &str) {
    println!("{line}");
}
