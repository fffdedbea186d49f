//! The contract between a system of equations F(t, y, y') = 0 and the integrators that solve it.
//!
//! Whoever writes equations implements [`Dae`]; whoever writes an integrator asks nothing else. What each unknown is
//! ([`Kind`]), whether it enters the error test and how it scales with the step are stated by the equations, never
//! guessed from zeros in a matrix.

mod difference;
mod eval_error;
mod kind;
mod root_event;

pub use difference::Differences;
pub use eval_error::EvalError;
use fourbar_linalg::Interrupt;
pub use kind::{Kind, Role};
use nalgebra_sparse::pattern::SparsityPattern;
pub use root_event::{Direction, RootEvent};

/// What an integrator must know of one unknown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unknown {
    /// What it stands for; selects its absolute tolerance.
    pub kind: Kind,
    /// Whether its local error decides on the step.
    pub error_tested: bool,
    /// p, where (h beta_0)^p times the unknown is the quantity whose Newton increment is comparable with that of a
    /// position (integrators.md section 3: in the index-3 formulation 0 for q, 1 for u, 2 for lambda). Increments are tested
    /// in that scaled form.
    pub scale_power: u8,
    /// A magnitude that is neither large nor small for it, in its unit; 1 where nothing better is known. Absolute tolerances by
    /// kind are multiplied by it.
    pub typical: f64,
}

/// What the errors of the unknowns are measured against: the weight of unknown i is `relative` sizes_i + absolute_i, where a
/// [`Unknown::scale_power`] p multiplies the first term by (h beta_0)^p.
#[derive(Debug)]
pub struct ErrorWeights<'a> {
    /// Relative tolerance.
    pub relative: f64,
    /// The last step, or the first one that is planned \[s\].
    pub step: f64,
    /// Sizes of the unknowns, n entries: comes in with |y_i|.
    pub sizes: &'a mut [f64],
    /// Absolute tolerances, n entries: comes in with those that the caller has asked for, 0 where none.
    pub absolute: &'a mut [f64],
}

/// The polynomial an integrator keeps over its last steps, as [`Dae::after_step`] may see and change it.
///
/// Unknown i is p_i(s) = sum_j c_ij s^j, s = (t - t_n)/h, j = 0 ..= order.
pub trait History {
    /// Time t_n at which s = 0 \[s\].
    fn time(&self) -> f64;
    /// Step h \[s\].
    fn step(&self) -> f64;
    /// Relative tolerance of the local error.
    fn tolerance(&self) -> f64;
    /// Degree of the polynomial.
    fn order(&self) -> usize;
    /// Coefficient c_ij.
    fn coefficient(&self, unknown: usize, power: usize) -> f64;
    /// Replaces c_ij.
    fn set_coefficient(&mut self, unknown: usize, power: usize, value: f64);
}

/// What errors of a step that was solved are to the unknowns, as [`Dae::defect`] may ask.
pub trait StepErrors {
    /// What a unit of unknown i is in tolerances.
    fn weight(&self, i: usize) -> f64;
    /// Turns a change of the residual F (n entries) into that of the unknowns at the end of the step, by the matrix of the step.
    fn solve(&mut self, residual: &mut [f64]);
    /// c of that matrix, dF/dy + c dF/dy' \[1/s\].
    fn slope(&self) -> f64;
}

/// A system F(t, y, y') = 0 with n equations and n unknowns.
///
/// Methods take `&mut self` because an implementation keeps its workspace inside: nothing is allocated per evaluation.
pub trait Dae {
    /// Number n of unknowns and equations.
    fn dimension(&self) -> usize;

    /// What each unknown is, n entries.
    fn unknowns(&self) -> &[Unknown];

    /// Name of unknown i, for messages.
    fn unknown_name(&self, i: usize) -> String {
        format!("unknown {i}")
    }

    /// Name of equation i, for messages.
    fn equation_name(&self, i: usize) -> String {
        format!("equation {i}")
    }

    /// Pattern of dF/dy + c dF/dy', n x n, compressed by columns (major = column). Fixed for the life of the object.
    fn pattern(&self) -> &SparsityPattern;

    /// Writes F(t, y, y') to `residual` (n entries each).
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError>;

    /// Writes dF/dy + c dF/dy' to `values`, in the order of [`Dae::pattern`].
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError>;

    /// The flag that ends the choice of pivots, which takes seconds for ten thousand bodies; the system fails at its next evaluation then.
    fn interrupt(&self) -> Interrupt {
        Interrupt::never()
    }

    /// Called after each accepted step with the history polynomial, which may be changed: a mechanism exchanges an
    /// orientation chart here. Returns whether it changed anything (the integrator then renews its iteration matrix).
    ///
    /// # Errors
    /// [`EvalError`] when the accepted state is not usable.
    fn after_step(&mut self, _history: &mut dyn History) -> Result<bool, EvalError> {
        Ok(false)
    }

    /// Whether the system itself knows what errors are measured against ([`Dae::weigh`]), so that tolerances do not hang on |y_i| and
    /// [`Unknown::typical`].
    fn weighs(&self) -> bool {
        false
    }

    /// Sets what errors at the accepted point y are measured against; asked only where [`Dae::weighs`] says so.
    fn weigh(&self, _y: &[f64], _yardstick: &mut ErrorWeights<'_>) {}

    /// The first step of a run from (y, y') that such a system advises \[s\]; infinite where nothing limits it.
    fn first_step(&self, _y: &[f64], _yp: &[f64], _relative: f64) -> f64 {
        f64::INFINITY
    }

    /// Second derivatives of y at the start of a run from (y, y'), where the system knows those of unknowns that others are derivatives of: written
    /// to `ypp` (n entries), 0 where they are left to the error test. Returns the first step of order 2 that it advises \[s\], infinite where
    /// nothing limits it; none where runs begin at order 1.
    fn second_order(&self, _y: &[f64], _yp: &[f64], _ypp: &mut [f64]) -> Option<f64> {
        None
    }

    /// The first time from `t` \[s\] on at which the equations jump or bend, as far as the system knows beforehand; `t` itself as long as
    /// [`Dae::pass_jump`] has not gone on behind it, infinite if there is none. Steps end there.
    fn next_break(&mut self, _t: f64) -> f64 {
        f64::INFINITY
    }

    /// Goes on behind a jump at `t` \[s\], where differential unknowns stay: at a time that [`Dae::next_break`] gave, after new inputs, or
    /// where no step was short enough. `y` and `yp` (n entries each) are those before it; the system may replace them by consistent ones.
    /// Returns whether it did, so that the integrator begins anew.
    ///
    /// # Errors
    /// [`EvalError`] when there is no consistent point behind the jump: the run stops.
    fn pass_jump(&mut self, _t: f64, _y: &mut [f64], _yp: &mut [f64]) -> Result<bool, EvalError> {
        Ok(false)
    }

    /// Largest error, in tolerances, of what depends on the time by itself over a step of length `h` that was solved to `t`: the difference
    /// between it and the polynomial of degree `order` through the ends of the steps. `errors` knows what that is to the unknowns.
    fn defect(&mut self, _t: f64, _h: f64, _order: usize, _errors: &mut dyn StepErrors) -> f64 {
        0.0
    }

    /// Whether equations at (t, y) nearly depend on each other that do not at the start: round-off of y is magnified there, and no step is short enough for
    /// it. Asked where a step fails.
    fn is_beside_singular(&mut self, _t: f64, _y: &[f64]) -> bool {
        false
    }

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

    /// Turns conditions to the sides that `events` tell, at the point (t, y, y'), which it may replace by the consistent one behind. Returns
    /// whether it did, so that the integrator begins anew.
    ///
    /// # Errors
    /// [`EvalError`] when there is no point behind the jump: the run stops.
    fn switch(&mut self, _t: f64, _y: &mut [f64], _yp: &mut [f64], _events: &[RootEvent]) -> Result<bool, EvalError> {
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

    /// Writes the values of the root functions at (t, y, y') to `roots`. They should be continuous between restarts; the integrator
    /// stops where one changes its sign ([`Stop::Event`](crate::integrator::Stop::Event)).
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    fn roots(&mut self, _t: f64, _y: &[f64], _yp: &[f64], _roots: &mut [f64]) -> Result<(), EvalError> {
        Ok(())
    }

    /// Appends what the object itself remembers between steps and its results depend on (the orientation charts in use, say) to
    /// `store`; nothing if its results depend on (t, y, y') alone.
    fn save(&self, _store: &mut Vec<f64>) {}

    /// Takes back what [`Dae::save`] appended.
    ///
    /// # Errors
    /// [`EvalError::Fatal`] when `store` was not written by a system like this one.
    fn restore(&mut self, _store: &[f64]) -> Result<(), EvalError> {
        Ok(())
    }
}

/// A borrowed system is a system, so that a caller can keep it.
impl<D: Dae + ?Sized> Dae for &mut D {
    fn dimension(&self) -> usize {
        (**self).dimension()
    }
    fn unknowns(&self) -> &[Unknown] {
        (**self).unknowns()
    }
    fn unknown_name(&self, i: usize) -> String {
        (**self).unknown_name(i)
    }
    fn equation_name(&self, i: usize) -> String {
        (**self).equation_name(i)
    }
    fn pattern(&self) -> &SparsityPattern {
        (**self).pattern()
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        (**self).residual(t, y, yp, residual)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        (**self).jacobian(t, y, yp, c, values)
    }
    fn interrupt(&self) -> Interrupt {
        (**self).interrupt()
    }
    fn after_step(&mut self, history: &mut dyn History) -> Result<bool, EvalError> {
        (**self).after_step(history)
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
    fn second_order(&self, y: &[f64], yp: &[f64], ypp: &mut [f64]) -> Option<f64> {
        (**self).second_order(y, yp, ypp)
    }
    fn next_break(&mut self, t: f64) -> f64 {
        (**self).next_break(t)
    }
    fn pass_jump(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<bool, EvalError> {
        (**self).pass_jump(t, y, yp)
    }
    fn defect(&mut self, t: f64, h: f64, order: usize, errors: &mut dyn StepErrors) -> f64 {
        (**self).defect(t, h, order, errors)
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
    fn switch(&mut self, t: f64, y: &mut [f64], yp: &mut [f64], events: &[RootEvent]) -> Result<bool, EvalError> {
        (**self).switch(t, y, yp, events)
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
