//! Sweeps: the same table however it comes about, and what is refused.

use fourbar::file::ModelFile;
use fourbar::sweep::{Options, PlanFile, Results, SearchEnd, Shard, Sweep, SweepError, merge, side_beside};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A pendulum that starts level; `length` below 0 cannot be compiled.
const PENDULUM: &str = r#"
name = "pendulum"
gravity = [0, -9.81, 0]
simulation = { end = 0.2, output_step = 0.02, tolerance = 1e-9 }
parameters = { length = 1.0, mass = 1.0 }
[[body]]
name = "rod"
mass = "mass"
inertia = [1e-3, "mass*length/12", "mass*length/12"]
center_of_mass = ["length/2", 0, 0]
[[joint]]
name = "pivot"
type = "revolute"
i = "rod"
j = "ground"
[[measure]]
name = "angle"
type = "angle"
i = "rod"
"#;

const GRID: &str = r#"
model = "pendulum.toml"
[[parameter]]
name = "length"
from = -0.25
to = 1.0
points = 6
[[parameter]]
name = "mass"
values = [1.0, 2.0, 4.0]
[members]
choose = "grid"
[[output]]
column = "angle"
[[output]]
name = "fallen"
column = "angle"
reduce = "first_crossing"
level = -0.1
[[output]]
statistic = "steps"
"#;

fn pendulum(plan: &str) -> Sweep {
    let plan = PlanFile::parse("plan.toml", plan).unwrap_or_else(|error| panic!("{error}"));
    Sweep::with_model(plan, ModelFile::parse("pendulum.toml", PENDULUM).unwrap()).unwrap()
}

fn never() -> Arc<AtomicBool> {
    Arc::default()
}

/// A folder that goes with its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("fourbar-sweep-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Table and failures as bytes.
fn written(results: &Results) -> (Vec<u8>, Vec<u8>) {
    let (mut table, mut failures) = (Vec::new(), Vec::new());
    results.write_csv(&mut table).unwrap();
    results.write_failures(&mut failures).unwrap();
    (table, failures)
}

fn whole(sweep: &Sweep) -> Results {
    sweep.execute(&Options { jobs: 1, ..Options::default() }, &never(), |_| {}).unwrap()
}

#[test]
fn a_grid_goes_through_all_pairs_and_keeps_failures_apart() {
    let results = whole(&pendulum(GRID));
    assert!(results.complete);
    assert_eq!(results.headings(), ["member", "status", "length", "mass", "angle.final [rad]", "fallen [s]", "steps"]);
    let values: Vec<_> = results.rows.iter().map(|row| (row.values[0], row.values[1])).collect();
    let expected: Vec<_> =
        (0..18).map(|k| (-0.25 + 0.25 * f64::from(k / 3), [1.0, 2.0, 4.0][k as usize % 3])).collect();
    assert_eq!(values, expected);
    // Lengths of -0.25 and 0 make moments of inertia that no body has.
    assert_eq!(results.failed(), 6);
    let failure = results.rows[0].result.as_ref().unwrap_err();
    assert!(failure.place.starts_with("pendulum.toml:") && failure.error.contains("rod"), "{failure:?}");
    assert!(!failure.remedy.is_empty());
    let (table, failures) = written(&results);
    let (table, failures) = (String::from_utf8(table).unwrap(), String::from_utf8(failures).unwrap());
    assert!(table.contains("\n0,failed,-0.25,1,,,\n") && table.contains("\n6,done,0.25,1,-"), "{table}");
    assert_eq!(failures.lines().count(), 7);
    // A shorter pendulum is deeper, and is there earlier.
    let angle = |k: usize| results.rows[k].result.as_ref().unwrap()[0];
    assert!(angle(6) < angle(9) && angle(9) < angle(12));
    let fallen = |k: usize| results.rows[k].result.as_ref().unwrap()[1];
    assert!(0.0 < fallen(6) && fallen(6) < fallen(9));
}

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

/// A plan of `number` drawn members.
fn drawn(choose: &str, number: usize, seed: u64) -> String {
    format!(
        "model = \"pendulum.toml\"\n[members]\nchoose = \"{choose}\"\nnumber = {number}\nseed = {seed}\n\
         [[parameter]]\nname = \"length\"\nfrom = 0.5\nto = 2.5\n\
         [[parameter]]\nname = \"mass\"\nfrom = 1e-2\nto = 1e4\nscale = \"logarithmic\"\n\
         [[output]]\ncolumn = \"angle\"\n"
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// McKay, Beckman and Conover (Technometrics 21, 1979): each part of a range has one member.
    #[test]
    fn a_latin_hypercube_has_one_member_in_each_part(number in 1usize..300, seed in 0u64..1 << 63) {
        let sweep = pendulum(&drawn("latin_hypercube", number, seed));
        let members = sweep.members().unwrap();
        let parts: [fn(f64) -> f64; 2] = [|length| (length - 0.5) / 2.0, |mass| (mass.log10() + 2.0) / 6.0];
        for (k, part) in parts.into_iter().enumerate() {
            let mut taken = vec![0; number];
            for member in 0..number {
                // Values at the edge of a part may fall beyond it by rounding.
                let place = part(members.values(member)[k]) * number as f64;
                let place = if (place - place.round()).abs() < 1e-9 { place.round() } else { place };
                taken[(place as usize).min(number - 1)] += 1;
            }
            prop_assert!(taken.iter().all(|count| *count == 1), "{taken:?}");
        }
    }

    #[test]
    fn a_drawn_member_follows_from_seed_and_place_alone(number in 1usize..200, more in 0usize..100, seed in 0u64..1 << 63) {
        let (few, many) = (pendulum(&drawn("random", number, seed)), pendulum(&drawn("random", number + more, seed)));
        let (few, many) = (few.members().unwrap(), many.members().unwrap());
        for member in 0..number {
            let values = few.values(member);
            prop_assert_eq!(&values, &many.values(member));
            prop_assert!((0.5..=2.5).contains(&values[0]) && (1e-2..=1e4).contains(&values[1]));
        }
    }
}

#[test]
fn uniform_members_have_mean_and_spread_of_the_range() {
    let sweep = pendulum(&drawn("random", 20_000, 7));
    let members = sweep.members().unwrap();
    let parts: Vec<f64> = (0..20_000).map(|k| (members.values(k)[0] - 0.5) / 2.0).collect();
    let mean = parts.iter().sum::<f64>() / 20_000.0;
    let square = parts.iter().map(|part| (part - 0.5).powi(2)).sum::<f64>() / 20_000.0;
    // Five standard deviations of a mean of 20,000.
    assert!((mean - 0.5).abs() < 5.0 * (1.0 / 12.0f64 / 20_000.0).sqrt(), "{mean}");
    assert!((square - 1.0 / 12.0).abs() < 5.0 * (1.0 / 180.0f64 / 20_000.0).sqrt(), "{square}");
}

#[test]
fn a_list_comes_from_a_table() {
    let folder = Folder::new("list");
    fs::write(folder.at("model.toml"), PENDULUM).unwrap();
    fs::write(folder.at("members.csv"), "mass,length\n2, 0.5\n1,0.75\n").unwrap();
    let plan = "model = \"model.toml\"\n[[parameter]]\nname = \"length\"\n[[parameter]]\nname = \"mass\"\n\
                [members]\nchoose = \"list\"\ntable = \"members.csv\"\n[[output]]\ncolumn = \"angle\"\n";
    fs::write(folder.at("plan.toml"), plan).unwrap();
    let load = || Sweep::new(PlanFile::load(folder.at("plan.toml")).unwrap());
    let results = whole(&load().unwrap());
    let values: Vec<_> = results.rows.iter().map(|row| row.values.clone()).collect();
    assert_eq!(values, [[0.5, 2.0], [0.75, 1.0]]);
    fs::write(folder.at("members.csv"), "mass,length\n2,x\n").unwrap();
    let error = load().unwrap_err().to_string();
    assert!(error.contains("row 1: `length` is \"x\"") && error.contains("finite number"), "{error}");
    for (table, problem, remedy) in [
        ("mass,length,gravity\n2,0.5,9.81\n", "no [[parameter]] reads the column \"gravity\"", "take the column out"),
        ("mass,mass,length\n2,3,0.5\n", "has two columns \"mass\"", "take one out"),
        ("mass,lenght\n2,0.5\n", "has no column \"length\"; it has mass, lenght", "a column for each [[parameter]]"),
    ] {
        fs::write(folder.at("members.csv"), table).unwrap();
        let error = load().unwrap_err().to_string();
        assert!(error.contains(problem) && error.contains(remedy), "{error}");
    }
}

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

#[test]
fn seeds_have_64_bits() {
    let values = |seed: u64| pendulum(&drawn("random", 3, seed)).members().unwrap().values(1);
    for seed in [(1 << 53) + 1, 1 << 63, u64::MAX] {
        assert_ne!(values(seed), values(seed - 1), "{seed}");
    }
}

#[test]
fn every_kind_of_model_is_swept() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let cases = [
        ("four-bar", "crank", "0.09, 0.11", "rocker_angle", 0.02),
        ("bouncing-ball", "", "", "", 0.1),
        ("servo", "mass", "10, 40", "", 0.01),
        ("hydraulic-axis", "supply", "2e7, 2.5e7", "", 0.01),
        ("press", "hang", "2.4, 2.5", "", 0.002),
    ];
    for (model, parameter, values, column, end) in cases {
        let path = models.join(format!("{model}.toml"));
        let file = ModelFile::load(&path).unwrap();
        let run = fourbar::run::Run::new(file.document(), &Default::default()).unwrap();
        let column = if column.is_empty() { run.columns()[0].name.clone() } else { column.to_owned() };
        let text = fs::read_to_string(&path).unwrap();
        // The first parameter of the file where none is named.
        let (_, section) = text.split_once("[parameters]").unwrap_or(("", ""));
        let first = section.lines().find_map(|line| line.split_once('='));
        let (parameter, values) = match (parameter, first) {
            ("", Some((name, value))) => {
                let value = value.split('#').next().unwrap().trim();
                (name.trim().to_owned(), format!("{value}, {value}"))
            }
            _ => (parameter.to_owned(), values.to_owned()),
        };
        let plan = format!(
            "model = \"{model}.toml\"\nsettings = {{ end = {end} }}\nmembers = {{ choose = \"list\" }}\n\
             parameter = [{{ name = \"{parameter}\", values = [{values}] }}]\n\
             output = [{{ column = \"{column}\", reduce = \"rms\" }}, {{ statistic = \"steps\" }}]\n"
        );
        let plan = PlanFile::parse(models.join("plan.toml").display().to_string(), plan).unwrap();
        let results = whole(&Sweep::new(plan).unwrap_or_else(|error| panic!("{model}: {error}")));
        for row in &results.rows {
            let numbers = row.result.as_ref().unwrap_or_else(|failure| panic!("{model}: {failure:?}"));
            assert!(numbers[0].is_finite() && numbers[1] >= 1.0, "{model}: {numbers:?}");
        }
    }
}

/// A search of `length` so that the pendulum, of length 0.7 at the target, falls as deep.
fn search(method: &str, range: &str, more: &str) -> String {
    format!(
        "model = \"pendulum.toml\"\n[[parameter]]\nname = \"length\"\n{range}\n\
         [[output]]\ncolumn = \"angle\"\nname = \"depth\"\n{more}\n[optimize]\nmethod = \"{method}\"\n"
    )
}

#[test]
fn least_squares_finds_the_parameter_that_made_the_target() {
    let one = "model = \"pendulum.toml\"\nmembers = { choose = \"list\" }\noutput = [{ column = \"angle\" }]\n\
               parameter = [{ name = \"length\", values = [0.7] }]\n";
    let target = whole(&pendulum(one)).rows[0].result.as_ref().unwrap()[0];
    let plan = search("least_squares", "from = 0.3\nto = 2.0\nstart = 1.5", &format!("target = {target:e}"));
    let found = pendulum(&plan).search(&Options::default(), &never(), |_| {}).unwrap().unwrap();
    assert!(matches!(found.end, SearchEnd::Converged(_)), "{}", found.end);
    let best = &found.results.rows[found.best.unwrap()];
    // The runs resolve the angle to about 1e-9; the search ends at changes of 1e-6.
    assert!((best.values[0] - 0.7).abs() < 1e-5, "{best:?}");
    assert!(found.at_bounds.is_empty());
}

#[test]
fn a_simplex_finds_a_minimum_at_a_bound_and_says_so_and_goes_on_after_a_stop() {
    // The shorter, the deeper: the least angle lies at the least length.
    let plan = search("nelder_mead", "from = 0.3\nto = 2.0", "") + "minimize = \"depth\"\n";
    let (sweep, folder) = (pendulum(&plan), Folder::new("search"));
    let found = sweep.search(&Options::default(), &never(), |_| {}).unwrap().unwrap();
    assert!(matches!(found.end, SearchEnd::Converged(_)), "{}", found.end);
    let best = &found.results.rows[found.best.unwrap()];
    assert_eq!(best.values, [0.3]);
    assert_eq!(found.at_bounds, ["length"]);
    assert!(found.to_string().ends_with(", at an end of the range of length"), "{found}");
    assert!(found.doubt().unwrap().contains("a wider range"));

    let options = Options { journal: Some(folder.at("journal")), ..Options::default() };
    let stop = never();
    let stopping = Arc::clone(&stop);
    let stopped = sweep
        .search(&options, &stop, |progress| {
            stopping.fetch_or(progress.done >= 5, Ordering::SeqCst);
        })
        .unwrap()
        .unwrap();
    assert_eq!((stopped.end, stopped.results.complete, stopped.results.rows.len()), (SearchEnd::Stopped, false, 5));
    let resumed = sweep.search(&options, &never(), |_| {}).unwrap().unwrap();
    assert_eq!((written(&resumed.results), resumed.end), (written(&found.results), found.end));

    let few = pendulum(&(plan + "max_runs = 4\n"));
    let found = few.search(&Options::default(), &never(), |_| {}).unwrap().unwrap();
    assert_eq!((found.end, found.results.rows.len()), (SearchEnd::RunLimit, 4));
}

#[test]
fn bad_plans_are_refused_with_name_line_and_remedy() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad-plans");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let error = match PlanFile::load(&path).map_err(SweepError::Plan).and_then(Sweep::new) {
            Ok(_) => panic!("{} is taken", path.display()),
            Err(error) => error.to_string(),
        };
        assert!(error.starts_with(&format!("{}:", path.display())), "{error}");
        assert!(error.lines().last().unwrap().trim_start().starts_with("= "), "{error}");
        for expected in text.lines().filter_map(|line| line.strip_prefix("# expect: ")) {
            assert!(error.contains(expected), "{} lacks {expected:?}:\n{error}", path.display());
        }
        count += 1;
    }
    assert!(count >= 8, "{count}");
}
