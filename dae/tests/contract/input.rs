//! What is refused at the start: numbers, lengths, options, points off the constraints.

use super::{cosine_from, methods, try_begin};
use crate::support::ode::system;
use crate::support::pendulum::{Index, Pendulum};
use fourbar_dae::integrator::Method;
use fourbar_dae::integrator::{
    Abam, Absolute, ConstantBdf, Error, Gstiff, KindTable, NewtonOptions, Rkf45, StepLimits, Tolerance,
};
use fourbar_dae::{EvalError, Kind};

/// The error of a start at t = 0.
fn refusal(method: &Method, y: &[f64], yp: &[f64], end: f64) -> Error {
    match cosine_from(method, [y, yp], end) {
        Ok(_) => panic!("{} must refuse it", method.name()),
        Err(error) => error,
    }
}

#[test]
fn bad_starts_are_refused() {
    let (y, yp) = ([1.0, 1.0], [0.0, 0.0]);
    for method in methods() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let error = refusal(&method, &[1.0, bad], &yp, 1.0);
            assert!(matches!(&error, Error::NotFinite { name, .. } if name.ends_with('1')), "{error}");
            if !method.takes_ode() {
                let error = refusal(&method, &y, &[bad, 0.0], 1.0);
                assert!(matches!(&error, Error::NotFinite { name, .. } if name == "y0"), "{error}");
            }
        }
        assert!(matches!(refusal(&method, &y[..1], &yp, 1.0), Error::Length { given: 1, needed: 2, .. }));
        assert!(matches!(refusal(&method, &y, &yp, -1.0), Error::EndBeforeStart { .. }));
        assert!(matches!(refusal(&method, &y, &yp, f64::NAN), Error::NotFinite { .. }));
        let mut run = cosine_from(&method, [&y, &yp], 1.0).expect("a start");
        assert!(matches!(run.restart(0.5, &[1.0], &[0.0; 2]), Err(Error::Length { .. })), "{}", method.name());
    }
}

/// Limits and tolerances that every method checks by name.
#[test]
fn bad_limits_and_tolerances_are_refused() {
    let limits = StepLimits::default();
    let bad_limits = [
        ("first step", StepLimits { first: -1.0, ..limits }),
        ("smallest step", StepLimits { smallest: f64::NAN, ..limits }),
        ("largest step", StepLimits { largest: 0.0, ..limits }),
        ("largest step", StepLimits { largest: 1.0, smallest: 2.0, ..limits }),
        ("largest number of steps", StepLimits { limit: 0, ..limits }),
    ];
    let limits = bad_limits.map(|(option, step)| (option, super::methods_with(step, 1e-6)));
    let tolerances = [0.0, f64::NAN, 1.0]
        .map(|relative| ("relative tolerance", super::methods_with(StepLimits::default(), relative)));
    for (option, methods) in limits.into_iter().chain(tolerances) {
        for method in methods {
            let error = refusal(&method, &[1.0, 1.0], &[0.0; 2], 1.0);
            assert!(
                matches!(&error, Error::Option { name, .. } if name == option),
                "{}, {option}: {error}",
                method.name()
            );
        }
    }
}

#[test]
fn bad_options_of_single_methods_are_refused() {
    let newton = NewtonOptions::default();
    let gstiff = Gstiff::default;
    let bad_methods: [(&str, Method); 9] = [
        ("highest order", Gstiff { order_max: 0, ..gstiff() }.into()),
        ("highest order", Gstiff { order_max: 7, ..gstiff() }.into()),
        ("highest order", Abam { order_max: 13, ..Abam::default() }.into()),
        ("Newton fraction", Gstiff { newton: NewtonOptions { fraction: 0.5, ..newton }, ..gstiff() }.into()),
        (
            "number of Newton iterations",
            Gstiff { newton: NewtonOptions { iterations: 1, ..newton }, ..gstiff() }.into(),
        ),
        ("matrix age", Gstiff { newton: NewtonOptions { matrix_age: 0, ..newton }, ..gstiff() }.into()),
        ("fixed order", ConstantBdf::new(0.1, 7).into()),
        ("fixed step", ConstantBdf::new(f64::INFINITY, 2).into()),
        ("fixed step", Rkf45 { fixed: Some(0.0), ..Rkf45::default() }.into()),
    ];
    for (option, bad) in bad_methods {
        let error = refusal(&bad, &[1.0, 1.0], &[0.0; 2], 1.0);
        assert!(matches!(&error, Error::Option { name, .. } if name == option), "{option}: {error}");
    }
    let table = KindTable::uniform(1.0).with(Kind::STATE, 0.0);
    let gstiff =
        |absolute| Method::from(Gstiff { tolerance: Tolerance { relative: 1e-6, absolute }, ..Gstiff::default() });
    for absolute in [Absolute::Typical(table.clone()), Absolute::Kind(table), Absolute::Unknown(vec![1.0, -1.0])] {
        assert!(matches!(refusal(&gstiff(absolute), &[1.0, 1.0], &[0.0; 2], 1.0), Error::Option { .. }));
    }
    let short = gstiff(Absolute::Unknown(vec![1.0]));
    assert!(matches!(refusal(&short, &[1.0, 1.0], &[0.0; 2], 1.0), Error::Length { .. }));
}

/// A pendulum that starts off its constraint by a hundred thousand tolerances is refused with the reason, not repaired in silence. Constant steps test no
/// error: the first one puts it back.
#[test]
fn an_inconsistent_start_is_an_error() {
    for method in methods().iter().filter(|method| !method.takes_ode() && !super::is_fixed(method)) {
        let pendulum = Pendulum::system(Index::Stabilized, 9.81);
        let none = system::<6, _>(|_: f64, _: &[f64], _: &mut [f64]| Ok::<(), EvalError>(()));
        let start: [&[f64]; 2] = [&[1.1, 0.0, 0.0, 0.0, 0.0, 0.0], &[0.0; 6]];
        let mut run = try_begin(method, pendulum, none, start, 1.0).expect("a start");
        let error = run.step().expect_err("1.1 m is not 1 m");
        assert!(error.to_string().contains("satisfy the"), "{}: {error}", method.name());
    }
}
