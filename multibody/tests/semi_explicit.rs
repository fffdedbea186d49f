//! Mechanisms as x' = f(t, x, a), 0 = g(t, x, a): with the a that satisfies g, f is that of partitioned coordinates, also off the constraints; what
//! depends on what; dg/da is regular.

use crate::support::linkages::Linkage;
use crate::support::runs::compile;
use crate::support::shafts::PLAIN;
use crate::user_states::slider;
use fourbar_multibody::Mechanism;
use fourbar_multibody::formulation::Partitioned;
use fourbar_multibody::ode::Ode;
use nalgebra::DMatrix;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

const T: f64 = 0.0;

fn golden(k: usize, seed: f64) -> f64 {
    2.0 * ((k as f64 + seed) * 0.618_033_988_75).fract() - 1.0
}

/// f, then g.
fn both(equations: &mut Partitioned, y: &[f64], a: &[f64]) -> Vec<f64> {
    let mut all = vec![0.0; y.len() + a.len()];
    let (yp, residual) = all.split_at_mut(y.len());
    equations.residual(T, y, a, yp, residual).expect("a residual");
    all
}

/// Off the constraints by `far`, in typical sizes of the unknowns.
fn check(mechanism: &Arc<Mechanism>, far: f64) {
    let mut equations = Partitioned::new(Arc::clone(mechanism), mechanism.start()).expect("equations");
    let (n, m) = (equations.dimension(), equations.algebraic_count());
    let (mut y, mut a, mut yp) = (vec![0.0; n], vec![0.0; m], vec![0.0; n]);
    equations.write(mechanism.start(), &mut y).expect("a start");
    let typical: Vec<f64> = equations.unknowns().iter().map(|unknown| unknown.typical).collect();
    (0..n).for_each(|k| y[k] += far * typical[k] * golden(k, 1.0));
    equations.solve_algebraic(T, &y, &mut a).expect("algebraic variables");
    equations.rhs(T, &y, &mut yp).expect("f");
    let variables = equations.algebraic_variables(&a);
    assert_eq!(variables.len(), m);
    assert!(variables.iter().all(|own| own.typical.is_finite() && own.typical > 0.0), "{variables:?}");
    let values = both(&mut equations, &y, &a);
    let speed = yp.iter().zip(&typical).fold(1.0_f64, |sum, (own, typical)| sum.max((own / typical).abs()));
    for k in 0..n {
        let off = (values[k] - yp[k]).abs() / typical[k];
        assert!(off < 1e-9 * speed, "{}: {} {}", equations.unknown_name(k), values[k], yp[k]);
    }
    // Balances are sums of forces that are far larger where masses and accelerations are.
    let sizes = sizes(mechanism, &variables, &a, speed);
    for (k, own) in variables.iter().enumerate() {
        let off = values[n + k].abs() / sizes[k];
        assert!(off < 1e-9, "{}: {} of {}", own.equation, values[n + k], sizes[k]);
    }
    matrix(&mut equations, &y, &a, &variables.iter().map(|own| own.typical).collect::<Vec<_>>());
}

/// What each residual is measured against.
fn sizes(
    mechanism: &Mechanism,
    variables: &[fourbar_multibody::formulation::AlgebraicVariable],
    a: &[f64],
    speed: f64,
) -> Vec<f64> {
    let length = mechanism.length();
    let largest = |unit: &str| {
        let of = variables.iter().zip(a).filter(|(own, _)| own.unit == unit);
        of.fold(0.0_f64, |sum, (own, a)| sum.max(a.abs()).max(own.typical))
    };
    let force = largest("N").max(largest("N*m") / length);
    let size = |unit: &str| match unit {
        "m" => length,
        "rad" => 1.0,
        "m/s" => length * speed,
        "rad/s" => speed,
        "m/s^2" => length * speed * speed + largest("m/s^2"),
        "rad/s^2" => speed * speed + largest("rad/s^2"),
        "N" => force,
        _ => force * length,
    };
    variables.iter().map(|own| size(own.equation_unit)).collect()
}

/// Differences: nothing is where the structure has nothing, and dg/da is regular.
fn matrix(equations: &mut Partitioned, y: &[f64], a: &[f64], typical: &[f64]) {
    let (n, m) = (y.len(), a.len());
    let structure = equations.structure();
    assert_eq!(structure.len(), n + m);
    let mut by_a = DMatrix::zeros(m, m);
    for column in 0..n + m {
        let step = 1e-6 * if column < n { equations.unknowns()[column].typical } else { typical[column - n] };
        let at = |equations: &mut Partitioned, sign: f64| {
            let (mut y, mut a) = (y.to_vec(), a.to_vec());
            if column < n {
                y[column] += sign * step
            } else {
                a[column - n] += sign * step
            }
            both(equations, &y, &a)
        };
        let (plus, minus) = (at(equations, 1.0), at(equations, -1.0));
        for row in 0..n + m {
            let known = structure[row].binary_search(&column).is_ok();
            assert!(known || plus[row] == minus[row], "row {row} depends on {column}: {} {}", plus[row], minus[row]);
            if row >= n && column >= n {
                by_a[(row - n, column - n)] = (plus[row] - minus[row]) / (2.0 * step) * typical[column - n];
            }
        }
    }
    // Rows in their own sizes.
    for mut row in by_a.row_iter_mut() {
        let largest = row.amax();
        assert!(largest > 0.0);
        row /= largest;
    }
    let singular = by_a.singular_values();
    assert!(singular.min() > 1e-9 * singular.max(), "{} {}", singular.min(), singular.max());
}

fn pendulum(friction: &Value) -> Value {
    let pivot = |body: &str| json!({"body": body, "orientation": {"z_axis": [0.2, 0.5, 1]}});
    json!({
        "gravity": [0, -9.81, 0],
        "body": [{"name": "arm", "mass": 2.0, "inertia": [0.1, 0.3, 0.2], "center_of_mass": [0.4, 0.1, 0], "angular_velocity": [0.4, 1, 2]},
            {"name": "bob", "mass": 1.0, "inertia": [0.02, 0.02, 0.02], "position": [1, 0, 0.2], "angular_velocity": [0.4, 1, 2]}],
        "joint": [{"name": "hinge", "type": "revolute", "i": pivot("arm"), "j": pivot("ground")},
            {"name": "ball", "type": "spherical", "i": "bob", "j": {"body": "arm", "position": [1, 0, 0.2]}}],
        "friction": friction,
        "force": [{"name": "spring", "type": "spring_damper", "i": "bob", "j": {"body": "ground", "position": [2, 2, 0]}, "stiffness": 100, "damping": 3, "free_length": 1}],
    })
}

#[test]
fn chains_with_and_without_friction() {
    check(&compile(&pendulum(&json!([]))), 1e-3);
    let rubs =
        json!([{"name": "rub", "joint": "hinge", "mu_dynamic": 0.2, "transition_velocity": 1e-2, "pin_radius": 0.05}]);
    check(&compile(&pendulum(&rubs)), 1e-3);
}

#[test]
fn motions_that_are_integrated_and_states_of_the_user() {
    let mut model = slider(2.0, 0.4);
    model["body"].as_array_mut().expect("bodies").push(json!({"name": "rotor", "mass": 1.0, "inertia": [1, 1, 1]}));
    model["joint"]
        .as_array_mut()
        .expect("joints")
        .push(json!({"name": "axle", "type": "revolute", "i": "rotor", "j": "ground"}));
    model["motion"] = json!([{"name": "spin", "joint": "axle", "acceleration": "1 + 0.2*x + s"}]);
    for motion in [
        json!([{"name": "spin", "joint": "axle", "acceleration": "1 + time"}]),
        json!([{"name": "spin", "joint": "axle", "velocity": "3 - time"}]),
    ] {
        model["motion"] = motion;
        check(&compile(&model), 1e-3);
    }
}

#[test]
fn rolling_holds_velocities_alone() {
    let plane = json!({"body": "ground", "orientation": {"z_axis": [0, 0, 1], "x_axis": [1, 0, 0]}});
    let model = json!({
        "gravity": [1, 0, -9.81],
        "body": [{"name": "ball", "mass": 2.0, "inertia": [0.01, 0.01, 0.01], "position": [0, 0, 0.1], "velocity": [0.3, 0, 0], "angular_velocity": [0, 3, 0.5]}],
        "rolling": [{"name": "touch", "shape": "sphere", "radius": 0.1, "i": "ball", "j": plane}],
    });
    check(&compile(&model), 1e-3);
}

#[test]
fn gears_and_couplers() {
    let d = PLAIN;
    let axis = [0.0, 0.0, 1.0];
    let places = [[0.0, 0.0, 0.0], [0.4, 0.0, 0.0]];
    let names = ["one", "two"];
    let bodies: Vec<Value> = names.iter().zip(places).map(|(name, at)| d.body(name, at, 1.0, 0.1)).collect();
    let joints: Vec<Value> = names
        .iter()
        .zip(places)
        .map(|(name, at)| json!({"name": format!("{name} axle"), "type": "revolute", "i": d.marker(name, at, axis), "j": d.marker("ground", at, axis)}))
        .collect();
    let model = json!({
        "body": bodies, "joint": joints,
        "coupler": [{"name": "belt", "joints": [{"joint": "one axle", "ratio": 1}, {"joint": "two axle", "ratio": -2}]}],
        "force": [{"name": "push", "type": "torque", "i": "one", "value": [0, 0, "2*cos(time)"]}],
    });
    check(&compile(&model), 1e-3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// Three redundant rows each.
    #[test]
    fn linkages(linkage in Linkage::any()) {
        let mechanism = Arc::new(Mechanism::compile(&linkage.model()).expect("a mechanism"));
        check(&mechanism, 1e-3);
    }
}
