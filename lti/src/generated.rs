//! Inputs that solve a linear differential equation themselves: the augmented system [A, B; 0, S] is stepped exactly.
//!
//! u(s) = Re sum_k c_k (s/tau)^k e^(lambda s) over a step is the first of w' = S w with w_k' = lambda w_k + (k + 1)/tau w_(k+1), w_k(0) = c_k.
//! One exponential of [A T, B T/beta; 0, S T] holds e^{AT} and, times beta, the answers to all c_k, whatever the frequencies are: 2^m
//! doublings cost a factor of m. tau is a power of two near T, so that no coefficient is rounded, and beta brings the coupling to the size of 1
//! (Al-Mohy and Higham, SIAM J. Sci. Comput. 33 (2011) 488, section 2).

use fourbar_linalg::phi::{DoubleDouble, PhiFunctions, PhiScalar};
use nalgebra::{Complex, DMatrix};

use crate::error::{all_finite, positive};
use crate::interpolation::{lagrange_coefficients, nodal_polynomial};
use crate::{Discretization, Error, Method, Precision, StateSpace};

/// What an input is over a step, up to coefficients that the step takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Re sum_k c_k s^k e^(rate s) with s \[s\] from the beginning of the step and k = 0, ..., degree. The step takes c_0, c_1, ...; of each the
    /// real part, then, where the rate is not real, the imaginary part.
    Exponential {
        /// lambda \[1/s\].
        rate: Complex<f64>,
        /// Highest k.
        degree: usize,
    },
    /// The polynomial through samples at these times, in units of the step. The step takes the samples.
    Samples {
        /// theta_i, distinct.
        nodes: Vec<f64>,
    },
    /// w(theta) sum_k a_k theta^k with w = prod_i (theta - theta_i) and k = 0, ..., degree: what an interpolation at these times leaves out. The
    /// step takes a_0, a_1, ....
    Remainder {
        /// theta_i, distinct.
        nodes: Vec<f64>,
        /// Highest k.
        degree: usize,
    },
}

/// An input, or a part of one, and its shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Generator {
    /// Column of B.
    pub input: usize,
    /// Its shape.
    pub shape: Shape,
}

impl Generator {
    /// How many coefficients a step takes of it.
    #[must_use]
    pub fn coefficients(&self) -> usize {
        match &self.shape {
            Shape::Exponential { rate, degree } => width(*rate) * (degree + 1),
            Shape::Samples { nodes } => nodes.len(),
            Shape::Remainder { degree, .. } => degree + 1,
        }
    }
}

fn width(rate: Complex<f64>) -> usize {
    if rate.im == 0.0 { 1 } else { 2 }
}

impl Discretization {
    /// x(k+1) = e^{AT} x(k) + Gamma v: the step `step` \[s\] of a system whose inputs are the sums of these generators, exact. v holds the
    /// coefficients of one generator after the other; [`Discretization::input_matrix`] 0 is Gamma.
    ///
    /// ```
    /// use fourbar_lti::{Discretization, Generator, Shape, StateSpace};
    /// use nalgebra::{Complex, dmatrix};
    ///
    /// // A lag of 10 ms under cos(omega t), by a step of 1 s: a thousand periods.
    /// let (lag, omega) = (StateSpace::with_state_outputs(dmatrix![-100.0], dmatrix![100.0])?, 6283.2);
    /// let shape = Shape::Exponential { rate: Complex::new(0.0, omega), degree: 0 };
    /// let step = Discretization::generated(&lag, &[Generator { input: 0, shape }], 1.0)?;
    /// let exact = 100.0 * (100.0 * omega.cos() + omega * omega.sin()) / (1e4 + omega * omega);
    /// assert!((step.input_matrix(0)[(0, 0)] - exact).abs() < 1e-15);
    /// # Ok::<(), fourbar_lti::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotPositive`] for the step, [`Error::Index`] for an input, [`Error::Nodes`], [`Error::NotFinite`] for a rate,
    /// [`Error::Transition`] when something grows beyond the range of numbers.
    pub fn generated(system: &StateSpace, generators: &[Generator], step: f64) -> Result<Self, Error> {
        positive("step", step)?;
        for generator in generators {
            check(system, generator)?;
        }
        let augmented = Augmented::new(system, generators, step);
        let [exp, response] = if system.states() <= Precision::EXTENDED_UP_TO {
            augmented.solve::<DoubleDouble>(generators, |x| x)?
        } else {
            augmented.solve::<f64>(generators, PhiScalar::to_f64)?
        };
        Self::from_matrices(Method::ZERO_ORDER_HOLD, step, exp, vec![response])
    }
}

fn check(system: &StateSpace, generator: &Generator) -> Result<(), Error> {
    if generator.input >= system.inputs() {
        let largest = system.inputs().saturating_sub(1);
        return Err(Error::Index { name: "input", index: generator.input, smallest: 0, largest });
    }
    match &generator.shape {
        Shape::Exponential { rate, .. } => all_finite("rate", [&rate.re, &rate.im]),
        Shape::Samples { nodes } | Shape::Remainder { nodes, .. } => Method::Nodes(nodes.clone()).nodes().map(drop),
    }
}

/// The generating states of one input and one rate, in the order w_0, w_1, ..., real parts before imaginary ones.
struct Chain {
    input: usize,
    rate: Complex<f64>,
    degree: usize,
    /// Index of its first state.
    begin: usize,
    /// Factor of its input column.
    beta: f64,
}

struct Augmented {
    states: usize,
    step: f64,
    tau: f64,
    chains: Vec<Chain>,
    matrix: DMatrix<f64>,
}

impl Augmented {
    fn new(system: &StateSpace, generators: &[Generator], step: f64) -> Self {
        let (a, b) = (system.a(), system.b());
        let n = a.nrows();
        let tau = step.log2().ceil().exp2();
        let mut chains: Vec<Chain> = Vec::new();
        for Generator { input, shape } in generators {
            let (rate, degree) = match shape {
                Shape::Exponential { rate, degree } => (*rate, *degree),
                Shape::Samples { nodes } => (Complex::ZERO, nodes.len() - 1),
                Shape::Remainder { nodes, degree } => (Complex::ZERO, nodes.len() + degree),
            };
            match chains.iter_mut().find(|chain| chain.input == *input && chain.rate == rate) {
                Some(chain) => chain.degree = chain.degree.max(degree),
                None => chains.push(Chain { input: *input, rate, degree, begin: 0, beta: 1.0 }),
            }
        }
        let mut size = n;
        for chain in &mut chains {
            chain.begin = size;
            size += width(chain.rate) * (chain.degree + 1);
            let largest = b.column(chain.input).amax() * step;
            chain.beta = if largest > 0.0 { largest.log2().ceil().exp2() } else { 1.0 };
        }
        let mut matrix = DMatrix::zeros(size, size);
        matrix.view_mut((0, 0), (n, n)).copy_from(a);
        for chain in &chains {
            let (wide, begin) = (width(chain.rate), chain.begin);
            for i in 0..n {
                matrix[(i, begin)] = b[(i, chain.input)] / chain.beta;
            }
            for k in 0..=chain.degree {
                let at = begin + wide * k;
                for part in 0..wide {
                    matrix[(at + part, at + part)] = chain.rate.re;
                    if k < chain.degree {
                        matrix[(at + part, at + part + wide)] = (k + 1) as f64 / tau;
                    }
                }
                if wide == 2 {
                    (matrix[(at, at + 1)], matrix[(at + 1, at)]) = (-chain.rate.im, chain.rate.im);
                }
            }
        }
        Self { states: n, step, tau, chains, matrix }
    }

    /// e^{AT} and Gamma.
    fn solve<T: PhiScalar>(
        &self,
        generators: &[Generator],
        round: impl Fn(DoubleDouble) -> T,
    ) -> Result<[DMatrix<f64>; 2], Error> {
        let n = self.states;
        let mut phi = PhiFunctions::<T>::new(self.matrix.nrows(), 0);
        phi.compute(&self.matrix, self.step)?;
        let exp = phi.exp();
        let mut columns: Vec<f64> = Vec::new();
        for Generator { input, shape } in generators {
            let (rate, weights) = self.weights(shape);
            let chain = self.chains.iter().find(|chain| chain.input == *input && chain.rate == rate);
            let Some(Chain { begin, beta, .. }) = chain else { continue };
            for weights in weights {
                let weights: Vec<(usize, T)> =
                    weights.into_iter().map(|(at, weight)| (begin + at, round(weight))).collect();
                columns.extend((0..n).map(|i| {
                    let sum = weights.iter().fold(T::default(), |sum, (at, weight)| sum + *weight * exp[(i, *at)]);
                    sum.to_f64() * beta
                }));
            }
        }
        let response =
            DMatrix::from_vec(n, columns.len().checked_div(n).unwrap_or_else(|| width_of(generators)), columns);
        Ok([exp.view((0, 0), (n, n)).map(PhiScalar::to_f64), response])
    }

    /// The rate of the chain, and for each coefficient of the shape what it is of the states of the chain, by index.
    fn weights(&self, shape: &Shape) -> (Complex<f64>, Vec<Vec<(usize, DoubleDouble)>>) {
        let one = DoubleDouble::from(1.0);
        // theta^k = (s/tau)^k (tau/T)^k.
        let ratio = DoubleDouble::from(self.tau) / DoubleDouble::from(self.step);
        let of_theta = |polynomial: Vec<DoubleDouble>| {
            let mut power = one;
            let mut weights = Vec::with_capacity(polynomial.len());
            for (k, coefficient) in polynomial.into_iter().enumerate() {
                weights.push((k, coefficient * power));
                power = power * ratio;
            }
            weights
        };
        let exact = |nodes: &[f64]| nodes.iter().copied().map(DoubleDouble::from).collect::<Vec<_>>();
        match shape {
            Shape::Exponential { rate, degree } => {
                let wide = width(*rate);
                let weight = |at: usize| vec![(at, DoubleDouble::from(self.tau.powi((at / wide) as i32)))];
                (*rate, (0..wide * (degree + 1)).map(weight).collect())
            }
            Shape::Samples { nodes } => {
                (Complex::ZERO, lagrange_coefficients(&exact(nodes)).into_iter().map(of_theta).collect())
            }
            Shape::Remainder { nodes, degree } => {
                let shifted = |k: usize| {
                    let mut polynomial = vec![DoubleDouble::default(); k];
                    polynomial.extend(nodal_polynomial(&exact(nodes)));
                    of_theta(polynomial)
                };
                (Complex::ZERO, (0..=*degree).map(shifted).collect())
            }
        }
    }
}

fn width_of(generators: &[Generator]) -> usize {
    generators.iter().map(Generator::coefficients).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    fn system() -> StateSpace {
        let a = dmatrix![-1.0, 3.0, 0.0; -3.0, -1.0, 1e3; 0.0, 2.0, -1e5];
        StateSpace::with_state_outputs(a, dmatrix![1e-6, 0.0; 0.0, 1e6; 5.0, -3.0]).unwrap()
    }

    #[test]
    fn samples_give_the_matrices_of_the_hold() {
        for order in [0, 1, 3, 7] {
            let method = Method::Algorithm1 { order };
            let hold = Discretization::new(&system(), 0.013, method.clone()).unwrap();
            let nodes = method.nodes().unwrap();
            for input in 0..2 {
                let generators = [
                    Generator { input, shape: Shape::Samples { nodes: nodes.clone() } },
                    Generator { input, shape: Shape::Remainder { nodes: nodes.clone(), degree: 1 } },
                ];
                let step = Discretization::generated(&system(), &generators, 0.013).unwrap();
                // The hold knows thirds and sevenths to more digits than the nodes that are handed over.
                let close = |a: f64, b: f64, size: f64| assert!((a - b).abs() <= 1e-14 * size, "{a} {b}");
                let error = hold.error_matrix().unwrap();
                for i in 0..3 {
                    for node in 0..=order {
                        let column = hold.input_matrix(node).column(input);
                        close(step.input_matrix(0)[(i, node)], column[i], column.amax());
                    }
                    close(step.input_matrix(0)[(i, order + 1)], error[(i, input)], error.column(input).amax());
                }
                assert_eq!(step.input_matrix(0).ncols(), order + 3);
            }
        }
    }

    /// s^k e^(lambda s) into a single pole p, against the closed form for k = 0 and the derivative by lambda for k = 1.
    #[test]
    fn exponentials_are_exact_at_any_frequency() {
        for (pole, rate, step) in [
            (-2.0, Complex::new(0.0, 1e7), 0.3),
            (-1e9, Complex::new(-3.0, 40.0), 0.01),
            (0.0, Complex::new(0.5, 2.0), 1.0),
            (-1e-9, Complex::new(-1e-8, 1e-7), 1e8),
        ] {
            let system = StateSpace::with_state_outputs(dmatrix![pole], dmatrix![1.0]).unwrap();
            let generators = [Generator { input: 0, shape: Shape::Exponential { rate, degree: 1 } }];
            let made = Discretization::generated(&system, &generators, step).unwrap();
            let gap = rate - pole;
            let (fast, slow) = ((rate * step).exp(), Complex::from((pole * step).exp()));
            let first = (fast - slow) / gap;
            let second = fast * step / gap - (fast - slow) / (gap * gap);
            let expected = [first.re, -first.im, second.re, -second.im];
            for (k, expected) in expected.into_iter().enumerate() {
                let size = if k < 2 { first.norm() } else { second.norm() };
                let conditioning = 8.0 + (rate * step).norm();
                let error = (made.input_matrix(0)[k] - expected).abs();
                assert!(error <= 1e-15 * conditioning * size, "{rate} {k}: {error:e} of {size:e}");
            }
        }
    }

    #[test]
    fn nothing_to_generate_and_nothing_to_move() {
        let empty = StateSpace::gain(dmatrix![2.0]).unwrap();
        let generators = [Generator { input: 0, shape: Shape::Samples { nodes: vec![0.0, 1.0] } }];
        assert_eq!(Discretization::generated(&empty, &generators, 1.0).unwrap().input_matrix(0).shape(), (0, 2));
        let alone = Discretization::generated(&system(), &[], 0.1).unwrap();
        assert_eq!(alone.input_matrix(0).shape(), (3, 0));
        let wrong = [Generator { input: 7, ..generators[0].clone() }];
        assert!(matches!(Discretization::generated(&empty, &wrong, 1.0), Err(Error::Index { .. })));
    }
}
