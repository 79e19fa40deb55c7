//! How much of real plain souls is understood.
//!
//! `cargo xtask plain-eval DIR [--titles]` reads every SOUL.md below DIR, in any case, with the files beside it, and
//! prints the share of lines that became something better than a section. Tune the table of heading words on some
//! repositories and measure on others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use soul_core::formats::{Context, parse};
use soul_core::model::{Dialect, Field, Item};
use soul_core::text::Source;

#[derive(Default)]
struct Tally {
    files: usize,
    invalid: usize,
    /// Lines of bodies that say something and are no heading, by field.
    lines: BTreeMap<Field, usize>,
    /// Where names come from.
    names: BTreeMap<&'static str, usize>,
    /// Headings that were not understood, and how many lines stand under them.
    titles: BTreeMap<String, usize>,
}

pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let directory = words.iter().find(|word| !word.starts_with("--")).ok_or("usage: cargo xtask plain-eval DIR")?;
    let mut souls = Vec::new();
    find(Path::new(directory), &mut souls)?;
    souls.sort();
    let mut tally = Tally::default();
    for path in &souls {
        tally.add(path)?;
    }
    tally.print(words.iter().any(|word| word == "--titles"));
    Ok(())
}

fn find(directory: &Path, souls: &mut Vec<PathBuf>) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", directory.display());
    for entry in std::fs::read_dir(directory).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_dir() {
            find(&path, souls)?;
        } else if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("soul.md")) {
            souls.push(path);
        }
    }
    Ok(())
}

impl Tally {
    fn add(&mut self, path: &Path) -> Result<(), String> {
        let folder = path.parent().unwrap_or(path);
        let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
        let beside = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let beside = beside.filter(|beside| beside != path && beside.extension().is_some_and(|kind| kind == "md"));
        let files = beside.filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some((name, Source::new(std::fs::read(&path).ok()?)))
        });
        let folder = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let context = Context { folder, files: files.collect(), ..Context::default() };
        let source = Source::new(read(path)?);
        let parsed = parse(source.clone(), Dialect::Plain, &context);
        self.files += 1;
        self.invalid += usize::from(!parsed.is_valid());
        let items = parsed.document.soul().items;
        *self.names.entry(name_source(&items)).or_default() += 1;
        let text = source.text().unwrap_or_default();
        for item in
            items.iter().filter(|item| item.file.is_none() && item.heading.is_some() || item.field == Field::Body)
        {
            let lines = text[item.span.start..item.span.end].lines().map(str::trim);
            let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).count();
            *self.lines.entry(item.field).or_default() += lines;
            if let (Field::Section, Some(title)) = (item.field, &item.heading) {
                *self.titles.entry(title.clone()).or_default() += lines;
            }
        }
        Ok(())
    }

    fn print(&self, titles: bool) {
        let total: usize = self.lines.values().sum();
        let of = |count: usize| format!("{count:>7} {:>5.1} %", 100.0 * count as f64 / total.max(1) as f64);
        let vague: usize = [Field::Section, Field::Body].iter().filter_map(|field| self.lines.get(field)).sum();
        println!("{} souls ({} invalid), {total} lines", self.files, self.invalid);
        println!("  understood       {}", of(total - vague));
        for (field, count) in &self.lines {
            println!("  {:<16} {}", field.as_str(), of(*count));
        }
        println!("names:");
        for (source, count) in &self.names {
            println!("  {source:<16} {count:>7}");
        }
        if titles {
            let mut titles: Vec<_> = self.titles.iter().collect();
            titles.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            println!("not understood:");
            titles.iter().take(200).for_each(|(title, count)| println!("  {count:>5} {title}"));
        }
    }
}

fn name_source(items: &[Item]) -> &'static str {
    match items.iter().find(|item| item.field == Field::Name) {
        None => "none",
        Some(item) if item.file.is_some() => "IDENTITY.md",
        Some(item) if item.span.start == item.span.end => "folder",
        Some(item)
            if item.span.start < 4
                || items.iter().any(|other| other.field == Field::Body && other.span.start <= item.span.start) =>
        {
            "title"
        }
        Some(_) => "frontmatter",
    }
}
