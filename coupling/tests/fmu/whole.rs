//! Whole numbers with all their digits, enumerations and their items, other names of variables, an event mode that is refused.

use super::build::{Model, edited, outputs, run, usual};
use fourbar_coupling::Simulator;
use fourbar_coupling::partner::{Fmu, FmuOptions, FmuValue};
use std::path::PathBuf;

const MORE: &str = r#"<Int64 name="big" valueReference="70" causality="parameter" variability="fixed" start="9007199254740993"><Alias name="gross"/></Int64>
<UInt64 name="huge" valueReference="71" causality="parameter" variability="fixed" start="1"/>
<Enumeration name="mode" valueReference="72" causality="parameter" variability="fixed" declaredType="Mode" start="1"/>
<Enumeration name="shown" valueReference="72" causality="output" declaredType="Mode"/></ModelVariables>"#;
const TYPES: &str = r#"<TypeDefinitions><EnumerationType name="Mode"><Item name="Option 1" value="1"/><Item name="Slow" value="4"/></EnumerationType></TypeDefinitions><ModelVariables>"#;

fn wide(attributes: &str) -> Option<PathBuf> {
    edited((3, Model::Wide), &format!("{} {attributes}", usual(3)), |text| {
        text.replace("</ModelVariables>", MORE).replace("<ModelVariables>", TYPES)
    })
}

fn given(values: &[(&str, FmuValue)]) -> FmuOptions {
    let values = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    FmuOptions { values, ..FmuOptions::default() }
}

/// The lowest 16 bits of both numbers, and the item, after a step.
fn seen(path: &PathBuf, values: &[(&str, FmuValue)]) -> Vec<f64> {
    run(&mut Fmu::open(path, &given(values)).unwrap(), 1, 0.1, &[])
}

#[test]
fn numbers_of_64_bits_keep_all_digits() {
    let Some(path) = wide("") else { return };
    let largest = FmuValue::Whole(u64::MAX.into());
    // 2^53 + 1 is no double, nor are the largest ones.
    let odd = FmuValue::Whole((1 << 53) + 1);
    assert_eq!(seen(&path, &[("big", odd.clone()), ("huge", largest)])[..2], [1.0, 65535.0]);
    assert_eq!(seen(&path, &[("big", FmuValue::Whole(i64::MAX.into()))])[0], 65535.0);
    assert_eq!(seen(&path, &[("big", FmuValue::Whole(i64::MIN.into()))])[0], 0.0);
    // By its other name, and as a text, since a file has no number that large.
    assert_eq!(seen(&path, &[("gross", odd)])[0], 1.0);
    assert_eq!(seen(&path, &[("huge", FmuValue::Text(u64::MAX.to_string()))])[1], 65535.0);
    assert_eq!(Fmu::inspect(&path).unwrap().variable("gross").unwrap().start_whole, [9_007_199_254_740_993]);
}

#[test]
fn fractions_overflows_and_items_that_are_none_are_refused() {
    let Some(path) = wide("") else { return };
    for (name, value, words) in [
        ("big", FmuValue::Number(1.5), "it is a Int64 and cannot be 1.5; write a whole number"),
        ("big", FmuValue::Whole(i128::from(i64::MAX) + 1), "cannot be 9223372036854775808"),
        ("huge", FmuValue::Whole(-1), "write a number from 0 to 18446744073709551615"),
        ("mode", FmuValue::Number(2.0), "it has no item of the number 2; write one of: \"Option 1\" (1), \"Slow\" (4)"),
        ("mode", FmuValue::Text("Fast".into()), "it has no item \"Fast\""),
    ] {
        let error = Fmu::open(&path, &given(&[(name, value)])).err().unwrap().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(seen(&path, &[("mode", FmuValue::Text("Slow".into()))])[2], 4.0);
    assert_eq!(seen(&path, &[("mode", FmuValue::Number(1.0))])[2], 1.0);
}

#[test]
fn one_that_refuses_its_event_mode_runs_without() {
    let Some(path) = wide("hasEventMode=\"true\"") else { return };
    let mut fmu = Fmu::open(&path, &given(&[("big", FmuValue::Whole(1))])).unwrap();
    assert!(!fmu.describe().capabilities.early_return);
    fmu.step(0.0, 0.1).unwrap();
    assert_eq!(outputs(&mut fmu)[0], 1.0);
    assert!(fmu.warnings().iter().any(|text| text.contains("refuses it: it runs without")), "{:?}", fmu.warnings());
}

#[test]
fn a_step_below_that_of_its_solver_is_told_where_steps_may_have_any_length() {
    let own = "fixedInternalStepSize=\"0.2\"";
    let Some(path) = wide(own) else { return };
    let mut fmu = Fmu::open(&path, &FmuOptions::default()).unwrap();
    assert_eq!(fmu.describe().solver_step, None);
    fmu.step(0.0, 0.1).unwrap();
    assert!(fmu.warnings().iter().any(|text| text.contains("its solver has steps of 0.2 s")), "{:?}", fmu.warnings());
}

#[test]
fn python_modules_of_one_name_are_refused_with_the_remedy() {
    use super::build::edited_with;
    let made = |text: &'static [u8]| {
        edited_with(
            (3, Model::Wide),
            usual(3),
            |text| text,
            &[("resources/slavemodule.txt", b"lag"), ("resources/lag_of_tests.py", text)],
        )
    };
    let (Some(one), Some(other)) = (made(b"a = 1"), made(b"a = 2")) else { return };
    assert!(Fmu::open(&one, &FmuOptions::default()).is_ok() && Fmu::open(&one, &FmuOptions::default()).is_ok());
    let error = Fmu::open(&other, &FmuOptions::default()).err().unwrap().to_string();
    assert!(error.contains("lag_of_tests.py") && error.contains("process = true"), "{error}");
}
