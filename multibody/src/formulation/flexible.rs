//! The inertia of flexible bodies in the equations of motion, beyond that of their parts as rigid bodies.

use super::emit::Sink;
use super::equations::{Equations, at};
use crate::force::Entry;
use crate::space::M3;

impl Equations {
    /// Adds it times the accelerations in y'.
    pub(super) fn flexible_rows(&self, yp: &[f64], r: &mut [f64]) {
        let l = self.layout;
        for flexible in &self.mechanism.flexible {
            flexible.multiply(&self.poses, &|b| [at(yp, l.v(b)), at(yp, l.w(b))], &mut |b, parts| {
                for (row, part) in [l.v(b), l.w(b)].into_iter().zip(parts) {
                    (0..3).for_each(|k| r[row + k] += part[k]);
                }
            });
        }
    }

    pub(super) fn emit_flexible(&self, yp: &[f64], c: f64, sink: &mut impl Sink) {
        let l = self.layout;
        for flexible in &self.mechanism.flexible {
            let mut emit = |entry: Entry<'_>, weight: f64| {
                if let Entry::Blocks { body, by, force, torque } = entry {
                    self.emit_blocks(l.v(body), by, &force, weight, sink);
                    self.emit_blocks(l.w(body), by, &torque, weight, sink);
                }
            };
            flexible.emit_inertia(&self.poses, &|b| [at(yp, l.v(b)), at(yp, l.w(b))], &mut |entry| emit(entry, 1.0));
            flexible.emit_mass(&self.poses, &mut |entry| emit(entry, c));
        }
    }

    /// `weight` times derivatives by place, virtual rotation, velocity and angular velocity of body `by`.
    pub(super) fn emit_blocks(
        &self,
        row: usize,
        by: usize,
        blocks: &[Option<M3>; 4],
        weight: f64,
        sink: &mut impl Sink,
    ) {
        let l = self.layout;
        let columns = [l.x(by), l.e(by), l.v(by), l.w(by)];
        for (k, (column, block)) in columns.into_iter().zip(blocks).enumerate() {
            if let Some(block) = block {
                let block = if k == 1 { block * self.eulers[by].g } else { *block };
                sink.block(row, column, &(block * weight));
            }
        }
    }
}
