//! Registries, for people.

use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::ops::registry::{RegistrySoul, browse, check, index, init, search, show, submit};
use soul_engine::registry::Missing;

use super::findings;
use super::style::{ERROR, FAINT, GOOD, STRONG, WARNING, count, hint, row};
use super::table::{Table, cell};

fn table(souls: &[RegistrySoul]) -> String {
    let mut table = Table::new(["PACKAGE", "VERSION", "GRADE", "CATEGORY", "DESCRIPTION…"]);
    for soul in souls {
        let entry = &soul.entry;
        let about =
            if entry.deprecated { format!("(deprecated) {}", entry.description) } else { entry.description.clone() };
        table.row([
            cell(visible(&soul.full_name), STRONG),
            visible(&entry.version).into(),
            entry.scan_grade.map(|grade| grade.to_string()).unwrap_or_default().into(),
            visible(&entry.category).into(),
            cell(visible(&about), FAINT),
        ]);
    }
    table.render()
}

/// What a search could not look at.
fn missing(missing: &[Missing]) -> String {
    let mut out = String::new();
    for Missing { registry, path, reason } in missing {
        let place =
            path.as_ref().map_or_else(|| visible(registry), |path| format!("{} {}", visible(registry), visible(path)));
        let _ = writeln!(out, "{WARNING}skipped{WARNING:#}  {place}: {}", visible(reason));
    }
    out
}

pub(crate) fn found(response: &search::Response) -> String {
    if response.results.is_empty() {
        let none = "no package matches\n".to_owned() + &missing(&response.missing);
        return none + &hint("`soul registry browse` lists every package");
    }
    let mut out = table(&response.results) + &missing(&response.missing);
    if response.total > response.results.len() {
        out.push_str(&hint(&format!("{} of {}; `--limit` shows more", response.results.len(), response.total)));
    } else {
        out.push_str(&hint("`soul registry show PACKAGE` shows one, `soul install PACKAGE` installs it"));
    }
    out
}

pub(crate) fn page(response: &browse::Response) -> String {
    if response.souls.is_empty() {
        return "no packages on this page\n".to_owned() + &missing(&response.missing);
    }
    let mut out = table(&response.souls) + &missing(&response.missing);
    let pages = response.total.div_ceil(response.limit);
    if pages > 1 {
        out.push_str(&hint(&format!(
            "page {} of {pages}, {}; continue with `--page N`",
            response.page,
            count(response.total, "package")
        )));
    }
    out
}

pub(crate) fn package(response: &show::Response) -> String {
    let entry = &response.soul.entry;
    let mut out = format!(
        "{STRONG}{}{STRONG:#} {}  {}\n",
        visible(&response.soul.full_name),
        visible(&entry.version),
        visible(&entry.display_name)
    );
    let mut line = |name: &str, value: &str| row(&mut out, 10, name, &visible(value));
    line("about", &entry.description);
    line("category", &entry.category);
    line("author", &entry.author);
    line("licence", &entry.license);
    if !entry.tags.is_empty() {
        line("tags", &entry.tags.join(", "));
    }
    if let Some(grade) = entry.scan_grade {
        line("grade", &grade.to_string());
    }
    line("from", &response.soul.source);
    line("signed", if response.signed { "yes" } else { "no" });
    line("digest", &response.digest.to_string());
    if let Some(installed) = response.installed {
        line("installed", &installed.to_string());
    }
    if entry.deprecated {
        let instead = entry.superseded_by.as_deref().map(|other| format!("; use {} instead", visible(other)));
        let _ = writeln!(out, "  {WARNING}deprecated{WARNING:#}{}", instead.unwrap_or_default());
    }
    response.contents.iter().for_each(|file| _ = writeln!(out, "  {FAINT}{}{FAINT:#}", visible(&file.path)));
    if !response.soul_text.is_empty() {
        out.push('\n');
        response.soul_text.trim_matches('\n').lines().for_each(|line| out.push_str(&(visible(line) + "\n")));
        out.push('\n');
    }
    out.push_str(&hint(&format!("`soul install {}` installs it", response.soul.full_name)));
    out
}

pub(crate) fn created(response: &init::Response) -> String {
    let mut out = format!(
        "{GOOD}created{GOOD:#}  {STRONG}{}{STRONG:#}  {FAINT}{} on {}{FAINT:#}\n",
        response.directory,
        short(&response.commit),
        response.branch
    );
    response.files.iter().for_each(|file| _ = writeln!(out, "  {FAINT}{file}{FAINT:#}"));
    out.push_str(&hint(&format!("`soul registry submit PACKAGE --to {}` submits a package", response.directory)));
    out
}

pub(crate) fn submitted(response: &submit::Response) -> String {
    let word = if response.unchanged { "unchanged" } else { "submitted" };
    let mut out = format!("{GOOD}{word}{GOOD:#}  {STRONG}{}{STRONG:#} {}\n", response.package, response.version);
    row(&mut out, 7, "branch", &response.branch);
    row(&mut out, 7, "commit", &short(&response.commit));
    let _ = write!(out, "\n{STRONG}{}{STRONG:#}\n\n{}", visible(&response.title), response.body);
    out
}

pub(crate) fn checked(response: &check::Response) -> String {
    let mut out = String::new();
    for package in &response.packages {
        let (style, word) = if package.passed { (GOOD, "passed") } else { (ERROR, "failed") };
        let version = match (package.previous_version, package.version) {
            (Some(old), Some(new)) => format!(" {old} → {new}"),
            (None, Some(new)) => format!(" {new}"),
            _ => String::new(),
        };
        let grade = package.grade.map(|grade| format!("  {FAINT}{grade}{FAINT:#}")).unwrap_or_default();
        let _ = writeln!(out, "{style}{word}{style:#}  {STRONG}{}{STRONG:#}{version}{grade}", visible(&package.path));
        package.problems.iter().for_each(|problem| _ = writeln!(out, "  {ERROR}problem{ERROR:#} {}", visible(problem)));
        package
            .warnings
            .iter()
            .for_each(|warning| _ = writeln!(out, "  {WARNING}warning{WARNING:#} {}", visible(warning)));
        out.extend(package.findings.iter().map(findings::line));
    }
    response.problems.iter().for_each(|problem| _ = writeln!(out, "{ERROR}problem{ERROR:#} {}", visible(problem)));
    response.removed.iter().for_each(|path| _ = writeln!(out, "{WARNING}removed{WARNING:#} {}", visible(path)));
    let failed = response.packages.iter().filter(|package| !package.passed).count() + response.problems.len();
    let checked = count(response.packages.len(), "package");
    let _ = match response.passed {
        true => writeln!(out, "{GOOD}passed{GOOD:#}  {checked} checked: no problems found"),
        false => writeln!(out, "{ERROR}failed{ERROR:#}  {checked} checked: {failed} failed"),
    };
    out
}

pub(crate) fn indexed(response: &index::Response) -> String {
    let word = if response.unchanged { "unchanged" } else { "indexed" };
    let index = &response.index;
    let counted = format!("{}, {}", count(index.total, "package"), count(index.contributors.len(), "owner"));
    let mut out = format!("{GOOD}{word}{GOOD:#}  index.json  {FAINT}{counted}, {}{FAINT:#}\n", index.generated_at);
    for skipped in &response.skipped {
        let _ = writeln!(out, "{WARNING}skipped{WARNING:#}  {}: {}", visible(&skipped.path), visible(&skipped.reason));
    }
    out
}

fn short(commit: &str) -> String {
    commit.chars().take(10).collect()
}
