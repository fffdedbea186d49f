//! What a polygon in the place of the friction cone does: a point mass of 1 kg thrown flat with (2, 1) m/s, mu = 0.3.

use fourbar_contact::friction::{Cone, Polyhedral};
use fourbar_contact::problem::FrictionProblem;
use fourbar_contact::solver::{Lemke, Method as _};
use nalgebra::{DMatrix, Vector2};

use super::tools::*;

/// Time of the stop \[s\] and its place \[m\] by steps h: v+ = v + S_T, x+ = x + h (v + v+)/2.
fn stop(polygon: Polyhedral, mu: f64, h: f64) -> (f64, Vector2<f64>) {
    let (mut v, mut x, mut t) = (Vector2::new(2.0, 1.0), Vector2::zeros(), 0.0);
    while v.norm() > 1e-9 && t < 2.0 {
        let q = vec![-G * h, v.x, v.y].into();
        let problem = FrictionProblem::new(DMatrix::identity(3, 3), q, vec![Cone::coulomb(mu)]).unwrap();
        let solution = Lemke::default().solve(&polygon.lcp(&problem).unwrap());
        assert!(solution.solved());
        let s = polygon.impulses(&problem, &solution.z).unwrap();
        let after = v + Vector2::new(s[1], s[2]);
        // In the last step it moves on only until it stops.
        x += if after.norm() > 1e-9 { (v + after) * (0.5 * h) } else { v * (0.5 * v.norm() / (mu * G)) };
        (v, t) = (after, t + h);
    }
    (t, x)
}

#[test]
fn diamonds_and_boxes_bend_the_path() {
    let expected = &reference()["pyramid_stop_times"];
    let diamond = Polyhedral { directions: 4, turn: 0.0 };
    let end = [0, 1].map(|k: usize| expected["diamond_stop_xy"][k].as_f64().unwrap());
    // The box |f_i| <= mu N is the diamond turned by an eighth, sqrt(2) as large.
    let square = Polyhedral { directions: 4, turn: std::f64::consts::FRAC_PI_4 };
    for h in STEPS {
        let (time, at) = stop(diamond, 0.3, h);
        assert!((time - number(expected, "inscribed_diamond")).abs() <= h, "{time}");
        assert!((at - Vector2::from(end)).norm() <= 2.0 * h, "{at}");
        let (time, _) = stop(square, 0.3 * 2.0_f64.sqrt(), h);
        assert!((time - number(expected, "box")).abs() <= h, "{time}");
    }
}

#[test]
fn polygons_of_many_sides_approach_the_cone() {
    // Inscribed: at most 1 - cos(pi/d) of the strength is missing.
    let cone = number(&reference()["pyramid_stop_times"], "cone");
    let mut before = f64::INFINITY;
    for d in [4, 8, 16, 32] {
        let (time, _) = stop(Polyhedral { directions: d, turn: 0.0 }, 0.3, 2e-4);
        let missing = 1.0 - cone / (time - 1e-4);
        let most = 1.0 - (std::f64::consts::PI / d as f64).cos();
        assert!(missing <= most + 2e-4 && time <= before, "d = {d}: {missing:e}");
        before = time;
    }
}
