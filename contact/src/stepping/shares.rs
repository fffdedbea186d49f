//! Which impulses a step reports where contacts are redundant: those of least norm, among all contacts of few in the reduced form, else among those of each
//! pair of bodies by itself.

use crate::friction::{Cone, Redundant, Sharing};
use crate::problem::GlobalFriction;
use crate::problem::friction_global::GlobalContact;
use crate::surface::V3;
use crate::unilateral::Unilateral;
use nalgebra::DMatrix;

/// Rows up to which all contacts together share their impulses: more would cost as much as the solve.
const TOGETHER: usize = 100;

/// Workspace, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Shares {
    sharing: Sharing,
    /// The contacts at hand, and the first row of each.
    cones: Vec<Cone>,
    first: Vec<usize>,
    /// All contacts, those of a pair of bodies behind each other.
    order: Vec<usize>,
    /// Velocities and impulses of rows, and the rows as wrenches, six a contact.
    u: Vec<f64>,
    s: Vec<f64>,
    wrenches: Vec<[f64; 6]>,
}

impl Shares {
    /// Shares the impulses `s` of the contacts `found`, whose rows begin at `first`, with the matrix `w`, at the velocities `u` of which those up
    /// to `slow` are none.
    pub(super) fn reduced(
        &mut self,
        found: &[Unilateral],
        first: &[usize],
        (w, u, slow): (&DMatrix<f64>, &[f64], f64),
        s: &mut [f64],
    ) {
        if s.len() <= TOGETHER {
            self.cones.clear();
            self.cones.extend(found.iter().map(|contact| Cone::of(&contact.surface)));
            let contacts = Redundant { cones: &self.cones, first: &first[..found.len()], u, slow };
            self.sharing.share(&contacts, |i, j| w[(i, j)], s);
            return;
        }
        self.sort(found.len(), |c| found[c].bodies);
        let order = std::mem::take(&mut self.order);
        for pair in order.chunk_by(|&a, &b| found[a].bodies == found[b].bodies).filter(|pair| pair.len() > 1) {
            self.cones.clear();
            self.cones.extend(pair.iter().map(|&c| Cone::of(&found[c].surface)));
            self.first.clear();
            self.first.extend(pair.iter().map(|&c| first[c]));
            let contacts = Redundant { cones: &self.cones, first: &self.first, u, slow };
            self.sharing.share(&contacts, |i, j| w[(i, j)], s);
        }
        self.order = order;
    }

    /// Shares the `impulses` of the contacts of each pair of bodies of which one has `changed`, at the velocities of the bodies; those of contacts up to
    /// `slow` are none. `reported` has those of the others.
    pub(super) fn pairs(
        &mut self,
        problem: &GlobalFriction,
        (velocities, slow): (&[[f64; 6]], f64),
        (impulses, changed): (&[[f64; 6]], impl Fn(usize) -> bool),
        reported: &mut [[f64; 6]],
    ) {
        self.sort(problem.contacts.len(), |c| problem.contacts[c].bodies);
        let order = std::mem::take(&mut self.order);
        let bodies = |c: usize| problem.contacts[c].bodies;
        for pair in order.chunk_by(|&a, &b| bodies(a) == bodies(b)).filter(|pair| pair.iter().any(|&c| changed(c))) {
            pair.iter().for_each(|&c| reported[c] = impulses[c]);
            if pair.len() < 2 || pair.iter().all(|&c| impulses[c][0] <= 0.0) {
                continue;
            }
            self.take_pair(problem, pair, velocities);
            let Self { sharing, cones, first, u, s, wrenches, .. } = &mut *self;
            s.clear();
            pair.iter().for_each(|&c| s.extend_from_slice(&impulses[c]));
            let product = |i: usize, j: usize| (0..6).map(|k| wrenches[i][k] * wrenches[j][k]).sum::<f64>();
            sharing.share(&Redundant { cones, first, u, slow }, product, s);
            for (shared, &c) in s.chunks_exact(6).zip(pair) {
                reported[c].copy_from_slice(shared);
            }
        }
        self.order = order;
    }

    fn sort(&mut self, count: usize, bodies: impl Fn(usize) -> [usize; 2]) {
        self.order.clear();
        self.order.extend(0..count);
        self.order.sort_unstable_by_key(|&c| (bodies(c), c));
    }

    /// Rows of a pair as wrenches on one of its bodies that moves, whose products are those of the rows in W or larger; and their velocities.
    fn take_pair(&mut self, problem: &GlobalFriction, pair: &[usize], velocities: &[[f64; 6]]) {
        let Self { cones, first, u, wrenches, .. } = self;
        let bodies = problem.contacts[pair[0]].bodies;
        let both = bodies.map(|body| problem.bodies.get(body));
        let moving = both.iter().flatten();
        let lightness: f64 = moving.clone().map(|body| body.inverse_mass).sum();
        let turning: f64 = moving.map(|body| body.inverse_inertia.amax()).sum();
        let second = both[0].is_none_or(|body| body.inverse_mass == 0.0);
        let at = |body: usize| {
            velocities.get(body).map_or([V3::zeros(); 2], |v| [V3::new(v[0], v[1], v[2]), V3::new(v[3], v[4], v[5])])
        };
        let [[vi, wi], [vj, wj]] = bodies.map(at);
        cones.clear();
        first.clear();
        u.clear();
        wrenches.clear();
        for (k, &c) in pair.iter().enumerate() {
            let contact: &GlobalContact = &problem.contacts[c];
            cones.push(contact.cone);
            first.push(6 * k);
            for (row, bias) in contact.rows.iter().zip(contact.bias) {
                u.push(row.g.dot(&(vi - vj)) + row.gi.dot(&wi) + row.gj.dot(&wj) + bias);
                let turn = if second { row.gj } else { row.gi } * turning.sqrt();
                let push = row.g * lightness.sqrt();
                wrenches.push([push.x, push.y, push.z, turn.x, turn.y, turn.z]);
            }
        }
    }
}
