//! Settings of a linear simulation as numbers.

use super::fault::{at, fault};
use crate::linear::{LinearModel, LinearSettings, MethodName};
use fourbar_lti::Method;
use fourbar_multibody::integrator::Tolerance;
use fourbar_multibody::{ModelError, Parameters};

/// Order of a method for which none is given: exact for cubic inputs, and as accurate for stiff systems as for others.
const ORDER: usize = 3;
/// The same where steps are adapted: a sine takes a tenth of the steps of order 3 at the tolerance below, for twice the samples in each.
const ORDER_OF_EXACT: usize = 7;
/// Relative error of a step of a sparse system for which none is given.
const KRYLOV_TOLERANCE: f64 = 1e-12;
/// Relative error of an interpolated input for which none is given: what several inputs and many steps make of it stays below the digits that
/// are printed.
const TOLERANCE: f64 = 1e-9;
/// Relative estimated error of an output above which a warning is given where no tolerance is: a curve is drawn with fewer digits.
const WORTH_A_WARNING: f64 = 1e-6;

/// How a linear model is stepped: its settings as numbers, checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stepping {
    pub(crate) end: Option<f64>,
    pub(crate) output_step: Option<f64>,
    pub(crate) step: Option<f64>,
    pub(crate) name: MethodName,
    pub(crate) method: Method,
    tolerance: Option<f64>,
    pub(crate) stop_times: Vec<f64>,
}

impl Stepping {
    /// Evaluates the settings of `model` over its parameters. Entries of `overrides` take precedence.
    pub(crate) fn new(model: &LinearModel, overrides: &LinearSettings) -> Result<Self, Box<ModelError>> {
        let parameters = Parameters::with_splines(&model.parameters, &model.splines)?;
        let settings = model.simulation.overridden_by(overrides);
        let field = |name: &str| at("simulation", 0, "", name);
        let positive = |name: &str, setting: &Option<_>| {
            let check =
                |expression| parameters.checked(expression, &field(name), "a time above 0 s", |value| value > 0.0);
            setting.as_ref().map(check).transpose()
        };
        let tolerance = settings.tolerance.as_ref().map(|expression| {
            let is_allowed = |value| Tolerance::RANGE.contains(&value);
            parameters.checked(expression, &field("tolerance"), Tolerance::ALLOWED, is_allowed)
        });
        let name = settings.method.unwrap_or_default();
        let mut stop_times: Vec<f64> = Vec::with_capacity(settings.stop_times.len());
        for (index, expression) in settings.stop_times.iter().enumerate() {
            let previous = stop_times.last().copied().unwrap_or(0.0);
            let allowed = format!("larger than {previous}: stop times are above 0 s and increase");
            let location = field(&format!("stop_times.{index}"));
            stop_times.push(parameters.checked(expression, &location, &allowed, |value| value > previous)?);
        }
        Ok(Self {
            end: positive("end", &settings.end)?,
            output_step: positive("output_step", &settings.output_step)?,
            step: positive("step", &settings.step)?,
            name,
            method: method(name, settings.order)?,
            tolerance: tolerance.transpose()?,
            stop_times,
        })
    }
}

impl Stepping {
    /// Relative error that a step of a sparse system may have.
    pub(crate) fn krylov_tolerance(&self) -> f64 {
        self.tolerance.unwrap_or(KRYLOV_TOLERANCE)
    }

    /// Relative error that the interpolation of an input may have where steps are adapted to it.
    pub(crate) fn input_tolerance(&self) -> f64 {
        self.tolerance.unwrap_or(TOLERANCE)
    }

    /// Relative estimated error of an output above which there is a warning.
    pub(crate) fn warning_level(&self) -> f64 {
        self.tolerance.unwrap_or(WORTH_A_WARNING)
    }

    /// Order of the interpolation of inputs that `exact` does not generate.
    pub(crate) fn interpolation_order(&self) -> usize {
        match (self.name, &self.method) {
            (MethodName::Exact, Method::Algorithm1 { order }) => *order,
            _ => ORDER_OF_EXACT,
        }
    }
}

fn method(name: MethodName, order: Option<u8>) -> Result<Method, Box<ModelError>> {
    let location = at("simulation", 0, "", "order");
    if let (Some(order), false) = (order, name.has_order()) {
        let problem = format!("the order is {order}, but the method `{}` has an order of its own", name.name());
        return Err(fault(location, problem, "remove `order`, or choose algorithm_1 or algorithm_2"));
    }
    let default = if name == MethodName::Exact { ORDER_OF_EXACT } else { ORDER };
    let order = order.map_or(default, usize::from);
    let smallest = usize::from(name == MethodName::Algorithm1RealTime);
    if !(smallest..=Method::MAX_ORDER).contains(&order) {
        let remedy = format!("it must be an order from {smallest} to {}", Method::MAX_ORDER);
        return Err(fault(location, format!("the value is {order}"), remedy));
    }
    Ok(match name {
        MethodName::Exact | MethodName::Algorithm1 => Method::Algorithm1 { order },
        MethodName::Algorithm2 => Method::Algorithm2 { order },
        MethodName::Algorithm1RealTime => Method::Algorithm1RealTime { order },
        MethodName::Algorithm2RealTime => Method::Algorithm2RealTime { order },
        MethodName::ZeroOrderHold => Method::ZERO_ORDER_HOLD,
        MethodName::FirstOrderHold => Method::FIRST_ORDER_HOLD,
        MethodName::Mtm4 => Method::Mtm4,
        MethodName::Qam4 => Method::Qam4,
    })
}
