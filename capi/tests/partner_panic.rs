//! A panic on the thread of a partner prints nothing: the run says that the partner is lost and what the panic said.

use std::process::Command;

use fourbar::coupling::{
    Algorithm, Capabilities, Description, Error, Failure, Fault, Master, Options, Order, Partner, Signal, Simulator,
    Variable,
};
use fourbar_capi::abi::status::fourbar_status;

/// Steps once, then panics.
struct Frail {
    steps: u32,
}

impl Simulator for Frail {
    fn describe(&self) -> Description {
        let variables = vec![Variable::output("y", "")];
        Description { variables, solver_step: None, capabilities: Capabilities::default() }
    }
    fn set_inputs(&mut self, _: &[Signal]) -> Result<(), Failure> {
        Ok(())
    }
    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.steps += 1;
        assert!(self.steps < 2, "provoked by a test");
        Ok(t + h)
    }
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        values.fill(1.0);
        Ok(())
    }
}

const CHILD: &str = "FOURBAR_TEST_PARTNER_PANICS";

/// In a process of its own, whose streams the test sees.
#[test]
fn nothing_is_printed() {
    if std::env::var_os(CHILD).is_some() {
        return panics();
    }
    let program = std::env::current_exe().unwrap();
    let child = Command::new(program)
        .args(["--exact", "partner_panic::nothing_is_printed", "--nocapture"])
        .env(CHILD, "1")
        .output();
    let child = child.unwrap();
    let printed = String::from_utf8_lossy(&child.stderr).into_owned() + &String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success(), "{printed}");
    assert!(!printed.contains("provoked"), "{printed}");
}

fn panics() {
    // A call into the library, which installs what keeps panics silent.
    // SAFETY: NULL is allowed.
    let status = unsafe {
        fourbar_capi::simulation::simulation::fourbar_simulation_new(
            std::ptr::null(),
            std::ptr::null(),
            std::ptr::null_mut(),
        )
    };
    assert_eq!(status, fourbar_status::FOURBAR_NULL);
    let options = Options::new(1.0, 0.1, Algorithm::Jacobi { order: Order::Hold });
    let partner = Partner::new("frail", Frail { steps: 0 }).on_thread();
    let mut master = Master::new(vec![partner], &[], &options).unwrap();
    let stopped = master.run(&mut ()).unwrap_err();
    let Error::Stopped(fault) = &stopped else { panic!("{stopped}") };
    assert!(matches!(&**fault, Fault::Lost { words, .. } if words == "provoked by a test"), "{fault}");
}
