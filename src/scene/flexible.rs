//! Flexible bodies: beams through their nodes.
//!
//! Between two nodes a beam is drawn as the cubic that has their places and tangents, as a slender beam without loads between them bends.
//! It is divided into pieces, which follow the poses of both nodes.

use super::build::{Builder, axes, axis_across};
use super::item::{Placement, hidden};
use super::outline::{self, ROUND, V2};
use super::{Carrier, Facets, Form, Group, Item};
use fourbar_multibody::Mechanism;
use fourbar_multibody::mechanism::FlexibleParts;
use fourbar_multibody::space::{FixedFrame, Pose, V3};

/// Pieces between two nodes: each turns by an eighth of what the beam does, and the corners are not seen.
const PIECES: usize = 8;

/// Of each body, the ground last, the one that stands for it: of the parts of a flexible body its frame, else itself.
pub(super) fn wholes(mechanism: &Mechanism) -> Vec<usize> {
    let mut wholes: Vec<usize> = (0..=mechanism.bodies().len()).collect();
    for parts in mechanism.flexible_parts() {
        parts.carriers.chain(parts.nodes).for_each(|body| wholes[body] = parts.frame);
    }
    wholes
}

/// Whether the pose of a body is a place.
pub(super) fn has_place(mechanism: &Mechanism, body: usize) -> bool {
    !mechanism.flexible_parts().any(|parts| parts.carriers.contains(&body))
}

/// Where a piece of the cubic between two frames is.
pub(super) fn bend([i, j]: [&FixedFrame; 2], from_to: [f64; 2], poses: &[Pose]) -> Placement {
    let [start, end] = [i, j].map(|frame| frame.origin(poses));
    let chord = (end - start).norm();
    let [leaving, arriving] = [i, j].map(|frame| frame.axis(poses, 2) * chord);
    // Hermite's cubics.
    let at = |s: f64| {
        let t = 1.0 - s;
        start * (t * t * (1.0 + 2.0 * s)) + leaving * (s * t * t) - arriving * (s * s * t)
            + end * (s * s * (3.0 - 2.0 * s))
    };
    let [from, to] = from_to.map(at);
    let length = (to - from).norm();
    if !(length > 0.0) {
        return hidden();
    }
    let middle = (from_to[0] + from_to[1]) / 2.0;
    let across = i.axis(poses, 0) * (1.0 - middle) + j.axis(poses, 0) * middle;
    Placement { position: from, rotation: axes(&(to - from), &across), scale: V3::new(1.0, 1.0, length) }
}

impl Builder<'_> {
    /// Draws the flexible bodies as beams, but those whose frame has a shape. A body without two nodes leads to its frame; without any it is
    /// left to its inertia.
    pub(super) fn add_flexible(&mut self) {
        let all: Vec<FlexibleParts> = self.mechanism.flexible_parts().collect();
        for (index, parts) in all.into_iter().enumerate() {
            let chain = self.chain(index, &parts);
            if !self.shaped[parts.frame] && chain.len() > 1 {
                self.add_beam(parts.frame, &chain, self.is_straight(index));
            }
            self.shaped[parts.frame] |= chain.len() > 1;
            parts.carriers.chain(parts.nodes).for_each(|body| self.shaped[body] = true);
        }
    }

    /// The bodies that the beam leads through: of a beam its nodes in the order along it, else in that of the model.
    fn chain(&self, index: usize, parts: &FlexibleParts) -> Vec<usize> {
        let mut chain: Vec<usize> = parts.nodes.clone().collect();
        if chain.len() == 1 {
            chain.insert(0, parts.frame);
        }
        if self.is_straight(index) {
            let pose = &self.poses[parts.frame];
            let along = |body: usize| (self.poses[body].x - pose.x).dot(&pose.a.column(0));
            chain.sort_by(|a, b| along(*a).total_cmp(&along(*b)));
        }
        chain
    }

    /// Whether a flexible body is a beam along x.
    fn is_straight(&self, index: usize) -> bool {
        self.model.model.flexible.get(index).is_some_and(|flexible| flexible.beam.is_some())
    }

    fn add_beam(&mut self, body: usize, chain: &[usize], is_straight: bool) {
        let last = PIECES * (chain.len() - 1) - 1;
        let outline = self.section();
        for (segment, ends) in chain.windows(2).enumerate() {
            let way = self.poses[ends[1]].x - self.poses[ends[0]].x;
            if !(way.norm() > 0.0) {
                continue;
            }
            let [i, j] = [ends[0], ends[1]].map(|node| {
                let pose = &self.poses[node];
                let z = if is_straight { pose.a.column(0).into_owned() } else { way };
                let across = self.normal.unwrap_or_else(|| axis_across(&z));
                self.lifted(&self.fixed(node, pose.x, axes(&z, &across)))
            });
            for piece in 0..PIECES {
                let number = PIECES * segment + piece;
                let [from, to] = [piece, piece + 1].map(|k| k as f64 / PIECES as f64);
                self.items.push(Item {
                    name: self.name(body).to_owned(),
                    group: Group::Bodies,
                    carrier: Carrier::Bend { i, j, from_to: [from, to] },
                    form: Form::surface(Facets::piece(&outline, [number == 0, number == last])),
                    color: self.color(body),
                    is_painted: false,
                });
            }
        }
    }

    /// The section of a beam, x of it along the normal of a planar mechanism: narrower than links, for they do not bend.
    fn section(&self) -> Vec<V2> {
        if self.normal.is_none() {
            return outline::circle(V2::zeros(), 0.4 * self.half_width(), ROUND / 2);
        }
        let (x, y) = (self.thickness() / 2.0, 0.55 * self.half_width());
        [[-x, -y], [x, -y], [x, y], [-x, y]].map(|[x, y]| V2::new(x, y)).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbar_multibody::space::{M3, rotation};

    #[test]
    fn a_beam_with_a_load_at_its_tip_is_a_cubic() {
        // Off by delta (3 s^2 - s^3)/2, with the slope 3 delta/2 at the tip; lengths along it are off by squares of slopes.
        let delta = 1e-4;
        let place = |x: f64, y: f64, turn: f64| Pose {
            x: V3::new(x, y, 0.0),
            a: rotation(&V3::new(0.0, 0.0, turn)),
            ..Pose::ground()
        };
        let poses = [place(0.0, 0.0, 0.0), place(1.0, delta, 1.5 * delta), Pose::ground()];
        let along = axes(&V3::x(), &V3::z());
        let [i, j] = [0, 1].map(|body| FixedFrame { body, r: V3::zeros(), c: along });
        for k in 0..PIECES {
            let from_to = [k, k + 1].map(|k| k as f64 / PIECES as f64);
            let placement = bend([&i, &j], from_to, &poses);
            for (s, p) in from_to.into_iter().zip([placement.position, placement.point(&V3::z())]) {
                let exact = V3::new(s, delta * (3.0 * s * s - s.powi(3)) / 2.0, 0.0);
                assert!((p - exact).norm() < delta * delta * 5.0, "{s}: {p} {exact}");
            }
            assert!((placement.rotation.transpose() * placement.rotation - M3::identity()).norm() < 1e-14);
        }
    }
}
