//! Models in other units: the same results as in SI units.

use super::includes::{columns, series};
use fourbar::analysis::QuasiStatics;
use fourbar::file::ModelFile;
use fourbar::run::{Overrides, Run};
use std::sync::atomic::AtomicBool;

/// A machine with an element of each kind, in metres, kilograms, seconds and newtons.
const SI: &str = r#"
gravity = [0, -9.81, 0]
[parameters]
length = 0.5
[simulation]
end = 0.5
output_step = 0.01
tolerance = 1e-10
stop_times = [0.3]
[[spline]]
name = "push"
x = [0, 0.1, 0.5]
y = [0, 20, 5]
[[body]]
name = "rod"
mass = 2
inertia = [1e-3, 0.04, 0.04]
center_of_mass = ["length/2", 0, 0]
angular_velocity = [0, 0, 3]
[[body]]
name = "block"
solids = [{ type = "box", size = [0.1, 0.2, 0.3], density = 500 }]
position = [1.5, 0, 0]
velocity = [0.4, 0, 0]
[[body]]
name = "wheel"
mass = 1
inertia = [0.01, 0.01, 0.02]
position = [0, 2, 0]
[[marker]]
name = "tip"
body = "rod"
position = ["length", 0, 0]
[[joint]]
name = "pivot"
type = "revolute"
i = "rod"
j = "ground"
[[joint]]
name = "slide"
type = "prismatic"
i = { body = "block", orientation = { z_axis = [1, 0, 0] } }
j = { body = "ground", orientation = { z_axis = [1, 0, 0] } }
[[joint]]
name = "axle"
type = "revolute"
i = "wheel"
j = { body = "ground", position = [0, 2, 0] }
[[motion]]
name = "spin"
joint = "axle"
velocity = "20*time"
[[force]]
name = "spring"
type = "spring_damper"
i = "tip"
j = "block"
stiffness = 800
damping = 4
free_length = 0.9
preload = 10
[[force]]
name = "twist"
type = "torsion_spring_damper"
i = "rod"
j = "ground"
stiffness = 3
damping = 0.05
free_angle = 0.1
preload = 0.2
[[force]]
name = "push"
type = "force"
i = "block"
value = ["akispl(time, push) - 30*(way.x - 1.5) - if(speed.x > 0.1, 2, 0)", 0, 0]
[[force]]
name = "brake"
type = "axial_torque"
i = "rod"
j = "ground"
value = "-0.02*turn"
[[measure]]
name = "way"
type = "position"
i = "block"
[[measure]]
name = "speed"
type = "velocity"
i = "block"
[[measure]]
name = "turn"
type = "angular_velocity"
i = "rod"
component = "z"
[[measure]]
name = "pin"
type = "reaction"
joint = "pivot"
quantity = "force"
[[measure]]
name = "effort"
type = "reaction"
motion = "spin"
quantity = "torque"
component = "z"
[[measure]]
name = "energy"
type = "total_energy"
[[measure]]
name = "momentum"
type = "momentum"
body = "block"
component = "x"
"#;

/// The same in millimetres, tonnes, milliseconds and kilonewtons.
const OTHER: &str = r#"
units = "mm, t, ms, kN"
gravity = [0, -9.81e-3, 0]
[parameters]
length = 500
[simulation]
end = 500
output_step = 10
tolerance = 1e-10
stop_times = [300]
[[spline]]
name = "push"
x = [0, 100, 500]
y = [0, 20e-3, 5e-3]
[[body]]
name = "rod"
mass = 2e-3
inertia = [1, 40, 40]
center_of_mass = ["length/2", 0, 0]
angular_velocity = [0, 0, 3e-3]
[[body]]
name = "block"
solids = [{ type = "box", size = [100, 200, 300], density = 5e-10 }]
position = [1500, 0, 0]
velocity = [0.4, 0, 0]
[[body]]
name = "wheel"
mass = 1e-3
inertia = [10, 10, 20]
position = [0, 2000, 0]
[[marker]]
name = "tip"
body = "rod"
position = ["length", 0, 0]
[[joint]]
name = "pivot"
type = "revolute"
i = "rod"
j = "ground"
[[joint]]
name = "slide"
type = "prismatic"
i = { body = "block", orientation = { z_axis = [1, 0, 0] } }
j = { body = "ground", orientation = { z_axis = [1, 0, 0] } }
[[joint]]
name = "axle"
type = "revolute"
i = "wheel"
j = { body = "ground", position = [0, 2000, 0] }
[[motion]]
name = "spin"
joint = "axle"
velocity = "20e-6*time"
[[force]]
name = "spring"
type = "spring_damper"
i = "tip"
j = "block"
stiffness = 800e-6
damping = 4e-3
free_length = 900
preload = 10e-3
[[force]]
name = "twist"
type = "torsion_spring_damper"
i = "rod"
j = "ground"
stiffness = 3
damping = 50
free_angle = 0.1
preload = 0.2
[[force]]
name = "push"
type = "force"
i = "block"
value = ["akispl(time, push) - 30e-6*(way.x - 1500) - if(speed.x > 0.1, 2e-3, 0)", 0, 0]
[[force]]
name = "brake"
type = "axial_torque"
i = "rod"
j = "ground"
value = "-20*turn"
[[measure]]
name = "way"
type = "position"
i = "block"
[[measure]]
name = "speed"
type = "velocity"
i = "block"
[[measure]]
name = "turn"
type = "angular_velocity"
i = "rod"
component = "z"
[[measure]]
name = "pin"
type = "reaction"
joint = "pivot"
quantity = "force"
[[measure]]
name = "effort"
type = "reaction"
motion = "spin"
quantity = "torque"
component = "z"
[[measure]]
name = "energy"
type = "total_energy"
[[measure]]
name = "momentum"
type = "momentum"
body = "block"
component = "x"
"#;

fn same(one: &str, other: &str, tolerance: f64) {
    let (one, other) = (columns(one), columns(&format!("result_units = \"m, kg, s, N\"\n{other}")));
    assert_eq!(one.len(), other.len());
    for (name, values) in &one {
        let others = series(&other, name);
        let size = values.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        let far = values.iter().zip(others).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(values.len() == others.len() && far <= tolerance * size.max(1e-3), "{name}: {far} of {size}");
    }
}

#[test]
fn a_machine_in_other_units() {
    same(SI, OTHER, 1e-6);
}

/// Adams' own table: in lbf, lbm, in, s a body falls -12.0654 in within 0.25 s.
#[test]
fn free_fall_in_inches() {
    let text = "units = \"in, lb, s, lbf\"\ngravity = [0, -386.0885827, 0]\n[simulation]\nend = 0.25\n[[body]]\nname = \"b\"\nmass = 3\n\
                [[joint]]\nname = \"o\"\ntype = \"orientation\"\ni = \"b\"\nj = \"ground\"\n\
                [[measure]]\nname = \"y\"\ntype = \"position\"\ni = \"b\"\ncomponent = \"y\"\n\
                [[force]]\nname = \"weight\"\ntype = \"force\"\ni = \"b\"\nvalue = [0, 0, 3]\n\
                [[measure]]\nname = \"z\"\ntype = \"position\"\ni = \"b\"\ncomponent = \"z\"\n";
    let columns = columns(text);
    // Results are in the units of the file.
    let y = series(&columns, "y").last().unwrap();
    assert!((y + 12.0654).abs() < 1e-3, "{y}");
    // A force of as many pounds as the mass has is its weight.
    let z = series(&columns, "z").last().unwrap();
    assert!((z + y).abs() < 1e-7, "{z}");
}

const CONTACTS: &str = r#"
gravity = [0, 0, -9.81]
[simulation]
end = 1
output_step = 0.05
[[body]]
name = "ball"
mass = 0.2
inertia = [1e-4, 1e-4, 1e-4]
position = [0, 0, 0.5]
[[body]]
name = "cube"
mass = 1
inertia = [2e-3, 2e-3, 2e-3]
position = [1, 0, 0.05]
velocity = [0.8, 0, 0]
[[contact]]
name = "bounce"
type = "sphere_plane"
i = "ball"
radius = 0.05
j = "ground"
restitution = 0.7
[[contact]]
name = "slide"
type = "box_plane"
i = "cube"
size = [0.1, 0.1, 0.1]
j = "ground"
friction = 0.3
[contacts]
method = "gap_lcp"
step = 0.001
[[measure]]
name = "height"
type = "position"
i = "ball"
component = "z"
[[measure]]
name = "way"
type = "position"
i = "cube"
component = "x"
"#;

#[test]
fn contacts_in_other_units() {
    let other = CONTACTS
        .replace("gravity = [0, 0, -9.81]", "units = \"mm, g, s, mN\"\ngravity = [0, 0, -9810]")
        .replace("mass = 0.2\ninertia = [1e-4, 1e-4, 1e-4]", "mass = 200\ninertia = [1e5, 1e5, 1e5]")
        .replace("mass = 1\ninertia = [2e-3, 2e-3, 2e-3]", "mass = 1000\ninertia = [2e6, 2e6, 2e6]")
        .replace("[0, 0, 0.5]", "[0, 0, 500]")
        .replace("[1, 0, 0.05]", "[1000, 0, 50]")
        .replace("velocity = [0.8, 0, 0]", "velocity = [800, 0, 0]")
        .replace("radius = 0.05", "radius = 50")
        .replace("size = [0.1, 0.1, 0.1]", "size = [100, 100, 100]");
    same(CONTACTS, &other, 1e-9);
}

/// The same machine with numbers that have units of their own, in a file in SI units and in one in others.
#[test]
fn numbers_with_units_of_their_own() {
    let with_units = |text: &str| {
        text.replace("mass = 2\n", "mass = \"2000 g\"\n")
            .replace("inertia = [1e-3, 0.04, 0.04]", "inertia = [\"10 kg cm^2\", \"400 kg cm^2\", \"0.04 kg m^2\"]")
            .replace("angular_velocity = [0, 0, 3]", "angular_velocity = [0, 0, \"3 rad/s\"]")
            .replace("density = 500", "density = \"0.5 g/cm^3\"")
            .replace("velocity = [0.4, 0, 0]", "velocity = [\"40 cm/s\", 0, 0]")
            .replace("position = [0, 2, 0]", "position = [0, \"2*1000 mm\", 0]")
            .replace("end = 0.5\n", "end = \"500 ms\"\n")
    };
    let other = with_units(SI);
    assert_ne!(other, SI);
    same(SI, &other, 1e-9);
    let other = with_units(CONTACTS)
        .replace("gravity = [0, 0, -9.81]", "units = \"mm, g, s, mN\"\ngravity = [0, 0, \"-9.81 m/s^2\"]")
        .replace("mass = 0.2\ninertia = [1e-4, 1e-4, 1e-4]", "mass = \"0.2 kg\"\ninertia = [1e5, 1e5, \"1e-4 kg m^2\"]")
        .replace("mass = 1\ninertia = [2e-3, 2e-3, 2e-3]", "mass = 1000\ninertia = [2e6, 2e6, 2e6]")
        .replace("[0, 0, 0.5]", "[0, 0, \"0.5 m\"]")
        .replace("[1, 0, 0.05]", "[\"1 m\", 0, \"5 cm\"]")
        .replace("velocity = [0.8, 0, 0]", "velocity = [\"0.8 m/s\", 0, 0]")
        .replace("radius = 0.05", "radius = \"5 cm\"")
        .replace("size = [0.1, 0.1, 0.1]", "size = [\"10 cm\", 100, \"0.05*2 [m]\"]")
        .replace("step = 0.001", "step = \"1 ms\"");
    same(CONTACTS, &other, 1e-9);
}

fn refusal(text: &str) -> String {
    match ModelFile::parse("model.toml", text) {
        Err(error) => error.to_string(),
        Ok(file) => {
            let error = Run::new(file.document(), &Overrides::default()).map(|_| ()).unwrap_err();
            file.explain_start(error).to_string()
        }
    }
}

#[test]
fn a_unit_of_something_else_is_refused_where_it_stands() {
    for (field, wrong, wanted) in [
        ("mass = 2\n", "mass = \"2 mm\"\n", "kg"),
        ("velocity = [0.4, 0, 0]", "velocity = [\"0.4 N\", 0, 0]", "m/s"),
        ("position = [1.5, 0, 0]", "position = [0, \"2 kg\", 0]", "m"),
        ("angular_velocity = [0, 0, 3]", "angular_velocity = [0, 0, \"3 Hz\"]", "rad/s"),
    ] {
        assert!(SI.contains(field), "{field}");
        let text = SI.replacen(field, wrong, 1);
        let told = refusal(&text);
        assert!(told.contains(&format!("where one in {wanted} is wanted")), "{told}");
        let line = 1 + text[..text.find(wrong).unwrap()].matches('\n').count();
        assert!(told.contains(&format!("model.toml:{line}:")), "{line}: {told}");
    }
    for (unit, problem) in [("bar", "measures something else"), ("furlong", "not a known unit")] {
        let text = CONTACTS.replacen("component = \"z\"", &format!("component = \"z\"\nunit = \"{unit}\""), 1);
        let told = refusal(&text);
        assert!(told.contains(problem) && told.contains("height"), "{told}");
    }
}

/// A point at (100, 0, 0) mm, in files in mm and in m, with measures and results in units of their own.
#[test]
fn results_are_in_the_units_that_are_asked_for() {
    let file = |top: &str, unit: &str, more: &str| {
        let place = if top.contains("mm, t") { "100" } else { "0.1" };
        format!(
            "{top}\n[simulation]\nend = 0.1\n[[body]]\nname = \"bob\"\nmass = \"1 kg\"\ninertia = [\"1 kg mm^2\", \"1 kg mm^2\", \"1 kg mm^2\"]\n\
             position = [{place}, 0, 0]\n[[joint]]\nname = \"g\"\ntype = \"fixed\"\nat = [{place}, 0, 0]\ni = \"bob\"\nj = \"ground\"\n\
             [[measure]]\nname = \"p\"\ntype = \"position\"\ni = \"bob\"\n{unit}[[measure]]\nname = \"px\"\ntype = \"expression\"\nexpression = \"p.x\"\n{more}"
        )
    };
    let mm = "units = \"mm, t, s, N\"";
    for (top, unit, more, p, px, told) in [
        ("", "", "unit = \"m\"", (0.1, "m"), (0.1, "m"), false),
        ("", "unit = \"mm\"\n", "unit = \"m\"", (100.0, "mm"), (0.1, "m"), false),
        ("result_units = \"cm, deg\"", "", "unit = \"m\"", (10.0, "cm"), (10.0, "cm"), false),
        (mm, "", "unit = \"mm\"", (100.0, "mm"), (100.0, "mm"), false),
        (mm, "", "", (100.0, "mm"), (100.0, ""), false),
        (mm, "", "unit = \"m\"", (100.0, "mm"), (100.0, "m"), true),
        (mm, "unit = \"m\"\n", "unit = \"mm\"", (0.1, "m"), (100.0, "mm"), false),
        ("units = \"mm, t, s, N\"\nresult_units = \"m\"", "", "unit = \"mm\"", (0.1, "m"), (0.1, "m"), false),
    ] {
        let file = ModelFile::parse("model.toml", file(top, unit, more)).unwrap_or_else(|error| panic!("{error}"));
        let run = Run::new(file.document(), &Overrides::default()).unwrap();
        let summary = run.execute(&mut [], &AtomicBool::new(false)).unwrap().summary;
        for (name, (value, unit)) in [("p.x", p), ("px", px)] {
            let (column, found) = summary.last.iter().find(|(column, _)| column.name == name).unwrap();
            assert_eq!(column.unit, unit, "{top} {name}");
            assert!((found / value - 1.0).abs() < 1e-12, "{top} {name}: {found}");
        }
        let warned = summary.warnings.iter().any(|warning| warning.contains("in the units of the file"));
        assert_eq!(warned, told, "{top} {more}: {:?}", summary.warnings);
        let mut statics = QuasiStatics::new(file.document().mechanism().unwrap(), None, None).unwrap();
        let (column, value) = statics.at(0.0).unwrap().measures[0].clone();
        assert_eq!((column.name.as_str(), column.unit.as_str()), ("p.x", p.1));
        assert!((value / p.0 - 1.0).abs() < 1e-12, "{value}");
    }
}
