//! Parameter bindings: inline and in files, prefixes, mappings, units, types, and which value counts.

use super::{described, feed, inline, packed, root, set};
use fourbar::coupled::{FmuModel, SimulatorKind};
use fourbar::file::ModelFile;
use std::path::Path;

/// The unit of the only component as the model has it.
fn unit(path: &Path) -> FmuModel {
    let file = ModelFile::load(path).unwrap();
    match &file.document().coupled().unwrap().simulators[0].kind {
        SimulatorKind::Fmu(fmu) => (**fmu).clone(),
        other => panic!("{}", other.name()),
    }
}

fn number(unit: &FmuModel, name: &str) -> f64 {
    unit.parameters[name].to_string().parse().unwrap()
}

fn real(name: &str, value: &str) -> String {
    format!("<ssv:Parameter name=\"{name}\"><ssv:Real value=\"{value}\"/></ssv:Parameter>")
}

/// A component in a system in a system, with bindings at each level.
fn nested(own: &str, middle: &str, top: &str) -> String {
    let bindings = |own: &str| {
        if own.is_empty() { String::new() } else { format!("<ssd:ParameterBindings>{own}</ssd:ParameterBindings>") }
    };
    described(&format!(
        "<ssd:System name=\"top\">{}<ssd:Elements><ssd:System name=\"s\">{}<ssd:Elements>{}</ssd:Elements></ssd:System></ssd:Elements></ssd:System>",
        bindings(top),
        bindings(middle),
        feed("a", &bindings(own))
    ))
}

/// The value of `u` with these bindings and files.
fn u(own: &str, middle: &str, top: &str, more: &[(&'static str, String)]) -> Option<f64> {
    let mut files = vec![("SystemStructure.ssd", nested(own, middle, top).into_bytes())];
    files.extend(more.iter().map(|(name, text)| (*name, text.clone().into_bytes())));
    let (_folder, path) = packed(&files)?;
    Some(number(&unit(&path), "u"))
}

#[test]
fn later_bindings_and_higher_levels_count() {
    let [one, two] = [inline(&real("u", "1")), inline(&real("u", "2"))];
    let [middle, top] = [inline(&real("a.u", "3")), inline(&real("s.a.u", "4"))];
    for (own, between, above, expected) in [
        (&*one, "", "", 1.0),
        (&*format!("{one}{two}"), "", "", 2.0),
        (&*format!("{two}{one}"), "", "", 1.0),
        (&*two, &*middle, "", 3.0),
        (&*two, &*middle, &*top, 4.0),
        (&*two, "", &*top, 4.0),
    ] {
        let Some(value) = u(own, between, above, &[]) else { return };
        assert_eq!(value, expected);
    }
}

#[test]
fn files_prefixes_and_mappings_name_the_parameters() {
    let values = ("resources/p.ssv", set(&real("x", "5")));
    let mapping = (
        "resources/m.ssm",
        root(
            "ssm:ParameterMapping",
            "ssm",
            "<ssm:MappingEntry source=\"s.a.x\" target=\"s.a.u\"><ssc:LinearTransformation factor=\"2\" offset=\"1\"/></ssm:MappingEntry>",
        ),
    );
    let outer = |mapping: &str| {
        format!("<ssd:ParameterBinding source=\"resources/p.ssv\" prefix=\"s.a.\">{mapping}</ssd:ParameterBinding>")
    };
    let by_file = outer("<ssd:ParameterMapping source=\"resources/m.ssm\"/>");
    let Some(value) = u("", "", &by_file, &[values.clone(), mapping.clone()]) else { return };
    assert_eq!(value, 11.0);
    let own = mapping.1.split_once("?>").unwrap().1.to_owned();
    let in_place = outer(&format!("<ssd:ParameterMapping>{own}</ssd:ParameterMapping>"));
    assert_eq!(u("", "", &in_place, std::slice::from_ref(&values)), Some(11.0));
    // Without a mapping the names are those of the set behind the prefix.
    let plain = "<ssd:ParameterBinding source=\"resources/p.ssv\" prefix=\"s.a.\"/>";
    let u_values = ("resources/p.ssv", set(&real("u", "6")));
    assert_eq!(u("", "", plain, &[u_values]), Some(6.0));
}

#[test]
fn numbers_come_in_the_unit_of_their_variable_unless_that_is_suppressed() {
    let p = "<ssv:Parameter name=\"p\"><ssv:Real value=\"250\" unit=\"mm\"/></ssv:Parameter>";
    let of = |own: &str| {
        let (_folder, path) = packed(&vec![("SystemStructure.ssd", nested(own, "", "").into_bytes())])?;
        Some(number(&unit(&path), "p"))
    };
    let Some(value) = of(&inline(p)) else { return };
    assert_eq!(value, 0.25);
    let entry = "<ssm:MappingEntry source=\"p\" target=\"p\" suppressUnitConversion=\"true\"><ssc:LinearTransformation offset=\"1\"/></ssm:MappingEntry>";
    let mapping = root("ssm:ParameterMapping", "ssm", entry);
    let own = inline(p).replace(
        "</ssd:ParameterBinding>",
        &format!(
            "<ssd:ParameterMapping>{}</ssd:ParameterMapping></ssd:ParameterBinding>",
            mapping.split_once("?>").unwrap().1
        ),
    );
    assert_eq!(of(&own), Some(251.0));
}

#[test]
fn values_of_all_types_arrive() {
    let all = inline(
        "<ssv:Parameter name=\"b\"><ssv:Boolean value=\"true\"/></ssv:Parameter><ssv:Parameter name=\"i\"><ssv:Integer value=\"7\"/></ssv:Parameter>\
         <ssv:Parameter name=\"text\"><ssv:String value=\"a &lt; b\"/></ssv:Parameter>",
    );
    let (Some((_folder, path)), item) = (
        packed(&vec![("SystemStructure.ssd", nested(&all, "", "").into_bytes())]),
        inline("<ssv:Parameter name=\"i\"><ssv:Enumeration value=\"third\"/></ssv:Parameter>"),
    ) else {
        return;
    };
    let own = unit(&path);
    assert_eq!((number(&own, "b"), number(&own, "i"), own.texts["text"].as_str()), (1.0, 7.0, "a < b"));
    // The connector names the enumeration.
    let text = nested(&item, "", "").replace(
        "name=\"i\" kind=\"input\"><ssc:Integer/>",
        "name=\"i\" kind=\"input\"><ssc:Enumeration name=\"gear\"/>",
    );
    let (_folder, path) = packed(&vec![("SystemStructure.ssd", text.into_bytes())]).unwrap();
    assert_eq!(number(&unit(&path), "i"), 3.0);
}

#[test]
fn connectors_of_systems_hand_their_values_on() {
    let text = described(&format!(
        "<ssd:System name=\"top\"><ssd:Connectors><ssd:Connector name=\"load\" kind=\"parameter\"><ssc:Real unit=\"mm\"/></ssd:Connector></ssd:Connectors>\
         <ssd:ParameterBindings>{}</ssd:ParameterBindings><ssd:Elements>{}</ssd:Elements>\
         <ssd:Connections><ssd:Connection startConnector=\"load\" endElement=\"a\" endConnector=\"p\"/></ssd:Connections></ssd:System>",
        inline(
            "<ssv:Parameter name=\"load\"><ssv:Real value=\"500\" unit=\"mm\"/></ssv:Parameter><ssv:Parameter name=\"a.p\"><ssv:Real value=\"9\"/></ssv:Parameter>"
        ),
        feed("a", "")
    ));
    let Some((_folder, path)) = packed(&vec![("SystemStructure.ssd", text.into_bytes())]) else { return };
    assert_eq!(number(&unit(&path), "p"), 0.5);
}

#[test]
fn the_caller_may_give_other_values() {
    let Some((_folder, path)) = packed(&vec![("SystemStructure.ssd", nested("", "", "").into_bytes())]) else { return };
    let mut file = ModelFile::load(&path).unwrap();
    file.set_parameter("s.a.u", fourbar::multibody::expression::Expression::constant(8.0)).unwrap();
    let mut master = file.document().coupled().unwrap().master(&Default::default()).unwrap();
    master.run(&mut ()).unwrap();
    assert_eq!(master.output("s.a.y").unwrap(), 8.0);
}
