//! Models with contacts on the command line.

use crate::cli::fourbar;
use serde_json::Value;

const IMPACT: &str = "models/fourbar-impact.toml";

#[test]
fn json_counts_and_lists_the_events() {
    let (code, stdout, stderr) = fourbar(&["run", IMPACT, "--json", "--quiet"]);
    assert_eq!(code, 0, "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    let statistics = &object["statistics"];
    assert_eq!((&statistics["method"], &statistics["accumulations"]), (&"event".into(), &1.into()));
    let events = object["events"].as_array().unwrap();
    let impacts = events.iter().filter(|event| event["kind"] == "impact").count();
    assert!(impacts >= 38 && statistics["impacts"] == impacts, "{statistics}");
    assert_eq!(events[0]["contact"], "wall");
    assert!(events[0]["closing_speed"].as_f64().unwrap() > 4.56 && events[0]["impulse"].as_f64().unwrap() > 2.4);
    assert!(object["violation"]["joints"].as_f64().unwrap() < 1e-12);
    // Gap, impulse, energy and violation are there without being asked for.
    for name in ["contact_gap", "contact_impulse", "total_energy", "violation", "violation_rate"] {
        assert!(object["final"][name].is_number(), "{name}: {stdout}");
    }
}

#[test]
fn the_method_can_be_chosen_and_has_its_own_options() {
    let (code, stdout, stderr) = fourbar(&["run", IMPACT, "--contacts", "ggl", "--step", "1e-3", "--json", "--quiet"]);
    assert_eq!(code, 0, "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&object["statistics"]["method"], &object["statistics"]["steps"]), (&"ggl".into(), &400.into()));
    for (arguments, expected) in [
        (["--step", "1e-3"], "--step is no option for"),
        (["--integrator", "gstiff"], "--integrator is no option for"),
        (["--contacts", "lcp"], "invalid value 'lcp'"),
    ] {
        let (code, _, stderr) = fourbar(&["run", IMPACT, arguments[0], arguments[1]]);
        assert!(code == 2 && stderr.contains(expected), "{arguments:?}: {code} {stderr}");
    }
    let (code, _, stderr) = fourbar(&["run", "models/pendulum.toml", "--contacts", "event"]);
    assert!(code == 2 && stderr.contains("--contacts is no option for"), "{stderr}");
}

#[test]
fn check_lists_contacts_and_what_touches_at_the_start() {
    let (code, stdout, stderr) = fourbar(&["check", IMPACT]);
    assert!(code == 0 && stdout.contains("contacts: 1 point_plane\nnothing touches at the start"), "{stdout}{stderr}");
    let (code, stdout, _) = fourbar(&["check", "models/tower.toml", "--json"]);
    let object: Value = serde_json::from_str(&stdout).unwrap();
    let contacts = &object["contacts"];
    assert_eq!((code, &object["bodies"], &contacts["shapes"]), (0, &10.into(), &11.into()));
    assert_eq!(
        (contacts["kinds"]["shapes"].as_u64(), contacts["touching"].as_array().map(Vec::len)),
        (Some(2), Some(40))
    );
    assert!(contacts["overlap"].as_f64().unwrap() < 1e-12);
}

/// A file beside others, removed at the end.
struct Written(std::path::PathBuf);

impl Written {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fourbar-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_run_that_cannot_begin_leaves_files_as_they_are() {
    let old = Written::new("old.csv", "results of yesterday\n");
    let folder = old.0.parent().unwrap();
    let file = |name: &str| folder.join(format!("fourbar-{}-none-{name}", std::process::id()));
    let (report, summary) = (file("report.html"), file("summary.json"));
    let files = [old.path(), report.to_str().unwrap(), summary.to_str().unwrap()];
    let model = "tests/bad-models/contact-overlap.toml";
    let (code, _, stderr) = fourbar(&["run", model, "--out", files[0], "--report", files[1], "--summary", files[2]]);
    assert!(code == 3 && stderr.contains("starts 0.05 m or rad inside"), "{code} {stderr}");
    assert_eq!(std::fs::read_to_string(&old.0).unwrap(), "results of yesterday\n");
    assert!(!report.exists() && !summary.exists(), "no empty file is left");
}

/// A plane that jumps takes what lies on it along, as no floor does: the run goes on and says so.
#[test]
fn offsets_that_jump_are_told() {
    let model = |offset: &str, method: &str| {
        format!(
            r#"
name = "jump"
gravity = [0, 0, -9.81]
[simulation]
end = 1
output_step = 0.01
[contacts]
{method}
[[body]]
name = "ball"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0, 0, 0.1]
[[contact]]
name = "floor"
type = "sphere_plane"
i = "ball"
radius = 0.1
j = "ground"
offset = "{offset}"
"#
        )
    };
    let warnings = |offset: &str, method: &str| -> Vec<String> {
        let file = Written::new(&format!("jump-{}.toml", offset.len() + method.len()), &model(offset, method));
        let (code, stdout, stderr) = fourbar(&["run", file.path(), "--json", "--quiet"]);
        assert_eq!(code, 0, "{offset} {method}: {stderr}");
        let object: Value = serde_json::from_str(&stdout).unwrap();
        let list = object.get("warnings").and_then(Value::as_array).cloned().unwrap_or_default();
        list.iter().map(|warning| warning.as_str().unwrap().to_owned()).collect()
    };
    for method in ["method = \"event\"", "method = \"gap_lcp\"\nstep = 1e-3", "method = \"moreau_jean\"\nstep = 1e-3"] {
        let told = warnings("if(time > 0.5037, 0.02, 0)", method);
        let expected = "`offset` of contact \"floor\" jumps by 0.02 m or rad at t = 0.5037 s";
        assert!(told.iter().any(|warning| warning.contains(expected)), "{method}: {told:?}");
        // A ramp is no jump, nor are its bends; nor a vibration faster than the steps see.
        for smooth in ["0.02*min(max((time - 0.5)/0.01, 0), 1)", "1e-5*sin(5000*time)"] {
            let told = warnings(smooth, method);
            assert!(told.iter().all(|warning| !warning.contains("jumps")), "{smooth} {method}: {told:?}");
        }
    }
}
