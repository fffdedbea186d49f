//! Models with contacts on the command line.

use crate::fourbar;
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
    assert!(events[0]["approach"].as_f64().unwrap() > 4.56 && events[0]["impulse"].as_f64().unwrap() > 2.4);
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
