//! Shards, what they warn of, and their merging.

use super::{Folder, GRID, PENDULUM, never, pendulum, whole};
use fourbar::file::ModelFile;
use fourbar::sweep::{Options, PlanFile, Shard, Sweep, SweepError, merge, side_beside};
use std::fs;
use std::path::{Path, PathBuf};

/// A pendulum with a measure that shorter ones than 0.6 do not have.
fn gappy() -> Sweep {
    let measure = "[[measure]]\nname = \"root\"\ntype = \"expression\"\nexpression = \"sqrt(length - 0.6)\"\n";
    let plan = PlanFile::parse("plan.toml", GRID).unwrap();
    Sweep::with_model(plan, ModelFile::parse("pendulum.toml", format!("{PENDULUM}{measure}")).unwrap()).unwrap()
}

#[test]
fn warnings_are_told_once_with_their_members_also_of_a_journal_and_of_shards() {
    let (sweep, folder) = (gappy(), Folder::new("warnings"));
    let results = whole(&sweep);
    let warnings = results.warnings();
    // Of the lengths 0.25, 0.5, 0.75 and 1, each with three masses.
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert!(warning.warning.starts_with("`root` is not finite at 11 of 11 outputs"), "{warning}");
    assert_eq!((warning.members, warning.first), (6, 6));
    assert!(warning.to_string().starts_with("6 members, first 6: `root`"), "{warning}");

    let options = Options { journal: Some(folder.at("journal")), ..Options::default() };
    sweep.execute(&options, &never(), |_| {}).unwrap();
    let again = sweep.execute(&options, &never(), |_| {}).unwrap();
    assert_eq!(again, results);

    results.write(&folder.at("whole.csv")).unwrap();
    let all = merged(&sweep, &folder, 2).unwrap();
    let side = |table: &Path| fs::read_to_string(side_beside(table)).unwrap();
    assert_eq!(side(&all), side(&folder.at("whole.csv")));
    assert!(side(&all).contains("\"members\": 6"), "{}", side(&all));
}

/// The shards of a sweep written and merged.
fn merged(sweep: &Sweep, folder: &Folder, count: usize) -> Result<PathBuf, SweepError> {
    let all = folder.at("merged.csv");
    merge(&shards(sweep, folder, count), &all).map(|_| all)
}

fn shards(sweep: &Sweep, folder: &Folder, count: usize) -> Vec<PathBuf> {
    let write = |index: usize| {
        let options = Options { shard: Shard::new(index, count).unwrap(), ..Options::default() };
        let table = folder.at(&format!("part-{index}-of-{count}.csv"));
        sweep.execute(&options, &never(), |_| {}).unwrap().write(&table).unwrap();
        table
    };
    (1..=count).map(write).collect()
}

#[test]
fn merging_refuses_shards_of_another_plan_and_misses_the_last() {
    let (sweep, folder, other) = (pendulum(GRID), Folder::new("merge"), Folder::new("merge-other"));
    let tables = shards(&sweep, &folder, 3);
    let all = folder.at("all.csv");
    let refused = |tables: &[PathBuf], words: &[&str]| {
        let error = merge(tables, &all).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
        assert!(!all.exists());
    };
    refused(&tables[..2], &["shard 3/3 is missing", "all shards"]);
    // The same columns, and every member there is.
    let changed = GRID.replace("1.0, 2.0, 4.0", "1.0, 2.0, 5.0");
    let theirs = shards(&pendulum(&changed), &other, 3);
    refused(&[&tables[..2], &theirs[2..]].concat(), &["of another sweep", "[[parameter]] of the plan"]);
    let halves = shards(&sweep, &folder, 2);
    refused(&[tables[0].clone(), halves[1].clone()], &["is shard 2/2", "is shard 1/3"]);
    // A table that has lost its end.
    let whole = fs::read_to_string(&tables[1]).unwrap();
    fs::write(&tables[1], whole.trim_end().rsplit_once('\n').unwrap().0).unwrap();
    refused(&tables, &["member 16 is in no table"]);
    fs::write(&tables[1], &whole).unwrap();
    fs::write(side_beside(&tables[1]), "{}").unwrap();
    refused(&tables, &["part-2-of-3.csv.json", "keep it beside the table"]);
    fs::remove_file(side_beside(&tables[1])).unwrap();
    refused(&tables, &["part-2-of-3.csv.json", "keep it beside the table"]);
}

/// A digit of a number in a shard's table is changed: its line is named. Without the checksums nothing is merged.
#[test]
fn merging_finds_lines_that_are_damaged() {
    let (sweep, folder) = (gappy(), Folder::new("merge-damaged"));
    let tables = shards(&sweep, &folder, 2);
    let all = folder.at("all.csv");
    let refused = |words: &[&str]| {
        let error = merge(&tables, &all).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
        assert!(!all.exists());
    };
    let whole = fs::read_to_string(&tables[1]).unwrap();
    for line in [2, 4] {
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        let digit = lines[line - 1].rfind(|c: char| c.is_ascii_digit()).unwrap();
        let other = if lines[line - 1][digit..].starts_with('1') { "2" } else { "1" };
        lines[line - 1].replace_range(digit..=digit, other);
        fs::write(&tables[1], lines.join("\n") + "\n").unwrap();
        refused(&["part-2-of-2.csv", &format!("line {line} is damaged"), "run the shard again"]);
    }
    fs::write(&tables[1], &whole).unwrap();
    let side = fs::read_to_string(side_beside(&tables[1])).unwrap();
    let without = side.replace("\"lines\":", "\"words\":");
    assert_ne!(without, side);
    fs::write(side_beside(&tables[1]), without).unwrap();
    refused(&["part-2-of-2.csv.json", "lacks the checksums"]);
    fs::write(side_beside(&tables[1]), side).unwrap();
    assert_eq!(merge(&tables, &all).unwrap(), 18);
}
