mod support;
use fourbar_multibody::integrator::*;
use support::pendulum::*;
#[test]
fn t() {
    for tol in [1e-8, 1e-9, 1e-10] {
    for order_max in [4usize, 5, 6] { for (fraction, age) in [(0.05, 20), (0.005, 20), (0.05, 1)] {
    for index in [Index::Stabilized] {
        let system = Pendulum::system(index, Pendulum::GRAVITY_OF_PERIOD_2);
        let (y, yp) = system.equations.rest();
        let m = Gstiff { order_max, newton: NewtonOptions { fraction, matrix_age: age, ..Default::default() }, ..Gstiff::with_tolerance(tol) };
        let mut run = m.start(system, 0.0, &y, &yp, 100.0).expect("start");
        while run.step().expect("step") != Stop::EndTime {}
        let s = run.statistics();
        println!("{index:?} {tol:e} ord {order_max} NF {fraction} age {age}: energy {:e} phase {:e} steps {} / {} res {} fac {} {:?}", run.state()[1] + (run.state()[2].powi(2)+run.state()[3].powi(2))/2.0/13.75, -run.state()[3]/13.75, s.steps, s.rejected_by_error, s.residual_evaluations, s.factorizations.total(), s.orders);
    }}}}
}
