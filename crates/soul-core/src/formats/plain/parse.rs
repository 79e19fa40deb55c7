use super::Document;
use crate::diagnostics::Collector;
use crate::formats::Context;
use crate::text::{Source, Span};

/// Reads a plain soul with the files beside it.
pub(crate) fn parse(source: Source, context: &Context, _diagnostics: &mut Collector) -> Document {
    let text = source.text().unwrap_or_default();
    Document {
        body: text.to_owned(),
        body_span: Span::new(0, text.len()),
        fallback_name: context.folder.clone(),
        files: context.files.clone(),
        card: Vec::new(),
        source,
    }
}
