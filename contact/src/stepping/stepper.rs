//! A running time stepping: one step after the other, in the form that suits it.

use super::body_space::BodySpace;
use super::options::{Backend, Scheme, TimeStepping, check_step};
use super::workspace::{StepWorkspace, UNSOLVED};
use super::{ContactRecord, StepRecord, body_space, gap_lcp, ggl, moreau};
use crate::Budget;
use crate::error::Error;
use crate::scene_scales::SceneScales;
use crate::unilateral::Contacts;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use fourbar_multibody::{Inputs, Mechanism, State};
use std::sync::Arc;

/// Residual of the body-space form with joints above which a step is taken in the reduced form, which may take long.
const HARD: f64 = 1e-3;
/// How often a step is halved whose contacts are not solved.
const HALVINGS: usize = 2;
/// Number of bodies above which the body-space form is the default.
const FEW: usize = 4;
/// With joints, the number of contacts within reach above which a step is solved in body-space form.
const FEW_CONTACTS: usize = 24;

impl TimeStepping {
    /// Starts at `start`, which is projected onto the constraints if [`TimeStepping::projection`] is on.
    ///
    /// # Errors
    /// [`Error::Option`] for a step, theta or reach out of range; [`Error::Multibody`] for a singular start; those of
    /// [`Contacts::find`].
    pub fn start<C: Contacts>(
        &self,
        mechanism: &Arc<Mechanism>,
        contacts: C,
        start: &State,
    ) -> Result<TimeStepper<C>, Error> {
        self.check()?;
        let workspace = StepWorkspace::new(self, mechanism, contacts, start)?;
        let many = match self.backend {
            Backend::Automatic => mechanism.bodies().len() > FEW,
            Backend::Reduced => false,
            Backend::Global => true,
        };
        // Friction at joints follows from reactions, which the body-space form does not solve for.
        let global = self.scheme == Scheme::GapLcp && many && mechanism.frictions().is_empty();
        let bodies = if global { BodySpace::new(mechanism) } else { None };
        Ok(TimeStepper { options: Self { step: workspace.motion.h(), ..*self }, workspace, bodies })
    }
}

/// What becomes of a step whose contacts are not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unsolved {
    /// It is taken back.
    Refuse,
    /// The best point is kept, unless the contacts contradict each other.
    Keep,
}

/// A running time stepping. A clone of it goes on as it would, bit for bit.
#[derive(Debug, Clone)]
pub struct TimeStepper<C> {
    options: TimeStepping,
    workspace: StepWorkspace<C>,
    bodies: Option<BodySpace>,
}

impl<C: Contacts> TimeStepper<C> {
    /// Takes one step. After an error the stepper is at the state of the last step.
    ///
    /// # Errors
    /// [`Error::Multibody`] where forces cannot be evaluated or constraints are singular; [`Error::Unsolved`] where contacts ask for what
    /// cannot be, as where a body is squeezed; those of [`Contacts::find`]. Contacts that are not solved otherwise are no error: the step is taken in
    /// halves, and then from the best point, with its [residual](StepRecord::residual).
    pub fn step(&mut self) -> Result<&StepRecord, Error> {
        let mut done = self.attempt(Unsolved::Refuse);
        // Rows of joints that depend on each other may be the cause.
        if done.as_ref().is_err_and(may_follow) && self.workspace.motion.keep_better_rows()? {
            done = self.attempt(Unsolved::Refuse);
        }
        if matches!(done, Err(Error::Unsolved { .. })) {
            done = self.divide();
        }
        done?;
        Ok(self.record())
    }

    fn attempt(&mut self, unsolved: Unsolved) -> Result<(), Error> {
        let before = self.workspace.begin_step();
        let allowed = self.workspace.cross_jumps().and_then(|()| self.advance());
        let done = allowed.and_then(|allowed| {
            self.workspace.end_step()?;
            self.workspace.check_solved(allowed, unsolved == Unsolved::Keep)?;
            self.workspace.keep_rows()
        });
        match done {
            Ok(others) => {
                if let Some(bodies) = self.bodies.as_mut().filter(|_| others) {
                    bodies.forget_joints();
                }
                Ok(())
            }
            Err(error) => {
                self.workspace.take_back(before);
                Err(error)
            }
        }
    }

    /// Takes a step that was not solved in halves, or in halves of these; what is not solved then keeps its best point.
    fn divide(&mut self) -> Result<(), Error> {
        let (mut before, step) = (Vec::new(), self.options.step);
        self.store(&mut before);
        let done = self.halves(step, HALVINGS);
        self.options.step = step;
        self.workspace.set_step(step);
        if done.is_err() {
            // These bytes are its own.
            let _restored = self.restore(&mut Source::new(&before));
        }
        done
    }

    fn halves(&mut self, step: f64, levels: usize) -> Result<(), Error> {
        let last = if levels > 1 { Unsolved::Refuse } else { Unsolved::Keep };
        let mut first = None;
        for _ in 0..2 {
            self.options.step = 0.5 * step;
            self.workspace.set_step(0.5 * step);
            match self.attempt(last) {
                Err(Error::Unsolved { .. }) if levels > 1 => self.halves(0.5 * step, levels - 1)?,
                done => done?,
            }
            match first.take() {
                None => first = Some((self.workspace.record, self.workspace.contacts.clone())),
                Some((record, contacts)) => self.workspace.join(&record, &contacts),
            }
        }
        Ok(())
    }

    /// The moves of a step; returns the residual that passes.
    fn advance(&mut self) -> Result<f64, Error> {
        // Joints are eliminated to round-off where contacts are few.
        let jointed = self.workspace.motion.is_jointed();
        let few = self.options.backend == Backend::Automatic
            && jointed
            && self.workspace.nearby.found().len() <= FEW_CONTACTS;
        let mut none = None;
        let global = if few { &mut none } else { &mut self.bodies };
        let allowed = if global.is_some() { body_space::UNSOLVED } else { UNSOLVED };
        match (self.options.scheme, global) {
            // Joints that press bodies together are hard on the global form; the reduced one solves what it leaves.
            (_, Some(bodies)) => match body_space::step(&mut self.workspace, bodies) {
                Ok(()) if jointed && self.workspace.record.residual > HARD => {
                    self.workspace.begin_again();
                    bodies.suggest(self.workspace.impulses.guess_mut());
                    gap_lcp::step(&mut self.workspace)
                }
                done => done,
            },
            (Scheme::GapLcp, None) => gap_lcp::step(&mut self.workspace),
            (Scheme::MoreauJean { .. }, None) => moreau::step(&mut self.workspace),
            (Scheme::Ggl, None) => ggl::step(&mut self.workspace),
        }?;
        Ok(allowed)
    }

    /// Changes the length of the steps to come \[s\].
    ///
    /// # Errors
    /// [`Error::Option`] for a step that is not positive and finite.
    pub fn set_step(&mut self, step: f64) -> Result<(), Error> {
        check_step(step)?;
        self.options.step = step;
        self.workspace.set_step(step);
        Ok(())
    }

    /// Changes what each solve of the steps to come may cost; 2e9 multiplications, a second or so, unless this is called. A step whose solve ends
    /// there goes on from the best point ([`StepRecord::out_of_budget`]), unless its residual ends the motion.
    pub fn set_budget(&mut self, budget: &Budget) {
        if let Some(bodies) = &mut self.bodies {
            bodies.set_budget(budget.clone());
        }
        self.workspace.set_budget(budget.clone());
    }

    /// The inputs on which forces depend, to set them between steps.
    pub fn inputs_mut(&mut self) -> &mut Inputs {
        self.workspace.motion.inputs_mut()
    }

    /// Time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.workspace.motion.state().time
    }

    /// The state after the last step.
    #[must_use]
    pub fn state(&self) -> &State {
        self.workspace.motion.state()
    }

    /// What the last step did.
    #[must_use]
    pub fn record(&self) -> &StepRecord {
        &self.workspace.record
    }

    /// The contacts that took part in the last step, sorted by id.
    #[must_use]
    pub fn contacts(&self) -> &[ContactRecord] {
        &self.workspace.contacts
    }

    /// Length, mass and speed of the scene, of which thresholds are parts.
    #[must_use]
    pub fn scales(&self) -> &SceneScales {
        self.workspace.nearby.scales()
    }

    /// The collision detector.
    #[must_use]
    pub fn detector(&self) -> &C {
        self.workspace.nearby.detector()
    }
}

/// Whether rows of joints that depend on each other may be the cause.
fn may_follow(error: &Error) -> bool {
    use fourbar_multibody::Error as Mechanism;
    matches!(error, Error::Multibody(Mechanism::Singular { .. } | Mechanism::Linear { .. }) | Error::Unsolved { .. })
}

/// Time stepping as bytes, to go on from in another process.
impl<C: Contacts> TimeStepper<C> {
    /// Appends everything on which the further steps depend, and the record of the last one.
    pub fn store(&self, to: &mut Vec<u8>) {
        self.options.step.store(to);
        self.workspace.store(to);
        if let Some(bodies) = &self.bodies {
            bodies.store(to);
        }
    }

    /// The stepper that [`TimeStepper::store`] wrote, of the same mechanism with the same contacts and options; it goes on as that one, bit for
    /// bit.
    ///
    /// # Errors
    /// [`CheckpointError::Content`] for what cannot be such a stepper.
    pub fn loaded(&self, from: &mut Source<'_>) -> Result<Self, CheckpointError>
    where
        C: Clone,
    {
        let mut stepper = self.clone();
        stepper.restore(from)?;
        Ok(stepper)
    }

    fn restore(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        let step = from.value()?;
        self.set_step(step).map_err(|_| from.refuse("the step"))?;
        self.workspace.load(from)?;
        match &mut self.bodies {
            Some(bodies) => bodies.load(from),
            None => Ok(()),
        }
    }
}
