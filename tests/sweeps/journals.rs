//! Sweeps that are stopped and go on, and journals of others.

use super::{Folder, GRID, PENDULUM, never, pendulum, whole, written};
use fourbar::file::ModelFile;
use fourbar::sweep::{Options, PlanFile, Shard, Sweep, SweepError, merge};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

#[test]
fn threads_stops_and_shards_leave_the_table_as_it_is() {
    let (sweep, folder) = (pendulum(GRID), Folder::new("same"));
    let expected = written(&whole(&sweep));
    let many = Options { jobs: 3, ..Options::default() };
    assert_eq!(written(&sweep.execute(&many, &never(), |_| {}).unwrap()), expected);

    // Stopped after each few members, until nothing is left.
    let options = Options { jobs: 2, journal: Some(folder.at("journal")), ..Options::default() };
    let mut calls = 0;
    let results = loop {
        let (stop, mut before) = (never(), None);
        let stopping = Arc::clone(&stop);
        let progress = |progress: fourbar::sweep::Progress| {
            let first = *before.get_or_insert(progress.done);
            stopping.fetch_or(progress.done >= first + 4, Ordering::SeqCst);
        };
        let results = sweep.execute(&options, &stop, progress).unwrap();
        calls += 1;
        if results.complete {
            break results;
        }
    };
    // Of 18 members a call takes four, and at most one that waits and one under way of each thread.
    assert!(calls > 1, "{calls}");
    assert_eq!(written(&results), expected);

    // Another call takes all of it from the journal.
    let mut seen = Vec::new();
    let again = sweep.execute(&options, &never(), |progress| seen.push(progress.done)).unwrap();
    assert_eq!((written(&again), seen), (expected.clone(), vec![18]));

    let tables: Vec<PathBuf> = (1..=4).map(|k| folder.at(&format!("part-{k}.csv"))).collect();
    for (k, table) in tables.iter().enumerate() {
        let options = Options { shard: Shard::new(k + 1, 4).unwrap(), ..Options::default() };
        sweep.execute(&options, &never(), |_| {}).unwrap().write(table).unwrap();
    }
    let all = folder.at("all.csv");
    assert_eq!(merge(&[3, 0, 2, 1].map(|k| tables[k].clone()), &all).unwrap(), 18);
    let merged = (fs::read(&all).unwrap(), fs::read(folder.at("all.csv.failed.csv")).unwrap());
    assert_eq!(merged, expected);
    let missing = merge(&tables[..3], &all).unwrap_err().to_string();
    assert!(missing.contains("shard 4/4 is missing"), "{missing}");
    let twice = merge(&[tables[0].clone(), tables[0].clone()], &all).unwrap_err().to_string();
    assert!(twice.contains("shard 1/4 is in two tables"), "{twice}");
}

#[test]
fn a_journal_of_another_plan_model_or_shard_is_refused() {
    let folder = Folder::new("journal");
    let options = Options { journal: Some(folder.at("journal")), ..Options::default() };
    pendulum(GRID).execute(&options, &never(), |_| {}).unwrap();
    let other = pendulum(&GRID.replace("1.0, 2.0, 4.0", "1.0, 2.0, 5.0"));
    let refused = |sweep: &Sweep, options: &Options, differs: &str| {
        let error = sweep.execute(options, &never(), |_| {}).unwrap_err();
        assert!(matches!(error, SweepError::OtherJournal { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("plan.toml") && text.contains(&format!("these differ: {differs};")), "{text}");
    };
    refused(&other, &options, "[[parameter]] of the plan");
    let longer = GRID.replace("[members]", "[settings]\nend = 0.3\n[members]");
    refused(&pendulum(&longer), &options, "[settings] of the plan");
    // Title and description say nothing about results.
    let named = format!("name = \"another\"\ndescription = \"text\"\n{GRID}");
    assert!(pendulum(&named).execute(&options, &never(), |_| {}).unwrap().complete);
    let plan = PlanFile::parse("plan.toml", GRID).unwrap();
    let model = ModelFile::parse("pendulum.toml", PENDULUM.replace("-9.81", "-9.82")).unwrap();
    refused(&Sweep::with_model(plan, model).unwrap(), &options, "pendulum.toml");
    let half = Options { shard: Shard::new(1, 2).unwrap(), ..options };
    refused(&pendulum(GRID), &half, "the shard (1/1 there, 1/2 here)");
}
