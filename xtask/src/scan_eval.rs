//! eval
pub(crate) fn run(_words: &[String]) -> Result<(), String> {
    Ok(())
}
