//! What motions and solves with contacts take: steps and evaluations of the event-driven motion, projections of time stepping, pivots and
//! iterations of the solvers.

use crate::count_file::{Counts, compare};
use crate::pile_scenes as scenes;
use crate::piles::collection::{Kind, of_two_dozen};
use crate::support::families::{Numbers, hidden_triangular, murty_lcp, obstacle, planted, stack, symmetric_definite};
use crate::support::{four_bar, wall};
use fourbar_contact::event::EventDriven;
use fourbar_contact::friction::{Coulomb, Workspace};
use fourbar_contact::problem::Lcp;
use fourbar_contact::solution::Solution;
use fourbar_contact::solver::{Automatic, Lemke, Method};
use fourbar_contact::stepping::TimeStepping;

/// The event-driven four-bar: steps, evaluations, events.
fn events(gravity: f64) -> Counts {
    let mechanism = four_bar(gravity);
    let mut run = EventDriven::default().start(&mechanism, wall(0.8), mechanism.start(), 0.4).unwrap();
    run.run().unwrap();
    let s = run.statistics();
    vec![
        ("steps", s.steps),
        ("rejected", s.rejected_by_error + s.rejected_by_evaluation),
        ("evaluations", s.residual_evaluations),
        ("events", run.log().len() as u64),
    ]
}

/// A pile of 45 boxes that falls: steps, projections, contacts that carry something.
fn pile() -> Counts {
    let bricks = scenes::layers(5, 3, 0.3, 0.0);
    let (mechanism, contacts) = scenes::compile(&bricks, 0.5);
    let state = scenes::start(&bricks, &mechanism);
    let method = TimeStepping { step: 5e-3, ..TimeStepping::default() };
    let mut stepper = method.start(&mechanism, contacts, &state).expect("a start");
    let [mut steps, mut projections, mut active] = [0; 3];
    while stepper.time() < 0.5 {
        let record = stepper.step().expect("a step");
        (steps, projections, active) =
            (steps + 1, projections + record.projections as u64, active + record.active as u64);
    }
    vec![("steps", steps), ("projections", projections), ("active contacts", active)]
}

fn lcps() -> Vec<(&'static str, Lcp)> {
    let mut numbers = Numbers(5);
    let definite = symmetric_definite(&mut numbers, 40);
    let triangular = hidden_triangular(&mut numbers, 40);
    vec![
        ("stack of 20 boxes", stack(20, |_| 1.0, &[-0.5, 0.5])),
        ("obstacle, 12 by 12", obstacle(12)),
        ("Murty, 12", murty_lcp(12, false)),
        ("positive definite, 40", planted(&mut numbers, definite, false).0),
        ("hidden triangular, 40", planted(&mut numbers, triangular, false).0),
    ]
}

/// Frictional problems of about two dozen contacts, by the default solver: iterations of all its methods.
fn friction(mu: f64) -> Counts {
    let (mut workspace, mut solution) = (Workspace::default(), Solution::default());
    let mut iterations = 0;
    for seed in 0..3 {
        for (_, problem) in of_two_dozen(Kind { mu, decades: 0.0, push: 0.3, seed }) {
            let problem = problem.reduced_form().expect("a problem");
            Coulomb::default().solve_in(&problem, None, &mut workspace, &mut solution).expect("valid");
            iterations += solution.attempts.iter().map(|attempt| attempt.iterations as u64).sum::<u64>();
        }
    }
    vec![("iterations", iterations)]
}

#[test]
fn reference_runs_take_no_more_than_they_did() {
    let mut found = vec![
        ("four-bar to rest, by events".to_owned(), events(0.0)),
        ("four-bar to rest with gravity, by events".to_owned(), events(9.81)),
        ("pile of 45 boxes, by steps".to_owned(), pile()),
    ];
    for (name, lcp) in lcps() {
        let pivots = Lemke::default().solve(&lcp).iterations as u64;
        let iterations = Automatic::default().solve(&lcp).iterations as u64;
        found.push((name.to_owned(), vec![("pivots of Lemke", pivots), ("iterations of the default", iterations)]));
    }
    for mu in [0.1, 0.5, 1.0] {
        found.push((format!("two dozen contacts, mu {mu}"), friction(mu)));
    }
    compare(env!("CARGO_MANIFEST_DIR"), &found);
}
