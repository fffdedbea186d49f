//! Case F has no damping: all energy it gains or loses is the coupling's, and the port says how much.

use fourbar_coupling::{Options, management::Port};

use crate::oscillator::system::{Oscillator, reference, scheme, state};

/// Energy after 10 s over that at the start, and the residual of the port over the same time.
fn drift(name: &str, h: f64) -> (f64, f64) {
    let oscillator = Oscillator::of(&reference()["F undamped"]);
    let mut options = Options::new(10.0, h, scheme(name));
    options.ports.push(Port { name: "spring".into(), effort: "s1.F".into(), flow: "s2.v2".into() });
    let start = oscillator.start(h);
    let mut master = oscillator.master(&start, &options);
    master.run(&mut ()).unwrap();
    let energy = master.port("spring").unwrap();
    assert!(energy.absolute_residual >= energy.residual.abs());
    (oscillator.energy(&state(&master)) - oscillator.energy(&start[0]), energy.residual)
}

#[test]
fn the_port_accounts_for_the_energy_drift() {
    // Where the coupling error is of even order its leading part does no net work on an undamped oscillation: of what is left, the
    // port sees all but the error of its own cubics.
    for (name, tolerance) in [
        ("jacobi_0", 0.01),
        ("gs_S1first_0", 0.015),
        ("jacobi_1", 0.1),
        ("gs_S1first_1", 0.12),
        ("gs_S2first_1", 0.05),
        ("jacobi_2", 0.01),
        ("gs_S2first_2", 0.1),
    ] {
        let (drift, residual) = drift(name, 0.001);
        println!("{name}: drift {drift:.4e} J, residual {residual:.4e} J");
        assert!((residual / drift - 1.0).abs() < tolerance, "{name}: drift {drift:e} J, residual {residual:e} J");
    }
}
