use std::ops::Range;

use super::{COMPANIONS, Document};
use crate::diagnostics::{Code, Collector, Diagnostic, Severity};
use crate::formats::fields::{self, Entry, Fields, Named};
use crate::formats::{Context, agh, control};
use crate::markup::yaml::JS_YAML;
use crate::model::name::name_of_path;
use crate::text::{BOM, LineEnds, Source, Span, Unified, shown};

/// Reads a plain soul with the files beside it.
pub(crate) fn parse(source: Source, context: &Context, diagnostics: &mut Collector) -> Document {
    let mut document = Document { fallback_name: fallback_name(context), ..Document::default() };
    if let Some(text) = source.text() {
        let bom = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        if bom > 0 {
            let span = Span::new(0, bom);
            let message = "the file starts with a byte order mark, which is ignored";
            diagnostics.push(Diagnostic::new(Code::ByteOrderMark, message).at(span).fix(span, ""));
        }
        let unified = Unified::new(text, bom, LineEnds::All);
        let mut start = bom;
        match frontmatter(&unified, &source, diagnostics) {
            Some((Some(card), body)) => {
                document.card = card;
                start = unified.span(body).start;
            }
            Some((None, body)) => document.unread = unified.span(body).start - bom,
            None => {}
        }
        document.body = text[start..].to_owned();
        document.body_span = Span::new(start, text.len());
        control::check(&source, start..text.len(), diagnostics);
        if document.body.trim().is_empty() {
            let diagnostic = Diagnostic::new(Code::EmptySoul, "the soul is empty");
            diagnostics.push(
                diagnostic
                    .severity(Severity::Warning)
                    .help("write who the agent is, how it sounds and what it must not do"),
            );
        }
    }
    let own = |path: &str| path.eq_ignore_ascii_case("SOUL.md");
    document.files =
        context.files.iter().filter(|(path, _)| !own(path)).map(|(path, file)| (path.clone(), file.clone())).collect();
    for (name, ..) in COMPANIONS {
        if let Some(at) = document.files.get(name).and_then(Source::first_invalid_byte) {
            let message = format!("byte {} of {name} is not UTF-8 text", at + 1);
            diagnostics.push(Diagnostic::new(Code::InvalidUtf8, message).help("save the file as UTF-8"));
        }
    }
    document.source = source;
    document
}

/// The name of the file without its extension, or of the folder, unless it is one that any soul could have. A folder
/// with a usual name is better than none.
fn fallback_name(context: &Context) -> Option<String> {
    let stem = context.name.as_deref().map(|name| name.rsplit_once('.').map_or(name, |(stem, _)| stem));
    let folder =
        context.folder.as_deref().map(|folder| folder.trim_start_matches('.')).filter(|folder| !folder.is_empty());
    stem.and_then(name_of_path).or_else(|| folder.and_then(name_of_path)).or_else(|| folder.map(str::to_owned))
}

/// The card, unless it cannot be read, and the range of the text below it; `None` if the text has no frontmatter.
fn frontmatter(
    text: &Unified<'_>,
    source: &Source,
    diagnostics: &mut Collector,
) -> Option<(Option<Vec<Named>>, Range<usize>)> {
    let split = match fields::split(text) {
        Ok(split) => split?,
        Err(problem) => {
            if has_keys(&text.text) {
                diagnostics.push(not_read(*problem));
            }
            return None;
        }
    };
    // What is an error of frontmatter elsewhere is only a remark here.
    let mut problems = Collector::default();
    let fields = Fields::read(text, split.metadata.clone(), &JS_YAML, &mut problems);
    let card = fields.as_ref().map(|fields| {
        fields.entries().for_each(|entry| check(fields, entry, diagnostics));
        fields.entries().filter_map(|entry| fields.named(entry, &mut problems)).collect()
    });
    let worth_a_word = card.is_some() || has_keys(&text.text);
    let problems = problems.finish(source);
    problems.into_iter().filter(|_| worth_a_word).for_each(|problem| diagnostics.push(not_read(problem)));
    Some((card, split.body))
}

/// Whether lines below the first dashes look like keys; else the dashes are a rule in the text.
fn has_keys(text: &str) -> bool {
    let lines = text.lines().map(str::trim).skip_while(|line| !line.contains("---")).skip(1);
    let is_key = |line: &str| {
        let key = line.split_once(':').map_or("", |(key, _)| key);
        !key.is_empty() && key.len() <= 40 && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    };
    lines.take_while(|line| !line.is_empty() && !line.starts_with("---")).take(40).any(is_key)
}

fn not_read(problem: Diagnostic) -> Diagnostic {
    let message = format!("{}, so it is read as text", problem.message);
    let message = if problem.related.is_empty() { message } else { problem.message };
    Diagnostic { code: Code::FrontmatterNotRead, severity: Severity::Warning, message, ..problem }
}

/// Keys that hold a line of text.
const TEXTS: [&str; 7] = ["name", "role", "description", "version", "emoji", "vibe", "color"];

fn check(fields: &Fields<'_>, entry: Entry<'_>, diagnostics: &mut Collector) {
    if TEXTS.contains(&entry.key) && fields.scalar(entry.value).is_none() {
        let diagnostic = fields.wrong_type(entry, entry.value, "must be text");
        diagnostics.push_with(|| diagnostic.severity(Severity::Warning));
    }
    if entry.key != "name" && agh::owner(entry.key).is_some() {
        diagnostics.push_with(|| {
            Diagnostic::new(Code::NoEffect, format!("{} has no effect in a plain soul", shown(entry.key)))
                .field(entry.key)
                .section("frontmatter")
                .at(entry.key_span)
                .help("a soul says who the agent is; configure the runtime of the agent instead")
        });
    }
}
