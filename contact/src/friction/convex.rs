//! Coulomb's law as a fixed point over convex problems: s = mu |u_T| in, the convex problem, u_T out (Cadoux, thesis, Grenoble 2009;
//! Acary, Cadoux, Lemarechal, Malick, ZAMM 91 (2011) 155), accelerated after Anderson. Before that, the path with the exact law: six to
//! ten steps mostly tell what slips, sticks and opens, and Newton needs a few more; followed to its end the path often jams.

use super::{
    anderson::Anderson,
    interior,
    newton::{self, Effort},
    scaled::{Iterate, Scaled},
};

/// Fixed-point iterations.
const ROUNDS: usize = 100;
/// Of large problems so many over the square of their rows, and a few: a round costs n^3, and those of 24 contacts have all of them.
const LARGE: usize = 500_000;
const FEW: usize = 4;
/// Measure to which the path with the exact law is followed. Newton brings the rest, and keeps the even distribution over redundant
/// contacts in which the path ends; followed further, round-off would take its place.
const NEAR: f64 = 1e-8;
/// Measures at which Newton is tried from the path.
const CROSS: [f64; 4] = [1e-3, 1e-4, 1e-6, 0.0];
/// The same in the fixed point, whose s must not be told apart from that of a neighbouring one.
const NEARER: f64 = 1e-10;
/// Rounds whose convex problems are solved to a share of what the last one moved, until that is small: then to the end, since points in
/// which each contact is nearly decided are worth more than paths with the exact law.
const EARLY: usize = 5;
const LOOSE: f64 = 1e-3;
const SMALL: f64 = 1e-2;
/// Rounds without a better point after which an acceptable one is taken.
const PATIENCE: usize = 2;
/// Newton iterations on each result: the fixed point need only come near.
const POLISH: usize = 12;

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    interior: interior::Room,
    /// s of each contact, and the next.
    lift: Vec<f64>,
    next: Vec<f64>,
    anderson: Anderson,
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
    let steps = exact_path(problem, x, target, room, newton) + first_rounds(problem, x, (target, enough), room, newton);
    steps + rounds(problem, x, (target, enough), room, newton)
}

/// With s in the equations: mostly all it takes.
pub(crate) fn exact_path(
    problem: &Scaled,
    x: &mut Iterate,
    target: f64,
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    interior::begin_exact(problem, &mut room.interior);
    cross(problem, x, target, room, newton)
}

/// Along the path with the exact law, Newton's method tried from its points. Returns the steps.
fn cross(problem: &Scaled, x: &mut Iterate, target: f64, room: &mut Room, newton: &mut newton::Room) -> usize {
    let (mut least, mut steps) = (problem.measure(x), 0);
    for near in CROSS {
        let current = &mut room.polished;
        let (taken, more) = interior::follow(problem, NEAR, near, current, &mut room.interior);
        steps += taken;
        newton::newton(problem, current, POLISH, target, Effort::Quick, newton);
        keep_better(problem.measure(current), current, &mut least, x);
        if least <= target || !more {
            break;
        }
    }
    steps
}

/// A few rounds of the fixed point: each convex problem solved as well as the next needs it, and from its path that with the exact law tried
/// again, which is soon told and mostly enough.
pub(crate) fn first_rounds(
    problem: &Scaled,
    x: &mut Iterate,
    goals: (f64, f64),
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    room.begin(problem);
    go_on(problem, x, goals, (EARLY.min(limit(problem)), LOOSE), room, newton)
}

/// Rounds from the start again, each to the end.
pub(crate) fn rounds(
    problem: &Scaled,
    x: &mut Iterate,
    goals: (f64, f64),
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    room.begin(problem);
    go_on(problem, x, goals, (limit(problem), 0.0), room, newton)
}

/// Rounds from the best point so far: the fixed point draws from some sides only.
pub(crate) fn rounds_from(
    problem: &Scaled,
    x: &mut Iterate,
    goals: (f64, f64),
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    room.begin(problem);
    next_lift(problem, x, &room.next, &mut room.lift);
    go_on(problem, x, goals, (limit(problem), 0.0), room, newton)
}

fn limit(problem: &Scaled) -> usize {
    ROUNDS.min(LARGE / (problem.n * problem.n).max(1) + FEW)
}

impl Room {
    /// s = 0, nothing remembered.
    fn begin(&mut self, problem: &Scaled) {
        self.lift.clear();
        self.lift.resize(problem.cones.len(), 0.0);
        self.next.clone_from(&self.lift);
        self.anderson.restart();
    }
}

/// Rounds from s in `room`, at most so many, each to a share of what the last one moved.
fn go_on(
    problem: &Scaled,
    x: &mut Iterate,
    (target, enough): (f64, f64),
    (limit, share): (usize, f64),
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    let (mut before, mut jump) = (f64::INFINITY, f64::INFINITY);
    let (mut least, mut steps, mut idle, mut entered) = (problem.measure(x), 0, 0, None);
    for _ in 0..limit {
        if least <= target || least <= enough && idle >= PATIENCE {
            break;
        }
        let current = &mut room.polished;
        let near = if share > 0.0 && before > SMALL * problem.size {
            (share * before / problem.size).clamp(NEARER, share)
        } else {
            NEARER
        };
        steps += interior::solve(problem, (&room.lift, jump), near, current, &mut room.interior);
        let moved = next_lift(problem, current, &room.lift, &mut room.next);
        // What misled is forgotten.
        if moved > before {
            room.anderson.restart();
        }
        before = moved;
        room.anderson.accelerate(&room.lift, &mut room.next);
        jump = 0.0;
        for (lift, next) in room.lift.iter_mut().zip(&room.next) {
            let next = next.max(0.0);
            jump = jump.max((next - *lift).abs());
            *lift = next;
        }
        newton::newton(problem, current, POLISH, target, Effort::Quick, newton);
        let measure = problem.measure(current);
        idle = if measure < 0.5 * least { 0 } else { idle + 1 };
        keep_better(measure, current, &mut least, x);
        if share > 0.0 && least > target {
            // From the same point the same path would follow.
            let from = interior::turn_exact(problem, jump, &mut room.interior);
            if from.is_some() && from != entered {
                steps += cross(problem, x, target, room, newton);
                least = problem.measure(x);
            }
            entered = from;
        }
        if !(moved > f64::EPSILON * problem.size) {
            break;
        }
    }
    steps
}

/// s of each contact at x; returns the largest change.
fn next_lift(problem: &Scaled, x: &Iterate, lift: &[f64], next: &mut [f64]) -> f64 {
    let mut moved = 0.0_f64;
    for (c, cone) in problem.cones.iter().enumerate() {
        next[c] = cone.lift(&x.u[problem.offsets[c]..problem.offsets[c + 1]]);
        moved = moved.max((next[c] - lift[c]).abs());
    }
    moved
}

fn keep_better(measure: f64, current: &Iterate, least: &mut f64, x: &mut Iterate) {
    if measure < *least {
        *least = measure;
        x.copy_from(current);
    }
}
