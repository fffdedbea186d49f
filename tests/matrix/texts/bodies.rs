//! The bodies of the models, what holds them, what is measured of them and what drives them.

/// A cart on a rail along x, held by a spring, drawn at `x`.
pub(crate) fn cart_at(x: f64) -> String {
    format!(
        r#"
[[body]]
name = "cart"
mass = 2
inertia = [0.1, 0.1, 0.1]
position = [{x}, 0, 0]
[[joint]]
name = "rail"
type = "prismatic"
i = {{ body = "cart", orientation = {{ z_axis = [1, 0, 0], x_axis = [0, 1, 0] }} }}
j = {{ body = "ground", position = [{x}, 0, 0], orientation = {{ z_axis = [1, 0, 0], x_axis = [0, 1, 0] }} }}
[[force]]
name = "spring"
type = "spring_damper"
i = "cart"
j = {{ body = "ground", position = [-1, 0, 0] }}
stiffness = 50
damping = 1
[[measure]]
name = "x"
type = "position"
i = "cart"
component = "x"
[[measure]]
name = "v"
type = "velocity"
i = "cart"
component = "x"
"#
    )
}

pub(crate) const RESULT_X: &str = r#"
[[measure]]
name = "result"
type = "expression"
expression = "x"
"#;

/// The way of a cart that is drawn at 0.17 m \[mm\].
pub(crate) const RESULT_OF_CAM: &str = r#"
[[measure]]
name = "result"
type = "expression"
expression = "1000*(x - 0.17)"
"#;

pub(crate) const RAIL_DRIVEN: &str = r#"
[[motion]]
name = "drive the rail"
joint = "rail"
displacement = "0.05*sin(4*time)"
"#;

/// A wheel about a vertical axis at x, held by a spring.
pub(crate) fn wheel(name: &str, bearing: &str, x: f64) -> String {
    format!(
        r#"
[[body]]
name = "{name}"
mass = 1
inertia = [0.02, 0.02, 0.03]
position = [{x}, 0, 0]
[[joint]]
name = "{bearing}"
type = "revolute"
i = "{name}"
j = {{ body = "ground", position = [{x}, 0, 0] }}
[[force]]
name = "spring of {name}"
type = "torsion_spring_damper"
i = "{name}"
j = {{ body = "ground", position = [{x}, 0, 0] }}
stiffness = 2
damping = 0.05
"#
    )
}

pub(crate) fn result_of_angle(body: &str) -> String {
    format!(
        "[[measure]]\nname = \"turned\"\ntype = \"angle\"\ni = \"{body}\"\n\
         [[measure]]\nname = \"result\"\ntype = \"expression\"\nexpression = \"turned\"\n"
    )
}

pub(crate) const BEARING_DRIVEN: &str = r#"
[[motion]]
name = "drive the bearing"
joint = "bearing"
displacement = "0.3*sin(4*time)"
"#;

pub(crate) const BEAD: &str = r#"
[[body]]
name = "bead"
mass = 1
inertia = [0.01, 0.01, 0.01]
[[joint]]
name = "table"
type = "planar"
i = "bead"
j = "ground"
[[force]]
name = "holder"
type = "bushing"
i = "bead"
j = "ground"
stiffness = [50, 50, 0, 0, 0, 1]
damping = [1, 1, 0, 0, 0, 0.01]
[[measure]]
name = "p"
type = "position"
i = "bead"
[[measure]]
name = "result"
type = "expression"
expression = "p.x + 10*p.y"
"#;

pub(crate) const BEAD_DRIVEN: &str = r#"
[[motion]]
name = "drive the bead"
i = "bead"
direction = "x"
displacement = "0.05*sin(4*time)"
[[motion]]
name = "turn the bead"
i = "bead"
direction = "rotation"
displacement = "0.1*sin(4*time)"
"#;

pub(crate) const BALL_HELD_BY_SPRINGS: &str = r#"
[[body]]
name = "ball"
mass = 1
inertia = [4e-3, 4e-3, 4e-3]
position = [0, 0, 0.1]
[[force]]
name = "holder"
type = "bushing"
i = "ball"
j = { body = "ground", position = [0, 0, 0.1] }
stiffness = [50, 50, 500, 0, 0, 0.1]
damping = [1, 1, 1, 0, 0, 0.01]
[[measure]]
name = "p"
type = "position"
i = "ball"
[[measure]]
name = "result"
type = "expression"
expression = "p.x"
"#;

pub(crate) const BLOCK: &str = r#"
[[body]]
name = "block"
mass = 1
inertia = [0.01, 0.01, 0.01]
[[measure]]
name = "p"
type = "position"
i = "block"
[[measure]]
name = "result"
type = "expression"
expression = "100*(p.x + p.y - p.z)"
"#;

pub(crate) const BOB: &str = r#"
[[body]]
name = "bob"
mass = 0.5
inertia = [0.01, 0.01, 0.01]
position = [0.2, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
i = { body = "bob", position = [-0.2, 0, 0], orientation = { axis = [0, 0, 1], angle = 0 } }
j = "cart"
[[force]]
name = "spring of the bob"
type = "torsion_spring_damper"
joint = "hinge"
stiffness = 2
damping = 0.05
[[measure]]
name = "swing"
type = "angle"
joint = "hinge"
[[measure]]
name = "result"
type = "expression"
expression = "swing + 10*x"
"#;

pub(crate) const HINGE_DRIVEN: &str = r#"
[[motion]]
name = "drive the hinge"
joint = "hinge"
displacement = "0.3*sin(4*time)"
"#;

/// A ball that falls on a floor, and is held along it.
pub(crate) const BALL: &str = r#"
[[body]]
name = "ball"
mass = 0.5
inertia = [2e-3, 2e-3, 2e-3]
position = [0, 0, 0.105]
[[force]]
name = "holder"
type = "bushing"
i = "ball"
j = { body = "ground", position = [0, 0, 0.105] }
stiffness = [50, 50, 0, 1, 1, 1]
damping = [1, 1, 0, 0.01, 0.01, 0.01]
[[measure]]
name = "p"
type = "position"
i = "ball"
[[measure]]
name = "result"
type = "expression"
expression = "p.x + 10*p.z"
"#;

pub(crate) const BALL_IN_PLANE: &str = r#"
[[body]]
name = "ball"
mass = 0.5
inertia = [2e-3, 2e-3, 2e-3]
[[joint]]
name = "table"
type = "planar"
i = "ball"
j = "ground"
[[force]]
name = "holder"
type = "bushing"
i = "ball"
j = "ground"
stiffness = [50, 50, 0, 0, 0, 1]
damping = [1, 1, 0, 0, 0, 0.01]
[[measure]]
name = "p"
type = "position"
i = "ball"
[[measure]]
name = "result"
type = "expression"
expression = "p.x"
"#;
