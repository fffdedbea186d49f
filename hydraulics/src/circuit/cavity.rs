//! Nodes in which the pressure has fallen so low that a cavity opened, over a run.

use super::plan::{Place, Plan};
use fourbar_dae::History;
use fourbar_linalg::text::Brief;

/// A node at which the fluid evaporated during a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Cavity {
    /// Name of the node.
    pub node: String,
    /// End of the first step at which it did \[s\].
    pub since: f64,
    /// Its lowest pressure at the end of a step \[Pa\].
    pub lowest: f64,
    /// The vapour pressure \[Pa\].
    pub vapor: f64,
    /// Volume of the cavity at that pressure, in volumes of the node, and how far that may be off by the tolerance of the run.
    pub size: [f64; 2],
    /// Whether the node is a junction: it has no volume in which the cavity could grow, and its pressure falls on.
    pub junction: bool,
}

impl std::fmt::Display for Cavity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { node, since, lowest, vapor, size: [size, off], junction } = self;
        let (since, lowest, vapor) = (Brief(*since), Brief(*lowest), Brief(*vapor));
        if *junction {
            write!(
                f,
                "node \"{node}\" fell below the vapour pressure of {vapor} Pa at t = {since:.4} s, to {lowest:.4} Pa: the results are those of a \
                 liquid that bears tension; give the node a `volume`, in which a cavity can grow"
            )
        } else {
            write!(
                f,
                "node \"{node}\" came to the vapour pressure of {vapor} Pa at t = {since:.4} s, and a cavity opened there (lowest pressure \
                 {lowest:.5} Pa): more was drawn from it than flowed in"
            )?;
            if *size < WORTH_TELLING {
                return Ok(());
            }
            let (size, off) = (Brief(*size), Brief(*off));
            write!(
                f,
                ". It grew to about {size:.2} volumes of the node; the tolerance leaves about {off:.1} of them open, and so the time at which it \
                 closed; a smaller one tells it better"
            )
        }
    }
}

/// Size of a cavity, in volumes of the node, from which on the pressure tells it.
const WORTH_TELLING: f64 = 0.01;

/// Since when and how low each node was, infinite while it was not; the pressure from which on cavities are open, and the tolerance.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    pub(super) nodes: Vec<[f64; 2]>,
    opening: f64,
    pub(super) tolerance: f64,
}

impl Watch {
    pub(super) fn new(plan: &Plan) -> Self {
        Self { nodes: vec![[f64::INFINITY; 2]; plan.nodes.len()], opening: plan.fluid.opening(), tolerance: 0.0 }
    }

    /// Notes the nodes that are below their limit at the end of a step.
    pub(super) fn note(&mut self, plan: &Plan, history: &dyn History) {
        self.tolerance = history.tolerance();
        for ([since, lowest], node) in self.nodes.iter_mut().zip(&plan.nodes) {
            if let Place::Unknown(i) = node.place {
                let p = history.coefficient(i, 0);
                // The liquid of a junction is under tension below the vapour pressure.
                if p < if node.stores { self.opening } else { plan.fluid.evaporation.pressure } {
                    (*since, *lowest) = (since.min(history.time()), lowest.min(p));
                }
            }
        }
    }
}
