//! dF/dy + c dF/dy', emitted in a fixed order.
//!
//! Elements give derivatives by virtual rotations; a column of Euler angles is that block times G.

use super::emit::{Sink, Values};
use super::equations::Equations;
use crate::constraint::{Constraint, Curvature, MAX_ROWS, Mask, Row};
use crate::dae::EvalError;
use crate::drive::Law;
use crate::mechanism::{Bend, BoundConstraint, DROPPED, Part};
use crate::space::{M3, V3, skew};

impl Equations {
    pub(super) fn evaluate_jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        yp: &[f64],
        c: f64,
        values: &mut [f64],
    ) -> Result<(), EvalError> {
        self.place(y);
        self.evaluate_drives(t, y);
        let mechanism = std::sync::Arc::clone(&self.mechanism);
        self.loads.linearize(&mechanism, t, &self.poses, &self.tracked)?;
        self.friction.linearize(&mechanism, &self.poses, self.layout.lambdas(y, yp));
        let slots = std::mem::take(&mut self.slots);
        self.emit(y, yp, c, &mut Values::new(&slots, values));
        self.slots = slots;
        Ok(())
    }

    /// Emits every entry, in an order that depends on the mechanism and the formulation alone.
    pub(super) fn emit(&mut self, y: &[f64], yp: &[f64], c: f64, sink: &mut impl Sink) {
        if let Some(plane) = self.plane.clone() {
            return self.emit_in_plane(&plane, self.layout.multipliers(y, yp), c, sink);
        }
        self.emit_bodies(yp, c, sink);
        self.emit_flexible(yp, c, sink);
        let mut scratch = [Curvature::zero(); 2];
        let multipliers = self.layout.multipliers(y, yp);
        // Where lambda = eta', the column of eta is c times that of lambda.
        let by_multiplier = if self.layout.integrated { c } else { 1.0 };
        for bound in &self.mechanism.constraints {
            let bend = bound.bend(&self.poses, self.counted());
            for part in bound.parts_at(&self.poses, self.counted()) {
                self.emit_part((bound, bend.as_ref()), &part, (multipliers, by_multiplier), &mut scratch, sink);
            }
            if let Some(bend) = &bend {
                self.emit_bend(bound, bend, multipliers, sink);
            }
        }
        self.emit_loads(by_multiplier, sink);
        self.emit_drives(c, sink);
        self.emit_states(c, sink);
    }

    fn emit_bodies(&self, yp: &[f64], c: f64, sink: &mut impl Sink) {
        let l = self.layout;
        for (b, body) in self.mechanism.bodies.iter().enumerate() {
            let (pose, euler) = (&self.poses[b], &self.eulers[b]);
            let (x, e, v, w, h) = (l.x(b), l.e(b), l.v(b), l.w(b), l.h(b));
            sink.diagonal(x, x, c);
            sink.diagonal(x, v, -1.0);
            sink.block(e, e, &(euler.g * c + euler.rate_gradient(&yp[e..e + 3])));
            sink.diagonal(e, w, -1.0);
            sink.diagonal(v, v, c * body.mass);
            sink.diagonal(w, h, c);
            sink.diagonal(h, h, 1.0);
            // d(A J A^T omega) = J domega + (J [omega]x - [J omega]x) dpi.
            let inertia = body.global_inertia(pose);
            sink.block(h, w, &-inertia);
            let turn = inertia * skew(&pose.w) - skew(&(inertia * pose.w));
            sink.block(h, e, &(-turn * euler.g));
        }
    }

    fn emit_part(
        &self,
        (bound, bend): (&BoundConstraint, Option<&Bend>),
        part: &Part<'_>,
        (multipliers, by_multiplier): (&[f64], f64),
        scratch: &mut [Curvature; 2],
        sink: &mut impl Sink,
    ) {
        let l = self.layout;
        let c = part.constraint;
        let mut rows = [Row::zero(); MAX_ROWS];
        part.gradients(&self.poses, &mut rows);
        let mask = c.mask();
        let [curvature, weighted] = scratch;
        clear(weighted, mask);
        for k in 0..c.row_count() {
            if bound.rows[k] == DROPPED {
                continue;
            }
            let at = bound.rows[k] as usize;
            c.curvature(k, &self.poses, curvature);
            accumulate(weighted, curvature, mask, part.weight * multipliers[l.lambda() + at]);
            if c.form.holds_velocities_only() {
                self.emit_velocity_row(c, at, &rows[k], by_multiplier, sink);
            } else {
                self.emit_row(c, (k, at), &rows[k], by_multiplier, sink);
            }
            if l.stabilized || c.form.holds_velocities_only() {
                let (i, j) = (&self.poses[c.i.body], &self.poses[c.j.body]);
                let mut gradient = curvature.rate_gradient(mask, i, j).map(|of| of * part.weight);
                if let Some(bend) = bend {
                    part.add_bend(bend, bound, &self.poses, &mut gradient);
                }
                self.emit_rate(c, mask, &gradient, at, sink);
            }
            if let Some(d) = bound.drive {
                self.emit_drive_columns(d, at, sink);
            }
        }
        self.emit_curvature(c, mask, weighted, 1.0, sink);
    }

    /// Phi_q in the position and velocity rows, its transpose times `m` beside lambda and mu: row `k` of `c`, which is row `at` of all.
    fn emit_row(&self, c: &Constraint, (k, at): (usize, usize), row: &Row, m: f64, sink: &mut impl Sink) {
        let l = self.layout;
        let (lambda, mu) = (l.lambda() + at, l.mu() + at);
        for (body, sign, turn) in [(c.i.body, 1.0, &row.gi), (c.j.body, -1.0, &row.gj)] {
            if body == l.bodies {
                continue;
            }
            let (x, e, v, w) = (l.x(body), l.e(body), l.v(body), l.w(body));
            // A row of coincident points sees one coordinate of the centre and two of the turning.
            for a in 0..3 {
                if c.form.moves(k, a) {
                    sink.add(lambda, x + a, sign * row.g[a]);
                    sink.add(v + a, lambda, m * sign * row.g[a]);
                    if l.stabilized {
                        sink.add(mu, v + a, sign * row.g[a]);
                        sink.add(x + a, mu, m * sign * row.g[a]);
                    }
                }
                if c.form.turns(k, a) {
                    sink.add(w + a, lambda, m * turn[a]);
                    if l.stabilized {
                        sink.add(mu, w + a, turn[a]);
                        sink.add(e + a, mu, m * self.metric * turn[a]);
                    }
                }
            }
            sink.row(lambda, e, &self.eulers[body].g.tr_mul(turn));
        }
    }

    /// A row that holds velocities alone: its gradient in the velocity row and, times `m`, beside lambda; mu is zero.
    fn emit_velocity_row(&self, c: &Constraint, at: usize, row: &Row, m: f64, sink: &mut impl Sink) {
        let l = self.layout;
        let (lambda, rate) = (l.lambda() + at, l.rate(at));
        for (body, sign, turn) in [(c.i.body, 1.0, &row.gi), (c.j.body, -1.0, &row.gj)] {
            if body == l.bodies {
                continue;
            }
            for a in 0..3 {
                sink.add(rate, l.v(body) + a, sign * row.g[a]);
                sink.add(rate, l.w(body) + a, turn[a]);
                sink.add(l.v(body) + a, lambda, m * sign * row.g[a]);
                sink.add(l.w(body) + a, lambda, m * turn[a]);
            }
        }
        if l.stabilized {
            sink.add(lambda, l.mu() + at, m);
        }
    }

    /// The velocity row's derivative by positions.
    fn emit_rate(&self, c: &Constraint, mask: Mask, gradient: &[V3; 3], at: usize, sink: &mut impl Sink) {
        let l = self.layout;
        let mu = l.rate(at);
        for (body, sign, turn) in [(c.i.body, 1.0, 1), (c.j.body, -1.0, 2)] {
            if body == l.bodies {
                continue;
            }
            if column(mask, 0) {
                sink.row(mu, l.x(body), &(gradient[0] * sign));
            }
            if column(mask, turn) {
                sink.row(mu, l.e(body), &self.eulers[body].g.tr_mul(&gradient[turn]));
            }
        }
    }

    /// `weight` times the curvature in the force and torque balances.
    pub(super) fn emit_curvature(
        &self,
        c: &Constraint,
        mask: Mask,
        curvature: &Curvature,
        weight: f64,
        sink: &mut impl Sink,
    ) {
        let l = self.layout;
        let places = [(c.i.body, 1.0), (c.j.body, -1.0)];
        for (r, equations) in
            [(0, places), (1, [places[0], (l.bodies, 0.0)]), (2, [(l.bodies, 0.0), (places[1].0, 1.0)])]
        {
            for (row_body, row_sign) in equations {
                if row_body == l.bodies {
                    continue;
                }
                let row = if r == 0 { l.v(row_body) } else { l.w(row_body) };
                self.emit_curvature_row(c, mask >> (3 * r), &curvature.k[r], row, weight * row_sign, sink);
            }
        }
    }

    fn emit_curvature_row(
        &self,
        c: &Constraint,
        mask: Mask,
        k: &[M3; 3],
        row: usize,
        weight: f64,
        sink: &mut impl Sink,
    ) {
        let l = self.layout;
        for (body, sign, turn) in [(c.i.body, 1.0, 1), (c.j.body, -1.0, 2)] {
            if body == l.bodies {
                continue;
            }
            if mask & 1 == 1 {
                sink.block(row, l.x(body), &(k[0] * (weight * sign)));
            }
            if mask >> turn & 1 == 1 {
                sink.block(row, l.e(body), &(k[turn] * self.eulers[body].g * weight));
            }
        }
    }

    pub(super) fn emit_drive_columns(&self, drive: usize, at: usize, sink: &mut impl Sink) {
        let l = self.layout;
        let d = &self.mechanism.drives[drive];
        if d.law.unknowns() > 0 {
            sink.add(l.lambda() + at, l.drive() + d.first, -1.0);
        }
        if l.stabilized && d.law == Law::Acceleration {
            sink.add(l.mu() + at, l.drive() + d.first + 1, -1.0);
        }
    }

    pub(super) fn emit_drives(&self, c: f64, sink: &mut impl Sink) {
        let first = self.layout.drive();
        for drive in &self.mechanism.drives {
            for k in 0..drive.law.unknowns() {
                let at = first + drive.first + k;
                sink.add(at, at, c);
                if k + 1 < drive.law.unknowns() {
                    sink.add(at, at + 1, -1.0);
                }
            }
        }
    }

    fn emit_loads(&self, by_multiplier: f64, sink: &mut impl Sink) {
        let mut emit = |entry: crate::force::Entry<'_>| self.emit_load(entry, by_multiplier, sink);
        self.loads.emit(&self.mechanism, &self.poses, &mut emit);
        self.friction.emit(&self.mechanism, &mut emit);
    }

    fn emit_load(&self, entry: crate::force::Entry<'_>, by_multiplier: f64, sink: &mut impl Sink) {
        use crate::force::Entry;
        let l = self.layout;
        match entry {
            // A load enters the balances with a minus sign.
            Entry::Curvature { constraint, mask, curvature, weight } => {
                self.emit_curvature(constraint, mask, curvature, -weight, sink);
            }
            Entry::Gradient { body, wrench, by, gradient, parts } => {
                if body == l.bodies || by == l.bodies {
                    return;
                }
                let angles = self.eulers[by].g.tr_mul(&gradient[1]);
                for (row, part, acts) in [(l.v(body), &wrench[0], parts.force), (l.w(body), &wrench[1], true)] {
                    let columns = [
                        (l.x(by), &gradient[0], parts.centers),
                        (l.e(by), &angles, true),
                        (l.v(by), &gradient[2], parts.centers && parts.rates),
                        (l.w(by), &gradient[3], parts.rates),
                    ];
                    for (column, by, depends) in columns {
                        if acts && depends {
                            sink.block(row, column, &-(part * by.transpose()));
                        }
                    }
                }
            }
            Entry::State { body, wrench, by, force } => {
                if body == l.bodies {
                    return;
                }
                for (row, part, acts) in [(l.v(body), &wrench[0], force), (l.w(body), &wrench[1], true)] {
                    (0..3).filter(|_| acts).for_each(|k| sink.add(row + k, l.state() + by, -part[k]));
                }
            }
            Entry::Multiplier { body, wrench, row, force } => {
                if body == l.bodies {
                    return;
                }
                for (first, part, acts) in [(l.v(body), &wrench[0], force), (l.w(body), &wrench[1], true)] {
                    let add = |k| sink.add(first + k, l.lambda() + row, -by_multiplier * part[k]);
                    (0..3).filter(|_| acts).for_each(add);
                }
            }
            Entry::Turn { body, by, torque, force } => {
                if body == l.bodies || by == l.bodies {
                    return;
                }
                sink.block(l.v(body), l.e(by), &-(force * self.eulers[by].g));
                sink.block(l.w(body), l.e(by), &-(torque * self.eulers[by].g));
            }
            Entry::Blocks { body, by, force, torque } => {
                for (row, blocks) in [(l.v(body), force), (l.w(body), torque)] {
                    self.emit_blocks(row, by, &blocks, -1.0, sink);
                }
            }
            Entry::Shift { body, by, torque } => {
                if body == l.bodies || by == l.bodies {
                    return;
                }
                sink.block(l.w(body), l.x(by), &-torque);
            }
        }
    }
}

fn column(mask: Mask, c: usize) -> bool {
    (0..3).any(|r| mask >> (3 * r + c) & 1 == 1)
}

fn clear(sum: &mut Curvature, mask: Mask) {
    for r in 0..3 {
        for c in 0..3 {
            if mask >> (3 * r + c) & 1 == 1 {
                sum.k[r][c] = M3::zeros();
            }
        }
    }
}

fn accumulate(sum: &mut Curvature, k: &Curvature, mask: Mask, weight: f64) {
    for r in 0..3 {
        for c in 0..3 {
            if mask >> (3 * r + c) & 1 == 1 {
                sum.k[r][c] += k.k[r][c] * weight;
            }
        }
    }
}
