//! A coupling before its run and during it.

use fourbar::coupling::management::{Catalogue, Handling, Level, Report};
use fourbar::coupling::{Algorithm, Causality, Connection, Master, Observer, Options, Partner, RunState};

use super::building::fourbar_coupling;
use super::failure::of_coupling;
use crate::abi::error::Failure;
use crate::abi::handle;
use crate::abi::status::fourbar_status;

/// Faults kept.
const KEPT: usize = 10_000;

/// What is set before the run.
pub(super) struct Building {
    pub(super) partners: Vec<Partner>,
    pub(super) connections: Vec<Connection>,
    pub(super) options: Options,
}

impl Building {
    /// That a partner may be added under this name with `every`, before an instance is created.
    pub(super) fn admit(&self, name: &str, every: u64) -> Result<(), Failure> {
        let text = if name.is_empty() || name.contains('.') {
            format!("'name' is \"{name}\"; it must have a character at least and no dot")
        } else if self.partners.iter().any(|partner| partner.name() == name) {
            format!("there is a partner \"{name}\" already; give another name")
        } else if every == 0 {
            "every is 0; it must be 1 at least".to_owned()
        } else {
            return Ok(());
        };
        Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
    }

    /// One more partner. A sequence of stepping that a model file gives names all others: this one steps after them, unless it is named too.
    pub(super) fn add(&mut self, name: &str, partner: Partner) {
        if let Algorithm::GaussSeidel { sequence, .. } | Algorithm::Iterated { sequence, .. } =
            &mut self.options.algorithm
            && !sequence.is_empty()
            && sequence.iter().all(|known| known != name)
        {
            sequence.push(name.to_owned());
        }
        self.partners.push(partner);
    }
}

/// A coupling, in either stage.
pub(super) struct Coupling {
    stage: Stage,
    pub(super) watch: Watch,
    /// All inputs, "partner.variable", once the run is set up.
    pub(super) inputs: Vec<String>,
}

enum Stage {
    Building(Box<Building>),
    Running(Box<Master>),
    /// The partners went into a run that could not be set up.
    Spent,
}

/// A fault and what was done.
pub(super) struct Record {
    pub(super) level: Level,
    pub(super) handling: Handling,
    pub(super) time: f64,
    pub(super) text: String,
}

/// Keeps the faults of a run.
#[derive(Default)]
pub(super) struct Watch {
    pub(super) faults: Vec<Record>,
    /// All of them, kept or not.
    pub(super) count: u64,
}

impl Observer for Watch {
    fn fault(&mut self, report: &Report<'_>) {
        self.count += 1;
        if self.faults.len() < KEPT {
            let (level, handling) = (report.level, report.handling);
            let (time, text) = (report.fault.time(), report.fault.to_string());
            self.faults.push(Record { level, handling, time, text });
        }
    }
}

impl Coupling {
    pub(super) fn new(building: Building) -> Self {
        Self { stage: Stage::Building(Box::new(building)), watch: Watch::default(), inputs: Vec::new() }
    }

    /// Sets up the run if that is not done.
    pub(super) fn started(&mut self) -> Result<(&mut Master, &mut Watch), Failure> {
        if let Stage::Building(building) = &self.stage {
            if building.partners.is_empty() {
                let text = "the coupling has no partners: add one first, by fourbar_coupling_add_functions, fourbar_coupling_add_library or a model";
                return Err(Failure::new(fourbar_status::FOURBAR_STATE, text));
            }
            let Stage::Building(building) = std::mem::replace(&mut self.stage, Stage::Spent) else {
                return Err(spent());
            };
            let Building { partners, connections, options } = *building;
            let catalogue = Catalogue::of(&partners);
            self.inputs = catalogue.variables(Causality::Input).map(|(name, _)| name).collect();
            let master = Master::new(partners, &connections, &options).map_err(|error| of_coupling(&error))?;
            self.stage = Stage::Running(Box::new(master));
        }
        self.running()
    }

    /// The run, if it is set up.
    pub(super) fn running(&mut self) -> Result<(&mut Master, &mut Watch), Failure> {
        match &mut self.stage {
            Stage::Running(master) => Ok((master, &mut self.watch)),
            Stage::Building(_) => {
                let text = "the run is not set up: call fourbar_coupling_start or a function that steps first";
                Err(Failure::new(fourbar_status::FOURBAR_STATE, text))
            }
            Stage::Spent => Err(spent()),
        }
    }

    /// What can still be set.
    pub(super) fn building(&mut self) -> Result<&mut Building, Failure> {
        match &mut self.stage {
            Stage::Building(building) => Ok(building),
            Stage::Running(_) => {
                let text = "the run is set up: partners, connections and levels are to be given before";
                Err(Failure::new(fourbar_status::FOURBAR_STATE, text))
            }
            Stage::Spent => Err(spent()),
        }
    }
}

fn spent() -> Failure {
    let text = "the run could not be set up, and its partners are gone: make another coupling";
    Failure::new(fourbar_status::FOURBAR_STATE, text)
}

/// # Safety
/// `coupling` is NULL or alive.
pub(super) unsafe fn with(
    coupling: *const fourbar_coupling,
    call: impl FnOnce(&mut Coupling) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { coupling.as_ref() } {
        Some(coupling) => coupling.own.with("coupling", call),
        None => handle::null("coupling"),
    }
}

/// # Safety
/// `coupling` is NULL or alive.
pub(super) unsafe fn with_building(
    coupling: *const fourbar_coupling,
    call: impl FnOnce(&mut Building) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(coupling, |coupling| call(coupling.building()?)) }
}

/// The number of a state in the header.
pub(super) fn state_number(state: RunState) -> i32 {
    use super::running::fourbar_run_state as S;
    (match state {
        RunState::Initialised => S::FOURBAR_RUN_INITIALISED,
        RunState::Paused => S::FOURBAR_RUN_PAUSED,
        RunState::Failed => S::FOURBAR_RUN_FAILED,
        RunState::Finished => S::FOURBAR_RUN_FINISHED,
        _ => S::FOURBAR_RUN_RUNNING,
    }) as i32
}
