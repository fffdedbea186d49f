//! What a force does whose number is one.

use super::Loads;
use crate::force::ScalarLaw;
use crate::mechanism::Mechanism;
use crate::space::{Pose, V3};
use crate::state::Tracked;

impl Loads {
    /// Adds the wrenches that program `p` makes where it gives 1 and all other programs and springs give 0, as [`Loads::apply`] adds those of all.
    pub(crate) fn unit_wrenches(
        mechanism: &Mechanism,
        p: usize,
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
        wrenches: &mut [[V3; 2]],
    ) {
        let own = |law: &ScalarLaw| matches!(*law, ScalarLaw::Program(program) if program == p);
        for force in mechanism.scalar_forces.iter().filter(|force| own(&force.law)) {
            Self::add_line(&force.line.row(t, poses, tracked), force.line.bodies(), 1.0, wrenches);
        }
        for force in mechanism.vector_forces.iter().filter(|force| force.programs.contains(&p)) {
            let of = |program: usize| if program == p { 1.0 } else { 0.0 };
            Self::add_vector(force, force.frame.axes(poses) * V3::from(force.programs.map(of)), poses, wrenches);
        }
    }
}
