//! States of the mechanism as points (y, y') of the equations, and back.

use super::equations::{Equations, put};
use super::plane::Plane;
use crate::dae::History;
use crate::orientation::Chart;
use crate::space::{Pose, V3};
use crate::state::{State, Tracked};

impl Equations {
    /// Writes a state as y and y', choosing the charts for it.
    pub fn write(&mut self, state: &State, y: &mut [f64], yp: &mut [f64]) {
        self.write_with(state, y, yp, |own, b, pose| {
            let hint = if pose.w.norm() > 0.0 { pose.w } else { own.mechanism.bodies[b].turning_axis(pose) };
            let spin = own.mechanism.bodies[b].spin_axis(&pose.a, &hint);
            let (chart, e) = Chart::choose(&pose.a, &hint, spin);
            own.charts[b] = chart;
            e
        });
    }

    /// Writes a state as y and y' in the charts of now, with angles near to those of `near`, another y.
    pub fn write_near(&mut self, state: &State, near: &[f64], y: &mut [f64], yp: &mut [f64]) {
        self.write_with(state, y, yp, |own, b, pose| {
            let first = own.layout.e(b);
            own.charts[b].angles(&pose.a, &[near[first], near[first + 1], near[first + 2]])
        });
    }

    fn write_with(
        &mut self,
        state: &State,
        y: &mut [f64],
        yp: &mut [f64],
        angles: impl FnMut(&mut Self, usize, &Pose) -> [f64; 3],
    ) {
        let l = self.layout;
        y.fill(0.0);
        yp.fill(0.0);
        match self.plane.clone() {
            Some(plane) => self.write_bodies_in_plane(&plane, state, y, yp),
            None => self.write_bodies(state, y, yp, angles),
        }
        self.write_multipliers(state, if l.integrated { &mut *yp } else { &mut *y });
        y[l.drive()..].copy_from_slice(&state.drives);
        self.tracked.copy_from_slice(&state.angles);
        self.write_drive_rates(state.time, y, yp);
        self.evaluate_drives(state.time, y);
        self.sizes.prescribe(&self.mechanism, &self.drives);
        self.write_state_rates(state.time, y, yp);
    }

    fn write_bodies(
        &mut self,
        state: &State,
        y: &mut [f64],
        yp: &mut [f64],
        mut angles: impl FnMut(&mut Self, usize, &Pose) -> [f64; 3],
    ) {
        let l = self.layout;
        for (b, pose) in state.poses.iter().enumerate() {
            let e = angles(self, b, pose);
            self.sizes.follow(b, pose);
            let inertia = self.mechanism.bodies[b].global_inertia(pose);
            let (momentum, [a, alpha]) = (inertia * pose.w, state.accelerations[b]);
            let rates = self.charts[b].euler(&e).rates(&pose.w);
            put(y, l.x(b), &pose.x);
            y[l.e(b)..l.e(b) + 3].copy_from_slice(&e);
            put(y, l.v(b), &pose.v);
            put(y, l.w(b), &pose.w);
            put(y, l.h(b), &momentum);
            put(yp, l.x(b), &pose.v);
            put(yp, l.e(b), &rates);
            put(yp, l.v(b), &a);
            put(yp, l.w(b), &alpha);
            put(yp, l.h(b), &(inertia * alpha + pose.w.cross(&momentum)));
        }
    }

    fn write_bodies_in_plane(&mut self, plane: &Plane, state: &State, y: &mut [f64], yp: &mut [f64]) {
        self.put_in_plane(plane, &state.poses);
        for (b, pose) in state.poses.iter().enumerate() {
            self.sizes.follow(b, pose);
            plane.write(b, pose, state.accelerations[b], y, yp);
        }
    }

    /// Writes the multipliers of `state`. What they were before does not matter: their integrals begin at 0.
    fn write_multipliers(&mut self, state: &State, to: &mut [f64]) {
        let l = self.layout;
        let own = &mut to[l.lambda()..l.lambda() + l.rows];
        match &self.plane {
            Some(plane) => plane.each_multiplier(
                &self.mechanism,
                &self.poses,
                &self.places,
                &state.multipliers,
                |row, multiplier| own[row] = multiplier,
            ),
            None => own.copy_from_slice(&state.multipliers),
        }
        self.follow_forces(|k| own[k]);
    }

    fn write_drive_rates(&mut self, t: f64, y: &[f64], yp: &mut [f64]) {
        let first = self.layout.drive();
        let t = self.loads.break_state().sided(t);
        for drive in &self.mechanism.drives {
            let f = drive.evaluate(t, &y[first..], &mut self.stack);
            for k in 0..drive.law.unknowns() {
                yp[first + drive.first + k] = f[k + 1];
            }
        }
    }

    /// Lets the history go on with accelerations that jump by `change` (V' and omega' of each body) and multipliers by `multipliers`,
    /// as where forces jump, and unknowns of the user by `states` ([`Equations::jump_states`]): the polynomials become those of a past in which the forces of now had always acted.
    pub(crate) fn jump(&mut self, change: &[[V3; 2]], multipliers: &[f64], states: &[f64], history: &mut dyn History) {
        self.jump_states(states, history);
        if let Some(plane) = self.plane.clone() {
            return self.jump_in_plane(&plane, change, multipliers, history);
        }
        let (l, h) = (self.layout, history.step());
        for (b, [a, alpha]) in change.iter().enumerate() {
            let euler = self.charts[b].euler(&[0, 1, 2].map(|k| history.coefficient(l.e(b) + k, 0)));
            let turned = euler.e * self.charts[b].body;
            let momentum = turned * (self.mechanism.bodies[b].inertia * turned.tr_mul(alpha));
            for (first, rate) in [(l.v(b), a), (l.w(b), alpha), (l.h(b), &momentum)] {
                add(history, first, 1, &(rate * h));
            }
            if history.order() > 1 {
                add(history, l.x(b), 2, &(a * (0.5 * h * h)));
                add(history, l.e(b), 2, &(euler.rates(alpha) * (0.5 * h * h)));
            }
        }
        let (power, unit) = if l.integrated { (1, h) } else { (0, 1.0) };
        for (k, change) in multipliers.iter().enumerate() {
            let old = history.coefficient(l.lambda() + k, power);
            history.set_coefficient(l.lambda() + k, power, old + change * unit);
        }
    }

    /// Reads y at time `t` back into a state; accelerations are left as they are, and so are multipliers
    /// ([`Equations::read_multipliers`]).
    pub fn read(&mut self, t: f64, y: &[f64], state: &mut State) {
        let l = self.layout;
        match self.plane.clone() {
            Some(plane) => (0..l.bodies).for_each(|b| self.poses[b] = plane.pose_of(b, &y[l.x(b)..l.x(b + 1)])),
            None => self.place(y),
        }
        state.time = t;
        let n = l.bodies;
        state.poses.copy_from_slice(&self.poses[..n]);
        state.drives.copy_from_slice(&y[l.drive()..]);
        for (k, tracked) in self.tracked.iter().enumerate() {
            let [raw, rate] = self.mechanism.tracked_angle(k, &self.poses);
            state.angles[k] = Tracked { time: t, angle: tracked.continued(raw, rate, t), rate };
        }
    }

    /// Reads the multipliers lambda from y, or from y' where y holds their integrals. In a plane only those of motions and
    /// of equations of the time are known; the others are set to zero.
    pub fn read_multipliers(&self, y: &[f64], yp: &[f64], state: &mut State) {
        let l = self.layout;
        let own = &l.multipliers(y, yp)[l.lambda()..l.lambda() + l.rows];
        match &self.plane {
            Some(plane) => self.read_motions(plane, own, state),
            None => state.multipliers.copy_from_slice(own),
        }
    }
}

fn add(history: &mut dyn History, first: usize, power: usize, value: &V3) {
    for k in 0..3 {
        let old = history.coefficient(first + k, power);
        history.set_coefficient(first + k, power, old + value[k]);
    }
}
