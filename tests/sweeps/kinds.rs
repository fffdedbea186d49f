//! Plans of every kind: grids, lists, models; and those that are refused.

use super::{Folder, GRID, PENDULUM, pendulum, whole, written};
use fourbar::file::ModelFile;
use fourbar::sweep::{PlanFile, Sweep, SweepError};
use std::fs;
use std::path::Path;

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
