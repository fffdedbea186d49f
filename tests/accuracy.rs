//! Shipped problems are solved to the digits that docs/accuracy.md claims; results keep their forms.

use fourbar::accuracy::{
    CSV_COLUMNS, Errors, Machine, Problem, Results, Selection, Study, names, write_csv, write_html, write_json,
    write_text,
};
use fourbar::linalg::Interrupt;
use std::collections::{BTreeMap, BTreeSet};

fn study(problems: &[&str], tolerances: &[f64]) -> Study {
    let problems = problems.iter().map(|name| Problem::shipped(name).unwrap()).collect();
    Study { problems, tolerances: tolerances.to_vec(), repeats: 1, ..Study::default() }
}

fn select(integrator: &str, formulation: &str) -> Selection {
    let list = |name: &str| if name.is_empty() { Vec::new() } else { vec![name.to_owned()] };
    Selection { integrators: list(integrator), formulations: list(formulation) }
}

fn run(study: &Study, selection: &Selection) -> Results {
    study.run(selection, &Interrupt::never(), |_| {}).unwrap()
}

/// Of each problem: an integrator with its formulation and tolerance (or step), and the errors of positions (or states), velocities, accelerations and
/// multipliers that it keeps; 0 where there is no such quantity. Rows of docs/accuracy.md.
const CLAIMED: [(&str, &str, &str, f64, [f64; 4]); 34] = [
    ("andrews", "rkf45", "partitioned", 1e-12, [1e-11, 1e-10, 1e-10, 1e-10]),
    ("car_axis", "gstiff", "si2", 1e-13, [1e-10, 1e-9, 1e-9, 1e-9]),
    ("crank", "gstiff", "si2", 1e-12, [1e-8, 1e-6, 1e-3, 1e-6]),
    ("wheelset", "gstiff", "si2", 1e-10, [1e-7, 1e-8, 1e-8, 1e-9]),
    ("fekete", "gstiff", "si2", 1e-12, [1e-10, 1e-8, 1e-8, 1e-11]),
    ("transistor", "gstiff", "", 1e-10, [1e-9, 0.0, 0.0, 0.0]),
    ("akzo", "gstiff", "", 1e-12, [1e-11, 0.0, 0.0, 0.0]),
    ("pump", "gstiff", "", 1e-10, [1e-8, 0.0, 0.0, 0.0]),
    ("nand", "gstiff", "", 1e-12, [1e-10, 0.0, 0.0, 0.0]),
    ("A01_pendulum", "rkf45", "partitioned", 1e-13, [1e-10, 1e-10, 1e-10, 1e-10]),
    ("pendulum_period2", "rkf45", "partitioned", 1e-13, [1e-10, 1e-10, 1e-10, 1e-10]),
    ("A02_N1", "rkf45", "partitioned", 1e-12, [1e-12, 1e-12, 1e-11, 0.0]),
    ("A02_N2", "rkf45", "partitioned", 1e-12, [1e-12, 1e-12, 1e-11, 0.0]),
    ("A02_N40", "gstiff", "si2", 1e-10, [1e-8, 1e-8, 1e-6, 0.0]),
    ("A02_N100", "gstiff", "si2", 1e-10, [1e-8, 1e-8, 1e-6, 0.0]),
    ("A02_N40_10s", "abam", "partitioned", 1e-10, [1e-6, 1e-6, 1e-6, 0.0]),
    ("A03_andrews", "rkf45", "partitioned", 1e-12, [1e-10, 1e-10, 1e-10, 1e-10]),
    ("A04_bricard", "rkf45", "partitioned", 1e-12, [1e-11, 1e-11, 0.0, 0.0]),
    ("A05_governor", "gstiff", "si2", 1e-12, [1e-9, 1e-8, 1e-8, 0.0]),
    ("chain_N1", "rkf45", "partitioned", 1e-12, [1e-12, 1e-12, 1e-12, 0.0]),
    ("chain_N2", "rkf45", "partitioned", 1e-12, [1e-12, 1e-11, 1e-11, 0.0]),
    ("chain_N5", "rkf45", "partitioned", 1e-12, [1e-11, 1e-10, 1e-10, 0.0]),
    ("chain_N10", "rkf45", "partitioned", 1e-12, [1e-9, 1e-9, 1e-9, 0.0]),
    ("chain_N100", "abam", "partitioned", 1e-10, [1e-8, 1e-8, 1e-8, 0.0]),
    ("chain_N1000", "gstiff", "si2", 1e-10, [1e-7, 1e-6, 1e-5, 0.0]),
    ("top", "rkf45", "partitioned", 1e-12, [1e-10, 1e-9, 1e-9, 1e-9]),
    // A rim of 0.05 m that has turned by 1e5 rad.
    ("rotor", "gstiff", "si2", 1e-10, [1e-5, 1e-9, 0.0, 0.0]),
    ("tumbling", "abam", "partitioned", 1e-12, [1e-7, 1e-7, 0.0, 0.0]),
    // Velocities of the first 1e-8 s are uncertain by the round-off of positions over the step.
    ("two_mass", "gstiff", "si2", 1e-12, [1e-9, 1e-4, 0.0, 0.0]),
    ("lti_two_mass", "exact", "", 1e-2, [1e-9, 1e-9, 0.0, 0.0]),
    ("bouncing_ball", "event", "", 1e-10, [1e-13, 0.0, 0.0, 0.0]),
    ("arenstorf", "rkf45", "", 1e-13, [1e-7, 0.0, 0.0, 0.0]),
    ("robertson", "gstiff", "", 1e-12, [1e-11, 0.0, 0.0, 0.0]),
    ("van_der_pol", "gstiff", "", 1e-12, [1e-10, 0.0, 0.0, 0.0]),
];

#[test]
fn each_problem_is_solved_to_the_digits_that_are_claimed() {
    let claimed: Vec<&str> = CLAIMED.iter().map(|(name, ..)| *name).collect();
    assert_eq!(claimed, names());
    let mut wrong = Vec::new();
    for (name, integrator, formulation, tolerance, bounds) in CLAIMED {
        let study = Study { steps: vec![tolerance], ..study(&[name], &[tolerance]) };
        let results = run(&study, &select(integrator, formulation));
        let outcome = &results.records[0].outcome;
        let errors = outcome.as_ref().unwrap_or_else(|failure| panic!("{name}: {failure}")).errors;
        let Errors { state, position, velocity, acceleration, multiplier, .. } = errors;
        println!("{name}: {:?} {velocity:?} {acceleration:?} {multiplier:?}", position.or(state));
        for (k, error) in [position.or(state), velocity, acceleration, multiplier].into_iter().enumerate() {
            let kept = error.map_or(bounds[k] == 0.0, |error| error <= bounds[k]);
            if !kept {
                wrong.push((name, k, error, bounds[k]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn docs_claim_what_is_tested() {
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/accuracy.md")).unwrap();
    for (name, integrator, formulation, tolerance, bounds) in CLAIMED {
        let method = format!("{integrator} {formulation}");
        let errors = bounds.map(|bound| if bound == 0.0 { String::new() } else { format!("{bound:.0e}") });
        let unit = if integrator == "exact" { " s" } else { "" };
        let cells = [name, method.trim(), &format!("{tolerance:.0e}{unit}")].map(str::to_owned);
        let row: Vec<String> = cells.into_iter().chain(errors).collect();
        let row = format!("| `{}` | {} |", row[0], row[1..].join(" | "));
        assert!(docs.contains(&row), "docs/accuracy.md has not the row\n{row}");
    }
}

#[test]
fn errors_fall_with_the_tolerance_in_every_combination() {
    let results = run(&study(&["chain_N2", "car_axis"], &[1e-5, 1e-9]), &Selection::default());
    let mut of: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for record in &results.records {
        if let Ok(measured) = &record.outcome {
            of.entry((record.problem.clone(), record.series())).or_default().push(measured.errors.main().unwrap());
        }
    }
    assert!(of.len() >= 5, "{of:?}");
    for (series, errors) in of {
        assert!(errors[1] < 0.1 * errors[0], "{series:?}: {errors:?}");
    }
}

#[test]
fn a_method_that_cannot_solve_a_problem_is_told_and_loses_nothing() {
    let mut study = study(&["car_axis", "robertson"], &[1e-4]);
    study.max_steps = 2000;
    let mut told = 0;
    let results = study.run(&Selection::default(), &Interrupt::never(), |_| told += 1).unwrap();
    assert_eq!(told, results.records.len());
    let failure = |problem: &str| {
        let own = results.of(problem).find(|record| record.integrator == "rkf45").unwrap();
        own.outcome.as_ref().unwrap_err().clone()
    };
    assert!(failure("car_axis").contains("partitioned"), "{}", failure("car_axis"));
    assert!(failure("robertson").contains("2000 steps"), "{}", failure("robertson"));
    assert!(results.of("robertson").any(|record| record.outcome.is_ok()));
    let mut text = Vec::new();
    write_text(&results, &Machine::here("abc"), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("| gstiff si2 ") && text.contains("failed") && text.contains("2000 steps"), "{text}");
}

#[test]
fn an_interrupted_study_keeps_what_it_has() {
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let raise = flag.clone();
    let interrupt = Interrupt::from(flag);
    let mut count = 0;
    let results = study(&["chain_N1"], &[1e-4, 1e-6, 1e-8])
        .run(&select("gstiff", "si2"), &interrupt, |_| {
            count += 1;
            raise.store(count == 2, std::sync::atomic::Ordering::SeqCst);
        })
        .unwrap();
    assert_eq!((results.records.len(), results.complete), (2, false));
}

#[test]
fn what_is_not_there_is_refused_with_what_is() {
    let error = Problem::shipped("andrew").unwrap_err().to_string();
    assert!(error.contains("\"andrew\"") && error.contains("andrews"), "{error}");
    let error = study(&[], &[1e-6]).run(&Selection::default(), &Interrupt::never(), |_| {}).unwrap_err();
    assert!(error.to_string().contains("--all"), "{error}");
    let error = study(&["chain_N1"], &[0.5]).run(&Selection::default(), &Interrupt::never(), |_| {}).unwrap_err();
    assert!(error.to_string().contains("1e-14"), "{error}");
    let error = study(&["chain_N1"], &[1e-6]).run(&select("", "si3"), &Interrupt::never(), |_| {}).unwrap_err();
    assert!(error.to_string().contains("si2"), "{error}");
}

#[test]
fn results_keep_their_forms() {
    let results = run(&study(&["chain_N1", "car_axis"], &[1e-4, 1e-6]), &Selection::default());
    let machine = Machine::here("abc1234");

    let mut csv = Vec::new();
    write_csv(&results, &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let expected = "problem,program,integrator,formulation,tolerance,step [s],steps,rejected,evaluations,jacobians,factorizations,iterations,seconds [s],\
                    error_state,error_position,error_velocity,error_acceleration,error_multiplier,error_energy,violation_position [m],\
                    violation_orientation [rad],violation_velocity [m/s],violation_angular_velocity [rad/s],digits,repeats,failure";
    assert_eq!(csv.lines().next().unwrap(), expected);
    assert_eq!(csv.lines().count(), 1 + results.records.len());
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/accuracy.md")).unwrap();
    for column in CSV_COLUMNS {
        let name = column.split(' ').next().unwrap();
        assert!(docs.contains(&format!("`{name}`")), "docs/accuracy.md does not name the column {name}");
    }

    let mut json = Vec::new();
    write_json(&results, &machine, &mut json).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["at_equal_error", "complete", "machine", "problems", "records", "repeats"]);
    assert_eq!(json["machine"]["commit"], "abc1234");
    let record = &json["records"][0];
    let keys: Vec<&str> = record.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["errors", "formulation", "integrator", "problem", "program", "tolerance", "work"]);
    assert!(record["errors"]["position"].as_f64().unwrap() > 0.0 && record["work"]["steps"].as_u64().unwrap() > 0);

    let mut html = Vec::new();
    write_html(&results, &machine, &mut html).unwrap();
    let html = String::from_utf8(html).unwrap();
    // Position, velocity, acceleration of the chain; multipliers of the car axis besides; each over evaluations and time.
    assert_eq!(html.matches("role=\"img\"").count(), 2 * (3 + 4));
    for foreign in ["http", "<script", "src=", "@import", "url("] {
        assert!(!html.contains(foreign), "the page names {foreign}");
    }
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
}

#[test]
fn errors_of_fixed_steps_fall_with_the_step() {
    let study = Study { steps: vec![1e-2, 1e-3, 1e-4], ..study(&["lti_two_mass", "bouncing_ball"], &[1e-8]) };
    let results = run(&study, &Selection::default());
    let mut methods = 0;
    for problem in ["lti_two_mass", "bouncing_ball"] {
        let names: BTreeSet<String> = results.of(problem).map(|record| record.integrator.clone()).collect();
        for name in names {
            let own = results.of(problem).filter(|record| record.integrator == name);
            let errors: Vec<f64> = own.map(|record| record.outcome.as_ref().unwrap().errors.main().unwrap()).collect();
            println!("{problem} {name}: {errors:?}");
            // Those that are exact already have nothing to lose.
            if errors[0] > 1e-9 && errors.len() == 3 {
                assert!(errors[2] < 0.1 * errors[0], "{problem} {name}: {errors:?}");
                methods += 1;
            }
        }
    }
    assert!(methods >= 8, "{methods}");
    let record = results.of("bouncing_ball").find(|record| record.integrator == "moreau_jean").unwrap();
    assert_eq!((record.control.step(), record.control.tolerance()), (Some(1e-2), None));
    let record = results.of("bouncing_ball").find(|record| record.integrator == "event").unwrap();
    assert_eq!(record.control.tolerance(), Some(1e-8));
}
