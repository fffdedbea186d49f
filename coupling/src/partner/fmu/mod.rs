//! Functional mock-up units as partners: FMI 2.0 and 3.0, co-simulation and model exchange.
//!
//! Sources: Functional Mock-up Interface for Model Exchange and Co-Simulation, version 2.0.5; Functional Mock-up Interface Specification,
//! version 3.0.2 (Modelica Association). Sections are cited where they are followed.

#[cfg(all(unix, feature = "process"))]
mod apart;
mod archive;
mod error;
mod exchanged;
mod foreign;
mod implicit;
mod leftovers;
mod manifest;
mod model;
mod modules;
mod parse;
mod solved;
mod solver;
mod start;
mod stepped;
mod structure;
mod system;
mod terminals;
mod variables;
mod written;

use super::damaged;
use super::library::{Exchange, Front, Line, is_its_front};
use crate::function::{Description, Failure, Parameter, SolverCounts, Text};
#[cfg(all(unix, feature = "process"))]
pub(super) use apart::Apart;
pub use archive::Unpacked as UnpackedArchive;
use archive::Unpacked;
pub use error::FmuError;
use exchanged::Exchanged;
use foreign::{Instance, Kept, Recipe};
pub use model::{
    FmiVersion, FmuCausality, FmuDae, FmuDescription, FmuInterface, FmuLength, FmuTerminal, FmuType, FmuVariability,
    FmuVariable,
};
use serde::{Deserialize, Serialize};
use solved::{How, Solved};
use std::path::Path;
use stepped::Stepping;

/// A value that an FMU starts with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FmuValue {
    /// A number, also of whole numbers, truth values (0 and 1) and enumerations, without a fraction then.
    Number(f64),
    /// A whole number with all its digits, as those of 64 bits may have more than a double holds.
    Whole(i128),
    /// A text, or the name of an item of an enumeration.
    Text(String),
}

/// By which of its interfaces an FMU is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FmuInterfaceKind {
    /// It steps with a solver of its own.
    CoSimulation,
    /// Its equations are solved here, with events located.
    ModelExchange,
    /// The residuals that it hands out by the layered standard FMI-LS-DAE are solved here with its equations.
    Dae,
}

/// By which method the equations of an FMU are solved here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FmuIntegrator {
    /// The method of Runge, Kutta and Fehlberg, [`Rkf45`](fourbar_dae::integrator::Rkf45).
    Rkf45,
    /// Gear's method for stiff equations, [`Gstiff`](fourbar_dae::integrator::Gstiff).
    Gstiff,
}

/// How an FMU is run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FmuOptions {
    /// Name of the instance, for its own messages.
    pub name: String,
    /// Time at which it starts \[s\].
    pub start: f64,
    /// Time at which it will be asked no more \[s\], if that is known.
    pub stop: Option<f64>,
    /// Relative tolerance of its solver; that of its description if absent, else 1e-6 in model exchange.
    pub tolerance: Option<f64>,
    /// By which interface; co-simulation if absent and there is one.
    pub interface: Option<FmuInterfaceKind>,
    /// By which method its equations are solved here: [`FmuIntegrator::Rkf45`] if absent, of residuals [`FmuIntegrator::Gstiff`].
    pub integrator: Option<FmuIntegrator>,
    /// Start values of parameters, inputs and whatever else may be set, in the units of the FMU. An element of an array is `name[i]` or
    /// `name[i,j]`, counted from 1; the name alone stands for all.
    pub values: Vec<(String, FmuValue)>,
    /// Units of inputs and outputs for which it states none, or another one.
    pub units: Vec<(String, String)>,
}

/// An FMU as a partner, in this process: as safe as its code, which runs with the rights of this program.
///
/// Its inputs and outputs are those variables that are numbers, and its tunable parameters are inputs that have their start values as long as nothing
/// feeds them; whole numbers and truth values (0 and 1) are exchanged as numbers, and inputs of these kinds take the nearest one. Arrays are exchanged element by element, `name[1,2]`. It returns to saved states if the FMU can.
///
/// The FMU stays in its initialization until the first step, or until its state is saved: outputs then follow inputs. Later, outputs of
/// co-simulation follow at the end of a step alone, as the standard has it (FMI 2.0, section 4.2.4): they have no feedthrough.
pub struct Fmu {
    front: Front<Running>,
}

impl Fmu {
    /// What an FMU says of itself. Only its description is read, with what it says of terminals and residuals.
    ///
    /// # Errors
    /// [`FmuError::Archive`], [`FmuError::Description`].
    pub fn inspect(path: impl AsRef<Path>) -> Result<FmuDescription, FmuError> {
        let path = path.as_ref();
        let [text, dae, plugs] =
            archive::texts(path, [parse::DESCRIPTION, manifest::FILE, terminals::FILE], parse::LARGEST)?;
        let mut description = described(path, text, dae)?;
        let plugs = plugs.map(|text| terminals::parse(&path.display().to_string(), &text));
        description.terminals = plugs.transpose()?.unwrap_or_default();
        Ok(description)
    }

    /// Unpacks the FMU at `path`, loads its library, creates an instance and begins its initialization.
    ///
    /// # Errors
    /// [`FmuError`].
    pub fn open(path: impl AsRef<Path>, options: &FmuOptions) -> Result<Self, FmuError> {
        let (running, description) = Running::open(path.as_ref(), options)?;
        Ok(Self { front: Front::new(running, description, options.start) })
    }
}

is_its_front!(Fmu);

/// The description of the FMU at `path` from its text and that of its residuals.
fn described(path: &Path, text: Option<String>, dae: Option<String>) -> Result<FmuDescription, FmuError> {
    let fmu = path.display().to_string();
    let text = text.ok_or_else(|| FmuError::Archive {
        fmu: fmu.clone(),
        place: format!("{:?}", parse::DESCRIPTION),
        problem: "it is not there".to_owned(),
        remedy: "choose a file that is an FMU",
    })?;
    let mut description = parse::parse(&fmu, &text)?;
    description.dae = dae.map(|text| manifest::parse(&fmu, &text, &description)).transpose()?;
    Ok(description)
}

/// An instance at work.
struct Running {
    way: Way,
    /// Its parameters with their start values; those that are tunable are inputs too.
    parameters: Vec<Parameter>,
    texts: Vec<start::Texts>,
}

/// How it gets on.
enum Way {
    Stepping(Box<Stepping>),
    Solved(Box<Solved>),
}

/// What is saved of it.
#[derive(Default)]
struct State {
    kept: Option<Kept>,
    /// Outputs and their derivatives as they were told last, and discrete inputs as they were set last.
    outputs: Vec<f64>,
    rates: Vec<f64>,
    inputs: Vec<f64>,
    /// Of model exchange.
    solver: fourbar_dae::integrator::Snapshot,
    next_event: Option<f64>,
}

impl Running {
    /// The instance in its initialization, and what it exchanges.
    fn open(path: &Path, options: &FmuOptions) -> Result<(Self, Description), FmuError> {
        let fmu = path.display().to_string();
        let residuals = options.interface == Some(FmuInterfaceKind::Dae);
        let [text, dae] = archive::texts(path, [parse::DESCRIPTION, manifest::FILE], parse::LARGEST)?;
        // Who does not solve the residuals does not depend on what is said of them.
        let mut description = described(path, text, dae.filter(|_| residuals))?;
        let solved = match options.interface {
            Some(kind) => kind != FmuInterfaceKind::CoSimulation,
            None => description.co_simulation.is_none() && description.model_exchange.is_some(),
        };
        refuse_unsupported(&fmu, &description, solved)?;
        let integrator = refuse_method(&fmu, &description, options, solved)?;
        let mut values = start::Values::new(&fmu, &mut description, options)?;
        if let Some(dae) = description.dae.as_ref().filter(|_| residuals) {
            values.enable(&description.variables[dae.enable]);
        }
        let exchanged = Exchanged::new(&fmu, &description, options, solved)?;
        let intermediate = if solved { &[][..] } else { exchanged.intermediate.references() };
        let recipe = Recipe { fmu: &fmu, name: &options.name, solved, intermediate };
        let unpacked = Unpacked::open(path)?;
        modules::take(&fmu, unpacked.folder())?;
        let mut instance = Instance::new(unpacked, &description, &recipe)?;
        let tolerance = options.tolerance.or(description.tolerance).filter(|tolerance| *tolerance > 0.0);
        let begun = values
            .set(&mut instance)
            .and_then(|()| instance.enter_initialization(options.start, options.stop, tolerance));
        begun.map_err(|failure| FmuError::Call { fmu: fmu.clone(), words: failure.to_string() })?;
        let mut described = exchanged.description(&description, solved);
        let parameters = exchanged.parameters(&description);
        let texts = start::Texts::of(&description);
        let way = if solved {
            let how = How { integrator, tolerance, residuals, description: description.clone() };
            let made = Solved::new(instance, exchanged, options.start, how);
            Way::Solved(Box::new(made.map_err(|failure| FmuError::Call { fmu, words: failure.to_string() })?))
        } else {
            Way::Stepping(Box::new(Stepping::new(instance, exchanged, &description)))
        };
        let interface = if solved { &description.model_exchange } else { &description.co_simulation };
        let capabilities = &mut described.capabilities;
        let serializable = interface.as_ref().is_some_and(|interface| interface.can_serialize_state);
        capabilities.written = capabilities.rollback && serializable;
        (capabilities.early_return, capabilities.event_times) = match &way {
            Way::Stepping(stepping) => (stepping.returns_early(), stepping.returns_early()),
            Way::Solved(_) => (false, true),
        };
        Ok((Self { way, parameters, texts }, described))
    }
}

impl Line for Running {
    type State = State;

    #[inline(always)]
    fn exchange(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        match &mut self.way {
            Way::Stepping(stepping) => stepping.exchange(exchange),
            Way::Solved(solved) => solved.exchange(exchange),
        }
    }

    fn save(&mut self, state: &mut State) -> Result<(), Failure> {
        match &mut self.way {
            Way::Stepping(stepping) => stepping.save(state),
            Way::Solved(solved) => solved.save(state),
        }
    }

    fn store(&mut self, state: &State, to: &mut Vec<u8>) -> Result<(), Failure> {
        written::put(state, to);
        let kept = state.kept.as_ref().ok_or_else(|| Failure::new("no state was saved"))?;
        match &mut self.way {
            Way::Stepping(stepping) => stepping.instance.serialize(kept, to),
            Way::Solved(solved) => solved.solver()?.system_mut().instance.serialize(kept, to),
        }
    }

    fn load(&mut self, bytes: &[u8], state: &mut State) -> Result<(), Failure> {
        let (solver, fmu) = written::take(state, bytes).map_err(damaged)?;
        match &mut self.way {
            Way::Stepping(stepping) => stepping.read_state(state, fmu),
            Way::Solved(solved) => solved.read_state(state, solver, fmu),
        }
    }

    fn restore(&mut self, state: &State) -> Result<(), Failure> {
        match &mut self.way {
            Way::Stepping(stepping) => stepping.restore(state),
            Way::Solved(solved) => solved.restore(state),
        }
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, Failure> {
        Ok(self.parameters.clone())
    }

    fn texts(&mut self) -> Result<Vec<Text>, Failure> {
        let instance = match &mut self.way {
            Way::Stepping(stepping) => Some(&mut stepping.instance),
            // In its initialization they are as they start.
            Way::Solved(solved) => solved.solver().ok().map(|solver| &mut solver.system_mut().instance),
        };
        start::Texts::read(&self.texts, instance)
    }

    fn end_at_events(&mut self) {
        if let Way::Stepping(stepping) = &mut self.way {
            stepping.end_at_events();
        }
    }

    fn solver_counts(&self) -> Option<SolverCounts> {
        match &self.way {
            Way::Stepping(_) => None,
            Way::Solved(solved) => solved.counts(),
        }
    }

    fn warnings(&self) -> Vec<String> {
        match &self.way {
            Way::Stepping(stepping) => stepping.warnings(),
            Way::Solved(solved) => solved.warnings(),
        }
    }
}

/// The method by which its equations are solved; refuses one that does not fit, and residuals that are not handed out.
fn refuse_method(
    fmu: &str,
    description: &FmuDescription,
    options: &FmuOptions,
    solved: bool,
) -> Result<FmuIntegrator, FmuError> {
    let refused = |problem: String, remedy| Err(FmuError::Unsupported { fmu: fmu.to_owned(), problem, remedy });
    let chosen = options.integrator;
    if options.interface != Some(FmuInterfaceKind::Dae) {
        if chosen.is_some() && !solved {
            return refused("in co-simulation it has a solver of its own".to_owned(), "leave the integrator out");
        }
        return Ok(chosen.unwrap_or(FmuIntegrator::Rkf45));
    }
    match &description.dae {
        None => refused("it hands out no residuals (FMI-LS-DAE)".to_owned(), "choose model exchange"),
        Some(dae) if dae.version != manifest::VERSION || description.version != FmiVersion::Three => {
            let problem = format!("its residuals are those of FMI-LS-DAE {}", dae.version);
            refused(problem, "choose model exchange, or export it by 1.0.0-alpha.1 of FMI 3.0")
        }
        Some(_) if chosen == Some(FmuIntegrator::Rkf45) => {
            refused("an explicit method solves no residuals".to_owned(), "take the integrator gstiff")
        }
        Some(_) => Ok(FmuIntegrator::Gstiff),
    }
}

/// Refuses what needs more than an importer without clocks. That an FMU needs its tool is no ground: whether that is there the FMU itself says.
fn refuse_unsupported(fmu: &str, description: &FmuDescription, solved: bool) -> Result<(), FmuError> {
    let refused = |problem: String, remedy| Err(FmuError::Unsupported { fmu: fmu.to_owned(), problem, remedy });
    let interface = if solved { &description.model_exchange } else { &description.co_simulation };
    if interface.is_none() {
        if description.scheduled_execution && description.co_simulation.is_none() {
            return refused("it is scheduled by clocks alone".to_owned(), "export it for co-simulation");
        }
        let wanted = if solved { "model exchange" } else { "co-simulation" };
        let remedy = "choose the other interface, or export it for co-simulation or model exchange";
        return refused(format!("it has no {wanted}"), remedy);
    }
    let clock = description
        .variables
        .iter()
        .find(|variable| variable.kind == FmuType::Clock && variable.causality == FmuCausality::Input);
    if let Some(clock) = clock {
        let problem = format!("its clock {:?} must be driven from outside", clock.name);
        return refused(problem, "export it without clocks");
    }
    Ok(())
}
