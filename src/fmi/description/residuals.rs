//! The manifest of residuals, by the layered standard FMI-LS-DAE 1.0.0-alpha.1 (Modelica Association, 2026), section 3, and its schema
//! `fmi3LayeredStandardDaeManifest.xsd`.

use crate::fmi::{Causality, Error, Instance};
use crate::xml::{Attributes, Xml};

/// Where the manifest lies in the archive.
pub const RESIDUALS: &str = "extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml";

/// The version that is written; the layered standard is not stable yet.
const VERSION: &str = "1.0.0-alpha.1";

/// The text of the manifest; none for a unit without residuals.
///
/// # Errors
/// [`Error::Model`].
pub fn residuals(instance: &Instance) -> Result<Option<String>, Error> {
    let Some(structure) = instance.residual_structure()? else { return Ok(None) };
    let variables = instance.variables();
    let Some(switch) = variables.switch() else { return Ok(None) };
    let root = Attributes::default()
        .with("xmlns:fmi-ls", "http://fmi-standard.org/fmi-ls-manifest")
        .with("fmi-ls:fmi-ls-name", "org.fmi-standard.fmi-ls-dae")
        .with("fmi-ls:fmi-ls-version", VERSION)
        .with("fmi-ls:fmi-ls-description", "Layered standard for DAE support in FMI.");
    let own = |reference: u32| Attributes::default().with("valueReference", reference.to_string());
    let mut xml = Xml::new();
    xml.within("fmiDAEManifest", root, |xml| {
        xml.element("EnableDAEParameter", own(switch));
        xml.within("AlgebraicVariables", Attributes::default(), |xml| {
            variables.with(Causality::Algebraic).for_each(|(k, _)| xml.element("AlgebraicVariable", own(k)));
        });
        xml.within("ModelStructure", Attributes::default(), |xml| {
            // What outputs, initial unknowns and event indicators depend on is not told: on anything.
            let plain = |xml: &mut Xml, element: &str, causality| {
                variables.with(causality).for_each(|(k, _)| xml.element(element, own(k)));
            };
            plain(xml, "Output", Causality::Output);
            let derivatives = variables.states();
            let list = |xml: &mut Xml, element: &str, unknowns: &[(u32, Vec<u32>)]| {
                for (unknown, depends) in unknowns {
                    let depends: Vec<String> = depends.iter().map(u32::to_string).collect();
                    xml.element(element, own(*unknown).with("dependencies", depends.join(" ")));
                }
            };
            list(xml, "ContinuousStateDerivative", &structure[..derivatives]);
            for causality in [
                Causality::Output,
                Causality::CalculatedParameter,
                Causality::State,
                Causality::Derivative,
                Causality::Algebraic,
            ] {
                plain(xml, "InitialUnknown", causality);
            }
            plain(xml, "EventIndicator", Causality::Indicator);
            list(xml, "Residual", &structure[derivatives..]);
        });
    });
    Ok(Some(xml.finish()))
}
