//! Parameters of a simulator at work: what stays the same over the steps, and may change between them.

/// A parameter as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Name, unique among the parameters of the simulator.
    pub name: String,
    /// Unit by name; empty where none is stated.
    pub unit: String,
    /// Value now \[unit\].
    pub value: f64,
    /// Smallest value \[unit\]; minus infinity if none is known.
    pub lowest: f64,
    /// Largest value \[unit\]; infinity if none is known.
    pub highest: f64,
    /// Whether a running simulator can go on with another value.
    pub is_tunable: bool,
}

impl Parameter {
    /// One that stays as it is, without a unit and a range.
    pub fn fixed(name: impl Into<String>, value: f64) -> Self {
        let (lowest, highest) = (f64::NEG_INFINITY, f64::INFINITY);
        Self { name: name.into(), unit: String::new(), value, lowest, highest, is_tunable: false }
    }

    /// One that may change between steps, without a unit and a range.
    pub fn tunable(name: impl Into<String>, value: f64) -> Self {
        Self { is_tunable: true, ..Self::fixed(name, value) }
    }

    /// In this unit.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// Within this range \[unit\], its ends included.
    #[must_use]
    pub fn within(mut self, lowest: f64, highest: f64) -> Self {
        (self.lowest, self.highest) = (lowest, highest);
        self
    }
}

/// Why a parameter keeps its value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterRefusal {
    /// The simulator has none of this name.
    #[error("there is none of this name{}", nearest.as_ref().map(|name| format!("; did you mean \"{name}\"?")).unwrap_or_default())]
    Unknown {
        /// One with a similar name.
        nearest: Option<String>,
    },
    /// It is fixed.
    #[error("it is fixed once the run is set up; give it its value before, where the simulator is made")]
    Fixed,
    /// It is an input as well, and a connection feeds it.
    #[error("\"{source_name}\" feeds it; remove the connection first")]
    Fed {
        /// The output that feeds it.
        source_name: String,
    },
    /// The value is NaN or infinite.
    #[error("write a finite number")]
    NotFinite,
    /// The value lies beyond what the simulator states.
    #[error("it must lie between {lowest} and {highest}")]
    OutOfRange {
        /// Smallest value.
        lowest: f64,
        /// Largest value.
        highest: f64,
    },
    /// The simulator refuses it, or cannot be asked.
    #[error("{0}; it goes on with the value that it had")]
    NotTaken(Box<super::Fault>),
}
