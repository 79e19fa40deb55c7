//! A valid soul, emitted fresh, says the same again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use soul_core::formats::{Context, emit, parse};
use soul_core::model::Dialect;
use soul_core::text::Source;

fuzz_target!(|text: &str| {
    for dialect in Dialect::ALL {
        let parsed = parse(Source::from(text), *dialect, &Context::default());
        // A package's document holds the digests of its files, which a fresh one has not.
        if !parsed.is_valid() || *dialect == Dialect::Soulspec {
            continue;
        }
        let soul = parsed.document.soul();
        for other in Dialect::ALL {
            let _ = emit(&soul, *other);
        }
        let fresh = emit(&soul, *dialect).text;
        let again = parse(Source::from(fresh.as_str()), *dialect, &Context::default());
        assert_eq!(again.document.to_json(), parsed.document.to_json(), "{dialect} {fresh:?}");
    }
});
