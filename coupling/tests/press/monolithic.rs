//! The sheet's equations as one system: against the reference, and as the truth between its instants.

use std::sync::OnceLock;

use fourbar_coupling::Simulator;

use crate::press::machine::{Machine, SOLVER_STEP, file};

/// v1 and F1 on a grid of the solver step.
pub(crate) struct Truth {
    rows: Vec<[f64; 2]>,
    /// Largest |v1| and |F1|.
    pub(crate) scale: [f64; 2],
}

impl Truth {
    pub(crate) fn of(machine: Machine) -> &'static Self {
        static PRESS: OnceLock<Truth> = OnceLock::new();
        static ARM: OnceLock<Truth> = OnceLock::new();
        let cell = if machine == Machine::Press { &PRESS } else { &ARM };
        cell.get_or_init(|| Self::compute(machine))
    }

    fn compute(machine: Machine) -> Self {
        let mut system = machine.together(SOLVER_STEP);
        let (mut state, mut columns) = (machine.initial(), Vec::new());
        let n = (machine.end() / SOLVER_STEP).round() as usize;
        let mut rows = Vec::with_capacity(n + 1);
        for k in 0..=n {
            if k > 0 {
                system.step((k - 1) as f64 * SOLVER_STEP, SOLVER_STEP).unwrap();
                system.outputs(&mut state).unwrap();
            }
            machine.observe(&state, &mut columns);
            rows.push([columns[1], columns[2]]);
        }
        let scale = [0, 1].map(|i| rows.iter().map(|row: &[f64; 2]| row[i].abs()).fold(0.0, f64::max));
        Self { rows, scale }
    }

    /// v1 and F1 at any time, by the cubic through the four nearest grid points.
    pub(crate) fn at(&self, t: f64) -> [f64; 2] {
        let s = t / SOLVER_STEP;
        let first = (s.floor() as usize).saturating_sub(1).min(self.rows.len() - 4);
        let x = s - first as f64;
        let weight = |i: usize| {
            let others = (0..4).filter(|&j| j != i);
            others.map(|j| (x - j as f64) / (i as f64 - j as f64)).product::<f64>()
        };
        [0, 1].map(|c| (0..4).map(|i| weight(i) * self.rows[first + i][c]).sum())
    }
}

#[test]
fn the_equations_as_one_system_follow_the_reference_to_1e_8() {
    for machine in [Machine::Press, Machine::Arm] {
        let reference = &file("reference")[machine.name()];
        let numbers = |value: &serde_json::Value| -> Vec<f64> {
            value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
        };
        let (times, scale) = (numbers(&reference["t"]), numbers(&reference["scale"]));
        let mut system = machine.together(SOLVER_STEP);
        let (mut state, mut columns) = (machine.initial(), Vec::new());
        let mut largest = 0.0f64;
        for (k, expected) in reference["values"].as_array().unwrap().iter().enumerate() {
            if k > 0 {
                system.step(times[k - 1], times[k] - times[k - 1]).unwrap();
                system.outputs(&mut state).unwrap();
            }
            machine.observe(&state, &mut columns);
            for ((value, expected), scale) in columns.iter().zip(numbers(expected)).zip(&scale) {
                largest = largest.max((value - expected).abs() / scale);
            }
        }
        println!("{}: {largest:e}", machine.name());
        assert!(largest < 1e-8, "{}: {largest:e}", machine.name());
    }
}
