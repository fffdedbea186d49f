//! `fourbar export-ssp`: the archive, what `info` tells of it, and what is refused.

use super::run::Folder;
use crate::cli::fourbar;
use std::fs;

#[test]
fn a_coupled_model_becomes_an_archive_that_info_tells_of() {
    let folder = Folder::new("export-ssp");
    let (model, library) = (folder.file("press.toml"), folder.file("library.so"));
    for name in ["press.toml", "hydraulic-axis.toml"] {
        fs::copy(format!("../models/{name}"), folder.file(name)).unwrap();
    }
    // What the check of the library looks for.
    fs::write(&library, format!("fmi3InstantiateCoSimulation {}", fourbar::fmi::LIBRARY_MARK)).unwrap();
    let (code, stdout, stderr) = fourbar(&["export-ssp", &model, "--library", &library]);
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""));
    let archive = folder.file("press.ssp");
    let (code, stdout, stderr) = fourbar(&["info", &archive]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    for words in ["SSP 1.0", "servo  resources/servo.fmu", "parameters.gain = 12", "connections", " -> "] {
        assert!(stdout.contains(words), "{words}: {stdout}");
    }
    let (code, _, stderr) = fourbar(&["export-ssp", &model, "--library", &library, "-o", &model]);
    assert!(code == 2 && stderr.contains("would overwrite"), "{code} {stderr}");
}

#[test]
fn what_is_no_structure_is_refused_by_name() {
    let folder = Folder::new("export-ssp-refused");
    let (model, library) = (folder.file("model.toml"), folder.file("library.so"));
    fs::write(&library, format!("fmi3InstantiateCoSimulation {}", fourbar::fmi::LIBRARY_MARK)).unwrap();
    fs::copy("../models/pendulum.toml", &model).unwrap();
    let (code, _, stderr) = fourbar(&["export-ssp", &model, "--library", &library]);
    assert!(code == 3 && stderr.contains("is no structure") && stderr.contains("export-fmu"), "{code} {stderr}");
    let text = "type = \"coupled\"\n[simulation]\nend = 1\nstep = 0.1\n[[simulator]]\nname = \"ramp\"\n[simulator.equations]\noutput = [{ name = \"u\", value = \"time\" }]\n";
    fs::write(&model, text).unwrap();
    let (code, _, stderr) = fourbar(&["export-ssp", &model, "--library", &library]);
    assert!(code == 3 && stderr.contains("\"ramp\" is of the kind \"equations\""), "{code} {stderr}");
    let (code, _, stderr) = fourbar(&["run", &folder.file("none.ssp")]);
    assert!(code == 5 && stderr.contains("none.ssp"), "{code} {stderr}");
}
