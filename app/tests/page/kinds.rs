//! The page with models of every kind: started, paused, steered by sliders, run again with another parameter, runs laid over each other.

use crate::page::browser::{Browser, find};
use crate::page::server::Server;
use crate::pages;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kinds").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A server of the first model of this kind.
fn server(folder: &Path, kind: &str) -> Server {
    let model = folder.join(format!("{kind}.toml"));
    let status = Command::new(env!("CARGO_BIN_EXE_fourbar")).args(["new", kind]).arg(&model).output().unwrap().status;
    assert!(status.success());
    Server::within(folder, &model, &[])
}

/// A browser, or None where there is none; with FOURBAR_BROWSER=required that is a failure.
fn browser(folder: &Path) -> Option<Browser> {
    let Some(chromium) = find() else {
        let required = std::env::var("FOURBAR_BROWSER").is_ok_and(|value| value == "required");
        assert!(!required, "there is no Chromium on this machine, and FOURBAR_BROWSER=required asks for one");
        eprintln!("skipped: there is no Chromium on this machine; the page is tested where there is one");
        return None;
    };
    let mut browser = Browser::open(chromium, &folder.join("profile"));
    browser.size(1280, 800);
    Some(browser)
}

/// Kind, a parameter, and another value of it.
const KINDS: [(&str, &str, &str); 5] = [
    ("mechanism", "mechanism.speed", "12"),
    ("contact", "mechanism.grip", "0.6"),
    ("linear", "linear.kp", "400"),
    ("circuit", "circuit.opening", "0.05"),
    ("coupled", "plant.mass", "3"),
];

#[test]
fn every_kind_is_set_up_with_its_parameters_and_runs() {
    let folder = folder("requests");
    for (kind, parameter, value) in KINDS {
        let server = server(&folder, kind);
        let setup = || serde_json::from_str::<Value>(&server.get("setup.json").body).unwrap();
        let of = |setup: &Value| {
            let list = setup["parameters"].as_array().unwrap().clone();
            list.into_iter().find(|one| one["name"] == parameter).expect("it is a parameter")
        };
        let before = of(&setup());
        assert_eq!(before["value"], before["original"], "{kind}");
        assert_eq!(setup()["single"], kind != "coupled");
        let body = |value: &str| serde_json::json!({ "name": parameter, "value": value }).to_string();
        for wrong in ["x", "inf"] {
            let refused = server.post("parameter", &body(wrong));
            assert_eq!(refused.status, 422, "{kind}");
            assert!(refused.body.contains(&format!("parameter.{parameter}")), "{}", refused.body);
        }
        assert_eq!(server.post("parameter", &body(value)).status, 200, "{kind}");
        let after = of(&setup());
        assert_eq!(after["value"].as_f64(), value.parse().ok(), "{kind}");
        assert_eq!(server.post("command", "\"start\"").status, 200, "{kind}");
        assert_eq!(setup()["runs"][0]["changes"], serde_json::json!([[parameter, value]]), "{kind}");
        let report = loop {
            let answer = server.get("report.html");
            if answer.status == 200 {
                break pages::opened(answer.body);
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        };
        assert!(report.contains(&format!("parameter {parameter}")), "{kind}");
    }
}

#[test]
fn contacts_are_measured_as_in_their_run() {
    let folder = folder("contacts");
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/newtons-cradle.toml");
    let server = Server::within(&folder, &model, &[]);
    let setup: Value = serde_json::from_str(&server.get("setup.json").body).unwrap();
    let names: Vec<&str> =
        setup["outputs"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    for name in ["contact_gap", "contact_impulse", "total_energy", "contacts", "kinetic_energy", "potential_energy"] {
        assert!(names.contains(&format!("mechanism.{name}").as_str()), "{name}: {names:?}");
    }
    // The same numbers as `fourbar run` writes, at the same times.
    let out = folder.join("run.csv");
    let run = Command::new(env!("CARGO_BIN_EXE_fourbar"))
        .args(["run", model.to_str().unwrap(), "--end", "0.3", "--quiet", "--out", out.to_str().unwrap()])
        .status();
    assert!(run.unwrap().success());
    assert_eq!(server.post("command", "\"start\"").status, 200);
    let table = loop {
        let answer = server.get("result.csv");
        let rows = answer.body.lines().count();
        if answer.status == 200 && rows > 40 {
            break answer.body;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    let rows = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let (live, run) = (rows(&table), rows(&std::fs::read_to_string(&out).unwrap()));
    let mut compared = 0;
    for (k, heading) in run[0].iter().enumerate().skip(1) {
        let Some(at) = live[0].iter().position(|own| *own == format!("mechanism.{heading}")) else {
            panic!("{heading}: {:?}", live[0]);
        };
        for row in &run[1..30] {
            let time: f64 = row[0].parse().unwrap();
            let near = |own: &&Vec<String>| (own[0].parse::<f64>().unwrap() - time).abs() < 1e-9;
            let Some(own) = live[1..].iter().find(near) else { continue };
            let (a, b): (f64, f64) = (row[k].parse().unwrap(), own[at].parse().unwrap());
            assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{heading} at {time}: {a} {b}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn a_tunable_parameter_holds_in_the_run_under_way() {
    let folder = folder("tuned");
    let server = server(&folder, "linear");
    let setup = || serde_json::from_str::<Value>(&server.get("setup.json").body).unwrap();
    // One step, and a pause.
    server.step();
    assert_eq!(server.post("parameter", r#"{"name": "linear.kp", "value": "400"}"#).status, 200);
    let now = setup();
    let kp = now["parameters"].as_array().unwrap().iter().find(|one| one["name"] == "linear.kp").unwrap();
    assert_eq!((kp["tunable"].as_bool(), kp["value"].as_f64()), (Some(true), Some(400.0)));
    // The run has it already, and nothing waits for the next one.
    let change = &now["runs"][0]["changes"][0];
    assert_eq!((change[0].as_str(), now["pending"].as_bool()), (Some("linear.kp"), Some(false)));
    let told = change[1].as_str().unwrap();
    assert!(told.contains(" \u{2192} 400 at 0.") && told.ends_with(" s"), "{told}");
    server.step();
}

#[test]
fn a_parameter_that_the_model_refuses_changes_nothing() {
    let folder = folder("refused");
    let server = server(&folder, "mechanism");
    let refused = server.post("parameter", r#"{"name": "mechanism.rod", "value": "0"}"#);
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert_eq!(server.post("parameter", r#"{"name": "mechanism.cranc", "value": "1"}"#).status, 422);
    let setup: Value = serde_json::from_str(&server.get("setup.json").body).unwrap();
    let rod = setup["parameters"].as_array().unwrap().iter().find(|one| one["name"] == "mechanism.rod").unwrap();
    assert_eq!(rod["value"], 0.3);
    assert_eq!(server.post("command", "\"start\"").status, 200);
}

#[test]
fn a_parameter_that_is_refused_in_a_run_changes_neither_the_run_nor_the_next() {
    let folder = folder("refused-tuning");
    let server = server(&folder, "linear");
    let setup = || serde_json::from_str::<Value>(&server.get("setup.json").body).unwrap();
    let before = setup()["parameters"].clone();
    server.step();
    for value in ["0", "nan"] {
        let refused = server.post("parameter", &format!(r#"{{"name": "linear.mass", "value": "{value}"}}"#));
        assert_eq!(refused.status, 422, "{}", refused.body);
        let now = setup();
        assert_eq!(now["parameters"], before);
        let runs = now["runs"].as_array().unwrap();
        assert!(runs.len() == 1 && runs[0]["changes"].as_array().unwrap().is_empty(), "{runs:?}");
        assert_eq!(now["pending"].as_bool(), Some(false));
    }
    server.step();
    let table = server.get("result.csv").body;
    assert!(table.lines().count() >= 3 && !table.contains("NaN"), "{table}");
}

#[test]
fn runs_with_other_parameters_are_kept_side_by_side() {
    let folder = folder("runs");
    let Some(mut browser) = browser(&folder) else { return };
    for (kind, parameter, value) in KINDS {
        let server = server(&folder, kind);
        browser.go(&server.url);
        browser.wait("document.getElementById('state')?.textContent === 'idle'");
        browser.click("#start");
        browser.wait("Number(document.getElementById('plots').dataset.points) > 10");
        browser.click("#rerun");
        // No number is cut, and what is written in degrees is shown with its unit.
        let cut = "[...document.querySelectorAll('input[inputmode]')].filter((one) => one.offsetParent && one.scrollWidth > one.clientWidth)";
        assert_eq!(browser.value(&format!("{cut}.map((one) => one.value).join(' ')")), "", "{kind}");
        assert_eq!(browser.text("#parameters").contains("slope [rad]"), kind == "contact", "{kind}");
        let field = format!("[data-field='parameter.{parameter}']");
        browser.write(&field, value);
        let shown = format!("'{} = {value}'", parameter.split_once('.').unwrap().1);
        browser.wait("document.querySelectorAll('#runs li').length === 1");
        browser.wait("[...document.querySelectorAll('.u-legend')].every((one) => one.textContent.includes('run 1'))");
        browser.wait("Number(document.getElementById('plots').dataset.points) > 10");
        browser.picture(&folder.join(format!("{kind}.png")));
        // What holds at once has changed the run under way, and says so; a run with nothing else than another is none.
        if kind == "linear" {
            browser.wait("document.getElementById('runs').textContent.includes('\u{2192} 400 at ')");
        }
        // The next one is named after what was changed, and may be left out.
        // A short run may have ended by itself.
        browser.value("document.getElementById('stop').click()");
        browser.wait("['stopped', 'finished'].includes(document.getElementById('state').textContent)");
        browser.click("#start");
        browser.wait(&format!("document.getElementById('runs').textContent.includes({shown})"));
        browser.click("#run-1");
        browser.wait("[...document.querySelectorAll('.u-legend')].every((one) => !one.textContent.includes('run 1'))");
        for (width, height, theme) in [(390, 844, "dark"), (390, 844, "light"), (1280, 800, "dark")] {
            browser.prefer(theme);
            browser.size(width, height);
            browser.picture(&folder.join(format!("{kind}-{width}-{theme}.png")));
            assert!(browser.number("document.documentElement.scrollWidth") <= f64::from(width), "{kind} at {width}");
        }
        browser.prefer("light");
        browser.size(1280, 800);
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn an_input_is_moved_by_its_slider_while_the_run_goes_on() {
    let folder = folder("inputs");
    let Some(mut browser) = browser(&folder) else { return };
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/quarter-car.toml");
    let server = Server::within(&folder, &model, &[]);
    browser.go(&server.url);
    browser.wait("document.querySelector('#inputs input[type=range]')");
    // Its 3 s of real time may be over before a busy browser has moved the slider.
    browser.write("#end-field", "600");
    browser.click("#start");
    browser.wait_state("running");
    // The road rises by a slider's end.
    browser.value(
        "(() => { const bar = document.querySelector('#inputs input[type=range]'); bar.value = 1; \
         bar.dispatchEvent(new Event('input')); bar.dispatchEvent(new Event('change')); })()",
    );
    browser.wait(
        "[...document.querySelectorAll('#values tr')].some((row) => row.textContent.includes('road') && parseFloat(row.lastChild.textContent) >= 1)",
    );
    assert_eq!(browser.complaints, [""; 0]);
}
