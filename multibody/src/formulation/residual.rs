//! F(t, y, y'), body by body and constraint by constraint.

use super::equations::{Equations, at, put};
use crate::constraint::{MAX_ROWS, Row};
use crate::dae::EvalError;
use crate::force::FrictionLoads;
use crate::mechanism::{Counted, DROPPED};
use crate::space::V3;

impl Equations {
    pub(super) fn evaluate_residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        if let Some(plane) = self.plane.clone() {
            return self.residual_in_plane(&plane, t, y, yp, r);
        }
        self.place(y);
        self.evaluate_drives(t, y);
        let mechanism = std::sync::Arc::clone(&self.mechanism);
        for (wrench, body) in self.wrenches.iter_mut().zip(&mechanism.bodies) {
            *wrench = [mechanism.gravity * body.mass, V3::zeros()];
        }
        self.loads.apply(&mechanism, t, &self.poses, &self.tracked, &mut self.wrenches)?;
        FrictionLoads::apply(&mechanism, &self.poses, self.layout.lambdas(y, yp), &mut self.wrenches);
        self.body_rows(y, yp, r);
        self.flexible_rows(yp, r);
        self.check_ends(t)?;
        self.constraint_rows(self.layout.multipliers(y, yp), r);
        self.put_wrenches(r);
        self.drive_rows(yp, r);
        self.state_rows(yp, r);
        Ok(())
    }

    /// From where turns are counted, at the time of the drives.
    pub(super) fn counted(&self) -> Counted<'_> {
        Counted { angles: &self.tracked, time: self.time }
    }

    /// Refuses places beyond the ends of open curves.
    pub(super) fn check_ends(&self, t: f64) -> Result<(), EvalError> {
        self.mechanism.check_ends(t, &self.poses, self.counted())
    }

    pub(super) fn evaluate_drives(&mut self, t: f64, y: &[f64]) {
        let states = &y[self.layout.drive()..];
        let t = self.loads.break_state().sided(t);
        self.time = t;
        for (value, drive) in self.drives.iter_mut().zip(&self.mechanism.drives) {
            *value = drive.evaluate(t, states, &mut self.stack);
        }
    }

    fn body_rows(&self, y: &[f64], yp: &[f64], r: &mut [f64]) {
        let l = self.layout;
        for (b, body) in self.mechanism.bodies.iter().enumerate() {
            let (pose, euler) = (&self.poses[b], &self.eulers[b]);
            put(r, l.x(b), &(at(yp, l.x(b)) - pose.v));
            put(r, l.e(b), &(euler.g * at(yp, l.e(b)) - pose.w));
            put(r, l.v(b), &(at(yp, l.v(b)) * body.mass));
            put(r, l.w(b), &at(yp, l.h(b)));
            put(r, l.h(b), &(at(y, l.h(b)) - body.momentum(pose)));
        }
    }

    /// Phi, its rate, and what lambda and mu do to the bodies, which stand in `multipliers` where y has them.
    fn constraint_rows(&mut self, multipliers: &[f64], r: &mut [f64]) {
        let l = self.layout;
        let mut rows = [Row::zero(); MAX_ROWS];
        let counted = Counted { angles: &self.tracked, time: self.time };
        for bound in &self.mechanism.constraints {
            for part in bound.parts_at(&self.poses, counted) {
                let c = part.constraint;
                part.rows(&self.poses, counted, &mut rows);
                let (i, j) = (c.i.body, c.j.body);
                let mut force = [V3::zeros(); 3];
                let mut slip = [V3::zeros(); 3];
                for (row, &k) in rows.iter().zip(&bound.rows[..c.row_count()]) {
                    if k == DROPPED {
                        continue;
                    }
                    let k = k as usize;
                    let drive = bound.drive.map_or([0.0; 3], |d| self.drives[d]);
                    add(&mut force, row, multipliers[l.lambda() + k]);
                    let rate = row.rate(&self.poses[i], &self.poses[j]) - drive[1] + part.by_time;
                    if c.form.holds_velocities_only() {
                        // Positions are free of it: mu is zero.
                        r[l.rate(k)] = rate;
                        if l.stabilized {
                            r[l.lambda() + k] = multipliers[l.mu() + k];
                        }
                        continue;
                    }
                    part.put(&mut r[l.lambda() + k], bound.defect(row.phi, drive[0]));
                    if l.stabilized {
                        part.put(&mut r[l.mu() + k], rate);
                        add(&mut slip, row, multipliers[l.mu() + k]);
                    }
                }
                self.wrenches[i][0] -= force[0];
                self.wrenches[j][0] += force[0];
                self.wrenches[i][1] -= force[1];
                self.wrenches[j][1] -= force[2];
                if l.stabilized {
                    for (body, sign, turn) in [(i, 1.0, slip[1]), (j, -1.0, slip[2])] {
                        if body < l.bodies {
                            accumulate(r, l.x(body), &(slip[0] * sign));
                            accumulate(r, l.e(body), &(turn * self.metric));
                        }
                    }
                }
            }
        }
    }

    fn put_wrenches(&self, r: &mut [f64]) {
        let l = self.layout;
        for b in 0..l.bodies {
            accumulate(r, l.v(b), &-self.wrenches[b][0]);
            accumulate(r, l.w(b), &-self.wrenches[b][1]);
        }
    }

    pub(super) fn drive_rows(&self, yp: &[f64], r: &mut [f64]) {
        let first = self.layout.drive();
        for (drive, value) in self.mechanism.drives.iter().zip(&self.drives) {
            for k in 0..drive.law.unknowns() {
                let at = first + drive.first + k;
                r[at] = yp[at] - value[k + 1];
            }
        }
    }
}

#[inline]
fn add(sum: &mut [V3; 3], row: &Row, weight: f64) {
    sum[0] += row.g * weight;
    sum[1] += row.gi * weight;
    sum[2] += row.gj * weight;
}

#[inline]
fn accumulate(r: &mut [f64], k: usize, v: &V3) {
    r[k] += v.x;
    r[k + 1] += v.y;
    r[k + 2] += v.z;
}
