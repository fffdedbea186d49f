//! The start of an integration: checks, order 1, the first step; or a history that is known.

use super::BdfStepper;
use super::course::Course;
use super::jumps::Jumps;
use super::schedule::Schedule;
use super::state::State;
use crate::dae::Dae;
use crate::integrator::Integrator;
use crate::integrator::bdf::Bdf;
use crate::integrator::coefficients::Coefficients;
use crate::integrator::corrector::Corrector;
use crate::integrator::dense::{DensePosition, Probe};
use crate::integrator::error::Error;
use crate::integrator::lanes::largest;
use crate::integrator::nordsieck::Trial;
use crate::integrator::options::within;
use crate::integrator::start::{check_start, check_values};
use crate::integrator::statistics::Statistics;
use crate::integrator::switching::Switching;
use crate::integrator::targets::Targets;
use crate::integrator::weights::Weights;

impl Bdf {
    /// Starts as the method does.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Length`], [`Error::NotFinite`], [`Error::EndBeforeStart`].
    pub fn start<D: Dae>(self, dae: D, time: f64, y: &[f64], yp: &[f64], end: f64) -> Result<BdfStepper<D>, Error> {
        BdfStepper::new(self, dae, time, y, yp, end)
    }
}

impl<D: Dae> BdfStepper<D> {
    pub(in crate::integrator) fn new(
        method: Bdf,
        dae: D,
        time: f64,
        y: &[f64],
        yp: &[f64],
        end: f64,
    ) -> Result<Self, Error> {
        let n = dae.dimension();
        method.validate(n)?;
        check_start(&dae, time, y, yp)?;
        let order_max = method.highest();
        let corrector = Corrector::new(&dae, method.newton);
        let state = State {
            course: Course::new(method.coefficients, time, y, yp, order_max),
            schedule: Schedule::new(method.coefficients),
            targets: Targets::new(time),
            dense: DensePosition::new(n),
            weights: Weights::new(&dae, &method.tolerance),
            jumps: Jumps::default(),
            switching: Switching::default(),
            statistics: Statistics::default(),
        };
        let mut stepper = Self {
            method,
            dae,
            state,
            corrector,
            trial: Trial::new(n),
            probe: Probe::new(n),
            of_time: 0.0,
            before: None,
            watched: [Vec::new(), Vec::new()],
        };
        stepper.begin(time, y, yp);
        stepper.begin_watch()?;
        stepper.set_end_time(end)?;
        Ok(stepper)
    }

    pub(in crate::integrator) fn with_history(
        method: Bdf,
        dae: D,
        time: f64,
        step: f64,
        columns: &[&[f64]],
        end: f64,
    ) -> Result<Self, Error> {
        let k = columns.len().saturating_sub(1);
        let order_max = method.highest();
        within("order of the history", k as f64, (1..=order_max).contains(&k), "from 1 to the highest order")?;
        within("step of the history", step, step > 0.0 && step.is_finite(), "a positive time")?;
        for column in columns {
            check_values(&dae, "history column", column)?;
        }
        let yp: Vec<f64> = columns[1].iter().map(|z| z / step).collect();
        let mut stepper = Self::new(method, dae, time, columns[0], &yp, end)?;
        let s = &mut stepper.state;
        s.course.fill(columns, step);
        s.schedule.go_on(k, stepper.method.fixed.map_or(step, |f| f.step));
        s.weights.renew(&stepper.dae, s.course.y(), step);
        Ok(stepper)
    }

    /// Plans the first step from a point where the method begins: of order 2 where the system knows second derivatives, else of order 1.
    ///
    /// Coefficients that follow the steps need ends of steps to go through, those of generalized-alpha second derivatives of all unknowns. A step that
    /// the caller gives is one of order 1.
    pub(super) fn plan_first_step(&mut self) {
        let Self { method, dae, state: s, trial, .. } = self;
        let step = first_step(method, s, dae);
        s.schedule.set_step(step);
        let is_free = method.fixed.is_none() && method.step.first == 0.0 && method.order_max > 1;
        if !is_free || !matches!(method.coefficients, Coefficients::Fixed) {
            return;
        }
        let ypp = trial.delta.as_mut_slice();
        if let Some(advised) = dae.second_order(s.course.y(), s.course.slope().as_slice(), ypp) {
            let step = step.max(advised.min(cap(s)).min(method.step.largest));
            s.course.bend(ypp);
            s.schedule.begin_at_order_2(step);
            s.weights.renew(dae, s.course.y(), step);
        }
    }

    /// Sets order 1 and the first step at a start that is checked.
    pub(super) fn begin(&mut self, time: f64, y: &[f64], yp: &[f64]) {
        let s = &mut self.state;
        s.dense.begin(time, self.dae.root_count());
        s.course.begin(time, y, yp);
        // The step is chosen when it is taken: only then it is known how far to go.
        s.schedule.begin(0.0);
    }
}

/// Longest first step: a thousandth of the interval.
fn cap(s: &State) -> f64 {
    let end = s.targets.end();
    if end.is_finite() { 1e-3 * (end - s.course.time()) } else { f64::INFINITY }
}

/// The first step at a point, where order 1 begins; renews the weights for it.
///
/// A system that measures errors itself advises it. Otherwise the solution changes by about sqrt(rtol) of its weight scale, so that the local
/// error of order 1, about (h/T)^2, meets rtol (Hindmarsh, LSODE). It is at most a thousandth of the interval; where that is endless and nothing
/// moves, 1 ms, a step as good as any.
pub(super) fn first_step(method: &Bdf, s: &mut State, dae: &impl Dae) -> f64 {
    let limits = &method.step;
    let cap = cap(s);
    let (y, relative) = (s.course.y(), method.tolerance.relative);
    let advised = if dae.weighs() {
        dae.first_step(y, s.course.slope().as_slice(), relative)
    } else {
        s.weights.renew(dae, y, cap);
        1.0 / (largest(&s.course.slope().lanes, &s.weights.error.lanes) * relative.sqrt())
    };
    let automatic = Some(advised.min(cap)).filter(|step| step.is_finite()).unwrap_or(1e-3);
    let first = if limits.first > 0.0 { limits.first } else { automatic };
    let smallest = limits.smallest.max(16.0 * f64::EPSILON * s.course.time().abs()).max(f64::MIN_POSITIVE);
    let step = method.fixed.map_or(first.clamp(smallest, limits.largest.max(smallest)), |fixed| fixed.step);
    s.weights.renew(dae, s.course.y(), step);
    step
}
