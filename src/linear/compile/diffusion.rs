//! Diffusion along a rod in finite volumes: du_i/dt = D/h² (u_{i-1} - 2 u_i + u_{i+1}), h = length/n, u_i the mean over cell i.
//!
//! A given value at an end is half a cell away, so it acts with 2 D/h²; a given flux adds flux/h to the cell there. The eigenvectors are
//! sines and cosines whatever the ends are: with theta = k pi/n (both ends alike) or (k - 1/2) pi/n (one value, one flux) the
//! eigenvalues are -4 D/h² sin²(theta/2).

use super::equations::SparseSystem;
use super::fault::{at, fault, unknown};
use super::outputs::{Taps, input_names};
use crate::linear::{Boundary, Diffusion, LinearModel};
use fourbar_linalg::CscMatrix;
use fourbar_multibody::expression::{Binding, Stack};
use fourbar_multibody::{Location, ModelError, Parameters};

/// The finest grid that is accepted.
const MOST_CELLS: usize = 1_000_000;

/// What an end does to the cell beside it.
enum End {
    /// u is input `input`.
    Value { input: usize },
    /// Input `input` flows in.
    Flux { input: usize },
    /// Nothing passes.
    Insulated,
}

/// The system of `[diffusion]` and its start state; `taps` learns what the outputs show.
pub(super) fn read(
    rod: &Diffusion,
    model: &LinearModel,
    parameters: &Parameters<'_>,
    taps: &mut Taps,
) -> Result<(SparseSystem, Vec<f64>), Box<ModelError>> {
    let field = |field: &str| at("diffusion", 0, "", field);
    let n = usize::try_from(rod.cells).unwrap_or(usize::MAX);
    if !(1..=MOST_CELLS).contains(&n) {
        return Err(fault(field("cells"), format!("the value is {n}"), "it must be 1 to 1,000,000"));
    }
    let positive =
        |name: &str, expression| parameters.checked(expression, &field(name), "above 0", |value| value > 0.0);
    let length = positive("length", &rod.length)?;
    let width = length / n as f64;
    let conductance = positive("diffusivity", &rod.diffusivity)? / (width * width);
    if !(conductance > 0.0 && conductance.is_finite()) {
        let problem = format!("the diffusivity over the square of a cell's width is {conductance} 1/s");
        return Err(fault(field("diffusivity"), problem, "check the units of `length` and `diffusivity`"));
    }
    let ends = [end(rod.left.as_ref(), model, &field("left"))?, end(rod.right.as_ref(), model, &field("right"))?];
    let probes = probes(model, parameters, taps, length, n)?;
    let system = SparseSystem {
        a: second_differences(n, conductance, &ends),
        b: boundary_inputs(n, model.inputs.len(), conductance, width, &ends),
        probes,
    };
    Ok((system, initial(rod, parameters, width, n)?))
}

fn end(boundary: Option<&Boundary>, model: &LinearModel, location: &Location) -> Result<End, Box<ModelError>> {
    let input = |name: &str, field: &str| {
        let field = format!("{}.{field}", location.field);
        let known = input_names(model);
        let location = Location { field, ..location.clone() };
        known.iter().position(|known| *known == name).ok_or_else(|| unknown("input", name, &known, location))
    };
    match boundary {
        None => Ok(End::Insulated),
        Some(Boundary { value: Some(name), flux: None }) => Ok(End::Value { input: input(name, "value")? }),
        Some(Boundary { value: None, flux: Some(name) }) => Ok(End::Flux { input: input(name, "flux")? }),
        Some(_) => {
            let remedy = "write { value = \"input\" } or { flux = \"input\" }; leave it out where nothing passes";
            Err(fault(location.clone(), "an end has either a value or a flux", remedy))
        }
    }
}

/// A, n x n.
fn second_differences(n: usize, conductance: f64, ends: &[End; 2]) -> CscMatrix<f64> {
    // What leaves cell i: to each neighbour, and over half a cell to an end of given value.
    let over = |end: &End| if matches!(end, End::Value { .. }) { 2.0 } else { 0.0 };
    let leaving = |i: usize| {
        let left = if i == 0 { over(&ends[0]) } else { 1.0 };
        let right = if i + 1 == n { over(&ends[1]) } else { 1.0 };
        left + right
    };
    let (mut offsets, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..n {
        for i in j.saturating_sub(1)..=(j + 1).min(n - 1) {
            rows.push(i);
            values.push(if i == j { -leaving(i) * conductance } else { conductance });
        }
        offsets.push(rows.len());
    }
    CscMatrix::try_from_csc_data(n, n, offsets, rows, values).expect("rows ascend within each column")
}

/// B, n x m.
fn boundary_inputs(n: usize, m: usize, conductance: f64, width: f64, ends: &[End; 2]) -> CscMatrix<f64> {
    let (mut offsets, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..m {
        let mut column: Vec<(usize, f64)> = Vec::new();
        for (end, row) in ends.iter().zip([0, n - 1]) {
            let value = match end {
                End::Value { input } if *input == j => 2.0 * conductance,
                End::Flux { input } if *input == j => 1.0 / width,
                _ => continue,
            };
            match column.last_mut() {
                // A rod of one cell with the same input at both ends.
                Some((last, sum)) if *last == row => *sum += value,
                _ => column.push((row, value)),
            }
        }
        for (row, value) in column {
            rows.push(row);
            values.push(value);
        }
        offsets.push(rows.len());
    }
    CscMatrix::try_from_csc_data(n, m, offsets, rows, values).expect("rows ascend within each column")
}

/// u at the centres of the cells.
fn initial(rod: &Diffusion, parameters: &Parameters<'_>, width: f64, n: usize) -> Result<Vec<f64>, Box<ModelError>> {
    let location = at("diffusion", 0, "", "initial");
    let resolve = &mut |name: &str| match name {
        "x" => Some(Binding::Slot(0)),
        name => parameters.binding(name),
    };
    let program = rod.initial.bind(resolve).map_err(|error| {
        let error = error.suggest(parameters.names().chain(["x"]));
        fault(location.clone(), error.to_string(), "the start is an expression of the place `x` and parameters")
    })?;
    let mut stack = Stack::new(program.depth());
    let value = |i: usize| {
        let x = (i as f64 + 0.5) * width;
        let value: f64 = program.evaluate(&[x], &mut stack);
        if value.is_finite() {
            return Ok(value);
        }
        let problem = format!("`{}` has the value {value} at x = {x} m", rod.initial);
        Err(fault(location.clone(), problem, "write an expression with finite values"))
    };
    (0..n).map(value).collect()
}

/// Where the outputs look: between the centres of two cells, in the half cells at the ends beyond them.
fn probes(
    model: &LinearModel,
    parameters: &Parameters<'_>,
    taps: &mut Taps,
    length: f64,
    n: usize,
) -> Result<Vec<[(usize, f64); 2]>, Box<ModelError>> {
    let mut probes = Vec::new();
    for (index, output) in taps.open(model) {
        let field = |field: &str| at("output", index, &output.name, field);
        if let Some(from) = &output.from {
            return Err(unknown("input", from, &input_names(model), field("from")));
        }
        let Some(place) = &output.at else {
            return Err(fault(field(""), "the output has no place", "add `at = 0.5`, the place on the rod [m]"));
        };
        let allowed = format!("a place on the rod, from 0 to {length} m");
        let x = parameters.checked(place, &field("at"), &allowed, |x| (0.0..=length).contains(&x))?;
        let position = x / length * n as f64 - 0.5;
        let left = (position.floor().max(0.0) as usize).min(n.saturating_sub(2));
        let weight = if n == 1 { 0.0 } else { position - left as f64 };
        probes.push([(left, 1.0 - weight), ((left + 1).min(n - 1), weight)]);
        taps.next_row(index);
    }
    Ok(probes)
}
