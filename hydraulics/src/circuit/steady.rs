//! Where a circuit starts: from the model's values, or in the steady state F(t, y, 0) = 0.
//!
//! The steady state is sought by Newton's method from the model's values; if that fails, pseudo-transient continuation (implicit Euler
//! steps that grow as the residual falls: Kelley and Keyes, *SIAM J. Numer. Anal.* 35 (1998) 508) leads to where Newton's method works.

use super::{Circuit, Point};
use crate::error::Error;
use fourbar_linalg::newton::{Equations, Newton, NewtonOptions, Outcome};
use fourbar_linalg::{Calahan, CalahanOptions};
use fourbar_multibody::dae::{Dae, EvalError, Kind};

const STEADY: &str = "the steady state";
const JUNCTIONS: &str = "the junction pressures";
/// Most pseudo-transient steps.
const TRANSIENT_STEPS: usize = 2000;
/// Rate 1/h of the first pseudo-transient step, and that below which Newton's method takes over [1/s].
const TRANSIENT_RATES: [f64; 2] = [1e5, 1e-4];

impl Circuit {
    /// The model's start values with junction pressures that balance, and the derivatives that follow.
    ///
    /// # Errors
    /// Junction pressures that are not determined or not found; a point that cannot be evaluated.
    pub fn start(&mut self, t: f64) -> Result<Point, Error> {
        let y = self.plan.start.clone();
        self.complete(t, y)
    }

    /// `y` (n entries) with junction pressures that balance, and the derivatives that follow.
    ///
    /// # Errors
    /// As [`Circuit::start`]; [`Error::NotFinite`] for entries that are not numbers or are missing.
    pub fn complete(&mut self, t: f64, mut y: Vec<f64>) -> Result<Point, Error> {
        self.check_length(&mut y)?;
        self.fill_at_rest(t, &y)?;
        if self.plan.unknowns.iter().any(|unknown| unknown.kind == Kind::Algebraic) {
            let fixed = y.clone();
            self.newton(t, &mut y, JUNCTIONS, Some(&fixed))?;
        }
        let mut yp = vec![0.0; y.len()];
        let mut residual = yp.clone();
        self.residual(t, &y, &yp, &mut residual)?;
        for (i, unknown) in self.plan.unknowns.iter().enumerate() {
            if unknown.kind != Kind::Algebraic {
                // F = y' - f(t, y), evaluated at y' = 0.
                yp[i] = -residual[i];
            }
        }
        Ok(Point { y, yp })
    }

    /// The steady state for the inputs at t = `t` \[s\], sought from the model's start values.
    ///
    /// # Errors
    /// [`Error::Undetermined`] names what nothing determines, [`Error::NotFound`] the volume farthest from balance.
    pub fn steady(&mut self, t: f64) -> Result<Point, Error> {
        let guess = self.plan.start.clone();
        self.steady_from(t, guess)
    }

    /// As [`Circuit::steady`], sought from `guess` (n entries).
    ///
    /// # Errors
    /// As [`Circuit::steady`]; [`Error::NotFinite`] for entries that are not numbers or are missing.
    pub fn steady_from(&mut self, t: f64, guess: Vec<f64>) -> Result<Point, Error> {
        let mut y = guess;
        self.check_length(&mut y)?;
        // Waves have passed to and fro for long: a transmission line is its resistance.
        self.work.waves.steady = true;
        let found = self.balance(t, &mut y).and_then(|()| Ok(self.work.values(&self.plan, t, &y)?));
        self.work.waves.steady = false;
        found?;
        for k in 0..self.plan.lines.len() {
            let left = self.work.leaving(&self.plan, k);
            self.work.waves.fill(k, t, left);
        }
        let yp = vec![0.0; y.len()];
        Ok(Point { y, yp })
    }

    /// Newton's method from y, and where it fails, pseudo-transient steps before it.
    fn balance(&mut self, t: f64, y: &mut [f64]) -> Result<(), Error> {
        let guess = y.to_vec();
        if self.newton(t, y, STEADY, None).is_ok() {
            return Ok(());
        }
        y.copy_from_slice(&guess);
        self.transient(t, y)?;
        self.newton(t, y, STEADY, None)
    }

    /// Lets half of each transmission line be at rest under the pressure at its end.
    fn fill_at_rest(&mut self, t: f64, y: &[f64]) -> Result<(), Error> {
        if self.plan.lines.is_empty() {
            return Ok(());
        }
        self.work.waves.steady = true;
        let evaluated = self.work.values(&self.plan, t, y);
        self.work.waves.steady = false;
        evaluated?;
        for k in 0..self.plan.lines.len() {
            let ends = self.work.ends(&self.plan, k);
            self.work.waves.fill(k, t, ends);
        }
        Ok(())
    }

    fn check_length(&self, y: &mut Vec<f64>) -> Result<(), Error> {
        y.resize(self.plan.unknowns.len(), f64::NAN);
        match y.iter().position(|y| !y.is_finite()) {
            Some(i) => Err(Error::NotFinite { what: self.plan.names[i].0.clone(), value: y[i] }),
            None => Ok(()),
        }
    }

    /// Newton's method on F(t, y, 0) = 0, or with `fixed` on the junctions alone, the other unknowns staying there.
    fn newton(&mut self, t: f64, y: &mut [f64], search: &'static str, fixed: Option<&[f64]>) -> Result<(), Error> {
        let options = NewtonOptions { max_iterations: 100, ..NewtonOptions::default() };
        let linear = |source| Error::Linear { search, time: t, source };
        let mut newton = Newton::new(y.len(), options).map_err(linear)?;
        let mut balance = Balance::new(self, t, search, fixed);
        let outcome = newton.solve(&mut balance, y)?;
        match outcome {
            Outcome::Converged { .. } => Ok(()),
            _ => Err(self.not_found(t, y, search, outcome.figures().iterations)),
        }
    }

    /// Implicit Euler steps from y towards the steady state.
    fn transient(&mut self, t: f64, y: &mut [f64]) -> Result<(), Error> {
        let n = y.len();
        let (mut residual, mut trial) = (vec![0.0; n], vec![0.0; n]);
        let [mut rate, last] = TRANSIENT_RATES;
        let mut balance = Balance::new(self, t, STEADY, None);
        balance.circuit.residual(t, y, &balance.rest, &mut residual)?;
        let mut size = balance.imbalance(&residual);
        for _ in 0..TRANSIENT_STEPS {
            if rate <= last || size == 0.0 {
                return Ok(());
            }
            balance.rate = rate;
            balance.refresh(y)?;
            let mut step = residual.clone();
            balance.correct(&mut step)?;
            for ((trial, y), step) in trial.iter_mut().zip(&*y).zip(&step) {
                *trial = y - step;
            }
            let reached = balance.circuit.residual(t, &trial, &balance.rest, &mut residual);
            let next = if reached.is_ok() { balance.imbalance(&residual) } else { f64::INFINITY };
            if next <= 2.0 * size {
                y.copy_from_slice(&trial);
                rate *= (next / size).clamp(0.1, 0.8);
                size = next;
            } else {
                rate *= 10.0;
                balance.circuit.residual(t, y, &balance.rest, &mut residual)?;
            }
        }
        Err(self.not_found(t, y, STEADY, TRANSIENT_STEPS))
    }

    /// The equation farthest from being satisfied.
    fn not_found(&mut self, t: f64, y: &[f64], search: &'static str, iterations: usize) -> Error {
        let n = y.len();
        let mut residual = vec![0.0; n];
        if let Err(error) = self.residual(t, y, &vec![0.0; n], &mut residual) {
            return error.into();
        }
        let scaled = |i: usize| residual[i].abs() / scale(self, i);
        let worst = (0..n).max_by(|&i, &j| scaled(i).total_cmp(&scaled(j))).unwrap_or(0);
        let (equation, imbalance, value) = (self.equation_name(worst), residual[worst], y[worst]);
        Error::NotFound { search, time: t, equation, imbalance, value, iterations }
    }
}

/// Size of a residual: that of the unknown in a second, at a junction a small flow.
fn scale(circuit: &Circuit, i: usize) -> f64 {
    let unknown = &circuit.plan.unknowns[i];
    if unknown.kind == Kind::Algebraic { 1e-4 } else { unknown.typical }
}

/// F(t, y, 0) = 0 for Newton's method.
struct Balance<'a> {
    circuit: &'a mut Circuit,
    time: f64,
    search: &'static str,
    /// Where the differential unknowns stay, if only junctions are sought.
    fixed: Option<&'a [f64]>,
    /// c of dF/dy + c dF/dy'.
    rate: f64,
    rest: Vec<f64>,
    values: Vec<f64>,
    factors: Option<Calahan>,
}

impl<'a> Balance<'a> {
    fn new(circuit: &'a mut Circuit, time: f64, search: &'static str, fixed: Option<&'a [f64]>) -> Self {
        let (rest, values) = (vec![0.0; circuit.dimension()], vec![0.0; circuit.pattern().nnz()]);
        Self { circuit, time, search, fixed, rate: 0.0, rest, values, factors: None }
    }

    fn imbalance(&self, residual: &[f64]) -> f64 {
        residual.iter().enumerate().map(|(i, r)| r.abs() / scale(self.circuit, i)).fold(0.0, f64::max)
    }

    fn failed(&self, source: fourbar_linalg::Error) -> Error {
        match source {
            fourbar_linalg::Error::Singular { row, column, .. } => Error::Undetermined {
                search: self.search,
                time: self.time,
                unknown: self.circuit.unknown_name(column),
                equation: self.circuit.equation_name(row),
            },
            source => Error::Linear { search: self.search, time: self.time, source },
        }
    }

    /// Rows of differential unknowns become those of the identity.
    fn fix_rows(&mut self) {
        let plan = &self.circuit.plan;
        for ((column, row), value) in plan.layout.pattern.entries().zip(&mut self.values) {
            if plan.unknowns[row].kind != Kind::Algebraic {
                *value = if row == column { 1.0 } else { 0.0 };
            }
        }
    }
}

impl Equations for Balance<'_> {
    type Error = Error;

    fn dimension(&self) -> usize {
        self.rest.len()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Error> {
        match self.circuit.residual(self.time, x, &self.rest, residual) {
            Ok(()) => {}
            // A shorter step may lead to where the equations have values.
            Err(EvalError::Recoverable { .. }) => residual.fill(f64::NAN),
            Err(error) => return Err(error.into()),
        }
        if let Some(fixed) = self.fixed {
            for (i, unknown) in self.circuit.plan.unknowns.iter().enumerate() {
                if unknown.kind != Kind::Algebraic {
                    residual[i] = x[i] - fixed[i];
                }
            }
        }
        Ok(())
    }

    fn refresh(&mut self, x: &[f64]) -> Result<(), Error> {
        self.circuit.jacobian(self.time, x, &self.rest, self.rate, &mut self.values)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Component, FlowSource, Model, Node, ReliefValve, Sense, Tank, Volume};

    /// A flow through two relief valves in a row, both shut at the start.
    fn circuit() -> Circuit {
        let volume =
            |name: &str| Node::Volume(Volume { name: name.into(), volume: 1e-3.into(), start: Some(1e5.into()) });
        let relief = |name: &str, from: &str, to: &str, pressure: f64| {
            Component::ReliefValve(ReliefValve {
                name: name.into(),
                from: from.into(),
                to: to.into(),
                pressure: pressure.into(),
                slope: 1e-10.into(),
                band: 100.0.into(),
                sense: Sense::Difference,
            })
        };
        let source = FlowSource { name: "q".into(), from: "tank".into(), to: "a".into(), flow: 1e-3.into() };
        let model = Model {
            nodes: vec![volume("a"), volume("b"), Node::Tank(Tank { name: "tank".into(), pressure: 1e5.into() })],
            components: vec![
                Component::FlowSource(source),
                relief("r1", "a", "b", 5e6),
                relief("r2", "b", "tank", 2e7),
            ],
            ..Model::default()
        };
        Circuit::compile(&model).unwrap()
    }

    #[test]
    fn pseudo_time_leads_to_the_steady_state_from_where_valves_are_shut() {
        let mut circuit = circuit();
        let mut y = circuit.plan.start.clone();
        circuit.transient(0.0, &mut y).unwrap();
        // d = q/k - w^2 k/(4 q) above each set pressure.
        let excess = 1e7 - 1e4 / 4e7;
        assert!((y[1] / (1e5 + 2e7 + excess) - 1.0).abs() < 1e-6, "{y:?}");
        let steady = circuit.steady(0.0).unwrap();
        assert!((steady.y[1] / (1e5 + 2e7 + excess) - 1.0).abs() < 1e-12);
        assert!((steady.y[0] / (1e5 + 2.5e7 + 2.0 * excess) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_guess_that_is_too_short_is_named() {
        let mut circuit = circuit();
        let error = circuit.steady_from(0.0, vec![1e7]).unwrap_err();
        assert!(matches!(error, Error::NotFinite { ref what, .. } if what == "b.pressure"), "{error}");
    }
}
