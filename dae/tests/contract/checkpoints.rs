//! Checkpoints: bit for bit, into the same object, another one, and through bytes.

use super::{cosine, finish, methods, trace, try_begin};
use crate::support::Robertson;
use crate::support::andrews::{Andrews, Form};
use crate::support::ode::system;
use fourbar_dae::integrator::Method;
use fourbar_dae::integrator::{ConstantBdf, Error, Hht, Integrator, Snapshot, Stop};
use fourbar_dae::ode::Ode;
use fourbar_linalg::checkpoint::Header;

/// y1'' = -y1 + 3 sin 2t in the place of a mechanism, for methods that take y' = f(t, y).
fn forced() -> impl Ode {
    system::<2, _>(crate::support::ode::forced)
}

/// From each of some steps on.
fn repeats(name: &str, start: impl Fn() -> Box<dyn Integrator>) {
    let header = Header { kind: "a test", fingerprint: 1 };
    let mut run = start();
    let mut snapshot = Snapshot::new();
    for offset in [0, 1, 3, 7, 40, 100] {
        let _ = trace(&mut *run, offset);
        run.save(&mut snapshot);
        let first = trace(&mut *run, 30);
        run.restore(&snapshot).expect("its own");
        assert_eq!(trace(&mut *run, 30), first, "{name}, after {offset} more steps");
        let mut other = start();
        other.restore(&snapshot).expect("the same system");
        assert_eq!(trace(&mut *other, 30), first, "{name}, another object");
        let mut other = start();
        let bytes = header.write(|to| snapshot.store(to));
        let mut from = header.read(&bytes).expect("sound");
        let read = other.load(&mut from).expect("the same method");
        from.finish().expect("all of it");
        other.restore(&read).expect("the same system");
        assert_eq!(trace(&mut *other, 30), first, "{name}, through bytes");
    }
}

#[test]
fn a_restored_run_repeats_bit_for_bit() {
    for method in methods() {
        repeats(method.name(), || {
            let mut run = cosine(&method, 1e3);
            run.set_stop_times(&[1.0, 1.0 + 1e-6, 4.0]).expect("increasing");
            run
        });
    }
}

/// A mechanism in its coordinates, whose matrix changes its pivots.
#[test]
fn a_restored_mechanism_repeats_bit_for_bit() {
    for method in methods().iter().filter(|method| !method.takes_ode()) {
        for form in [Form::Si2, Form::Si1, Form::I3] {
            let (y, yp) = Andrews::start(form);
            // Constant steps of 5 ms are too long for it.
            let method = match method {
                Method::ConstantBdf(own) => Method::ConstantBdf(ConstantBdf { step: 1e-5, ..own.clone() }),
                Method::Hht(own) => Method::Hht(Hht { fixed: own.fixed.map(|_| 1e-5), ..own.clone() }),
                other => other.clone(),
            };
            let start = || try_begin(&method, Andrews::system(form), forced(), [&y, &yp], 0.03).expect("a start");
            repeats(method.name(), start);
        }
    }
}

#[test]
fn foreign_snapshots_are_refused() {
    let foreign = Error::ForeignSnapshot { dimension: 2 };
    for (i, method) in methods().iter().enumerate() {
        let mut run = cosine(method, 1.0);
        assert_eq!(run.restore(&Snapshot::new()), Err(foreign.clone()));
        // Of other methods.
        for (k, other) in methods().iter().enumerate() {
            let mut snapshot = Snapshot::new();
            cosine(other, 1.0).save(&mut snapshot);
            let result = run.restore(&snapshot);
            assert_eq!(
                result,
                if i == k { Ok(()) } else { Err(foreign.clone()) },
                "{} {}",
                method.name(),
                other.name()
            );
        }
        // Of another system.
        let ode = system::<3, _>(|_: f64, _: &[f64], yp: &mut [f64]| {
            yp.fill(1.0);
            Ok(())
        });
        let robertson = Robertson::system(true);
        let other = try_begin(method, robertson, ode, [&Robertson::START, &Robertson::SLOPE], 1.0).expect("a start");
        let mut snapshot = Snapshot::new();
        other.save(&mut snapshot);
        assert_eq!(run.restore(&snapshot), Err(foreign.clone()), "{}", method.name());
        finish(&mut *run);
    }
}

/// A point at an event, from which the rest of a step is still to be handed out.
#[test]
fn points_at_events_are_exact() {
    for method in methods() {
        let mut run = super::events::half(&method, 30.0);
        while run.step().expect("step") != Stop::Event {}
        let mut snapshot = Snapshot::new();
        run.save(&mut snapshot);
        let first = trace(&mut *run, 40);
        run.restore(&snapshot).expect("its own");
        assert_eq!(trace(&mut *run, 40), first, "{}", method.name());
    }
}
