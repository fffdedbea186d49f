//! `modelDescription.xml` of both versions (FMI 2.0.5, section 2.2 and 4.3; FMI 3.0.2, section 2.4 and 4.3).

mod residuals;
mod terminals;
mod units;
mod version2;
mod version3;

pub use residuals::{RESIDUALS, residuals};
pub use terminals::terminals;

use super::{Causality, FmuInterface, FmuVariable, Instance, Variables};
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

/// How the model itself is run: times \[s\], and the relative tolerance of its integrator, if it has one.
struct Experiment {
    stop: f64,
    step: f64,
    tolerance: Option<f64>,
}

/// What stands in both versions before the variables.
fn common(xml: &mut Xml, variables: &Variables, own: Option<&Experiment>) {
    units::write(xml, variables);
    xml.within("LogCategories", Attributes::default(), |xml| {
        for (name, description) in CATEGORIES {
            xml.element("Category", Attributes::default().with("name", name).with("description", description));
        }
    });
    if let Some(Experiment { stop, step, tolerance }) = own {
        let times = Attributes::default().with("startTime", "0").number("stopTime", *stop);
        let times = times.when(tolerance.is_some(), |more| more.number("tolerance", tolerance.unwrap_or_default()));
        xml.element("DefaultExperiment", times.number("stepSize", *step));
    }
}

/// Most states that a unit lists for each of its unknowns; of more an unknown says nothing, and depends on all: a list of each for each takes megabytes.
const MOST_LISTED: usize = 300;

/// The references of what an output or a derivative depends on, where the unit says so: inputs, and in model exchange all states.
fn dependencies(instance: &Instance, own: &FmuVariable) -> Option<String> {
    let variables = instance.variables();
    let exchanged = instance.contents().interfaces().have(FmuInterface::ModelExchange);
    if variables.states() > MOST_LISTED && exchanged {
        return None;
    }
    let states = variables.with(Causality::State).map(|(reference, _)| reference);
    Some(listed(own.depends_on.iter().copied().chain(states)))
}

/// References as the text of an attribute.
fn listed(references: impl IntoIterator<Item = u32>) -> String {
    references.into_iter().map(|reference| reference.to_string()).collect::<Vec<_>>().join(" ")
}

/// The name that stands for a model in tools that make a name of a language of it; the name in words goes into the description.
fn names(instance: &Instance, own: &str) -> (String, String) {
    let document = instance.contents().file().document();
    let (name, description) = (document.name(), document.description());
    let plain = identifier(if name.is_empty() { own } else { name });
    let words = match () {
        () if name.is_empty() || name == plain => description.to_owned(),
        () if description.is_empty() => name.to_owned(),
        () => format!("{name}: {description}"),
    };
    (plain, words)
}

/// Causality and variability.
fn classified(own: &FmuVariable) -> (&'static str, &'static str) {
    let of_parameter = if own.is_tunable { "tunable" } else { "fixed" };
    match own.causality {
        Causality::Independent => ("independent", "continuous"),
        Causality::Input => ("input", "continuous"),
        Causality::Output => ("output", if own.is_discrete { "discrete" } else { "continuous" }),
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
    let tolerance = instance.tolerance();
    let own = run.ok().map(|run| Experiment { stop: run.plan().end, step: run.plan().output_step, tolerance });
    match version {
        FmiVersion::V2 => version2::write(instance, identifier, own.as_ref()),
        FmiVersion::V3 => version3::write(instance, identifier, own.as_ref()),
    }
}
