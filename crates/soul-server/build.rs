//! Lists the files of the studio's bundle, so that the service has them built in, each also compressed.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Where the bundle is checked in.
const BUNDLE: &str = "src/web/dist";

/// What says which file is loaded first; it is not served.
const MANIFEST: &str = "manifest.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={BUNDLE}");
    let bundle = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join(BUNDLE);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut names: Vec<String> = match fs::read_dir(&bundle) {
        Ok(entries) => entries
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<_, Box<dyn Error>>>()?,
        Err(_) => Vec::new(),
    };
    names.sort();
    let mut table = String::new();
    writeln!(table, "pub(super) static ASSETS: &[Asset] = &[")?;
    for name in names.iter().filter(|name| *name != MANIFEST && !name.starts_with('.')) {
        let file = bundle.join(name);
        let compressed = out.join(format!("{name}.gz"));
        fs::write(&compressed, gzip(&fs::read(&file)?))?;
        writeln!(
            table,
            "    Asset {{ name: {name:?}, bytes: include_bytes!({}), gzip: include_bytes!({}) }},",
            quoted(&file),
            quoted(&compressed)
        )?;
    }
    writeln!(table, "];")?;
    let manifest = if names.iter().any(|name| name == MANIFEST) {
        format!("Some(include_str!({}))", quoted(&bundle.join(MANIFEST)))
    } else {
        "None".to_owned()
    };
    writeln!(table, "pub(super) static MANIFEST: Option<&str> = {manifest};")?;
    fs::write(out.join("studio.rs"), table)?;
    Ok(())
}

fn quoted(path: &Path) -> String {
    format!("{:?}", path.to_string_lossy())
}

/// A file of gzip with nothing in its head that could differ between two builds.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
    file.extend(miniz_oxide::deflate::compress_to_vec(bytes, 9));
    file.extend(crc32(bytes).to_le_bytes());
    file.extend(u32::try_from(bytes.len() & 0xffff_ffff).unwrap_or(u32::MAX).to_le_bytes());
    file
}

/// The checksum of gzip.
fn crc32(bytes: &[u8]) -> u32 {
    let shifted = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    let next = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), |crc, _| shifted(crc));
    !bytes.iter().fold(u32::MAX, next)
}
