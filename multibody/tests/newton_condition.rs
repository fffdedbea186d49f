//! The scaled Newton matrix as the step goes to zero (integrators.md, section 3; Petzold and Lötstedt, SIAM J. Sci. Stat. Comput. 7 (1986) 720):
//! its condition stays what it is at usual steps.

use crate::small_systems::andrews::{Andrews, Form};
use crate::small_systems::pendulum::{Index, Pendulum};
use crate::support::linkages::{Follower, Linkage};

use fourbar_multibody::dae::Dae;
use fourbar_multibody::{Equations, Formulation, Mechanism};
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

/// How a row of F scales: those with derivatives of positions and of velocities, those of momenta, and those without any.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Kinematic,
    Dynamic,
    Momentum,
    Constraint,
}

/// Powers of h beta_0 by which rows are multiplied, in index 3 and in a stabilized form.
fn power(row: Row, index_3: bool) -> i32 {
    match (row, index_3) {
        (Row::Dynamic, true) => 2,
        (Row::Kinematic | Row::Dynamic, _) | (Row::Momentum, true) => 1,
        _ => 0,
    }
}

/// Condition of the matrix with c = 1/`step`, rows scaled so, unknowns by their [`scale_power`](fourbar_multibody::dae::Unknown::scale_power).
fn condition(dae: &mut impl Dae, (y, yp): (&[f64], &[f64]), step: f64, rows: &[Row], index_3: bool) -> f64 {
    let n = dae.dimension();
    let mut values = vec![0.0; dae.pattern().nnz()];
    dae.jacobian(0.0, y, yp, 1.0 / step, &mut values).expect("the matrix");
    let mut matrix = DMatrix::<f64>::zeros(n, n);
    for ((column, row), value) in dae.pattern().entries().zip(&values) {
        let of_unknown = step.powi(-i32::from(dae.unknowns()[column].scale_power));
        matrix[(row, column)] += value * of_unknown * step.powi(power(rows[row], index_3));
    }
    let sizes: DVector<f64> = matrix.singular_values();
    sizes.max() / sizes.min()
}

/// Condition at h beta_0 of 1e-2, 1e-3, ... 1e-8.
fn conditions(dae: &mut impl Dae, point: (&[f64], &[f64]), rows: &[Row], index_3: bool) -> Vec<f64> {
    (2..=8).map(|power| condition(dae, point, 10_f64.powi(-power), rows, index_3)).collect()
}

/// The largest over the smallest of steps of 1e-3 s and below. A step of 1e-2 s is longer than the vibrations of Andrews' mechanism on its spring,
/// and stiffness makes its matrix another one, of a smaller condition.
fn growth(conditions: &[f64]) -> f64 {
    let most = conditions.iter().copied().fold(0.0, f64::max);
    most / conditions[1..].iter().copied().fold(f64::INFINITY, f64::min)
}

fn text(conditions: &[f64]) -> String {
    conditions.iter().map(|condition| format!("{condition:.1e} ")).collect()
}

fn rows(coordinates: usize, dimension: usize) -> Vec<Row> {
    let row = |k: usize| match k / coordinates {
        0 => Row::Kinematic,
        1 => Row::Dynamic,
        _ => Row::Constraint,
    };
    (0..dimension).map(row).collect()
}

fn of_pendulum(index: Index) -> Vec<f64> {
    let mut system = Pendulum::system(index, 9.81);
    let (y, yp) = system.equations.rest();
    conditions(&mut system, (&y, &yp), &rows(2, y.len()), index == Index::Three)
}

fn of_andrews(form: Form) -> Vec<f64> {
    let (y, yp) = Andrews::start(form);
    conditions(&mut Andrews::system(form), (&y, &yp), &rows(7, y.len()), form == Form::I3)
}

/// Three bodies of 15 unknowns, four revolute joints of which three rows are redundant, turning.
fn of_four_bar(formulation: Formulation) -> Vec<f64> {
    let follower = Follower::Rocker { length: 3.0, pivot: 4.0 };
    let linkage = Linkage { follower, turn: None, gravity: [0.0, -9.81], ..Linkage::slider_crank(1.0) };
    let mechanism = Arc::new(Mechanism::compile(&linkage.model()).expect("it compiles"));
    let mut equations = Equations::new(Arc::clone(&mechanism), formulation, mechanism.start());
    let n = equations.dimension();
    let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
    equations.write(mechanism.start(), &mut y, &mut yp);
    let row = |k: usize| match (k < 45, k % 15) {
        (true, 0..6) => Row::Kinematic,
        (true, 6..12) => Row::Dynamic,
        (true, _) => Row::Momentum,
        _ => Row::Constraint,
    };
    let rows: Vec<Row> = (0..n).map(row).collect();
    conditions(&mut equations, (&y, &yp), &rows, formulation == Formulation::I3)
}

#[test]
fn the_scaled_matrix_stays_well_conditioned_as_the_step_goes_to_zero() {
    let found = [
        ("pendulum SI2", of_pendulum(Index::Stabilized)),
        ("pendulum SI1", of_pendulum(Index::Integrated)),
        ("pendulum I3", of_pendulum(Index::Three)),
        ("four-bar SI2", of_four_bar(Formulation::Si2)),
        ("four-bar SI1", of_four_bar(Formulation::Si1)),
        ("four-bar I3", of_four_bar(Formulation::I3)),
        ("Andrews SI2", of_andrews(Form::Si2)),
        ("Andrews SI1", of_andrews(Form::Si1)),
        ("Andrews I3", of_andrews(Form::I3)),
    ];
    for (name, conditions) in &found {
        println!("{name}: {}", text(conditions));
    }
    for (name, conditions) in &found {
        assert!(growth(conditions) < 10.0, "{name}: {}", text(conditions));
    }
}
