//! What an operator may set before a run (R9 to R11), refused field by field.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

#[cfg(feature = "clock")]
use crate::Error;
use crate::management::{Catalogue, ConnectionPart};
use crate::{Algorithm, Connection, Options};

/// Settings and connections of a run: plain data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Settings of the loop.
    pub options: Options,
    /// Which output feeds which input.
    pub connections: Vec<Connection>,
}

/// A field of the settings, shown and serialized as a path: `step`, `connections.2.from`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Field {
    /// Start time.
    Start,
    /// End time.
    End,
    /// Communication step.
    Step,
    /// Algorithm, and what it cannot be combined with.
    Algorithm,
    /// Order of stepping.
    Sequence,
    /// Tolerance of the iteration.
    Tolerance,
    /// Largest number of sweeps.
    MaxSweeps,
    /// What the adaptive communication step is told.
    Adaptive,
    /// Real-time factor.
    RealTimeFactor,
    /// Levels of faults.
    Faults,
    /// Ports.
    Ports,
    /// The connections as a whole.
    Connections,
    /// A part of one connection.
    Connection(usize, ConnectionPart),
    /// The partners themselves.
    Partners,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::End => "end",
            Self::Step => "step",
            Self::Algorithm => "algorithm",
            Self::Sequence => "sequence",
            Self::Tolerance => "tolerance",
            Self::MaxSweeps => "max_sweeps",
            Self::Adaptive => "adaptive",
            Self::RealTimeFactor => "real_time_factor",
            Self::Faults => "faults",
            Self::Ports => "ports",
            Self::Connections => "connections",
            Self::Partners => "partners",
            Self::Connection(index, part) => {
                let part = match part {
                    ConnectionPart::From => "from",
                    ConnectionPart::To => "to",
                    ConnectionPart::Gain => "gain",
                    ConnectionPart::Offset => "offset",
                    ConnectionPart::Nominal => "nominal",
                };
                return write!(f, "connections.{index}.{part}");
            }
        })
    }
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Why a field is refused, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The field.
    pub field: Field,
    /// The problem and the remedy, in words.
    pub message: String,
}

impl Refusal {
    pub(super) fn new(field: Field, message: impl fmt::Display) -> Self {
        Self { field, message: message.to_string() }
    }

    /// The refusal of a whole set-up, at the field that caused it.
    #[cfg(feature = "clock")]
    pub(super) fn of(error: &Error) -> Self {
        Self::new(field_of(error), error)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// The field behind what only the set-up of all partners shows; numbers were checked before.
#[cfg(feature = "clock")]
fn field_of(error: &Error) -> Field {
    match error {
        Error::EndBetweenPoints { .. } => Field::End,
        Error::StepTooShort { .. } => Field::Step,
        Error::Capability { .. } | Error::Combination { .. } => Field::Algorithm,
        Error::UnknownPartner { place, .. } if place == "order of stepping" => Field::Sequence,
        Error::Duplicate { what: "partner in the order of stepping", .. } => Field::Sequence,
        Error::Value { name, .. } if name.contains("order of stepping") => Field::Sequence,
        Error::Level { .. } => Field::Faults,
        Error::Port { .. } | Error::Duplicate { what: "port", .. } => Field::Ports,
        Error::UnknownPartner { place, .. } | Error::UnknownVariable { place, .. } if place.starts_with("port") => {
            Field::Ports
        }
        Error::AlgebraicLoop(_) | Error::TwoSources { .. } | Error::Dimension { .. } => Field::Connections,
        _ => Field::Partners,
    }
}

impl Settings {
    /// Everything that can be said without setting up the partners: numbers out of range, connections that do not fit.
    #[must_use]
    pub fn check(&self, catalogue: &Catalogue) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        let mut demand = |holds: bool, field: Field, message: &str| {
            if !holds {
                refusals.push(Refusal::new(field, message));
            }
        };
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let Options { start, end, step, algorithm, adaptive, pacing, .. } = &self.options;
        demand(start.is_finite(), Field::Start, "the start time must be a finite number of seconds");
        demand(positive(*step), Field::Step, "the communication step must be above 0 s and finite");
        demand(*end > *start, Field::End, &format!("the end time must lie behind the start, {start} s"));
        if let Algorithm::Iterated { tolerance, max_sweeps, .. } = algorithm {
            demand(positive(*tolerance), Field::Tolerance, "the tolerance must be above 0 and finite");
            demand(*max_sweeps > 0, Field::MaxSweeps, "there must be at least 1 sweep");
        }
        if let Some(adaptive) = adaptive {
            let given = [adaptive.tolerance, adaptive.first, adaptive.shortest].into_iter().all(positive);
            demand(given, Field::Adaptive, "tolerance, first and shortest step must be above 0 and finite");
            let inside = adaptive.first <= *step && adaptive.shortest <= *step;
            demand(inside, Field::Adaptive, "first and shortest step must not exceed the communication step");
            demand(adaptive.shortest >= 1e-9 * step, Field::Adaptive, "the shortest step must be at least 1e-9 of H");
        }
        let paced = pacing.is_none_or(|pacing| positive(pacing.real_time_factor));
        demand(paced, Field::RealTimeFactor, "the real-time factor must be above 0 and finite");
        let faults = catalogue.check(&self.connections).into_iter();
        refusals.extend(faults.map(|fault| Refusal::new(Field::Connection(fault.index, fault.part), fault.error)));
        refusals
    }
}
