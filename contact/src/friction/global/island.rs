//! One island by itself, its bodies numbered from zero: parts of the lists of [`Compiled`](super::compiled::Compiled) that no other island reads or writes.

use super::compiled::{CompiledRow, Twist, Unit, apply, velocity};
use crate::friction::cone::worst;

/// Multiplications of a visit of a unit with three rows, about: its velocity, its law, what it changes.
const VISIT: usize = 200;

/// First unit, row and body of an island.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bounds {
    pub(crate) unit: usize,
    pub(crate) row: usize,
    pub(crate) body: usize,
}

/// Some islands that follow each other.
pub(crate) struct Islands<'a> {
    /// Of each, and the end of the last.
    pub(crate) bounds: &'a [Bounds],
    pub(crate) units: &'a mut [Unit],
    pub(crate) rows: &'a mut [CompiledRow],
    pub(crate) bias: &'a mut [f64],
    pub(crate) s: &'a mut [f64],
    pub(crate) bodies: &'a [usize],
    pub(crate) v: &'a mut [Twist],
    pub(crate) free: &'a mut [Twist],
}

/// One island.
pub(crate) struct Island<'a> {
    pub(crate) units: &'a mut [Unit],
    pub(crate) rows: &'a mut [CompiledRow],
    pub(crate) bias: &'a mut [f64],
    /// Impulses, row by row.
    pub(crate) s: &'a mut [f64],
    /// Index of each body in the problem, its velocity, and that without impulses.
    pub(crate) bodies: &'a [usize],
    pub(crate) v: &'a mut [Twist],
    pub(crate) free: &'a mut [Twist],
}

impl<'a> Islands<'a> {
    pub(crate) fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Number of contacts and bilateral rows.
    #[cfg(feature = "parallel")]
    pub(crate) fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// How many, at least one and not all, have half of the contacts.
    #[cfg(feature = "parallel")]
    pub(crate) fn middle(&self) -> usize {
        let half = self.bounds[0].unit + self.units.len() / 2;
        self.bounds.partition_point(|bounds| bounds.unit < half).clamp(1, self.len() - 1)
    }

    /// The first `count`, and the others.
    pub(crate) fn split_at(self, count: usize) -> (Self, Self) {
        let (from, to) = (self.bounds[0], self.bounds[count]);
        let (row, body) = (to.row - from.row, to.body - from.body);
        let units = self.units.split_at_mut(to.unit - from.unit);
        let (rows, bias, s) = (self.rows.split_at_mut(row), self.bias.split_at_mut(row), self.s.split_at_mut(row));
        let (bodies, v, free) = (self.bodies.split_at(body), self.v.split_at_mut(body), self.free.split_at_mut(body));
        let bounds = (&self.bounds[..=count], &self.bounds[count..]);
        (
            Self {
                bounds: bounds.0,
                units: units.0,
                rows: rows.0,
                bias: bias.0,
                s: s.0,
                bodies: bodies.0,
                v: v.0,
                free: free.0,
            },
            Self {
                bounds: bounds.1,
                units: units.1,
                rows: rows.1,
                bias: bias.1,
                s: s.1,
                bodies: bodies.1,
                v: v.1,
                free: free.1,
            },
        )
    }

    /// One after the other.
    pub(crate) fn for_each(self, mut visit: impl FnMut(Island<'a>)) {
        let mut rest = self;
        while rest.len() > 0 {
            let (Self { units, rows, bias, s, bodies, v, free, .. }, others) = rest.split_at(1);
            visit(Island { units, rows, bias, s, bodies, v, free });
            rest = others;
        }
    }
}

impl Island<'_> {
    /// Largest velocity of the rows without impulses [m/s].
    pub(crate) fn speed(&self) -> f64 {
        let mut largest = 0.0_f64;
        for unit in &*self.units {
            let u = velocity(unit, self.rows, self.bias, self.free);
            if unit.cone.is_none() {
                largest = largest.max(u[0].abs() * unit.bilateral_weight(&self.rows[unit.first]));
                continue;
            }
            for (i, u) in u.iter().enumerate().take(unit.size) {
                largest = largest.max(u.abs() * unit.unit(i) / unit.unit(0));
            }
        }
        largest
    }

    /// Multiplications of a sweep, about.
    pub(crate) fn sweep_work(&self) -> usize {
        VISIT * self.units.len()
    }

    /// Whether any impulse is known.
    pub(crate) fn pushes(&self) -> bool {
        self.s.iter().any(|s| *s != 0.0)
    }

    pub(crate) fn save(&self, best: &mut Vec<f64>) {
        best.clear();
        best.extend_from_slice(self.s);
    }

    /// Takes impulses that were saved, and the velocities that belong to them.
    pub(crate) fn restore(&mut self, best: &[f64]) {
        self.s.copy_from_slice(best);
        self.refresh();
    }

    /// No impulses.
    pub(crate) fn empty(&mut self) {
        self.s.fill(0.0);
        self.refresh();
    }

    /// v = v_f + M^-1 J^T S.
    pub(crate) fn refresh(&mut self) {
        self.v.copy_from_slice(self.free);
        for unit in &*self.units {
            let mut s = [0.0; 6];
            s[..unit.size].copy_from_slice(&self.s[unit.first..unit.first + unit.size]);
            apply(unit, self.rows, &s, self.v);
        }
    }

    /// Largest entry of the natural map as a velocity [m/s]: |S' - P_K(S' - u~')| in scaled units, times sqrt(W) of its contact.
    pub(crate) fn residual(&self) -> f64 {
        self.units.iter().fold(0.0, |largest, unit| worst(largest, self.miss(unit)))
    }

    /// The contact that misses its law most, by its index in the problem.
    pub(crate) fn hardest(&self) -> Option<usize> {
        let contacts = self.units.iter().filter(|unit| unit.cone.is_some());
        contacts.max_by(|a, b| self.miss(a).total_cmp(&self.miss(b))).map(|unit| unit.source)
    }

    /// The natural map of a unit.
    fn miss(&self, unit: &Unit) -> f64 {
        let u = velocity(unit, self.rows, self.bias, self.v);
        let s = &self.s[unit.first..unit.first + unit.size];
        let Some(cone) = unit.scaled_cone() else {
            return u[0].abs() * unit.bilateral_weight(&self.rows[unit.first]);
        };
        let (mut scaled_s, mut scaled_u) = ([0.0; 6], [0.0; 6]);
        for i in 0..unit.size {
            let unit = unit.unit(i);
            scaled_s[i] = s[i] / unit;
            scaled_u[i] = u[i] * unit;
        }
        cone.residual(&scaled_s, &scaled_u, 0.0) / unit.unit(0)
    }
}
