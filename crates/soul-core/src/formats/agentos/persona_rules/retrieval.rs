//! Retrieval from memory, where it is enabled.

use super::Persona;
use crate::diagnostics::{Code, Collector};
use crate::formats::fields::Entry;

const RAG: &str = "memoryConfig.ragConfig";

fn enabled<'f>(persona: &Persona<'f>) -> Option<Entry<'f>> {
    let rag = persona.inside(persona.get("memoryConfig")?, "ragConfig")?;
    persona.inside(rag, "enabled").filter(|enabled| persona.is_true(*enabled)).map(|_| rag)
}

/// Each data source has an id of its own.
pub(super) fn data_sources(persona: &Persona<'_>, diagnostics: &mut Collector) {
    let Some(sources) = enabled(persona).and_then(|rag| persona.inside(rag, "dataSources")) else { return };
    let ids = persona.fields.items(sources).filter_map(|source| persona.inside(source, "id"));
    persona.repeats(Code::DuplicateRagDatasourceIds, &format!("{RAG}.dataSources"), ids, diagnostics);
}

/// A summary has a method.
pub(super) fn summarization(persona: &Persona<'_>, diagnostics: &mut Collector) {
    let processing = enabled(persona).and_then(|rag| persona.inside(rag, "ingestionProcessing"));
    let Some(summary) = processing.and_then(|processing| persona.inside(processing, "summarization")) else { return };
    let is_on = persona.inside(summary, "enabled").is_some_and(|enabled| persona.is_true(enabled));
    let method = persona.inside(summary, "method");
    if is_on && method.is_none_or(|method| persona.text(method) == Some("")) {
        let path = format!("{RAG}.ingestionProcessing.summarization.method");
        let message = "summarization is enabled, but has no `method`".to_owned();
        let diagnostic = persona.problem(Code::RagSummarizationMethodMissing, &path, message);
        diagnostics.push(diagnostic.at(summary.key_span).help("add a `method`, or disable summarization"));
    }
}
