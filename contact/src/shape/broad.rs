//! Sweep and prune: pairs of overlapping boxes parallel to the axes.
//!
//! The boxes are sorted by their lower end along the axis over which their middles vary most, then each is compared with those that
//! begin before it ends. The order of the pairs found is that of their numbers, whatever the sweep met first.

use super::{Placed, Solid};
use fourbar_multibody::space::V3;

/// A box parallel to the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    low: V3,
    high: V3,
}

impl Extent {
    /// About `solid` at `at`, wider by `margin` on every side.
    pub(crate) fn new(solid: &Solid, at: &Placed, margin: f64) -> Self {
        let middle = at.x + at.a * solid.middle;
        let reach = at.a.abs() * solid.half + V3::repeat(margin);
        Self { low: middle - reach, high: middle + reach }
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }
}

/// The sweep, with its order kept from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sweep {
    order: Vec<u32>,
}

impl Sweep {
    /// Calls `visit` with each pair a < b of overlapping `extents`.
    pub(crate) fn pairs(&mut self, extents: &[Extent], mut visit: impl FnMut(u32, u32)) {
        if self.order.len() != extents.len() {
            self.order = (0..extents.len() as u32).collect();
        }
        let axis = widest(extents);
        let low = |k: u32| extents[k as usize].low[axis];
        self.order.sort_unstable_by(|&a, &b| low(a).total_cmp(&low(b)).then(a.cmp(&b)));
        for (at, &a) in self.order.iter().enumerate() {
            let extent = &extents[a as usize];
            for &b in &self.order[at + 1..] {
                let other = &extents[b as usize];
                if other.low[axis] > extent.high[axis] {
                    break;
                }
                if extent.overlaps(other) {
                    visit(a.min(b), a.max(b));
                }
            }
        }
    }
}

/// The axis over which the middles have the largest variance.
fn widest(extents: &[Extent]) -> usize {
    let count = extents.len().max(1) as f64;
    let middle = |e: &Extent| (e.low + e.high) * 0.5;
    let mean = extents.iter().map(middle).sum::<V3>() / count;
    let variance: V3 = extents.iter().map(|e| (middle(e) - mean).map(|d| d * d)).sum();
    variance.imax()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_exactly_the_overlapping_pairs(boxes in prop::collection::vec((prop::array::uniform3(-3.0..3.0f64), prop::array::uniform3(0.1..1.0f64)), 0..40)) {
            let extents: Vec<Extent> = boxes
                .iter()
                .map(|(c, h)| Extent { low: V3::from(*c) - V3::from(*h), high: V3::from(*c) + V3::from(*h) })
                .collect();
            let mut found = Vec::new();
            let mut sweep = Sweep::default();
            sweep.pairs(&extents, |a, b| found.push((a, b)));
            found.sort_unstable();
            let all = (0..extents.len()).flat_map(|a| (a + 1..extents.len()).map(move |b| (a, b)));
            let expected: Vec<(u32, u32)> =
                all.filter(|&(a, b)| extents[a].overlaps(&extents[b])).map(|(a, b)| (a as u32, b as u32)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
