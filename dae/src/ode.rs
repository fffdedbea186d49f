//! The contract between an explicit system y' = f(t, y) and the integrators that solve it.
//!
//! The counterpart of [`Dae`](crate::Dae) for methods without an implicit solve. A system may keep invariants (the constraints of a
//! mechanism whose coordinates are partitioned): it puts each new point back on them ([`Ode::settle`]) and may change its coordinates
//! between steps ([`Ode::before_step`]).

use crate::dae::{ErrorWeights, EvalError, RootEvent, Unknown};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};

/// Fast unknowns w linearized: m equations 0 = g(t, y, w) and what they do to the others.
#[derive(Debug, Default, PartialEq)]
pub struct Fast {
    /// g, m entries.
    pub residual: Vec<f64>,
    /// `dg_k/dw_k`, m entries.
    pub slope: Vec<f64>,
    /// dg/dy, m rows of n entries.
    pub by_y: Vec<f64>,
    /// df/dw, m columns of n entries.
    pub effect: Vec<f64>,
}

impl Clone for Fast {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }
    fn clone_from(&mut self, source: &Self) {
        self.residual.clone_from(&source.residual);
        self.slope.clone_from(&source.slope);
        self.by_y.clone_from(&source.by_y);
        self.effect.clone_from(&source.effect);
    }
}

/// Fast unknowns may be others than those that are there: their number is read with them.
impl Stored for Fast {
    fn store(&self, to: &mut Vec<u8>) {
        for list in [&self.residual, &self.slope, &self.by_y, &self.effect] {
            store_list(list, to);
        }
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        [&mut self.residual, &mut self.slope, &mut self.by_y, &mut self.effect]
            .into_iter()
            .try_for_each(|l| from.list(l))
    }
}

impl Fast {
    /// Whether it is of `count` fast unknowns, or of none, and `n` others.
    pub(crate) fn fits(&self, count: usize, n: usize) -> bool {
        let lengths = [&self.residual, &self.slope, &self.by_y, &self.effect].map(Vec::len);
        lengths == [count, count, count * n, count * n] || lengths == [0; 4]
    }
}

/// A system y' = f(t, y) with n unknowns.
///
/// Methods take `&mut self` because an implementation keeps its workspace inside: nothing is allocated per evaluation. The result
/// of an evaluation must depend on (t, y) and on what [`Ode::save`] writes alone.
pub trait Ode {
    /// Number n of unknowns.
    fn dimension(&self) -> usize;

    /// What each unknown is, n entries; those with `error_tested` decide on the step.
    fn unknowns(&self) -> &[Unknown];

    /// Name of unknown i, for messages.
    fn unknown_name(&self, i: usize) -> String {
        format!("unknown {i}")
    }

    /// Writes f(t, y) to `yp` (n entries each).
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError>;

    /// Number m of fast unknowns w: f depends on y also through w(y), which solves 0 = g(t, y, w), one equation each, and is stiff where
    /// `dg_k/dw_k` is small (the direction of a slow slip). Steps that this would limit take y' = f(t, y, w), 0 = g(t, y, w) as one
    /// system. May change at a restart only.
    fn fast_count(&self) -> usize {
        0
    }

    /// Writes f(t, y, w) to `yp`, where [`Ode::rhs`] writes f(t, y, w(y)).
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    fn rhs_fast(&mut self, t: f64, y: &[f64], _w: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        self.rhs(t, y, yp)
    }

    /// The fast unknowns at the point where f was evaluated last, with the w that was taken there.
    ///
    /// # Errors
    /// [`EvalError`] when they cannot be evaluated.
    fn fast(&mut self, _fast: &mut Fast) -> Result<(), EvalError> {
        Ok(())
    }

    /// Puts the end point of a step back on the invariants of the system: changes `y` by no more than the error of the step.
    ///
    /// # Errors
    /// [`EvalError`] when that is not possible; a recoverable one shortens the step.
    fn settle(&mut self, _t: f64, _y: &mut [f64]) -> Result<(), EvalError> {
        Ok(())
    }

    /// Tolerances by which [`Ode::settle`] may move unknowns: a step that leaves the invariants by more is taken again, shorter.
    fn settling(&self) -> f64 {
        1.0
    }

    /// The first time from `t` \[s\] on at which f jumps or bends, as far as the system knows beforehand; `t` itself as long as
    /// [`Ode::pass_break`] has not gone on behind it, infinite if there is none. Steps end there.
    fn next_break(&mut self, _t: f64) -> f64 {
        f64::INFINITY
    }

    /// Goes on behind the break at `t` \[s\] that [`Ode::next_break`] gave; `y` (n entries) may be replaced. Returns whether y or f has jumped.
    ///
    /// # Errors
    /// [`EvalError`] when there is no point behind the jump: the run stops.
    fn pass_break(&mut self, _t: f64, _y: &mut [f64]) -> Result<bool, EvalError> {
        Ok(false)
    }

    /// Called before a step with the accepted point (t, y), which the system may write in other coordinates: the dense output of
    /// the step before is not asked for any more. Returns whether y or f has changed.
    ///
    /// # Errors
    /// [`EvalError`] when the accepted state is not usable.
    fn before_step(&mut self, _t: f64, _y: &mut [f64]) -> Result<bool, EvalError> {
        Ok(false)
    }

    /// Writes an earlier point in the coordinates into which [`Ode::before_step`] has just changed: y and f there (n entries each), which are in
    /// those before. `newer` is the next newer point, written already. Returns whether it can; methods of several steps let go of the point and
    /// of those before it otherwise.
    fn rewrite(&mut self, _newer: &[f64], _y: &mut [f64], _slope: &mut [f64]) -> bool {
        false
    }

    /// Whether the system itself knows what errors are measured against ([`Ode::weigh`]), so that tolerances do not hang on |y_i| and
    /// [`Unknown::typical`].
    fn weighs(&self) -> bool {
        false
    }

    /// Sets what errors at the accepted point y are measured against; asked only where [`Ode::weighs`] says so.
    fn weigh(&self, _y: &[f64], _yardstick: &mut ErrorWeights<'_>) {}

    /// The first step of a run from (y, y') that such a system advises \[s\]; infinite where nothing limits it.
    fn first_step(&self, _y: &[f64], _yp: &[f64], _relative: f64) -> f64 {
        f64::INFINITY
    }

    /// Writes to `errors` (n entries, 0 before) what a step of length `h` to (t, y) misses of each unknown, because the stages of the step do
    /// not see all that depends on the time by itself. A step that misses more than its tolerance is taken again, shorter.
    fn defect(&mut self, _t: f64, _h: f64, _y: &[f64], _errors: &mut [f64]) {}

    /// Number of conditions that are watched: arguments at whose zeros the equations jump or bend, as the system knows. A step is smooth:
    /// conditions that jump are held on one side while it lasts.
    fn watched_count(&self) -> usize {
        0
    }

    /// Name of watched condition k, for messages.
    fn watched_name(&self, k: usize) -> String {
        format!("condition {k}")
    }

    /// The function to which watched condition k belongs, by a number: between two bends of one function steps look closer.
    fn watched_function(&self, k: usize) -> usize {
        k
    }

    /// Writes the arguments of the watched conditions at (t, y) to `arguments`; 0 for those on which nothing depends there.
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    fn watch(&mut self, _t: f64, _y: &[f64], _arguments: &mut [f64]) -> Result<(), EvalError> {
        Ok(())
    }

    /// The sign that argument k has on the side on which its condition is held; none where nothing is held.
    fn expected_sign(&self, _k: usize) -> Option<i8> {
        None
    }

    /// Chooses the sides of all conditions by the point (t, y) alone, as at a start.
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    fn choose_sides(&mut self, _t: f64, _y: &[f64]) -> Result<(), EvalError> {
        Ok(())
    }

    /// Turns conditions to the sides that `events` tell, at the point (t, y). Returns whether f has jumped.
    ///
    /// # Errors
    /// [`EvalError`] when there is no point behind the jump: the run stops.
    fn switch(&mut self, _t: f64, _y: &mut [f64], _events: &[RootEvent]) -> Result<bool, EvalError> {
        Ok(false)
    }

    /// Number of root functions; may change at a restart only.
    fn root_count(&self) -> usize {
        0
    }

    /// Name of root function i, for messages.
    fn root_name(&self, i: usize) -> String {
        format!("root function {i}")
    }

    /// Writes the values of the root functions at (t, y) to `roots`. They should be continuous between restarts.
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    fn roots(&mut self, _t: f64, _y: &[f64], _yp: &[f64], _roots: &mut [f64]) -> Result<(), EvalError> {
        Ok(())
    }

    /// Appends what the object itself remembers between steps and its results depend on to `store`.
    fn save(&self, _store: &mut Vec<f64>) {}

    /// Takes back what [`Ode::save`] appended.
    ///
    /// # Errors
    /// [`EvalError::Fatal`] when `store` was not written by a system like this one.
    fn restore(&mut self, _store: &[f64]) -> Result<(), EvalError> {
        Ok(())
    }
}

/// A borrowed system is a system, so that a caller can keep it.
impl<S: Ode + ?Sized> Ode for &mut S {
    fn dimension(&self) -> usize {
        (**self).dimension()
    }
    fn unknowns(&self) -> &[Unknown] {
        (**self).unknowns()
    }
    fn unknown_name(&self, i: usize) -> String {
        (**self).unknown_name(i)
    }
    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        (**self).rhs(t, y, yp)
    }
    fn fast_count(&self) -> usize {
        (**self).fast_count()
    }
    fn rhs_fast(&mut self, t: f64, y: &[f64], w: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        (**self).rhs_fast(t, y, w, yp)
    }
    fn fast(&mut self, fast: &mut Fast) -> Result<(), EvalError> {
        (**self).fast(fast)
    }
    fn settle(&mut self, t: f64, y: &mut [f64]) -> Result<(), EvalError> {
        (**self).settle(t, y)
    }
    fn settling(&self) -> f64 {
        (**self).settling()
    }
    fn next_break(&mut self, t: f64) -> f64 {
        (**self).next_break(t)
    }
    fn pass_break(&mut self, t: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        (**self).pass_break(t, y)
    }
    fn before_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        (**self).before_step(t, y)
    }
    fn rewrite(&mut self, newer: &[f64], y: &mut [f64], slope: &mut [f64]) -> bool {
        (**self).rewrite(newer, y, slope)
    }
    fn weighs(&self) -> bool {
        (**self).weighs()
    }
    fn weigh(&self, y: &[f64], weights: &mut ErrorWeights<'_>) {
        (**self).weigh(y, weights);
    }
    fn first_step(&self, y: &[f64], yp: &[f64], relative: f64) -> f64 {
        (**self).first_step(y, yp, relative)
    }
    fn defect(&mut self, t: f64, h: f64, y: &[f64], errors: &mut [f64]) {
        (**self).defect(t, h, y, errors);
    }
    fn watched_count(&self) -> usize {
        (**self).watched_count()
    }
    fn watched_name(&self, k: usize) -> String {
        (**self).watched_name(k)
    }
    fn watched_function(&self, k: usize) -> usize {
        (**self).watched_function(k)
    }
    fn watch(&mut self, t: f64, y: &[f64], arguments: &mut [f64]) -> Result<(), EvalError> {
        (**self).watch(t, y, arguments)
    }
    fn expected_sign(&self, k: usize) -> Option<i8> {
        (**self).expected_sign(k)
    }
    fn choose_sides(&mut self, t: f64, y: &[f64]) -> Result<(), EvalError> {
        (**self).choose_sides(t, y)
    }
    fn switch(&mut self, t: f64, y: &mut [f64], events: &[RootEvent]) -> Result<bool, EvalError> {
        (**self).switch(t, y, events)
    }
    fn root_count(&self) -> usize {
        (**self).root_count()
    }
    fn root_name(&self, i: usize) -> String {
        (**self).root_name(i)
    }
    fn roots(&mut self, t: f64, y: &[f64], yp: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        (**self).roots(t, y, yp, roots)
    }
    fn save(&self, store: &mut Vec<f64>) {
        (**self).save(store);
    }
    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        (**self).restore(store)
    }
}
