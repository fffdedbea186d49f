//! Friction at joints beside contacts: each follows from the reactions that the other makes.

use crate::running;

use fourbar::file::ModelFile;
use fourbar::results::{Status, Summary, Table};
use fourbar::run::{Overrides, Run};
use proptest::prelude::*;
use running::{assert_near, measure};
use std::sync::atomic::AtomicBool;

const G: f64 = 9.81;

fn ran(text: &str) -> Summary {
    let file = ModelFile::parse("model.toml", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let run =
        Run::new(file.document(), &Overrides::default()).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let outcome = run.execute(&mut [&mut Table::default()], &AtomicBool::new(false)).unwrap();
    assert_eq!(outcome.summary.status, Status::Done, "{:?}", outcome.failure);
    outcome.summary
}

/// Of Brown and McPhee, as the book states it.
fn mu(v: f64, [dynamic, at_rest, transition]: [f64; 3]) -> f64 {
    let x = v / transition;
    dynamic * (4.0 * x).tanh() + (at_rest - dynamic) * x / (0.25 * x * x + 0.75).powi(2)
}

const LAW: [f64; 3] = [0.2, 0.3, 0.02];

fn law(name: &str, joint: &str, more: &str) -> String {
    let [dynamic, at_rest, transition] = LAW;
    format!(
        "[[friction]]\nname = \"{name}\"\njoint = \"{joint}\"\nmu_dynamic = {dynamic}\nmu_static = {at_rest}\n\
         transition_velocity = {transition}\n{more}\n"
    )
}

/// How contacts are followed, by fixed steps of this length or by events.
fn method(name: &str, step: f64) -> String {
    if name == "event" {
        "[contacts]\nmethod = \"event\"\n".to_owned()
    } else {
        format!("[contacts]\nmethod = \"{name}\"\nstep = {step}\n")
    }
}

/// A block on a rail along x, level where the file lies as drawn, that meets a stop at 0.5 m. The whole is turned by `turn` about an axis.
fn block(speed: f64, end: f64, turn: f64, contacts: &str) -> String {
    let (s, c) = turn.sin_cos();
    // Turned about y: x becomes (c, 0, -s), z (s, 0, c).
    let (x, z) = ([c, 0.0, -s], [s, 0.0, c]);
    let axis = |v: [f64; 3], f: f64| format!("[{:?}, {:?}, {:?}]", f * v[0], f * v[1], f * v[2]);
    format!(
        "gravity = {gravity}\n[simulation]\nend = {end}\noutput_step = {end}\n{contacts}\n\
         [[body]]\nname = \"block\"\nmass = 2\ninertia = [1, 1, 1]\nvelocity = {velocity}\n\
         [[marker]]\nname = \"rail\"\nbody = \"ground\"\norientation = {{ z_axis = {along} }}\n\
         [[joint]]\nname = \"rail\"\ntype = \"prismatic\"\ni = {{ body = \"block\", orientation = {{ z_axis = {along} }} }}\nj = \"rail\"\n\
         [[contact]]\nname = \"stop\"\ntype = \"joint_stop\"\njoint = \"rail\"\nupper = 0.5\nrestitution = 0.6\n\
         [[measure]]\nname = \"way\"\ntype = \"position\"\ni = \"block\"\nj = \"rail\"\nframe = \"rail\"\ncomponent = \"z\"\n{friction}",
        gravity = axis(z, -G),
        velocity = axis(x, speed),
        along = axis(x, 1.0),
        friction = law("rub", "rail", ""),
    )
}

/// Where the block is, by steps of 1e-5 s of the classical Runge-Kutta method, one of which ends at the stop.
fn slid(speed: f64, end: f64) -> f64 {
    let rate = |v: f64| -mu(v.abs(), LAW) * G * v.signum();
    let step = |[x, v]: [f64; 2], h: f64| {
        let k1 = rate(v);
        let k2 = rate(v + 0.5 * h * k1);
        let k3 = rate(v + 0.5 * h * k2);
        let k4 = rate(v + h * k3);
        [x + h * (v + h * (k1 + k2 + k3) / 6.0), v + h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0]
    };
    let (h, mut at) = (1e-5, [0.0, speed]);
    for _ in 0..(end / h).round() as usize {
        let after = step(at, h);
        at = if after[0] > 0.5 && after[1] > 0.0 {
            let until = h * (0.5 - at[0]) / (after[0] - at[0]);
            step([0.5, -0.6 * step(at, until)[1]], h - until)
        } else {
            after
        };
    }
    at[0]
}

#[test]
fn a_block_slides_to_a_stop_and_back() {
    for (speed, end) in [(1.6, 0.3), (1.6, 0.6), (2.5, 1.2)] {
        let right = slid(speed, end);
        let of = |contacts: &str| measure(&ran(&block(speed, end, 0.0, contacts)), "way");
        assert_near(of(&method("event", 0.0)), right, 1e-6);
        // The stop is met somewhere in a step, and left with the speed of its end: by as much the way is off.
        for name in ["gap_lcp", "moreau_jean", "ggl"] {
            for step in [1e-3, 2.5e-4] {
                assert_near(of(&method(name, step)), right, 4.0 * step * speed);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_block_slides_alike_however_it_is_turned(turn in -3.2..3.2_f64, speed in 0.1..3.0_f64, fixed in any::<bool>()) {
        let contacts = method(if fixed { "gap_lcp" } else { "event" }, 1e-3);
        let [there, turned] = [0.0, turn].map(|turn| measure(&ran(&block(speed, 0.5, turn, &contacts)), "way"));
        prop_assert!((there - turned).abs() <= 1e-8, "{there} {turned}");
    }
}

/// A lever with its pin at the origin and its tip on a plane that rises and falls: what the plane presses the pin with makes friction that it must overcome.
#[test]
fn a_lifted_lever_presses_its_pin() {
    let (length, middle, mass, inertia, radius) = (1.0, 0.4, 3.0, 0.2, 0.05);
    let text = |end: f64, contacts: &str| {
        format!(
            "gravity = [0, 0, {g}]\n[simulation]\nend = {end}\noutput_step = {end}\n{contacts}\n\
             [[body]]\nname = \"lever\"\nmass = {mass}\ninertia = [{inertia}, {inertia}, {inertia}]\ncenter_of_mass = [{middle}, 0, 0]\n\
             angular_velocity = [0, -0.6, 0]\n\
             [[joint]]\nname = \"pin\"\ntype = \"revolute\"\ni = {{ body = \"lever\", orientation = {{ z_axis = [0, -1, 0] }} }}\n\
             j = {{ body = \"ground\", orientation = {{ z_axis = [0, -1, 0] }} }}\n\
             [[contact]]\nname = \"lift\"\ntype = \"point_plane\"\ni = {{ body = \"lever\", position = [{length}, 0, 0] }}\nj = \"ground\"\n\
             offset = \"0.2*sin(3*time)\"\n\
             [[measure]]\nname = \"force\"\ntype = \"contact\"\ncontact = \"lift\"\nquantity = \"normal_force\"\n{friction}",
            g = -G,
            friction = law("rub", "pin", &format!("pin_radius = {radius}")),
        )
    };
    let exact = |t: f64| {
        let (height, speed, rise) = (0.2 * (3.0 * t).sin(), 0.6 * (3.0 * t).cos(), -1.8 * (3.0 * t).sin());
        let angle = (height / length).asin();
        let rate = speed / (length * angle.cos());
        let turn = (rise / length + rate * rate * angle.sin()) / angle.cos();
        let moment = (inertia + mass * middle * middle) * turn + mass * G * middle * angle.cos();
        let mut force = moment / (length * angle.cos());
        for _ in 0..200 {
            let ax = -middle * (turn * angle.sin() + rate * rate * angle.cos());
            let az = middle * (turn * angle.cos() - rate * rate * angle.sin());
            let pressing = (mass * ax).hypot(mass * (az + G) - force);
            let friction = radius * mu(radius * rate.abs(), LAW) * pressing * rate.signum();
            force = (moment + friction) / (length * angle.cos());
        }
        force
    };
    for end in [0.1, 0.4, 0.8, 1.3] {
        let of = |contacts: &str| measure(&ran(&text(end, contacts)), "force");
        let right = exact(end);
        assert_near(of(&method("event", 0.0)), right, 1e-7 * right);
        // Of Moreau and Jean's scheme the force of one step is none of the others near it, where the plane moves.
        for name in ["gap_lcp", "ggl"] {
            let [coarse, fine] = [1e-3, 2.5e-4].map(|step| (of(&method(name, step)) - right).abs());
            assert!(
                fine <= 0.02 * right && fine <= 0.5 * coarse + 1e-3,
                "{name} at {end}: {coarse:e} {fine:e} of {right}"
            );
        }
    }
}

/// Two rods on frictional pins, which nothing touches: with a contact far away as without.
#[test]
fn a_contact_far_away_changes_nothing() {
    let text = |contact: &str| {
        format!(
            "gravity = [0, 0, {g}]\n[simulation]\nend = 1.5\noutput_step = 1.5\n{contact}\n\
             [[body]]\nname = \"a\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\ncenter_of_mass = [0.5, 0, 0]\n\
             [[body]]\nname = \"b\"\nmass = 2\ninertia = [0.1, 0.2, 0.15]\nposition = [1, 0, 0]\ncenter_of_mass = [0.5, 0.1, 0]\n\
             angular_velocity = [0, 0, 0.5]\n\
             [[joint]]\nname = \"first\"\ntype = \"revolute\"\ni = {{ body = \"a\", orientation = {{ z_axis = [0, 1, 0] }} }}\n\
             j = {{ body = \"ground\", orientation = {{ z_axis = [0, 1, 0] }} }}\n\
             [[joint]]\nname = \"second\"\ntype = \"spherical\"\ni = \"b\"\nj = {{ body = \"a\", position = [1, 0, 0] }}\n\
             [[measure]]\nname = \"z\"\ntype = \"position\"\ni = {{ body = \"b\", position = [1, 0, 0] }}\ncomponent = \"z\"\n{first}{second}",
            g = -G,
            first = law("rub", "first", "pin_radius = 0.05\nbending_arm = 0.1"),
            second = law("press", "second", "pin_radius = 0.04\npreload_force = 3"),
        )
    };
    let far = |method: &str| {
        format!(
            "{method}\n[[contact]]\nname = \"far\"\ntype = \"point_plane\"\ni = \"a\"\nj = {{ body = \"ground\", position = [0, 0, -9] }}\n"
        )
    };
    let alone = measure(&ran(&text("integrator = \"gstiff\"\ntolerance = 1e-10")), "z");
    assert_near(measure(&ran(&text(&far(&method("event", 0.0)))), "z"), alone, 1e-6);
    for (name, allowed) in [("gap_lcp", 1e-2), ("moreau_jean", 1e-2), ("ggl", 1e-2)] {
        let [coarse, fine] =
            [1e-3, 2.5e-4].map(|step| (measure(&ran(&text(&far(&method(name, step)))), "z") - alone).abs());
        assert!(fine <= allowed && fine <= 0.5 * coarse + 1e-5, "{name}: {coarse:e} {fine:e}");
    }
}
