//! dF/dy + c dF/dy' in the plane, emitted in a fixed order.

use super::{Link, PARTS, Plane, PlaneCurvature, PlaneRow};
use crate::constraint::{Constraint, Mask};
use crate::force::Entry;
use crate::formulation::Equations;
use crate::formulation::emit::Sink;
use crate::mechanism::{Bend, Part};
use crate::space::V3;

impl Equations {
    pub(in crate::formulation) fn emit_in_plane(
        &self,
        plane: &Plane,
        multipliers: &[f64],
        c: f64,
        sink: &mut impl Sink,
    ) {
        for (b, body) in plane.bodies.iter().enumerate() {
            let (x, e, v, w, h) = self.unknowns_of(b);
            for k in 0..2 {
                sink.add(x + k, x + k, c);
                sink.add(x + k, v + k, -1.0);
                sink.add(v + k, v + k, c * body.mass);
            }
            sink.add(e, e, c);
            sink.add(e, w, -1.0);
            sink.add(w, h, c);
            sink.add(h, h, 1.0);
            sink.add(h, w, -body.moment);
        }
        for link in &plane.links {
            let bend = link.bound.bend(&self.poses, self.counted());
            for part in link.parts_at(&self.poses, self.counted()) {
                self.emit_link(plane, (link, &part, bend.as_ref()), multipliers, c, sink);
            }
            if let Some(bend) = &bend {
                self.emit_bend_in_plane(plane, &link.bound, bend, multipliers, sink);
            }
        }
        self.loads.emit(&self.mechanism, &self.poses, &mut |entry| self.emit_load_in_plane(plane, entry, sink));
        self.emit_drives(c, sink);
        self.emit_states(c, sink);
    }

    fn unknowns_of(&self, b: usize) -> (usize, usize, usize, usize, usize) {
        let l = &self.layout;
        (l.x(b), l.e(b), l.v(b), l.w(b), l.h(b))
    }

    fn emit_link(
        &self,
        plane: &Plane,
        (link, part, bend): (&Link, &Part<'_>, Option<&Bend>),
        multipliers: &[f64],
        c: f64,
        sink: &mut impl Sink,
    ) {
        let l = self.layout;
        let constraint = part.constraint;
        // Where lambda = eta', the column of eta is c times that of lambda.
        let by_multiplier = if l.integrated { c } else { 1.0 };
        let rows = plane.rows((link, part), &self.places, &self.poses, self.counted());
        let mut weighted = [[0.0; 4]; 4];
        for (k, row) in rows[..link.count].iter().enumerate() {
            let at = link.bound.first + k;
            let (curvature, mask) = plane.curvature((link, part), k, &self.places, &self.poses);
            let lambda = multipliers[l.lambda() + at];
            weighted.as_flattened_mut().iter_mut().zip(curvature.as_flattened()).for_each(|(w, k)| *w += k * lambda);
            self.emit_row_in_plane(constraint, (k, at), row, by_multiplier, sink);
            if l.stabilized {
                let bends = bend.map_or([0.0; 4], |bend| {
                    let mut by = [V3::zeros(); 3];
                    part.add_bend(bend, &link.bound, &self.poses, &mut by);
                    let g = plane.within(&by[0]);
                    [g[0], g[1], plane.about(&by[1]), plane.about(&by[2])]
                });
                self.emit_rate_in_plane((constraint, mask), &curvature, &bends, at, sink);
            }
            if let Some(d) = link.bound.drive {
                self.emit_drive_columns(d, at, sink);
            }
        }
        self.emit_curvature_in_plane(constraint, constraint.mask(), &weighted, 1.0, sink);
    }

    /// Gradient in the position and velocity rows, its transpose times `m` beside lambda and mu: row `k` of `c`, which is row `at` of all.
    fn emit_row_in_plane(&self, c: &Constraint, (k, at): (usize, usize), row: &PlaneRow, m: f64, sink: &mut impl Sink) {
        let l = self.layout;
        let (lambda, mu) = (l.lambda() + at, l.mu() + at);
        for (body, sign, turn) in [(c.i.body, 1.0, row.gi), (c.j.body, -1.0, row.gj)] {
            if body == l.bodies {
                continue;
            }
            let (x, e, v, w, _) = self.unknowns_of(body);
            for a in (0..2).filter(|&a| c.form.moves(k, a)) {
                sink.add(lambda, x + a, sign * row.g[a]);
                sink.add(v + a, lambda, m * sign * row.g[a]);
                if l.stabilized {
                    sink.add(mu, v + a, sign * row.g[a]);
                    sink.add(x + a, mu, m * sign * row.g[a]);
                }
            }
            sink.add(lambda, e, turn);
            sink.add(w, lambda, m * turn);
            if l.stabilized {
                sink.add(mu, w, turn);
                sink.add(e, mu, m * self.metric * turn);
            }
        }
    }

    /// The velocity row's derivative by positions: the velocities times the curvature.
    fn emit_rate_in_plane(
        &self,
        (c, mask): (&Constraint, Mask),
        curvature: &PlaneCurvature,
        bends: &[f64; 4],
        at: usize,
        sink: &mut impl Sink,
    ) {
        let l = self.layout;
        let (i, j) = (&self.places[c.i.body], &self.places[c.j.body]);
        let velocities = [i.v[0] - j.v[0], i.v[1] - j.v[1], i.w, j.w];
        let gradient = |column: usize| -> f64 {
            bends[column] + (0..4).map(|row| velocities[row] * curvature[row][column]).sum::<f64>()
        };
        let depends = |block: usize| (0..3).any(|row| mask >> (3 * row + block) & 1 == 1);
        for (body, sign, turn) in [(c.i.body, 1.0, 1), (c.j.body, -1.0, 2)] {
            if body == l.bodies {
                continue;
            }
            if depends(0) {
                (0..2).for_each(|a| sink.add(l.mu() + at, l.x(body) + a, sign * gradient(a)));
            }
            if depends(turn) {
                sink.add(l.mu() + at, l.e(body), gradient(1 + turn));
            }
        }
    }

    /// `weight` times the curvature in the force and torque balances.
    fn emit_curvature_in_plane(
        &self,
        c: &Constraint,
        mask: Mask,
        curvature: &PlaneCurvature,
        weight: f64,
        sink: &mut impl Sink,
    ) {
        let l = self.layout;
        // Each body with its sign and the blocks that it has: centre and turn.
        let sides = [(c.i.body, 1.0, [0, 1]), (c.j.body, -1.0, [0, 2])];
        for (body, sign, blocks) in sides.into_iter().filter(|side| side.0 != l.bodies) {
            for row in blocks {
                let (first, sign) = if row == 0 { (l.v(body), sign) } else { (l.w(body), 1.0) };
                for (by, by_sign, columns) in sides.into_iter().filter(|side| side.0 != l.bodies) {
                    for column in columns.into_iter().filter(|column| mask >> (3 * row + column) & 1 == 1) {
                        let (first_column, by_sign) = if column == 0 { (l.x(by), by_sign) } else { (l.e(by), 1.0) };
                        let weight = weight * sign * by_sign;
                        for (r, from) in PARTS[row].clone().enumerate() {
                            for (k, to) in PARTS[column].clone().enumerate() {
                                sink.add(first + r, first_column + k, weight * curvature[from][to]);
                            }
                        }
                    }
                }
            }
        }
    }

    /// A load enters the balances with a minus sign.
    fn emit_load_in_plane(&self, plane: &Plane, entry: Entry<'_>, sink: &mut impl Sink) {
        let l = self.layout;
        let [first, second, n] = &plane.axes;
        let moved = |body: usize, by: usize| body != l.bodies && by != l.bodies;
        match entry {
            Entry::Curvature { constraint, mask, curvature, weight } => {
                let curvature = plane.project_curvature(curvature, mask);
                self.emit_curvature_in_plane(constraint, mask, &curvature, -weight, sink);
            }
            Entry::Gradient { body, wrench, by, gradient, parts } if moved(body, by) => {
                let force = plane.within(&wrench[0]);
                let acts = [(l.v(body), force[0], parts.force), (l.v(body) + 1, force[1], parts.force)];
                for (row, part, _) in
                    acts.into_iter().chain([(l.w(body), plane.about(&wrench[1]), true)]).filter(|a| a.2)
                {
                    let mut linear = |at: usize, by: &V3| {
                        plane.within(by).iter().enumerate().for_each(|(k, by)| sink.add(row, at + k, -part * by));
                    };
                    if parts.centers {
                        linear(l.x(by), &gradient[0]);
                    }
                    if parts.centers && parts.rates {
                        linear(l.v(by), &gradient[2]);
                    }
                    sink.add(row, l.e(by), -part * plane.about(&gradient[1]));
                    if parts.rates {
                        sink.add(row, l.w(by), -part * plane.about(&gradient[3]));
                    }
                }
            }
            Entry::State { body, wrench, by, force } if body != l.bodies => {
                let column = l.state() + by;
                let push = plane.within(&wrench[0]);
                (0..2).filter(|_| force).for_each(|k| sink.add(l.v(body) + k, column, -push[k]));
                sink.add(l.w(body), column, -plane.about(&wrench[1]));
            }
            Entry::Turn { body, by, torque, force } if moved(body, by) => {
                for (row, axis, part) in
                    [(l.v(body), first, &force), (l.v(body) + 1, second, &force), (l.w(body), n, &torque)]
                {
                    sink.add(row, l.e(by), -axis.dot(&(part * n)));
                }
            }
            Entry::Shift { body, by, torque } if moved(body, by) => {
                let torque = torque.tr_mul(n);
                plane.within(&torque).iter().enumerate().for_each(|(k, t)| sink.add(l.w(body), l.x(by) + k, -t));
            }
            // Friction at joints is for equations in space alone.
            Entry::Multiplier { .. } => {}
            // Mechanisms with flexible bodies have no equations in a plane.
            Entry::Blocks { .. } => {}
            Entry::Gradient { .. } | Entry::State { .. } | Entry::Turn { .. } | Entry::Shift { .. } => {}
        }
    }
}

impl Plane {
    /// A row with this gradient by x, turn, V and omega of a body, whose unknowns begin there.
    pub(in crate::formulation) fn emit_gradient(
        &self,
        row: usize,
        [x, e, v, w]: [usize; 4],
        [by_x, by_turn, by_v, by_w]: [&V3; 4],
        sink: &mut impl Sink,
    ) {
        for (first, by) in [(x, by_x), (v, by_v)] {
            self.within(by).into_iter().enumerate().for_each(|(k, by)| sink.add(row, first + k, by));
        }
        sink.add(row, e, self.about(by_turn));
        sink.add(row, w, self.about(by_w));
    }

    /// A vector in the plane and one about its normal, given by the unknowns V' and omega', in space.
    pub(in crate::formulation) fn in_space(&self, rates: &[f64], linear: usize) -> [V3; 2] {
        let [first, second, n] = &self.axes;
        [first * rates[0] + second * rates[1], n * rates[linear]]
    }
}
