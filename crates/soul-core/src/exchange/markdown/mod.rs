//! Programs whose files are Markdown: the text goes over as it is, with the frontmatter that each one needs.

mod export;
mod homes;
mod import;

pub(super) use export::{claude_code, claude_output_style, claude_subagent, codex, cursor, gemini, hermes, openclaw};
pub(super) use homes::{hermes_home, is_hermes_home, is_openclaw_home, openclaw_home};
pub(super) use import::{agents_file, claude_agent, claude_memory, claude_style, cursor_rules, gemini_memory};
