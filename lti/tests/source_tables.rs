//! The tables of the source: exact solution and classical methods digit for digit, Algorithms 1 and 2 against values computed with
//! correct coefficients (the printed ones carry a coefficient error, see the book).
//!
//! Sources: `tables.json` transcribes tables 1 to 3 of Jiang and Chai 1995; `reproduce_out.json` was computed with 50 digits.

use crate::example;

use example::{COLUMNS, TABLES, TIMES, column, exact};
use serde_json::Value;

fn reference(name: &str) -> Value {
    let path = format!("{}/../tests/reference/lti/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect()
}

#[test]
fn thirty_five_printed_values_digit_for_digit() {
    let tables = reference("tables.json");
    let mut matching = 0;
    for (t, printed) in TIMES.iter().zip(texts(&tables["exact_y"])) {
        assert_eq!(format!("{:.8}", exact(*t)), printed);
        matching += 1;
    }
    for (table, &(step, steps)) in TABLES.iter().enumerate() {
        for (name, method) in &COLUMNS[..2] {
            let printed = texts(&tables["tables"][table][*name]);
            for (ours, printed) in column(step, steps, method).unwrap().iter().zip(printed) {
                assert_eq!(format!("{ours:.8}"), printed, "table {} {name}", table + 1);
                matching += 1;
            }
        }
    }
    assert_eq!(matching, 35);
}

#[test]
fn algorithms_1_and_2_with_correct_coefficients() {
    let reproduced = reference("reproduce_out.json");
    for (table, &(step, steps)) in TABLES.iter().enumerate() {
        for (name, method) in &COLUMNS[2..] {
            let expected = texts(&reproduced["tables"][table][*name]["ours_correct_G"]);
            for (ours, expected) in column(step, steps, method).unwrap().iter().zip(expected) {
                let difference = ours - expected.parse::<f64>().unwrap();
                assert!(difference.abs() < 1e-10, "table {} {name}: {difference:e}", table + 1);
            }
        }
    }
}
