//! Coulomb's law as a fixed point over convex problems: s = mu |u_T| in, the convex problem, u_T out (Cadoux, thesis, Grenoble 2009;
//! Acary, Cadoux, Lemarechal, Malick, ZAMM 91 (2011) 155). Before that, the path with the exact law: six to ten steps mostly tell what
//! slips, sticks and opens, and Newton needs a few more; followed to its end the path often jams.

use super::{
    interior, newton,
    scaled::{Iterate, Scaled},
};

/// Fixed-point iterations.
const ROUNDS: usize = 100;
/// Of large problems so many over their rows, and a few.
const LARGE: usize = 30_000;
const FEW: usize = 4;
/// Measure to which the path with the exact law is followed. Newton brings the rest, and keeps the even distribution over redundant
/// contacts in which the path ends; followed further, round-off would take its place.
const NEAR: f64 = 1e-8;
/// Measures at which Newton is tried from the path.
const CROSS: [f64; 3] = [3e-2, 1e-4, 0.0];
/// The same in the fixed point, whose s must not be told apart from that of a neighbouring one.
const NEARER: f64 = 1e-10;
/// Rounds without a better point after which an acceptable one is taken.
const PATIENCE: usize = 2;
/// Newton iterations on each result: the fixed point need only come near.
const POLISH: usize = 12;

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    interior: interior::Room,
    lift: Vec<f64>,
    polished: Iterate,
}

/// Solves to `target`, or to `enough` where round-off keeps the measure above that; x becomes the best point. Returns the steps of the
/// interior point.
pub(crate) fn fixed_point(
    problem: &Scaled,
    x: &mut Iterate,
    target: f64,
    enough: f64,
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    let mut least = problem.measure(x);
    let steps = exact_path(problem, x, target, &mut least, room, newton);
    steps + rounds(problem, x, (target, enough), &mut least, room, newton)
}

/// With s in the equations: mostly all it takes.
fn exact_path(
    problem: &Scaled,
    x: &mut Iterate,
    target: f64,
    least: &mut f64,
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    let mut steps = 0;
    interior::begin_exact(problem, &mut room.interior);
    for near in CROSS {
        let current = &mut room.polished;
        let (taken, more) = interior::follow(problem, NEAR, near, current, &mut room.interior);
        steps += taken;
        newton::newton(problem, current, POLISH, target, newton);
        keep_better(problem.measure(current), current, least, x);
        if *least <= target || !more {
            break;
        }
    }
    steps
}

/// Rounds of the fixed point from s = 0.
fn rounds(
    problem: &Scaled,
    x: &mut Iterate,
    (target, enough): (f64, f64),
    least: &mut f64,
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    room.lift.clear();
    room.lift.resize(problem.cones.len(), 0.0);
    let (mut steps, mut idle) = (0, 0);
    for _ in 0..ROUNDS.min(LARGE / problem.n.max(1) + FEW) {
        if *least <= target || *least <= enough && idle >= PATIENCE {
            break;
        }
        let current = &mut room.polished;
        steps += interior::solve(problem, &room.lift, NEARER, current, &mut room.interior);
        let mut moved = 0.0_f64;
        for (c, cone) in problem.cones.iter().enumerate() {
            let lift = cone.lift(&current.u[problem.offsets[c]..problem.offsets[c + 1]]);
            moved = moved.max((lift - room.lift[c]).abs());
            room.lift[c] = lift;
        }
        newton::newton(problem, current, POLISH, target, newton);
        let measure = problem.measure(current);
        idle = if measure < 0.5 * *least { 0 } else { idle + 1 };
        keep_better(measure, current, least, x);
        if !(moved > f64::EPSILON * problem.size) {
            break;
        }
    }
    steps
}

fn keep_better(measure: f64, current: &Iterate, least: &mut f64, x: &mut Iterate) {
    if measure < *least {
        *least = measure;
        x.copy_from(current);
    }
}
