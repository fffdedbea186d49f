//! One instance by itself: what it describes, steps, saved states; the same in a process of its own.

use fourbar_coupling::partner::{Library, LibraryOptions, Process};
use fourbar_coupling::{Capabilities, Causality, Failure, Signal, Simulator, Snapshot};

use crate::library::compile::{cylinder, hosted, troubled};

/// The library in this process and in another.
fn both(path: &std::path::Path) -> [Box<dyn Simulator>; 2] {
    let options = LibraryOptions { start: 2.0, ..LibraryOptions::default() };
    [Box::new(Library::open(path, &options).unwrap()), Box::new(Process::open(path, &options, &hosted()).unwrap())]
}

fn output(simulator: &mut dyn Simulator) -> f64 {
    let mut values = [f64::NAN];
    simulator.outputs(&mut values).unwrap();
    values[0]
}

#[test]
fn the_description_is_that_of_the_source() {
    let Some(path) = cylinder() else { return };
    for simulator in both(&path) {
        let description = simulator.describe();
        let names: Vec<&str> = description.variables.iter().map(|variable| variable.name.as_str()).collect();
        assert_eq!(names, ["position", "velocity", "force", "pressure_a", "pressure_b"]);
        let force = &description.variables[2];
        assert_eq!((force.unit.as_str(), force.causality, force.nominal), ("N", Causality::Output, 1e6));
        assert_eq!(force.feedthrough, ["velocity"]);
        assert_eq!(description.variables[0].start, 0.2);
        assert_eq!(
            (description.solver_step, description.capabilities),
            (Some(2.5e-5), Capabilities::FULL.written(true))
        );
    }
}

#[test]
fn inputs_are_polynomials_and_states_are_returned_to() {
    let Some(path) = troubled(&[]) else { return };
    for mut simulator in both(&path) {
        assert_eq!(output(&mut *simulator), 1.0);
        simulator.set_inputs(&[Signal { value: 3.0, first: -4.0, second: 12.0 }]).unwrap();
        assert_eq!(simulator.step(2.0, 0.5).unwrap(), 2.5);
        // 1 + the integral of 3 - 4 s + 6 s^2 from 0 to 1/2.
        let there = output(&mut *simulator);
        assert!((there - 2.25).abs() < 1e-15, "{there}");
        let mut snapshot = Snapshot::new();
        simulator.save(&mut snapshot).unwrap();
        simulator.set_inputs(&[Signal::held(1e3)]).unwrap();
        simulator.step(2.5, 0.5).unwrap();
        assert!(output(&mut *simulator) > 500.0);
        simulator.restore(&snapshot).unwrap();
        assert_eq!(output(&mut *simulator), there);
    }
}

#[test]
fn what_the_library_cannot_do_is_not_asked_of_it() {
    let Some(path) = troubled(&["-DCAPABILITIES=0"]) else { return };
    for mut simulator in both(&path) {
        assert!(!simulator.describe().capabilities.rollback);
        assert!(matches!(simulator.save(&mut Snapshot::new()), Err(Failure::Unsupported(_))));
        assert!(matches!(simulator.restore(&Snapshot::new()), Err(Failure::Unsupported(_))));
        assert!(matches!(simulator.output_derivatives(&mut [0.0]), Err(Failure::Unsupported(_))));
    }
    let Some(path) = troubled(&["-DGREEDY"]) else { return };
    for mut simulator in both(&path) {
        let failure = simulator.save(&mut Snapshot::new()).unwrap_err();
        assert!(failure.to_string().contains("asks for more room each time"), "{failure}");
        assert!(simulator.restore(&Snapshot::new()).is_err());
    }
}
