//! Dynamics: a mechanism, a formulation and an integrator bound together.

use super::acceleration::{Accelerations, with_ground};
use super::guard::Guard;
use super::running::Running;
use super::sample::{Sampler, kinetic_energy, potential_energy};
use super::switching::Switching;
use super::uncertain::Uncertain;
use crate::error::Error;
use crate::formulation::{Equations, Formulation};
use crate::input::Inputs;
use crate::integrator::Method;
use crate::integrator::{Integrator, Statistics, Stop};
use crate::interrupt::Interrupt;
use crate::mechanism::{Mechanism, NAMED, Rows, System};
use crate::space::Pose;
use crate::state::State;
use std::sync::Arc;

/// How a mechanism is integrated.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DynamicsOptions {
    /// Equations that Gear's method solves; others have one form of the equations only.
    pub formulation: Formulation,
    /// Method and its options.
    pub method: Method,
    /// End time \[s\]; infinity runs on.
    pub end: f64,
    /// Times on which steps land exactly, increasing \[s\].
    pub stop_times: Vec<f64>,
}

/// A running dynamic analysis.
#[derive(Debug)]
pub struct Dynamics {
    pub(super) mechanism: Arc<Mechanism>,
    pub(super) running: Running,
    pub(super) state: State,
    pub(super) poses: Vec<Pose>,
    pub(super) sampler: Sampler,
    pub(super) all_rows: System,
    pub(super) rows: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) yp: Vec<f64>,
    pub(super) energy: Account,
    pub(super) inputs: Inputs,
    /// The inputs of the last step; others than those in force where `stale`.
    pub(super) before: Inputs,
    pub(super) stale: bool,
    /// What watches redundant rows; none without such.
    pub(super) guard: Option<Box<Guard>>,
    /// The mechanism with the rows kept at the start, and how it is integrated.
    pub(super) base: Arc<Mechanism>,
    pub(super) options: DynamicsOptions,
    /// What jumps of inputs do, and what states in a plane lack; none before either is needed.
    pub(super) accelerations: Option<Box<Accelerations>>,
    /// Sensors and activities; none where nothing switches.
    pub(super) switching: Option<Box<Switching>>,
}

/// Largest violation of the constraints over all rows, dropped ones included.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Violation {
    /// Of lengths \[m\].
    pub position: f64,
    /// Of angles \[rad\].
    pub orientation: f64,
    /// Of their rates [m/s].
    pub velocity: f64,
    /// Of their rates [rad/s].
    pub angular_velocity: f64,
}

impl Violation {
    /// Entry by entry the larger one.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            position: self.position.max(other.position),
            orientation: self.orientation.max(other.orientation),
            velocity: self.velocity.max(other.velocity),
            angular_velocity: self.angular_velocity.max(other.angular_velocity),
        }
    }
}

/// Where the energy is \[J\].
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct EnergyBalance {
    /// Kinetic and potential energy at the start.
    pub start: f64,
    /// Kinetic energy now.
    pub kinetic: f64,
    /// Potential energy of gravity and springs now.
    pub potential: f64,
    /// Work done since the start by dampers, applied forces and motions, and what locking and switching elements gave.
    pub work: f64,
    /// kinetic + potential - start - work: zero for the exact solution.
    pub balance_error: f64,
}

/// Running integral of the power of what has no potential.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Account {
    start: f64,
    work: f64,
    time: f64,
    conservative: bool,
}

fourbar_linalg::stored!(struct Account { start, work, time, conservative });

impl Account {
    /// Goes on with a mechanism whose own account is `fresh`; what was switched changed the energy by `energy` \[J\].
    pub(super) fn switch(&mut self, fresh: &Self, energy: f64) {
        self.work += energy;
        self.time = fresh.time;
        self.conservative = fresh.conservative;
    }
}

impl Dynamics {
    /// Starts at the assembled start state of the mechanism.
    ///
    /// # Errors
    /// [`Error::Integrator`] for options out of range; [`Error::Singular`] if the start is singular; [`Error::Evaluation`].
    pub fn new(mechanism: &Arc<Mechanism>, options: &DynamicsOptions) -> Result<Self, Error> {
        if mechanism.assembly().singular_start {
            return Err(mechanism.at_singular(mechanism.start(), singular_start(mechanism)));
        }
        Self::from_state(mechanism, options, mechanism.start())
    }

    /// As [`Dynamics::new`] from a state that satisfies the constraints, as [`Mechanism::consistent`] makes it.
    ///
    /// # Errors
    /// As [`Dynamics::new`].
    pub fn from_state(mechanism: &Arc<Mechanism>, options: &DynamicsOptions, start: &State) -> Result<Self, Error> {
        Self::with(mechanism, options, start, Equations::fewest)
    }

    /// As [`Dynamics::from_state`] with the equations in space, also of a mechanism that moves in one plane: what tests compare with.
    ///
    /// # Errors
    /// As [`Dynamics::new`].
    #[doc(hidden)]
    pub fn in_space(mechanism: &Arc<Mechanism>, options: &DynamicsOptions, start: &State) -> Result<Self, Error> {
        Self::with(mechanism, options, start, Equations::new)
    }

    fn with(
        mechanism: &Arc<Mechanism>,
        options: &DynamicsOptions,
        start: &State,
        equations: impl FnOnce(Arc<Mechanism>, Formulation, &State) -> Equations,
    ) -> Result<Self, Error> {
        let switching = Switching::begin(mechanism, options, start)?;
        Ok(Self { switching, ..Self::bare(mechanism, options, start, equations)? })
    }

    /// Without sensors.
    pub(super) fn bare(
        mechanism: &Arc<Mechanism>,
        options: &DynamicsOptions,
        start: &State,
        equations: impl FnOnce(Arc<Mechanism>, Formulation, &State) -> Equations,
    ) -> Result<Self, Error> {
        let chosen = mechanism.chosen_at(start).map(Arc::new);
        let mechanism = chosen.as_ref().unwrap_or(mechanism);
        let mut running = Running::start(mechanism, start, options, equations)?;
        running.integrator_mut().set_stop_times(&options.stop_times)?;
        let n = running.dimension();
        let all_rows = System::new(mechanism, Rows::All);
        let accelerations = match mechanism.inputs() {
            [] => None,
            _ => Some(Box::new(Accelerations::new(mechanism, start)?)),
        };
        let poses = with_ground(&start.poses);
        let energy = Account {
            start: kinetic_energy(mechanism, &start.poses) + potential_energy(mechanism, start, &poses),
            work: 0.0,
            time: start.time,
            conservative: mechanism.is_conservative(),
        };
        Ok(Self {
            sampler: Sampler::new(mechanism, start)?,
            state: start.clone(),
            rows: vec![0.0; all_rows.row_count()],
            inputs: Inputs::start(mechanism),
            before: Inputs::start(mechanism),
            stale: false,
            accelerations,
            guard: Guard::new(mechanism, options.method.tolerance().relative, start.time),
            base: Arc::clone(mechanism),
            options: options.clone(),
            mechanism: Arc::clone(mechanism),
            running,
            poses,
            all_rows,
            y: vec![0.0; n],
            yp: vec![0.0; n],
            energy,
            switching: None,
        })
    }

    /// A step under way fails once this is raised; everything remains as after the last accepted step, and steps can go on once it is lowered.
    pub fn set_interrupt(&mut self, interrupt: Interrupt) {
        if let Some(switching) = &mut self.switching {
            switching.set_interrupt(interrupt.clone());
        }
        self.running.set_interrupt(interrupt);
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &Arc<Mechanism> {
        &self.mechanism
    }

    /// Takes one accepted step. Allocates nothing, unless there are sensors or activities.
    ///
    /// Where they do, the step ends there ([`Stop::Event`]): measures are those before, and the next step begins with what is switched. A sensor
    /// that ends the run makes it [`Stop::EndTime`], [`Dynamics::ended_by`] tells its name.
    ///
    /// # Errors
    /// [`Error::Integrator`]; everything remains as after the last accepted step. [`Error::Chattering`], [`Error::DoesNotMeet`],
    /// [`Error::SensorNotFinite`] where sensors or elements cannot switch as they are to.
    pub fn step(&mut self) -> Result<Stop, Error> {
        if let Some(mut switching) = self.switching.take() {
            let stop = self.step_switched(&mut switching);
            self.switching = Some(switching);
            return stop;
        }
        if self.stale {
            self.take_inputs()?;
        }
        self.advance().map_err(|error| {
            let time = self.time();
            match self.motion_at(time) {
                Ok(_) => {
                    let error = self.mechanism.at_right_angle(&self.poses, time, error);
                    let error = self.mechanism.at_lock(&self.state, &self.inputs, error);
                    self.mechanism.at_singular(&self.state, error)
                }
                Err(_) => error,
            }
        })
    }

    /// Time of the last accepted step \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.switching.as_ref().map_or_else(|| self.integrator().time(), |switching| switching.reached())
    }

    /// Length of the last accepted step \[s\].
    #[must_use]
    pub fn step_size(&self) -> f64 {
        self.integrator().statistics().step_last
    }

    /// Order of the last accepted step.
    #[must_use]
    pub fn order(&self) -> usize {
        self.integrator().order()
    }

    /// What was spent so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.switching.as_ref().map_or_else(|| self.integrator().statistics(), |switching| switching.statistics())
    }

    /// The integrator.
    #[must_use]
    pub fn integrator(&self) -> &dyn Integrator {
        self.running.integrator()
    }

    /// Whether all reactions among the measures are the only ones possible.
    #[must_use]
    pub fn reactions_unique(&self) -> bool {
        self.sampler.reactions_unique()
    }

    /// Samples of measures whose accelerations or reactions were uncertain; none if there were none so far.
    #[must_use]
    pub fn uncertain(&self) -> Option<&Uncertain> {
        self.sampler.uncertain()
    }

    /// What a reader of the results should know: functions of the time that switch at times which are not known beforehand, reactions that are
    /// not unique, and samples that were uncertain so far. What assembly did is in [`AssemblyReport::warnings`](super::AssemblyReport::warnings).
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mechanism = self.mechanism();
        let mut warnings: Vec<String> = unlocated(mechanism).into_iter().chain(self.statistics().stiff()).collect();
        let several = self.sampler.several_reactions();
        if !several.is_empty() {
            let names: Vec<String> =
                several.iter().take(NAMED).map(|&m| format!("\"{}\"", mechanism.measures()[m].name)).collect();
            let more = several.len() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            warnings.push(format!(
                "reactions are not unique: {} constraint rows are redundant; for {}{more} the smallest reactions that hold the mechanism are \
                 given (`fourbar check` names the joints)",
                mechanism.redundancies().len(),
                names.join(", ")
            ));
        }
        warnings.extend(self.uncertain().map(ToString::to_string));
        warnings.extend(self.sampler.wide_angles().map(ToString::to_string));
        warnings.extend(self.sensors_met());
        warnings
    }

    /// The state at a time within the last step. Multipliers are those of the integrator; of a mechanism that moves in one plane, where the
    /// integrator has but those in the plane, they and the accelerations follow from positions and velocities.
    ///
    /// # Errors
    /// [`Error::Integrator`] if `time` lies outside the last step; [`Error::Evaluation`] if forces cannot be evaluated there, and
    /// [`Error::Singular`] if accelerations are not determined, on partitioned coordinates and in a plane.
    pub fn state_at(&mut self, time: f64) -> Result<&State, Error> {
        self.motion_at(time)?;
        if self.running.is_planar() {
            let accelerations = match &mut self.accelerations {
                Some(accelerations) => accelerations,
                none => none.insert(Box::new(Accelerations::new(&self.mechanism, self.mechanism.start())?)),
            };
            accelerations.inputs_mut().clone_from(&self.inputs);
            accelerations.solve(&self.mechanism, &mut self.state)?;
        }
        Ok(&self.state)
    }

    /// As [`Dynamics::state_at`] for those who look at positions, velocities and motions alone, or solve for the rest: accelerations are not computed,
    /// nor multipliers that the integrator does not have.
    ///
    /// # Errors
    /// As [`Dynamics::state_at`], but for [`Error::Singular`].
    pub fn motion_at(&mut self, time: f64) -> Result<&State, Error> {
        self.running.integrator().interpolate(time, &mut self.y, &mut self.yp)?;
        self.running.read(time, &self.y, &self.yp, &mut self.state)?;
        let n = self.state.poses.len();
        self.poses[..n].copy_from_slice(&self.state.poses);
        Ok(&self.state)
    }

    /// Values of all measures at a time within the last step, in the order of [`Mechanism::measures`]. Accelerations and
    /// reactions come from a saddle-point solve at the positions and velocities of that time.
    ///
    /// # Errors
    /// [`Error::Integrator`] if `time` lies outside the last step; those of [`Sampler::sample`].
    pub fn measures_at(&mut self, time: f64, values: &mut [f64]) -> Result<(), Error> {
        self.motion_at(time)?;
        let sampled = self.sampler.sample(&self.mechanism, &mut self.state, values);
        sampled.map_err(|error| self.mechanism.at_singular(&self.state, error))
    }

    /// Violation of the constraints at the last accepted step.
    ///
    /// # Errors
    /// None in practice: the time is that of the last step.
    pub fn violation(&mut self) -> Result<Violation, Error> {
        self.motion_at(self.time())?;
        self.all_rows.evaluate_drives(&self.mechanism, self.state.time, &self.state.drives);
        self.all_rows.count_from(&self.state.angles);
        self.all_rows.defects(&self.mechanism, &self.poses, &mut self.rows);
        let (position, orientation) = largest(&self.mechanism, &self.rows);
        self.all_rows.defect_rates(&self.mechanism, &self.poses, &mut self.rows);
        let (velocity, angular_velocity) = largest(&self.mechanism, &self.rows);
        Ok(Violation { position, orientation, velocity, angular_velocity })
    }

    /// Adds the work of the last step to the energy account; to be called after each step by whoever wants the balance. The
    /// power is integrated by Gauss's rule with three points on the dense output.
    ///
    /// # Errors
    /// [`Error::Evaluation`] if a force cannot be evaluated.
    pub fn account_energy(&mut self) -> Result<(), Error> {
        let (from, to) = (self.energy.time, self.time());
        self.energy.time = to;
        if self.energy.conservative {
            return Ok(());
        }
        let node = (3.0_f64 / 5.0).sqrt();
        for (x, weight) in [(-node, 5.0 / 18.0), (0.0, 8.0 / 18.0), (node, 5.0 / 18.0)] {
            self.motion_at(from + 0.5 * (to - from) * (1.0 + x))?;
            let power = self.all_rows.power(&self.mechanism, &self.state, &self.poses)?;
            self.energy.work += weight * (to - from) * power;
        }
        Ok(())
    }

    /// The energy balance at the last accepted step.
    ///
    /// # Errors
    /// None in practice: the time is that of the last step.
    pub fn energy(&mut self) -> Result<EnergyBalance, Error> {
        self.motion_at(self.time())?;
        let kinetic = kinetic_energy(&self.mechanism, &self.state.poses);
        let potential = potential_energy(&self.mechanism, &self.state, &self.poses);
        let Account { start, work, .. } = self.energy;
        Ok(EnergyBalance { start, kinetic, potential, work, balance_error: kinetic + potential - start - work })
    }
}

fn largest(mechanism: &Mechanism, rows: &[f64]) -> (f64, f64) {
    let (mut lengths, mut angles) = (0.0_f64, 0.0_f64);
    for bound in &mechanism.constraints {
        let worst = if bound.constraint.is_angular() { &mut angles } else { &mut lengths };
        for value in &rows[bound.first..bound.first + bound.constraint.row_count()] {
            *worst = worst.max(value.abs());
        }
    }
    (lengths, angles)
}

fn singular_start(mechanism: &Mechanism) -> Error {
    Error::Singular {
        analysis: "dynamics",
        time: mechanism.start().time,
        place: "the start position".to_owned(),
        remedy:
            "constraints are independent beside this position but not at it; start the mechanism a little away from it"
                .to_owned(),
    }
}

/// Forces and motions with conditions on the time that no step is led to.
fn unlocated(mechanism: &Mechanism) -> Option<String> {
    let names: Vec<String> = mechanism.unlocated_breaks().iter().map(|name| format!("\"{name}\"")).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} switch where a curve of the time crosses a value: switches closer than a step may be missed, and motions that jump \
             there are not refused; write the condition with `time`, `mod` or a single sine, or give `max_step`",
            names.join(", ")
        )
    })
}
