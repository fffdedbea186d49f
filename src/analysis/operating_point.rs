//! Where a mechanism is linearized: its start, its static equilibrium, or where a run has brought it.

use super::ContactForce;
use crate::Error;
use crate::linear::LinearAnalysis;
use crate::mechanism::MechanismModel;
use crate::run::Overrides;
use crate::simulation::{CompiledModel, Simulation};
use fourbar_linalg::text::Brief;
use fourbar_lti::StateSpace;
use fourbar_multibody::Mechanism;
use fourbar_multibody::analysis::{Linearization, Stability};
use fourbar_multibody::host::HostFunctions;
use fourbar_multibody::model::Settings;
use std::sync::Arc;

/// The state at which a mechanism is linearized.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum At {
    /// The start, if the mechanism moves there or stays at rest; else the static equilibrium below it.
    #[default]
    Auto,
    /// The start as assembled.
    Start,
    /// The static equilibrium that lies below the start.
    Equilibrium,
    /// Where a run has come at this time \[s\].
    Time(f64),
}

/// Ways of a body.
const WAYS: [&str; 6] = ["x [m]", "y [m]", "z [m]", "turn x [rad]", "turn y [rad]", "turn z [rad]"];

/// A mechanism at the state where it is linearized.
pub struct OperatingPoint {
    simulation: Simulation,
    equilibrium: Option<Stability>,
    /// Output step and end of the model \[s\].
    times: [Option<f64>; 2],
}

impl OperatingPoint {
    /// Compiles `model` and goes to the state.
    ///
    /// # Errors
    /// What is wrong with the model; [`Error::NoOperatingPoint`] if nobody said where and there is no equilibrium; [`Error::Multibody`] if there is
    /// none where it was asked for, or a run to the time fails.
    pub fn new(model: &MechanismModel, at: At) -> Result<Self, Error> {
        let compiled = Arc::new(CompiledModel::new(model, &HostFunctions::default())?);
        let settings = fourbar_multibody::Simulation::new(&model.model, &Settings::default())?;
        let mut own = Self {
            simulation: Simulation::new(&compiled, &Overrides::default())?,
            equilibrium: None,
            times: [settings.output_step, settings.end],
        };
        match at {
            At::Start => {}
            At::Auto if own.moves()? => {}
            At::Auto | At::Equilibrium => {
                let found = own.simulation.find_equilibrium();
                let found = found.map_err(|source| match at {
                    At::Auto => Error::NoOperatingPoint { source: Box::new(source) },
                    _ => source,
                })?;
                // Where motions go on moving it, the state is no equilibrium.
                own.equilibrium = (!own.moves()?).then_some(found.stability());
            }
            At::Time(time) => own.simulation.step_to(time)?,
        }
        Ok(own)
    }

    fn moves(&mut self) -> Result<bool, Error> {
        let state = self.simulation.state()?;
        Ok(state.poses.iter().any(|pose| pose.v.norm() > 0.0 || pose.w.norm() > 0.0))
    }

    /// The state.
    pub(super) fn state(&mut self) -> Result<&fourbar_multibody::State, Error> {
        self.simulation.state()
    }

    /// The model with its copies written out.
    #[cfg(feature = "report")]
    pub(super) fn model(&self) -> &fourbar_multibody::Model {
        &self.simulation.compiled().model().model
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &Mechanism {
        self.simulation.compiled().mechanism()
    }

    /// Time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// Whether the equilibrium is stable, neutral or neither; none if the state was not sought as one.
    #[must_use]
    pub fn equilibrium(&self) -> Option<Stability> {
        self.equilibrium
    }

    /// What the closed contacts carry there, and what a person should know of them: those that would pull and were opened, and what slides.
    ///
    /// # Errors
    /// As [`OperatingPoint::linearize`].
    pub fn contacts(&mut self) -> Result<(Vec<ContactForce>, Vec<String>), Error> {
        let held = self.simulation.held()?;
        Ok(held.map_or_else(Default::default, |held| (held.contacts.forces().to_vec(), held.contacts.told().to_vec())))
    }

    /// Warnings for a person: a state that moves, contacts that were opened or slide, and coordinates along which forces jump or bend near the state.
    ///
    /// # Errors
    /// As [`OperatingPoint::linearize`].
    pub fn warnings(&mut self, linearization: &Linearization) -> Result<Vec<String>, Error> {
        let (_, mut warnings) = self.contacts()?;
        warnings.extend(self.motion(linearization)?);
        for &(k, measure) in &linearization.rough {
            let along = self.deviation(linearization, k);
            let measure = measure.and_then(|m| self.mechanism().measures().get(m));
            let what = measure.map_or("a force".to_owned(), |measure| format!("the measure \"{}\"", measure.name));
            warnings.push(format!(
                "{what} jumps or bends near the state along {along}: the matrices have a mean slope there, no derivative"
            ));
        }
        Ok(warnings)
    }

    /// What the linear system says of the motion through the state; nothing at rest.
    fn motion(&mut self, linearization: &Linearization) -> Result<Option<String>, Error> {
        let moves = self.moves()?;
        if !moves && linearization.steady {
            return Ok(None);
        }
        let state = self.simulation.state()?;
        let fastest = state.poses.iter().map(|pose| pose.v.norm()).fold(0.0, f64::max);
        let turning = state.poses.iter().map(|pose| pose.w.norm()).fold(0.0, f64::max);
        let motion = match moves {
            true => format!("the state moves, with up to {:.4} m/s and {:.4} rad/s", Brief(fastest), Brief(turning)),
            false => "the state does not stay at rest".to_owned(),
        };
        let meaning = match linearization.steady {
            true => {
                "the linear system is that of deviations from this motion, which is steady, in axes that turn with it"
                    .to_owned()
            }
            false => format!(
                "the linear system is that of deviations from this motion, frozen at its time. The motion is steady in no axes ({}): \
                 the poles are those of the matrix at this time alone, and do not tell whether deviations grow or die out",
                match linearization.drift.is_finite() {
                    true => format!("the matrix changes by {:.2} of itself while it acts", Brief(linearization.drift)),
                    false => "states beside it cannot be reached".to_owned(),
                }
            ),
        };
        Ok(Some(format!("{motion}: {meaning}")))
    }

    /// Name of number `k` of x = (z, z', states), and after these of the inputs.
    #[must_use]
    pub fn deviation(&self, linearization: &Linearization, k: usize) -> String {
        let f = linearization.coordinates.len();
        let Some(&coordinate) = linearization.coordinates.get(if k < f { k } else { k.wrapping_sub(f) }) else {
            if let Some(&state) = linearization.states.get(k - 2 * f) {
                return format!("state {}", self.mechanism().user_states()[state].name);
            }
            let behind = k - 2 * f - linearization.states.len();
            if let Some(&coordinate) = linearization.rolled.get(behind) {
                let body = &self.mechanism().bodies()[coordinate / 6].name;
                return format!("{body} {} beside its rolling", WAYS[coordinate % 6]);
            }
            let input = self.mechanism().inputs().get(behind - linearization.rolled.len());
            return input.map_or_else(String::new, |input| format!("input {}", input.name));
        };
        if let Some((name, _)) = self.mechanism().modal_coordinates().find(|(_, at)| 6 * at[0] + at[1] == coordinate) {
            return format!("{name} [{}]", if k < f { "m" } else { "m/s" });
        }
        let rates =
            ["vx [m/s]", "vy [m/s]", "vz [m/s]", "turn rate x [rad/s]", "turn rate y [rad/s]", "turn rate z [rad/s]"];
        let name = &self.mechanism().bodies()[coordinate / 6].name;
        format!("{name} {}", if k < f { WAYS } else { rates }[coordinate % 6])
    }

    /// Values of the measures there, in the order of [`Mechanism::measures`].
    ///
    /// # Errors
    /// [`Error::Multibody`] if a force cannot be evaluated.
    pub fn measures(&mut self) -> Result<Vec<f64>, Error> {
        if let Some(held) = self.simulation.held()? {
            return Ok(held.measures);
        }
        let mut values = vec![0.0; self.mechanism().measures().len()];
        self.simulation.measures(&mut values)?;
        Ok(values)
    }

    /// Values of the inputs there, in the order of [`Mechanism::inputs`].
    #[must_use]
    pub fn inputs(&self) -> Vec<f64> {
        self.simulation.inputs_now().iter().map(|polynomial| polynomial[0]).collect()
    }

    /// The mechanism near that state as a linear system.
    ///
    /// # Errors
    /// [`Error::Multibody`] at a singular position, or where forces cannot be evaluated nearby.
    pub fn linearize(&mut self) -> Result<Linearization, Error> {
        self.simulation.linearize()
    }

    /// The same as a system with named inputs and outputs: deviations of the measures for deviations of the inputs.
    ///
    /// # Errors
    /// As [`OperatingPoint::linearize`].
    pub fn linear_analysis(&mut self) -> Result<LinearAnalysis, Error> {
        let linearization = self.linearize()?;
        self.analysis_of(linearization)
    }

    /// As [`OperatingPoint::linear_analysis`] of a linearization made here.
    ///
    /// # Errors
    /// As [`OperatingPoint::linearize`].
    pub fn analysis_of(&mut self, linearization: Linearization) -> Result<LinearAnalysis, Error> {
        let round_off = super::modes::softest(&linearization);
        let Linearization { a, b, c, d, .. } = linearization;
        let system = StateSpace::new(a, b, c, d).map_err(|source| Error::Linear { time: self.time(), source })?;
        let mechanism = self.mechanism();
        let inputs = mechanism.inputs().iter().map(|input| input.name.clone()).collect();
        let named = mechanism.measures().iter().map(|measure| (measure.name.clone(), measure.unit.clone()));
        let (outputs, units) = named.unzip();
        let offsets = [self.inputs(), self.measures()?];
        Ok(LinearAnalysis::named(system, [inputs, outputs, units], offsets, self.times, round_off))
    }
}
