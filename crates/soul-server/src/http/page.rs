//! The page at `/`: who is here, and where to go next.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use soul_engine::ops::agents;

use crate::app::App;
use crate::failure::Failure;

const STYLE: &str = include_str!("page.css");

pub(super) async fn index(State(app): State<App>) -> Result<Response, Failure> {
    let found = app.run(agents::run).await?;
    let rows: String = found.agents.iter().map(row).collect();
    let rows = if rows.is_empty() { "<tr><td>no agents yet</td></tr>".to_owned() } else { rows };
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Soulkeeper</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style>\
         <main><h1>Soulkeeper</h1><p>Who your agents are, and who changed them.</p>\
         <h2>Agents</h2><table>{rows}</table>\
         <h2>Where to go next</h2><ul>\
         <li><a href=\"/openapi.json\">the interface</a>, as OpenAPI</li>\
         <li><a href=\"/api/agents\">agents</a>, <a href=\"/api/sessions\">sessions</a>, \
         <a href=\"/api/tasks\">tasks</a>, <a href=\"/api/events\">events</a>, as JSON</li>\
         <li><a href=\"/metrics\">metrics</a></li></ul></main></html>"
    );
    // The one style is part of the page, and nothing else is.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    Ok((headers, page).into_response())
}

fn row(agent: &agents::Agent) -> String {
    let name = escaped(&agent.name);
    let status = match (agent.present, agent.valid) {
        (false, _) => "no soul",
        (_, true) => "valid",
        (_, false) => "invalid",
    };
    let link = percent(&agent.name);
    format!(
        "<tr><td><a href=\"/api/agents/{link}/soul\">{name}</a></td><td class=\"{}\">{status}</td><td>{}</td></tr>",
        status.replace(' ', "-"),
        escaped(&agent.source_path)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

fn percent(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
