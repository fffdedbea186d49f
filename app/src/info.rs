//! `fourbar info X.fmu`: what a functional mock-up unit is, before anything of it runs. `fourbar info X.ssp`: likewise of a system structure.

use crate::exit::{Exit, Failure};
use crate::signals;
use clap::Args;
use fourbar::coupled::SimulatorKind;
use fourbar::coupling::partner::{Fmu, FmuDae, FmuDescription, FmuInterface, FmuTerminal, FmuVariable};
use fourbar::file::ModelFile;
use fourbar::linalg::text::printable;
use fourbar::multibody::expression::Expression;
use fourbar::ssp::is_structure;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

/// What is told of.
#[derive(Debug, Args)]
pub(crate) struct InfoArguments {
    /// A functional mock-up unit (.fmu), or a system structure (.ssp, .ssd)
    pub(crate) file: PathBuf,
}

pub(crate) fn info(arguments: &InfoArguments) -> Result<Exit, Failure> {
    signals::end_at_once();
    if is_structure(&arguments.file) {
        return show(&structure(&ModelFile::load(&arguments.file).map_err(Failure::Model)?));
    }
    let inspected = Fmu::inspect(&arguments.file).map_err(fourbar::coupling::Error::from);
    let description = inspected.map_err(|error| Failure::Model(error.into()))?;
    show(&told(&description))
}

/// Writes the text; the words of the file are foreign: nothing in them acts on the terminal.
fn show(text: &str) -> Result<Exit, Failure> {
    let lines: Vec<_> = text.lines().map(printable).collect();
    let mut output = std::io::stdout().lock();
    lines.iter().try_for_each(|line| writeln!(output, "{line}")).map_err(Failure::Output)?;
    Ok(Exit::Done)
}

/// The components, connections and parameters of a structure.
fn structure(file: &ModelFile) -> String {
    let mut text = String::new();
    let (Some(structure), Some(model)) = (file.structure(), file.document().coupled()) else { return text };
    let number = |value: &Option<Expression>| value.as_ref().map(|value| format!("{value} s")).unwrap_or_default();
    line(&mut text, "model", &model.name);
    line(&mut text, "about", &model.description);
    line(&mut text, "standard", &format!("SSP {}", structure.version()));
    line(&mut text, "ends at", &number(&model.simulation.end));
    line(&mut text, "step", &number(&model.simulation.step));
    let _ = writeln!(text, "\ncomponents");
    for simulator in &model.simulators {
        let _ = writeln!(text, "  {}  {}", simulator.name, simulator.file.as_deref().unwrap_or_default());
        let SimulatorKind::Fmu(fmu) = &simulator.kind else { continue };
        for (name, value) in &fmu.parameters {
            let _ = writeln!(text, "    {name} = {value}");
        }
        for (name, value) in &fmu.texts {
            let _ = writeln!(text, "    {name} = {value:?}");
        }
    }
    let _ = writeln!(text, "\nconnections");
    for connection in &model.connections {
        let gain = connection.gain.as_ref().map(|gain| format!(", times {gain}")).unwrap_or_default();
        let offset = connection.offset.as_ref().map(|offset| format!(", plus {offset}")).unwrap_or_default();
        let _ = writeln!(text, "  {} -> {}{gain}{offset}", connection.from, connection.to);
    }
    for note in structure.notes() {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// The whole text.
fn told(fmu: &FmuDescription) -> String {
    let mut text = String::new();
    line(&mut text, "model", &fmu.name);
    line(&mut text, "about", &fmu.description);
    line(&mut text, "standard", &format!("FMI {}", fmu.version_text));
    line(&mut text, "made by", &fmu.generation_tool);
    for (name, interface) in [("co-simulation", &fmu.co_simulation), ("model exchange", &fmu.model_exchange)] {
        line(&mut text, name, &interface.as_ref().map_or_else(|| "no".to_owned(), capabilities));
    }
    line(&mut text, "residuals", &fmu.dae.as_ref().map(|dae| residuals(fmu, dae)).unwrap_or_default());
    if fmu.scheduled_execution {
        line(&mut text, "scheduled", "yes; fourbar does not run it so");
    }
    line(&mut text, "states", &fmu.state_count().to_string());
    for (name, value, unit) in [
        ("starts at", fmu.start_time, " s"),
        ("ends at", fmu.stop_time, " s"),
        ("step", fmu.step_size, " s"),
        ("tolerance", fmu.tolerance, ""),
    ] {
        line(&mut text, name, &value.map(|value| format!("{value}{unit}")).unwrap_or_default());
    }
    let _ = writeln!(text, "\nvariables");
    let width = fmu.variables.iter().map(|variable| variable.name.chars().count()).max().unwrap_or(0).min(40);
    for variable in &fmu.variables {
        let _ = writeln!(text, "  {}", variable_line(fmu, variable, width));
    }
    if !fmu.terminals.is_empty() {
        let _ = writeln!(text, "\nterminals");
        fmu.terminals.iter().for_each(|terminal| terminal_lines(&mut text, terminal, "  "));
    }
    text
}

/// What it says of its equations as residuals.
fn residuals(fmu: &FmuDescription, dae: &FmuDae) -> String {
    let names: Vec<&str> = dae.algebraic.iter().map(|index| fmu.variables[*index].name.as_str()).collect();
    match names.as_slice() {
        [] => format!("FMI-LS-DAE {}", dae.version),
        names => format!("FMI-LS-DAE {}, for {}", dae.version, names.join(", ")),
    }
}

/// A terminal with its variables and those within it.
fn terminal_lines(text: &mut String, terminal: &FmuTerminal, indent: &str) {
    let words = [&terminal.kind, &terminal.matching_rule, &terminal.description];
    let words: Vec<&str> = words.into_iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    let _ = writeln!(text, "{indent}{}  {}", terminal.name, words.join(", "));
    for (member, variable, kind) in &terminal.members {
        let member = if member.is_empty() { String::new() } else { format!("{member} = ") };
        let _ = writeln!(text, "{indent}  {member}{variable}  {kind}");
    }
    terminal.terminals.iter().for_each(|inner| terminal_lines(text, inner, &format!("{indent}  ")));
}

fn line(text: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{name:<16}{value}");
    }
}

/// What one interface can do.
fn capabilities(interface: &FmuInterface) -> String {
    let mut words = vec!["yes".to_owned()];
    let told = [
        (interface.can_get_and_set_state, "its state is returned to"),
        (interface.can_serialize_state, "its state is written"),
        (interface.can_handle_variable_step, "steps of different lengths"),
        (interface.can_interpolate_inputs, "derivatives of inputs"),
        (interface.provides_intermediate_update, "inputs within steps"),
        (interface.has_event_mode, "events between steps"),
        (interface.max_output_derivative_order > 0, "derivatives of outputs"),
        (interface.provides_directional_derivatives, "directional derivatives"),
        (interface.only_once_per_process, "one instance in a process"),
        (interface.needs_execution_tool, "needs its tool installed"),
    ];
    words.extend(told.into_iter().filter(|(is, _)| *is).map(|(_, word)| word.to_owned()));
    words.extend(interface.fixed_internal_step.map(|step| format!("solver step {step} s")));
    words.join(", ")
}

fn variable_line(fmu: &FmuDescription, variable: &FmuVariable, width: usize) -> String {
    let lengths: Vec<String> = fmu.lengths(variable).iter().map(u64::to_string).collect();
    let size = if lengths.is_empty() { String::new() } else { format!("[{}]", lengths.join(",")) };
    let kind = format!("{}{size}", variable.kind.name());
    let mut text = format!(
        "{:<width$}  {:<19} {:<10} {kind:<12}",
        variable.name,
        variable.causality.name(),
        variable.variability.name()
    );
    let starts: Vec<String> = match variable.start_text.as_slice() {
        [] if variable.kind.is_whole() => variable.start_whole.iter().map(i128::to_string).collect(),
        [] => variable.start.iter().map(f64::to_string).collect(),
        texts => texts.iter().map(|text| format!("{text:?}")).collect(),
    };
    if !starts.is_empty() {
        text += &format!(" = {}", starts.join(" "));
    }
    if !variable.unit.is_empty() {
        let liked = Some(&variable.display_unit).filter(|unit| !unit.is_empty() && **unit != variable.unit);
        let liked = liked.map(|unit| format!(", shown in {unit}")).unwrap_or_default();
        text += &format!(" [{}{liked}]", variable.unit);
    }
    if !variable.description.is_empty() {
        text += &format!("  {}", variable.description);
    }
    text.trim_end().to_owned()
}
