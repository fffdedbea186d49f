//! The nearest place of a curve to a point, and where two curves are nearest: first among samples in blocks, of which those are left out that are too far.

use super::{Curve, Place};
use crate::space::V3;

/// Least samples of a segment: between two of them a cubic bends by a small angle.
const PIECES: usize = 4;
/// Most samples of a segment that is long beside the others.
const MANY: usize = 64;
/// Samples in a block.
const BLOCK: usize = 8;
/// Newton iterations of a search; they halve an interval where they do not converge, to its last digit.
const ITERATIONS: usize = 60;

/// Places along a curve.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Samples {
    /// Parameter and place of each.
    each: Vec<(f64, V3)>,
    /// Middle and radius of each block of them.
    blocks: Vec<(V3, f64)>,
}

impl Samples {
    /// Of a curve that has none yet; the last sample of a closed curve is left out.
    pub(super) fn of(curve: &Curve) -> Self {
        let mean = curve.length() / curve.cubics.len() as f64;
        let mut each = Vec::new();
        for pair in curve.knots.windows(2) {
            let width = pair[1] - pair[0];
            let pieces = ((PIECES as f64 * width / mean).ceil() as usize).clamp(PIECES, MANY);
            each.extend((0..pieces).map(|k| pair[0] + width * k as f64 / pieces as f64));
        }
        if !curve.closed {
            each.push(curve.length());
        }
        let each: Vec<(f64, V3)> = each.into_iter().map(|s| (s, curve.at(s).position)).collect();
        let block = |samples: &[(f64, V3)]| {
            let middle = samples.iter().map(|(_, p)| p).sum::<V3>() / samples.len() as f64;
            (middle, samples.iter().map(|(_, p)| (p - middle).norm()).fold(0.0, f64::max))
        };
        let blocks = each.chunks(BLOCK).map(block).collect();
        Self { each, blocks }
    }

    pub(super) fn parameters(&self) -> impl Iterator<Item = f64> + '_ {
        self.each.iter().map(|(s, _)| *s)
    }

    /// The nearest sample to a point.
    fn nearest(&self, p: &V3) -> usize {
        let (mut best, mut found) = (f64::INFINITY, 0);
        for (b, (middle, radius)) in self.blocks.iter().enumerate() {
            if (middle - p).norm() - radius > best {
                continue;
            }
            for (k, (_, q)) in self.each.iter().enumerate().skip(BLOCK * b).take(BLOCK) {
                let distance = (q - p).norm();
                if distance < best {
                    (best, found) = (distance, k);
                }
            }
        }
        found
    }
}

impl Curve {
    /// The parameter of the place that is nearest to `p`.
    #[must_use]
    pub fn nearest(&self, p: &V3) -> f64 {
        let k = self.samples.nearest(p);
        let (mut low, mut high) = self.beside(k);
        let mut s = self.samples.each[k].0;
        for _ in 0..ITERATIONS {
            let Place { position, first, second, .. } = self.at(s);
            let r = position - p;
            let (slope, bend) = (first.dot(&r), first.norm_squared() + second.dot(&r));
            let newton = s - slope / bend;
            let small = (newton - s).abs() <= 4.0 * f64::EPSILON * self.length();
            if !slope.is_finite() || (bend > 0.0 && small) {
                break;
            }
            if slope < 0.0 {
                low = s;
            } else {
                high = s;
            }
            s = if bend > 0.0 && newton > low && newton < high { newton } else { 0.5 * (low + high) };
        }
        s
    }

    /// Parameters around sample `k`, which an end of an open curve does not bound. On the straight lines there a Newton step is exact.
    fn beside(&self, k: usize) -> (f64, f64) {
        let (samples, last) = (&self.samples.each, self.samples.each.len() - 1);
        let at = |k: usize| samples[k].0;
        let low = match k.checked_sub(1) {
            Some(before) => at(before),
            None if self.closed => at(last) - self.length(),
            None => -f64::MAX / 4.0,
        };
        let high = match (k == last, self.closed) {
            (false, _) => at(k + 1),
            (true, true) => self.length(),
            (true, false) => f64::MAX / 4.0,
        };
        (low, high)
    }

    /// Parameters of the samples of this curve and of `other` that are nearest, where `place` puts points of this one beside the other.
    pub(super) fn nearest_samples(&self, other: &Self, place: &dyn Fn(&V3) -> V3) -> (f64, f64) {
        let mut best = (f64::INFINITY, 0.0, 0.0);
        let (own, others) = (&self.samples, &other.samples);
        for (b, (middle, radius)) in own.blocks.iter().enumerate() {
            let middle = place(middle);
            let block: Vec<(f64, V3)> =
                own.each.iter().skip(BLOCK * b).take(BLOCK).map(|(s, p)| (*s, place(p))).collect();
            for (c, (center, size)) in others.blocks.iter().enumerate() {
                if (middle - center).norm() - radius - size > best.0 {
                    continue;
                }
                for (t, q) in others.each.iter().skip(BLOCK * c).take(BLOCK) {
                    for (s, p) in &block {
                        let distance = (p - q).norm();
                        if distance < best.0 {
                            best = (distance, *s, *t);
                        }
                    }
                }
            }
        }
        (best.1, best.2)
    }

    /// Where the curve crosses or touches itself, by the chords between samples: two that are not neighbours come as near as their bow.
    pub(super) fn crossing(&self) -> Option<V3> {
        let (samples, blocks) = (&self.samples.each, &self.samples.blocks);
        let count = samples.len();
        let chords = if self.closed { count } else { count - 1 };
        let ends = |k: usize| [samples[k].1, samples[(k + 1) % count].1];
        let longest = (0..chords).map(|k| (ends(k)[1] - ends(k)[0]).norm()).fold(0.0, f64::max);
        let of = |block: usize| BLOCK * block..chords.min(BLOCK * (block + 1));
        for (c, (middle, radius)) in blocks.iter().enumerate() {
            for (d, (other, size)) in blocks.iter().enumerate().skip(c) {
                if (middle - other).norm() > radius + size + 3.0 * longest {
                    continue;
                }
                for a in of(c) {
                    for b in of(d).filter(|b| *b > a + 1 && !(self.closed && a == 0 && *b == chords - 1)) {
                        if let Some(at) = meet(ends(a), ends(b)) {
                            return Some(at);
                        }
                    }
                }
            }
        }
        None
    }
}

/// Distance of two chords, in lengths of the longer one, that counts as a crossing.
const TOUCHES: f64 = 1e-3;

/// Where two chords meet: nearest points of two segments (C. Ericson, Real-Time Collision Detection, 2005, section 5.1.9).
fn meet([a, b]: [V3; 2], [c, d]: [V3; 2]) -> Option<V3> {
    let (u, v, w) = (b - a, d - c, a - c);
    let longest = u.norm().max(v.norm());
    // Far apart: nothing is to be computed.
    if ((a + b) - (c + d)).norm() > 2.0 * longest * (1.0 + TOUCHES) {
        return None;
    }
    let (uu, uv, vv, uw, vw) = (u.dot(&u), u.dot(&v), v.dot(&v), u.dot(&w), v.dot(&w));
    let determinant = uu * vv - uv * uv;
    let s = if determinant > 0.0 { ((uv * vw - vv * uw) / determinant).clamp(0.0, 1.0) } else { 0.0 };
    let t = ((uv * s + vw) / vv).clamp(0.0, 1.0);
    let s = ((uv * t - uw) / uu).clamp(0.0, 1.0);
    let (p, q) = (a + u * s, c + v * t);
    ((p - q).norm() < TOUCHES * longest).then_some(p)
}
