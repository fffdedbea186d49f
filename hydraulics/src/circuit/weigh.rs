//! What errors of the unknowns are measured against.

use super::plan::{Place, Plan};
use crate::fluid::Fluid;
use fourbar_multibody::dae::Yardstick;

impl Plan {
    /// Errors are measured against the size of an unknown and its typical one; those of a pressure beside a cavity against its distance from the
    /// vapour pressure. That distance is m/(1 + D) for a cavity of D volumes, so that a part e of it is the part e of the cavity: measured against the
    /// atmosphere, the error of D would be (1 + D) 1e5 Pa/m times as large.
    pub(super) fn weigh(&self, y: &[f64], yardstick: &mut Yardstick<'_>) {
        for (absolute, unknown) in yardstick.absolute.iter_mut().zip(&self.unknowns) {
            if *absolute == 0.0 {
                *absolute = yardstick.relative * unknown.typical;
            }
        }
        for node in self.nodes.iter().filter(|node| node.stores) {
            if let Place::Unknown(i) = node.place
                && let Some(distance) = self.fluid.above_vapor(y[i])
            {
                (yardstick.sizes[i], yardstick.absolute[i]) = (distance, 0.0);
            }
        }
    }

    /// The solution changes by about sqrt(rtol) of that, so that the local error of order 1, about (h/T)^2, meets rtol (Hindmarsh, LSODE).
    pub(super) fn first_step(&self, y: &[f64], yp: &[f64], relative: f64) -> f64 {
        let tested = self.unknowns.iter().zip(y.iter().zip(yp)).filter(|(unknown, _)| unknown.error_tested);
        let times = tested.map(|(unknown, (y, yp))| (y.abs() + unknown.typical) / yp.abs());
        relative.sqrt() * times.fold(f64::INFINITY, f64::min)
    }
}

impl Fluid {
    /// Distance from the vapour pressure where the modulus is that of a cavity; none in the liquid.
    fn above_vapor(&self, p: f64) -> Option<f64> {
        let vapor = &self.evaporation;
        (p < vapor.onset()).then(|| (p - vapor.pressure).max(vapor.rest()))
    }
}
