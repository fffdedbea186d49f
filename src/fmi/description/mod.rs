//! `modelDescription.xml` of both versions (FMI 2.0.5, section 2.2 and 4.3; FMI 3.0.2, section 2.4 and 4.3).

mod residuals;
mod terminals;
mod units;
mod version2;
mod version3;

pub use residuals::{RESIDUALS, residuals};
pub use terminals::terminals;

use super::{Causality, FmuVariable, Instance, Variables};
use crate::run::{Overrides, Run};
use crate::xml::{Attributes, Xml};

/// A version of the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FmiVersion {
    /// FMI 2.0.
    V2,
    /// FMI 3.0.
    V3,
}

impl FmiVersion {
    /// The folder of the library for the platform of this process.
    #[must_use]
    pub fn binary_folder(self) -> String {
        let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
        match (self, std::env::consts::ARCH, system) {
            (Self::V2, "x86_64", "linux") => "linux64".to_owned(),
            (Self::V2, "x86_64", "darwin") => "darwin64".to_owned(),
            (Self::V2, "x86_64", "windows") => "win64".to_owned(),
            // FMI 2.0 names no other platform; that of 3.0 is what tools then take.
            (_, processor, system) => format!("{processor}-{system}"),
        }
    }
}

/// What the library that serves all units says of itself.
const TOOL: &str = concat!("fourbar ", env!("CARGO_PKG_VERSION"));

/// Categories of the log, as FMI 2.0 names them, with what they hold.
const CATEGORIES: [(&str, &str); 1] = [("logStatusError", "Why a call failed")];

/// Times of the model's own run \[s\], where it has an end.
struct Times {
    stop: f64,
    step: f64,
}

/// What stands in both versions before the variables.
fn common(xml: &mut Xml, variables: &Variables, times: Option<&Times>) {
    units::write(xml, variables);
    xml.within("LogCategories", Attributes::default(), |xml| {
        for (name, description) in CATEGORIES {
            xml.element("Category", Attributes::default().with("name", name).with("description", description));
        }
    });
    if let Some(Times { stop, step }) = times {
        let start = Attributes::default().with("startTime", "0");
        xml.element("DefaultExperiment", start.number("stopTime", *stop).number("stepSize", *step));
    }
}

/// Causality and variability.
fn classified(own: &FmuVariable) -> (&'static str, &'static str) {
    let of_parameter = if own.is_tunable { "tunable" } else { "fixed" };
    match own.causality {
        Causality::Independent => ("independent", "continuous"),
        Causality::Input => ("input", "continuous"),
        Causality::Output => ("output", "continuous"),
        Causality::Parameter => ("parameter", of_parameter),
        Causality::CalculatedParameter => ("calculatedParameter", of_parameter),
        Causality::Switch => ("structuralParameter", "fixed"),
        Causality::State
        | Causality::Derivative
        | Causality::Indicator
        | Causality::Algebraic
        | Causality::Residual => ("local", "continuous"),
    }
}

/// The name of a unit's library without its ending: letters, digits and `_`.
#[must_use]
pub fn identifier(name: &str) -> String {
    let valid = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let plain: String = name.chars().map(valid).collect();
    let starts_well = plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts_well { plain } else { format!("model_{plain}") }
}

/// The text of `modelDescription.xml` for an instance at its start.
#[must_use]
pub fn description(instance: &Instance, version: FmiVersion, identifier: &str) -> String {
    let run = Run::new(instance.contents().file().document(), &Overrides::default());
    let times = run.ok().map(|run| Times { stop: run.plan().end, step: run.plan().output_step });
    match version {
        FmiVersion::V2 => version2::write(instance, identifier, times.as_ref()),
        FmiVersion::V3 => version3::write(instance, identifier, times.as_ref()),
    }
}
