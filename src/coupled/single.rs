//! A model of another kind as the only simulator of a coupled one, and the parameters of simulators: what a page needs to steer any model.

use super::{CoupledModel, CoupledSettings, Place, SimulatorKind, SimulatorModel};
use crate::run::{Overrides, Run, SAME};
use crate::tuning::numbers;
use crate::{Document, Error};
use fourbar_multibody::Parameters;
use fourbar_multibody::expression::Expression;
use std::collections::BTreeMap;

impl CoupledModel {
    /// The model in `document` as a simulator that is stepped alone, from one of its outputs to the next and in step with the clock; a coupled
    /// model as it stands. Its one simulator is named after its kind.
    ///
    /// # Errors
    /// Those of [`Run::new`].
    pub fn around(document: &Document) -> Result<Self, Error> {
        let kind = match document {
            Document::Coupled(model) => return Ok((**model).clone()),
            Document::Mechanism(model) => SimulatorKind::Mechanism(model.clone()),
            Document::Linear(model) => SimulatorKind::Linear(model.clone()),
            Document::Circuit(model) => SimulatorKind::Circuit(model.clone()),
        };
        let plan = *Run::new(document, &Overrides::default())?.plan();
        // Steps of one length that end at the end; a last output between the steps of others comes with the end too.
        let outputs = plan.end / plan.output_step;
        let steps = (outputs - SAME).ceil().max(1.0);
        // Divided by their number the end may give a neighbour of the output step, with other times and a jump at one of these too late.
        let step = if (steps - outputs).abs() <= SAME { plan.output_step } else { plan.end / steps };
        let simulation = CoupledSettings {
            end: Some(Expression::constant(plan.end)),
            step: Some(Expression::constant(step)),
            real_time_factor: Some(Expression::constant(1.0)),
            ..CoupledSettings::default()
        };
        let simulator = SimulatorModel {
            name: kind.name().to_owned(),
            kind,
            file: None,
            parameters: BTreeMap::new(),
            place: Place::default(),
            reactions: None,
        };
        Ok(Self {
            name: document.name().to_owned(),
            description: document.description().to_owned(),
            simulation,
            simulators: vec![simulator],
            ..Self::default()
        })
    }

    /// The parameters of the simulators by `simulator.name`, `outer.inner.name` within coupled ones, with the values that they have here.
    ///
    /// # Errors
    /// [`Error::CoupledModel`] for a parameter that is no number.
    pub fn simulator_parameters(&self) -> Result<Vec<(String, f64)>, Error> {
        let shared = Parameters::new(&self.parameters).map_err(Error::CoupledModel)?;
        let mut all = Vec::new();
        for (index, simulator) in self.simulators.iter().enumerate() {
            let mut kind = simulator.settled_kind(index, &shared)?;
            let splines = kind.splines().to_vec();
            let own = numbers(kind.parameters(), &splines).map_err(Error::CoupledModel)?;
            all.extend(own.into_iter().map(|own| (format!("{}.{}", simulator.name, own.name), own.value)));
            if let SimulatorKind::Coupled(model) = &kind {
                let within = model.simulator_parameters()?.into_iter();
                all.extend(within.map(|(name, value)| (format!("{}.{name}", simulator.name), value)));
            }
        }
        Ok(all)
    }
}
