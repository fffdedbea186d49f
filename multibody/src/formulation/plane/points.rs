//! States as points of the equations in the plane, and back.

use super::{Link, PER_BODY, Place, Plane, PlaneRow};
use crate::constraint::{MAX_ROWS, Row};
use crate::dae::History;
use crate::formulation::Equations;
use crate::mechanism::{Counted, DROPPED, Mechanism};
use crate::space::{M3, Pose, V3};
use crate::state::State;

/// Names of the unknowns of a body, and of its equations.
pub(in crate::formulation) const UNKNOWNS: [&str; PER_BODY] = [
    "x in its plane",
    "y in its plane",
    "angle",
    "Vx in its plane",
    "Vy in its plane",
    "angular velocity",
    "angular momentum",
];
pub(in crate::formulation) const EQUATIONS: [&str; PER_BODY] = [
    "x' = Vx in its plane",
    "y' = Vy in its plane",
    "rotation in its plane",
    "force balance x in its plane",
    "force balance y in its plane",
    "torque balance in its plane",
    "angular momentum in its plane",
];

impl Plane {
    /// Writes body `b` in `pose`, which accelerates by `a` and `alpha`, to y and y'.
    pub(in crate::formulation) fn write(
        &self,
        b: usize,
        pose: &Pose,
        [a, alpha]: [V3; 2],
        y: &mut [f64],
        yp: &mut [f64],
    ) {
        let moment = self.bodies[b].moment;
        let ([x, v, a], [w, alpha]) =
            ([pose.x, pose.v, a].map(|u| self.within(&u)), [pose.w, alpha].map(|u| self.about(&u)));
        y[PER_BODY * b..PER_BODY * (b + 1)].copy_from_slice(&[
            x[0],
            x[1],
            self.angle(b, &pose.a),
            v[0],
            v[1],
            w,
            moment * w,
        ]);
        yp[PER_BODY * b..PER_BODY * (b + 1)].copy_from_slice(&[v[0], v[1], w, a[0], a[1], alpha, moment * alpha]);
    }

    /// theta of body `b` with the rotation `a`, in (-pi, pi].
    fn angle(&self, b: usize, a: &M3) -> f64 {
        let [first, second, _] = &self.axes;
        let turned = &self.bodies[b].turned;
        // Where the first axis of the plane has gone.
        let gone = a * (turned[0] + turned[1]).tr_mul(first);
        second.dot(&gone).atan2(first.dot(&gone))
    }

    /// Calls `visit` with each row in the plane and its multiplier, where `multipliers` are those of the rows in space: both load the bodies
    /// alike in the plane. Rows that were dropped there, and rows across the plane, need not be told apart for that.
    pub(in crate::formulation) fn each_multiplier(
        &self,
        mechanism: &Mechanism,
        poses: &[Pose],
        places: &[Place],
        multipliers: &[f64],
        mut visit: impl FnMut(usize, f64),
    ) {
        let arm = 1.0 / mechanism.length;
        let flat = |row: &PlaneRow| V3::new(row.g[0], row.g[1], arm * row.gi);
        for links in self.links.chunk_by(|a, b| a.bound.set == b.bound.set) {
            if let [Link { bound, .. }] = links
                && bound.is_composed()
            {
                // It acts in the plane alone: the row is the same.
                let rows = &mechanism.constraints[mechanism.sets[bound.set].constraints.clone()];
                let kept = rows.iter().filter(|row| row.is_composed() && row.rows[0] != DROPPED);
                kept.for_each(|row| visit(bound.first, multipliers[row.rows[0] as usize]));
                continue;
            }
            let mut wrench = V3::zeros();
            let mut rows = [Row::zero(); MAX_ROWS];
            for bound in &mechanism.constraints[mechanism.sets[links[0].bound.set].constraints.clone()] {
                bound.constraint.rows(poses, &mut rows);
                for (row, &k) in rows.iter().zip(&bound.rows[..bound.constraint.row_count()]) {
                    if k != DROPPED {
                        wrench += flat(&self.project(row)) * multipliers[k as usize];
                    }
                }
            }
            // At most three rows, which are independent: the others stand for nothing.
            let (mut gradients, mut count) = (M3::zeros(), 0);
            for link in links {
                for part in link.parts_at(poses, Counted::NONE) {
                    for row in &self.rows((link, &part), places, poses, Counted::NONE)[..link.count] {
                        gradients.set_column(count, &flat(row));
                        count += 1;
                    }
                }
            }
            let mut gram = gradients.tr_mul(&gradients);
            (count..3).for_each(|k| gram[(k, k)] = 1.0);
            let found = gram.try_inverse().map_or_else(V3::zeros, |inverse| inverse * gradients.tr_mul(&wrench));
            (0..count).for_each(|k| visit(links[0].bound.first + k, found[k]));
        }
    }
}

impl Equations {
    /// Puts the bodies where `poses` say, in space and in the plane.
    pub(in crate::formulation) fn put_in_plane(&mut self, plane: &Plane, poses: &[Pose]) {
        self.poses[..poses.len()].copy_from_slice(poses);
        for (b, (place, pose)) in self.places.iter_mut().zip(poses).enumerate() {
            let (sin, cos) = plane.angle(b, &pose.a).sin_cos();
            *place =
                Place { x: plane.within(&pose.x), turn: [cos, sin], v: plane.within(&pose.v), w: plane.about(&pose.w) };
        }
    }

    /// Puts the bodies where the history is.
    pub(in crate::formulation) fn place_history(&mut self, plane: &Plane, history: &dyn History) {
        for b in 0..self.layout.bodies {
            let place =
                Place::of(&std::array::from_fn::<f64, PER_BODY, _>(|k| history.coefficient(PER_BODY * b + k, 0)));
            (self.places[b], self.poses[b]) = (place, plane.pose(b, &place));
        }
    }

    /// As [`Equations::jump`], in the plane.
    pub(in crate::formulation) fn jump_in_plane(
        &mut self,
        plane: &Plane,
        change: &[[V3; 2]],
        multipliers: &[f64],
        history: &mut dyn History,
    ) {
        let (h, bends) = (history.step(), history.order() > 1);
        self.place_history(plane, history);
        let mut add = |unknown: usize, power: usize, value: f64| {
            let old = history.coefficient(unknown, power);
            history.set_coefficient(unknown, power, old + value);
        };
        for (b, [a, alpha]) in change.iter().enumerate() {
            let (a, alpha) = (plane.within(a), plane.about(alpha));
            let first = PER_BODY * b;
            for (k, rate) in [a[0], a[1], alpha].into_iter().enumerate() {
                add(first + 3 + k, 1, rate * h);
                if bends {
                    add(first + k, 2, rate * (0.5 * h * h));
                }
            }
            add(first + 6, 1, plane.bodies[b].moment * alpha * h);
        }
        let (power, unit) = if self.layout.integrated { (1, h) } else { (0, 1.0) };
        let first = self.layout.lambda();
        plane.each_multiplier(&self.mechanism, &self.poses, &self.places, multipliers, |row, change| {
            let old = history.coefficient(first + row, power);
            history.set_coefficient(first + row, power, old + change * unit);
        });
    }

    /// Reads the multipliers of motions and of equations of the time: rows that are the same in the plane. The others are set to zero.
    pub(in crate::formulation) fn read_motions(&self, plane: &Plane, own: &[f64], state: &mut State) {
        state.multipliers.fill(0.0);
        for link in plane.links.iter().filter(|link| link.bound.drive.is_some() || link.bound.is_timed()) {
            let set = &self.mechanism.sets[link.bound.set];
            for bound in self.mechanism.constraints[set.constraints.clone()].iter().filter(|b| b.rows[0] != DROPPED) {
                state.multipliers[bound.rows[0] as usize] = own[link.bound.first];
            }
        }
    }
}
