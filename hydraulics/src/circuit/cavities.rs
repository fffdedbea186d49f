//! What a run has seen of cavities.

use super::Circuit;
use super::cavity::Cavity;
use super::plan::Node;

/// Error of the size of a cavity of D volumes, in tolerances, over 1 + D: what hundreds of steps make of their errors, each of which is the tolerance
/// at most (`Plan::weigh`). Cavities of 0.1 to 800 volumes at 1e-8 to 1e-4 stay below it (hydraulics/tests/cavities.rs).
const OPEN: f64 = 100.0;

impl Circuit {
    /// The nodes at which the fluid evaporated so far, at the ends of the steps of an integrator.
    #[must_use]
    pub fn cavities(&self) -> Vec<Cavity> {
        let plan = &self.plan;
        let noted = self.work.watch.nodes.iter().zip(&plan.nodes).filter(|([since, _], _)| since.is_finite());
        let cavity = |(&[since, lowest], node): (&[f64; 2], &Node)| {
            let size = plan.fluid.cavity(lowest);
            Cavity {
                node: node.name.clone(),
                since,
                lowest,
                vapor: plan.fluid.evaporation.pressure,
                size: [size, OPEN * self.work.watch.tolerance * (1.0 + size)],
                junction: !node.stores,
            }
        };
        noted.map(cavity).collect()
    }
}
