//! A mechanism as a system of equations with its workspace.

use std::sync::Arc;

use fourbar::dae::ode::Ode;
use fourbar::dae::{Dae, EvalError, History, Unknown};
use fourbar::linalg::SparsityPattern;
use fourbar::linalg::checkpoint::Fingerprint;
use fourbar::multibody::formulation::Partitioned;
use fourbar::multibody::mechanism::{Rows, System};
use fourbar::multibody::space::Pose;
use fourbar::multibody::{Equations, Error, Formulation, Inputs, Mechanism, State};
use fourbar::run::Overrides;
use fourbar::simulation::CompiledModel;

use super::columns::Columns;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status as Status;
use crate::model::failure;
use crate::simulation::formulation::fourbar_formulation;

/// Which equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// F(t, y, y') = 0.
    Implicit(Formulation),
    /// y' = f(t, y).
    Partitioned,
}

impl Choice {
    /// Of a value of `fourbar_formulation`.
    pub(crate) fn of(compiled: &CompiledModel, value: i32) -> Result<Self, Failure> {
        use fourbar_formulation as F;
        let is = |asked: F| asked as i32 == value;
        if is(F::FOURBAR_FORMULATION_MODEL) {
            let dynamics = failure::run(|| compiled.dynamics(&Overrides::default()))?;
            Ok(Self::Implicit(dynamics.formulation))
        } else if is(F::FOURBAR_FORMULATION_I3) {
            Ok(Self::Implicit(Formulation::I3))
        } else if is(F::FOURBAR_FORMULATION_SI2) {
            Ok(Self::Implicit(Formulation::Si2))
        } else if is(F::FOURBAR_FORMULATION_SI1) {
            Ok(Self::Implicit(Formulation::Si1))
        } else if is(F::FOURBAR_FORMULATION_PARTITIONED) {
            Ok(Self::Partitioned)
        } else {
            let text = format!("formulation is {value}; it must be a value of fourbar_formulation, from 0 to 4");
            Err(Failure::new(Status::FOURBAR_INVALID, text))
        }
    }
}

/// The equations in their form.
pub(crate) enum Form {
    Implicit(Box<Equations>),
    Partitioned(Box<Partitioned>),
}

impl Form {
    /// The equations with charts for the start of the mechanism.
    fn new(mechanism: &Arc<Mechanism>, choice: Choice) -> Result<Self, Error> {
        let start = mechanism.start();
        match choice {
            Choice::Implicit(formulation) => {
                let mut equations = Equations::new(Arc::clone(mechanism), formulation, start);
                let mut y = vec![0.0; equations.dimension()];
                let mut yp = y.clone();
                equations.write(start, &mut y, &mut yp);
                Ok(Self::Implicit(Box::new(equations)))
            }
            Choice::Partitioned => Ok(Self::Partitioned(Box::new(Partitioned::new(Arc::clone(mechanism), start)?))),
        }
    }

    pub(crate) fn unknowns(&self) -> &[Unknown] {
        match self {
            Self::Implicit(equations) => equations.unknowns(),
            Self::Partitioned(equations) => equations.unknowns(),
        }
    }

    pub(crate) fn unknown_name(&self, i: usize) -> String {
        match self {
            Self::Implicit(equations) => equations.unknown_name(i),
            Self::Partitioned(equations) => equations.unknown_name(i),
        }
    }

    pub(crate) fn inputs_mut(&mut self) -> &mut Inputs {
        match self {
            Self::Implicit(equations) => equations.inputs_mut(),
            Self::Partitioned(equations) => equations.inputs_mut(),
        }
    }

    /// A state as y and y', in charts chosen for it.
    pub(crate) fn write(&mut self, state: &State, y: &mut [f64], yp: &mut [f64]) -> Result<(), Error> {
        match self {
            Self::Implicit(equations) => equations.write(state, y, yp),
            Self::Partitioned(equations) => {
                equations.write(state, y)?;
                equations.rhs(state.time, y, yp)?;
            }
        }
        Ok(())
    }

    /// y as a state; accelerations stay as they are where y has none.
    pub(crate) fn read(&mut self, t: f64, y: &[f64], state: &mut State) -> Result<(), Error> {
        match self {
            Self::Implicit(equations) => equations.read(t, y, state),
            Self::Partitioned(equations) => equations.read(t, y, state)?,
        }
        Ok(())
    }

    /// Puts positions and velocities at y onto the constraints, in the charts of now, and what follows from them into the rest of y and y'.
    pub(crate) fn settle(&mut self, inputs: &Inputs, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<(), Error> {
        match self {
            Self::Implicit(equations) => {
                let mechanism = Arc::clone(equations.mechanism());
                let mut state = mechanism.start().clone();
                equations.read(t, y, &mut state);
                let state = mechanism.consistent(&state, inputs)?;
                let near = y.to_vec();
                equations.write_near(&state, &near, y, yp);
            }
            Self::Partitioned(equations) => {
                equations.settle(t, y)?;
                equations.rhs(t, y, yp)?;
            }
        }
        Ok(())
    }

    fn memory(&self) -> Vec<f64> {
        let mut store = Vec::new();
        match self {
            Self::Implicit(equations) => Dae::save(&**equations, &mut store),
            Self::Partitioned(equations) => Ode::save(&**equations, &mut store),
        }
        store
    }

    /// What happens between two steps; whether y is another one afterwards.
    pub(super) fn between_steps(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<bool, EvalError> {
        match self {
            Self::Implicit(equations) => equations.after_step(&mut Point { time: t, y, yp }),
            Self::Partitioned(equations) => {
                equations.settle(t, y)?;
                let changed = equations.before_step(t, y)?;
                equations.rhs(t, y, yp)?;
                Ok(changed)
            }
        }
    }
}

/// Equations in the charts and with the inputs that they had when somebody took them, to be made again.
pub(crate) struct Taken {
    pub(crate) compiled: Arc<CompiledModel>,
    choice: Choice,
    memory: Vec<f64>,
    pub(crate) inputs: Inputs,
}

impl Taken {
    pub(crate) fn is_explicit(&self) -> bool {
        self.choice == Choice::Partitioned
    }

    pub(crate) fn form(&self) -> Result<Form, Error> {
        let mut form = Form::new(self.compiled.mechanism(), self.choice)?;
        match &mut form {
            Form::Implicit(equations) => Dae::restore(&mut **equations, &self.memory)?,
            Form::Partitioned(equations) => Ode::restore(&mut **equations, &self.memory)?,
        }
        form.inputs_mut().clone_from(&self.inputs);
        Ok(form)
    }

    /// Tells them apart: what their unknowns mean hangs on the charts.
    pub(crate) fn fingerprint(&self, sum: Fingerprint) -> Fingerprint {
        let own = self.compiled.fingerprint().value();
        self.memory.iter().fold(sum.bytes(&own.to_le_bytes()), |sum, number| sum.bytes(&number.to_le_bytes()))
    }
}

/// A point and its rates as the history of a step of 1 s.
struct Point<'a> {
    time: f64,
    y: &'a mut [f64],
    yp: &'a mut [f64],
}

impl History for Point<'_> {
    fn time(&self) -> f64 {
        self.time
    }
    fn step(&self) -> f64 {
        1.0
    }
    fn tolerance(&self) -> f64 {
        0.0
    }
    fn order(&self) -> usize {
        1
    }
    fn coefficient(&self, unknown: usize, power: usize) -> f64 {
        match power {
            0 => self.y[unknown],
            1 => self.yp[unknown],
            _ => 0.0,
        }
    }
    fn set_coefficient(&mut self, unknown: usize, power: usize, value: f64) {
        match power {
            0 => self.y[unknown] = value,
            1 => self.yp[unknown] = value,
            _ => {}
        }
    }
}

/// The equations, and what is computed at a point besides them.
pub(crate) struct Open {
    compiled: Arc<CompiledModel>,
    choice: Choice,
    pub(super) mechanism: Arc<Mechanism>,
    pub(super) form: Form,
    pub(super) inputs: Inputs,
    /// Scratch: the state at the point asked for, and its bodies with the ground.
    pub(super) state: State,
    poses: Vec<Pose>,
    pub(super) system: System,
    /// The order of columns of the constraint Jacobian.
    pub(super) columns: Columns,
    /// Pattern of a form that has no matrix.
    none: SparsityPattern,
}

impl Open {
    pub(super) fn new(compiled: &Arc<CompiledModel>, choice: Choice) -> Result<Self, Failure> {
        let mechanism = Arc::clone(compiled.mechanism());
        let mut form = failure::run(|| Ok(Form::new(&mechanism, choice)?))?;
        match &mut form {
            Form::Implicit(equations) => equations.let_conditions_go(),
            Form::Partitioned(equations) => equations.let_conditions_go(),
        }
        let system = System::new(&mechanism, Rows::Independent);
        Ok(Self {
            form,
            inputs: Inputs::start(&mechanism),
            state: mechanism.start().clone(),
            poses: mechanism.start().poses.iter().copied().chain([Pose::ground()]).collect(),
            columns: Columns::of(system.phi.pattern()),
            system,
            none: SparsityPattern::zeros(0, 0),
            mechanism,
            compiled: Arc::clone(compiled),
            choice,
        })
    }

    pub(crate) fn take(&self) -> Taken {
        Taken {
            compiled: Arc::clone(&self.compiled),
            choice: self.choice,
            memory: self.form.memory(),
            inputs: self.inputs.clone(),
        }
    }

    pub(super) fn dimension(&self) -> usize {
        self.form.unknowns().len()
    }

    pub(super) fn pattern(&self) -> &SparsityPattern {
        match &self.form {
            Form::Implicit(equations) => equations.pattern(),
            Form::Partitioned(_) => &self.none,
        }
    }

    /// Where the bodies are at a point, drives evaluated.
    pub(super) fn place(&mut self, t: f64, y: &[f64]) -> Result<&[Pose], Failure> {
        let Self { form, state, poses, system, mechanism, .. } = self;
        failure::run(|| Ok(form.read(t, y, state)?))?;
        poses[..state.poses.len()].copy_from_slice(&state.poses);
        system.evaluate_drives(mechanism, t, &state.drives);
        system.count_from(&state.angles);
        Ok(&self.poses)
    }

    /// The equations and the bodies where [`Open::place`] put them.
    pub(super) fn placed(&mut self) -> (&Mechanism, &mut System, &[Pose], &State) {
        (&self.mechanism, &mut self.system, &self.poses, &self.state)
    }
}
