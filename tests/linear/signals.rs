//! Signals, stop times and settings on small systems with closed forms.

use super::{assert_near, at, run};
use fourbar::Error;
use fourbar::file::ModelFile;
use fourbar::linear::MethodName;
use fourbar::run::{Overrides, Run};
use std::f64::consts::TAU;

/// A lag of 0.5 s under the input that the text describes, with its output `y`.
fn lag(input: &str, simulation: &str) -> ModelFile {
    let text = format!(
        r#"
        type = "linear"
        simulation = {{ end = 2, output_step = 0.1, {simulation} }}
        input = [{{ name = "u", {input} }}]
        block = [{{ name = "lag", type = "lag", input = "u", time_constant = 0.5 }}]
        output = [{{ name = "y", from = "lag" }}, {{ name = "u", from = "u" }}]
        "#
    );
    ModelFile::parse("lag", text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_jump_between_steps_costs_nothing_whatever_the_method() {
    let exact = |t: f64| if t < 0.13 { 0.0 } else { 2.0 * (1.0 - (-(t - 0.13) / 0.5).exp()) };
    let step = r#"type = "step", time = 0.13, after = 2"#;
    let written = r#"type = "expression", value = "if(time > 0.13, 2, 0)""#;
    for (name, method) in MethodName::NAMES.into_iter().filter(|(name, _)| !["mtm4", "qam4"].contains(name)) {
        let overrides = Overrides { method: Some(method), ..Overrides::default() };
        for file in [lag(step, ""), lag(written, "stop_times = [0.13]")] {
            let (summary, table) = run(&file, &overrides);
            for time in [0.1, 0.2, 0.3, 1.0, 2.0] {
                assert!((at(&table, "y", time) - exact(time)).abs() < 1e-14, "{name} at {time}");
            }
            assert_eq!(summary.linear().unwrap().stops, 1, "{name}");
        }
    }
    // Without the stop time the jump is found.
    let (_, table) = run(&lag(written, ""), &Overrides::default());
    assert_near(at(&table, "y", 0.3), exact(0.3), 1e-14);
}

#[test]
fn tables_are_exact_for_first_order_and_jump_where_a_time_stands_twice() {
    let points = "[[0, 1], [0.25, 1], [0.75, 3], [0.75, -1], [1.5, 0]]";
    let file = lag(&format!(r#"type = "table", points = {points}"#), r#"method = "foh""#);
    let (_, table) = run(&file, &Overrides::default());
    // x' = (u - x)/T with u = a + b t has the solution u - b T + c e^{-t/T}.
    let piece = |x0: f64, u0: f64, slope: f64, t: f64| {
        let decay = (-t / 0.5_f64).exp();
        u0 + slope * t - 0.5 * slope + (x0 - u0 + 0.5 * slope) * decay
    };
    let x1 = piece(0.0, 1.0, 0.0, 0.25);
    let x2 = piece(x1, 1.0, 4.0, 0.5);
    let x3 = piece(x2, -1.0, 4.0 / 3.0, 0.75);
    assert_near(at(&table, "y", 0.2), piece(0.0, 1.0, 0.0, 0.2), 1e-14);
    assert_near(at(&table, "y", 0.7), piece(x1, 1.0, 4.0, 0.45), 1e-14);
    assert_near(at(&table, "y", 1.4), piece(x2, -1.0, 4.0 / 3.0, 0.65), 1e-14);
    assert_near(at(&table, "y", 2.0), piece(x3, 0.0, 0.0, 0.5), 1e-14);
    assert_near(at(&table, "u", 1.0), -2.0 / 3.0, 1e-15);
}

/// The error falls with the order that the family has: here T = 0.1 s and 0.05 s.
#[test]
fn a_sine_converges_with_the_order_of_the_method() {
    let file = lag(r#"type = "sine", amplitude = 3, frequency = 0.4, phase = "30 deg", offset = 1"#, "");
    let (w, phase) = (0.4 * TAU, TAU / 12.0);
    // x' = (u - x)/T: offset, the forced sine of gain 1/sqrt(1 + (wT)²) and lag atan(wT), and the transient.
    let forced = |t: f64| 1.0 + 3.0 / (0.5 * w).hypot(1.0) * (w * t + phase - (0.5 * w).atan()).sin();
    let exact = |t: f64| forced(t) - forced(0.0) * (-t / 0.5_f64).exp();
    for (method, order, expected) in [
        (MethodName::Algorithm1, 3, 4.0),
        (MethodName::Algorithm2, 3, 4.0),
        (MethodName::Algorithm1RealTime, 3, 3.0),
        (MethodName::Algorithm2RealTime, 2, 3.0),
    ] {
        let error = |step: f64| {
            let overrides =
                Overrides { step: Some(step), method: Some(method), order: Some(order), ..Overrides::default() };
            let (_, table) = run(&file, &overrides);
            table.times().iter().map(|t| (at(&table, "y", *t) - exact(*t)).abs()).fold(0.0, f64::max)
        };
        let observed = (error(0.1) / error(0.05)).log2();
        assert!((observed - expected).abs() < 0.4, "{}: order {observed}", method.name());
    }
}

#[test]
fn all_kinds_of_blocks_make_one_system() {
    // The same second-order system four ways: 4/(s² + 2 s + 4), poles -1 +- i sqrt(3).
    let file = ModelFile::parse(
        "oscillators",
        r#"
        type = "linear"
        parameters = { w = 2, damping = 0.5 }
        simulation = { end = 5, output_step = 0.5 }
        input = [{ name = "u", type = "step" }]

        [[block]]
        name = "polynomials"
        type = "transfer_function"
        input = "u"
        numerator = ["w^2"]
        denominator = [1, "2*damping*w", "w^2"]

        [[block]]
        name = "roots"
        type = "zeros_poles_gain"
        input = "u"
        poles = [["-damping*w", "w*sqrt(1 - damping^2)"]]
        gain = "w^2"

        [[block]]
        name = "matrices"
        type = "state_space"
        inputs = ["u"]
        a = [[0, 1], ["-w^2", "-2*damping*w"]]
        b = [[0], ["w^2"]]

        [[block]]
        name = "rate"
        type = "integrator"
        input = "force - 2*damping*w*rate"

        [[block]]
        name = "force"
        type = "gain"
        input = "u - place"
        gain = "w^2"

        [[block]]
        name = "place"
        type = "integrator"
        input = "rate"

        [[output]]
        name = "polynomials"
        from = "polynomials"

        [[output]]
        name = "roots"
        from = "roots"

        [[output]]
        name = "matrices"
        from = "matrices.1"

        [[output]]
        name = "loop"
        from = "place"

        [[output]]
        name = "exact"
        expression = "1 - exp(-time)*(cos(sqrt(3)*time) + sin(sqrt(3)*time)/sqrt(3))"
        "#,
    )
    .unwrap_or_else(|error| panic!("{error}"));
    let (summary, table) = run(&file, &Overrides::default());
    assert_eq!(summary.linear().unwrap().states, 8);
    for time in table.times() {
        for name in ["polynomials", "roots", "matrices", "loop"] {
            assert_near(at(&table, name, *time), at(&table, "exact", *time), 1e-13);
        }
    }
}

#[test]
fn a_rod_warms_by_what_flows_in() {
    // Insulated but for a flux of 2 at the left: the mean rises as 2 t/length; in one cell and in many.
    for cells in [1, 2, 50] {
        let text = format!(
            r#"
            type = "linear"
            simulation = {{ end = 3, output_step = 1 }}
            input = [{{ name = "q", type = "step", after = 2 }}]
            diffusion = {{ cells = {cells}, length = 4, diffusivity = 5, left = {{ flux = "q" }}, initial = "7 + 0*x" }}
            output = [{{ name = "left", at = 0 }}, {{ name = "right", at = 4 }}]
            "#
        );
        let file = ModelFile::parse("rod", text).unwrap_or_else(|error| panic!("{error}"));
        let (_, table) = run(&file, &Overrides::default());
        // Once the transient is over the profile is a parabola: at the right q t/L - q L/(6 D) + 7.
        let h = 4.0 / f64::from(cells);
        let right = 7.0 + 2.0 * 3.0 / 4.0 - 2.0 * 4.0 / (6.0 * 5.0);
        let tolerance = if cells == 1 { 0.5 } else { 0.1 * h * h + 1e-3 };
        assert_near(at(&table, "right", 3.0), right, tolerance);
        assert!(at(&table, "left", 3.0) >= at(&table, "right", 3.0));
        if cells == 1 {
            assert_near(at(&table, "left", 3.0), 7.0 + 2.0 * 3.0 / 4.0, 1e-10);
        }
    }
}

#[test]
fn outputs_without_a_value_are_warned_of() {
    let text = r#"
        type = "linear"
        simulation = { end = 1, output_step = 0.25 }
        input = [{ name = "u", type = "step" }]
        block = [{ name = "x", type = "integrator", input = "u" }]

        [[output]]
        name = "x"
        from = "x"

        [[output]]
        name = "ratio"
        expression = "(x - 0.5)/(x - 0.5)"
    "#;
    let (summary, _) = run(&ModelFile::parse("ratio", text).unwrap(), &Overrides::default());
    assert_eq!(summary.warnings, ["`ratio` is not finite at 1 of 5 outputs, first at t = 0.5 s"]);
}

#[test]
fn settings_of_mechanisms_are_refused() {
    let file = lag(r#"type = "step""#, "");
    let overrides = Overrides { max_steps: Some(7), ..Overrides::default() };
    let error = Run::new(file.document(), &overrides).unwrap_err();
    assert!(matches!(error, Error::NotForKind { setting: "max_steps", kind: "linear" }), "{error}");
    let pendulum = ModelFile::load(super::root("models/pendulum.toml")).unwrap();
    let overrides = Overrides { step: Some(0.1), ..Overrides::default() };
    let error = Run::new(pendulum.document(), &overrides).unwrap_err();
    assert!(matches!(error, Error::NotForKind { setting: "step", kind: "mechanism" }), "{error}");
}
