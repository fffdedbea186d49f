//! A plan with its model: everything checked that can be before the first run, and one member run.

use super::error::{MemberFailure, SweepError};
use super::journal::MemberResult;
use super::measured::{Measured, unknown_statistic};
use super::members::MemberValues;
use super::plan::{Output, Plan};
use super::plan_file::PlanFile;
use crate::Error;
use crate::file::ModelFile;
use crate::observer::{Observer, Step};
use crate::results::{Status, Summary};
use crate::run::{Overrides, Run};
use fourbar_multibody::expression::{Expression, nearest_name};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a member left.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberRun {
    /// Its numbers, or why it has none.
    pub result: MemberResult,
    /// What `fourbar run` would warn of; nothing of a member that failed.
    pub warnings: Vec<String>,
}

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
        let overrides = plan.plan.settings.clone();
        let mut changed = model.clone();
        for (index, parameter) in plan.plan.parameters.iter().enumerate() {
            let name = &parameter.name;
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
            let heading = if unit.is_empty() { title } else { format!("{title} [{unit}]") };
            if headings.contains(&heading) || plan.plan.parameters.iter().any(|parameter| parameter.name == heading) {
                let problem = format!("two columns of the table are called \"{heading}\"");
                let remedy = "give the output a `name` of its own".to_owned();
                return Err(plan.fault("output", index, "name", problem, remedy).into());
            }
            headings.push(heading);
            places.push(place);
        }
        check_statistics(&plan, &run)?;
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

    /// The files that it reads beside the plan: those of the model, and the table of members.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let table = self.plan().members.as_ref().and_then(|members| members.table.as_deref());
        self.model.files().into_iter().chain(table.map(|table| self.plan.beside(table))).collect()
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
    pub fn run(&self, values: &[f64], stop: &AtomicBool) -> Option<MemberRun> {
        // A fault of fourbar in one member shall not take the others with it.
        let run = catch_unwind(AssertUnwindSafe(|| self.measure(values, stop)));
        run.unwrap_or_else(|_| {
            let failure = MemberFailure {
                error: "internal error".to_owned(),
                place: self.model.name().to_owned(),
                remedy: "please report it with the model and the values of this member".to_owned(),
            };
            Some(failure.into())
        })
    }

    fn measure(&self, values: &[f64], stop: &AtomicBool) -> Option<MemberRun> {
        let name = self.model.name();
        let failed = |error: &Error| Some(MemberFailure::of(error, name).into());
        let mut model = self.model.clone();
        for (parameter, value) in self.plan.plan.parameters.iter().zip(values) {
            if let Err(error) = model.set_parameter(&parameter.name, Expression::constant(*value)) {
                return failed(&Error::LinearModel(error));
            }
        }
        let outputs = &self.plan.plan.outputs;
        let mut measured = Measured::new(outputs, &self.places);
        let run = match Run::new(model.document(), &self.overrides) {
            Ok(run) => run,
            Err(error) => return failed(&model.explain_start(error)),
        };
        let outcome = match run.execute(&mut [&mut measured], stop) {
            Ok(outcome) => outcome,
            Err(error) => return failed(&model.explain_start(error)),
        };
        if outcome.summary.status == Status::Interrupted {
            return None;
        }
        if let Some(error) = outcome.failure {
            return failed(&model.explain_end(error));
        }
        let run = match measured.numbers(outputs, &outcome.summary) {
            Ok(numbers) => MemberRun { result: Ok(numbers), warnings: outcome.summary.remarks() },
            Err(unknown) => MemberFailure {
                error: format!("the run has no statistic \"{}\"", unknown.name),
                place: self.plan.name().to_owned(),
                remedy: format!("its statistics are {}", unknown.known.join(", ")),
            }
            .into(),
        };
        Some(run)
    }
}

/// Ends a run at its first step.
struct Once<'a>(&'a AtomicBool);

impl Observer for Once<'_> {
    fn step(&mut self, _: &Step) -> io::Result<()> {
        self.0.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// Refuses statistics that runs of the model do not have. They are looked for after a first step, and those that come later at the end of a
/// whole run. A model that does not run with the parameters of its file says nothing.
fn check_statistics(plan: &PlanFile, run: &Run) -> Result<(), Error> {
    let outputs: Vec<(usize, &Output)> =
        plan.plan.outputs.iter().enumerate().filter(|(_, output)| output.statistic.is_some()).collect();
    if outputs.is_empty() {
        return Ok(());
    }
    let stop = AtomicBool::new(false);
    let Ok(first) = run.execute(&mut [&mut Once(&stop)], &stop) else { return Ok(()) };
    let missing = |summary: &Summary| {
        outputs.iter().find_map(|(index, output)| Some((*index, unknown_statistic(output, summary)?)))
    };
    if first.failure.is_some() || missing(&first.summary).is_none() {
        return Ok(());
    }
    let Ok(whole) = run.execute(&mut [], &AtomicBool::new(false)) else { return Ok(()) };
    match missing(&whole.summary) {
        Some((index, unknown)) if whole.failure.is_none() => {
            let names = unknown.known.iter().map(String::as_str);
            let all = format!("its statistics are {}", unknown.known.join(", "));
            let remedy =
                nearest_name(&unknown.name, names).map_or(all.clone(), |near| format!("did you mean `{near}`? {all}"));
            let problem = format!("a run of the model has no statistic `{}`", unknown.name);
            Err(plan.fault("output", index, "statistic", problem, remedy))
        }
        _ => Ok(()),
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
