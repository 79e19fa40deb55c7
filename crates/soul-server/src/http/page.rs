//! The page at `/`: who is here, and where to go next.

use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use soul_engine::Caller;
use soul_engine::ops::library::{current, list};
use soul_engine::ops::list as agents;
use soul_engine::ops::list::Agent;

use super::docs;
use crate::app::App;
use crate::failure::Failure;

const STYLE: &str = include_str!("page.css");

pub(super) async fn index(State(app): State<App>, Extension(caller): Extension<Caller>) -> Result<Response, Failure> {
    let agents = app.ask(agents::Request::default(), caller.clone()).await?.agents;
    let souls = app.ask(list::Request::default(), caller.clone()).await?;
    let taken = app.ask(current::Request::default(), caller).await?;
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Soulkeeper</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style>\
         <main><h1>Soulkeeper</h1><p class=\"lead\">Who your agents are, and who changed them.</p>\
         <h2>Agents</h2>{}<h2>Library</h2>{}<h2>Where to go next</h2>{}</main></html>",
        table(agents.iter().map(agent), "no agents yet; <code>soul new NAME</code> creates one"),
        library(&souls, &taken),
        next(),
    );
    // The one style is part of the page, and nothing else is.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    Ok((headers, page).into_response())
}

fn table(rows: impl Iterator<Item = String>, none: &str) -> String {
    let rows: String = rows.collect();
    if rows.is_empty() { format!("<p>{none}</p>") } else { format!("<table>{rows}</table>") }
}

fn agent(agent: &Agent) -> String {
    let status = match (agent.present, agent.valid) {
        (false, _) => "no soul",
        (_, true) => "valid",
        (_, false) => "invalid",
    };
    format!(
        "<tr><td><a href=\"/api/agents/{}/soul\">{}</a></td><td class=\"{}\">{status}</td><td>{}</td></tr>",
        percent(&agent.name),
        escaped(&agent.name),
        status.replace(' ', "-"),
        escaped(&agent.source_path)
    )
}

/// The first souls by name, with a mark at the one that sessions without a soul use.
fn library(souls: &list::Response, current: &current::Response) -> String {
    let taken = current.soul.as_ref().map(|soul| (soul.id.as_str(), soul.reason.as_str()));
    let rows = souls.souls.iter().map(|soul| {
        let mark = taken.filter(|(id, _)| *id == soul.id.as_str()).map_or("", |(_, reason)| reason);
        format!(
            "<tr><td><a href=\"/api/v1/settings/agent/souls/{id}\">{}</a></td><td class=\"valid\">{mark}</td>\
             <td>{}</td></tr>",
            escaped(&soul.name),
            escaped(&soul.description),
            id = soul.id
        )
    });
    let more = souls.pagination.total_records.saturating_sub(souls.souls.len());
    let more = if more == 0 {
        String::new()
    } else {
        format!("<p><a href=\"/api/v1/settings/agent/souls?page=2\">{more} more</a></p>")
    };
    table(rows, "no souls; sessions without an agent use the built-in soul") + &more
}

fn next() -> String {
    let pages = docs::PAGES.iter().map(|(file, about, _)| format!("<li><a href=\"/docs/{file}\">{about}</a></li>"));
    format!(
        "<ul>{}<li><a href=\"/openapi.json\">the interface</a>, as OpenAPI</li>\
         <li><a href=\"/api/agents\">agents</a>, <a href=\"/api/v1/settings/agent/souls\">souls</a>, \
         <a href=\"/api/sessions\">sessions</a>, <a href=\"/api/tasks\">tasks</a>, \
         <a href=\"/api/events\">events</a>, as JSON; <a href=\"/metrics\">metrics</a></li></ul>",
        pages.collect::<String>()
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
