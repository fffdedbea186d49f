//! What can go wrong with a circuit, by name.

use fourbar_dae::EvalError;
use fourbar_expression::model::{Location, ModelError};
use fourbar_linalg::text::Brief;

/// An error of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something in the model is wrong.
    #[error(transparent)]
    Model(#[from] Box<ModelError>),
    /// An equation could not be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    /// Nothing determines an unknown.
    #[error(
        "at t = {time} s nothing determines {unknown} in {search} (equation of {equation}); {remedy}", time = Brief(*.time)
    )]
    Undetermined {
        /// Which solution was sought.
        search: &'static str,
        /// Time \[s\].
        time: f64,
        /// The unknown.
        unknown: String,
        /// The equation that has no pivot.
        equation: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The search for a steady state or for junction pressures did not end.
    #[error(
        "at t = {time} s {search} was not found in {iterations} iterations: {equation} is left with {imbalance:.4} (unknown at {value:.7}); \
         give the nodes a `start` nearer to it, or check that the sources can balance there",
        time = Brief(*.time), imbalance = Brief(*.imbalance), value = Brief(*.value)
    )]
    NotFound {
        /// Which solution was sought.
        search: &'static str,
        /// Time \[s\].
        time: f64,
        /// The volume or state whose equation is farthest from being satisfied.
        equation: String,
        /// What its equation is left with: a flow [m^3/s], or the rate of a state in its unit a second.
        imbalance: f64,
        /// Value of the unknown there.
        value: f64,
        /// Iterations done.
        iterations: usize,
    },
    /// A flow has no way out: only a pressure that no fluid bears would press it through the leaks.
    #[error(
        "at t = {time} s {search} would need {pressure:.4} Pa at node \"{node}\": nothing lets its flow out, or in; give it a relief valve or \
         an open way to the tank, or a `start` from which another state is found",
        time = Brief(*.time), pressure = Brief(*.pressure)
    )]
    Blocked {
        /// Which solution was sought.
        search: &'static str,
        /// Time \[s\].
        time: f64,
        /// The node.
        node: String,
        /// Its pressure \[Pa\].
        pressure: f64,
    },
    /// More is drawn from a node than can flow in, unless the liquid bears tension.
    #[error(
        "at t = {time} s {search} would need {pressure:.4} Pa at node \"{node}\", below the vapour pressure of {vapor} Pa: more is drawn from it \
         than can flow in; widen what feeds it or draw less, or {way}",
        time = Brief(*.time), pressure = Brief(*.pressure), vapor = Brief(*.vapor), way = way_of_cavities(*.stores)
    )]
    Cavitates {
        /// Which solution was sought.
        search: &'static str,
        /// Time \[s\].
        time: f64,
        /// The node.
        node: String,
        /// Its pressure \[Pa\].
        pressure: f64,
        /// The vapour pressure \[Pa\].
        vapor: f64,
        /// Whether it has a volume.
        stores: bool,
    },
    /// Linear algebra failed in another way.
    #[error("at t = {time} s {search}: {source}", time = Brief(*.time))]
    Linear {
        /// Which solution was sought.
        search: &'static str,
        /// Time \[s\].
        time: f64,
        /// Cause.
        source: fourbar_linalg::Error,
    },
    /// Inputs given are not those of the circuit.
    #[error("{found} inputs were given, the circuit has {expected}: {names}")]
    Inputs {
        /// Number given.
        found: usize,
        /// Number expected.
        expected: usize,
        /// Their names.
        names: String,
    },
    /// Waves come from the past: the circuit is no y' = f(t, y).
    #[error(
        "component \"{component}\" is a transmission line, whose waves come from the past: the circuit is no y' = f(t, y); take a pipe with a volume for it"
    )]
    Delayed {
        /// The transmission line.
        component: String,
    },
    /// A value that is not a number.
    #[error("{what} is {value}; give a finite number")]
    NotFinite {
        /// Which.
        what: String,
        /// Its value.
        value: f64,
    },
}

/// How a cavity can grow in a node.
fn way_of_cavities(stores: bool) -> &'static str {
    if stores {
        "begin with the `start` values, for a cavity to grow in its volume"
    } else {
        "give it a `volume`, in which a cavity can grow, and begin with the `start` values"
    }
}

pub(crate) fn node_at(index: usize, name: &str, field: &str) -> Location {
    Location { section: "node", index, name: name.to_owned(), field: field.to_owned() }
}
