//! Times at which programs jump or bend.
use proptest::prelude::*;

use super::{compile, evaluate};
use crate::Break;

fn breaks(text: &str) -> Vec<Break> {
    compile(text).breaks(0)
}

/// All breaks from t = 0 to 3.
fn listed(text: &str) -> Vec<f64> {
    let all = breaks(text);
    let mut times: Vec<f64> = vec![];
    let mut t = 0.0;
    loop {
        t = all.iter().map(|each| each.from(t)).fold(f64::INFINITY, f64::min);
        if t > 3.0 {
            return times;
        }
        times.push(t);
        t = t.next_up();
    }
}

#[test]
fn conditions_on_the_time_are_found_where_they_switch() {
    assert_eq!(listed("if(time < 0.1, 1, 0.1)"), [0.1]);
    assert_eq!(listed("if(2*(time - 0.5) >= 1, 1, 0)"), [1.0]);
    assert_eq!(listed("if(time > 1 and time < 2, time, if(time < 2.5, 3, 4))"), [1.0, 2.0, 2.5]);
    assert_eq!(listed("mod(time, 1)"), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(listed("if(mod(time - 0.25, 1)/1 < 0.5, 1, 0)"), [0.25, 0.75, 1.25, 1.75, 2.25, 2.75]);
    assert_eq!(
        listed("if(mod(1 - 2*time, 1) < 0.25, 1, 0)"),
        [0.0, 0.375, 0.5, 0.875, 1.0, 1.375, 1.5, 1.875, 2.0, 2.375, 2.5, 2.875, 3.0]
    );
    assert_eq!(listed("floor(2*time)"), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
    assert_eq!(listed("sign(2 - time) + abs(time - 1)"), [1.0, 2.0]);
    assert_eq!(listed("1 - 0.9*min(1, (time - 0.5)*4)"), [0.75]);
    assert_eq!(listed("step(time, 0.5, 0, 1.5, 1)"), [0.5, 1.5]);
    // A hat and a trapezoid: also where what bends is one of several ramps.
    assert_eq!(listed("max(0, 1 - abs(time - 1.5))"), [0.5, 1.5, 2.5]);
    assert_eq!(listed("max(0, min(1, min(4*(time - 0.5), 4*(2.5 - time))))"), [0.5, 0.75, 1.5, 2.25, 2.5]);
}

proptest! {
    /// Square waves of a sine, of any frequency, phase, threshold and size, written in several ways.
    #[test]
    fn sines_cross_constants_where_they_are_told_to(
        b in 0.5..20.0f64, back in any::<bool>(), a in -7.0..7.0f64, level in -0.99..0.99f64, size in -3.0..3.0f64, cosine in any::<bool>(), form in 0..4usize,
    ) {
        let (b, size) = (if back { -b } else { b }, 10.0_f64.powf(size));
        let (function, phase) = if cosine { ("cos", a) } else { ("sin", a) };
        let wave = format!("{size:?}*{function}({phase:?} + {b:?}*time)");
        let limit = level * size;
        let text = match form {
            0 => format!("if({wave} > {limit:?}, 1, -1)"),
            1 => format!("if({limit:?} > {wave}, -1, 1)"),
            2 => format!("sign({wave} - {limit:?})"),
            _ => format!("-sign({limit:?} - {wave})"),
        };
        let program = compile(&text);
        prop_assert!(!program.hides_breaks(0));
        let times = listed(&text);
        for pair in times.windows(2).filter(|pair| pair[1] - pair[0] > 1e-9) {
            // Between two breaks it is constant, behind the second it is another.
            let at = |t: f64| evaluate(&text, &[t]);
            let inside = pair[1] - pair[0];
            prop_assert_eq!(at(pair[0] + 1e-6 * inside), at(pair[1] - 1e-6 * inside), "{} {:?}", text, pair);
            prop_assert_ne!(at(pair[1] - 1e-6 * inside), at(pair[1] + 1e-6 * inside), "{} {:?}", text, pair);
        }
        prop_assert!(times.len() as f64 >= 2.0 * (3.0 * b.abs() / std::f64::consts::TAU).floor());
    }
}

#[test]
fn what_depends_on_more_than_the_time_is_left_out() {
    assert_eq!(breaks("if(time > p, 1, 0)"), []);
    assert_eq!(breaks("sin(time)"), []);
    assert_eq!(breaks("2 * time + 1"), []);
    assert_eq!(breaks("if(time*time < 2, 1, 0)"), []);
}

#[test]
fn conditions_bent_in_time_are_told() {
    for text in [
        "if(sin(31*time) + time < 0.5, 1, 0)",
        "max(time, sin(31*time))",
        "floor(time^2)",
        "mod(sin(time), 0.1)",
        "floor(mod(time, 0.5))",
        "step(time*time, 1, 0, 2, 1)",
        "0*time + if(p > 1, if(cos(time^2) > 0, 1, 0), 0)",
        "if(if(time < 1, sin(time), 1) > 0.5, 1, 0)",
        "if(time < p, 1, 0)",
    ] {
        assert!(compile(text).hides_breaks(0), "{text}");
    }
    for text in [
        "if(time < 0.5, sin(31*time), 0)",
        "sign(sin(31*time))",
        "max(0, sin(31*time))",
        "if(if(time < 1, 0, 1) > 0.5, 1, 0)",
        "if(floor(2*time) > 3, 1, 0)",
        "if(mod(time, 0.02) < 0.005, 1, 0)",
        "0*time + max(0, p)",
        "sin(time) * abs(p)",
        "step(time, 0.1, 0, 0.2, 1)",
    ] {
        assert!(!compile(text).hides_breaks(0), "{text}");
    }
}

proptest! {
    /// Wherever the value changes by a jump, a break lies between.
    #[test]
    fn no_jump_of_a_pulse_is_missed(
        begin in -1.0..2.0f64, period in 0.05..1.0f64, share in 0.05..0.95f64, slope in 0.2..3.0f64, from in 0.0..3.0f64,
    ) {
        let text = format!("if(mod({slope:?}*time - {begin:?}, {period:?})/{period:?} < {share:?}, 1, 2)");
        let all = breaks(&text);
        let mut t = from;
        for _ in 0..20 {
            let next = all.iter().map(|each| each.from(t.next_up())).fold(f64::INFINITY, f64::min);
            prop_assert!(next > t && next <= t + period / slope * (1.0 + 1e-9));
            // Constant in between, and another value on the other side.
            let near = 1e-6 * (next - t);
            prop_assert_eq!(evaluate(&text, &[t + near + 1e-12]), evaluate(&text, &[next - near - 1e-12]));
            prop_assert!(evaluate(&text, &[next - 1e-9]) != evaluate(&text, &[next + 1e-9]));
            t = next;
        }
    }
}
