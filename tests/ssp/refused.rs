//! Structures that are refused: with the file, the line and what to do.

use super::{described, feed, inline, packed, root};
use fourbar::Error;
use fourbar::coupled::CoupledSettings;
use fourbar::file::ModelFile;

/// The structure with a connection between two units, which is right.
fn right() -> String {
    described(&format!(
        "<ssd:System name=\"top\">\n<ssd:Elements>\n{}\n{}\n</ssd:Elements>\n<ssd:Connections>\n\
         <ssd:Connection startElement=\"a\" startConnector=\"y\" endElement=\"b\" endConnector=\"u\"/>\n</ssd:Connections>\n</ssd:System>",
        feed("a", ""),
        feed("b", "")
    ))
}

/// What is said of a text in the place of another one of the right structure.
fn said(from: &str, to: &str) -> Option<String> {
    let text = right();
    assert!(text.contains(from), "{from}");
    of(&text.replacen(from, to, 1))
}

fn of(text: &str) -> Option<String> {
    let (_folder, path) = packed(&vec![("SystemStructure.ssd", text.as_bytes().to_vec())])?;
    let error = match ModelFile::load(&path) {
        Ok(file) => {
            let master = file.document().coupled().unwrap().master(&CoupledSettings::default());
            match master {
                Ok(_) => return Some("accepted".to_owned()),
                Err(error) => file.explain_start(error),
            }
        }
        Err(error) => error,
    };
    assert!(matches!(error, Error::Model(_)), "without a line: {error}");
    Some(error.to_string())
}

#[test]
fn each_fault_has_its_line_and_a_remedy() {
    let source = "source=\"resources/feed.fmu\"";
    let mut wrong = Vec::new();
    for (from, to, line, words) in [
        (
            "version=\"1.0\" name",
            "version=\"7.0\" name",
            2,
            ["the version of the standard is \"7.0\"", "SSP 1.0 or 2.0"],
        ),
        ("<ssd:System name=\"top\">", "<ssd:System>", 3, ["System has no attribute `name`", "write name="]),
        (source, "source=\"resources/nothing.fmu\"", 5, ["there is no file", "put the file there"]),
        (source, "source=\"../feed.fmu\"", 5, ["leaves the archive", "put the file into the archive"]),
        (
            source,
            "source=\"http://host/feed.fmu\"",
            5,
            ["does not lie in the package", "put the file into the package"],
        ),
        (source, "source=\"resources\\feed.fmu\"", 5, ["holds a backslash", "write / between folders"]),
        (source, "source=\"resources/%zz.fmu\"", 5, ["is not a URI", "two hexadecimal digits"]),
        (source, "", 5, ["has no source", "name an FMU"]),
        (source, "source=\"SystemStructure.ssd\"", 5, ["cannot be unpacked", "pack it again"]),
        (source, "type=\"text/x-modelica\" source=\"resources/feed.fmu\"", 5, ["cannot be run", "name an FMU"]),
        (
            source,
            "implementation=\"ScheduledExecution\" source=\"resources/feed.fmu\"",
            5,
            ["cannot be run", "CoSimulation"],
        ),
        (
            "<ssd:Connector name=\"u\" kind=\"input\"",
            "<ssd:Connector name=\"v\" kind=\"input\"",
            5,
            ["no variable of the FMU resources/feed.fmu \"v\"", "write one of"],
        ),
        (
            "<ssd:Connector name=\"u\" kind=\"input\"",
            "<ssd:Connector name=\"u\" kind=\"output\"",
            5,
            ["\"u\" is output here and input in the FMU", "write kind=\"input\""],
        ),
        (
            "<ssd:Connector name=\"u\" kind=\"input\"",
            "<ssd:Connector name=\"u\" kind=\"inward\"",
            5,
            ["cannot be of the kind \"inward\"", "input, output"],
        ),
        (
            "<ssd:Connector name=\"u\" kind=\"input\"><ssc:Real/>",
            "<ssd:Connector name=\"u\" kind=\"input\"><ssc:String/>",
            5,
            ["is Text here and Float64", "write the type of the FMU"],
        ),
        (
            "<ssd:Connector name=\"u\" kind=\"input\"><ssc:Real/>",
            "<ssd:Connector name=\"u\" kind=\"input\"><ssc:Real unit=\"furlong\"/>",
            5,
            ["there is no unit \"furlong\"", "write one of"],
        ),
        (
            "<ssd:Component name=\"b\"",
            "<ssd:Component name=\"a\"",
            6,
            ["the element \"a\" is there twice", "rename one"],
        ),
        ("startElement=\"a\"", "startElement=\"c\"", 9, ["there is no element \"c\"", "write one of"]),
        ("startConnector=\"y\"", "startConnector=\"z\"", 9, ["there is no connector of \"a\" \"z\"", "write one of"]),
        (
            "startConnector=\"y\"",
            "startConnector=\"u\"",
            9,
            ["both ends of the connection take values", "connect an output with an input"],
        ),
        (
            "startConnector=\"y\"",
            "startConnector=\"y\" startIndices=\"1\"",
            9,
            ["not connected by indices", "by its name"],
        ),
        (
            "endConnector=\"u\"/>",
            "endConnector=\"u\"/><ssd:Connection startElement=\"a\" startConnector=\"y\" endElement=\"b\" endConnector=\"u\"/>",
            9,
            ["is fed twice", "remove one"],
        ),
        (
            "endConnector=\"u\"/>",
            "endConnector=\"u\"><ssc:LinearTransformation factor=\"0\"/></ssd:Connection>",
            9,
            ["makes every value the same", "by a binding"],
        ),
        (
            "endConnector=\"u\"/>",
            "endConnector=\"u\"><ssc:LinearTransformation factor=\"two\"/></ssd:Connection>",
            9,
            ["`factor` of LinearTransformation is \"two\"", "a finite number"],
        ),
        (
            "endConnector=\"u\"/>",
            "endConnector=\"u\"><ssc:IntegerMappingTransformation><ssc:MapEntry source=\"1\" target=\"2\"/></ssc:IntegerMappingTransformation></ssd:Connection>",
            9,
            ["cannot be mapped by a table", "within a component"],
        ),
        ("stopTime=\"1\"", "stopTime=\"-1\"", 17, ["the end is -1 s", "above 0 s"]),
        ("startTime=\"0\"", "startTime=\"5\"", 17, ["the end is 1 s", "write a time above 5 s"]),
        ("step=\"0.1\"", "stp=\"0.1\"", 18, ["unknown field `stp`", "docs/ssp.md"]),
        (
            "</ssd:Elements>",
            "<ssd:SignalDictionaryReference name=\"bus\" dictionary=\"d\"/></ssd:Elements>",
            7,
            ["SignalDictionaryReference are not carried", "without a signal dictionary"],
        ),
        ("</ssd:Elements>", "</ssd:Element>", 7, ["not XML", "correct the file"]),
    ] {
        let Some(text) = said(from, to) else { return };
        let place = format!("X.ssp:SystemStructure.ssd:{line}:");
        if !words.iter().chain([&place.as_str()]).all(|word| text.contains(word)) {
            wrong.push(format!("{to}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn faults_of_other_files_have_their_lines_there() {
    let bound = |binding: &str| {
        right().replacen(
            "<ssd:Elements>",
            &format!("<ssd:ParameterBindings>{binding}</ssd:ParameterBindings><ssd:Elements>"),
            1,
        )
    };
    let external = bound("<ssd:ParameterBinding source=\"resources/p.ssv\"/>");
    let real =
        |value: &str| format!("<ssv:Parameters>\n<ssv:Parameter name=\"a.{value}\"/></ssv:Parameter></ssv:Parameters>");
    for (inner, line, words) in [
        (real("u\"><ssv:Real value=\"many"), 4, "`value` of Real is \"many\""),
        (real("u\"><ssv:Real unit=\"m"), 4, "Real has no `value`"),
        (real("u\"><ssv:Real value=\"1\" unit=\"ell"), 4, "there is no unit \"ell\""),
        (real("u\"><ssv:Binary value=\"00"), 4, "parameters of the type Binary are not read"),
        (real("b\"><ssv:Real value=\"2"), 4, "\"b\" is a Boolean and cannot be 2"),
        (real("i\"><ssv:Real value=\"2.5"), 4, "\"i\" is a Int32 and cannot be the number 2.5"),
        (real("i\"><ssv:Enumeration value=\"first"), 4, "the item \"first\" has no number here"),
        (real("u\"><ssv:String value=\"1"), 4, "cannot be the text \"1\""),
    ] {
        let values = root("ssv:ParameterSet", "ssv", &inner);
        let files =
            vec![("SystemStructure.ssd", external.clone().into_bytes()), ("resources/p.ssv", values.into_bytes())];
        let Some((_folder, path)) = packed(&files) else { return };
        let text = ModelFile::load(&path).unwrap_err().to_string();
        assert!(text.contains(&format!("X.ssp:resources/p.ssv:{line}:")) && text.contains(words), "{words}: {text}");
    }
    for (binding, words) in [
        ("<ssd:ParameterBinding source=\"resources/none.ssv\"/>", "there is no file"),
        ("<ssd:ParameterBinding source=\"p.ssv\" sourceBase=\"component\"/>", "from which parameters are not read"),
        (
            "<ssd:ParameterBinding type=\"text/csv\" source=\"p.csv\"/>",
            "parameters of the type \"text/csv\" are not read",
        ),
        ("<ssd:ParameterBinding/>", "the binding has no values"),
        (
            "<ssd:ParameterBinding source=\"SystemStructure.ssd\"/>",
            "begins with the element SystemStructureDescription instead of ParameterSet",
        ),
    ] {
        let Some(text) = of(&bound(binding)) else { return };
        assert!(text.contains(words) && text.contains("X.ssp:SystemStructure.ssd:"), "{words}: {text}");
    }
    let other = inline("<ssv:Parameter name=\"a.p\"><ssv:Real value=\"1\" unit=\"mm\"/></ssv:Parameter>");
    let text = bound(&other).replacen(
        "<ssd:Connector name=\"p\" kind=\"parameter\"><ssc:Real unit=\"m\"/>",
        "<ssd:Connector name=\"p\" kind=\"parameter\"><ssc:Real unit=\"K\"/>",
        1,
    );
    assert!(of(&text).unwrap().contains("\"mm\" cannot become \"K\""));
}

#[test]
fn units_that_measure_other_things_do_not_meet() {
    let text = right().replace(
        "<ssd:Connector name=\"y\" kind=\"output\"><ssc:Real/>",
        "<ssd:Connector name=\"y\" kind=\"output\"><ssc:Real unit=\"K\"/>",
    );
    let text = text.replace(
        "<ssd:Connector name=\"u\" kind=\"input\"><ssc:Real/>",
        "<ssd:Connector name=\"u\" kind=\"input\"><ssc:Real unit=\"m\"/>",
    );
    let Some(text) = of(&text) else { return };
    assert!(
        text.contains("\"K\" cannot become \"m\"") && text.contains("suppressUnitConversion") && text.contains(":9:"),
        "{text}"
    );
}
