//! Programs of the time between the times at which they switch.
use crate::expression::{Binding, Expression, Program, Stack};
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
