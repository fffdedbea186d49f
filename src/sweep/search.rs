//! Optimization: the parameters searched by the method of Nelder and Mead or by Levenberg-Marquardt within bounds (`rmpfit`, after
//! MINPACK and MPFIT), on numbers measured of runs.
//!
//! Both search in coordinates that go from 0 to 1 over the range of each parameter. Their runs follow one another, and each is noted in the
//! journal: a search that was stopped takes the noted results and goes on as if it had never stopped.

use super::error::SweepError;
use super::execute::{Options, Progress};
use super::journal::{Journal, MemberResult};
use super::members::between;
use super::plan::{Optimize, Parameter, Scale, SearchMethod};
use super::prepared::{MemberRun, Sweep};
use super::shard::Shard;
use super::simplex;
use super::subject::Subject;
use super::table::{Results, Row};
use fourbar_linalg::Interrupt;
use rmpfit::{MPConfig, MPError, MPFitter, MPMaxFev, MPPar, MPResult, MPSuccess};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Relative tolerance unless the plan gives one: that of most runs.
const TOLERANCE: f64 = 1e-6;
/// Most runs unless the plan says how many: some hundred serve a handful of parameters.
const MOST_RUNS: u64 = 500;
/// First edge of the simplex, as a part of the ranges.
const EDGE: f64 = 0.1;
/// Part of a range near whose ends the simplex is taken to look for the end itself, which it only comes close to: a tenth of its first edge.
const NEAR: f64 = 0.1 * EDGE;
/// Square of the relative step of difference quotients. Runs are smooth in their parameters to about their tolerance, 1e-7 at best: a
/// step of 1e-4 leaves quotients of three digits, that of the library, 1e-8, would leave none.
const DIFFERENCE: f64 = 1e-8;

/// How a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchEnd {
    /// The method met its tolerance, for this reason.
    Converged(String),
    /// The runs of the plan are used up.
    RunLimit,
    /// The caller has stopped it.
    Stopped,
    /// The method came no further.
    NotConverged(String),
}

impl std::fmt::Display for SearchEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Converged(reason) => write!(f, "converged: {reason}"),
            Self::RunLimit => f.write_str("not converged: `max_runs` is reached"),
            Self::Stopped => f.write_str("stopped"),
            Self::NotConverged(reason) => write!(f, "not converged: {reason}"),
        }
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// How it ended.
    pub end: SearchEnd,
    /// All runs, in their order.
    pub results: Results,
    /// The best of them, as an index of the rows; none if every run failed.
    pub best: Option<usize>,
    /// The output minimized, or the sum of the squares of the weighted differences, at the best.
    pub cost: f64,
    /// Parameters that lie at an end of their range at the best: a wider range may have a better one.
    pub at_bounds: Vec<String>,
}

impl Found {
    /// Why a better value may lie elsewhere, if the best lies at an end of a range.
    #[must_use]
    pub fn doubt(&self) -> Option<String> {
        let names = self.at_bounds.join(", ");
        let problem = "the search ended at an end of the range of";
        (!names.is_empty()).then(|| format!("{problem} {names}: a wider range may have a better value"))
    }
}

/// How it ended, and where.
impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.end.fmt(f)?;
        match self.at_bounds.as_slice() {
            [] => Ok(()),
            names => write!(f, ", at an end of the range of {}", names.join(", ")),
        }
    }
}

/// The runs of a search.
struct Runs<'a, P> {
    sweep: &'a Sweep,
    stop: &'a Arc<AtomicBool>,
    journal: Option<Journal>,
    /// What the journal had.
    noted: Vec<MemberRun>,
    rows: Vec<Row>,
    costs: Vec<f64>,
    limit: usize,
    /// Why no further run is made.
    over: Option<SearchEnd>,
    error: Option<SweepError>,
    progress: P,
}

/// No further run is made.
#[derive(Debug)]
pub(super) struct Over;

impl Sweep {
    /// Searches as the plan says; none if it does not. Of `options` only the journal counts: the runs follow one another.
    ///
    /// # Errors
    /// As [`Sweep::execute`].
    pub fn search(
        &self,
        options: &Options,
        stop: &Arc<AtomicBool>,
        progress: impl FnMut(Progress),
    ) -> Result<Option<Found>, SweepError> {
        let Some(optimize) = &self.plan().optimize else { return Ok(None) };
        let subject = Subject::of(self, Shard::default())?;
        let (journal, noted) = match &options.journal {
            Some(path) => {
                let (journal, noted) = Journal::open(path, &subject, self.headings().len())?;
                (Some(journal), noted.into_iter().map(|(_, run)| run).collect())
            }
            None => (None, Vec::new()),
        };
        let limit = optimize.max_runs.unwrap_or(MOST_RUNS) as usize;
        let (rows, costs) = (Vec::new(), Vec::new());
        let mut runs =
            Runs { sweep: self, stop, journal, noted, rows, costs, limit, over: None, error: None, progress };
        let start: Vec<f64> = self.plan().parameters.iter().map(part_of_start).collect();
        // Ends also a step that takes long.
        let before = Interrupt::from(Arc::clone(stop)).watch();
        let end = match optimize.method {
            SearchMethod::NelderMead => nelder_mead(&mut runs, optimize, &start),
            SearchMethod::LeastSquares => least_squares(&mut runs, optimize, start),
        };
        if matches!(end, SearchEnd::Converged(_)) && runs.over.is_none() {
            // What is over before the ends were tried has converged all the same, unless it was stopped.
            let _ = runs.try_ends();
            runs.over.take_if(|over| *over == SearchEnd::RunLimit);
        }
        before.watch();
        let best = runs.best();
        let Runs { rows, costs, over, error, .. } = runs;
        error.map_or(Ok(()), Err)?;
        let end = over.unwrap_or(end);
        let complete = end != SearchEnd::Stopped;
        let at_bounds = best.map_or(Vec::new(), |best| self.at_bounds(&rows[best].values));
        let results = Results { rows, ..Results::new(self, subject, Vec::new(), complete) };
        Ok(Some(Found { end, best, cost: best.map_or(f64::NAN, |best| costs[best]), results, at_bounds }))
    }

    fn at_bounds(&self, values: &[f64]) -> Vec<String> {
        let parameters = self.plan().parameters.iter().zip(values);
        // Within the part of the range that the default tolerance tells apart.
        let is_near =
            |value: f64, end: Option<f64>, width: f64| end.is_some_and(|end| (value - end).abs() <= TOLERANCE * width);
        parameters
            .filter(|(own, value)| {
                let width = own.to.unwrap_or(0.0) - own.from.unwrap_or(0.0);
                is_near(**value, own.from, width) || is_near(**value, own.to, width)
            })
            .map(|(own, _)| own.name.clone())
            .collect()
    }

    /// What a search makes small: one output, or the sum of squares.
    fn cost(&self, result: &MemberResult) -> f64 {
        let Ok(numbers) = result else { return f64::INFINITY };
        let minimized = self.plan().optimize.as_ref().and_then(|optimize| optimize.minimize.as_ref());
        let cost = match minimized.and_then(|name| self.plan().outputs.iter().position(|own| own.title() == *name)) {
            Some(place) => numbers[place],
            None => self.residuals(numbers).iter().map(|residual| residual * residual).sum(),
        };
        // A run without a number is no better than one that fails.
        if cost.is_nan() { f64::INFINITY } else { cost }
    }

    /// Weighted differences of the outputs to their targets.
    fn residuals(&self, numbers: &[f64]) -> Vec<f64> {
        let outputs = self.plan().outputs.iter().zip(numbers);
        outputs.filter_map(|(own, number)| Some(own.weight.unwrap_or(1.0) * (number - own.target?))).collect()
    }
}

/// Where the search of a parameter begins, as a part of its range.
fn part_of_start(parameter: &Parameter) -> f64 {
    parameter.start.map_or(0.5, |start| part_of(parameter, start))
}

/// A value as a part of its range.
fn part_of(parameter: &Parameter, value: f64) -> f64 {
    let (from, to) = (parameter.from.unwrap_or(0.0), parameter.to.unwrap_or(0.0));
    match parameter.scale.unwrap_or_default() {
        Scale::Linear => (value - from) / (to - from),
        Scale::Logarithmic => (value / from).ln() / (to / from).ln(),
    }
}

impl<P: FnMut(Progress)> Runs<'_, P> {
    /// The best run so far, the first of equals.
    fn best(&self) -> Option<usize> {
        let known = (0..self.rows.len()).filter(|k| self.costs[*k].is_finite());
        known.min_by(|a, b| self.costs[*a].total_cmp(&self.costs[*b]))
    }

    /// Runs the best once more with each parameter that is near an end of its range at that end: a minimum there is named as one.
    fn try_ends(&mut self) -> Result<(), Over> {
        for k in 0..self.sweep.plan().parameters.len() {
            let Some(best) = self.best() else { return Ok(()) };
            let values = self.sweep.plan().parameters.iter().zip(&self.rows[best].values);
            let mut parts: Vec<f64> = values.map(|(own, value)| part_of(own, *value)).collect();
            let end = parts[k].round();
            let distance = (parts[k] - end).abs();
            if distance > 0.0 && distance <= NEAR {
                parts[k] = end;
                self.at(&parts)?;
            }
        }
        Ok(())
    }

    /// Runs the model at these parts of the ranges.
    fn at(&mut self, parts: &[f64]) -> Result<&Row, Over> {
        let member = self.rows.len();
        if member >= self.limit {
            self.over.get_or_insert(SearchEnd::RunLimit);
            return Err(Over);
        }
        let parameters = self.sweep.plan().parameters.iter();
        let values: Vec<f64> = parameters.zip(parts).map(|(own, part)| between(own, *part)).collect();
        let run = match self.noted.get(member) {
            Some(run) => run.clone(),
            None => {
                let run = self.sweep.run(&values, self.stop);
                let run = run.filter(|run| run.result.is_ok() || !self.stop.load(Ordering::Relaxed));
                let Some(run) = run else {
                    self.over = Some(SearchEnd::Stopped);
                    return Err(Over);
                };
                if let Some(Err(error)) = self.journal.as_mut().map(|journal| journal.note(member, &run)) {
                    self.error = Some(error);
                    return Err(Over);
                }
                run
            }
        };
        self.costs.push(self.sweep.cost(&run.result));
        self.rows.push(Row::new(member, values, run));
        let failed = self.rows.iter().filter(|row| row.result.is_err()).count();
        (self.progress)(Progress { members: self.limit, done: member + 1, failed });
        Ok(&self.rows[member])
    }
}

/// A number folded into 0 to 1.
fn mirrored(part: f64) -> f64 {
    let folded = part.rem_euclid(2.0);
    if folded > 1.0 { 2.0 - folded } else { folded }
}

fn nelder_mead<P: FnMut(Progress)>(runs: &mut Runs<'_, P>, optimize: &Optimize, start: &[f64]) -> SearchEnd {
    // The first vertex tells the size of the output, to which the tolerance is relative.
    let first = match runs.at(start) {
        Ok(_) => runs.costs[0],
        Err(Over) => return SearchEnd::RunLimit,
    };
    let size = if first.is_finite() && first != 0.0 { first.abs() } else { 1.0 };
    let tolerance = optimize.tolerance.unwrap_or(TOLERANCE) * size;
    // The method knows no bounds: outside them the ranges are mirrored, so that the cost stays continuous.
    let mut cost = |parts: &[f64]| {
        let parts: Vec<f64> = parts.iter().map(|part| mirrored(*part)).collect();
        runs.at(&parts)?;
        Ok(runs.costs.last().copied().unwrap_or(f64::INFINITY))
    };
    match simplex::minimize((start.to_vec(), first), EDGE, tolerance, &mut cost) {
        Ok(true) => SearchEnd::Converged(
            "the outputs at the corners of a small simplex differ by less than the tolerance, and a restart gains no more".to_owned(),
        ),
        Ok(false) => SearchEnd::NotConverged("restarts go on to gain, or no run near the start succeeds".to_owned()),
        Err(Over) => SearchEnd::RunLimit,
    }
}

/// For Levenberg-Marquardt.
struct Residuals<'a, 'r, P> {
    runs: &'a mut Runs<'r, P>,
    config: MPConfig,
    bounds: Vec<MPPar>,
    /// The largest residual so far; none before a run has succeeded.
    largest: Option<f64>,
}

/// Residuals of a run that fails, over the largest so far: the step to it is taken back.
const BAD: f64 = 10.0;

impl<P: FnMut(Progress)> MPFitter for Residuals<'_, '_, P> {
    fn eval(&mut self, parts: &[f64], deviates: &mut [f64]) -> MPResult<()> {
        let sweep = self.runs.sweep;
        let row = self.runs.at(parts).map_err(|_| MPError::Eval)?;
        let residuals = row.result.as_ref().map(|numbers| sweep.residuals(numbers)).ok();
        let Some(residuals) = residuals.filter(|all| all.iter().all(|residual| residual.is_finite())) else {
            deviates.fill(BAD * self.largest.ok_or(MPError::Nan)?.max(f64::MIN_POSITIVE));
            return Ok(());
        };
        let largest = residuals.iter().fold(0.0_f64, |largest, residual| largest.max(residual.abs()));
        self.largest = Some(self.largest.map_or(largest, |before| before.max(largest)));
        deviates.copy_from_slice(&residuals);
        Ok(())
    }

    fn number_of_points(&self) -> usize {
        self.runs.sweep.plan().outputs.iter().filter(|output| output.target.is_some()).count()
    }

    fn config(&self) -> &MPConfig {
        &self.config
    }

    fn parameters(&self) -> &[MPPar] {
        &self.bounds
    }
}

fn least_squares<P: FnMut(Progress)>(runs: &mut Runs<'_, P>, optimize: &Optimize, mut parts: Vec<f64>) -> SearchEnd {
    let tolerance = optimize.tolerance.unwrap_or(TOLERANCE);
    let config = MPConfig {
        ftol: tolerance,
        xtol: tolerance,
        gtol: tolerance,
        epsfcn: DIFFERENCE,
        max_fev: MPMaxFev::Limited(runs.limit),
        ..MPConfig::default()
    };
    let bound = || MPPar { limited_low: true, limited_up: true, limit_low: 0.0, limit_up: 1.0, ..MPPar::default() };
    let bounds = parts.iter().map(|_| bound()).collect();
    let fitted = Residuals { runs, config, bounds, largest: None }.mpfit(&mut parts);
    match fitted.map(|status| status.success) {
        Ok(MPSuccess::Chi) => SearchEnd::Converged("the sum of squares changes by less than the tolerance".to_owned()),
        Ok(MPSuccess::Par) => SearchEnd::Converged("the parameters change by less than the tolerance".to_owned()),
        Ok(MPSuccess::Both) => {
            SearchEnd::Converged("sum of squares and parameters change by less than the tolerance".to_owned())
        }
        Ok(MPSuccess::Dir) => SearchEnd::Converged("the sum of squares is level within the tolerance".to_owned()),
        Ok(MPSuccess::MaxIter) => SearchEnd::RunLimit,
        Ok(_) => SearchEnd::NotConverged("the tolerance is below what the runs resolve".to_owned()),
        Err(MPError::Eval | MPError::Nan) => {
            SearchEnd::NotConverged("the first run failed or gave no number; start elsewhere".to_owned())
        }
        Err(error) => SearchEnd::NotConverged(error.to_string()),
    }
}
