//! The axes as a hydraulic circuit under the stiff integrator in place of the sheet's equations: the same errors of coupling.

use fourbar_coupling::partner::Stiff;
use fourbar_coupling::{Connection, Options, Partner};
use fourbar_dae::integrator::Gstiff;
use fourbar_hydraulics::Circuit;
use serde_json::{Value, json};

use crate::press::axis::{Axis, STATES};
use crate::press::machine::{Machine, file};
use crate::press::measure::measure_partners;
use crate::press::schemes::{compare, scheme};

/// The unknowns in the order of the sheet's states; axis k has k behind each name.
const ORDER: [&str; STATES] =
    ["valve.spool", "valve.spool_velocity", "port.pressure", "line.flow", "bottom.pressure", "top.pressure"];

fn numbered(name: &str, k: usize) -> String {
    match name.split_once('.') {
        Some((stem, rest)) => format!("{stem}{k}.{rest}"),
        None => format!("{name}{k}"),
    }
}

/// Nodes and components of axis k, whose rod starts at x.
fn axis(axis: &Axis, k: usize, x: f64, machine: Machine) -> (Vec<Value>, Vec<Value>) {
    let name = |name| numbered(name, k);
    let (r0, amplitude, omega) = if machine == Machine::Press { (0.2, 0.11, "pi") } else { (0.16, 0.06, "(2*pi)") };
    let command = format!(
        "{:?}*({r0} + {amplitude}*(1 - cos({omega}*time)) - rod{k}.position) + 0.6*{amplitude}*{omega}*sin({omega}*time)",
        axis.gain
    );
    let nodes = vec![
        json!({ "type": "pressure", "name": name("supply"), "pressure": axis.p_supply }),
        json!({ "type": "tank", "name": name("tank"), "pressure": 2e5 }),
        json!({ "type": "volume", "name": name("port"), "volume": axis.pipe[0] }),
        json!({ "type": "volume", "name": name("bottom") }),
        json!({ "type": "volume", "name": name("top") }),
    ];
    let components = vec![
        json!({ "type": "spool_valve", "name": name("valve"), "supply": name("supply"), "tank": name("tank"),
            "a": name("port"), "b": name("top"), "command": command, "frequency": axis.omega, "damping": axis.zeta,
            "area": axis.valve }),
        json!({ "type": "line", "name": name("line"), "from": name("port"), "to": name("bottom"),
            "inertance": axis.pipe[1], "resistance": axis.pipe[2] }),
        json!({ "type": "relief_valve", "name": name("relief"), "from": name("bottom"), "to": name("tank"),
            "pressure": axis.relief, "slope": axis.k_relief, "sense": "inlet" }),
        json!({ "type": "cylinder", "name": name("rod"), "a": name("bottom"), "b": name("top"), "area_a": axis.area[0],
            "area_b": axis.area[1], "stroke": axis.stroke, "dead_a": axis.dead[0], "dead_b": axis.dead[1],
            "leakage": axis.leak, "position": x,
            "friction": { "coulomb": axis.coulomb, "rounding": 0.02, "viscous": axis.viscous } }),
    ];
    (nodes, components)
}

/// The circuit of all axes of a machine and its start, the sheet's.
fn circuit(machine: Machine) -> (Circuit, Vec<f64>, Vec<f64>) {
    let values = &file("reference")[machine.name()]["values"][0];
    let (mut nodes, mut components) = (vec![], vec![]);
    for (k, data) in machine.axes().iter().enumerate() {
        let (more_nodes, more_components) = axis(data, k + 1, values[3 * k].as_f64().unwrap(), machine);
        nodes.extend(more_nodes);
        components.extend(more_components);
    }
    let e_max = machine.axes()[0].e_max;
    let model = json!({
        "fluid": { "density": 860, "bulk_modulus": { "type": "logarithmic", "maximum": e_max, "reference": 28e6 } },
        "node": nodes, "component": components,
    });
    let mut circuit = Circuit::compile(&serde_json::from_value(model).unwrap()).unwrap();
    let mut y = vec![0.0; STATES * machine.axes().len()];
    for (i, value) in machine.initial()[machine.mechanics()..].iter().enumerate() {
        y[circuit.output(&numbered(ORDER[i % STATES], i / STATES + 1)).unwrap()] = *value;
    }
    let start = circuit.complete(0.0, y).unwrap();
    (circuit, start.y, start.yp)
}

/// The sheet's mechanics with the circuit, and the place of F1 among its outputs.
fn partners(machine: Machine) -> (Vec<Partner>, Vec<Connection>, usize) {
    let (mut partners, _) = machine.partners();
    partners.truncate(1);
    let (circuit, y, yp) = circuit(machine);
    let force = circuit.output("rod1.force").unwrap();
    let stiff = Stiff::new(&Gstiff::with_tolerance(1e-9), circuit, 0.0, &y, &yp).unwrap();
    partners.push(Partner::new("hyd", stiff));
    let wires = (1..=machine.axes().len()).flat_map(|k| {
        [
            Connection::new(format!("mech.x{k}"), format!("hyd.rod{k}.position")),
            Connection::new(format!("mech.v{k}"), format!("hyd.rod{k}.velocity")),
            Connection::new(format!("hyd.rod{k}.force"), format!("mech.F{k}")),
        ]
    });
    (partners, wires.collect(), force)
}

#[test]
fn a_circuit_in_the_loop_has_the_errors_of_the_sheet() {
    for (machine, name, h) in [
        (Machine::Press, "patent (Jacobi ZOH, F sampled with old v)", "0.0005"),
        (Machine::Press, "Jacobi FOH", "0.001"),
        (Machine::Press, "GS hyd-first SOH", "0.001"),
        (Machine::Press, "iterated linear", "0.001"),
        (Machine::Arm, "Jacobi SOH", "0.002"),
        (Machine::Arm, "GS hyd-first FOH", "0.002"),
    ] {
        let (partners, connections, force) = partners(machine);
        let options = Options::new(machine.end(), h.parse().unwrap(), scheme(name));
        compare(machine, name, h, &measure_partners(machine, (partners, &connections, force), &options));
    }
}
