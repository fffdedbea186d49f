//! What the further steps depend on: modified divided differences of the slopes, and the points of which they are.

use super::coefficients::{ABAM_ORDER_MAX, Coefficients, POINTS, extension};
use crate::integrator::copying::kept;
use crate::ode::Ode;

/// Differences of a point: one beyond those of the highest order and of the order above it.
const DIFFERENCES: usize = ABAM_ORDER_MAX + 2;

/// The history.
#[derive(Debug)]
pub struct History {
    /// phi_i of the slopes at the last point, and what is added to y beyond the polynomial at the start of the last step.
    pub(super) last: Differences,
    /// psi_i \[s\]; 0 where there is no point.
    pub(super) psi: [f64; POINTS],
    /// y and f at the points, the last one first, `count` of them.
    pub(super) y: Vec<Vec<f64>>,
    pub(super) slopes: Vec<Vec<f64>>,
    pub(super) count: usize,
    /// Order of the next step, and of the last.
    pub(super) order: usize,
    pub(super) last_order: usize,
    /// Steps of equal length in sequence, the last one included.
    pub(super) equal: usize,
    /// Whether order and step grow with every step, as at the start.
    pub(super) starting: bool,
    /// What rounding took from y in the last step.
    pub(super) rounding: Vec<f64>,
    /// Steps of low order less those of higher order.
    pub(super) low: u64,
}

kept!(History { last, psi, y, slopes, count, order, last_order, equal, starting, rounding, low });

/// phi_1 to phi_{k+2} of a point, and the way from the start of its step to that of the polynomial.
#[derive(Debug)]
pub(super) struct Differences {
    pub(super) phi: Vec<Vec<f64>>,
    pub(super) moved: Vec<f64>,
}

kept!(Differences { phi, moved });

impl Differences {
    pub(super) fn new(n: usize) -> Self {
        Self { phi: vec![vec![0.0; n]; DIFFERENCES], moved: vec![0.0; n] }
    }

    /// phi^e_i: the differences `before`, taken over the step and summed, and y + h sum g_i phi*_i, less what rounding took, to `end`.
    /// What that takes in turn is in `rounding`.
    pub(super) fn predict(
        &mut self,
        (before, own, k): (&Self, &Coefficients, usize),
        (y, taken): (&[f64], &[f64]),
        end: &mut [f64],
        rounding: &mut [f64],
    ) {
        let h = own.psi[0];
        end.fill(0.0);
        // phi*_{k+1} waits in the place of the next for the difference that follows.
        self.phi[k + 1].iter_mut().zip(&before.phi[k]).for_each(|(next, phi)| *next = own.beta[k] * phi);
        self.phi[k].fill(0.0);
        for i in (0..k).rev() {
            let (below, above) = self.phi.split_at_mut(i + 1);
            let (phi, above) = (&mut below[i], &above[0]);
            let (beta, g) = (own.beta[i], own.g[i]);
            for ((phi, above), (before, end)) in phi.iter_mut().zip(above).zip(before.phi[i].iter().zip(&mut *end)) {
                let taken = beta * before;
                *end += g * taken;
                *phi = taken + above;
            }
        }
        for (((end, y), taken), rounding) in end.iter_mut().zip(y).zip(taken).zip(rounding) {
            let change = h * *end - taken;
            *end = y + change;
            *rounding = (*end - y) - change;
        }
    }

    /// Takes f at the end of the step of order k.
    pub(super) fn update(&mut self, k: usize, slope: &[f64]) {
        let (below, above) = self.phi.split_at_mut(k);
        let (next, beyond) = above.split_at_mut(1);
        for (i, f) in slope.iter().enumerate() {
            let d = f - below[0][i];
            next[0][i] = d;
            beyond[0][i] = d - beyond[0][i];
        }
        for phi in &mut below[1..] {
            phi.iter_mut().zip(&next[0]).for_each(|(phi, d)| *phi += d);
        }
        below[0].copy_from_slice(slope);
    }

    /// Makes the polynomial of `count` differences, with `end` behind the step of psi_1, begin at `start`.
    pub(super) fn join(&mut self, count: usize, psi: &[f64; POINTS], start: &[f64], end: &[f64]) {
        let h = psi[0];
        let (g, _) = extension(-h, psi, count);
        for (i, moved) in self.moved.iter_mut().enumerate() {
            let sum: f64 = g.iter().zip(&self.phi).take(count).map(|(g, phi)| g * phi[i]).sum();
            *moved = start[i] - (end[i] - h * sum);
        }
    }

    /// Value and slope `back` \[s\] before the end of the step: the polynomial, and a cubic that is `moved` at its start and nothing at its end.
    pub(super) fn extend(
        &self,
        (count, psi): (usize, &[f64; POINTS]),
        back: f64,
        end: &[f64],
        y: &mut [f64],
        yp: &mut [f64],
    ) {
        let h = psi[0];
        let (g, rho) = extension(-back, psi, count);
        let part = back / h;
        let (cubic, rate) = (part * part * (3.0 - 2.0 * part), -6.0 * part * (1.0 - part) / h);
        for i in 0..y.len() {
            let (mut value, mut slope) = (0.0, 0.0);
            for j in (0..count).rev() {
                value += g[j] * self.phi[j][i];
                slope += rho[j] * self.phi[j][i];
            }
            y[i] = end[i] - back * value + cubic * self.moved[i];
            yp[i] = slope + rate * self.moved[i];
        }
    }
}

impl History {
    pub(super) fn new(n: usize) -> Self {
        let points = || vec![vec![0.0; n]; POINTS];
        Self {
            last: Differences::new(n),
            psi: [0.0; POINTS],
            y: points(),
            slopes: points(),
            count: 1,
            order: 1,
            last_order: 1,
            equal: 0,
            starting: true,
            rounding: vec![0.0; n],
            low: 0,
        }
    }

    /// Whether one that was read is sound.
    pub(super) fn fits(&self) -> bool {
        let orders = 1..=ABAM_ORDER_MAX;
        (1..=POINTS).contains(&self.count)
            && self.order <= self.count
            && orders.contains(&self.order)
            && orders.contains(&self.last_order)
            && self.psi[..self.count - 1].iter().all(|psi| psi.is_finite() && *psi > 0.0)
    }

    /// Begins anew at one point.
    pub(super) fn begin(&mut self, y: &[f64], slope: &[f64]) {
        self.y[0].copy_from_slice(y);
        self.slopes[0].copy_from_slice(slope);
        (self.last_order, self.starting, self.low) = (1, true, 0);
        self.keep(1);
    }

    /// Keeps the last `count` points, or as many as there are, and forms their differences.
    pub(super) fn keep(&mut self, count: usize) {
        self.count = self.count.min(count);
        self.order = self.order.min(self.count);
        self.psi[self.count - 1..].fill(0.0);
        self.rounding.fill(0.0);
        self.difference();
    }

    /// Leaves out the point before the last.
    pub(super) fn leave_out(&mut self) {
        self.y[1..self.count].rotate_left(1);
        self.slopes[1..self.count].rotate_left(1);
        self.psi.copy_within(1.., 0);
        self.equal = 0;
        self.keep(self.count - 1);
    }

    /// Takes another f at the last point.
    pub(super) fn renew(&mut self, y: &[f64], slope: &[f64]) {
        self.y[0].copy_from_slice(y);
        self.slopes[0].copy_from_slice(slope);
        self.difference();
    }

    /// Writes the points in the coordinates that the system has chosen at `y`, as far as it can.
    pub(super) fn rewrite(&mut self, ode: &mut impl Ode, y: &[f64]) {
        self.y[0].copy_from_slice(y);
        for i in 1..self.count {
            let (newer, older) = self.y.split_at_mut(i);
            if !ode.rewrite(&newer[i - 1], &mut older[0], &mut self.slopes[i]) {
                self.keep(i);
                break;
            }
        }
        self.rounding.fill(0.0);
    }

    /// phi_i from the slopes at the points: Newton's divided differences, each times the psi before it.
    fn difference(&mut self) {
        let Self { last: Differences { phi, .. }, psi, slopes, count, .. } = self;
        for (phi, slope) in phi.iter_mut().zip(&*slopes).take(*count) {
            phi.copy_from_slice(slope);
        }
        phi[*count..].iter_mut().for_each(|phi| phi.fill(0.0));
        let time = |i: usize| if i == 0 { 0.0 } else { -psi[i - 1] };
        for order in 1..*count {
            for i in (order..*count).rev() {
                let (below, above) = phi.split_at_mut(i);
                let span = time(i - order) - time(i);
                above[0].iter_mut().zip(&below[i - 1]).for_each(|(a, b)| *a = (b - *a) / span);
            }
        }
        let mut product = 1.0;
        for i in 1..*count {
            product *= psi[i - 1];
            phi[i].iter_mut().for_each(|phi| *phi *= product);
        }
        if *count <= self.order {
            // phi_{k+1}, from which the error at the next order follows, is not known.
            self.equal = 0;
        }
    }

    /// Takes the end of an accepted step.
    pub(super) fn accept(&mut self, own: &Coefficients, y: &[f64], slope: &[f64]) {
        self.y.rotate_right(1);
        self.slopes.rotate_right(1);
        self.y[0].copy_from_slice(y);
        self.slopes[0].copy_from_slice(slope);
        self.count = (self.count + 1).min(POINTS);
        self.psi = own.psi;
        self.psi[self.count - 1..].fill(0.0);
        self.last_order = self.order;
    }
}
