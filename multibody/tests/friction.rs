//! Friction at joints: derivatives, closed forms, independent integrations, redundant constraints.

mod closed_forms;
mod derivatives;
mod motion;
mod on_bases;
mod redundant;
mod released;

use fourbar_multibody::integrator::{Abam, Gstiff, Hht, Rkf45, Tolerance};
use fourbar_multibody::{Formulation, Method};

fn gstiff(tolerance: f64, formulation: Formulation) -> (Method, Formulation) {
    (Gstiff::with_tolerance(tolerance).into(), formulation)
}

/// Every formulation.
fn stiff(tolerance: f64) -> Vec<(Method, Formulation)> {
    [Formulation::Si2, Formulation::Si1, Formulation::I3].map(|f| gstiff(tolerance, f)).into()
}

/// Every formulation, and a method of each kind of equations.
fn methods(tolerance: f64) -> Vec<(Method, Formulation)> {
    let mut all = stiff(tolerance);
    // Of second order: with the tolerance of the others it would take a hundred times their steps.
    let coarse = Tolerance::uniform(100.0 * tolerance);
    all.push((Hht { tolerance: coarse, ..Hht::default() }.into(), Formulation::Si2));
    all.push((Abam::with_tolerance(tolerance).into(), Formulation::Si2));
    all.push((Rkf45::with_tolerance(tolerance).into(), Formulation::Si2));
    all
}
