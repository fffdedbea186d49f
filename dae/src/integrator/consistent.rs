//! A start that satisfies the equations: y' of the differential unknowns and the algebraic unknowns, where the differential ones are given.
//!
//! Solves F(t, y, y') = 0 for z = (y'_d, y_a), the differential unknowns y_d held (Brown, Hindmarsh, Petzold, *SIAM J. Sci. Comput.* 19 (1998)
//! 1495, problem 1). The matrix has the columns dF/dy' of the former and dF/dy of the latter; it is regular where the system has index 1.

use fourbar_linalg::newton::{self, IterationStatistics, Newton, NewtonOptions, Outcome};
use fourbar_linalg::{Calahan, CalahanOptions};

use super::corrector::{failure_of, shares};
use super::error::{Cause, Error, Share};
use super::start::check_start;
use crate::dae::{Dae, EvalError, Kind, Role};

/// Size of the error left, relative to the magnitude of an unknown or its typical one.
const TOLERANCE: f64 = 1e-11;

/// Makes a start consistent: keeps t and y of the differential unknowns, and finds their y' and y of the algebraic ones (multipliers among
/// them), beginning at what `y` and `yp` hold (n entries each; y' of algebraic unknowns is left as it is). Says what it cost.
///
/// For systems y' = f(t, y) written as F = 0 and for systems of index 1; in one of higher index the constraints and their derivatives
/// have to be satisfied by the caller.
///
/// # Errors
/// [`Error::Length`], [`Error::NotFinite`]; [`Error::Evaluation`] if an evaluation fails; [`Error::Start`] names the equation and the unknown
/// where the system is singular, or says that the iteration does not converge: `y` and `yp` are then as before.
pub fn consistent_start<D: Dae>(
    dae: &mut D,
    time: f64,
    y: &mut [f64],
    yp: &mut [f64],
) -> Result<IterationStatistics, Error> {
    check_start(dae, time, y, yp)?;
    let n = dae.dimension();
    let differential: Vec<bool> = dae.unknowns().iter().map(|unknown| is_differential(unknown.kind)).collect();
    let mut z: Vec<f64> = (0..n).map(|i| if differential[i] { yp[i] } else { y[i] }).collect();
    let mut scales: Vec<f64> = dae.unknowns().iter().map(|unknown| unknown.typical).collect();
    scales.iter_mut().zip(&z).for_each(|(scale, z)| *scale = scale.max(z.abs()));
    let entries = dae.pattern().nnz();
    let mut start = Start {
        point: [y.to_vec(), yp.to_vec()],
        differential,
        scales,
        values: vec![0.0; entries],
        other: vec![0.0; entries],
        correction: vec![0.0; n],
        matrix: None,
        time,
        dae,
    };
    let options = NewtonOptions { tolerance: TOLERANCE, ..NewtonOptions::default() };
    let mut newton = Newton::new(n, options).map_err(|error| start.fail(singular(error.to_string())))?;
    let outcome = newton.solve(&mut start, &mut z)?;
    if !outcome.is_converged() {
        let cause = match outcome {
            Outcome::NotFinite(_) => start.not_finite(&z),
            _ => Cause::Corrector { increment: outcome.statistics().correction, worst: start.worst() },
        };
        return Err(start.fail(cause));
    }
    start.place(&z);
    y.copy_from_slice(&start.point[0]);
    yp.copy_from_slice(&start.point[1]);
    Ok(outcome.statistics())
}

fn is_differential(kind: Kind) -> bool {
    kind.role() == Role::Differential
}

fn singular(reason: String) -> Cause {
    Cause::Singular { reason, equation: None, unknown: None }
}

/// F(t, y, y') = 0 as equations for z.
struct Start<'a, D> {
    dae: &'a mut D,
    time: f64,
    /// y and y', with z in their places.
    point: [Vec<f64>; 2],
    differential: Vec<bool>,
    /// Magnitudes of z.
    scales: Vec<f64>,
    /// dF/dz, and dF/dy + c dF/dy' on the way to it.
    values: Vec<f64>,
    other: Vec<f64>,
    /// The last correction of z.
    correction: Vec<f64>,
    matrix: Option<Calahan>,
}

impl<D: Dae> Start<'_, D> {
    fn place(&mut self, z: &[f64]) {
        let [y, yp] = &mut self.point;
        for (i, (&z, &differential)) in z.iter().zip(&self.differential).enumerate() {
            if differential {
                yp[i] = z;
            } else {
                y[i] = z;
            }
        }
    }

    fn fail(&self, cause: Cause) -> Error {
        Error::Start { time: self.time, cause }
    }

    /// Names what cannot be evaluated at z: who says so, or else the first equation that is not finite.
    fn not_finite(&mut self, z: &[f64]) -> Cause {
        let mut residual = vec![0.0; z.len()];
        self.place(z);
        let [y, yp] = &self.point;
        if let Err(error) = self.dae.residual(self.time, y, yp, &mut residual) {
            return Cause::Evaluation(error);
        }
        match residual.iter().position(|value| !value.is_finite()) {
            Some(i) => Cause::NotFinite { what: format!("the residual of {}", self.dae.equation_name(i)) },
            None => singular("a correction is not finite".into()),
        }
    }

    fn named(&self, error: fourbar_linalg::Error) -> Error {
        self.fail(failure_of(error).cause(&*self.dae, || self.worst()))
    }

    /// The three unknowns with the largest last corrections, worst first.
    fn worst(&self) -> Vec<Share> {
        let sizes = self.correction.iter().zip(&self.scales).map(|(d, scale)| (d / scale).abs());
        let mut all: Vec<(usize, f64)> = sizes.enumerate().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(3);
        shares(&*self.dae, all)
    }
}

impl<D: Dae> newton::Equations for Start<'_, D> {
    type Error = Error;

    fn dimension(&self) -> usize {
        self.differential.len()
    }

    fn residual(&mut self, z: &[f64], residual: &mut [f64]) -> Result<(), Error> {
        self.place(z);
        let [y, yp] = &self.point;
        match self.dae.residual(self.time, y, yp, residual) {
            Err(EvalError::Recoverable { .. }) if self.matrix.is_some() => {
                // A shorter step along the correction may stay within the domain.
                residual.fill(f64::NAN);
                Ok(())
            }
            other => Ok(other?),
        }
    }

    fn refresh(&mut self, z: &[f64]) -> Result<(), Error> {
        self.place(z);
        let [y, yp] = &self.point;
        self.dae.jacobian(self.time, y, yp, 0.0, &mut self.values)?;
        // Both terms of the sum are to keep their digits where the matrix is differenced.
        let c = self.values.iter().fold(1.0_f64, |max, value| max.max(value.abs()));
        self.dae.jacobian(self.time, y, yp, c, &mut self.other)?;
        let pattern = self.dae.pattern();
        for (j, _) in self.differential.iter().enumerate().filter(|(_, differential)| **differential) {
            let range = pattern.major_offsets()[j]..pattern.major_offsets()[j + 1];
            for (value, other) in self.values[range.clone()].iter_mut().zip(&self.other[range]) {
                *value = (other - *value) / c;
            }
        }
        for (scale, (z, unknown)) in self.scales.iter_mut().zip(z.iter().zip(self.dae.unknowns())) {
            *scale = unknown.typical.max(z.abs());
        }
        let factored = match &mut self.matrix {
            Some(matrix) => matrix.refactor(&self.values).map(|_| ()),
            none => Calahan::new(pattern, &self.values, &CalahanOptions::default()).map(|matrix| *none = Some(matrix)),
        };
        factored.map_err(|error| self.named(error))
    }

    fn correct(&mut self, r: &mut [f64]) -> Result<(), Error> {
        if let Some(matrix) = &mut self.matrix {
            matrix.solve(r);
        }
        self.correction.copy_from_slice(r);
        Ok(())
    }

    fn norm(&self, d: &[f64]) -> f64 {
        d.iter().zip(&self.scales).fold(0.0, |max, (d, scale)| {
            let size = (d / scale).abs();
            if size > max || size.is_nan() { size } else { max }
        })
    }
}
