//! From what another machine does back to the one it was made of.

use super::observe::{Load, Outcome, RELATION, Row};
use super::scale::Factors;
use fourbar::linalg::unit::Unit;
use fourbar::multibody::space::{M3, Pose, V3};
use std::collections::BTreeSet;

/// How the other machine is seen.
#[derive(Debug, Clone)]
pub(super) struct View {
    /// Body whose frame is that of the first machine's ground, as far as `origin` and `axes` say; the ground if absent.
    pub(super) base: Option<&'static str>,
    pub(super) origin: V3,
    pub(super) axes: M3,
    pub(super) factors: Factors,
    /// Joints, and motions of joints, whose markers are exchanged: keys of their loads.
    pub(super) exchanged: BTreeSet<String>,
}

impl View {
    pub(super) fn same() -> Self {
        Self {
            base: None,
            origin: V3::zeros(),
            axes: M3::identity(),
            factors: Factors::ONE,
            exchanged: BTreeSet::new(),
        }
    }

    /// The outcome as one of the first machine.
    pub(super) fn back(&self, outcome: &Outcome) -> Outcome {
        let rows = outcome.rows.iter().map(|row| self.row(row, outcome)).collect();
        let poles = outcome.poles.iter().map(|pole| pole * self.factors.time).collect();
        Outcome { rows, poles, ..outcome.clone() }
    }

    fn row(&self, row: &Row, outcome: &Outcome) -> Row {
        let ground = Pose::ground();
        let base = self.base.and_then(|name| row.poses.get(name)).unwrap_or(&ground);
        let frame = Pose {
            x: base.x + base.a * self.origin,
            a: base.a * self.axes,
            v: base.v + base.w.cross(&(base.a * self.origin)),
            w: base.w,
        };
        let pose = |(name, pose): (&String, &Pose)| (name.clone(), self.pose(&frame, pose));
        let load = |(name, load): (&String, &Load)| (name.clone(), self.load(&frame, name, load));
        let values = row.measures.iter().zip(&outcome.columns);
        Row {
            time: row.time / self.factors.time,
            poses: row.poses.iter().map(pose).collect(),
            // What relations do is reported of the body of I of their first joint, exchanged or not.
            loads: row
                .loads
                .iter()
                .filter(|(name, _)| self.exchanged.is_empty() || !name.starts_with(RELATION))
                .map(load)
                .collect(),
            measures: values.map(|(value, column)| value / self.unit(&column.unit)).collect(),
        }
    }

    fn pose(&self, frame: &Pose, pose: &Pose) -> Pose {
        let Factors { length, time, .. } = self.factors;
        let r = pose.x - frame.x;
        Pose {
            x: frame.a.tr_mul(&r) / length,
            a: frame.a.tr_mul(&pose.a),
            v: frame.a.tr_mul(&(pose.v - frame.v - frame.w.cross(&r))) * (time / length),
            w: frame.a.tr_mul(&(pose.w - frame.w)) * time,
        }
    }

    fn load(&self, frame: &Pose, name: &str, load: &Load) -> Load {
        let sign = if self.exchanged.contains(name) { -1.0 } else { 1.0 };
        Load {
            force: frame.a.tr_mul(&load.force) * (sign / self.factors.force()),
            torque: frame.a.tr_mul(&load.torque) * (sign / self.factors.torque()),
            point: frame.a.tr_mul(&(load.point - frame.x)) / self.factors.length,
        }
    }

    fn unit(&self, unit: &str) -> f64 {
        let Ok(unit) = Unit::parse(unit) else { return 1.0 };
        self.factors.power(unit.dimension[1], unit.dimension[0], unit.dimension[2])
    }
}
