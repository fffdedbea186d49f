//! Plans in files, and what is wrong with them: each fault with its line and a remedy.

use super::members::{MOST_MEMBERS, number_of_members};
use super::plan::{Choice, Members, Optimize, Output, Parameter, Plan, Reduction, Scale, SearchMethod};
use crate::Error;
use crate::file::table_file::TableFile;
use crate::run::{Allowed, RUN_SETTINGS};
use fourbar_linalg::text::Brief;
use fourbar_multibody::Location;
use fourbar_multibody::expression::nearest_name;
use std::path::{Path, PathBuf};

/// A plan and the text it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFile {
    pub(super) file: TableFile,
    pub(super) plan: Plan,
}

/// Problem and remedy at a field of an entry of a section.
struct Fault {
    section: &'static str,
    index: usize,
    field: &'static str,
    problem: String,
    remedy: String,
}

impl Fault {
    fn at(section: &'static str, index: usize, field: &'static str, problem: String, remedy: &str) -> Self {
        Self { section, index, field, problem, remedy: remedy.to_owned() }
    }
}

impl PlanFile {
    /// Reads the plan at `path`.
    ///
    /// # Errors
    /// [`Error::Read`] if the file cannot be read, [`Error::Model`] with the line of the first fault.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::checked(TableFile::load(path.as_ref())?)
    }

    /// Reads `text`; `name` stands for the file in messages, and the model lies in its folder.
    ///
    /// # Errors
    /// [`Error::Model`] with the line of the first fault.
    pub fn parse(name: impl Into<String>, text: impl Into<String>) -> Result<Self, Error> {
        Self::checked(TableFile::parse(name.into(), text.into()))
    }

    /// What the file says.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The file as the caller named it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Where a file that the plan names lies.
    #[must_use]
    pub fn beside(&self, path: &Path) -> PathBuf {
        Path::new(&self.file.name).parent().unwrap_or(Path::new("")).join(path)
    }

    fn checked(file: TableFile) -> Result<Self, Error> {
        let plan: Plan = file.read()?;
        let read = Self { file, plan };
        read.check()
            .map_err(|fault| read.fault(fault.section, fault.index, fault.field, fault.problem, fault.remedy))?;
        Ok(read)
    }

    /// A fault of a field, by its line.
    pub(super) fn fault(
        &self,
        section: &'static str,
        index: usize,
        field: &str,
        problem: String,
        remedy: String,
    ) -> Error {
        let location = Location { section, index, name: String::new(), field: field.to_owned() };
        self.file.fault(&location, problem, remedy)
    }

    fn check(&self) -> Result<(), Fault> {
        let plan = &self.plan;
        self.check_settings()?;
        if plan.parameters.is_empty() {
            let remedy = "add [[parameter]] with the `name` of a parameter of the model";
            return Err(Fault::at("", 0, "", "the plan varies no parameter".to_owned(), remedy));
        }
        for (index, parameter) in plan.parameters.iter().enumerate() {
            check_parameter(index, parameter)?;
        }
        if plan.outputs.is_empty() {
            let remedy = "add [[output]] with the `column` of a measure, or a `statistic` as \"steps\"";
            return Err(Fault::at("", 0, "", "the plan measures nothing".to_owned(), remedy));
        }
        for (index, output) in plan.outputs.iter().enumerate() {
            check_output(index, output)?;
            let title = output.title();
            if plan.outputs[..index].iter().any(|other| other.title() == title) {
                let problem = format!("two outputs are called \"{title}\"");
                return Err(Fault::at("output", index, "", problem, "give one of them a `name` of its own"));
            }
        }
        match (&plan.members, &plan.optimize) {
            (Some(members), None) => check_members(plan, members),
            (None, Some(optimize)) => check_optimize(plan, optimize),
            (Some(_), Some(_)) => {
                let problem = "the plan has both [members] and [optimize]".to_owned();
                Err(Fault::at("optimize", 0, "", problem, "leave one out: a search chooses its own members"))
            }
            (None, None) => {
                let remedy = "add [members] with `choose`: \"grid\", \"random\", \"latin_hypercube\" or \"list\"";
                Err(Fault::at("", 0, "", "the plan does not say how members are chosen".to_owned(), remedy))
            }
        }
    }

    fn check_settings(&self) -> Result<(), Fault> {
        let settings = &self.plan.settings;
        for setting in &RUN_SETTINGS {
            let (number, word) = (settings.number(setting.name), settings.word(setting.name));
            let wrong = match setting.allowed() {
                Allowed::Seconds => {
                    number.filter(|value| !(*value > 0.0)).map(|value| (value.to_string(), "a time above 0 s".into()))
                }
                Allowed::Number(range) => number.filter(|value| !range.contains(value)).map(|value| {
                    (
                        value.to_string(),
                        format!("a number from {:.3} to {:.3}", Brief(*range.start()), Brief(*range.end())),
                    )
                }),
                Allowed::Integer(range) => {
                    number.filter(|value| *value < *range.start() as f64 || *value > *range.end() as f64).map(|value| {
                        (value.to_string(), format!("a whole number from {} to {}", range.start(), range.end()))
                    })
                }
                Allowed::Word(words) => word
                    .filter(|word| !words.contains(word))
                    .map(|word| (format!("\"{word}\""), format!("one of {}", words.join(", ")))),
            };
            if let Some((value, allowed)) = wrong {
                let problem = format!("`{}` is {value}", setting.name);
                return Err(Fault::at("settings", 0, setting.name, problem, &format!("write {allowed}")));
            }
        }
        Ok(())
    }
}

fn check_parameter(index: usize, parameter: &Parameter) -> Result<(), Fault> {
    let name = &parameter.name;
    let fault = |field, problem: String, remedy: &str| {
        Err(Fault::at("parameter", index, field, format!("parameter \"{name}\": {problem}"), remedy))
    };
    if let (Some(from), Some(to)) = (parameter.from, parameter.to) {
        if !(from < to) {
            return fault("to", format!("the range from {from} to {to} is empty"), "write a `to` above `from`");
        }
        if parameter.scale == Scale::Logarithmic && !(from > 0.0) {
            return fault(
                "from",
                format!("a logarithmic range from {from}"),
                "write a `from` above 0, or leave `scale` out",
            );
        }
        if let Some(start) = parameter.start.filter(|start| !(from..=to).contains(start)) {
            return fault(
                "start",
                format!("`start` is {start}, outside {from} to {to}"),
                "write a `start` of the range",
            );
        }
    }
    if parameter.values.as_ref().is_some_and(Vec::is_empty) {
        return fault("values", "`values` is empty".to_owned(), "write at least one value");
    }
    Ok(())
}

/// A range is needed where values are drawn from it.
fn need_range(index: usize, parameter: &Parameter, why: &str) -> Result<(), Fault> {
    if parameter.from.is_some() && parameter.to.is_some() {
        return Ok(());
    }
    let problem = format!("parameter \"{}\" has no range", parameter.name);
    Err(Fault::at("parameter", index, "", problem, &format!("write `from` and `to`, which {why} needs")))
}

fn check_output(index: usize, output: &Output) -> Result<(), Fault> {
    let fault = |field, problem: &str, remedy: &str| {
        Err(Fault::at("output", index, field, format!("output number {}: {problem}", index + 1), remedy))
    };
    match (&output.column, &output.statistic) {
        (Some(_), Some(_)) => fault("statistic", "it has both `column` and `statistic`", "leave one out"),
        (None, None) => {
            fault("", "it says not what is measured", "write `column`, a measure of the model, or `statistic`")
        }
        (None, Some(_)) if output.reduce.is_some() => {
            fault("reduce", "a statistic is one number already", "leave `reduce` out")
        }
        _ if output.reduction() == Reduction::FirstCrossing && output.level.is_none() => {
            fault("reduce", "a crossing of no level", "write `level`, the value that is crossed")
        }
        _ if output.reduction() != Reduction::FirstCrossing && output.level.is_some() => {
            fault("level", "a `level` without a crossing", "write `reduce = \"first_crossing\"`, or leave `level` out")
        }
        _ => Ok(()),
    }
}

fn check_members(plan: &Plan, members: &Members) -> Result<(), Fault> {
    let fault = |field, problem: String, remedy: &str| Err(Fault::at("members", 0, field, problem, remedy));
    let drawn = matches!(members.choose, Choice::Random | Choice::LatinHypercube);
    if drawn && members.number.is_none_or(|number| number == 0) {
        return fault("number", "no number of members is given".to_owned(), "write `number`, at least 1");
    }
    if !drawn && members.number.is_some() {
        return fault(
            "number",
            "`number` goes with members of chance".to_owned(),
            "leave it out; the values make the members",
        );
    }
    for (index, parameter) in plan.parameters.iter().enumerate() {
        match members.choose {
            Choice::Random | Choice::LatinHypercube => need_range(index, parameter, "a choice by chance")?,
            Choice::Grid if parameter.values.is_none() => {
                need_range(index, parameter, "a grid without `values`")?;
                if parameter.points.is_none_or(|points| points < 2) {
                    let problem = format!("parameter \"{}\" has no number of values", parameter.name);
                    return Err(Fault::at(
                        "parameter",
                        index,
                        "points",
                        problem,
                        "write `points`, at least 2, or `values`",
                    ));
                }
            }
            Choice::List if members.table.is_none() => {
                let (own, first) = (length(parameter), length(&plan.parameters[0]));
                if own != first || own == 0 {
                    let problem = format!("parameter \"{}\" has {own} values, the first has {first}", parameter.name);
                    return Err(Fault::at(
                        "parameter",
                        index,
                        "values",
                        problem,
                        "give each parameter of a list as many `values`",
                    ));
                }
            }
            _ => {}
        }
    }
    let number = number_of_members(plan, members);
    if number > MOST_MEMBERS {
        let problem = format!("the plan has {} members, more than {MOST_MEMBERS}", Brief(number as f64));
        return fault("choose", problem, "take fewer values, or divide the plan");
    }
    Ok(())
}

fn length(parameter: &Parameter) -> usize {
    parameter.values.as_ref().map_or(0, Vec::len)
}

fn check_optimize(plan: &Plan, optimize: &Optimize) -> Result<(), Fault> {
    let fault = |field, problem: String, remedy: &str| Err(Fault::at("optimize", 0, field, problem, remedy));
    for (index, parameter) in plan.parameters.iter().enumerate() {
        need_range(index, parameter, "a search within bounds")?;
    }
    if let Some(tolerance) = optimize.tolerance.filter(|tolerance| !(1e-14..=0.1).contains(tolerance)) {
        return fault("tolerance", format!("`tolerance` is {tolerance}"), "write a number from 1e-14 to 0.1");
    }
    if optimize.max_runs == Some(0) {
        return fault("max_runs", "`max_runs` is 0".to_owned(), "write at least 1");
    }
    match (optimize.method, &optimize.minimize) {
        (SearchMethod::NelderMead, None) => fault(
            "method",
            "the search is not told what to minimize".to_owned(),
            "write `minimize`, the name of an output",
        ),
        (SearchMethod::NelderMead, Some(name)) => {
            let titles: Vec<String> = plan.outputs.iter().map(Output::title).collect();
            if titles.iter().any(|title| title == name) {
                return Ok(());
            }
            let near = nearest_name(name, titles.iter().map(String::as_str));
            let remedy =
                near.map_or(format!("the outputs are {}", titles.join(", ")), |near| format!("did you mean `{near}`?"));
            fault("minimize", format!("no output is called \"{name}\""), &remedy)
        }
        (SearchMethod::LeastSquares, _) => {
            let targets = plan.outputs.iter().filter(|output| output.target.is_some()).count();
            if targets < plan.parameters.len() {
                let problem = format!("{targets} outputs with a target for {} parameters", plan.parameters.len());
                return fault(
                    "method",
                    problem,
                    "give at least as many outputs a `target`, or search fewer parameters",
                );
            }
            Ok(())
        }
    }
}
