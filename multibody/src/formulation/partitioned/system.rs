//! The equations as an [`Ode`]: what an integrator asks, what happens between steps, what a snapshot keeps.

use super::last::Known;
use super::local::{self, PER_BODY};
use super::{Partitioned, Solvers};
use crate::dae::{ErrorWeights, EvalError, Kind, RootEvent, Unknown};
use crate::formulation::kinds;
use crate::formulation::sizes;
use crate::formulation::supplement::{Situation, Supplement};
use crate::interrupt;
use crate::mechanism::Mechanism;
use crate::ode::Ode;
use crate::space::{M3, V3};
use crate::state::Tracked;

/// All coordinates are tested: dependent ones are as smooth as the independent ones, and which are which may change.
pub(super) fn unknowns(mechanism: &Mechanism) -> Vec<Unknown> {
    let unknown = |kind, typical| Unknown { kind, error_tested: true, scale_power: 0, typical };
    let mut all = Vec::with_capacity(PER_BODY * mechanism.bodies.len() + mechanism.drive_unknowns());
    for _ in &mechanism.bodies {
        all.extend([unknown(kinds::POSITION, mechanism.length); 3]);
        all.extend([unknown(kinds::ORIENTATION, 1.0); 3]);
        all.extend([unknown(kinds::VELOCITY, mechanism.length); 3]);
        all.extend([unknown(kinds::ANGULAR_VELOCITY, 1.0); 3]);
    }
    all.resize(all.len() + mechanism.drive_unknowns() + mechanism.user_states().len(), unknown(Kind::STATE, 1.0));
    all
}

impl<S: Supplement> Partitioned<S> {
    /// Writes y' at `self.y`, where accelerations are these, six a body.
    pub(super) fn write_rates(&self, accelerations: &[f64], yp: &mut [f64]) {
        let n = self.mechanism.bodies.len();
        let bodies = yp.chunks_exact_mut(PER_BODY).zip(self.y.chunks_exact(PER_BODY)).zip(&self.poses);
        for (((yp, y), pose), a) in bodies.zip(accelerations.chunks_exact(6)) {
            let p = V3::new(y[3], y[4], y[5]);
            yp[..3].copy_from_slice(pose.v.as_slice());
            yp[3..6].copy_from_slice(local::rates(&p, &pose.w).as_slice());
            yp[6..].copy_from_slice(a);
        }
        let (drives, states) = yp[PER_BODY * n..].split_at_mut(self.drive_rates.len());
        drives.copy_from_slice(&self.drive_rates);
        states.copy_from_slice(&self.state_rates);
    }
}

impl<S: Supplement> Ode for Partitioned<S> {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }

    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    /// Where dependent coordinates alone are put right, they take up the errors of all others that move them.
    fn settling(&self) -> f64 {
        match &self.solvers {
            Some(Solvers { positions, .. }) if positions.tangent.is_none() => {
                let free = self.joined.jacobian.ncols() - positions.rows.len();
                (free as f64).sqrt()
            }
            _ => 1.0,
        }
    }

    fn unknown_name(&self, i: usize) -> String {
        const BODY: [&str; PER_BODY] =
            ["x", "y", "z", "turn about x", "turn about y", "turn about z", "Vx", "Vy", "Vz", "wx", "wy", "wz"];
        match i / PER_BODY {
            body if body < self.mechanism.bodies.len() => {
                format!("{} {}", self.mechanism.known_body(body), BODY[i % PER_BODY])
            }
            _ => {
                let drive = i - PER_BODY * self.mechanism.bodies.len();
                let name = self.mechanism.drive_unknown_name(drive);
                if drive < self.drive_rates.len() { format!("coordinate of {name}") } else { name }
            }
        }
    }

    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        interrupt::check(&self.interrupt, t)?;
        self.evaluate(t, y)?;
        if let Some(solvers) = &self.solvers {
            self.write_rates(&solvers.accelerations.accelerations, yp);
        }
        Ok(())
    }

    fn settle(&mut self, t: f64, y: &mut [f64]) -> Result<(), EvalError> {
        self.close(t, y)?;
        y.copy_from_slice(&self.y);
        Ok(())
    }

    fn next_break(&mut self, t: f64) -> f64 {
        self.joined.system.break_state_mut().from(t)
    }

    fn pass_break(&mut self, t: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        self.pass(t, y)
    }

    fn defect(&mut self, t: f64, h: f64, y: &[f64], errors: &mut [f64]) {
        self.defect_of_time(t, h, y, errors);
    }

    fn watched_count(&self) -> usize {
        self.mechanism.watched.count()
    }

    fn watched_name(&self, k: usize) -> String {
        self.mechanism.condition_name(k)
    }

    fn watched_function(&self, k: usize) -> usize {
        self.mechanism.watched.function(k)
    }

    fn watch(&mut self, t: f64, y: &[f64], arguments: &mut [f64]) -> Result<(), EvalError> {
        self.last.forget();
        self.y.copy_from_slice(y);
        self.place();
        self.give_states(y);
        let Self { mechanism, joined, poses, tracked, .. } = self;
        joined.system.loads_mut().watch(mechanism, t, poses, tracked, arguments)
    }

    fn expected_sign(&self, k: usize) -> Option<i8> {
        self.joined.system.loads().expected(&self.mechanism, k)
    }

    fn choose_sides(&mut self, t: f64, y: &[f64]) -> Result<(), EvalError> {
        self.last.forget();
        self.y.copy_from_slice(y);
        self.place();
        self.give_states(y);
        let Self { mechanism, joined, poses, tracked, .. } = self;
        joined.system.loads_mut().release();
        joined.system.loads_mut().choose(mechanism, t, poses, tracked)
    }

    fn switch(&mut self, t: f64, y: &mut [f64], events: &[RootEvent]) -> Result<bool, EvalError> {
        self.turn(t, y, events)
    }

    fn before_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        self.close(t, y)?;
        self.sizes.prescribe(&self.mechanism, self.joined.system.drives());
        // Forces may depend on the angles followed up to here.
        self.last.keep_only(Known::Closed);
        for (b, pose) in self.poses.iter().take(self.references.len()).enumerate() {
            self.sizes.follow(b, pose);
        }
        if !self.state_rates.is_empty() {
            let first = self.first_state();
            self.evaluate(t, y)?;
            for (k, rate) in self.state_rates.iter().enumerate() {
                self.state_sizes.follow(k, y[first + k], *rate);
            }
            let Self { mechanism, joined, poses, state_sizes, .. } = self;
            state_sizes.weigh_terms(|terms| joined.system.loads_mut().rate_terms(mechanism, poses, terms));
            self.last.keep_only(Known::Closed);
        }
        for k in 0..self.tracked.len() {
            let [raw, rate] = self.mechanism.tracked_angle(k, &self.poses);
            self.tracked[k] = Tracked { time: t, angle: self.tracked[k].continued(raw, rate, t), rate };
        }
        let due = self.partition_is_due();
        if due.is_err() {
            self.last.forget();
        }
        let stale = due.map_err(|trouble| self.refused(trouble, t))?;
        if stale {
            let drives = PER_BODY * self.mechanism.bodies.len();
            self.chosen_at.set(t, &self.poses, &y[drives..]);
            self.set_up(self.is_whole()).map_err(|trouble| self.refused(trouble, t))?;
        } else {
            self.hold(t, y);
        }
        self.former.copy_from_slice(&self.references);
        let mut moved = false;
        for (y, reference) in y.chunks_exact_mut(PER_BODY).zip(&mut self.references) {
            moved |= local::move_reference(y, reference, stale);
        }
        if moved {
            self.last.forget();
        }
        Ok(moved || stale)
    }

    /// Partitions leave no trace in points; the rotation vectors are those from the present references.
    fn rewrite(&mut self, newer: &[f64], y: &mut [f64], slope: &mut [f64]) -> bool {
        let points =
            y.chunks_exact_mut(PER_BODY).zip(slope.chunks_exact_mut(PER_BODY)).zip(newer.chunks_exact(PER_BODY));
        let bodies = points.zip(self.former.iter().zip(&self.references));
        bodies.into_iter().all(|(((y, slope), newer), (former, reference))| {
            former == reference || local::rewrite(newer, y, slope, former, reference)
        })
    }

    fn weighs(&self) -> bool {
        true
    }

    fn weigh(&self, _y: &[f64], weights: &mut ErrorWeights<'_>) {
        let classes = self.sizes.classes(weights.step);
        let n = self.mechanism.bodies.len();
        for first in (0..n).map(|b| PER_BODY * b) {
            classes.iter().enumerate().for_each(|(k, class)| sizes::put(weights, first + 3 * k, 3, *class, 1.0));
        }
        for (drive, angular) in self.mechanism.drives.iter().zip(self.mechanism.drives_angular()) {
            for k in 0..drive.law.unknowns() {
                let class = classes[2 * k + usize::from(angular)];
                sizes::put(weights, PER_BODY * n + drive.first + k, 1, class, 1.0);
            }
        }
        self.state_sizes.weigh(weights, self.first_state());
    }

    fn first_step(&self, _y: &[f64], yp: &[f64], relative: f64) -> f64 {
        let bodies = yp.chunks_exact(PER_BODY).take(self.mechanism.bodies.len());
        let largest = bodies.fold([0.0_f64; 2], |a, yp| {
            [0, 1].map(|k| a[k].max(V3::new(yp[3 * k + 6], yp[3 * k + 7], yp[3 * k + 8]).norm()))
        });
        self.sizes.first_step(relative, largest)
    }

    fn root_count(&self) -> usize {
        self.joined.supplement.root_count()
    }

    fn root_name(&self, i: usize) -> String {
        self.joined.supplement.root_name(i)
    }

    fn roots(&mut self, t: f64, y: &[f64], _yp: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        let accelerated = self.joined.supplement.roots_use_accelerations();
        if accelerated {
            self.evaluate(t, y)?;
        } else {
            self.close(t, y)?;
        }
        let Self { joined, solvers, poses, .. } = self;
        let (accelerations, multipliers): (&[f64], &[f64]) = match solvers {
            Some(s) if accelerated => (&s.accelerations.accelerations, &s.accelerations.multipliers),
            _ => (&[], &[]),
        };
        joined.supplement.roots(&Situation { time: t, poses, accelerations, multipliers }, roots)
    }

    fn save(&self, store: &mut Vec<f64>) {
        store.extend(self.joined.system.loads().sides());
        store.extend(self.joined.system.break_state().saved());
        store.push(self.chosen_at.time);
        store.push(f64::from(u8::from(self.is_stale())));
        store.push(f64::from(u8::from(self.is_whole())));
        store.push(self.timed.steps());
        store.push(self.held_at.time);
        self.chosen_at.save(store);
        self.held_at.save(store);
        self.references.iter().for_each(|a| store.extend_from_slice(a.as_slice()));
        self.tracked.iter().for_each(|t| store.extend([t.time, t.angle, t.rate]));
        self.sizes.save(store);
        self.state_sizes.save(store);
        self.joined.supplement.save(store);
    }

    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        let point = self.chosen_at.stored();
        let sides = self.mechanism.watched.count();
        let own = 8
            + sides
            + 2 * point
            + 9 * self.references.len()
            + 3 * self.tracked.len()
            + self.sizes.stored()
            + self.state_sizes.stored();
        if store.len() < own {
            return Err(EvalError::Fatal {
                element: format!("mechanism \"{}\"", self.mechanism.name()),
                time: f64::NAN,
                reason: "the saved state belongs to another mechanism".to_owned(),
            });
        }
        self.last.forget();
        let (own, supplement) = store.split_at(own);
        self.joined.supplement.restore(supplement)?;
        let mut numbers = own.iter().copied();
        let mut next = |count: usize| -> Vec<f64> { numbers.by_ref().take(count).collect() };
        let sides = next(sides);
        let break_state = next(3);
        let head = next(5);
        self.timed.set_steps(head[3]);
        self.chosen_at.restore(head[0], &next(point));
        let held_at = next(point);
        self.references.iter_mut().for_each(|a| *a = M3::from_column_slice(&next(9)));
        for tracked in &mut self.tracked {
            let t = next(3);
            *tracked = Tracked { time: t[0], angle: t[1], rate: t[2] };
        }
        self.sizes.restore(&next(self.sizes.stored()));
        self.state_sizes.restore(&next(self.state_sizes.stored()));
        let Self { mechanism, joined, chosen_at, .. } = self;
        joined.system.loads_mut().restore_sides(&sides);
        joined.system.break_state_mut().restore([break_state[0], break_state[1], break_state[2]]);
        joined.rebuild(mechanism, chosen_at.time, &chosen_at.poses)?;
        self.set_up(head[2] != 0.0).map_err(|trouble| self.refused(trouble, head[0]))?;
        self.held_at.restore(head[4], &held_at);
        self.hold_again().map_err(|trouble| self.refused(trouble, head[4]))?;
        if let (Some(solvers), true) = (&mut self.solvers, head[1] != 0.0) {
            solvers.accelerations.stale = true;
        }
        Ok(())
    }
}

impl<S> Partitioned<S> {
    /// The place of the first unknown of the user.
    pub(super) fn first_state(&self) -> usize {
        PER_BODY * self.mechanism.bodies.len() + self.drive_rates.len()
    }

    /// Tells forces the unknowns of the user at y.
    fn give_states(&mut self, y: &[f64]) {
        let first = PER_BODY * self.mechanism.bodies.len() + self.drive_rates.len();
        self.joined.system.loads_mut().set_states(&y[first..]);
    }

    /// Whether pivots were chosen afresh since the solvers were set up; they are set up anew before the next step then.
    fn is_stale(&self) -> bool {
        self.solvers.as_ref().is_some_and(|s| {
            s.accelerations.stale || s.positions.stale || s.velocities.as_ref().is_some_and(|v| v.stale)
        })
    }

    /// Whether an elimination of bodies was refused in this run.
    fn is_whole(&self) -> bool {
        self.solvers.as_ref().is_some_and(|s| s.accelerations.whole)
    }
}
