//! A study: problems by integrators, formulations and tolerances.

use super::combination::{Combination, Selection};
use super::error::AccuracyError;
use super::partner::Partner;
use super::plain::FIRST_ORDER;
use super::problem::{Problem, Statement};
use super::record::{About, Control, Record, Results};
use super::run::{Conditions, measure};
use super::shipped;
use super::stepped;
use fourbar_linalg::Interrupt;
use fourbar_multibody::integrator::Tolerance;

/// What is compared, and how.
#[derive(Debug)]
pub struct Study {
    /// The problems.
    pub problems: Vec<Problem>,
    /// Relative tolerances, in [`Tolerance::RANGE`].
    pub tolerances: Vec<f64>,
    /// Lengths of steps \[s\] of methods without a tolerance.
    pub steps: Vec<f64>,
    /// Runs whose times count; their median is told.
    pub repeats: usize,
    /// Most steps of a run: what does not come to its end with as many has failed.
    pub max_steps: u64,
    /// Programs of others.
    pub partners: Vec<Partner>,
}

impl Default for Study {
    /// No problem, tolerances 1e-4, 1e-6, 1e-8 and 1e-10, three repeats, at most 200,000 steps: twice what the dearest shipped problem takes
    /// at 1e-10; steps of 1e-2, 1e-3 and 1e-4 s for methods that take them.
    fn default() -> Self {
        Self {
            problems: Vec::new(),
            tolerances: vec![1e-4, 1e-6, 1e-8, 1e-10],
            steps: vec![1e-2, 1e-3, 1e-4],
            repeats: 3,
            max_steps: 200_000,
            partners: Vec::new(),
        }
    }
}

impl Study {
    /// Makes all runs of the combinations of `selection`, and tells each record to `told` when it is there. A run that fails has its error in
    /// its record. Once `interrupt` is raised, the study ends with the records that it has.
    ///
    /// # Errors
    /// [`AccuracyError::Nothing`], [`AccuracyError::Tolerance`], [`AccuracyError::UnknownWord`]: nothing was run.
    pub fn run(
        &self,
        selection: &Selection,
        interrupt: &Interrupt,
        mut told: impl FnMut(&Record),
    ) -> Result<Results, AccuracyError> {
        if self.problems.is_empty() {
            return Err(AccuracyError::Nothing { known: shipped::names() });
        }
        if let Some(tolerance) = self.tolerances.iter().find(|tolerance| !Tolerance::RANGE.contains(*tolerance)) {
            return Err(AccuracyError::Tolerance(*tolerance));
        }
        if let Some(step) = self.steps.iter().find(|step| !(**step > 0.0 && step.is_finite())) {
            return Err(AccuracyError::Step(*step));
        }
        let combinations = selection.combinations()?;
        let problems = self.problems.iter().map(about).collect();
        let mut results = Results { problems, records: Vec::new(), repeats: self.repeats, complete: true };
        for problem in &self.problems {
            for series in self.series(problem, selection, &combinations)? {
                for control in self.controls(&series) {
                    let record = self.record(problem, &series, control, interrupt);
                    if interrupt.is_raised() {
                        results.complete = false;
                        return Ok(results);
                    }
                    told(&record);
                    results.records.push(record);
                }
            }
        }
        Ok(results)
    }

    /// What takes part in a problem.
    fn series<'a>(
        &'a self,
        problem: &Problem,
        selection: &Selection,
        combinations: &[Combination],
    ) -> Result<Vec<Series<'a>>, AccuracyError> {
        let own = match &problem.statement {
            Statement::Equations(build) if !build.formulated => {
                // Formulations are those of mechanisms: each integrator takes part once.
                let any = Selection { formulations: Vec::new(), ..selection.clone() };
                let mut all = any.combinations()?;
                all.dedup_by_key(|own| own.integrator);
                all.into_iter().map(|own| Series::Own(own, FIRST_ORDER)).collect()
            }
            Statement::Stepped(statement) => {
                let end = problem.reference.end();
                let of = |name| Series::Stepped(name, stepped::takes_steps(statement, name, end));
                selection.methods(stepped::methods(&statement.document)).into_iter().map(of).collect()
            }
            _ => combinations.iter().map(|own| Series::Own(own.clone(), own.formulation_name())).collect::<Vec<_>>(),
        };
        Ok(own.into_iter().chain(self.partners.iter().map(Series::Partner)).collect())
    }

    fn controls(&self, series: &Series<'_>) -> Vec<Control> {
        match series {
            Series::Stepped(_, true) => self.steps.iter().map(|step| Control::Step(*step)).collect(),
            _ => self.tolerances.iter().map(|tolerance| Control::Tolerance(*tolerance)).collect(),
        }
    }

    fn record(&self, problem: &Problem, series: &Series<'_>, control: Control, interrupt: &Interrupt) -> Record {
        let repeats = self.repeats.max(1);
        let tolerance = control.tolerance().unwrap_or_default();
        let (method, outcome) = match (series, &problem.statement) {
            (Series::Partner(partner), _) => return partner.record(problem, tolerance, repeats),
            (Series::Stepped(method, _), Statement::Stepped(statement)) => {
                ([*method, ""], stepped::measure(problem, statement, method, control, repeats, interrupt))
            }
            (Series::Stepped(method, _), _) => ([*method, ""], Err("the model has no such method".to_owned())),
            (Series::Own(combination, formulation), _) => {
                let conditions = Conditions { tolerance, limit: self.max_steps, repeats, interrupt };
                ([combination.integrator, *formulation], measure(problem, combination, &conditions))
            }
        };
        Record::own(&problem.name, method, control, outcome)
    }
}

/// One line of a work-precision diagram.
enum Series<'a> {
    /// An integrator of fourbar, and the name of what it solves.
    Own(Combination, &'static str),
    /// A method of a model that is followed in steps, and whether these have a given length.
    Stepped(&'static str, bool),
    /// A program of others.
    Partner(&'a Partner),
}

fn about(problem: &Problem) -> About {
    About {
        name: problem.name.clone(),
        title: problem.title.clone(),
        source: problem.reference.source.clone(),
        digits: problem.reference.digits,
        end: problem.reference.end(),
        columns: problem.columns.clone(),
    }
}
