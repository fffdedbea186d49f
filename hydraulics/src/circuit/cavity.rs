//! Nodes in which the pressure has fallen so low that a cavity opened, over a run.

use super::Circuit;
use super::plan::{Node, Place, Plan};
use fourbar_linalg::text::Brief;
use fourbar_multibody::dae::History;

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
    /// Whether the node is a junction: it has no volume in which the cavity could grow, and its pressure falls on.
    pub junction: bool,
}

impl std::fmt::Display for Cavity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { node, since, lowest, vapor, junction } = self;
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
            )
        }
    }
}

/// Since when and how low each node was; NaN while it was not.
#[derive(Debug, Clone)]
pub(super) struct Watch(Vec<[f64; 2]>);

impl Watch {
    pub(super) fn new(plan: &Plan) -> Self {
        Self(vec![[f64::NAN; 2]; plan.nodes.len()])
    }

    /// Notes the nodes that are below their limit at the end of a step.
    pub(super) fn note(&mut self, plan: &Plan, history: &dyn History) {
        for ([since, lowest], node) in self.0.iter_mut().zip(&plan.nodes) {
            if let Place::Unknown(i) = node.place {
                let p = history.coefficient(i, 0);
                if p < plan.lowest(node) {
                    (*since, *lowest) = (since.min(history.time()), lowest.min(p));
                }
            }
        }
    }
}

impl Plan {
    /// Pressure below which a cavity is open in a node, or the liquid of a junction under tension \[Pa\].
    fn lowest(&self, node: &Node) -> f64 {
        let vapor = &self.fluid.evaporation;
        if node.stores { vapor.onset() } else { vapor.pressure }
    }
}

impl Circuit {
    /// The nodes at which the fluid evaporated so far, at the ends of the steps of an integrator; those of steps that were taken back among them.
    #[must_use]
    pub fn cavities(&self) -> Vec<Cavity> {
        let plan = &self.plan;
        let noted = self.work.watch.0.iter().zip(&plan.nodes).filter(|([since, _], _)| since.is_finite());
        let cavity = |(&[since, lowest], node): (&[f64; 2], &Node)| Cavity {
            node: node.name.clone(),
            since,
            lowest,
            vapor: plan.fluid.evaporation.pressure,
            junction: !node.stores,
        };
        noted.map(cavity).collect()
    }
}
