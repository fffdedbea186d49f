//! Elastic elements with projected angles, whose law holds for small angles about all axes of J but one.

use crate::mechanism::Mechanism;
use crate::space::Pose;
use crate::state::State;
use std::fmt;

/// Largest angle about a second axis at which such a law is taken as right \[rad\]: 10 degrees, as Adams' documentation of BUSHING has it.
const SMALL: f64 = 10.0 / 180.0 * std::f64::consts::PI;

/// The widest turn about two axes of an element with projected angles.
#[derive(Debug, Clone, PartialEq)]
pub struct WideAngles {
    /// The force element.
    pub force: String,
    /// The second largest of its three angles \[rad\].
    pub angle: f64,
    /// When \[s\].
    pub time: f64,
}

impl WideAngles {
    /// The widest at `state`, if it is wider than `before`.
    pub(super) fn look(mechanism: &Mechanism, state: &State, poses: &[Pose], before: &mut Option<Self>) {
        for force in &mechanism.elastic_forces {
            let Some(mut angles) = force.small_angles(state.time, poses, &state.angles) else { continue };
            angles.sort_by(f64::total_cmp);
            let angle = angles[1];
            if angle > before.as_ref().map_or(SMALL, |wide| wide.angle) {
                let force = mechanism.programs[force.first].owner.clone();
                *before = Some(Self { force, angle, time: state.time });
            }
        }
    }
}

impl fmt::Display for WideAngles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { force, angle, time } = self;
        write!(
            f,
            "force \"{force}\" has `angles = \"projected\"`, which holds to 10 degrees about two axes; at t = {time:.6} s it is turned by {:.1} \
             degrees; take `angles = \"rotation_vector\"`",
            angle.to_degrees()
        )
    }
}
