//! The interface as it is served is the one that is checked in.

use std::path::Path;

#[test]
fn the_interface_is_checked_in() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let now = soul_server::openapi();
    if std::env::var_os("SOUL_BLESS").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == now, "docs/openapi.json is not what is served; SOUL_BLESS=1 writes it");
}
