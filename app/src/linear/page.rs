//! The page of a linearized mechanism: modes that move, their table, Bode plots and a root locus.

use super::mechanism::told;
use crate::page;
use fourbar::Error;
use fourbar::analysis::{Mode, Modes, OperatingPoint};
use fourbar::file::ModelFile;
use fourbar::linalg::text::Brief;
use fourbar::linear::Table;
use fourbar::multibody::analysis::Linearization;
use fourbar::results::{AnalysisPage, Chart, Locus};

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
        vec![k as f64 + 1.0, mode.eigenvalue.re, mode.eigenvalue.im, mode.frequency(), mode.damping()]
    };
    page.table = Some(("Modes".to_owned(), columns, modes.modes.iter().enumerate().map(row).collect()));
    if let Some((parameter, table)) = locus {
        let points = table.rows.iter().map(|row| [row[0], row[1], row[2]]).collect();
        page.locus = Some(Locus { parameter: parameter.to_owned(), points });
    }
    page.charts = bode(point, modes)?;
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

/// Gain and phase of each measure by each input around the modes.
fn bode(point: &mut OperatingPoint, modes: &Modes) -> Result<Vec<Chart>, Error> {
    let analysis = point.linear_analysis()?;
    if analysis.inputs().is_empty() || analysis.outputs().is_empty() {
        return Ok(Vec::new());
    }
    let frequencies = || modes.modes.iter().map(Mode::frequency).filter(|frequency| *frequency > 0.0);
    let (low, high) = (frequencies().fold(f64::INFINITY, f64::min), frequencies().fold(0.0, f64::max));
    let (low, high) = if high > 0.0 { (low / BEYOND, high * BEYOND) } else { (0.1, 100.0) };
    let response = analysis.frequency_response(low, high, POINTS)?;
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
    Ok(vec![chart("Gain", "", true, 1), chart("Phase", "deg", false, 2)])
}
