//! Polyhedral friction: the disc of tangential impulses replaced by a polygon, the law a linear complementarity problem.
//!
//! Stewart and Trinkle, Int. J. Numer. Methods Eng. 39 (1996) 2673; solvability Anitescu and Potra, Nonlinear Dyn. 14 (1997) 231. With d
//! directions t_i of each part of the friction, S_k = sum beta_i t_i and lambda its sliding speed:
//!
//! > 0 <= S_N _|_ u_N >= 0,  0 <= beta_i _|_ t_i . u_k + lambda >= 0,  0 <= lambda _|_ mu S_N - sum beta_i >= 0.
//!
//! The polygon is inscribed: between two directions a share 1 - cos(pi/d) of the strength is missing, and slip is drawn towards
//! directions.

use std::f64::consts::{FRAC_PI_2, TAU};

use nalgebra::{DMatrix, DVector};

use super::cone::Cone;
use crate::{Error, problem::FrictionProblem, problem::Lcp};

/// The polygon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polyhedral {
    /// Number of directions of a part with two rows: even, at least 4. Spinning always has two.
    pub directions: usize,
    /// Angle of the first one from the first row \[rad\].
    pub turn: f64,
}

impl Default for Polyhedral {
    /// Eight directions, along the rows and between them.
    fn default() -> Self {
        Self { directions: 8, turn: 0.0 }
    }
}

/// Order of the largest linear problem: its matrix takes 8 GiB.
const LARGEST: usize = 1 << 15;

/// One variable of the linear problem, as a combination of the rows of its contact.
enum Variable {
    /// S_N, or beta: what it adds to two rows of the frictional problem.
    Impulse { rows: [usize; 2], along: [f64; 2] },
    /// lambda of the directions `first..last`, limited by mu times the variable `normal`.
    Speed { directions: std::ops::Range<usize>, normal: usize, mu: f64 },
}

impl Polyhedral {
    /// The linear problem; its variables are, contact by contact, S_N and then for each part of the friction its beta and lambda.
    ///
    /// # Errors
    /// A number of directions that is odd or below 4, or so large that the matrix would have more than 2^15 rows; a turn that is not finite.
    pub fn lcp(&self, problem: &FrictionProblem) -> Result<Lcp, Error> {
        let variables = self.variables(problem)?;
        let n = variables.len();
        let mut m = DMatrix::zeros(n, n);
        let mut q = DVector::zeros(n);
        for (i, variable) in variables.iter().enumerate() {
            match variable {
                Variable::Impulse { rows, along } => {
                    q[i] = along[0] * problem.q()[rows[0]] + along[1] * problem.q()[rows[1]];
                    for (j, other) in variables.iter().enumerate() {
                        if let Variable::Impulse { rows: columns, along: across } = other {
                            for (&row, &a) in rows.iter().zip(along) {
                                for (&column, &b) in columns.iter().zip(across) {
                                    m[(i, j)] += a * problem.w()[(row, column)] * b;
                                }
                            }
                        }
                    }
                }
                Variable::Speed { directions, normal, mu } => {
                    m[(i, *normal)] = *mu;
                    for k in directions.clone() {
                        m[(i, k)] = -1.0;
                        m[(k, i)] = 1.0;
                    }
                }
            }
        }
        Lcp::new(m, q)
    }

    /// Impulses S, in the rows of the frictional problem, of a solution z of the linear one.
    ///
    /// # Errors
    /// Those of [`Self::lcp`]; a z of the wrong length.
    pub fn impulses(&self, problem: &FrictionProblem, z: &[f64]) -> Result<Vec<f64>, Error> {
        let variables = self.variables(problem)?;
        crate::problem::shape("z", (z.len(), 1), (variables.len(), 1))?;
        let mut s = vec![0.0; problem.rows()];
        for (variable, z) in variables.iter().zip(z) {
            if let Variable::Impulse { rows, along } = variable {
                s[rows[0]] += along[0] * z;
                s[rows[1]] += along[1] * z;
            }
        }
        Ok(s)
    }

    fn variables(&self, problem: &FrictionProblem) -> Result<Vec<Variable>, Error> {
        if self.directions < 4 || self.directions % 2 == 1 {
            let (value, remedy) = (self.directions as f64, "give an even number, at least 4");
            return Err(Error::Coefficient { what: "number of directions", place: "polygon", index: 0, value, remedy });
        }
        crate::problem::finite("the turn of the polygon", &[self.turn], 1)?;
        self.check_size(problem)?;
        let mut variables = Vec::new();
        for (cone, &first) in problem.cones().iter().zip(problem.offsets()) {
            let normal = variables.len();
            variables.push(Variable::Impulse { rows: [first; 2], along: [1.0, 0.0] });
            for part in cone.parts() {
                let begin = variables.len();
                let row = first + part.rows.start;
                if part.rows.len() == 1 {
                    variables.extend([1.0, -1.0].map(|sign| Variable::Impulse { rows: [row; 2], along: [sign, 0.0] }));
                } else {
                    variables.extend((0..self.directions).map(|k| self.direction(row, k)));
                }
                variables.push(Variable::Speed { directions: begin..variables.len(), normal, mu: part.mu });
            }
        }
        Ok(variables)
    }

    /// That the matrix of the linear problem, which is dense, is not larger than [`LARGEST`].
    fn check_size(&self, problem: &FrictionProblem) -> Result<(), Error> {
        let of_part = |rows: usize| if rows == 1 { 3 } else { self.directions.saturating_add(1) };
        let of_cone = |cone: &Cone| cone.parts().map(|part| of_part(part.rows.len())).fold(1, usize::saturating_add);
        let order = problem.cones().iter().map(of_cone).fold(0, usize::saturating_add);
        if order <= LARGEST {
            return Ok(());
        }
        let remedy =
            "the dense matrix of the linear problem would have more than 32768 rows: give fewer, or solve in the cone";
        let value = self.directions as f64;
        Err(Error::Coefficient { what: "number of directions", place: "polygon", index: 0, value, remedy })
    }

    /// Direction k; opposite ones are opposite to the last digit.
    fn direction(&self, row: usize, k: usize) -> Variable {
        let half = self.directions / 2;
        let angle = self.turn + TAU * (k % half) as f64 / self.directions as f64;
        let sign = if k < half { 1.0 } else { -1.0 };
        // Quarter turns without round-off.
        let quarter =
            if (angle - FRAC_PI_2).abs() < 4.0 * f64::EPSILON { [0.0, 1.0] } else { [angle.cos(), angle.sin()] };
        Variable::Impulse { rows: [row, row + 1], along: quarter.map(|x| sign * x) }
    }
}
