//! The picture in docs/delivery.md, drawn again from what `soul deliver` says.

use std::path::Path;
use std::process::Command;

#[test]
fn the_picture_shows_what_is_delivered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let (drawn, kept) = (folder.path().join("delivery.svg"), root.join("docs/images/delivery.svg"));
    let status = Command::new(root.join("scripts/delivery-picture"))
        .arg(&drawn)
        .env("SOUL", env!("CARGO_BIN_EXE_soul"))
        .status()
        .unwrap();
    assert!(status.success());
    let drawn = std::fs::read_to_string(drawn).unwrap();
    if std::env::var_os("SOUL_BLESS").is_some() {
        std::fs::write(&kept, &drawn).unwrap();
    }
    assert_eq!(drawn, std::fs::read_to_string(kept).unwrap(), "run it again with SOUL_BLESS=1");
}
