//! `fourbar export-fmu`: the archive, and what is refused.

use super::run::Folder;
use crate::cli::fourbar;
use std::fs;

#[test]
fn a_unit_is_written_beside_its_model_or_where_it_is_told() {
    let folder = Folder::new("export-fmu");
    let (model, unit, library) = (folder.file("pendulum.toml"), folder.file("other.fmu"), folder.file("library.so"));
    fs::copy("../models/pendulum.toml", &model).unwrap();
    fs::write(&library, "no library").unwrap();
    let (code, _, stderr) = fourbar(&["export-fmu", &model, "--library", &library]);
    assert!(code == 5 && stderr.contains("cargo build --release -p fourbar-capi"), "{code} {stderr}");
    // What the check of the library looks for.
    fs::write(&library, format!("fmi3InstantiateCoSimulation {}", fourbar::fmi::LIBRARY_MARK)).unwrap();
    for more in [&["--fmi", "2", "--interface", "both", "-o", &unit][..], &[]] {
        let (code, stdout, stderr) = fourbar(&[&["export-fmu", &model, "--library", &library], more].concat());
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""));
    }
    let (first, second) = (fs::read(&unit).unwrap(), fs::read(folder.file("pendulum.fmu")).unwrap());
    assert!(first.starts_with(b"PK") && second.starts_with(b"PK") && first != second);
    let (code, _, stderr) = fourbar(&["export-fmu", &model, "--library", &library, "-o", &model]);
    assert!(code == 2 && stderr.contains("would overwrite"), "{code} {stderr}");
    let contacts = folder.file("ball.toml");
    fs::copy("../models/bouncing-ball.toml", &contacts).unwrap();
    let (code, _, stderr) = fourbar(&["export-fmu", &contacts, "--library", &library, "--interface", "model-exchange"]);
    assert!(code != 0 && stderr.contains("impacts and friction of contacts"), "{code} {stderr}");
    let residuals = ["export-fmu", &model, "--library", &library, "--interface", "dae"];
    assert_eq!(fourbar(&residuals), (0, String::new(), String::new()));
    let (code, _, stderr) = fourbar(&[&residuals[..], &["--fmi", "2"]].concat());
    assert!(code == 5 && stderr.contains("extends FMI 3.0"), "{code} {stderr}");
    let (code, _, stderr) = fourbar(&["export-fmu", &model, "--fmi", "1"]);
    assert!(code == 2 && stderr.contains("--fmi"), "{code} {stderr}");
}
