//! Accelerations of mechanisms of few degrees of freedom, in those of the independent coordinates alone. With the partition Phi_q = \\[G_d G_i\\],
//! whose G_d is factored for the velocities already, and B the motions that the constraints allow ([`Tangent`](super::tangent)), found there, too,
//!
//! ```text
//! a_0 = [G_d^-1 gamma; 0],   B^T M B b = B^T (Q - M a_0),   u' = a_0 + B b,   G_d^T lambda = (Q - M u')_d
//! ```
//!
//! (Wehage and Haug 1982). B^T M B is positive definite, dense, and as small as the number of degrees of freedom.

use super::joined::Joined;
use super::left::{REFUSE, Six, missing_of};
use super::partition::Partition;
use super::tangent::Tangent;
use crate::mechanism::{HeldRows, Mechanism};
use crate::space::{M3, Pose, V3};

/// Pivots of B^T M B below this part of its diagonal are round-off.
const SINGULAR: f64 = 1e-11;

/// Workspace.
#[derive(Debug, Clone)]
pub(super) struct Reduced {
    inertia: Vec<M3>,
    /// Columns of M B.
    momenta: Vec<Vec<f64>>,
    /// B^T M B by rows; its Cholesky factor below the diagonal after.
    mass: Vec<f64>,
    rhs: Vec<f64>,
    forces: Vec<f64>,
    gamma: Vec<f64>,
    missing: Vec<f64>,
}

impl Reduced {
    /// For the partition `part` of the rows of joints. None with too many degrees of freedom, flexible bodies, or where supplementary rows take part.
    pub(super) fn new<S>(mechanism: &Mechanism, joined: &Joined<S>, part: &Partition) -> Option<Self> {
        let (columns, m) = (joined.jacobian.ncols(), joined.held.rows.len());
        let f = part.tangent.as_ref()?.motions.len();
        if !mechanism.flexible.is_empty() || !joined.rows.is_empty() || part.rows.len() != m {
            return None;
        }
        Some(Self {
            inertia: vec![M3::zeros(); mechanism.bodies.len()],
            momenta: vec![vec![0.0; columns]; f],
            mass: vec![0.0; f * f],
            rhs: vec![0.0; f],
            forces: vec![0.0; columns],
            gamma: vec![0.0; m],
            missing: vec![0.0; m],
        })
    }

    /// Solves in place at the poses at which `part` was factored last: `top` becomes the accelerations, `bottom` the multipliers. Returns whether the
    /// equations are satisfied.
    pub(super) fn solve<S>(
        &mut self,
        mechanism: &Mechanism,
        joined: &Joined<S>,
        part: &mut Partition,
        poses: &[Pose],
        top: &mut [f64],
        bottom: &mut [f64],
    ) -> bool {
        let Some(tangent) = part.tangent.take() else { return false };
        let solved = self.solve_along(&tangent, mechanism, joined, part, poses, top, bottom);
        part.tangent = Some(tangent);
        solved
    }

    #[expect(clippy::too_many_arguments)]
    fn solve_along<S>(
        &mut self,
        Tangent { motions, .. }: &Tangent,
        mechanism: &Mechanism,
        joined: &Joined<S>,
        part: &mut Partition,
        poses: &[Pose],
        top: &mut [f64],
        bottom: &mut [f64],
    ) -> bool {
        for ((inertia, body), pose) in self.inertia.iter_mut().zip(&mechanism.bodies).zip(poses) {
            *inertia = body.global_inertia(pose);
        }
        self.gamma.copy_from_slice(bottom);
        self.forces.copy_from_slice(top);
        for (motion, momentum) in motions.iter().zip(&mut self.momenta) {
            momentum.fill(0.0);
            subtract_momentum(mechanism, &self.inertia, motion, momentum);
            momentum.iter_mut().for_each(|p| *p = -*p);
        }
        bottom.iter_mut().for_each(|gamma| *gamma = -*gamma);
        move_dependent(part, bottom, top);
        // Q - M a_0, then Q - M u' when b is known.
        subtract_momentum(mechanism, &self.inertia, top, &mut self.forces);
        let f = motions.len();
        for k in 0..f {
            self.rhs[k] = dot(&motions[k], &self.forces);
            for l in 0..=k {
                self.mass[k * f + l] = dot(&motions[k], &self.momenta[l]);
            }
        }
        if !solve_definite(f, &mut self.mass, &mut self.rhs) {
            return false;
        }
        for ((b, motion), momentum) in self.rhs.iter().zip(motions).zip(&self.momenta) {
            top.iter_mut().zip(motion).for_each(|(u, m)| *u += b * m);
            self.forces.iter_mut().zip(momentum).for_each(|(q, p)| *q -= b * p);
        }
        part.solve_transposed(&self.forces, bottom);
        missing_of(&joined.held, &self.gamma, top.as_chunks::<6>().0, &mut self.missing) <= REFUSE
            && self.is_balanced(&joined.held, bottom)
    }

    /// Whether `forces` - `Phi_q^T` lambda vanishes: on dependent columns by the choice of lambda, on the others by that of b.
    fn is_balanced(&mut self, held: &HeldRows, lambda: &[f64]) -> bool {
        let mut terms = 0.0_f64;
        let left: &mut [Six] = self.forces.as_chunks_mut::<6>().0;
        for k in 0..held.term_count() {
            let (row, lambda) = (held.term(k), lambda[held.row_of(k)]);
            for (&body, gradient) in row.bodies.iter().zip(&row.gradients) {
                let Some(left) = left.get_mut(body) else { continue };
                for (left, g) in left.iter_mut().zip(gradient) {
                    let product = g * lambda;
                    *left -= product;
                    let size = product.abs();
                    // A term that is not a number shows in what is left.
                    if size > terms {
                        terms = size;
                    }
                }
            }
        }
        let scale = terms.max(
            self.rhs
                .iter()
                .zip(&self.momenta)
                .fold(0.0, |max, (b, p)| p.iter().fold(max, |max: f64, p| max.max((b * p).abs()))),
        );
        self.forces.iter().all(|left| left.abs() <= REFUSE * scale + f64::MIN_POSITIVE)
    }
}

/// Writes to the dependent entries of `u` what takes `defects` away, 0 to the others.
fn move_dependent(part: &mut Partition, defects: &[f64], u: &mut [f64]) {
    u.fill(0.0);
    part.solve_untested(defects);
    part.solved().for_each(|(column, d)| u[column] = d);
}

/// forces -= M u.
fn subtract_momentum(mechanism: &Mechanism, inertia: &[M3], u: &[f64], forces: &mut [f64]) {
    let blocks = forces.as_chunks_mut::<6>().0.iter_mut().zip(u.as_chunks::<6>().0);
    for ((q, u), (body, inertia)) in blocks.zip(mechanism.bodies.iter().zip(inertia)) {
        let turn = inertia * V3::new(u[3], u[4], u[5]);
        (0..3).for_each(|k| q[k] -= body.mass * u[k]);
        (0..3).for_each(|k| q[3 + k] -= turn[k]);
    }
}

/// Six sums, so that none waits for another.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.as_chunks::<6>().0, b.as_chunks::<6>().0);
    let mut sums = [0.0; 6];
    for (a, b) in a.iter().zip(b) {
        (0..6).for_each(|k| sums[k] += a[k] * b[k]);
    }
    sums.iter().sum()
}

/// Solves A x = b in place by Cholesky's method, the lower half of A given by rows. Returns whether A is definite.
fn solve_definite(n: usize, a: &mut [f64], b: &mut [f64]) -> bool {
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            let left = a[i * n + j] - sum;
            if i == j {
                if !(left > SINGULAR * a[i * n + i]) {
                    return false;
                }
                a[i * n + i] = left.sqrt();
            } else {
                a[i * n + j] = left / a[j * n + j];
            }
        }
        let sum: f64 = (0..i).map(|k| a[i * n + k] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| a[k * n + i] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    true
}
