//! Piles by several threads: the bits of one.

use crate::pile_scenes as scenes;
use crate::piles;
use fourbar_contact::{
    Budget,
    friction::{GlobalCoulomb, GlobalSolution, GlobalWorkspace},
    stepping::TimeStepping,
};
use fourbar_multibody::space::V3;

fn with_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("threads").install(work)
}

/// Layers that land, column beside column, each turned by its own angle: state and record of all steps as bytes.
fn landing() -> Vec<u8> {
    let bricks = scenes::twisted(scenes::layers(4, 5, 0.3, 0.0), 0.1, 3);
    let (mechanism, contacts) = scenes::compile(&bricks, 0.5);
    let options = TimeStepping { step: 5e-3, ..TimeStepping::default() };
    let mut stepper = options.start(&mechanism, contacts, &scenes::start(&bricks, &mechanism)).expect("a start");
    let mut bytes = Vec::new();
    while stepper.time() < 0.5 {
        stepper.step().expect("a step");
        stepper.store(&mut bytes);
    }
    bytes
}

#[test]
fn separate_stacks_land_with_the_same_bits() {
    let one = with_threads(1, landing);
    for count in [2, 3, 5] {
        assert!(with_threads(count, landing) == one, "{count} threads");
    }
}

/// Where the work allowed ends among the islands does not depend on who is first.
#[test]
fn budgets_end_at_the_same_island() {
    let problem = piles::columns(60, 6, 0.5, |k| 1.0 + k as f64, |c| V3::new(0.01 * c as f64, 0.0, 0.0));
    let solve = |work: u64| {
        let mut workspace = GlobalWorkspace::within(Budget { work: Some(work), ..Budget::default() });
        let mut solution = GlobalSolution::default();
        GlobalCoulomb::default().solve(&problem, &mut workspace, &mut solution).expect("a valid problem");
        solution
    };
    let mut ended = 0;
    for work in [0, 1_000_000, 10_000_000, 30_000_000, u64::MAX] {
        let one = with_threads(1, || solve(work));
        ended += usize::from(one.out_of_budget);
        assert_eq!(with_threads(4, || solve(work)), one, "{work} multiplications");
    }
    assert!((1..5).contains(&ended), "{ended} of 5 ended by their budget");
}
