//! Linear systems: each step ends at the communication point, and is exact for what the model says of its inputs.

use super::{Abilities, Experiment, Motion, Point, Polynomials, Reached, moved, not_this_kind};
use crate::coupled::{LinearPartner, LinearPoint};
use crate::fmi::exchange::{LinearEquations, Start};
use crate::linear::LinearModel;
use crate::{Document, Error};
use fourbar_coupling::{Causality, Failure, Signal, Simulator, Variable};
use fourbar_linalg::checkpoint::{Source, Stored};
use std::any::Any;

pub(super) struct LinearMotion {
    model: LinearModel,
    partner: LinearPartner,
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
    can_restore: bool,
    place: Place,
}

/// Where a motion stands.
#[derive(Debug, Clone)]
struct Place {
    now: f64,
    given: Vec<[f64; 3]>,
    set: f64,
}

struct SavedLinear {
    partner: LinearPoint,
    place: Place,
}

impl LinearMotion {
    pub(super) fn new(
        model: &LinearModel,
        experiment: &Experiment,
        inputs: Option<&Polynomials>,
    ) -> Result<Self, Error> {
        let mut partner = LinearPartner::alone(model)?;
        partner.begin_at(experiment.start);
        let description = partner.describe();
        let of = |causality| description.with(causality).cloned().collect::<Vec<Variable>>();
        let (own, outputs) = (of(Causality::Input), of(Causality::Output));
        let given = own.iter().map(|input| [input.start, 0.0, 0.0]).collect();
        let place = Place { now: experiment.start, given, set: experiment.start };
        let can_restore = description.capabilities.rollback;
        let mut motion = Self { model: model.clone(), partner, inputs: own, outputs, can_restore, place };
        if let Some(inputs) = inputs {
            motion.set_inputs(inputs)?;
        }
        Ok(motion)
    }

    fn failed(&self, source: Failure) -> Error {
        Error::Stepped { time: self.place.now, source }
    }

    fn pass_inputs(&mut self, inputs: &Polynomials) -> Result<(), Error> {
        let signals: Vec<Signal> =
            inputs.iter().map(|&[value, first, second]| Signal { value, first, second }).collect();
        self.partner.set_inputs(&signals).map_err(|failure| self.failed(failure))
    }
}

impl Motion for LinearMotion {
    fn inputs(&self) -> &[Variable] {
        &self.inputs
    }

    fn outputs(&self) -> &[Variable] {
        &self.outputs
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            state: self.can_restore,
            bytes: self.can_restore,
            input_order: 2,
            derivatives: false,
            may_end: false,
            has_events: false,
            // A sparse system is not told its state.
            retunes: self.can_restore,
            keeps_parameters: false,
        }
    }

    fn set_inputs(&mut self, inputs: &Polynomials) -> Result<(), Error> {
        let since = self.place.now - self.place.set;
        if self.place.given.iter().zip(inputs).all(|(own, new)| moved(*own, since) == *new) {
            return Ok(());
        }
        self.pass_inputs(inputs)?;
        (self.place.given, self.place.set) = (inputs.to_vec(), self.place.now);
        Ok(())
    }

    fn step(&mut self, time: f64) -> Result<Reached, Error> {
        let now = self.place.now;
        self.partner.step(now, time - now).map_err(|failure| self.failed(failure))?;
        self.place.now = time;
        Ok(Reached::plain(time))
    }

    fn retune(&mut self, document: &Document) -> Result<(), Error> {
        let Some(model) = document.linear() else { return Err(not_this_kind(document)) };
        self.partner = self.partner.retuned(model)?;
        self.model.clone_from(model);
        Ok(())
    }

    fn equations(&mut self) -> Result<Start, Error> {
        let Place { now, set, given } = &self.place;
        let given: Vec<[f64; 3]> = given.iter().map(|own| moved(*own, now - set)).collect();
        LinearEquations::begin(&self.model, *now, Some(self.partner.state()), &given)
    }

    fn observe(&mut self, values: &mut [f64]) -> Result<(), Error> {
        self.partner.outputs(values).map_err(|failure| self.failed(failure))
    }

    fn derivatives(&mut self) -> Result<Vec<f64>, Error> {
        Err(Error::NotForKind { setting: "derivatives by inputs", kind: "linear" })
    }

    fn save(&mut self) -> Result<Point, Error> {
        if !self.can_restore {
            return Err(Error::NotOffered {
                kind: "sparse linear system",
                what: "saved state",
                remedy: "begin anew, or write it as [state_space] or as [[block]] entries",
            });
        }
        Ok(Box::new(SavedLinear { partner: self.partner.point(), place: self.place.clone() }))
    }

    fn restore(&mut self, point: &(dyn Any + Send + Sync)) -> Result<bool, Error> {
        let Some(SavedLinear { partner, place }) = point.downcast_ref() else { return Ok(false) };
        self.partner.go_to(partner);
        self.place.clone_from(place);
        Ok(true)
    }

    fn store(&mut self, point: &(dyn Any + Send + Sync), to: &mut Vec<u8>) -> Result<bool, Error> {
        let Some(SavedLinear { partner, place }) = point.downcast_ref() else { return Ok(false) };
        (place.now, place.set).store(to);
        place.given.store(to);
        partner.store(to);
        Ok(true)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<Point, Error> {
        let mut from = Source::new(bytes);
        let (now, set) = from.value()?;
        let mut given = self.place.given.clone();
        given.load(&mut from)?;
        let mut partner = self.partner.point();
        partner.load(&mut from)?;
        from.finish()?;
        Ok(Box::new(SavedLinear { partner, place: Place { now, given, set } }))
    }
}
