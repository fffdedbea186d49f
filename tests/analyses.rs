//! Statics, quasi-statics, kinematics and modes of mechanisms, against closed forms.

use fourbar::Error;
use fourbar::analysis::{Advice, At, KinematicRun, Modes, OperatingPoint, QuasiStatics, Statics};
use fourbar::file::ModelFile;
use fourbar::multibody::analysis::Stability;
use fourbar::multibody::expression::Expression;
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, TAU};

fn file(text: &str) -> ModelFile {
    ModelFile::parse("model.toml", text).unwrap()
}

fn rest(file: &ModelFile) -> Statics {
    QuasiStatics::new(file.document().mechanism().unwrap(), None, None).unwrap().at(0.0).unwrap()
}

fn modes(file: &ModelFile, at: At) -> (Modes, OperatingPoint) {
    let mut point = OperatingPoint::new(file.document().mechanism().unwrap(), at).unwrap();
    let linearization = point.linearize().unwrap();
    (Modes::new(&point, &linearization).unwrap(), point)
}

fn measured(found: &Statics, name: &str) -> f64 {
    found.measures.iter().find(|(column, _)| column.name == name).unwrap().1
}

/// The stiff two-mass system of the source, 4.5.4: ground, k1 and c1, m1, k2 and c2, m2.
const TWO_MASS: &str = r#"
name = "two masses"
parameters = { k1 = 1e4, k2 = 1e9, c1 = 0, c2 = 0 }
body = [
    { name = "first", mass = 1, position = [1, 0, 0] },
    { name = "second", mass = 1, position = [2, 0, 0] },
]
joint = [
    { name = "guide 1", type = "prismatic", i = { body = "first", orientation = { z_axis = [1, 0, 0] } }, j = { body = "ground", orientation = { z_axis = [1, 0, 0] } } },
    { name = "guide 2", type = "prismatic", i = { body = "second", orientation = { z_axis = [1, 0, 0] } }, j = { body = "ground", orientation = { z_axis = [1, 0, 0] } } },
]
force = [
    { name = "s1", type = "spring_damper", i = "ground", j = "first", stiffness = "k1", damping = "c1" },
    { name = "s2", type = "spring_damper", i = "first", j = "second", stiffness = "k2", damping = "c2" },
]
"#;

#[test]
fn the_stiff_two_mass_system_of_the_source() {
    let mut file = file(TWO_MASS);
    let (found, _) = modes(&file, At::Auto);
    let frequencies: Vec<f64> = found.modes.iter().map(fourbar::analysis::Mode::frequency).collect();
    for (frequency, expected) in frequencies.iter().zip([11.253_939_884_5, 7_117.634_331_2]) {
        assert!((frequency / expected - 1.0).abs() < 1e-8, "{frequency} Hz instead of {expected}");
    }
    assert!((found.stiffness_ratio.unwrap() / (frequencies[1] / frequencies[0]) - 1.0).abs() < 1e-12);
    assert_eq!(found.advice(), Advice::Stiff);
    // In the slow mode both go alike, in the fast one against each other.
    for (mode, sign) in found.modes.iter().zip([1.0, -1.0]) {
        let [first, second] = [mode.shape[0][0], mode.shape[1][0]];
        assert!((first - sign * second).norm() < 1e-4, "{first} and {second}");
    }
    for (name, value) in [("c1", 100.0), ("c2", 1e8)] {
        file.set_parameter(name, Expression::constant(value)).unwrap();
    }
    let (found, _) = modes(&file, At::Auto);
    let expected = [(-10.000_001, 0.0), (-25.000_005, 66.143_77), (-2.000_000_4e8, 0.0)];
    for (mode, (re, im)) in found.modes.iter().zip(expected) {
        let off = (mode.eigenvalue.re - re).hypot(mode.eigenvalue.im - im);
        assert!(off < 1e-5 * re.hypot(im), "{} for {re}, {im}", mode.eigenvalue);
    }
}

/// A boom held by a spring strut, a crane on its cylinder: moments about the pivot balance.
#[test]
fn a_crane_rests_where_moments_balance() {
    let text = r#"
name = "crane"
gravity = [0, 0, -9.81]
parameters = { k = 4e4, load = 300 }
[[body]]
name = "boom"
mass = 200
inertia = [5, 150, 150]
center_of_mass = [1.5, 0, 0]
orientation = { axis = [0, 1, 0], angle = "-20 deg" }
[[joint]]
name = "pivot"
type = "revolute"
i = { body = "boom", orientation = { z_axis = [0, 1, 0], x_axis = [1, 0, 0] } }
j = { body = "ground", orientation = { z_axis = [0, 1, 0], x_axis = [1, 0, 0] } }
[[force]]
name = "cylinder"
type = "spring_damper"
i = { body = "boom", position = [1, 0, 0] }
j = { body = "ground", position = [0, 0, -1] }
stiffness = "k"
free_length = 1.6
[[force]]
name = "hook"
type = "force"
i = { body = "boom", position = [3, 0, 0] }
value = [0, 0, "-9.81*load"]
[[measure]]
name = "angle"
type = "angle"
i = { body = "boom", orientation = { z_axis = [0, 1, 0], x_axis = [1, 0, 0] } }
j = { body = "ground", orientation = { z_axis = [0, 1, 0], x_axis = [1, 0, 0] } }
"#;
    let found = rest(&file(text));
    let angle = -measured(&found, "angle");
    // Strut from (0, -1) to (cos, sin): length^2 = 2 + 2 sin, arm = cos/length.
    let moment = |angle: f64| {
        let length = (2.0 + 2.0 * angle.sin()).sqrt();
        4e4 * (1.6 - length) * angle.cos() / length - 9.81 * (200.0 * 1.5 + 300.0 * 3.0) * angle.cos()
    };
    let (mut low, mut high) = (-0.5, 1.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        *(if moment(middle) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    assert!((angle - low).abs() < 1e-9, "{angle} instead of {low}");
    assert!(found.equilibrium.stable);
    // The pivot carries what the strut does not.
    let strut = 4e4 * (1.6 - (2.0 + 2.0 * angle.sin()).sqrt());
    let along = [angle.cos(), angle.sin() + 1.0].map(|part| part / (2.0 + 2.0 * angle.sin()).sqrt());
    let pivot = &found.reactions[0].wrench.force;
    assert!((pivot.x + strut * along[0]).abs() < 1e-5 && (pivot.z + strut * along[1] - 9.81 * 500.0).abs() < 1e-5);
}

fn four_bar(spring: &str) -> ModelFile {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models/four-bar.toml");
    ModelFile::parse("four-bar.toml", std::fs::read_to_string(path).unwrap() + spring).unwrap()
}

/// A spring holds the crank of a four-bar: no position nearby has less potential energy.
#[test]
fn a_four_bar_rests_in_a_valley_of_its_energy() {
    for stiffness in [1.0, 30.0, 1e3, 1e6] {
        let spring = format!(
            "\n[[force]]\nname = \"spring\"\ntype = \"torsion_spring_damper\"\ni = \"crank\"\nj = \"ground\"\nstiffness = {stiffness}\nfree_angle = 1\n"
        );
        let found = rest(&four_bar(&spring));
        let (angle, energy) = (measured(&found, "crank_angle"), measured(&found, "energy"));
        for way in [-1e-3, 1e-3] {
            let driven =
                format!("{spring}\n[[motion]]\nname = \"m\"\njoint = \"A\"\ndisplacement = \"{:?}\"\n", angle + way);
            let beside = rest(&four_bar(&driven));
            assert!(measured(&beside, "energy") > energy, "{stiffness} N m/rad: at {} rad", angle + way);
        }
        assert!(found.equilibrium.stable && found.reactions.len() == 4);
    }
}

/// Quasi-statics: a crane whose load grows goes down as the closed form says, also where the start is far from it.
#[test]
fn a_load_that_grows_takes_the_spring_with_it() {
    let file = file(
        r#"
simulation = { end = 2, output_step = 0.5 }
body = [{ name = "mass", mass = 2 }]
joint = [{ name = "guide", type = "prismatic", i = "mass", j = "ground" }]
force = [
    { name = "spring", type = "spring_damper", i = "mass", j = { body = "ground", position = [0, 0, 1] }, stiffness = 50 },
    { name = "load", type = "force", i = "mass", value = [0, 0, "-10*time"] },
]
measure = [{ name = "z", type = "position", i = "mass", component = "z" }]
"#,
    );
    let mut statics = QuasiStatics::new(file.document().mechanism().unwrap(), None, None).unwrap();
    let plan = statics.plan().unwrap();
    for time in (0..).map_while(|index| plan.output_time(index)) {
        let found = statics.at(time).unwrap();
        assert!((measured(&found, "z") + 10.0 * time / 50.0).abs() < 1e-12, "at {time} s");
    }
}

#[test]
fn nothing_holds_a_stone() {
    let file = file("gravity = [0, 0, -9.81]\nbody = [{ name = \"stone\", mass = 1, inertia = [1, 1, 1] }]\n");
    let error = QuasiStatics::new(file.document().mechanism().unwrap(), None, None).unwrap().at(0.0).unwrap_err();
    assert!(error.to_string().contains("equilibrium"), "{error}");
}

const CRANK: &str = r#"
gravity = [0, -9.81, 0]
simulation = { end = 1, output_step = 0.125 }
parameters = { crank = 0.2, rod = 0.5, mass = 3 }
body = [
    { name = "crank", mass = 1, inertia = [1, 1, 1] },
    { name = "rod", mass = "1e-9", inertia = ["1e-12", "1e-12", "1e-12"], position = ["crank", 0, 0] },
    { name = "slider", mass = "mass", inertia = [1, 1, 1], position = ["crank + rod", 0, 0] },
]
joint = [
    { name = "A", type = "revolute", i = "crank", j = "ground" },
    { name = "B", type = "revolute", i = "rod", j = { body = "crank", position = ["crank", 0, 0] } },
    { name = "C", type = "revolute", i = { body = "rod", position = ["rod", 0, 0] }, j = "slider" },
    { name = "D", type = "prismatic", i = { body = "slider", orientation = { z_axis = [1, 0, 0], x_axis = [0, 1, 0] } }, j = { body = "ground", orientation = { z_axis = [1, 0, 0], x_axis = [0, 1, 0] } } },
]
motion = [{ name = "drive", joint = "A", displacement = "2*pi*time" }]
measure = [{ name = "x", type = "position", i = "slider", component = "x" }]
"#;

/// A slider-crank with a light rod: place, velocity and acceleration of the slider, and the torque that drives it, in closed form.
#[test]
fn a_driven_slider_crank() {
    let file = file(CRANK);
    let mut run = KinematicRun::new(file.document().mechanism().unwrap(), None, None, true).unwrap();
    let columns = run.columns();
    let at =
        |name: &str| columns.iter().position(|column| column == name).unwrap_or_else(|| panic!("{name}: {columns:?}"));
    let (r, l, w) = (0.2_f64, 0.5_f64, TAU);
    let plan = *run.plan();
    for time in (0..).map_while(|index| plan.output_time(index)) {
        let row = run.row(time).unwrap();
        assert_eq!(row.len(), columns.len());
        let (s, c) = (w * time).sin_cos();
        let root = (l * l - r * r * s * s).sqrt();
        let x = r * c + root;
        let v = -w * r * s * (1.0 + r * c / root);
        // d/dt of v.
        let a = -w * w * r * (c + r * (c * c - s * s) / root + r.powi(3) * s * s * c * c / root.powi(3));
        let effort = 3.0 * a * v / w;
        let found = ["x [m]", "slider vx [m/s]", "slider ax [m/s2]", "drive effort"].map(|name| row[at(name)]);
        // The crank goes round: its quaternion goes on through half a turn without a change of sign.
        let [qw, qz] = ["crank qw", "crank qz"].map(|name| row[at(name)]);
        assert!(
            (qw - (w * time / 2.0).cos()).abs() < 1e-9 && (qz - (w * time / 2.0).sin()).abs() < 1e-9,
            "at {time} s"
        );
        for (found, expected) in found.into_iter().zip([x, v, a, effort]) {
            assert!(
                (found - expected).abs() < 1e-6 * (1.0 + expected.abs()),
                "at {time} s: {found} instead of {expected}"
            );
        }
    }
}

/// A rod too short for the crank: it locks up where the crank is level with the end of its reach, and the error names the joints.
#[test]
fn a_linkage_locks_up_by_name() {
    let mut file = file(&CRANK.replace("rod = 0.5", "rod = 0.15"));
    file.set_parameter("mass", Expression::constant(1.0)).unwrap();
    let mut run = KinematicRun::new(file.document().mechanism().unwrap(), None, None, false).unwrap();
    assert!(run.row(0.125).is_ok());
    let error = run.row(0.25).unwrap_err();
    // Level with its reach where sin(a) = 0.15/0.2.
    let Error::LockedUp { time, source } = &error else { panic!("{error}") };
    assert!((time - 0.75_f64.asin() / TAU).abs() < 1e-5, "{error}");
    assert!(
        matches!(&**source, Error::Multibody(fourbar::multibody::Error::NotAssembled { joints, .. }) if !joints.is_empty())
    );
    // The row before can still be had.
    assert!(run.row(0.0).is_ok());
}

/// A hoist that accelerates: its motion stands still in statics, so it carries weights alone, at every time.
#[test]
fn motions_stand_still_in_statics() {
    let file = file(
        r#"
gravity = [0, 0, -9.81]
body = [
    { name = "car", mass = 100, inertia = [1, 1, 1] },
    { name = "load", mass = 50, inertia = [1, 1, 1], position = [0, 0, -1] },
]
joint = [
    { name = "shaft", type = "prismatic", i = "car", j = "ground" },
    { name = "rope", type = "prismatic", i = "load", j = "car" },
]
motion = [{ name = "hoist", joint = "shaft", displacement = "step5(time, 0, 0, 1, 2)" }]
force = [{ name = "spring", type = "spring_damper", i = "load", j = "car", stiffness = 5000 }]
measure = [
    { name = "z", type = "position", i = "load", component = "z" },
    { name = "v", type = "velocity", i = "load", component = "z" },
    { name = "a", type = "acceleration", i = "load", component = "z" },
    { name = "pull", type = "reaction", motion = "hoist", quantity = "force", component = "z" },
]
"#,
    );
    let mut statics = QuasiStatics::new(file.document().mechanism().unwrap(), None, None).unwrap();
    for (time, way) in [(0.25, 2.0 * 0.103_515_625), (0.5, 1.0), (1.0, 2.0)] {
        let found = statics.at(time).unwrap();
        let stretch = 9.81 * 50.0 / 5000.0;
        assert!((measured(&found, "z") - (way - 1.0 - stretch)).abs() < 1e-9, "at {time} s");
        assert!(measured(&found, "v") == 0.0 && measured(&found, "a").abs() < 1e-9);
        let hoist = found.reactions.iter().find(|of| of.name == "hoist").unwrap();
        for pull in [hoist.effort.unwrap(), measured(&found, "pull")] {
            assert!((pull - 9.81 * 150.0).abs() < 1e-6, "{pull} N at {time} s");
        }
    }
}

/// The motion takes a linkage far from where it is drawn, round more than a turn.
#[test]
fn statics_goes_the_way_of_the_motions() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models/slider-crank.toml");
    let file = ModelFile::load(path).unwrap();
    let mut statics = QuasiStatics::new(file.document().mechanism().unwrap(), None, None).unwrap();
    let found = statics.at(2.0).unwrap();
    let mut run = KinematicRun::new(file.document().mechanism().unwrap(), None, None, false).unwrap();
    let row = run.row(2.0).unwrap();
    let stroke = run.columns().iter().position(|column| column == "stroke [m]").unwrap();
    assert!((measured(&found, "stroke") - row[stroke]).abs() < 1e-9);
    let velocity = self::file(&CRANK.replace("displacement = \"2*pi*time\"", "velocity = \"2*pi\""));
    let mut statics = QuasiStatics::new(velocity.document().mechanism().unwrap(), None, None).unwrap();
    assert!(statics.at(0.0).is_ok());
    assert!(matches!(statics.at(0.1), Err(Error::Multibody(fourbar::multibody::Error::Free { .. }))));
}

/// A load that hangs from a stiff boom by a rope may spin: neutral, and found as fast as a load that may not.
#[test]
fn hanging_loads_rest_though_they_may_spin() {
    for (joint, inertia) in [("distance", "[5, 6, 7]"), ("spherical", "[5, 6, 7]"), ("spherical", "[4, 4, 4]")] {
        let text = format!(
            r#"
gravity = [0, 0, -9.81]
body = [
    {{ name = "boom", mass = 1, inertia = [1, 1, 1], center_of_mass = [1, 0, 0] }},
    {{ name = "hook", mass = 500, inertia = {inertia}, position = [2.1, 0, -2] }},
]
joint = [
    {{ name = "luff", type = "revolute", i = {{ body = "boom", orientation = {{ z_axis = [0, 1, 0] }} }}, j = {{ body = "ground", orientation = {{ z_axis = [0, 1, 0] }} }} }},
    {{ name = "rope", type = "{joint}", i = {{ body = "hook", position = [0, 0, {}] }}, j = {{ body = "boom", position = [2, 0, 0] }} }},
]
force = [{{ name = "stay", type = "spring_damper", i = {{ body = "boom", position = [1, 0, 0] }}, j = {{ body = "ground", position = [0, 0, 2] }}, stiffness = 1e6 }}]
measure = [{{ name = "x", type = "position", i = "hook", component = "x" }}]
"#,
            if joint == "distance" { 0.3 } else { 2.0 }
        );
        let found = rest(&file(&text));
        assert!(found.equilibrium.neutral && !found.equilibrium.stable, "{joint}");
        assert!(found.equilibrium.iterations < 60, "{joint}: {} iterations", found.equilibrium.iterations);
        // It hangs straight below the end of the boom.
        let boom = &found.places[0];
        let [_, _, qy, qz] = boom.quaternion;
        let tip = 2.0 * (1.0 - 2.0 * (qy * qy + qz * qz));
        assert!((measured(&found, "x") - tip).abs() < 1e-6, "{joint}: {} below {tip}", measured(&found, "x"));
    }
}

/// A car on two springs: bounce and pitch, each alone. Round-off of a way does not scale a turn.
#[test]
fn modes_of_a_symmetric_car() {
    let file = file(
        r#"
body = [{ name = "car", mass = 1000, inertia = [300, 1500, 1500] }]
joint = [
    { name = "plane", type = "planar", i = "car", j = "ground" },
    { name = "up", type = "inplane", i = "car", j = { body = "ground", orientation = { z_axis = [1, 0, 0] } } },
]
force = [
    { name = "front", type = "spring_damper", i = { body = "car", position = [1.3, 0, 0] }, j = { body = "ground", position = [1.3, -0.5, 0] }, stiffness = 2e4 },
    { name = "rear", type = "spring_damper", i = { body = "car", position = [-1.3, 0, 0] }, j = { body = "ground", position = [-1.3, -0.5, 0] }, stiffness = 2e4 },
]
"#,
    );
    let (found, _) = modes(&file, At::Auto);
    let [bounce, pitch] = &found.modes[..] else { panic!("{found:?}") };
    assert!((bounce.frequency() * TAU - 40.0_f64.sqrt()).abs() < 1e-6);
    assert!((pitch.frequency() * TAU - (2.0 * 1.69 * 2e4_f64 / 1500.0).sqrt()).abs() < 1e-6);
    for (mode, way) in [(bounce, 1), (pitch, 5)] {
        for (k, part) in mode.shape[0].iter().enumerate() {
            let expected = if k == way { 1.0 } else { 0.0 };
            assert!((part.norm() - expected).abs() < 1e-9, "{:?}", mode.shape);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// A pendulum of any size, drawn at any angle about any axis: its frequency is sqrt(3 g/(2 l))/(2 pi), hanging; upright it grows at that rate.
    #[test]
    fn pendulums_of_any_size_and_direction(
        size in -6.0..3.0_f64,
        mass in -6.0..3.0_f64,
        turn in prop::array::uniform3(-3.0..3.0_f64),
        start in 0.1..3.0_f64,
        upright in any::<bool>(),
    ) {
        let (length, mass) = (10.0_f64.powf(size), 10.0_f64.powf(mass));
        let turned = nalgebra::Rotation3::from_scaled_axis(nalgebra::Vector3::from(turn));
        let v = |x: f64, y: f64, z: f64| {
            let v = turned * nalgebra::Vector3::new(x, y, z);
            format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
        };
        let angle = if upright { FRAC_PI_2 } else { -FRAC_PI_2 + start };
        let inertia = mass * length * length / 12.0;
        let text = format!(
            "gravity = {g}\n[[body]]\nname = \"rod\"\nmass = {mass:?}\ninertia = [{:?}, {inertia:?}, {inertia:?}]\n\
             center_of_mass = [{:?}, 0, 0]\norientation = {{ x_axis = {along}, z_axis = {axis} }}\n\
             [[joint]]\nname = \"pivot\"\ntype = \"revolute\"\ni = \"rod\"\n\
             j = {{ body = \"ground\", orientation = {{ z_axis = {axis}, x_axis = {x} }} }}\n",
            1e-3 * inertia,
            length / 2.0,
            g = v(0.0, -9.81, 0.0),
            along = v(angle.cos(), angle.sin(), 0.0),
            axis = v(0.0, 0.0, 1.0),
            x = v(1.0, 0.0, 0.0),
        );
        let (found, point) = modes(&file(&text), At::Equilibrium);
        let expected = (1.5 * 9.81 / length).sqrt() / TAU;
        let standing = point.equilibrium() == Some(Stability::Unstable);
        prop_assert_eq!(found.modes.len(), if standing { 2 } else { 1 });
        for mode in &found.modes {
            prop_assert!((mode.frequency() / expected - 1.0).abs() < 1e-7, "{} Hz for {expected}", mode.frequency());
            let damping = if standing { 1.0 } else { 0.0 };
            prop_assert!((mode.damping().abs() - damping).abs() < 1e-7);
        }
        // An upright one that is drawn so to round-off may fall or stand; one beside it falls.
        prop_assert!(upright || !standing);
    }

    /// N hanging rods in a row have the frequencies of M and K written by hand.
    #[test]
    fn two_rods_have_the_modes_of_their_matrices(l1 in 0.1..3.0_f64, l2 in 0.1..3.0_f64, m1 in 0.1..3.0_f64, m2 in 0.1..3.0_f64) {
        let rod = |name: &str, m: f64, l: f64, y: f64| format!(
            "[[body]]\nname = \"{name}\"\nmass = {m}\ninertia = [{i}, {s}, {i}]\ncenter_of_mass = [0, {c}, 0]\nposition = [0, {y}, 0]\n",
            i = m * l * l / 12.0, s = 1e-3 * m * l * l, c = -l / 2.0
        );
        let text = format!(
            "gravity = [0, -9.81, 0]\n{}{}[[joint]]\nname = \"A\"\ntype = \"revolute\"\ni = \"one\"\nj = \"ground\"\n\
             [[joint]]\nname = \"B\"\ntype = \"revolute\"\ni = \"two\"\nj = {{ body = \"one\", position = [0, {}, 0] }}\n",
            rod("one", m1, l1, 0.0), rod("two", m2, l2, -l1), -l1
        );
        let (found, _) = modes(&file(&text), At::Auto);
        let [m11, m12, m22] = [(m1 / 3.0 + m2) * l1 * l1, m2 * l1 * l2 / 2.0, m2 * l2 * l2 / 3.0];
        let [k1, k2] = [(m1 / 2.0 + m2) * 9.81 * l1, m2 * 9.81 * l2 / 2.0];
        // det(K - w^2 M) = 0.
        let (a, b, c) = (m11 * m22 - m12 * m12, m11 * k2 + m22 * k1, k1 * k2);
        let root = (b * b - 4.0 * a * c).sqrt();
        for (mode, square) in found.modes.iter().zip([(b - root) / (2.0 * a), (b + root) / (2.0 * a)]) {
            prop_assert!((mode.frequency() * TAU / square.sqrt() - 1.0).abs() < 1e-7);
        }
    }
}
