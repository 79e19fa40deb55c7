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

/// Every test that the page of guarantees names is there.
#[test]
fn promises_have_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/guarantees.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let named: Vec<&str> =
        rows.filter_map(|row| row.rsplit('|').nth(1)).flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let mut code = String::new();
    for file in sources(&root.join("crates")) {
        code.push_str(&std::fs::read_to_string(file).unwrap());
    }
    let missing: Vec<_> = named.iter().filter(|name| !code.contains(&format!("fn {name}("))).collect();
    assert!(named.len() > 20 && missing.is_empty(), "{} named, missing: {missing:?}", named.len());
}

fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}
