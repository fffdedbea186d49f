//! Models in other units: the same results as in SI units.

use super::includes::{columns, series};

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
    let (one, other) = (columns(one), columns(other));
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
    let y = series(&columns, "y").last().unwrap() / 0.0254;
    assert!((y + 12.0654).abs() < 1e-3, "{y}");
    // A force of as many pounds as the mass has is its weight.
    let z = series(&columns, "z").last().unwrap() / 0.0254;
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
