//! Any bytes, every dialect: no panic, the bytes come back, every span lies in the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use soul_core::formats::{Context, detect, parse};
use soul_core::model::Dialect;
use soul_core::text::Source;

fuzz_target!(|bytes: &[u8]| {
    let source = Source::new(bytes);
    let _ = detect(&source, None, bytes.len() % 2 == 0);
    let readings = Dialect::ALL.iter().map(|dialect| (*dialect, "a.md")).chain([(Dialect::Agentos, "persona.json")]);
    for (dialect, name) in readings {
        let parsed = parse(source.clone(), dialect, &Context { name: Some(name.into()), ..Context::default() });
        assert_eq!(parsed.document.render(&[]), bytes);
        let _ = (parsed.document.digest(), parsed.document.identity(Default::default()), parsed.document.to_json());
        let items = parsed.document.soul().items;
        let spans = items.iter().map(|item| item.span).chain(parsed.diagnostics.iter().filter_map(|d| d.span));
        if let Some(text) = source.text() {
            spans.for_each(|span| assert!(text.get(span.start..span.end).is_some()));
        }
    }
});
