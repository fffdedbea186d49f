//! When a simulation begins and ends, and how exact it is: by the importer, and by the model itself.

use super::{Instance, Phase};
use crate::Document;
use crate::circuit::{CircuitSettings, CircuitStart, CompiledCircuit, TOLERANCE};
use crate::fmi::motion::Experiment;
use crate::fmi::{Error, FmuInterface};

impl Instance {
    /// Says when the simulation begins and ends \[s\], and the relative tolerance of the integrator; what is not said is as the model has it.
    ///
    /// # Errors
    /// [`Error::State`]; [`Error::Stop`] for a stop that is not behind the start; [`Error::NotFinite`] for a tolerance or an end that cannot be.
    pub fn set_up(&mut self, start: f64, stop: Option<f64>, tolerance: Option<f64>) -> Result<(), Error> {
        self.check("setting the experiment up", &[Phase::Instantiated], "before the initialization")?;
        if !start.is_finite() {
            return Err(Error::NotFinite { name: "start time".to_owned(), value: start });
        }
        if let Some(stop) = stop.filter(|stop| !(*stop > start)) {
            return Err(Error::Stop { start, stop });
        }
        let positive = |name: &str, value: Option<f64>| match value {
            Some(value) if !(value > 0.0 && value.is_finite()) => {
                Err(Error::NotFinite { name: name.to_owned(), value })
            }
            value => Ok(value),
        };
        let end = match stop {
            Some(end) if end.is_infinite() => {
                return Err(Error::NotFinite { name: "stop time".to_owned(), value: end });
            }
            stop => stop.unwrap_or(f64::INFINITY),
        };
        let experiment = Experiment { start, end, tolerance: positive("tolerance", tolerance)? };
        let parameters = self.parameters.clone();
        self.become_like(&parameters, experiment);
        (self.time, self.begun) = (start, start);
        Ok(())
    }

    /// The relative tolerance that the model itself gives its integrator; where the importer integrates that of a run, if the model has none.
    pub(in crate::fmi) fn tolerance(&self) -> Option<f64> {
        let own = match self.contents.file.document() {
            Document::Mechanism(_) => self.compiled.as_ref().and_then(|compiled| compiled.tolerance()),
            Document::Circuit(model) => {
                let compiled = CompiledCircuit::new(model, &CircuitSettings::default()).ok();
                compiled.map(|compiled| compiled.method.tolerance.relative)
            }
            Document::Linear(_) | Document::Coupled(_) => None,
        };
        own.or(self.contents.interfaces.have(FmuInterface::ModelExchange).then_some(TOLERANCE))
    }
}

/// Whether the start of a model is a state that belongs to its inputs: circuits at rest, and what coupled models exchange there.
pub(super) fn starts_steady(document: &Document) -> bool {
    match document {
        Document::Mechanism(_) | Document::Linear(_) => false,
        Document::Circuit(model) => model.simulation.start.unwrap_or_default() == CircuitStart::Steady,
        Document::Coupled(_) => true,
    }
}
