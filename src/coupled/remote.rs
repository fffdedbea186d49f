//! Simulators of a coupled model on another computer, which has the same model file: asked for here, built there.

use super::SimulatorModel;
#[cfg(feature = "network")]
use super::{CoupledModel, SimulatorKind};
use crate::Error;
use fourbar_coupling::Simulator;
use fourbar_multibody::Parameters;
use std::time::Duration;

#[cfg(feature = "network")]
/// Environment variable with the word that a run and its hosts know and nobody else.
pub const TOKEN: &str = "FOURBAR_TOKEN";

/// The token of this process; empty if there is none.
#[cfg(feature = "network")]
#[must_use]
pub fn token() -> String {
    std::env::var(TOKEN).unwrap_or_default()
}

/// The simulator at the host `address`.
#[cfg(feature = "network")]
pub(super) fn join(
    simulator: &SimulatorModel,
    index: usize,
    parameters: &Parameters<'_>,
    address: &str,
    limit: Option<Duration>,
) -> Result<Box<dyn Simulator>, Error> {
    use fourbar_coupling::partner::remote::{Remote, RemoteOptions};
    let value = |(name, value): (&String, &_)| {
        let place = simulator.location(index, &format!("parameters.{name}"));
        Ok((name.clone(), parameters.number(value, &place).map_err(Error::CoupledModel)?))
    };
    let default = RemoteOptions::default();
    let options = RemoteOptions {
        address: address.to_owned(),
        token: token(),
        simulator: simulator.name.clone(),
        parameters: simulator.parameters.iter().map(value).collect::<Result<_, Error>>()?,
        fingerprint: fingerprint(&simulator.settled_kind(index, parameters)?),
        time_limit: limit.or(default.time_limit),
    };
    Ok(Box::new(Remote::join(&options).map_err(fourbar_coupling::Error::from)?))
}

#[cfg(not(feature = "network"))]
pub(super) fn join(
    simulator: &SimulatorModel,
    index: usize,
    _: &Parameters<'_>,
    _: &str,
    _: Option<Duration>,
) -> Result<Box<dyn Simulator>, Error> {
    let problem = "this build has no simulators on other computers";
    let remedy = "take out `host`, or build with the feature `network`";
    Err(Error::CoupledModel(fourbar_multibody::ModelError::new(simulator.location(index, "host"), problem, remedy)))
}

/// Of what both ends must have alike. A library or an FMU is a file of each computer.
#[cfg(feature = "network")]
fn fingerprint(kind: &SimulatorKind) -> u64 {
    let sum = fourbar_linalg::checkpoint::Fingerprint::default();
    match kind {
        SimulatorKind::Library(library) => sum.data(&library.parameters),
        SimulatorKind::Fmu(fmu) => sum.data(&(&fmu.parameters, &fmu.texts, fmu.interface, fmu.integrator)),
        kind => sum.data(kind),
    }
    .value()
}

#[cfg(feature = "network")]
impl CoupledModel {
    /// The simulator that a run on another computer asks for, which has the same model.
    ///
    /// # Errors
    /// [`Error::Hosted`] if there is none of this name or the models differ; [`Error::Simulator`] as of [`CoupledModel::partners`].
    pub fn hosted(&self, asked: &fourbar_coupling::partner::remote::Asked) -> Result<Box<dyn Simulator>, Error> {
        let hosted = |words: String| Error::Hosted { simulator: asked.simulator.clone(), words };
        let Some(index) = self.simulators.iter().position(|simulator| simulator.name == asked.simulator) else {
            let names: Vec<&str> = self.simulators.iter().map(|simulator| simulator.name.as_str()).collect();
            return Err(hosted(format!("the model here has none of this name; it has {}", names.join(", "))));
        };
        let mut simulator = self.simulators[index].clone();
        let constant =
            |(name, value): &(String, f64)| (name.clone(), fourbar_multibody::expression::Expression::constant(*value));
        simulator.parameters = asked.parameters.iter().map(constant).collect();
        let kind = simulator.settled_kind(index, &Parameters::new(&self.parameters).map_err(Error::CoupledModel)?)?;
        if fingerprint(&kind) != asked.fingerprint {
            return Err(hosted(
                "the model here is another one; copy the files of the model from one to the other".into(),
            ));
        }
        kind.compile(&simulator.name, None, None, super::Span { start: 0.0, end: f64::INFINITY })
            .map_err(|source| Error::Simulator { name: simulator.name.clone(), source: Box::new(source) })
    }
}
