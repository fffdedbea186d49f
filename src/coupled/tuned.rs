//! Simulators of models that go on with other parameters: the model is compiled anew with them, and goes on where the one before stands.
//!
//! What ran with the values before is kept as long as a saved state needs it; returning to that state takes it up again, bit for bit.

use super::linear::LinearPartner;
use super::touching::Touching;
use super::{SimulatorKind, System, build};
use crate::Error;
use crate::circuit::{CircuitSettings, CompiledCircuit};
use crate::tuning::{self, numbers};
use fourbar_coupling::partner::{Explicit, Mechanism, ReactionOutputs, Stiff};
use fourbar_coupling::{Description, Failure, Parameter, Signal, Simulator, Snapshot, SolverCounts};
use fourbar_hydraulics::Circuit;
use fourbar_linalg::checkpoint::{Source, Stored};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::integrator::Integrator;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A compiled model at work.
enum Engine {
    Mechanism(Box<Mechanism>),
    Touching(Box<Touching>),
    Circuit(Box<Stiff<Circuit>>),
    Linear(Box<LinearPartner>),
    Equations(Box<Explicit<System>>),
}

/// How a kind is compiled beside its numbers.
#[derive(Clone, Default)]
pub(super) struct Manner {
    /// What joints do is among its outputs.
    pub(super) reactions: Option<ReactionOutputs>,
    /// A mechanism with contacts is stepped alone.
    pub(super) touching: bool,
    /// When it begins \[s\].
    pub(super) start: f64,
}

/// It cannot stand where the one before stands.
fn stood(failure: Failure) -> Error {
    fourbar_coupling::Error::Start { partner: "the model with these parameters".to_owned(), failure }.into()
}

impl Engine {
    fn new(kind: &SimulatorKind, manner: &Manner) -> Result<Self, Error> {
        let (reactions, start) = (manner.reactions.as_ref(), manner.start);
        Ok(match kind {
            SimulatorKind::Mechanism(model) if manner.touching => {
                Self::Touching(Box::new(Touching::new(model, reactions)?))
            }
            SimulatorKind::Mechanism(model) => {
                let mut own = build::mechanism(model, reactions)?;
                if start != 0.0 {
                    own.start_at(start).map_err(stood)?;
                }
                Self::Mechanism(Box::new(own))
            }
            SimulatorKind::Circuit(model) => Self::Circuit(Box::new(build::circuit(model, start)?)),
            SimulatorKind::Linear(model) => {
                let mut own = LinearPartner::new(model)?;
                own.begin_at(start);
                Self::Linear(Box::new(own))
            }
            SimulatorKind::Equations(model) => {
                Self::Equations(Box::new(model.explicit_at(start).map_err(Error::CoupledModel)?))
            }
            other => return Err(Error::NotForKind { setting: "other parameters while it runs", kind: other.name() }),
        })
    }

    /// One of `kind` that goes on where this one stands, under these inputs.
    fn followed(&mut self, kind: &SimulatorKind, manner: &Manner, inputs: &[Signal]) -> Result<Self, Error> {
        match (&mut *self, kind) {
            (Self::Circuit(before), SimulatorKind::Circuit(model)) => {
                let CompiledCircuit { mut circuit, method, .. } =
                    CompiledCircuit::new(model, &CircuitSettings::default())?;
                let (time, y) = (before.integrator().time(), before.integrator().state().to_vec());
                circuit.set_inputs(time, inputs.iter().map(|own| [own.value, own.first, own.second]))?;
                let point = circuit.complete(time, y)?;
                let begun = Stiff::with_inputs(&method, circuit, (time, &point.y, &point.yp), inputs);
                return Ok(Self::Circuit(Box::new(begun.map_err(fourbar_multibody::Error::from)?)));
            }
            (Self::Linear(before), SimulatorKind::Linear(model)) => {
                return Ok(Self::Linear(Box::new(before.retuned(model)?)));
            }
            _ => {}
        }
        let mut own = Self::new(kind, manner)?;
        match (&mut own, self) {
            (Self::Mechanism(own), Self::Mechanism(before)) => own.follow(before, inputs).map_err(stood)?,
            (Self::Touching(own), Self::Touching(before)) => own.follow(before, inputs)?,
            (Self::Equations(own), Self::Equations(before)) => {
                own.follow(before).map_err(fourbar_multibody::Error::from)?;
                own.set_inputs(inputs).map_err(stood)?;
            }
            // The kind stays the same.
            _ => {}
        }
        Ok(own)
    }

    /// Whether it can be followed by another one at all.
    fn goes_on(&self) -> bool {
        match self {
            // Waves on their way belong to the lines that they are in.
            Self::Circuit(stiff) => stiff.integrator().dae().longest_step().is_none(),
            Self::Touching(touching) => touching.goes_on(),
            Self::Mechanism(_) | Self::Linear(_) | Self::Equations(_) => true,
        }
    }

    fn into_simulator(self) -> Box<dyn Simulator> {
        match self {
            Self::Mechanism(own) => own,
            Self::Touching(own) => own,
            Self::Circuit(own) => own,
            Self::Linear(own) => own,
            Self::Equations(own) => own,
        }
    }

    fn get(&self) -> &dyn Simulator {
        match self {
            Self::Mechanism(own) => &**own,
            Self::Touching(own) => &**own,
            Self::Circuit(own) => &**own,
            Self::Linear(own) => &**own,
            Self::Equations(own) => &**own,
        }
    }

    #[inline]
    fn get_mut(&mut self) -> &mut dyn Simulator {
        match self {
            Self::Mechanism(own) => &mut **own,
            Self::Touching(own) => &mut **own,
            Self::Circuit(own) => &mut **own,
            Self::Linear(own) => &mut **own,
            Self::Equations(own) => &mut **own,
        }
    }
}

/// The model with its numbers over some time, and what ran with them if that is still needed.
struct Generation {
    kind: SimulatorKind,
    parked: Mutex<Option<Engine>>,
}

impl Generation {
    fn parked(&self) -> MutexGuard<'_, Option<Engine>> {
        // It is there or not.
        self.parked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers of all parameters that have some of their own, in the order of their names.
    fn values(&self) -> Result<Vec<f64>, Error> {
        let mut kind = self.kind.clone();
        let splines = kind.splines().to_vec();
        let all = numbers(kind.parameters(), &splines).map_err(Error::CoupledModel)?;
        Ok(all.into_iter().filter(|own| own.is_free).map(|own| own.value).collect())
    }

    /// The model with other numbers of them.
    fn with_values(&self, values: &[f64]) -> SimulatorKind {
        let mut kind = self.kind.clone();
        let free = kind.parameters().values_mut().filter(|own| own.variables().is_empty());
        free.zip(values).for_each(|(own, value)| *own = Expression::constant(*value));
        kind
    }
}

/// A simulator whose parameters may change.
struct Tuned {
    engine: Engine,
    own: Arc<Generation>,
    manner: Manner,
    /// The inputs about the present time.
    inputs: Vec<Signal>,
    /// What it was told once, for those that follow.
    connected: Option<Vec<usize>>,
    flag: Option<Arc<AtomicBool>>,
    /// Warnings of those before.
    told: Vec<String>,
}

/// What is saved.
#[derive(Default)]
struct Saved {
    of: Option<Arc<Generation>>,
    inner: Snapshot,
    inputs: Vec<Signal>,
}

fn words(error: impl std::fmt::Display) -> Failure {
    Failure::new(error.to_string())
}

/// The simulator of a mechanism, a circuit, a linear system or equations, whose parameters, if it has some, may change between steps.
pub(super) fn simulator(kind: &SimulatorKind, manner: Manner) -> Result<Box<dyn Simulator>, Error> {
    let engine = Engine::new(kind, &manner)?;
    let mut kind = kind.clone();
    if kind.parameters().is_empty() {
        return Ok(engine.into_simulator());
    }
    let starts =
        engine.get().describe().with(fourbar_coupling::Causality::Input).map(|own| Signal::held(own.start)).collect();
    Ok(Box::new(Tuned {
        engine,
        own: Arc::new(Generation { kind, parked: Mutex::new(None) }),
        manner,
        inputs: starts,
        connected: None,
        flag: None,
        told: Vec::new(),
    }))
}

impl Tuned {
    /// Goes on with another engine; the one before stays where saved states need it.
    fn take(&mut self, engine: Engine, of: Arc<Generation>) {
        let before = std::mem::replace(&mut self.engine, engine);
        let own = std::mem::replace(&mut self.own, of);
        for text in before.get().warnings() {
            if !self.told.contains(&text) {
                self.told.push(text);
            }
        }
        if Arc::strong_count(&own) > 1 {
            *own.parked() = Some(before);
        }
        let engine = self.engine.get_mut();
        if let Some(connected) = &self.connected {
            engine.watch_outputs(connected);
        }
        if let Some(flag) = &self.flag {
            engine.interrupt_by(flag);
        }
    }

    /// What ran with the numbers of a saved state: as it was kept, or compiled anew where another simulator of the same model kept it.
    fn go_back(&mut self, of: &Arc<Generation>) -> Result<(), Failure> {
        let parked = of.parked().take();
        match parked {
            Some(engine) => self.take(engine, Arc::clone(of)),
            None if of.values().map_err(words)? == self.own.values().map_err(words)? => {}
            None => {
                let engine = Engine::new(&of.kind, &self.manner).map_err(words)?;
                let of = Generation { kind: of.kind.clone(), parked: Mutex::new(None) };
                self.take(engine, Arc::new(of));
            }
        }
        Ok(())
    }

    fn check_saved<'a>(&self, snapshot: &'a Snapshot) -> Result<(&'a Saved, &'a Arc<Generation>), Failure> {
        let saved: &Saved = snapshot.content()?;
        let of = saved.of.as_ref().ok_or_else(|| Failure::new("the snapshot is empty"))?;
        Ok((saved, of))
    }
}

impl Simulator for Tuned {
    fn describe(&self) -> Description {
        self.engine.get().describe()
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.inputs.copy_from_slice(inputs);
        self.engine.get_mut().set_inputs(inputs)
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        let reached = self.engine.get_mut().step(t, h)?;
        self.inputs.iter_mut().for_each(|input| *input = input.after(reached - t));
        Ok(reached)
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.engine.get_mut().outputs(values)
    }

    fn output_derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Failure> {
        self.engine.get_mut().output_derivatives(derivatives)
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        let mut kind = self.own.kind.clone();
        let splines = kind.splines().to_vec();
        let all = numbers(kind.parameters(), &splines).map_err(words)?;
        let (fixed, goes_on) = (tuning::of_kind(&kind).map_err(words)?, self.engine.goes_on());
        let told = all.into_iter().map(|own| {
            let is_tunable = goes_on && own.is_free && !fixed.holds(&own.name);
            Parameter { is_tunable, ..Parameter::fixed(own.name, own.value) }.unit(own.unit)
        });
        Ok(told.collect())
    }

    fn set_parameters(&mut self, values: &[(String, f64)]) -> Result<(), Failure> {
        let mut kind = self.own.kind.clone();
        for (name, value) in values {
            let Some(own) = kind.parameters().get_mut(name) else {
                return Err(Failure::new(format!("there is no parameter \"{name}\"")));
            };
            *own = Expression::constant(*value);
        }
        let engine = self.engine.followed(&kind, &self.manner, &self.inputs).map_err(words)?;
        self.take(engine, Arc::new(Generation { kind, parked: Mutex::new(None) }));
        Ok(())
    }

    fn watch_outputs(&mut self, connected: &[usize]) {
        self.connected = Some(connected.to_vec());
        self.engine.get_mut().watch_outputs(connected);
    }

    fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.flag = Some(Arc::clone(flag));
        self.engine.get_mut().interrupt_by(flag);
    }

    fn solver_counts(&self) -> Option<SolverCounts> {
        self.engine.get().solver_counts()
    }

    fn warnings(&self) -> Vec<String> {
        let own = self.engine.get().warnings();
        let before = self.told.iter().filter(|text| !own.contains(text)).cloned();
        before.chain(own.iter().cloned()).collect()
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let saved: &mut Saved = snapshot.content_mut();
        if !saved.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, &self.own)) {
            *saved = Saved { of: Some(Arc::clone(&self.own)), ..Saved::default() };
        }
        saved.inputs.clone_from(&self.inputs);
        self.engine.get_mut().save(&mut saved.inner)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        let (saved, of) = self.check_saved(snapshot)?;
        if !Arc::ptr_eq(of, &self.own) {
            self.go_back(of)?;
        }
        self.engine.get_mut().restore(&saved.inner)?;
        self.inputs.clone_from(&saved.inputs);
        Ok(())
    }

    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        let (saved, of) = self.check_saved(snapshot)?;
        of.values().map_err(words)?.store(to);
        let inputs: Vec<[f64; 3]> = saved.inputs.iter().map(|own| [own.value, own.first, own.second]).collect();
        inputs.store(to);
        match &mut *of.parked() {
            Some(engine) => engine.get_mut().store(&saved.inner, to),
            None => self.engine.get_mut().store(&saved.inner, to),
        }
    }

    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let mut from = Source::new(bytes);
        let mut values = self.own.values().map_err(words)?;
        let own = values.clone();
        let mut inputs = vec![[0.0; 3]; self.inputs.len()];
        values.load(&mut from).and_then(|()| inputs.load(&mut from)).map_err(words)?;
        let left = from.left();
        let rest = from.take(left).map_err(words)?;
        let inputs = inputs.into_iter().map(|[value, first, second]| Signal { value, first, second }).collect();
        let saved: &mut Saved = snapshot.content_mut();
        *saved = Saved { of: None, inner: Snapshot::new(), inputs };
        if values == own {
            self.engine.get_mut().load(rest, &mut saved.inner)?;
            saved.of = Some(Arc::clone(&self.own));
            return Ok(());
        }
        let kind = self.own.with_values(&values);
        let mut engine = Engine::new(&kind, &self.manner).map_err(words)?;
        engine.get_mut().load(rest, &mut saved.inner)?;
        saved.of = Some(Arc::new(Generation { kind, parked: Mutex::new(Some(engine)) }));
        Ok(())
    }
}
