//! A small machine under an operator's hands: a tank that is filled by a pump.

use std::time::Duration;

use fourbar_coupling::application::{Problem, Session, SessionState, Settings};
use fourbar_coupling::partner::Ode;
use fourbar_coupling::{Algorithm, Connection, Options, Order, Partner, Variable};

/// Enough for any machine that is busy with other tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// pump.rate = 2 valve; tank: volume' = rate, 1/volume as an output without a value at volume 0, which is where it starts if `empty`.
pub(crate) fn partners(start: f64) -> Result<Vec<Partner>, Problem> {
    let pump = Ode::new([], |_, _: &[f64], _: &[f64], _: &mut [f64]| {})
        .input(Variable::input("valve", "").start(1.0))
        .output(Variable::output("rate", "m^3/s").depends_on(&["valve"]), |_, _, u| 2.0 * u[0]);
    let tank = Ode::new([start], |_, _: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = u[0])
        .input(Variable::input("rate", "m^3/s"))
        .output(Variable::output("volume", "m^3"), |_, x, _| x[0])
        .output(Variable::output("root", ""), |_, x, _| x[0].sqrt());
    Ok(vec![Partner::new("pump", pump), Partner::new("tank", tank)])
}

pub(crate) fn settings(end: f64, step: f64) -> Settings {
    Settings {
        options: Options::new(end, step, Algorithm::Jacobi { order: Order::Hold }),
        connections: vec![Connection::new("pump.rate", "tank.rate")],
    }
}

pub(crate) fn session(end: f64, step: f64) -> Session {
    Session::open(|| partners(1.0), settings(end, step)).unwrap()
}

pub(crate) fn reaches(session: &Session, state: SessionState) -> bool {
    session.wait(PATIENCE, |status| status.state == state)
}
