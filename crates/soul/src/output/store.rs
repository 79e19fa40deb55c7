//! The store itself, for people.

use soul_engine::ops::store::{info, migrate};
use soul_engine::settings::{Origin, SoulsKept};

use super::style::{self, FAINT, GOOD, STRONG, count, row};
use super::table::{Table, cell};
use super::view;

const WIDTH: usize = 10;

pub(crate) fn info(response: &info::Response) -> String {
    let info::Response { engine, location, chosen_by, souls_in, exists, id, schema_version, .. } = response;
    let name = if engine == "postgres" { "PostgreSQL" } else { "SQLite" };
    let mut out = format!("{STRONG}{location}{STRONG:#}  {name}");
    let by = match chosen_by {
        Origin::Default => "",
        Origin::Environment => "set by SOUL_STORE_URL",
        Origin::Home | Origin::Workspace => "set in config.toml",
    };
    if !by.is_empty() {
        out.push_str(&format!("  {FAINT}{by}{FAINT:#}"));
    }
    out.push('\n');
    let kept = match souls_in {
        SoulsKept::Files => "kept in files",
        SoulsKept::Database => "kept in the database",
    };
    if !exists {
        row(&mut out, WIDTH, "souls", kept);
        out.push_str("nothing is recorded yet\n");
        out.push_str(&style::hint("`soul new NAME` creates an agent, and records its soul"));
        return out;
    }
    let souls = usize::try_from(response.revisions).map(|revisions| count(revisions, "revision")).unwrap_or_default();
    row(&mut out, WIDTH, "contents", &format!("{souls} of {}", count(response.souls, "soul")));
    row(&mut out, WIDTH, "souls", kept);
    row(&mut out, WIDTH, "size", &size(response.bytes));
    row(&mut out, WIDTH, "schema", &schema_version.map(|version| version.to_string()).unwrap_or_default());
    row(&mut out, WIDTH, "id", id.as_deref().unwrap_or("none"));
    if view::is_verbose() {
        let mut table = Table::new(["TABLE", ">ROWS"]);
        for counted in &response.tables {
            table.row([cell(&counted.table, STRONG), counted.rows.to_string().into()]);
        }
        out.push('\n');
        out.push_str(&table.render());
    }
    out
}

pub(crate) fn migrated(response: &migrate::Response) -> String {
    let migrate::Response { from, to, id, resumed, souls, revisions, snapshots, rows, tables } = response;
    let mut out = format!("{STRONG}{to}{STRONG:#}  {GOOD}migrated{GOOD:#}\n");
    let how = if *resumed { "  (continued an interrupted run)" } else { "" };
    row(&mut out, WIDTH, "from", &format!("{from}{how}"));
    let parts = [count(*revisions, "revision"), count(*souls, "soul"), count(*snapshots, "snapshot")];
    row(&mut out, WIDTH, "contents", &format!("{} of {}, {}", parts[0], parts[1], parts[2]));
    let rows = usize::try_from(*rows).map(|rows| count(rows, "row")).unwrap_or_default();
    row(
        &mut out,
        WIDTH,
        "verified",
        &format!("{rows} in {} are the same; all chains are intact", count(tables.len(), "table")),
    );
    row(&mut out, WIDTH, "id", id);
    out.push_str(&style::hint(
        "set `[store] url` in config.toml or `SOUL_STORE_URL` to use it; the source is unchanged, remove it when you no longer need it",
    ));
    out
}

/// `12 bytes`, `1.5 KiB`, `3.0 MiB`.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut tenths = bytes.saturating_mul(10) / 1024;
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_a_unit_that_people_read() {
        let shown = [0, 1023, 1024, 1536, 1 << 20, (1 << 20) + (3 << 19), 5 << 30].map(size);
        assert_eq!(shown, ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 KiB", "1.0 MiB", "2.5 MiB", "5.0 GiB"]);
    }
}
