//! Initial conditions that joints state: angles and displacements at assembly, then their rates.
//!
//! Each is a constraint of the initial-condition analysis alone: Phi(q) = value among the rows of [`assemble`](super::assembly), and
//! Phi_q u = rate among those of the velocities. Joints come first: what they leave no freedom for is refused, with the value that they
//! allow, or told as determined where it agrees.

use super::assembly::{CLOSED, ITERATIONS, LARGEST_TURN, assemble_near};
use super::corrections;
use super::explain::named;
use super::redundancy::TOLERANCE;
use super::saddle;
use crate::constraint::{Constraint, Form, MAX_ROWS, Row};
use crate::drive::{Drive, Law, TimeFunction};
use crate::error::Error;
use crate::expression::Expression;
use crate::mechanism::{
    BoundConstraint, ConstraintSet, DROPPED, Determined, Level, Mechanism, Rows, Stated, System, TurnCounter,
};
use crate::model::Direction;
use crate::space::Pose;

fn constraint(stated: &Stated, mechanism: &Mechanism) -> Constraint {
    let set = &mechanism.sets[stated.set];
    let form = match stated.direction {
        Direction::Rotation => Form::Angle,
        Direction::Translation => Form::AxisVector { axis: 2, offset: 0.0 },
    };
    Constraint { form, i: set.i, j: set.j }
}

fn row(stated: &Stated, mechanism: &Mechanism, poses: &[Pose]) -> Row {
    let mut rows = [Row::zero(); MAX_ROWS];
    constraint(stated, mechanism).rows(poses, &mut rows);
    rows[0]
}

/// Gradient by (x, turn) of all bodies, six numbers a body.
fn gradient(stated: &Stated, mechanism: &Mechanism, poses: &[Pose]) -> Vec<f64> {
    let (row, set) = (row(stated, mechanism, poses), &mechanism.sets[stated.set]);
    let mut gradient = vec![0.0; 6 * mechanism.bodies.len()];
    for (body, by_x, by_turn) in [(set.i.body, row.g, row.gi), (set.j.body, -row.g, row.gj)] {
        if let Some(block) = gradient.chunks_exact_mut(6).nth(body) {
            block[..3].copy_from_slice(by_x.as_slice());
            block[3..].copy_from_slice(by_turn.as_slice());
        }
    }
    gradient
}

fn rate_at(stated: &Stated, mechanism: &Mechanism, poses: &[Pose]) -> f64 {
    let set = &mechanism.sets[stated.set];
    row(stated, mechanism, poses).rate(&poses[set.i.body], &poses[set.j.body])
}

fn determined(stated: &Stated, mechanism: &Mechanism, level: Level) -> Option<Determined> {
    let joint = mechanism.sets[stated.set].name.clone();
    stated.at(level).map(|value| Determined { joint, quantity: stated.quantity(level).0, value })
}

fn refused(stated: &Stated, mechanism: &Mechanism, level: Level, reached: f64, earlier: &[Stated]) -> Error {
    let (quantity, unit) = stated.quantity(level);
    let named = |other: &Stated| {
        format!("the initial {} of joint \"{}\"", other.quantity(level).0, mechanism.sets[other.set].name)
    };
    Error::InitialCondition {
        joint: mechanism.sets[stated.set].name.clone(),
        quantity,
        value: stated.at(level).unwrap_or(reached),
        reached,
        unit,
        others: earlier.iter().map(named).collect(),
    }
}

/// The stated values of one level, in the order of the model.
fn of_level(mechanism: &Mechanism, level: Level) -> Vec<Stated> {
    mechanism.stated.iter().copied().filter(|stated| stated.at(level).is_some()).collect()
}

/// The mechanism with stated coordinates as further constraints: two unknowns each, value and rate, follow those of its motions.
fn extended(mechanism: &Mechanism, stated: &[Stated]) -> Mechanism {
    let mut extended = mechanism.clone();
    // Their values would stand in the way of those of motions, and move no body.
    extended.states.clear();
    let zero = Expression::constant(0.0).bind(&mut |_| None).expect("a constant needs no names");
    for stated in stated {
        let constraint = self::constraint(stated, mechanism);
        let first = extended.all_row_count();
        let constraints = extended.constraints.len()..extended.constraints.len() + 1;
        let set = extended.sets.len();
        let name = mechanism.sets[stated.set].name.clone();
        let rows = [extended.independent_rows as u32, DROPPED, DROPPED];
        let drive = Some(extended.drives.len());
        extended.drives.push(Drive {
            law: Law::Acceleration,
            function: TimeFunction::Program(zero.clone()),
            first: extended.drive_unknowns(),
            start: Some(0.0),
            start_rate: 0.0,
        });
        extended.constraints.push(BoundConstraint { constraint, set, rows, first, drive, composed: None });
        let Constraint { i, j, .. } = constraint;
        extended.sets.push(ConstraintSet { name, joint: None, relation: None, i, j, constraints });
        extended.independent_rows += 1;
    }
    extended
}

/// The angle \[rad\] with which counted angles between these frames start, if a joint states it.
pub(super) fn counted(mechanism: &Mechanism, counter: &TurnCounter) -> Option<f64> {
    let of_pair = |stated: &&Stated| {
        let set = &mechanism.sets[stated.set];
        stated.direction == Direction::Rotation && [set.i, set.j] == [counter.i, counter.j]
    };
    mechanism.stated.iter().find(of_pair).and_then(|stated| stated.value)
}

/// Moves `poses`, which the joints close, to the stated positions nearest to `given`; `drives` are the unknowns of motions. Returns the
/// number of iterations.
pub(super) fn positions(
    mechanism: &Mechanism,
    poses: &mut [Pose],
    given: &[Pose],
    drives: &[f64],
    open: &[usize],
) -> Result<usize, Error> {
    let stated = of_level(mechanism, Level::Position);
    if stated.is_empty() {
        return Ok(0);
    }
    let start = Start { given, drives: &drives[..mechanism.drive_unknowns()], open };
    let joined = poses.to_vec();
    if let Ok(done) = start.reach(mechanism, &stated, poses) {
        return Ok(done);
    }
    // Which of them cannot be had?
    for (k, one) in stated.iter().enumerate() {
        let mut before = joined.clone();
        start.reach(mechanism, &stated[..k], &mut before)?;
        let reached = row(one, mechanism, &before).phi;
        poses.copy_from_slice(&joined);
        if start.reach(mechanism, &stated[..=k], poses).is_err() {
            return Err(refused(one, mechanism, Level::Position, reached, &stated[..k]));
        }
    }
    Ok(0)
}

/// Where the positions begin.
struct Start<'a> {
    given: &'a [Pose],
    drives: &'a [f64],
    open: &'a [usize],
}

impl Start<'_> {
    /// Moves the stated coordinates along their ways, so that loops stay on their branch; the short way of an angle may be barred.
    fn reach(&self, mechanism: &Mechanism, stated: &[Stated], poses: &mut [Pose]) -> Result<usize, Error> {
        let joined = poses.to_vec();
        self.along(mechanism, stated, poses).or_else(|_| {
            poses.copy_from_slice(&joined);
            self.close(&extended(mechanism, stated), stated, poses, |target, _| target)
        })
    }

    fn along(&self, mechanism: &Mechanism, stated: &[Stated], poses: &mut [Pose]) -> Result<usize, Error> {
        let extended = extended(mechanism, stated);
        let ways: Vec<f64> =
            stated.iter().map(|s| s.value.map_or(0.0, |target| s.way(row(s, mechanism, poses).phi, target))).collect();
        let size = |(s, way): (&Stated, &f64)| match s.direction {
            Direction::Rotation => way.abs(),
            Direction::Translation => way.abs() / mechanism.length,
        };
        let longest = stated.iter().zip(&ways).map(size).fold(0.0, f64::max);
        let stages = ((longest / LARGEST_TURN).ceil() as usize).clamp(1, ITERATIONS);
        let mut done = 0;
        for stage in 1..stages {
            let left = 1.0 - stage as f64 / stages as f64;
            let before = poses.to_vec();
            let near = Start { given: &before, ..*self };
            done += near.close(&extended, stated, poses, |target, k| target - left * ways[k])?;
        }
        Ok(done + self.close(&extended, stated, poses, |target, _| target)?)
    }

    fn close(
        &self,
        extended: &Mechanism,
        stated: &[Stated],
        poses: &mut [Pose],
        value: impl Fn(f64, usize) -> f64,
    ) -> Result<usize, Error> {
        let t = extended.start.time;
        let mut drives = self.drives.to_vec();
        drives.extend(stated.iter().enumerate().flat_map(|(k, s)| [value(s.value.unwrap_or(0.0), k), 0.0]));
        let mut system = System::new(extended, Rows::All);
        system.evaluate_drives(extended, t, &drives);
        assemble_near(extended, &mut system, poses, self.given, t, self.open)
    }
}

/// The velocities nearest to the given ones, with the stated rates. Returns the conditions that others determine already.
pub(super) fn velocities(
    mechanism: &Mechanism,
    poses: &mut [Pose],
    drives: &[f64],
    t: f64,
    open: &[usize],
) -> Result<Vec<Determined>, Error> {
    if mechanism.stated.is_empty() {
        return corrections::velocities(mechanism, poses, drives, t).map(|()| Vec::new());
    }
    let values = of_level(mechanism, Level::Position);
    let rates = of_level(mechanism, Level::Velocity);
    let free = free(mechanism, poses, &rates).map_err(|e| named(mechanism, "initial velocities", t, e, false))?;
    let kept: Vec<Stated> = rates.iter().zip(&free).filter(|(_, free)| **free).map(|(stated, _)| *stated).collect();
    let mut drives = drives[..mechanism.drive_unknowns()].to_vec();
    drives.extend(kept.iter().flat_map(|s| [row(s, mechanism, poses).phi, s.rate.unwrap_or(0.0)]));
    corrections::velocities(&extended(mechanism, &kept), poses, &drives, t)?;
    refuse_other_rates(mechanism, poses, &rates)?;
    // At a singular position, where rows do not tell what is free, nothing is said about positions.
    let values_free =
        self::free(&unopened(mechanism, open), poses, &values).unwrap_or_else(|_| vec![true; values.len()]);
    let bound = |stated: &[Stated], free: &[bool], level| -> Vec<Determined> {
        let bound = stated.iter().zip(free).filter(|(_, free)| !**free);
        bound.filter_map(|(one, _)| determined(one, mechanism, level)).collect()
    };
    let mut determined = bound(&values, &values_free, Level::Position);
    determined.extend(bound(&rates, &free, Level::Velocity));
    Ok(determined)
}

/// The mechanism without the rows of motions that begin wherever their joints are: these determine rates alone.
fn unopened(mechanism: &Mechanism, open: &[usize]) -> Mechanism {
    let mut rest = mechanism.clone();
    let mut next = 0;
    for bound in &mut rest.constraints {
        let opens = open.contains(&bound.first);
        for row in bound.rows.iter_mut().filter(|row| **row != DROPPED) {
            *row = if opens { DROPPED } else { next };
            next += u32::from(!opens);
        }
    }
    rest.independent_rows = next as usize;
    rest
}

/// Refuses rates that differ from what joints, motions and the rates before leave.
fn refuse_other_rates(mechanism: &Mechanism, poses: &[Pose], rates: &[Stated]) -> Result<(), Error> {
    let fastest = poses.iter().fold(0.0_f64, |a, p| a.max(p.v.norm()).max(p.w.norm() * mechanism.length));
    for (k, one) in rates.iter().enumerate() {
        let (reached, given) = (rate_at(one, mechanism, poses), one.rate.unwrap_or(0.0));
        let speed = match one.direction {
            Direction::Rotation => fastest / mechanism.length,
            Direction::Translation => fastest,
        };
        if !((reached - given).abs() <= CLOSED * speed.max(given.abs())) {
            return Err(refused(one, mechanism, Level::Velocity, reached, &rates[..k]));
        }
    }
    Ok(())
}

/// Of each stated coordinate, whether the independent rows and those stated before leave it free: the sine of the angle between its
/// gradient and theirs, turns weighed by the length of the mechanism.
fn free(mechanism: &Mechanism, poses: &[Pose], stated: &[Stated]) -> Result<Vec<bool>, fourbar_linalg::Error> {
    if stated.is_empty() {
        return Ok(Vec::new());
    }
    let (n, arm) = (6 * mechanism.bodies.len(), mechanism.length);
    let mut system = System::new(mechanism, Rows::Independent);
    system.evaluate_phi(mechanism, poses);
    system.evaluate_metric(arm);
    let mut kkt = saddle::factored(mechanism, &system)?;
    let turn = |k: usize| if k % 6 < 3 { 1.0 } else { arm };
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut free = Vec::with_capacity(stated.len());
    for one in stated {
        let mut way = gradient(one, mechanism, poses);
        let whole = (0..n).map(|k| (way[k] / turn(k)).powi(2)).sum::<f64>().sqrt();
        kkt.solve(&mut way, &mut vec![0.0; system.row_count()])?;
        (0..n).for_each(|k| way[k] *= turn(k));
        for other in &basis {
            let along = dot(&way, other);
            way.iter_mut().zip(other).for_each(|(w, o)| *w -= along * o);
        }
        let rest = dot(&way, &way).sqrt();
        free.push(rest > TOLERANCE * whole);
        if rest > TOLERANCE * whole {
            way.iter_mut().for_each(|w| *w /= rest);
            basis.push(way);
        }
    }
    Ok(free)
}
