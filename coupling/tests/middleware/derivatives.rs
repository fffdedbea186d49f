//! Derivatives of outputs, where a partner knows them, replace communication points of the past.

use fourbar_coupling::partner::Ode;
use fourbar_coupling::{
    Algorithm, Capabilities, Connection, Description, Failure, Master, Options, Order, Partner, Signal, Simulator,
    Variable,
};

/// y = sin t in mm, and its derivative if it is to be known.
struct Sine {
    t: f64,
    knows: bool,
}

impl Simulator for Sine {
    fn describe(&self) -> Description {
        let capabilities = Capabilities::PLAIN.output_derivatives(self.knows);
        Description { variables: vec![Variable::output("y", "mm")], solver_step: None, capabilities }
    }
    fn set_inputs(&mut self, _: &[Signal]) -> Result<(), Failure> {
        Ok(())
    }
    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.t = t + h;
        Ok(self.t)
    }
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        values[0] = 1000.0 * self.t.sin();
        Ok(())
    }
    fn output_derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Failure> {
        derivatives[0] = 1000.0 * self.t.cos();
        Ok(())
    }
}

/// The integral of y in m over 0..end.
fn integral(knows: bool, order: Order, h: f64, end: f64) -> f64 {
    let integral = Ode::new([0.0], |_, _: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = u[0])
        .input(Variable::input("u", "m"))
        .output(Variable::output("x", "m*s"), |_, x, _| x[0]);
    let partners = vec![Partner::new("sine", Sine { t: 0.0, knows }), Partner::new("integral", integral)];
    let connections = [Connection::new("sine.y", "integral.u")];
    let mut master = Master::new(partners, &connections, &Options::new(end, h, Algorithm::Jacobi { order })).unwrap();
    master.run(&mut ()).unwrap();
    master.output("integral.x").unwrap()
}

#[test]
fn the_first_step_has_its_order_already() {
    // sin 0 = 0 held, or the tangent s: 0 or h^2/2.
    assert_eq!(integral(false, Order::Linear, 0.1, 0.1), 0.0);
    assert!((integral(true, Order::Linear, 0.1, 0.1) - 0.005).abs() < 1e-16);
}

#[test]
fn orders_with_derivatives() {
    for (order, p) in [(Order::Linear, 2.0), (Order::Quadratic, 3.0)] {
        let error = |h: f64| (integral(true, order, h, 2.0) - (1.0 - 2f64.cos())).abs();
        let observed = (error(0.02) / error(0.01)).log2();
        assert!((observed - p).abs() < 0.1, "{order:?}: {observed}");
    }
}
