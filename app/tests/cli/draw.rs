//! `fourbar draw`, and `--gltf` of the commands that have it.

use crate::cli::{command, fourbar};
use std::fs;
use std::path::PathBuf;

/// A folder of its own, and a path in it.
fn scratch(name: &str) -> (PathBuf, String) {
    let folder = std::env::temp_dir().join(format!("fourbar-draw-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name).display().to_string();
    (folder, file)
}

#[test]
fn draw_writes_a_picture_and_nothing_else() {
    let (folder, file) = scratch("four-bar.svg");
    assert_eq!(fourbar(&["draw", "models/four-bar.toml", "-o", &file]), (0, String::new(), String::new()));
    let plain = fs::read_to_string(&file).unwrap();
    assert!(plain.starts_with("<svg xmlns=") && plain.ends_with("</svg>\n"));
    assert!(plain.contains("<title>four-bar linkage</title>"), "{}", &plain[..200]);
    let more = ["draw", "models/four-bar.toml", "-o", &file, "--time", "0.1", "--end", "0.2", "--ghosts", "2"];
    let (code, _, stderr) = fourbar(&[&more[..], &["--show", "reactions,markers", "--view", "aside"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let rich = fs::read_to_string(&file).unwrap();
    assert_eq!(rich.matches("<g opacity").count(), 2);
    assert!(rich.len() > plain.len());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn arrows_are_drawn_at_the_start_too_and_it_is_said_where_there_are_none() {
    let (folder, file) = scratch("arrows.svg");
    let draw = |model: &str, show: &str| {
        let (code, stdout, stderr) = fourbar(&["draw", model, "-o", &file, "--show", show]);
        assert_eq!((code, stdout.as_str()), (0, ""), "{model}: {stderr}");
        (fs::read_to_string(&file).unwrap(), stderr)
    };
    let (drawn, told) = draw("models/quarter-car.toml", "forces");
    assert!(drawn.contains("forces: longest arrow") && told.is_empty(), "{told}");
    let (drawn, told) = draw("models/four-bar.toml", "reactions");
    assert!(drawn.contains("reactions: longest arrow") && told.is_empty(), "{told}");
    // A linkage without springs has no forces, coupled simulators no reactions.
    for (model, show, why) in [
        ("models/double-pendulum.toml", "forces", "give another --time"),
        ("models/press-stop.toml", "reactions", "coupled models have arrows of forces alone"),
    ] {
        let (_, told) = draw(model, show);
        assert!(told.contains(&format!("--show {show} draws nothing at t = 0 s: ")) && told.contains(why), "{told}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_has_no_bodies_is_not_drawn() {
    let (folder, file) = scratch("heat.svg");
    let glb = file.replace(".svg", ".glb");
    for arguments in [["draw", "models/heat.toml", "-o", &file], ["run", "models/heat.toml", "--gltf", &glb]] {
        let (code, stdout, stderr) = fourbar(&arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains("without bodies: there is nothing to draw"), "{stderr}");
    }
    assert!(!PathBuf::from(&file).exists() && !PathBuf::from(&glb).exists());
    let (code, _, stderr) = fourbar(&["draw", "models/pendulum.toml", "-o", "models/pendulum.toml"]);
    assert!(code == 2 && stderr.contains("models/pendulum.svg"), "{code} {stderr}");
    let (code, _, stderr) = fourbar(&["run", "models/pendulum.toml", "--gltf", &glb, "--out", &glb]);
    assert!(code == 2 && stderr.contains("--gltf"), "{code} {stderr}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn endings_times_and_ghosts_that_cannot_be_had_are_told() {
    let (folder, file) = scratch("still.svg");
    let model = "models/four-bar.toml";
    let png = folder.join("still.png").display().to_string();
    let gltf = folder.join("still.gltf").display().to_string();
    let cases: [(&[&str], &str); 6] = [
        (&["draw", model, "-o", &png], "name it"),
        (&["run", model, "--gltf", &gltf], "still.glb"),
        (&["kinematics", "models/slider-crank.toml", "--gltf", &gltf], "still.glb"),
        (&["draw", model, "-o", &file, "--time", "7", "--end", "0.1"], "--time 7: the run ends at 0.1 s"),
        (&["draw", model, "-o", &file, "--ghosts", "101"], "0..=100"),
        (&["run", model, "--report", &png], "still.html"),
    ];
    for (arguments, part) in cases {
        let (code, _, stderr) = fourbar(arguments);
        assert!(code == 2 && stderr.contains(part), "{arguments:?}: {code} {stderr}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    let at_end = ["draw", model, "--output", &file, "--time", "0.1", "--end", "0.1"];
    assert_eq!(fourbar(&at_end).0, 0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn results_are_the_same_with_and_without_gltf() {
    let (folder, file) = scratch("press-stop.glb");
    let run = |more: &[&str]| {
        let out = folder.join("out.csv");
        let (model, end) = ("models/press-stop.toml", ["--end", "0.02", "--quiet", "--out", out.to_str().unwrap()]);
        let (code, _, stderr) = fourbar(&[&["run", model][..], &end, more].concat());
        assert_eq!(code, 0, "{stderr}");
        fs::read_to_string(&out).unwrap()
    };
    assert_eq!(run(&[]), run(&["--gltf", &file]));
    assert_eq!(&fs::read(&file).unwrap()[..4], b"glTF");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn kinematics_and_statics_write_gltf() {
    let (folder, file) = scratch("analysis.glb");
    for verb in [&["kinematics", "models/slider-crank.toml"][..], &["statics", "models/quarter-car.toml"]] {
        let output = command(&[verb, &["--gltf", &file]].concat()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(&fs::read(&file).unwrap()[..4], b"glTF", "{verb:?}");
        fs::remove_file(&file).unwrap();
    }
    fs::remove_dir_all(folder).unwrap();
}
