//! What is wrong with a plan by itself: each fault with its place and a remedy. A field that nothing reads is a fault: whoever wrote it meant
//! something by it.

use super::members::{MOST_MEMBERS, number_of_members};
use super::plan::{Choice, Members, Optimize, Output, Parameter, Plan, Reduction, Scale, SearchMethod};
use crate::run::{Allowed, Overrides, RUN_SETTINGS};
use fourbar_linalg::text::Brief;
use fourbar_multibody::expression::nearest_name;
use fourbar_multibody::integrator::Tolerance;

/// Problem and remedy at a field of an entry of a section.
pub(super) struct Fault {
    pub(super) section: &'static str,
    pub(super) index: usize,
    pub(super) field: &'static str,
    pub(super) problem: String,
    pub(super) remedy: String,
}

impl Fault {
    fn at(section: &'static str, index: usize, field: &'static str, problem: String, remedy: &str) -> Self {
        Self { section, index, field, problem, remedy: remedy.to_owned() }
    }
}

/// The first fault of a plan.
pub(super) fn check(plan: &Plan) -> Result<(), Fault> {
    check_settings(&plan.settings)?;
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
    }
    check_names(plan)?;
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

fn check_settings(settings: &Overrides) -> Result<(), Fault> {
    for setting in &RUN_SETTINGS {
        let (number, word) = (settings.number(setting.name), settings.word(setting.name));
        let wrong = match setting.allowed() {
            Allowed::Seconds => {
                number.filter(|value| !(*value > 0.0)).map(|value| (value.to_string(), "a time above 0 s".into()))
            }
            Allowed::Number(range) => number.filter(|value| !range.contains(value)).map(|value| {
                (value.to_string(), format!("a number from {:.3} to {:.3}", Brief(*range.start()), Brief(*range.end())))
            }),
            Allowed::Integer(range) => number
                .filter(|value| *value < *range.start() as f64 || *value > *range.end() as f64)
                .map(|value| (value.to_string(), format!("a whole number from {} to {}", range.start(), range.end()))),
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

fn check_parameter(index: usize, parameter: &Parameter) -> Result<(), Fault> {
    let name = &parameter.name;
    let fault = |field, problem: String, remedy: &str| {
        Err(Fault::at("parameter", index, field, format!("parameter \"{name}\": {problem}"), remedy))
    };
    if let (Some(from), Some(to)) = (parameter.from, parameter.to) {
        if !(from < to) {
            return fault("to", format!("the range from {from} to {to} is empty"), "write a `to` above `from`");
        }
        if parameter.scale == Some(Scale::Logarithmic) && !(from > 0.0) {
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

/// Refuses what `way` does not read of a parameter.
fn only(index: usize, parameter: &Parameter, way: &str, read: &[&str]) -> Result<(), Fault> {
    let given = [
        ("from", parameter.from.is_some()),
        ("to", parameter.to.is_some()),
        ("scale", parameter.scale.is_some()),
        ("points", parameter.points.is_some()),
        ("values", parameter.values.is_some()),
        ("start", parameter.start.is_some()),
    ];
    let Some((field, _)) = given.into_iter().find(|(field, given)| *given && !read.contains(field)) else {
        return Ok(());
    };
    let problem = format!("parameter \"{}\" has `{field}`, which {way} does not read", parameter.name);
    let fields: Vec<String> = read.iter().map(|field| format!("`{field}`")).collect();
    let remedy = match fields.as_slice() {
        [] => "leave it out; the table has the values".to_owned(),
        fields => format!("leave it out; {way} reads {}", fields.join(", ")),
    };
    Err(Fault::at("parameter", index, field, problem, &remedy))
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

/// Each column of the table has a name of its own; those of parameters have been compared when they were read.
fn check_names(plan: &Plan) -> Result<(), Fault> {
    for (index, output) in plan.outputs.iter().enumerate() {
        let title = output.title();
        let other = match () {
            () if plan.outputs[..index].iter().any(|other| other.title() == title) => "two outputs are",
            () if plan.parameters.iter().any(|parameter| parameter.name == title) => "a parameter and an output are",
            () if ["member", "status"].contains(&title.as_str()) => "a column that every table has and an output are",
            () => continue,
        };
        let remedy = "give the output a `name` of its own";
        return Err(Fault::at("output", index, "name", format!("{other} called \"{title}\""), remedy));
    }
    Ok(())
}

fn check_members(plan: &Plan, members: &Members) -> Result<(), Fault> {
    check_choice(members)?;
    for (index, parameter) in plan.parameters.iter().enumerate() {
        check_values(plan, members, index, parameter)?;
    }
    let remedy = "leave it out, or search with [optimize] and `method = \"least_squares\"`";
    check_targets(plan, "members do not seek", remedy)?;
    let number = number_of_members(plan, members);
    if number > MOST_MEMBERS {
        let problem = format!("the plan has {} members, more than {MOST_MEMBERS}", Brief(number as f64));
        return Err(Fault::at("members", 0, "choose", problem, "take fewer values, or divide the plan"));
    }
    Ok(())
}

/// The fields of `[members]` go together.
fn check_choice(members: &Members) -> Result<(), Fault> {
    let fault = |field, problem: &str, remedy: &str| Err(Fault::at("members", 0, field, problem.to_owned(), remedy));
    let drawn = matches!(members.choose, Choice::Random | Choice::LatinHypercube);
    let by_chance = "leave it out, or choose \"random\" or \"latin_hypercube\"";
    match (members.number, members.seed, &members.table) {
        (None, ..) if drawn => fault("number", "no number of members is given", "write `number`, at least 1"),
        (Some(0), ..) if drawn => fault("number", "`number` is 0", "write at least 1"),
        (Some(_), ..) if !drawn => fault("number", "`number` goes with members of chance", by_chance),
        (_, Some(_), _) if !drawn => fault("seed", "`seed` goes with members of chance", by_chance),
        (.., Some(_)) if members.choose != Choice::List => {
            fault("table", "a `table` is a list of members", "write `choose = \"list\"`, or leave the table out")
        }
        _ => Ok(()),
    }
}

/// What a parameter needs for the chosen way, and what it does not need.
fn check_values(plan: &Plan, members: &Members, index: usize, parameter: &Parameter) -> Result<(), Fault> {
    let fault = |field, problem: String, remedy: &str| Err(Fault::at("parameter", index, field, problem, remedy));
    let name = &parameter.name;
    match members.choose {
        Choice::Random | Choice::LatinHypercube => {
            only(index, parameter, "a choice by chance", &["from", "to", "scale"])?;
            need_range(index, parameter, "a choice by chance")
        }
        Choice::Grid if parameter.values.is_some() => only(index, parameter, "a grid of `values`", &["values"]),
        Choice::Grid => {
            only(index, parameter, "a grid", &["from", "to", "scale", "points"])?;
            need_range(index, parameter, "a grid without `values`")?;
            let remedy = "write `points`, at least 2, or `values`";
            match parameter.points {
                None => fault("points", format!("parameter \"{name}\" has no number of values"), remedy),
                Some(points) if points < 2 => {
                    fault("points", format!("parameter \"{name}\": `points` is {points}"), remedy)
                }
                Some(_) => Ok(()),
            }
        }
        Choice::List if members.table.is_some() => only(index, parameter, "a list with a `table`", &[]),
        Choice::List => {
            only(index, parameter, "a list", &["values"])?;
            let (own, first) = (length(parameter), length(&plan.parameters[0]));
            if own == first && own > 0 {
                return Ok(());
            }
            let problem = format!("parameter \"{name}\" has {own} values, the first has {first}");
            fault("values", problem, "give each parameter of a list as many `values`")
        }
    }
}

fn length(parameter: &Parameter) -> usize {
    parameter.values.as_ref().map_or(0, Vec::len)
}

/// Refuses targets and weights where `who` does nothing with them.
fn check_targets(plan: &Plan, who: &str, remedy: &str) -> Result<(), Fault> {
    for (index, output) in plan.outputs.iter().enumerate() {
        let given = [("target", output.target.is_some()), ("weight", output.weight.is_some())];
        if let Some((field, _)) = given.into_iter().find(|(_, given)| *given) {
            let problem = format!("output \"{}\" has a `{field}`, which {who}", output.title());
            return Err(Fault::at("output", index, field, problem, remedy));
        }
    }
    Ok(())
}

fn check_optimize(plan: &Plan, optimize: &Optimize) -> Result<(), Fault> {
    let fault = |field, problem: String, remedy: &str| Err(Fault::at("optimize", 0, field, problem, remedy));
    for (index, parameter) in plan.parameters.iter().enumerate() {
        only(index, parameter, "a search", &["from", "to", "scale", "start"])?;
        need_range(index, parameter, "a search within bounds")?;
    }
    if let Some(tolerance) = optimize.tolerance.filter(|tolerance| !Tolerance::RANGE.contains(tolerance)) {
        return fault("tolerance", format!("`tolerance` is {tolerance}"), &format!("write {}", Tolerance::ALLOWED));
    }
    if optimize.max_runs == Some(0) {
        return fault("max_runs", "`max_runs` is 0".to_owned(), "write at least 1");
    }
    match optimize.method {
        SearchMethod::NelderMead => check_simplex(plan, optimize.minimize.as_ref()),
        SearchMethod::LeastSquares => check_fit(plan, optimize.minimize.as_ref()),
    }
}

fn check_simplex(plan: &Plan, minimize: Option<&String>) -> Result<(), Fault> {
    let fault = |field, problem: String, remedy: &str| Err(Fault::at("optimize", 0, field, problem, remedy));
    let remedy = "leave it out, or write `method = \"least_squares\"`";
    check_targets(plan, "the method of Nelder and Mead does not seek", remedy)?;
    let Some(name) = minimize else {
        let problem = "the search is not told what to minimize".to_owned();
        return fault("method", problem, "write `minimize`, the name of an output");
    };
    let titles: Vec<String> = plan.outputs.iter().map(Output::title).collect();
    if titles.iter().any(|title| title == name) {
        return Ok(());
    }
    let near = nearest_name(name, titles.iter().map(String::as_str));
    let remedy =
        near.map_or(format!("the outputs are {}", titles.join(", ")), |near| format!("did you mean `{near}`?"));
    fault("minimize", format!("no output is called \"{name}\""), &remedy)
}

fn check_fit(plan: &Plan, minimize: Option<&String>) -> Result<(), Fault> {
    let fault = |field, problem: String, remedy: &str| Err(Fault::at("optimize", 0, field, problem, remedy));
    if minimize.is_some() {
        let remedy = "leave it out, or write `method = \"nelder_mead\"`";
        return fault("minimize", "least squares seek the targets of outputs".to_owned(), remedy);
    }
    for (index, output) in plan.outputs.iter().enumerate() {
        let Some(weight) = output.weight else { continue };
        let title = output.title();
        if output.target.is_none() {
            let problem = format!("output \"{title}\" has a `weight` and no `target`");
            return Err(Fault::at("output", index, "weight", problem, "write its `target`, or leave `weight` out"));
        }
        if !(weight > 0.0) {
            let problem = format!("output \"{title}\": `weight` is {weight}");
            return Err(Fault::at("output", index, "weight", problem, "write a number above 0"));
        }
    }
    let targets = plan.outputs.iter().filter(|output| output.target.is_some()).count();
    if targets < plan.parameters.len() {
        let problem = format!("{targets} outputs with a target for {} parameters", plan.parameters.len());
        return fault("method", problem, "give at least as many outputs a `target`, or search fewer parameters");
    }
    Ok(())
}
