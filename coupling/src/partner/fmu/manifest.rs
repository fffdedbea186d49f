//! The manifest of FMI-LS-DAE: equations x' = f(t, x, z), 0 = g(t, x, z), whose residuals g the importer solves.
//!
//! Source: FMI Layered Standard for Differential-Algebraic Equations, version 1.0.0-alpha.1 (Modelica Association, 2026), and its schema
//! `fmi3LayeredStandardDaeManifest.xsd`. It is not stable yet: another version is refused.

use super::error::FmuError;
use super::model::{FmiVersion, FmuCausality, FmuDae, FmuDescription, FmuType};
use super::parse::{Element, Source, child, elements, tree};
use super::structure::Places;

/// The version that is read.
pub(super) const VERSION: &str = "1.0.0-alpha.1";
/// Where it lies in the archive.
pub(super) const FILE: &str = "extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml";
/// The namespace of the attributes that all layered standards have.
const NAMESPACE: &str = "http://fmi-standard.org/fmi-ls-manifest";

/// What `text` says of the equations of an FMU. Of another version there is nothing but its number.
pub(super) fn parse(fmu: &str, text: &str, description: &FmuDescription) -> Result<FmuDae, FmuError> {
    let document = tree(fmu, FILE, text)?;
    let source = Source { fmu, file: FILE, document: &document };
    let root = document.root_element();
    let version = root
        .attribute((NAMESPACE, "fmi-ls-version"))
        .ok_or_else(|| source.wrong(root, "the attribute fmi-ls-version is missing", "export the FMU again"))?;
    let mut dae = FmuDae { version: version.to_owned(), ..FmuDae::default() };
    if version != VERSION || description.version != FmiVersion::Three {
        return Ok(dae);
    }
    let reader = Reader { source, places: Places::new(description), description };
    let required = |name: &str| {
        child(root, name).ok_or_else(|| source.wrong(root, format!("{name} is missing"), "export the FMU again"))
    };
    dae.enable = reader.switch(required("EnableDAEParameter")?)?;
    for node in elements(required("AlgebraicVariables")?) {
        if node.tag_name().name() == "AlgebraicVariable" {
            dae.algebraic.push(reader.number(node)?);
        }
    }
    reader.structure(required("ModelStructure")?, &mut dae)?;
    Ok(dae)
}

struct Reader<'a> {
    source: Source<'a>,
    places: Places,
    description: &'a FmuDescription,
}

impl Reader<'_> {
    /// The parameter that turns the residuals on.
    fn switch(&self, node: Element<'_>) -> Result<usize, FmuError> {
        let index = self.places.of(&self.source, node)?;
        let variable = &self.description.variables[index];
        if variable.kind != FmuType::Boolean || variable.causality != FmuCausality::StructuralParameter {
            let problem = format!("{:?} is no structural parameter of the type Boolean", variable.name);
            return Err(self.source.wrong(node, problem, "export the FMU again"));
        }
        Ok(index)
    }

    /// A variable that is a real number.
    fn number(&self, node: Element<'_>) -> Result<usize, FmuError> {
        let index = self.places.of(&self.source, node)?;
        let variable = &self.description.variables[index];
        if variable.kind != FmuType::Float64 {
            let problem = format!("{:?} is no Float64", variable.name);
            return Err(self.source.wrong(node, problem, "export the FMU again"));
        }
        Ok(index)
    }

    fn structure(&self, structure: Element<'_>, dae: &mut FmuDae) -> Result<(), FmuError> {
        let derivatives = &self.description.derivatives;
        dae.derivative_dependencies = vec![None; derivatives.len()];
        for node in elements(structure) {
            match node.tag_name().name() {
                "ContinuousStateDerivative" => {
                    let index = self.number(node)?;
                    let place = derivatives.iter().position(|derivative| *derivative == index).ok_or_else(|| {
                        let problem = "modelDescription.xml does not list it as the derivative of a state";
                        self.source.wrong(node, problem, "export the FMU again")
                    })?;
                    dae.derivative_dependencies[place] = self.places.dependencies(&self.source, node)?;
                }
                "Residual" => {
                    if child(node, "Formulation").is_some() {
                        let problem = "it has formulations, which this version of FMI-LS-DAE does not know";
                        return Err(self.source.wrong(node, problem, "export the FMU for 1.0.0-alpha.1"));
                    }
                    dae.residuals.push(self.number(node)?);
                    dae.residual_dependencies.push(self.places.dependencies(&self.source, node)?);
                }
                _ => {}
            }
        }
        let count = |list: &[usize]| list.iter().map(|index| self.description.element_count(*index)).sum::<usize>();
        let (residuals, unknowns) = (count(&dae.residuals), count(&dae.algebraic));
        if residuals != unknowns {
            let problem = format!("it has {residuals} residuals for {unknowns} algebraic variables");
            return Err(self.source.wrong(structure, problem, "export the FMU again"));
        }
        Ok(())
    }
}
