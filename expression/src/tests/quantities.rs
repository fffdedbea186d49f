//! Numbers with units.
use super::*;
use fourbar_linalg::unit::{Dimension, Unit};
use proptest::prelude::*;

fn dimension(unit: &str) -> Dimension {
    Unit::parse(unit).expect("a unit").dimension
}

#[test]
fn a_number_with_its_unit_is_in_si_units() {
    let cases = [
        ("500 mm", 0.5),
        ("500mm", 0.5),
        ("-500 mm", -0.5),
        (" + 3 bar ", 3e5),
        ("1500 rpm", 50.0 * std::f64::consts::PI),
        ("90 deg", std::f64::consts::FRAC_PI_2),
        ("90\u{b0}", std::f64::consts::FRAC_PI_2),
        ("72 km/h", 20.0),
        ("5 kN/mm", 5e6),
        ("2 kg m^2", 2.0),
        ("10 l/min", 1.0 / 6e3),
        ("20 degC", 293.15),
        ("5 %", 0.05),
        ("2*500 mm + 3 [m/s]*2 s", 7.0),
        ("(90 deg)/2", std::f64::consts::FRAC_PI_4),
        ("90 deg/2", std::f64::consts::FRAC_PI_4),
        ("max(1 min, 2 s)", 60.0),
        ("if(3 mm < 1 cm and 1 m > 2 mm, 1, 0)", 1.0),
    ];
    for (text, expected) in cases {
        let value = parse(text).value().expect("a number");
        assert!((value - expected).abs() <= 1e-15 * expected.abs().max(1e-3), "{text}: {value}");
    }
}

#[test]
fn a_unit_of_something_else_is_refused() {
    let cases = [
        ("3 bar", "m", false),
        ("3 mm", "m", true),
        ("3 N m/deg", "N m", true),
        ("3 kg/s^2", "N/m", true),
        ("50 Hz", "rad/s", false),
        ("50 rev/s", "rad/s", true),
        ("2*3 bar", "m", true),
    ];
    for (text, wanted, fits) in cases {
        let mut expression = parse(text);
        expression.expect(dimension(wanted), wanted);
        let bound = expression.bind(&mut |_| None);
        assert_eq!(bound.is_ok(), fits, "{text} for {wanted}");
        if let Err(error) = bound {
            assert!(error.to_string().contains(&format!("where one in {wanted} is wanted")), "{error}");
        }
    }
}

#[test]
fn other_units_are_those_of_the_file() {
    // mm of m.
    let of_unit = |dimension: &Dimension| if dimension[1] == 1 { 1e-3 } else { 1.0 };
    let mut sum = parse("k*500 mm + x");
    sum.convert(1e-3, &|name| if name == "x" { 1e-3 } else { 1.0 }, &of_unit);
    let program = sum.bind(&mut |name| Some(Binding::Slot(usize::from(name == "x")))).expect("bound");
    // 2*500 mm + 0.25 m = 1.25 m.
    let value = program.evaluate(&[2.0, 0.25], &mut Stack::new(program.depth()));
    assert!((value - 1.25).abs() < 1e-15, "{value}");
}

proptest! {
    /// Whatever the number and the unit: the value is that of the unit, alone and within a longer text.
    #[test]
    fn units_of_numbers_are_units(
        number in -1e3..1e3f64,
        unit in prop::sample::select(vec!["mm", "kN", "kN/mm", "N m/deg", "g/cm^3", "l/min", "kW", "rpm", "degC", "m^2 kg"]),
    ) {
        let known = Unit::parse(unit).expect("a unit");
        let expected = number * known.factor + known.offset;
        let whole = parse(&format!("{number} {unit}"));
        prop_assert_eq!(whole.value(), Some(expected));
        let within = parse(&format!("0 + {} [{unit}]", number.abs())).value();
        prop_assert_eq!(within, Some(number.abs() * known.factor + known.offset));
        prop_assert!(whole.is_quantity());
    }
}
