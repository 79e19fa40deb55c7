use std::collections::HashSet;
use std::ops::Range;

use super::headings::reserved_headings;
use super::{Document, LISTS, List, owner};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::formats::fields::{self, Entry, Fields};
use crate::formats::{Context, control};
use crate::markup::yaml::{GOCCY, Node, Scalar};
use crate::text::{BOM, LineEnds, Source, Span, Spanned, Unified, closest, shown};

/// Reads an agh soul, all stages in one pass.
pub(crate) fn parse(source: Source, context: &Context, diagnostics: &mut Collector) -> Document {
    let mut document = Document::default();
    if let Some(text) = source.text() {
        let bom = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        if bom > 0 {
            let span = Span::new(0, bom);
            diagnostics.push(
                Diagnostic::new(Code::ByteOrderMark, "the file starts with a byte order mark, which is ignored")
                    .at(span)
                    .help("save the file as UTF-8 without a byte order mark")
                    .fix(span, ""),
            );
        }
        let text = Unified::new(text, bom, LineEnds::All);
        let mut reader =
            Reader { text: &text, document: &mut document, diagnostics, max: context.limits.max_body_bytes };
        reader.read();
        control::check(&source, document.body_range(), diagnostics);
    }
    document.source = source;
    document
}

struct Reader<'a> {
    text: &'a Unified<'a>,
    document: &'a mut Document,
    diagnostics: &'a mut Collector,
    max: usize,
}

impl Reader<'_> {
    fn read(&mut self) {
        match fields::split(self.text) {
            Ok(Some(split)) => {
                self.frontmatter(split.metadata);
                self.body(split.body);
            }
            Ok(None) => self.body(0..self.text.text.len()),
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                self.body(0..self.text.text.len());
            }
        }
    }

    fn frontmatter(&mut self, range: Range<usize>) {
        if range.len() > self.max {
            self.oversized(
                Code::OversizedFrontmatter,
                "frontmatter",
                range,
                "move prose into the body, or raise the limit",
            );
            return;
        }
        let stray = stray_fence(&self.text.text, range.clone());
        let Some(fields) = Fields::read(self.text, range, &GOCCY, self.diagnostics) else { return };
        if let Some(line) = stray.filter(|line| fields.in_plain_scalar(line.start)) {
            let span = self.text.span(line);
            let diagnostic = fields::malformed(span, "an indented `---` would become part of the text before it");
            self.diagnostics.push(diagnostic.help("put `---` at the start of the line").fix(span, "---"));
        }
        for entry in fields.entries() {
            match entry.key {
                "version" => self.document.version = self.version(&fields, entry),
                "role" => self.document.role = self.role(&fields, entry),
                key => match LISTS.iter().position(|(name, ..)| *name == key) {
                    Some(index) => {
                        self.document.lists[index] = self.list(&fields, entry);
                        self.document.list_spans[index] = entry.key_span;
                    }
                    None => {
                        self.diagnostics.push_error(|| refused(entry, &fields));
                        self.document.extras.extend(fields.named(entry, self.diagnostics));
                    }
                },
            }
        }
    }

    fn version(&mut self, fields: &Fields<'_>, entry: Entry<'_>) -> Option<Spanned> {
        let text = match fields.scalar(entry.value) {
            Some(Scalar::Text(text)) => text.trim().to_owned(),
            Some(Scalar::Int(number)) => number.to_string(),
            Some(Scalar::Float(number)) if number.fract() == 0.0 && number.abs() < 9.2e18 => format!("{number:.0}"),
            _ => {
                self.wrong_type(fields, entry, entry.value, "must be a string or a whole number");
                Fields::written(entry.value)?
            }
        };
        Some(Spanned { text, span: fields.span(entry.value) })
    }

    fn role(&mut self, fields: &Fields<'_>, entry: Entry<'_>) -> Option<Spanned> {
        let text = match fields.scalar(entry.value) {
            Some(Scalar::Text(text)) => text.trim().to_owned(),
            _ => {
                self.wrong_type(fields, entry, entry.value, "must be a string");
                Fields::written(entry.value)?
            }
        };
        Some(Spanned { text, span: fields.span(entry.value) })
    }

    /// A list, one string, or nothing; entries are trimmed, blank and repeated ones dropped.
    fn list(&mut self, fields: &Fields<'_>, entry: Entry<'_>) -> List {
        let Some(items) = fields.sequence(entry) else {
            let text = match fields.scalar(entry.value) {
                Some(Scalar::Null) => return None,
                Some(Scalar::Text(text)) if text.trim().is_empty() => return None,
                Some(Scalar::Text(text)) => text.trim().to_owned(),
                _ => {
                    self.wrong_type(fields, entry, entry.value, "must be a list of strings");
                    Fields::written(entry.value)?
                }
            };
            return Some(vec![Spanned { text, span: fields.span(entry.value) }]);
        };
        let mut seen = HashSet::new();
        let mut list = Vec::new();
        for (index, item) in items.enumerate() {
            let text = match fields.scalar(item) {
                Some(Scalar::Text(text)) => Some(text.trim().to_owned()),
                _ => {
                    let must = format!("must be a list of strings, but entry {} is not a string", index + 1);
                    self.wrong_type(fields, entry, item, &must);
                    Fields::written(item)
                }
            };
            if let Some(text) = text.filter(|text| !text.is_empty() && seen.insert(text.clone())) {
                list.push(Spanned { text, span: fields.span(item) });
            }
        }
        Some(list)
    }

    /// Values of the wrong type are refused here and still read, so that a conversion has them.
    fn wrong_type(&mut self, fields: &Fields<'_>, entry: Entry<'_>, node: &Node<'_>, must: &str) {
        self.diagnostics.push_error(|| fields.wrong_type(entry, node, must));
    }

    fn oversized(&mut self, code: Code, part: &str, range: Range<usize>, help: &str) {
        let message =
            format!("the {part} has {} bytes, more than agents.soul.max_body_bytes ({})", range.len(), self.max);
        let first_line = self.text.text[range.clone()].find('\n').unwrap_or(range.len());
        let span = self.text.span(range.start..range.start + first_line);
        self.diagnostics.push(Diagnostic::new(code, message).section(part).at(span).help(help));
    }

    fn body(&mut self, range: Range<usize>) {
        let body = self.text.text[range.clone()].trim_end();
        let range = range.start..range.start + body.len();
        self.document.body_span = self.text.span(range.clone());
        if body.len() > self.max {
            self.oversized(Code::OversizedBody, "body", range, "trim the body, or raise the limit");
            return;
        }
        self.document.body = body.to_owned();
        self.reserved_headings(range.start, body);
    }

    fn reserved_headings(&mut self, start: usize, body: &str) {
        for (range, slug) in reserved_headings(body) {
            let span = self.text.span(start + range.start..start + range.end);
            let (owner, belongs_in) = owner(&slug).unwrap_or_default();
            self.diagnostics.push_error(|| {
                let message = format!("a section `{slug}` is owned by {owner} and cannot be declared in SOUL.md");
                let help = format!("rename the heading, or move the section to {belongs_in}");
                Diagnostic::new(Code::ReservedSection, message).section(slug.clone()).at(span).help(help)
            });
        }
    }
}

/// A line of the metadata that is `---` but for its indentation; YAML would fold it into a value.
fn stray_fence(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let mut start = range.start;
    for line in text[range].split('\n') {
        if line.len() > 3 && line.trim() == "---" && line.starts_with([' ', '\t']) {
            return Some(start..start + line.len());
        }
        start += line.len() + 1;
    }
    None
}

fn refused(entry: Entry<'_>, fields: &Fields<'_>) -> Diagnostic {
    let Entry { key, key_span, .. } = entry;
    let diagnostic = match owner(key) {
        Some((owner, belongs_in)) => Diagnostic::new(
            Code::ForbiddenField,
            format!("{} is owned by {owner} and cannot be set in SOUL.md", shown(key)),
        )
        .help(format!("move it to {belongs_in}")),
        None => {
            let diagnostic =
                Diagnostic::new(Code::UnsupportedField, format!("{} is not a field of SOUL.md", shown(key)));
            let known = ["version", "role"].into_iter().chain(LISTS.iter().map(|(name, ..)| *name));
            match closest(key, known.filter(|name| !fields.has(name))) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(key_span, near),
                None => diagnostic.help(
                    "the fields are version, role, tone, principles, constraints, collaboration, memory_policy and tags; anything else belongs in the body",
                ),
            }
        }
    };
    diagnostic.field(key).section("frontmatter").at(key_span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Parsed, parse as parse_any};
    use crate::model::Dialect;

    fn parsed(text: &str) -> Parsed {
        parse_any(Source::from(text), Dialect::Agh, &Context::default())
    }

    fn codes(text: &str) -> Vec<(String, usize, usize)> {
        let diagnostics = parsed(text).diagnostics.into_iter();
        diagnostics.map(|d| (d.code.to_string(), d.line.unwrap_or(0), d.column.unwrap_or(0))).collect()
    }

    #[test]
    fn every_stage_reports_in_one_pass() {
        assert_eq!(
            codes("---\nrole: 42\ntools: x\nprincples: [a]\n---\nHi\n# Memory\n"),
            [
                ("invalid_field_type".into(), 2, 1),
                ("forbidden_field".into(), 3, 1),
                ("unsupported_field".into(), 4, 1),
                ("reserved_section".into(), 7, 1),
            ]
        );
    }

    #[test]
    fn a_second_document_is_not_ignored() {
        assert_eq!(codes("---\nrole: A\n...\ntools: x\n---\n")[0].0, "malformed_frontmatter");
    }

    #[test]
    fn an_indented_fence_is_not_folded_into_a_value() {
        assert_eq!(codes("---\nrole: A\n ---\n---\nBody\n"), [("malformed_frontmatter".into(), 3, 1)]);
        assert_eq!(codes("---\nrole: |\n  A\n  ---\n  B\n---\nBody\n"), []);
    }

    #[test]
    fn a_false_fence_hides_nothing() {
        assert_eq!(codes("    ```\n# Tools\n    ```\n").len(), 1);
        assert_eq!(codes("- ```\n  # Tools\n  ```\n"), []);
    }

    #[test]
    fn fixes_lead_to_a_valid_soul() {
        for broken in [
            "\u{feff}---\nRole: A\n---\n",
            "---\nrole: A\n--- \nBody",
            " ---\nrole: A\n---\n",
            "---\nrole: 42\ntone: [true]\n---\n",
        ] {
            let parsed = parsed(broken);
            let fixes: Vec<_> = parsed.diagnostics.iter().filter_map(|d| d.fix.clone()).collect();
            let fixed = Source::new(parsed.document.render(&fixes));
            let again = parse_any(fixed, Dialect::Agh, &Context::default());
            assert_eq!(again.diagnostics, [], "{broken:?}");
        }
    }

    #[test]
    fn at_most_fifty_diagnostics() {
        let keys: String = (0..6_500).map(|n| format!("k{n}: 1\n")).collect();
        let parsed = parse_any(
            Source::from(format!("---\n{keys}---\n").as_str()),
            Dialect::Agh,
            &Context {
                limits: super::super::Limits { max_body_bytes: 1 << 20, ..Default::default() },
                ..Context::default()
            },
        );
        assert_eq!(parsed.diagnostics.len(), 50);
        assert!(!parsed.is_valid());
    }
}
