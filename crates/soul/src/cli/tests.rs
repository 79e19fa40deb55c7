//! What holds for every command, option and example.

use super::*;

/// clap asserts what it finds wrong with a command line when it builds it.
#[test]
fn every_command_can_be_built() {
    command().debug_assert();
}

/// Names that the engine has for a value are typed out here, for help and completions.
#[test]
fn every_possible_value_is_one() {
    fn check(command: &Command) -> usize {
        let has_names = |argument: &&clap::Arg| argument.get_long().is_some() && argument.get_id() != "format";
        let mut checked = 0;
        for argument in command.get_arguments().filter(has_names) {
            let alone = Command::new("soul").arg(argument.clone().required(false));
            for value in argument.get_possible_values().iter().filter(|_| argument.get_action().takes_values()) {
                let typed = format!("--{}={}", argument.get_long().unwrap(), value.get_name());
                alone.clone().try_get_matches_from(["soul", &typed]).unwrap();
                checked += 1;
            }
        }
        checked + command.get_subcommands().map(check).sum::<usize>()
    }
    assert!(check(&command()) > 20);
}

/// Every command shows what it is for, and options are known before and after it.
#[test]
fn every_command_describes_itself() {
    fn check(command: &Command, path: &str) {
        assert!(command.get_about().is_some(), "`{path}` has no description");
        for subcommand in command.get_subcommands() {
            check(subcommand, &format!("{path} {}", subcommand.get_name()));
        }
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "`{}` of `{path}` has no description", argument.get_id());
        }
    }
    check(&command(), "soul");
    for typed in [["soul", "--json", "token", "list"], ["soul", "token", "list", "--json"]] {
        let matches = parse(&typed.map(OsString::from)).unwrap();
        assert!(Global::from_arg_matches(&matches).unwrap().json, "{typed:?}");
    }
}

fn leaves(command: &Command, path: &str) -> Vec<(String, Command)> {
    let below = |one: &Command| leaves(one, &format!("{path} {}", one.get_name()));
    match command.has_subcommands() {
        true => command.get_subcommands().flat_map(below).collect(),
        false => vec![(path.to_owned(), command.clone())],
    }
}

/// Every command, and every group of commands.
fn all_commands(command: &Command, path: &str) -> Vec<(String, Command)> {
    let below = |one: &Command| {
        let path = format!("{path} {}", one.get_name());
        let mut all = all_commands(one, &path);
        all.push((path, one.clone()));
        all
    };
    command.get_subcommands().flat_map(below).collect()
}

/// An example is a line that can be typed: this program parses each, up to what explains it.
#[test]
fn every_command_has_examples_that_parse() {
    let mut parsed = 0;
    for (path, command_or_group) in all_commands(&command(), "soul") {
        let help = command_or_group.get_after_help().map(ToString::to_string).unwrap_or_default();
        let Some(examples) = help.strip_prefix("Examples:\n") else { panic!("`{path}` has no examples") };
        let lines: Vec<&str> = examples.lines().collect();
        assert!((1..=5).contains(&lines.len()), "`{path}` has {} examples", lines.len());
        assert!(lines.iter().any(|line| line.contains(&format!("{path} ")) || line.ends_with(&path)), "`{path}`");
        for line in lines {
            let typed = line.trim_start().split("   ").next().unwrap_or_default();
            let typed = typed.split(" | ").find(|part| part.contains("soul ")).unwrap_or_default();
            let typed = typed.split(" > ").next().unwrap_or_default();
            let from = typed.find("soul ").unwrap_or_default();
            let words: Vec<OsString> = words(&typed[from..]).into_iter().map(Into::into).collect();
            if let Err(error) = command().try_get_matches_from(&words) {
                panic!("`{line}` of `{path}`: {error}");
            }
            parsed += 1;
        }
    }
    assert!(parsed > 100);
}

/// The words of a command, as a shell splits them.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.trim().chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, ' ') => words.push(String::new()),
            (_, c) => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn options_with_few_values_list_them() {
    const FEW: [&str; 13] = [
        "dialect",
        "level",
        "format",
        "layer",
        "state",
        "profile",
        "role",
        "grants",
        "log",
        "fail_on",
        "min_grade",
        "template",
        "color",
    ];
    let mut seen = std::collections::BTreeSet::new();
    for (path, leaf) in leaves(&command(), "soul") {
        for argument in leaf.get_arguments() {
            let id = argument.get_id().as_str();
            let is_form = matches!((&*path, id), ("soul convert" | "soul migrate", "from" | "to"));
            if FEW.contains(&id) || is_form {
                assert!(!argument.get_possible_values().is_empty(), "`{id}` of `{path}` lists no values");
                seen.insert(id.to_owned());
            }
        }
    }
    seen.insert("color".to_owned());
    assert!(FEW.iter().all(|id| seen.contains(*id)), "{seen:?}");
}

/// Rust's reasons why a text is no number help nobody.
#[test]
fn a_wrong_number_is_answered_in_words() {
    let mut tried = 0;
    for (path, leaf) in leaves(&command(), "soul") {
        for argument in leaf.get_arguments().filter(|argument| argument.get_action().takes_values()) {
            let Some(long) = argument.get_long() else { continue };
            for wrong in ["nope", "99999999999999999999999"] {
                // A command by itself does not know the options that all have.
                let option = format!("--{long}={wrong}");
                let typed = path.split(' ').chain([option.as_str()]);
                let Err(error) = command().try_get_matches_from(typed) else { continue };
                let error = error.to_string();
                for leak in ["invalid digit", "too large to fit", "invalid float", "ParseInt"] {
                    assert!(!error.contains(leak), "`{path} --{long}={wrong}`: {error}");
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried}");
}
