//! FMUs that cannot be run, each refused with file, place and remedy.

use super::build::{Model, description, library, pack, place, usual, with};
use fourbar_coupling::partner::{Fmu, FmuError, FmuInterfaceKind, FmuOptions, FmuValue};

fn refused(path: &std::path::Path, options: &FmuOptions) -> FmuError {
    match Fmu::open(path, options) {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => error,
    }
}

/// The FMU with a changed description.
fn changed(version: u32, from: &str, to: &str) -> Option<std::path::PathBuf> {
    let text = description((version, Model::Dahlquist), usual(version));
    assert!(text.contains(from), "{from}");
    let library = std::fs::read(library((version, Model::Dahlquist))?).unwrap();
    Some(pack(&[("modelDescription.xml", text.replace(from, to).as_bytes()), (&place(version), &library)]))
}

#[test]
fn descriptions_that_are_wrong_are_refused_with_the_place() {
    for (version, from, to, words) in [
        (2, "fmiVersion=\"2.0\"", "fmiVersion=\"1.0\"", "version 1.0 of the standard"),
        (2, "guid=", "gid=", "the attribute guid is missing"),
        (3, "instantiationToken=", "token=", "instantiationToken is missing"),
        (2, "valueReference=\"5\"", "valueReference=\"-5\"", "valueReference is \"-5\""),
        (3, "causality=\"input\"", "causality=\"inlet\"", "causality is \"inlet\""),
        (3, "name=\"q\"", "name=\"p\"", "the name is there twice"),
        (2, "modelIdentifier=\"model\"", "modelIdentifier=\"../model\"", "modelIdentifier is \"../model\""),
        (2, "<Unknown index=\"4\"/>", "<Unknown index=\"40\"/>", "\"40\" is no variable"),
        (3, "derivative=\"1\"", "derivative=\"100\"", "which is no variable"),
        (3, "<Float64 name=\"q\"", "<Float63 name=\"q\"", "this type of variables is not known"),
        (2, "start=\"0.7\"", "start=\"much\"", "start is \"much\""),
        (3, "</ModelVariables>", "", "line"),
        (2, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "DTD"),
        (3, "factor=\"0.2777777777777778\"", "factor=\"0\"", "write a positive factor"),
        (2, "guid=", "numberOfEventIndicators=\"10000001\" guid=", "10000001 event indicators, more than 10000000"),
    ] {
        let Some(path) = changed(version, from, to) else { return };
        let error = refused(&path, &FmuOptions::default());
        assert!(matches!(error, FmuError::Description { .. }), "{error}");
        assert!(error.to_string().contains(words) && error.to_string().contains("line"), "{words}: {error}");
    }
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let clock = "<Clock name=\"beat\" valueReference=\"99\" causality=\"input\" intervalVariability=\"constant\"/></ModelVariables>";
    let Some(path) = changed(3, "</ModelVariables>", clock) else { return };
    let error = refused(&path, &FmuOptions::default());
    assert!(
        matches!(&error, FmuError::Unsupported { problem, .. } if problem.contains("its clock \"beat\"")),
        "{error}"
    );
    let Some(path) = changed(2, "<ModelExchange", "<Nothing") else { return };
    let options = FmuOptions { interface: Some(FmuInterfaceKind::ModelExchange), ..FmuOptions::default() };
    assert!(refused(&path, &options).to_string().contains("it has no model exchange"));
}

#[test]
fn libraries_that_do_not_fit_are_refused() {
    let text = description((2, Model::Dahlquist), usual(2));
    let other = pack(&[("modelDescription.xml", text.as_bytes()), ("binaries/toaster/model.so", b"")]);
    let error = refused(&other, &FmuOptions::default()).to_string();
    assert!(error.contains("those of toaster"), "{error}");
    let text_file = pack(&[("modelDescription.xml", text.as_bytes()), (&place(2), b"no library")]);
    assert!(matches!(refused(&text_file, &FmuOptions::default()), FmuError::Load { .. }));
    let Some(three) = library((3, Model::Dahlquist)) else { return };
    let wrong = pack(&[("modelDescription.xml", text.as_bytes()), (&place(2), &std::fs::read(three).unwrap())]);
    let error = refused(&wrong, &FmuOptions::default()).to_string();
    assert!(error.contains("it has no function fmi2"), "{error}");
    let Some(path) = changed(2, "{token}", "{another}") else { return };
    let error = refused(&path, &FmuOptions::default()).to_string();
    assert!(error.contains("it creates no instance"), "{error}");
}

#[test]
fn values_and_units_that_do_not_fit_are_refused() {
    let Some(path) = with((3, Model::Feed), usual(3)) else { return };
    let value =
        |name: &str, value: FmuValue| FmuOptions { values: vec![(name.into(), value)], ..FmuOptions::default() };
    for (options, words) in [
        (value("tex", FmuValue::Number(1.0)), "did you mean \"text\"?"),
        (value("text", FmuValue::Number(1.0)), "it is a String and cannot be the number 1"),
        (value("p", FmuValue::Text("one".into())), "it is a Float64 and cannot be the text \"one\""),
        (value("y", FmuValue::Number(1.0)), "it is output and is computed by the FMU"),
        (value("a[4]", FmuValue::Number(1.0)), "it has no such variable"),
        (FmuOptions { units: vec![("u".into(), "furlong".into())], ..FmuOptions::default() }, "unit of \"u\""),
        (
            FmuOptions { units: vec![("p".into(), "m".into())], ..FmuOptions::default() },
            "neither an input nor an output",
        ),
    ] {
        let error = refused(&path, &options);
        assert!(matches!(error, FmuError::Start { .. }) && error.to_string().contains(words), "{words}: {error}");
    }
}

#[test]
fn one_instance_in_a_process_is_one() {
    let attributes = format!("{} canBeInstantiatedOnlyOncePerProcess=\"true\"", usual(2));
    let Some(path) = with((2, Model::Stair), &attributes) else { return };
    let first = Fmu::open(&path, &FmuOptions::default()).unwrap();
    assert!(refused(&path, &FmuOptions::default()).to_string().contains("a process can hold one instance"));
    drop(first);
    assert!(Fmu::open(&path, &FmuOptions::default()).is_ok());
}
