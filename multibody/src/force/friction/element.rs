//! Friction at a joint, compiled: what slides, and what presses it.

use super::law::FrictionLaw;
use crate::constraint::{MAX_ROWS, Row};
use crate::force::Line;
use crate::mechanism::{DROPPED, Mechanism};
use crate::space::{FixedFrame, Pose, V3};

/// Directions in which the surfaces of one joint slide at most: those of a ball.
pub(crate) const DIRECTIONS: usize = 3;

/// Surfaces of a joint that slide on each other. A joint with two pins has two.
#[derive(Debug, Clone)]
pub struct JointFriction {
    /// Name in the model.
    pub name: String,
    /// The joint, an index of [`Mechanism::constraint_sets`].
    pub joint: usize,
    /// Directions of sliding, at most three.
    pub slides: Vec<Slide>,
    /// z is the axis of the pin or guide.
    pub axis: FixedFrame,
    /// What presses the surfaces.
    pub presses: Vec<Press>,
    /// Force that presses them without any reaction \[N\].
    pub preload: f64,
    /// How friction depends on the velocity.
    pub law: FrictionLaw,
}

/// A direction of sliding.
#[derive(Debug, Clone)]
pub struct Slide {
    /// Along or about it.
    pub line: Line,
    /// Velocity of the surfaces over the rate of the line: 1, or the radius \[m\].
    pub arm: f64,
}

/// A part of the reaction that presses the surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Press {
    /// Of the torque about the origin of I, not of the force.
    pub torque: bool,
    /// Which part.
    pub part: Part,
    /// Force on the surfaces over its norm [1, 1/m].
    pub factor: f64,
}

/// A part of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What lies across the axis.
    Across,
    /// What lies along it.
    Along,
    /// All of it.
    All,
}

/// The force N that presses surfaces, and its derivatives: dN = `force`.dF + `torque`.dT + `turn`.dpi, where dpi turns the axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pressing {
    pub(crate) value: f64,
    pub(super) force: V3,
    pub(super) torque: V3,
    pub(super) turn: V3,
}

impl JointFriction {
    /// Force, and torque about the origin of I, that the joint exerts on the body of I, by the multipliers of independent rows.
    pub(super) fn reaction(&self, mechanism: &Mechanism, poses: &[Pose], multipliers: &[f64]) -> [V3; 2] {
        let mut wrench = [V3::zeros(); 2];
        self.each_row(mechanism, poses, |_, at, row| {
            let lambda = multipliers.get(at).copied().unwrap_or(0.0);
            wrench[0] -= row.g * lambda;
            wrench[1] -= row.gi * lambda;
        });
        wrench[1] -= mechanism.sets[self.joint].i.arm(poses).cross(&wrench[0]);
        wrench
    }

    /// Calls `visit` for each independent row of the joint: its constraint with the number there, its number among all rows, the row.
    pub(super) fn each_row(
        &self,
        mechanism: &Mechanism,
        poses: &[Pose],
        mut visit: impl FnMut((usize, usize), usize, &Row),
    ) {
        let mut rows = [Row::zero(); MAX_ROWS];
        for c in mechanism.sets[self.joint].constraints.clone() {
            let bound = &mechanism.constraints[c];
            bound.constraint.rows(poses, &mut rows);
            for (k, row) in rows.iter().enumerate().take(bound.constraint.row_count()) {
                if bound.rows[k] != DROPPED {
                    visit((c, k), bound.rows[k] as usize, row);
                }
            }
        }
    }

    pub(crate) fn pressing(&self, [force, torque]: &[V3; 2], poses: &[Pose]) -> Pressing {
        let axis = self.axis.axis(poses, 2);
        let zero = V3::zeros();
        let mut all = Pressing { value: self.preload, force: zero, torque: zero, turn: zero };
        for press in &self.presses {
            let vector = if press.torque { torque } else { force };
            let along = axis.dot(vector);
            // The norm, and its derivatives by the vector and by the axis; at 0, where it has none, those are taken as 0.
            let (norm, by, by_axis) = match press.part {
                Part::All => {
                    let by = vector.try_normalize(0.0).unwrap_or(zero);
                    (vector.norm(), by, zero)
                }
                Part::Across => {
                    let across = vector - axis * along;
                    let by = across.try_normalize(0.0).unwrap_or(zero);
                    (across.norm(), by, by * -along)
                }
                Part::Along => {
                    let sign = if along == 0.0 { 0.0 } else { along.signum() };
                    (along.abs(), axis * sign, vector * sign)
                }
            };
            all.value += press.factor * norm;
            *(if press.torque { &mut all.torque } else { &mut all.force }) += by * press.factor;
            // d axis = dpi x axis.
            all.turn += axis.cross(&by_axis) * press.factor;
        }
        all
    }

    /// Each direction at `poses`: its bodies, the row of its rate, and the force against the rate over the rate [N s/m, N m s], where the surfaces are
    /// pressed by `multipliers` of the independent rows \[N, N m\].
    pub fn resistances<'a>(
        &'a self,
        mechanism: &Mechanism,
        poses: &'a [Pose],
        multipliers: &[f64],
    ) -> impl Iterator<Item = ([usize; 2], Row, f64)> + use<'a> {
        let (_, rates) = self.sliding(poses);
        let pressing = self.pressing(&self.reaction(mechanism, poses, multipliers), poses).value;
        let per_velocity = pressing * self.law.over_velocity(self.velocity(&rates)) + self.law.viscous;
        self.directions(poses)
            .zip(&self.slides)
            .map(move |((bodies, row), slide)| (bodies, row, slide.arm * slide.arm * per_velocity))
    }

    /// Each direction at `poses`: its bodies and the row of its rate.
    pub fn directions<'a>(&'a self, poses: &'a [Pose]) -> impl Iterator<Item = ([usize; 2], Row)> + use<'a> {
        self.slides.iter().map(|slide| {
            let (i, j) = slide.line.bodies();
            ([i, j], slide.line.row(0.0, poses, &[]))
        })
    }

    /// The rows of its directions, and their rates.
    pub(super) fn sliding(&self, poses: &[Pose]) -> ([Row; DIRECTIONS], [f64; DIRECTIONS]) {
        let (mut rows, mut rates) = ([Row::zero(); DIRECTIONS], [0.0; DIRECTIONS]);
        for ((slide, row), rate) in self.slides.iter().zip(&mut rows).zip(&mut rates) {
            let (i, j) = slide.line.bodies();
            *row = slide.line.row(0.0, poses, &[]);
            *rate = row.rate(&poses[i], &poses[j]);
        }
        (rows, rates)
    }

    /// Velocity of the surfaces [m/s].
    pub(super) fn velocity(&self, rates: &[f64; DIRECTIONS]) -> f64 {
        self.slides.iter().zip(rates).map(|(slide, rate)| (slide.arm * rate).powi(2)).sum::<f64>().sqrt()
    }

    /// Forces and torques along its directions at the force `pressing` on the surfaces [N, N m].
    pub(super) fn forces(&self, pressing: f64, rates: &[f64; DIRECTIONS]) -> [f64; DIRECTIONS] {
        let per_velocity = pressing * self.law.over_velocity(self.velocity(rates)) + self.law.viscous;
        let mut forces = [0.0; DIRECTIONS];
        for ((slide, rate), force) in self.slides.iter().zip(rates).zip(&mut forces) {
            *force = -slide.arm * slide.arm * per_velocity * rate;
        }
        forces
    }
}
