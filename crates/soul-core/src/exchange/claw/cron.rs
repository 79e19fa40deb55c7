//! Schedules as croner, which OpenClaw uses, accepts them.

/// Every name of the time zone database, and its aliases.
static TIMEZONES: &str = include_str!("timezones.txt");

const MONTHS: [&str; 12] = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const DAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/// Whether a time zone has this name, or it is an offset such as `+02:00`.
pub(super) fn is_timezone(name: &str) -> bool {
    let offset = name.strip_prefix(['+', '-']).and_then(|rest| rest.split_once(':')).is_some_and(|(hours, minutes)| {
        let two = |text: &str, below: u8| text.len() == 2 && text.parse::<u8>().is_ok_and(|number| number < below);
        two(hours, 24) && two(minutes, 60)
    });
    offset || TIMEZONES.lines().any(|zone| zone.eq_ignore_ascii_case(name))
}

/// Whether an expression of five fields, or six with seconds, or seven with years too, can be read.
pub(super) fn is_expression(text: &str) -> bool {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (seconds, fields, years) = match fields.as_slice() {
        [seconds, rest @ .., year] if rest.len() == 5 => (Some(seconds), rest, Some(year)),
        [seconds, rest @ ..] if rest.len() == 5 => (Some(seconds), rest, None),
        rest if rest.len() == 5 => (None, rest, None),
        _ => return false,
    };
    seconds.is_none_or(|field| is_field(field, 0, 59, &[]))
        && is_field(fields[0], 0, 59, &[])
        && is_field(fields[1], 0, 23, &[])
        && fields[2]
            .split(',')
            .all(|part| part == "L" || part == "LW" || is_field(part.strip_suffix('W').unwrap_or(part), 1, 31, &[]))
        && is_field(fields[3], 1, 12, &MONTHS)
        && fields[4].split(',').all(is_day)
        && years.is_none_or(|field| is_field(field, 1, 9999, &[]))
}

fn is_day(part: &str) -> bool {
    if let Some((day, number)) = part.split_once('#') {
        return is_field(day, 0, 7, &DAYS) && (number == "L" || matches!(number, "1" | "2" | "3" | "4" | "5"));
    }
    part == "L" || is_field(part.strip_suffix('L').filter(|day| !day.is_empty()).unwrap_or(part), 0, 7, &DAYS)
}

fn is_field(field: &str, low: u16, high: u16, names: &[&str]) -> bool {
    field.split(',').all(|part| {
        let (range, step) = part.split_once('/').map_or((part, None), |(range, step)| (range, Some(step)));
        let step_holds = step.is_none_or(|step| step.parse::<u16>().is_ok_and(|step| step >= 1 && step <= high));
        let value = |text: &str| {
            let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
            let first = if names.len() == 12 { 1 } else { 0 };
            let number = named
                .and_then(|at| u16::try_from(at + first).ok())
                .or_else(|| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten());
            number.filter(|number| (low..=high).contains(number))
        };
        let range_holds = match range.split_once('-') {
            Some((from, to)) => matches!((value(from), value(to)), (Some(from), Some(to)) if from <= to),
            None if range == "*" || range == "?" => true,
            // A step needs something to step through.
            None => value(range).is_some() && step.is_none(),
        };
        step_holds && range_holds
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_and_zones_are_told_from_other_words() {
        for good in ["0 9 * * *", "*/5 0-6,22 1 JAN mon-fri", "0 0 L * 5#2", "0 0 9 * * *"] {
            assert!(is_expression(good), "{good}");
        }
        for bad in ["99 9 * * *", "hello", "0 9 * *", "* * 0 * *", "*/0 * * * *", "5-1 * * * *"] {
            assert!(!is_expression(bad), "{bad}");
        }
        assert!(is_timezone("Europe/Berlin") && is_timezone("utc") && is_timezone("+02:00"));
        assert!(!is_timezone("Mars/Base") && !is_timezone("+2") && !is_timezone(""));
    }
}
