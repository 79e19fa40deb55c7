//! Receipts, for people.

use std::fmt::Write;

use soul_engine::ops::receipt::Receipt;
use soul_engine::ops::receipt::verify::{Match, Response};

use super::style::{ERROR, GOOD, STRONG, WARNING};
use super::table::Table;

pub(crate) fn shown(receipt: &Receipt) -> String {
    let mut out = String::new();
    let agent = receipt.agent.as_deref().unwrap_or("a library soul");
    let _ = writeln!(out, "{STRONG}{}{STRONG:#}  {agent}, {}", receipt.session_id, receipt.prompt.runtime);
    let none = || "none".to_owned();
    let caller = receipt.caller.as_ref().map_or_else(none, |caller| format!("{} ({})", caller.name, caller.kind));
    let rows = [
        ("receipt", receipt.id.as_ref().map_or_else(|| "computed, none is on record".to_owned(), ToString::to_string)),
        ("captured", receipt.captured_at.to_string()),
        ("caller", caller),
        ("snapshot", receipt.snapshot_id.as_ref().map_or_else(none, ToString::to_string)),
        ("soul", receipt.soul_digest.map_or_else(none, |digest| digest.to_string())),
        ("prompt", format!("{}, {} bytes", receipt.prompt.prompt_digest, receipt.prompt.bytes)),
    ];
    for (label, value) in rows {
        let _ = writeln!(out, "  {label:<9} {value}");
    }
    for earlier in &receipt.earlier {
        let _ = writeln!(out, "  {:<9} {} {}, {}", "earlier", earlier.id, earlier.captured_at, earlier.prompt_digest);
    }
    let mut table = Table::new(["LAYER", "SOURCE", ">BYTES", "DIGEST"]);
    for layer in &receipt.prompt.layers {
        let digest: String = layer.digest.to_string().chars().take("raw:sha256:".len() + 12).collect();
        table.row([
            layer.name.as_str().into(),
            layer.source.as_str().into(),
            layer.bytes.to_string().into(),
            digest.into(),
        ]);
    }
    let _ = write!(out, "\n{}", table.render());
    out
}

pub(crate) fn verified(response: &Response) -> String {
    let session = response.receipt.as_ref().map(|receipt| receipt.session_id.to_string()).unwrap_or_default();
    let mut out = String::new();
    let _ = match response.state {
        Match::Same => writeln!(out, "{GOOD}same{GOOD:#}  the system prompt is the one on record of {session}"),
        Match::Contained => {
            writeln!(
                out,
                "{WARNING}contained{WARNING:#}  the prompt on record of {session}, with other text around it, or a task in it"
            )
        }
        Match::Different if session.is_empty() => {
            writeln!(out, "{ERROR}different{ERROR:#}  the system prompt is on record of no session")
        }
        Match::Different => {
            writeln!(out, "{ERROR}different{ERROR:#}  the system prompt is not the one on record of {session}")
        }
        Match::NoPrompt => writeln!(out, "{ERROR}no prompt{ERROR:#}  the transcript has no system prompt"),
    };
    if !response.missing_layers.is_empty() {
        let _ = writeln!(out, "  missing   {}", response.missing_layers.join(", "));
    }
    out
}
