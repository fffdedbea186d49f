//! Reactions and friction at given positions and velocities, where each follows from the other.
//!
//! With lambda_0 the multipliers without friction, and Y_k those that a unit force along direction k makes, the forces N that press the surfaces satisfy
//!
//! ```text
//! N = N(lambda_0 + sum_k Y_k f_k(N))
//! ```
//!
//! f_k being linear in N at given velocities. It is solved by Newton's iteration, one unknown a friction element, begun without friction. Beyond the limit
//! of self-locking there is none while the surfaces slide, or there are two: then the one on the side without friction is taken.

use super::element::{DIRECTIONS, JointFriction};
use crate::dae::EvalError;
use crate::force::Loads;
use crate::mechanism::Mechanism;
use crate::space::{Pose, V3};
use nalgebra::{DMatrix, DVector};

/// Iterations at most: N is a sum of norms, so that some three suffice unless one of them vanishes nearby.
const ITERATIONS: usize = 50;
/// Halvings of a step at most: more move nothing.
const HALVINGS: i32 = 30;
/// Part of the largest N that is round-off of a solution with hundreds of rows.
const SETTLED: f64 = 1e-13;

/// What friction adds to a solution without it.
#[derive(Debug, Clone, Default)]
pub struct Settled {
    /// To the accelerations, six numbers a body [m/s^2, rad/s^2].
    pub accelerations: Vec<f64>,
    /// To the multipliers [N, N m].
    pub multipliers: Vec<f64>,
}

/// A direction of sliding that moves: its element, its place there, and the response to a unit force.
struct Moving {
    friction: usize,
    direction: usize,
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
}

struct Problem<'a> {
    mechanism: &'a Mechanism,
    poses: &'a [Pose],
    free: &'a [f64],
    rates: Vec<[f64; DIRECTIONS]>,
    moving: Vec<Moving>,
}

/// What friction adds to the solution whose multipliers are `free`: those of the independent rows, then others that follow from loads as
/// they do, such as forces of contacts. `respond` puts accelerations and multipliers in the place of loads, six numbers a body, and of zeros.
///
/// # Errors
/// Those of `respond`; [`EvalError::Recoverable`] naming a friction element that no reactions satisfy.
pub fn settle<E: From<EvalError>>(
    mechanism: &Mechanism,
    time: f64,
    poses: &[Pose],
    free: &[f64],
    mut respond: impl FnMut(&mut Vec<f64>, &mut Vec<f64>) -> Result<(), E>,
) -> Result<Settled, E> {
    let (mut rates, mut moving) = (Vec::new(), Vec::new());
    for (index, friction) in mechanism.frictions.iter().enumerate() {
        let (rows, own) = friction.sliding(poses);
        rates.push(own);
        for (direction, slide) in friction.slides.iter().enumerate().filter(|(k, _)| own[*k] != 0.0) {
            let mut wrenches = vec![[V3::zeros(); 2]; mechanism.bodies.len() + 1];
            Loads::add_line(&rows[direction], slide.line.bodies(), 1.0, &mut wrenches);
            wrenches.pop();
            let mut accelerations: Vec<f64> = wrenches.iter().flatten().flat_map(|v| [v.x, v.y, v.z]).collect();
            let mut multipliers = vec![0.0; free.len()];
            respond(&mut accelerations, &mut multipliers)?;
            moving.push(Moving { friction: index, direction, accelerations, multipliers });
        }
    }
    let problem = Problem { mechanism, poses, free, rates, moving };
    let mut settled =
        Settled { accelerations: vec![0.0; 6 * mechanism.bodies.len()], multipliers: vec![0.0; free.len()] };
    if problem.moving.is_empty() {
        return Ok(settled);
    }
    let pressing = problem.solve().map_err(|worst| E::from(locks(&mechanism.frictions[worst], time)))?;
    for (moving, force) in problem.moving.iter().zip(problem.forces(&pressing)) {
        settled.accelerations.iter_mut().zip(&moving.accelerations).for_each(|(sum, a)| *sum += a * force);
        settled.multipliers.iter_mut().zip(&moving.multipliers).for_each(|(sum, l)| *sum += l * force);
    }
    Ok(settled)
}

fn locks(friction: &JointFriction, time: f64) -> EvalError {
    EvalError::Recoverable {
        element: format!("friction \"{}\"", friction.name),
        time,
        reason: "no reactions balance it while its surfaces slide: it jams (self-locking); use a smaller coefficient of friction, or longer arms of \
                 the guide, or start it at rest"
            .to_owned(),
    }
}

impl Problem<'_> {
    /// Forces along the directions that move, at these forces on the surfaces.
    fn forces(&self, pressing: &DVector<f64>) -> impl Iterator<Item = f64> {
        let of = |moving: &Moving| {
            let friction = &self.mechanism.frictions[moving.friction];
            friction.forces(pressing[moving.friction], &self.rates[moving.friction])[moving.direction]
        };
        self.moving.iter().map(of)
    }

    /// N(lambda) at the multipliers for `pressing`, and its derivatives by the forces along the directions that move.
    fn reactions(&self, pressing: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let mut multipliers = self.free.to_vec();
        for (moving, force) in self.moving.iter().zip(self.forces(pressing)) {
            multipliers.iter_mut().zip(&moving.multipliers).for_each(|(sum, l)| *sum += l * force);
        }
        let (count, poses) = (self.mechanism.frictions.len(), self.poses);
        let mut by_forces = DMatrix::zeros(count, self.moving.len());
        let values = DVector::from_fn(count, |f, _| {
            let friction = &self.mechanism.frictions[f];
            let found = friction.pressing(&friction.reaction(self.mechanism, poses, &multipliers), poses);
            for (k, moving) in self.moving.iter().enumerate() {
                let [force, torque] = friction.reaction(self.mechanism, poses, &moving.multipliers);
                by_forces[(f, k)] = found.force.dot(&force) + found.torque.dot(&torque);
            }
            found.value
        });
        (values, by_forces)
    }

    /// The forces that press the surfaces; the element farthest from balance where there are none.
    fn solve(&self) -> Result<DVector<f64>, usize> {
        let count = self.mechanism.frictions.len();
        // From no friction on: where there are several solutions, it is the one on that side.
        let mut pressing = DVector::zeros(count);
        let mut largest = 0.0_f64;
        let (mut value, mut by_forces) = self.reactions(&pressing);
        for _ in 0..ITERATIONS {
            let rest = &pressing - &value;
            largest = largest.max(value.amax());
            if rest.amax() <= SETTLED * largest {
                return Ok(pressing);
            }
            let mut matrix = DMatrix::identity(count, count);
            for (k, moving) in self.moving.iter().enumerate() {
                let unit = self.mechanism.frictions[moving.friction].forces(1.0, &self.rates[moving.friction]);
                let none = self.mechanism.frictions[moving.friction].forces(0.0, &self.rates[moving.friction]);
                let slope = unit[moving.direction] - none[moving.direction];
                for f in 0..count {
                    matrix[(f, moving.friction)] -= by_forces[(f, k)] * slope;
                }
            }
            let Some(step) = matrix.lu().solve(&rest).filter(|step| step.iter().all(|s| s.is_finite())) else { break };
            let mut factor = 1.0;
            let before = rest.norm();
            let mut moved = false;
            for _ in 0..HALVINGS {
                let trial = &pressing - &step * factor;
                let (found, slopes) = self.reactions(&trial);
                if (&trial - &found).norm() < before {
                    (pressing, value, by_forces, moved) = (trial, found, slopes, true);
                    break;
                }
                factor *= 0.5;
            }
            if !moved {
                // As near as round-off lets it come.
                if before <= 1e3 * SETTLED * largest {
                    return Ok(pressing);
                }
                break;
            }
        }
        Err((&pressing - &value).iamax())
    }
}
