//! Reproducible random numbers, directions and rotations.

use fourbar::multibody::space::{M3, V3};
use nalgebra::{Quaternion, UnitQuaternion};

/// A linear congruential generator (Knuth, The Art of Computer Programming, volume 2, section 3.3.4); the upper bits are used.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        let mut own = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // The first numbers of neighbouring seeds are alike.
        for _ in 0..8 {
            own.within(0.0, 1.0);
        }
        own
    }

    /// A number between `low` and `high`.
    pub(super) fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// An index below `count`.
    pub(super) fn index(&mut self, count: usize) -> usize {
        (self.within(0.0, count as f64) as usize).min(count - 1)
    }

    /// A vector with components between -`size` and `size`.
    pub(super) fn vector(&mut self, size: f64) -> V3 {
        V3::from_fn(|_, _| self.within(-size, size))
    }

    /// A direction.
    pub(super) fn direction(&mut self) -> V3 {
        loop {
            let v = self.vector(1.0);
            if (0.1..1.0).contains(&v.norm()) {
                return v.normalize();
            }
        }
    }

    /// A rotation.
    pub(super) fn rotation(&mut self) -> M3 {
        loop {
            let q = Quaternion::from_parts(self.within(-1.0, 1.0), self.vector(1.0));
            if (0.1..1.0).contains(&q.norm()) {
                return UnitQuaternion::from_quaternion(q).to_rotation_matrix().into_inner();
            }
        }
    }

    /// Exchanges the entries at random.
    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        for k in (1..list.len()).rev() {
            list.swap(k, self.index(k + 1));
        }
    }
}
