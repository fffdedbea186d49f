//! What errors of the unknowns are measured against.

use super::plan::{Place, Plan};
use crate::fluid::Fluid;
use fourbar_dae::ErrorWeights;

impl Plan {
    /// Errors are measured against the size of an unknown and its typical one; those of a pressure where vapour is, or may come soon, against the
    /// modulus E: an error dp is one of the volume by dp/E, of 1 + D volumes where a cavity of D is open. Measured against the atmosphere that would be
    /// (1 + D)^2 1e5 Pa/m tolerances.
    pub(super) fn weigh(&self, y: &[f64], weights: &mut ErrorWeights<'_>) {
        for (absolute, unknown) in weights.absolute.iter_mut().zip(&self.unknowns) {
            if *absolute == 0.0 {
                *absolute = weights.relative * unknown.typical;
            }
        }
        for node in self.nodes.iter().filter(|node| node.stores) {
            if let Place::Unknown(i) = node.place
                && let Some(size) = self.fluid.size_near_vapor(y[i])
                && weights.relative * size < weights.relative * weights.sizes[i] + weights.absolute[i]
            {
                (weights.sizes[i], weights.absolute[i]) = (size, 0.0);
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
    /// E (1 + D) up to where the liquid has its own modulus: p - pv while a cavity is open.
    fn size_near_vapor(&self, p: f64) -> Option<f64> {
        let vapor = &self.evaporation;
        if p < vapor.onset() {
            Some((p - vapor.pressure).max(vapor.rest()))
        } else {
            (p < vapor.onset() + vapor.band).then(|| self.bulk_modulus(p))
        }
    }
}
