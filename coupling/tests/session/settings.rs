//! R9 to R11: settings are checked at the door and refused at their fields.

use fourbar_coupling::application::{CommandError, Session, SessionState, Settings};
use fourbar_coupling::management::{Level, Pacing, Port};
use fourbar_coupling::{Adaptive, Algorithm, Connection, Order};

use crate::session::machine::{partners, reaches, session, settings};

fn refused(session: &Session, change: impl FnOnce(&mut Settings)) -> Vec<(String, String)> {
    let mut changed = session.settings();
    change(&mut changed);
    match session.configure(changed) {
        Err(CommandError::Settings(refusals)) => {
            refusals.into_iter().map(|refusal| (refusal.field.to_string(), refusal.message)).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_field_is_refused_by_its_name_and_all_at_once() {
    let session = session(1.0, 0.1);
    let before = session.settings();
    let refusals = refused(&session, |settings| {
        settings.options.step = -1.0;
        settings.options.end = f64::NAN;
        settings.options.pacing = Some(Pacing { real_time_factor: 0.0 });
        settings.options.algorithm = Algorithm::Iterated {
            order: Order::Linear,
            sequence: vec![],
            acceleration: fourbar_coupling::Acceleration::Broyden,
            tolerance: 0.0,
            max_sweeps: 0,
        };
        settings.connections = vec![
            Connection::new("pump.rat", "tank.rate"),
            Connection::new("pump.rate", "tonk.rate"),
            Connection::new("pump.rate", "tank.rate").gain(0.0),
            Connection::new("tank.volume", "tank.rate"),
        ];
    });
    let fields: Vec<&str> = refusals.iter().map(|(field, _)| field.as_str()).collect();
    let expected = ["step", "end", "tolerance", "max_sweeps", "real_time_factor"];
    let connections = ["connections.0.from", "connections.1.to", "connections.2.gain", "connections.3.to"];
    assert_eq!(fields, [expected.as_slice(), connections.as_slice()].concat());
    assert!(refusals[5].1.contains("did you mean \"rate\"?"), "{}", refusals[5].1);
    assert!(refusals[8].1.contains("cannot become"), "{}", refusals[8].1);
    // What is refused changes nothing.
    assert_eq!(session.settings(), before);
}

#[test]
fn what_only_the_set_up_shows_is_refused_at_its_field_too() {
    let session = session(1.0, 0.1);
    let field = |change: fn(&mut Settings)| refused(&session, change).remove(0).0;
    assert_eq!(field(|settings| settings.options.step = 0.3), "end");
    assert_eq!(field(|settings| settings.options.faults.sampling = Level::Warn), "faults");
    let order = Order::Hold;
    assert_eq!(
        field(|settings| {
            let sequence = vec!["pump".into(), "tunk".into()];
            settings.options.algorithm = Algorithm::GaussSeidel { order: Order::Hold, sequence };
        }),
        "sequence"
    );
    assert_eq!(
        field(|settings| {
            let adaptive = Adaptive { tolerance: 1e-3, first: 1.0, shortest: 1e-3, rollback: true };
            settings.options.adaptive = Some(adaptive);
        }),
        "adaptive"
    );
    assert_eq!(
        field(|settings| {
            let port = Port { name: "p".into(), effort: "pump.rate".into(), flow: "tank.volume".into() };
            settings.options.ports = vec![port];
        }),
        "ports"
    );
    assert!(session.configure(settings(1.0, 0.2)).is_ok());
    assert_eq!(session.settings().options.algorithm, Algorithm::Jacobi { order });
}

#[test]
fn settings_changed_while_a_run_goes_on_hold_from_the_next_one() {
    let session = session(f64::INFINITY, 1e-3);
    session.start().unwrap();
    session.configure(settings(1.0, 0.125)).unwrap();
    assert_ne!(session.begun(), Some(session.settings()));
    assert_eq!(session.inspect(|master| master.clock().tick()), Ok(Some(1e-3)));
    session.stop().unwrap();
    session.start().unwrap();
    assert!(reaches(&session, SessionState::Finished));
    assert_eq!((session.status().statistics.steps, session.begun()), (8, Some(session.settings())));
}

#[test]
fn a_session_opens_with_settings_that_do_not_hold_and_says_so_at_the_start() {
    let session = Session::open(|| partners(1.0), settings(1.0, 0.3)).unwrap();
    assert!(matches!(session.start(), Err(CommandError::Settings(refusals)) if refusals.len() == 1));
    assert_eq!(session.status().state, SessionState::Idle);
    session.configure(settings(0.9, 0.3)).unwrap();
    session.start().unwrap();
    assert!(reaches(&session, SessionState::Finished));
}

#[test]
fn twice_fed_inputs_are_refused_at_the_second_connection() {
    let session = session(1.0, 0.1);
    let refusals = refused(&session, |settings| settings.connections.push(Connection::new("pump.rate", "tank.rate")));
    assert_eq!((refusals.len(), refusals[0].0.as_str()), (1, "connections.1.to"));
}
