//! Things to do, one file a command.

mod add;
mod claim;
mod finish;
mod list;
mod renew;

use std::process::ExitCode;
use std::time::Duration;

use super::Global;
use crate::output::Failure;

/// Things to do, taken by one session at a time
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Add(add::Arguments),
    Claim(claim::Arguments),
    Renew(renew::Arguments),
    Finish(finish::Arguments),
    List(list::Arguments),
}

pub(crate) fn run(global: &Global, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Add(arguments) => add::run(global, arguments),
        Command::Claim(arguments) => claim::run(global, arguments),
        Command::Renew(arguments) => renew::run(global, arguments),
        Command::Finish(arguments) => finish::run(global, arguments),
        Command::List(arguments) => list::run(global, arguments),
    }
}

/// How long, as people write it: `90s`, `5m`, `2h`; a bare number is seconds.
fn lease(typed: &str) -> Result<Duration, String> {
    let digits = typed.trim_end_matches(['s', 'm', 'h']);
    let unit = match &typed[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err("a lease is like `90s`, `5m` or `2h`".to_owned()),
    };
    let seconds = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    match seconds {
        Some(seconds @ 1..=86_400) => Ok(Duration::from_secs(seconds)),
        Some(_) => Err("a lease lasts from a second to a day".to_owned()),
        None => Err("a lease is like `90s`, `5m` or `2h`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::lease;

    #[test]
    fn leases_are_written_as_people_write_them() {
        let seconds = |typed: &str| lease(typed).map(|lease| lease.as_secs());
        assert_eq!((seconds("60s"), seconds("5m"), seconds("2h"), seconds("7")), (Ok(60), Ok(300), Ok(7200), Ok(7)));
        for wrong in ["", "s", "0s", "-1s", "25h", "1d", "1ms", "99999999999999999999s", "５s"] {
            assert!(lease(wrong).is_err(), "{wrong}");
        }
    }
}
