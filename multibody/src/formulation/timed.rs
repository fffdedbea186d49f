//! The functions of time of a mechanism, and what each changes.

use super::layout::Layout;
use crate::drive::{Law, TimeFunction};
use crate::force::{Line, ScalarLaw};
use crate::mechanism::Mechanism;
use crate::samples::Samples;

/// What a function of time changes: the error h^power factor d of `count` unknowns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effect {
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) factor: f64,
    pub(super) power: i32,
    /// Of forces: the first of as many equations that they load, and the inertia of a unit of the unknowns. Joints may hold these.
    pub(super) load: Option<(usize, f64)>,
}

/// The functions of time of a mechanism.
#[derive(Debug, Clone, Default)]
pub(super) struct Timed {
    /// Programs of forces, and motions, each with what it changes.
    pub(super) programs: Vec<(usize, Vec<Effect>)>,
    pub(super) drives: Vec<(usize, Effect)>,
    pub(super) samples: Samples,
    /// Largest difference of each from its polynomial.
    pub(super) largest: Vec<f64>,
    /// Scratch, as many entries as there are unknowns.
    pub(super) response: Vec<f64>,
}

impl Timed {
    pub(super) fn new(mechanism: &Mechanism, layout: &Layout) -> Self {
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
        Self {
            programs,
            drives,
            samples: Samples::new(count),
            largest: vec![0.0; count],
            response: vec![0.0; layout.dimension()],
        }
    }
}

/// What program `p` changes: of a force momentum of its bodies, by the force and its arm; of an unknown of the user that.
fn effects(mechanism: &Mechanism, layout: &Layout, p: usize) -> Vec<Effect> {
    let mut effects = Vec::new();
    if let Some(state) = mechanism.state_of_program(p).filter(|&state| !mechanism.states[state].implicit) {
        effects.push(Effect { first: layout.state() + state, count: 1, factor: 1.0, power: 1, load: None });
    }
    let mut add = |body: usize, force: bool, arm: f64| {
        if let Some(data) = mechanism.bodies.get(body) {
            if force {
                let (first, count, load) = (layout.v(body), layout.linear, Some((layout.v(body), data.mass)));
                effects.push(Effect { first, count, factor: 1.0 / data.mass, power: 1, load });
            }
            if arm > 0.0 {
                let (first, count, load) = (layout.h(body), layout.angular, Some((layout.w(body), 1.0)));
                effects.push(Effect { first, count, factor: arm, power: 1, load });
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
fn drive_effect(mechanism: &Mechanism, layout: &Layout, d: usize) -> Effect {
    let drive = &mechanism.drives[d];
    if drive.law != Law::Displacement {
        // The last of its unknowns is the integral of the function.
        let last = drive.first + drive.law.unknowns() - 1;
        return Effect { first: layout.drive() + last, count: 1, factor: 1.0, power: 1, load: None };
    }
    let bound = mechanism.constraints.iter().find(|bound| bound.drive == Some(d));
    let angular = bound.is_some_and(|bound| bound.constraint.is_angular());
    let body = bound.map_or(0, |bound| bound.constraint.i.body.min(bound.constraint.j.body));
    let (first, count) = if angular { (layout.e(body), layout.angular) } else { (layout.x(body), layout.linear) };
    Effect { first, count, factor: 1.0, power: 0, load: None }
}
