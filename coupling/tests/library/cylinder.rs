//! R47 to R49: the axes of the press as C++ in a shared library, in the loop with its beam: the results of the same equations in Rust.

use std::path::Path;

use fourbar_coupling::management::View;
use fourbar_coupling::partner::{Library, LibraryOptions, Process};
use fourbar_coupling::{Algorithm, Connection, Master, Observer, Options, Order, Partner, Proceed, Simulator};

use crate::library::axis::{Axis, STATES};
use crate::library::compile::{cylinder, hosted};
use crate::library::machine::Machine;

/// The parameters of an axis and its initial state, by the names of the library.
fn parameters(axis: &Axis, initial: &[f64]) -> Vec<(String, f64)> {
    let [volume, inertance, resistance] = axis.pipe;
    let named = [
        ("area_a", axis.area[0]),
        ("area_b", axis.area[1]),
        ("stroke", axis.stroke),
        ("dead_a", axis.dead[0]),
        ("dead_b", axis.dead[1]),
        ("bulk_modulus_max", axis.e_max),
        ("supply_pressure", axis.p_supply),
        ("valve_area", axis.valve),
        ("valve_frequency", axis.omega),
        ("valve_damping", axis.zeta),
        ("leakage", axis.leak),
        ("relief_pressure", axis.relief),
        ("relief_slope", axis.k_relief),
        ("line_volume", volume),
        ("line_inertance", inertance),
        ("line_resistance", resistance),
        ("coulomb", axis.coulomb),
        ("viscous", axis.viscous),
        ("gain", axis.gain),
        ("initial_spool", initial[0]),
        ("initial_spool_velocity", initial[1]),
        ("initial_valve_pressure", initial[2]),
        ("initial_flow", initial[3]),
        ("initial_pressure_a", initial[4]),
        ("initial_pressure_b", initial[5]),
    ];
    named.map(|(name, value)| (name.to_string(), value)).into()
}

/// The beam of the press in Rust with an instance of the library for each of its two axes.
fn with_library<S: Simulator + 'static>(open: impl Fn(&LibraryOptions) -> S) -> (Vec<Partner>, Vec<Connection>) {
    let press = Machine::Press;
    let initial = press.initial();
    let (mut partners, _) = press.partners();
    partners.truncate(1);
    let mut connections = Vec::new();
    for (k, axis) in press.axes().iter().enumerate() {
        let from = press.mechanics() + k * STATES;
        let name = format!("axis{}", k + 1);
        let parameters = parameters(axis, &initial[from..from + STATES]);
        partners.push(Partner::new(&name, open(&LibraryOptions { name: name.clone(), start: 0.0, parameters })));
        connections.push(Connection::new(format!("mech.x{}", k + 1), format!("{name}.position")));
        connections.push(Connection::new(format!("mech.v{}", k + 1), format!("{name}.velocity")));
        connections.push(Connection::new(format!("{name}.force"), format!("mech.F{}", k + 1)));
    }
    (partners, connections)
}

/// Rod positions and velocities at every communication point.
#[derive(Default)]
struct Rods(Vec<[f64; 4]>);

impl Observer for Rods {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        self.0.push(view.received(0).unwrap().values[..4].try_into().unwrap());
        Proceed::Continue
    }
}

fn rods((partners, connections): (Vec<Partner>, Vec<Connection>), options: &Options) -> Vec<[f64; 4]> {
    let mut master = Master::new(partners, &connections, options).unwrap();
    let mut rods = Rods::default();
    master.run(&mut rods).unwrap();
    rods.0
}

fn here(path: &Path) -> (Vec<Partner>, Vec<Connection>) {
    with_library(|options| Library::open(path, options).unwrap())
}

#[test]
fn the_library_has_the_results_of_rust() {
    let Some(path) = cylinder() else { return };
    for (h, algorithm) in [(5e-4, Algorithm::JacobiDelayed), (1e-3, Algorithm::Jacobi { order: Order::Quadratic })] {
        let options = Options::new(1.0, h, algorithm);
        let (rust, library) = (rods(Machine::Press.partners(), &options), rods(here(&path), &options));
        assert_eq!(rust.len(), library.len());
        for column in 0..4 {
            let scale = rust.iter().fold(0.0f64, |most, row| most.max(row[column].abs()));
            let apart = rust.iter().zip(&library).map(|(a, b)| (a[column] - b[column]).abs());
            let largest = apart.fold(0.0, f64::max);
            assert!(scale > 0.1 && largest < 1e-12 * scale, "column {column}: {largest:e} of {scale}");
        }
    }
}

#[test]
fn a_process_of_its_own_changes_no_bit() {
    let Some(path) = cylinder() else { return };
    for (h, algorithm) in
        [(1e-3, Algorithm::Jacobi { order: Order::Linear }), (5e-3, Algorithm::iterated(Order::Linear))]
    {
        let options = Options::new(0.25, h, algorithm);
        let apart = with_library(|options| Process::open(&path, options, &hosted()).unwrap());
        assert_eq!(rods(here(&path), &options), rods(apart, &options));
    }
}

/// Where each instance has a thread of its own, they step at the same time.
#[test]
fn threads_change_no_bit() {
    let Some(path) = cylinder() else { return };
    let options = Options::new(0.25, 1e-3, Algorithm::Jacobi { order: Order::Quadratic });
    let (partners, connections) = here(&path);
    let threaded = partners.into_iter().map(Partner::on_thread).collect();
    assert_eq!(rods((threaded, connections), &options), rods(here(&path), &options));
}
