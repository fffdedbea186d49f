//! Counts of reference runs, kept in a text file: a method that takes more work than it did fails a test, on any machine and without a clock.
//!
//! A line of the file is `run: name value, name value`. `UPDATE_COUNTS=1` writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Part by which a count may exceed that of the file: another processor rounds otherwise, and a step more or less is no loss.
const TOLERANCE: f64 = 0.05;

/// What a run has cost, by name.
pub(crate) type Counts = Vec<(&'static str, u64)>;

/// Holds the counts of all runs against `tests/counts.txt` of the crate in `folder` (its `CARGO_MANIFEST_DIR`). Fewer are told, more than
/// the tolerance fail, and so does a run that only one side has.
pub(crate) fn compare(folder: &str, found: &[(String, Counts)]) {
    let path = Path::new(folder).join("tests/counts.txt");
    if std::env::var_os("UPDATE_COUNTS").is_some() {
        std::fs::write(&path, written(found)).expect("the counts are written");
        return;
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let mut known = read(&text);
    let mut wrong = Vec::new();
    for (run, counts) in found {
        for (name, count) in counts {
            let key = format!("{run}: {name}");
            match known.remove(&key) {
                None => wrong.push(format!("{key} {count} is new")),
                Some(before) if *count > allowed(before) => wrong.push(format!("{key} {count}, was {before}")),
                Some(before) if *count < before => println!("{key} {count}, was {before}: fewer"),
                Some(_) => {}
            }
        }
    }
    wrong.extend(known.into_keys().map(|key| format!("{key} is not counted any more")));
    let remedy = "find what costs more, or accept it: UPDATE_COUNTS=1 cargo test -p CRATE --test all counts";
    assert!(wrong.is_empty(), "{}:\n{}\n{remedy}", path.display(), wrong.join("\n"));
}

fn allowed(before: u64) -> u64 {
    (before as f64 * (1.0 + TOLERANCE)).ceil() as u64
}

fn written(found: &[(String, Counts)]) -> String {
    let mut text = String::new();
    for (run, counts) in found {
        let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let _ = writeln!(text, "{run}: {}", counts.join(", "));
    }
    text
}

/// "run: name" and its count.
fn read(text: &str) -> BTreeMap<String, u64> {
    let mut known = BTreeMap::new();
    for (run, counts) in text.lines().filter_map(|line| line.rsplit_once(": ")) {
        for (name, count) in counts.split(", ").filter_map(|count| count.rsplit_once(' ')) {
            known.insert(format!("{run}: {name}"), count.parse().expect("a count"));
        }
    }
    known
}

#[test]
fn counts_are_read_as_they_are_written() {
    let found = [("a run: 1e-8".to_owned(), vec![("steps", 100), ("rejected by error", 0)])];
    let known = read(&written(&found));
    assert_eq!(
        known.into_iter().collect::<Vec<_>>(),
        [("a run: 1e-8: rejected by error".to_owned(), 0), ("a run: 1e-8: steps".to_owned(), 100)]
    );
    assert_eq!((allowed(0), allowed(10), allowed(1000)), (0, 11, 1050));
}
