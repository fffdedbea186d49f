//! Inputs that solve a linear differential equation are stepped exactly, of any frequency and at any place; of others the error is told.

use super::{assert_near, at, column, root, run};
use fourbar::file::ModelFile;
use fourbar::results::Summary;
use fourbar::run::Overrides;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::f64::consts::TAU;

fn parse(text: &str) -> ModelFile {
    ModelFile::parse("model", text.to_owned()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A lag of `time_constant` under an input.
fn lag(input: &str, time_constant: f64, simulation: &str) -> ModelFile {
    parse(&format!(
        r#"
        type = "linear"
        simulation = {{ {simulation} }}
        input = [{{ name = "u", {input} }}]
        block = [{{ name = "lag", type = "lag", input = "u", time_constant = {time_constant:e} }}]
        output = [{{ name = "y", from = "lag" }}, {{ name = "u", from = "u" }}]
        "#
    ))
}

fn expression(text: &str) -> String {
    format!(r#"type = "expression", value = "{text}""#)
}

/// The lag of `tau` at rest under sin(omega t).
fn forced(tau: f64, omega: f64, t: f64) -> f64 {
    let (angle, z) = (omega * t, omega * tau);
    (angle.sin() - z * angle.cos() + z * (-t / tau).exp()) / (1.0 + z * z)
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().map(f64::abs).fold(0.0, f64::max)
}

/// One of the cases on whose defaults runs went wrong: 1001 Hz sampled a thousand times a second.
#[test]
fn a_sine_beside_the_sampling_rate_is_no_other_sine() {
    let file = ModelFile::load(root("tests/linear/cases/lin_lag_sine_1001Hz_default_step.toml")).unwrap();
    let (summary, table) = run(&file, &Overrides::default());
    let exact: Vec<f64> = table.times().iter().map(|t| forced(0.01, TAU * 1001.0, *t)).collect();
    let error = largest(column(&table, "y").iter().zip(&exact).map(|(y, exact)| y - exact));
    assert!(error < 1e-12 * largest(exact), "{error:e}");
    let statistics = summary.linear().unwrap();
    assert_eq!((statistics.steps, statistics.output_error), (1000, None));
    assert!(statistics.interpolated_inputs.is_empty() && summary.warnings.is_empty());
    // With a method of its own the file gets what it asks for, and is told what it is worth.
    let method = Some(fourbar::linear::MethodName::Algorithm1);
    let (summary, table) = run(&file, &Overrides { method, ..Overrides::default() });
    let wrong =
        largest(column(&table, "y").into_iter().zip(table.times()).map(|(y, t)| y - forced(0.01, TAU * 1001.0, *t)));
    let told = summary.linear().unwrap().output_error.unwrap() * largest(column(&table, "y"));
    assert!(wrong > 1e-3 && (told / wrong - 1.0).abs() < 1e-9, "{wrong} {told}");
    assert!(summary.warnings[0].contains("`u`") && summary.warnings[0].contains("`y`"), "{:?}", summary.warnings);
}

/// What a person writes first, each with the same signal put together from exact ones or from a closed form.
#[test]
fn square_waves_pulses_saws_and_rectifiers_are_exact() {
    for (text, mean) in [
        ("sign(sin(2*pi*5*time))", None),
        ("if(time > 50 and time < 50.001, 1000, 0)", None),
        ("mod(time, 0.1)", Some(0.05)),
        ("if(mod(time, 0.05) < 0.0125, 1, 0)", Some(0.25)),
        ("max(sin(2*pi*20*time), 0)", Some(1.0 / TAU * 2.0)),
        ("abs(sin(2*pi*5*time))", Some(4.0 / TAU)),
        ("exp(-time/0.02)*sin(2*pi*400*time)", None),
        ("1e-6*sin(2*pi*50*time) + 0.1e-6*time", None),
        ("floor(10*time)/10", None),
    ] {
        let coarse = run(&lag(&expression(text), 0.2, "end = 100, output_step = 0.5"), &Overrides::default());
        let fine =
            run(&lag(&expression(text), 0.2, "end = 100, output_step = 0.5, step = 0.004"), &Overrides::default());
        let size = largest(column(&fine.1, "y"));
        for (a, b) in column(&coarse.1, "y").into_iter().zip(column(&fine.1, "y")) {
            assert_near(a, b, 1e-11 * size);
        }
        assert_eq!(coarse.0.linear().unwrap().output_error, None, "{text}");
        if let Some(mean) = mean {
            let integral = parse(&format!(
                r#"
                type = "linear"
                simulation = {{ end = 100 }}
                input = [{{ name = "u", {} }}]
                block = [{{ name = "x", type = "integrator", input = "u" }}]
                output = [{{ name = "x", from = "x" }}]
                "#,
                expression(text)
            ));
            assert_near(at(&run(&integral, &Overrides::default()).1, "x", 100.0), 100.0 * mean, 1e-10);
        }
    }
    // The pulse of 1000 for 1 ms has the area 1.
    let (_, table) =
        run(&lag(&expression("if(time > 50 and time < 50.001, 1000, 0)"), 0.2, "end = 51"), &Overrides::default());
    let exact = 1000.0 * (-(51.0 - 50.001) / 0.2f64).exp() * -(-0.001 / 0.2f64).exp_m1();
    assert_near(at(&table, "y", 51.0), exact, 1e-12);
}

/// Twenty thousand pulses of 1 kHz between outputs: they share their matrices, and what round-off of their times is does not add up.
#[test]
fn a_train_of_pulses_is_exact_to_its_end() {
    let text = "if(mod(time, 0.001) < 0.0003, 1, 0)";
    let (summary, table) = run(&lag(&expression(text), 0.01, "end = 20, output_step = 0.0117"), &Overrides::default());
    let (gain, rise, period) = (|h: f64| (-h / 0.01).exp(), 0.0003, 0.001);
    // After k whole periods and s of the next.
    let exact = |t: f64| {
        let k = (t / period + 1e-9).floor();
        let s = (t - k * period).max(0.0);
        let begin = (gain(period - rise) - gain(period)) / (1.0 - gain(period)) * (1.0 - gain(k * period));
        let top = |s: f64| 1.0 + (begin - 1.0) * gain(s);
        if s < rise { top(s) } else { top(rise) * gain(s - rise) }
    };
    for (y, t) in column(&table, "y").into_iter().zip(table.times()) {
        assert_near(y, exact(*t), 2e-12);
    }
    assert!(summary.linear().unwrap().stops > 39_990);
}

/// Whether the run was told to be off by about what it is off, and warned.
fn judged(summary: &Summary, error: f64, size: f64) -> bool {
    let told = summary.linear().unwrap().output_error.unwrap() * size;
    told >= error / 3.0 && (summary.warnings.is_empty() || told > 1e-6 * size)
}

/// Sums of sines of the square of the time, a bell, a saturation, a root: nothing generates these. A run with twenty times the outputs is the reference.
#[test]
fn other_inputs_are_resolved_and_judged() {
    for text in [
        "sin(2*pi*(1 + 20*time)*time)",
        "exp(-((time - 1)/0.01)^2)",
        "tanh(50*(time - 0.7))",
        "sqrt(time)",
        "1/(1.1 + sin(40*time))",
    ] {
        let (summary, table) = run(&lag(&expression(text), 0.05, "end = 2, output_step = 0.1"), &Overrides::default());
        let tight = "end = 2, output_step = 0.1, step = 2e-5, order = 5";
        let (_, fine) = run(&lag(&expression(text), 0.05, tight), &Overrides::default());
        let size = largest(column(&fine, "y"));
        let error = largest(column(&table, "y").into_iter().zip(column(&fine, "y")).map(|(a, b)| a - b));
        assert!(error < 1e-8 * size, "{text}: {error:e} of {size:e}");
        assert!(summary.warnings.is_empty(), "{text}: {:?}", summary.warnings);
        assert_eq!(summary.linear().unwrap().interpolated_inputs, ["u"]);
        // At a step of the model's own the error is what it is, and it is told.
        for (order, step) in [(0, 0.1), (1, 0.1), (2, 0.05), (3, 0.05), (3, 0.01), (7, 0.1)] {
            let fixed = format!("end = 2, output_step = 0.1, step = {step}, order = {order}");
            let (summary, table) = run(&lag(&expression(text), 0.05, &fixed), &Overrides::default());
            let error = largest(column(&table, "y").into_iter().zip(column(&fine, "y")).map(|(a, b)| a - b));
            assert!(
                error < 1e-10 * size || judged(&summary, error, largest(column(&table, "y"))),
                "{text}, order {order}, step {step}: {error:e}, {:?}",
                summary.linear()
            );
        }
    }
}

/// Bells, resonances and saturations that are over within a ten-thousandth of a step: their integrals.
#[test]
fn narrow_places_are_not_stepped_over() {
    for (text, area) in [
        ("exp(-((time - 50.03)/1e-5)^2)", std::f64::consts::PI.sqrt() * 1e-5),
        ("exp(-(time - 50.03)^2/(2*2e-3^2))", TAU.sqrt() * 2e-3),
        ("1/(1 + ((time - 50.03)/1e-4)^2)", 1e-4 * ((49.97f64 / 1e-4).atan() + (50.03f64 / 1e-4).atan())),
        ("1 + tanh(1e6*(time - 50.03))", 2.0 * 49.97),
        ("1/cosh((time - 50.03)/1e-4)", std::f64::consts::PI * 1e-4),
    ] {
        let file = parse(&format!(
            r#"
            type = "linear"
            simulation = {{ end = 100 }}
            input = [{{ name = "u", {} }}]
            block = [{{ name = "x", type = "integrator", input = "u" }}]
            output = [{{ name = "x", from = "x" }}]
            "#,
            expression(text)
        ));
        let (summary, table) = run(&file, &Overrides::default());
        assert_near(at(&table, "x", 100.0), area, 1e-7 * area);
        assert!(summary.warnings.is_empty(), "{text}: {:?}", summary.warnings);
    }
}

/// The lag of `tau` under exp(-((t - center)/width)^2) from 0 on, from one of the equidistant times to the next by the Gauss-Legendre formula of five
/// points over quarters of the shorter of width and `tau`.
fn lag_under_bell(tau: f64, [center, width]: [f64; 2], times: &[f64]) -> Vec<f64> {
    const NODES: [[f64; 2]; 3] = [
        [0.0, 0.568_888_888_888_888_9],
        [0.538_469_310_105_683_1, 0.478_628_670_499_366_5],
        [0.906_179_845_938_664, 0.236_926_885_056_189_1],
    ];
    let integrand = |s: f64, t: f64| (-((s - center) / width).powi(2) - (t - s) / tau).exp() / tau;
    let (mut y, mut from) = (0.0, 0.0);
    let next = |to: &f64| {
        y *= (-(to - from) / tau).exp();
        // Beyond eight widths the bell is below 1e-27.
        let (a, b) = (f64::max(from, center - 8.0 * width), f64::min(*to, center + 8.0 * width));
        let count = ((b - a) / (0.25 * width.min(tau))).ceil().max(0.0);
        let half = 0.5 * (b - a) / count;
        for k in 0..count as usize {
            let middle = a + (2 * k + 1) as f64 * half;
            for [place, weight] in NODES {
                let both = integrand(middle - half * place, *to) + integrand(middle + half * place, *to);
                y += half * weight * if place == 0.0 { 0.5 * both } else { both };
            }
        }
        from = *to;
        y
    };
    times.iter().map(next).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(18), failure_persistence: None, ..ProptestConfig::default() })]

    /// Bells of any width beside the outputs are resolved between these: right to the digits that are printed, without a warning.
    #[test]
    fn bells_are_resolved_between_outputs(center in 0.0..2.0f64, width in -4.0..0.0f64, output_step in -3.0..0.0f64) {
        let (width, output_step) = (10f64.powf(width), 10f64.powf(output_step));
        let text = expression(&format!("exp(-((time - {center:?})/{width:e})^2)"));
        let (summary, table) = run(&lag(&text, 0.05, &format!("end = 2, output_step = {output_step:e}")), &Overrides::default());
        let exact = lag_under_bell(0.05, [center, width], table.times());
        let error = largest(column(&table, "y").into_iter().zip(&exact).map(|(a, b)| a - b));
        prop_assert!(error <= 1e-7 * largest(exact.clone()), "{text}, {output_step}: {error:e} of {:e}", largest(exact));
        prop_assert!(summary.warnings.is_empty(), "{text}, {output_step}: {:?}", summary.warnings);
    }
}

/// That of a reviewer, resolved only to 1.8 % once.
#[test]
fn the_small_beginnings_of_a_bell_do_not_use_up_its_parts() {
    let text = expression("exp(-((time - 1.3428)/1.576e-3)^2)");
    let (summary, table) = run(&lag(&text, 0.05, "end = 2, output_step = 0.1"), &Overrides::default());
    let exact = lag_under_bell(0.05, [1.3428, 1.576e-3], table.times());
    let error = largest(column(&table, "y").into_iter().zip(&exact).map(|(a, b)| a - b));
    assert!(error < 1e-9 * largest(exact) && summary.warnings.is_empty(), "{error:e} {:?}", summary.warnings);
    assert!(summary.linear().unwrap().steps < 500, "{:?}", summary.linear());
}

/// A frequency that is a multiple of the sampling rate, in an input that cannot be generated: all samples of a step are alike.
#[test]
fn an_alias_is_not_missed() {
    let text = "sin(2*pi*300*time + 1e-3*sin(time))";
    let (summary, table) = run(&lag(&expression(text), 0.05, "end = 1, output_step = 0.01"), &Overrides::default());
    let exact = |t: f64| forced(0.05, TAU * 300.0, t);
    let error = largest(column(&table, "y").into_iter().zip(table.times()).map(|(y, t)| y - exact(*t)));
    assert!(error < 2e-3 * largest(column(&table, "y")) && summary.warnings.is_empty(), "{error:e}");
    let fixed = "end = 1, output_step = 0.01, step = 0.01, order = 3";
    let (summary, _) = run(&lag(&expression(text), 0.05, fixed), &Overrides::default());
    assert!(summary.linear().unwrap().output_error.unwrap() > 0.1 && summary.warnings.len() == 1);
}

/// The rod of `cells` cells under an input at its left end.
fn rod(input: &str, cells: usize, simulation: &str) -> ModelFile {
    parse(&format!(
        r#"
        type = "linear"
        simulation = {{ {simulation} }}
        input = [{{ name = "u", {input} }}]
        diffusion = {{ cells = {cells}, length = 1, diffusivity = 0.3, left = {{ value = "u" }} }}
        output = [{{ name = "y", at = 0.1 }}, {{ name = "far", at = 1 }}]
        "#
    ))
}

#[test]
fn a_rod_follows_inputs_of_any_frequency() {
    for text in [
        "sin(2*pi*0.4*time)",
        "sin(2*pi*1001*time)",
        "exp(-3*time)*cos(2*pi*20*time)",
        "sign(sin(2*pi*3*time))",
        "exp(-40*time)",
    ] {
        let (summary, coarse) = run(&rod(&expression(text), 40, "end = 1, output_step = 0.1"), &Overrides::default());
        // The same by dense matrices: 40 cells in a chain.
        let dense = chain(&expression(text), 40);
        let (_, exact) = run(&dense, &Overrides::default());
        for name in ["y", "far"] {
            let size = largest(column(&exact, name));
            let (a, b) = (column(&coarse, name), column(&exact, name));
            let error = largest(a.iter().zip(&b).map(|(a, b)| a - b));
            let tolerance = if name == "y" { 1e-9 } else { 1e-7 };
            assert!(error < tolerance * size, "{text}, {name}: {error:e} of {size:e}, {:?}", summary.linear());
        }
        assert!(summary.warnings.is_empty(), "{text}: {:?}", summary.warnings);
    }
}

/// The same rod by its matrices.
fn chain(input: &str, cells: usize) -> ModelFile {
    let conductance = 0.3 * (cells * cells) as f64;
    let entry = |i: usize, j: usize| match i.abs_diff(j) {
        0 if i == 0 => -3.0 * conductance,
        0 if i + 1 == cells => -conductance,
        0 => -2.0 * conductance,
        1 => conductance,
        _ => 0.0,
    };
    let row =
        |values: Vec<f64>| format!("[{}]", values.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", "));
    let a: Vec<String> = (0..cells).map(|i| row((0..cells).map(|j| entry(i, j)).collect())).collect();
    let b: Vec<String> = (0..cells).map(|i| row(vec![if i == 0 { 2.0 * conductance } else { 0.0 }])).collect();
    let probe = |place: f64| {
        let position: f64 = place * cells as f64 - 0.5;
        let left = (position.floor() as usize).min(cells - 2);
        let weight = position - left as f64;
        row((0..cells)
            .map(|j| {
                if j == left {
                    1.0 - weight
                } else if j == left + 1 {
                    weight
                } else {
                    0.0
                }
            })
            .collect())
    };
    parse(&format!(
        r#"
        type = "linear"
        simulation = {{ end = 1, output_step = 0.1 }}
        input = [{{ name = "u", {input} }}]
        state_space = {{ a = [{}], b = [{}], c = [{}, {}] }}
        output = [{{ name = "y" }}, {{ name = "far" }}]
        "#,
        a.join(", "),
        b.join(", "),
        probe(0.1),
        probe(1.0)
    ))
}

/// The oscillator x'' + 2 d w x' + w² x = w² u from rest, u = Re e^(lambda (t - t0)) from t0 to t1, at t, in the plane of complex numbers: variation of
/// constants with the poles p and conj(p), h(t) = Im(e^(p t)) w²/Im(p). Its place, and what bounds its place and its
/// velocity over w.
fn oscillator(w: f64, damping: f64, [sigma, omega]: [f64; 2], [t0, t1]: [f64; 2], t: f64) -> [f64; 2] {
    type C = nalgebra::Complex<f64>;
    let p = C::new(-damping * w, w * (1.0 - damping * damping).sqrt());
    if t <= t0 {
        return [0.0; 2];
    }
    let span = t.min(t1) - t0;
    // int_0^span e^(p (t - t0 - s)) e^(lambda s) ds for lambda and its conjugate.
    let part = |lambda: C| {
        let gap = lambda - p;
        // (e^(gap span) - 1)/gap without cancellation.
        let z = gap * span;
        let quotient = if z.norm() < 1e-3 {
            (C::ONE + z / 2.0 * (C::ONE + z / 3.0 * (C::ONE + z / 4.0))) * span
        } else {
            (z.exp() - 1.0) / gap
        };
        (p * (t - t0)).exp() * quotient
    };
    let both = (part(C::new(sigma, omega)) + part(C::new(sigma, -omega))) * 0.5;
    [both.im * w * w / p.im, both.norm() * w * w / p.im]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 240, rng_seed: RngSeed::Fixed(17), failure_persistence: None, ..ProptestConfig::default() })]

    /// Bursts anywhere in a run, of frequencies from a thousandth to a million times the sampling rate, in units from 1e-9 to 1e9.
    #[test]
    fn bursts_of_any_frequency_are_exact(
        unit in -9.0..9.0f64, frequency in -3.0..6.0f64, fast in -2.0..2.0f64, damping in 0.01..0.9f64,
        growth in -30.0..2.0f64, places in (0.0..1.0f64, 0.0..1.0f64), amplitude in -9.0..9.0f64, kind in 0..4,
    ) {
        let end = 10f64.powf(unit);
        let (rate, w) = (40.0 / end, 10f64.powf(fast) * TAU / end);
        let omega = if kind == 0 { 0.0 } else { TAU * 10f64.powf(frequency) * rate };
        let sigma = if kind == 1 { 0.0 } else { growth / end };
        let (t0, t1) = (places.0.min(places.1) * end, places.0.max(places.1) * end);
        let size = 10f64.powf(amplitude);
        let burst = "if(time >= t0 and time < t1, size*exp(sigma*(time - t0))*cos(omega*(time - t0)), 0)";
        let file = parse(&format!(
            r#"
            type = "linear"
            parameters = {{ t0 = {t0:e}, t1 = {t1:e}, size = {size:e}, sigma = {sigma:e}, omega = {omega:e} }}
            simulation = {{ end = {end:e}, output_step = {step:e} }}
            input = [{{ name = "u", type = "expression", value = "{burst}" }}]
            state_space = {{ a = [[0, 1], [{stiffness:e}, {friction:e}]], b = [[0], [{gain:e}]], c = [[1, 0]] }}
            output = [{{ name = "x" }}]
            "#,
            step = end / 40.0, stiffness = -w * w, friction = -2.0 * damping * w, gain = w * w,
        ));
        let (summary, table) = run(&file, &Overrides::default());
        let exact: Vec<[f64; 2]> =
            table.times().iter().map(|t| oscillator(w, damping, [sigma, omega], [t0, t1], *t).map(|x| size * x)).collect();
        let error = largest(column(&table, "x").iter().zip(&exact).map(|(x, exact)| x - exact[0]));
        // The closed form knows the phase of the input to the round-off of the time.
        let conditioning = 1.0 + (omega + w) * end;
        let scale = largest(exact.iter().map(|exact| exact[1]));
        prop_assert!(error <= 4e-15 * conditioning * scale, "{error:e} of {scale:e}, {conditioning:e}");
        prop_assert!(summary.linear().unwrap().interpolated_inputs.is_empty());
    }
}

/// A chirp, a saturation, a resonance or a bell, by two numbers from 0 to 1.
fn smooth(kind: usize, a: f64, b: f64) -> String {
    match kind {
        0 => format!("sin(2*pi*({} + {}*time)*time)", 10f64.powf(3.0 * a - 1.0), 20.0 * b),
        1 => format!("tanh({}*(time - {}))", 10f64.powf(3.0 * a), 2.0 * b),
        2 => format!("1/({} + sin({}*time))", 1.05 + a, 10f64.powf(1.0 + 1.5 * b)),
        _ => format!("exp(-((time - {})/{:e})^2)", 2.0 * b, 10f64.powf(-3.0 * a)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(17), failure_persistence: None, ..ProptestConfig::default() })]

    /// What a run with a step and an order of its own is off, and what it says it is off, resolved or not.
    #[test]
    fn estimates_are_at_least_a_third_of_the_error(
        kind in 0usize..4, a in 0.0..1.0f64, b in 0.0..1.0f64, order in 0..8u32, halvings in 0..8,
    ) {
        let text = expression(&smooth(kind, a, b));
        let (summary, exact) = run(&lag(&text, 0.05, "end = 2, output_step = 0.1"), &Overrides::default());
        prop_assert!(summary.warnings.is_empty(), "{text}: {:?}", summary.warnings);
        let fixed = format!("end = 2, output_step = 0.1, step = {}, order = {order}", 0.1 / f64::from(1 << halvings));
        let (summary, table) = run(&lag(&text, 0.05, &fixed), &Overrides::default());
        let error = largest(column(&table, "y").into_iter().zip(column(&exact, "y")).map(|(a, b)| a - b));
        let told = summary.linear().unwrap().output_error.unwrap() * largest(column(&table, "y"));
        // The reference is within 1e-9 of the input's size.
        prop_assert!(error < 1e-8 || told > error / 3.0, "{text}, {fixed}: {told:e} of {error:e}");
    }
}
