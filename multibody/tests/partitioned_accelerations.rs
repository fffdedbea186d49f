//! Accelerations and multipliers of partitioned coordinates are those of the saddle-point system factored as a whole, whichever way they are found:
//! in the independent coordinates for few degrees of freedom, by elimination of the bodies for many.

use crate::chains::{compiled, dynamics};
use crate::support::chains::{DRAWINGS, Drawing, KINDS, Kind};
use fourbar_linalg::Kkt;
use fourbar_multibody::formulation::Partitioned;
use fourbar_multibody::integrator::Rkf45;
use fourbar_multibody::mechanism::{Rows, System};
use fourbar_multibody::ode::Ode;
use fourbar_multibody::space::Pose;
use fourbar_multibody::{Formulation, Mechanism, State};
use std::sync::Arc;

/// Accelerations, six a body, and multipliers, by M and `Phi_q` in one matrix.
fn whole(mechanism: &Mechanism, state: &State) -> [Vec<f64>; 2] {
    let poses: Vec<Pose> = state.poses.iter().copied().chain([Pose::ground()]).collect();
    let mut system = System::new(mechanism, Rows::Independent);
    system.evaluate_drives(mechanism, state.time, &state.drives);
    system.evaluate_phi(mechanism, &poses);
    system.evaluate_mass(mechanism, &poses);
    let mut kkt = Kkt::new(&system.mass, &system.phi).unwrap();
    let (mut top, mut bottom) = (vec![0.0; system.mass.ncols()], vec![0.0; system.row_count()]);
    system.forces(mechanism, state.time, &poses, &state.angles, &mut top).unwrap();
    system.gamma(mechanism, &poses, &mut bottom);
    let _ = kkt.solve(&mut top, &mut bottom).unwrap();
    [top, bottom]
}

fn difference(found: &[f64], expected: &[f64]) -> f64 {
    let size = expected.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
    found.iter().zip(expected).fold(0.0, |max: f64, (x, y)| max.max((x - y).abs())) / size
}

#[test]
fn accelerations_and_multipliers_are_those_of_the_whole_system() {
    for kind in KINDS {
        for drawing in DRAWINGS {
            for bodies in [3, 9, 45] {
                let mechanism = compiled(kind, drawing, bodies);
                let mut run = dynamics(&mechanism, Rkf45::with_tolerance(1e-8).into(), Formulation::Si2);
                let _ = run.step().unwrap();
                while run.integrator().time() < 0.1 {
                    let _ = run.step().unwrap();
                }
                let mut state = run.state_at(run.integrator().time()).unwrap().clone();
                let mut equations = Partitioned::new(mechanism.clone(), &state).unwrap();
                let mut y = vec![0.0; equations.dimension()];
                equations.write(&state, &mut y).unwrap();
                equations.read(state.time, &y, &mut state).unwrap();
                let found: Vec<f64> =
                    state.accelerations.iter().flatten().flat_map(|v| v.iter().copied().collect::<Vec<_>>()).collect();
                let [accelerations, multipliers] = whole(&mechanism, &state);
                let name = format!("{kind:?} {drawing:?} {bodies}");
                // Round-off grows with the number of joints between a body and the ground.
                assert!(difference(&found, &accelerations) < 1e-10, "{name}: {}", difference(&found, &accelerations));
                assert!(difference(&state.multipliers, &multipliers) < 1e-10, "{name}");
            }
        }
    }
}

/// A saved run says whether the elimination of bodies was refused: a restored one does not try it again.
#[test]
fn a_saved_run_keeps_whether_bodies_are_eliminated() {
    let mechanism = compiled(Kind::Ladder, Drawing::Zigzag, 45);
    let new = || {
        let mut equations = Partitioned::new(mechanism.clone(), mechanism.start()).unwrap();
        let mut y = vec![0.0; equations.dimension()];
        equations.write(mechanism.start(), &mut y).unwrap();
        (equations, y)
    };
    let (mut eliminated, y) = new();
    let mut store = vec![];
    eliminated.save(&mut store);
    // Behind three numbers of breaks, the time and whether pivots are to be chosen anew.
    assert_eq!(store[5], 0.0);
    store[5] = 1.0;
    let [mut first, mut second] = [new().0, new().0];
    let mut slopes = [0; 3].map(|_| vec![0.0; y.len()]);
    eliminated.rhs(0.0, &y, &mut slopes[0]).unwrap();
    for (equations, slope) in [&mut first, &mut second].into_iter().zip(&mut slopes[1..]) {
        equations.restore(&store).unwrap();
        equations.rhs(0.0, &y, slope).unwrap();
        let mut again = vec![];
        equations.save(&mut again);
        assert_eq!(again, store);
    }
    assert_eq!(slopes[1], slopes[2]);
    // Other round-off: the system was factored as a whole.
    assert_ne!(slopes[0], slopes[1]);
    assert!(difference(&slopes[1], &slopes[0]) < 1e-10, "{:e}", difference(&slopes[1], &slopes[0]));
    assert!(first.restore(&store[..store.len() - 1]).is_err());
}

/// What is asked twice is answered twice the same, and as by equations that were asked nothing before.
#[test]
fn an_evaluation_depends_on_its_point_alone() {
    let mechanism = compiled(Kind::Ladder, Drawing::Twisted, 3);
    let new = || {
        let mut equations = Partitioned::new(Arc::clone(&mechanism), mechanism.start()).expect("equations");
        let mut y = vec![0.0; equations.dimension()];
        equations.write(mechanism.start(), &mut y).expect("a regular start");
        (equations, y)
    };
    let (mut asked, start) = new();
    let n = start.len();
    let [mut slope, mut again, mut fresh] = [0; 3].map(|_| vec![0.0; n]);
    for k in 0..20 {
        // Off the constraints, as stages are.
        let y: Vec<f64> = start.iter().enumerate().map(|(i, y)| y + 1e-5 * f64::from(k) * (i as f64).sin()).collect();
        let t = 1e-3 * f64::from(k);
        asked.rhs(t, &y, &mut slope).expect("slope");
        let mut settled = y.clone();
        asked.settle(t, &mut settled).expect("settled");
        let mut state = mechanism.start().clone();
        asked.read(t, &y, &mut state).expect("state");
        asked.rhs(t, &y, &mut again).expect("slope");
        let mut other = new().0;
        other.rhs(t, &y, &mut fresh).expect("slope");
        assert_eq!((&slope, &slope), (&again, &fresh), "point {k}");
        let mut alone = y.clone();
        new().0.settle(t, &mut alone).expect("settled");
        assert_eq!(settled, alone, "point {k}");
    }
}
