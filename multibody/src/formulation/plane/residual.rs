//! F(t, y, y') in the plane.

use super::{PER_BODY, Place, Plane};
use crate::dae::EvalError;
use crate::formulation::Equations;
use crate::space::V3;

impl Equations {
    pub(in crate::formulation) fn residual_in_plane(
        &mut self,
        plane: &Plane,
        t: f64,
        y: &[f64],
        yp: &[f64],
        r: &mut [f64],
    ) -> Result<(), EvalError> {
        let l = self.layout;
        self.place(y);
        self.evaluate_drives(t, y);
        for (b, body) in plane.bodies.iter().enumerate() {
            let (y, yp, r) = (
                &y[PER_BODY * b..PER_BODY * (b + 1)],
                &yp[PER_BODY * b..PER_BODY * (b + 1)],
                &mut r[PER_BODY * b..PER_BODY * (b + 1)],
            );
            (0..3).for_each(|k| r[k] = yp[k] - y[3 + k]);
            (0..2).for_each(|k| r[3 + k] = (yp[3 + k] - plane.gravity[k]) * body.mass);
            r[5] = yp[6];
            r[6] = y[6] - body.moment * y[5];
        }
        if plane.loaded {
            self.wrenches.fill([V3::zeros(); 2]);
            self.loads.apply(&self.mechanism, t, &self.poses, &self.tracked, &mut self.wrenches)?;
            for (r, [force, torque]) in r.chunks_exact_mut(PER_BODY).zip(&self.wrenches).take(l.bodies) {
                let force = plane.within(force);
                (r[3], r[4], r[5]) = (r[3] - force[0], r[4] - force[1], r[5] - plane.about(torque));
            }
        }
        self.check_ends(t)?;
        self.rows_in_plane(plane, l.multipliers(y, yp), r);
        self.drive_rows(yp, r);
        self.state_rows(yp, r);
        Ok(())
    }

    /// Phi, its rate, and what lambda and mu do to the bodies, which stand in `multipliers` where y has them.
    fn rows_in_plane(&self, plane: &Plane, multipliers: &[f64], r: &mut [f64]) {
        let l = self.layout;
        let (first, second) = (l.lambda(), l.mu());
        let counted = self.counted();
        for link in &plane.links {
            for part in link.parts_at(&self.poses, counted) {
                let c = part.constraint;
                let drive = link.bound.drive.map_or([0.0; 3], |d| self.drives[d]);
                let rows = plane.rows((link, &part), &self.places, &self.poses, counted);
                let (mut force, mut slip) = ([0.0; 4], [0.0; 4]);
                for (k, row) in rows[..link.count].iter().enumerate() {
                    let at = link.bound.first + k;
                    let add = |sum: &mut [f64; 4], weight: f64| {
                        [row.g[0], row.g[1], row.gi, row.gj].iter().zip(sum).for_each(|(g, sum)| *sum += g * weight);
                    };
                    part.put(&mut r[first + at], link.bound.defect(row.phi, drive[0]));
                    add(&mut force, multipliers[first + at]);
                    if l.stabilized {
                        let [i, j]: [&Place; 2] = [&self.places[c.i.body], &self.places[c.j.body]];
                        part.put(&mut r[second + at], row.rate(i, j) - drive[1] + part.by_time);
                        add(&mut slip, multipliers[second + at]);
                    }
                }
                for (body, sign, turn) in [(c.i.body, 1.0, 2), (c.j.body, -1.0, 3)] {
                    if body == l.bodies {
                        continue;
                    }
                    let r = &mut r[PER_BODY * body..PER_BODY * (body + 1)];
                    (0..2).for_each(|k| r[3 + k] += sign * force[k]);
                    r[5] += force[turn];
                    if l.stabilized {
                        (0..2).for_each(|k| r[k] += sign * slip[k]);
                        r[2] += self.metric * slip[turn];
                    }
                }
            }
        }
    }
}
