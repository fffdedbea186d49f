//! Model exchange: the equations y' = f(t, y, u) of a model under an integrator of the importer.
//!
//! | model | y |
//! |---|---|
//! | mechanism | positions, rotation vectors from references that follow the bodies, velocities, angular velocities; coordinates of motions; states of the user |
//! | circuit | pressures of volumes, states of components |
//! | linear system | x |
//!
//! Of a mechanism y has all coordinates: f is that of partitioned coordinates, a function of the independent ones, and the others are put right
//! where events are handled. Conditions of the model are held on one side between events; each is an event indicator, above zero on its side.

mod circuit;
mod linear;
mod mechanism;
mod residuals;
mod sides;

pub(super) use circuit::CircuitEquations;
pub(super) use linear::LinearEquations;
pub(super) use mechanism::MechanismEquations;

use super::motion::{Abilities, Motion, Point, Polynomials, Reached, state_at};
use crate::simulation::CompiledModel;
use crate::{Document, Error};
use fourbar_coupling::Variable;
use fourbar_linalg::checkpoint::{Source, Stored, store_list};
use fourbar_multibody::dae::EvalError;
use fourbar_multibody::formulation::{AlgebraicVariable, Partitioned};
use fourbar_multibody::host::HostFunctions;
use fourbar_multibody::ode::Ode;
use residuals::Algebraic;
use sides::indicators;
use std::any::Any;
use std::sync::Arc;

/// Equations with inputs and outputs.
pub(super) trait Equations: Send {
    fn ode(&self) -> &dyn Ode;

    fn ode_mut(&mut self) -> &mut dyn Ode;

    /// Inputs and outputs.
    fn variables(&self) -> (Vec<Variable>, Vec<Variable>);

    /// Unit of each unknown.
    fn units(&self) -> Vec<String>;

    /// Whether the derivative of unknown i may depend on inputs.
    fn is_driven(&self, _i: usize) -> bool {
        true
    }

    /// From now on the inputs are these polynomials about `t` \[s\]; conditions stay on their sides.
    fn drive(&mut self, t: f64, inputs: &Polynomials) -> Result<(), Error>;

    /// Writes the outputs at (t, y).
    fn observe(&mut self, t: f64, y: &[f64], values: &mut [f64]) -> Result<(), Error>;

    /// The equations of `document`, with other parameters, where these are at (t, y).
    fn retuned(&mut self, document: &Document, t: f64, y: &[f64], inputs: &Polynomials) -> Result<Start, Error>;

    /// The mechanism, for further equations of the same parameters.
    fn compiled(&self) -> Option<Arc<CompiledModel>> {
        None
    }

    /// The same equations with what an evaluation solves for as unknowns of their own, where they have such a form.
    fn open(&mut self) -> Option<&mut Partitioned> {
        None
    }
}

/// What a unit says of its unknowns and event indicators.
pub(super) struct Unknowns {
    /// Name, unit and typical magnitude of each.
    pub(super) states: Vec<(String, String, f64)>,
    /// Of each whether its derivative depends on inputs.
    pub(super) driven: Vec<bool>,
    /// Name of each event indicator.
    pub(super) indicators: Vec<String>,
    /// Algebraic variables with their starts, where residuals are handed out.
    pub(super) algebraic: Option<Vec<(AlgebraicVariable, f64)>>,
}

/// Values of unknowns, their derivatives, event indicators, algebraic variables and residuals.
pub(super) type Locals = [Vec<f64>; 5];

/// Equations and where they stand.
pub(super) struct Start {
    pub(super) equations: Box<dyn Equations>,
    pub(super) time: f64,
    pub(super) y: Vec<f64>,
    pub(super) inputs: Vec<[f64; 3]>,
}

impl Start {
    /// Of a model of this `kind`, with algebraic variables if `residuals` are handed out.
    pub(super) fn unknowns(&mut self, residuals: bool, kind: &'static str) -> Result<Unknowns, Error> {
        let algebraic = if residuals { Some(self.algebraic(kind)?) } else { None };
        let ode = self.equations.ode();
        let units = self.equations.units();
        let named = ode.unknowns().iter().zip(units).enumerate();
        let states = named.map(|(i, (own, unit))| (ode.unknown_name(i), unit, own.typical)).collect();
        let indicators = (0..ode.watched_count()).map(|k| ode.watched_name(k)).collect();
        let driven = (0..ode.unknowns().len()).map(|i| self.equations.is_driven(i)).collect();
        Ok(Unknowns { states, driven, indicators, algebraic })
    }

    /// What a unit tells of its unknowns.
    pub(super) fn values(mut self) -> Result<Locals, Error> {
        self.choose_sides()?;
        let [algebraic, residuals] = self.open_values()?;
        let Self { equations, time, y, .. } = &mut self;
        let (slopes, indicators) = (slopes(&mut **equations, *time, y)?, indicators(&mut **equations, *time, y)?);
        Ok([self.y, slopes, indicators, algebraic, residuals])
    }

    fn choose_sides(&mut self) -> Result<(), Error> {
        let ode = self.equations.ode_mut();
        if ode.watched_count() > 0 {
            ode.choose_sides(self.time, &self.y).map_err(failed)?;
        }
        Ok(())
    }
}

/// The equations of a model at its start at time `at` \[s\], where its inputs are `inputs`, or those of the model if none are given.
pub(super) fn begin(
    document: &Document,
    compiled: Option<Arc<CompiledModel>>,
    inputs: Option<&Polynomials>,
    at: f64,
) -> Result<Start, Error> {
    let given = inputs;
    let inputs = inputs.unwrap_or_default();
    match document {
        Document::Mechanism(model) => {
            let compiled = match compiled {
                Some(compiled) => compiled,
                None => Arc::new(CompiledModel::new(model, &HostFunctions::default())?),
            };
            let state = state_at(&compiled, at, given)?;
            MechanismEquations::begin(&compiled, state.as_ref(), inputs)
        }
        Document::Circuit(model) => CircuitEquations::begin(model, inputs, at),
        Document::Linear(model) => LinearEquations::begin(model, at, None, inputs),
        Document::Coupled(_) => Err(Error::NoEquations {
            kind: "coupled model",
            reason: "its simulators have solvers of their own; export it for co-simulation",
        }),
    }
}

pub(super) fn failed(error: EvalError) -> Error {
    fourbar_multibody::Error::from(error).into()
}

/// Equations under an integrator of the importer.
pub(super) struct Exchange {
    equations: Box<dyn Equations>,
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
    time: f64,
    y: Vec<f64>,
    given: Vec<[f64; 3]>,
    /// Whether the coordinates are to be changed at the next event.
    is_due: bool,
    algebraic: Algebraic,
}

/// A checkpoint.
struct Kept {
    time: f64,
    y: Vec<f64>,
    /// Algebraic variables, where the importer solves for them.
    a: Vec<f64>,
    given: Vec<[f64; 3]>,
    is_due: bool,
    equations: Vec<f64>,
}

/// What handling an event came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventUpdate {
    /// Whether the states have other values now.
    pub states_changed: bool,
    /// The next time at which the equations jump or bend, if that is known \[s\].
    pub next_event: Option<f64>,
}

fn slopes(equations: &mut dyn Equations, t: f64, y: &[f64]) -> Result<Vec<f64>, Error> {
    let mut slopes = vec![0.0; y.len()];
    equations.ode_mut().rhs(t, y, &mut slopes).map_err(failed)?;
    Ok(slopes)
}

impl Exchange {
    pub(super) fn new(mut start: Start) -> Result<Self, Error> {
        start.choose_sides()?;
        let Start { equations, time, y, inputs: given } = start;
        let (inputs, outputs) = equations.variables();
        Ok(Self { equations, inputs, outputs, time, y, given, is_due: false, algebraic: Algebraic::default() })
    }

    pub(super) fn states(&self) -> &[f64] {
        &self.y
    }

    /// From now on the time is this \[s\].
    pub(super) fn set_time(&mut self, time: f64) {
        self.time = time;
        self.algebraic.forget();
    }

    pub(super) fn set_states(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.algebraic.forget();
    }

    /// y' at the present point.
    pub(super) fn slopes(&mut self) -> Result<Vec<f64>, Error> {
        if self.algebraic.solved {
            let [slopes, _] = self.found()?;
            return Ok(slopes.clone());
        }
        slopes(&mut *self.equations, self.time, &self.y)
    }

    /// The event indicators at the present point.
    pub(super) fn indicators(&mut self) -> Result<Vec<f64>, Error> {
        indicators(&mut *self.equations, self.time, &self.y)
    }

    /// Magnitudes of the unknowns that are neither large nor small.
    pub(super) fn nominals(&self) -> Vec<f64> {
        self.equations.ode().unknowns().iter().map(|unknown| unknown.typical).collect()
    }

    /// Takes note of an accepted step; whether an event is to be handled: coordinates are to be changed, or a condition was passed without notice.
    pub(super) fn complete_step(&mut self) -> Result<bool, Error> {
        self.algebraic.forget();
        let ode = self.equations.ode_mut();
        let (mut trial, mut saved) = (self.y.clone(), Vec::new());
        ode.save(&mut saved);
        // The importer goes on with its own coordinates until it handles the event.
        if ode.before_step(self.time, &mut trial).map_err(failed)? {
            ode.restore(&saved).map_err(failed)?;
            self.is_due = true;
        }
        Ok(self.is_due || self.has_left()?)
    }

    /// Handles what happens at the present point.
    pub(super) fn update(&mut self) -> Result<EventUpdate, Error> {
        let before = self.y.clone();
        let Self { equations, time, y, is_due, algebraic, .. } = self;
        let ode = equations.ode_mut();
        let is_due = std::mem::take(is_due);
        // Corrections of an importer begin anew at zero.
        if is_due || algebraic.solved {
            ode.settle(*time, y).map_err(failed)?;
        }
        if is_due {
            ode.before_step(*time, y).map_err(failed)?;
        }
        if ode.next_break(*time) <= *time {
            ode.pass_break(*time, y).map_err(failed)?;
        }
        self.turn_sides()?;
        self.follow_algebraic()?;
        let next = self.equations.ode_mut().next_break(self.time);
        let next_event = Some(next).filter(|next| next.is_finite() && *next > self.time);
        Ok(EventUpdate { states_changed: before != self.y, next_event })
    }
}

impl Motion for Exchange {
    fn inputs(&self) -> &[Variable] {
        &self.inputs
    }

    fn outputs(&self) -> &[Variable] {
        &self.outputs
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            state: true,
            bytes: true,
            input_order: 0,
            derivatives: false,
            may_end: false,
            has_events: false,
            retunes: true,
            keeps_parameters: false,
        }
    }

    fn compiled(&self) -> Option<Arc<CompiledModel>> {
        self.equations.compiled()
    }

    fn set_inputs(&mut self, inputs: &Polynomials) -> Result<(), Error> {
        if *self.given == *inputs {
            return Ok(());
        }
        self.equations.drive(self.time, inputs)?;
        self.given = inputs.to_vec();
        self.algebraic.forget();
        Ok(())
    }

    fn step(&mut self, _: f64) -> Result<Reached, Error> {
        Err(Error::NotForKind { setting: "steps", kind: "unit for model exchange" })
    }

    fn observe(&mut self, values: &mut [f64]) -> Result<(), Error> {
        self.equations.observe(self.time, &self.y, values)
    }

    fn derivatives(&mut self) -> Result<Vec<f64>, Error> {
        Err(Error::NotForKind { setting: "derivatives by inputs", kind: "unit for model exchange" })
    }

    fn retune(&mut self, document: &Document) -> Result<(), Error> {
        let start = self.equations.retuned(document, self.time, &self.y, &self.given)?;
        let solved = self.algebraic.solved;
        *self = Self::new(start)?;
        self.solve_algebraic(solved)
    }

    fn equations(&mut self) -> Result<Start, Error> {
        Err(Error::NotForKind { setting: "further equations", kind: "unit for model exchange" })
    }

    fn exchange(&mut self) -> Option<&mut Exchange> {
        Some(self)
    }

    fn save(&mut self) -> Result<Point, Error> {
        let mut equations = Vec::new();
        self.equations.ode().save(&mut equations);
        let Self { time, y, given, is_due, algebraic, .. } = &*self;
        let a = if algebraic.solved { algebraic.a.clone() } else { Vec::new() };
        Ok(Box::new(Kept { time: *time, y: y.clone(), a, given: given.clone(), is_due: *is_due, equations }))
    }

    fn restore(&mut self, point: &(dyn Any + Send + Sync)) -> Result<bool, Error> {
        let Some(kept) = point.downcast_ref::<Kept>() else { return Ok(false) };
        self.equations.drive(kept.time, &kept.given)?;
        self.equations.ode_mut().restore(&kept.equations).map_err(failed)?;
        (self.time, self.is_due) = (kept.time, kept.is_due);
        self.y.clone_from(&kept.y);
        self.given.clone_from(&kept.given);
        self.algebraic.a.clone_from(&kept.a);
        self.algebraic.forget();
        Ok(true)
    }

    fn store(&mut self, point: &(dyn Any + Send + Sync), to: &mut Vec<u8>) -> Result<bool, Error> {
        let Some(kept) = point.downcast_ref::<Kept>() else { return Ok(false) };
        kept.time.store(to);
        kept.y.store(to);
        kept.a.store(to);
        kept.given.store(to);
        kept.is_due.store(to);
        store_list(&kept.equations, to);
        Ok(true)
    }

    fn load(&mut self, bytes: &[u8]) -> Result<Point, Error> {
        let mut from = Source::new(bytes);
        let time = from.value()?;
        let (mut y, mut given, mut equations) = (self.y.clone(), self.given.clone(), Vec::new());
        let mut a = if self.algebraic.solved { self.algebraic.a.clone() } else { Vec::new() };
        y.load(&mut from)?;
        a.load(&mut from)?;
        given.load(&mut from)?;
        let is_due = from.value()?;
        from.list(&mut equations)?;
        from.finish()?;
        Ok(Box::new(Kept { time, y, a, given, is_due, equations }))
    }
}
