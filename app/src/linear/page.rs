//! The page of a linearized mechanism: modes that move, their table, Bode plots and a root locus; that of a linear system: poles and responses.

use super::Analysis;
use super::mechanism::told;
use crate::page;
use fourbar::Error;
use fourbar::analysis::{Mode, Modes, OperatingPoint, damping_ratio};
use fourbar::file::ModelFile;
use fourbar::linalg::text::Brief;
use fourbar::linear::{LinearAnalysis, Table};
use fourbar::multibody::analysis::Linearization;
use fourbar::results::{AnalysisPage, Chart, Locus};
use nalgebra::Complex;

/// Points of a frequency response, and how far it goes beyond the slowest and fastest mode.
const POINTS: usize = 400;
const BEYOND: f64 = 10.0;

/// The page of `point`, with the poles in `locus` over a parameter (columns: its value, real and imaginary part).
pub(super) fn of(
    file: &ModelFile,
    point: &mut OperatingPoint,
    (linearization, modes): (&Linearization, &Modes),
    locus: Option<(&str, &Table)>,
) -> Result<AnalysisPage, Error> {
    let mut page = page::begin(file, &format!("The mechanism {}", told(point)));
    page.warnings = point.warnings(linearization)?;
    page.drawings = point.drawings(modes)?;
    let columns = ["mode", "re [1/s]", "im [1/s]", "frequency [Hz]", "damping"].map(str::to_owned).to_vec();
    let row = |(k, mode): (usize, &Mode)| {
        let [re, damping] = without_round_off(mode.eigenvalue);
        vec![k as f64 + 1.0, re, mode.eigenvalue.im, mode.frequency(), damping]
    };
    if modes.modes.is_empty() {
        page.lead.push_str(" Its joints and motions leave it no freedom: it has no modes.");
    } else {
        page.table = Some(("Modes".to_owned(), columns, modes.modes.iter().enumerate().map(row).collect()));
    }
    if let Some((parameter, table)) = locus {
        let points = table.rows.iter().map(|row| [row[0], row[1], row[2]]).collect();
        page.locus = Some(Locus { parameter: parameter.to_owned(), points });
    }
    page.charts = bode(&point.linear_analysis()?, modes.modes.iter().map(Mode::frequency))?;
    let ratio = modes.stiffness_ratio.map_or("none".to_owned(), |ratio| format!("{:.4}", Brief(ratio)));
    page.settings = [
        ("degrees of freedom", linearization.coordinates.len().to_string()),
        ("stiffness ratio", ratio),
        ("integrator", modes.advice().integrators().to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    Ok(page)
}

/// The page of `analysis` with the answer to what was asked; `told` says where a mechanism was linearized.
pub(super) fn of_system(
    file: &ModelFile,
    told: Option<&str>,
    analysis: &LinearAnalysis,
    (asked, table): (&Analysis, &Table),
) -> Result<AnalysisPage, Error> {
    let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let states = count(analysis.system().states(), "state");
    let done = match told {
        Some(told) => format!("The mechanism {told}, as a linear system of {states}"),
        None => format!("A linear system of {states}"),
    };
    let mut page = page::begin(file, &done);
    match asked {
        Analysis::Step(_) => page.lead.push_str(" Outputs after a step of each input from 0 to 1."),
        Analysis::Impulse(_) => page.lead.push_str(" Outputs after an impulse of each input."),
        Analysis::Initial(_) => page.lead.push_str(" Outputs that the start state leaves without input."),
        _ => {}
    }
    match asked {
        Analysis::Step(_) | Analysis::Impulse(_) | Analysis::Initial(_) => {
            let units = analysis.output_units();
            // The time, and then all outputs for each input.
            let with_unit =
                |(k, column): (usize, &String)| match k.checked_sub(1).map(|k| units[k % units.len()].as_str()) {
                    None | Some("" | "1") => column.clone(),
                    Some(unit) => format!("{column} [{unit}]"),
                };
            let columns: Vec<String> = table.columns.iter().enumerate().map(with_unit).collect();
            page.add_curves(&columns, &table.rows);
        }
        Analysis::Frequency(_) => page.charts = gain_and_phase(table),
        Analysis::Locus(locus) => {
            let points = table.rows.iter().map(|row| [row[0], row[1], row[2]]).collect();
            page.locus = Some(Locus { parameter: locus.parameter.clone(), points });
            page.table = Some(listed(analysis.poles()?));
        }
        _ => {
            let points = table.rows.iter().map(|row| [0.0, row[0], row[1]]).collect();
            page.locus = Some(Locus { parameter: String::new(), points }).filter(|_| !table.rows.is_empty());
            page.charts = bode(analysis, table.rows.iter().map(|row| row[FREQUENCY]))?;
            page.table = Some(listed(table.clone())).filter(|_| !table.rows.is_empty());
        }
    }
    Ok(page)
}

/// Column of the natural frequency among those of a pole.
const FREQUENCY: usize = 2;

fn listed(poles: Table) -> (String, Vec<String>, Vec<Vec<f64>>) {
    let row = |row: Vec<f64>| {
        let [re, damping] = without_round_off(Complex::new(row[0], row[1]));
        vec![re, row[1], row[FREQUENCY], damping]
    };
    ("Poles".to_owned(), poles.columns, poles.rows.into_iter().map(row).collect())
}

/// Real part and damping ratio as they are shown: what is round-off of an eigenvalue is 0.
fn without_round_off(eigenvalue: Complex<f64>) -> [f64; 2] {
    let damping = damping_ratio(eigenvalue);
    [if damping == 0.0 { 0.0 } else { eigenvalue.re }, damping]
}

/// Gain and phase of each output by each input around `frequencies` \[Hz\].
fn bode(analysis: &LinearAnalysis, frequencies: impl Iterator<Item = f64> + Clone) -> Result<Vec<Chart>, Error> {
    if analysis.inputs().is_empty() || analysis.outputs().is_empty() {
        return Ok(Vec::new());
    }
    let frequencies = frequencies.filter(|frequency| *frequency > 0.0);
    let (low, high) = (frequencies.clone().fold(f64::INFINITY, f64::min), frequencies.fold(0.0, f64::max));
    let (low, high) = if high > 0.0 { (low / BEYOND, high * BEYOND) } else { (0.1, 100.0) };
    Ok(gain_and_phase(&analysis.frequency_response(low, high, POINTS)?))
}

/// The two charts of a frequency response.
fn gain_and_phase(response: &Table) -> Vec<Chart> {
    let places: Vec<f64> = response.rows.iter().map(|row| row[0]).collect();
    let chart = |title: &str, unit: &str, log: bool, first: usize| {
        let ending = if first == 1 { " gain" } else { " phase [deg]" };
        let curve = |(k, name): (usize, &String)| {
            let values =
                response.rows.iter().map(|row| row[k]).map(|value| if log && value == 0.0 { f64::NAN } else { value });
            (name.trim_end_matches(ending).to_owned(), values.collect())
        };
        let columns = response.columns.iter().enumerate().skip(first).step_by(2);
        let (title, unit) = (title.to_owned(), unit.to_owned());
        Chart {
            title,
            across: ("frequency [Hz]".to_owned(), true),
            unit,
            log,
            places: places.clone(),
            curves: columns.map(curve).collect(),
            noise: Vec::new(),
        }
    };
    vec![chart("Gain", "", true, 1), chart("Phase", "deg", false, 2)]
}
