use crate::formats::Emitted;
use crate::model::{At, Dialect, Soul, arrange, passage};

/// Fresh files: SOUL.md, and each companion that the soul has something for.
pub(crate) fn emit(soul: &Soul) -> Emitted {
    let mut body = String::new();
    for (place, items) in arrange(soul, Dialect::Plain) {
        if place.at == At::Body {
            body = passage(place, &items);
        }
    }
    Emitted::from(body)
}
