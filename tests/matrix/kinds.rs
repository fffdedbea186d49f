//! Copies and includes, and models of other kinds than mechanisms.

use super::feature::Feature;

const COPIED_BODY: &str = r#"
[[body]]
name = "grain"
mass = 1
inertia = [0.01, 0.01, 0.01]
[[copies]]
of = "grain"
count = [2, 1, 1]
spacing = [0.5, 0, 0]
[[force]]
name = "one"
type = "bushing"
i = "grain"
j = "ground"
stiffness = [50, 50, 50, 5, 5, 5]
damping = [1, 1, 1, 0.06, 0.1, 0.1]
[[force]]
name = "two"
type = "bushing"
i = "grain 2"
j = { body = "ground", position = [0.5, 0, 0] }
stiffness = [50, 50, 50, 5, 5, 5]
damping = [1, 1, 1, 0.06, 0.1, 0.1]
[[measure]]
name = "p"
type = "position"
i = "grain 2"
[[measure]]
name = "result"
type = "expression"
expression = "p.x - 0.5"
"#;

const COPIED_INCLUDE: &str = r#"
[[include]]
name = "swing"
[include.model]
parameters = { length = 0.5 }
[[include.model.body]]
name = "bob"
mass = 2
inertia = [0.01, 0.01, 0.01]
position = [0, 0, "-length"]
[[include.model.joint]]
name = "hinge"
type = "revolute"
i = { body = "bob", position = [0, 0, "length"], orientation = { z_axis = [0, 1, 0] } }
j = { body = "ground", orientation = { z_axis = [0, 1, 0] } }
[[include.model.measure]]
name = "x"
type = "position"
i = "bob"
component = "x"
[[copies]]
of = "swing"
count = [2, 1, 1]
spacing = [0.3, 0, 0]
parameters = { swing_2 = { length = 0.3 } }
[[measure]]
name = "result"
type = "expression"
expression = "swing_2.x - 0.3 + 2*swing.x"
"#;

pub(crate) fn repeated() -> Vec<Feature> {
    vec![
        Feature::new("copies of a body", "", COPIED_BODY).pushed("\"grain 2\"", [3.0, 2.0, 0.0]),
        Feature::new("copies of an include", "", COPIED_INCLUDE)
            .pushed("\"swing_2.bob\"", [3.0, 0.0, 0.0])
            .reacting("joint = \"swing_2.hinge\""),
    ]
}

const CIRCUIT: &str = r#"
type = "circuit"
[[input]]
name = "opening"
unit = "1"
start = 0.5
[[node]]
name = "vessel"
type = "volume"
volume = 1e-3
start = 2e7
[[node]]
name = "tank"
type = "tank"
[[component]]
name = "leak"
type = "orifice"
from = "vessel"
to = "tank"
area = 1e-6
opening = "opening"
"#;

const MATRICES: &str = r#"
type = "linear"
state_space = { a = [[0, 1], [-400, -2]], b = [[0], [400]], c = [[1, 0]], initial = [0.1, 0] }
input = [{ name = "force", type = "external", value = 1 }]
output = [{ name = "result" }]
"#;

const BLOCKS: &str = r#"
type = "linear"
[[input]]
name = "power"
type = "external"
value = 200
[[block]]
name = "plate"
type = "lag"
input = "power"
gain = 0.3
time_constant = 0.5
[[output]]
name = "result"
from = "plate"
"#;

const DIFFUSION: &str = r#"
type = "linear"
[diffusion]
cells = 20
length = 1
diffusivity = 1
left = { value = "wall" }
[[input]]
name = "wall"
type = "external"
value = 10
[[output]]
name = "result"
at = 0.5
"#;

const EQUATIONS: &str = r#"
type = "coupled"
[[simulator]]
name = "mass"
[simulator.equations]
input = [{ name = "F", unit = "N" }]
state = [{ name = "x", start = 1, rate = "v" }, { name = "v", rate = "F/2" }]
output = [{ name = "result", value = "x" }, { name = "v", unit = "m/s", value = "v" }]
[[simulator]]
name = "spring"
[simulator.equations]
input = [{ name = "x" }]
output = [{ name = "F", unit = "N", value = "-200*x" }]
[[connection]]
from = "mass.result"
to = "spring.x"
[[connection]]
from = "spring.F"
to = "mass.F"
"#;

pub(crate) fn others() -> Vec<Feature> {
    vec![
        Feature::whole("hydraulic circuit", "vessel.pressure", "Pa", 0.06, CIRCUIT),
        Feature::whole("linear system by matrices", "result", "", 0.06, MATRICES),
        Feature::whole("linear system by blocks", "result", "", 0.06, BLOCKS),
        Feature::whole("diffusion", "result", "", 0.06, DIFFUSION),
        Feature::whole("coupled equations", "mass.result", "", 0.06, EQUATIONS),
    ]
}
