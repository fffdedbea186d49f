//! The last values of one connection with their stamps, and the polynomials through them: Newton's form on any spacing.

use super::Signal;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};

/// Up to three values, the newest first, and the derivative at the newest if the source knows it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct History {
    stamps: [u64; 3],
    values: [f64; 3],
    rate: Option<f64>,
    length: usize,
}

/// Stamps before the start wrap around: they are no counts.
impl Stored for History {
    fn store(&self, to: &mut Vec<u8>) {
        self.stamps.iter().for_each(|stamp| to.extend_from_slice(&stamp.to_le_bytes()));
        self.values.store(to);
        self.rate.store(to);
        self.length.store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        for stamp in &mut self.stamps {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(from.take(8)?);
            *stamp = u64::from_le_bytes(bytes);
        }
        self.values.load(from)?;
        self.rate.load(from)?;
        self.length.load(from)?;
        if self.length <= 3 { Ok(()) } else { Err(from.refuse("the length of a history")) }
    }
}

impl History {
    /// Adds a value; one with the stamp of the newest replaces it.
    #[inline]
    pub(crate) fn push(&mut self, stamp: u64, value: f64, rate: Option<f64>) {
        if self.length > 0 && self.stamps[0] == stamp {
            // One that is not sampled anew goes on to change as it did.
            if rate.is_some() || value != self.values[0] {
                self.rate = rate;
            }
            self.values[0] = value;
            return;
        }
        self.rate = rate;
        self.stamps = [stamp, self.stamps[0], self.stamps[1]];
        self.values = [value, self.values[0], self.values[1]];
        self.length = (self.length + 1).min(3);
    }

    /// The rate at the newest value \[unit/s\], which nobody knows but from a rehearsal.
    pub(crate) fn set_rate(&mut self, rate: f64) {
        self.rate = Some(rate);
    }

    /// The rate at the newest value, if it is known \[unit/s\].
    pub(crate) fn rate(&self) -> Option<f64> {
        self.rate
    }

    /// Forgets what came before a jump: the next value is the first of a new curve. Until then the newest stands.
    pub(crate) fn break_off(&mut self) {
        (self.length, self.rate) = (0, None);
    }

    /// The newest value.
    #[inline]
    pub(crate) fn newest(&self) -> f64 {
        self.values[0]
    }

    /// Difference of the newest two values; 0 if there is one alone.
    #[inline]
    pub(crate) fn last_change(&self) -> f64 {
        if self.length > 1 { self.values[0] - self.values[1] } else { 0.0 }
    }

    /// Number of values kept, 3 at most.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Stamp of the newest value.
    #[inline]
    pub(crate) fn stamp(&self) -> u64 {
        self.stamps[0]
    }

    /// Differences of the newest three values: of first and second order, None if there are fewer.
    pub(crate) fn differences(&self) -> Option<(f64, f64)> {
        let [a, b, c] = self.values;
        (self.length == 3).then_some((a - b, a - 2.0 * b + c))
    }

    /// The polynomial of at most this order through the newest values, about the time `now`.
    #[inline]
    pub(crate) fn extrapolation(&self, order: usize, now: u64, tick: f64) -> Signal {
        if order == 0 { Signal::held(self.values[0]) } else { self.continued(order, now, tick) }
    }

    /// The same of order 1 or more.
    fn continued(&self, order: usize, now: u64, tick: f64) -> Signal {
        let newest = (self.stamps[0], self.values[0]);
        let second = (self.stamps[1], self.values[1]);
        match (order.min(2), self.rate) {
            (1, Some(rate)) => tangent(newest, rate, now, tick),
            (2, Some(rate)) if self.length < 2 => tangent(newest, rate, now, tick),
            (2, Some(rate)) => osculating(newest, rate, second, now, tick),
            _ => match order.min(self.length.saturating_sub(1)) {
                0 => Signal::held(newest.1),
                1 => through([newest, second], now, tick),
                _ => quadratic([newest, second, (self.stamps[2], self.values[2])], now, tick),
            },
        }
    }

    /// The polynomial of at most this order through a value at a later time `stamp` and the newest values, about the time `now`;
    /// of order 0 the later value itself.
    #[inline]
    pub(crate) fn interpolation(&self, order: usize, stamp: u64, value: f64, now: u64, tick: f64) -> Signal {
        let newest = (self.stamps[0], self.values[0]);
        let later = (stamp, value);
        match (order.min(self.length), self.rate) {
            (0, _) => Signal::held(value),
            (1, None) => through([newest, later], now, tick),
            (_, Some(rate)) if order > 1 => osculating(newest, rate, later, now, tick),
            (1, Some(_)) => through([newest, later], now, tick),
            // The newest value comes first: it is met without rounding.
            _ => quadratic([newest, later, (self.stamps[1], self.values[1])], now, tick),
        }
    }

    /// How far the polynomial of at most this order that stood for the values up to a later time `stamp` lay beside them in the mean, if `value`
    /// was reached there: the remainder of Newton's interpolation with the next difference, `continued` ([`History::extrapolation`]) or
    /// `met` at that time ([`History::interpolation`]). For equal steps these are the coefficients of the methods of Adams.
    #[inline]
    pub(crate) fn mean_defect(&self, order: usize, met: bool, stamp: u64, value: f64, tick: f64) -> f64 {
        if order > 0 && !met && self.rate.is_some() {
            return self.uneven_defect(order, met, stamp, value, tick);
        }
        let order = order.min(if met { self.length } else { self.length.saturating_sub(1) });
        if order > 0 {
            return self.higher_defect(order, met, stamp, value, tick);
        }
        let newest = self.values[0];
        (if met { value - newest } else { newest - value }) / 2.0
    }

    /// The same of order 1 or more.
    fn higher_defect(&self, order: usize, met: bool, stamp: u64, value: f64, tick: f64) -> f64 {
        let h = stamp.wrapping_sub(self.stamps[0]);
        let [a, b, c] = self.values;
        let even = self.rate.is_none() && self.stamps[0].wrapping_sub(self.stamps[1]) == h;
        match (order, met) {
            (1, false) if even => -5.0 / 12.0 * (value - 2.0 * a + b),
            (1, true) if even && self.length > 1 => (value - 2.0 * a + b) / 12.0,
            (2, false) if even && self.is_even() => -3.0 / 8.0 * (value - 3.0 * (a - b) - c),
            (2, true) if even && self.is_even() => (value - 3.0 * (a - b) - c) / 24.0,
            _ => self.uneven_defect(order, met, stamp, value, tick),
        }
    }

    /// Whether the three values kept are equally far apart.
    #[inline]
    fn is_even(&self) -> bool {
        self.length == 3 && self.stamps[0].wrapping_sub(self.stamps[1]) == self.stamps[1].wrapping_sub(self.stamps[2])
    }

    /// The same on any spacing, and with a known derivative.
    #[cold]
    fn uneven_defect(&self, order: usize, met: bool, stamp: u64, value: f64, tick: f64) -> f64 {
        // Newton's divided differences of the values that the polynomial does not know all.
        let nodes = [stamp, self.stamps[0], self.stamps[1], self.stamps[2]];
        let h = span(self.stamps[0], stamp, tick);
        if let (Some(_), false) = (self.rate, met) {
            // Remainders s^2 and s^2 (s + before), at the end and in the mean.
            let end = self.extrapolation(order, self.stamps[0], tick).at(h) - value;
            let before = span(self.stamps[1], self.stamps[0], tick);
            let osculating = order > 1 && self.length > 1;
            return end * if osculating { (h / 4.0 + before / 3.0) / (h + before) } else { 1.0 / 3.0 };
        }
        if order >= self.length {
            // A straight line between the only two values: nothing is known of what lies beside it.
            return 0.0;
        }
        let known = order + 1;
        let mut difference = [value, self.values[0], self.values[1], self.values[2]];
        for width in 1..=known {
            for i in 0..=known - width {
                difference[i] = (difference[i] - difference[i + 1]) / span(nodes[i + width], nodes[i], tick);
            }
        }
        // The remainder is the difference times the product of the distances to the nodes of the polynomial, in the mean over the step.
        let (one, two) = (span(nodes[2], nodes[1], tick), span(nodes[3], nodes[1], tick));
        let mean = match (order, met) {
            (0, _) => h / 2.0,
            (1, false) => h * h / 3.0 + one * h / 2.0,
            (_, false) => h * h * h / 4.0 + (one + two) * h * h / 3.0 + one * two * h / 2.0,
            (1, true) => -h * h / 6.0,
            (_, true) => -(h / 12.0 + one / 6.0) * h * h,
        };
        -difference[0] * mean
    }

    /// The polynomial through a value at a later time `stamp` and all values kept, `s` seconds after `stamp`: Neville's scheme.
    pub(crate) fn cubic(&self, stamp: u64, value: f64, s: f64, tick: f64) -> f64 {
        let nodes: [f64; 4] = std::array::from_fn(|i| if i == 0 { 0.0 } else { span(stamp, self.stamps[i - 1], tick) });
        let mut p: [f64; 4] = std::array::from_fn(|i| if i == 0 { value } else { self.values[i - 1] });
        for width in 1..=self.length {
            for i in 0..=self.length - width {
                let j = i + width;
                p[i] = ((s - nodes[j]) * p[i] + (nodes[i] - s) * p[i + 1]) / (nodes[i] - nodes[j]);
            }
        }
        p[0]
    }
}

/// Newton's form through three nodes.
#[inline]
fn quadratic([a, b, c]: [(u64, f64); 3], now: u64, tick: f64) -> Signal {
    let (alpha, beta) = (span(a.0, now, tick), span(b.0, now, tick));
    let ab = (b.1 - a.1) / span(a.0, b.0, tick);
    let bc = (c.1 - b.1) / span(b.0, c.0, tick);
    let abc = (bc - ab) / span(a.0, c.0, tick);
    Signal { value: a.1 + alpha * (ab + beta * abc), first: ab + (alpha + beta) * abc, second: 2.0 * abc }
}

/// Through one node with its derivative.
#[inline]
fn tangent(a: (u64, f64), rate: f64, now: u64, tick: f64) -> Signal {
    Signal { value: a.1 + rate * span(a.0, now, tick), first: rate, second: 0.0 }
}

/// Through one node with its derivative and another without.
#[inline]
fn osculating(a: (u64, f64), rate: f64, b: (u64, f64), now: u64, tick: f64) -> Signal {
    let (alpha, ab) = (span(a.0, now, tick), span(a.0, b.0, tick));
    let curvature = ((b.1 - a.1) / ab - rate) / ab;
    Signal {
        value: a.1 + alpha * (rate + alpha * curvature),
        first: rate + 2.0 * alpha * curvature,
        second: 2.0 * curvature,
    }
}

#[inline]
fn through([a, b]: [(u64, f64); 2], now: u64, tick: f64) -> Signal {
    let slope = (b.1 - a.1) / span(a.0, b.0, tick);
    Signal { value: a.1 + slope * span(a.0, now, tick), first: slope, second: 0.0 }
}

/// Time from one stamp to another \[s\]: the difference of the integers is exact.
#[inline]
fn span(from: u64, to: u64, tick: f64) -> f64 {
    to.wrapping_sub(from) as i64 as f64 * tick
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Polynomials of degree p are met by order p at any spacing, about any time.
        #[test]
        fn polynomials_are_reproduced(c in prop::array::uniform3(-2.0..2.0f64), gaps in prop::array::uniform3(1u64..9), order in 0usize..3) {
            let tick = 0.125;
            let p = |t: u64| { let s = t as f64 * tick; (0..=order).map(|i| c[i] * s.powi(i as i32)).sum::<f64>() };
            let mut history = History::default();
            let (t0, t1) = (gaps[0], gaps[0] + gaps[1]);
            let t2 = t1 + gaps[2];
            for t in [0, t0, t1] { history.push(t, p(t), None); }
            let extrapolated = history.extrapolation(order, t1, tick);
            prop_assert_eq!(extrapolated.value, p(t1));
            prop_assert!((extrapolated.at((t2 - t1) as f64 * tick) - p(t2)).abs() < 1e-12 * 100.0);
            let interpolated = history.interpolation(order, t2, p(t2), t1, tick);
            for k in t1..=t2 {
                prop_assert!((interpolated.at((k - t1) as f64 * tick) - p(k)).abs() < 1e-12 * 100.0);
            }
            // About another time the same polynomial.
            let shifted = history.extrapolation(order, t2, tick);
            prop_assert!((shifted.value - p(t2)).abs() < 1e-12 * 100.0);
        }
    }

    proptest! {
        /// With the derivative at the newest node, straight lines and parabolas are met from one and two nodes.
        #[test]
        fn derivatives_replace_nodes(c in prop::array::uniform3(-2.0..2.0f64), gaps in prop::array::uniform2(1u64..9), order in 1usize..3) {
            let tick = 0.125;
            let p = |t: u64| { let s = t as f64 * tick; (0..=order).map(|i| c[i] * s.powi(i as i32)).sum::<f64>() };
            let rate = |t: u64| c[1] + if order == 2 { 2.0 * c[2] * t as f64 * tick } else { 0.0 };
            let mut history = History::default();
            let (now, later) = (gaps[0], gaps[0] + gaps[1]);
            if order == 2 { history.push(0, p(0), Some(rate(0))); }
            history.push(now, p(now), Some(rate(now)));
            let h = gaps[1] as f64 * tick;
            prop_assert!((history.extrapolation(order, now, tick).at(h) - p(later)).abs() < 1e-12 * 100.0);
            let between = history.interpolation(order, later, p(later), now, tick);
            prop_assert!((between.at(0.5 * h) - history.extrapolation(order, now, tick).at(0.5 * h)).abs() < 1e-12 * 100.0);
        }
    }

    #[test]
    fn short_histories_lower_the_order() {
        let mut history = History::default();
        history.push(0, 1.0, None);
        assert_eq!(history.extrapolation(2, 0, 0.5), Signal::held(1.0));
        history.push(2, 3.0, None);
        assert_eq!(history.extrapolation(2, 2, 0.5), Signal { value: 3.0, first: 2.0, second: 0.0 });
        history.push(2, 5.0, None);
        assert_eq!((history.stamp(), history.newest(), history.differences()), (2, 5.0, None));
    }
}
