//! What an FMU says of itself in its `modelDescription.xml`, versions 2.0 and 3.0 in the same words.

use fourbar_linalg::unit::Unit;

/// The version of the standard that an FMU keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FmiVersion {
    /// FMI 2.0, with its minor versions.
    Two,
    /// FMI 3.0, with its minor versions.
    Three,
}

/// What an FMU is.
#[derive(Debug, Clone, PartialEq)]
pub struct FmuDescription {
    /// Version of the standard.
    pub version: FmiVersion,
    /// The version in the words of the file.
    pub version_text: String,
    /// Name of the model.
    pub name: String,
    /// What the model shows; may be empty.
    pub description: String,
    /// The tool that made it; may be empty.
    pub generation_tool: String,
    /// The token that binds description and library (`guid` in version 2.0).
    pub token: String,
    /// Its interface as a simulator with a solver of its own.
    pub co_simulation: Option<FmuInterface>,
    /// Its interface as differential equations.
    pub model_exchange: Option<FmuInterface>,
    /// Whether it can be scheduled by clocks, which fourbar does not do.
    pub scheduled_execution: bool,
    /// All variables, in the order of the file.
    pub variables: Vec<FmuVariable>,
    /// Outputs with the inputs on which they depend without delay, by index in `variables`.
    pub outputs: Vec<(usize, Vec<usize>)>,
    /// Derivatives of the continuous states, by index in `variables`.
    pub derivatives: Vec<usize>,
    /// On which variables each of them depends, by index in `variables`; none where the file does not tell: on all.
    pub derivative_dependencies: Vec<Option<Vec<usize>>>,
    /// Number of functions whose signs are watched (version 2.0); version 3.0 is asked for it.
    pub event_indicators: usize,
    /// Time at which a run starts by default \[s\].
    pub start_time: Option<f64>,
    /// Time at which a run ends by default \[s\].
    pub stop_time: Option<f64>,
    /// Communication step by default \[s\].
    pub step_size: Option<f64>,
    /// Relative tolerance by default.
    pub tolerance: Option<f64>,
    /// Its terminals, variables that are connected together (version 3.0).
    pub terminals: Vec<FmuTerminal>,
    /// Its equations as residuals, by the layered standard FMI-LS-DAE.
    pub dae: Option<FmuDae>,
}

/// Variables that are connected together: a plug (FMI 3.0, section 2.4.9).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FmuTerminal {
    /// Name, unique among those on its level.
    pub name: String,
    /// What it is; may be empty.
    pub description: String,
    /// What it stands for, by a name that tools agree on; may be empty.
    pub kind: String,
    /// How its variables are matched: `plug`, `bus` or `sequence`, or a rule of tools.
    pub matching_rule: String,
    /// Its variables: name within the terminal, which may be empty, name of the variable, and how it is connected (`signal`, `inflow`,
    /// `outflow`, ..).
    pub members: Vec<(String, String, String)>,
    /// Terminals within it.
    pub terminals: Vec<FmuTerminal>,
}

/// Equations x' = f(t, x, z), 0 = g(t, x, z): what an FMU says of them by FMI-LS-DAE.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FmuDae {
    /// Version of the layered standard.
    pub version: String,
    /// Index of the structural parameter that turns them on.
    pub enable: usize,
    /// The algebraic variables z, by index in `variables`.
    pub algebraic: Vec<usize>,
    /// The residuals g, by index in `variables`.
    pub residuals: Vec<usize>,
    /// On which variables the derivatives of the states depend, in the order of [`FmuDescription::derivatives`]; none: on all.
    pub derivative_dependencies: Vec<Option<Vec<usize>>>,
    /// On which variables the residuals depend.
    pub residual_dependencies: Vec<Option<Vec<usize>>>,
}

/// What an FMU can do by one of its interfaces.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FmuInterface {
    /// Name of the shared library without its extension.
    pub model_identifier: String,
    /// It is a cover of a program that must be installed.
    pub needs_execution_tool: bool,
    /// A process can hold one instance of it.
    pub only_once_per_process: bool,
    /// Its state can be saved and returned to.
    pub can_get_and_set_state: bool,
    /// Its state can be written as bytes.
    pub can_serialize_state: bool,
    /// Steps may have different lengths.
    pub can_handle_variable_step: bool,
    /// It makes use of derivatives of its inputs (version 2.0).
    pub can_interpolate_inputs: bool,
    /// Highest derivative of its outputs that it gives.
    pub max_output_derivative_order: u32,
    /// It asks for inputs within a step (version 3.0).
    pub provides_intermediate_update: bool,
    /// It tells of events between steps (version 3.0).
    pub has_event_mode: bool,
    /// It gives products of its Jacobian with a vector.
    pub provides_directional_derivatives: bool,
    /// Step of its own solver \[s\], if it is fixed.
    pub fixed_internal_step: Option<f64>,
}

/// The type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FmuType {
    Float64,
    Float32,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Boolean,
    /// Of version 2.0, 32 bits.
    Enumeration32,
    /// Of version 3.0, 64 bits.
    Enumeration64,
    String,
    Binary,
    Clock,
}

impl FmuType {
    /// Its name in the words of the standard.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Float64 => "Float64",
            Self::Float32 => "Float32",
            Self::Int8 => "Int8",
            Self::UInt8 => "UInt8",
            Self::Int16 => "Int16",
            Self::UInt16 => "UInt16",
            Self::Int32 => "Int32",
            Self::UInt32 => "UInt32",
            Self::Int64 => "Int64",
            Self::UInt64 => "UInt64",
            Self::Boolean => "Boolean",
            Self::Enumeration32 | Self::Enumeration64 => "Enumeration",
            Self::String => "String",
            Self::Binary => "Binary",
            Self::Clock => "Clock",
        }
    }

    /// Whether it is a real number.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float64 | Self::Float32)
    }

    /// Whether it can be exchanged as a number.
    #[must_use]
    pub fn is_number(self) -> bool {
        !matches!(self, Self::String | Self::Binary | Self::Clock)
    }

    /// Whether it is a whole number, a truth value or an enumeration.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.is_number() && !self.is_float()
    }

    /// Smallest and largest whole number that it holds.
    pub(super) fn whole_range(self) -> (i128, i128) {
        match self {
            Self::Int64 | Self::Enumeration64 => (i64::MIN.into(), i64::MAX.into()),
            Self::UInt64 => (0, u64::MAX.into()),
            other => {
                let (low, high) = other.range();
                (low as i128, high as i128)
            }
        }
    }

    /// Smallest and largest double that it holds: of 64 bits the largest ones below 2^63 and 2^64.
    pub(super) fn range(self) -> (f64, f64) {
        match self {
            Self::Int8 => (f64::from(i8::MIN), f64::from(i8::MAX)),
            Self::UInt8 => (0.0, f64::from(u8::MAX)),
            Self::Int16 => (f64::from(i16::MIN), f64::from(i16::MAX)),
            Self::UInt16 => (0.0, f64::from(u16::MAX)),
            Self::Int32 | Self::Enumeration32 => (f64::from(i32::MIN), f64::from(i32::MAX)),
            Self::UInt32 => (0.0, f64::from(u32::MAX)),
            Self::Int64 | Self::Enumeration64 => (i64::MIN as f64, (i64::MAX as f64).next_down()),
            Self::UInt64 => (0.0, (u64::MAX as f64).next_down()),
            Self::Boolean => (0.0, 1.0),
            Self::Float64 | Self::Float32 | Self::String | Self::Binary | Self::Clock => (f64::MIN, f64::MAX),
        }
    }
}

/// What a variable is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FmuCausality {
    StructuralParameter,
    Parameter,
    CalculatedParameter,
    Input,
    Output,
    Local,
    Independent,
}

impl FmuCausality {
    /// Its name in the words of the standard.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StructuralParameter => "structuralParameter",
            Self::Parameter => "parameter",
            Self::CalculatedParameter => "calculatedParameter",
            Self::Input => "input",
            Self::Output => "output",
            Self::Local => "local",
            Self::Independent => "independent",
        }
    }
}

/// When a variable may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FmuVariability {
    Constant,
    Fixed,
    Tunable,
    Discrete,
    Continuous,
}

impl FmuVariability {
    /// Its name in the words of the standard.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Fixed => "fixed",
            Self::Tunable => "tunable",
            Self::Discrete => "discrete",
            Self::Continuous => "continuous",
        }
    }
}

/// A variable of an FMU.
#[derive(Debug, Clone, PartialEq)]
pub struct FmuVariable {
    /// Name, unique in the FMU.
    pub name: String,
    /// What it is; may be empty.
    pub description: String,
    /// By which functions read and write it.
    pub value_reference: u32,
    /// Type.
    pub kind: FmuType,
    /// What it is for.
    pub causality: FmuCausality,
    /// When it may change.
    pub variability: FmuVariability,
    /// Whether a start value is only a guess or computed: it may not be set unless this is `exact` or `approx`.
    pub initial: String,
    /// Start values of numbers, one per element or one for all; empty if none is given.
    pub start: Vec<f64>,
    /// The same of whole numbers, truth values and enumerations with all their digits.
    pub start_whole: Vec<i128>,
    /// Start values of texts.
    pub start_text: Vec<String>,
    /// Other names of it (version 3.0).
    pub aliases: Vec<String>,
    /// Items of an enumeration: name and number.
    pub items: Vec<(String, i64)>,
    /// Unit by name; may be empty.
    pub unit: String,
    /// The unit as a value, where the file defines it.
    pub measure: Option<Unit>,
    /// Another unit in which people like to see it, by name; may be empty.
    pub display_unit: String,
    /// Typical magnitude \[unit\]; 0 if it is not stated.
    pub nominal: f64,
    /// Smallest and largest value \[unit\]; infinite where none is stated.
    pub range: [f64; 2],
    /// Lengths of an array, the outermost first; empty for one value.
    pub dimensions: Vec<FmuLength>,
    /// Index in `variables` of the state of which this is the derivative.
    pub derivative_of: Option<usize>,
    /// It may be set within a step (version 3.0).
    pub intermediate_update: bool,
    /// It belongs to clocks, which fourbar does not drive.
    pub clocked: bool,
}

/// A length of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FmuLength {
    /// A number.
    Fixed(u64),
    /// The value of a structural parameter, by its value reference.
    Of(u32),
}

impl FmuDescription {
    /// The variable of this name, its own or another one that it has.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&FmuVariable> {
        self.place(name).map(|place| &self.variables[place])
    }

    /// The place of the variable of this name, its own or another one that it has.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        let own = self.variables.iter().position(|variable| variable.name == name);
        own.or_else(|| self.variables.iter().position(|variable| variable.aliases.iter().any(|alias| alias == name)))
    }

    /// The lengths of an array with the start values of structural parameters; empty for one value.
    #[must_use]
    pub fn lengths(&self, variable: &FmuVariable) -> Vec<u64> {
        let value = |length: &FmuLength| match length {
            FmuLength::Fixed(length) => *length,
            FmuLength::Of(reference) => {
                let parameter = self.variables.iter().find(|parameter| parameter.value_reference == *reference);
                parameter.and_then(|parameter| parameter.start.first()).map_or(0, |start| *start as u64)
            }
        };
        variable.dimensions.iter().map(value).collect()
    }

    /// Number of continuous states, elements of arrays counted.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.derivatives.iter().map(|index| self.element_count(*index)).sum()
    }

    /// Number of values of the variable at `index`.
    pub(super) fn element_count(&self, index: usize) -> usize {
        self.lengths(&self.variables[index]).iter().product::<u64>() as usize
    }
}
