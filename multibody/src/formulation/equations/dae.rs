//! The equations as integrators ask for them: [`Dae`], the names of unknowns and rows.

use super::Equations;
use crate::analysis::Neighbourhood;
use crate::dae::{Dae, ErrorWeights, EvalError, History, RootEvent, StepErrors, Unknown};
use crate::formulation::plane::points::{EQUATIONS, UNKNOWNS};
use crate::formulation::sizes;
use crate::interrupt::{self, Interrupt};
use crate::orientation::Chart;
use crate::state::Tracked;
use nalgebra_sparse::pattern::SparsityPattern;
use std::sync::Arc;

impl Dae for Equations {
    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn dimension(&self) -> usize {
        self.layout.dimension()
    }

    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    fn unknown_name(&self, i: usize) -> String {
        const BODY: [&str; 15] =
            ["x", "y", "z", "psi", "theta", "phi", "Vx", "Vy", "Vz", "wx", "wy", "wz", "Hx", "Hy", "Hz"];
        let rows = if self.layout.integrated { ["eta", "xi"] } else { ["lambda", "mu"] };
        const HALF: [&str; 15] =
            ["x", "y", "z", "qx", "qy", "qz", "Vx", "Vy", "Vz", "wx", "wy", "wz", "Hx", "Hy", "Hz"];
        let body: &[&str] = match self.charts.get(i / BODY.len()) {
            _ if self.plane.is_some() => &UNKNOWNS,
            Some(chart) if chart.has_half_turns() => &HALF,
            _ => &BODY,
        };
        self.name(i, body, rows)
    }

    fn equation_name(&self, i: usize) -> String {
        const BODY: [&str; 15] = [
            "x' = Vx",
            "y' = Vy",
            "z' = Vz",
            "rotation x",
            "rotation y",
            "rotation z",
            "force balance x",
            "force balance y",
            "force balance z",
            "torque balance x",
            "torque balance y",
            "torque balance z",
            "momentum x",
            "momentum y",
            "momentum z",
        ];
        self.name(
            i,
            if self.plane.is_some() { &EQUATIONS } else { &BODY },
            ["position constraint", "velocity constraint"],
        )
    }

    fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }

    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        interrupt::check(&self.interrupt, t)?;
        self.evaluate_residual(t, y, yp, residual)
    }

    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        interrupt::check(&self.interrupt, t)?;
        self.evaluate_jacobian(t, y, yp, c, values)
    }

    fn after_step(&mut self, history: &mut dyn History) -> Result<bool, EvalError> {
        Ok(self.continue_charts(history))
    }

    fn next_break(&mut self, t: f64) -> f64 {
        self.loads.break_state_mut().from(t)
    }

    fn pass_jump(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<bool, EvalError> {
        self.pass(t, y, yp)
    }

    fn weighs(&self) -> bool {
        true
    }

    fn weigh(&self, _y: &[f64], weights: &mut ErrorWeights<'_>) {
        let l = self.layout;
        let classes = self.sizes.classes(weights.step);
        let [x, e, mut v, mut w] = classes;
        if !l.stabilized {
            // Increments of h beta_0 u count beside those of positions.
            (v[1], w[1]) = (weights.relative * x[0] + x[1], weights.relative * e[0] + e[1]);
        }
        for (b, &inertia) in self.sizes.inertia.iter().enumerate() {
            [(l.x(b), x), (l.v(b), v)].into_iter().for_each(|(k, class)| sizes::put(weights, k, l.linear, class, 1.0));
            let half = self.charts.get(b).is_some_and(Chart::has_half_turns);
            let turn = if half { sizes::half_turn(e) } else { e };
            let turning = [(l.e(b), turn, 1.0), (l.w(b), w, 1.0), (l.h(b), w, inertia)];
            turning.into_iter().for_each(|(k, class, unit)| sizes::put(weights, k, l.angular, class, unit));
        }
        self.weigh_multipliers(weights);
        let angular = self.mechanism.drives_angular();
        for (drive, angular) in self.mechanism.drives.iter().zip(angular) {
            for (k, class) in if angular { [e, classes[3]] } else { [x, classes[2]] }.into_iter().enumerate() {
                let count = usize::from(k < drive.law.unknowns());
                sizes::put(weights, l.drive() + drive.first + k, count, class, 1.0);
            }
        }
        self.state_sizes.weigh(weights, l.state());
    }

    fn first_step(&self, _y: &[f64], yp: &[f64], relative: f64) -> f64 {
        let l = self.layout;
        let norm = |first: usize, count: usize| yp[first..first + count].iter().map(|a| a * a).sum::<f64>().sqrt();
        let largest = |of: &dyn Fn(usize) -> f64| (0..l.bodies).map(of).fold(0.0, f64::max);
        let bodies = self
            .sizes
            .first_step(relative, [largest(&|b| norm(l.v(b), l.linear)), largest(&|b| norm(l.w(b), l.angular))]);
        bodies.min(self.state_sizes.first_step(relative, &self.seconds))
    }

    fn second_order(&self, y: &[f64], yp: &[f64], ypp: &mut [f64]) -> Option<f64> {
        // Index 3 tests positions alone: long chains then renew the matrix more often (20 times in 60 steps of 1,500 rods against 15).
        // Not in a plane: behind starts at order 2 there, 5 of 3,000 random pulses were off by more than round-off allows, and none behind order 1.
        (self.layout.stabilized && !self.is_planar()).then(|| self.begin_at_order_2(y, yp, ypp))
    }

    fn defect(&mut self, t: f64, h: f64, order: usize, errors: &mut dyn StepErrors) -> f64 {
        self.defect_of_time(t, h, order, errors)
    }

    fn is_beside_singular(&mut self, t: f64, y: &[f64]) -> bool {
        let mechanism = Arc::clone(&self.mechanism);
        // Made for each question, so that the answer depends on nothing but the state and the rows kept.
        let Some(mut neighbourhood) = Neighbourhood::new(&mechanism) else { return false };
        let mut state = mechanism.start().clone();
        self.read(t, y, &mut state);
        neighbourhood.holds(&mechanism, &state)
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
        self.place(y);
        self.loads.watch(&self.mechanism, t, &self.poses, &self.tracked, arguments)
    }

    fn expected_sign(&self, k: usize) -> Option<i8> {
        self.loads.expected(&self.mechanism, k)
    }

    fn choose_sides(&mut self, t: f64, y: &[f64]) -> Result<(), EvalError> {
        self.place(y);
        self.loads.release();
        self.loads.choose(&self.mechanism, t, &self.poses, &self.tracked)
    }

    fn switch(&mut self, t: f64, y: &mut [f64], yp: &mut [f64], events: &[RootEvent]) -> Result<bool, EvalError> {
        self.turn(t, y, yp, events)
    }

    fn save(&self, store: &mut Vec<f64>) {
        store.extend(self.loads.sides());
        store.extend(self.loads.break_state().saved());
        for chart in &self.charts {
            store.extend_from_slice(chart.body.as_slice());
            store.push(chart.pole.map_or(-1.0, |pole| pole as f64));
        }
        for tracked in &self.tracked {
            store.extend([tracked.time, tracked.angle, tracked.rate]);
        }
        self.sizes.save(store);
        self.state_sizes.save(store);
        store.extend(self.layout.integrated.then_some(self.force));
    }

    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        let charts = 10 * self.charts.len();
        let (sides, store) = store.split_at(store.len().min(self.loads.sides().len()));
        let (break_state, store) = store.split_at(store.len().min(3));
        let tracked = charts + 3 * self.tracked.len();
        let stored = self.sizes.stored() + self.state_sizes.stored();
        if break_state.len() < 3 || store.len() != tracked + stored + usize::from(self.layout.integrated) {
            return Err(EvalError::Fatal {
                element: format!("mechanism \"{}\"", self.mechanism.name()),
                time: f64::NAN,
                reason: "the saved state belongs to another mechanism".to_owned(),
            });
        }
        self.loads.restore_sides(sides);
        self.loads.break_state_mut().restore([break_state[0], break_state[1], break_state[2]]);
        for (chart, saved) in self.charts.iter_mut().zip(store.chunks_exact(10)) {
            chart.body.copy_from_slice(&saved[..9]);
            chart.pole = [0, 1, 2].into_iter().find(|&k| saved[9] == k as f64);
        }
        for (angle, saved) in self.tracked.iter_mut().zip(store[charts..tracked].chunks_exact(3)) {
            *angle = Tracked { time: saved[0], angle: saved[1], rate: saved[2] };
        }
        let (sizes, rest) = store[tracked..].split_at(self.sizes.stored());
        let (states, force) = rest.split_at(self.state_sizes.stored());
        self.sizes.restore(sizes);
        self.state_sizes.restore(states);
        self.force = force.first().copied().unwrap_or(self.force);
        Ok(())
    }
}

impl Equations {
    fn name(&self, i: usize, body: &[&str], rows: [&str; 2]) -> String {
        let l = self.layout;
        if i < l.lambda() {
            format!("{} {}", self.mechanism.known_body(i / body.len()), body[i % body.len()])
        } else if i < l.mu() {
            format!("{} of {}", rows[0], self.row_name(i - l.lambda()))
        } else if i < l.drive() {
            format!("{} of {}", rows[1], self.row_name(i - l.mu()))
        } else {
            let name = self.mechanism.drive_unknown_name(i - l.drive());
            if i < l.state() { format!("coordinate of {name}") } else { name }
        }
    }

    fn row_name(&self, row: usize) -> String {
        match &self.plane {
            Some(plane) => plane.row_name(&self.mechanism, row),
            None => self.mechanism.row_name(row),
        }
    }
}
