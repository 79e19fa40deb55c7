//! Links from page to page lead somewhere.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{pages, repository};
use crate::markdown::{Part, rewrite};

#[test]
fn links_of_pages_lead_somewhere() {
    let mut sources = pages();
    sources.extend(["ARCHITECTURE.md", "CONTRIBUTING.md"].map(|page| repository().join(page)));
    let mut count = 0;
    let mut broken = Vec::new();
    for page in &sources {
        for link in links(&read(page)).into_iter().filter(|link| !link.contains("://")) {
            count += 1;
            if !leads_somewhere(page, &link) {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(count > 0);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn leads_somewhere(page: &Path, link: &str) -> bool {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target: PathBuf = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
    target.exists() && (anchor.is_empty() || anchors(&read(&target)).contains(anchor))
}

/// What stands in `](…)` outside of code.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    prose(text, |line| {
        // A code span in between may be the text of a link, never its target.
        let shown = line.replace("``", "`").split('`').step_by(2).map(str::to_owned).collect::<String>();
        let ends = shown.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        links.extend(ends.map(|(link, _)| link.to_owned()));
    });
    links
}

/// The names that a forge gives to headings.
fn anchors(text: &str) -> HashSet<String> {
    let mut anchors = HashSet::new();
    prose(text, |line| {
        if let Some(heading) = line.strip_prefix('#') {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
            anchors.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    });
    anchors
}

fn prose(text: &str, mut visit: impl FnMut(&str)) {
    rewrite(text, |part| {
        if let Part::Line(line) = part {
            visit(line);
        }
        None
    });
}
