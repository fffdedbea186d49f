//! A plan with its model: everything checked that can be before the first run, and one member run.

use super::error::{MemberFailure, SweepError};
use super::journal::{Digest, MemberResult};
use super::measured::Measured;
use super::members::MemberValues;
use super::plan::{Output, Plan};
use super::plan_file::PlanFile;
use crate::Error;
use crate::file::ModelFile;
use crate::results::Status;
use crate::run::{Overrides, Run};
use fourbar_multibody::expression::{Expression, nearest_name};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

/// A plan with its model, ready to run.
#[derive(Debug)]
pub struct Sweep {
    pub(super) plan: PlanFile,
    model: ModelFile,
    overrides: Overrides,
    members: Option<MemberValues>,
    /// Headings of the outputs, with their units.
    headings: Vec<String>,
    /// The columns of a run that the outputs reduce.
    places: Vec<Option<usize>>,
}

impl Sweep {
    /// Loads the model of a plan and checks parameters, columns and settings against it.
    ///
    /// # Errors
    /// [`SweepError::Plan`]: the model cannot be read or does not compile as its file gives it, or the plan names what it does not have.
    pub fn new(plan: PlanFile) -> Result<Self, SweepError> {
        let place = plan.beside(&plan.plan.model);
        let model = ModelFile::load(&place).map_err(|error| match error {
            Error::Read { path, source } => {
                let remedy = "write the path of a model file, from the folder of the plan".to_owned();
                plan.fault("", 0, "model", format!("cannot read {}: {source}", path.display()), remedy)
            }
            error => error,
        })?;
        Self::with_model(plan, model)
    }

    /// As [`Sweep::new`] with a model at hand in place of the file that the plan names.
    ///
    /// # Errors
    /// As [`Sweep::new`].
    pub fn with_model(plan: PlanFile, model: ModelFile) -> Result<Self, SweepError> {
        let overrides = plan.plan.settings.overrides();
        let mut changed = model.clone();
        for (index, parameter) in plan.plan.parameters.iter().enumerate() {
            let name = &parameter.name;
            if plan.plan.parameters[..index].iter().any(|other| other.name == *name) {
                let problem = format!("two parameters are called \"{name}\"");
                return Err(plan.fault("parameter", index, "name", problem, "leave one out".to_owned()).into());
            }
            changed
                .set_parameter(name, Expression::constant(0.0))
                .map_err(|error| plan.fault("parameter", index, "name", error.problem.clone(), error.remedy.clone()))?;
        }
        let run = Run::new(model.document(), &overrides).map_err(|error| match error {
            Error::NotForKind { setting, kind } => {
                let problem = format!("a model of the kind \"{kind}\" has no setting `{setting}`");
                plan.fault("settings", 0, setting, problem, "leave it out".to_owned())
            }
            error => model.explain_start(error),
        })?;
        let names: Vec<&str> = run.columns().iter().map(|column| column.name.as_str()).collect();
        let (mut headings, mut places) = (Vec::new(), Vec::new());
        for (index, output) in plan.plan.outputs.iter().enumerate() {
            let place = column(&plan, index, output, &names)?;
            let unit = match place {
                Some(_) if output.reduction().is_time() => "s",
                Some(place) => &run.columns()[place].unit,
                None => "",
            };
            let title = output.title();
            headings.push(if unit.is_empty() { title } else { format!("{title} [{unit}]") });
            places.push(place);
        }
        let members = plan.plan.members.as_ref().map(|members| MemberValues::new(&plan, members)).transpose()?;
        Ok(Self { plan, model, overrides, members, headings, places })
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan.plan
    }

    /// The model as its file gives it.
    #[must_use]
    pub fn model(&self) -> &ModelFile {
        &self.model
    }

    /// The members; none of a plan that optimizes.
    #[must_use]
    pub fn members(&self) -> Option<&MemberValues> {
        self.members.as_ref()
    }

    /// Headings of the outputs, with their units in brackets.
    #[must_use]
    pub fn headings(&self) -> &[String] {
        &self.headings
    }

    /// Runs the model with these values of the parameters, in the order of the plan, and measures it; none if `stop` was raised meanwhile.
    ///
    /// # Errors
    /// Why the run has no numbers.
    pub fn run(&self, values: &[f64], stop: &AtomicBool) -> Option<MemberResult> {
        // A fault of fourbar in one member shall not take the others with it.
        let run = catch_unwind(AssertUnwindSafe(|| self.measure(values, stop)));
        run.unwrap_or_else(|_| {
            Some(Err(MemberFailure {
                error: "internal error".to_owned(),
                place: self.model.name().to_owned(),
                remedy: "please report it with the model and the values of this member".to_owned(),
            }))
        })
    }

    fn measure(&self, values: &[f64], stop: &AtomicBool) -> Option<MemberResult> {
        let name = self.model.name();
        let mut model = self.model.clone();
        for (parameter, value) in self.plan.plan.parameters.iter().zip(values) {
            if let Err(error) = model.set_parameter(&parameter.name, Expression::constant(*value)) {
                return Some(Err(MemberFailure::of(&Error::LinearModel(error), name)));
            }
        }
        let outputs = &self.plan.plan.outputs;
        let mut measured = Measured::new(outputs, &self.places);
        let run = match Run::new(model.document(), &self.overrides) {
            Ok(run) => run,
            Err(error) => return Some(Err(MemberFailure::of(&model.explain_start(error), name))),
        };
        let outcome = match run.execute(&mut [&mut measured], stop) {
            Ok(outcome) => outcome,
            Err(error) => return Some(Err(MemberFailure::of(&model.explain_start(error), name))),
        };
        if outcome.summary.status == Status::Interrupted {
            return None;
        }
        if let Some(error) = outcome.failure {
            return Some(Err(MemberFailure::of(&model.explain_end(error), name)));
        }
        Some(measured.numbers(outputs, &outcome.summary).map_err(|unknown| MemberFailure {
            error: format!("the run has no statistic \"{}\"", unknown.name),
            place: self.plan.name().to_owned(),
            remedy: format!("its statistics are {}", unknown.known.join(", ")),
        }))
    }

    /// Of all that the results depend on.
    pub(super) fn digest(&self) -> Result<u64, SweepError> {
        let mut digest = Digest::new();
        digest.add(env!("CARGO_PKG_VERSION").as_bytes());
        digest.add(serde_json::to_string(&self.plan.plan).unwrap_or_default().as_bytes());
        let table = self.plan.plan.members.as_ref().and_then(|members| members.table.as_deref());
        for path in self.model.files().into_iter().chain(table.map(|table| self.plan.beside(table))) {
            match std::fs::read(&path) {
                Ok(bytes) => digest.add(&bytes),
                // A model given as text has no file.
                Err(_) if path.as_os_str() == self.model.name() => {
                    digest.add(format!("{:?}", self.model.document()).as_bytes());
                }
                Err(source) => return Err(SweepError::File { path, source }),
            }
        }
        Ok(digest.0)
    }
}

/// The place of the column of an output among those of a run.
fn column(plan: &PlanFile, index: usize, output: &Output, names: &[&str]) -> Result<Option<usize>, Error> {
    let Some(name) = &output.column else { return Ok(None) };
    match names.iter().position(|own| own == name) {
        Some(place) => Ok(Some(place)),
        None => {
            let remedy = match nearest_name(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => "give the model a [[measure]]".to_owned(),
                None => format!("its columns are {}", names.join(", ")),
            };
            Err(plan.fault("output", index, "column", format!("the model has no column `{name}`"), remedy))
        }
    }
}
