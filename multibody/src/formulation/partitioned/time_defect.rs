//! What depends on the time by itself, compared within each step with the polynomial that a method of order 5 makes of it ([`Samples`]).
//!
//! The difference d of a force over the step h is an impulse h d that the stages do not see: it changes velocities by h d times the accelerations that a
//! force of one makes, joints included. Only steps with such a difference pay for those. A motion given by velocity or acceleration misses h d of
//! its own coordinate. One given by displacement misses nothing: what it moves depends on it, at each time that is asked for.

use super::Partitioned;
use super::local::PER_BODY;
use crate::drive::{Law, TimeFunction};
use crate::formulation::supplement::Supplement;
use crate::mechanism::Mechanism;
use crate::samples::Samples;
use std::sync::Arc;

/// Nodes of the polynomial, within the step: Fehlberg's formula of order 5 is exact for a force of degree 4 in the time.
const NODES: usize = 5;

/// Round-off of times, and of the few operations on them, in units of the last place.
const ROUND_OFF: f64 = 64.0;

/// The functions of time of a mechanism.
#[derive(Debug, Clone, Default)]
pub(super) struct Timed {
    /// Programs of forces.
    programs: Vec<usize>,
    /// Motions by velocity or acceleration.
    drives: Vec<usize>,
    samples: Samples,
    /// Largest difference of each from its polynomial, and range of its values.
    largest: Vec<f64>,
    ranges: Vec<[f64; 2]>,
}

impl Timed {
    pub(super) fn new(mechanism: &Mechanism) -> Self {
        let programs: Vec<usize> = mechanism.timed_programs().collect();
        let timed = |function: &TimeFunction| matches!(function, TimeFunction::Program(p) if p.slots().contains(&0));
        let drives: Vec<usize> = (0..mechanism.drives.len())
            .filter(|&d| mechanism.drives[d].law != Law::Displacement && timed(&mechanism.drives[d].function))
            .collect();
        let count = programs.len() + drives.len();
        Self {
            programs,
            drives,
            samples: Samples::new(count),
            largest: vec![0.0; count],
            ranges: vec![[0.0; 2]; count],
        }
    }

    /// Steps sampled so far, for a saved point: a count below 2^53.
    pub(super) fn steps(&self) -> f64 {
        self.samples.steps() as f64
    }

    pub(super) fn set_steps(&mut self, steps: f64) {
        self.samples.set_steps(steps as u64);
    }
}

impl<S: Supplement> Partitioned<S> {
    /// Writes the error of each unknown that a step of length `h` to (t, y) makes of the time by itself.
    pub(super) fn defect_of_time(&mut self, t: f64, h: f64, y: &[f64], errors: &mut [f64]) {
        if self.timed.samples.is_empty() {
            return;
        }
        let mut timed = std::mem::take(&mut self.timed);
        // What cannot be evaluated at the end is no reason for a shorter step.
        if self.compare_with_polynomials(t, h, y, &mut timed) {
            for (k, &p) in timed.programs.iter().enumerate().filter(|(k, _)| timed.largest[*k] > 0.0) {
                match self.mechanism.state_of_program(p) {
                    Some(state) => errors[self.first_state() + state] += h * timed.largest[k],
                    None => self.add_impulse(t, h * timed.largest[k], p, errors),
                }
            }
            let of_drives = &timed.largest[timed.programs.len()..];
            let first = PER_BODY * self.mechanism.bodies.len();
            for (&d, &largest) in timed.drives.iter().zip(of_drives) {
                // The last of its unknowns is the integral of the function.
                let drive = &self.mechanism.drives[d];
                errors[first + drive.first + drive.law.unknowns() - 1] += h * largest;
            }
        }
        self.timed = timed;
        // Other times and unit forces have taken the places of what was found there.
        self.last.forget();
    }

    /// Returns whether any function differs from its polynomial; (t, y) is evaluated then.
    fn compare_with_polynomials(&mut self, t: f64, h: f64, y: &[f64], timed: &mut Timed) -> bool {
        // Measures that forces use are those of the end of the step.
        if self.evaluate(t, y).is_err() {
            return false;
        }
        let mechanism = Arc::clone(&self.mechanism);
        let system = &mut self.joined.system;
        let Timed { programs, drives, samples, largest, ranges } = timed;
        largest.fill(0.0);
        ranges.fill([f64::INFINITY, f64::NEG_INFINITY]);
        samples.compare(
            [t, h, t - h],
            |_| NODES,
            |time, values| {
                let (of_programs, of_drives) = values.split_at_mut(programs.len());
                system.loads_mut().timed(&mechanism, time, programs.iter().copied(), of_programs);
                for (value, &d) in of_drives.iter_mut().zip(&*drives) {
                    *value = system.function_of_drive(&mechanism, d, time);
                }
            },
            |values, differences| {
                ranges.iter_mut().zip(values).for_each(|(range, v)| *range = [range[0].min(*v), range[1].max(*v)]);
                let finite = largest.iter_mut().zip(differences).filter(|(_, d)| d.is_finite());
                finite.for_each(|(largest, d)| *largest = largest.max(d.abs()));
            },
        );
        // A function is no better known than the time is, times its slope.
        let blur = ROUND_OFF * f64::EPSILON * t.abs() / h;
        for (d, [low, high]) in largest.iter_mut().zip(&*ranges) {
            if !(*d > blur * (high - low)) {
                *d = 0.0;
            }
        }
        largest.iter().any(|d| *d > 0.0)
    }

    /// Adds to the errors of velocities what `impulse` of program `p` makes of them.
    fn add_impulse(&mut self, t: f64, impulse: f64, p: usize, errors: &mut [f64]) {
        let Self { mechanism, joined, solvers, poses, tracked, .. } = self;
        let Some(solvers) = solvers else { return };
        joined.system.unit_forces(mechanism, p, t, poses, tracked, &mut solvers.accelerations.accelerations);
        if !solvers.accelerations.respond(mechanism, joined, &mut solvers.positions, poses) {
            return;
        }
        let accelerations = solvers.accelerations.accelerations.as_chunks::<6>().0;
        for (errors, a) in errors.chunks_exact_mut(PER_BODY).zip(accelerations) {
            errors[6..].iter_mut().zip(a).for_each(|(error, a)| *error += impulse * a.abs());
        }
    }
}
