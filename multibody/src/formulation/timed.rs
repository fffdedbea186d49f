//! What depends on the time by itself, compared within each step with the polynomial that the integrator makes of it ([`Samples`]). The
//! difference d over the step h is an impulse h d that the method does not see.

use super::equations::Equations;
use crate::dae::StepErrors;
use crate::drive::{Law, TimeFunction};
use crate::force::{Line, ScalarLaw};
use crate::mechanism::Mechanism;
use crate::samples::{NODES, Samples};

/// What a function of time changes: the error h^power factor d of three unknowns.
#[derive(Debug, Clone, Copy)]
struct Effect {
    first: usize,
    count: usize,
    factor: f64,
    power: i32,
}

/// The functions of time of a mechanism.
#[derive(Debug, Clone, Default)]
pub(super) struct Timed {
    /// Programs of forces, and motions, each with what it changes.
    programs: Vec<(usize, Vec<Effect>)>,
    drives: Vec<(usize, Effect)>,
    samples: Samples,
    /// Largest difference of each from its polynomial.
    largest: Vec<f64>,
}

impl Timed {
    pub(super) fn new(mechanism: &Mechanism, layout: &super::Layout) -> Self {
        let programs: Vec<_> = mechanism
            .timed_programs()
            .map(|p| (p, effects(mechanism, layout, p)))
            .filter(|(_, e)| !e.is_empty())
            .collect();
        let drives: Vec<_> = mechanism
            .drives
            .iter()
            .enumerate()
            .filter_map(|(d, drive)| {
                let TimeFunction::Program(program) = &drive.function else { return None };
                program.slots().contains(&0).then(|| (d, drive_effect(mechanism, layout, d)))
            })
            .collect();
        let count = programs.len() + drives.len();
        Self { programs, drives, samples: Samples::new(count), largest: vec![0.0; count] }
    }
}

/// What program `p` of a force changes: momentum of its bodies, by the force and its arm.
fn effects(mechanism: &Mechanism, layout: &super::Layout, p: usize) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut add = |body: usize, force: bool, arm: f64| {
        if let Some(data) = mechanism.bodies.get(body) {
            if force {
                effects.push(Effect { first: layout.v(body), count: 3, factor: 1.0 / data.mass, power: 1 });
            }
            if arm > 0.0 {
                effects.push(Effect { first: layout.h(body), count: 3, factor: arm, power: 1 });
            }
        }
    };
    for force in mechanism.scalar_forces.iter().filter(|force| matches!(force.law, ScalarLaw::Program(own) if own == p))
    {
        let linear = force.line.has_force();
        let (i, j) = match &force.line {
            Line::Row { constraint, .. } => (constraint.i, constraint.j),
            Line::Axis { i, j } => (*i, *j),
        };
        for frame in [i, j] {
            add(frame.body, linear, if linear { frame.r.norm() } else { 1.0 });
        }
    }
    for force in mechanism.vector_forces.iter().filter(|force| force.programs.contains(&p)) {
        add(force.i.body, !force.torque, if force.torque { 1.0 } else { force.i.r.norm() });
        add(force.reaction, !force.torque, if force.torque { 1.0 } else { 0.0 });
    }
    effects
}

/// What motion `d` changes: its own coordinates, or the body that it moves.
fn drive_effect(mechanism: &Mechanism, layout: &super::Layout, d: usize) -> Effect {
    let drive = &mechanism.drives[d];
    if drive.law != Law::Displacement {
        // The last of its unknowns is the integral of the function.
        let last = drive.first + drive.law.unknowns() - 1;
        return Effect { first: layout.drive() + last, count: 1, factor: 1.0, power: 1 };
    }
    let bound = mechanism.constraints.iter().find(|bound| bound.drive == Some(d));
    let angular = bound.is_some_and(|bound| bound.constraint.is_angular());
    let body = bound.map_or(0, |bound| bound.constraint.i.body.min(bound.constraint.j.body));
    let first = if angular { layout.e(body) } else { layout.x(body) };
    Effect { first, count: 3, factor: 1.0, power: 0 }
}

impl Equations {
    /// Largest error, in tolerances, that a step of length `h` to `t` makes of functions of time by a polynomial of degree `order`; `errors`
    /// gives what a unit of each unknown is in tolerances. The state is that of the last evaluation.
    pub(super) fn defect_of_time(&mut self, t: f64, h: f64, order: usize, errors: &dyn StepErrors) -> f64 {
        if self.timed.samples.is_empty() {
            return 0.0;
        }
        let mut timed = std::mem::take(&mut self.timed);
        let nodes = (order + 1).min(NODES);
        // A BDF of order k is exact for the polynomial through k values of a force; what the next one makes of it, the test of velocities sees.
        let of_forces = if self.formulation.stabilized() { nodes } else { order.min(NODES) };
        let Timed { programs, drives, samples, largest } = &mut timed;
        largest.fill(0.0);
        samples.compare(
            [t, h, f64::NEG_INFINITY],
            |i| if i < programs.len() { of_forces } else { nodes },
            |time, values| self.evaluate_timed(programs, drives, time, values),
            |_, differences| {
                largest.iter_mut().zip(differences).for_each(|(largest, d)| *largest = largest.max(d.abs()));
            },
        );
        let of = |effect: &Effect, d: f64| {
            let most = (effect.first..effect.first + effect.count).map(|i| errors.weight(i)).fold(0.0, f64::max);
            most * effect.factor * d * h.powi(effect.power)
        };
        let (of_programs, of_drives) = timed.largest.split_at(timed.programs.len());
        let programs = timed.programs.iter().zip(of_programs);
        let largest = programs.flat_map(|((_, effects), &d)| effects.iter().map(move |effect| (effect, d)));
        let drives = timed.drives.iter().zip(of_drives).map(|((_, effect), &d)| (effect, d));
        let defect = largest.chain(drives).map(|(effect, d)| of(effect, d)).fold(0.0, f64::max);
        self.timed = timed;
        defect
    }

    fn evaluate_timed(
        &mut self,
        programs: &[(usize, Vec<Effect>)],
        drives: &[(usize, Effect)],
        t: f64,
        values: &mut [f64],
    ) {
        let (of_programs, of_drives) = values.split_at_mut(programs.len());
        self.loads.timed(&self.mechanism, t, programs.iter().map(|(p, _)| *p), of_programs);
        let t = self.loads.passage().sided(t);
        for (value, (d, _)) in of_drives.iter_mut().zip(drives) {
            *value = self.mechanism.drives[*d].function.time_derivatives(t, &mut self.stack)[0];
        }
    }
}
