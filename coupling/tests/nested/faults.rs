//! What goes wrong inside is told outside under the name "outer.inner".

use super::{H, jacobi, nest, options};
use crate::middleware::partners::{Integrator, Trouble, Witness};
use fourbar_coupling::management::Handling;
use fourbar_coupling::{Error, FaultPolicy, Level, Master, Options, Partner};

fn master(trouble: Trouble, faults: FaultPolicy) -> Master {
    let sick = Partner::new("sick", Integrator::new(trouble, 5.5 * H, 1));
    let within = nest("in", vec![sick], &[], &Options { faults, ..options(jacobi()) });
    let around = nest("around", vec![within], &[], &options(jacobi()));
    Master::new(vec![around], &[], &options(jacobi())).unwrap()
}

#[test]
fn what_stops_inside_stops_outside() {
    for trouble in [Trouble::Error, Trouble::NotANumber, Trouble::WrongTime] {
        let mut heard = Witness::default();
        let error = master(trouble, FaultPolicy::default()).run(&mut heard).unwrap_err();
        let Error::Stopped(fault) = &error else { panic!("{error}") };
        assert_eq!(fault.partner(), Some("around.in.sick"), "{error}");
        assert!((fault.time() - 6.0 * H).abs() < 1.01 * H, "{error}");
        assert!(error.to_string().contains("around.in.sick"), "{error}");
    }
}

#[test]
fn what_is_held_inside_is_heard_outside() {
    let mut heard = Witness::default();
    let mut master = master(Trouble::Error, FaultPolicy { communication: Level::Hold, ..FaultPolicy::default() });
    (0..10).for_each(|_| assert!(master.step(&mut heard).is_ok()));
    let held: Vec<_> = heard.faults.iter().filter(|(_, _, handling)| *handling == Handling::Held).collect();
    let [(words, Level::Hold, _)] = held.as_slice() else { panic!("{:?}", heard.faults) };
    assert!(words.contains("\"around.in.sick\" failed while stepping"), "{words}");
    assert!(master.statistics().faults >= 1);
}
