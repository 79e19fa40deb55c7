use super::{Document, Named};
use crate::formats::{self, Context, Document as AnyDocument};
use crate::markup::yaml;
use crate::model::Dialect;
use crate::text::{Edit, Source, Span, Spanned};

/// Changes of a soul; `None` keeps the value.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changes<'a> {
    /// The name.
    pub name: Option<&'a str>,
    /// An empty description removes it.
    pub description: Option<&'a str>,
    pub content: Option<&'a str>,
}

impl Document {
    #[allow(missing_docs)]
    #[must_use]
    pub fn name(&self) -> &str {
        Self::text(self.name.as_ref())
    }

    #[allow(missing_docs)]
    #[must_use]
    pub fn description(&self) -> &str {
        Self::text(self.description.as_ref())
    }

    /// The text that is part of the prompt.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The source with the changes in it and every other byte as it was. `None` if the frontmatter is
    /// written in a way in which a value has no place of its own, such as behind an alias: what comes out
    /// is read again, and must say what was asked for and nothing else.
    #[must_use]
    pub fn with(&self, changes: Changes<'_>) -> Option<Vec<u8>> {
        let wanted = [
            changes.name.unwrap_or(self.name()),
            changes.description.unwrap_or(self.description()),
            changes.content.unwrap_or(self.content()),
        ];
        let changed = |wanted: Option<&str>, now: &str| wanted.filter(|wanted| *wanted != now).map(str::to_owned);
        let mut edits = Vec::new();
        if let Some(text) = changed(changes.name, self.name()) {
            edits.push(self.value(self.name.as_ref()?, &text));
        }
        if let Some(text) = changed(changes.content, self.content()) {
            edits.push(Edit { span: self.content_span, text: self.written(&text) });
        }
        let places = match (changed(changes.description, self.description()), &self.description) {
            (None, _) => vec![None],
            (Some(text), Some(old)) => vec![Some(self.value(old, &text))],
            (Some(text), None) => self.new_lines(&text).into_iter().map(Some).collect(),
        };
        places.into_iter().find_map(|place| {
            let bytes = self.source.with_edits(&edits.iter().cloned().chain(place).collect::<Vec<_>>());
            let read = self.read_again(&bytes)?;
            let says = [read.name(), read.description(), read.content()] == wanted;
            let same = |(a, b): (&Named, &Named)| a.key == b.key && a.value == b.value;
            let kept = read.extras.len() == self.extras.len() && read.extras.iter().zip(&self.extras).all(same);
            (says && kept).then_some(bytes)
        })
    }

    fn read_again(&self, bytes: &[u8]) -> Option<Self> {
        let context = Context { name: self.id.clone(), ..Context::default() };
        let parsed = formats::parse(Source::new(bytes.to_vec()), Dialect::Dagu, &context);
        match parsed.document {
            AnyDocument::Dagu(document) if !crate::diagnostics::has_errors(&parsed.diagnostics) => Some(document),
            _ => None,
        }
    }

    /// A value in place of another.
    fn value(&self, old: &Spanned, text: &str) -> Edit {
        let source = self.source.text().unwrap_or_default();
        let text = yaml::scalar(text);
        // A key without a value gets one behind its colon.
        if old.span.start == old.span.end {
            let behind = old.span.start + source[old.span.start..].find(':').map_or(0, |colon| colon + 1);
            return Edit { span: Span::new(behind, behind), text: format!(" {text}") };
        }
        // A block begins with its mark on the line before, and ends with its last line.
        let mark = source[..old.span.start].rfind(['|', '>']);
        match mark.filter(|_| source[..old.span.end].ends_with('\n')) {
            Some(mark) => Edit { span: Span::new(mark, old.span.end), text: text + self.line_end() },
            None => Edit { span: old.span, text },
        }
    }

    /// Where a description can be added: below the name, or before everything.
    fn new_lines(&self, text: &str) -> Vec<Edit> {
        let source = self.source.text().unwrap_or_default();
        let line = |at: usize, indent: &str| Edit {
            span: Span::new(at, at),
            text: format!("{indent}description: {}{}", yaml::scalar(text), self.line_end()),
        };
        let first = source.find('\n').map_or(source.len(), |newline| newline + 1);
        let below_name = self.name.as_ref().and_then(|name| {
            let begin = source[..name.span.start].rfind('\n').map_or(0, |newline| newline + 1);
            let indent = source[begin..].len() - source[begin..].trim_start_matches(' ').len();
            let ended = source[..name.span.end].ends_with('\n');
            let end = if ended { 0 } else { source[name.span.end..].find('\n')? + 1 };
            Some(line(name.span.end + end, &source[begin..begin + indent]))
        });
        below_name.into_iter().chain([line(first, "")]).collect()
    }

    /// The content as it is written, with the line end that the closing fence may lack before it.
    fn written(&self, content: &str) -> String {
        let source = self.source.text().unwrap_or_default();
        let start = if source[..self.content_span.start].ends_with('\n') { "" } else { self.line_end() };
        let content = super::emit::written(content);
        let last = source[self.content_span.end..].is_empty() && !content.is_empty();
        let end = if last && !content.ends_with('\r') { self.line_end() } else { "" };
        format!("{start}{content}{end}")
    }

    /// How its lines end, which is how the first one does.
    fn line_end(&self) -> &'static str {
        let source = self.source.text().unwrap_or_default();
        let first = source.split_inclusive('\n').next().unwrap_or_default();
        if first.ends_with("\r\n") { "\r\n" } else { "\n" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Document {
        let parsed = formats::parse(Source::from(text), Dialect::Dagu, &Context::default());
        let AnyDocument::Dagu(document) = parsed.document else { unreachable!() };
        document
    }

    fn with(text: &str, changes: Changes<'_>) -> Option<String> {
        read(text).with(changes).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    const ALL: Changes<'_> = Changes { name: Some("New: one"), description: Some("What for"), content: Some("Text.") };

    #[test]
    fn only_what_is_said_anew_changes() {
        let text = "---\n# why\nmood: [calm]\nname: Old # note\ntags: {a: 1}\n---\n\nBody.\n\n";
        assert_eq!(with(text, Changes::default()).as_deref(), Some(text));
        let new =
            "---\n# why\nmood: [calm]\nname: \"New: one\" # note\ndescription: What for\ntags: {a: 1}\n---\nText.\n\n";
        assert_eq!(with(text, ALL).as_deref(), Some(new));
        let cleared = Changes { description: Some(""), ..Changes::default() };
        assert_eq!(with(new, cleared).unwrap(), new.replace("What for", "\"\""));
        assert_eq!(with(text, cleared).as_deref(), Some(text));
    }

    #[test]
    fn however_it_is_written() {
        for text in [
            "---\nname: a\n---\n",
            "---\nname: a\n---",
            "---\nname: a\ndescription:\n---\nx",
            "---\nname: |\n  a\n  b\ndescription: >-\n  c\n  d\nextra: |\n  e\n---\nx\n",
            "---\ndescription: |\n  c\nname: 'it''s'\n---\nx\n",
            "---\nname: 42\ndescription: ~\n---\nx\n",
            "---\nname:\n  far below\nextra: 1\n---\nx\n",
            "---\n  name: in\n  extra: [1, 2]\n---\nx\n",
            "---\r\nname: a\r\nextra: b\r\n---\r\nx\r\ny\r\n",
            "---\n{name: a, description: b, extra: c}\n---\nx\n",
            "---\nextra: |+\n  kept\n\nname: a\n---\nx\n",
            "---\nname: !!str 1\ndescription: &b two\n---\nx\n",
        ] {
            let new = with(text, ALL).unwrap_or_else(|| panic!("{text}"));
            let (before, after) = (read(text), read(&new));
            assert_eq!(
                (after.name(), after.description(), after.content()),
                ("New: one", "What for", "Text."),
                "{new}"
            );
            assert_eq!(before.extras.len(), after.extras.len());
        }
    }

    #[test]
    fn what_is_said_in_two_places_at_once_is_left_alone() {
        for text in [
            "---\nextra: &a x\nname: *a\n---\n",
            "---\nname: &a x\nextra: *a\n---\n",
            "---\nbase: &b {name: x}\n<<: *b\n---\n",
            "---\n{name: a}\n---\nx\n",
        ] {
            assert_eq!(with(text, ALL), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(name in "\\PC{1,20}", description in any::<String>(), content in any::<String>()) {
            let text = "---\nname: a\nextra: [b]\n---\nc\n";
            let trimmed = content.trim();
            let changes = Changes { name: Some(&name), description: Some(&description), content: Some(trimmed) };
            let document = read(text);
            let bytes = document.with(changes).unwrap();
            let new = read(std::str::from_utf8(&bytes).unwrap());
            prop_assert_eq!((new.name(), new.description(), new.content()), (&*name, &*description, trimmed));
        }
    }
}
