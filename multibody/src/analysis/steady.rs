//! Whether a motion is steady, as its linear system shows, and in which axes.
//!
//! What [`super::axes`] leaves open is chosen so that the matrix of the rates is the same a little before and after: Gauss's and Newton's method on
//! A(h) - A(-h) in the axes themselves, with steps of least norm. What then still changes is the drift of the matrix.

use super::axes::{self, flat, unflat};
use super::contact_rows::ContactRows;
use super::near::Near;
use super::tangent::{Axes, Tangent, rate_of};
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::space::rotation;
use crate::state::State;
use fourbar_linalg::SingularValues;
use nalgebra::{DMatrix, DVector};

/// Displacement of the motion to the states at which the matrix is evaluated again [rad, lengths of the mechanism]: differences leave 1e-11 of the matrix,
/// and steps there are of fourth order.
const WAY: f64 = 0.02;
/// The same in times of the fastest rate: what grows beside the motion stays small.
const TIMES: f64 = 1.0;
/// Steps to these states.
const STEPS: u32 = 10;
/// Drift of the matrix, over the time in which it acts, up to which a motion counts as steady: that of what swings by 0.01 rad.
const STEADY: f64 = 1e-4;
/// Error of the differences as part of the largest entry of the matrix.
const ROUND_OFF: f64 = 1e-10;
/// Acceleration of a state without velocity, over the square of the fastest rate, up to which it rests: displaced by as much the matrix is the same.
const REST: f64 = 1e-8;
/// Iterations for the axes at most: the first one is off by the square of the way, the second by its fourth power.
const ITERATIONS: usize = 4;
/// Part of the matrix by which a turn of the axes must change its rate to be determined by it, far above what differences leave.
const DETERMINED: f64 = 1e-6;

/// How steady a motion is.
pub(super) struct Steadiness {
    pub axes: Axes,
    /// How far the matrix changes while it acts, as part of it; infinite where the states beside cannot be reached.
    pub drift: f64,
}

impl Steadiness {
    pub(super) fn is_steady(&self) -> bool {
        self.drift <= STEADY
    }

    /// That of the motion through `state`, near which the mechanism follows `tangent`.
    pub(super) fn new(
        mechanism: &Mechanism,
        state: &State,
        inputs: &Inputs,
        contacts: &mut dyn ContactRows,
        tangent: &Tangent,
    ) -> Result<Self, Error> {
        let at_rest = Self { axes: vec![Default::default(); state.poses.len()], drift: 0.0 };
        if tangent.sizes.is_empty() {
            return Ok(at_rest);
        }
        let mut near = Near::new(mechanism, state, inputs, contacts)?;
        let mut moving = state.clone();
        near.reduced.accelerate(&mut moving, false)?;
        let (speed, gain) = (rate_of(mechanism, state), gain(mechanism, &moving));
        let own = fastest(&tangent.rates(&at_rest.axes), tangent);
        if speed == 0.0 && gain <= REST * own * own && mechanism.timed_programs().next().is_none() {
            return Ok(at_rest);
        }
        let pace = speed.max(gain.sqrt());
        let fastest = pace.max(own);
        let h = if pace > 0.0 { (WAY / pace).min(TIMES / fastest) } else { TIMES / fastest };
        let found = axes::find(mechanism, state, tangent, fastest);
        let beside = [-h, h].map(|time| near.reduced.along(state, time, STEPS));
        drop(near);
        let mut tangents = Vec::new();
        for state in beside {
            let there =
                state.and_then(|state| Ok(Near::new(mechanism, &state, inputs, contacts)?.slopes(&state)?.tangent));
            match there {
                Ok(tangent) => tangents.push(tangent),
                Err(_) => return Ok(Self { axes: found.axes, drift: f64::INFINITY }),
            }
        }
        let Ok([before, behind]) = <[Tangent; 2]>::try_from(tangents) else { return Ok(at_rest) };
        let sizes = sizes(&tangent.rates(&found.axes), tangent, pace);
        let course = Course { tangent, before, behind, h, sizes };
        let axes = course.settle(found, fastest);
        Ok(Self { drift: course.drift(&axes, pace), axes })
    }
}

/// Largest acceleration, as the square of a rate \[1/s^2\].
fn gain(mechanism: &Mechanism, state: &State) -> f64 {
    let of = |[a, alpha]: &[crate::space::V3; 2]| (a.norm() / mechanism.length).max(alpha.norm());
    state.accelerations.iter().map(of).fold(0.0, f64::max)
}

/// Sizes of x for which entries of the matrix `a` are rates: of the velocities those of their coordinates by their own rates, at least `pace`.
fn sizes(a: &DMatrix<f64>, tangent: &Tangent, pace: f64) -> DVector<f64> {
    let f = tangent.count;
    let mut sizes = DVector::from_column_slice(&tangent.sizes);
    for i in f..2 * f {
        let by = |j: usize| (a[(i, j)] * tangent.sizes[j] / tangent.sizes[i]).abs();
        let [ways, velocities] = [0..f, f..2 * f].map(|all| all.map(by).fold(0.0, f64::max));
        let rate = ways.sqrt().max(velocities).max(pace);
        sizes[i] *= if rate > 0.0 { rate } else { 1.0 };
    }
    sizes
}

/// The fastest rate in the matrix `a`.
fn fastest(a: &DMatrix<f64>, tangent: &Tangent) -> f64 {
    scaled(a.clone(), &sizes(a, tangent, 0.0)).amax()
}

fn scaled(mut a: DMatrix<f64>, sizes: &DVector<f64>) -> DMatrix<f64> {
    for (j, mut column) in a.column_iter_mut().enumerate() {
        column.iter_mut().zip(sizes.iter()).for_each(|(entry, size)| *entry *= sizes[j] / size);
    }
    a
}

/// A mechanism at a state, and a time h before and behind it.
struct Course<'a> {
    tangent: &'a Tangent,
    before: Tangent,
    behind: Tangent,
    h: f64,
    sizes: DVector<f64>,
}

impl Course<'_> {
    /// The matrix in `axes`, and the same before and behind in the coordinates that have turned with the axes from the state.
    fn matrices(&self, axes: &Axes) -> [DMatrix<f64>; 3] {
        let here = self.tangent.rates(axes);
        let [before, behind] = [(&self.before, -self.h), (&self.behind, self.h)].map(|(there, time)| {
            let taken = there.taken(self.tangent, axes, time);
            let rates = there.rates(axes) * &taken;
            taken.lu().solve(&rates).unwrap_or_else(|| DMatrix::from_element(here.nrows(), here.ncols(), f64::INFINITY))
        });
        [before, here, behind].map(|matrix| scaled(matrix, &self.sizes))
    }

    /// (A(h) - A(-h))/(2 h) as a vector.
    fn change(&self, axes: &Axes) -> DVector<f64> {
        let [before, _, behind] = self.matrices(axes);
        let change = (behind - before) / (2.0 * self.h);
        DVector::from_column_slice(change.as_slice())
    }

    /// The axes in which the matrix changes least.
    fn settle(&self, found: axes::Found, fastest: f64) -> Axes {
        let (mut axes, mut change) = (found.axes.clone(), self.change(&found.axes));
        if found.loose.ncols() == 0 {
            return axes;
        }
        for _ in 0..ITERATIONS {
            let mut slopes = DMatrix::zeros(change.len(), found.loose.ncols());
            // The change is of second order in the turns.
            let small = WAY * fastest;
            for (k, way) in found.loose.column_iter().enumerate() {
                let ahead = self.change(&unflat(&(flat(&axes) + way * small)));
                let back = self.change(&unflat(&(flat(&axes) - way * small)));
                slopes.set_column(k, &((ahead - back) / (2.0 * small)));
            }
            let Some(factors) = SingularValues::new(&slopes) else { break };
            let step = factors.solve(&-&change, DETERMINED * fastest);
            let next = unflat(&(flat(&axes) + &found.loose * step));
            let left = self.change(&next);
            if !(left.norm() < change.norm()) {
                break;
            }
            (axes, change) = (next, left);
        }
        axes
    }

    /// Largest change of a row of the matrix in the time in which it acts, as part of the row, by first and second differences.
    fn drift(&self, axes: &Axes, pace: f64) -> f64 {
        let [before, here, behind] = self.matrices(axes);
        let first = (&behind - &before) / (2.0 * self.h);
        let second = (behind + before - &here * 2.0) / (self.h * self.h);
        let noise = ROUND_OFF * here.amax();
        let row = |i: usize| {
            let size = here.row(i).amax();
            let rate = size.max(pace);
            let [first, second] = [(&first, noise / self.h, 1), (&second, noise / (self.h * self.h), 2)]
                .map(|(change, noise, power)| (change.row(i).amax() - noise).max(0.0) / rate.powi(power));
            if size > 0.0 { first.max(second) / size } else { 0.0 }
        };
        let drift = (0..here.nrows()).map(row).fold(0.0, f64::max);
        if drift.is_finite() { drift } else { f64::INFINITY }
    }
}

impl Tangent {
    /// The numbers x here by those at `start`, `time` before: a deviation that rests in `axes`.
    fn taken(&self, start: &Tangent, axes: &Axes, time: f64) -> DMatrix<f64> {
        let mut turned = start.t.clone();
        for (k, w) in super::tangent::blocks(axes) {
            let rows = rotation(&(w * time)) * turned.fixed_rows::<3>(k);
            turned.fixed_rows_mut::<3>(k).copy_from(&rows);
        }
        let mut taken = &self.l * turned;
        for k in 2 * self.count..2 * self.count + self.states.nrows() {
            taken[(k, k)] = 1.0;
        }
        taken
    }
}
