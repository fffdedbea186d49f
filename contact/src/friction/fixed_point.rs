//! Coulomb's law as a fixed point over second-order cone problems: the De Saxcé correction s = mu |u_T| in, the cone problem, u_T out (F.
//! Cadoux, thesis, Grenoble 2009; V. Acary, F. Cadoux, C. Lemaréchal, J. Malick, ZAMM 91 (2011) 155), accelerated after Anderson. And the path
//! with the exact law: six to ten steps mostly tell what slips, sticks and opens, and Newton needs a few more.

use super::{
    anderson::Anderson,
    interior::{self, Stop},
    newton::{self, Effort},
    scaled::{Iterate, Scaled},
};

/// Measure to which the path with the exact law is followed. Newton brings the rest, and keeps the even distribution over redundant
/// contacts in which the path ends; followed further, round-off would take its place.
const NEAR: f64 = 1e-8;
/// Measures at which Newton is tried from the path.
const CROSS: [f64; 3] = [1e-3, 1e-6, 0.0];
/// Where it fails at the end, the path is followed to this: contacts between slip and stick leave the measure at the square root of the gap.
const FARTHEST: f64 = 1e-14;
/// Measure to which the path is followed within the fixed point, whose s must not be told apart from that of a neighbouring one.
const NEARER: f64 = 1e-10;
/// Measure to which the path is followed in the first round of the fixed point.
const LOOSE: f64 = 1e-3;
/// Gap at which the path of the associated law is left, over the change of s.
const BACK: f64 = 0.3;
/// Iterations that the acceleration remembers: as many as there are contacts that slip, if they are few.
const DEPTH: usize = 12;
/// By how much more than before a round must move s to make the acceleration forget: near contacts between stick and slip s wanders.
const MISLED: f64 = 100.0;
/// Rounds without a better point after which an acceptable one is taken.
const PATIENCE: usize = 2;
/// Newton iterations on each result: the fixed point need only come near.
const POLISH: usize = 12;

/// Workspace of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    interior: interior::Workspace,
    /// s of each contact, and the next.
    correction: Vec<f64>,
    next: Vec<f64>,
    anderson: Anderson<DEPTH>,
    polished: Iterate,
}

/// With s in the equations: mostly all it takes.
pub(crate) fn exact_path(
    problem: &Scaled,
    x: &mut Iterate,
    target: f64,
    workspace: &mut Workspace,
    newton: &mut newton::Workspace,
) -> usize {
    interior::begin_exact(problem, &mut workspace.interior);
    cross(problem, x, target, workspace, newton)
}

/// Along the path with the exact law, Newton's method tried from its points. Returns the steps.
fn cross(
    problem: &Scaled,
    x: &mut Iterate,
    target: f64,
    workspace: &mut Workspace,
    newton: &mut newton::Workspace,
) -> usize {
    let (mut least, mut steps) = (problem.measure(x), 0);
    let (workspace, current) = (&mut workspace.interior, &mut workspace.polished);
    let mut to = |goal: f64, near: f64, least: &mut f64, workspace: &mut interior::Workspace| {
        let (taken, more) = interior::follow(problem, goal, Stop::Measure(near), current, workspace);
        steps += taken;
        newton::newton(problem, current, POLISH, target, Effort::Quick, newton);
        keep_better(problem.measure(current), current, least, x);
        more && *least > target
    };
    for near in CROSS {
        if !to(NEAR, near, &mut least, workspace) {
            break;
        }
    }
    if least > target && interior::ended(problem, NEAR, workspace) {
        to(FARTHEST, 0.0, &mut least, workspace);
    }
    steps
}

/// So many rounds, solved to `target`, or to `enough` where round-off keeps the measure above that; x becomes the best point. Returns the
/// steps of the interior point.
pub(crate) fn fixed_point(
    problem: &Scaled,
    x: &mut Iterate,
    (target, enough): (f64, f64),
    rounds: usize,
    workspace: &mut Workspace,
    newton: &mut newton::Workspace,
) -> usize {
    workspace.begin(problem);
    let (mut least, mut before, mut steps, mut idle) = (problem.measure(x), f64::INFINITY, 0, 0);
    for round in 0..rounds {
        if problem.meter.is_over() || least <= target || least <= enough && idle >= PATIENCE {
            break;
        }
        let Workspace { interior, polished, correction, next, anderson } = &mut *workspace;
        let accuracy = if round == 0 { LOOSE } else { NEARER };
        interior::begin_cone_problem(problem, correction, interior);
        steps += interior::follow(problem, accuracy, Stop::Target, polished, interior).0;
        let moved = next_correction(problem, polished, correction, next);
        // What misled is forgotten, and the first round, which was solved to a few digits.
        if moved > MISLED * before || round == 1 {
            anderson.restart();
        }
        before = moved;
        anderson.accelerate(correction, next);
        correction.iter_mut().zip(next).for_each(|(correction, next)| *correction = next.max(0.0));
        newton::newton(problem, polished, POLISH, target, Effort::Quick, newton);
        let measure = problem.measure(polished);
        idle = if measure < 0.5 * least { 0 } else { idle + 1 };
        keep_better(measure, polished, &mut least, x);
        if round == 0 && least > target {
            steps += from_associated(problem, x, moved, target, workspace, newton);
            least = problem.measure(x);
            // The next begins at the corrections of the best point, which may be nearer than those of the first cone problem.
            next_correction(problem, x, &workspace.next, &mut workspace.correction);
        }
        if !(moved > f64::EPSILON * problem.size) {
            break;
        }
    }
    steps
}

/// Along the path of the associated law, s = 0, to where its gap is as large as what the change of s makes of it (E. A. Yildirim, S. J. Wright,
/// SIAM J. Optim. 12 (2002) 782), and on from there with the exact law.
fn from_associated(
    problem: &Scaled,
    x: &mut Iterate,
    moved: f64,
    target: f64,
    workspace: &mut Workspace,
    newton: &mut newton::Workspace,
) -> usize {
    interior::begin_associated(problem, &mut workspace.interior);
    let stop = Stop::Gap(BACK * moved * problem.size);
    let (steps, _) = interior::follow(problem, LOOSE, stop, &mut workspace.polished, &mut workspace.interior);
    workspace.interior.turn_exact();
    steps + cross(problem, x, target, workspace, newton)
}

impl Workspace {
    /// s = 0, nothing remembered.
    fn begin(&mut self, problem: &Scaled) {
        self.correction.clear();
        self.correction.resize(problem.cones.len(), 0.0);
        self.next.clone_from(&self.correction);
        self.anderson.restart();
    }
}

/// s of each contact at x; returns the largest change.
fn next_correction(problem: &Scaled, x: &Iterate, correction: &[f64], next: &mut [f64]) -> f64 {
    let mut moved = 0.0_f64;
    for (c, cone) in problem.cones.iter().enumerate() {
        next[c] = cone.correction(&x.u[problem.offsets[c]..problem.offsets[c + 1]]);
        moved = moved.max((next[c] - correction[c]).abs());
    }
    moved
}

fn keep_better(measure: f64, current: &Iterate, least: &mut f64, x: &mut Iterate) {
    if measure < *least {
        *least = measure;
        x.copy_from(current);
    }
}
