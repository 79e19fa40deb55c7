//! `soul.test.yaml`: questions that are put to a model, and what is expected of its answers.
//!
//! ```yaml
//! probes:
//!   - name: refund over the limit
//!     about: How You Help          # the section of SOUL.md that it tests
//!     ask: I want my 250 € back, now.
//!     contains: [billing]          # each of them
//!     lacks: [guarantee]           # none of them
//!     max_words: 80
//!   - What can you do for me?      # a question alone
//! ```

use super::answer::{Expectation, Expected};
use crate::diagnostics::{Code, Collector, Diagnostic};
use crate::markup::yaml::{Node, NodeId, NodeKind, Scalar, Tree, YAML2};
use crate::text::{BOM, Source, Span, closest, shown};

/// The name of the probe file in an agent's directory.
pub const PROBES_FILE: &str = "soul.test.yaml";

/// The most probes of a file: each of them is a question that someone pays for.
const MOST: usize = 200;

/// A question to a model, and what is expected of the answer.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Name of the probe; defaults to the question.
    pub name: String,
    pub ask: String,
    /// The section of SOUL.md that it tests.
    pub about: Option<String>,
    pub(super) about_span: Span,
    /// The bytes of the question.
    pub span: Span,
    pub(super) expectations: Vec<Expectation>,
}

/// The probes of a file and its diagnostics.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Probes {
    pub probes: Vec<Probe>,
    /// With an error among them, no probe should be run.
    pub diagnostics: Vec<Diagnostic>,
}

/// The keys of a probe.
const KEYS: [&str; 8] = ["name", "about", "ask", "contains", "lacks", "max_words", "min_words", "max_sentences"];

/// What to do where there is nothing to ask.
const HELP: &str = "write a list of questions below `probes:`";

/// Parses a probe file; `file` is its name in diagnostics.
#[must_use]
pub fn probes(file: &str, source: &Source) -> Probes {
    let mut reader = Reader { file, source, start: 0, diagnostics: Collector::default() };
    let probes = reader.read();
    Probes { probes, diagnostics: reader.diagnostics.finish(source) }
}

struct Reader<'a> {
    file: &'a str,
    source: &'a Source,
    /// Where the YAML begins.
    start: usize,
    diagnostics: Collector,
}

impl Reader<'_> {
    fn read(&mut self) -> Vec<Probe> {
        let Some(text) = self.source.text() else {
            let at = self.source.first_invalid_byte().unwrap_or_default();
            self.wrong(at..at + 1, format!("byte {} is not UTF-8 text", at + 1), "save the file as UTF-8");
            return Vec::new();
        };
        self.start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let tree = match Tree::parse(&text[self.start..]) {
            Ok(tree) => tree,
            Err(problem) => {
                let help = problem.help.unwrap_or(HELP);
                self.wrong(problem.at, format!("the file {}", problem.message), help);
                return Vec::new();
            }
        };
        for problem in &tree.duplicates {
            let help = problem.help.unwrap_or_default();
            self.wrong(problem.at.clone(), format!("the file {}", problem.message), help);
        }
        let Some(list) = self.list(&tree) else { return Vec::new() };
        if list.is_empty() {
            self.wrong(tree.root().map_or(0..0, |root| root.span.clone()), "there are no probes".to_owned(), HELP);
        }
        if list.len() > MOST {
            let node = tree.node(list[MOST]);
            self.wrong(node.span.clone(), format!("there are more than {MOST} probes"), "split the file");
        }
        list.iter().take(MOST).filter_map(|id| self.probe(&tree, *id)).collect()
    }

    /// The list of probes: the whole file, or what stands below `probes`.
    fn list<'t>(&mut self, tree: &'t Tree<'_>) -> Option<&'t [NodeId]> {
        let Some(root) = tree.root() else {
            self.wrong(0..0, "there are no probes".to_owned(), HELP);
            return None;
        };
        let (list, place) = match &root.kind {
            NodeKind::Sequence(list) => return Some(list),
            NodeKind::Mapping(entries) => {
                for (key, _) in entries.iter().filter(|(key, _)| tree.text(*key) != Some("probes")) {
                    let node = tree.node(*key);
                    let name = tree.text(*key).unwrap_or_default();
                    self.wrong(node.span.clone(), format!("{} is not a known key", shown(name)), "the key is `probes`");
                }
                let found = entries.iter().find(|(key, _)| tree.text(*key) == Some("probes"));
                (found.map(|(_, value)| tree.node(*value)), root)
            }
            NodeKind::Scalar { .. } => (None, root),
        };
        match list.map(|node| &node.kind) {
            Some(NodeKind::Sequence(list)) => Some(list),
            _ => {
                self.wrong(list.unwrap_or(place).span.clone(), "there is no list of probes".to_owned(), HELP);
                None
            }
        }
    }

    fn probe(&mut self, tree: &Tree<'_>, id: NodeId) -> Option<Probe> {
        let node = tree.node(id);
        let entries = match &node.kind {
            NodeKind::Mapping(entries) => entries,
            // A question alone.
            _ => {
                let ask = self.text(node, "a probe")?;
                let span = self.span(node);
                return Some(Probe {
                    name: ask.clone(),
                    ask,
                    about: None,
                    about_span: span,
                    span,
                    expectations: Vec::new(),
                });
            }
        };
        let (mut name, mut about, mut ask) = (None, None, None);
        let (mut least, mut most) = (None, None);
        let mut expectations = Vec::new();
        for (key, value) in entries {
            let (key, value, place) = (tree.text(*key).unwrap_or_default(), tree.node(*value), tree.node(*key));
            match key {
                "name" => name = self.text(value, "`name`"),
                "about" => about = self.text(value, "`about`").map(|text| (text, self.span(value))),
                "ask" => ask = self.text(value, "`ask`").map(|text| (text, self.span(value))),
                "contains" | "lacks" => {
                    let expected = if key == "contains" { Expected::Contains } else { Expected::Lacks };
                    let items = match &value.kind {
                        NodeKind::Sequence(items) => items.iter().map(|item| tree.node(*item)).collect(),
                        _ => vec![value],
                    };
                    for item in items {
                        let text = self.text(item, &format!("`{key}`"));
                        expectations.extend(text.map(|text| (expected(text), self.span(item)).into()));
                    }
                }
                "max_words" | "min_words" | "max_sentences" => {
                    let expected = match key {
                        "max_words" => Expected::MostWords,
                        "min_words" => Expected::LeastWords,
                        _ => Expected::MostSentences,
                    };
                    let number = self.number(value, key);
                    match key {
                        "min_words" => least = number.map(|number| (number, value)),
                        "max_words" => most = number,
                        _ => {}
                    }
                    expectations.extend(number.map(|number| (expected(number), self.span(value)).into()));
                }
                other => {
                    let help = match closest(other, KEYS) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the keys are {}", KEYS.join(", ")),
                    };
                    self.wrong(place.span.clone(), format!("a probe has no key {}", shown(other)), &help);
                }
            }
        }
        if let (Some((least, node)), Some(most)) = (least, most)
            && least > most
        {
            let message = format!("`min_words` ({least}) is greater than `max_words` ({most})");
            self.wrong(node.span.clone(), message, "make `min_words` smaller than `max_words`");
        }
        let Some((ask, span)) = ask else {
            if !entries.iter().any(|(key, _)| tree.text(*key) == Some("ask")) {
                self.wrong(node.span.clone(), "a probe needs a question".to_owned(), "add `ask: …`");
            }
            return None;
        };
        let (about, about_span) = about.map_or((None, span), |(about, place)| (Some(about), place));
        Some(Probe { name: name.unwrap_or_else(|| ask.clone()), ask, about, about_span, span, expectations })
    }

    /// The text of a scalar that says something, whatever YAML makes of it.
    fn text(&mut self, node: &Node<'_>, what: &str) -> Option<String> {
        let text = match &node.kind {
            NodeKind::Scalar { text, .. } => text.trim(),
            NodeKind::Sequence(_) | NodeKind::Mapping(_) => "",
        };
        if text.is_empty() {
            self.wrong(node.span.clone(), format!("{what} must be a text that is not empty"), "put it in quotes");
        }
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn number(&mut self, node: &Node<'_>, key: &str) -> Option<usize> {
        let number = match &node.kind {
            NodeKind::Scalar { text, plain: true } => match YAML2.resolve(text) {
                Scalar::Int(_) => text.parse().ok().filter(|number| *number > 0),
                _ => None,
            },
            _ => None,
        };
        if number.is_none() {
            self.wrong(node.span.clone(), format!("`{key}` must be a whole number above 0"), "write it in digits");
        }
        number
    }

    fn span(&self, node: &Node<'_>) -> Span {
        Span::new(self.start + node.span.start, self.start + node.span.end)
    }

    fn wrong(&mut self, at: std::ops::Range<usize>, message: String, help: &str) {
        let span = Span::new(self.start + at.start, self.start + at.end);
        let (file, source) = (self.file, self.source);
        self.diagnostics
            .push_error(|| Diagnostic::new(Code::InvalidProbes, message).in_file(file, source, span).help(help));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Probes {
        probes(PROBES_FILE, &Source::from(text))
    }

    #[test]
    fn questions_and_what_is_expected() {
        let found = read(
            "probes:\n  - Who are you?\n  - name: refund\n    ask: |\n      I want\n      it back.\n    about: Tone\n    contains: billing\n    lacks: [a, b]\n    max_words: 80\n    min_words: 1\n    max_sentences: 4\n",
        );
        assert_eq!(found.diagnostics, []);
        let [alone, refund] = found.probes.as_slice() else { panic!("{found:?}") };
        assert_eq!((alone.name.as_str(), alone.ask.as_str()), ("Who are you?", "Who are you?"));
        assert_eq!((refund.name.as_str(), refund.ask.as_str()), ("refund", "I want\nit back."));
        assert_eq!((refund.about.as_deref(), refund.expectations.len()), (Some("Tone"), 6));
        assert_eq!(read("- One?\n- Two?\n").probes.len(), 2);
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let wrong = |text: &str| -> Vec<(usize, String)> {
            let found = read(text).diagnostics.into_iter();
            found.map(|found| (found.line.unwrap(), found.message)).collect()
        };
        let one = |line: usize, message: &str| vec![(line, message.to_owned())];
        assert_eq!(wrong(""), one(1, "there are no probes"));
        assert_eq!(wrong("hello"), one(1, "there is no list of probes"));
        assert_eq!(wrong("probes: 3"), one(1, "there is no list of probes"));
        assert_eq!(wrong("probes: []\n"), one(1, "there are no probes"));
        assert_eq!(wrong("[]\n"), one(1, "there are no probes"));
        assert_eq!(wrong("probes: [x]\nmodel: x\n"), one(2, "`model` is not a known key"));
        let never = "`min_words` (10) is greater than `max_words` (5)";
        assert_eq!(wrong("- ask: x\n  min_words: 10\n  max_words: 5\n"), one(2, never));
        assert_eq!(wrong("- ask: x\n  max_words: 5\n  min_words: 5\n"), []);
        assert_eq!(wrong("- name: x\n"), one(1, "a probe needs a question"));
        assert_eq!(wrong("- ask: x\n  contain: y\n"), one(2, "a probe has no key `contain`"));
        assert_eq!(wrong("- ask: x\n  max_words: many\n"), one(2, "`max_words` must be a whole number above 0"));
        assert_eq!(wrong("- ask: x\n  max_words: -1\n"), one(2, "`max_words` must be a whole number above 0"));
        assert_eq!(wrong("- ask: x\n  max_words: .nan\n"), one(2, "`max_words` must be a whole number above 0"));
        assert_eq!(wrong("- ask: [x]\n"), one(1, "`ask` must be a text that is not empty"));
        assert_eq!(wrong("- ''\n"), one(1, "a probe must be a text that is not empty"));
        assert_eq!(wrong("- ask: x\n  ask: y\n").len(), 1);
        assert_eq!(wrong("- \"x\n").len(), 1);
        assert_eq!(wrong(&"- x\n".repeat(201)), one(201, "there are more than 200 probes"));
    }
}
