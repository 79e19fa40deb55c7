//! The table, as text or JSON.

use serde::Serialize;
use serde_json::{Value, json};

use super::Share;
use super::judge::Why;

/// What a figure has to reach.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bar {
    None,
    AtMost(f64),
    AtLeast(f64),
}

impl Bar {
    fn show(self, figure: f64, unit: &str) -> String {
        let (bar, met) = match self {
            Self::None => return String::new(),
            Self::AtMost(bar) => (format!("≤ {bar} {unit}"), figure <= bar),
            Self::AtLeast(bar) => (format!("≥ {bar} {unit}"), figure >= bar),
        };
        format!("{bar}{}", if met { "" } else { "  missed" })
    }
}

/// A row of the table.
#[derive(Debug, Clone)]
pub(super) struct Line {
    name: String,
    share: Share,
    rules: Option<Share>,
    held: Option<Share>,
    bar: Bar,
}

impl Line {
    pub(super) fn new(name: &str, share: Share, bar: Bar) -> Self {
        Self { name: name.to_owned(), share, rules: None, held: None, bar }
    }

    /// The share without the learned rule.
    pub(super) fn rules(self, rules: Share) -> Self {
        Self { rules: Some(rules), ..self }
    }

    /// The share with a learned rule that has not seen the source.
    pub(super) fn held(self, held: Option<Share>) -> Self {
        Self { held, ..self }
    }
}

/// Counts by source, family, language, …: a name, how many, of how many.
#[derive(Debug, Serialize)]
struct Group {
    name: String,
    rows: Vec<(String, usize, usize)>,
}

/// What was measured.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) list: bool,
    lines: Vec<Line>,
    groups: Vec<Group>,
    causes: Vec<Group>,
    notes: Vec<(String, String)>,
    alarms: Vec<(String, Vec<Why>)>,
    missed: Vec<(String, String)>,
    speed: Option<(f64, usize)>,
}

impl Output {
    pub(super) fn new(list: bool) -> Self {
        Self { list, ..Self::default() }
    }

    pub(super) fn line(&mut self, line: Line) {
        self.lines.push(line);
    }

    pub(super) fn group(&mut self, name: &str, rows: Vec<(String, usize, usize)>) {
        self.groups.push(Group { name: name.to_owned(), rows });
    }

    pub(super) fn causes(&mut self, name: &str, rows: Vec<(String, usize, usize)>) {
        self.causes.push(Group { name: name.to_owned(), rows });
    }

    pub(super) fn note(&mut self, about: &str, note: String) {
        self.notes.push((about.to_owned(), note));
    }

    pub(super) fn alarm(&mut self, target: &str, why: &[Why]) {
        self.alarms.push((target.to_owned(), why.to_vec()));
    }

    pub(super) fn missed(&mut self, target: &str, text: &str) {
        let text: String = text.chars().take(240).collect();
        self.missed.push((target.to_owned(), text.replace('\n', " ")));
    }

    pub(super) fn speed(&mut self, megabytes: f64, bytes: usize) {
        self.speed = Some((megabytes, bytes));
    }

    pub(super) fn print(&self, as_json: bool) -> Result<(), String> {
        if as_json {
            let text = serde_json::to_string_pretty(&self.json()).map_err(|error| error.to_string())?;
            println!("{text}");
        } else {
            self.table();
        }
        Ok(())
    }

    fn table(&self) {
        println!(
            "{:<50} {:>8}  {:<16} {:>13} {:>8}  {:>13} {:>13}  bar",
            "", "share", "95 % interval", "rows", "sources", "without SK110", "SK110 unseen"
        );
        for Line { name, share, rules, held, bar } in &self.lines {
            let interval = format!("{:.2} to {:.2}", share.low, share.high);
            let of = format!("{} of {}", share.count, share.of);
            let shown = |share: &Option<Share>| share.map_or(String::new(), |share| format!("{:.2} %", share.percent));
            let (rules, held) = (shown(rules), shown(held));
            let bar = bar.show(share.percent, "%");
            let (percent, sources) = (share.percent, share.sources);
            println!(
                "{name:<50} {percent:>6.2} %  {interval:<16} {of:>13} {sources:>8}  {rules:>13} {held:>13}  {bar}"
            );
        }
        if let Some((speed, bytes)) = self.speed {
            let bar = Bar::AtLeast(50.0).show(speed, "MB/s");
            println!("{:<50} {speed:>6.1} MB/s on one core, {bytes} bytes, best of 3  {bar}", "speed on real files");
        }
        for Group { name, rows } in &self.groups {
            let rows: Vec<String> = rows.iter().map(|(name, count, of)| format!("{name} {count}/{of}")).collect();
            println!("\n{name}:\n  {}", rows.join(", "));
        }
        for Group { name, rows } in &self.causes {
            let rows: Vec<String> =
                rows.iter().map(|(rule, all, alone)| format!("{rule} {all} ({alone} alone)")).collect();
            println!("\n{name}:\n  {}", rows.join(", "));
        }
        let mut about = "";
        for (name, note) in &self.notes {
            if name != about {
                println!("\n{name}:");
                about = name;
            }
            println!("  {note}");
        }
        if self.list {
            println!("\nfalse alarms:");
            for (target, why) in &self.alarms {
                for Why { rule, file, line, excerpt, .. } in why {
                    println!("  {rule} {target} {file}:{line} {excerpt}");
                }
            }
            println!("\nmissed:");
            for (target, text) in &self.missed {
                println!("  {target} {text}");
            }
        }
    }

    fn json(&self) -> Value {
        let lines = self.lines.iter().map(|line| {
            let bar = match line.bar {
                Bar::None => Value::Null,
                Bar::AtMost(bar) => json!({ "at_most": bar }),
                Bar::AtLeast(bar) => json!({ "at_least": bar }),
            };
            json!({ "name": line.name, "share": line.share, "without_learned": line.rules, "learned_unseen": line.held, "bar": bar })
        });
        let causes = self.causes.iter().map(|group| {
            let rows =
                group.rows.iter().map(|(rule, all, alone)| json!({ "rule": rule, "targets": all, "alone": alone }));
            json!({ "name": group.name, "rules": rows.collect::<Vec<_>>() })
        });
        let groups = self.groups.iter().map(|group| {
            let rows = group.rows.iter().map(|(name, count, of)| json!({ "name": name, "count": count, "of": of }));
            json!({ "name": group.name, "rows": rows.collect::<Vec<_>>() })
        });
        json!({
            "table": lines.collect::<Vec<_>>(),
            "groups": groups.collect::<Vec<_>>(),
            "causes": causes.collect::<Vec<_>>(),
            "notes": self.notes,
            "false_alarms": self.alarms.iter().map(|(target, why)| json!({ "target": target, "why": why })).collect::<Vec<_>>(),
            "missed": self.missed,
            "megabytes_per_second": self.speed.map(|(speed, _)| speed),
        })
    }
}
