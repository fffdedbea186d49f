//! The columns: what is done with a model, and what it must give.

mod analyses;
mod runs;
mod stepping;
mod units;

use super::feature::Feature;
use fourbar::file::ModelFile;
use std::fmt;

/// Why a cell does not hold.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// The program refuses it.
    Refused(String),
    /// The program gives a number that it should not: what it gives, in a word for the table and in figures.
    Wrong(&'static str, String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(message) => f.write_str(message),
            Self::Wrong(what, figures) => write!(f, "WRONG: {what}: {figures}"),
        }
    }
}

impl<E: std::error::Error> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Refused(error.to_string())
    }
}

/// A feature, and what the run of its model by itself gave.
pub(crate) struct Case<'a> {
    pub(crate) feature: &'a Feature,
    /// The compared column at the end; none where the run failed.
    pub(crate) expected: Option<f64>,
}

/// How near the results of other ways must come to that of the run, relative to it: steps end elsewhere.
const NEAR: f64 = 1e-5;

impl Case<'_> {
    /// Whether `value` is that of the run by itself.
    fn same(&self, value: f64) -> Result<(), Fault> {
        self.expected.map_or(Ok(()), |expected| near(value, expected, NEAR))
    }

    fn file(&self, more: &str) -> Result<ModelFile, Fault> {
        Ok(ModelFile::parse("model.toml", self.feature.text(more))?)
    }

    /// The times of the outputs after the start.
    fn times(&self) -> impl Iterator<Item = f64> + use<> {
        let end = self.feature.end;
        (1..=6).map(move |k| if k == 6 { end } else { end * f64::from(k) / 6.0 })
    }
}

fn near(value: f64, expected: f64, tolerance: f64) -> Result<(), Fault> {
    if (value - expected).abs() <= tolerance * expected.abs() && value.is_finite() {
        return Ok(());
    }
    Err(Fault::Wrong("another value than by the run", format!("{value} instead of {expected}")))
}

fn wrong<T>(figures: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Wrong("a number that it should not give", figures.into()))
}

/// A column.
pub(crate) struct Use {
    pub(crate) heading: &'static str,
    /// Whether there is anything to try.
    pub(crate) concerns: fn(&Feature) -> bool,
    pub(crate) attempt: fn(&Case) -> Result<(), Fault>,
}

const fn of_all(heading: &'static str, attempt: fn(&Case) -> Result<(), Fault>) -> Use {
    Use { heading, concerns: |_| true, attempt }
}

const fn of_mechanisms(heading: &'static str, attempt: fn(&Case) -> Result<(), Fault>) -> Use {
    Use { heading, concerns: Feature::is_mechanism, attempt }
}

/// All columns behind that of the run.
pub(crate) const USES: &[Use] = &[
    of_all("coupled", runs::coupled),
    of_all("FMI 2.0", units::stepped_2),
    of_all("FMI 3.0", units::stepped_3),
    of_all("model exchange", units::exchanged),
    of_mechanisms("statics", analyses::statics),
    Use { heading: "linear", concerns: analyses::has_linear, attempt: analyses::linear },
    Use { heading: "kinematics", concerns: |feature| feature.drive.is_some(), attempt: analyses::kinematics },
    of_all("sweep", runs::swept),
    of_all("host steps", stepping::stepped),
    of_mechanisms("host functions", runs::by_functions),
    of_all("checkpoint", stepping::checkpoint),
    of_all("checkpoint, bytes", stepping::checkpoint_bytes),
    Use { heading: "contact measures", concerns: Feature::has_contacts, attempt: runs::contact_measures },
    Use {
        heading: "contact measures, coupled",
        concerns: Feature::has_contacts,
        attempt: runs::contact_measures_coupled,
    },
    Use {
        heading: "contact measures, host steps",
        concerns: Feature::has_contacts,
        attempt: stepping::contact_measures,
    },
    of_mechanisms("reactions", runs::reactions),
    of_mechanisms("energy", runs::energy),
    Use { heading: "pictures", concerns: runs::has_pictures, attempt: runs::pictures },
];

pub(crate) use runs::{run, value_of_run};
