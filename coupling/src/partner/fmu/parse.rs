//! `modelDescription.xml` of FMI 2.0 (section 2.2) and 3.0 (section 2.4) read into [`FmuDescription`].

use super::error::FmuError;
use super::model::{FmiVersion, FmuDescription, FmuInterface};
use super::structure;
use super::variables::Reader as Variables;
use roxmltree::{Document, Node, ParsingOptions};

/// Largest description \[bytes\]: 300,000 variables with comments.
pub(super) const LARGEST: u64 = 128 << 20;
/// Most elements and texts of one.
const MOST_NODES: u32 = 8_000_000;

/// The description that `text` is; `fmu` is the file, for messages.
pub(super) fn parse(fmu: &str, text: &str) -> Result<FmuDescription, FmuError> {
    let document = tree(fmu, DESCRIPTION, text)?;
    Source { fmu, file: DESCRIPTION, document: &document }.read()
}

/// The file of an archive that describes the model.
pub(super) const DESCRIPTION: &str = "modelDescription.xml";

/// The text of a file of the archive as a tree.
pub(super) fn tree<'a>(fmu: &str, file: &str, text: &'a str) -> Result<Document<'a>, FmuError> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| FmuError::Description {
        fmu: fmu.to_owned(),
        file: file.to_owned(),
        place: format!("line {}", error.pos().row),
        problem: error.to_string(),
        remedy: "export the FMU again",
    })
}

/// A description as a tree, and its file for messages.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) fmu: &'a str,
    /// The file of the archive.
    pub(super) file: &'static str,
    pub(super) document: &'a Document<'a>,
}

/// An element of the tree.
pub(super) type Element<'a> = Node<'a, 'a>;

impl<'a> Source<'a> {
    /// An error at an element.
    pub(super) fn wrong(&self, node: Element<'_>, problem: impl Into<String>, remedy: &'static str) -> FmuError {
        let at = self.document.text_pos_at(node.range().start);
        let name = node.attribute("name").map(|name| format!(" {name:?}")).unwrap_or_default();
        FmuError::Description {
            fmu: self.fmu.to_owned(),
            file: self.file.to_owned(),
            place: format!("line {}, column {}, {}{name}", at.row, at.col, node.tag_name().name()),
            problem: problem.into(),
            remedy,
        }
    }

    /// A text that must be there.
    pub(super) fn required(&self, node: Element<'a>, name: &str) -> Result<&'a str, FmuError> {
        node.attribute(name)
            .ok_or_else(|| self.wrong(node, format!("the attribute {name} is missing"), "export the FMU again"))
    }

    /// A number, if it is there.
    pub(super) fn number<T: std::str::FromStr>(&self, node: Element<'_>, name: &str) -> Result<Option<T>, FmuError> {
        let read = |text: &str| {
            let remedy = "write a number of the range that the standard gives";
            text.trim().parse().map_err(|_| self.wrong(node, format!("{name} is {text:?}"), remedy))
        };
        node.attribute(name).map(read).transpose()
    }

    /// A truth value; no if it is not there.
    pub(super) fn flag(&self, node: Element<'_>, name: &str) -> Result<bool, FmuError> {
        match node.attribute(name).map(str::trim) {
            None => Ok(false),
            Some(text) => {
                truth(text).ok_or_else(|| self.wrong(node, format!("{name} is {text:?}"), "write true or false"))
            }
        }
    }

    fn read(&self) -> Result<FmuDescription, FmuError> {
        let root = self.document.root_element();
        if root.tag_name().name() != "fmiModelDescription" {
            return Err(self.wrong(root, "it is not fmiModelDescription", "choose a file that is an FMU"));
        }
        let version_text = self.required(root, "fmiVersion")?;
        let version = match version_text.split('.').next() {
            Some("2") => FmiVersion::Two,
            Some("3") => FmiVersion::Three,
            _ => {
                let problem = format!("version {version_text} of the standard is not known");
                return Err(self.wrong(root, problem, "export it for FMI 2.0 or 3.0"));
            }
        };
        let token = self.required(root, if version == FmiVersion::Two { "guid" } else { "instantiationToken" })?;
        let variables = Variables::new(*self, root, version)?.read()?;
        let text = |name| root.attribute(name).unwrap_or_default().to_owned();
        let mut description = FmuDescription {
            version,
            version_text: version_text.to_owned(),
            name: self.required(root, "modelName")?.to_owned(),
            description: text("description"),
            generation_tool: text("generationTool"),
            token: token.to_owned(),
            co_simulation: self.interface(root, "CoSimulation", version)?,
            model_exchange: self.interface(root, "ModelExchange", version)?,
            scheduled_execution: child(root, "ScheduledExecution").is_some(),
            variables,
            outputs: Vec::new(),
            derivatives: Vec::new(),
            derivative_dependencies: Vec::new(),
            event_indicators: self.number(root, "numberOfEventIndicators")?.unwrap_or(0),
            start_time: None,
            stop_time: None,
            step_size: None,
            tolerance: None,
            terminals: Vec::new(),
            dae: None,
        };
        if let Some(experiment) = child(root, "DefaultExperiment") {
            description.start_time = self.number(experiment, "startTime")?;
            description.stop_time = self.number(experiment, "stopTime")?;
            description.step_size = self.number(experiment, "stepSize")?;
            description.tolerance = self.number(experiment, "tolerance")?;
        }
        structure::read(self, root, &mut description)?;
        Ok(description)
    }

    /// One of its interfaces.
    fn interface(&self, root: Element<'a>, name: &str, version: FmiVersion) -> Result<Option<FmuInterface>, FmuError> {
        let Some(node) = child(root, name) else { return Ok(None) };
        let two = version == FmiVersion::Two;
        let flag = |name| self.flag(node, name);
        let model_identifier = self.required(node, "modelIdentifier")?;
        // It becomes the name of a file.
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.+".contains(c);
        if model_identifier.is_empty() || model_identifier.starts_with('.') || !model_identifier.chars().all(plain) {
            let problem = format!("modelIdentifier is {model_identifier:?}");
            return Err(self.wrong(node, problem, "take a name of letters, digits and underscores"));
        }
        Ok(Some(FmuInterface {
            model_identifier: model_identifier.to_owned(),
            needs_execution_tool: flag("needsExecutionTool")?,
            only_once_per_process: flag("canBeInstantiatedOnlyOncePerProcess")?,
            can_get_and_set_state: flag(if two { "canGetAndSetFMUstate" } else { "canGetAndSetFMUState" })?,
            can_serialize_state: flag(if two { "canSerializeFMUstate" } else { "canSerializeFMUState" })?,
            can_handle_variable_step: flag("canHandleVariableCommunicationStepSize")?,
            can_interpolate_inputs: flag("canInterpolateInputs")?,
            max_output_derivative_order: self.number(node, "maxOutputDerivativeOrder")?.unwrap_or(0),
            provides_intermediate_update: flag("providesIntermediateUpdate")?,
            has_event_mode: flag("hasEventMode")?,
            provides_directional_derivatives: flag(if two {
                "providesDirectionalDerivative"
            } else {
                "providesDirectionalDerivatives"
            })?,
            fixed_internal_step: self.number(node, "fixedInternalStepSize")?.filter(|step| *step > 0.0),
        }))
    }
}

/// The first child element of this name.
pub(super) fn child<'a>(node: Element<'a>, name: &str) -> Option<Element<'a>> {
    elements(node).find(|child| child.tag_name().name() == name)
}

/// The child elements.
pub(super) fn elements<'a>(node: Element<'a>) -> impl Iterator<Item = Element<'a>> {
    node.children().filter(Element::is_element)
}

/// A truth value of XML Schema.
pub(super) fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}
