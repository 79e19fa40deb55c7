use super::*;

/// Applies a diff, as `patch` would.
fn patched(before: &str, diff: &str) -> String {
    let lines: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut out, mut at, mut kept) = (String::new(), 0, false);
    for line in diff.split_inclusive('\n') {
        if let Some(header) = line.strip_prefix("@@ -") {
            let start = header.split([',', ' ']).next().unwrap().parse::<usize>().unwrap();
            let is_empty = header.split(' ').next().unwrap().ends_with(",0");
            let start = if is_empty { start } else { start - 1 };
            out.push_str(&lines[at..start].concat());
            at = start;
        } else if line.starts_with('\\') {
            if kept {
                out.pop();
            }
        } else {
            let (sign, text) = line.split_at(1);
            if sign != "+" {
                assert_eq!(lines[at].trim_end_matches('\n'), text.trim_end_matches('\n'));
                at += 1;
            }
            kept = sign != "-";
            if kept {
                out.push_str(text);
            }
        }
    }
    out + &lines[at..].concat()
}

fn changed_lines(diff: &str) -> usize {
    diff.lines().filter(|line| line.starts_with(['+', '-'])).count()
}

/// The fewest lines that must be removed and added.
fn fewest(before: &[&str], after: &[&str]) -> usize {
    let mut common = vec![vec![0; after.len() + 1]; before.len() + 1];
    for (i, a) in before.iter().enumerate() {
        for (j, b) in after.iter().enumerate() {
            common[i + 1][j + 1] = if a == b { common[i][j] + 1 } else { common[i][j + 1].max(common[i + 1][j]) };
        }
    }
    before.len() + after.len() - 2 * common[before.len()][after.len()]
}

#[test]
fn diffs_are_shortest_and_lead_from_one_text_to_the_other() {
    let mut seed = 7_u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for round in 0..3000 {
        let letters = 1 + round % 5;
        let mut text = || {
            let lines: Vec<String> = (0..random(14)).map(|_| format!("{}\n", random(letters))).collect();
            let mut text = lines.concat();
            if random(4) == 0 {
                text.pop();
            }
            text
        };
        let (before, after) = (text(), text());
        let diff = unified_diff(&before, &after, &mut DiffBudget::ONE.clone());
        assert_eq!(patched(&before, &diff), after, "{before:?} {after:?}\n{diff}");
        let lines = |text: &'static str| text.split_inclusive('\n').collect::<Vec<_>>();
        let (a, b) = (lines(before.leak()), lines(after.leak()));
        assert_eq!(changed_lines(&diff), fewest(&a, &b), "{a:?} {b:?}\n{diff}");
    }
}

#[test]
fn a_budget_that_ends_leaves_a_longer_diff_that_is_still_right() {
    let lines = |step: usize| -> String { (0..4000).map(|n| format!("{}\n", n * step % 7)).collect() };
    let (before, after) = (lines(3), lines(5));
    let mut budget = DiffBudget::new(20_000);
    let diff = unified_diff(&before, &after, &mut budget);
    assert!(budget.is_spent());
    assert_eq!(patched(&before, &diff), after);
    assert!(changed_lines(&diff) > changed_lines(&unified_diff(&before, &after, &mut DiffBudget::ONE.clone())));
}

/// Lines of two letters, 512 KiB: what no algorithm compares quickly.
#[test]
fn one_diff_takes_no_more_than_its_share() {
    let text = |seed: usize| -> String {
        (0..170_000_usize).map(|n| format!("{}\n", (n * n / 3 + n * seed) % 13 % 3)).collect()
    };
    let mut budget = DiffBudget::new(100 * ONE_DIFF);
    let diff = unified_diff(&text(1), &text(5), &mut budget);
    assert!(budget.0 >= 99 * ONE_DIFF && diff.len() > 100_000, "{budget:?}");
}

#[test]
fn what_is_added_stands_after_what_is_like_it() {
    let diff = unified_diff("- a\n\n- b\n\n", "- a\n\n- b\n\n- c\n\n", &mut DiffBudget::ONE.clone());
    assert_eq!(diff, "@@ -2,3 +2,5 @@\n \n - b\n \n+- c\n+\n");
    let from_nothing = unified_diff("", "a", &mut DiffBudget::ONE.clone());
    assert_eq!(from_nothing, "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n");
}
