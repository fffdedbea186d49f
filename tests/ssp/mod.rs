//! System structures (SSP) as coupled models: systems within systems, units, transformations, parameters; what is refused, with its line.
#![cfg(unix)]

mod archives;
mod carried;
mod nested;
mod parameters;
mod refused;

use crate::coupled::fmu::build::{Model, usual, with};
use fourbar::coupled::CoupledSettings;
use fourbar::coupling::Master;
use fourbar::file::ModelFile;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Files by their names in an archive.
type Files<'a> = Vec<(&'a str, Vec<u8>)>;

/// A file of the schemas of SSP 1.0.
fn root(element: &str, space: &str, inner: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{element} version=\"1.0\" name=\"test\" xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" \
         xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" \
         xmlns:ssm=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\" data-space=\"{space}\">\n{inner}\n</{element}>\n"
    )
    .replace(&format!(" data-space=\"{space}\""), "")
}

/// A description with this system, an end of 1 s and units.
fn described(system: &str) -> String {
    let units = "<ssd:Units><ssc:Unit name=\"m\"><ssc:BaseUnit m=\"1\"/></ssc:Unit>\n\
        <ssc:Unit name=\"mm\"><ssc:BaseUnit m=\"1\" factor=\"0.001\"/></ssc:Unit>\n\
        <ssc:Unit name=\"K\"><ssc:BaseUnit K=\"1\"/></ssc:Unit>\n\
        <ssc:Unit name=\"degC\"><ssc:BaseUnit K=\"1\" offset=\"273.15\"/></ssc:Unit></ssd:Units>";
    let enumerations = "<ssd:Enumerations><ssc:Enumeration name=\"gear\"><ssc:Item name=\"first\" value=\"1\"/>\
        <ssc:Item name=\"third\" value=\"3\"/></ssc:Enumeration></ssd:Enumerations>";
    let end = "<ssd:DefaultExperiment startTime=\"0\" stopTime=\"1\"/>";
    let settings = "<ssd:Annotations><ssc:Annotation type=\"fourbar.settings\"><settings><simulation step=\"0.1\" order=\"0\"/></settings></ssc:Annotation></ssd:Annotations>";
    root("ssd:SystemStructureDescription", "ssd", &format!("{system}\n{enumerations}\n{units}\n{end}\n{settings}"))
}

/// A set of parameters.
fn set(parameters: &str) -> String {
    let units = "<ssv:Units><ssc:Unit name=\"mm\"><ssc:BaseUnit m=\"1\" factor=\"0.001\"/></ssc:Unit></ssv:Units>";
    root("ssv:ParameterSet", "ssv", &format!("<ssv:Parameters>{parameters}</ssv:Parameters>{units}"))
}

/// An inline set.
fn inline(parameters: &str) -> String {
    let own = set(parameters);
    let own = own.split_once("?>").unwrap().1;
    format!("<ssd:ParameterBinding><ssd:ParameterValues>{own}</ssd:ParameterValues></ssd:ParameterBinding>")
}

/// The unit that hands its inputs on, and the one that integrates x' = -p x + u; none where there is no C compiler.
fn units() -> Option<[Vec<u8>; 2]> {
    let feed = fs::read(with((2, Model::Feed), usual(2))?).unwrap();
    let lag = fs::read(with((2, Model::Dahlquist), usual(2))?).unwrap();
    Some([feed, lag])
}

/// An archive of the two units and these files.
fn packed(files: &Files<'_>) -> Option<(TempDir, PathBuf)> {
    let [feed, lag] = units()?;
    let mut all: Files<'_> = vec![("resources/feed.fmu", feed), ("resources/lag.fmu", lag)];
    all.extend(files.iter().cloned());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("X.ssp");
    zipped(&path, &all);
    Some((folder, path))
}

fn zipped(path: &Path, files: &Files<'_>) {
    let mut zip = ZipWriter::new(fs::File::create(path).unwrap());
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

/// The archive of a system alone.
fn of_system(system: &str) -> Option<(TempDir, PathBuf)> {
    packed(&vec![("SystemStructure.ssd", described(system).into_bytes())])
}

fn master(path: &Path) -> Master {
    let file = ModelFile::load(path).unwrap();
    let master = file.document().coupled().unwrap().master(&CoupledSettings::default());
    master.map_err(|error| file.explain_start(error).to_string()).unwrap()
}

/// The values of these outputs after the run.
fn results<const N: usize>(path: &Path, names: [&str; N]) -> [f64; N] {
    let mut master = master(path);
    master.run(&mut ()).unwrap();
    names.map(|name| master.output(name).unwrap())
}

/// A component of the unit `feed`.
fn feed(name: &str, more: &str) -> String {
    format!(
        "<ssd:Component name=\"{name}\" source=\"resources/feed.fmu\"><ssd:Connectors>\
         <ssd:Connector name=\"u\" kind=\"input\"><ssc:Real/></ssd:Connector><ssd:Connector name=\"y\" kind=\"output\"><ssc:Real/></ssd:Connector>\
         <ssd:Connector name=\"i\" kind=\"input\"><ssc:Integer/></ssd:Connector><ssd:Connector name=\"j\" kind=\"output\"><ssc:Integer/></ssd:Connector>\
         <ssd:Connector name=\"b\" kind=\"input\"><ssc:Boolean/></ssd:Connector><ssd:Connector name=\"c\" kind=\"output\"><ssc:Boolean/></ssd:Connector>\
         <ssd:Connector name=\"p\" kind=\"parameter\"><ssc:Real unit=\"m\"/></ssd:Connector>\
         </ssd:Connectors>{more}</ssd:Component>"
    )
}
