//! Packages, for people.

use std::collections::BTreeSet;
use std::fmt::Write;

use soul_core::text::visible;
use soul_engine::ops::{install, installed, key, outdated, pack, uninstall, r#use, verify};
use soul_engine::registry::{Capabilities, FileChange, OwnKey, Plan, SignatureState};

use super::findings;
use super::style::{ERROR, FAINT, GOOD, STRONG, WARNING, ago, brief, count, hint, row};
use super::table::{Table, cell};
use super::view;

/// The most files that a plan names, unless `-v` asks for all of them.
const GLANCE: usize = 40;

pub(crate) fn packed(response: &pack::Response) -> String {
    let pack::Response { package, version, file, digest, raw_digest, bytes, files, problems, .. } = response;
    let mut out = match file {
        Some(file) => format!("{GOOD}packed{GOOD:#}  {STRONG}{package}{STRONG:#} {version}  {FAINT}{file}{FAINT:#}\n"),
        None if problems.is_empty() => format!("{GOOD}passed{GOOD:#}  {STRONG}{package}{STRONG:#} {version}\n"),
        None => format!("{ERROR}failed{ERROR:#}  {STRONG}{package}{STRONG:#} {version}\n"),
    };
    row(&mut out, 10, "digest", &digest.to_string());
    if let Some(raw) = raw_digest {
        row(&mut out, 10, "archive", &raw.to_string());
    }
    row(&mut out, 10, "size", &format!("{}, {}", count(files.len(), "file"), size(*bytes)));
    row(&mut out, 10, "scan", &graded(&response.grade.to_string(), response.score, response.total));
    if let Some(key) = &response.signed_by {
        row(&mut out, 10, "signed by", key.as_str());
    }
    for path in &response.skipped {
        let _ = writeln!(out, "  {WARNING}left out{WARNING:#} {}", visible(path));
    }
    problems.iter().for_each(|problem| _ = writeln!(out, "  {ERROR}problem{ERROR:#} {}", visible(problem)));
    out.extend(response.findings.iter().map(findings::line));
    if file.is_some() && !problems.is_empty() {
        out.push_str(&hint("a registry would not take it yet: `soul pack DIR --check`"));
    } else if let Some(file) = file {
        out.push_str(&hint(&format!(
            "`soul install {file}` installs it; `soul registry submit {file} --to REGISTRY` submits it"
        )));
    }
    out
}

/// What installing a package would do.
pub(crate) fn plan(plan: &Plan) -> String {
    let change = match plan.installed {
        Some(installed) if plan.unchanged => format!("{installed} is installed"),
        Some(installed) if plan.version < installed => {
            format!("{installed} → {} {WARNING}(older){WARNING:#}", plan.version)
        }
        Some(installed) => format!("{installed} → {}", plan.version),
        None => plan.version.to_string(),
    };
    let mut out = format!("{STRONG}{}{STRONG:#} {change}  {}\n", plan.package, visible(&plan.display_name));
    let mut line = |name: &str, value: &str| row(&mut out, 12, name, value);
    line("about", &visible(&plan.description));
    line("from", &visible(&plan.source));
    if let Some(latest) = plan.latest {
        line("latest", &format!("{latest}, which the registry has now"));
    }
    line("kind", &plan.kind);
    line("licence", &visible(&plan.license));
    line("scan", &graded(&plan.grade.to_string(), plan.score, plan.total));
    line("signature", &signature(plan));
    capabilities(&mut out, "asks for", &plan.capabilities);
    if plan.installed.is_some() && !plan.unchanged {
        capabilities(&mut out, "new", &plan.new_capabilities);
    }
    if plan.deprecated {
        let instead = plan.superseded_by.as_deref().map(|other| format!("; use {} instead", visible(other)));
        let _ = writeln!(out, "  {WARNING}deprecated{WARNING:#}{}", instead.unwrap_or_default());
    }
    let _ = writeln!(out, "  {} into {}", count(plan.files.len(), "file"), plan.folder);
    let most = if view::is_verbose() { plan.files.len() } else { GLANCE };
    for file in plan.files.iter().take(most) {
        let mark = match file.change {
            FileChange::New => format!("{GOOD}+{GOOD:#}"),
            FileChange::Changed => format!("{WARNING}~{WARNING:#}"),
            FileChange::Same => " ".to_owned(),
        };
        let _ = writeln!(out, "  {mark} {}  {FAINT}{}  {}{FAINT:#}", &file.sha256[..12], file.path, size(file.bytes));
    }
    if plan.files.len() > most {
        let _ = writeln!(out, "    {FAINT}and {} more; `-v` shows all{FAINT:#}", plan.files.len() - most);
    }
    plan.removed.iter().for_each(|path| _ = writeln!(out, "  {ERROR}-{ERROR:#} {}", visible(path)));
    plan.overwritten.iter().for_each(|path| _ = writeln!(out, "  {WARNING}overwrites{WARNING:#} {}", visible(path)));
    plan.skipped.iter().for_each(|path| _ = writeln!(out, "  {FAINT}left out{FAINT:#} {}", visible(path)));
    out.extend(plan.findings.iter().map(findings::line));
    plan.refused.iter().for_each(|reason| _ = writeln!(out, "  {ERROR}refused{ERROR:#} {}", visible(reason)));
    let _ = writeln!(out, "plan  {}", plan.digest);
    out
}

fn signature(plan: &Plan) -> String {
    let key = plan.signature.key.as_ref().map_or("", |key| key.as_str());
    match plan.signature.state {
        SignatureState::Unsigned => "none".to_owned(),
        SignatureState::FirstUse => format!("{key}, which will be trusted for {}", plan.owner),
        SignatureState::Trusted => format!("{key}, trusted"),
    }
}

fn capabilities(out: &mut String, title: &str, asked: &Capabilities) {
    let list = |name: &str, values: &BTreeSet<String>| {
        let values: Vec<String> = values.iter().map(|value| visible(value)).collect();
        (!values.is_empty()).then(|| format!("{name} {}", values.join(", ")))
    };
    let parts = [
        list("tools", &asked.tools),
        list("skills", &asked.skills),
        list("hooks", &asked.hooks),
        list("scripts", &asked.scripts),
        list("network", &asked.network),
        asked.memory.then(|| "a memory to begin with".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    row(out, 12, title, &if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") });
}

fn graded(grade: &str, score: usize, total: usize) -> String {
    format!("{grade}, {score} of {total} rules passed")
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KB", bytes.div_ceil(1024)),
        _ => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
    }
}

/// A package that was installed, or was already.
pub(crate) fn installed_now(response: &install::Response) -> String {
    let plan = &response.plan;
    let word = if plan.unchanged { "unchanged" } else { "installed" };
    let mut out = format!(
        "{GOOD}{word}{GOOD:#}  {STRONG}{}{STRONG:#} {}  {FAINT}{}{FAINT:#}\n",
        plan.package, plan.version, plan.folder
    );
    if plan.deprecated {
        let instead = plan.superseded_by.as_deref().map(|other| format!("; use {} instead", visible(other)));
        let _ = writeln!(out, "{WARNING}deprecated{WARNING:#}{}", instead.unwrap_or_default());
    }
    out.push_str(&hint(&format!("`soul use {} --agent AGENT` uses it for an agent", plan.package)));
    out
}

pub(crate) fn uninstalled(response: &uninstall::Response) -> String {
    let removed = &response.removed;
    format!("{GOOD}removed{GOOD:#}  {STRONG}{}{STRONG:#} {}\n", removed.package, removed.version)
}

pub(crate) fn installed(response: &installed::Response) -> String {
    if response.packages.is_empty() {
        return "no package is installed\n".to_owned() + &hint("`soul registry search` finds packages");
    }
    let mut table = Table::new(["PACKAGE", "VERSION", "INSTALLED", "FROM…", "SIGNED", "USED BY…"]);
    for installed::Entry { row, used_by, .. } in &response.packages {
        let used: Vec<String> = used_by.iter().map(ToString::to_string).collect();
        table.row([
            cell(row.package.to_string(), STRONG),
            row.version.to_string().into(),
            ago(&row.installed_at).into(),
            visible(&row.source).into(),
            row.signature.as_ref().map(|_| "yes").unwrap_or_default().into(),
            used.join(", ").into(),
        ]);
    }
    table.render()
}

pub(crate) fn outdated(response: &outdated::Response) -> String {
    if response.packages.is_empty() {
        return match response.unknown.len() {
            0 if response.compared == 0 => {
                "no package is installed\n".to_owned() + &hint("`soul registry search` finds packages")
            }
            0 => "every package is up to date\n".to_owned(),
            more => format!("every package of a registry is up to date; {} from elsewhere\n", count(more, "package")),
        };
    }
    let mut table = Table::new(["PACKAGE", "INSTALLED", "AVAILABLE", "NOTE…"]);
    for package in &response.packages {
        let note = match (&package.superseded_by, package.deprecated) {
            (Some(other), _) => format!("superseded by {}", visible(other)),
            (None, true) => "deprecated".to_owned(),
            (None, false) => String::new(),
        };
        let (installed, available) = (package.installed.to_string(), package.available.to_string());
        table.row([cell(package.package.to_string(), STRONG), installed.into(), available.into(), cell(note, WARNING)]);
    }
    table.render() + &hint("`soul update` updates them, one plan after the other")
}

pub(crate) fn verified(response: &verify::Response) -> String {
    let mut out = String::new();
    for package in &response.packages {
        let (style, word) = if package.passed { (GOOD, "verified") } else { (ERROR, "changed") };
        let _ = writeln!(out, "{style}{word}{style:#}  {STRONG}{}{STRONG:#} {}", package.package, package.version);
        package.problems.iter().for_each(|problem| _ = writeln!(out, "  {}", visible(problem)));
    }
    if response.packages.is_empty() {
        out.push_str("no package is installed\n");
    }
    if !response.passed {
        out.push_str(&hint("uninstall the package, and install it again"));
    }
    out
}

pub(crate) fn used(response: &r#use::Response) -> String {
    let r#use::Response { agent, package, version, .. } = response;
    let mut out =
        format!("{GOOD}using{GOOD:#}  {STRONG}{package}{STRONG:#} {version}  for {STRONG}{agent}{STRONG:#}\n");
    out.push_str(&changed(response));
    out.push_str(&hint(&format!(
        "`soul prompt {agent}` shows what reaches the model; `soul restore {agent}` takes it back"
    )));
    out
}

pub(crate) fn restored(response: &r#use::Response) -> String {
    let r#use::Response { agent, package, version, .. } = response;
    let mut out = format!("{GOOD}restored{GOOD:#}  {STRONG}{agent}{STRONG:#}  as it was before {package} {version}\n");
    out.push_str(&changed(response));
    out
}

fn changed(response: &r#use::Response) -> String {
    let mut out = String::new();
    let mut list = |word: &str, paths: &[String]| {
        paths.iter().for_each(|path| _ = writeln!(out, "  {FAINT}{word:<8}{FAINT:#} {}", visible(path)));
    };
    list("wrote", &response.written);
    list("removed", &response.removed);
    list("kept", &response.kept);
    if let Some(change) = &response.change {
        out.extend(change.findings.iter().map(findings::line));
        row(&mut out, 9, "revision", &super::style::brief_id(change.revision.sealed.id.as_str()));
    }
    out
}

pub(crate) fn key_created(key: &OwnKey) -> String {
    let mut out = format!("{GOOD}created{GOOD:#}  the key {STRONG}{}{STRONG:#}\n", visible(&key.name));
    row(&mut out, 8, "public", key.public_key.as_str());
    out.push_str(&hint(&format!(
        "`soul pack DIR --key {}` signs a package; keep `keys/{}.key` secret",
        key.name, key.name
    )));
    out
}

pub(crate) fn keys(response: &key::list::Response) -> String {
    let mut out = String::new();
    let mut table = Table::new(["KEY", "WHOSE", "PUBLIC KEY"]);
    for key in &response.keys {
        table.row([cell(visible(&key.name), STRONG), "yours".into(), key.public_key.as_str().into()]);
    }
    for (owner, trusted) in &response.trusted {
        for key in &trusted.keys {
            table.row([cell("", STRONG), visible(owner).into(), key.as_str().into()]);
        }
    }
    match response.keys.is_empty() && response.trusted.is_empty() {
        true => out.push_str("there are no keys yet\n"),
        false => out.push_str(&table.render()),
    }
    out
}

pub(crate) fn key_trusted(response: &key::trust::Response) -> String {
    let word = if response.unchanged { "unchanged" } else { "trusted" };
    format!(
        "{GOOD}{word}{GOOD:#}  {} for {STRONG}{}{STRONG:#}\n",
        brief(response.key.as_str()),
        visible(&response.owner)
    )
}

pub(crate) fn key_forgotten(response: &key::forget::Response) -> String {
    format!("{GOOD}forgotten{GOOD:#}  the keys of {STRONG}{}{STRONG:#}\n", visible(&response.owner))
}
