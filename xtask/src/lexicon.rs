//! `cargo xtask lexicon`: compiles the lexicons of the scanner, `lexicon/*.txt`, into the file that it reads.

const FOLDER: &str = "crates/soul-core/src/scan/frames";

pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let read = |language: &str| {
        let path = format!("{FOLDER}/lexicon/{language}.txt");
        std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))
    };
    let bytes = soul_core::scan::compile_lexicon(read)?;
    let path = format!("{FOLDER}/lexicon.bin");
    std::fs::write(&path, &bytes).map_err(|error| format!("{path}: {error}"))?;
    println!("{path}: {} bytes", bytes.len());
    Ok(())
}
