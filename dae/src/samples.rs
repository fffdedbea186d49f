//! Functions of time sampled within each step of an integrator, against the polynomial that it makes of them.
//!
//! The error test of a method of several steps sees functions at the ends of steps only: one whose period divides the step is constant to it, and
//! one that comes and goes within a step is not there. So they are sampled within each step, at places that no
//! period hides from (the golden section's sequence, other places in each step), and compared with the polynomial through their values at the ends
//! t, t - h, .., t - k h of the steps.

/// Samples within a step.
const SAMPLES: usize = 4;
/// The golden section: its multiples leave the largest gaps small.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Nodes of the polynomial at most: those of order 6.
pub const NODES: usize = 7;

/// A number of functions of time, and room for their values.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    /// Values at a sample, and their differences from the polynomials.
    values: Vec<f64>,
    differences: Vec<f64>,
    /// Values at the nodes.
    nodes: Vec<f64>,
    /// Steps looked at so far.
    steps: u64,
}

impl Samples {
    /// Of `count` functions.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { values: vec![0.0; count], differences: vec![0.0; count], nodes: vec![0.0; NODES * count], steps: 0 }
    }

    /// Whether there is no function.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Number of steps looked at, on which the places of the samples depend.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes back a number that [`Samples::steps`] gave: a step that is taken again is sampled at the same places.
    pub fn set_steps(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Looks at a step of length `h` to `t` \[s\], the functions being smooth since `since`: nodes lie closer than h where they would be before that. `evaluate` writes the values of all functions at a time, `nodes` tells how many ends of steps
    /// the polynomial of function i goes through, `judge` gets the values at each sample and their differences from the polynomials, 0 where they are
    /// round-off.
    pub fn compare(
        &mut self,
        [t, h, since]: [f64; 3],
        nodes: impl Fn(usize) -> usize,
        mut evaluate: impl FnMut(f64, &mut [f64]),
        mut judge: impl FnMut(&[f64], &mut [f64]),
    ) {
        let count = self.values.len();
        let most = (0..count).map(&nodes).max().unwrap_or(0).min(NODES);
        let apart = h.min((t - since) / most.saturating_sub(1).max(1) as f64);
        for j in 0..most {
            evaluate(t - j as f64 * apart, &mut self.nodes[j * count..(j + 1) * count]);
        }
        self.steps += 1;
        for k in 0..SAMPLES {
            let place = (GOLDEN * (self.steps as f64 + k as f64 * GOLDEN)).fract();
            let s = (place + k as f64 / SAMPLES as f64).fract() - 1.0;
            evaluate(t + s * h, &mut self.values);
            for (i, (value, difference)) in self.values.iter().zip(&mut self.differences).enumerate() {
                *difference = value - interpolated(nodes(i).min(NODES), s * (h / apart), |j| self.nodes[j * count + i]);
                // Round-off of what is large.
                if difference.abs() <= 16.0 * f64::EPSILON * value.abs() {
                    *difference = 0.0;
                }
            }
            judge(&self.values, &mut self.differences);
        }
    }
}

/// The polynomial through the values at s = 0, -1, .., 1 - `nodes` (Lagrange).
fn interpolated(nodes: usize, s: f64, value: impl Fn(usize) -> f64) -> f64 {
    let mut sum = 0.0;
    for j in 0..nodes {
        let own = -(j as f64);
        let others = (0..nodes).filter(|k| *k != j).map(|k| -(k as f64));
        let weight: f64 = others.map(|other| (s - other) / (own - other)).product();
        sum += weight * value(j);
    }
    sum
}
