//! Start, pause, step, stop, steer: what each does, and when it is refused.

use std::time::Duration;

use fourbar_coupling::application::{CommandError, Session, SessionState, Settings};
use fourbar_coupling::management::Pacing;
use fourbar_coupling::partner::Ode;
use fourbar_coupling::{Algorithm, Options, Partner, Variable};

use crate::middleware::parameters::{Ramp, options};
use crate::session::machine::{PATIENCE, partners, reaches, session, settings};

#[test]
fn a_run_goes_from_idle_to_finished_and_can_be_repeated() {
    let session = session(10.0, 0.125);
    assert_eq!(session.status().state, SessionState::Idle);
    for run in 1..=2 {
        session.start().unwrap();
        assert!(reaches(&session, SessionState::Finished));
        let status = session.status();
        assert_eq!((status.run, status.time, status.end, status.statistics.steps), (run, 10.0, 10.0, 80));
        assert_eq!(session.inspect(|master| master.output("tank.volume").unwrap()), Ok(Some(21.0)));
    }
}

#[test]
fn single_steps_lead_to_the_same_values_as_a_run() {
    let session = session(1.0, 0.25);
    for k in 1..=4 {
        session.step().unwrap();
        assert!(session.wait(PATIENCE, |status| status.time == 0.25 * f64::from(k)));
        let rests = if k < 4 { SessionState::Paused } else { SessionState::Finished };
        assert!(reaches(&session, rests));
        assert_eq!(session.inspect(|master| master.output("tank.volume").unwrap()), Ok(Some(1.0 + 0.5 * f64::from(k))));
    }
}

#[test]
fn single_steps_asked_for_while_one_is_under_way_are_all_made() {
    // Each takes a while, and nobody waits for it.
    let slow = || {
        let slow = Ode::new([0.0], |_, _, _, dx| {
            std::thread::sleep(Duration::from_millis(2));
            dx[0] = 1.0;
        });
        Ok(vec![Partner::new("slow", slow.output(Variable::output("y", ""), |_, x, _| x[0]))])
    };
    let options = Options::new(10.0, 0.5, Algorithm::JacobiDelayed);
    let session = Session::open(slow, Settings { options, connections: vec![] }).unwrap();
    for _ in 0..5 {
        session.step().unwrap();
    }
    assert!(session.wait(PATIENCE, |status| status.time == 2.5 && status.state == SessionState::Paused));
    assert_eq!((session.status().run, session.status().statistics.steps), (1, 5));
}

#[test]
fn a_run_without_end_is_paused_resumed_and_stopped() {
    let session = session(f64::INFINITY, 1e-3);
    session.start().unwrap();
    assert!(session.wait(PATIENCE, |status| status.statistics.steps > 100));
    session.pause().unwrap();
    let rest = session.status();
    assert_eq!((rest.state, rest.speed), (SessionState::Paused, 0.0));
    std::thread::sleep(Duration::from_millis(30));
    assert_eq!(session.status(), rest);
    session.start().unwrap();
    assert!(session.wait(PATIENCE, |status| status.time > rest.time));
    session.stop().unwrap();
    assert_eq!(session.status().state, SessionState::Stopped);
    assert!(session.record().1.present().0 >= rest.time);
}

#[test]
fn a_parameter_is_set_in_the_run_under_way() {
    let ramp = || Ok(vec![Partner::new("ramp", Ramp::new())]);
    let session = Session::open(ramp, Settings { options: options(), connections: vec![] }).unwrap();
    assert_eq!(session.parameters().unwrap()[0].name, "ramp.rate");
    assert!(matches!(session.set_parameter("ramp.rate", 3.0), Err(CommandError::NotNow { .. })));
    session.step().unwrap();
    assert!(reaches(&session, SessionState::Paused));
    session.set_parameter("ramp.rate", 3.0).unwrap();
    let refused = session.set_parameter("ramp.length", 3.0).unwrap_err();
    assert!(matches!(refused, CommandError::Parameter(_)) && refused.to_string().contains("fixed"), "{refused}");
    assert_eq!(session.parameters().unwrap()[0].value, 3.0);
    session.step().unwrap();
    assert!(session.wait(PATIENCE, |status| status.time == 1.0));
    assert_eq!(session.inspect(|master| master.output("ramp.y").unwrap()), Ok(Some(2.0)));
}

#[test]
fn commands_out_of_place_are_refused_with_the_state() {
    let session = session(f64::INFINITY, 1e-3);
    let refused = |result: Result<(), CommandError>, text: &str| assert_eq!(result.unwrap_err().to_string(), text);
    refused(session.pause(), "there is nothing to pause while the session is idle");
    refused(session.stop(), "there is nothing to stop while the session is idle");
    session.start().unwrap();
    refused(session.start(), "there is nothing to start while the session is running");
    refused(session.step(), "there is nothing to step while the session is running");
}

#[test]
fn free_inputs_are_steered_while_the_run_goes_on() {
    let session = session(2.0, 0.5);
    session.set_input("pump.valve", 3.0).unwrap();
    session.step().unwrap();
    assert!(session.wait(PATIENCE, |status| status.time == 0.5 && status.state == SessionState::Paused));
    session.set_input("pump.valve", 0.0).unwrap();
    session.start().unwrap();
    assert!(reaches(&session, SessionState::Finished));
    // A rate of 6 over the first step, and held over the second, at whose end the pump has stepped with its valve closed.
    assert_eq!(session.inspect(|master| master.output("tank.volume").unwrap()), Ok(Some(1.0 + 3.0 + 3.0)));
    let text = |result: Result<(), CommandError>| result.unwrap_err().to_string();
    assert!(text(session.set_input("tank.rate", 1.0)).contains("is fed by a connection"));
    assert!(text(session.set_input("pump.valv", 1.0)).contains("no input \"pump.valv\""));
    assert!(text(session.set_input("pump.valve", f64::NAN)).contains("write a finite number"));
}

#[test]
fn a_pause_is_no_overrun_of_the_wall_clock() {
    let mut given = settings(f64::INFINITY, 0.02);
    given.options.pacing = Some(Pacing { real_time_factor: 1.0 });
    let session = Session::open(|| partners(1.0), given).unwrap();
    session.start().unwrap();
    assert!(session.wait(PATIENCE, |status| status.time >= 0.1));
    session.pause().unwrap();
    let before = session.status().pacing.unwrap();
    let pause = Duration::from_secs(2);
    std::thread::sleep(pause);
    let time = session.status().time;
    session.start().unwrap();
    assert!(session.wait(PATIENCE, |status| status.time >= time + 0.1 && status.pacing.is_some()));
    session.stop().unwrap();
    assert!(session.status().pacing.unwrap().latest < before.latest + pause, "{before:?}");
}

#[test]
fn a_fault_ends_the_run_and_the_next_one_can_begin() {
    let session = session(10.0, 0.1);
    session.set_input("pump.valve", -1.0).unwrap();
    session.start().unwrap();
    assert!(reaches(&session, SessionState::Failed));
    let (status, record) = session.record();
    let text = status.failure.unwrap();
    assert!(text.contains("output \"root\" of \"tank\" is NaN"), "{text}");
    // R39: the application layer knows what was done about it, and what was good stands.
    let [incident] = record.incidents() else { panic!("{:?}", record.incidents()) };
    assert_eq!((incident.partner.as_deref(), incident.message.as_str()), (Some("tank"), text.as_str()));
    assert_eq!((incident.level.to_string().as_str(), incident.handling.to_string().as_str()), ("stop", "the run ends"));
    assert_eq!(record.times().len() as u64, status.statistics.steps + 1);
    assert!((incident.time - status.time - 0.1).abs() < 1e-12);
    session.set_input("pump.valve", 1.0).unwrap();
    session.start().unwrap();
    assert!(reaches(&session, SessionState::Finished));
    assert!(session.status().failure.is_none() && session.record().1.incidents().is_empty());
}

#[test]
fn a_partner_that_panics_ends_the_run_and_not_the_session() {
    let bomb = || {
        let rate = |t: f64, _: &[f64], _: &[f64], dx: &mut [f64]| {
            if t > 0.45 {
                std::panic::resume_unwind(Box::new("a bug of the partner"));
            }
            dx[0] = 1.0;
        };
        let bomb = Ode::new([0.0], rate).output(Variable::output("y", "m"), |_, x, _| x[0]);
        Ok(vec![Partner::new("bomb", bomb)])
    };
    let given = Settings { options: Options::new(1.0, 0.1, Algorithm::JacobiDelayed), connections: vec![] };
    let session = Session::open(bomb, given).unwrap();
    for _ in 0..2 {
        session.start().unwrap();
        assert!(reaches(&session, SessionState::Failed));
        assert!(session.status().failure.unwrap().contains("a partner panicked: a bug of the partner"));
        assert_eq!(session.record().1.times().len(), 5);
    }
}
