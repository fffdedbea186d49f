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
const CROSS: [f64; 3] = [1e-3, 1e-6, 0.0];
/// Where it fails at the end, the path is followed to this: contacts between slip and stick leave the measure at the square root of the gap.
const FARTHEST: f64 = 1e-14;
/// The same in the fixed point, whose s must not be told apart from that of a neighbouring one.
const NEARER: f64 = 1e-10;
/// The same in the first round.
const LOOSE: f64 = 1e-3;
/// Iterations that the acceleration remembers: as many as there are contacts that slip, if they are few; and by how much more than before
/// a round must move s to make it forget them. Near contacts between stick and slip s wanders.
const DEPTH: usize = 12;
const MISLED: f64 = 100.0;
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
    anderson: Anderson<DEPTH>,
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
    let steps = exact_path(problem, x, target, room, newton) + first_round(problem, x, target, room, newton);
    steps + rounds(problem, x, (target, enough), Rounds::Long, room, newton)
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
    let (room, current) = (&mut room.interior, &mut room.polished);
    let mut to = |goal: f64, near: f64, least: &mut f64, room: &mut interior::Room| {
        let (taken, more) = interior::follow(problem, goal, near, current, room);
        steps += taken;
        newton::newton(problem, current, POLISH, target, Effort::Quick, newton);
        keep_better(problem.measure(current), current, least, x);
        more && *least > target
    };
    for near in CROSS {
        if !to(NEAR, near, &mut least, room) {
            break;
        }
    }
    if least > target && interior::ended(problem, NEAR, room) {
        to(FARTHEST, 0.0, &mut least, room);
    }
    steps
}

/// The first round: the convex problem of s = 0, solved as well as the next would need it, and from its path that with the exact law, which is
/// soon told and mostly enough. What it leaves, sweeps find sooner than more of these.
pub(crate) fn first_round(
    problem: &Scaled,
    x: &mut Iterate,
    target: f64,
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    room.begin(problem);
    let Room { interior, polished, lift, next, .. } = room;
    let steps = interior::solve(problem, (lift, f64::INFINITY), LOOSE, polished, interior);
    let moved = next_lift(problem, polished, lift, next);
    newton::newton(problem, polished, POLISH, target, Effort::Quick, newton);
    let mut least = problem.measure(x);
    keep_better(problem.measure(polished), polished, &mut least, x);
    if least <= target || !interior::turn_exact(problem, moved, interior) {
        return steps;
    }
    steps + cross(problem, x, target, room, newton)
}

/// Where rounds begin: the fixed point draws from some sides only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounds {
    /// At s = 0.
    Long,
    /// There, and every round that moves s by more than the one before makes the acceleration forget.
    Forgetful,
    /// At the best point so far.
    Again,
}

/// Rounds, each to the end.
pub(crate) fn rounds(
    problem: &Scaled,
    x: &mut Iterate,
    goals: (f64, f64),
    which: Rounds,
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    room.begin(problem);
    if which == Rounds::Again {
        next_lift(problem, x, &room.next, &mut room.lift);
    }
    go_on(problem, x, goals, if which == Rounds::Forgetful { 1.0 } else { MISLED }, room, newton)
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

/// Rounds from s in `room`.
fn go_on(
    problem: &Scaled,
    x: &mut Iterate,
    (target, enough): (f64, f64),
    misled: f64,
    room: &mut Room,
    newton: &mut newton::Room,
) -> usize {
    let (mut before, mut jump) = (f64::INFINITY, f64::INFINITY);
    let (mut least, mut steps, mut idle) = (problem.measure(x), 0, 0);
    for _ in 0..ROUNDS.min(LARGE / (problem.n * problem.n).max(1) + FEW) {
        if problem.meter.is_over() || least <= target || least <= enough && idle >= PATIENCE {
            break;
        }
        let current = &mut room.polished;
        steps += interior::solve(problem, (&room.lift, jump), NEARER, current, &mut room.interior);
        let moved = next_lift(problem, current, &room.lift, &mut room.next);
        // What misled is forgotten.
        if moved > misled * before {
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
