//! Coulomb's law as a fixed point over convex problems: s = mu |u_T| in, the convex problem, u_T out (Cadoux, thesis, Grenoble 2009;
//! Acary, Cadoux, Lemarechal, Malick, ZAMM 91 (2011) 155).

use super::{
    interior, newton,
    scaled::{Iterate, Scaled},
};

/// Fixed-point iterations.
const ROUNDS: usize = 100;
/// Measure to which the path with the exact law is followed. Newton brings the rest, and keeps the even distribution over redundant
/// contacts in which the path ends; followed further, round-off would take its place.
const NEAR: f64 = 1e-8;
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

/// Solves from s = 0 to `target`, or to `enough` where round-off keeps the measure above that; x becomes the best point. Returns the steps of the interior point.
pub(crate) fn fixed_point(
    problem: &Scaled,
    x: &mut Iterate,
    target: f64,
    enough: f64,
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    room.lift.clear();
    room.lift.resize(problem.cones.len(), 0.0);
    let (mut current, mut steps) = (std::mem::take(&mut room.polished), 0);
    let mut least = problem.measure(x);
    // First with s in the equations: mostly all it takes.
    steps += interior::solve_exact(problem, NEAR, &mut current, &mut room.interior).1;
    newton::newton(problem, &mut current, POLISH, target, newton);
    let exact = problem.measure(&current);
    if exact < least {
        least = exact;
        x.copy_from(&current);
    }
    let mut idle = 0;
    for _ in 0..ROUNDS {
        if least <= target || least <= enough && idle >= PATIENCE {
            break;
        }
        steps += interior::solve(problem, &room.lift, NEARER, &mut current, &mut room.interior).1;
        let mut moved = 0.0_f64;
        for (c, cone) in problem.cones.iter().enumerate() {
            let lift = cone.lift(&current.u[problem.offsets[c]..problem.offsets[c + 1]]);
            moved = moved.max((lift - room.lift[c]).abs());
            room.lift[c] = lift;
        }
        newton::newton(problem, &mut current, POLISH, target, newton);
        let measure = problem.measure(&current);
        idle = if measure < 0.5 * least { 0 } else { idle + 1 };
        if measure < least {
            least = measure;
            x.copy_from(&current);
        }
        if least <= target || !(moved > f64::EPSILON * problem.size) {
            break;
        }
    }
    room.polished = current;
    steps
}
