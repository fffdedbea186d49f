//! Settings of a simulation as numbers.

use super::check::at;
use super::scope::{Scope, unknown};
use crate::analysis::DynamicsOptions;
use crate::error::{Error, Location, ModelError};
use crate::expression::Expression;
use crate::formulation::{Formulation, kinds};
use crate::integrator::Method;
use crate::integrator::{
    ABAM_ORDER_MAX, Abam, Absolute, ConstantBdf, Damping, Dstiff, Gstiff, Hht, KindTable, ORDER_MAX, Rkf45, StepLimits,
    Tolerance, Wstiff,
};
use crate::model::{AbsoluteTolerances, INTEGRATORS, Model, Settings};

/// How a model is simulated: its settings as numbers, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// End time \[s\], if one is given.
    pub end: Option<f64>,
    /// Time between outputs \[s\], if one is given.
    pub output_step: Option<f64>,
    /// Integrator by name.
    pub integrator: &'static str,
    /// Formulation, method and stop times; the end is [`Simulation::end`], or infinity.
    pub dynamics: DynamicsOptions,
}

impl Simulation {
    /// Evaluates the settings of `model` over its parameters. Entries of `overrides` take precedence.
    ///
    /// # Errors
    /// [`Error::Model`] naming the setting, its value and what is allowed.
    pub fn new(model: &Model, overrides: &Settings) -> Result<Self, Error> {
        let model = &*model.in_si()?;
        let scope = Scope::new(model)?;
        let settings = model.simulation.overridden_by(overrides);
        let reader = Reader { scope: &scope };
        let end = reader.positive("end", settings.end.as_ref())?;
        let tolerance = reader.number("tolerance", settings.tolerance.as_ref(), Tolerance::ALLOWED, |value| {
            Tolerance::RANGE.contains(&value)
        })?;
        let tolerance =
            reader.absolute(tolerance.map_or_else(Tolerance::default, Tolerance::uniform), &settings.absolute)?;
        let integrator = reader.integrator(settings.integrator.as_deref())?;
        let method = reader.method(integrator, tolerance, &settings)?;
        Ok(Self {
            end,
            output_step: reader.positive("output_step", settings.output_step.as_ref())?,
            integrator,
            dynamics: DynamicsOptions {
                formulation: reader.formulation(settings.formulation.as_deref())?,
                method,
                end: end.unwrap_or(f64::INFINITY),
                stop_times: reader.stop_times(&settings.stop_times)?,
            },
        })
    }
}

/// An absolute tolerance that is not given: far below every round-off, so that the mechanism's own decides.
const NOT_GIVEN: f64 = f64::MIN_POSITIVE;

/// Order of constant steps unless another is given: the highest that is stable along the whole imaginary axis.
const CONSTANT_ORDER: usize = 2;

struct Reader<'a> {
    scope: &'a Scope<'a>,
}

fn field(name: &str) -> Location {
    at("simulation", 0, "", name)
}

/// The integrator `name` has one order, or one form of the equations.
fn one_alone(name: &str, setting: &str, what: &str) -> Box<ModelError> {
    let problem = format!("{name} has one {what}");
    ModelError::new(field(setting), problem, "leave it out, or choose the integrator gstiff")
}

impl Reader<'_> {
    fn number(
        &self,
        name: &str,
        setting: Option<&Expression>,
        allowed: &str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<Option<f64>, Box<ModelError>> {
        setting.map(|expression| self.scope.checked(expression, &field(name), allowed, holds)).transpose()
    }

    fn positive(&self, name: &str, setting: Option<&Expression>) -> Result<Option<f64>, Box<ModelError>> {
        self.number(name, setting, "a time above 0 s", |value| value > 0.0)
    }

    fn absolute(&self, tolerance: Tolerance, given: &AbsoluteTolerances) -> Result<Tolerance, Box<ModelError>> {
        if given.is_empty() {
            return Ok(tolerance);
        }
        let read = |name: &str, setting: &Option<Expression>| {
            let value = self.number(&format!("absolute.{name}"), setting.as_ref(), "above 0", |value| value > 0.0);
            value.map(|value| value.unwrap_or(NOT_GIVEN))
        };
        let angular_velocity = read("angular_velocity", &given.angular_velocity)?;
        let table = KindTable::uniform(NOT_GIVEN)
            .with(kinds::POSITION, read("position", &given.position)?)
            .with(kinds::ORIENTATION, read("orientation", &given.orientation)?)
            .with(kinds::VELOCITY, read("velocity", &given.velocity)?)
            .with(kinds::ANGULAR_VELOCITY, angular_velocity)
            .with(kinds::MOMENTUM, angular_velocity);
        Ok(Tolerance { absolute: Absolute::Kind(table), ..tolerance })
    }

    fn steps(&self, settings: &Settings) -> Result<StepLimits, Box<ModelError>> {
        let default = StepLimits::default();
        let smallest = self.positive("min_step", settings.min_step.as_ref())?.unwrap_or(default.smallest);
        let allowed = "a time above 0 s, at least `min_step`";
        let largest =
            self.number("max_step", settings.max_step.as_ref(), allowed, |value| value > 0.0 && value >= smallest)?;
        let limit = match settings.max_steps {
            Some(0) => return Err(ModelError::new(field("max_steps"), "the value is 0", "it must be at least 1")),
            limit => limit.unwrap_or(default.limit),
        };
        Ok(StepLimits {
            first: self.positive("first_step", settings.first_step.as_ref())?.unwrap_or(default.first),
            smallest,
            largest: largest.unwrap_or(default.largest),
            limit,
        })
    }

    fn order(&self, setting: Option<u8>, default: usize, highest: usize) -> Result<usize, Box<ModelError>> {
        match setting.map(usize::from) {
            None => Ok(default),
            Some(order) if (1..=highest).contains(&order) => Ok(order),
            Some(order) => Err(ModelError::new(
                field("max_order"),
                format!("the value is {order}"),
                format!("it must be an order from 1 to {highest}"),
            )),
        }
    }

    fn integrator(&self, setting: Option<&str>) -> Result<&'static str, Box<ModelError>> {
        let name = setting.unwrap_or(INTEGRATORS[0]);
        INTEGRATORS
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name))
            .ok_or_else(|| unknown("integrator", name, INTEGRATORS, &field("integrator")))
    }

    fn method(&self, name: &str, tolerance: Tolerance, settings: &Settings) -> Result<Method, Box<ModelError>> {
        let step = self.steps(settings)?;
        if name == "hht" {
            if settings.max_order.is_some() {
                return Err(one_alone(name, "max_order", "order"));
            }
            return Ok(Hht { damping: self.damping(settings)?, tolerance, step, ..Hht::default() }.into());
        }
        for (setting, given) in [("alpha", settings.alpha.is_some()), ("rho_infinity", settings.rho_infinity.is_some())]
        {
            if given {
                let problem = format!("{name} has no numerical damping to choose");
                return Err(ModelError::new(field(setting), problem, "leave it out, or choose the integrator hht"));
            }
        }
        if let Some(method) = self.differentiation(name, &tolerance, &step, settings)? {
            return Ok(method);
        }
        let is_abam = name == "abam";
        for (given, setting, what) in [
            (settings.formulation.is_some(), "formulation", "form of the equations"),
            (settings.max_order.is_some() && !is_abam, "max_order", "order"),
        ] {
            if given {
                return Err(one_alone(name, setting, what));
            }
        }
        if is_abam {
            let order_max = self.order(settings.max_order, Abam::default().order_max, ABAM_ORDER_MAX)?;
            return Ok(Abam { order_max, tolerance, step }.into());
        }
        Ok(Rkf45 { tolerance, step, ..Rkf45::default() }.into())
    }

    fn damping(&self, settings: &Settings) -> Result<Damping, Box<ModelError>> {
        let (alpha, rho) = (settings.alpha.as_ref(), settings.rho_infinity.as_ref());
        if alpha.is_some() && rho.is_some() {
            let problem = "`rho_infinity` is given too, and each says all of the damping";
            return Err(ModelError::new(field("alpha"), problem, "leave one of them out"));
        }
        let allowed = "a number from -1/3 to 0";
        let alpha = self.number("alpha", alpha, allowed, |value| (-1.0 / 3.0..=0.0).contains(&value))?;
        let rho = self.number("rho_infinity", rho, "a number from 0 to 1", |value| (0.0..=1.0).contains(&value))?;
        let alpha = alpha.map(Damping::Alpha);
        Ok(alpha.or(rho.map(Damping::SpectralRadius)).unwrap_or_default())
    }

    /// A method of backward differentiation.
    fn differentiation(
        &self,
        name: &str,
        tolerance: &Tolerance,
        step: &StepLimits,
        settings: &Settings,
    ) -> Result<Option<Method>, Box<ModelError>> {
        let order = |own: usize| self.order(settings.max_order, own, ORDER_MAX);
        let (tolerance, step) = (tolerance.clone(), *step);
        Ok(Some(match name {
            "gstiff" => {
                let order_max = order(Gstiff::default().order_max)?;
                Gstiff { order_max, tolerance, step, ..Gstiff::default() }.into()
            }
            "wstiff" => {
                let order_max = order(Wstiff::default().order_max)?;
                Wstiff { order_max, tolerance, step, ..Wstiff::default() }.into()
            }
            "dstiff" => {
                let order_max = order(Dstiff::default().order_max)?;
                Dstiff { order_max, tolerance, step, ..Dstiff::default() }.into()
            }
            "constant_bdf" => {
                // The largest step, or that between outputs, is the step.
                let method = ConstantBdf::new(f64::INFINITY, order(CONSTANT_ORDER)?);
                ConstantBdf { tolerance, limits: step, ..method }.into()
            }
            _ => return Ok(None),
        }))
    }

    fn formulation(&self, setting: Option<&str>) -> Result<Formulation, Box<ModelError>> {
        let Some(name) = setting else { return Ok(Formulation::default()) };
        let known = Formulation::NAMES.map(|(name, _)| name);
        Formulation::from_name(name).ok_or_else(|| unknown("formulation", name, known, &field("formulation")))
    }

    fn stop_times(&self, settings: &[Expression]) -> Result<Vec<f64>, Box<ModelError>> {
        let mut times: Vec<f64> = Vec::with_capacity(settings.len());
        for (index, expression) in settings.iter().enumerate() {
            let previous = times.last().copied().unwrap_or(0.0);
            let location = field(&format!("stop_times.{index}"));
            let allowed = format!("larger than {previous}: stop times are above 0 s and increase");
            times.push(self.scope.checked(expression, &location, &allowed, |value| value > previous)?);
        }
        Ok(times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dae::Kind;

    fn read(settings: Settings) -> Result<Simulation, Error> {
        Simulation::new(&Model { simulation: settings, ..Model::default() }, &Settings::default())
    }

    fn number(value: f64) -> Option<Expression> {
        Some(Expression::constant(value))
    }

    #[test]
    fn settings_may_use_parameters_and_be_overridden() {
        let mut model = Model::default();
        model.parameters.insert("period".into(), Expression::constant(2.0));
        model.simulation.end = Expression::parse("3*period").ok();
        model.simulation.max_order = Some(3);
        let simulation = Simulation::new(&model, &Settings::default()).unwrap();
        assert_eq!((simulation.end, simulation.dynamics.end), (Some(6.0), 6.0));
        assert_eq!(simulation.dynamics.method.order_max(), 3);
        let overrides = Settings { end: number(1.0), formulation: Some("I3".into()), ..Settings::default() };
        let simulation = Simulation::new(&model, &overrides).unwrap();
        assert_eq!((simulation.end, simulation.dynamics.formulation), (Some(1.0), Formulation::I3));
        assert_eq!(simulation.dynamics.method.order_max(), 3);
    }

    #[test]
    fn absolute_tolerances_are_those_given_and_else_left_to_the_mechanism() {
        let absolute = AbsoluteTolerances { position: number(1e-9), ..AbsoluteTolerances::default() };
        let simulation = read(Settings { tolerance: number(1e-4), absolute, ..Settings::default() }).unwrap();
        let Absolute::Kind(table) = &simulation.dynamics.method.tolerance().absolute else { panic!("by kind") };
        assert_eq!(table.get(kinds::POSITION), 1e-9);
        let others = [kinds::ORIENTATION, kinds::VELOCITY, kinds::ANGULAR_VELOCITY, kinds::MOMENTUM, Kind::STATE];
        assert!(others.iter().all(|kind| table.get(*kind) == NOT_GIVEN));
    }

    #[test]
    fn rkf45_takes_tolerances_and_steps_but_no_formulation() {
        let rkf45 = || Settings {
            integrator: Some("RKF45".into()),
            tolerance: number(1e-9),
            max_step: number(0.1),
            ..Settings::default()
        };
        let Simulation { integrator, dynamics, .. } = read(rkf45()).unwrap();
        let step = StepLimits { largest: 0.1, ..StepLimits::default() };
        let expected = Rkf45 { step, ..Rkf45::with_tolerance(1e-9) };
        assert_eq!((integrator, dynamics.method), ("rkf45", expected.into()));
        for (name, settings) in [
            ("formulation", Settings { formulation: Some("i3".into()), ..rkf45() }),
            ("max_order", Settings { max_order: Some(3), ..rkf45() }),
        ] {
            assert!(matches!(read(settings), Err(Error::Model(error)) if error.location.field == name));
        }
    }

    #[test]
    fn abam_takes_orders_up_to_twelve_but_no_formulation() {
        let abam = |max_order| Settings { integrator: Some("Abam".into()), max_order, ..Settings::default() };
        let Simulation { integrator, dynamics, .. } = read(abam(Some(12))).unwrap();
        assert_eq!((integrator, dynamics.method), ("abam", Abam::default().into()));
        assert_eq!(read(abam(Some(3))).unwrap().dynamics.method.order_max(), 3);
        for (name, settings) in
            [("max_order", abam(Some(13))), ("formulation", Settings { formulation: Some("i3".into()), ..abam(None) })]
        {
            assert!(matches!(read(settings), Err(Error::Model(error)) if error.location.field == name));
        }
    }

    #[test]
    fn hht_takes_its_damping_in_one_of_two_ways() {
        let hht = || Settings { integrator: Some("hht".into()), ..Settings::default() };
        let damping = |settings| match read(settings).unwrap().dynamics.method {
            Method::Hht(method) => method.damping,
            other => panic!("{other:?}"),
        };
        assert_eq!(damping(hht()), Damping::Alpha(-0.3));
        assert_eq!(damping(Settings { alpha: number(-0.1), ..hht() }), Damping::Alpha(-0.1));
        let radius = Settings { rho_infinity: number(0.8), formulation: Some("i3".into()), ..hht() };
        assert_eq!(damping(radius.clone()), Damping::SpectralRadius(0.8));
        // What is given beside a file replaces its own, whichever way that says it.
        let model = Model { simulation: radius.clone(), ..Model::default() };
        let other = Simulation::new(&model, &Settings { alpha: number(0.0), ..Settings::default() }).unwrap();
        assert_eq!(other.dynamics.method, Hht { damping: Damping::Alpha(0.0), ..Hht::default() }.into());
        let gstiff = Settings { integrator: Some("gstiff".into()), ..Settings::default() };
        assert_eq!(Simulation::new(&model, &gstiff).unwrap().dynamics.method, Gstiff::default().into());
        for (name, settings) in [
            ("alpha", Settings { alpha: number(0.1), ..hht() }),
            ("rho_infinity", Settings { rho_infinity: number(1.1), ..hht() }),
            ("alpha", Settings { alpha: number(-0.1), ..radius }),
            ("alpha", Settings { alpha: number(-0.1), ..Settings::default() }),
            ("rho_infinity", Settings { rho_infinity: number(0.5), ..gstiff }),
            ("max_order", Settings { max_order: Some(2), ..hht() }),
        ] {
            assert!(matches!(read(settings), Err(Error::Model(error)) if error.location.field == name), "{name}");
        }
    }

    #[test]
    fn another_integrator_comes_with_its_own_formulation_and_order() {
        let named = |name: &str| Settings { integrator: Some(name.into()), ..Settings::default() };
        for formulation in Formulation::NAMES.map(|(name, _)| name) {
            for own in [None, Some("GSTIFF")] {
                let simulation = Settings {
                    integrator: own.map(str::to_owned),
                    formulation: Some(formulation.into()),
                    max_order: Some(3),
                    ..Settings::default()
                };
                let model = Model { simulation, ..Model::default() };
                assert_eq!(Simulation::new(&model, &named("rkf45")).unwrap().integrator, "rkf45");
                // The same one keeps them.
                let same = Simulation::new(&model, &named("gstiff")).unwrap().dynamics;
                assert_eq!(Some(same.formulation), Formulation::from_name(formulation));
                assert_eq!(same.method.order_max(), 3);
            }
        }
        let model = Model { simulation: named("rkf45"), ..Model::default() };
        let back = Settings { formulation: Some("i3".into()), max_order: Some(2), ..named("gstiff") };
        assert_eq!(Simulation::new(&model, &back).unwrap().dynamics.formulation, Formulation::I3);
        // What both come from the caller still contradicts itself.
        let wrong = Settings { formulation: Some("i3".into()), ..named("rkf45") };
        assert!(Simulation::new(&Model::default(), &wrong).is_err());
    }

    #[test]
    fn each_setting_out_of_range_is_named() {
        let cases = [
            ("end", Settings { end: number(0.0), ..Settings::default() }),
            ("output_step", Settings { output_step: number(-1.0), ..Settings::default() }),
            ("tolerance", Settings { tolerance: number(0.5), ..Settings::default() }),
            (
                "absolute.velocity",
                Settings {
                    absolute: AbsoluteTolerances { velocity: number(0.0), ..AbsoluteTolerances::default() },
                    ..Settings::default()
                },
            ),
            ("first_step", Settings { first_step: number(0.0), ..Settings::default() }),
            ("max_step", Settings { min_step: number(2.0), max_step: number(1.0), ..Settings::default() }),
            ("max_order", Settings { max_order: Some(7), ..Settings::default() }),
            ("max_steps", Settings { max_steps: Some(0), ..Settings::default() }),
            ("integrator", Settings { integrator: Some("gstif".into()), ..Settings::default() }),
            ("formulation", Settings { formulation: Some("si3".into()), ..Settings::default() }),
            (
                "stop_times.1",
                Settings {
                    stop_times: vec![Expression::constant(1.0), Expression::constant(1.0)],
                    ..Settings::default()
                },
            ),
        ];
        for (name, settings) in cases {
            match read(settings) {
                Err(Error::Model(error)) => assert_eq!(error.location.field, name, "{error}"),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}
