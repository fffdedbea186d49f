//! Root functions of systems F(t, y, y') = 0: where events are found, in which order, and how a run goes on behind them.

use crate::support;

use fourbar_dae::integrator::{BdfStepper, Direction, Error, Gstiff, Integrator, RootEvent, Snapshot, Stop};
use support::{Equations, Rooted, STATE, System};

/// y'' = -g.
struct Fall;

const G: f64 = 9.81;

impl Equations for Fall {
    fn residual<T: num_dual::DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        r[0] = yp[0] - y[1];
        r[1] = yp[1] + G;
    }
}

/// y'' = -y.
struct Oscillator;

impl Equations for Oscillator {
    fn residual<T: num_dual::DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        r[0] = yp[0] - y[1];
        r[1] = yp[1] + y[0];
    }
}

fn falling<F: FnMut(f64, &[f64], &mut [f64])>(
    tolerance: f64,
    height: f64,
    end: f64,
    count: usize,
    roots: F,
) -> BdfStepper<Rooted<Fall, F>> {
    let system = Rooted { system: System::new(vec![STATE, STATE], Fall), count, roots };
    Gstiff::with_tolerance(tolerance).start(system, 0.0, &[height, 0.0], &[0.0, -G], end).expect("start")
}

fn event(index: usize, direction: Direction) -> RootEvent {
    RootEvent { index, direction }
}

/// Bouncing ball: t_k = t_1 (1 + 2 sum e^j), v_k = e^(k-1) v_1 (contact-tests, 1).
#[test]
fn ball_bounces_at_the_times_of_the_closed_form() {
    let e = 0.8_f64;
    let mut run = falling(1e-13, 1.0, f64::INFINITY, 1, |_, y, out| out[0] = y[0]);
    let t1 = (2.0 / G).sqrt();
    for k in 0..30 {
        loop {
            let stop = run.step().expect("step");
            assert_ne!(stop, Stop::EndTime, "impact {k} was missed");
            if stop == Stop::Event {
                break;
            }
        }
        assert_eq!(run.events(), [event(0, Direction::Falling)]);
        let (t, v) = (run.time(), run.state()[1]);
        let exact = t1 * (1.0 + 2.0 * (1..=k).map(|j| e.powi(j)).sum::<f64>());
        assert!((t - exact).abs() < 1e-10, "impact {k}: {t} instead of {exact}");
        let speed = G * t1 * e.powi(k);
        assert!((v + speed).abs() < G * 1e-10, "impact {k}: {v} instead of {}", -speed);
        run.restart(t, &[0.0, -e * v], &[-e * v, -G]).expect("restart");
    }
}

/// Events that change nothing leave the trajectory alone, bit for bit.
#[test]
fn a_run_with_events_is_the_run_without() {
    let start = |count| {
        let system = Rooted {
            system: System::new(vec![STATE, STATE], Oscillator),
            count,
            roots: |_: f64, y: &[f64], out: &mut [f64]| out[0] = y[0],
        };
        Gstiff::with_tolerance(1e-9).start(system, 0.0, &[1.0, 0.0], &[0.0, -1.0], 20.0).expect("start")
    };
    let (mut with, mut without) = (start(1), start(0));
    let mut times = Vec::new();
    loop {
        let plain = without.step().expect("step");
        loop {
            let stop = with.step().expect("step");
            if stop != Stop::Event {
                assert_eq!(stop, plain);
                break;
            }
            let direction = if times.len() % 2 == 0 { Direction::Falling } else { Direction::Rising };
            assert_eq!(with.events(), [event(0, direction)]);
            times.push(with.time());
        }
        assert_eq!((with.time(), with.state()), (without.time(), without.state()));
        if plain == Stop::EndTime {
            break;
        }
    }
    assert_eq!(times.len(), 6);
    for (k, t) in times.iter().enumerate() {
        let exact = (k as f64 + 0.5) * std::f64::consts::PI;
        assert!((t - exact).abs() < 1e-6, "{t} instead of {exact}");
    }
}

#[test]
fn an_event_at_a_stop_time_comes_before_it_and_one_at_the_end_before_the_end() {
    let mut run = falling(1e-8, 1.0, 1.0, 2, |t, _, out| out.copy_from_slice(&[t - 0.25, 1.0 - t]));
    run.set_stop_times(&[0.25, 0.5]).expect("stops");
    let mut stops = Vec::new();
    loop {
        let stop = run.step().expect("step");
        if stop != Stop::Step {
            stops.push((stop, run.time(), run.events().len()));
        }
        if stop == Stop::EndTime {
            break;
        }
    }
    let expected = [
        (Stop::Event, 0.25, 1),
        (Stop::StopTime, 0.25, 0),
        (Stop::StopTime, 0.5, 0),
        (Stop::Event, 1.0, 1),
        (Stop::EndTime, 1.0, 0),
    ];
    assert_eq!(stops, expected);
    assert_eq!(run.step().expect("step"), Stop::EndTime);
}

/// Behind an event the step goes on; an end or stop time set there falls into it and is met all the same.
#[test]
fn targets_may_be_moved_at_an_event() {
    let mut run = falling(1e-6, 1.0, 10.0, 1, |_, y, out| out[0] = y[0] - 0.9);
    while run.step().expect("step") != Stop::Event {}
    let t = run.time();
    assert!((t - (0.2 / G).sqrt()).abs() < 1e-6);
    let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
    assert!(matches!(run.interpolate(t + 1e-9, &mut y, &mut yp), Err(Error::OutsideStep { .. })));
    run.interpolate(t, &mut y, &mut yp).expect("the event lies within the step");
    assert_eq!((y.as_slice(), yp.as_slice()), (run.state(), run.derivative()));
    run.set_stop_times(&[t + 1e-9]).expect("stop");
    run.set_end_time(t + 2e-9).expect("end");
    assert_eq!((run.step().expect("step"), run.time()), (Stop::StopTime, t + 1e-9));
    assert_eq!((run.step().expect("step"), run.time()), (Stop::EndTime, t + 2e-9));
    assert!((run.state()[0] - (1.0 - 0.5 * G * (t + 2e-9).powi(2))).abs() < 1e-6);
    run.set_end_time(10.0).expect("end");
    while run.step().expect("step") != Stop::EndTime {}
    assert!((run.state()[0] - (1.0 - 0.5 * G * 100.0)).abs() < 1e-2);
}

/// A snapshot taken at an event, within a step, brings back everything that follows.
#[test]
fn snapshots_are_exact_at_events() {
    let system = Rooted {
        system: System::new(vec![STATE, STATE], Oscillator),
        count: 2,
        roots: |t: f64, y: &[f64], out: &mut [f64]| out.copy_from_slice(&[y[0], (7.0 * t).sin() + 0.3]),
    };
    let mut run = Gstiff::with_tolerance(1e-4).start(system, 0.0, &[1.0, 0.0], &[0.0, -1.0], 6.0).expect("start");
    let mut snapshot = Snapshot::new();
    while run.step().expect("step") != Stop::Event {}
    run.save(&mut snapshot);
    let follow = |run: &mut dyn Integrator| {
        let mut all = Vec::new();
        loop {
            let stop = run.step().expect("step");
            all.push((stop, run.time(), run.state().to_vec(), run.events().to_vec()));
            if stop == Stop::EndTime {
                return all;
            }
        }
    };
    let first = follow(&mut run);
    run.restore(&snapshot).expect("restore");
    assert_eq!(first, follow(&mut run));
    assert!(first.iter().filter(|(stop, ..)| *stop == Stop::Event).count() > 10);
}

#[test]
fn a_root_function_that_is_no_number_is_named() {
    let mut run = falling(1e-6, 1.0, 1.0, 1, |t, _, out| out[0] = (0.5 - t).sqrt());
    let error = loop {
        match run.step() {
            Ok(stop) => assert_eq!(stop, Stop::Step),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("root function 0"), "{error}");
}

/// A thrown ball begins anew at some time and height, from where its root function is zero or left zero behind: what follows is the way
/// back down through that height, and nothing before it.
#[test]
fn a_root_function_that_is_zero_at_a_restart_reports_the_way_back_alone() {
    let mut wrong = Vec::new();
    for i in 0..400 {
        let x = f64::from(i);
        let (t0, y0) = (1e-3 + 7.3 * (0.618 * x).fract(), 3.0 * (0.414 * x).fract() - 1.0);
        let v0 = if i % 3 == 0 { -1.0 } else { 1.0 } * 10f64.powf(-3.0 * (0.732 * x).fract());
        let mut run = falling(1e-12, 0.0, t0 + 1.0, 1, |_, y, out| out[0] = y[0] - y0);
        run.restart(t0, &[y0, v0], &[v0, -G]).expect("restart");
        let mut events = Vec::new();
        loop {
            match run.step().expect("step") {
                Stop::Event => events.push((run.time() - t0, run.events()[0].direction)),
                Stop::EndTime => break,
                _ => {}
            }
        }
        let expected = if v0 > 0.0 { vec![(2.0 * v0 / G, Direction::Falling)] } else { Vec::new() };
        let same = events.len() == expected.len()
            && events.iter().zip(&expected).all(|(a, b)| a.1 == b.1 && (a.0 - b.0).abs() < 1e-6);
        if !same {
            wrong.push((t0, y0, v0, events));
        }
    }
    assert!(wrong.is_empty(), "{} of 400, such as {:?}", wrong.len(), &wrong[..3.min(wrong.len())]);
}
