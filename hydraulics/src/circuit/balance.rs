//! The search for balance, in which the flows into each node add up to zero and no state changes: Newton's method, and where that fails,
//! pseudo-transient continuation (Kelley and Keyes, *SIAM J. Numer. Anal.* 35 (1998) 508) before it.
//!
//! The pressure of a volume changes by E(p)/V times its flows, which vanishes with E as well: where the fluid evaporates, and where the law of entrained air
//! or that of a hose ends. So flows are balanced, not rates. Valves that are shut make them nearly flat, and Newton's steps leave all range. A step
//! of implicit Euler, in which the flows add up to C (p - p_0)/h, is bounded by what flows in in the time h; h grows while Newton's method solves
//! such steps and shrinks where it does not. The capacity C of a node is that of its volume at a working pressure, V/E.

use super::Circuit;
use super::steady::JUNCTIONS;
use crate::circuit::plan::Place;
use crate::error::Error;
use fourbar_dae::interrupt::{self, Interrupt};
use fourbar_dae::{Dae, EvalError, Kind};
use fourbar_linalg::newton::{Equations, Newton, NewtonOptions, Outcome};
use fourbar_linalg::{Calahan, CalahanOptions};

/// Most steps of pseudo-time.
const STEPS: usize = 400;
/// Rate 1/h of the first step [1/s].
const FIRST_RATE: f64 = 1e5;
/// Rate below which Newton's method is tried on the balance itself, and that at which the search ends [1/s].
const LAST_RATES: [f64; 2] = [1e-1, 1e-9];
/// Shorter steps than this lead nowhere [1/s].
const HIGHEST_RATE: f64 = 1e15;
/// Corrections in a step: where more are needed, a shorter one is cheaper.
const CORRECTIONS: usize = 15;
/// Times that Newton's method begins anew where a fresh Jacobian does not confirm its end.
const ROUNDS: usize = 20;
/// Correction with a fresh Jacobian, in the norm of Newton's method, up to which it does.
const CONFIRMED: f64 = 1e-9;
/// Corrections at most after Newton's method has converged.
const POLISHES: usize = 2;
/// Fluid in a junction, in pseudo-time [m^3].
const VOLUME: f64 = 1e-4;
/// Pressure at which the modulus says what a pressure can be at most \[Pa\].
const WORKING_PRESSURE: f64 = 1e7;

impl Circuit {
    /// y for which F(t, y, 0) = 0, or with `fixed` the equations of the junctions alone, the other unknowns staying there.
    pub(super) fn balance(
        &mut self,
        t: f64,
        y: &mut [f64],
        search: &'static str,
        fixed: Option<&[f64]>,
    ) -> Result<(), Error> {
        let guess = y.to_vec();
        let result = match self.newton(t, y, search, fixed) {
            Ok(()) => Ok(()),
            Err(first) => {
                y.copy_from_slice(&guess);
                self.transient(t, y, search, fixed).map_err(|later| match first {
                    Error::Undetermined { .. } => first,
                    _ => later,
                })
            }
        };
        result.and_then(|()| self.check_range(t, y, search))
    }

    /// Lets junction pressures follow the other unknowns in `yp`: G y' = 0 for the rows G of the junctions. A first step that took them to be at rest
    /// beside a small volume would have to be shorter than any is.
    pub(super) fn move_junctions(&mut self, t: f64, y: &[f64], yp: &mut [f64]) {
        let mut balance = Balance::new(self, t, JUNCTIONS, Some(y));
        if (0..yp.len()).any(|i| balance.is_junction(i)) && balance.refresh(y).is_ok() {
            let mut speed = yp.to_vec();
            if balance.correct(&mut speed).is_ok() && speed.iter().all(|speed| speed.is_finite()) {
                yp.copy_from_slice(&speed);
            }
        }
    }

    /// Refuses pressures that were sought and at which the fluid would have evaporated; with `fixed` those of junctions were.
    pub(super) fn check_tension(&self, t: f64, y: &[f64], search: &'static str, fixed: bool) -> Result<(), Error> {
        let vapor = self.plan.fluid.evaporation.pressure;
        for node in self.plan.nodes.iter().filter(|node| !(fixed && node.stores)) {
            if let Place::Unknown(i) = node.place
                && !(y[i] >= vapor)
            {
                let (name, stores) = (node.name.clone(), node.stores);
                return Err(Error::Cavitates { search, time: t, node: name, pressure: y[i], vapor, stores });
            }
        }
        Ok(())
    }

    /// Newton's method from y, begun anew until a fresh Jacobian confirms the end: that of an open valve takes a shut one's whole leak for
    /// a correction of nothing.
    fn newton(&mut self, t: f64, y: &mut [f64], search: &'static str, fixed: Option<&[f64]>) -> Result<(), Error> {
        let options = NewtonOptions { max_iterations: 100, ..NewtonOptions::default() };
        let linear = |source| Error::Linear { search, time: t, source };
        let mut newton = Newton::new(y.len(), options).map_err(linear)?;
        let mut balance = Balance::new(self, t, search, fixed);
        let mut iterations = 0;
        for _ in 0..ROUNDS {
            let outcome = newton.solve(&mut balance, y)?;
            iterations += outcome.statistics().iterations;
            // From a guess that is right already no correction shrinks.
            if matches!(balance.correction(y), Ok(size) if size <= CONFIRMED) {
                return balance.polish(y);
            }
            if !outcome.is_converged() {
                break;
            }
        }
        Err(self.not_found(t, y, search, iterations))
    }

    /// Steps of pseudo-time from y to the balance.
    pub(super) fn transient(
        &mut self,
        t: f64,
        y: &mut [f64],
        search: &'static str,
        fixed: Option<&[f64]>,
    ) -> Result<(), Error> {
        let options = NewtonOptions { max_iterations: CORRECTIONS, ..NewtonOptions::default() };
        let linear = |source| Error::Linear { search, time: t, source };
        let mut newton = Newton::new(y.len(), options).map_err(linear)?;
        let mut trial = y.to_vec();
        let [calm, last] = LAST_RATES;
        let mut rate = FIRST_RATE;
        for _ in 0..STEPS {
            interrupt::check(&Interrupt::never(), t)?;
            trial.copy_from_slice(y);
            let outcome = {
                let mut balance = Balance::new(self, t, search, fixed);
                balance.begin(rate, y)?;
                newton.solve(&mut balance, &mut trial)
            };
            match outcome {
                Ok(Outcome::Converged { statistics, .. }) => {
                    y.copy_from_slice(&trial);
                    self.check_range(t, y, search)?;
                    if rate <= calm && self.newton(t, &mut trial, search, fixed).is_ok() {
                        y.copy_from_slice(&trial);
                        return Ok(());
                    }
                    rate /= if statistics.iterations <= 4 { 8.0 } else { 2.5 };
                }
                _ => rate *= 6.0,
            }
            if !(last..=HIGHEST_RATE).contains(&rate) {
                break;
            }
        }
        trial.copy_from_slice(y);
        self.newton(t, &mut trial, search, fixed)?;
        y.copy_from_slice(&trial);
        Ok(())
    }

    /// The equation farthest from being satisfied.
    fn not_found(&mut self, t: f64, y: &[f64], search: &'static str, iterations: usize) -> Error {
        let n = y.len();
        let mut residual = vec![0.0; n];
        if let Err(error) = Balance::new(self, t, search, None).residual(y, &mut residual) {
            return error;
        }
        let scaled = |i: usize| residual[i].abs() / scale(self, i);
        let worst = (0..n).max_by(|&i, &j| scaled(i).total_cmp(&scaled(j))).unwrap_or(0);
        let (equation, imbalance, value) = (self.equation_name(worst), residual[worst], y[worst]);
        Error::NotFound { search, time: t, equation, imbalance, value, iterations }
    }

    /// Refuses pressures that would compress the fluid to nothing, or tear it as much: they balance a flow only through the leaks of valves that
    /// are shut.
    fn check_range(&self, t: f64, y: &[f64], search: &'static str) -> Result<(), Error> {
        let limit = self.largest_pressure();
        for node in &self.plan.nodes {
            if let Place::Unknown(i) = node.place
                && !(y[i].abs() <= limit)
            {
                let stores = node.stores;
                let (node, pressure, vapor) = (node.name.clone(), y[i], self.plan.fluid.evaporation.pressure);
                return Err(if pressure < vapor {
                    Error::Cavitates { search, time: t, node, pressure, vapor, stores }
                } else {
                    Error::Blocked { search, time: t, node, pressure }
                });
            }
        }
        Ok(())
    }

    fn largest_pressure(&self) -> f64 {
        let modulus = self.plan.fluid.bulk_modulus(WORKING_PRESSURE);
        if modulus > WORKING_PRESSURE { modulus } else { f64::MAX }
    }

    /// Whether unknown i is the pressure of a node.
    fn is_pressure(&self, i: usize) -> bool {
        self.plan.nodes.iter().any(|node| matches!(node.place, Place::Unknown(p) if p == i))
    }
}

/// Size of a residual: that of the unknown in a second, at a node a small flow.
fn scale(circuit: &Circuit, i: usize) -> f64 {
    if circuit.is_pressure(i) { 1e-4 } else { circuit.plan.unknowns[i].typical }
}

/// F(t, y, 0) = 0 for Newton's method, or a step of pseudo-time towards it.
struct Balance<'a> {
    circuit: &'a mut Circuit,
    time: f64,
    search: &'static str,
    /// Where the differential unknowns stay, if only junctions are sought.
    fixed: Option<&'a [f64]>,
    /// Of a step of pseudo-time: where it begins, and its rate 1/h [1/s]; 0 for the balance itself.
    before: Vec<f64>,
    rate: f64,
    /// C of each node [m^3/Pa].
    capacity: Vec<f64>,
    /// y'.
    speed: Vec<f64>,
    values: Vec<f64>,
    factors: Option<Calahan>,
}

impl<'a> Balance<'a> {
    fn new(circuit: &'a mut Circuit, time: f64, search: &'static str, fixed: Option<&'a [f64]>) -> Self {
        let (zero, values) = (vec![0.0; circuit.dimension()], vec![0.0; circuit.pattern().nnz()]);
        let capacity = vec![0.0; circuit.plan.nodes.len()];
        let (before, speed) = (zero.clone(), zero);
        Self { circuit, time, search, fixed, before, rate: 0.0, capacity, speed, values, factors: None }
    }

    /// Makes it a step of pseudo-time from y at the rate 1/h.
    fn begin(&mut self, rate: f64, y: &[f64]) -> Result<(), Error> {
        (self.rate, self.before) = (rate, y.to_vec());
        let Circuit { plan, work, .. } = &mut *self.circuit;
        work.values(plan, self.time, y)?;
        let modulus = plan.fluid.bulk_modulus(WORKING_PRESSURE);
        for ((capacity, node), [_, volume]) in self.capacity.iter_mut().zip(&plan.nodes).zip(&work.balance) {
            *capacity = if node.stores { *volume } else { VOLUME } / modulus;
        }
        Ok(())
    }

    /// The unknown pressures: index and capacity of each, and the flow into its node where the circuit was evaluated.
    fn pressures(&self) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
        let nodes = self.circuit.plan.nodes.iter().zip(&self.capacity).zip(&self.circuit.work.balance);
        nodes.filter_map(|((node, &capacity), &[flow, _])| match node.place {
            Place::Unknown(i) => Some((i, capacity, flow)),
            Place::Held(_) => None,
        })
    }

    /// Size of the correction at y with its own Jacobian.
    fn correction(&mut self, y: &[f64]) -> Result<f64, Error> {
        let mut correction = vec![0.0; y.len()];
        self.residual(y, &mut correction)?;
        self.refresh(y)?;
        self.correct(&mut correction)?;
        Ok(self.norm(&correction))
    }

    /// Corrects y once or twice more: Newton's method ends when the pressures hardly change any more, and in a wide gap the flow still does.
    /// The largest imbalance may be round-off already, and grow a little, while small ones still fall.
    fn polish(&mut self, y: &mut [f64]) -> Result<(), Error> {
        let mut residual = vec![0.0; y.len()];
        self.residual(y, &mut residual)?;
        let mut size = self.imbalance(&residual);
        for _ in 0..POLISHES {
            self.refresh(y)?;
            self.correct(&mut residual)?;
            let trial: Vec<f64> = y.iter().zip(&residual).map(|(y, d)| y - d).collect();
            self.residual(&trial, &mut residual)?;
            let next = self.imbalance(&residual);
            if !(next <= 2.0 * size) {
                break;
            }
            y.copy_from_slice(&trial);
            size = next;
        }
        Ok(())
    }

    fn imbalance(&self, residual: &[f64]) -> f64 {
        residual.iter().enumerate().map(|(i, r)| r.abs() / scale(self.circuit, i)).fold(0.0, f64::max)
    }

    fn is_junction(&self, i: usize) -> bool {
        self.circuit.plan.unknowns[i].kind == Kind::ALGEBRAIC
    }

    fn failed(&self, source: fourbar_linalg::Error) -> Error {
        match source {
            fourbar_linalg::Error::Singular { row, column, .. } => Error::Undetermined {
                search: self.search,
                time: self.time,
                unknown: self.circuit.unknown_name(column),
                equation: self.circuit.equation_name(row),
                remedy: self.circuit.plan.remedy(column),
            },
            source => Error::Linear { search: self.search, time: self.time, source },
        }
    }

    /// Rows of differential unknowns become those of the identity.
    fn fix_rows(&mut self) {
        let plan = &self.circuit.plan;
        for ((column, row), value) in plan.layout.pattern.entries().zip(&mut self.values) {
            if plan.unknowns[row].kind != Kind::ALGEBRAIC {
                *value = if row == column { 1.0 } else { 0.0 };
            }
        }
    }
}

impl Equations for Balance<'_> {
    type Error = Error;

    fn dimension(&self) -> usize {
        self.speed.len()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Error> {
        for ((speed, x), before) in self.speed.iter_mut().zip(x).zip(&self.before) {
            *speed = self.rate * (x - before);
        }
        match self.circuit.residual(self.time, x, &self.speed, residual) {
            Ok(()) => {}
            // A shorter step may lead to where the equations have values.
            Err(EvalError::Recoverable { .. }) => residual.fill(f64::NAN),
            Err(error) => return Err(error.into()),
        }
        for (i, capacity, flow) in self.pressures() {
            // What cannot be evaluated stays so.
            if residual[i].is_finite() {
                residual[i] = flow - capacity * self.speed[i];
            }
        }
        if let Some(fixed) = self.fixed {
            for (i, residual) in residual.iter_mut().enumerate().filter(|(i, _)| !self.is_junction(*i)) {
                *residual = x[i] - fixed[i];
            }
        }
        Ok(())
    }

    fn refresh(&mut self, x: &[f64]) -> Result<(), Error> {
        let Circuit { plan, work, .. } = &mut *self.circuit;
        work.derivatives(plan, self.time, x)?;
        self.values.fill(0.0);
        plan.fill_states(self.rate, &mut self.values);
        work.scatter(plan, |_| None, &mut self.values);
        for (node, capacity) in plan.nodes.iter().zip(&self.capacity) {
            if let Place::Unknown(i) = node.place {
                self.values[plan.layout.diagonal[i]] -= capacity * self.rate;
            }
        }
        if self.fixed.is_some() {
            self.fix_rows();
        }
        let result = match &mut self.factors {
            Some(factors) => factors.refactor(&self.values).map(|_| ()),
            None => Calahan::new(self.circuit.pattern(), &self.values, &CalahanOptions::default())
                .map(|factors| self.factors = Some(factors)),
        };
        result.map_err(|error| self.failed(error))
    }

    fn correct(&mut self, r: &mut [f64]) -> Result<(), Error> {
        if let Some(factors) = &mut self.factors {
            factors.solve(r);
        }
        Ok(())
    }

    fn norm(&self, d: &[f64]) -> f64 {
        let typical = self.circuit.plan.unknowns.iter().map(|unknown| unknown.typical);
        let sizes = d.iter().zip(typical).map(|(d, typical)| (d / typical).abs());
        sizes.fold(0.0, |max, v| if v > max || v.is_nan() { v } else { max })
    }
}
