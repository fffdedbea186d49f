//! A quadrangle clipped to a rectangle: where two faces of boxes lie over each other.

/// Most corners a quadrangle has after clipping to a rectangle.
pub(super) const MOST: usize = 8;

/// A point over a face: coordinates u, v in the face and height above it \[m\].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Over {
    pub(super) u: f64,
    pub(super) v: f64,
    pub(super) height: f64,
}

impl Over {
    fn between(a: &Self, b: &Self, w: f64) -> Self {
        let mix = |x: f64, y: f64| x + (y - x) * w;
        Self { u: mix(a.u, b.u), v: mix(a.v, b.v), height: mix(a.height, b.height) }
    }

    /// Squared distance in the face.
    pub(super) fn apart(&self, other: &Self) -> f64 {
        (self.u - other.u).powi(2) + (self.v - other.v).powi(2)
    }
}

/// A polygon of at most [`MOST`] corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polygon {
    corners: [Over; MOST],
    count: usize,
}

impl Polygon {
    pub(super) fn new(corners: &[Over; 4]) -> Self {
        let mut all = [Over::default(); MOST];
        all[..4].copy_from_slice(corners);
        Self { corners: all, count: 4 }
    }

    pub(super) fn corners(&self) -> &[Over] {
        &self.corners[..self.count]
    }

    /// The part with |u| <= `half[0]`, |v| <= `half[1]` (Sutherland and Hodgman 1974).
    pub(super) fn clipped(mut self, half: [f64; 2]) -> Self {
        for sign in [1.0, -1.0] {
            self = self.cut(|c| half[0] - sign * c.u);
            self = self.cut(|c| half[1] - sign * c.v);
        }
        self
    }

    /// The part where `inside` is not negative.
    fn cut(&self, inside: impl Fn(&Over) -> f64) -> Self {
        let mut out = Self { corners: [Over::default(); MOST], count: 0 };
        for (k, a) in self.corners().iter().enumerate() {
            let b = &self.corners[(k + 1) % self.count];
            let (da, db) = (inside(a), inside(b));
            if da >= 0.0 {
                out.push(*a);
            }
            if (da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0) {
                out.push(Over::between(a, b, da / (da - db)));
            }
        }
        out
    }

    fn push(&mut self, corner: Over) {
        // A convex polygon of four corners gains at most one in each of four cuts; round-off may bend it.
        if self.count < MOST {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// Corners nearer than `distance` become one, the lowest of them.
    pub(super) fn merged(&self, distance: f64) -> Self {
        let mut out = Self { corners: [Over::default(); MOST], count: 0 };
        for corner in self.corners() {
            let near = (0..out.count).find(|&k| out.corners[k].apart(corner) <= distance * distance);
            match near {
                Some(k) if corner.height < out.corners[k].height => out.corners[k] = *corner,
                Some(_) => {}
                None => out.push(*corner),
            }
        }
        out
    }
}

impl Polygon {
    /// Without corners that stand out by less than `distance`: where edges of two faces nearly coincide, they cross anywhere
    /// along them.
    pub(super) fn straightened(mut self, distance: f64) -> Self {
        while self.count > 2 {
            let least = (0..self.count).map(|k| (self.standing_out(k), k)).min_by(|a, b| a.0.total_cmp(&b.0));
            match least {
                Some((out, k)) if out < distance => {
                    self.corners.copy_within(k + 1..self.count, k);
                    self.count -= 1;
                }
                _ => break,
            }
        }
        self
    }

    /// Distance of corner `k` from the line through its neighbours.
    fn standing_out(&self, k: usize) -> f64 {
        let (before, at) = (&self.corners[(k + self.count - 1) % self.count], &self.corners[k]);
        let after = &self.corners[(k + 1) % self.count];
        let (u, v) = (after.u - before.u, after.v - before.v);
        let length = u.hypot(v);
        if length == 0.0 {
            return at.apart(before).sqrt();
        }
        (u * (at.v - before.v) - v * (at.u - before.u)).abs() / length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn square(half: f64, turn: f64, at: [f64; 2]) -> Polygon {
        let (s, c) = turn.sin_cos();
        Polygon::new(&[[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[x, y]| Over {
            u: at[0] + half * (c * x - s * y),
            v: at[1] + half * (s * x + c * y),
            height: 0.3 * half * (c * x - s * y),
        }))
    }

    fn area(polygon: &Polygon) -> f64 {
        let c = polygon.corners();
        let cross = |k: usize| c[k].u * c[(k + 1) % c.len()].v - c[(k + 1) % c.len()].u * c[k].v;
        0.5 * (0..c.len()).map(cross).sum::<f64>()
    }

    #[test]
    fn a_square_turned_by_an_eighth_becomes_an_octagon() {
        let octagon = square(1.0, std::f64::consts::FRAC_PI_4, [0.0; 2]).clipped([1.0, 1.0]);
        assert_eq!(octagon.corners().len(), 8);
        assert!((area(&octagon) - 8.0 * (2.0_f64.sqrt() - 1.0)).abs() < 1e-14);
        // Squares that differ by round-off keep four corners.
        let same = square(1.0, 1e-12, [0.0; 2]).clipped([1.0, 1.0]).straightened(1e-3).merged(1e-2);
        assert_eq!(same.corners().len(), 4);
    }

    proptest! {
        /// Against the area of the overlap counted on a grid; the height stays that of the plane.
        #[test]
        fn clipping_keeps_the_overlap(half in 0.3..2.0f64, turn in -3.0..3.0f64, at in prop::array::uniform2(-1.5..1.5f64)) {
            let whole = square(half, turn, at);
            let clipped = whole.clipped([1.0, 0.6]);
            let (s, c) = turn.sin_cos();
            let own = |u: f64, v: f64| [c * (u - at[0]) + s * (v - at[1]), -s * (u - at[0]) + c * (v - at[1])];
            for corner in clipped.corners() {
                prop_assert!(corner.u.abs() <= 1.0 + 1e-12 && corner.v.abs() <= 0.6 + 1e-12);
                let [x, y] = own(corner.u, corner.v);
                let height = 0.3 * (corner.u - at[0]);
                prop_assert!(x.abs() <= half + 1e-12 && y.abs() <= half + 1e-12);
                prop_assert!((corner.height - height).abs() < 1e-12);
            }
            const N: usize = 200;
            let cell = |k: usize, w: f64| w * ((2 * k + 1) as f64 / N as f64 - 1.0);
            let inside = |k: usize| own(cell(k % N, 1.0), cell(k / N, 0.6)).iter().all(|x| x.abs() <= half);
            let count = (0..N * N).filter(|&k| inside(k)).count();
            let counted = count as f64 * 4.0 * 0.6 / (N * N) as f64;
            let area = if clipped.corners().is_empty() { 0.0 } else { area(&clipped) };
            prop_assert!((area - counted).abs() < 0.04, "{area} {counted}");
        }
    }
}
