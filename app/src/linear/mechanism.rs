//! A linearized mechanism: its modes and matrices.

use super::output::{named_entries, rows};
use crate::columns::table_csv;
use fourbar::Error;
use fourbar::analysis::{Modes, OperatingPoint};
use fourbar::linalg::text::{Brief, printable};
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
        Some(stability) => format!("linearized at the static equilibrium at t = {time} s, which is {stability}"),
        None => format!("linearized at the state at t = {time} s"),
    }
}

/// Whether the motion through the state is steady, for a machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Motion {
    steady: bool,
    drift: f64,
}

impl Motion {
    pub(super) fn of(linearization: &Linearization) -> Self {
        Self { steady: linearization.steady, drift: linearization.drift }
    }

    /// Of several states the least steady one.
    pub(super) fn or(self, other: Option<Self>) -> Self {
        other.filter(|other| other.drift > self.drift).unwrap_or(self)
    }

    /// Adds `steady` and `drift`; no value for one that is not finite.
    pub(super) fn add_to(self, object: &mut serde_json::Value) {
        object["steady"] = json!(self.steady);
        object["drift"] = json!(Some(self.drift).filter(|drift| drift.is_finite()));
    }
}

/// Says what a person should know of the linear system, on standard error.
pub(super) fn warn(point: &mut OperatingPoint, linearization: &Linearization) -> Result<(), Error> {
    let warnings = point.warnings(linearization)?;
    warnings.iter().for_each(|warning| say!("fourbar: {}", printable(warning)));
    Ok(())
}

/// A row for each mode; its shape as amplitude and phase of each body, or as real and imaginary parts in JSON.
pub(super) fn modes(name: &str, point: &mut OperatingPoint, as_json: bool) -> Result<String, Error> {
    let linearization = point.linearize()?;
    warn(point, &linearization)?;
    let modes = Modes::new(point, &linearization)?;
    let ratio = modes.stiffness_ratio;
    say!(
        "{} of freedom; stiffness ratio {}: {}",
        count(linearization.coordinates.len()),
        ratio.map_or("none".to_owned(), |ratio| format!("{:.3}", Brief(ratio))),
        modes.advice().integrators()
    );
    let places = || modes.bodies.iter().enumerate().filter(|(k, _)| modes.is_place(*k));
    if as_json {
        let parts = |way: &Complex<f64>| [way.re, way.im];
        let mode = |mode: &fourbar::analysis::Mode| {
            json!({
                "eigenvalue": parts(&mode.eigenvalue),
                "frequency": mode.frequency(),
                "damping": Some(mode.damping()).filter(|damping| damping.is_finite()),
                "shape": places().map(|(k, _)| mode.shape[k].each_ref().map(parts)).collect::<Vec<_>>(),
                "modal": modes.modal.iter().map(|(_, [body, at])| parts(&mode.shape[*body][*at])).collect::<Vec<_>>(),
            })
        };
        let all: Vec<_> = modes.modes.iter().map(mode).collect();
        let mut object = json!({
            "model": name,
            "time": point.time(),
            "bodies": places().map(|(_, name)| name).collect::<Vec<_>>(),
            "modal": modes.modal.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "modes": all,
            "stiffness_ratio": ratio,
            "integrator": modes.advice().integrators(),
        });
        Motion::of(&linearization).add_to(&mut object);
        return Ok(format!("{object}\n"));
    }
    let mut columns = ["re [1/s]", "im [1/s]", "frequency [Hz]", "damping"].map(str::to_owned).to_vec();
    for (_, body) in places() {
        columns.extend(WAYS.iter().flat_map(|way| [format!("{body} {way}"), format!("{body} {way} phase [deg]")]));
    }
    let modal = modes.modal.iter().flat_map(|(name, _)| [format!("{name} [m]"), format!("{name} phase [deg]")]);
    columns.extend(modal);
    let row = |mode: &fourbar::analysis::Mode| {
        let modal = modes.modal.iter().map(|(_, [body, at])| &mode.shape[*body][*at]);
        let ways = places().flat_map(|(k, _)| &mode.shape[k]).chain(modal);
        let shape = ways.flat_map(|way| [way.norm(), way.arg().to_degrees()]);
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
    warn(point, &linearization)?;
    let (stiffness, damping) = (linearization.stiffness(), linearization.damping());
    let Linearization { a, b, c, d, mass, .. } = &linearization;
    let all = [("M", mass), ("C_damping", &damping), ("K", &stiffness), ("A", a), ("B", b), ("C", c), ("D", d)];
    let states = linearization.a.nrows();
    let coordinates: Vec<String> = (0..states).map(|k| point.deviation(&linearization, k)).collect();
    if !as_json {
        let mechanism = point.mechanism();
        let inputs: Vec<_> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
        let outputs: Vec<_> = mechanism.measures().iter().map(|measure| measure.name.as_str()).collect();
        let states: Vec<_> = coordinates.iter().map(String::as_str).collect();
        let ways = &states[..linearization.coordinates.len()];
        let names = [[ways, ways]; 3].into_iter().chain(
            [[&states, &states], [&states, &inputs], [&outputs, &states], [&outputs, &inputs]]
                .map(|[rows, columns]: [&Vec<&str>; 2]| [rows.as_slice(), columns.as_slice()]),
        );
        return Ok(named_entries(&all.into_iter().zip(names).collect::<Vec<_>>()));
    }
    let names = |all: &mut dyn Iterator<Item = &String>| all.cloned().collect::<Vec<_>>();
    let mut object = json!({
        "model": name,
        "time": point.time(),
        "coordinates": coordinates[..linearization.coordinates.len()],
        "states": linearization.states.iter().map(|&k| &point.mechanism().user_states()[k].name).collect::<Vec<_>>(),
        "inputs": names(&mut point.mechanism().inputs().iter().map(|input| &input.name)),
        "outputs": names(&mut point.mechanism().measures().iter().map(|measure| &measure.name)),
    });
    Motion::of(&linearization).add_to(&mut object);
    for (name, matrix) in all {
        object[name] = json!(rows(matrix));
    }
    Ok(format!("{object}\n"))
}
