//! Linearization: a mechanism near a state as dx/dt = A x + B u, y = C x + D u.
//!
//! x = (z, w): small ways of independent coordinates and small changes of their velocities. Derivatives are differences of fourth order,
//! (f(-2h) - 8 f(-h) + 8 f(h) - f(2h))/(12 h), of accelerations and measures at states that satisfy the constraints: about eleven digits.
//! The state need not be at rest: then x is the deviation from the motion, frozen at that time.

use super::reduced::Reduced;
use super::sample::Sampler;
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::space::V3;
use crate::state::State;
use nalgebra::{DMatrix, DVector};

/// Step of the differences, in lengths of the mechanism, rad, and these per second.
const STEP: f64 = 1e-3;
/// Factor and place of each value in a difference of fourth order.
const STENCIL: [(f64, f64); 4] = [(1.0 / 12.0, -2.0), (-8.0 / 12.0, -1.0), (8.0 / 12.0, 1.0), (-1.0 / 12.0, 2.0)];

/// A linearized mechanism with f independent coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearization {
    /// 2 f x 2 f.
    pub a: DMatrix<f64>,
    /// 2 f x inputs, in the order of [`Mechanism::inputs`].
    pub b: DMatrix<f64>,
    /// Measures x 2 f, in the order of [`Mechanism::measures`].
    pub c: DMatrix<f64>,
    /// Measures x inputs.
    pub d: DMatrix<f64>,
    /// The independent coordinates z, 6 b + k: x, y, z of the centre of mass of body b (k = 0, 1, 2), turns about the global axes (3, 4, 5).
    pub coordinates: Vec<usize>,
    /// How the coordinates of all bodies follow the independent ones, 6 bodies x f, rows as in `coordinates`.
    pub basis: DMatrix<f64>,
    /// Mass matrix of the independent coordinates, N^T M N with N the basis, f x f.
    pub mass: DMatrix<f64>,
}

impl Linearization {
    /// Linearizes at `state`, which satisfies the constraints, with `inputs`.
    ///
    /// # Errors
    /// [`Error::Singular`] at a singular position; [`Error::Evaluation`] if a force cannot be evaluated there or nearby.
    pub fn new(mechanism: &Mechanism, state: &State, inputs: &Inputs) -> Result<Self, Error> {
        mechanism.refuse_rolling("linearization")?;
        let mut near = Near {
            reduced: Reduced::new(mechanism, state, inputs)?,
            sampler: Sampler::new(mechanism, state)?,
            mechanism,
            inputs: inputs.clone(),
        };
        let (f, inputs, measures) = (near.reduced.count(), mechanism.inputs().len(), mechanism.measures().len());
        let mut own = Self {
            a: DMatrix::zeros(2 * f, 2 * f),
            b: DMatrix::zeros(2 * f, inputs),
            c: DMatrix::zeros(measures, 2 * f),
            d: DMatrix::zeros(measures, inputs),
            coordinates: near.reduced.independent.clone(),
            basis: near.reduced.basis()?,
            mass: DMatrix::zeros(f, f),
        };
        own.mass = near.reduced.mass(&own.basis);
        for k in 0..2 * f + inputs {
            let column = near.difference(k)?;
            let (accelerations, measured) = (column.rows(0, f), column.rows(f, measures));
            let (upper, lower, column) =
                if k < 2 * f { (&mut own.a, &mut own.c, k) } else { (&mut own.b, &mut own.d, k - 2 * f) };
            upper.view_mut((f, column), (f, 1)).copy_from(&accelerations);
            lower.column_mut(column).copy_from(&measured);
        }
        near.kinematics(state, &mut own);
        Ok(own)
    }

    /// Stiffness matrix K of M z'' + C z' + K z = 0 near a state at rest, f x f.
    #[must_use]
    pub fn stiffness(&self) -> DMatrix<f64> {
        let f = self.coordinates.len();
        -&self.mass * self.a.view((f, 0), (f, f))
    }

    /// Damping matrix C of the same, f x f; gyroscopic terms are in it.
    #[must_use]
    pub fn damping(&self) -> DMatrix<f64> {
        let f = self.coordinates.len();
        -&self.mass * self.a.view((f, f), (f, f))
    }
}

struct Near<'a> {
    mechanism: &'a Mechanism,
    reduced: Reduced<'a>,
    sampler: Sampler,
    inputs: Inputs,
}

impl Near<'_> {
    /// Derivative of accelerations and measures by number `k` of z, w, inputs.
    fn difference(&mut self, k: usize) -> Result<DVector<f64>, Error> {
        let f = self.reduced.count();
        let step = STEP * if k < 2 * f { self.reduced.scale(k % f) } else { self.input(k - 2 * f).abs().max(1.0) };
        let mut sum = DVector::zeros(f + self.mechanism.measures().len());
        for (factor, place) in STENCIL {
            sum.axpy(factor / step, &self.evaluate(k, place * step)?, 1.0);
        }
        Ok(sum)
    }

    fn input(&self, k: usize) -> f64 {
        self.inputs.value(k, self.time())
    }

    fn time(&self) -> f64 {
        self.reduced.time()
    }

    /// Accelerations of the independent coordinates and measures with number `k` changed by `way`.
    fn evaluate(&mut self, k: usize, way: f64) -> Result<DVector<f64>, Error> {
        let f = self.reduced.count();
        let (mut z, mut w) = (vec![0.0; f], self.reduced.velocities.clone());
        let mut inputs = self.inputs.clone();
        if k < f {
            z[k] = way;
        } else if k < 2 * f {
            w[k - f] += way;
        } else {
            let time = self.time();
            let changed = (0..inputs.len()).map(|i| {
                let value = self.inputs.value(i, time) + if i == k - 2 * f { way } else { 0.0 };
                [value, self.inputs.rate(i, time), 0.0]
            });
            inputs.set(self.mechanism, time, changed)?;
        }
        let mut state = self.reduced.state(&z, &w)?;
        self.reduced.accelerations.inputs_mut().clone_from(&inputs);
        self.reduced.accelerations.solve(self.mechanism, &mut state)?;
        let mut values = DVector::zeros(f + self.mechanism.measures().len());
        values.rows_mut(0, f).copy_from(&self.reduced.taken(&state));
        self.sampler.set_inputs(&inputs);
        self.sampler.sample(self.mechanism, &mut state, &mut values.as_mut_slice()[f..])?;
        Ok(values)
    }

    /// dz/dt = w, and of turns p away from a motion that turns itself with omega, A = exp(p) A_0(t): dp/dt = w + omega x p.
    fn kinematics(&self, state: &State, own: &mut Linearization) {
        let f = self.reduced.count();
        let Linearization { a, basis, .. } = own;
        for (row, &coordinate) in self.reduced.independent.iter().enumerate() {
            a[(row, f + row)] = 1.0;
            let (body, axis) = (coordinate / 6, coordinate % 6);
            if axis < 3 {
                continue;
            }
            for column in 0..f {
                let turn = V3::from_fn(|k, _| basis[(6 * body + 3 + k, column)]);
                a[(row, column)] = state.poses[body].w.cross(&turn)[axis - 3];
            }
        }
    }
}
