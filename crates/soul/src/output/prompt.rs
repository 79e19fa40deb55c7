//! The layers of a prompt, for people.

use anstyle::Style;
use soul_core::prompt::Layer;
use soul_core::text::visible;

use super::style::{FAINT, STRONG, WARNING};
use super::table::{Table, cell};

/// Every layer with its source and size, and the total.
pub(crate) fn layers(layers: &[Layer]) -> String {
    let mut table = Table::new(["LAYER", ">BYTES", ">TOKENS", "SOURCE", "NOTE"]);
    for layer in layers {
        let style = if layer.omitted { FAINT } else { Style::new() };
        let note = match layer {
            Layer { omitted: true, .. } => cell("omitted", FAINT),
            Layer { truncated: true, .. } => cell("truncated", WARNING),
            _ => "".into(),
        };
        let (bytes, tokens) = (layer.bytes.to_string(), layer.est_tokens.to_string());
        table.row([
            cell(visible(&layer.name), style),
            cell(bytes, style),
            cell(tokens, style),
            cell(visible(&layer.source), style),
            note,
        ]);
    }
    let sum = |of: fn(&Layer) -> usize| layers.iter().map(of).sum::<usize>().to_string();
    let total = [
        cell("total", STRONG),
        cell(sum(|layer| layer.bytes), STRONG),
        cell(sum(|layer| layer.est_tokens), STRONG),
        "".into(),
        "".into(),
    ];
    table.row(total);
    table.render()
}
