use crate::model::{At, Dialect, Soul, arrange, passage};
use crate::text::{LineEnds, Unified};

/// Fresh text: what stood before the sections, then the six of them.
pub(crate) fn emit(soul: &Soul) -> String {
    let mut blocks = Vec::new();
    for (place, items) in arrange(soul, Dialect::Cantus) {
        let text = inside(&Unified::new(&passage(place, &items), 0, LineEnds::All).text);
        match place.at {
            At::Section(title) if text.is_empty() => blocks.push(format!("## {title}\n")),
            At::Section(title) => blocks.push(format!("## {title}\n{text}\n")),
            _ if text.is_empty() => {}
            _ => blocks.push(format!("{text}\n")),
        }
    }
    blocks.join("\n")
}

/// Text that opens no section of its own: a first line is indented by a blank, which reading
/// strips again, and a later heading goes one level down.
fn inside(text: &str) -> String {
    let (first, rest) = text.split_once('\n').map_or((text, None), |(first, rest)| (first, Some(rest)));
    let mut out = if first.starts_with("## ") { format!(" {first}") } else { first.to_owned() };
    for line in rest.into_iter().flat_map(|rest| rest.split('\n')) {
        out.push('\n');
        if line.starts_with("## ") {
            out.push('#');
        }
        out.push_str(line);
    }
    out
}
