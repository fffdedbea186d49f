//! Problems with friction of the kinds that public collections hold, by the default solvers, from nothing.

use crate::piles;
use fourbar_contact::{
    Budget,
    friction::{Cone, Coulomb, Workspace},
    problem::{FrictionProblem, GlobalFriction},
    solution::{MethodName, Solution, Status},
};
use piles::collection::{Kind, of_about, of_two_dozen};

const FRICTION: [f64; 7] = [0.0, 0.1, 0.3, 0.5, 0.8, 1.0, 1.5];

/// What is not solved to 1e-8 in reduced form of the problems of each kind; of those the status must say so.
fn open_problems(
    family: impl Fn(Kind) -> Vec<(&'static str, GlobalFriction)>,
    kinds: impl Iterator<Item = Kind>,
) -> Vec<String> {
    let (mut workspace, mut solution) = (Workspace::default(), Solution::default());
    let mut open = Vec::new();
    for kind in kinds {
        for (name, problem) in family(kind) {
            let problem = problem.reduced_form().expect("a problem");
            Coulomb::default().solve_in(&problem, None, &mut workspace, &mut solution).expect("valid");
            assert_eq!(solution.solved(), solution.residual.natural <= 1e-8, "{name}, {kind:?}: {}", solution.status);
            if !solution.solved() {
                assert_eq!(solution.status, Status::MaxIterations, "{name}, {kind:?}");
                let Kind { mu, decades, push, seed } = kind;
                open.push(format!("{name} mu {mu} decades {decades} push {push} seed {seed}"));
            }
        }
    }
    open
}

/// Fails if problems are open that are not known to be hard.
fn only_hard(open: &[String], hard: &[&str]) {
    let new: Vec<_> = open.iter().filter(|name| !hard.contains(&name.as_str())).collect();
    assert!(new.is_empty(), "open, but not known as hard: {new:#?}");
}

/// Problems of [`two_dozen_contacts`] on which no method of the default converges.
const HARD: [&str; 1] = ["spheres mu 0.3 decades 2 push 0.3 seed 1"];

#[test]
fn two_dozen_contacts() {
    let kinds = FRICTION.into_iter().flat_map(|mu| {
        [0.0, 2.0, 4.0].into_iter().flat_map(move |decades| {
            [0.0, 0.3].into_iter().flat_map(move |push| (0..2).map(move |seed| Kind { mu, decades, push, seed }))
        })
    });
    only_hard(&open_problems(of_two_dozen, kinds), &HARD);
}

/// The same of [`two_dozen_contacts_that_never_slip`].
const HARD_STEEP: [&str; 3] = [
    "chain mu 100000000 decades 2 push 0 seed 1",
    "chain mu 10000000000 decades 2 push 0 seed 0",
    "chain mu 1000000000000 decades 2 push 0 seed 0",
];

/// Coefficients that mean "never slips". In random heaps some contacts slip all the same; theirs is a normal impulse of 1/mu, which
/// round-off hides at 1e8 and above.
#[test]
fn two_dozen_contacts_that_never_slip() {
    let mut open = Vec::new();
    for mu in [1e2, 1e3, 1e4, 1e6, 1e8, 1e10, 1e12] {
        let kinds = (0..2).flat_map(|seed| [0.0, 2.0].map(|decades| Kind { mu, decades, push: 0.0, seed }));
        let family = |kind| of_two_dozen(kind).into_iter().filter(|(name, _)| mu <= 1e6 || *name != "heap").collect();
        open.extend(open_problems(family, kinds));
    }
    only_hard(&open, &HARD_STEEP);
}

/// |S - P_K(S - u~)| of the worst contact over the largest free velocity, in units in which W has ones on the diagonal of a contact, on
/// average: a measure of its own of contacts with sliding friction.
fn miss(problem: &FrictionProblem, s: &[f64]) -> f64 {
    let u = problem.w() * nalgebra::DVector::from_column_slice(s) + problem.q();
    let (mut worst, mut size) = (0.0_f64, 0.0_f64);
    for (cone, &first) in problem.cones().iter().zip(problem.offsets()) {
        let rows = first..first + cone.size();
        let mean = rows.clone().map(|i| problem.w()[(i, i)]).sum::<f64>() / cone.size() as f64;
        let unit = 1.0 / mean.sqrt();
        let mu = if *cone == Cone::smooth() { 0.0 } else { cone.friction };
        let slip = u.rows(first + 1, cone.size() - 1).norm() * unit;
        let mut moved: Vec<f64> = rows.clone().map(|i| s[i] / unit - u[i] * unit).collect();
        moved[0] -= mu * slip;
        let (normal, tangent) = (moved[0], moved[1..].iter().map(|t| t * t).sum::<f64>().sqrt());
        let projected: Vec<f64> = if tangent <= mu * normal {
            moved.clone()
        } else if mu * tangent <= -normal {
            vec![0.0; moved.len()]
        } else {
            let along = (normal + mu * tangent) / (1.0 + mu * mu);
            let turn = |t: &f64| if tangent > 0.0 { mu * along * t / tangent } else { 0.0 };
            std::iter::once(along).chain(moved[1..].iter().map(turn)).collect()
        };
        let square: f64 = rows.clone().zip(projected).map(|(i, p)| (s[i] / unit - p).powi(2)).sum();
        worst = worst.max(square.sqrt());
        size = rows.map(|i| (problem.q()[i] * unit).abs()).fold(size, f64::max);
    }
    worst / size
}

/// Processor time of this thread \[s\] where the system tells it; other work on the machine is not counted.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse::<f64>().ok()).unwrap_or(f64::NAN) * 1e-9
}

/// What came of the problems of one size.
#[derive(Default)]
struct Tally {
    problems: usize,
    failed: Vec<String>,
    lies: Vec<String>,
    times: Vec<f64>,
    total: f64,
    by: Vec<(String, usize)>,
}

impl Tally {
    fn add(
        &mut self,
        name: &str,
        kind: Kind,
        problem: &FrictionProblem,
        (workspace, solution): &mut (Workspace, Solution),
    ) {
        let (begun, clock) = (processor_time(), std::time::Instant::now());
        Coulomb::default().solve_in(problem, None, workspace, solution).expect("valid");
        self.total += processor_time() - begun;
        let time = clock.elapsed().as_secs_f64();
        self.problems += 1;
        self.times.push(time);
        let missed = miss(problem, &solution.z);
        let line = format!("{name} {kind:?}: {} {missed:.1e} in {time:.3} s", solution.status);
        if solution.solved() {
            let last = solution.attempts.iter().filter(|attempt| attempt.residual <= 1e-8).last();
            let count = solution.attempts.iter().filter(|attempt| attempt.method != MethodName::Newton).count();
            let by = last.map_or_else(|| "none".to_owned(), |attempt| format!("{count} {:?}", attempt.method));
            match self.by.iter_mut().find(|(known, _)| *known == by) {
                Some((_, count)) => *count += 1,
                None => self.by.push((by, 1)),
            }
            if !(missed <= 1e-7) {
                self.lies.push(line);
            }
        } else {
            self.failed.push(line);
        }
    }

    fn print(mut self, title: &str) {
        self.times.sort_by(f64::total_cmp);
        self.by.sort();
        let (count, total) = (self.times.len(), self.total);
        let at = |share: f64| self.times[((count - 1) as f64 * share) as usize] * 1e3;
        println!(
            "{title}: {} problems, {} solved, {} honest failures, {} false successes; {total:.2} s, median {:.2} ms, 99 % {:.1} ms, longest {:.0} ms",
            self.problems,
            self.problems - self.failed.len(),
            self.failed.len(),
            self.lies.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
        println!("  solved by (tries but Newton's, method): {:?}", self.by);
        for line in self.failed.iter().map(|line| ("open", line)).chain(self.lies.iter().map(|line| ("FALSE", line))) {
            println!("  {}: {}", line.0, line.1);
        }
    }
}

/// Random problems of seeds that nothing was tuned on: 2,160 of 24 contacts, and of about 200 and 400 contacts as many as take a few
/// minutes. `cargo test -p fourbar-contact --test all fresh_families -- --ignored --nocapture` prints how many are solved, by what, and the
/// time; `FRESH=24` (or 200, 400) takes one size.
#[test]
#[ignore = "measures, takes minutes"]
fn fresh_families() {
    let wanted = std::env::var("FRESH").ok();
    let mut room = (Workspace::default(), Solution::default());
    let kinds = |mus: &'static [f64], decades: &'static [f64], pushes: &'static [f64], seeds: std::ops::Range<u64>| {
        let mut kinds = Vec::new();
        for &mu in mus {
            for &decades in decades {
                for &push in pushes {
                    kinds.extend(seeds.clone().map(|seed| Kind { mu, decades, push, seed }));
                }
            }
        }
        kinds
    };
    for (size, work) in [(24, None), (200, Some(20_000_000_000)), (400, Some(20_000_000_000))] {
        if wanted.as_ref().is_some_and(|wanted| *wanted != size.to_string()) {
            continue;
        }
        let kinds = match size {
            24 => kinds(&[0.1, 0.3, 0.5, 0.8, 1.0, 1.5], &[0.0, 2.0, 4.0], &[0.0, 0.3], 9000..9006),
            200 => kinds(&[0.1, 0.5, 1.0], &[0.0, 2.0], &[0.0, 0.3], 9000..9001),
            _ => kinds(&[0.3, 0.8], &[0.0, 2.0], &[0.3], 9000..9001),
        };
        room.0.budget = Budget { work, ..Budget::default() };
        let mut tally = Tally::default();
        for kind in kinds {
            let family = if size == 24 { of_two_dozen(kind) } else { of_about(size, kind) };
            for (name, problem) in family {
                let problem = problem.reduced_form().expect("a problem");
                tally.add(name, kind, &problem, &mut room);
            }
        }
        tally.print(&format!("{size} contacts"));
    }
}
