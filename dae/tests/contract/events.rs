//! Root functions.

use super::{methods, try_begin};
use crate::support::ode::Closures;
use crate::support::{Equations, Rooted, STATE, System};
use fourbar_dae::integrator::Method;
use fourbar_dae::integrator::{Direction, Integrator, Stop};
use num_dual::DualNum;

/// y1 = cos t, y2 = -sin t.
struct Circle;

impl Equations for Circle {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        r[0] = yp[0] - y[1];
        r[1] = yp[1] + y[0];
    }
}

/// A circle with the root function y1 - 1/2.
pub(super) fn half(method: &Method, end: f64) -> Box<dyn Integrator> {
    let roots = |_: f64, y: &[f64], out: &mut [f64]| out[0] = y[0] - 0.5;
    let dae = Rooted { system: System::new(vec![STATE; 2], Circle), count: 1, roots };
    let f = |_: f64, y: &[f64], yp: &mut [f64]| {
        yp.copy_from_slice(&[y[1], -y[0]]);
        Ok(())
    };
    let ode = Closures { unknowns: [STATE; 2], f, roots, root_count: 1 };
    try_begin(method, dae, ode, [&[1.0, 0.0], &[0.0, -1.0]], end).expect("a start")
}

/// Where the function is zero on the dense output to round-off, in turn from both sides, and none is missed.
#[test]
fn events_are_met_where_the_function_changes_its_sign() {
    for method in methods() {
        let name = method.name();
        let mut run = half(&method, 20.0);
        let third = std::f64::consts::FRAC_PI_3;
        let turn = std::f64::consts::TAU;
        let exact =
            (0..).flat_map(|k| [third, turn - third].map(|t| t + turn * f64::from(k))).take_while(|t| *t < 20.0);
        let mut directions = [Direction::Falling, Direction::Rising].into_iter().cycle();
        for exact in exact {
            while run.step().expect("step") != Stop::Event {
                assert!(run.time() < 20.0, "{name}: the event at {exact} was missed");
            }
            assert!((run.time() - exact).abs() < 1e-3, "{name}: {} instead of {exact}", run.time());
            assert!((run.state()[0] - 0.5).abs() < 1e-14, "{name}: {}", run.state()[0]);
            let [event] = run.events() else { panic!("{name}: {:?}", run.events()) };
            assert_eq!((event.index, event.direction), (0, directions.next().expect("endless")), "{name}");
        }
        while run.step().expect("step") != Stop::EndTime {}
        assert!(run.events().is_empty() && run.time() == 20.0, "{name}");
    }
}

/// What follows an event without a restart is what would have followed without it, and one with a restart begins there.
#[test]
fn a_run_goes_on_behind_events() {
    for method in methods() {
        let name = method.name();
        let mut run = half(&method, 10.0);
        while run.step().expect("step") != Stop::Event {}
        let (t, y, yp) = (run.time(), run.state().to_vec(), run.derivative().to_vec());
        run.restart(t, &y, &yp).expect("restart");
        assert!(run.events().is_empty(), "{name}");
        // The root that ended the run does not end it again.
        while run.step().expect("step") != Stop::Event {}
        assert!(run.time() > t + 1.0, "{name}: {} behind {t}", run.time());
    }
}
