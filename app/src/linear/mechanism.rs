//! A linearized mechanism: its modes and matrices.

use super::output::{entries, rows};
use crate::columns::table_csv;
use fourbar::Error;
use fourbar::analysis::{Modes, OperatingPoint};
use fourbar::linalg::text::Brief;
use fourbar::linear::Table;
use fourbar::multibody::analysis::Linearization;
use nalgebra::Complex;
use serde_json::json;

/// Ways of a body in a shape.
const WAYS: [&str; 6] = ["x [m]", "y [m]", "z [m]", "turn x [rad]", "turn y [rad]", "turn z [rad]"];

/// Where the mechanism is linearized, for a person.
pub(super) fn told(point: &OperatingPoint) -> String {
    let time = Brief(point.time());
    match point.equilibrium() {
        Some(true) => format!("linearized at the static equilibrium at t = {time} s, which is stable"),
        Some(false) => format!("linearized at the static equilibrium at t = {time} s, which is not stable"),
        None => format!("linearized at the state at t = {time} s"),
    }
}

/// A row for each mode; its shape as amplitude and phase of each body, or as real and imaginary parts in JSON.
pub(super) fn modes(name: &str, point: &mut OperatingPoint, as_json: bool) -> Result<String, Error> {
    let linearization = point.linearize()?;
    let modes = Modes::new(point, &linearization)?;
    let ratio = modes.stiffness_ratio;
    eprintln!(
        "{} of freedom; stiffness ratio {}: {}",
        count(linearization.coordinates.len()),
        ratio.map_or("none".to_owned(), |ratio| format!("{:.3}", Brief(ratio))),
        modes.advice().integrators()
    );
    if as_json {
        let parts = |way: &Complex<f64>| [way.re, way.im];
        let mode = |mode: &fourbar::analysis::Mode| {
            json!({
                "eigenvalue": parts(&mode.eigenvalue),
                "frequency": mode.frequency(),
                "damping": Some(mode.damping()).filter(|damping| damping.is_finite()),
                "shape": mode.shape.iter().map(|ways| ways.each_ref().map(parts)).collect::<Vec<_>>(),
            })
        };
        let all: Vec<_> = modes.modes.iter().map(mode).collect();
        let object = json!({
            "model": name,
            "time": point.time(),
            "bodies": modes.bodies,
            "modes": all,
            "stiffness_ratio": ratio,
            "integrator": modes.advice().integrators(),
        });
        return Ok(format!("{object}\n"));
    }
    let mut columns = ["re [1/s]", "im [1/s]", "frequency [Hz]", "damping"].map(str::to_owned).to_vec();
    for body in &modes.bodies {
        columns.extend(WAYS.iter().flat_map(|way| [format!("{body} {way}"), format!("{body} {way} phase [deg]")]));
    }
    let row = |mode: &fourbar::analysis::Mode| {
        let shape = mode.shape.iter().flatten().flat_map(|way| [way.norm(), way.arg().to_degrees()]);
        let own = [mode.eigenvalue.re, mode.eigenvalue.im, mode.frequency(), mode.damping()];
        own.into_iter().chain(shape).collect()
    };
    Ok(table_csv(&Table { columns, rows: modes.modes.iter().map(row).collect() }))
}

fn count(degrees: usize) -> String {
    format!("{degrees} degree{}", if degrees == 1 { "" } else { "s" })
}

/// Mass, damping and stiffness of the independent coordinates, and the state space.
pub(super) fn matrices(name: &str, point: &mut OperatingPoint, as_json: bool) -> Result<String, Error> {
    let linearization = point.linearize()?;
    let (stiffness, damping) = (linearization.stiffness(), linearization.damping());
    let Linearization { a, b, c, d, mass, .. } = &linearization;
    let all = [("M", mass), ("C_damping", &damping), ("K", &stiffness), ("A", a), ("B", b), ("C", c), ("D", d)];
    if !as_json {
        return Ok(entries(&all));
    }
    let bodies = point.mechanism().bodies();
    let coordinate = |&k: &usize| format!("{} {}", bodies[k / 6].name, WAYS[k % 6]);
    let names = |all: &mut dyn Iterator<Item = &String>| all.cloned().collect::<Vec<_>>();
    let mut object = json!({
        "model": name,
        "time": point.time(),
        "states": linearization.states.iter().map(|&k| &point.mechanism().user_states()[k].name).collect::<Vec<_>>(),
        "coordinates": linearization.coordinates.iter().map(coordinate).collect::<Vec<_>>(),
        "inputs": names(&mut point.mechanism().inputs().iter().map(|input| &input.name)),
        "outputs": names(&mut point.mechanism().measures().iter().map(|measure| &measure.name)),
    });
    for (name, matrix) in all {
        object[name] = json!(rows(matrix));
    }
    Ok(format!("{object}\n"))
}
