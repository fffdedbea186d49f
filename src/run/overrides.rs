//! Settings of a run that the caller gives instead of the model.

use super::settings::{Allowed, ModelKind, RUN_SETTINGS, RunSetting};
use crate::Error;
use crate::circuit::CircuitSettings;
use crate::coupled::{AlgorithmName, CoupledSettings};
use crate::linear::{LinearSettings, MethodName};
use crate::mechanism::{ContactMethod, FollowingOverrides};
use fourbar_linalg::text::Brief;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::Settings;
use serde::{Deserialize, Serialize};

/// Settings of a run that take precedence over those of the model, as [`RUN_SETTINGS`] describes them. One that the kind of model does not
/// have is refused.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Overrides {
    /// End time \[s\].
    pub end: Option<f64>,
    /// Time between outputs \[s\].
    pub output_step: Option<f64>,
    /// Relative tolerance: of the local error of a mechanism (with contacts: event-driven) or circuit, of a step of a sparse linear system, of
    /// the iteration of coupled simulators.
    pub tolerance: Option<f64>,
    /// Mechanisms: integrator by name.
    pub integrator: Option<String>,
    /// Mechanisms: formulation by name.
    pub formulation: Option<String>,
    /// Mechanisms and circuits: largest step \[s\].
    pub max_step: Option<f64>,
    /// Mechanisms and circuits: largest order.
    pub max_order: Option<u8>,
    /// Mechanisms: numerical damping of `hht`, -1/3 to 0.
    pub alpha: Option<f64>,
    /// Mechanisms: numerical damping of `hht` as the spectral radius at infinity, 0 to 1.
    pub rho_infinity: Option<f64>,
    /// Mechanisms and circuits: most steps.
    pub max_steps: Option<u64>,
    /// Mechanisms with contacts: how these are followed.
    pub contacts: Option<ContactMethod>,
    /// Linear systems and contacts with fixed steps: step \[s\]. Coupled simulators: communication step \[s\].
    pub step: Option<f64>,
    /// Linear systems: method.
    pub method: Option<MethodName>,
    /// Linear systems: order of the method. Coupled simulators: degree of the inputs.
    pub order: Option<u8>,
    /// Coupled simulators: algorithm.
    pub algorithm: Option<AlgorithmName>,
}

impl Overrides {
    /// What it gives for the setting of this name, one of [`RUN_SETTINGS`], as text; `None` if nothing.
    #[must_use]
    pub fn text(&self, setting: &str) -> Option<String> {
        let is_whole = || matches!(RunSetting::find(setting).map(RunSetting::allowed), Some(Allowed::Integer(_)));
        let number = |value: f64| if is_whole() { value.to_string() } else { Brief(value).to_string() };
        self.word(setting).map(str::to_owned).or_else(|| self.number(setting).map(number))
    }

    /// The number that it gives for a setting.
    pub(crate) fn number(&self, setting: &str) -> Option<f64> {
        match setting {
            "end" => self.end,
            "output_step" => self.output_step,
            "tolerance" => self.tolerance,
            "max_step" => self.max_step,
            "max_order" => self.max_order.map(f64::from),
            "alpha" => self.alpha,
            "rho_infinity" => self.rho_infinity,
            "max_steps" => self.max_steps.map(|steps| steps as f64),
            "step" => self.step,
            "order" => self.order.map(f64::from),
            _ => None,
        }
    }

    /// The word that it gives for a setting.
    pub(crate) fn word(&self, setting: &str) -> Option<&str> {
        match setting {
            "integrator" => self.integrator.as_deref(),
            "formulation" => self.formulation.as_deref(),
            "contacts" => self.contacts.map(ContactMethod::name),
            "method" => self.method.map(MethodName::name),
            "algorithm" => self.algorithm.map(AlgorithmName::name),
            _ => None,
        }
    }

    /// Whether it gives the setting of this name, one of [`RUN_SETTINGS`].
    #[must_use]
    pub fn gives(&self, setting: &str) -> bool {
        self.text(setting).is_some()
    }

    /// Refuses the first setting that is given and that this kind of model does not have.
    fn check(&self, kind: ModelKind) -> Result<(), Error> {
        let refused = |setting: &&RunSetting| self.gives(setting.name) && !setting.kinds.contains(&kind);
        match RUN_SETTINGS.iter().find(refused) {
            Some(setting) => Err(Error::NotForKind { setting: setting.name, kind: kind.name() }),
            None => Ok(()),
        }
    }

    pub(crate) fn for_mechanism(&self) -> Result<Settings, Error> {
        self.check(ModelKind::Mechanism)?;
        let number = |value: Option<f64>| value.map(Expression::constant);
        Ok(Settings {
            end: number(self.end),
            output_step: number(self.output_step),
            integrator: self.integrator.clone(),
            formulation: self.formulation.clone(),
            alpha: number(self.alpha),
            rho_infinity: number(self.rho_infinity),
            tolerance: number(self.tolerance),
            max_step: number(self.max_step),
            max_order: self.max_order,
            max_steps: self.max_steps,
            ..Settings::default()
        })
    }

    /// Times of the run, and how contacts are followed.
    pub(crate) fn for_contacts(&self) -> Result<(Settings, FollowingOverrides), Error> {
        self.check(ModelKind::Contacts)?;
        let number = |value: Option<f64>| value.map(Expression::constant);
        let times = Settings { end: number(self.end), output_step: number(self.output_step), ..Settings::default() };
        let following = FollowingOverrides {
            method: self.contacts,
            step: self.step,
            tolerance: self.tolerance,
            max_step: self.max_step,
        };
        Ok((times, following))
    }

    pub(super) fn for_linear(&self) -> Result<LinearSettings, Error> {
        self.check(ModelKind::Linear)?;
        let number = |value: Option<f64>| value.map(Expression::constant);
        Ok(LinearSettings {
            end: number(self.end),
            output_step: number(self.output_step),
            tolerance: number(self.tolerance),
            step: number(self.step),
            method: self.method,
            order: self.order,
            ..LinearSettings::default()
        })
    }

    pub(crate) fn for_circuit(&self) -> Result<CircuitSettings, Error> {
        self.check(ModelKind::Circuit)?;
        let number = |value: Option<f64>| value.map(Expression::constant);
        Ok(CircuitSettings {
            end: number(self.end),
            output_step: number(self.output_step),
            tolerance: number(self.tolerance),
            max_step: number(self.max_step),
            max_order: self.max_order,
            max_steps: self.max_steps,
            ..CircuitSettings::default()
        })
    }

    pub(crate) fn for_coupled(&self) -> Result<CoupledSettings, Error> {
        self.check(ModelKind::Coupled)?;
        let number = |value: Option<f64>| value.map(Expression::constant);
        Ok(CoupledSettings {
            end: number(self.end),
            output_step: number(self.output_step),
            tolerance: number(self.tolerance),
            step: number(self.step),
            order: self.order,
            algorithm: self.algorithm,
            ..CoupledSettings::default()
        })
    }
}
