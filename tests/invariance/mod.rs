//! Invariance: the same machine made otherwise does the same.
//!
//! Every mechanism of the checkout and a hundred random loops are turned, moved, scaled, reordered, and mounted on bases; what each analysis gives of
//! the other machine is taken back to the first one and compared. No reference is needed but this. A part of all pairs is compared by default;
//! `FOURBAR_INVARIANCE=all` compares all; parts of what is printed of a pair, as `FOURBAR_INVARIANCE="bennett 3,;turned;linear"`, those that have them all.

mod base;
mod build;
mod carry;
mod case;
mod change;
mod compare;
mod inertia;
mod loops;
mod loose;
mod machine;
mod observe;
mod order;
mod random;
mod scale;
mod table;
mod view;
mod write;

use case::{CASES, case};
use change::Change;
use compare::{CLOSED, Verdict};
use fourbar::analysis::At;
use fourbar::multibody::model::Model;
use fourbar::run::Overrides;
use machine::Machine;
use observe::Outcome;
use table::Table;

/// An analysis: integrator and formulation of a run with its tolerance, or another one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Analysis {
    Run(&'static str, Option<&'static str>, f64),
    Statics,
    Kinematics,
    Linear,
    /// Where the start is steady in a frame that turns.
    LinearAtStart,
}

const INDEX_3: &str = "i3";

/// Names and analyses. `i3` tests positions alone, and takes a tolerance a thousand times smaller for the errors of the others (docs/multibody.md).
const ANALYSES: [(&str, Analysis); 12] = [
    ("gstiff si2", Analysis::Run("gstiff", Some("si2"), 1e-6)),
    ("gstiff si1", Analysis::Run("gstiff", Some("si1"), 1e-6)),
    ("gstiff i3", Analysis::Run("gstiff", Some(INDEX_3), 1e-9)),
    ("wstiff", Analysis::Run("wstiff", None, 1e-6)),
    ("dstiff", Analysis::Run("dstiff", None, 1e-6)),
    ("constant_bdf", Analysis::Run("constant_bdf", None, 1e-6)),
    ("hht", Analysis::Run("hht", None, 1e-5)),
    ("rkf45", Analysis::Run("rkf45", None, 1e-6)),
    ("abam", Analysis::Run("abam", None, 1e-6)),
    ("statics", Analysis::Statics),
    ("kinematics", Analysis::Kinematics),
    ("linear", Analysis::Linear),
];

/// Outputs of a run.
const OUTPUTS: f64 = 10.0;
/// Steps of the method whose step is constant.
const STEPS: f64 = 200.0;
/// Steps after which a run ends: short spans take some hundreds.
const STEPS_MAX: u64 = 20_000;

impl Analysis {
    /// `time`: seconds of the machine in one of the first one.
    fn of(self, model: &Model, end: f64, time: f64) -> Outcome {
        match self {
            Self::Run(integrator, formulation, tolerance) => {
                let constant = integrator == "constant_bdf";
                let overrides = Overrides {
                    end: Some(end * time),
                    output_step: Some(end * time / OUTPUTS),
                    tolerance: Some(tolerance),
                    integrator: Some(integrator.to_owned()),
                    formulation: formulation.map(str::to_owned),
                    max_step: constant.then_some(end * time / STEPS),
                    max_steps: Some(STEPS_MAX),
                    ..Overrides::default()
                };
                observe::run(model, &overrides)
            }
            Self::Statics => observe::statics(model, 0.0),
            Self::Kinematics => {
                let times: Vec<f64> = (0..=4).map(|k| f64::from(k) * 0.25 * end * time).collect();
                observe::kinematics(model, &times)
            }
            Self::Linear => observe::poles(model, At::Equilibrium),
            Self::LinearAtStart => observe::poles(model, At::Start),
        }
    }

    /// The tolerance by which values are measured.
    fn tolerance(self) -> f64 {
        match self {
            Self::Run(_, Some(INDEX_3), tolerance) => 1e3 * tolerance,
            Self::Run(_, _, tolerance) => tolerance,
            _ => CLOSED,
        }
    }

    fn is_run(self) -> bool {
        matches!(self, Self::Run(..))
    }
}

/// Which comparisons are made: all of them, or of each machine a part that goes round.
enum Extent {
    All,
    Named(String),
    Part,
}

impl Extent {
    fn new() -> Self {
        match std::env::var("FOURBAR_INVARIANCE") {
            Ok(text) if text == "all" => Self::All,
            Ok(text) if text != "part" && !text.is_empty() => Self::Named(text),
            _ => Self::Part,
        }
    }

    fn takes(&self, machine: usize, name: &str, change: usize, analysis: usize) -> bool {
        let whole = || format!("{name}, {}, {}", Change::ALL[change].label(), ANALYSES[analysis].0);
        match self {
            Self::All => true,
            Self::Named(parts) => parts.split(';').all(|part| whole().contains(part)),
            // 21 changes and 12 analyses: 5 and 13 go round all of them.
            Self::Part => (5 * machine + 13 * change + analysis).is_multiple_of(28),
        }
    }
}

#[test]
fn the_same_machine_made_otherwise_does_the_same() {
    let extent = Extent::new();
    let mut table = Table::default();
    let mut differing = Vec::new();
    for number in 0..CASES {
        let mut machine = None;
        for (k, change) in Change::ALL.into_iter().enumerate() {
            for analysis in 0..ANALYSES.len() {
                let own = machine.get_or_insert_with(|| Machine::new(case(number)));
                if !extent.takes(number, &own.case.name, k, analysis) {
                    continue;
                }
                match own.compare(change, analysis) {
                    Ok(verdict) => {
                        table.tallies.entry((change, analysis)).or_default().add(&verdict);
                        if !matches!(verdict, Verdict::Equal(_) | Verdict::Loose(..)) {
                            own.write(change);
                            let (name, analysis) = (&own.case.name, ANALYSES[analysis].0);
                            differing.push(format!("{name}, {}, {analysis}: {verdict:?}", change.label()));
                            println!("{}", differing[differing.len() - 1]);
                        }
                    }
                    Err(reason) => *table.left_out.entry(reason).or_default() += 1,
                }
            }
        }
    }
    println!("{table}");
    assert!(differing.is_empty(), "{} comparisons differ:\n{}", differing.len(), differing.join("\n"));
}
