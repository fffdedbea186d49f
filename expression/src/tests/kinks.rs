//! What holds at kinks, jumps and singular points.
use super::compile;
use crate::Stack;

/// Value, first and second derivative of an expression of x.
fn derivatives(text: &str, x: f64) -> [f64; 3] {
    let program = compile(text);
    program.time_derivatives(x, &mut Stack::new(program.depth()))
}

#[test]
fn kinks_take_the_derivative_from_the_right() {
    assert_eq!(derivatives("abs(x)", 0.0), [0.0, 1.0, 0.0]);
    assert_eq!(derivatives("abs(x)", -0.0), [0.0, 1.0, 0.0]);
    assert_eq!(derivatives("step(x, 1, 0, 3, 8)", 1.0), [0.0, 0.0, 12.0]);
    assert_eq!(derivatives("step(x, 1, 0, 3, 8)", 3.0), [8.0, 0.0, 0.0]);
    assert_eq!(derivatives("step5(x, 1, 0, 3, 8)", 1.0), [0.0, 0.0, 0.0]);
    assert_eq!(derivatives("step5(x, 1, 0, 3, 8)", 3.0), [8.0, 0.0, 0.0]);
    let curvature = std::f64::consts::PI.powi(2);
    assert_eq!(derivatives("havsin(x, 1, 0, 3, 8)", 1.0), [0.0, 0.0, curvature]);
}

#[test]
fn ties_go_to_the_first() {
    assert_eq!(derivatives("max(x, 0)", 0.0)[1], 1.0);
    assert_eq!(derivatives("max(0, x)", 0.0)[1], 0.0);
    assert_eq!(derivatives("min(x, 0)", 0.0)[1], 1.0);
    assert_eq!(derivatives("min(0, x)", 0.0)[1], 0.0);
    assert_eq!(derivatives("max(2 * x, x, -x)", 0.0)[1], 2.0);
}

#[test]
fn conditionals_take_the_derivative_of_their_branch() {
    assert_eq!(derivatives("if(x < 1, x^2, 3 * x)", 1.0), [3.0, 3.0, 0.0]);
    assert_eq!(derivatives("if(x <= 1, x^2, 3 * x)", 1.0), [1.0, 2.0, 2.0]);
    // The slope of ln at 0 is infinite, but it is not in the branch that is taken.
    assert_eq!(derivatives("if(x > 0, x * ln(x), 0 * x)", 0.0), [0.0, 0.0, 0.0]);
}

#[test]
fn jumps_have_no_slope() {
    for text in ["sign(x)", "floor(x)", "ceil(x)", "x > 0", "x == 0", "not x", "x and 1"] {
        assert_eq!(derivatives(text, 0.0)[1..], [0.0, 0.0], "{text}");
    }
    assert_eq!(derivatives("mod(x, 2)", 4.0), [0.0, 1.0, 0.0]);
    assert_eq!(derivatives("mod(x, -2)", -3.0), [-1.0, 1.0, 0.0]);
    assert_eq!(derivatives("mod(7, x)", 2.0), [1.0, -3.0, 0.0]);
}

#[test]
fn an_infinite_slope_meets_a_zero_derivative() {
    assert_eq!(derivatives("sqrt(max(0, x))", -1.0), [0.0, 0.0, 0.0]);
    assert_eq!(derivatives("max(0, x)^1.5", -1.0), [0.0, 0.0, 0.0]);
    assert_eq!(derivatives("sqrt(x)", 0.0)[..2], [0.0, f64::INFINITY]);
    assert_eq!(derivatives("hypot(x, 0 * x)", 0.0), [0.0, 0.0, 0.0]);
}

#[test]
fn stops_push_one_way_only() {
    // Touching with speed: neither force nor slope for an exponent above 1.
    assert_eq!(derivatives("impact(x, -3, 0, 10, 1.5, 2, 0.1)", 0.0), [0.0, 0.0, 0.0]);
    // Leaving faster than the stop follows: no pull.
    assert_eq!(derivatives("impact(x, 100, 0, 10, 1, 2, 0.1)", -0.05), [0.0, 0.0, 0.0]);
    let [force, slope, _] = derivatives("bistop(x, 0, -1, 1, 10, 2, 2, 0.1)", 1.5);
    assert_eq!([force, slope], [-2.5, -10.0]);
    for wrong in ["impact(x, 0, 1, 10, 1, 1, 0)", "bistop(x, 0, 2, 1, 10, 1, 1, 0.1)"] {
        assert!(derivatives(wrong, 0.5)[0].is_nan(), "{wrong}");
    }
}
