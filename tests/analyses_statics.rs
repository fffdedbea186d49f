//! Static equilibria of machines against closed forms, and what statics, kinematics and linearization say of what they do not take.

use fourbar::Error;
use fourbar::analysis::{At, KinematicRun, OperatingPoint, QuasiStatics, Statics};
use fourbar::file::ModelFile;

fn file(text: &str) -> ModelFile {
    ModelFile::parse("model.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

fn at(text: &str, time: f64) -> Result<Statics, Error> {
    QuasiStatics::new(file(text).document().mechanism().unwrap(), None, None)?.at(time)
}

fn rest(text: &str) -> Statics {
    at(text, 0.0).unwrap_or_else(|error| panic!("{error}"))
}

fn measured(found: &Statics, name: &str) -> f64 {
    found.measures.iter().find(|(column, _)| column.name == name).unwrap_or_else(|| panic!("{name}")).1
}

fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
}

/// The zero of `f`, which falls, between `low` and `high`.
fn zero(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        *(if f(middle) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    low
}

/// A beam axle between two springs of a car, its wheels loaded unlike: forces and moments of the springs at their places balance.
#[test]
fn an_axle_on_springs_leans_to_the_heavier_side() {
    let found = rest(
        r#"
gravity = [0, 0, -9.81]
[[body]]
name = "axle"
mass = 80
inertia = [20, 1, 20]
[[joint]]
name = "across"
type = "planar"
i = { body = "axle", orientation = { z_axis = [1, 0, 0], x_axis = [0, 1, 0] } }
j = { body = "ground", orientation = { z_axis = [1, 0, 0], x_axis = [0, 1, 0] } }
[[force]]
name = "left"
type = "spring_damper"
i = { body = "axle", position = [0, 0.5, 0] }
j = { body = "ground", position = [0, 0.5, 0.4] }
stiffness = 3e4
free_length = 0.4
[[force]]
name = "right"
type = "spring_damper"
i = { body = "axle", position = [0, -0.5, 0] }
j = { body = "ground", position = [0, -0.5, 0.4] }
stiffness = 3e4
free_length = 0.4
[[force]]
name = "track rod"
type = "spring_damper"
i = "axle"
j = { body = "ground", position = [0, 1, 0] }
stiffness = 1e5
free_length = 1
[[force]]
name = "wheel left"
type = "force"
i = { body = "axle", position = [0, 0.75, 0] }
value = [0, 0, 4000]
[[force]]
name = "wheel right"
type = "force"
i = { body = "axle", position = [0, -0.75, 0] }
value = [0, 0, 3000]
[[measure]]
name = "left"
type = "position"
i = { body = "axle", position = [0, 0.5, 0] }
[[measure]]
name = "right"
type = "position"
i = { body = "axle", position = [0, -0.5, 0] }
"#,
    );
    let place = |side: &str| ["y", "z"].map(|part| measured(&found, &format!("{side}.{part}")));
    let [left, right] = [place("left"), place("right")];
    let centre = [0, 1].map(|k| 0.5 * (left[k] + right[k]));
    let spring = |at: [f64; 2], to: [f64; 2], stiffness: f64, free: f64| {
        let way = [0, 1].map(|k| to[k] - at[k]);
        let length = way[0].hypot(way[1]);
        way.map(|part| stiffness * (length - free) * part / length)
    };
    let wheel = |side: f64| [0, 1].map(|k| centre[k] + side * 0.75 * (left[k] - right[k]));
    let forces = [
        (left, spring(left, [0.5, 0.4], 3e4, 0.4)),
        (right, spring(right, [-0.5, 0.4], 3e4, 0.4)),
        (centre, spring(centre, [1.0, 0.0], 1e5, 1.0)),
        (centre, [0.0, -80.0 * 9.81]),
        (wheel(1.0), [0.0, 4000.0]),
        (wheel(-1.0), [0.0, 3000.0]),
    ];
    near(forces.iter().map(|(_, f)| f[0]).sum(), 0.0, 1e-5);
    near(forces.iter().map(|(_, f)| f[1]).sum(), 0.0, 1e-5);
    near(forces.iter().map(|(p, f)| p[0] * f[1] - p[1] * f[0]).sum(), 0.0, 1e-5);
    assert!(left[1] > right[1] && found.equilibrium.stable);
}

/// A toggle press: a force F on the knee of two links l presses with F/(2 tan a), a the angle of the links, against a stiff spring.
#[test]
fn a_toggle_press_multiplies_its_force() {
    for push in [30.0, 100.0, 150.0] {
        let found = rest(&format!(
            r#"
parameters = {{ l = 0.3, a = 0.35, k = 2e4 }}
[[body]]
name = "lower"
mass = 1
inertia = [0.01, 0.01, 0.01]
orientation = {{ axis = [0, 1, 0], angle = "a" }}
[[body]]
name = "upper"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = ["l*sin(a)", 0, "l*cos(a)"]
orientation = {{ axis = [0, 1, 0], angle = "-a" }}
[[body]]
name = "ram"
mass = 5
inertia = [0.1, 0.1, 0.1]
position = [0, 0, "2*l*cos(a)"]
[[joint]]
name = "foot"
type = "revolute"
i = {{ body = "lower", orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
j = {{ body = "ground", orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
[[joint]]
name = "knee"
type = "revolute"
i = {{ body = "upper", orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
j = {{ body = "lower", position = [0, 0, "l"], orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
[[joint]]
name = "head"
type = "revolute"
i = {{ body = "upper", position = [0, 0, "l"], orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
j = {{ body = "ram", orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
[[joint]]
name = "guide"
type = "prismatic"
i = "ram"
j = "ground"
[[force]]
name = "work"
type = "spring_damper"
i = "ram"
j = {{ body = "ground", position = [0, 0, 2] }}
stiffness = "k"
free_length = "2 - 2*l*cos(a)"
[[force]]
name = "push"
type = "force"
i = {{ body = "lower", position = [0, 0, "l"] }}
value = [{}, 0, 0]
[[measure]]
name = "z"
type = "position"
i = "ram"
component = "z"
"#,
            -push
        ));
        let height = |angle: f64| 0.6 * angle.cos();
        let press = |angle: f64| 2e4 * (height(angle) - height(0.35));
        // Before the knee snaps through, which some 190 N make it do.
        let angle = -zero(-0.35, -0.22, |minus| push * minus.cos() - 2.0 * press(-minus) * (-minus).sin());
        near(measured(&found, "z"), height(angle), 1e-9);
        near(press(angle), push / (2.0 * angle.tan()), 1e-6);
        assert!(found.equilibrium.stable);
    }
}

/// A gripper: a spring closes its jaw with the lever 2 on a box between jaw and wall, which friction holds.
fn gripper(friction: f64) -> String {
    format!(
        r#"
gravity = [0, 0, -9.81]
[[body]]
name = "jaw"
mass = 0.001
inertia = [1e-6, 1e-6, 1e-6]
position = [0.05, 0, 0]
[[body]]
name = "box"
mass = 2
inertia = [0.01, 0.01, 0.01]
position = [0, 0, -0.2]
[[joint]]
name = "pivot"
type = "revolute"
i = {{ body = "jaw", orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
j = {{ body = "ground", position = [0.05, 0, 0], orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
[[joint]]
name = "plane"
type = "planar"
i = {{ body = "box", orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
j = {{ body = "ground", orientation = {{ z_axis = [0, 1, 0], x_axis = [1, 0, 0] }} }}
[[force]]
name = "spring"
type = "spring_damper"
i = {{ body = "jaw", position = [0, 0, 0.1] }}
j = {{ body = "ground", position = [-0.05, 0, 0.1] }}
stiffness = 1000
free_length = 0.2
[[contact]]
name = "finger"
type = "point_plane"
i = {{ body = "jaw", position = [0, 0, -0.2] }}
j = {{ body = "box", position = [0.05, 0, 0], orientation = {{ z_axis = [1, 0, 0], x_axis = [0, 1, 0] }} }}
friction = {friction}
[[contact]]
name = "wall"
type = "point_plane"
i = {{ body = "ground", position = [-0.05, 0, -0.2] }}
j = {{ body = "box", position = [-0.05, 0, 0], orientation = {{ z_axis = [-1, 0, 0], x_axis = [0, 1, 0] }} }}
friction = {friction}
"#
    )
}

#[test]
fn a_gripper_holds_by_friction() {
    let found = rest(&gripper(0.3));
    // The spring pushes with 1000*0.1 N on the lever 0.1 m, the finger with half of that at 0.2 m.
    for contact in &found.contacts {
        near(contact.normal, 50.0, 1e-4);
        near(contact.friction, 9.81, 1e-4);
        assert!(contact.sticks);
    }
    // 9.81 N over 50 N.
    assert!(at(&gripper(0.2), 0.0).is_ok());
    let error = at(&gripper(0.19), 0.0).unwrap_err().to_string();
    assert!(error.contains("friction does not hold"), "{error}");
}

/// A bascule bridge: the leaf against its hanging counterweight and a spring in the bearing.
#[test]
fn a_bascule_bridge_rests_where_its_counterweight_holds_it() {
    let found = rest(
        r#"
gravity = [0, 0, -9.81]
[[body]]
name = "leaf"
mass = 2e4
inertia = [1e4, 5e5, 5e5]
center_of_mass = [6, 0, 0]
[[body]]
name = "counterweight"
mass = 3.8e4
inertia = [1e4, 1e4, 1e4]
center_of_mass = [0, 0, -1]
position = [-3, 0, 0]
[[joint]]
name = "bearing"
type = "revolute"
i = { body = "leaf", orientation = { z_axis = [0, -1, 0], x_axis = [1, 0, 0] } }
j = { body = "ground", orientation = { z_axis = [0, -1, 0], x_axis = [1, 0, 0] } }
[[joint]]
name = "hanger"
type = "revolute"
i = { body = "counterweight", orientation = { z_axis = [0, -1, 0], x_axis = [1, 0, 0] } }
j = { body = "leaf", position = [-3, 0, 0], orientation = { z_axis = [0, -1, 0], x_axis = [1, 0, 0] } }
[[force]]
name = "spring"
type = "torsion_spring_damper"
i = { body = "leaf", orientation = { z_axis = [0, -1, 0], x_axis = [1, 0, 0] } }
j = { body = "ground", orientation = { z_axis = [0, -1, 0], x_axis = [1, 0, 0] } }
stiffness = 2e5
free_angle = 0.9
[[measure]]
name = "angle"
type = "angle"
i = { body = "leaf", orientation = { z_axis = [0, -1, 0], x_axis = [1, 0, 0] } }
j = { body = "ground", orientation = { z_axis = [0, -1, 0], x_axis = [1, 0, 0] } }
"#,
    );
    let down = 9.81 * (2e4 * 6.0 - 3.8e4 * 3.0);
    let angle = zero(0.0, 1.5, |angle| 2e5 * (0.9 - angle) - down * angle.cos());
    near(measured(&found, "angle"), angle, 1e-9);
    let bearing = &found.reactions[0].wrench.force;
    near(bearing.z, 9.81 * 5.8e4, 1e-3);
    near(bearing.x, 0.0, 1e-3);
}

const SLIDE: &str = r#"
body = [{ name = "slide", mass = 1 }]
joint = [{ name = "guide", type = "prismatic", i = "slide", j = "ground" }]
simulation = { end = 1, output_step = 0.25 }
"#;

#[test]
fn motions_that_move_jump_or_have_no_value_are_named() {
    let driven = |displacement: &str| {
        format!("{SLIDE}motion = [{{ name = \"drive\", joint = \"guide\", displacement = \"{displacement}\" }}]\n")
    };
    let found = at(&driven("0.3*time"), 0.5).unwrap();
    assert!(
        found.warnings.iter().any(|told| told.contains("drive") && told.contains("0.3 m/s")),
        "{:?}",
        found.warnings
    );
    let run = |displacement: &str| {
        let file = file(&driven(displacement));
        let mut run = KinematicRun::new(file.document().mechanism().unwrap(), None, None, false).unwrap();
        (0..=4).try_for_each(|k| run.row(0.25 * f64::from(k)).map(drop)).unwrap_err().to_string()
    };
    let jump = run("if(time > 0.6, 0.4, 0.1)");
    assert!(jump.contains("drive") && jump.contains("jumps") && jump.contains("0.6"), "{jump}");
    let infinite = run("1/(0.5 - time)");
    assert!(infinite.contains("drive"), "{infinite}");
    let steep = file(&driven("step5(time, 0.5, 0, 0.501, 0.2)"));
    let mut run = KinematicRun::new(steep.document().mechanism().unwrap(), None, None, false).unwrap();
    assert!(run.row(1.0).is_ok());
}

#[test]
fn linearization_says_where_it_is_none() {
    let warnings = |text: &str, at: At| {
        let file = file(text);
        let mut point = OperatingPoint::new(file.document().mechanism().unwrap(), at).unwrap();
        let linearization = point.linearize().unwrap();
        point.warnings(&linearization).unwrap()
    };
    let spring = |law: &str| {
        format!(
            "{SLIDE}measure = [{{ name = \"z\", type = \"position\", i = \"slide\", component = \"z\" }}]\n\
             force = [{{ name = \"f\", type = \"force\", i = \"slide\", value = [0, 0, \"{law}\"] }}]\n"
        )
    };
    assert!(warnings(&spring("-100*z - 5*z^3"), At::Start).is_empty());
    for law in ["if(z > 0, -100*z, -400*z)", "-100*z - 2*sign(z)", "-100*z - 30*max(0, z - 0.0012)"] {
        let told = warnings(&spring(law), At::Start);
        assert!(told.iter().any(|told| told.contains("a force") && told.contains("slide z")), "{law}: {told:?}");
    }
    let moving = spring("-100*z").replace("mass = 1", "mass = 1, velocity = [0, 0, 2]");
    let told = warnings(&moving, At::Start);
    assert!(told.iter().any(|told| told.contains("moves") && told.contains("2 m/s")), "{told:?}");
}

#[test]
fn what_is_set_and_what_does_not_touch_are_named() {
    let mut file = file(&SLIDE.replace("mass = 1", "mass = \"m\"").replace("body =", "parameters = { m = 1 }\nbody ="));
    file.set_parameter("m", "q + 1".parse().unwrap()).unwrap();
    let error = QuasiStatics::new(file.document().mechanism().unwrap(), None, None).map(drop).unwrap_err();
    let told = file.explain_start(error).to_string();
    assert!(told.contains("--set \"m\"") && !told.contains("model.toml"), "{told}");
    let touching = self::file(&format!(
        "{SLIDE}contact = [{{ name = \"c\", type = \"shapes\", i = \"slide\", j = \"floor\" }}]\n\
         shape = [{{ name = \"floor\", type = \"half_space\", on = \"ground\" }}]\n"
    ));
    let told =
        QuasiStatics::new(touching.document().mechanism().unwrap(), None, None).map(drop).unwrap_err().to_string();
    assert!(told.contains("the body \"slide\" has no shape"), "{told}");
}
