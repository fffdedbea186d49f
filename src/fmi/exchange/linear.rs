//! A linear system as equations: dx/dt = A x + B u.

use super::{Equations, Start};
use crate::fmi::motion::Polynomials;
use crate::linear::{Equations as Matrices, Input, LinearModel, LinearSystem, Shown, Side};
use crate::run::Inputs;
use crate::{Document, Error};
use fourbar_coupling::Variable;
use fourbar_lti::StateSpace;
use fourbar_multibody::dae::{EvalError, Kind, Unknown};
use fourbar_multibody::ode::Ode;
use nalgebra::DVectorView;

/// Relative distance within which times are one: a thousand units in the last place.
const SAME: f64 = 1e-13;
/// How far ahead of the time at which it is asked jumps of inputs are looked for that no formula gives \[s\]; there it is asked again.
const HORIZON: f64 = 1.0;

pub(in crate::fmi) struct LinearEquations {
    system: StateSpace,
    compiled: LinearSystem,
    unknowns: Vec<Unknown>,
    variables: (Vec<Variable>, Vec<Variable>),
    /// Place of each input from outside among all.
    external: Vec<usize>,
    /// What these are, and since when \[s\].
    given: (f64, Vec<[f64; 3]>),
    inputs: Inputs,
    /// The last time at which inputs jumped or bent, and the next \[s\].
    passed: f64,
    next: f64,
    u: Vec<f64>,
    shown: Shown,
}

impl LinearEquations {
    /// At `time` \[s\], in the state of the start if none is given.
    pub(in crate::fmi) fn begin(
        model: &LinearModel,
        time: f64,
        state: Option<Vec<f64>>,
        inputs: &Polynomials,
    ) -> Result<Start, Error> {
        let compiled = LinearSystem::compile(model)?;
        let Matrices::Dense(system) = compiled.equations() else {
            return Err(Error::NoEquations {
                kind: "diffusion along a rod",
                reason: "it has a state for each of its cells; export it for co-simulation",
            });
        };
        let y = state.unwrap_or_else(|| compiled.initial_state().to_vec());
        let variables = crate::coupled::linear_variables(model, &compiled);
        let given = match inputs {
            [] => variables.0.iter().map(|input| [input.start, 0.0, 0.0]).collect(),
            inputs => inputs.to_vec(),
        };
        let named = model.inputs.iter().enumerate();
        let external = named.filter(|(_, input)| matches!(input, Input::External(_))).map(|(i, _)| i).collect();
        let names = model.inputs.iter().map(|input| input.name().to_owned()).collect();
        let unknown = Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 };
        let own = Self {
            system: system.clone(),
            unknowns: vec![unknown; y.len()],
            variables,
            external,
            given: (time, given.clone()),
            inputs: Inputs::new(compiled.signals.clone(), names),
            // What jumps at the start has jumped.
            passed: time,
            next: f64::INFINITY,
            u: vec![0.0; compiled.signals.len()],
            shown: Shown::new(&compiled),
            compiled,
        };
        Ok(Start { equations: Box::new(own), time, y, inputs: given })
    }

    /// Writes the inputs at `t`, on the side of a jump on which the integrator is.
    fn sample(&mut self, t: f64) {
        let near = |time: f64| (t - time).abs() <= SAME * t.abs();
        let (time, side) = match () {
            () if near(self.passed) => (self.passed.max(t), Side::After),
            () if near(self.next) => (self.next.min(t), Side::Before),
            () => (t, Side::At),
        };
        self.inputs.sample(time, side, &mut self.u);
        let (since, given) = &self.given;
        let s = t - since;
        for (&i, [value, first, second]) in self.external.iter().zip(given) {
            self.u[i] = value + s * (first + 0.5 * s * second);
        }
    }

    /// The first input that is no number.
    fn check(&mut self, t: f64) -> Result<(), EvalError> {
        let Err(error) = self.inputs.check() else { return Ok(()) };
        self.inputs.forget();
        Err(EvalError::Recoverable { element: "an input".to_owned(), time: t, reason: error.to_string() })
    }
}

impl Ode for LinearEquations {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }

    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    fn unknown_name(&self, i: usize) -> String {
        format!("state {}", i + 1)
    }

    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        self.sample(t);
        self.check(t)?;
        let (x, u) = (DVectorView::from_slice(y, y.len()), DVectorView::from_slice(&self.u, self.u.len()));
        yp.copy_from_slice((self.system.a() * x + self.system.b() * u).as_slice());
        Ok(())
    }

    fn next_break(&mut self, t: f64) -> f64 {
        let apart = SAME * t.abs();
        if self.passed > t + apart {
            // The run has returned to an earlier time.
            self.passed = f64::NEG_INFINITY;
        }
        if (t - self.next).abs() <= apart {
            return t;
        }
        self.inputs.begin();
        self.inputs.settle(t, apart, t + HORIZON);
        self.next =
            self.inputs.next_breaks(apart).map_or(f64::INFINITY, |(first, _)| first).min(self.inputs.known_to());
        self.next
    }

    fn pass_break(&mut self, t: f64, _: &mut [f64]) -> Result<bool, EvalError> {
        let is_there = (t - self.next).abs() <= SAME * t.abs();
        if is_there {
            (self.passed, self.next) = (t, f64::INFINITY);
        }
        Ok(is_there)
    }

    fn save(&self, store: &mut Vec<f64>) {
        store.extend([self.passed, self.next]);
    }

    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        let [passed, next] = *store else {
            let element = "the linear system".to_owned();
            let reason = "what was saved belongs to another system".to_owned();
            return Err(EvalError::Fatal { element, time: f64::NAN, reason });
        };
        (self.passed, self.next) = (passed, next);
        Ok(())
    }
}

impl Equations for LinearEquations {
    fn ode(&self) -> &dyn Ode {
        self
    }

    fn ode_mut(&mut self) -> &mut dyn Ode {
        self
    }

    fn variables(&self) -> (Vec<Variable>, Vec<Variable>) {
        self.variables.clone()
    }

    fn units(&self) -> Vec<String> {
        vec![String::new(); self.unknowns.len()]
    }

    fn is_driven(&self, i: usize) -> bool {
        self.external.iter().any(|&k| self.system.b()[(i, k)] != 0.0)
    }

    fn drive(&mut self, t: f64, inputs: &Polynomials) -> Result<(), Error> {
        self.given = (t, inputs.to_vec());
        Ok(())
    }

    fn observe(&mut self, t: f64, y: &[f64], values: &mut [f64]) -> Result<(), Error> {
        self.sample(t);
        self.inputs.check()?;
        let (x, u) = (DVectorView::from_slice(y, y.len()), DVectorView::from_slice(&self.u, self.u.len()));
        let rows = self.system.c() * x + self.system.d() * u;
        self.shown.fill(&self.compiled, t, rows.as_slice(), &self.u);
        values.copy_from_slice(self.shown.columns());
        Ok(())
    }

    fn retuned(&mut self, document: &Document, t: f64, y: &[f64], inputs: &Polynomials) -> Result<Start, Error> {
        let Some(model) = document.linear() else {
            return Err(Error::NotForKind { setting: "other parameters", kind: document.kind() });
        };
        let start = Self::begin(model, t, Some(y.to_vec()), inputs)?;
        let own = start.equations.ode().dimension();
        if own != self.unknowns.len() {
            return Err(Error::NotForKind { setting: "another number of states", kind: "linear" });
        }
        Ok(start)
    }
}
