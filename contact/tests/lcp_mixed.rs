//! Mixed problems by the default solver: mechanisms with bilateral rows that are singular, redundant or contradictory, rows in other units,
//! traffic equilibria, circuits of diodes. What is called solved is measured again here, by products in twice the digits.

use crate::support::families;
use crate::support::literature;
use crate::support::twofold;
use families::Numbers;
use fourbar_contact::{
    problem::MixedLcp,
    solution::{Solution, Status},
    solver::Automatic,
};
use literature::{Bilateral, diode_bridges, random_mixed, traffic};
use twofold::mixed_error;

fn solved(name: &str, mixed: &MixedLcp, floor: f64) -> Solution {
    let solution = Automatic::default().solve_mixed(mixed);
    assert!(solution.solved(), "{name}: {} {:?} {:?}", solution.status, solution.residual, solution.attempts);
    let error = mixed_error(mixed, &solution.u, &solution.z, floor);
    assert!(error <= 1e-8, "{name}: {error:e}");
    solution
}

#[test]
fn bilateral_rows_of_every_kind_under_contact_rows_in_any_unit() {
    use Bilateral::{Contradictory, General, Mass, Massless, Redundant, Rows};
    for (k, kind) in [Mass, Rows, Redundant, Contradictory, Massless, General].into_iter().enumerate() {
        for decades in [0.0, 2.0, 4.0, 8.0] {
            for both in [false, true] {
                for seed in 0..60 {
                    let mixed = random_mixed(&mut Numbers(1000 * seed + k as u64), kind, decades, both);
                    let name = format!("{kind:?}, 1e+-{decades}, both {both}, seed {seed}");
                    if kind == Contradictory {
                        let solution = Automatic::default().solve_mixed(&mixed);
                        assert_eq!(solution.status, Status::Inconsistent, "{name}");
                        continue;
                    }
                    let solution = solved(&name, &mixed, 0.0);
                    if kind != Massless {
                        assert_eq!(solution.undetermined, usize::from(kind == Redundant), "{name}");
                    }
                }
            }
        }
    }
}

/// Every route that is taken costs the least time of its pair of places, and the flows add up.
#[test]
fn traffic_finds_its_equilibrium() {
    for (places, routes, links) in [(1, 2, 3), (3, 3, 8), (12, 6, 30), (30, 8, 60)] {
        for seed in 0..4 {
            let mixed = traffic(&mut Numbers(seed), places, routes, links);
            let solution = solved("traffic", &mixed, 0.0);
            for (p, flows) in solution.z.chunks(routes).enumerate() {
                let demand = -mixed.a_vec()[p];
                assert!((flows.iter().sum::<f64>() - demand).abs() < 1e-8 * demand);
            }
        }
    }
}

/// A bridge hands on the voltage whatever its sign; conservation of charge leaves the current of the source to its resistor and the loads.
#[test]
fn chains_of_diode_bridges_rectify() {
    for bridges in [1, 2, 5, 10, 20] {
        for source in [10.0, -10.0, 0.0] {
            let mixed = diode_bridges(bridges, 1e-3, source);
            // Voltages of the ground and currents of blocked diodes are round-off of ten volts, not of themselves.
            let solution = solved("bridges", &mixed, 1e-3);
            // Ideal diodes: every load sees |v|, v = source / (1 + 10 bridges 1e-3).
            let wanted = source.abs() / (1.0 + 10.0 * bridges as f64 * 1e-3);
            for k in 0..bridges {
                let across = solution.u[1 + 2 * k] - solution.u[2 + 2 * k];
                assert!((across - wanted).abs() < 1e-8 * (1.0 + wanted), "{bridges}, {source}: {across} {wanted}");
            }
        }
    }
}
