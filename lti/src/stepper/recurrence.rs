//! One discretized step as one product: [x(k+1); y(k+1)] = [E F; CE CF+D] [x(k); samples], with the delay line of the samples.

use nalgebra::DMatrix;

use super::blocks::BlockProduct;
use super::panels::{self, Panels, Row};
use crate::error::{all_finite, shape};
use crate::interpolation::end_weights;
use crate::{Discretization, Error, StateSpace};

/// The packed step of one discretization, and the delay line of samples it works with.
///
/// The samples of a step form a vector: m values of the first node, m of the second, and so on, then the m values that left the
/// delay line last (for the error estimate).
#[derive(Debug, Clone)]
pub(crate) struct Recurrence {
    product: Product,
    pub(crate) states: usize,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// theta_i, ascending.
    pub(crate) nodes: Vec<f64>,
    /// (to, from): nodes whose sample was that of another node one step before.
    pub(crate) retained: Vec<(usize, usize)>,
    /// The latest node that no node of the next step repeats.
    pub(crate) leaving: usize,
    /// The moves of single values that bring the samples into the frame of the next step.
    moves: Vec<(usize, usize)>,
    /// Where the single values of the new samples go.
    places: Vec<usize>,
}

impl Recurrence {
    /// # Errors
    /// [`Error::MatrixShape`] when the discretization is not of a system of these dimensions; [`Error::NotFinite`] when a product
    /// with B, C or D overflows.
    pub(crate) fn new(system: &StateSpace, discretization: &Discretization) -> Result<Self, Error> {
        let (n, m, q) = (system.states(), system.inputs(), system.outputs());
        shape("e^{AT}", discretization.exp(), (n, n))?;
        shape("input matrix", discretization.input_matrix(0), (n, m))?;
        let matrix = step_matrix(system, discretization);
        all_finite("matrix of a step", matrix.iter())?;
        let nodes = discretization.nodes().to_vec();
        let links = discretization.retained();
        let retained: Vec<_> = links.iter().enumerate().filter_map(|(to, from)| Some((to, (*from)?))).collect();
        let kept = |node: &usize| retained.iter().any(|(_, from)| from == node);
        // The earliest node is never repeated: its repetition would lie one step earlier still.
        let leaving = (0..nodes.len()).rev().find(|node| !kept(node)).unwrap_or(0);
        // A source lies later than its target, so that the ascending order overwrites nothing still needed.
        let by_node = std::iter::once((nodes.len(), leaving)).chain(retained.iter().copied());
        let moves = by_node.flat_map(|(to, from)| (0..m).map(move |j| (m * to + j, m * from + j))).collect();
        let new = (0..nodes.len()).filter(|&node| links[node].is_none());
        Ok(Self {
            product: Product::new(&matrix, n),
            states: n,
            inputs: m,
            outputs: q,
            places: new.flat_map(|node| (0..m).map(move |j| m * node + j)).collect(),
            moves,
            leaving,
            retained,
            nodes,
        })
    }

    /// Rows of eight that hold the result of a step: the next state, then the outputs.
    pub(crate) fn result_lines(&self) -> usize {
        match &self.product {
            Product::Dense(panels) => panels.result_lines(),
            Product::Blocks(blocks) => blocks.result_lines(),
        }
    }

    pub(crate) fn is_block_diagonal(&self) -> bool {
        matches!(self.product, Product::Blocks(_))
    }

    /// One step from the state `x`; returns whether no number of the result is NaN or infinite.
    #[inline]
    pub(crate) fn apply(&self, x: &[f64], samples: &[f64], result: &mut [Row]) -> bool {
        let z = &samples[..self.inputs * self.nodes.len()];
        match &self.product {
            Product::Dense(panels) => panels.apply(x, z, result),
            Product::Blocks(blocks) => {
                blocks.apply(x, z, result);
                panels::all_finite(result)
            }
        }
    }

    /// One step of every trajectory; `z` holds [x; samples] of each, `result` its lines.
    pub(crate) fn apply_many(&self, z: &[f64], result: &mut [Row]) {
        match &self.product {
            Product::Dense(panels) => panels.apply_many(z, result),
            Product::Blocks(blocks) => {
                let results = result.chunks_exact_mut(blocks.result_lines());
                for (z, result) in z.chunks_exact(self.columns()).zip(results) {
                    let (x, z) = z.split_at(self.states);
                    blocks.apply(x, z, result);
                }
            }
        }
    }

    /// Length of [x; samples], as far as a step multiplies it.
    pub(crate) fn columns(&self) -> usize {
        self.states + self.inputs * self.nodes.len()
    }

    /// Length of the vector of samples.
    pub(crate) fn samples(&self) -> usize {
        self.inputs * (self.nodes.len() + 1)
    }

    /// The part of the vector of samples that a step multiplies.
    pub(crate) fn active<'a>(&self, samples: &'a [f64]) -> &'a [f64] {
        &samples[..self.inputs * self.nodes.len()]
    }

    /// Length of the new samples of a step.
    pub(crate) fn samples_per_step(&self) -> usize {
        self.places.len()
    }

    /// Nodes whose sample is new in each step.
    pub(crate) fn new_nodes(&self) -> impl Iterator<Item = usize> {
        let repeated = |node: &usize| self.retained.iter().any(|(to, _)| to == node);
        (0..self.nodes.len()).filter(move |node| !repeated(node))
    }

    /// The node at the end of the step, if there is one.
    pub(crate) fn end(&self) -> Option<usize> {
        self.nodes.iter().position(|&theta| theta == 1.0)
    }

    /// Where the sample of node `i` lies in the vector of samples.
    pub(crate) fn slot(&self, i: usize) -> std::ops::Range<usize> {
        self.inputs * i..self.inputs * (i + 1)
    }

    /// The frame moves on by one step: samples become those of earlier nodes, and the new ones are written.
    #[inline]
    pub(crate) fn advance(&self, samples: &mut [f64], new: &[f64]) {
        self.shift(samples);
        for (&place, &value) in self.places.iter().zip(new) {
            samples[place] = value;
        }
    }

    #[inline]
    pub(crate) fn shift(&self, samples: &mut [f64]) {
        for &(to, from) in &self.moves {
            samples[to] = samples[from];
        }
    }

    /// A step by the start-up method: the frame moves on, and samples at the same time are shared. Those that are new go into the history of
    /// this method, the others come from there.
    pub(crate) fn start(&self, startup: &Self, samples: &mut [f64], startup_samples: &mut [f64], new: &[f64]) {
        self.shift(samples);
        startup.advance(startup_samples, new);
        for (i, theta) in startup.nodes.iter().enumerate() {
            let Some(node) = self.nodes.iter().position(|other| other == theta) else {
                continue;
            };
            let (own, of_main) = (&mut startup_samples[startup.slot(i)], &mut samples[self.slot(node)]);
            if startup.new_nodes().any(|new| new == i) {
                of_main.copy_from_slice(own);
            } else {
                own.copy_from_slice(of_main);
            }
        }
    }

    /// The outputs in the result of a step.
    #[inline]
    pub(crate) fn outputs_of<'a>(&self, result: &'a [Row]) -> &'a [f64] {
        &result.as_flattened()[self.states..self.states + self.outputs]
    }
}

/// Refuses a start-up method that is not a one-step method of the same step.
pub(crate) fn check_startup(main: &Discretization, startup: &Discretization) -> Result<(), Error> {
    if startup.nodes().iter().any(|theta| *theta < 0.0) {
        return Err(Error::Nodes { nodes: startup.nodes().to_vec() });
    }
    if startup.step() != main.step() {
        return Err(Error::StepMismatch { step: main.step(), startup: startup.step() });
    }
    Ok(())
}

/// The product in the form that its matrix allows.
#[derive(Debug, Clone)]
enum Product {
    Dense(Panels),
    Blocks(BlockProduct),
}

impl Product {
    fn new(matrix: &DMatrix<f64>, states: usize) -> Self {
        BlockProduct::recognise(matrix, states).map_or_else(|| Self::Dense(Panels::new(matrix)), Self::Blocks)
    }
}

/// [E F; CE CF+D], (n+q) x (n + m nodes).
fn step_matrix(system: &StateSpace, discretization: &Discretization) -> DMatrix<f64> {
    let (n, m, q) = (system.states(), system.inputs(), system.outputs());
    let nodes = discretization.nodes();
    let mut matrix = DMatrix::zeros(n + q, n + m * nodes.len());
    matrix.view_mut((0, 0), (n, n)).copy_from(discretization.exp());
    for (i, weight) in end_weights(nodes).into_iter().enumerate() {
        let column = n + m * i;
        matrix.view_mut((0, column), (n, m)).copy_from(discretization.input_matrix(i));
        matrix.view_mut((n, column), (q, m)).copy_from(&(system.d() * weight));
    }
    let states = matrix.rows(0, n).clone_owned();
    matrix.rows_mut(n, q).gemm(1.0, system.c(), &states, 1.0);
    matrix
}
