//! What is not carried is told, with its place.

use super::{described, feed, inline, of_system, packed};
use fourbar::file::ModelFile;
use std::path::Path;

fn notes(path: &Path) -> Vec<String> {
    ModelFile::load(path).unwrap().structure().unwrap().notes().to_vec()
}

#[test]
fn what_has_no_place_in_a_model_is_told_with_file_and_line() {
    let unknown = inline("<ssv:Parameter name=\"nobody\"><ssv:Real value=\"1\"/></ssv:Parameter>");
    let own = format!(
        "<ssd:ElementGeometry x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\"/><ssd:ParameterBindings>{unknown}</ssd:ParameterBindings>"
    );
    let system = format!(
        "<ssd:System name=\"top\"><ssd:Connectors><ssd:Connector name=\"open\" kind=\"input\"/></ssd:Connectors>\n<ssd:Elements>\n{}\n</ssd:Elements>\n\
         <ssd:Connections><ssd:Connection startConnector=\"open\" endElement=\"a\" endConnector=\"u\"/></ssd:Connections>\n\
         <ssd:SignalDictionaries/>\n<ssd:Annotations><ssc:Annotation type=\"org.other\"/></ssd:Annotations></ssd:System>",
        feed("a", &own).replace("source=\"resources", "mass=\"3\" source=\"resources")
    );
    let Some((_folder, path)) = of_system(&system) else { return };
    let notes = notes(&path);
    for words in [
        "X.ssp:SystemStructure.ssd:12: SignalDictionaries of System \"top\" is not carried",
        "X.ssp:SystemStructure.ssd:13: the annotation \"org.other\" is not carried",
        "the attribute `mass` of Component \"a\" is not carried",
        "nothing has the name \"nobody\": the value is not applied",
        "nothing feeds \"open\": a.u keeps its start value",
        "geometry is not carried: 1 elements",
    ] {
        assert!(notes.iter().any(|note| note.contains(words)), "{words}: {notes:#?}");
    }
}

#[test]
fn a_structure_within_the_standard_tells_nothing() {
    let system = format!(
        "<ssd:System name=\"top\" id=\"x\" description=\"y\"><ssd:Elements>{}</ssd:Elements></ssd:System>",
        feed("a", "")
    );
    let Some((_folder, path)) = of_system(&system) else { return };
    assert_eq!(notes(&path), [""; 0]);
}

#[test]
fn without_an_annotation_a_thousand_steps_lead_to_the_end() {
    let system = format!("<ssd:System name=\"top\"><ssd:Elements>{}</ssd:Elements></ssd:System>", feed("a", ""));
    let text = described(&system);
    let (before, rest) = text.split_once("<ssd:Annotations>").unwrap();
    let text = format!("{before}{}", rest.split_once("</ssd:Annotations>").unwrap().1);
    let Some((_folder, path)) = packed(&vec![("SystemStructure.ssd", text.into_bytes())]) else { return };
    let file = ModelFile::load(&path).unwrap();
    let simulation = &file.document().coupled().unwrap().simulation;
    assert_eq!(simulation.step.as_ref().unwrap().to_string(), "0.001");
    assert_eq!(simulation.end.as_ref().unwrap().to_string(), "1.0");
}
