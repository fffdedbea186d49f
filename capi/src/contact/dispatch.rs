//! Each kind of problem with the method that was asked for.

use std::time::Duration;

use fourbar::contact::Budget;
use fourbar::contact::friction::{
    Coulomb, GlobalCoulomb, GlobalSolution, GlobalWorkspace, Method as Friction, Workspace as FrictionRoom,
};
use fourbar::contact::problem::{FrictionProblem, GlobalFriction, Lcp, MixedLcp};
use fourbar::contact::solution::{Attempt, MethodName, Residual, Solution};
use fourbar::contact::solver::{
    ActiveSet, Automatic, AutomaticWorkspace, Enumeration, GaussSeidel, InteriorPoint, Lemke, Method, Workspace,
    solve_mixed_within,
};

use super::failure::of_contact;
use super::options::{fourbar_contact_method as M, fourbar_contact_options};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status as Status;

/// What the solvers keep from solve to solve; on the heap, each by itself: no stack has to hold all of them.
#[derive(Default)]
pub(super) struct Rooms {
    automatic: Box<AutomaticWorkspace>,
    active_set: Box<Workspace<ActiveSet>>,
    lemke: Box<Workspace<Lemke>>,
    interior_point: Box<Workspace<InteriorPoint>>,
    gauss_seidel: Box<Workspace<GaussSeidel>>,
    enumeration: Box<Workspace<Enumeration>>,
    friction: Box<FrictionRoom>,
    global: Box<GlobalWorkspace>,
    global_solution: GlobalSolution,
}

/// The options, checked.
#[derive(Clone)]
pub(super) struct Choice {
    method: M,
    iterations: Option<usize>,
    tolerance: Option<f64>,
    relaxation: f64,
    pub(super) budget: Budget,
}

impl Choice {
    pub(super) fn new(options: &fourbar_contact_options) -> Result<Self, Failure> {
        let invalid = |text: String| Err(Failure::new(Status::FOURBAR_INVALID, text));
        let methods = [
            M::FOURBAR_CONTACT_AUTOMATIC,
            M::FOURBAR_CONTACT_ACTIVE_SET,
            M::FOURBAR_CONTACT_LEMKE,
            M::FOURBAR_CONTACT_INTERIOR_POINT,
            M::FOURBAR_CONTACT_NEWTON,
            M::FOURBAR_CONTACT_AUGMENTED_LAGRANGIAN,
            M::FOURBAR_CONTACT_GAUSS_SEIDEL,
            M::FOURBAR_CONTACT_ENUMERATION,
            M::FOURBAR_CONTACT_FIXED_POINT,
        ];
        let Some(&method) = methods.iter().find(|known| **known as i32 == options.method) else {
            return invalid(format!("method is {}, which is no fourbar_contact_method to choose", options.method));
        };
        if !(options.tolerance >= 0.0 && options.tolerance.is_finite()) {
            return invalid(format!("tolerance is {}; it must be positive, or 0 for the default", options.tolerance));
        }
        if !(options.relaxation > 0.0 && options.relaxation < 2.0) {
            return invalid(format!("relaxation is {}; it must lie between 0 and 2", options.relaxation));
        }
        let time = if options.time_max == 0.0 {
            None
        } else {
            match Duration::try_from_secs_f64(options.time_max) {
                Ok(time) => Some(time),
                Err(_) => {
                    let given = options.time_max;
                    return invalid(format!("time_max is {given}; it must be a number of seconds, or 0 for no limit"));
                }
            }
        };
        let work = (options.work_max > 0).then_some(options.work_max);
        Ok(Self {
            budget: Budget { work, time, cancel: None },
            method,
            iterations: (options.max_iterations > 0).then_some(options.max_iterations as usize),
            tolerance: (options.tolerance > 0.0).then_some(options.tolerance),
            relaxation: options.relaxation,
        })
    }

    fn unsupported<T>(&self, kind: &str, methods: &str) -> Result<T, Failure> {
        let text = format!("method {} does not solve problems {kind}; choose {methods}", self.method as i32);
        Err(Failure::new(Status::FOURBAR_UNSUPPORTED, text))
    }
}

/// A method with the options that were given.
macro_rules! with_options {
    ($method:ident, $choice:expr, $limit:ident $(, $more:ident: $value:expr)*) => {{
        let mut own = $method::default();
        own.tolerance = $choice.tolerance.unwrap_or(own.tolerance);
        own.$limit = $choice.iterations.unwrap_or(own.$limit);
        $(own.$more = $value;)*
        own
    }};
}

const LINEAR: &str = "AUTOMATIC, ACTIVE_SET, LEMKE, INTERIOR_POINT, GAUSS_SEIDEL or ENUMERATION";

impl Rooms {
    /// The solves to come keep to a budget.
    pub(super) fn keep_to(&mut self, budget: &Budget) {
        let all = [
            &mut self.automatic.budget,
            &mut self.active_set.budget,
            &mut self.lemke.budget,
            &mut self.interior_point.budget,
            &mut self.gauss_seidel.budget,
            &mut self.enumeration.budget,
            &mut self.friction.budget,
            &mut self.global.budget,
        ];
        all.into_iter().for_each(|own| own.clone_from(budget));
    }

    pub(super) fn lcp(
        &mut self,
        choice: &Choice,
        lcp: &Lcp,
        start: Option<&[f64]>,
        solution: &mut Solution,
    ) -> Result<(), Failure> {
        let tolerance = choice.tolerance.unwrap_or(Automatic::default().tolerance);
        match choice.method {
            M::FOURBAR_CONTACT_AUTOMATIC => {
                Automatic { tolerance }.solve_into(lcp, start, &mut self.automatic, solution);
            }
            M::FOURBAR_CONTACT_ACTIVE_SET => {
                with_options!(ActiveSet, choice, max_iterations).solve_into(lcp, start, &mut self.active_set, solution)
            }
            M::FOURBAR_CONTACT_LEMKE => {
                with_options!(Lemke, choice, max_iterations).solve_into(lcp, start, &mut self.lemke, solution);
            }
            M::FOURBAR_CONTACT_INTERIOR_POINT => with_options!(InteriorPoint, choice, max_iterations).solve_into(
                lcp,
                start,
                &mut self.interior_point,
                solution,
            ),
            M::FOURBAR_CONTACT_GAUSS_SEIDEL => {
                with_options!(GaussSeidel, choice, max_iterations, relaxation: choice.relaxation).solve_into(
                    lcp,
                    start,
                    &mut self.gauss_seidel,
                    solution,
                );
            }
            M::FOURBAR_CONTACT_ENUMERATION => {
                with_options!(Enumeration, choice, max_pairs).solve_into(lcp, start, &mut self.enumeration, solution)
            }
            _ => return choice.unsupported("of linear complementarity", LINEAR),
        }
        Ok(())
    }

    pub(super) fn friction(
        &mut self,
        choice: &Choice,
        problem: &FrictionProblem,
        start: Option<&[f64]>,
        solution: &mut Solution,
    ) -> Result<(), Failure> {
        let limit = |default: usize| choice.iterations.unwrap_or(default);
        let own = Coulomb::default();
        let methods = match choice.method {
            M::FOURBAR_CONTACT_AUTOMATIC => own.methods,
            M::FOURBAR_CONTACT_GAUSS_SEIDEL => vec![Friction::GaussSeidel { sweeps: limit(10_000) }].into(),
            M::FOURBAR_CONTACT_NEWTON => vec![Friction::Newton { iterations: limit(100), sweeps: 10 }].into(),
            M::FOURBAR_CONTACT_FIXED_POINT => {
                vec![Friction::InteriorPoint, Friction::FixedPoint { rounds: limit(20) }].into()
            }
            _ => return choice.unsupported("with friction", "AUTOMATIC, GAUSS_SEIDEL, NEWTON or FIXED_POINT"),
        };
        let coulomb = Coulomb { methods, tolerance: choice.tolerance.unwrap_or(own.tolerance), ..own };
        coulomb.solve_in(problem, start, &mut self.friction, solution).map_err(|error| of_contact(&error))
    }

    /// Impulses go to z, contact after contact, velocities of contacts to w, those of bodies to u. Starts from the impulses of `start`.
    pub(super) fn global(
        &mut self,
        choice: &Choice,
        problem: &GlobalFriction,
        start: Option<&[f64]>,
        solution: &mut Solution,
    ) -> Result<(), Failure> {
        let own = GlobalCoulomb::default();
        let tolerance = choice.tolerance.unwrap_or(own.tolerance);
        let all = GlobalCoulomb { tolerance, keep: tolerance, relaxation: choice.relaxation, ..own };
        let coulomb = match choice.method {
            M::FOURBAR_CONTACT_AUTOMATIC => all,
            M::FOURBAR_CONTACT_GAUSS_SEIDEL => {
                GlobalCoulomb { sweeps: choice.iterations.unwrap_or(10_000), rounds: 0, reduced_rows: 0, ..all }
            }
            _ => return choice.unsupported("in global form", "AUTOMATIC or GAUSS_SEIDEL"),
        };
        let answer = &mut self.global_solution;
        answer.bilateral.clear();
        answer.impulses.clear();
        let mut given = start.unwrap_or_default();
        for contact in problem.contacts.iter().filter(|_| start.is_some()) {
            let (own, rest) = given.split_at(contact.cone.size().min(given.len()));
            given = rest;
            let mut impulses = [0.0; 6];
            impulses[..own.len()].copy_from_slice(own);
            answer.impulses.push(impulses);
        }
        coulomb.solve(problem, &mut self.global, answer).map_err(|error| of_contact(&error))?;
        report(problem, answer, tolerance, solution);
        Ok(())
    }

    /// Impulses of the bilateral rows of the last global problem.
    pub(super) fn bilateral(&self) -> &[f64] {
        &self.global_solution.bilateral
    }

    pub(super) fn forget_bilateral(&mut self) {
        self.global_solution.bilateral.clear();
    }
}

/// A mixed problem; its methods keep nothing.
pub(super) fn mixed(choice: &Choice, problem: &MixedLcp) -> Result<Solution, Failure> {
    let tolerance = choice.tolerance.unwrap_or(Automatic::default().tolerance);
    Ok(match choice.method {
        M::FOURBAR_CONTACT_AUTOMATIC => Automatic { tolerance }.solve_mixed_within(problem, &choice.budget),
        M::FOURBAR_CONTACT_ACTIVE_SET => {
            solve_mixed_within(&with_options!(ActiveSet, choice, max_iterations), problem, &choice.budget)
        }
        M::FOURBAR_CONTACT_LEMKE => {
            solve_mixed_within(&with_options!(Lemke, choice, max_iterations), problem, &choice.budget)
        }
        M::FOURBAR_CONTACT_INTERIOR_POINT => {
            solve_mixed_within(&with_options!(InteriorPoint, choice, max_iterations), problem, &choice.budget)
        }
        M::FOURBAR_CONTACT_GAUSS_SEIDEL => {
            let relaxation = choice.relaxation;
            solve_mixed_within(
                &with_options!(GaussSeidel, choice, max_iterations, relaxation: relaxation),
                problem,
                &choice.budget,
            )
        }
        M::FOURBAR_CONTACT_ENUMERATION => {
            solve_mixed_within(&with_options!(Enumeration, choice, max_pairs), problem, &choice.budget)
        }
        _ => return choice.unsupported("of mixed complementarity", LINEAR),
    })
}

/// A global answer in the form of the others.
fn report(problem: &GlobalFriction, answer: &GlobalSolution, tolerance: f64, solution: &mut Solution) {
    let rows = problem.contacts.iter().map(|contact| contact.cone.size()).sum();
    solution.reset(6 * problem.bodies.len(), rows);
    solution.u.clear();
    solution.u.extend(answer.velocities.iter().flatten());
    solution.z.clear();
    solution.w.clear();
    let velocity = |body: usize| answer.velocities.get(body).copied().unwrap_or_default();
    for (contact, impulses) in problem.contacts.iter().zip(&answer.impulses) {
        let [i, j] = contact.bodies.map(velocity);
        for k in 0..contact.cone.size() {
            let row = &contact.rows[k];
            let speed: f64 =
                (0..3).map(|x| row.g[x] * (i[x] - j[x]) + row.gi[x] * i[3 + x] + row.gj[x] * j[3 + x]).sum();
            solution.z.push(impulses[k]);
            solution.w.push(speed + contact.bias[k]);
        }
    }
    let status = answer.status(tolerance);
    let method = if answer.islands[1] > 0 { MethodName::AugmentedLagrangian } else { MethodName::GaussSeidel };
    let iterations = answer.sweeps + answer.factorizations;
    (solution.status, solution.iterations) = (status, iterations);
    let unknown = f64::NAN;
    solution.residual = Residual {
        natural: answer.residual,
        complementarity: unknown,
        negative_z: unknown,
        negative_w: unknown,
        mixed: 0.0,
    };
    solution.attempts.push(Attempt { method, status, iterations, residual: answer.residual });
}
