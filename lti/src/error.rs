//! Everything that can go wrong, each with its place, its value and what to do.

use fourbar_linalg::checkpoint::{CheckpointError, Fingerprint};
use fourbar_linalg::phi::PhiError;
use fourbar_linalg::text::Brief;

/// Errors of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The transition matrices do not exist in f64.
    #[error("transition matrices: {0}")]
    Transition(#[from] PhiError),
    /// It was ended from outside.
    #[error("the computation was interrupted; lower the flag and call again")]
    Interrupted,
    /// A matrix has the wrong shape.
    #[error("{name} is {rows} x {columns}, but must be {expected_rows} x {expected_columns}")]
    MatrixShape {
        /// Which matrix.
        name: &'static str,
        /// Rows given.
        rows: usize,
        /// Columns given.
        columns: usize,
        /// Rows needed.
        expected_rows: usize,
        /// Columns needed.
        expected_columns: usize,
    },
    /// A vector or buffer has the wrong length.
    #[error("{name} has length {length}, but must have length {expected}")]
    Length {
        /// Which vector.
        name: &'static str,
        /// Length given.
        length: usize,
        /// Length needed.
        expected: usize,
    },
    /// A number is NaN or infinite.
    #[error("{name}[{index}] is {value}; it must be finite")]
    NotFinite {
        /// Which quantity.
        name: &'static str,
        /// Place in it, from 0 (matrices by columns).
        index: usize,
        /// The value.
        value: f64,
    },
    /// A result leaves the range of f64 although all that it is made from is finite.
    #[error(
        "the {what} exceeds the range of f64; use units in which it is smaller, or, where a system grows, a shorter time"
    )]
    Overflow {
        /// What overflowed.
        what: &'static str,
    },
    /// A step, time constant or tolerance that must be positive is not.
    #[error("{name} is {value}; it must be positive and finite", value = Brief(*.value))]
    NotPositive {
        /// Which quantity.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// The order exceeds what equally spaced interpolation carries in f64.
    #[error("order {order} exceeds {limit}: use a smaller step instead of a higher order")]
    OrderTooHigh {
        /// Order asked for.
        order: usize,
        /// Largest order.
        limit: usize,
    },
    /// The order of a method is not among those there are.
    #[error("order {order} does not exist; choose one from {smallest} to {largest}")]
    OrderOutOfRange {
        /// Order asked for.
        order: usize,
        /// Smallest order.
        smallest: usize,
        /// Largest order.
        largest: usize,
    },
    /// The nonlinear part F(t, x) is not a finite number.
    #[error(
        "F[{index}] is {value} at t = {t} s; take a smaller step, or correct F there",
        value = Brief(*.value), t = Brief(*.t)
    )]
    Evaluation {
        /// Time \[s\].
        t: f64,
        /// Component, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A sparse matrix could not be factored or solved with.
    #[error("I - gamma A: {0}")]
    Factorization(#[from] fourbar_linalg::Error),
    /// A Krylov projection did not reach its tolerance.
    #[error(
        "the Krylov projection has the estimated error {estimate} with {dimension} vectors and {substeps} substeps, tolerance {tolerance}; \
         allow more of them, loosen the tolerance, take a smaller step, or use the rational projection if A is stiff",
        estimate = Brief(*.estimate), tolerance = Brief(*.tolerance)
    )]
    KrylovNotConverged {
        /// Estimated relative error of a substep.
        estimate: f64,
        /// Relative error allowed.
        tolerance: f64,
        /// Vectors in the last basis.
        dimension: usize,
        /// Substeps tried.
        substeps: usize,
    },
    /// A number among the options lies outside its range.
    #[error("option {name} is {value}; it must lie in {range}", value = Brief(*.value))]
    Setting {
        /// Name of the option.
        name: &'static str,
        /// The value.
        value: f64,
        /// The range.
        range: &'static str,
    },
    /// The classical methods do not interpolate the input, so that they have no form for large sparse systems.
    #[error("MTM-4 and QAM-4 interpolate no input; choose Algorithm 1 or 2 of any order")]
    Classical,
    /// Interpolation nodes are missing, coincide or are not finite.
    #[error(
        "{}; give at least one, all finite and distinct, in the order of time",
        if nodes.is_empty() { "there are no interpolation nodes".to_owned() } else { format!("the interpolation nodes are {nodes:?}") }
    )]
    Nodes {
        /// The nodes given, in units of the step.
        nodes: Vec<f64>,
    },
    /// A step was asked for before the input history of a multistep family is filled.
    #[error(
        "the input history is empty: {missing} earlier sample(s) are needed; give them before the first step, or make \
         the first steps by Algorithm 1"
    )]
    EmptyHistory {
        /// Samples missing.
        missing: usize,
    },
    /// Bytes are no saved state of this stepper.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A saved state belongs to another stepper.
    #[error(
        "the saved state is of another system, step or method (dimensions {saved:?}, this stepper's {own:?}); restore it where it was saved"
    )]
    ForeignState {
        /// Number of states and length of the vector of samples, of the saved state.
        saved: (usize, usize),
        /// The same of the stepper.
        own: (usize, usize),
    },
    /// A multistep method and the method that starts it were discretized for different steps.
    #[error(
        "the method has the step {step:.17} s, the method that starts it {startup:.17} s; discretize both for the same step",
        step = Brief(*.step), startup = Brief(*.startup)
    )]
    StepMismatch {
        /// Step of the method \[s\].
        step: f64,
        /// Step of its start-up method \[s\].
        startup: f64,
    },
    /// A transfer function has no state-space form.
    #[error(
        "{name}: numerator degree {numerator} exceeds denominator degree {denominator}; add a pole or remove a zero"
    )]
    Improper {
        /// Which function.
        name: &'static str,
        /// Degree of the numerator.
        numerator: usize,
        /// Degree of the denominator.
        denominator: usize,
    },
    /// A polynomial is zero or empty.
    #[error("{name} is the zero polynomial; give at least one coefficient different from 0")]
    ZeroPolynomial {
        /// Which polynomial.
        name: &'static str,
    },
    /// A complex zero or pole lacks its conjugate, so that the system would not be real.
    #[error("{name} {re}{im:+}i has no conjugate partner; complex zeros and poles come in conjugate pairs")]
    NoConjugate {
        /// zero or pole.
        name: &'static str,
        /// Real part \[1/s\].
        re: f64,
        /// Imaginary part \[1/s\].
        im: f64,
    },
    /// Direct feedthrough closes a loop that has no unique solution.
    #[error(
        "algebraic loop: direct feedthrough closes a loop of gain 1 through {through} (condition number {condition}); put a lag \
         into it or change its gain",
        condition = Brief(*.condition)
    )]
    AlgebraicLoop {
        /// Condition number of I - K D after the best scaling.
        condition: f64,
        /// The blocks concerned.
        through: String,
    },
    /// A block is connected to something that does not exist.
    #[error("block '{block}' has no {what} {index} (it has {count})")]
    NoSuchPort {
        /// Name of the block.
        block: String,
        /// input or output.
        what: &'static str,
        /// Port asked for, from 0.
        index: usize,
        /// Ports it has.
        count: usize,
    },
    /// The diagram holds no block of this handle.
    #[error("there is no block {index}: the diagram has {count}; use the handle its add function returned")]
    NoSuchBlock {
        /// Index of the handle.
        index: usize,
        /// Blocks of the diagram.
        count: usize,
    },
    /// The eigenvectors are too nearly dependent for the modal form.
    #[error(
        "the eigenvectors have condition number {condition}, more than {limit}: digits would be lost; step the full form",
        condition = Brief(*.condition), limit = Brief(*.limit)
    )]
    IllConditionedModes {
        /// Condition number of the modal transformation.
        condition: f64,
        /// The limit asked for.
        limit: f64,
    },
    /// An index lies outside its range.
    #[error("{name} is {index}; it must {}", range(*smallest, *largest))]
    Index {
        /// Which index.
        name: &'static str,
        /// The index given.
        index: usize,
        /// The smallest there is.
        smallest: usize,
        /// The largest there is; `usize::MAX` where there is none.
        largest: usize,
    },
    /// The eigenvalue iteration did not converge.
    #[error("the eigenvalues of the {n} x {n} matrix A did not converge; balance its units or step the full form")]
    Eigenvalues {
        /// Dimension.
        n: usize,
    },
    /// The bilinear transformation takes a pole to infinity.
    #[error("the bilinear transformation with the step {step} s takes a pole (2/step, or the prewarped one) to infinity; choose another step", step = Brief(*.step))]
    Bilinear {
        /// T \[s\].
        step: f64,
    },
    /// The classical methods come without an error estimate.
    #[error("MTM-4 and QAM-4 have no local error estimate; choose Algorithm 1 or 2 of any order")]
    NoEstimate,
    /// No step as small as this meets the tolerance.
    #[error(
        "no step down to {smallest} s meets the tolerance {tolerance}; loosen it, or raise the order",
        smallest = Brief(*.smallest), tolerance = Brief(*.tolerance)
    )]
    ToleranceTooTight {
        /// The tolerance asked for.
        tolerance: f64,
        /// Smallest step tried \[s\].
        smallest: f64,
    },
}

/// The first number that is not finite, as an error.
pub(crate) fn all_finite<'a>(name: &'static str, values: impl IntoIterator<Item = &'a f64>) -> Result<(), Error> {
    match values.into_iter().enumerate().find(|(_, x)| !x.is_finite()) {
        Some((index, &value)) => Err(Error::NotFinite { name, index, value }),
        None => Ok(()),
    }
}

/// A number that tells saved states of different systems, steps or methods apart; the same in every run.
pub(crate) fn fingerprint(dimensions: &[usize], step: f64, method: &impl std::fmt::Debug) -> u64 {
    Fingerprint::default().data(&dimensions).numbers(&[step]).data(method).value()
}

pub(crate) fn positive(name: &'static str, value: f64) -> Result<(), Error> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(Error::NotPositive { name, value }) }
}

pub(crate) fn length(name: &'static str, length: usize, expected: usize) -> Result<(), Error> {
    if length == expected { Ok(()) } else { Err(Error::Length { name, length, expected }) }
}

pub(crate) fn shape(
    name: &'static str,
    matrix: &nalgebra::DMatrix<f64>,
    (expected_rows, expected_columns): (usize, usize),
) -> Result<(), Error> {
    let (rows, columns) = matrix.shape();
    if (rows, columns) == (expected_rows, expected_columns) {
        return Ok(());
    }
    Err(Error::MatrixShape { name, rows, columns, expected_rows, expected_columns })
}

/// Where an index must lie.
fn range(smallest: usize, largest: usize) -> String {
    match largest {
        usize::MAX => format!("be at least {smallest}"),
        largest => format!("lie from {smallest} to {largest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every message shows every value it was given.
    #[test]
    fn messages_are_complete() {
        let all: [(Error, &[&str]); 28] = [
            (Error::Bilinear { step: 0.5 }, &["0.5 s", "another step"]),
            (Error::Index { name: "i", index: 0, smallest: 1, largest: 3 }, &["i is 0", "1 to 3"]),
            (
                Error::Index { name: "i", index: 0, smallest: 1, largest: usize::MAX },
                &["i is 0; it must be at least 1"],
            ),
            (Error::Overflow { what: "output" }, &["output", "shorter"]),
            (PhiError::Overflow { norm: 1e3 }.into(), &["1000", "smaller"]),
            (
                Error::MatrixShape { name: "B", rows: 2, columns: 3, expected_rows: 4, expected_columns: 5 },
                &["B is 2 x 3", "4 x 5"],
            ),
            (Error::Length { name: "state", length: 7, expected: 8 }, &["state", "7", "8"]),
            (Error::NotFinite { name: "input", index: 6, value: f64::NAN }, &["input[6]", "NaN"]),
            (Error::NotPositive { name: "step", value: -0.5 }, &["step", "-0.5"]),
            (Error::OrderTooHigh { order: 31, limit: 20 }, &["31", "20", "smaller step"]),
            (Error::OrderOutOfRange { order: 7, smallest: 1, largest: 4 }, &["7", "1 to 4"]),
            (Error::Evaluation { t: 0.5, index: 3, value: f64::NAN }, &["F[3] is NaN", "0.5 s"]),
            (fourbar_linalg::Error::NotSquare { rows: 2, columns: 3 }.into(), &["gamma", "2 rows", "3 columns"]),
            (
                Error::KrylovNotConverged { estimate: 1e-3, tolerance: 1e-9, dimension: 30, substeps: 7 },
                &["0.001", "1e-9", "30", "7"],
            ),
            (Error::Setting { name: "tolerance", value: 2.5, range: "[0, 1]" }, &["tolerance", "2.5", "[0, 1]"]),
            (Error::Nodes { nodes: vec![0.25, 0.125] }, &["0.25", "0.125", "in the order of time"]),
            (Error::EmptyHistory { missing: 2 }, &["2", "before the first step", "Algorithm 1"]),
            (Error::ForeignState { saved: (1, 2), own: (3, 4) }, &["(1, 2)", "(3, 4)"]),
            (
                Error::Improper { name: "transfer function", numerator: 3, denominator: 2 },
                &["degree 3", "degree 2", "pole"],
            ),
            (Error::StepMismatch { step: 0.25, startup: 0.5 }, &["0.25 s", "0.5 s"]),
            (Error::ZeroPolynomial { name: "denominator" }, &["denominator"]),
            (Error::NoConjugate { name: "pole", re: -1.5, im: 2.5 }, &["pole -1.5+2.5i"]),
            (Error::AlgebraicLoop { condition: 1e17, through: "a, b".into() }, &["a, b", "1e17", "lag"]),
            (
                Error::NoSuchPort { block: "valve".into(), what: "output", index: 9, count: 1 },
                &["'valve'", "output 9", "1"],
            ),
            (Error::NoSuchBlock { index: 5, count: 3 }, &["5", "3"]),
            (Error::IllConditionedModes { condition: 1e12, limit: 1e6 }, &["1e12", "1000000", "full form"]),
            (Error::Eigenvalues { n: 12 }, &["12 x 12"]),
            (Error::ToleranceTooTight { tolerance: 1e-9, smallest: 1e-12 }, &["1e-9", "1e-12"]),
        ];
        for (error, parts) in all {
            let text = error.to_string();
            assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        }
    }
}
