//! Programs of the time between the times at which they switch.
use crate::{Binding, Expression, Program, Stack};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::f64::consts::PI;

fn program(text: &str) -> Program {
    Expression::parse(text).unwrap().bind(&mut |_| Some(Binding::Slot(0))).unwrap()
}

fn value(program: &Program, time: f64) -> f64 {
    program.evaluate(&[time], &mut Stack::new(program.depth()))
}

/// All times at which the program switches in [0, end), each piece compared with the program at places within it.
fn pieces(text: &str, end: f64) -> Vec<f64> {
    let program = program(text);
    let (mut from, mut times) = (0.0, Vec::new());
    let apart = 1e-9 * end;
    while from < end {
        let horizon = from + 0.05 * end;
        let piece = program.piece(0, from, apart, horizon);
        let to = piece.until.min(piece.known_to).min(end);
        let law = piece.law.unwrap_or_else(|| panic!("`{text}` is a sum"));
        for share in [0.01, 0.3, 0.62, 0.99] {
            let time = from + share * (to - from);
            let (expected, found) = (value(&program, time), law.value(time - from));
            assert!(
                (found - expected).abs() < 1e-11 * expected.abs().max(1.0),
                "`{text}` at {time}: {found}, {expected}"
            );
        }
        if piece.until == to && to < end {
            times.push(to);
        }
        from = to;
    }
    times
}

#[test]
fn smooth_formulas_are_sums_of_exponentials() {
    for text in [
        "3",
        "2*sin(2*pi*50*time) + 0.1*time",
        "time^3 - 2*(time - 1)*time/4",
        "exp(-time/0.3)*cos(7*time + 1)^2",
        "poly(time, 0.5, 1, -2, 3)",
        "shf(time, 0.1, 2, 30, 0.4, -1)",
        "sinh(time) + cosh(2*time)/exp(time)",
        "2^(-time/0.5) * (1 + time)",
        "sin(3*time)*sin(4*time)*cos(5 - time)",
    ] {
        assert!(pieces(text, 2.0).is_empty(), "{text}");
    }
    for text in ["sin(time^2)", "tanh(time)", "sqrt(1 + time)", "exp(-time^2)", "1/(1 + time)", "sin(sin(time))"] {
        assert_eq!(program(text).piece(0, 0.0, 1e-9, 1.0).law, None, "{text}");
    }
}

#[test]
fn switches_are_where_the_program_has_them() {
    assert_eq!(pieces("if(time > 0.5 and time <= 0.75, 3, time)", 2.0), [0.5, 0.75]);
    assert_eq!(pieces("step(time, 0.25, 1, 0.5, 3) + step5(time, 1, 0, 1.5, 2)", 2.0), [0.25, 0.5, 1.0, 1.5]);
    assert_eq!(pieces("havsin(time, 0.25, -1, 0.5, 1e3)", 1.0), [0.25, 0.5]);
    let close = |found: Vec<f64>, expected: &[f64]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        found.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-14, "{a} {b}"));
    };
    close(pieces("mod(time, 0.4)", 1.3), &[0.4, 0.8, 1.2]);
    close(pieces("floor(-2*time)", 1.2), &[0.5, 1.0]);
    close(pieces("sign(sin(2*pi*time))", 1.6), &[0.5, 1.0, 1.5]);
    close(pieces("max(sin(2*pi*time), 0.5)", 1.0), &[1.0 / 12.0, 5.0 / 12.0]);
    close(pieces("abs(cos(pi*time) - 2*time + 0.5)", 2.0), &[0.40180680601263286]);
    close(pieces("if(mod(time, 0.25) < 0.05, 1, 0)", 0.6), &[0.05, 0.25, 0.3, 0.5, 0.55]);
    close(pieces("if(sin(2*pi*time) > 2, 7, 1)", 3.0), &[]);
    // A condition on what is no sum is found by looking.
    let found = program("if(tanh(time) > 0.5, time, 0)").piece(0, 0.0, 1e-9, 1.0);
    assert!((found.until - 0.5f64.atanh()).abs() < 1e-15 && found.known_to == 1.0);
}

/// To a tenth of their width: the polynomials are expanded and lose digits there.
#[test]
fn narrow_places_are_found() {
    let until = |text: &str| program(text).piece(0, 0.0, 1e-9, 100.0).until;
    for (text, width) in [
        ("exp(-((time - 50)/1e-3)^2)", 1e-3),
        ("1/(1 + ((time - 50)/1e-6)^2)", 1e-6),
        ("tanh(1e5*(time - 50))", 1e-5),
        ("1/(1 + exp((50 - time)*1e4))", 1e-4),
        ("sqrt((time - 50)^2 + 1e-12)", 1e-6),
        ("1/cosh(1e6*(time - 50))", 1e-6),
    ] {
        assert!((until(text) - 50.0).abs() < 0.1 * width, "{text}: {}", until(text));
    }
}

#[test]
fn the_flip_is_the_number_at_which_the_program_flips() {
    for text in ["if(sin(2*pi*50*time) >= 0, 1, -1)", "if(time*3 >= 0.7, 1, -1)", "sign(cos(1e3*time + 0.1))"] {
        let program = program(text);
        let mut from = 0.0;
        for _ in 0..20 {
            let until = program.piece(0, from, 1e-12, 1.0).until;
            if !until.is_finite() {
                break;
            }
            assert_ne!(value(&program, until), value(&program, until.next_down()), "{text} at {until}");
            from = until;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(17), failure_persistence: None, ..ProptestConfig::default() })]

    /// Random sums and products of random waves, decays and powers, switched at random times.
    #[test]
    fn random_formulas_are_what_their_pieces_say(
        omega in 0.1..300.0f64, sigma in -20.0..3.0f64, phase in -PI..PI, a in -2.0..2.0f64, at in 0.01..0.99f64, kind in 0..6,
    ) {
        let wave = format!("sin({omega}*time + {phase})");
        let text = match kind {
            0 => format!("{a}*exp({sigma}*time)*{wave} + time"),
            1 => format!("if(time < {at}, {wave}^2, {a}*time^2)"),
            2 => format!("max({wave}, {a})*exp({sigma}*time)"),
            3 => format!("abs({wave}) + mod(time, {at})"),
            4 => format!("step(time, {at}, {wave}, 1.1, time)"),
            _ => format!("sign({wave} + {a})*time"),
        };
        pieces(&text, 1.0);
    }
}

/// Whether the laws of the pieces up to `end` are the program at 500 places evenly spread.
fn is_followed(text: &str, end: f64) -> Result<(), String> {
    let program = program(text);
    let places = (0..500).map(|i| end * (f64::from(i) + 0.4142135) / 500.0);
    let (mut from, mut to, mut law) = (0.0, 0.0, None);
    for time in places {
        while to < time {
            let piece = program.piece(0, to, 1e-9 * end, to + 0.05 * end);
            (from, to, law) = (to, piece.until.min(piece.known_to).min(2.0 * end), piece.law);
        }
        let (expected, found) = (value(&program, time), law.as_ref().ok_or("is a sum")?.value(time - from));
        if (found - expected).abs() > 1e-10 * expected.abs().max(1.0) {
            return Err(format!("`{text}` at {time}: {found}, {expected}"));
        }
    }
    Ok(())
}

/// What touches its switch at the peak of a sine stays on its side of it.
#[test]
fn switches_that_are_touched_do_not_hold() {
    for text in [
        "min(1, max(-1, sin(time)))",
        "floor(5 + 5*sin(2*pi*time))",
        "if(cos(time) <= 1, 2, 0)",
        "floor(128*sin(2*pi*time))/128",
        "max(2, 2*sin(time))",
        "ceil(3*cos(time))",
        "mod(1 + cos(time), 2)",
        "sign(cos(time) - 1)",
        "abs(1 - cos(time))",
        "if(sin(time)^2 < 1, time, -time)",
        "step(sin(time), -1, 0, 1, 1)",
    ] {
        is_followed(text, 20.0).unwrap();
    }
}

proptest! {
    /// The same of any frequency, phase and size, in seconds or in microseconds.
    #[test]
    fn saturated_and_quantized_sines_are_followed(
        which in 0..8_usize, omega in 0.3..9.0_f64, phase in prop_oneof![Just(0.0), 0.0..7.0_f64],
        size in prop_oneof![Just(1.0), 0.1..50.0_f64], unit in prop::sample::select(vec![1e-6, 1.0, 1e4]),
    ) {
        let wave = format!("sin({omega}*time/{unit} + {phase})");
        let texts = [
            format!("min({size}, max(-{size}, {size}*{wave}))"),
            format!("floor(3 + 3*{wave})"),
            format!("if({wave} <= 1, {size}, 0)"),
            format!("{size}*floor(32*{wave})/32"),
            format!("max({size}, {size}*{wave})"),
            format!("ceil(5*{wave})"),
            format!("mod(1 + {wave}, 2)"),
            format!("sign({size}*{wave} - {size})"),
        ];
        let followed = is_followed(&texts[which], 10.0 * unit);
        prop_assert!(followed.is_ok(), "{followed:?}");
    }
}
