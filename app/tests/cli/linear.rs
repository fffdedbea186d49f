//! `fourbar linear`: tables of a lag against its closed forms, as values and as JSON, and what is refused.

use super::{fourbar, root};

const LAG: &str = r#"
type = "linear"
name = "lag"
simulation = { end = 1, output_step = 0.1 }
state_space = { a = [[-2]], b = [[2, 1]], c = [[1]], initial = [3] }
input = [{ name = "force", type = "step" }, { name = "load", type = "sine", frequency = 3 }]
output = [{ name = "place", unit = "m" }, { name = "double", expression = "2*place" }]
"#;

/// The model in a file of its own, for as long as the test lasts.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fourbar-linear-{}-{name}.toml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Heading and rows.
fn table(arguments: &[&str]) -> (String, Vec<Vec<f64>>) {
    let (code, out, err) = fourbar(arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    let mut lines = out.lines();
    let heading = lines.next().unwrap().to_owned();
    (heading, lines.map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect())
}

#[test]
fn responses_of_a_lag() {
    let file = File::new("responses", LAG);
    let (heading, rows) = table(&["linear", file.path(), "step"]);
    assert_eq!((heading.as_str(), rows.len()), ("time [s],place/force,place/load", 11));
    for row in &rows {
        let exact = -(-2.0 * row[0]).exp_m1();
        assert!((row[1] - exact).abs() < 1e-15 && (row[2] - 0.5 * exact).abs() < 1e-15);
    }
    let (_, impulse) = table(&["linear", file.path(), "impulse", "--end", "2", "--step", "0.5"]);
    assert_eq!(impulse.len(), 5);
    assert!(impulse.iter().all(|row| (row[1] - 2.0 * (-2.0 * row[0]).exp()).abs() < 1e-15));
    let (heading, initial) = table(&["linear", file.path(), "initial"]);
    assert_eq!(heading, "time [s],place");
    assert!(initial.iter().all(|row| (row[1] - 3.0 * (-2.0 * row[0]).exp()).abs() < 1e-15));
    let (heading, poles) = table(&["linear", file.path(), "poles"]);
    assert_eq!(heading, "re [1/s],im [1/s],frequency [Hz],damping");
    assert_eq!(poles, [[-2.0, 0.0, 1.0 / std::f64::consts::PI, 1.0]]);
}

#[test]
fn frequency_response_of_a_lag() {
    let file = File::new("frequency", LAG);
    let corner = format!("{:e}", 1.0 / std::f64::consts::PI);
    let (heading, rows) =
        table(&["linear", file.path(), "frequency", "--from", &corner, "--to", "100", "--points", "7"]);
    let names = ["place/force gain", "place/force phase [deg]", "place/load gain", "place/load phase [deg]"];
    assert_eq!((heading, rows.len()), (format!("frequency [Hz],{}", names.join(",")), 7));
    assert!((rows[0][1] - 0.5f64.sqrt()).abs() < 1e-14 && (rows[0][2] + 45.0).abs() < 1e-12);
    assert_eq!(rows[6][0], 100.0);
}

#[test]
fn sampled_matrices_of_a_lag() {
    let file = File::new("sampled", LAG);
    let (code, out, _) = fourbar(&["linear", file.path(), "sampled", "--step", "0.25", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    let p = (-0.5f64).exp();
    let entry = |value: &serde_json::Value, i: usize, j: usize| value[i][j].as_f64().unwrap();
    assert!(code == 0 && value["hold"] == "zoh" && value["inputs"][1] == "load" && value["outputs"][0] == "place");
    assert!((entry(&value["A_d"], 0, 0) - p).abs() < 1e-15 && (entry(&value["B_d"], 0, 0) - (1.0 - p)).abs() < 1e-15);
    assert_eq!((entry(&value["C_d"], 0, 0), entry(&value["D_d"], 0, 1)), (1.0, 0.0));
    let delayed = ["--input-delay", "force=0.6", "--output-delay", "place=0.25"];
    let (code, out, _) = fourbar(&[&["linear", file.path(), "sampled", "--step", "0.25"][..], &delayed].concat());
    // The state, three samples of the force, one output.
    assert!(code == 0 && out.lines().filter(|line| line.starts_with("A_d,")).count() == 25, "{out}");
    for hold in ["foh", "impulse", "tustin"] {
        let (code, out, err) = fourbar(&["linear", file.path(), "sampled", "--step", "0.25", "--hold", hold]);
        assert!(code == 0 && out.starts_with("matrix,row,column,value\nA_d,1,1,0."), "{out}{err}");
    }
}

#[test]
fn what_is_refused() {
    let file = File::new("refused", LAG);
    for (arguments, exit, words) in [
        (vec!["poles", "--bogus"], 2, vec!["--bogus"]),
        (vec!["sampled"], 2, vec!["--step"]),
        (vec!["sampled", "--step", "0"], 2, vec!["above 0"]),
        (vec!["sampled", "--step", "1", "--prewarp", "3"], 2, vec!["--hold tustin"]),
        (
            vec!["sampled", "--step", "1", "--hold", "tustin", "--prewarp", "3"],
            2,
            vec!["--prewarp 3:", "--step 1", "below 0.5 Hz"],
        ),
        (
            vec!["sampled", "--step", "1", "--input-delay", "power=1"],
            2,
            vec!["--input-delay power=1:", "there are: force, load"],
        ),
        (
            vec!["sampled", "--step", "1", "--output-delay", "place=2000"],
            2,
            vec!["--output-delay place=2000:", "from 0 s to 1000 s"],
        ),
        (vec!["sampled", "--step", "1", "--input-delay", "force=-1"], 2, vec!["-1"]),
        (
            vec!["sampled", "--step", "1", "--hold", "impulse", "--output-delay", "place=0.3"],
            2,
            vec!["--output-delay place=0.3:", "whole number of steps"],
        ),
        (vec!["step", "--end", "1e9", "--step", "1e-9"], 2, vec!["--end", "--step", "1e7"]),
        (vec!["frequency", "--from", "5", "--to", "1"], 2, vec!["--from 5 --to 1:", "smaller"]),
    ] {
        let (code, out, err) = fourbar(&[&["linear", file.path()][..], &arguments].concat());
        assert_eq!((code, out.as_str()), (exit, ""), "{arguments:?}: {err}");
        assert!(words.iter().all(|word| err.contains(word)), "{arguments:?}: {err}");
    }
    let press = root().join("models/press.toml");
    let (code, _, err) = fourbar(&["linear", press.to_str().unwrap(), "poles"]);
    assert!(code == 2 && err.contains("\"coupled\"") && err.contains("a linear system or a mechanism"), "{err}");
}

/// The end is there, be it a multiple of the step or not, and once.
#[test]
fn responses_reach_their_end() {
    let file = File::new("end", LAG);
    for (step, end, rows) in [("0.3", "1", 5), ("0.3", "0.9", 4), ("0.1", "0.3", 4), ("2", "1", 2)] {
        for (what, exact) in [
            ("step", (|t| -f64::exp_m1(-2.0 * t)) as fn(f64) -> f64),
            ("impulse", |t| 2.0 * (-2.0 * t).exp()),
            ("initial", |t| 3.0 * (-2.0 * t).exp()),
        ] {
            let (_, found) = table(&["linear", file.path(), what, "--step", step, "--end", end]);
            let last = &found[found.len() - 1];
            assert_eq!(found.len(), rows, "{what} {step} {end}");
            assert!((last[0] - end.parse::<f64>().unwrap()).abs() < 1e-15, "{what} {step} {end}: {last:?}");
            assert!((last[1] - exact(last[0])).abs() < 1e-15, "{what} {step} {end}: {last:?}");
        }
    }
}

/// A is what is wrong with a system without states that has more than D.
#[test]
fn systems_without_states_have_a_feedthrough_and_nothing_else() {
    for (matrices, exit) in
        [("", 3), (", b = [[1]], c = [[1]]", 3), (", initial = [1], d = [[2]]", 3), (", d = [[2]]", 0)]
    {
        let text = LAG.split("state_space").next().unwrap().to_owned()
            + &format!(
                "state_space = {{ a = []{matrices} }}\ninput = [{{ name = \"u\", type = \"step\" }}]\noutput = [{{ name = \"y\" }}]\n"
            );
        let file = File::new("stateless", &text);
        let (code, out, err) = fourbar(&["run", file.path(), "--json"]);
        assert_eq!(code, exit, "{matrices}: {err}");
        if exit == 0 {
            let value: serde_json::Value = serde_json::from_str(&out).unwrap();
            assert_eq!(value["final"]["y"], 2.0);
        } else {
            assert!(err.contains("`a`: A is empty") && err.contains("give D"), "{matrices}: {err}");
        }
    }
}

/// A rod of few cells is made dense, one of many refused; a servo has its poles.
#[test]
fn models_of_the_collection() {
    let (_, servo) = table(&["linear", "models/servo.toml", "poles"]);
    assert!(servo.len() > 2 && servo.windows(2).all(|pair| pair[0][0] >= pair[1][0]));
    let (code, _, err) = fourbar(&["linear", "models/heat.toml", "poles"]);
    assert!(code == 3 && err.contains("10000 states") && err.contains("1000 cells"), "{err}");
    let text = std::fs::read_to_string(root().join("models/heat.toml")).unwrap().replace("cells = 10000", "cells = 50");
    let rod = File::new("rod", &text);
    let (_, poles) = table(&["linear", rod.path(), "poles"]);
    assert!(poles.len() == 50 && poles.iter().all(|pole| pole[0] < 0.0 && pole[1] == 0.0));
}
