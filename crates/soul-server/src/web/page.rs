use std::fmt::Write;
use std::sync::OnceLock;

use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use soul_engine::ids::random_bits;

use super::bundle;
use crate::failure::Failure;
use crate::http::doc_pages;

/// Which files of the bundle the page loads.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// The module that starts the studio.
    entry: String,
    /// A short script that runs before the first paint.
    #[serde(default)]
    early: Option<String>,
    #[serde(default)]
    styles: Vec<String>,
    /// Modules that the first one will ask for.
    #[serde(default)]
    preload: Vec<String>,
    #[serde(default)]
    icon: Option<String>,
    /// What is seen until the module has drawn the page.
    #[serde(default)]
    frame: String,
}

impl Manifest {
    #[cfg(test)]
    pub(super) fn files(&self) -> impl Iterator<Item = &String> {
        [&self.entry].into_iter().chain(&self.early).chain(&self.styles).chain(&self.preload).chain(&self.icon)
    }
}

/// The page of the studio. Without scripts it says what is served here.
pub(super) async fn page() -> Result<Response, Failure> {
    let failed = |_| Failure::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the system gives no random numbers");
    let nonce: String = random_bits().map_err(failed)?[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self'; connect-src 'self'; \
         form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'"
    );
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], Html(written(&nonce))).into_response())
}

fn written(nonce: &str) -> String {
    static MANIFEST: OnceLock<Option<Manifest>> = OnceLock::new();
    let read = || bundle::MANIFEST.and_then(|manifest| serde_json::from_str(manifest).ok());
    let mut head = String::new();
    let mut body = String::new();
    match MANIFEST.get_or_init(read) {
        Some(Manifest { entry, early, styles, preload, icon, frame }) => {
            if let Some(icon) = icon {
                let _ = writeln!(head, "<link rel=\"icon\" href=\"/studio/{icon}\">");
            }
            if let Some(early) = early {
                let _ = writeln!(head, "<script src=\"/studio/{early}\"></script>");
            }
            for style in styles {
                let _ = writeln!(head, "<link rel=\"stylesheet\" href=\"/studio/{style}\">");
            }
            for module in preload {
                let _ = writeln!(head, "<link rel=\"modulepreload\" href=\"/studio/{module}\">");
            }
            let _ = writeln!(head, "<script type=\"module\" src=\"/studio/{entry}\"></script>");
            let _ = write!(body, "<div id=\"studio\">{frame}</div>\n<noscript>\n{}</noscript>\n", plain());
        }
        // A program that was built without the bundle serves everything else.
        None => body.push_str(&plain()),
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Soulkeeper</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"csp-nonce\" content=\"{nonce}\">\n\
         {head}</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// What is served, and where the interface and the documentation are.
fn plain() -> String {
    let docs: String =
        doc_pages().map(|(file, about)| format!("<li><a href=\"/docs/{file}\">{about}</a></li>\n")).collect();
    format!(
        "<main>\n<h1>Soulkeeper</h1>\n\
         <p>This service keeps the souls of agents: the texts that say who they are. The studio, where people see and \
         edit them, needs scripts. Everything that it does is in the HTTP interface too.</p>\n\
         <h2>As JSON</h2>\n<ul>\n\
         <li><a href=\"/api/agents\">agents</a>, <a href=\"/api/v1/settings/agent/souls\">library souls</a>, \
         <a href=\"/api/sessions\">sessions</a>, <a href=\"/api/tasks\">tasks</a>, \
         <a href=\"/api/proposals\">proposals</a>, <a href=\"/api/events\">events</a></li>\n\
         <li><a href=\"/openapi.json\">the interface</a>, as OpenAPI; <a href=\"/metrics\">metrics</a></li>\n</ul>\n\
         <h2>To read</h2>\n<ul>\n{docs}</ul>\n</main>\n"
    )
}
