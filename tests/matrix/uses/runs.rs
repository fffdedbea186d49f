//! Whole runs: alone, as a part of a coupled model, in a sweep, with functions of the host, and what they tell.

use super::{Case, Fault, near, wrong};
use crate::matrix::feature::Feature;
use fourbar::Document;
use fourbar::file::ModelFile;
use fourbar::multibody::host::{ForceFunction, HostForce, HostFunctions, Refusal};
use fourbar::results::{Summary, Table};
use fourbar::run::{Outcome, Overrides, Run};
use fourbar::scene::{Curtain, Picture, Stage, svg};
use fourbar::sweep::{Options, PlanFile, Sweep};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How near a motion beside contacts must come to that without, by events and in fixed steps, which are of first order.
const BESIDE: [f64; 2] = [1e-5, 5e-2];

fn outcome(file: &ModelFile, run: &Run) -> Result<(Summary, Table), Fault> {
    let mut table = Table::default();
    let executed = run.execute(&mut [&mut table], &AtomicBool::new(false));
    let Outcome { summary, failure, .. } = executed.map_err(|error| file.explain(error))?;
    match failure {
        Some(error) => Err(file.explain(error).into()),
        None => Ok((summary, table)),
    }
}

fn ended(file: &ModelFile) -> Result<(Summary, Table), Fault> {
    let run = Run::new(file.document(), &Overrides::default()).map_err(|error| file.explain(error))?;
    outcome(file, &run)
}

fn last(summary: &Summary, column: &str) -> Result<f64, Fault> {
    match summary.last.iter().find(|(own, _)| own.name == column) {
        Some((_, value)) if value.is_finite() => Ok(*value),
        Some((_, value)) => wrong(format!("{column} is {value}")),
        None => wrong(format!("there is no column {column}")),
    }
}

/// The compared column at the end of a run.
pub(crate) fn value_of_run(feature: &Feature, more: &str) -> Result<f64, Fault> {
    let file = ModelFile::parse("model.toml", feature.text(more))?;
    last(&ended(&file)?.0, feature.column)
}

/// The first column: the run itself. The feature does something; and contacts that do not touch it do not change it.
pub(crate) fn run(feature: &Feature) -> Result<f64, Fault> {
    let value = value_of_run(feature, "")?;
    if value == 0.0 {
        return wrong("nothing happens");
    }
    if let Some(without) = feature.without() {
        let without = value_of_run(&without, "")?;
        if (value - without).abs() < 1e-4 * value.abs() {
            return wrong(format!("{value} with the element is {without} without it"));
        }
    }
    if feature.is_beside {
        near(value, value_of_run(&feature.alone(), "")?, BESIDE[usize::from(feature.takes_fixed_steps())])?;
    }
    Ok(value)
}

pub(crate) fn coupled(case: &Case) -> Result<(), Fault> {
    let column = case.feature.column;
    let summary = with_partner(case, "", column, case.feature.unit)?;
    case.same(last(&summary, &format!("own.{column}"))?)
}

/// The end of a run with a partner, which listens to a column and sets the input where there is one.
fn with_partner(case: &Case, more: &str, column: &str, unit: &str) -> Result<Summary, Fault> {
    let Feature { end, input, .. } = case.feature;
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("model.toml"), case.feature.text(more))?;
    let mut text = format!(
        "type = \"coupled\"\nsimulation = {{ end = {end}, step = {} }}\n[[simulator]]\nname = \"own\"\nfile = \"model.toml\"\n\
         [[simulator]]\nname = \"partner\"\n[[connection]]\nfrom = \"own.{column}\"\nto = \"partner.heard\"\n",
        case.feature.step()
    );
    let mut output = format!("{{ name = \"twice\", unit = \"{unit}\", value = \"2*heard\" }}");
    if let Some((name, value)) = input {
        let unit = if name.ends_with("torque") { "N m" } else { "N" };
        let _ = write!(output, ", {{ name = \"told\", unit = \"{unit}\", value = \"{value}\" }}");
        let _ = write!(text, "[[connection]]\nfrom = \"partner.told\"\nto = \"own.{name}\"\n");
    }
    let equations =
        format!("equations = {{ input = [{{ name = \"heard\", unit = \"{unit}\" }}], output = [{output}] }}\n");
    let text = text.replace("name = \"partner\"\n", &format!("name = \"partner\"\n{equations}"));
    let path = folder.path().join("whole.toml");
    std::fs::write(&path, text)?;
    let (summary, _) = ended(&ModelFile::load(&path)?)?;
    near(last(&summary, "partner.twice")?, 2.0 * last(&summary, &format!("own.{column}"))?, 1e-12)?;
    Ok(summary)
}

/// A member with another value of a parameter on which nothing depends.
pub(crate) fn swept(case: &Case) -> Result<(), Fault> {
    let plan = format!(
        "model = \"model.toml\"\nmembers = {{ choose = \"grid\" }}\nparameter = [{{ name = \"spare\", values = [2.0] }}]\n\
         output = [{{ column = \"{}\" }}]\n",
        case.feature.column
    );
    let sweep = Sweep::with_model(PlanFile::parse("plan.toml", plan)?, case.file("")?)?;
    let results = sweep.execute(&Options { jobs: 1, ..Options::default() }, &Arc::default(), |_| {})?;
    for row in &results.rows {
        match &row.result {
            Ok(values) => case.same(values[0])?,
            Err(failure) => return Err(Fault::Refused(format!("{}; {}", failure.error, failure.remedy))),
        }
    }
    Ok(())
}

/// The force `push` as a function of the host.
#[derive(Debug)]
struct Push([f64; 3]);

impl ForceFunction for Push {
    fn value(&self, time: f64, _: &[f64], value: &mut [f64]) -> Result<(), Refusal> {
        value.copy_from_slice(&self.0.map(|part| part * (5.0 * time).cos()));
        Ok(())
    }
}

pub(crate) fn by_functions(case: &Case) -> Result<(), Fault> {
    let file = case.file("")?;
    let mut functions = HostFunctions::default();
    let push = HostForce { arguments: Vec::new(), function: Arc::new(Push(case.feature.push)) };
    functions.forces.insert("push".to_owned(), push);
    let run = Run::with_functions(file.document(), &Overrides::default(), &functions);
    let run = run.map_err(|error| file.explain(error))?;
    let value = last(&outcome(&file, &run)?.0, case.feature.column)?;
    match case.expected {
        // An expression of the time is followed over a fixed step, a function of the host is taken at its points.
        Some(expected) if case.feature.takes_fixed_steps() => near(value, expected, 1e-3),
        _ => case.same(value),
    }
}

/// What is measured of contacts.
const QUANTITIES: [&str; 5] = ["gap", "closing_speed", "normal_force", "friction_force", "normal_impulse"];

/// Measures of all quantities of the contact, of which there is one.
pub(crate) fn measures_of_contact() -> String {
    let measure =
        |of| format!("[[measure]]\nname = \"{of}\"\ntype = \"contact\"\ncontact = \"floor\"\nquantity = \"{of}\"\n");
    QUANTITIES.map(measure).concat()
}

/// The gap as an output of a simulator, to which a partner listens.
pub(crate) fn contact_measures_coupled(case: &Case) -> Result<(), Fault> {
    let summary = with_partner(case, &measures_of_contact(), "gap", "m")?;
    let (alone, _) = ended(&case.file(&measures_of_contact())?)?;
    near(last(&summary, "own.gap")?, last(&alone, "gap")?, 1e-5)
}

pub(crate) fn contact_measures(case: &Case) -> Result<(), Fault> {
    let (summary, table) = ended(&case.file(&measures_of_contact())?)?;
    for quantity in QUANTITIES {
        last(&summary, quantity)?;
    }
    let column = |name: &str| table.columns().iter().position(|column| column.name == name);
    let pressed = column("normal_impulse").map_or(0.0, |column| table.series(column).sum::<f64>());
    let of_all = column("contact_impulse").map_or(0.0, |column| table.series(column).sum::<f64>());
    if pressed <= 0.0 { wrong("the contact never presses") } else { near(pressed, of_all, 1e-9) }
}

pub(crate) fn reactions(case: &Case) -> Result<(), Fault> {
    let parts = ["force", "torque"].map(|quantity| {
        let element = case.feature.reaction;
        format!("[[measure]]\nname = \"{quantity}\"\ntype = \"reaction\"\n{element}\nquantity = \"{quantity}\"\ncomponent = \"magnitude\"\n")
    });
    let (summary, _) = ended(&case.file(&parts.concat())?)?;
    match last(&summary, "force")? + last(&summary, "torque")? {
        0.0 => wrong("the reaction is zero"),
        _ => case.same(last(&summary, case.feature.column)?),
    }
}

/// The measure at the end is what the account of the run says, and the account is even.
pub(crate) fn energy(case: &Case) -> Result<(), Fault> {
    let measure = "[[measure]]\nname = \"energy\"\ntype = \"total_energy\"\n";
    let (summary, table) = ended(&case.file(measure)?)?;
    let energy = last(&summary, "energy")?;
    let [start, sum, error] = match (summary.mechanism(), summary.contact()) {
        (Some(own), _) => [own.energy.start, own.energy.kinetic + own.energy.potential, own.energy.balance_error],
        (_, Some(own)) => [own.energy.start, own.energy.kinetic + own.energy.potential, 0.0],
        _ => return wrong("the summary has no energy"),
    };
    let column = table.columns().iter().position(|column| column.name == "energy").unwrap_or_default();
    let most = table.series(column).chain([start, sum]).fold(1e-3, |most: f64, value| most.max((value - start).abs()));
    if (energy - sum).abs() > 1e-9 * most.max(energy.abs()) {
        return wrong(format!("the measure is {energy} J, the account {sum} J"));
    }
    if error.abs() > 1e-3 * most {
        wrong(format!("the balance of energy is off by {error} J of {most} J"))
    } else {
        Ok(())
    }
}

/// Whether there are bodies to draw.
pub(crate) fn has_pictures(feature: &Feature) -> bool {
    ModelFile::parse("model.toml", feature.text("")).is_ok_and(|file| {
        !matches!(file.document(), Document::Linear(_) | Document::Circuit(_)) && feature.is_mechanism()
    })
}

pub(crate) fn pictures(case: &Case) -> Result<(), Fault> {
    let file = case.file("")?;
    let Some(stage) = Stage::new(file.document())? else { return wrong("there is nothing to draw") };
    let run = Run::new(&stage.document, &Overrides::default()).map_err(|error| file.explain(error))?;
    let mut recorder = stage.recorder();
    let outcome = run.execute(&mut [&mut Curtain::new(&stage, Vec::new(), &mut recorder)], &AtomicBool::new(false))?;
    case.same(last(&outcome.summary, case.feature.column)?)?;
    let film = stage.film(recorder)?;
    let picture = svg(&film, &Picture { time: case.feature.end, ..Picture::default() });
    if film.frames.len() != 7 {
        return wrong(format!("{} frames instead of 7", film.frames.len()));
    }
    if picture.contains("<path") && !picture.contains("NaN") { Ok(()) } else { wrong("the picture is empty") }
}
