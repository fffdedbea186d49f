//! Mechanisms against closed forms and reference solutions, and the Newton matrix against differences of the residual.

mod jacobian;
use crate::machines;
use crate::matrices;
mod newton_matrix;
mod orientation;
mod partitioned;
mod reactions;
mod redundancy;
mod references;
mod scenes;

use fourbar::multibody::integrator::{Gstiff, Stop};
use fourbar::multibody::{Dynamics, DynamicsOptions, EnergyBalance, Formulation, Mechanism, Method, Model, Violation};
use std::sync::Arc;

/// One run with its measures at the given times and the maxima over its steps.
struct Run {
    samples: Vec<Vec<f64>>,
    violation: Violation,
    energy: EnergyBalance,
    dynamics: Dynamics,
}

impl Run {
    fn value(&self, sample: usize, measure: &str) -> f64 {
        let infos = self.dynamics.mechanism().measures();
        let at = infos.iter().position(|m| m.name == measure).unwrap_or_else(|| panic!("no measure {measure}"));
        self.samples[sample][at]
    }
}

fn run_with(model: &Model, formulation: Formulation, method: impl Into<Method>, times: &[f64]) -> Run {
    let mechanism = Arc::new(Mechanism::compile(model).expect("the model compiles"));
    let end = times.iter().copied().fold(0.0, f64::max);
    let options = DynamicsOptions { formulation, method: method.into(), end, stop_times: times.to_vec() };
    let mut dynamics = Dynamics::new(&mechanism, &options).expect("the run starts");
    let mut run_samples = Vec::new();
    let mut violation = Violation::default();
    let mut values = vec![0.0; mechanism.measures().len()];
    let mut next = times.iter().peekable();
    loop {
        while let Some(&&t) = next.peek() {
            if t > dynamics.time() {
                break;
            }
            dynamics.measures_at(t, &mut values).expect("measures");
            run_samples.push(values.clone());
            next.next();
        }
        if next.peek().is_none() {
            break;
        }
        let stop = dynamics.step().unwrap_or_else(|error| panic!("{error}"));
        dynamics.account_energy().expect("energy");
        violation = violation.max(dynamics.violation().expect("violation"));
        assert!(stop != Stop::EndTime || dynamics.time() == end);
    }
    let energy = dynamics.energy().expect("energy");
    Run { samples: run_samples, violation, energy, dynamics }
}

fn run(model: &Model, formulation: Formulation, tolerance: f64, times: &[f64]) -> Run {
    run_with(model, formulation, Gstiff::with_tolerance(tolerance), times)
}

/// Reference solutions.
fn reference(name: &str) -> serde_json::Value {
    let all: serde_json::Value =
        serde_json::from_str(include_str!("../reference/multibody/references.json")).expect("the file is JSON");
    all[name].clone()
}

/// A number, which the reference file writes as such or as a string of more digits.
fn number(value: &serde_json::Value) -> f64 {
    value
        .as_f64()
        .or_else(|| value.as_str().and_then(|s| s.parse().ok()))
        .unwrap_or_else(|| panic!("no number: {value}"))
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(number).collect()
}
