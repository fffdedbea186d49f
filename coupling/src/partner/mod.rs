//! Ready-made partners: explicit differential equations, as closures and under error control; linear systems stepped exactly, implicit equations by a stiff
//! integrator, hydraulic circuits among them; mechanisms; shared libraries in C, in this process or in one of their own; simulators
//! on other computers.

#[cfg(any(feature = "helics", feature = "network"))]
mod beside;
mod circuit;
mod coupled;
mod explicit;
#[cfg(feature = "fmi")]
mod fmu;
#[cfg(feature = "helics")]
pub mod helics;
mod library;
mod linear;
mod mechanism;
mod ode;
mod passing;
#[cfg(all(unix, feature = "process"))]
pub mod process;
#[cfg(feature = "network")]
pub mod remote;
mod stiff;
mod table;
#[cfg(any(all(unix, feature = "process"), feature = "network"))]
mod wire;

use crate::function::{Failure, Snapshot};
use fourbar_linalg::checkpoint::{CheckpointError, Source, store_list};

pub use coupled::Coupled;
pub use explicit::{DrivenOde, Explicit};
#[cfg(feature = "fmi")]
pub use fmu::{
    FmiVersion, Fmu, FmuCausality, FmuDae, FmuDescription, FmuError, FmuIntegrator, FmuInterface, FmuInterfaceKind,
    FmuLength, FmuOptions, FmuTerminal, FmuType, FmuValue, FmuVariability, FmuVariable, UnpackedArchive,
};
pub use library::{Library, LibraryError, LibraryOptions, exported};
pub use linear::Linear;
pub use mechanism::{ControlPlant, Following, Mechanism, MechanismOptions, PlantVariable, ReactionOutputs};
pub use ode::Ode;
pub use passing::Passing;
#[cfg(all(unix, feature = "process"))]
pub use process::{HostProgram, Process, ProcessOptions};
pub use stiff::{DrivenDae, Stiff};
pub use table::{CreateFunction, DestroyFunction, ExchangeFunction, FunctionTable, StateFunction};

/// The bytes of a checkpoint that is a list of numbers.
fn store_numbers(snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
    store_list(snapshot.content::<Vec<f64>>()?, to);
    Ok(())
}

/// The checkpoint of [`store_numbers`].
fn load_numbers(bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
    let mut from = Source::new(bytes);
    from.list(snapshot.content_mut::<Vec<f64>>()).and_then(|()| from.finish()).map_err(damaged)
}

/// That bytes are no checkpoint.
fn damaged(error: CheckpointError) -> Failure {
    Failure::new(error.to_string())
}

#[cfg(all(test, not(feature = "clock")))]
mod tests {
    use super::Ode;
    use crate::{Algorithm, Error, Master, Options, Partner, Variable};

    #[test]
    fn a_thread_is_refused_by_name_with_the_feature_that_brings_it() {
        let tank = Ode::new([0.0], |_, _, _, dx| dx[0] = 1.0).output(Variable::output("volume", "m^3"), |_, x, _| x[0]);
        let options = Options::new(1.0, 0.1, Algorithm::JacobiDelayed);
        let Err(error) = Master::new(vec![Partner::new("tank", tank).on_thread()], &[], &options) else {
            panic!("a partner has a thread");
        };
        assert!(matches!(&error, Error::Thread { partner, .. } if partner == "tank"), "{error}");
        assert!(error.to_string().contains("feature `clock`"), "{error}");
    }
}
