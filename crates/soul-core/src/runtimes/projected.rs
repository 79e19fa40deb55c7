//! Runtimes that make their own text of a soul instead of copying a file.

use super::files::{Files, bytes_of, is_file, join};
use super::traced::Aligner;
use super::units::code_points;
use super::{Delivery, Injected, Loss, Session, Sources, State, Traced};
use crate::diagnostics::Severity;
use crate::formats::{Context, Document, Parsed, parse};
use crate::model::{Dialect, Soul};
use crate::text::Source;

/// The companion files that a soul is parsed with.
const COMPANIONS: &[&str] = &["STYLE.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md", "RULES.md", "USER.md", "MEMORY.md"];

/// A soul that was read for a runtime.
pub(super) struct Read {
    pub(super) path: String,
    pub(super) file: usize,
    pub(super) source: Source,
    pub(super) parsed: Parsed,
}

impl Read {
    /// Reads the soul of a folder, with the files beside it.
    pub(super) fn new(
        files: &dyn Files,
        root: &str,
        name: &str,
        dialect: impl FnOnce(&Source) -> Dialect,
        sources: &mut Sources,
    ) -> Option<Self> {
        let path = join(root, name);
        let source = Source::new(bytes_of(files, &path)?.into_owned());
        let file = sources.number(&path);
        let beside = COMPANIONS.iter().filter_map(|name| {
            let path = join(root, name);
            let bytes = is_file(files, &path).then(|| bytes_of(files, &path))??;
            Some(((*name).to_owned(), Source::new(bytes.into_owned())))
        });
        let context = Context { files: beside.collect(), ..Context::default() };
        let parsed = parse(source.clone(), dialect(&source), &context);
        Some(Self { path, file, source, parsed })
    }

    pub(super) const fn document(&self) -> &Document {
        &self.parsed.document
    }

    /// Why the runtime refuses the soul, if it does.
    pub(super) fn refusal(&self) -> Option<String> {
        let errors = self.parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        errors.map(|diagnostic| diagnostic.message.to_string()).next()
    }

    pub(super) fn refused(&self, delivery: &mut Delivery, rule: &'static str, reason: &str) {
        delivery.losses.push(Loss::file(self.file, State::Blocked, rule, format!("the soul is invalid: {reason}")));
    }
}

/// A text that was made of a source, traced to the lines of the source that stand in it.
pub(super) fn aligned(text: &str, source: &Source, file: usize) -> Traced {
    let mut aligner = Aligner::new(text);
    aligner.lines(source.text().unwrap_or_default(), file);
    aligner.finish()
}

/// The items of a soul that a text states in other words than the source has them.
pub(super) fn stated(text: &str, soul: &Soul, file: usize, delivery: &mut Delivery) {
    for item in soul.items.iter().filter(|item| item.file.is_none()) {
        let words = item.value.plain_text();
        let words = words.trim();
        if !words.is_empty() && text.contains(words) {
            delivery.also.push((file, item.span.start..item.span.end));
        }
    }
}

/// A runtime with one file: its text is what `make` returns.
pub(super) fn one_file(
    session: &Session<'_>,
    name: &str,
    dialect: Dialect,
    limit: Option<(usize, &'static str)>,
    make: impl FnOnce(&Read) -> String,
) -> Delivery {
    let mut sources = Sources::default();
    let mut delivery = Delivery::default();
    if let Some(read) = Read::new(session.files, &session.root, name, |_| dialect, &mut sources) {
        match read.refusal() {
            Some(reason) => read.refused(&mut delivery, "invalid-soul", &reason),
            None => {
                let text = make(&read);
                let mut traced = aligned(&text, &read.source, read.file);
                if let Some((limit, rule)) = limit.filter(|(limit, _)| code_points(&text) > *limit) {
                    traced = traced.slice(0..super::units::nth_code_point(&text, limit));
                    let reason =
                        format!("{} code points, {limit} allowed, without a mark where it ends", code_points(&text));
                    delivery.losses.push(Loss::file(read.file, State::Cut, rule, reason));
                }
                stated(traced.as_str(), &read.document().soul(), read.file, &mut delivery);
                delivery.losses.push(Loss::file(
                    read.file,
                    State::Dropped,
                    "not-in-prompt",
                    "the runtime does not put this into its prompt",
                ));
                delivery.files.push(Injected { path: read.path.clone(), content: traced.clone() });
                delivery.text = traced;
            }
        }
    }
    delivery.sources = sources.paths();
    delivery
}
