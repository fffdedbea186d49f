//! The wrenches of friction at given multipliers, and their derivatives.

use super::element::{DIRECTIONS, JointFriction, Pressing};
use crate::constraint::{Curvature, Row};
use crate::force::{Entry, Loads, Parts};
use crate::measure::BodyGradient;
use crate::mechanism::Mechanism;
use crate::space::{Pose, V3};

/// Scratch for the evaluation of friction.
#[derive(Debug, Clone)]
pub struct FrictionLoads {
    states: Vec<FrictionState>,
}

/// One element at the point that was linearized last.
#[derive(Debug, Clone)]
struct FrictionState {
    forces: [f64; DIRECTIONS],
    wrenches: [[[V3; 2]; 2]; DIRECTIONS],
    curvatures: [Curvature; DIRECTIONS],
    /// Gradients of the forces by the bodies of the joint, I then J.
    gradients: [[BodyGradient; 2]; DIRECTIONS],
    /// Rows of the joint, and the derivative of N by the multiplier of each.
    by_multipliers: Vec<(usize, f64)>,
    /// Derivatives of the forces by N.
    by_pressing: [f64; DIRECTIONS],
}

impl FrictionLoads {
    /// Scratch for `mechanism`.
    #[must_use]
    pub fn new(mechanism: &Mechanism) -> Self {
        let mut poses = mechanism.start.poses.clone();
        poses.push(Pose::ground());
        let state = |friction: &JointFriction| {
            let mut by_multipliers = Vec::new();
            friction.each_row(mechanism, &poses, |_, at, _| by_multipliers.push((at, 0.0)));
            FrictionState {
                forces: [0.0; DIRECTIONS],
                wrenches: [[[V3::zeros(); 2]; 2]; DIRECTIONS],
                curvatures: [Curvature::zero(); DIRECTIONS],
                gradients: [[[V3::zeros(); 4]; 2]; DIRECTIONS],
                by_multipliers,
                by_pressing: [0.0; DIRECTIONS],
            }
        };
        Self { states: mechanism.frictions.iter().map(state).collect() }
    }

    /// Adds the wrenches of friction to `wrenches`, one (force, torque about the centre of mass) a body, the ground last; `multipliers` are those of
    /// the independent rows.
    pub fn apply(mechanism: &Mechanism, poses: &[Pose], multipliers: &[f64], wrenches: &mut [[V3; 2]]) {
        for friction in &mechanism.frictions {
            let (rows, rates) = friction.sliding(poses);
            if rates.iter().all(|rate| *rate == 0.0) {
                continue;
            }
            let reaction = friction.reaction(mechanism, poses, multipliers);
            let forces = friction.forces(friction.pressing(&reaction, poses).value, &rates);
            for ((slide, row), force) in friction.slides.iter().zip(&rows).zip(forces) {
                Loads::add_line(row, slide.line.bodies(), force, wrenches);
            }
        }
    }

    /// Power of friction, zero or negative \[W\].
    #[must_use]
    pub fn power(mechanism: &Mechanism, poses: &[Pose], multipliers: &[f64]) -> f64 {
        let of = |friction: &JointFriction| -> f64 {
            let (_, rates) = friction.sliding(poses);
            let reaction = friction.reaction(mechanism, poses, multipliers);
            let forces = friction.forces(friction.pressing(&reaction, poses).value, &rates);
            forces.iter().zip(rates).map(|(force, rate)| force * rate).sum()
        };
        mechanism.frictions.iter().map(of).sum()
    }

    /// Force, and torque about the origin of I of the joint, of the friction of that name on the body of I, global axes.
    pub(crate) fn wrench_of(mechanism: &Mechanism, name: &str, poses: &[Pose], multipliers: &[f64]) -> [V3; 2] {
        let mut wrench = [V3::zeros(); 2];
        for friction in mechanism.frictions.iter().filter(|friction| friction.name == name) {
            let (rows, rates) = friction.sliding(poses);
            let i = mechanism.sets[friction.joint].i;
            let reaction = friction.reaction(mechanism, poses, multipliers);
            let forces = friction.forces(friction.pressing(&reaction, poses).value, &rates);
            for ((slide, row), size) in friction.slides.iter().zip(&rows).zip(forces) {
                // Of a direction whose bodies are exchanged the other side is that of I.
                let (push, turn) = if slide.line.bodies().0 == i.body { (row.g, row.gi) } else { (-row.g, row.gj) };
                wrench[0] += push * size;
                wrench[1] += turn * size - i.arm(poses).cross(&(push * size));
            }
        }
        wrench
    }

    /// Evaluates what [`FrictionLoads::emit`] needs.
    pub fn linearize(&mut self, mechanism: &Mechanism, poses: &[Pose], multipliers: &[f64]) {
        for (friction, state) in mechanism.frictions.iter().zip(&mut self.states) {
            state.linearize(friction, mechanism, poses, multipliers);
        }
    }

    /// Emits the derivative of all wrenches, always in the same order.
    pub fn emit(&self, mechanism: &Mechanism, emit: &mut dyn FnMut(Entry<'_>)) {
        for (friction, state) in mechanism.frictions.iter().zip(&self.states) {
            let joint = &mechanism.sets[friction.joint];
            for (k, slide) in friction.slides.iter().enumerate() {
                let (i, j) = slide.line.bodies();
                let (constraint, mask) = (&slide.line.frames(), slide.line.mask());
                emit(Entry::Curvature { constraint, mask, curvature: &state.curvatures[k], weight: state.forces[k] });
                let force = slide.line.has_force();
                let parts = Parts { force, centers: true, rates: true };
                for (body, wrench) in [i, j].into_iter().zip(state.wrenches[k]) {
                    for (by, gradient) in [joint.i.body, joint.j.body].into_iter().zip(state.gradients[k]) {
                        emit(Entry::Gradient { body, wrench, by, gradient, parts });
                    }
                    for &(row, by) in &state.by_multipliers {
                        let wrench = wrench.map(|part| part * (by * state.by_pressing[k]));
                        emit(Entry::Multiplier { body, wrench, row, force });
                    }
                }
            }
        }
    }
}

impl FrictionState {
    fn linearize(&mut self, friction: &JointFriction, mechanism: &Mechanism, poses: &[Pose], multipliers: &[f64]) {
        let (rows, rates) = friction.sliding(poses);
        let reaction = friction.reaction(mechanism, poses, multipliers);
        let pressing = friction.pressing(&reaction, poses);
        self.forces = friction.forces(pressing.value, &rates);
        let of_pressing = self.pressing_gradient(friction, mechanism, (poses, multipliers), &pressing);
        let velocity = friction.velocity(&rates);
        let (quotient, slope) = (friction.law.over_velocity(velocity), friction.law.slope_over_velocity(velocity));
        let of_rates = self.rate_gradients(friction, mechanism, poses, &rows);
        // Of N mu(v)/v + c: by N, and by the rates through v.
        let mut per_velocity = of_pressing.map(|body| body.map(|part| part * quotient));
        for ((slide, rate), gradients) in friction.slides.iter().zip(rates).zip(&of_rates) {
            let weight = pressing.value * slope * slide.arm * slide.arm * rate;
            add(&mut per_velocity, gradients, weight);
        }
        let whole = pressing.value * quotient + friction.law.viscous;
        for (k, slide) in friction.slides.iter().enumerate() {
            let square = slide.arm * slide.arm;
            self.by_pressing[k] = -square * quotient * rates[k];
            self.gradients[k] = [[V3::zeros(); 4]; 2];
            add(&mut self.gradients[k], &per_velocity, -square * rates[k]);
            add(&mut self.gradients[k], &of_rates[k], -square * whole);
            self.wrenches[k] = [[rows[k].g, rows[k].gi], [-rows[k].g, rows[k].gj]];
        }
    }

    /// Gradients of N by the bodies of the joint; those by the multipliers go to `self.by_multipliers`.
    fn pressing_gradient(
        &mut self,
        friction: &JointFriction,
        mechanism: &Mechanism,
        (poses, multipliers): (&[Pose], &[f64]),
        pressing: &Pressing,
    ) -> [BodyGradient; 2] {
        let joint = &mechanism.sets[friction.joint];
        let arm = joint.i.arm(poses);
        let (push, turn) = (pressing.force + arm.cross(&pressing.torque), pressing.torque);
        // These as velocities of I against J.
        let still = Pose::ground();
        let moved = Pose { v: push, w: turn, ..still };
        let mut gradients = [[V3::zeros(); 4]; 2];
        let mut curvature = Curvature::zero();
        self.by_multipliers.clear();
        let own = &mut self.by_multipliers;
        friction.each_row(mechanism, poses, |(c, k), at, row| {
            let constraint = &mechanism.constraints[c].constraint;
            own.push((at, -row.rate(&moved, &still)));
            let lambda = multipliers.get(at).copied().unwrap_or(0.0);
            constraint.curvature(k, poses, &mut curvature);
            let [x, pi, pj] = curvature.rate_gradient(constraint.mask(), &moved, &still);
            gradients[0][0] -= x * lambda;
            gradients[1][0] += x * lambda;
            // The arm turns with I: ds = dpi x s.
            gradients[0][1] -= (pi - arm.cross(&row.g.cross(&turn))) * lambda;
            gradients[1][1] -= pj * lambda;
        });
        gradients[usize::from(friction.axis.body != joint.i.body)][1] += pressing.turn;
        gradients
    }

    /// Gradients of the rates of the directions by the bodies of the joint, I then J.
    fn rate_gradients(
        &mut self,
        friction: &JointFriction,
        mechanism: &Mechanism,
        poses: &[Pose],
        rows: &[Row; DIRECTIONS],
    ) -> [[BodyGradient; 2]; DIRECTIONS] {
        let first = mechanism.sets[friction.joint].i.body;
        let mut all = [[[V3::zeros(); 4]; 2]; DIRECTIONS];
        for (k, slide) in friction.slides.iter().enumerate() {
            let ((i, j), row) = (slide.line.bodies(), &rows[k]);
            slide.line.curvature(poses, &mut self.curvatures[k]);
            let [x, pi, pj] = self.curvatures[k].rate_gradient(slide.line.mask(), &poses[i], &poses[j]);
            let own = [[x, pi, row.g, row.gi], [-x, pj, -row.g, row.gj]];
            all[k] = if i == first { own } else { [own[1], own[0]] };
        }
        all
    }
}

fn add(sum: &mut [BodyGradient; 2], more: &[BodyGradient; 2], weight: f64) {
    for (sum, more) in sum.iter_mut().flatten().zip(more.iter().flatten()) {
        *sum += more * weight;
    }
}
