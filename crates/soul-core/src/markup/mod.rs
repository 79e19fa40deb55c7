//! The two markup languages a soul is written in, without any dialect's meaning: YAML as a bounded
//! tree with spans, Markdown as an outline and a map of code fences, and the fence between them.

pub(crate) mod frontmatter;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod yaml;
