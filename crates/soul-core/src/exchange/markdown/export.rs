use crate::exchange::{Made, Material};
use crate::markup::yaml::scalar;

const PERSONAL: &str = "it is about people and memories, not about who the agent is";

/// The text at a place that the program reads, after a frontmatter of its own.
fn one_file(material: &Material, path: String, opening: &str) -> Made {
    let text = material.whole(&[]);
    let mut made = Made::text(path, format!("{opening}{text}"));
    made.says = text;
    personal(material, &mut made);
    made
}

fn personal(material: &Material, made: &mut Made) {
    material.personal().for_each(|path| made.drop(path, PERSONAL));
}

pub(crate) fn claude_code(material: &Material) -> Made {
    one_file(material, "CLAUDE.md".to_owned(), "")
}

pub(crate) fn codex(material: &Material) -> Made {
    one_file(material, "AGENTS.md".to_owned(), "")
}

pub(crate) fn hermes(material: &Material) -> Made {
    one_file(material, "SOUL.md".to_owned(), "")
}

/// OpenClaw reads IDENTITY.md and AGENTS.md by themselves, and nothing else beside SOUL.md.
pub(crate) fn openclaw(material: &Material) -> Made {
    const READS: [&str; 2] = ["IDENTITY.md", "AGENTS.md"];
    let mut made = Made::text("SOUL.md", material.whole(&READS));
    for path in READS {
        if let Some(bytes) = material.files.get(path) {
            made.file(path, bytes.clone());
            made.says.push_str(&String::from_utf8_lossy(bytes));
        }
    }
    personal(material, &mut made);
    made
}

pub(crate) fn claude_output_style(material: &Material) -> Made {
    let opening = format!(
        "---\nname: {}\ndescription: {}\nkeep-coding-instructions: true\n---\n",
        scalar(&material.name),
        scalar(&material.about())
    );
    one_file(material, format!(".claude/output-styles/{}.md", material.id), &opening)
}

pub(crate) fn claude_subagent(material: &Material) -> Made {
    let opening = format!("---\nname: {}\ndescription: {}\n---\n", scalar(&material.id), scalar(&material.about()));
    one_file(material, format!(".claude/agents/{}.md", material.id), &opening)
}

pub(crate) fn cursor(material: &Material) -> Made {
    let opening = format!("---\ndescription: {}\nalwaysApply: true\n---\n", scalar(&material.about()));
    one_file(material, format!(".cursor/rules/{}.mdc", material.id), &opening)
}

/// In GEMINI.md, a word that begins with `@` is an import, and is replaced by an error if there is no such file.
pub(crate) fn gemini(material: &Material) -> Made {
    let mut made = one_file(material, "GEMINI.md".to_owned(), "");
    let (text, quoted) = quoted_mentions(&made.says);
    if !quoted.is_empty() {
        made.notes.push(format!("in backticks, because Gemini CLI takes them for imports: {}", quoted.join(", ")));
        made.files[0].bytes = text.into_bytes();
    }
    made
}

/// The text with every word that would be an import in backticks, and these words.
fn quoted_mentions(text: &str) -> (String, Vec<String>) {
    let mut out = String::with_capacity(text.len());
    let mut quoted = Vec::new();
    let code = crate::markup::markdown::code(text);
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let is_import = bare.strip_prefix('@').is_some_and(|rest| {
            rest.starts_with(|c: char| c == '.' || c == '/' || c.is_ascii_alphabetic()) && !rest.contains('`')
        });
        if is_import && !code.iter().any(|range| range.contains(&at)) {
            quoted.push(bare.to_owned());
            out.push_str(&format!("`{bare}`{}", &word[bare.len()..]));
        } else {
            out.push_str(word);
        }
        at += word.len();
    }
    quoted.dedup();
    (out, quoted)
}
