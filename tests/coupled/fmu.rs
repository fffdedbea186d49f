//! Functional mock-up units in coupled models: by both interfaces, with parameters and units, and what is refused with its line.
#![cfg(unix)]

#[path = "../../coupling/tests/fmu/build.rs"]
#[allow(dead_code)]
pub(crate) mod build;

use build::{Model, usual, with};
use fourbar::coupled::CoupledSettings;
use fourbar::file::ModelFile;
use std::path::Path;

/// A model with these fields of its FMU, in the folder of that.
fn written(fmu: &Path, fields: &str) -> std::path::PathBuf {
    let path = fmu.with_extension(format!("{}.toml", fields.len()));
    let name = fmu.file_name().unwrap().to_str().unwrap();
    let text = format!(
        "type = \"coupled\"\n[simulation]\nend = 1.0\nstep = 0.1\norder = 1\n\n[[simulator]]\nname = \"fmu\"\nfmu = \"{name}\"\n{fields}\n
[[simulator]]\nname = \"ramp\"\n[simulator.equations]\noutput = [{{ name = \"u\", unit = \"mm/s\", value = \"1000*time\" }}]\n
[[connection]]\nfrom = \"ramp.u\"\nto = \"fmu.u\"\n"
    );
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_model_file_runs_an_fmu_by_both_interfaces() {
    for version in [2, 3] {
        let Some(fmu) = with((version, Model::Dahlquist), usual(version)) else { return };
        for (interface, more, tolerance) in [
            ("model-exchange", "", 1e-7),
            ("model-exchange", "integrator = \"gstiff\"\n", 1e-6),
            ("co-simulation", "", 0.06),
        ] {
            let fields = format!(
                "interface = \"{interface}\"\n{more}parameters = {{ p = 2, x = 3 }}\nunits = {{ u = \"m/s\" }}"
            );
            let file = ModelFile::load(written(&fmu, &fields)).unwrap();
            assert!(file.files().contains(&fmu));
            let mut master = file.document().coupled().unwrap().master(&CoupledSettings::default()).unwrap();
            master.run(&mut ()).unwrap();
            // x' = -2 x + t from 3: x = 13/4 e^(-2 t) + t/2 - 1/4. The input of co-simulation is held over each tenth of a second.
            let expected = 3.25 * (-2.0_f64).exp() + 0.25;
            let x = master.output("fmu.x").unwrap();
            assert!((x - expected).abs() < tolerance, "FMI {version}, {interface}: {x} is not {expected}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_with_its_line() {
    let Some(fmu) = with((3, Model::Dahlquist), usual(3)) else { return };
    for (fields, words) in [
        ("parameters = { r = 1 }", "it has no such variable"),
        ("parameters = { der0 = 1 }", "it is local and is computed by the FMU"),
        ("units = { u = \"mms\" }", "is not a known unit"),
        ("units = { p = \"mm\" }", "it is neither an input nor an output"),
        ("texts = { p = \"one\" }", "it is a Float64 and cannot be the text"),
        ("integrator = \"gstiff\"", "in co-simulation it has a solver of its own"),
        ("interface = \"dae\"", "it hands out no residuals"),
    ] {
        let file = ModelFile::load(written(&fmu, fields)).unwrap();
        let error = file.document().coupled().unwrap().master(&CoupledSettings::default()).err().unwrap();
        let text = file.explain(error).to_string();
        assert!(text.contains(words) && text.contains(".toml:9:"), "{words}: {text}");
    }
    for (fields, words) in [
        ("interface = \"scheduled\"", "co-simulation"),
        ("integrator = \"euler\"", "gstiff"),
        ("library = \"libpump\"", "remove all but one"),
        ("interfaces = \"model-exchange\"", "did you mean `interface`?"),
        ("texts = { p = 1 }", "text"),
    ] {
        let text = ModelFile::load(written(&fmu, fields)).err().unwrap().to_string();
        assert!(text.contains(words), "{words}: {text}");
    }
    let missing = written(Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-such.fmu").as_path(), "");
    let file = ModelFile::load(missing).unwrap();
    let error = file.document().coupled().unwrap().master(&CoupledSettings::default()).err().unwrap();
    let text = file.explain(error).to_string();
    assert!(text.contains("correct the path"), "{text}");
}
