//! Puts the files of `examples/registry` into the program, so that packages can be installed without a network.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/registry");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut paths = Vec::new();
    list(&root, &mut paths);
    paths.sort();
    let rows = paths.iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        format!("    ({name:?}, include_bytes!({:?})),\n", path.to_str().unwrap())
    });
    let table = format!("pub(crate) static FILES: &[(&str, &[u8])] = &[\n{}];\n", rows.collect::<String>());
    std::fs::write(Path::new(&std::env::var_os("OUT_DIR").unwrap()).join("starter.rs"), table).unwrap();
}

fn list(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_hidden = path.file_name().unwrap().to_str().unwrap().starts_with('.');
        if path.is_dir() && !is_hidden {
            list(&path, paths);
        } else if !is_hidden {
            paths.push(path);
        }
    }
}
