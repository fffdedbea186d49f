//! R12, R13: what watchers see while the run goes on, in bounded memory.

use fourbar_coupling::application::SessionState;

use crate::session::machine::{PATIENCE, reaches, session};

#[test]
fn each_look_gives_what_is_new_and_the_whole_is_the_run() {
    let session = session(1.0, 0.125);
    let mut watch = session.subscribe();
    let first = watch.look();
    assert!(first.replace && first.names.is_empty() && first.status.state == SessionState::Idle);
    let (mut times, mut volumes) = (Vec::new(), Vec::new());
    for k in 1..=8 {
        session.step().unwrap();
        assert!(session.wait(PATIENCE, |status| status.time == 0.125 * f64::from(k)));
        // The value of a step is there before the next one is asked for.
        let seen = watch.look();
        assert_eq!(seen.replace, k == 1);
        assert_eq!(seen.now, 0.125 * f64::from(k));
        times.extend(seen.times);
        volumes.extend(seen.values.chunks(5).map(|row| row[1]));
        assert!(session.wait(PATIENCE, |status| status.state != SessionState::Running));
        assert!(watch.look().times.is_empty());
    }
    assert_eq!(times, (0..=8).map(|k| 0.125 * f64::from(k)).collect::<Vec<_>>());
    assert_eq!(volumes, (0..=8).map(|k| 1.0 + 0.25 * f64::from(k)).collect::<Vec<_>>());
    let again = session.subscribe().look();
    assert_eq!(again.times, times);
    // Inputs as they arrive, behind the outputs.
    assert_eq!(again.names, ["pump.rate", "tank.volume", "tank.root", "pump.valve", "tank.rate"]);
    assert_eq!((again.units[4].as_str(), again.present[3], again.present[4]), ("m^3/s", 1.0, 2.0));
}

#[test]
fn the_memory_of_a_long_run_is_bounded_and_its_curve_covers_it() {
    let session = session(1000.0, 0.125).capacity(100);
    let mut watch = session.subscribe();
    session.start().unwrap();
    let mut kept: Vec<f64> = Vec::new();
    while session.status().state == SessionState::Running {
        let seen = watch.look();
        if seen.replace {
            kept.clear();
        }
        kept.extend(&seen.times);
        assert!(kept.len() <= 100);
    }
    assert!(reaches(&session, SessionState::Finished));
    let seen = watch.look();
    if seen.replace {
        kept.clear();
    }
    kept.extend(&seen.times);
    // 8001 points, every 128th of them.
    assert_eq!((seen.stride, seen.now), (128, 1000.0));
    assert_eq!(kept, (0..=62).map(|k| 16.0 * f64::from(k)).collect::<Vec<_>>());
    let (_, record) = session.record();
    let rows: Vec<f64> = record.rows().map(|(time, _)| time).collect();
    assert_eq!((rows.len(), rows.last()), (64, Some(&1000.0)));
}
