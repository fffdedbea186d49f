//! The settings of a run that a caller may give instead of the model: one table for [`Overrides`](super::Overrides), the command line, the
//! options of the C interface and docs/running.md, which tests compare with it.

use crate::coupled::AlgorithmName;
use crate::linear::MethodName;
use crate::mechanism::ContactMethod;
use fourbar_linalg::text::Brief;
use fourbar_multibody::INTEGRATORS;
use fourbar_multibody::formulation::Formulation;
use fourbar_multibody::integrator::Tolerance;
use std::ops::RangeInclusive;

/// What a setting takes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Allowed {
    /// A time above 0 s.
    Seconds,
    /// A number of this range.
    Number(RangeInclusive<f64>),
    /// A whole number of this range; up to `u64::MAX` where there is no upper limit.
    Integer(RangeInclusive<u64>),
    /// One of these words.
    Word(Vec<&'static str>),
}

/// A kind of model, as far as settings differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelKind {
    /// A mechanism without contacts.
    Mechanism,
    /// A mechanism with contacts.
    Contacts,
    /// A linear system.
    Linear,
    /// A hydraulic circuit.
    Circuit,
    /// Coupled simulators.
    Coupled,
}

impl ModelKind {
    /// Its name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mechanism => "mechanism",
            Self::Contacts => "mechanism with contacts",
            Self::Linear => "linear",
            Self::Circuit => "circuit",
            Self::Coupled => "coupled",
        }
    }
}

/// A setting of a run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RunSetting {
    /// Its name in model files and C; on the command line with - for _.
    pub name: &'static str,
    /// Which kinds of models have it.
    pub kinds: &'static [ModelKind],
    /// What it means, in one sentence.
    pub meaning: &'static str,
    allowed: fn() -> Allowed,
}

impl RunSetting {
    /// What it takes.
    #[must_use]
    pub fn allowed(&self) -> Allowed {
        (self.allowed)()
    }

    /// The setting of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        RUN_SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Its meaning with the unit or the range of its numbers.
    #[must_use]
    pub fn description(&self) -> String {
        match self.allowed() {
            Allowed::Seconds => format!("{} [s]", self.meaning),
            Allowed::Number(range) => {
                format!("{}; {:.3} to {:.3}", self.meaning, Brief(*range.start()), Brief(*range.end()))
            }
            Allowed::Integer(_) | Allowed::Word(_) => self.meaning.to_owned(),
        }
    }
}

use ModelKind::{Circuit, Contacts, Coupled, Linear, Mechanism};

/// All settings of runs, in the order of the command line.
pub const RUN_SETTINGS: [RunSetting; 15] = [
    RunSetting {
        name: "end",
        kinds: &[Mechanism, Contacts, Linear, Circuit, Coupled],
        meaning: "End time",
        allowed: || Allowed::Seconds,
    },
    RunSetting {
        name: "output_step",
        kinds: &[Mechanism, Contacts, Linear, Circuit, Coupled],
        meaning: "Time between outputs",
        allowed: || Allowed::Seconds,
    },
    RunSetting {
        name: "tolerance",
        kinds: &[Mechanism, Contacts, Linear, Circuit, Coupled],
        meaning: "Relative tolerance: of the local error of a mechanism (with contacts: event-driven) or circuit, of a step of a sparse linear \
                  system, of the interpolated inputs of a linear system, or of the iteration of coupled simulators",
        allowed: || Allowed::Number(Tolerance::RANGE),
    },
    RunSetting {
        name: "integrator",
        kinds: &[Mechanism],
        meaning: "Integrator of a mechanism; another one than the file's comes without the file's formulation, largest order and damping",
        allowed: || Allowed::Word(INTEGRATORS.to_vec()),
    },
    RunSetting {
        name: "formulation",
        kinds: &[Mechanism],
        meaning: "Formulation of the equations of motion of a mechanism",
        allowed: || Allowed::Word(Formulation::NAMES.map(|(name, _)| name).to_vec()),
    },
    RunSetting {
        name: "max_step",
        kinds: &[Mechanism, Contacts, Circuit],
        meaning: "Largest step of a mechanism (with contacts: event-driven) or circuit; of mechanisms the output step unless it is given",
        allowed: || Allowed::Seconds,
    },
    RunSetting {
        name: "max_order",
        kinds: &[Mechanism, Circuit],
        meaning: "Largest order of the integrator of a mechanism or circuit; 1 to 6, of abam 1 to 12",
        allowed: || Allowed::Integer(1..=12),
    },
    RunSetting {
        name: "alpha",
        kinds: &[Mechanism],
        meaning: "Numerical damping of hht, most at -1/3",
        allowed: || Allowed::Number(-1.0 / 3.0..=0.0),
    },
    RunSetting {
        name: "rho_infinity",
        kinds: &[Mechanism],
        meaning: "Numerical damping of hht as the spectral radius at infinity, most at 0; in place of alpha",
        allowed: || Allowed::Number(0.0..=1.0),
    },
    RunSetting {
        name: "max_steps",
        kinds: &[Mechanism, Circuit],
        meaning: "Most steps that the run of a mechanism or circuit may take",
        allowed: || Allowed::Integer(1..=u64::MAX),
    },
    RunSetting {
        name: "contacts",
        kinds: &[Contacts],
        meaning: "How contacts of a mechanism are followed",
        allowed: || Allowed::Word(ContactMethod::NAMES.map(|(name, _)| name).to_vec()),
    },
    RunSetting {
        name: "step",
        kinds: &[Contacts, Linear, Coupled],
        meaning: "Step of a linear system, or of contacts with fixed steps; communication step of coupled simulators",
        allowed: || Allowed::Seconds,
    },
    RunSetting {
        name: "method",
        kinds: &[Linear],
        meaning: "Method of a linear system",
        allowed: || Allowed::Word(MethodName::NAMES.map(|(name, _)| name).to_vec()),
    },
    RunSetting {
        name: "order",
        kinds: &[Linear, Coupled],
        meaning: "Order of the method of a linear system, 0 to 20; degree of the inputs of coupled simulators, 0 to 2",
        allowed: || Allowed::Integer(0..=20),
    },
    RunSetting {
        name: "algorithm",
        kinds: &[Coupled],
        meaning: "Algorithm of coupled simulators",
        allowed: || Allowed::Word(AlgorithmName::NAMES.map(|(name, _)| name).to_vec()),
    },
];
