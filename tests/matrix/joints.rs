//! Joints of each kind, between two bodies on elastic mounts.

use super::feature::Feature;

const PLAIN: &str = "";
const ALONG_X: &str = ", orientation = { z_axis = [1, 0, 0] }";

/// Kind, orientation of I, orientation of J, further fields.
const KINDS: &[(&str, &str, &str, &str)] = &[
    ("revolute", PLAIN, PLAIN, ""),
    ("prismatic", PLAIN, PLAIN, ""),
    ("cylindrical", PLAIN, PLAIN, ""),
    ("spherical", PLAIN, PLAIN, ""),
    ("universal", ALONG_X, PLAIN, ""),
    ("planar", PLAIN, PLAIN, ""),
    ("fixed", PLAIN, PLAIN, ""),
    ("inline", PLAIN, PLAIN, ""),
    ("inplane", PLAIN, PLAIN, ""),
    ("parallel_axes", PLAIN, PLAIN, ""),
    ("perpendicular", ALONG_X, PLAIN, ""),
    ("orientation", PLAIN, PLAIN, ""),
    ("distance", PLAIN, PLAIN, "length = 0.2\n"),
    ("screw", PLAIN, PLAIN, "pitch = 0.05\n"),
    ("constant_velocity", ALONG_X, ALONG_X, ""),
    ("hooke", PLAIN, PLAIN, ""),
];

/// The result is the change of a distance \[mm\] that every displacement and turn of the cart changes.
const BASE: &str = r#"
[[body]]
name = "base"
mass = 3
inertia = [0.2, 0.3, 0.25]
[[body]]
name = "cart"
mass = 2
inertia = [0.1, 0.12, 0.15]
position = [0.5, 0, 0]
[[force]]
name = "mount"
type = "bushing"
i = "base"
j = "ground"
stiffness = [400, 400, 400, 40, 40, 40]
damping = [4, 4, 4, 0.4, 0.4, 0.4]
[[force]]
name = "holder"
type = "bushing"
i = "cart"
j = { body = "ground", position = [0.5, 0, 0] }
stiffness = [200, 200, 200, 20, 20, 20]
damping = [2, 2, 2, 0.2, 0.2, 0.2]
[[measure]]
name = "far"
type = "distance"
i = { body = "cart", position = [0.3, 0.2, 0.1] }
j = { body = "ground", position = [1, 2, 3] }
[[measure]]
name = "result"
type = "expression"
expression = "1000*(far - sqrt(11.69))"
"#;

fn joint(&(kind, i, j, more): &(&str, &str, &str, &str)) -> Feature {
    // The ends of a rod lie apart.
    let place = if kind == "distance" { "[-0.05, 0, 0]" } else { "[-0.25, 0, 0]" };
    let own = format!(
        "[[joint]]\nname = \"held\"\ntype = \"{kind}\"\n{more}i = {{ body = \"cart\", position = {place}{i} }}\n\
         j = {{ body = \"base\", position = [0.25, 0, 0]{j} }}\n"
    );
    let marker = "{ body = \"cart\", position = [0.1, 0.1, 0.1] }";
    Feature::new(&format!("joint {kind}"), BASE, &own).pushed(marker, [6.0, 4.0, 5.0]).reacting("joint = \"held\"")
}

pub(crate) fn all() -> Vec<Feature> {
    KINDS.iter().map(joint).collect()
}
