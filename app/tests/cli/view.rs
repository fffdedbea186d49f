//! `fourbar view`: results of before come back as a page with their numbers, names and units.

use super::run::Folder;
use crate::cli::fourbar;
use crate::pages;
use serde_json::Value;
use std::fs;

/// The data that a page carries.
fn data(page: &str) -> Value {
    let page = fs::read_to_string(page).unwrap();
    serde_json::from_slice(&pages::part(&page, "data").unwrap()).unwrap()
}

/// Names and units of all curves.
fn curves(data: &Value) -> Vec<(String, String)> {
    let charts = data["charts"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of = |chart: &Value| {
        let unit = text(&chart["unit"]);
        chart["curves"].as_array().unwrap().iter().map(|c| (text(&c[0]), unit.clone())).collect::<Vec<_>>()
    };
    charts.flat_map(of).collect()
}

#[test]
fn a_run_is_shown_again_from_csv() {
    let folder = Folder::new("view");
    let (csv, page) = (folder.file("run.csv"), folder.file("page.html"));
    assert_eq!(fourbar(&["run", "models/servo.toml", "--out", &csv, "-q"]).0, 0);
    let (code, stdout, stderr) = fourbar(&["view", &csv, "models/servo.toml", "-o", &page]);
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""));
    let data = data(&page);
    assert_eq!(data["title"], "servo");
    assert!(data["lead"].as_str().unwrap().contains("run.csv"));
    let found = curves(&data);
    for (name, unit) in [("position", "m"), ("velocity", "m/s"), ("force", "N")] {
        assert!(found.contains(&(name.to_owned(), unit.to_owned())), "{found:?}");
    }
    let places = data["charts"][0]["places"].as_array().unwrap();
    assert_eq!((places.len(), places[500].as_f64()), (501, Some(2.0)));
}

#[test]
fn bodies_are_shown_again_where_the_table_has_their_poses() {
    let folder = Folder::new("bodies");
    let (csv, page) = (folder.file("run.csv"), folder.file("page.html"));
    let holds = |page: &str| pages::part(&fs::read_to_string(page).unwrap(), "animation").is_some();
    for model in ["models/four-bar.toml", "models/hydraulic-axis.toml", "models/press-stop.toml"] {
        let (code, _, stderr) = fourbar(&["run", model, "--end", "0.05", "--out", &csv, "--poses", "-q"]);
        let bodies = !model.contains("axis");
        assert_eq!(code, if bodies { 0 } else { 2 }, "{model}: {stderr}");
        if bodies {
            let (code, _, stderr) = fourbar(&["view", &csv, model, "-o", &page]);
            assert!(code == 0 && stderr.is_empty() && holds(&page), "{model}: {stderr}");
            // Poses are seen as bodies, not as curves.
            assert!(curves(&data(&page)).iter().all(|(name, _)| !name.contains("fourbar_scene")), "{model}");
            assert_eq!(fourbar(&["view", &csv, model, "-o", &page, "--no-3d"]).0, 0);
            assert!(!holds(&page));
        }
    }
    // Of kinematics with all columns.
    let (_, table, _) = fourbar(&["kinematics", "models/slider-crank.toml", "--all"]);
    fs::write(&csv, table).unwrap();
    assert_eq!(fourbar(&["view", &csv, "models/slider-crank.toml", "-o", &page]).0, 0);
    assert!(holds(&page));
    // What is missing is said, and the curves are shown all the same.
    assert_eq!(fourbar(&["run", "models/four-bar.toml", "--end", "0.05", "--out", &csv, "-q"]).0, 0);
    let (code, _, stderr) = fourbar(&["view", &csv, "models/four-bar.toml", "-o", &page]);
    assert!(code == 0 && !holds(&page), "{stderr}");
    assert!(stderr.contains("does not say where the body \"crank\" is") && stderr.contains("--poses"), "{stderr}");
}

#[test]
fn a_table_of_another_model_is_refused_with_the_names_of_its_bodies() {
    let folder = Folder::new("view-other");
    let (csv, page) = (folder.file("run.csv"), folder.file("page.html"));
    let refused = |csv: &str, model: &str, parts: &[&str]| {
        let (code, _, stderr) = fourbar(&["view", csv, model, "-o", &page]);
        assert!(code == 2 && !std::path::Path::new(&page).exists(), "{model}: {code} {stderr}");
        assert!(stderr.contains("give the model file from which it was written"), "{stderr}");
        assert!(parts.iter().all(|part| stderr.contains(part)), "{stderr}");
        // The curves can be had all the same.
        assert_eq!(fourbar(&["view", csv, model, "-o", &page, "--no-3d"]).0, 0);
        fs::remove_file(&page).unwrap();
    };
    // As many bodies, of other names.
    let text = fs::read_to_string("../models/four-bar.toml").unwrap();
    let other = folder.file("other.toml");
    let renamed = ["name", "body", "i"]
        .iter()
        .fold(text, |text, key| text.replace(&format!("{key} = \"rocker\""), &format!("{key} = \"front arm\"")));
    fs::write(&other, renamed).unwrap();
    assert_eq!(fourbar(&["run", "models/four-bar.toml", "--end", "0.05", "--out", &csv, "--poses", "-q"]).0, 0);
    refused(&csv, &other, &["in the table alone the body \"rocker\"", "in the model alone the body \"front arm\""]);
    refused(&csv, "models/slider-crank.toml", &["\"rocker\""]);
    // Names that are no words are found too.
    assert_eq!(fourbar(&["run", &other, "--end", "0.05", "--out", &csv, "--poses", "-q"]).0, 0);
    assert_eq!(fourbar(&["view", &csv, &other, "-o", &page]), (0, String::new(), String::new()));
    fs::remove_file(&page).unwrap();
    // Of kinematics with all columns.
    let (_, table, _) = fourbar(&["kinematics", "models/slider-crank.toml", "--all"]);
    fs::write(&csv, table).unwrap();
    refused(&csv, "models/four-bar.toml", &["the body \"coupler\"", "in the model alone"]);
}

#[test]
fn an_analysis_in_json_is_shown_without_its_model() {
    let folder = Folder::new("view-json");
    let (json, page) = (folder.file("drive.json"), folder.file("page.html"));
    let model = folder.file("first.toml");
    assert_eq!(fourbar(&["new", "mechanism", &model]).0, 0);
    let (code, stdout, _) = fourbar(&["kinematics", &model, "--json"]);
    assert_eq!(code, 0);
    fs::write(&json, stdout).unwrap();
    assert_eq!(fourbar(&["view", &json, "-o", &page]).0, 0);
    let data = data(&page);
    assert_eq!(data["title"], "drive");
    assert!(curves(&data).contains(&("slider".to_owned(), "m".to_owned())));
}

#[test]
fn what_cannot_be_shown_is_refused_and_nothing_is_overwritten() {
    let folder = Folder::new("view-refused");
    let (csv, page) = (folder.file("a.csv"), folder.file("page.html"));
    let (code, _, stderr) = fourbar(&["view", &csv, "-o", &page]);
    assert!(code == 5 && stderr.contains("cannot read"), "{stderr}");
    fs::write(&csv, "time [s],a [m]\n0,one\n").unwrap();
    let (code, _, stderr) = fourbar(&["view", &csv, "-o", &page]);
    assert!(code == 5 && stderr.contains("row 1: \"one\" in the column \"a [m]\""), "{stderr}");
    fs::write(&csv, "time [s],a [m]\n0,1\n").unwrap();
    let (code, _, stderr) = fourbar(&["view", &csv, "-o", &csv]);
    assert!(code == 2 && stderr.contains("name it"), "{stderr}");
    let table = folder.file("a.html");
    fs::copy(&csv, &table).unwrap();
    let (code, _, stderr) = fourbar(&["view", &table, "-o", &table]);
    assert!(code == 2 && stderr.contains("overwrite"), "{stderr}");
    let (code, _, stderr) = fourbar(&["view", &csv, "models/servo.toml", "-o", "models/servo.toml"]);
    assert!(code == 2 && stderr.contains("models/servo.html"), "{stderr}");
    for swapped in
        [["view", "models/servo.toml", &csv], ["view", "models/servo.toml", "models/servo.toml"], ["view", &csv, &csv]]
    {
        let (code, _, stderr) = fourbar(&swapped);
        assert!(code == 2 && stderr.contains("give the results first"), "{stderr}");
    }
    assert!(!std::path::Path::new(&page).exists());
}

#[test]
fn poles_are_points_and_no_curves() {
    let folder = Folder::new("view-poles");
    let (csv, page) = (folder.file("poles.csv"), folder.file("page.html"));
    let locus =
        ["linear", "models/servo.toml", "locus", "--parameter", "kp", "--from", "2", "--to", "1", "--points", "3"];
    fs::write(&csv, fourbar(&locus).1).unwrap();
    assert_eq!(fourbar(&["view", &csv, "--output", &page]).0, 0);
    let shown = data(&page);
    let points = shown["locus"]["points"].as_array().unwrap();
    assert_eq!(
        (shown["locus"]["parameter"].as_str(), points.len()),
        (Some("kp"), shown["table"][2].as_array().unwrap().len())
    );
    assert!(shown["charts"].as_array().unwrap().is_empty() && points.len().is_multiple_of(3));
    fs::write(&csv, fourbar(&["linear", "models/quarter-car.toml", "modes"]).1).unwrap();
    assert_eq!(fourbar(&["view", &csv, "--out", &page]).0, 0);
    let shown = data(&page);
    assert_eq!((shown["locus"]["parameter"].as_str(), shown["charts"].as_array().unwrap().len()), (Some(""), 0));
    assert_eq!(shown["locus"]["points"].as_array().unwrap().len(), 2);
}

#[cfg(feature = "parquet")]
#[test]
fn a_table_in_parquet_is_the_same_as_in_csv() {
    let folder = Folder::new("view-parquet");
    let pages = ["csv", "parquet"].map(|ending| {
        let (table, page) = (folder.file(&format!("run.{ending}")), folder.file(&format!("{ending}.html")));
        assert_eq!(fourbar(&["run", "models/servo.toml", "--out", &table, "-q"]).0, 0);
        let (code, _, stderr) = fourbar(&["view", &table, "-o", &page]);
        assert_eq!(code, 0, "{stderr}");
        data(&page)["charts"].clone()
    });
    assert_eq!(pages[0], pages[1]);
}
