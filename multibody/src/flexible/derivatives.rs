//! Derivatives of the forces of a flexible body, and its inertia as entries of matrices.

use super::body::{FlexibleBody, Now};
use crate::force::Entry;
use crate::space::{M3, Pose, V3, skew};

/// Blocks by place, virtual rotation, velocity and angular velocity of a body.
type Blocks = [Option<M3>; 4];

const NONE: Blocks = [None; 4];

impl FlexibleBody {
    /// Emits the derivatives of what [`FlexibleBody::apply`] adds.
    pub(crate) fn emit(&self, poses: &[Pose], gravity: &V3, emit: &mut dyn FnMut(Entry<'_>)) {
        let now = self.now(poses);
        let [force, torque] = by_frame(&now, gravity);
        emit(Entry::Blocks { body: self.body, by: self.body, force, torque });
        for column in self.carriers.clone() {
            let [force, torque] = self.by_carrier(&now, poses, gravity, column);
            emit(Entry::Blocks { body: self.body, by: column, force, torque });
        }
        for row in self.carriers.clone() {
            let force = self.carrier_by_frame(&now, poses, gravity, row);
            emit(Entry::Blocks { body: row, by: self.body, force, torque: NONE });
            for column in self.carriers.clone() {
                let force = self.carrier_by_carrier(&now, row, column);
                emit(Entry::Blocks { body: row, by: column, force, torque: NONE });
            }
        }
    }

    /// Modes of a carrier, with the coordinate that each has.
    fn modes_of(&self, carrier: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let first = 3 * (carrier - self.carriers.start);
        (first..self.modes().min(first + 3)).map(move |k| (k - first, k))
    }

    /// Force and torque on the frame by the coordinates of a carrier and their rates.
    fn by_carrier(&self, now: &Now, poses: &[Pose], gravity: &V3, carrier: usize) -> [Blocks; 2] {
        let (n, w) = (self.modes(), &now.w);
        let mut blocks = [[M3::zeros(); 2]; 2];
        for (at, k) in self.modes_of(carrier) {
            let c = self.c(now, k);
            let by = now.a * (self.d_own(poses, k) * now.w_own);
            let (mut second, mut coupled) = (V3::zeros(), V3::zeros());
            for j in 0..n {
                let rate = self.rate(poses, j);
                second += self.beyond.second_change[j * n + k] * now.w_own * rate;
                coupled += self.beyond.coupling[k * n + j] * rate;
            }
            blocks[0][0].set_column(at, &-w.cross(&w.cross(&c)));
            blocks[0][1].set_column(at, &(w.cross(&c) * -2.0));
            let torque = c.cross(gravity) - w.cross(&by) - now.a * second - w.cross(&(now.a * coupled));
            blocks[1][0].set_column(at, &torque);
            blocks[1][1].set_column(at, &(-by - w.cross(&(now.a * self.g_own(poses, k)))));
        }
        blocks.map(|[x, v]| [Some(x), None, Some(v), None])
    }

    /// Forces on a carrier by the turning of the frame.
    fn carrier_by_frame(&self, now: &Now, poses: &[Pose], gravity: &V3, carrier: usize) -> Blocks {
        let mut blocks = [M3::zeros(); 2];
        for (at, k) in self.modes_of(carrier) {
            let by = now.a * (self.d_own(poses, k) * now.w_own - self.y_own(poses, k) * 2.0);
            blocks[0].set_row(at, &(self.c(now, k).cross(gravity) + by.cross(&now.w)).transpose());
            blocks[1].set_row(at, &by.transpose());
        }
        [None, Some(blocks[0]), None, Some(blocks[1])]
    }

    /// Forces on a carrier by the coordinates of another one and their rates.
    fn carrier_by_carrier(&self, now: &Now, row: usize, column: usize) -> Blocks {
        let n = self.modes();
        let mut blocks = [M3::zeros(); 2];
        for (r, k) in self.modes_of(row) {
            for (c, j) in self.modes_of(column) {
                let second = self.beyond.second_change[j * n + k] * now.w_own;
                blocks[0][(r, c)] = 0.5 * now.w_own.dot(&second) - self.stiffness[(k, j)];
                blocks[1][(r, c)] = -2.0 * self.beyond.coupling[j * n + k].dot(&now.w_own) - self.damping[(k, j)];
            }
        }
        [Some(blocks[0]), None, Some(blocks[1]), None]
    }

    /// Derivatives of the inertia beyond times accelerations: (V', omega') of each body by `u`. Blocks as of forces.
    pub(crate) fn emit_inertia(&self, poses: &[Pose], u: &dyn Fn(usize) -> [V3; 2], emit: &mut dyn FnMut(Entry<'_>)) {
        let (now, n, [a, alpha]) = (self.now(poses), self.modes(), u(self.body));
        let (mut p, mut h) = (V3::zeros(), V3::zeros());
        for k in 0..n {
            let second = u(self.carriers.start + k / 3)[0][k % 3];
            p += self.c(&now, k) * second;
            h += now.a * self.g_own(poses, k) * second;
        }
        let force = -skew(&alpha) * skew(&now.s) - skew(&p);
        let torque = skew(&a) * skew(&now.s) + now.j * skew(&alpha) - skew(&(now.j * alpha)) - skew(&h);
        let [force, torque] = [force, torque].map(|by| [None, Some(by), None, None]);
        emit(Entry::Blocks { body: self.body, by: self.body, force, torque });
        let alpha_own = now.a.tr_mul(&alpha);
        for carrier in self.carriers.clone() {
            let (mut by_x, mut by_turn) = ([M3::zeros(); 2], M3::zeros());
            for (at, k) in self.modes_of(carrier) {
                let (c, g) = (self.c(&now, k), now.a * self.g_own(poses, k));
                let coupled = (0..n).fold(V3::zeros(), |sum, j| {
                    sum + self.beyond.coupling[k * n + j] * u(self.carriers.start + j / 3)[0][j % 3]
                });
                by_x[0].set_column(at, &alpha.cross(&c));
                by_x[1].set_column(at, &(c.cross(&a) + now.a * (self.d_own(poses, k) * alpha_own + coupled)));
                by_turn.set_row(at, &(c.cross(&a) + g.cross(&alpha)).transpose());
            }
            let [force, torque] = by_x.map(|by| [Some(by), None, None, None]);
            emit(Entry::Blocks { body: self.body, by: carrier, force, torque });
            emit(Entry::Blocks {
                body: carrier,
                by: self.body,
                force: [None, Some(by_turn), None, None],
                torque: NONE,
            });
            for other in self.carriers.clone() {
                let mut by = M3::zeros();
                for (r, k) in self.modes_of(carrier) {
                    for (c, j) in self.modes_of(other) {
                        by[(r, c)] = self.beyond.coupling[j * n + k].dot(&alpha_own);
                    }
                }
                let force = [Some(by), None, None, None];
                emit(Entry::Blocks { body: carrier, by: other, force, torque: NONE });
            }
        }
    }

    /// The inertia beyond itself, as blocks by accelerations: those by place are of V', those by turns of omega'.
    pub(crate) fn emit_mass(&self, poses: &[Pose], emit: &mut dyn FnMut(Entry<'_>)) {
        let now = self.now(poses);
        let s = skew(&now.s);
        let blocks = |linear: M3, angular: M3| [None, None, Some(linear), Some(angular)];
        let force = blocks(M3::identity() * self.beyond.mass, -s);
        emit(Entry::Blocks { body: self.body, by: self.body, force, torque: blocks(s, now.j) });
        for carrier in self.carriers.clone() {
            let (mut c, mut g) = (M3::zeros(), M3::zeros());
            for (at, k) in self.modes_of(carrier) {
                c.set_column(at, &self.c(&now, k));
                g.set_column(at, &(now.a * self.g_own(poses, k)));
            }
            let [force, torque] = [c, g].map(|by| [None, None, Some(by), None]);
            emit(Entry::Blocks { body: self.body, by: carrier, force, torque });
            let force = blocks(c.transpose(), g.transpose());
            emit(Entry::Blocks { body: carrier, by: self.body, force, torque: NONE });
            for other in self.carriers.clone() {
                let mut by = M3::zeros();
                for (r, k) in self.modes_of(carrier) {
                    self.modes_of(other).for_each(|(c, j)| by[(r, c)] = self.beyond.modal[(k, j)]);
                }
                emit(Entry::Blocks { body: carrier, by: other, force: [None, None, Some(by), None], torque: NONE });
            }
        }
    }
}

/// Force and torque on the frame by its own turning.
fn by_frame(now: &Now, gravity: &V3) -> [Blocks; 2] {
    let (w, s, p, h) = (skew(&now.w), skew(&now.s), skew(&now.p), skew(&now.h));
    let moved = skew(&now.w.cross(&now.s));
    let force_turn = w * w * s + w * p * 2.0;
    let force_rate = moved + w * s + p * 2.0;
    // d(J omega) = (J [omega]x - [J omega]x) dpi.
    let turned = |j: &M3| j * w - skew(&(j * now.w));
    let torque_turn = skew(gravity) * s - w * turned(&now.j) - turned(&now.d) + w * h;
    let torque_rate = skew(&(now.j * now.w)) - w * now.j - now.d + h;
    [[None, Some(force_turn), None, Some(force_rate)], [None, Some(torque_turn), None, Some(torque_rate)]]
}
