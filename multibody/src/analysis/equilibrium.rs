//! Statics: where a mechanism stays at rest.
//!
//! Newton's iteration on the accelerations at rest of independent coordinates, z'' = -K z, with velocities and rates of motions zero. Where
//! K has an eigenvalue that is not positive the step is that of K + mu I, which goes the way the mechanism would fall: the
//! iteration leaves unstable equilibria and finds the stable one that lies below. A step whose end is driven back harder than its start is
//! driven forward is shortened, by the accelerations alone: forces need no potential.
//!
//! Shifts, lengths of steps and what is left are measured by eigenvalues and by ways of whole bodies, which do not depend on the coordinates.

use super::acceleration::with_ground;
use super::contact_rows::{ContactRows, NoContacts};
use super::graded::Parts;
use super::guard::refuse_open;
use super::reduced::Reduced;
use super::tangent::projection;
use super::way;
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::space::V3;
use crate::state::State;
use fourbar_linalg::eigenvalues;
use fourbar_linalg::text::Brief;
use nalgebra::{DMatrix, DVector};

/// Iterations at most: a fall through ten lengths of the mechanism by `LONGEST` takes some thirty, minimization along a valley more.
const ITERATIONS: usize = 200;
/// Longest way of a coordinate in an iteration, in lengths of the mechanism or rad.
const LONGEST: f64 = 0.3;
/// Step of the differences in the same: rounding leaves some 1e-16/1e-5 of the largest stiffness, less than their square.
const STEP: f64 = 1e-5;
/// Eigenvalues of the stiffness that count as zero, over its largest entry, and over the accelerations that loads would cause which balance each other:
/// central differences with `STEP` are off by its square.
const NEUTRAL: f64 = 1e-10;
/// Part of the largest eigenvalue of the stiffness below which a negative one is hidden by stiff directions: a shift of all would hardly move it.
const HIDDEN: f64 = 1e-3;
/// Accelerations that count as rest, relative to those that forces without joints cause at the start.
const REST: f64 = 1e-11;
/// Newton's steps, in the same lengths, of which the next is rounding: differences leave `STEP` squared of a step to the next one. Where stiff elements
/// hold light bodies, rounding leaves accelerations above `REST`.
const SHORT: f64 = 1e-7;
/// How far a contact that is held closed may overlap, in lengths of the mechanism; of an angle as many rad.
const OVERLAP: f64 = 1e-6;
/// How often a step may be shortened that leaves rows open or goes too far.
const HALVINGS: usize = 12;
/// Power of the accelerations along a step at its end, over that at its start, below which it goes too far: the condition of curvature in a search
/// along a line (Nocedal and Wright, Numerical Optimization, 2006, section 3.1).
const REVERSED: f64 = -0.9;
/// What a step may lie beside the straight way along its start, over its length: a turn by `LONGEST` bends it by half of that angle. Behind a change point
/// another branch lies aside by about the whole way.
const ASIDE: f64 = 0.5;
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
    /// What becomes of a small deviation. Eigenvalues of the stiffness count as zero up to 1e-10 of its largest entry
    /// or of the accelerations that loads would cause which balance each other, the error of its differences.
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
            let next = search.iterate(&mut state, &mut residual);
            match next.map_err(|error| mechanism.at_singular(&state, error))? {
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
    /// 6 b + k, along or about the global axis nearest to its own.
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
        let chosen = self.mechanism.chosen_at(state);
        let mechanism = chosen.as_ref().unwrap_or(self.mechanism);
        let mut reduced = Reduced::new(mechanism, state, self.inputs, self.contacts)?;
        let none = vec![0.0; reduced.count()];
        *state = reduced.state(&none, &none)?;
        at_rest(state);
        self.refuse_overlap(state)
    }

    /// Refuses a place where closed contacts overlap all the same: nothing is left that could move out of them.
    fn refuse_overlap(&mut self, state: &State) -> Result<(), Error> {
        let mut rows = Vec::new();
        self.contacts.rows(state.time, &with_ground(&state.poses), &mut rows)?;
        let deepest =
            rows.iter().enumerate().filter(|(_, row)| row.normal).min_by(|a, b| a.1.value.total_cmp(&b.1.value));
        let Some((row, value)) =
            deepest.map(|(row, own)| (row, own.value)).filter(|(_, value)| *value < -OVERLAP * self.mechanism.length)
        else {
            return Ok(());
        };
        let problem = format!(
            "{} overlaps by {} m or rad, and what joints and motions leave free does not take it out; lead motions elsewhere, or move the contact",
            self.contacts.name(row),
            Brief(-value)
        );
        Err(Error::Contacts { time: state.time, problem })
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
        let chosen = self.mechanism.chosen_at(state);
        let mechanism = chosen.as_ref().unwrap_or(self.mechanism);
        let mut rest = Rest::new(Reduced::new(mechanism, state, self.inputs, self.contacts)?)?;
        let accelerations = rest.accelerations(state)?;
        *residual = rest.longest(&accelerations);
        self.reference = self.reference.max(*residual);
        let stiffness = rest.stiffness()?;
        self.left = most(&rest.reduced, &accelerations, &stiffness, self.reference);
        // In lengths of the mechanism and rad, so that no unit decides.
        let alike = rest.scaled(&stiffness);
        let (weakest, largest) = extremes(&alike);
        let weight = self.mechanism.gravity.norm() / self.mechanism.length;
        let zero = NEUTRAL * largest.max(rest.balanced(state)?).max(weight);
        let noise = NEUTRAL * rest.balanced(state)?.max(weight);
        let mass = rest.scaled_mass();
        let parts = if weakest > zero { None } else { Parts::new(&mass, &alike, noise) };
        let graded = parts.as_ref().is_some_and(Parts::is_stable);
        let (stable, neutral) = (weakest > zero || graded, weakest.abs() <= zero && !graded);
        // What is stable needs no shift.
        let weakest = if graded { f64::INFINITY } else { weakest };
        let mut way = None;
        if *residual > REST * self.reference && !accelerations.is_empty() {
            let sizes = DVector::from_fn(accelerations.len(), |k, _| rest.reduced.scale(k));
            let alike_rest = accelerations.component_div(&sizes);
            let hidden = parts.filter(|parts| parts.is_unstable() && weakest.abs() < HIDDEN * largest);
            let step = match hidden {
                Some(parts) => Some(parts.down(&(&mass * &alike_rest))),
                None => step(alike, [weakest, largest], &alike_rest, self.reference),
            };
            let Some(step) = step.map(|step| step.component_mul(&sizes)) else { return Ok(Next::Stuck) };
            let longest = rest.longest(&step);
            // Without a shift the step is the way to the equilibrium.
            let there = stable && (longest <= SHORTEST || (self.last <= SHORT && longest > 0.1 * self.last));
            self.last = if stable { longest } else { f64::INFINITY };
            way = (!there).then_some((step, longest));
        }
        let Some((mut step, longest)) = way else {
            self.last = f64::INFINITY;
            refuse_open(mechanism, state)?;
            rest.accelerations(state)?;
            refuse_singular(mechanism, state)?;
            let loads = rest.reduced.judge(state, true)?;
            self.refuse_overlap(state)?;
            return Ok(loads.map_or(Next::On, |loads| Next::Found(loads, [stable, neutral])));
        };
        if longest > LONGEST {
            step *= LONGEST / longest;
        }
        *state = rest.along(step, &accelerations)?;
        Ok(Next::On)
    }
}

/// Refuses a place where constraints depend on each other: which ways are left, and whether it is stable there, depends on round-off.
fn refuse_singular(mechanism: &Mechanism, state: &State) -> Result<(), Error> {
    let error = Error::Singular {
        analysis: "statics",
        time: state.time,
        place: "the position of the mechanism".to_owned(),
        remedy: "look for a singular position of the mechanism, and go a little away from it".to_owned(),
    };
    match mechanism.at_singular(state, error) {
        error @ Error::SingularPosition { .. } => Err(error),
        _ => Ok(()),
    }
}

/// What accelerates most.
fn most(reduced: &Reduced<'_>, accelerations: &DVector<f64>, stiffness: &DMatrix<f64>, reference: f64) -> Option<Left> {
    let size = |k: &usize| (accelerations[*k] / reduced.scale(*k)).abs();
    let k = (0..reduced.count()).max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let part = |j: usize| (stiffness[(k, j)] * reduced.scale(j) / reduced.scale(k)).abs();
    let held = (0..reduced.count()).any(|j| part(j) > NEUTRAL * reference);
    Some(Left { coordinate: reduced.direction(reduced.independent[k]), acceleration: accelerations[k], held })
}

fn at_rest(state: &mut State) {
    for pose in &mut state.poses {
        (pose.v, pose.w) = (V3::zeros(), V3::zeros());
    }
}

/// Smallest real part of the eigenvalues of the stiffness, infinite of none; their largest size.
fn extremes(stiffness: &DMatrix<f64>) -> (f64, f64) {
    if stiffness.is_empty() {
        return (f64::INFINITY, 0.0);
    }
    let Some(values) = eigenvalues(stiffness) else { return (f64::NAN, f64::NAN) };
    values.iter().fold((f64::INFINITY, 0.0), |(least, largest), value| (value.re.min(least), value.norm().max(largest)))
}

/// The step of coordinates and accelerations in lengths of the mechanism and rad; by the `extremes` of the stiffness.
fn step(
    mut stiffness: DMatrix<f64>,
    [weakest, size]: [f64; 2],
    rest: &DVector<f64>,
    reference: f64,
) -> Option<DVector<f64>> {
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

/// A mechanism at rest near a state.
struct Rest<'a> {
    reduced: Reduced<'a>,
    /// How all coordinates follow the independent ones, and how ways and turns of all bodies do.
    own: DMatrix<f64>,
    basis: DMatrix<f64>,
    /// Mass matrix of the coordinates.
    mass: DMatrix<f64>,
    /// What accelerations of all bodies are in coordinates: the projection in the metric of the mass matrix. Beside the base each single coordinate
    /// would follow the bend of the constraints, and a direction without force would have some.
    projection: DMatrix<f64>,
}

impl<'a> Rest<'a> {
    fn new(mut reduced: Reduced<'a>) -> Result<Self, Error> {
        let own = reduced.own_basis()?;
        let basis = reduced.global(own.clone());
        let weighted = reduced.weighted(&basis);
        let (mass, projection) = (basis.tr_mul(&weighted), projection(&basis, &weighted));
        Ok(Self { reduced, own, basis, mass, projection })
    }

    /// The longest of the ways and turns of all bodies that `values` of the coordinates make, over lengths of the mechanism or rad.
    fn longest(&self, values: &DVector<f64>) -> f64 {
        self.reduced.longest((&self.basis * values).as_slice(), 1.0)
    }

    /// The state at the end of `step`, or of the part of it where no row is open and the `accelerations` at its start are not reversed.
    fn along(&mut self, mut step: DVector<f64>, accelerations: &DVector<f64>) -> Result<State, Error> {
        let mut next = self.reduced.state_along(&step, &self.own)?;
        at_rest(&mut next);
        for _ in 0..HALVINGS {
            let mechanism = self.reduced.mechanism;
            // Rows that were chosen for the positions before may close others than those that follow from them.
            let opens = || mechanism.choice.moves && refuse_open(mechanism, &next).is_err();
            let part = if self.reduced.aside(&next, &self.basis, &step) > ASIDE * self.longest(&step) || opens() {
                0.5
            } else {
                let driven = (&self.mass * &step).dot(accelerations);
                let there = self.accelerations(&mut next)?;
                let back = (&self.mass * &step).dot(&there);
                if !(driven > 0.0 && back < REVERSED * driven) {
                    break;
                }
                (driven / (driven - back)).max(0.1)
            };
            step *= part;
            next = self.reduced.state_along(&step, &self.own)?;
            at_rest(&mut next);
        }
        Ok(next)
    }

    fn accelerations(&mut self, state: &mut State) -> Result<DVector<f64>, Error> {
        self.reduced.accelerate(state, true)?;
        let parts = state.accelerations.iter().flatten().flat_map(|part| [part.x, part.y, part.z]);
        Ok(&self.projection * DVector::from_iterator(self.projection.ncols(), parts))
    }

    /// K for coordinates in lengths of the mechanism and rad: its entries have one unit.
    fn scaled(&self, stiffness: &DMatrix<f64>) -> DMatrix<f64> {
        let scale = |k| self.reduced.scale(k);
        DMatrix::from_fn(stiffness.nrows(), stiffness.ncols(), |i, j| stiffness[(i, j)] * scale(j) / scale(i))
    }

    /// The mass matrix of coordinates in lengths of the mechanism and rad.
    fn scaled_mass(&self) -> DMatrix<f64> {
        let scale = |k| self.reduced.scale(k);
        DMatrix::from_fn(self.mass.nrows(), self.mass.ncols(), |i, j| self.mass[(i, j)] * scale(i) * scale(j))
    }

    /// Accelerations that the parts of the loads along each body would cause in the independent coordinates one by one, over lengths of the
    /// mechanism or rad, added: of what balances, round-off is a part of these.
    fn balanced(&mut self, state: &State) -> Result<f64, Error> {
        let loads = self.reduced.applied(state)?;
        let of = |k: usize| -> f64 {
            let sum: f64 = self.basis.column(k).iter().zip(&loads).map(|(way, load)| (way * load).abs()).sum();
            sum / (self.mass[(k, k)] * self.reduced.scale(k))
        };
        Ok((0..self.basis.ncols()).map(of).filter(|size| size.is_finite()).fold(0.0, f64::max))
    }

    /// K = -dz''/dz by central differences.
    fn stiffness(&mut self) -> Result<DMatrix<f64>, Error> {
        let f = self.reduced.count();
        let mut stiffness = DMatrix::zeros(f, f);
        for k in 0..f {
            let step = STEP * self.reduced.way(k, &self.basis);
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
