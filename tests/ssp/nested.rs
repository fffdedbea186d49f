//! Systems within systems, connectors that pass through, conversion of units, transformations.

use super::{described, feed, of_system, packed, results};

/// x stays at 3: x' = -0 x + 0.
fn constant(unit: &str) -> String {
    let start = super::inline(
        "<ssv:Parameter name=\"p\"><ssv:Real value=\"0\"/></ssv:Parameter><ssv:Parameter name=\"x\"><ssv:Real value=\"3\"/></ssv:Parameter>",
    );
    format!(
        "<ssd:Component name=\"source\" source=\"resources/lag.fmu\"><ssd:Connectors><ssd:Connector name=\"x\" kind=\"output\"><ssc:Real unit=\"{unit}\"/></ssd:Connector>\
         </ssd:Connectors><ssd:ParameterBindings>{start}</ssd:ParameterBindings></ssd:Component>"
    )
}

/// A source in one unit, a sink within two systems in another one, and what stands in the outer connection.
fn through(from: &str, to: &str, attributes: &str, transformation: &str) -> f64 {
    let sink = feed("sink", "").replace(
        "<ssc:Real/></ssd:Connector><ssd:Connector name=\"y\"",
        &format!("<ssc:Real unit=\"{to}\"/></ssd:Connector><ssd:Connector name=\"y\""),
    );
    let system = format!(
        "<ssd:System name=\"top\"><ssd:Elements>{}<ssd:System name=\"outer\"><ssd:Connectors><ssd:Connector name=\"in\" kind=\"input\"/></ssd:Connectors>\
         <ssd:Elements><ssd:System name=\"inner\"><ssd:Connectors><ssd:Connector name=\"into\" kind=\"input\"><ssc:Real/></ssd:Connector></ssd:Connectors>\
         <ssd:Elements>{sink}</ssd:Elements><ssd:Connections><ssd:Connection startConnector=\"into\" endElement=\"sink\" endConnector=\"u\"/></ssd:Connections></ssd:System></ssd:Elements>\
         <ssd:Connections><ssd:Connection startElement=\"inner\" startConnector=\"into\" endConnector=\"in\"/></ssd:Connections></ssd:System></ssd:Elements>\
         <ssd:Connections><ssd:Connection startElement=\"source\" startConnector=\"x\" endElement=\"outer\" endConnector=\"in\" {attributes}>{transformation}</ssd:Connection></ssd:Connections></ssd:System>",
        constant(from)
    );
    let Some((_folder, path)) = of_system(&system) else { return f64::NAN };
    let [y] = results(&path, ["outer.inner.sink.y"]);
    y
}

#[test]
fn values_pass_through_systems_with_units_and_transformations() {
    if super::units().is_none() {
        return;
    }
    let line = "<ssc:LinearTransformation factor=\"2\" offset=\"1\"/>";
    assert!((through("mm", "m", "", "") - 0.003).abs() < 1e-15);
    assert!((through("degC", "K", "", "") - 276.15).abs() < 1e-12);
    assert!((through("K", "degC", "", "") - (3.0 - 273.15)).abs() < 1e-12);
    assert_eq!(through("m", "m", "", line), 7.0);
    // The unit of the sink is taken further in: the transformation comes first there.
    assert!((through("mm", "m", "", line) - 0.007).abs() < 1e-15);
    assert_eq!(through("mm", "mm", "suppressUnitConversion=\"true\"", line), 7.0);
}

#[test]
fn a_suppressed_conversion_leaves_the_number_and_another_of_the_same_output_converts() {
    let metres = |name: &str| {
        feed(name, "").replace(
            "<ssc:Real/></ssd:Connector><ssd:Connector name=\"y\"",
            "<ssc:Real unit=\"m\"/></ssd:Connector><ssd:Connector name=\"y\"",
        )
    };
    let connection = |to: &str, more: &str, inner: &str| {
        format!(
            "<ssd:Connection startElement=\"source\" startConnector=\"x\" endElement=\"{to}\" endConnector=\"u\" {more}>{inner}</ssd:Connection>"
        )
    };
    let line = "<ssc:LinearTransformation factor=\"2\" offset=\"1\"/>";
    let system = format!(
        "<ssd:System name=\"top\"><ssd:Elements>{}{}{}{}</ssd:Elements><ssd:Connections>{}{}{}</ssd:Connections></ssd:System>",
        constant("mm"),
        metres("a"),
        metres("b"),
        feed("c", ""),
        connection("a", "", line),
        connection("b", "suppressUnitConversion=\"true\"", line),
        connection("c", "", ""),
    );
    let Some((_folder, path)) = of_system(&system) else { return };
    let [a, b, c] = results(&path, ["a.y", "b.y", "c.y"]);
    // target = factor source + offset with the source in the unit of the target, SSP 1.0, section 4.5.2.1; without a unit nothing is converted.
    assert!((a - 1.006).abs() < 1e-15, "{a}");
    assert_eq!((b, c), (7.0, 3.0));
}

#[test]
fn truth_values_and_whole_numbers_pass_and_are_mapped() {
    let swap = "<ssc:BooleanMappingTransformation><ssc:MapEntry source=\"true\" target=\"false\"/><ssc:MapEntry source=\"false\" target=\"true\"/></ssc:BooleanMappingTransformation>";
    let system = format!(
        "<ssd:System name=\"top\"><ssd:Elements>{}{}</ssd:Elements><ssd:Connections>\
         <ssd:Connection startElement=\"a\" startConnector=\"c\" endElement=\"b\" endConnector=\"b\">{swap}</ssd:Connection>\
         <ssd:Connection startElement=\"a\" startConnector=\"j\" endElement=\"b\" endConnector=\"i\"/></ssd:Connections></ssd:System>",
        feed(
            "a",
            &format!(
                "<ssd:ParameterBindings>{}</ssd:ParameterBindings>",
                super::inline("<ssv:Parameter name=\"i\"><ssv:Integer value=\"4\"/></ssv:Parameter>")
            )
        ),
        feed("b", "")
    );
    let Some((_folder, path)) = of_system(&system) else { return };
    assert_eq!(results(&path, ["b.c", "b.j"]), [1.0, 4.0]);
}

#[test]
fn structures_stand_in_the_place_of_components() {
    let inner = described(&format!(
        "<ssd:System name=\"any\"><ssd:Connectors><ssd:Connector name=\"in\" kind=\"input\"/></ssd:Connectors><ssd:Elements>{}</ssd:Elements>\
         <ssd:Connections><ssd:Connection startConnector=\"in\" endElement=\"own\" endConnector=\"u\"/></ssd:Connections></ssd:System>",
        feed("own", "").replace("resources/", "")
    ));
    let Some([feed_unit, _]) = super::units() else { return };
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("part.ssp");
    let variant = inner.replace("name=\"own\"", "name=\"other\"").replace("endElement=\"own\"", "endElement=\"other\"");
    super::zipped(
        &package,
        &vec![
            ("SystemStructure.ssd", inner.clone().into_bytes()),
            ("feed.fmu", feed_unit),
            ("B.ssd", variant.into_bytes()),
        ],
    );
    let component = |name: &str, kind: &str, source: &str| {
        format!(
            "<ssd:Component name=\"{name}\" type=\"application/x-ssp-{kind}\" source=\"{source}\"><ssd:Connectors><ssd:Connector name=\"in\" kind=\"input\"/></ssd:Connectors>\
             <ssd:ParameterBindings>{}</ssd:ParameterBindings></ssd:Component>",
            super::inline(&format!("<ssv:Parameter name=\"in\"><ssv:Real value=\"{}\"/></ssv:Parameter>", name.len()))
        )
    };
    let held = format!(
        "<ssd:System name=\"held\" id=\"held\"><ssd:Connectors><ssd:Connector name=\"in\" kind=\"input\"/></ssd:Connectors><ssd:Elements>{}</ssd:Elements>\
         <ssd:Connections><ssd:Connection startConnector=\"in\" endElement=\"own\" endConnector=\"u\"/></ssd:Connections></ssd:System>",
        feed("own", "")
    );
    let system = format!(
        "<ssd:System name=\"top\"><ssd:Elements>{held}{}{}{}{}</ssd:Elements></ssd:System>",
        component("a", "definition", "resources/part.ssd"),
        component("bb", "package", "resources/part.ssp"),
        component("ccc", "package", "resources/part.ssp#B.ssd"),
        component("dddd", "definition", "#held"),
    );
    let files = vec![
        ("SystemStructure.ssd", described(&system).into_bytes()),
        ("resources/part.ssd", inner.into_bytes()),
        ("resources/part.ssp", std::fs::read(package).unwrap()),
    ];
    let Some((_folder, path)) = packed(&files) else { return };
    assert_eq!(
        results(&path, ["a.own.y", "bb.own.y", "ccc.other.y", "dddd.own.y", "held.own.y"]),
        [1.0, 2.0, 3.0, 4.0, 0.5]
    );
}

#[test]
fn a_description_runs_beside_its_files_and_after_its_archive_is_gone() {
    let system = format!("<ssd:System name=\"top\"><ssd:Elements>{}</ssd:Elements></ssd:System>", feed("a", ""));
    let Some([unit, _]) = super::units() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("resources")).unwrap();
    std::fs::write(folder.path().join("resources/feed.fmu"), unit).unwrap();
    let path = folder.path().join("SystemStructure.ssd");
    std::fs::write(&path, described(&system)).unwrap();
    assert_eq!(results(&path, ["a.y"]), [0.5]);
    let Some((archive, path)) = of_system(&system) else { return };
    let file = fourbar::file::ModelFile::load(&path).unwrap();
    assert_eq!(file.files(), [path]);
    let document = file.document().clone();
    drop((file, archive));
    // The unpacked units stay as long as the model does.
    let mut master = document.coupled().unwrap().master(&Default::default()).unwrap();
    master.run(&mut ()).unwrap();
    assert_eq!(master.output("a.y").unwrap(), 0.5);
}
