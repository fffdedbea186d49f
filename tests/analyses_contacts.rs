//! Statics, kinematics and modes of mechanisms with contacts held closed, against closed forms.

mod motions;

use fourbar::analysis::{At, ContactForce, KinematicRun, Modes, OperatingPoint, QuasiStatics, Statics};
use fourbar::file::ModelFile;
use proptest::prelude::*;
use std::f64::consts::TAU;

fn file(text: &str) -> ModelFile {
    ModelFile::parse("model.toml", text).unwrap()
}

fn sought(text: &str) -> Result<Statics, fourbar::Error> {
    QuasiStatics::new(file(text).document().mechanism().unwrap(), None, None)?.at(0.0)
}

fn rest(text: &str) -> Statics {
    sought(text).unwrap_or_else(|error| panic!("{error}"))
}

fn of<'a>(found: &'a Statics, name: &str) -> &'a ContactForce {
    found.contacts.iter().find(|contact| contact.name.contains(name)).unwrap_or_else(|| panic!("{:?}", found.contacts))
}

fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
}

/// A ladder of length 2 l at an angle a on a rough floor, against a smooth wall: N_floor = m g, N_wall = friction = m g/(2 tan a).
fn ladder(degrees: f64, floor: f64) -> String {
    format!(
        r#"
gravity = [0, 0, -9.81]
parameters = {{ l = 2, a = "{degrees} deg" }}
[[body]]
name = "ladder"
mass = 12
inertia = [4, 4, 0.01]
position = ["l*cos(a)", 0, "l*sin(a)"]
[[joint]]
name = "plane"
type = "planar"
i = {{ body = "ladder", orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
j = {{ body = "ground", orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
[[contact]]
name = "floor"
type = "point_plane"
i = {{ body = "ladder", position = ["l*cos(a)", 0, "-l*sin(a)"] }}
j = "ground"
friction = {floor}
[[contact]]
name = "wall"
type = "point_plane"
i = {{ body = "ladder", position = ["-l*cos(a)", 0, "l*sin(a)"] }}
j = {{ body = "ground", orientation = {{ z_axis = [1, 0, 0], x_axis = [0, 1, 0] }} }}
"#
    )
}

#[test]
fn a_ladder_on_floor_and_wall() {
    for degrees in [45.0_f64, 60.0, 75.0] {
        let found = rest(&ladder(degrees, 0.6));
        let push = 12.0 * 9.81 / (2.0 * degrees.to_radians().tan());
        near(of(&found, "floor").normal, 12.0 * 9.81, 1e-6);
        near(of(&found, "floor").friction, push, 1e-6);
        near(of(&found, "wall").normal, push, 1e-6);
        assert!(of(&found, "floor").sticks && !of(&found, "wall").sticks && found.places[0].moved < 1e-9);
    }
    // mu = 0.3 holds it down to atan(1/0.6) = 59.04 degrees.
    assert!(sought(&ladder(59.1, 0.3)).is_ok());
    let error = sought(&ladder(58.9, 0.3)).unwrap_err().to_string();
    assert!(error.contains("floor") && error.contains("friction"), "{error}");
}

/// Gaps and forces of contacts as measures, in statics and over driven motion; what sums over a run is left out with a word.
#[test]
fn contacts_are_measured() {
    let measures = |contact: &str, all: &[&str]| {
        let one = |quantity: &&str| {
            format!(
                "[[measure]]\nname = \"{contact}_{quantity}\"\ntype = \"contact\"\ncontact = \"{contact}\"\nquantity = \"{quantity}\"\n"
            )
        };
        all.iter().map(one).collect::<String>()
    };
    let floor = measures("floor", &["gap", "closing_speed", "normal_force", "friction_force", "normal_impulse"]);
    let found = rest(&(ladder(60.0, 0.6) + &floor + &measures("wall", &["normal_force", "friction_force"])));
    let value = |name: &str| found.measures.iter().find(|(column, _)| column.name == name).map(|(_, value)| *value);
    let push = 12.0 * 9.81 / (2.0 * 60_f64.to_radians().tan());
    near(value("floor_normal_force").unwrap(), 12.0 * 9.81, 1e-6);
    near(value("floor_friction_force").unwrap(), push, 1e-6);
    near(value("wall_normal_force").unwrap(), push, 1e-6);
    near(value("wall_friction_force").unwrap(), 0.0, 1e-9);
    near(value("floor_gap").unwrap(), 0.0, 1e-9);
    near(value("floor_closing_speed").unwrap(), 0.0, 1e-12);
    assert_eq!(value("floor_normal_impulse"), None);
    let told = found.warnings.iter().any(|warning| warning.starts_with("\"floor_normal_impulse\" left out"));
    assert!(told, "{:?}", found.warnings);

    let lift = r#"
gravity = [0, 0, -9.81]
simulation = { end = 1, output_step = 0.25 }
body = [{ name = "ball", mass = 2, inertia = [1, 1, 1], position = [0, 0, 0.5] }]
joint = [{ name = "guide", type = "prismatic", i = "ball", j = "ground" }]
motion = [{ name = "lift", joint = "guide", displacement = "0.5 + 0.3*time" }]
contact = [{ name = "floor", type = "sphere_plane", i = "ball", j = "ground", radius = 0.2 }]
"#;
    let file = file(&(lift.to_owned() + &measures("floor", &["gap", "closing_speed", "normal_force"])));
    let mut run = KinematicRun::new(file.document().mechanism().unwrap(), None, None, false).unwrap();
    let columns = run.columns();
    assert_eq!(columns[1..4], ["floor_gap [m]", "floor_closing_speed [m/s]", "floor_normal_force [N]"]);
    for k in 0..=4 {
        let time = 0.25 * f64::from(k);
        let row = run.row(time).unwrap();
        assert_eq!(row.len(), columns.len());
        near(row[1], 0.3 + 0.3 * time, 1e-12);
        near(row[2], -0.3, 1e-12);
        near(row[3], 0.0, 0.0);
    }
}

/// A box on a plane tilted by an angle: it carries m g cos a and holds m g sin a, up to the angle of friction.
fn incline(degrees: f64) -> String {
    format!(
        r#"
gravity = [0, 0, -9.81]
parameters = {{ a = "{degrees} deg" }}
[[body]]
name = "block"
mass = 2
inertia = [0.01, 0.01, 0.01]
position = ["0.05*sin(a)", 0, "0.05*cos(a)"]
orientation = {{ axis = [0, 1, 0], angle = "a" }}
[[contact]]
name = "incline"
type = "box_plane"
i = "block"
size = [0.2, 0.2, 0.1]
j = {{ body = "ground", orientation = {{ axis = [0, 1, 0], angle = "a" }} }}
friction = 0.5
"#
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn a_box_on_an_incline(degrees in -26.0_f64..26.0) {
        let found = rest(&incline(degrees));
        let [normal, along]: [f64; 2] = [f64::cos, f64::sin].map(|part| 2.0 * 9.81 * part(degrees.to_radians()));
        near(found.contacts.iter().map(|contact| contact.normal).sum(), normal, 1e-6);
        let sum = found.contacts.iter().fold(nalgebra::Vector3::zeros(), |sum, contact| sum + contact.force);
        near(sum.x, 0.0, 1e-6);
        near(sum.z, 2.0 * 9.81, 1e-6);
        // Each corner pushes, with friction in its cone.
        for corner in &found.contacts {
            prop_assert!(corner.normal >= -1e-6 && corner.friction <= 0.5 * corner.normal + 1e-4, "{corner:?}");
        }
        prop_assert!(along.abs() < normal);
    }
}

/// Drawn inside of the plane, it comes to lie on it.
#[test]
fn a_box_drawn_inside_is_moved_out() {
    for depth in [1e-4, 0.01, 0.04] {
        let text = incline(0.0).replace("\"0.05*cos(a)\"", &format!("{}", 0.05 - depth));
        let found = rest(&text);
        near(found.contacts.iter().map(|contact| contact.normal).sum(), 2.0 * 9.81, 1e-6);
        near(found.places[0].moved, depth, 1e-6);
    }
}

#[test]
fn a_box_slides_where_it_is_too_steep() {
    let error = sought(&incline(27.0)).unwrap_err().to_string();
    assert!(error.contains("friction does not hold") && error.contains("incline"), "{error}");
}

/// A table on legs at places `legs` with a load at (x, y): weights of a lever.
fn table(legs: &[[f64; 2]], load: [f64; 2]) -> String {
    let mut text = format!(
        "gravity = [0, 0, -10]\n[[body]]\nname = \"table\"\nmass = 20\ninertia = [3, 3, 3]\nposition = [0, 0, 0.7]\n\
         [[force]]\nname = \"load\"\ntype = \"force\"\ni = {{ body = \"table\", position = [{}, {}, 0] }}\nvalue = [0, 0, -100]\n",
        load[0], load[1]
    );
    for (k, [x, y]) in legs.iter().enumerate() {
        text += &format!(
            "[[contact]]\nname = \"leg {k}\"\ntype = \"point_plane\"\ni = {{ body = \"table\", position = [{x}, {y}, -0.7] }}\nj = \"ground\"\nfriction = 0.4\n"
        );
    }
    text
}

const THREE: [[f64; 2]; 3] = [[1.0, 0.0], [-0.5, 0.8], [-0.5, -0.8]];

#[test]
fn a_table_on_three_legs() {
    let (x, y) = (0.2, -0.1);
    let found = rest(&table(&THREE, [x, y]));
    // Barycentric coordinates of the weights.
    for (k, [u, v]) in THREE.iter().enumerate() {
        let [[a, b], [c, d]] = [THREE[(k + 1) % 3], THREE[(k + 2) % 3]];
        let part = |x: f64, y: f64| {
            let area = |x: f64, y: f64| (a - x) * (d - y) - (c - x) * (b - y);
            area(x, y) / area(*u, *v)
        };
        near(of(&found, &format!("leg {k}")).normal, 200.0 * part(0.0, 0.0) + 100.0 * part(x, y), 1e-6);
    }
}

/// Four legs are one too many: their sum and moments are certain, the division is one that pushes.
#[test]
fn a_table_on_four_legs() {
    let legs = [[0.5, 0.4], [-0.5, 0.4], [-0.5, -0.4], [0.5, -0.4]];
    for load in [[0.0, 0.0], [0.3, 0.1], [0.6, 0.5], [0.9, 0.6]] {
        let found = rest(&table(&legs, load));
        let sum = |part: &dyn Fn(usize) -> f64| -> f64 {
            (0..4)
                .map(|k| {
                    part(k)
                        * found.contacts.iter().find(|c| c.name.contains(&format!("leg {k}"))).map_or(0.0, |c| c.normal)
                })
                .sum()
        };
        near(sum(&|_| 1.0), 300.0, 1e-6);
        near(sum(&|k| legs[k][0]), 100.0 * load[0], 1e-6);
        near(sum(&|k| legs[k][1]), 100.0 * load[1], 1e-6);
        assert!(found.contacts.iter().all(|contact| contact.normal > -1e-6), "{:?}", found.contacts);
        assert!(found.places[0].moved < 1e-9);
    }
}

/// A load beyond the legs tips the table: the contact that would pull is named, and no rest is near.
#[test]
fn a_table_tips_over() {
    match sought(&table(&THREE, [4.0, 0.0])) {
        Ok(found) => assert!(found.warnings.iter().any(|told| told.contains("leg")), "{:?}", found.warnings),
        Err(error) => {
            assert!(error.to_string().contains("equilibrium") || error.to_string().contains("contact"), "{error}")
        }
    }
}

/// A bottle, a cylinder on a half space, stands on its rim.
#[test]
fn a_bottle_stands() {
    let found = rest(
        r#"
gravity = [0, 0, -9.81]
[[body]]
name = "bottle"
mass = 0.8
inertia = [0.006, 0.006, 0.0005]
position = [0, 0, 0.15]
[[shape]]
name = "glass"
type = "cylinder"
on = "bottle"
radius = 0.04
length = 0.3
[[shape]]
name = "table"
type = "half_space"
on = "ground"
[[contact]]
name = "stands"
type = "shapes"
i = "glass"
j = "table"
friction = 0.3
"#,
    );
    assert!(found.contacts.len() >= 3 && found.contacts.iter().all(|contact| contact.normal > -1e-6));
    near(found.contacts.iter().map(|contact| contact.normal).sum(), 0.8 * 9.81, 1e-6);
    assert!(found.places[0].moved < 1e-9 && found.places[0].turned < 1e-9);
}

/// A car on four sprung wheels that roll and slip as they like, drawn in the air: it comes down, and its springs carry the body by the lever of its centre of mass.
fn car(height: f64) -> String {
    let mut text = format!(
        "gravity = [0, 0, -9.81]\n[[body]]\nname = \"body\"\nmass = 1200\ninertia = [400, 1500, 1700]\nposition = [0, 0, {}]\n",
        0.6 + height
    );
    for (name, x, y) in [("fl", 1.2, 0.7), ("fr", 1.2, -0.7), ("rl", -1.5, 0.7), ("rr", -1.5, -0.7)] {
        text += &format!(
            "[[body]]\nname = \"{name}\"\nmass = 30\ninertia = [1, 1, 1]\nposition = [{x}, {y}, {}]\n\
             [[joint]]\nname = \"strut {name}\"\ntype = \"prismatic\"\ni = \"{name}\"\nj = {{ body = \"body\", position = [{x}, {y}, -0.3] }}\n\
             [[force]]\nname = \"spring {name}\"\ntype = \"spring_damper\"\ni = \"{name}\"\nj = {{ body = \"body\", position = [{x}, {y}, 0.2] }}\nstiffness = 25000\ndamping = 1500\nfree_length = 0.5\n\
             [[contact]]\nname = \"tyre {name}\"\ntype = \"sphere_plane\"\ni = \"{name}\"\nradius = 0.3\nj = \"ground\"\n",
            0.3 + height
        );
    }
    text
}

#[test]
fn a_car_stands_on_four_wheels() {
    for height in [0.0, 0.25] {
        let found = rest(&car(height));
        // The centre of mass is 1.2 m behind the front axle and 1.5 m before the rear one.
        for (name, x) in [("fl", 1.5), ("fr", 1.5), ("rl", 1.2), ("rr", 1.2)] {
            // The struts lean with the body, by some 5 mm over its length: a part in a thousand.
            let expected = 9.81 * (600.0 * x / 2.7 + 30.0);
            near(of(&found, name).normal, expected, 2e-3 * expected);
        }
        near(found.contacts.iter().map(|contact| contact.normal).sum(), 9.81 * 1320.0, 1e-5);
        assert!(found.equilibrium.stable || found.equilibrium.neutral);
    }
}

/// Modes with wheels on the ground: the body bounces, pitches and rolls on four springs.
#[test]
fn a_car_bounces_on_the_ground() {
    let file = file(
        &car(0.0)
            .replace("inertia = [400, 1500, 1700]", "inertia = [400, \"1200*1.8\", 2300]")
            .replace("damping = 1500", "damping = 0"),
    );
    let mut point = OperatingPoint::new(file.document().mechanism().unwrap(), At::Auto).unwrap();
    let linearization = point.linearize().unwrap();
    let modes = Modes::new(&point, &linearization).unwrap();
    // J = m a b: front and rear bounce by themselves, with m b/(a + b) over 2 k and so on.
    let frequency = |mass: f64| (50_000.0 / mass).sqrt() / TAU;
    for expected in [frequency(1200.0 * 1.5 / 2.7), frequency(1200.0 * 1.2 / 2.7)] {
        assert!(
            modes.modes.iter().any(|mode| (mode.frequency() / expected - 1.0).abs() < 0.05),
            "{expected} Hz is not among {:?}",
            modes.modes.iter().map(|mode| mode.frequency()).collect::<Vec<_>>()
        );
    }
    let (forces, told) = point.contacts().unwrap();
    assert!(forces.len() == 4 && told.is_empty(), "{told:?}");
}

/// A follower on an eccentric cam: z = e sin(w t) + sqrt of the radii, force m (g + z'').
#[test]
fn a_follower_stays_on_its_cam() {
    let cam = |speed: f64| {
        format!(
            r#"
gravity = [0, 0, -9.81]
simulation = {{ end = 1, output_step = 0.05 }}
[[body]]
name = "cam"
mass = 1
inertia = [1, 1, 1]
[[body]]
name = "follower"
mass = 2
inertia = [1, 1, 1]
position = [0, 0, 0.5]
[[joint]]
name = "shaft"
type = "revolute"
i = {{ body = "cam", orientation = {{ z_axis = [0, -1, 0], x_axis = [1, 0, 0] }} }}
j = {{ body = "ground", orientation = {{ z_axis = [0, -1, 0], x_axis = [1, 0, 0] }} }}
[[joint]]
name = "guide"
type = "prismatic"
i = "follower"
j = "ground"
[[motion]]
name = "drive"
joint = "shaft"
displacement = "{speed}*time"
[[contact]]
name = "touch"
type = "sphere_plane"
i = {{ body = "cam", position = [0.1, 0, 0] }}
radius = 0.5
j = {{ body = "follower", orientation = {{ z_axis = [0, 0, -1], x_axis = [1, 0, 0] }} }}
[[measure]]
name = "z"
type = "position"
i = "follower"
component = "z"
[[measure]]
name = "torque"
type = "reaction"
motion = "drive"
quantity = "torque"
component = "y"
"#
        )
    };
    let file = file(&cam(3.0));
    let mut run = KinematicRun::new(file.document().mechanism().unwrap(), None, None, true).unwrap();
    let columns = run.columns();
    let at =
        |name: &str| columns.iter().position(|column| column == name).unwrap_or_else(|| panic!("{name}: {columns:?}"));
    for k in 0..=20 {
        let time = 0.05 * f64::from(k);
        let row = run.row(time).unwrap();
        let (s, c) = (3.0 * time).sin_cos();
        near(row[at("z [m]")], 0.5 + 0.1 * s, 1e-9);
        near(row[at("follower vz [m/s]")], 0.3 * c, 1e-8);
        near(row[at("follower az [m/s2]")], -0.9 * s, 1e-7);
        // Power of the drive: of the follower's weight and inertia, and of the cam's.
        let push = 2.0 * (9.81 - 0.9 * s);
        near(row[at("drive effort")], push * 0.1 * c, 1e-6);
    }
    assert!(run.warnings().is_empty(), "{:?}", run.warnings());
    let fast = self::file(&cam(12.0));
    let mut run = KinematicRun::new(fast.document().mechanism().unwrap(), None, None, false).unwrap();
    (0..=20).for_each(|k| drop(run.row(0.05 * f64::from(k)).unwrap()));
    // 14.4 m/s^2 downwards is more than g.
    assert!(run.warnings().iter().any(|told| told.contains("touch") && told.contains("pulls")), "{:?}", run.warnings());
}
