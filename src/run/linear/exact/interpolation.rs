//! Inputs that are no sums of exponentials: polynomials through samples, judged at further times that lie elsewhere in every step.

use super::super::forcing::Layout;
use super::super::inputs::Inputs;
use crate::linear::Side;
use crate::run::schedule::Interval;

/// Fractional parts of multiples of these are spread evenly and never fall into step with anything periodic (Niederreiter, Random Number
/// Generation and Quasi-Monte Carlo Methods, 1992, section 3.1): the golden section and the square root of two.
const SPREAD: [f64; 2] = [0.618_033_988_749_895, std::f64::consts::SQRT_2 - 1.0];

/// Fewest and most further times of a step: two, so that the next two orders are seen; one for each gap between nodes sees singularities as well,
/// but polynomials through many more places than samples swing.
pub(super) const FURTHER: [usize; 2] = [2, 4];

/// What an input moves by over this many neighbouring times is its round-off: no part of a step can be interpolated better.
const ROUND_OFF: f64 = 16.0;

/// The smallest number above 0.
const SMALLEST: f64 = f64::MIN_POSITIVE * f64::EPSILON;

/// Samples of a step, the polynomials through them and what these leave out.
#[derive(Debug, Clone)]
pub(super) struct Interpolation {
    nodes: Vec<f64>,
    tolerance: f64,
    /// m values a node.
    samples: Vec<f64>,
    /// a_k for each input, as many as there are further times: u - P = w(theta) sum_k a_k theta^k.
    remainders: Vec<f64>,
    /// Largest deviation of each input in the step.
    deviations: Vec<f64>,
    /// The same without what is round-off.
    open: Vec<f64>,
    /// Largest absolute value of each input so far.
    largest: Vec<f64>,
    /// Largest accepted deviation relative to it; none for an input that was not interpolated.
    worst: Vec<Option<f64>>,
    /// Steps looked at.
    draws: u64,
    /// The further times theta.
    places: Vec<f64>,
    /// What the samples weigh in the polynomial at a further time.
    weights: Vec<f64>,
}

impl Interpolation {
    pub(super) fn new(order: usize, tolerance: f64) -> Self {
        let nodes = (0..=order).map(|i| i as f64 / order.max(1) as f64).collect();
        Self {
            nodes,
            tolerance,
            samples: Vec::new(),
            remainders: Vec::new(),
            deviations: Vec::new(),
            open: Vec::new(),
            largest: Vec::new(),
            worst: Vec::new(),
            draws: 0,
            places: vec![0.0; order.clamp(FURTHER[0], FURTHER[1])],
            weights: Vec::new(),
        }
    }

    /// theta_i.
    pub(super) fn nodes(&self) -> &[f64] {
        &self.nodes
    }

    /// The samples of the last step looked at, m values a node.
    pub(super) fn samples(&self) -> &[f64] {
        &self.samples
    }

    /// What the interpolation of the last step leaves out.
    pub(super) fn remainders(&self) -> &[f64] {
        &self.remainders
    }

    /// Number of further times.
    pub(super) fn further(&self) -> usize {
        self.places.len()
    }

    /// The largest deviation of each interpolated input, relative to its largest value.
    pub(super) fn worst(&self) -> &[Option<f64>] {
        &self.worst
    }

    /// Samples the interpolated inputs over `length` \[s\] from `begin` \[s\] after the beginning of the interval.
    pub(super) fn sample(
        &mut self,
        interval: &Interval,
        [begin, length]: [f64; 2],
        layout: &Layout,
        inputs: &mut Inputs,
    ) {
        let (m, count) = (inputs.len(), self.places.len());
        self.samples.resize(m * self.nodes.len(), 0.0);
        self.remainders.resize(m * count, 0.0);
        self.deviations.resize(m, 0.0);
        self.open.resize(m, 0.0);
        self.largest.resize(m, 0.0);
        self.worst.resize(m, None);
        self.open.fill(0.0);
        self.choose_places();
        for i in (0..m).filter(|i| layout.interpolated[*i]) {
            for (node, theta) in self.nodes.iter().enumerate() {
                let (time, side) = interval.at(begin + theta * length);
                let u = inputs.value(i, time, side);
                self.samples[node * m + i] = u;
                self.largest[i] = self.largest[i].max(u.abs());
            }
            self.deviations[i] = 0.0;
        }
        for k in 0..count {
            let theta = self.places[k];
            lagrange(&self.nodes, theta, &mut self.weights);
            let product: f64 = self.nodes.iter().map(|node| theta - node).product();
            let (time, side) = interval.at(begin + theta * length);
            for i in (0..m).filter(|i| layout.interpolated[*i]) {
                let u = inputs.value(i, time, side);
                let polynomial: f64 =
                    self.samples.iter().skip(i).step_by(m).zip(&self.weights).map(|(u, weight)| u * weight).sum();
                let deviation = u - polynomial;
                self.remainders[i * count + k] = deviation / product;
                self.largest[i] = self.largest[i].max(u.abs());
                self.deviations[i] = self.deviations[i].max(deviation.abs());
                if deviation.abs() > self.tolerance * self.largest[i] {
                    // Numbers near the smallest have fewer digits.
                    let noise = (inputs.value(i, time.next_up(), Side::At) - u).abs().max(SMALLEST);
                    if deviation.abs() > ROUND_OFF * noise {
                        self.open[i] = self.open[i].max(deviation.abs());
                    }
                }
            }
        }
        for values in self.remainders.chunks_exact_mut(count) {
            through(&self.places, values);
        }
    }

    /// Whether what was sampled last or loaded is within the tolerance, beside the largest value of each input so far.
    pub(super) fn is_resolved(&self) -> bool {
        self.open.iter().zip(&self.largest).all(|(open, largest)| *open <= self.tolerance * largest)
    }

    /// Appends what was sampled.
    pub(super) fn keep(&self, kept: &mut Vec<f64>) {
        [&self.samples, &self.remainders, &self.deviations, &self.open].into_iter().for_each(|own| kept.extend(own));
    }

    /// Takes back what was kept, from its beginning on.
    pub(super) fn load(&mut self, mut kept: &[f64]) {
        for own in [&mut self.samples, &mut self.remainders, &mut self.deviations, &mut self.open] {
            let (first, rest) = kept.split_at(own.len());
            own.copy_from_slice(first);
            kept = rest;
        }
    }

    /// The step looked at last is taken.
    pub(super) fn accept(&mut self, layout: &Layout) {
        for i in (0..self.worst.len()).filter(|i| layout.interpolated[*i]) {
            let relative = if self.deviations[i] == 0.0 { 0.0 } else { self.deviations[i] / self.largest[i] };
            self.worst[i] = Some(self.worst[i].unwrap_or(0.0).max(relative));
        }
    }

    /// What decides on parts of steps.
    pub(super) fn save(&self, (draws, largest): &mut (u64, Vec<f64>)) {
        *draws = self.draws;
        largest.clone_from(&self.largest);
    }

    pub(super) fn restore(&mut self, (draws, largest): &(u64, Vec<f64>)) {
        self.draws = *draws;
        self.largest.clone_from(largest);
    }

    /// Times in the middle parts of gaps between nodes, from the first gap to the last.
    fn choose_places(&mut self) {
        self.draws += 1;
        let gaps = self.nodes.len().saturating_sub(1).max(FURTHER[0]) as f64;
        let last = (self.places.len() - 1) as f64;
        for (k, place) in self.places.iter_mut().enumerate() {
            let gap = (k as f64 / last * (gaps - 1.0)).round();
            let spread = (self.draws as f64 * SPREAD[0] + k as f64 * SPREAD[1]).fract();
            *place = (gap + 0.3 + 0.4 * spread) / gaps;
        }
    }
}

/// From values at `places` to the coefficients of the polynomial through them, by divided differences.
fn through(places: &[f64], values: &mut [f64]) {
    let n = places.len();
    for order in 1..n {
        for i in (order..n).rev() {
            values[i] = (values[i] - values[i - 1]) / (places[i] - places[i - order]);
        }
    }
    for i in (0..n - 1).rev() {
        for k in i..n - 1 {
            values[k] -= places[i] * values[k + 1];
        }
    }
}

/// The weights with which samples at the nodes make up the polynomial at theta.
fn lagrange(nodes: &[f64], theta: f64, weights: &mut Vec<f64>) {
    let factor = |i: usize, r: usize| if r == i { 1.0 } else { (theta - nodes[r]) / (nodes[i] - nodes[r]) };
    weights.clear();
    weights.extend((0..nodes.len()).map(|i| (0..nodes.len()).map(|r| factor(i, r)).product::<f64>()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_those_of_the_polynomial_through_the_values() {
        let places = [0.1, 0.3, 0.55, 0.9];
        let polynomial = |x: f64| 2.0 - 3.0 * x + 0.5 * x * x - x * x * x;
        let mut values = places.map(polynomial);
        through(&places, &mut values);
        for (value, expected) in values.into_iter().zip([2.0, -3.0, 0.5, -1.0]) {
            assert!((value - expected).abs() < 1e-13);
        }
    }

    #[test]
    fn further_times_lie_in_gaps_and_never_repeat() {
        for order in 0..=20 {
            let mut interpolation = Interpolation::new(order, 1e-9);
            let mut before = Vec::new();
            for _ in 0..50 {
                interpolation.choose_places();
                let places = interpolation.places.clone();
                assert!(
                    places.windows(2).all(|pair| pair[0] + 1e-3 < pair[1])
                        && places[0] > 0.0
                        && places[places.len() - 1] < 1.0
                );
                assert!(interpolation.nodes.iter().all(|node| places.iter().all(|place| (place - node).abs() > 0.01)));
                assert_ne!(places, before);
                before = places;
            }
        }
    }
}
