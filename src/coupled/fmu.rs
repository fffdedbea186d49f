//! A functional mock-up unit as a simulator: FMI 2.0 and 3.0.

use crate::Error;
use fourbar_coupling::Simulator;
use fourbar_multibody::expression::Expression;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A functional mock-up unit (FMU), which whoever runs the model trusts: its code runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FmuModel {
    /// The file.
    pub path: PathBuf,
    /// Whether it runs in a process of its own, where a crash ends nothing else.
    pub process: bool,
    /// By which interface it is run; co-simulation if absent and there is one.
    pub interface: Option<FmuUse>,
    /// The method by which its equations are solved; not of co-simulation. `rkf45` if absent, of residuals `gstiff`.
    pub integrator: Option<FmuMethod>,
    /// Start values of its variables that are numbers, in its units.
    pub parameters: BTreeMap<String, Expression>,
    /// Start values of its variables that are texts, and items of enumerations by name.
    pub texts: BTreeMap<String, String>,
    /// Units of inputs and outputs for which it states none, or another one.
    pub units: BTreeMap<String, String>,
    /// What keeps the file in its place.
    pub kept: Option<Kept>,
}

/// What keeps files in their places, as an unpacked archive does: they go when nobody has it any more.
#[derive(Clone)]
pub struct Kept(Arc<dyn Send + Sync>);

impl Kept {
    /// Keeps `it`.
    #[must_use]
    pub fn new(it: impl Send + Sync + 'static) -> Self {
        Self(Arc::new(it))
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kept")
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// An interface of an FMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FmuUse {
    /// It steps with a solver of its own.
    CoSimulation,
    /// Its equations are solved by fourbar.
    ModelExchange,
    /// Its equations and the residuals that it hands out by FMI-LS-DAE are solved by fourbar.
    Dae,
}

/// A method by which the equations of an FMU are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FmuMethod {
    /// Runge-Kutta-Fehlberg 5(4).
    Rkf45,
    /// Gear's method for stiff equations.
    Gstiff,
}

impl FmuModel {
    /// Other names of its variables with their own ones; none of a file that cannot be read, which is told where it is run.
    #[cfg(feature = "fmi-import")]
    pub(super) fn aliases(&self) -> BTreeMap<String, String> {
        let Ok(description) = fourbar_coupling::partner::Fmu::inspect(&self.path) else { return BTreeMap::new() };
        let named = description.variables.into_iter().flat_map(|variable| {
            let own = variable.name;
            variable.aliases.into_iter().map(move |alias| (alias, own.clone()))
        });
        named.collect()
    }

    #[cfg(not(feature = "fmi-import"))]
    pub(super) fn aliases(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// Whether what an expression does not know may be a text to the variable of this name: a text itself, or an item of an enumeration.
    #[cfg(feature = "fmi-import")]
    pub(super) fn takes_words(&self, name: &str) -> bool {
        use fourbar_coupling::partner::{Fmu, FmuType};
        let Ok(description) = Fmu::inspect(&self.path) else { return false };
        let variable = description.variable(name).or_else(|| description.variable(name.rsplit_once('[')?.0));
        let worded = [FmuType::String, FmuType::Enumeration32, FmuType::Enumeration64];
        variable.is_some_and(|variable| worded.contains(&variable.kind))
    }

    #[cfg(not(feature = "fmi-import"))]
    pub(super) fn takes_words(&self, _: &str) -> bool {
        false
    }

    /// An instance under the name it has in the run, of times `span`; in a process of its own it answers within `limit`.
    #[cfg(feature = "fmi-import")]
    pub(super) fn simulator(
        &self,
        name: &str,
        limit: Option<Duration>,
        span: super::Span,
    ) -> Result<Box<dyn Simulator>, Error> {
        use fourbar_coupling::partner::{Fmu, FmuIntegrator, FmuInterfaceKind, FmuOptions, FmuValue};
        use fourbar_multibody::{Location, Parameters};
        let parameters = Parameters::of_any_names(&self.parameters, &[]).map_err(Error::CoupledModel)?;
        let mut values = Vec::new();
        for (name, expression) in &self.parameters {
            let place = Location { section: "parameters", index: 0, name: String::new(), field: name.clone() };
            let value = parameters.number(expression, &place).map_err(Error::CoupledModel)?;
            let whole = expression.as_whole();
            values.push((name.clone(), whole.map_or(FmuValue::Number(value), FmuValue::Whole)));
        }
        values.extend(self.texts.iter().map(|(name, text)| (name.clone(), FmuValue::Text(text.clone()))));
        let interface = self.interface.map(|chosen| match chosen {
            FmuUse::CoSimulation => FmuInterfaceKind::CoSimulation,
            FmuUse::ModelExchange => FmuInterfaceKind::ModelExchange,
            FmuUse::Dae => FmuInterfaceKind::Dae,
        });
        let integrator = self.integrator.map(|chosen| match chosen {
            FmuMethod::Rkf45 => FmuIntegrator::Rkf45,
            FmuMethod::Gstiff => FmuIntegrator::Gstiff,
        });
        let units = self.units.iter().map(|(name, unit)| (name.clone(), unit.clone())).collect();
        let name = name.to_owned();
        let (start, stop) = (span.start, Some(span.end).filter(|end| end.is_finite()));
        let options = FmuOptions { name, start, stop, interface, integrator, values, units, ..FmuOptions::default() };
        if self.process {
            return apart(&self.path, &options, limit);
        }
        let fmu = Fmu::open(&self.path, &options).map_err(fourbar_coupling::Error::from)?;
        Ok(Box::new(fmu))
    }

    #[cfg(not(feature = "fmi-import"))]
    pub(super) fn simulator(
        &self,
        name: &str,
        _: Option<Duration>,
        _: super::Span,
    ) -> Result<Box<dyn Simulator>, Error> {
        let error = fourbar_coupling::partner::LibraryError::Load {
            library: self.path.display().to_string(),
            reason: format!("this build reads no FMU for \"{name}\": enable the feature `fmi-import`"),
        };
        Err(fourbar_coupling::Error::from(error).into())
    }
}

#[cfg(all(unix, feature = "process", feature = "fmi-import"))]
fn apart(
    path: &std::path::Path,
    options: &fourbar_coupling::partner::FmuOptions,
    limit: Option<Duration>,
) -> Result<Box<dyn Simulator>, Error> {
    use fourbar_coupling::partner::{Process, ProcessOptions};
    let mut process = ProcessOptions::default();
    process.time_limit = limit.or(process.time_limit);
    let fmu = Process::open_fmu(path, options, &process).map_err(fourbar_coupling::Error::from)?;
    Ok(Box::new(fmu))
}

#[cfg(all(not(all(unix, feature = "process")), feature = "fmi-import"))]
fn apart(
    path: &std::path::Path,
    _: &fourbar_coupling::partner::FmuOptions,
    _: Option<Duration>,
) -> Result<Box<dyn Simulator>, Error> {
    super::library::no_process(path)
}
