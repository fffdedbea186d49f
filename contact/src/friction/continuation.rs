//! Continuation in contact compliance: W + delta D in the place of W, followed by pseudo-arclength from soft contacts to the exact law.
//!
//! D is diagonal, positive, one number a contact. For large delta the contacts hardly act on each other and the answer is the only one;
//! as delta falls the answers form a curve that cannot end before delta = 0, but may turn back on the way: contacts with friction have
//! several answers, or one that vanishes. log delta is one more unknown therefore and the length of the curve the parameter: predictor
//! along the tangent, Newton's corrections across it, on the function of Alart and Curnier, which bends sharply where contacts open,
//! stick or slip. There the tangent of the piece behind the corner leads on, in the direction that keeps the sign of the determinant
//! of the bordered matrix (E. Allgower, K. Georg, Introduction to Numerical Continuation Methods, SIAM 2003, chapters 2, 6 and 12).
//! Where one curve leads nowhere in time, that of another D may: on which no other method converges.

use super::{
    newton::{self, Compliance, Effort},
    scaled::{Iterate, Scaled},
};

/// Factorizations of one curve over the rows, at most.
const LARGE: usize = 90_000;
/// Range of log D of the curves after the first, whose D is I.
const SPREAD: f64 = 6.0;
/// Corrections of a step at most: one that needs more is repeated shorter.
const CORRECTIONS: usize = 6;
/// Corrections up to which a step went well: the next one is longer.
const FEW: usize = 4;
/// Share of |q'| to which corrections bring the function.
const NEAR: f64 = 1e-4;
/// Corrections of the point at which a curve begins, to which no step led.
const BEGIN: usize = 60;
/// Length of the first step. The unit of lengths is the size of all impulses together, or a factor e of delta.
const FIRST: f64 = 0.5;
/// Length of the longest step, in the same unit.
const LONGEST: f64 = 3.0;
/// Length of a step below which the curve is given up, in the same unit.
const SHORTEST: f64 = 1e-7;
/// Length below which a step that fails may have met a corner of the curve, in the same unit.
const CORNER: f64 = 0.05;
/// Length that the step behind a corner has at least, in the same unit.
const AFTER: f64 = 0.02;
/// Fall of log delta between tries of Newton on the problem itself.
const BETWEEN: f64 = 1.0;
/// Newton iterations of such a try.
const POLISH: usize = 12;
/// delta at the start, in scaled units: W' has a diagonal near one.
const START: f64 = 10.0;
/// delta at the end, in the same units.
const END: f64 = 1e-10;

/// Workspace of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    x: Iterate,
    log_delta: f64,
    /// D, and delta D as Newton's function takes it.
    spread: Vec<f64>,
    compliance: Compliance,
    /// Direction of the curve in S and log delta, its last entry; the weight of S in its length; the sign of the determinant.
    tangent: Vec<f64>,
    weight: f64,
    sign: f64,
    step: Vec<f64>,
    /// Where a step began, and the direction it had.
    from: (Vec<f64>, f64),
    aside: Vec<f64>,
    polished: Iterate,
    factorizations: usize,
}

/// Follows up to `curves` curves, each over at most `longest` factorizations, until Newton finds the rest to `target`; x becomes the best
/// point. Returns the factorizations.
pub(crate) fn follow(
    problem: &Scaled,
    x: &mut Iterate,
    target: f64,
    (curves, longest): (usize, usize),
    workspace: &mut Workspace,
    newton: &mut newton::Workspace,
) -> usize {
    let (mut total, mut least) = (0, problem.measure(x));
    let mut random = SEED;
    for curve in 0..curves {
        workspace.spread.clear();
        workspace.spread.resize(problem.cones.len(), 1.0);
        if curve > 0 {
            workspace.spread.iter_mut().for_each(|spread| *spread = (SPREAD * (uniform(&mut random) - 0.5)).exp());
        }
        workspace.one(problem, x, (target, longest), &mut least, newton);
        total += workspace.factorizations;
        if least <= target || problem.meter.is_over() {
            break;
        }
    }
    total
}

/// Where the stream of random numbers begins.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The next number between 0 and 1 (G. Marsaglia, J. Stat. Softw. 8 (2003) 14).
fn uniform(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

impl Workspace {
    /// One curve.
    fn one(
        &mut self,
        problem: &Scaled,
        x: &mut Iterate,
        (target, longest): (f64, usize),
        least: &mut f64,
        newton: &mut newton::Workspace,
    ) {
        self.factorizations = 0;
        if !self.begin(problem, newton) {
            return;
        }
        let limit = longest.min(LARGE / problem.n.max(1));
        let (mut length, mut tried) = (FIRST, self.log_delta);
        let over = || problem.meter.is_over();
        while self.factorizations < limit && length >= SHORTEST && self.log_delta > END.ln() && !over() {
            match self.advance(problem, length, newton) {
                Some(corrections) if corrections <= FEW => length = (2.0 * length).min(LONGEST),
                Some(_) => {}
                None if length < CORNER && self.corner(problem, length, newton) => length = (4.0 * length).max(AFTER),
                None => {
                    length *= 0.3;
                    continue;
                }
            }
            if !self.turn(problem, newton) {
                return;
            }
            if self.log_delta > tried - BETWEEN {
                continue;
            }
            tried = self.log_delta;
            self.polished.copy_from(&self.x);
            problem.refresh(&mut self.polished);
            newton::newton(problem, &mut self.polished, POLISH, target, Effort::Patient, newton);
            let measure = problem.measure(&self.polished);
            if measure < *least {
                *least = measure;
                x.copy_from(&self.polished);
            }
            if *least <= target {
                return;
            }
        }
    }

    /// The point of the curve at the first delta, and the direction in which delta falls. False if it is not found.
    fn begin(&mut self, problem: &Scaled, newton: &mut newton::Workspace) -> bool {
        let n = problem.n;
        self.log_delta = START.ln();
        self.x.s.clear();
        self.x.s.extend(problem.q.iter().map(|q| -q / START));
        for (c, cone) in problem.cones.iter().enumerate() {
            cone.project(&mut self.x.s[problem.offsets[c]..problem.offsets[c + 1]]);
        }
        self.tangent.clear();
        self.tangent.resize(n + 1, 0.0);
        self.tangent[n] = -1.0;
        (self.weight, self.sign) = (1.0, 0.0);
        for _ in 0..BEGIN {
            if self.evaluate(problem, newton) <= NEAR * problem.size {
                return self.turn(problem, newton);
            }
            if !self.correction(problem, newton) {
                return false;
            }
            self.x.s.iter_mut().zip(&self.step).for_each(|(s, ds)| *s += ds);
        }
        false
    }

    /// The function at S and delta, contacts opened that are open; returns its largest entry.
    fn evaluate(&mut self, problem: &Scaled, newton: &mut newton::Workspace) -> f64 {
        let delta = self.log_delta.exp();
        self.compliance.clear();
        self.compliance.extend(self.spread.iter().map(|spread| delta * spread));
        newton::comply(problem, &self.compliance, &mut self.x);
        if newton::open_contacts(problem, &mut self.x) {
            newton::comply(problem, &self.compliance, &mut self.x);
        }
        newton.evaluate(problem, &self.x)
    }

    /// Factors the derivatives, bordered by the direction, and solves for a right-hand side; false if that is not possible.
    fn solve(&mut self, problem: &Scaled, newton: &mut newton::Workspace, correct: bool) -> bool {
        self.factorizations += 1;
        let border = (&self.tangent[..], self.weight);
        newton.bordered(problem, &self.x, &self.compliance, border, correct, &mut self.step)
    }

    /// Newton's step back to the curve, across the direction.
    fn correction(&mut self, problem: &Scaled, newton: &mut newton::Workspace) -> bool {
        self.solve(problem, newton, true)
    }

    /// The direction in which the curve goes on from here, and the weight of S there.
    fn turn(&mut self, problem: &Scaled, newton: &mut newton::Workspace) -> bool {
        if !self.solve(problem, newton, false) {
            return false;
        }
        let sign = newton.sign();
        if self.sign == 0.0 {
            self.sign = sign;
        }
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        self.weight = 1.0 / square(&self.x.s).max(f64::MIN_POSITIVE);
        let (ds, d_log) = (&self.step[..problem.n], self.step[problem.n]);
        let length = sign * self.sign * (d_log * d_log + self.weight * square(ds)).sqrt();
        self.tangent.clear();
        self.tangent.extend(self.step.iter().map(|step| step / length));
        length != 0.0 && length.is_finite()
    }

    /// A step of this length and its corrections, of which the number is returned; none, back where it began, if they fail.
    fn advance(&mut self, problem: &Scaled, length: f64, newton: &mut newton::Workspace) -> Option<usize> {
        self.leave();
        self.move_along(length);
        let done = self.correct(problem, newton);
        if done.is_none() {
            self.go_back();
        }
        done
    }

    /// A step beyond a corner, then on along the piece that is found there.
    fn corner(&mut self, problem: &Scaled, length: f64, newton: &mut newton::Workspace) -> bool {
        let weight = self.weight;
        self.aside.clone_from(&self.tangent);
        for beyond in [length, 4.0 * length] {
            self.leave();
            self.move_along(beyond);
            self.evaluate(problem, newton);
            if self.turn(problem, newton) {
                self.move_along(beyond);
                if self.correct(problem, newton).is_some() {
                    return true;
                }
            }
            self.go_back();
            self.tangent.clone_from(&self.aside);
            self.weight = weight;
        }
        false
    }

    fn leave(&mut self) {
        self.from.0.clone_from(&self.x.s);
        self.from.1 = self.log_delta;
    }

    fn go_back(&mut self) {
        self.x.s.clone_from(&self.from.0);
        self.log_delta = self.from.1;
    }

    fn move_along(&mut self, length: f64) {
        let n = self.x.s.len();
        self.x.s.iter_mut().zip(&self.tangent).for_each(|(s, t)| *s += length * t);
        self.log_delta += length * self.tangent[n];
    }

    /// Corrections until the point is on the curve; their number. None if they do not lead there, or run in a circle.
    fn correct(&mut self, problem: &Scaled, newton: &mut newton::Workspace) -> Option<usize> {
        let mut before = [f64::INFINITY; 2];
        for done in 0..=CORRECTIONS {
            let miss = self.evaluate(problem, newton);
            if miss <= NEAR * problem.size {
                return Some(done);
            }
            let hopeful = miss < 10.0 * before[0] && miss < 0.9 * before[1];
            if done == CORRECTIONS || !hopeful || !self.correction(problem, newton) {
                break;
            }
            before = [miss, before[0]];
            self.x.s.iter_mut().zip(&self.step).for_each(|(s, ds)| *s += ds);
            self.log_delta += self.step[problem.n];
        }
        None
    }
}
