//! Statics: where a mechanism stays at rest.
//!
//! Newton's iteration on the accelerations at rest of independent coordinates, z'' = -K z, with velocities and rates of motions zero. Where
//! K has an eigenvalue that is not positive the step is that of K + mu I, which goes the way the mechanism would fall: the
//! iteration leaves unstable equilibria and finds the stable one that lies below.

use super::contact_rows::{ContactRows, NoContacts};
use super::reduced::Reduced;
use super::way;
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::space::V3;
use crate::state::State;
use nalgebra::{DMatrix, DVector};

/// Iterations at most: a fall through ten lengths of the mechanism by `LONGEST` takes some thirty, minimization along a valley more.
const ITERATIONS: usize = 200;
/// Longest way of a coordinate in an iteration, in lengths of the mechanism or rad.
const LONGEST: f64 = 0.3;
/// Step of the differences in the same: rounding leaves some 1e-16/1e-5 of the largest stiffness, less than their square.
const STEP: f64 = 1e-5;
/// Eigenvalues of the stiffness that count as zero, over its largest entry: central differences with `STEP` are off by its square.
const NEUTRAL: f64 = 1e-10;
/// Accelerations that count as rest, relative to those that forces without joints cause at the start.
const REST: f64 = 1e-11;
/// Newton's steps, in the same lengths, of which the next is rounding: differences leave `STEP` squared of a step to the next one. Where stiff elements
/// hold light bodies, rounding leaves accelerations above `REST`.
const SHORT: f64 = 1e-7;
/// Newton's step that is rounding whatever came before.
const SHORTEST: f64 = 1e-13;

/// A static equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// The state, at rest, with the multipliers that hold it.
    pub state: State,
    /// What contacts do to the bodies: force and torque about the centre of mass, six numbers a body [N, N m]; empty without contacts.
    pub loads: Vec<f64>,
    /// Largest acceleration left of an independent coordinate, over lengths of the mechanism or rad [1/s^2].
    pub residual: f64,
    /// Whether it is stable: all eigenvalues of the stiffness are positive.
    pub stable: bool,
    /// Whether it is neutral: no eigenvalue is negative, and one is zero, as of a body that may spin freely.
    pub neutral: bool,
    /// Iterations done.
    pub iterations: usize,
}

/// What becomes of a small deviation from an equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stability {
    /// Forces drive it back.
    Stable,
    /// No force does anything about it, as of a body that may spin freely.
    Neutral,
    /// Forces make it larger.
    Unstable,
}

impl std::fmt::Display for Stability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Stable => "stable",
            Self::Neutral => "neutral",
            Self::Unstable => "not stable",
        })
    }
}

impl Equilibrium {
    /// What becomes of a small deviation. Eigenvalues of the stiffness count as zero up to 1e-10 of its largest entry, the error of its differences.
    #[must_use]
    pub fn stability(&self) -> Stability {
        match (self.stable, self.neutral) {
            (true, _) => Stability::Stable,
            (false, true) => Stability::Neutral,
            (false, false) => Stability::Unstable,
        }
    }

    /// Seeks the equilibrium at the time of `state` from its positions, with `inputs`. Contacts are not considered.
    ///
    /// # Errors
    /// [`Error::NoEquilibrium`] if none is found; [`Error::Singular`], [`Error::Evaluation`].
    pub fn find(mechanism: &Mechanism, state: &State, inputs: &Inputs) -> Result<Self, Error> {
        Self::find_at(mechanism, state, state.time, inputs)
    }

    /// As [`Equilibrium::find`] at another time \[s\], to which motions by displacement take the mechanism first.
    ///
    /// # Errors
    /// As [`Equilibrium::find`]; [`Error::NotAssembled`] where the joints cannot follow the motions; [`Error::Free`] with motions given by velocity.
    pub fn find_at(mechanism: &Mechanism, state: &State, time: f64, inputs: &Inputs) -> Result<Self, Error> {
        Self::find_with(mechanism, state, time, inputs, &mut NoContacts)
    }

    /// As [`Equilibrium::find_at`] with `contacts`, closed as they stand there. On the way contacts close that would overlap, and open that would
    /// pull.
    ///
    /// # Errors
    /// As [`Equilibrium::find_at`]; [`Error::Contacts`] where friction does not hold, or contacts close and open without end.
    pub fn find_with(
        mechanism: &Mechanism,
        state: &State,
        time: f64,
        inputs: &Inputs,
        contacts: &mut dyn ContactRows,
    ) -> Result<Self, Error> {
        let reference = mechanism.gravity.norm() / mechanism.length;
        let mut search = Search { reference, mechanism, inputs, contacts, last: f64::INFINITY, left: None };
        let mut state = way::go(mechanism, state, time, inputs)?;
        at_rest(&mut state);
        search.contacts.begin(&state)?;
        let (mut residual, mut done) = (f64::INFINITY, 0);
        for iterations in 0..ITERATIONS {
            done = iterations + 1;
            if search.contacts.arrive(&state)? {
                search.close(&mut state)?;
                continue;
            }
            match search.iterate(&mut state, &mut residual)? {
                Next::Found(loads, [stable, neutral]) => {
                    return Ok(Self { state, loads, residual, stable, neutral, iterations });
                }
                Next::Stuck => break,
                Next::On => {}
            }
        }
        Err(search.not_found(state.time, done))
    }
}

/// A search for an equilibrium.
struct Search<'a> {
    mechanism: &'a Mechanism,
    inputs: &'a Inputs,
    contacts: &'a mut dyn ContactRows,
    /// The largest acceleration so far, over lengths of the mechanism or rad \[1/s^2\].
    reference: f64,
    /// The longest of the last step, in lengths of the mechanism or rad, where it is the way to an equilibrium; else infinite.
    last: f64,
    /// What accelerates most.
    left: Option<Left>,
}

/// A coordinate that is not at rest.
#[derive(Debug, Clone, Copy)]
struct Left {
    /// 6 b + k, as [`Reduced`] counts them.
    coordinate: usize,
    /// [m/s^2, rad/s^2].
    acceleration: f64,
    /// Whether a displacement changes the forces in its direction.
    held: bool,
}

/// How the search goes on.
enum Next {
    /// With another state, or other contacts.
    On,
    /// Not at all.
    Stuck,
    /// There it rests, with these loads of contacts: whether it is stable, and neutral.
    Found(Vec<f64>, [bool; 2]),
}

impl Search<'_> {
    /// Goes onto the contacts that have closed.
    fn close(&mut self, state: &mut State) -> Result<(), Error> {
        let mut reduced = Reduced::new(self.mechanism, state, self.inputs, self.contacts)?;
        let none = vec![0.0; reduced.count()];
        *state = reduced.state(&none, &none)?;
        at_rest(state);
        Ok(())
    }

    fn not_found(&self, time: f64, iterations: usize) -> Error {
        let nothing = Left { coordinate: 0, acceleration: f64::NAN, held: true };
        let Left { coordinate, acceleration, held } = self.left.unwrap_or(nothing);
        let is_way = coordinate % 6 < 3;
        Error::NoEquilibrium {
            time,
            iterations,
            place: self.mechanism.direction_name(coordinate),
            acceleration: acceleration.abs(),
            unit: if is_way { "m/s^2" } else { "rad/s^2" },
            held,
        }
    }

    fn iterate(&mut self, state: &mut State, residual: &mut f64) -> Result<Next, Error> {
        let mut rest = Rest { reduced: Reduced::new(self.mechanism, state, self.inputs, self.contacts)? };
        let f = rest.reduced.count();
        let accelerations = rest.accelerations(state)?;
        let scaled = |values: &DVector<f64>, reduced: &Reduced<'_>| {
            (0..f).fold(0.0_f64, |worst, k| worst.max((values[k] / reduced.scale(k)).abs()))
        };
        *residual = scaled(&accelerations, &rest.reduced);
        self.reference = self.reference.max(*residual);
        let stiffness = rest.stiffness()?;
        self.left = most(&rest.reduced, &accelerations, &stiffness, self.reference);
        let weakest = weakest(&stiffness);
        let zero = NEUTRAL * stiffness.amax();
        let (stable, neutral) = (weakest > zero, weakest.abs() <= zero);
        let mut way = None;
        if *residual > REST * self.reference && f > 0 {
            let step = step(stiffness, weakest, &accelerations, self.reference);
            let Some(step) = step else { return Ok(Next::Stuck) };
            let longest = scaled(&step, &rest.reduced);
            // Without a shift the step is the way to the equilibrium.
            let there = stable && (longest <= SHORTEST || (self.last <= SHORT && longest > 0.1 * self.last));
            self.last = if stable { longest } else { f64::INFINITY };
            way = (!there).then_some((step, longest));
        }
        let Some((mut step, longest)) = way else {
            self.last = f64::INFINITY;
            rest.accelerations(state)?;
            let loads = rest.reduced.judge(state, true)?;
            return Ok(loads.map_or(Next::On, |loads| Next::Found(loads, [stable, neutral])));
        };
        if longest > LONGEST {
            step *= LONGEST / longest;
        }
        *state = rest.reduced.state(step.as_slice(), &vec![0.0; f])?;
        at_rest(state);
        Ok(Next::On)
    }
}

/// What accelerates most.
fn most(reduced: &Reduced<'_>, accelerations: &DVector<f64>, stiffness: &DMatrix<f64>, reference: f64) -> Option<Left> {
    let size = |k: &usize| (accelerations[*k] / reduced.scale(*k)).abs();
    let k = (0..reduced.count()).max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let part = |j: usize| (stiffness[(k, j)] * reduced.scale(j) / reduced.scale(k)).abs();
    let held = (0..reduced.count()).any(|j| part(j) > NEUTRAL * reference);
    Some(Left { coordinate: reduced.independent[k], acceleration: accelerations[k], held })
}

fn at_rest(state: &mut State) {
    for pose in &mut state.poses {
        (pose.v, pose.w) = (V3::zeros(), V3::zeros());
    }
}

/// Smallest real part of the eigenvalues of the stiffness; infinite of none.
fn weakest(stiffness: &DMatrix<f64>) -> f64 {
    if stiffness.is_empty() {
        return f64::INFINITY;
    }
    stiffness.complex_eigenvalues().iter().fold(f64::INFINITY, |least, value| least.min(value.re))
}

fn step(mut stiffness: DMatrix<f64>, weakest: f64, rest: &DVector<f64>, reference: f64) -> Option<DVector<f64>> {
    let size = stiffness.amax();
    if !(weakest > NEUTRAL * size) {
        // A neutral direction has no force in it but round-off: the least shift that makes the step finite.
        let falls = weakest < -NEUTRAL * size || size <= reference * NEUTRAL;
        let part = if falls { 0.1 } else { NEUTRAL.sqrt() };
        let shift = part * size.max(reference) - weakest.min(0.0);
        for k in 0..stiffness.nrows() {
            stiffness[(k, k)] += shift;
        }
    }
    stiffness.lu().solve(rest).filter(|step| step.iter().all(|value| value.is_finite()))
}

struct Rest<'a> {
    reduced: Reduced<'a>,
}

impl Rest<'_> {
    fn accelerations(&mut self, state: &mut State) -> Result<DVector<f64>, Error> {
        self.reduced.accelerate(state, true)?;
        Ok(self.reduced.taken(state))
    }

    /// K = -dz''/dz by central differences.
    fn stiffness(&mut self) -> Result<DMatrix<f64>, Error> {
        let f = self.reduced.count();
        let mut stiffness = DMatrix::zeros(f, f);
        for k in 0..f {
            let step = STEP * self.reduced.scale(k);
            for sign in [-1.0, 1.0] {
                let mut z = vec![0.0; f];
                z[k] = sign * step;
                let mut state = self.reduced.state(&z, &vec![0.0; f])?;
                at_rest(&mut state);
                let accelerations = self.accelerations(&mut state)?;
                stiffness.column_mut(k).axpy(-sign / (2.0 * step), &accelerations, 1.0);
            }
        }
        Ok(stiffness)
    }
}
