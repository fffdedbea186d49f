//! Equations of motion in coordinates of their own: M(q) v' + G^T lambda = f(t, q, v), 0 = g(t, q), q' = v, as index 3 (`i3`) and as the
//! stabilized index 2 of Gear, Gupta and Leimkuhler (`si2`; J. Comput. Appl. Math. 12 (1985) 77), where q' = v - G^T mu, and as index 1 (`si1`),
//! where lambda and mu are the derivatives of unknowns.

use super::{FLOOR, System, full};
use fourbar_multibody::dae::{Dae, Differences, EvalError, Unknown};
use fourbar_multibody::formulation::{Formulation, kinds};
use nalgebra_sparse::pattern::SparsityPattern;

/// A mechanism in its own coordinates.
pub(super) trait Law: 'static {
    /// Number n of coordinates.
    const COORDINATES: usize;
    /// Number m of constraints.
    const ROWS: usize;

    /// q, v, v' and lambda at t = 0.
    fn start() -> [Vec<f64>; 4];

    /// Writes M v' - f, n entries.
    fn dynamics(t: f64, q: &[f64], v: &[f64], a: &[f64], residual: &mut [f64]);

    /// Writes g (m entries), G (m rows of n entries) and dg/dt (m entries).
    fn constraints(t: f64, q: &[f64], rows: &mut Rows);
}

/// Constraints at a point.
pub(super) struct Rows {
    pub(super) value: Vec<f64>,
    /// Row by row.
    pub(super) gradient: Vec<f64>,
    pub(super) drift: Vec<f64>,
}

/// A law in a formulation. Unknowns are q, v, lambda and, for `si2`, mu; for `si1` the integrals of these two.
pub(super) struct Constrained<L: Law> {
    unknowns: Vec<Unknown>,
    pattern: SparsityPattern,
    equations: Equations<L>,
    differences: Differences,
}

struct Equations<L> {
    formulation: Formulation,
    rows: Rows,
    law: std::marker::PhantomData<L>,
}

impl<L: Law> Constrained<L> {
    /// In the formulation of this name; none if these equations do not have it.
    pub(super) fn boxed(formulation: &str) -> Option<Box<dyn System>> {
        let formulation = Formulation::from_name(formulation)?;
        let has = matches!(formulation, Formulation::I3 | Formulation::Si2 | Formulation::Si1);
        has.then(|| Box::new(Self::new(formulation)) as _)
    }

    fn new(formulation: Formulation) -> Self {
        let (n, m) = (L::COORDINATES, L::ROWS);
        let unknown = |kind, error_tested, scale_power| Unknown { kind, error_tested, scale_power, typical: 1.0 };
        let (stabilized, integrated) = (formulation != Formulation::I3, formulation == Formulation::Si1);
        let velocity_power = u8::from(!stabilized);
        let power = if integrated { 0 } else { 1 + velocity_power };
        let (multiplier, stabilizer) = if integrated {
            (kinds::MULTIPLIER_INTEGRAL, kinds::STABILIZER_INTEGRAL)
        } else {
            (kinds::MULTIPLIER, kinds::STABILIZER)
        };
        let mut unknowns = vec![unknown(kinds::POSITION, true, 0); n];
        unknowns.extend(vec![unknown(kinds::VELOCITY, stabilized, velocity_power); n]);
        unknowns.extend(vec![unknown(multiplier, integrated, power); m]);
        if stabilized {
            unknowns.extend(vec![unknown(stabilizer, integrated, power); m]);
        }
        let pattern = full(unknowns.len());
        let floors = vec![FLOOR; unknowns.len()];
        let rows = Rows { value: vec![0.0; m], gradient: vec![0.0; m * n], drift: vec![0.0; m] };
        Self {
            differences: Differences::new(&pattern, &floors),
            pattern,
            unknowns,
            equations: Equations { formulation, rows, law: std::marker::PhantomData },
        }
    }
}

impl<L: Law> Equations<L> {
    fn stabilized(&self) -> bool {
        self.formulation != Formulation::I3
    }

    /// lambda and, of the stabilized ones, mu.
    fn multipliers<'a>(&self, y: &'a [f64], yp: &'a [f64]) -> &'a [f64] {
        let own = if self.formulation == Formulation::Si1 { yp } else { y };
        &own[2 * L::COORDINATES..]
    }

    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) {
        let (n, m) = (L::COORDINATES, L::ROWS);
        let (q, v) = (&y[..n], &y[n..2 * n]);
        let (stabilized, multipliers) = (self.stabilized(), self.multipliers(y, yp));
        L::constraints(t, q, &mut self.rows);
        let (kinematic, rest) = residual.split_at_mut(n);
        let (dynamic, constraints) = rest.split_at_mut(n);
        L::dynamics(t, q, v, &yp[n..2 * n], dynamic);
        let gradient = &self.rows.gradient;
        for i in 0..n {
            kinematic[i] = yp[i] - v[i];
            for k in 0..m {
                dynamic[i] += gradient[k * n + i] * multipliers[k];
                if stabilized {
                    kinematic[i] += gradient[k * n + i] * multipliers[m + k];
                }
            }
        }
        constraints[..m].copy_from_slice(&self.rows.value);
        if stabilized {
            (0..m).for_each(|k| constraints[m + k] = self.rate(k, v));
        }
    }

    /// G v + dg/dt of row k.
    fn rate(&self, k: usize, v: &[f64]) -> f64 {
        let gradient = &self.rows.gradient[k * v.len()..(k + 1) * v.len()];
        self.rows.drift[k] + gradient.iter().zip(v).map(|(g, v)| g * v).sum::<f64>()
    }
}

impl<L: Law> Dae for Constrained<L> {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        self.equations.residual(t, y, yp, residual);
        Ok(())
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        let equations = &mut self.equations;
        self.differences.evaluate(&self.pattern, y, yp, c, values, |y, yp, residual| {
            equations.residual(t, y, yp, residual);
            Ok(())
        })
    }
}

impl<L: Law> System for Constrained<L> {
    fn start(&self) -> [Vec<f64>; 2] {
        let [q, v, a, multipliers] = L::start();
        let zeros = vec![0.0; if self.equations.stabilized() { L::ROWS } else { 0 }];
        let nothing = vec![0.0; L::ROWS];
        if self.equations.formulation == Formulation::Si1 {
            return [[q, v.clone(), nothing, zeros.clone()].concat(), [v, a, multipliers, zeros].concat()];
        }
        [[q, v.clone(), multipliers, zeros.clone()].concat(), [v, a, nothing, zeros].concat()]
    }
    /// q, v, v', lambda: the last two as the integrator has them.
    fn values(&mut self, _: f64, y: &[f64], yp: &[f64], values: &mut [f64]) {
        let (n, m) = (L::COORDINATES, L::ROWS);
        values[..2 * n].copy_from_slice(&y[..2 * n]);
        values[2 * n..3 * n].copy_from_slice(&yp[n..2 * n]);
        values[3 * n..].copy_from_slice(&self.equations.multipliers(y, yp)[..m]);
    }
    fn violation(&mut self, t: f64, y: &[f64]) -> Option<[f64; 2]> {
        let n = L::COORDINATES;
        L::constraints(t, &y[..n], &mut self.equations.rows);
        let value = self.equations.rows.value.iter().fold(0.0_f64, |worst, value| worst.max(value.abs()));
        let rate = (0..L::ROWS).fold(0.0_f64, |worst, k| worst.max(self.equations.rate(k, &y[n..2 * n]).abs()));
        Some([value, rate])
    }
    fn dae(&mut self) -> &mut dyn Dae {
        self
    }
}
