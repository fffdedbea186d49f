//! Binding of names, folding of constants, order of definitions.
use proptest::prelude::*;

use super::{compile, parse};
use crate::{Binding, Expression, Problem, Stack, definition_order};

#[test]
fn variables_come_in_order_of_first_use() {
    let expression = parse("b + a.x * time - b * pi + sin(_c)");
    assert_eq!(expression.variables(), ["b", "a.x", "time", "_c"]);
    assert_eq!(expression.source(), "b + a.x * time - b * pi + sin(_c)");
}

#[test]
fn constants_are_folded_through_names() {
    let bind = |text: &str| {
        let resolve = |name: &str| match name {
            "k" => Some(Binding::Constant(2.0)),
            name => name.strip_prefix('s')?.parse().ok().map(Binding::Slot),
        };
        parse(text).bind(&mut { resolve }).expect("every name is known")
    };
    assert_eq!(bind("k^2 + step(k, 0, 1, 2, 3)").is_constant(), Some(7.0));
    assert_eq!(bind("if(k > 1, k, s0)").is_constant(), Some(2.0));
    assert_eq!(bind("if(k < 1, s0, if(k == 2, 5, s1)) + 1").is_constant(), Some(6.0));
    assert!(bind("if(sqrt(-k), s0, s1)").is_constant().is_some_and(f64::is_nan));
    assert_eq!(bind("s7 + k * s3 + s7").slots(), [3, 7]);
    assert_eq!(bind("if(k > 1, s4, s5) + if(s6, s6, if(k < 1, s8, s9))").slots(), [4, 6, 9]);
    assert_eq!(bind("s0").is_constant(), None);

    let mixed = bind("if(s0 > 0, if(k > 1, s1, 7), if(k > 1, 5, s1)) * 2");
    let mut stack = Stack::for_programs([&mixed]);
    assert_eq!(mixed.evaluate(&[1.0, 3.0], &mut stack), 6.0);
    assert_eq!(mixed.evaluate(&[-1.0, 3.0], &mut stack), 10.0);
}

#[test]
fn the_stack_is_as_deep_as_the_program() {
    assert_eq!(compile("1 + 2").depth(), 1);
    assert_eq!(compile("a + b + c + d").depth(), 2);
    assert_eq!(compile("a + (b + (c + d))").depth(), 4);
    assert_eq!(compile("max(a, b, c, d, e)").depth(), 2);
    assert_eq!(compile("step(a, b, c, d, e)").depth(), 5);
    assert_eq!(compile("if(a, b + c, d)").depth(), 2);
    // A stack for small programs serves larger ones too.
    let mut stack = Stack::new(0);
    assert_eq!(compile("a + (a + (a + a))").evaluate(&[1.0], &mut stack), 4.0);
}

#[test]
fn unknown_names_are_reported_where_they_stand() {
    let known = ["crank.angle", "crank.speed", "time"];
    let error = parse("2 * crank.angel").bind(&mut |_| None).expect_err("the name is not known").suggest(known);
    assert_eq!(error.offset, 4);
    let nearest = Some("crank.angle".to_owned());
    let name = "crank.angel".to_owned();
    assert_eq!(error.problem, Problem::UnknownName { name, nearest });
    // Also where the branch would never be taken.
    let dead = parse("if(0, nothing, 1)").bind(&mut |_| None).expect_err("unknown name");
    assert_eq!(dead.offset, 6);
    assert!(dead.suggest(known).to_string().contains("correct it or define it"));
}

#[test]
fn bound_constants_are_finite_and_steps_go_forward() {
    let nan = parse("1 + k").bind(&mut |_| Some(Binding::Constant(f64::NAN)));
    let problem = nan.expect_err("NaN is refused").problem;
    assert!(matches!(problem, Problem::NotFinite { name, .. } if name == "k"));
    let expression = parse("1 + step(time, k, 0, 1, 1)");
    let error = expression.bind(&mut |name| match name {
        "k" => Some(Binding::Constant(1.0)),
        _ => Some(Binding::Slot(0)),
    });
    let error = error.expect_err("the interval is empty");
    assert_eq!(error.offset, 4);
    assert_eq!(error.problem, Problem::StepInterval { x0: 1.0, x1: 1.0 });
}

fn order(definitions: &[(&str, &str)]) -> Result<Vec<String>, String> {
    let parsed: Vec<(&str, Expression)> = definitions.iter().map(|(name, text)| (*name, parse(text))).collect();
    let named: Vec<(&str, &Expression)> = parsed.iter().map(|(name, e)| (*name, e)).collect();
    match definition_order(&named) {
        Ok(order) => Ok(order.into_iter().map(|index| named[index].0.to_owned()).collect()),
        Err(error) => Err(error.cycle.join(" ")),
    }
}

#[test]
fn definitions_come_after_what_they_use() {
    let diamond = [("a", "b + c"), ("b", "d"), ("c", "d * time"), ("d", "crank.x")];
    assert_eq!(order(&diamond), Ok(["d", "b", "c", "a"].map(String::from).to_vec()));
    assert_eq!(order(&[]), Ok(vec![]));
}

#[test]
fn cycles_are_named() {
    assert_eq!(order(&[("a", "2 * a")]), Err("a a".to_owned()));
    let cycle = [("z", "a"), ("a", "1 + b"), ("b", "time * c"), ("c", "b - a")];
    assert_eq!(order(&cycle), Err("b c b".to_owned()));
    let message = definition_order(&[("a", &parse("b")), ("b", &parse("a"))]).expect_err("a cycle").to_string();
    assert!(message.contains("a -> b -> a"), "{message}");
}

#[test]
fn chains_of_definitions_may_be_long() {
    let count = 100_000;
    let names: Vec<String> = (0..count).map(|index| format!("p{index}")).collect();
    let next = |index: usize| parse(&format!("p{}", index + 1));
    let parsed: Vec<Expression> = (0..count).map(next).collect();
    let named: Vec<(&str, &Expression)> = names.iter().map(String::as_str).zip(&parsed).collect();
    let order = definition_order(&named).expect("no cycle");
    assert!(order.into_iter().eq((0..count).rev()));
}

/// Nested conditionals, sums and powers of the names v0 to v3.
fn nested() -> impl Strategy<Value = String> {
    let leaf = (0..4).prop_map(|index| format!("v{index}"));
    leaf.prop_recursive(5, 60, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (inner.clone(), inner.clone(), inner).prop_map(|(c, a, b)| format!("if({c}, {a}, {b})")),
            two.clone().prop_map(|(a, b)| format!("({a} - {b})")),
            two.prop_map(|(a, b)| format!("max({a}, 2, {b})")),
        ]
    })
}

proptest! {
    /// Whichever names are constants when the program is made, its value is the same.
    #[test]
    fn folding_does_not_change_the_value(
        text in nested(),
        values in proptest::array::uniform4(prop_oneof![Just(0.0), Just(1.0), Just(f64::MAX), -2.0..2.0]),
        constant in proptest::array::uniform4(any::<bool>()),
    ) {
        let expression = parse(&text);
        let bind = |constant: [bool; 4]| {
            let binding = |name: &str| {
                let index: usize = name[1..].parse().ok()?;
                Some(if constant[index] { Binding::Constant(values[index]) } else { Binding::Slot(index) })
            };
            expression.bind(&mut { binding }).expect("every name is known")
        };
        let [all, some, none] = [[true; 4], constant, [false; 4]].map(bind);
        let expected = none.evaluate(&values, &mut Stack::new(none.depth()));
        let value = some.evaluate(&values, &mut Stack::new(some.depth()));
        // Differences of the largest numbers overflow, and differences of infinities are NaN: so are both sides.
        let same = |value: f64| value == expected || (value.is_nan() && expected.is_nan());
        prop_assert!(same(value), "{} {} {}", text, value, expected);
        prop_assert!(all.is_constant().is_some_and(same), "{}", text);
        prop_assert!(some.slots().iter().all(|slot| !constant[*slot]));
    }
}
