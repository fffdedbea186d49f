//! What is fixed once a model is compiled.

use super::variable::Variable as Named;
use super::watched::Watched;
use crate::element::Element;
use crate::fluid::Fluid;
use fourbar_dae::Unknown;
use fourbar_expression::{Program, Stack};
use nalgebra_sparse::pattern::SparsityPattern;

/// Where the pressure of a node comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Unknown(usize),
    /// A signal holds it.
    Held(usize),
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) place: Place,
    /// Its own volume [m^3].
    pub(crate) volume: f64,
    /// Whether it has any volume; a junction has none.
    pub(crate) stores: bool,
}

/// What a variable of a component stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Variable {
    Unknown(usize),
    Input(usize),
    Signal(usize),
    /// A wave that arrives, by its place among those of all lines.
    Wave(usize),
    /// 1 while a steady state is sought, else 0.
    Steady,
}

/// A transmission line.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Its part.
    pub(crate) part: usize,
    /// Travel time T \[s\].
    pub(crate) travel: f64,
    /// Z [Pa s/m^3].
    pub(crate) impedance: f64,
    /// R [Pa s/m^3].
    pub(crate) resistance: f64,
}

/// An equation a component contributes to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Row {
    Node { port: usize, node: usize, equation: usize },
    State { state: usize, equation: usize },
}

impl Row {
    pub(crate) fn equation(self) -> usize {
        match self {
            Self::Node { equation, .. } | Self::State { equation, .. } => equation,
        }
    }
}

/// One variable of a component as a function of one unknown.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    pub(crate) variable: usize,
    /// Derivative of the variable by the unknown, among those of the signals; 1 if absent.
    pub(crate) partial: Option<usize>,
    pub(crate) column: usize,
    /// Place in the matrix for each row of the component.
    pub(crate) places: Vec<usize>,
}

/// A component in its place.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) element: Element,
    /// Node at each port.
    pub(crate) ports: Vec<usize>,
    pub(crate) first_state: usize,
    pub(crate) states: usize,
    pub(crate) variables: Vec<Variable>,
    pub(crate) rows: Vec<Row>,
    pub(crate) terms: Vec<Term>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    Unknown(usize),
    Signal(usize),
    /// Part, and which of its observed values.
    Observed(usize, usize),
}

#[derive(Debug, Clone)]
pub(crate) struct Output {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) source: Source,
}

/// The matrix.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) pattern: SparsityPattern,
    /// Place of each diagonal entry.
    pub(crate) diagonal: Vec<usize>,
    /// Where the partial derivatives of each signal begin; their number at the end.
    pub(crate) gradient_starts: Vec<usize>,
}

/// A compiled model.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) fluid: Fluid,
    pub(crate) unknowns: Vec<Unknown>,
    /// Name and unit of each unknown.
    pub(crate) names: Vec<(String, &'static str)>,
    pub(crate) start: Vec<f64>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) parts: Vec<Part>,
    pub(crate) lines: Vec<Line>,
    /// Over the slots time, inputs, unknowns.
    pub(crate) signals: Vec<Program>,
    /// Where each signal stands in the model, and its expression.
    pub(crate) signal_names: Vec<String>,
    /// Conditions of each signal.
    pub(crate) watched: Vec<Watched>,
    pub(crate) inputs: Vec<Named>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) layout: Layout,
}

/// Pressures that signals hold.
pub(crate) struct Held;

impl Held {
    /// Their finite values at these slots.
    pub(crate) fn pressures(nodes: &[Node], signals: &[Program], slots: &[f64]) -> Vec<f64> {
        let mut stack = Stack::for_programs(signals);
        let held = nodes.iter().filter_map(|node| match node.place {
            Place::Held(signal) => Some(signals[signal].evaluate(slots, &mut stack)),
            Place::Unknown(_) => None,
        });
        held.filter(|p| p.is_finite()).collect()
    }
}
